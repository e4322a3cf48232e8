// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fuzzers for passes 1 to 3: each script must end in C text or in a diagnostic.
 *
 *     grammar  scripts made from the grammar, mostly well typed, so that many reach the C text
 *     bytes    scripts of the test suite with changed bytes, removed, doubled or moved pieces, and inserted tokens
 *     cut      scripts of the test suite, cut after every token (each once)
 *     try      unchanged scripts (each once)
 *
 * Sanitizers find crashes (configure --enable-sanitizers). These are failures, too: a pass that fails without a
 * diagnostic, a script whose printed form does not parse or prints differently, a definition that find_definitions()
 * misses, empty C text, and too much CPU time for one script. The current script is in a file, so that it remains when
 * the program dies.
 *
 * The first two modes run for some seconds, or for a number of scripts. A number and a seed give the same scripts on
 * every machine.
 *
 * Each script is translated with the library of tapset/ in SPILE_DATADIR, or without it (--no-library), which is many
 * times faster.
 *
 * With --dlang, the scripts are programs in D.
 *
 * Usage: fuzz-translator MODE [--seconds N | --rounds N] [--seed N] [--no-library] [--kernel ROOT] [--input FILE]
 *                        [--dlang] SCRIPT...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "common/user_directories.h"
#include "common/base/paths.h"
#include "testsuite/fuzz/fuzz.h"
#include "testsuite/fuzz/seeds.h"
#include "testsuite/unit/definitions.h"
#include "translator/library.h"
#include "translator/dlang/dlang.h"
#include "translator/emit/emit.h"
#include "translator/lang/lexer.h"
#include "translator/sema/sema.h"

/* CPU seconds. In D, "*" alone is a description of all functions of the kernel. */
enum { LARGEST_INPUT = 1 << 20, SLOWEST = 30, SLOWEST_IN_D = 300 };

struct fuzzer {
	GPtrArray *seeds; /* of GString * */
	GPtrArray *library; /* of GString *: "name\0text" pairs, name first */
	struct target_kernel kernel;
	const char *root; /* that it was found in */
	bool kernel_known;
	GString *declarations; /* with --dlang: those that all programs in D share; else NULL */
	struct arena *arena; /* for data of all scripts */
	GHashTable *open_debuginfo, *type_files;
	char *input; /* the current script, in a mapped file */
	GRand *random;
	struct options options;
	unsigned long tried, accepted;
};

/* ---- one script -------------------------------------------------------------------------------------------------- */

static char *argument_list[] = {(char *)"5+5", (char *)"two words", (char *)"17", NULL};

static void set_limits(struct script_limits *limits)
{
	*limits = (struct script_limits){
		.max_string_length = 512,
		.max_map_entries = 2048,
		.max_action = 1000,
		.max_action_interruptible = 10000,
		.max_nesting = 10,
		.max_skipped = 100,
		.max_trylock = 1000,
		.trylock_delay = 10,
	};
}

/* Do not run the compiler for damaged scripts. */
static struct error *compile_nothing(const struct translation *t, const char *headers, bool for_kernel,
				     const char *directory, char **path)
{
	return error_new(ERROR_UNSUPPORTED, "header files are not compiled here: %s", headers);
}

static void begin(struct fuzzer *f, struct translation *t)
{
	struct arena *arena = arena_new();

	memset(t, 0, sizeof(*t));
	t->arena = arena;
	t->diagnostics = diagnostics_new(arena);
	diagnostics_configure(t->diagnostics, false, false, g_rand_boolean(f->random));
	t->options = &f->options;
	set_limits(&t->limits);
	t->kernel = f->kernel;
	t->module_name = "fuzz";
	f->options.unoptimized = g_rand_int_range(f->random, 0, 4) == 0;
	f->options.keep_going = g_rand_int_range(f->random, 0, 4) == 0;
	f->options.timing = g_rand_int_range(f->random, 0, 4) == 0;
	f->options.skip_bad_variables = g_rand_int_range(f->random, 0, 4) == 0;
	t->compile_headers = compile_nothing;
	t->type_files = f->type_files;
	t->open_debuginfo = f->open_debuginfo;
	t->cache_directory = f->kernel_known ? translation_cache_directory() : NULL;
	t->search = (struct debuginfo_search){.root = f->root ?: "", .cache_directory = t->cache_directory};
	t->scripts = arena_ptr_array(arena);
	t->library = arena_ptr_array(arena);
	t->library_files = arena_ptr_array(arena);
	t->language = (struct language_context){
		.arena = arena,
		.diagnostics = t->diagnostics,
		.kernel_release = f->kernel.release,
		.architecture = "x86_64",
		.systemtap_version = "5.5",
		.privilege = g_rand_int_range(f->random, 0, 8) ? "stapdev" : "stapusr",
		.runtime = "kernel",
		.guru_mode = true,
		.kernel_config = g_hash_table_new(g_str_hash, g_str_equal),
		.argument_count = 3,
		.arguments = argument_list,
		.argument_used = arena_alloc(arena, 3 * sizeof(bool)),
		.library_macros = g_hash_table_new(g_str_hash, g_str_equal),
	};
	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, t->language.kernel_config);
	arena_defer(arena, (GDestroyNotify)g_hash_table_unref, t->language.library_macros);
}

