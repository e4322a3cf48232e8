// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged and hostile debuginfo: reading any bytes must end in answers or in an error.
 *
 * Usage: fuzz-debuginfo SECONDS [SEED]
 *
 * The fuzzer compiles a small kernel and adds BTF and kallsyms tables. Each round damages its file, a digest of it, an
 * index of it, or a boot image that contains it, and then queries everything: all functions, variables, lines, types,
 * tracepoints. Rounds run in children, a few dozen in each. If a child dies or takes too long, its rounds are run one
 * by one, and the file at fault is kept. Run it under AddressSanitizer: `make fuzz-debuginfo FUZZ_SECONDS=600`.
 */
#include <bpf/btf.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "testsuite/fuzz/damage.h"
#include "translator/debuginfo/digest/digest.h"
#include "translator/debuginfo/digest/format.h"

#define RELEASE "1.2.3-fuzz"
#define ROUNDS_OF_CHILD 40
#define ROUND_SECONDS 20

static const char source[] =
	"struct inner { int a : 3, b : 9; long c; };\n"
	"enum colour { RED, GREEN = 7 };\n"
	"typedef unsigned long size_type;\n"
	"union both { int number; char text[4]; };\n"
	"struct sample { struct sample *next; struct inner inner[2][3]; enum colour colour; union both both;\n"
	"	struct { short x, y; }; const char *name; void (*call)(struct sample *, int); size_type size; };\n"
	"int level = 3; static long counter; struct sample the_sample;\n"
	"static inline __attribute__((always_inline)) int helper(struct sample *s, int n) { int twice = n * 2;\n"
	"	return s->inner[0][1].a + twice; }\n"
	"__attribute__((noinline)) int use(struct sample *s, int n) { volatile int kept = n; return s ? kept : 0; }\n"
	"long first(struct sample *s, const char *name, unsigned flags, long a, long b, long c, long d)\n"
	"{ long sum = 0; for (unsigned i = 0; i < flags; i++) { int step = helper(s, i); sum += use(s, step); if (step "
	"> 9)\n"
	"	goto out; } counter += d;\n"
	"out: return sum + name[0]; }\n"
	"struct pair { long x, y; }; struct pair give(struct pair p) { return p; }\n"
	"double real(float f) { return f; }\n"
	"int __traceiter_event(void *__data, struct sample *s, int n) { return use(s, n) + level; }\n"
	"int __tracepoint_event;\n"
	"void __fentry__(void) {}\n";

/* A program with a mark and linkage table entries. */
static const char program_source[] =
	"#include <stdlib.h>\n"
	"unsigned short counter __attribute__((section(\".probes\"))); struct list { struct list *next; int n; } "
	"list;\n"
	"static __attribute__((noinline)) int walk(struct list *l) { return l ? l->n + walk(l->next) : 0; }\n"
	"int choose(int n) { switch (n) { case 0: return 7; case 1: return abs(n); case 2: return walk(&list);\n"
	"	case 3: return atoi(\"3\"); case 4: return 9; case 5: return -n; default: return atoi(\"1\"); } }\n"
	"int main(int argc, char **argv) { __asm__ volatile(\"990: nop; .pushsection "
	".note.stapsdt,\\\"?\\\",\\\"note\\\";\"\n"
	"	\".balign 4; .4byte 992f-991f, 994f-993f, 3; 991: .asciz \\\"stapsdt\\\"; 992: .balign 4;\"\n"
	"	\"993: .8byte 990b, 0, counter; .asciz \\\"own\\\"; .asciz \\\"mark\\\";\"\n"
	"	\".asciz \\\"-4@%0 8@8(%%rsp,%%rax,4) 1@list+4(%%rip) -4@$-3 8@%%fs:8\\\"; 994: .balign 4; "
	".popsection\"\n"
	"	: : \"r\"(argc)); return choose(argc) + (getenv(\"A\") != argv[0]); }\n";

/* A file to damage, and its place in the root. */
struct seed {
	const char *name;
	char *path;
	char *bytes;
	gsize size;
	const char *sources; /* for SPILE_DEBUGINFO_SOURCES */
};

struct fuzz {
	char *root, *cache;
	struct target_kernel kernel;
	GPtrArray *seeds;
	GRand *random;
};

