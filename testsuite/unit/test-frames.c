// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The filter that completes the stacks in JSON lines: its changes to a line, the places that it finds in programs, and
 * the lines that it writes if its process dies or stops.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/elf/elf.h"
#include "testsuite/unit/commands.h"
#include "testsuite/unit/errors.h"
#include "translator/frames/frames.h"
#include "translator/frames/lines.h"
#include "translator/frames/lookup.h"

#define LINE(stacks, keys)                                                                                             \
	"{\"type\":\"global\",\"time\":1.5,\"snapshot\":0,\"final\":false,\"name\":\"a\",\"kind\":\"array\","          \
	"\"keys\":[\"number\",\"stack\"],\"stacks\":[{\"key\":1,\"kind\":\"both\",\"form\":\"addresses\"" stacks "}]," \
	"\"values\":\"number\",\"elements\":[[[7," keys "],3]],\"complete\":true}\n"

/* ---- lines ------------------------------------------------------------------------------------------------------- */

/*
 * Records the searched frames. It knows f, into which g is inlined, and h without a line; other functions are unknown.
 */
struct fake {
	GString *asked;
	guint learned;
};

static void fake_learn(void *data, unsigned int host, const struct stack_frame *frame)
{
	struct fake *fake = data;

	fake->learned++;
}

static bool fake_find(void *data, unsigned int host, const struct stack_frame *frame, enum frame_position position,
		      GArray *ret)
{
	static const struct code_place inner = {.name = "g", .file = "g.h", .line = 3};
	static const struct code_place real = {.name = "f", .entry = 0x1000, .file = "a \"b\".c", .line = 20};
	static const struct code_place without_line = {.name = "h"};
	struct fake *fake = data;

	g_string_append_printf(fake->asked, "%u:%s:%c ", host, frame->name ?: "-", "@<?"[position]);
	if (!g_strcmp0(frame->name, "f") || frame->link_address) {
		g_array_append_val(ret, inner);
		g_array_append_val(ret, real);
	} else if (!g_strcmp0(frame->name, "h")) {
		g_array_append_val(ret, without_line);
	}
	return strcmp(frame->name ?: "", "later") != 0;
}

/* Complete a line; return "" if it does not change. */
static char *complete(struct frame_lines *lines, const char *line)
{
	GString *out = g_string_new(NULL);

	if (!frame_lines_complete(lines, line, strlen(line), out))
		g_string_truncate(out, 0);
	return g_string_free(out, FALSE);
}

static void check_line(const char *line, const char *expected, const char *asked)
{
	struct fake fake = {.asked = g_string_new(NULL)};
	const struct frame_source source = {.data = &fake, .learn = fake_learn, .find = fake_find};
	struct frame_lines *lines = frame_lines_new(&source);
	g_autofree char *once = complete(lines, line), *again = NULL;

	g_assert_cmpstr(once, ==, expected);
	if (asked)
		g_assert_cmpstr(fake.asked->str, ==, asked);
	/* The second time, all is in the cache. */
	g_string_truncate(fake.asked, 0);
	again = complete(lines, line);
	g_assert_cmpstr(again, ==, expected);
	g_assert_true(!fake.asked->len || strstr(fake.asked->str, "later"));
	frame_lines_free(lines);
	g_string_free(fake.asked, TRUE);
}

#define PLACE "\"file\":\"a \\\"b\\\".c\",\"line\":20"

static void test_changes(void)
{
	check_line(LINE("", "[{\"name\":\"f\",\"offset\":5,\"kind\":\"module\",\"object\":\"m\\u00e4\",\"new\":[1, {}],"
			    "\"address\":\"0xffffffffc0000005\"}]"),
		   LINE("", "[{\"name\":\"g\",\"kind\":\"module\",\"object\":\"m\xc3\xa4\",\"inlined\":true,"
			    "\"file\":\"g.h\",\"line\":3},{\"name\":\"f\",\"offset\":5,\"kind\":\"module\","
			    "\"object\":\"m\\u00e4\",\"new\":[1, {}]," PLACE ",\"address\":\"0xffffffffc0000005\"}]"),
		   "0:f:? ");
	/* A place of the runtime is replaced, unless ours is not known. */
	check_line(LINE("", "[{\"name\":\"f\",\"file\":\"old\",\"line\":1}]"), LINE("", "[{\"name\":\"f\"," PLACE "}]"),
		   NULL);
	check_line(LINE("", "[{\"name\":\"h\",\"file\":\"old\",\"line\":1}]"),
		   LINE("", "[{\"name\":\"h\",\"file\":\"old\",\"line\":1}]"), NULL);
	/* A frame without a symbol gets the name of the function. */
	check_line(LINE("", "[{\"offset\":77,\"kind\":\"program\",\"object\":\"/p\",\"build_id\":\"ab\","
			    "\"link_address\":\"0x1010\"}]"),
		   LINE("", "[{\"name\":\"g\",\"kind\":\"program\",\"object\":\"/p\",\"inlined\":true,\"file\":\"g.h\","
			    "\"line\":3},{\"name\":\"f\",\"offset\":16,\"kind\":\"program\",\"object\":\"/p\"," PLACE
			    ",\"build_id\":\"ab\",\"link_address\":\"0x1010\"}]"),
		   NULL);
}