static void fail(const char *what)
{
	fprintf(stderr, "FAILED: %s\n", what);
	abort();
}

static struct source_file *source(struct arena *arena, const char *name, const char *text, size_t length)
{
	struct source_file *file = arena_new0(arena, struct source_file);

	file->name = name;
	file->text = arena_strndup(arena, text, length);
	file->length = length;
	file->privileged = true;
	return file;
}

/* Add the tapset: macros first, as in the driver, and those that name the programs with our marks. */
static void parse_tapset(struct fuzzer *f, struct translation *t)
{
	static const char programs[] = "@define __stap_program %( \"/bin/true\" %)\n"
				       "@define __staprun_program %( \"/bin/true\" %)\n";

	parse_macro_library(&t->language, source(t->arena, "<programs>", programs, strlen(programs)));
	for (int macros = 1; macros >= 0; macros--) {
		for (guint i = 0; i + 1 < f->library->len; i += 2) {
			const GString *name = g_ptr_array_index(f->library, i);
			const GString *text = g_ptr_array_index(f->library, i + 1);
			struct library_file *file;

			if (g_str_has_suffix(name->str, ".stpm") != macros)
				continue;
			file = arena_new0(t->arena, struct library_file);
			file->path = name->str;
			file->is_installed = true;
			file->source = source(t->arena, name->str, text->str, text->len);
			file->source->is_tapset = true;
			/* Only the library may name its private functions, which D needs. */
			file->source->is_library = f->declarations != NULL;
			if (macros)
				parse_macro_library(&t->language, file->source);
			else
				g_ptr_array_add(t->library_files, file);
		}
	}
	if (parse_library(t))
		fail("the library was not read");
}

static char *printed(const struct script *script, size_t *length)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, length);

	print_script(out, script);
	fclose(out);
	return text;
}

/* Check that the printed script parses and prints the same text again. */
static void check_printing(struct translation *t, const struct script *script)
{
	size_t length, again_length;
	g_autofree char *again = NULL;
	char *text = printed(script, &length);
	const struct script *second = parse_script(&t->language, source(t->arena, "printed", text, length));

	if (!second)
		fail("what was printed does not parse");
	again = printed(second, &again_length);
	if (length != again_length || memcmp(text, again, length))
		fail("what was printed is not printed the same again");
	free(text);
}

static void check_definitions(const struct script *script)
{
	bool is_clear;

	if (missed_definition(script, &is_clear))
		fail("a definition is not among those that were found without parsing");
}

/* Format the messages, and discard them. */
static void flush_diagnostics(struct translation *t)
{
	FILE *real = stderr;
	char *text = NULL;
	size_t length;

	stderr = open_memstream(&text, &length);
	diagnostics_flush(t->diagnostics);
	fclose(stderr);
	stderr = real;
	free(text);
}

/* Run passes 2 and 3. */
static void translate(struct fuzzer *f, struct translation *t)
{
	FILE *nowhere;

	if (!analyze(t)) {
		if (!diagnostics_errors(t->diagnostics))
			fail("pass 2 failed without a word");
		return;
	}
	if (diagnostics_errors(t->diagnostics))
		fail("pass 2 went well, but said that it did not");
	nowhere = fopen("/dev/null", "w");
	print_analysis(t, nowhere);
	fclose(nowhere);
	emit_module(t);
	if (!t->c_text || !strstr(t->c_text, "stp_script"))
		fail("pass 3 made nothing");
	f->accepted++;
}

/* Limit the CPU seconds of a script, which depend less on other load than wall time; 0: no limit. */
static void limit_time(int seconds)
{
	struct itimerval limit = {.it_value = {.tv_sec = seconds}};

	setitimer(ITIMER_PROF, &limit, NULL);
}