static void must(struct error *error)
{
	if (error)
		g_error("%s", error->message);
}

static void run(const char *directory, const char *format, ...)
{
	g_autofree char *text = NULL, *command = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	command = g_strdup_printf("cd '%s' && %s", directory, text);
	if (system(command) != 0)
		g_error("failed: %s", command);
}

/* ---- seeds ------------------------------------------------------------------------------------------------------- */

static char *make_btf(gsize *size)
{
	struct btf *btf = btf__new_empty();
	const void *bytes;
	__u32 length;
	int integer = btf__add_int(btf, "int", 4, BTF_INT_SIGNED), sample, pointer, prototype, array;

	btf__add_typedef(btf, "number", integer);
	array = btf__add_array(btf, integer, integer, 3);
	sample = btf__add_struct(btf, "sample", 32);
	btf__add_field(btf, "value", integer, 0, 0);
	btf__add_field(btf, "few", integer, 32, 5);
	btf__add_field(btf, "array", array, 64, 0);
	pointer = btf__add_ptr(btf, btf__add_const(btf, sample));
	btf__add_enum(btf, "colour", 4);
	btf__add_enum_value(btf, "RED", 1);
	btf__add_fwd(btf, "hidden", BTF_FWD_STRUCT);
	prototype = btf__add_func_proto(btf, integer);
	btf__add_func_param(btf, "s", pointer);
	btf__add_func_param(btf, "n", integer);
	btf__add_func(btf, "use", BTF_FUNC_GLOBAL, prototype);
	btf__add_func(btf, "first", BTF_FUNC_GLOBAL, prototype);
	btf__add_func(btf, "__traceiter_event", BTF_FUNC_GLOBAL, prototype);
	btf__add_var(btf, "level", BTF_VAR_GLOBAL_ALLOCATED, integer);
	bytes = btf__raw_data(btf, &length);
	*size = length;
	return g_memdup2(bytes, length);
}

static void append_number(GByteArray *bytes, uint64_t number, guint size)
{
	g_byte_array_append(bytes, (const guint8 *)&number, size);
}

static void align(GByteArray *bytes)
{
	while (bytes->len % 8)
		append_number(bytes, 0, 1);
}

/* Write the tables like scripts/kallsyms.c of Linux 6.4 and later, with one token per letter. */
static GByteArray *make_kallsyms(void)
{
	enum { COUNT = 1300 };
	GByteArray *bytes = g_byte_array_new();
	g_autoptr(GArray) markers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	uint16_t offsets[256];
	guint names, tokens;

	append_number(bytes, COUNT, 8);
	names = bytes->len;
	for (guint i = 0; i < COUNT; i++) {
		g_autofree char *name = g_strdup_printf("Tfunction_%u", i);
		uint32_t offset = bytes->len - names;

		if (i % 256 == 0)
			g_array_append_val(markers, offset);
		append_number(bytes, strlen(name), 1);
		g_byte_array_append(bytes, (const guint8 *)name, (guint)strlen(name));
	}
	align(bytes);
	g_byte_array_append(bytes, (const guint8 *)markers->data, markers->len * 4);
	align(bytes);
	tokens = bytes->len;
	for (guint i = 0; i < 256; i++) {
		offsets[i] = (uint16_t)(bytes->len - tokens);
		if (i)
			append_number(bytes, i, 1);
		append_number(bytes, 0, 1);
	}
	align(bytes);
	g_byte_array_append(bytes, (const guint8 *)offsets, sizeof(offsets));
	align(bytes);
	for (guint i = 0; i < COUNT; i++)
		append_number(bytes, i * 16, 4);
	align(bytes);
	append_number(bytes, 0xffffffff81000000u, 8);
	return bytes;
}

static void put(const char *directory, const char *name, const void *bytes, gsize size)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);

	if (!g_file_set_contents(path, bytes, (gssize)size, NULL))
		g_error("cannot write %s", path);
}