static void test_unchanged(void)
{
	static const char *const lines[] = {
		LINE("", "[]"),
		LINE("", "\"f\""),
		LINE("", "[{\"name\":\"other\"},{\"name\":\"later\"},{}]"),
		LINE("", "[{\"name\":\"f\",\"inlined\":true}]"),
		LINE("", "[{\"name\":{\"base64\":\"/w==\"}},{\"name\":\"f\\u0000\"},{\"name\":7},[],null,3,\"f\"]"),
		LINE("", "[{\"name\":\"f\",\"offset\":\"x\"}]"),
		LINE("", "[{\"name\":\"f\"]"),
		LINE("", "[{\"name\":\"f\"}],{\"a\":1"),
		"{\"type\":\"global\",\"keys\":[\"number\",\"string\"],\"elements\":[[[7,[{\"name\":\"f\"}]],3]]}\n",
		"{\"type\":\"global\",\"keys\":[\"stack\"],\"elements\":[7,[],[[]],[7,[{\"name\":\"f\"}]]]}\n",
		"{\"type\":\"global\",\"elements\":[[[[{\"name\":\"f\"}]],3]],\"keys\":[\"stack\"]}\n",
		"",
		"{",
		"[]",
		"\"",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++)
		check_line(lines[i], "", NULL);
}

#define FRAME(name, kind) "{\"name\":\"" name "\",\"kind\":\"" kind "\"}"
#define KERNEL_FRAMES FRAME("a", "kernel") "," FRAME("b", "module") "," FRAME("asm_exc_page_fault", "kernel")
#define MORE_FRAMES FRAME("c", "kernel") "," FRAME("d", "kernel") "," FRAME("e", "library") "," FRAME("u", "unknown")
#define USER_FRAMES FRAME("__restore_rt", "library") "," FRAME("i", "program") "," FRAME("j", "jit")
#define STACK "[" KERNEL_FRAMES "," MORE_FRAMES "," USER_FRAMES "]"
#define REST "0:b:< 0:asm_exc_page_fault:< 0:c:@ 0:d:< 0:e:@ 0:u:< 0:__restore_rt:< 0:i:@ 0:j:< "
#define REMOTE(frame) "{\"type\":\"global\",\"remote\":2,\"keys\":[\"stack\"],\"elements\":[[[[" frame "]],3]]}"

/* Which frames hold return addresses. */
static void test_positions(void)
{
	check_line(LINE("", STACK), "", "0:a:? " REST);
	check_line(LINE(",\"innermost\":\"instruction\"", STACK), "", "0:a:@ " REST);
	check_line(LINE(",\"innermost\":\"call\"", STACK), "", "0:a:< " REST);
	check_line(REMOTE("{\"name\":\"f\"}"), REMOTE("{\"name\":\"f\"," PLACE "}"), "2:f:@ ");
}

