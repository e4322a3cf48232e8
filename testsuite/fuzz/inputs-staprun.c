// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Input for staprun: module files, output of a module (or of files of -b), and the state that a module reports to
 * stap-monitor.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "monitor/monitor_view.h"
#include "staprun/check.h"
#include "staprun/describe.h"
#include "staprun/info.h"
#include "staprun/merge.h"
#include "staprun/output.h"
#include "testsuite/fuzz/damage.h"
#include "testsuite/fuzz/inputs.h"

/* Redirect standard output to a file. */
static int captured(void)
{
	static int file = -1;

	if (file < 0) {
		fflush(stdout);
		file = fuzz_file(NULL, 0);
		dup2(file, STDOUT_FILENO);
	}
	return file;
}

static char *take_captured(gsize *size)
{
	fflush(stdout);
	return fuzz_take(captured(), size);
}

/* ---- module files ------------------------------------------------------------------------------------------------ */

static const char *const facts[] = {"release=6.1.0-13-amd64",
				    "bulk=1",
				    "commands=1",
				    "objects=1",
				    "target=kernel",
				    "target=module",
				    "target=executable",
				    "target=library",
				    "target=\033[2J",
				    "target-build-id=0123456789abcdef",
				    "target-build-id=xyz",
				    "target-name=loop",
				    "target-name=../loop",
				    "target-section=.text",
				    "target-section=..",
				    "global=number",
				    "global-type=string",
				    "global-type=number",
				    "global-value=\302\233[2J",
				    "global-value=\t5",
				    "unknown=\033]0;title\a",
				    "release=\033c",
				    ""};
static const char *const modinfo[] = {"name=stap_fuzz",
				      "name=another",
				      "spile_script=probe begin {}\n",
				      "spile_made=\233[2J",
				      "spile_kernel=\177",
				      "spile_options=-e\1",
				      "license=GPL",
				      "vermagic=6.1.0-13-amd64 SMP",
				      "spile_privilege=\303\244\342\202\254"};

static void add_strings(GRand *random, GByteArray *out, const char *const *strings, guint count, guint most)
{
	for (guint i = fuzz_below(random, 0, most); i--;) {
		const char *text = strings[fuzz_below(random, 0, count)];

		fuzz_append(out, text, strlen(text) + 1);
	}
}

struct part {
	const char *name;
	GByteArray *bytes;
};

static void add_section(GByteArray *out, GByteArray *headers, GByteArray *names, const struct part *part)
{
	Elf64_Shdr header = {
		.sh_name = names->len,
		.sh_type = SHT_PROGBITS,
		.sh_offset = out->len,
		.sh_size = part->bytes->len,
	};

	fuzz_append(names, part->name, strlen(part->name) + 1);
	fuzz_append(headers, &header, sizeof(header));
	fuzz_append(out, part->bytes->data, part->bytes->len);
}

static void make_module(GRand *random, GByteArray *out)
{
	struct part parts[] = {{".spile.info", g_byte_array_new()},
			       {".gnu.linkonce.this_module", g_byte_array_new()},
			       {".modinfo", g_byte_array_new()},
			       {".text", g_byte_array_new()}};
	GByteArray *headers = g_byte_array_new(), *names = g_byte_array_new();
	Elf64_Ehdr header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = G_N_ELEMENTS(parts) + 2,
		.e_shstrndx = G_N_ELEMENTS(parts) + 1,
	};
	Elf64_Shdr section = {0};
	char structure[256] = "";

	strcpy(structure + fuzz_below(random, 0, 64), "stap_fuzz");
	fuzz_append(parts[0].bytes, "release=6.1", 12);
	add_strings(random, parts[0].bytes, facts, G_N_ELEMENTS(facts), 40);
	fuzz_append(parts[1].bytes, structure, sizeof(structure));
	add_strings(random, parts[2].bytes, modinfo, G_N_ELEMENTS(modinfo), 12);
	fuzz_append(parts[3].bytes, structure, 64);
	fuzz_append(out, &header, sizeof(header));
	fuzz_append(names, "", 1);
	fuzz_append(headers, &section, sizeof(section));
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		add_section(out, headers, names, &parts[i]);
		g_byte_array_free(parts[i].bytes, TRUE);
	}
	section = (Elf64_Shdr){
		.sh_name = names->len,
		.sh_type = SHT_STRTAB,
		.sh_offset = out->len,
		.sh_size = names->len + sizeof(".shstrtab"),
	};
	fuzz_append(names, ".shstrtab", sizeof(".shstrtab"));
	fuzz_append(headers, &section, sizeof(section));
	fuzz_append(out, names->data, names->len);
	((Elf64_Ehdr *)out->data)->e_shoff = out->len;
	fuzz_append(out, headers->data, headers->len);
	g_byte_array_free(headers, TRUE);
	g_byte_array_free(names, TRUE);
}

/* Return whether the text has no control sequence for a terminal. */
static void check_harmless(const char *text, gsize size)
{
	for (const char *at = text, *end = text + size; at < end; at = g_utf8_next_char(at)) {
		gunichar c = g_utf8_get_char_validated(at, end - at);

		if (c >= (gunichar)-2 || (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0))
			fuzz_wrong("a terminal would obey what is shown of a module");
	}
}