/* Make header and payload of a bzImage. */
static void make_image(struct fuzz *fuzz, const char *directory)
{
	g_autofree char *elf = g_build_filename(directory, "bare", NULL), *bytes = NULL;
	g_autoptr(GByteArray) image = g_byte_array_new();
	gsize size, stored;
	size_t room;

	if (!g_file_get_contents(elf, &bytes, &size, NULL))
		g_error("no %s", elf);
	room = ZSTD_compressBound(size);
	g_byte_array_set_size(image, (guint)(1024 + room + 4));
	memset(image->data, 0, 1024);
	stored = ZSTD_compress(image->data + 1024, room, bytes, size, 3);
	memcpy(image->data + 1024 + stored, &(uint32_t){(uint32_t)size}, 4);
	image->data[0x1f1] = 1;
	memcpy(image->data + 0x202, "HdrS", 4);
	memcpy(image->data + 0x206, &(uint16_t){0x20f}, 2);
	memcpy(image->data + 0x248, &(uint32_t){0}, 4);
	memcpy(image->data + 0x24c, &(uint32_t){(uint32_t)stored + 4}, 4);
	put(fuzz->root, "boot/vmlinuz-" RELEASE, image->data, 1024 + stored + 4);
}

static void add_seed(struct fuzz *fuzz, const char *name, const char *sources, const char *path)
{
	struct seed *seed = g_new0(struct seed, 1);

	seed->name = name;
	seed->sources = sources;
	seed->path = g_build_filename(fuzz->root, path, NULL);
	if (!g_file_get_contents(seed->path, &seed->bytes, &seed->size, NULL))
		g_error("no %s", seed->path);
	g_ptr_array_add(fuzz->seeds, seed);
}

static void make_kernel(struct fuzz *fuzz)
{
	g_autofree char *work = g_build_filename(fuzz->root, "work", NULL), *btf = NULL;
	g_autoptr(GByteArray) kallsyms = make_kallsyms();
	gsize size;

	g_mkdir_with_parents(work, 0755);
	run(fuzz->root, "mkdir -p boot usr/lib/debug/boot lib/modules/" RELEASE " cache");
	put(work, "k.c", source, sizeof(source) - 1);
	btf = make_btf(&size);
	put(work, "btf", btf, size);
	put(work, "rodata", kallsyms->data, kallsyms->len);
	run(work, "gcc -g -O2 -fno-pic -nostdlib -ffreestanding -Wl,--build-id=sha1 -Wl,-e,first -o plain k.c");
	/* Put only the tables into .rodata, made from .comment, which has the right section type. */
	run(work, "objcopy --remove-section .rodata --rename-section .comment=.rodata --update-section .comment=rodata "
		  "--add-section .BTF=btf plain vmlinux 2>/dev/null");
	run(work, "objcopy --strip-all vmlinux bare 2>/dev/null");
	run(work, "cp vmlinux ../usr/lib/debug/boot/vmlinux-" RELEASE);
	put(work, "p.c", program_source, sizeof(program_source) - 1);
	run(work, "gcc -g -O2 -o program p.c && gcc -g -gsplit-dwarf -O2 -o split p.c && nm -P program | cut -d' ' -f1 "
		  ">keep");
	run(work, "gcc -gdwarf-4 -gsplit-dwarf -O2 -o packed p.c && dwp -e packed && rm packed-*.dwo");
	run(work, "objcopy -S --keep-symbols=keep program mini && xz mini && strip -o bare-program program &&"
		  "objcopy --add-section .gnu_debugdata=mini.xz bare-program");
	run(work, "gcc -g -O2 -ffreestanding -fdebug-types-section -c -o object.o k.c");
	run(work,
	    "objcopy --compress-debug-sections=zlib-gnu plain compressed && objcopy --compress-debug-sections plain "
	    "compressed.new 2>/dev/null");
}