static void test_beginnings(void)
{
	static const char line[] = LINE("", "[]");
	static const char late[] = "{\"type\":\"global\",\"final\":true,\"elements\":[],\"stacks\":[]}";
	bool is_final = true;

	g_assert_true(frame_line_is_of_stacks(line, strlen(line), &is_final));
	g_assert_false(is_final);
	for (size_t i = 0; i < strlen(line); i++)
		g_assert_true(frame_line_may_be_of_stacks(line, i));
	g_assert_false(frame_line_may_be_of_stacks("{\"type\":\"o", 10));
	g_assert_false(frame_line_is_of_stacks(late, strlen(late), &is_final));
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static const char program_source[] = "static inline __attribute__((always_inline)) int twice(volatile int *x)\n"
				     "{\n"
				     "	return *x + *x;\n"
				     "}\n"
				     "int main(int argc, char **argv)\n"
				     "{\n"
				     "	return twice(&argc);\n"
				     "}\n";

struct fixture {
	char *directory, *program, *build_id;
	uint64_t entry; /* of main() */
	unsigned int offset; /* in main() */
	struct translation translation;
	GPtrArray *translations;
};

static void set_up(struct fixture *fixture, gconstpointer data)
{
	fixture->directory = g_dir_make_tmp("spile-frames-XXXXXX", NULL);
	fixture->program = g_build_filename(fixture->directory, "program", NULL);
	fixture->translation = (struct translation){
		.arena = arena_new(),
		.kernel = {.release = "1.2.3-test"},
		.search = {.root = fixture->directory},
		.open_debuginfo = g_hash_table_new(g_str_hash, g_str_equal),
	};
	fixture->translations = g_ptr_array_new();
	g_ptr_array_add(fixture->translations, &fixture->translation);
	put_file(fixture->directory, "program.c", program_source);
	run(fixture->directory, "gcc -g -O2 -Wl,--build-id -o program program.c");
}

static void tear_down(struct fixture *fixture, gconstpointer data)
{
	run(fixture->directory, "rm -rf \"$PWD\"");
	g_free(fixture->directory);
	g_free(fixture->program);
	g_free(fixture->build_id);
	g_hash_table_unref(fixture->translation.open_debuginfo);
	g_ptr_array_unref(fixture->translations);
	arena_free(fixture->translation.arena);
}

static void read_program(struct fixture *fixture)
{
	g_autofree char *copy = g_build_filename(fixture->directory, "unstripped", NULL);
	struct elf_symbol symbol;
	int fd = open(g_file_test(copy, G_FILE_TEST_EXISTS) ? copy : fixture->program, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	g_assert_true(elf_find_symbol(elf, "main", &symbol));
	fixture->entry = symbol.value;
	fixture->build_id = elf_build_id(elf);
	elf_end(elf);
	close(fd);
}

static char *line_of_program(const struct fixture *fixture, const char *build_id)
{
	return g_strdup_printf(LINE("", "[{\"name\":\"main\",\"offset\":%u,\"kind\":\"program\",\"object\":\"%s\","
					"\"build_id\":\"%s\",\"link_address\":\"0x%" PRIx64 "\"}]"),
			       fixture->offset, fixture->program, build_id, fixture->entry + fixture->offset);
}

static char *complete_in_program(struct fixture *fixture, const char *build_id)
{
	struct frame_lookup *lookup = frame_lookup_new(fixture->translations);
	struct frame_source source = frame_lookup_source(lookup);
	struct frame_lines *lines = frame_lines_new(&source);
	g_autofree char *line = line_of_program(fixture, build_id);
	char *ret = complete(lines, line);

	frame_lines_free(lines);
	frame_lookup_free(lookup);
	return ret;
}

/* Find an address into which twice() is inlined. The compiler decides where that is. */
static char *complete_somewhere(struct fixture *fixture)
{
	char *got = NULL;

	for (fixture->offset = 1; fixture->offset < 40; fixture->offset++) {
		g_free(got);
		got = complete_in_program(fixture, fixture->build_id);
		if (strstr(got, "twice"))
			break;
	}
	return got;
}

static void assert_program_is_found(struct fixture *fixture)
{
	g_autofree char *got = complete_somewhere(fixture);
	g_autofree char *inner = g_strdup_printf("[{\"name\":\"twice\",\"kind\":\"program\",\"object\":\"%s\","
						 "\"inlined\":true,\"file\":\"%s/program.c\",\"line\":3},{\"name\":"
						 "\"main\",",
						 fixture->program, fixture->directory);

	g_assert_nonnull(strstr(got, inner));
	g_assert_nonnull(strstr(got, "/program.c\",\"line\":7,\"build_id\""));
}

static void test_program(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *other = NULL, *got = NULL;

	read_program(fixture);
	assert_program_is_found(fixture);
	other = g_strdup(fixture->build_id);
	other[0] = other[0] == '0' ? '1' : '0';
	got = complete_in_program(fixture, other);
	g_assert_cmpstr(got, ==, "");
}

/* The file is another build, but its debug symbols are on this machine. */
static void test_build_id(struct fixture *fixture, gconstpointer data)
{
	g_autofree char *command = NULL, *got = NULL;

	run(fixture->directory,
	    "cp program unstripped; echo 'int main() { return 1; }' >other.c; gcc -o program other.c");
	read_program(fixture);
	got = complete_in_program(fixture, fixture->build_id);
	g_assert_cmpstr(got, ==, "");
	command = g_strdup_printf("d=usr/lib/debug/.build-id/%.2s; mkdir -p $d; "
				  "objcopy --only-keep-debug unstripped $d/%s.debug",
				  fixture->build_id, fixture->build_id + 2);
	run(fixture->directory, command);
	assert_program_is_found(fixture);
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

/* A module with two functions same(), and functions a() and b() with unique names. */
static struct debuginfo *open_module(struct fixture *fixture)
{
	struct debuginfo *info;

	for (const char *name = "ab"; *name; name++) {
		g_autofree char *source = g_strdup_printf("static __attribute__((noinline)) int same(volatile int *x)\n"
							  "{\n"
							  "	return *x + '%c';\n"
							  "}\n"
							  "int %c(int x) { return same(&x) + 1; }\n",
							  *name, *name);
		g_autofree char *file = g_strdup_printf("%c.c", *name);

		put_file(fixture->directory, file, source);
	}
	run(fixture->directory, "gcc -g -O2 -ffreestanding -fno-pic -mcmodel=kernel -c a.c b.c && "
				"ld -r --build-id -o m.ko a.o b.o");
	g_free(fixture->program);
	fixture->program = g_build_filename(fixture->directory, "m.ko", NULL);
	must_succeed(
		debuginfo_open(&fixture->translation.kernel, &fixture->translation.search, fixture->program, &info));
	g_hash_table_insert(fixture->translation.open_debuginfo, "m", info);
	return info;
}

static uint64_t address_in(struct debuginfo *info, const char *name, guint number)
{
	g_autoptr(GArray) addresses = g_array_new(FALSE, FALSE, sizeof(struct address));

	must_succeed(debuginfo_symbol_addresses(info, name, addresses));
	g_assert_cmpuint(addresses->len, >, number);
	return g_array_index(addresses, struct address, number).value;
}

static void append_frame(GString *frames, const char *name, uint64_t run_time)
{
	g_string_append_printf(frames, "%s{\"name\":\"%s\",\"offset\":0,\"kind\":\"module\",\"object\":\"m\",",
			       frames->len ? "," : "", name);
	if (run_time)
		g_string_append_printf(frames, "\"address\":\"0x%" PRIx64 "\",", run_time);
	g_string_truncate(frames, frames->len - 1);
	g_string_append_c(frames, '}');
}

/* Complete frames, each of which is a stack. */
static char *complete_in_module(struct fixture *fixture, const GString *frames)
{
	struct frame_lookup *lookup = frame_lookup_new(fixture->translations);
	struct frame_source source = frame_lookup_source(lookup);
	struct frame_lines *lines = frame_lines_new(&source);
	g_auto(GStrv) each = g_strsplit(frames->str, ",{", -1);
	g_autofree char *stacks = g_strjoinv("],[{", each);
	g_autofree char *line = g_strdup_printf("{\"type\":\"global\",\"keys\":[\"stack\",\"stack\",\"stack\","
						"\"stack\"],\"elements\":[[[[%s]],1]]}",
						stacks);
	char *ret = complete(lines, line);

	frame_lines_free(lines);
	frame_lookup_free(lookup);
	return ret;
}

static guint occurrences(const char *text, const char *word)
{
	g_auto(GStrv) parts = g_strsplit(text, word, -1);

	return g_strv_length(parts) - 1;
}

/* Unique names tell where a section is, and so which function of an ambiguous name is at an address. */
static void test_module(struct fixture *fixture, gconstpointer data)
{
	const uint64_t base = 0xffffffffc0123000;
	struct debuginfo *info = open_module(fixture);
	g_autoptr(GString) frames = g_string_new(NULL);
	g_autofree char *got = NULL, *alone = NULL, *elsewhere = NULL, *contradicted = NULL;

	append_frame(frames, "same", base + address_in(info, "same", 0));
	append_frame(frames, "same", base + address_in(info, "same", 1));
	alone = complete_in_module(fixture, frames);
	g_assert_cmpstr(alone, ==, "");
	append_frame(frames, "b", base + address_in(info, "b", 0));
	got = complete_in_module(fixture, frames);
	g_assert_cmpuint(occurrences(got, "\"file\":\"a.c\""), ==, 1);
	g_assert_cmpuint(occurrences(got, "\"file\":\"b.c\""), ==, 2);

	/* A module that is another build has its functions elsewhere. */
	append_frame(frames, "a", base + address_in(info, "a", 0) + 16);
	contradicted = complete_in_module(fixture, frames);
	g_assert_cmpstr(contradicted, ==, "");

	/* In a text without addresses, only unique names are found. */
	g_string_truncate(frames, 0);
	append_frame(frames, "same", 0);
	append_frame(frames, "a", 0);
	elsewhere = complete_in_module(fixture, frames);
	g_assert_cmpuint(occurrences(elsewhere, "\"line\""), ==, 1);
	debuginfo_close(info);
}

/* ---- the filter -------------------------------------------------------------------------------------------------- */

enum trouble { NO_TROUBLE, KILLED, STOPPED };

/* Return the processes that this one has started. */
static pid_t only_child(void)
{
	g_autofree char *text = NULL;

	g_assert_true(g_file_get_contents("/proc/thread-self/children", &text, NULL, NULL));
	return (pid_t)atoi(text);
}

/* Return what comes out of the filter. */
static char *filtered(const struct fixture *fixture, const char *text, enum trouble trouble)
{
	g_autofree char *path = g_build_filename(fixture->directory, "output", NULL);
	int saved = dup(STDOUT_FILENO), file = open(path, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
	struct frames *frames;
	char *output = NULL;
	int status = 0;

	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	close(file);
	frames_begin(fixture->translations, &frames);
	g_assert_nonnull(frames);
	if (trouble)
		kill(only_child(), trouble == KILLED ? SIGKILL : SIGSTOP);
	fputs(text, stdout);
	must_succeed(frames_end(frames, false, &status));
	dup2(saved, STDOUT_FILENO);
	close(saved);
	g_assert_cmpint(status, ==, 0);
	g_assert_true(g_file_get_contents(path, &output, NULL, NULL));
	return output;
}

static void test_filter(struct fixture *fixture, gconstpointer data)
{
	enum trouble trouble = (enum trouble)GPOINTER_TO_INT(data);
	g_autofree char *line = NULL, *text = NULL, *got = NULL, *added = NULL;
	GString *long_line = g_string_new("{\"type\":\"output\",\"text\":\"");

	read_program(fixture);
	assert_program_is_found(fixture);
	for (guint i = 0; i < 400000; i++)
		g_string_append_c(long_line, (char)('a' + i % 26));
	line = line_of_program(fixture, fixture->build_id);
	text = g_strdup_printf("first\n%s\"}\n%s{\"type\":\"global\",\"name\":\"x\"}\n%s%s\nlast", long_line->str, line,
			       line, line);
	got = filtered(fixture, text, trouble);
	if (trouble == NO_TROUBLE) {
		g_auto(GStrv) before = g_strsplit(text, "\n", -1), after = g_strsplit(got, "\n", -1);

		g_assert_cmpuint(g_strv_length(before), ==, g_strv_length(after));
		for (guint i = 0; before[i]; i++) {
			if (strstr(before[i], "\"stacks\""))
				g_assert_nonnull(strstr(after[i], "\"name\":\"twice\""));
			else
				g_assert_cmpstr(before[i], ==, after[i]);
		}
	} else {
		g_assert_cmpstr(got, ==, text);
	}
	g_string_free(long_line, TRUE);
}

/* If the output cannot be written, that is an error, and writers are not blocked. */
static void test_full(struct fixture *fixture, gconstpointer data)
{
	int saved = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY | O_CLOEXEC), status = 0;
	_cleanup_error_ struct error *error = NULL;
	struct frames *frames;

	fflush(stdout);
	dup2(full, STDOUT_FILENO);
	close(full);
	frames_begin(fixture->translations, &frames);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < 10000; i++)
		if (puts("{\"type\":\"output\",\"text\":\"some text that has to go somewhere\"}") < 0)
			break;
	error = frames_end(frames, false, &status);
	clearerr(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	g_assert_nonnull(error);
	g_assert_nonnull(strstr(error->message, g_strerror(ENOSPC)));
}

int main(int count, char **arguments)
{
	g_test_init(&count, &arguments, NULL);
	g_test_add_func("/frames/changes", test_changes);
	g_test_add_func("/frames/unchanged", test_unchanged);
	g_test_add_func("/frames/positions", test_positions);
	g_test_add_func("/frames/beginnings", test_beginnings);
	g_test_add("/frames/program", struct fixture, NULL, set_up, test_program, tear_down);
	g_test_add("/frames/build-id", struct fixture, NULL, set_up, test_build_id, tear_down);
	g_test_add("/frames/module", struct fixture, NULL, set_up, test_module, tear_down);
	g_test_add("/frames/filter", struct fixture, GINT_TO_POINTER(NO_TROUBLE), set_up, test_filter, tear_down);
	g_test_add("/frames/killed", struct fixture, GINT_TO_POINTER(KILLED), set_up, test_filter, tear_down);
	g_test_add("/frames/stopped", struct fixture, GINT_TO_POINTER(STOPPED), set_up, test_filter, tear_down);
	g_test_add("/frames/full", struct fixture, NULL, set_up, test_full, tear_down);
	return g_test_run();
}
