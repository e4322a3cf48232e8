// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Assembling the table of a program or library; see runtime/abi/object_table.h for its format.
 *
 * Call frames are read from the file itself (.eh_frame, and .debug_frame, which may be compressed) and from its file of
 * debug symbols (.debug_frame). .eh_frame is preferred: it is loaded with the program, so compilers and linkers keep it
 * correct. .debug_frame is used where .eh_frame has nothing. Where both have nothing, rules are derived from the code
 * (code.c).
 */
#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/elf/elf.h"
#include "translator/debuginfo/unwind/frames.h"

enum { PAGE = 1 << STP_OBJECT_PAGE_SHIFT };

struct table {
	struct stp_object_table head;
	GArray *segments, *pages, *rows, *symbols;
	GByteArray *names, *lines;
	struct frame_builder frames;
};

/*
 * ---- segments ------------------------------------------------------------------------------------------------------
 */

static struct error *not_usable(const char *path, const char *why)
{
	return error_new(ERROR_DEBUGINFO, _("cannot read call frames and symbols of %s: %s"), path, why);
}

static uint64_t file_size(Elf *elf)
{
	size_t size = 0;

	return elf_rawfile(elf, &size) ? size : 0;
}

static struct error *read_segments(struct table *table, Elf *elf, const char *path)
{
	uint64_t low = UINT64_MAX, high = 0;
	size_t count = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
		struct stp_object_segment segment = {header.p_offset, header.p_vaddr, header.p_filesz};

		if (header.p_type != PT_LOAD || header.p_vaddr + header.p_memsz < header.p_vaddr)
			continue;
		if (header.p_filesz > table->head.file_size ||
		    header.p_offset > table->head.file_size - header.p_filesz)
			return not_usable(path, _("the file is truncated (a segment lies beyond its end)"));
		low = MIN(low, header.p_vaddr);
		high = MAX(high, header.p_vaddr + header.p_memsz);
		/* Further segments have no load bias, so their addresses are unknown. */
		if (header.p_flags & PF_X && table->segments->len < STP_OBJECT_SEGMENTS)
			g_array_append_val(table->segments, segment);
	}
	if (low >= high)
		return not_usable(path, _("it has no loadable segments"));
	low -= low % PAGE;
	if (high - low > UINT32_MAX - PAGE)
		return not_usable(path, _("it is larger than 4 GB"));
	table->head.base = low;
	table->head.extent = (unsigned int)(high - low);
	return NULL;
}

/* ---- rows by pages ----------------------------------------------------------------------------------------------- */

struct row_writer {
	struct table *table;
	uint16_t rule; /* the current rule */
};

/* Begin pages up to that of an address. */
static void open_pages(struct row_writer *writer, uint32_t address)
{
	struct table *table = writer->table;

	while (table->pages->len <= address >> STP_OBJECT_PAGE_SHIFT) {
		g_array_append_val(table->pages, table->rows->len);
		if (writer->rule) {
			struct stp_unwind_row row = {0, writer->rule};

			g_array_append_val(table->rows, row);
		}
	}
}

static void put_rule(struct row_writer *writer, uint64_t address, uint16_t rule)
{
	struct table *table = writer->table;
	uint64_t from = address - table->head.base;
	struct stp_unwind_row row = {(uint16_t)from, rule}, *last;

	if (rule == writer->rule || address < table->head.base || from >= table->head.extent)
		return;
	open_pages(writer, (uint32_t)from);
	writer->rule = rule;
	/* The later of two rows at one address counts. */
	if (table->rows->len > g_array_index(table->pages, unsigned int, table->pages->len - 1)) {
		last = &g_array_index(table->rows, struct stp_unwind_row, table->rows->len - 1);
		if (last->low == row.low) {
			last->rule = rule;
			return;
		}
	}
	g_array_append_val(table->rows, row);
}

static void write_rows(struct table *table)
{
	const struct frame_builder *frames = &table->frames;
	struct row_writer writer = {table, 0};
	uint64_t covered = 0;

	for (guint i = 0; i < frames->functions->len; i++) {
		const struct frame_function *function = &g_array_index(frames->functions, struct frame_function, i);

		if (covered < function->low)
			put_rule(&writer, covered, 0);
		for (guint n = function->first; n < function->end; n++) {
			const struct frame_row *row = &g_array_index(frames->rows, struct frame_row, n);

			if (row->address < function->high)
				put_rule(&writer, row->address, row->rule);
		}
		covered = function->high;
	}
	put_rule(&writer, covered, 0);
	table->head.page_count = table->pages->len;
	g_array_append_val(table->pages, table->rows->len);
}

/* ---- assembling -------------------------------------------------------------------------------------------------- */

static unsigned int append(GByteArray *bytes, const void *data, guint size)
{
	static const guint8 zeros[8];
	guint at = bytes->len;

	g_byte_array_append(bytes, data, size);
	g_byte_array_append(bytes, zeros, -bytes->len & 7);
	return at;
}