static void try_stap_script(struct fuzzer *f, struct translation *t, const char *text, size_t length)
{
	struct script *script = parse_script(&t->language, source(t->arena, "<input>", text, length));

	if (!script && !diagnostics_errors(t->diagnostics))
		fail("pass 1 failed without a word");
	if (!script || diagnostics_errors(t->diagnostics))
		return;
	check_printing(t, script);
	check_definitions(script);
	script->privileged = true;
	g_ptr_array_add(t->scripts, script);
	translate(f, t);
}

/* setopt() of a program in D: allow all options. */
static const char *set_any_option(struct translation *t, struct d_options *options, const char *name, const char *value)
{
	return NULL;
}

static void try_dlang_program(struct fuzzer *f, struct translation *t, const char *text, size_t length)
{
	const struct d_options options = {.destructive = true,
					  .quiet = g_rand_boolean(f->random),
					  .flow_indent = g_rand_boolean(f->random),
					  .allow_zero = g_rand_boolean(f->random),
					  .string_size = g_rand_int_range(f->random, 0, 64),
					  .cpu = -1,
					  .stack_frames = 20,
					  .user_stack_frames = 20,
					  .speculations = 1,
					  .scratch_size = 256};
	const struct d_macros macros = {
		.script_name = "fuzz.d", .target = 1, .argument_count = 3, .arguments = argument_list};
	struct d_program *program = d_program_new(t->arena);
	struct source_file *file = source(t->arena, "<input>", text, length);

	t->user_sources = arena_ptr_array(t->arena);
	g_ptr_array_add(t->user_sources, file);
	if (!dlang_parse(&t->language, source(t->arena, "dlang.d", f->declarations->str, f->declarations->len), &macros,
			 D_PROBE_NAME, program))
		fail("the declarations of dlang.d were not parsed");
	if (!dlang_parse(&t->language, file, &macros, g_rand_int_range(f->random, 0, 8) ? D_PROBE_NAME : D_FUNCTION,
			 program) &&
	    !diagnostics_errors(t->diagnostics))
		fail("pass 1 failed without a word");
	if (diagnostics_errors(t->diagnostics))
		return;
	dlang_begin(t, program, &options, set_any_option);
	translate(f, t);
}

static void try_script(struct fuzzer *f, const char *text, size_t length)
{
	struct translation t;

	length = MIN(length, (size_t)LARGEST_INPUT - 1);
	memcpy(f->input, text, length);
	memset(f->input + length, 0, LARGEST_INPUT - length);
	/* The first script may have to make the kernel's index. */
	limit_time(!f->tried ? 0 : f->declarations ? SLOWEST_IN_D : SLOWEST);
	begin(f, &t);
	parse_tapset(f, &t);
	(f->declarations ? try_dlang_program : try_stap_script)(f, &t, text, length);
	flush_diagnostics(&t);
	arena_free(t.arena);
	limit_time(0);
	f->tried++;
}

/* ---- modes ------------------------------------------------------------------------------------------------------- */

static void run_grammar(struct fuzzer *f)
{
	g_autoptr(GString) text = g_string_new(NULL);

	fuzz_grammar(f->random, text, f->kernel_known);
	try_script(f, text->str, text->len);
}

static void run_bytes(struct fuzzer *f)
{
	g_autoptr(GString) text = g_string_new(NULL);

	fuzz_bytes(f->random, f->seeds, f->declarations != NULL, text);
	try_script(f, text->str, text->len);
}

static void cut_script(struct fuzzer *f, const GString *script)
{
	struct arena *arena = arena_new();
	struct language_context context = {.arena = arena, .diagnostics = diagnostics_new(arena)};
	struct source_file *file = source(arena, "<input>", script->str, script->len);
	g_autoptr(GArray) tokens = g_array_new(FALSE, FALSE, sizeof(struct token));
	struct location end;

	lex_source(&context, file, NULL, tokens, &end);
	for (guint i = 0; i < tokens->len; i++) {
		const struct token *token = &g_array_index(tokens, struct token, i);

		/* Cut before it, so that a token, a blank or a comment is last. */
		try_script(f, file->text, token->source - file->text);
	}
	arena_free(arena);
}

static void run_cuts(struct fuzzer *f)
{
	for (guint i = 0; i < f->seeds->len; i++)
		cut_script(f, g_ptr_array_index(f->seeds, i));
}