static void check_error(struct error *error)
{
	if (!error)
		return;
	check_harmless(error->message, strlen(error->message));
	if (error->hint)
		check_harmless(error->hint, strlen(error->hint));
	error_free(error);
}

static void feed_description(const guint8 *bytes, gsize size)
{
	int file = fuzz_file(bytes, size);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", file), *shown = NULL;
	gsize length;

	captured();
	check_error(describe_module(path));
	shown = take_captured(&length);
	check_harmless(shown, length);
	close(file);
}

static void feed_module(GRand *random, const guint8 *bytes, gsize size)
{
	static const char *const names[] = {"s", "stap_fuzz", "a_name_that_is_longer",
					    "the_longest_name_that_a_kernel_will_take_for_a_module__"};
	char *image = malloc(size), hex[INFO_BUILD_ID_SIZE];
	struct module_info info;
	struct error *error;

	if (size)
		memcpy(image, bytes, size);
	check_notes_build_id(image, size, hex);
	error = info_read(image, size, &info);
	if (!error) {
		if (!info_name_is_valid(info.name))
			fuzz_wrong("a module's name is none");
		check_error(check_targets(&info));
		check_error(info_rename(image, &info, names[fuzz_below(random, 0, G_N_ELEMENTS(names))]));
		info_destroy(&info);
	}
	check_error(error);
	free(image);
	feed_description(bytes, size);
}

const struct input_kind input_module = {"module", make_module, feed_module};

/* ---- records ----------------------------------------------------------------------------------------------------- */

enum { RECORDS_AS_ONE, RECORDS_APART, RECORDS_OF_FILES, RECORDS_TAKEN_UP, RECORDS_WAYS };
enum { FILES = 4, SET_WAY = FILES, END_FILE };

/* The streams of several CPUs, in the pieces in which they are read. */
static void make_records(GRand *random, GByteArray *out)
{
	GByteArray *streams[FILES];
	guint parts[FILES][STP_WRITERS] = {{0}}, way = fuzz_below(random, 0, RECORDS_WAYS);
	guint8 byte = (guint8)way;
	char payload[300];

	memset(payload, 'x', sizeof(payload));
	for (guint i = 0; i < FILES; i++)
		streams[i] = g_byte_array_new();
	fuzz_add_piece(out, SET_WAY, &byte, 1);
	for (guint i = 0, count = fuzz_below(random, 1, 200); i < count; i++) {
		guint file = fuzz_below(random, 0, FILES), writer = fuzz_below(random, 0, STP_WRITERS);
		bool goes_on = !fuzz_below(random, 0, 3);
		struct stp_record record = {
			.magic = STP_RECORD_MAGIC,
			.type = fuzz_below(random, 0, 6) ? STP_RECORD_OUTPUT
							 : (guint8)fuzz_below(random, 0, STP_RECORD_TYPES),
			.writer = (guint8)writer,
			.length = (guint16)fuzz_below(random, 0, sizeof(payload)),
			.part = (guint16)(parts[file][writer] | (goes_on ? STP_PART_MORE : 0)),
			.sequence = i,
		};

		parts[file][writer] = goes_on ? parts[file][writer] + 1 : 0;
		fuzz_append(streams[file], &record, sizeof(record));
		fuzz_append(streams[file], payload, record.length);
	}
	for (guint left = FILES, i = 0; left; i = (i + 1) % FILES) {
		guint most = fuzz_below(random, 1, 3000);
		gsize size = MIN(streams[i]->len, most);

		left -= !size;
		if (!size)
			continue;
		left = FILES;
		fuzz_add_piece(out, i, streams[i]->data, size);
		g_byte_array_remove_range(streams[i], 0, (guint)size);
	}
	for (guint i = 0; i < FILES; i++)
		g_byte_array_free(streams[i], TRUE);
}

struct sink {
	struct output *output;
	guint64 next;
	bool in_order;
};

static void emit(void *data, const struct stp_record *record, const char *payload)
{
	struct sink *sink = data;

	if (record->length > STP_RECORD_LIMIT || record->type >= STP_RECORD_TYPES)
		fuzz_wrong("a record that is none is emitted");
	if (sink->in_order && record->sequence + 1 < sink->next)
		fuzz_wrong("a record is emitted out of its turn");
	sink->next = record->sequence + 1;
	/* Not those that would change files of this machine. */
	if (record->type < STP_RECORD_REOPEN && record->type != STP_RECORD_COMMAND)
		output_record(sink->output, record, payload);
}

static void read_piece(struct merge *merge, const struct fuzz_piece *piece, guint way)
{
	guint64 missing = 0, number = 0;

	if (piece->whom < FILES) {
		if (piece->size)
			memcpy(merge_reserve(merge, piece->whom, piece->size), piece->bytes, piece->size);
		error_free(merge_commit(merge, piece->whom, piece->size));
	} else if (piece->whom == END_FILE) {
		merge_end(merge, (guint)piece->size % FILES);
	}
	memcpy(&number, piece->bytes, MIN(piece->size, sizeof(number)));
	if (way == RECORDS_OF_FILES)
		error_free(merge_flush_ready(merge, &missing));
	else if (way == RECORDS_TAKEN_UP && piece->whom > END_FILE)
		error_free(merge_go_on_at(merge, number));
	else
		error_free(merge_emit(merge));
}