static unsigned int append_array(GByteArray *bytes, const GArray *array, unsigned int *count)
{
	*count = array->len;
	return append(bytes, array->data, array->len * g_array_get_element_size((GArray *)array));
}

static unsigned int append_bytes(GByteArray *bytes, const GByteArray *array, unsigned int *size)
{
	*size = array->len;
	return append(bytes, array->data, array->len);
}

/* Replace control characters: the file is not trusted, and its names may be printed to a terminal. */
static void make_printable(GByteArray *names)
{
	for (guint i = 0; i < names->len; i++)
		if (g_ascii_iscntrl(names->data[i]) && names->data[i])
			names->data[i] = '?';
}

static GByteArray *assemble(struct table *table)
{
	struct stp_object_table *head = &table->head;
	GByteArray *bytes = g_byte_array_new();
	unsigned int page_count;

	make_printable(table->names);
	append(bytes, head, sizeof(*head));
	head->segments = append_array(bytes, table->segments, &head->segment_count);
	head->pages = append_array(bytes, table->pages, &page_count);
	head->rows = append_array(bytes, table->rows, &head->row_count);
	head->rules = append_array(bytes, table->frames.rules, &head->rule_count);
	head->extras = append_array(bytes, table->frames.extras, &head->extra_count);
	head->expressions = append_bytes(bytes, table->frames.expressions, &head->expressions_size);
	head->symbols = append_array(bytes, table->symbols, &head->symbol_count);
	head->names = append_bytes(bytes, table->names, &head->names_size);
	if (table->lines)
		head->lines = append_bytes(bytes, table->lines, &head->lines_size);
	head->size = bytes->len;
	memcpy(bytes->data, head, sizeof(*head));
	return bytes;
}

static void find_build_id(struct stp_object_table *head, Elf *elf, const void *bytes, size_t size)
{
	size_t count = 0, whole = 0;
	const char *file = elf_rawfile(elf, &whole);
	GElf_Phdr header;

	if (!file || elf_getphdrnum(elf, &count))
		return;
	for (size_t i = 0; i < count && gelf_getphdr(elf, (int)i, &header); i++) {
		const char *found = NULL;

		if (header.p_type == PT_NOTE && header.p_offset <= whole && header.p_filesz <= whole - header.p_offset)
			found = memmem(file + header.p_offset, header.p_filesz, bytes, size);
		if (found) {
			head->id_offset = (uint64_t)(found - file);
			head->id_address = head->id_offset - header.p_offset + header.p_vaddr;
		}
	}
}

static void describe(struct table *table, Elf *elf, const struct frame_machine *machine)
{
	struct stp_object_table *head = &table->head;
	const void *id;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &id);

	head->magic = STP_OBJECT_MAGIC;
	head->version = STP_OBJECT_VERSION;
	head->flags = machine->is_32bit ? STP_OBJECT_IS_32BIT : 0;
	head->stack_register = machine->stack_register;
	head->return_register = machine->return_register;
	head->slot_count = machine->slot_count;
	memcpy(head->slots, machine->slots, sizeof(head->slots));
	head->file_size = file_size(elf);
	if (size > 0 && size <= STP_OBJECT_ID_SIZE) {
		memcpy(head->build_id, id, (size_t)size);
		head->build_id_size = (unsigned int)size;
		find_build_id(head, elf, id, (size_t)size);
	}
}

static GByteArray *fill(struct table *table, Dwfl_Module *module, Elf *elf, bool with_lines)
{
	Dwarf_Addr bias;
	Dwarf *dwarf;

	frames_read(&table->frames, elf, false);
	frames_read(&table->frames, elf, true);
	dwarf = dwfl_module_getdwarf(module, &bias);
	if (dwarf && dwarf_getelf(dwarf) != elf)
		frames_read(&table->frames, dwarf_getelf(dwarf), true);
	frames_finish(&table->frames);
	table->symbols = symbols_read(module, table->head.base, table->head.extent, table->names);
	frames_from_code(&table->frames, elf, table->segments, table->symbols, table->head.base);
	write_rows(table);
	if (dwarf && with_lines)
		table->lines = object_lines(dwarf, table->head.base, table->head.extent);
	return assemble(table);
}

static void table_clear(struct table *table)
{
	g_array_unref(table->segments);
	g_array_unref(table->pages);
	g_array_unref(table->rows);
	g_clear_pointer(&table->symbols, g_array_unref);
	g_byte_array_unref(table->names);
	g_clear_pointer(&table->lines, g_byte_array_unref);
	frames_clear(&table->frames);
}

static struct error *make_table(Dwfl_Module *module, const char *path, bool with_lines, GByteArray **ret)
{
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(module, &bias);
	const struct frame_machine *machine = elf ? frame_machine_of(elf) : NULL;
	struct error *error;
	struct table table = {
		.segments = g_array_new(FALSE, FALSE, sizeof(struct stp_object_segment)),
		.pages = g_array_new(FALSE, FALSE, sizeof(unsigned int)),
		.rows = g_array_new(FALSE, FALSE, sizeof(struct stp_unwind_row)),
		.names = g_byte_array_new(),
	};