struct extent {
	int seconds;
	int rounds; /* 0: the seconds are the limit */
};

static void run_for(struct fuzzer *f, void (*once)(struct fuzzer *), const struct extent *extent)
{
	gint64 end = g_get_monotonic_time() + (gint64)extent->seconds * G_USEC_PER_SEC;

	for (int i = 0; extent->rounds ? i < extent->rounds : g_get_monotonic_time() < end; i++)
		once(f);
}

/* ---- set-up ------------------------------------------------------------------------------------------------------ */

static void read_library(struct fuzzer *f)
{
	g_autofree char *directory = g_build_filename(data_directory(), "tapset", NULL);
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		if (!g_str_has_suffix(name, ".stp") && !g_str_has_suffix(name, ".stpm"))
			continue;
		g_ptr_array_add(f->library, g_string_new(path));
		fuzz_read_seed(f->library, path);
	}
	if (f->library->len)
		return;
	fprintf(stderr,
		"there is no library in %s: set SPILE_DATADIR to the directory that has tapset/, or say --no-library\n",
		directory);
	exit(2);
}

/* Read the declarations that all programs in D share. */
static void read_declarations(struct fuzzer *f)
{
	g_autofree char *path = g_build_filename(data_directory(), "tapset", "dlang.d", NULL);
	g_autoptr(GPtrArray) list = g_ptr_array_new();

	fuzz_read_seed(list, path);
	f->declarations = g_ptr_array_index(list, 0);
}

static void find_kernel(struct fuzzer *f, const char *root)
{
	const char *roots[] = {root, NULL};
	g_autofree char *release = g_path_get_basename(root);
	struct error *error = kernel_find(f->arena, release, roots, &f->kernel, &f->root);

	if (error) {
		error_report(error);
		exit(2);
	}
	f->kernel_known = true;
}

static char *map_input(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	char *mapped;

	if (fd < 0 || ftruncate(fd, LARGEST_INPUT)) {
		perror(path);
		exit(2);
	}
	mapped = mmap(NULL, LARGEST_INPUT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (mapped == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	return mapped;
}

static const char first_program[] = "BEGIN { trace(1); } fbt::vfs_read:entry { trace(args[0]); }";
static const char first_script[] = "probe begin {} probe kernel.function(\"vfs_read\")? { println($count) }";

int main(int argc, char **argv)
{
	struct fuzzer f = {
		.seeds = g_ptr_array_new(),
		.library = g_ptr_array_new(),
		.arena = arena_new(),
		.kernel = {.release = "6.1.0-56-cloud-amd64"},
		.open_debuginfo = g_hash_table_new(g_str_hash, g_str_equal),
		.type_files = g_hash_table_new(g_str_hash, g_str_equal),
	};
	struct extent extent = {.seconds = 10};
	int seed = (int)time(NULL);
	bool library = true;
	const char *input = "/tmp/fuzz-input.stp", *mode = argc > 1 ? argv[1] : "";

	kernel_set_architecture(&f.kernel, architecture_by_name("x86_64"));

	for (int i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
			extent.seconds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
			extent.rounds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--dlang"))
			read_declarations(&f);
		else if (!strcmp(argv[i], "--no-library"))
			library = false;
		else if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
			find_kernel(&f, argv[++i]);
		else if (!strcmp(argv[i], "--input") && i + 1 < argc)
			input = argv[++i];
		else
			fuzz_read_seed(f.seeds, argv[i]);
	}
	f.random = g_rand_new_with_seed(seed);
	f.input = map_input(input);
	if (library)
		read_library(&f);
	fprintf(stderr, "seed %d\n", seed);
	if (f.declarations)
		try_script(&f, first_program, strlen(first_program));
	else
		try_script(&f, first_script, strlen(first_script));
	if (!strcmp(mode, "grammar"))
		run_for(&f, run_grammar, &extent);
	else if (!strcmp(mode, "bytes") && f.seeds->len)
		run_for(&f, run_bytes, &extent);
	else if (!strcmp(mode, "cut"))
		run_cuts(&f);
	else if (!strcmp(mode, "try"))
		for (guint i = 0; i < f.seeds->len; i++)
			try_script(&f, ((GString *)g_ptr_array_index(f.seeds, i))->str,
				   ((GString *)g_ptr_array_index(f.seeds, i))->len);
	else
		return 2;
	unlink(input);
	printf("%lu scripts, %lu of them accepted\n", f.tried, f.accepted);
	return 0;
}