static void feed_records(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *path = g_build_filename(fuzz_directory(), "output", NULL); /* switching files adds more */
	struct fuzz_piece piece;
	guint64 missing;
	guint way = size > 3 ? bytes[3] % RECORDS_WAYS : 0;
	/* The status of an attached session gives its first number, which may be lower than numbers already seen. */
	struct sink sink = {.in_order = way != RECORDS_APART && way != RECORDS_TAKEN_UP};
	struct merge *merge = merge_new(emit, &sink);

	error_free(output_open(path, &(struct output_limit){0}, COLOR_ALWAYS, true, &sink.output));
	for (guint i = 0; i < FILES; i++)
		merge_add_file(merge, "file");
	if (way == RECORDS_APART)
		merge_set_apart(merge);
	while (fuzz_next_piece(&bytes, &size, &piece))
		read_piece(merge, &piece, way);
	error_free(merge_flush(merge, &missing));
	merge_free(merge);
	output_close(sink.output);
	error_free(output_take_error(sink.output));
	free(sink.output);
}

const struct input_kind input_records = {"records", make_records, feed_records};

/* ---- the monitor ------------------------------------------------------------------------------------------------- */

enum { MONITOR_SNAPSHOT, MONITOR_OUTPUT, MONITOR_INPUT, MONITOR_PIECES };

static void add_text(GByteArray *out, guint whom, const char *text)
{
	fuzz_add_piece(out, whom, text, strlen(text));
}

static void make_monitor(GRand *random, GByteArray *out)
{
	static const char *const lines[] = {"state running\n",
					    "exit 0\nlost 18446744073709551615\n",
					    "probe 0 on 5 1 2 3 kernel.function(\"x\")\n",
					    "probe 1 off 0 0 0 0 \"\\\n",
					    "probe 4294967295 waits -1 99999999999999999999 0 0 \377\n",
					    "probe 2 on\n",
					    "global a - 5\n",
					    "global b 2 [[[1,\"x\"],2]]\n",
					    "global c\n",
					    "global d - \"\300\200\355\240\200\"\n",
					    "hits 12\n",
					    "\n",
					    " \n"};
	static const char *const printed[] = {"line\n", "no end", "\n\n\n", "\303", "\244 torn\n", "\0\1\2\177\n"};
	static const char *const typed[] = {
		"probe 1 off\n", "reset\n", "quit\n", "\n",
		"a command that is longer than the longest of all that there are, by far\n"};
	GString *text = g_string_new(NULL);

	for (guint i = fuzz_below(random, 1, 6); i--;) {
		g_string_truncate(text, 0);
		for (guint j = fuzz_below(random, 0, 30); j--;)
			g_string_append(text, lines[fuzz_below(random, 0, G_N_ELEMENTS(lines))]);
		add_text(out, MONITOR_SNAPSHOT, text->str);
		add_text(out, MONITOR_OUTPUT, printed[fuzz_below(random, 0, G_N_ELEMENTS(printed))]);
		add_text(out, MONITOR_INPUT, typed[fuzz_below(random, 0, G_N_ELEMENTS(typed))]);
	}
	g_string_free(text, TRUE);
}

static void type_commands(const struct fuzz_piece *piece)
{
	char command[VIEW_COMMAND_SIZE];
	int file = fuzz_file(piece->bytes, piece->size);
	enum view_input got;

	dup2(file, STDIN_FILENO);
	close(file);
	while ((got = lines_view.input(command)) != VIEW_CLOSED)
		if (got == VIEW_COMMAND && !memchr(command, '\0', sizeof(command)))
			fuzz_wrong("a command has no end");
}

static void feed_monitor(GRand *random, const guint8 *bytes, gsize size)
{
	struct snapshot snapshot = {0};
	struct fuzz_piece piece;
	g_autofree char *shown = NULL;
	gsize length;

	captured();
	lines_view.begin("stap_fuzz");
	while (fuzz_next_piece(&bytes, &size, &piece)) {
		int file = fuzz_file(piece.bytes, piece.size);

		if (piece.whom % MONITOR_PIECES == MONITOR_INPUT) {
			type_commands(&piece);
		} else if (piece.whom % MONITOR_PIECES == MONITOR_OUTPUT) {
			lines_view.output((const char *)piece.bytes, piece.size, false);
		} else {
			error_free(snapshot_read(file, &snapshot));
			lines_view.show(&snapshot);
		}
		close(file);
	}
	lines_view.end();
	snapshot_clear(&snapshot);
	shown = take_captured(&length);
	/* The module determines a global's value, which is JSON except for invalid bytes. */
	if (!g_utf8_validate_len(shown, length, NULL))
		fuzz_wrong("what is shown of a script is no UTF-8");
}

const struct input_kind input_monitor = {"monitor", make_monitor, feed_monitor};