	frames_init(&table.frames, machine);
	if (!machine) {
		error = not_usable(path, elf ? _("it is for another machine") : dwfl_errmsg(-1));
	} else {
		describe(&table, elf, machine);
		error = read_segments(&table, elf, path);
	}
	if (!error)
		*ret = fill(&table, module, elf, with_lines);
	table_clear(&table);
	return error;
}

GByteArray *table_of_symbols(uint64_t base, uint32_t extent, GArray *symbols, GByteArray *names)
{
	const unsigned int no_rows = 0;
	struct table table = {
		.head = {.magic = STP_OBJECT_MAGIC, .version = STP_OBJECT_VERSION, .base = base, .extent = extent},
		.segments = g_array_new(FALSE, FALSE, sizeof(struct stp_object_segment)),
		.pages = g_array_new(FALSE, FALSE, sizeof(unsigned int)),
		.rows = g_array_new(FALSE, FALSE, sizeof(struct stp_unwind_row)),
		.symbols = symbols,
		.names = names,
	};
	GByteArray *bytes;

	frames_init(&table.frames, NULL);
	g_array_append_val(table.pages, no_rows);
	bytes = symbols->len ? assemble(&table) : NULL;
	table_clear(&table);
	return bytes;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

struct error *object_table_make(int fd, const char *path, bool with_lines, GByteArray **ret)
{
	int own = fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct error *error = NULL;
	Dwfl_Module *module;
	Dwfl *dwfl;

	*ret = NULL;
	if (own < 0)
		return error_errno(_("cannot read %s"), path);
	dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(dwfl);
	/* Report it at its link-time addresses. On success, libdwfl takes over the descriptor. */
	module = dwfl_report_elf(dwfl, path, path, own, 0, true);
	if (!module) {
		error = not_usable(path, dwfl_errmsg(-1));
		close(own);
	}
	dwfl_report_end(dwfl, NULL, NULL);
	error = error ?: make_table(module, path, with_lines, ret);
	dwfl_end(dwfl);
	return error;
}

/* ---- the cache --------------------------------------------------------------------------------------------------- */

/*
 * Return a part of the cache key for the file of debug symbols, by its modification time: the build-id is the same with
 * and without it.
 */
static char *debug_symbols(const char *id)
{
	g_autofree char *path = g_strdup_printf("/usr/lib/debug/.build-id/%.2s/%s.debug", id, id + 2);
	struct stat status;

	return stat(path, &status) ? g_strdup("") : g_strdup_printf("-%lx", (unsigned long)status.st_mtime);
}

/* Return the cache key of a file: build-id and size, or else a checksum; NULL if it cannot be read. */
static char *identify(int fd, const char *path)
{
	_cleanup_close_ int own = fd < 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	size_t size = 0;
	g_autofree char *build_id = NULL;
	char *id = NULL;
	const char *bytes;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(own >= 0 ? own : fd, ELF_C_READ_MMAP, NULL);
	if (!elf)
		return NULL;
	build_id = elf_build_id(elf);
	bytes = elf_rawfile(elf, &size);
	if (bytes && build_id) {
		g_autofree char *debug = debug_symbols(build_id);

		id = g_strdup_printf("%s-%zx%s", build_id, size, debug);
	} else if (bytes) {
		id = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, size);
	}
	elf_end(elf);
	return id;
}

bool object_is_program(const char *path)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Ehdr header;
	bool is_program;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ_MMAP, NULL) : NULL;
	is_program = elf && gelf_getehdr(elf, &header) && (header.e_type == ET_EXEC || header.e_type == ET_DYN);
	elf_end(elf);
	return is_program;
}

struct error *object_table_get(int fd, const char *path, bool with_lines, const char *cache_directory, GByteArray **ret,
			       char **kept)
{
	g_autofree char *id = cache_directory ? identify(fd, path) : NULL;
	g_autofree char *entry = id ? g_strdup_printf("%s/object-%s%s-v%u", cache_directory, id,
						      with_lines ? "-lines" : "", STP_OBJECT_VERSION)
				    : NULL;
	struct error *error;
	size_t length;
	char *data;

	*kept = NULL;
	if (entry && cache_load(entry, &data, &length)) {
		*ret = g_byte_array_new_take((guint8 *)data, length);
		*kept = g_steal_pointer(&entry);
		return NULL;
	}
	error = object_table_make(fd, path, with_lines, ret);
	if (error || !entry)
		return error;
	cache_store(entry, (const char *)(*ret)->data, (*ret)->len);
	if (g_file_test(entry, G_FILE_TEST_IS_REGULAR))
		*kept = g_steal_pointer(&entry);
	return NULL;
}