static void make_seeds(struct fuzz *fuzz)
{
	g_autofree char *digest = g_build_filename(fuzz->root, "digest", NULL), *work = NULL, *index = NULL;
	g_autoptr(GPtrArray) modules = g_ptr_array_new();
	struct target_kernel kernel = {
		.release = RELEASE,
		.vmlinux = g_build_filename(fuzz->root, "usr/lib/debug/boot/vmlinux-" RELEASE, NULL),
		.image = g_build_filename(fuzz->root, "boot/vmlinuz-" RELEASE, NULL),
	};
	struct debuginfo_search search = {.root = fuzz->root, .cache_directory = fuzz->cache};
	g_autoptr(GDir) cache = NULL;

	make_kernel(fuzz);
	work = g_build_filename(fuzz->root, "work", NULL);
	make_image(fuzz, work);
	g_ptr_array_add(modules, "kernel");
	must(debuginfo_export(&kernel, &search, modules, digest));
	cache = g_dir_open(fuzz->cache, 0, NULL);
	index = g_strdup_printf("cache/%s", g_dir_read_name(cache));
	fuzz->kernel = kernel;
	add_seed(fuzz, "dwarf", "dwarf", "usr/lib/debug/boot/vmlinux-" RELEASE);
	add_seed(fuzz, "btf", "btf", "usr/lib/debug/boot/vmlinux-" RELEASE);
	add_seed(fuzz, "symbols", "symbols", "usr/lib/debug/boot/vmlinux-" RELEASE);
	add_seed(fuzz, "image", "btf,symbols", "boot/vmlinuz-" RELEASE);
	add_seed(fuzz, "digest", "digest", "digest");
	add_seed(fuzz, "index", "dwarf", index);
	add_seed(fuzz, "object", "dwarf", "work/object.o");
	add_seed(fuzz, "compressed", "dwarf", "work/compressed");
	add_seed(fuzz, "compressed", "dwarf", "work/compressed.new");
	add_seed(fuzz, "program", "dwarf", "work/program");
	add_seed(fuzz, "program", "dwarf", "work/bare-program");
	add_seed(fuzz, "part", "dwarf", "work/split-p.dwo");
	add_seed(fuzz, "package", "dwarf", "work/packed.dwp");
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

/* Correct the checksum, as an attacker would. Otherwise it would keep all damage from the readers. */
static void seal(const struct seed *seed, char *bytes, gsize size)
{
	struct index index = {.memory = bytes, .memory_size = size};
	struct digest_header header;

	if (!strcmp(seed->name, "index") && size > 1024 && size % 8 == 0)
		index_seal(&index);
	if (strcmp(seed->name, "digest") || size < sizeof(header))
		return;
	memcpy(&header, bytes, sizeof(header));
	header.size = size;
	if (header.members < size && header.sections < size &&
	    header.member_count < (size - header.members) / sizeof(struct digest_member) + 1 &&
	    header.section_count < (size - header.sections) / sizeof(struct digest_section) + 1)
		header.checksum = digest_table_sum(&header, bytes + header.members, bytes + header.sections);
	memcpy(bytes, &header, sizeof(header));
}

static void damage(const struct seed *seed, uint32_t round, char **bytes, gsize *size)
{
	GRand *random = g_rand_new_with_seed(round);
	int count = 1 << g_rand_int_range(random, 0, 7);

	*bytes = g_memdup2(seed->bytes, seed->size);
	*size = seed->size;
	while (count--)
		fuzz_damage(random, *bytes, size);
	if (g_rand_boolean(random))
		seal(seed, *bytes, *size);
	g_rand_free(random);
}

/* ---- all queries ------------------------------------------------------------------------------------------------- */

static void ask_type(struct type *type, int depth)
{
	const GPtrArray *members = NULL, *enumerators = NULL;

	if (!type || depth > 4)
		return;
	if (type->target)
		ask_type(type->target, depth + 1);
	error_free(debuginfo_members(type, &members));
	for_each_ptr(const struct member *, member, members)
		ask_type(member->type, depth + 1);
	error_free(debuginfo_enumerators(type, &enumerators));
	for_each_ptr(const struct enumerator *, enumerator, enumerators)
		if (strlen(enumerator->name) > 1000000)
			abort();
}

static void ask_variable(struct arena *arena, const struct variable *variable)
{
	if (strlen(variable->type->spelling) + strlen(debuginfo_location_text(arena, variable)) > 10000000)
		abort();
	ask_type(variable->type, 0);
}

static void ask_function(struct arena *arena, const struct function *function)
{
	g_autoptr(GPtrArray) variables = g_ptr_array_new(), other = g_ptr_array_new();
	const struct variable *result = NULL;
	struct frame frame, caller;

	for (uint64_t pc = function->entry.value; pc < function->entry.value + 200; pc += 40)
		error_free(debuginfo_variables(function, pc, true, true, variables));
	error_free(debuginfo_file_variables(function, variables));
	for_each_ptr(const struct variable *, variable, variables)
		ask_variable(arena, variable);
	error_free(debuginfo_return_value(function, &result));
	if (result)
		ask_variable(arena, result);
	error_free(debuginfo_labels(function, "*", other));
	error_free(debuginfo_callees(function, "*", other));
	debuginfo_probe_frame(function->debuginfo, &frame);
	for (uint64_t pc = function->entry.value; pc < function->entry.value + 200; pc += 25)
		error_free(debuginfo_caller_frame(function->debuginfo, (struct address){pc, function->entry.section},
						  &frame, &caller));
}

/* Queries that only programs have. */
static void ask_program(struct arena *arena, struct debuginfo *debuginfo, const GPtrArray *functions)
{
	g_autoptr(GPtrArray) marks = g_ptr_array_new(), other = g_ptr_array_new();
	uint64_t offset;

	error_free(debuginfo_marks(debuginfo, "*", "m*", marks));
	for_each_ptr(const struct mark *, mark, marks) {
		for_each_ptr(const struct variable *, variable, mark->arguments)
			ask_variable(arena, variable);
	}
	error_free(debuginfo_plt(debuginfo, "*", other));
	error_free(debuginfo_libraries(debuginfo, other));
	for (guint i = 0; i < functions->len && i < 100; i++) {
		const struct function *function = g_ptr_array_index(functions, i);
		bool is_leaf;

		error_free(debuginfo_exits(function, other, &is_leaf));
		debuginfo_file_offset(debuginfo, function->entry.value, &offset);
		debuginfo_probe_refusal(debuginfo, (struct address){function->entry.value + i, NULL});
	}
}

static void ask_lines(struct debuginfo *debuginfo)
{
	g_autoptr(GPtrArray) places = g_ptr_array_new();
	struct statement_query query = {.name = "*"};

	error_free(debuginfo_statements(debuginfo, &query, places));
	for (guint i = 0; i < places->len && i < 50; i++) {
		const struct statement_place *place = g_ptr_array_index(places, i);
		struct statement_place again;

		error_free(debuginfo_statement_at(debuginfo, place->address, &again));
		debuginfo_is_probeable(debuginfo, place->address);
	}
}

static void ask_names(struct arena *arena, struct debuginfo *debuginfo)
{
	static const char *const types[] = {"struct sample", "sample", "size_type", "unsigned long", "enum colour",
					    "union both **", "inner",  "nothing",   "int",	     "number"};
	static const char *const globals[] = {"level", "counter", "the_sample", "absent"};

	for (size_t i = 0; i < G_N_ELEMENTS(types); i++) {
		struct type *type = NULL;

		error_free(debuginfo_find_type(debuginfo, types[i], &type));
		ask_type(type, 0);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(globals); i++) {
		const struct variable *variable = NULL;

		error_free(debuginfo_find_global(debuginfo, globals[i], i % 2 ? "*.c" : NULL, &variable));
		if (variable)
			ask_variable(arena, variable);
	}
}

/* Export damaged debuginfo, too. */
static void ask_digest(struct fuzz *fuzz, const struct target_kernel *kernel)
{
	g_autofree char *path = g_build_filename(fuzz->root, "fuzzed-digest", NULL);
	struct debuginfo_search search = {.root = fuzz->root};
	g_autoptr(GPtrArray) modules = g_ptr_array_new();

	g_ptr_array_add(modules, "kernel");
	error_free(debuginfo_export(kernel, &search, modules, path));
}

static void ask_everything(struct fuzz *fuzz, const struct seed *seed)
{
	struct target_kernel kernel = fuzz->kernel;
	struct debuginfo_search search = {.root = fuzz->root};
	struct arena *arena = arena_new();
	g_autoptr(GPtrArray) functions = g_ptr_array_new(), tracepoints = g_ptr_array_new();
	struct function_query query = {.name = "*"};
	struct debuginfo *debuginfo = NULL;

	g_setenv("SPILE_DEBUGINFO_SOURCES", seed->sources, TRUE);
	if (!strcmp(seed->name, "image"))
		kernel.vmlinux = NULL;
	if (!strcmp(seed->name, "digest"))
		search.digest = seed->path;
	if (!strcmp(seed->name, "index"))
		search.cache_directory = fuzz->cache;
	if (!strcmp(seed->name, "object") || !strcmp(seed->name, "compressed"))
		error_free(debuginfo_open_types(&kernel, &search, seed->path, "program", MEMORY_USER, &debuginfo));
	else if (!strcmp(seed->name, "program"))
		error_free(debuginfo_open_object(&kernel, &search, seed->path, &debuginfo));
	else if (!strcmp(seed->name, "part") || !strcmp(seed->name, "package"))
		error_free(debuginfo_open_object(&kernel, &search,
						 arena_printf(arena, "%s/work/%s", fuzz->root,
							      seed->name[3] == 't' ? "split" : "packed"),
						 &debuginfo));
	else
		error_free(debuginfo_open(&kernel, &search, NULL, &debuginfo));
	if (!strcmp(seed->name, "dwarf"))
		ask_digest(fuzz, &kernel);
	if (debuginfo) {
		error_free(debuginfo_functions(debuginfo, &query, functions));
		for (guint i = 0; i < functions->len && i < 100; i++)
			ask_function(arena, g_ptr_array_index(functions, i));
		ask_lines(debuginfo);
		ask_names(arena, debuginfo);
		if (debuginfo_user_object(debuginfo))
			ask_program(arena, debuginfo, functions);
		error_free(debuginfo_tracepoints(debuginfo, "*", "*", tracepoints));
		debuginfo_close(debuginfo);
	}
	arena_free(arena);
}

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

static void run_round(struct fuzz *fuzz, uint32_t round)
{
	const struct seed *seed = g_ptr_array_index(fuzz->seeds, round % fuzz->seeds->len);
	g_autofree char *bytes = NULL;
	gsize size;

	alarm(ROUND_SECONDS);
	damage(seed, round, &bytes, &size);
	put("/", seed->path, bytes, size);
	ask_everything(fuzz, seed);
	put("/", seed->path, seed->bytes, seed->size);
}

/* Run rounds in a child; return 0 if all ended well. */
static int run_rounds(struct fuzz *fuzz, uint32_t first, uint32_t count)
{
	pid_t child = fork();
	int status;

	if (!child) {
		for (uint32_t i = 0; i < count; i++)
			run_round(fuzz, first + i);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		g_error("fork failed");
	for (guint i = 0; i < fuzz->seeds->len; i++) {
		const struct seed *seed = g_ptr_array_index(fuzz->seeds, i);

		if (status)
			put("/", seed->path, seed->bytes, seed->size);
	}
	return status;
}

/* Find the round that failed and keep its file. */
static void find_culprit(struct fuzz *fuzz, uint32_t first, uint32_t count)
{
	for (uint32_t round = first; round < first + count; round++) {
		const struct seed *seed = g_ptr_array_index(fuzz->seeds, round % fuzz->seeds->len);
		g_autofree char *bytes = NULL, *name = g_strdup_printf("fuzz-%s-%u", seed->name, round);
		gsize size;

		if (!run_rounds(fuzz, round, 1))
			continue;
		damage(seed, round, &bytes, &size);
		put(".", name, bytes, size);
		printf("round %u failed; its %s is in %s\n", round, seed->name, name);
		return;
	}
	printf("one of the rounds from %u on failed, but not again\n", first);
}

int main(int argc, char **argv)
{
	int seconds = argc > 1 ? atoi(argv[1]) : 10;
	uint32_t round = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 0) : g_random_int();
	struct fuzz fuzz = {.seeds = g_ptr_array_new()};
	gint64 end = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
	uint32_t first = round, failures = 0;

	fuzz.root = g_dir_make_tmp("spile-fuzz-XXXXXX", NULL);
	fuzz.cache = g_build_filename(fuzz.root, "cache", NULL);
	make_seeds(&fuzz);
	while (g_get_monotonic_time() < end && failures < 5) {
		fflush(stdout);
		if (run_rounds(&fuzz, round, ROUNDS_OF_CHILD)) {
			failures++;
			find_culprit(&fuzz, round, ROUNDS_OF_CHILD);
		}
		round += ROUNDS_OF_CHILD;
	}
	printf("%u rounds from seed %u, %u failures\n", round - first, first, failures);
	run("/", "rm -rf '%s'", fuzz.root);
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
