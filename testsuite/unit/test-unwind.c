// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of programs and libraries (translator/debuginfo/unwind, runtime/abi/object_table.h). At each place of a file
 * where libdw finds another rule, the table must give the same rule. A walk over this program's own stack with the
 * tables must give the same frames as the C library's backtrace().
 *
 *     test-unwind [FILE ...]
 *
 * Without arguments, the files are the C library, the dynamic linker and this program.
 */
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <execinfo.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <gnu/libc-version.h>
#include <glib/gstdio.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/abi/object_table.h"
#include "translator/debuginfo/unwind/unwind.h"

static GByteArray *table_of(const char *path)
{
	GByteArray *table = NULL;
	struct error *error = object_table_make(-1, path, false, &table);

	if (error)
		error_report(error);
	g_assert_null(error);
	g_assert_true(stp_object_is_sound(table->data, table->len));
	return table;
}

/* ---- against libdw ----------------------------------------------------------------------------------------------- */

/* Simulated memory: each word contains a value derived from its address. */
static int load_made_up(void *data, unsigned long address, unsigned int size, unsigned long *value)
{
	*value = address * 0x9e3779b97f4a7c15ul >> (64 - 8 * size);
	return 1;
}

/* Evaluate the operations that compilers and linkers use; return false for others. */
static bool evaluate(const Dwarf_Op *ops, size_t count, const struct stp_unwind_state *state, unsigned long cfa,
		     unsigned long *value)
{
	unsigned long stack[32] = {0};
	int top = 0;

	for (size_t i = 0; i < count; i++) {
		uint8_t atom = ops[i].atom;

		if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
			stack[++top] = state->registers[atom - DW_OP_breg0] + ops[i].number;
		else if (atom == DW_OP_bregx)
			stack[++top] = state->registers[ops[i].number] + ops[i].number2;
		else if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
			stack[++top] = atom - DW_OP_lit0;
		else if (atom == DW_OP_call_frame_cfa)
			stack[++top] = cfa;
		else if (atom == DW_OP_plus_uconst)
			stack[top] += ops[i].number;
		else if (atom == DW_OP_deref)
			load_made_up(NULL, stack[top], 8, &stack[top]);
		else if (atom == DW_OP_and || atom == DW_OP_plus || atom == DW_OP_shl || atom == DW_OP_ge) {
			unsigned long right = stack[top--], left = stack[top];

			stack[top] = atom == DW_OP_and	  ? left & right
				     : atom == DW_OP_plus ? left + right
				     : atom == DW_OP_shl  ? left << right
							  : (long)left >= (long)right;
		} else if (atom != DW_OP_stack_value) {
			return false;
		}
	}
	*value = stack[top];
	return top > 0;
}

static bool is_value(const Dwarf_Op *ops, size_t count)
{
	return count && ops[count - 1].atom == DW_OP_stack_value;
}

/* Compute the caller's register by libdw's rule. */
static void check_register(Dwarf_Frame *frame, int number, const struct stp_unwind_state *from, unsigned long cfa,
			   const struct stp_unwind_state *to, uint64_t address)
{
	Dwarf_Op memory[3], *ops;
	size_t count;
	unsigned long wanted;

	g_assert_cmpint(dwarf_frame_register(frame, number, memory, &ops, &count), ==, 0);
	if (!count && ops)
		return; /* undefined */
	if (!count) {
		wanted = number == 7 ? cfa : from->registers[number];
	} else {
		if (!evaluate(ops, count, from, cfa, &wanted))
			return;
		if (!is_value(ops, count))
			load_made_up(NULL, wanted, 8, &wanted);
	}
	if (to->registers[number] != wanted)
		g_error("register %d at 0x%lx: %lx, wanted %lx", number, (unsigned long)address, to->registers[number],
			wanted);
}

static unsigned int compare_rule(const struct stp_object_table *table, Dwarf_Frame *frame, uint64_t address)
{
	const struct stp_unwind_rule *rule = stp_find_rule(table, (unsigned int)(address - table->base));
	struct stp_unwind_state from = {.is_32bit = 0}, to;
	Dwarf_Op memory[3], *ops;
	bool is_outermost, is_signal;
	unsigned long cfa;
	size_t count;

	for (int i = 0; i < STP_UNWIND_REGISTERS; i++)
		from.registers[i] = 0x10000 * (i + 3);
	from.registers[16] = address;
	g_assert_cmpint(dwarf_frame_cfa(frame, &ops, &count), ==, 0);
	if (!count) {
		g_assert_cmpint(rule->frame, ==, STP_FRAME_UNKNOWN);
		return 0;
	}
	if (!evaluate(ops, count, &from, 0, &cfa))
		return 0;
	dwarf_frame_info(frame, NULL, NULL, &is_signal);
	g_assert_cmpint(!!(rule->flags & STP_UNWIND_SIGNAL), ==, is_signal);
	g_assert_cmpint(dwarf_frame_register(frame, 16, memory, &ops, &count), ==, 0);
	is_outermost = !count && ops;
	g_assert_cmpint(!!(rule->flags & STP_UNWIND_END), ==, is_outermost);
	to = from;
	g_assert_cmpint(stp_unwind_step(table, rule, &to, load_made_up, NULL), ==, !is_outermost);
	for (int i = 0; i < 17 && !is_outermost; i++)
		check_register(frame, i, &from, cfa, &to, address);
	return 1;
}

/* Compare each place of a function where libdw has another rule, and the byte before the next such place. */
static unsigned int compare_function(const struct stp_object_table *table, Dwarf_CFI *cfi, uint64_t low, uint64_t high)
{
	unsigned int compared = 0;
	uint64_t address = low;

	while (address < high) {
		Dwarf_Frame *frame = NULL;
		Dwarf_Addr start, end;

		if (dwarf_cfi_addrframe(cfi, address, &frame) || dwarf_frame_info(frame, &start, &end, NULL) < 0) {
			free(frame);
			break;
		}
		compared += compare_rule(table, frame, address);
		if (end - 1 > address && end <= high)
			compare_rule(table, frame, end - 1);
		free(frame);
		address = end > address ? end : high;
	}
	return compared;
}

/* libdw can only look frames up by address, so query it at the table's rows, including those of gaps. */
static void compare_file(const char *path)
{
	g_autoptr(GByteArray) bytes = table_of(path);
	const struct stp_object_table *table = (const struct stp_object_table *)bytes->data;
	const unsigned int *pages = (const unsigned int *)(bytes->data + table->pages);
	const struct stp_unwind_row *rows = (const struct stp_unwind_row *)(bytes->data + table->rows);
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	unsigned int compared = 0, unknown = 0;

	g_assert_nonnull(cfi);
	for (unsigned int page = 0; page < table->page_count; page++) {
		for (unsigned int i = pages[page]; i < pages[page + 1]; i++) {
			uint64_t low = table->base + ((uint64_t)page << STP_OBJECT_PAGE_SHIFT) + rows[i].low;
			uint64_t high = i + 1 < pages[page + 1] ? low - rows[i].low + rows[i + 1].low : low + 1;
			Dwarf_Frame *frame = NULL;

			if (rows[i].rule) {
				compared += compare_function(table, cfi, low, high);
				continue;
			}
			unknown += dwarf_cfi_addrframe(cfi, low, &frame) == 0;
			free(frame);
		}
	}
	g_test_message("%s: %u rules compared, %u gaps that libdw knows", path, compared, unknown);
	g_assert_cmpuint(compared, >, 0);
	g_assert_cmpuint(unknown, ==, 0);
	dwarf_cfi_end(cfi);
	elf_end(elf);
	close(fd);
}

static void test_files(gconstpointer data)
{
	for (char *const *path = data; *path; path++)
		compare_file(*path);
}

static int compare_object(struct dl_phdr_info *info, size_t size, void *data)
{
	if (*info->dlpi_name && g_file_test(info->dlpi_name, G_FILE_TEST_EXISTS))
		compare_file(info->dlpi_name);
	return 0;
}

static void test_own_objects(void)
{
	compare_file("/proc/self/exe");
	dl_iterate_phdr(compare_object, NULL);
}

/* ---- the own stack ----------------------------------------------------------------------------------------------- */

struct place {
	unsigned long address;
	const char *path;
	unsigned long bias;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *data)
{
	struct place *place = data;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD && place->address - info->dlpi_addr - header->p_vaddr < header->p_memsz) {
			place->path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
			place->bias = info->dlpi_addr;
			return 1;
		}
	}
	return 0;
}

static int load_own(void *data, unsigned long address, unsigned int size, unsigned long *value)
{
	*value = 0;
	memcpy(value, (const void *)address, size);
	return 1;
}

static GByteArray *kept_table(GHashTable *tables, const char *path)
{
	GByteArray *table = g_hash_table_lookup(tables, path);

	/* The vdso is not a file. */
	if (!table && g_file_test(path, G_FILE_TEST_EXISTS)) {
		table = table_of(path);
		g_hash_table_insert(tables, g_strdup(path), table);
	}
	return table;
}

#ifdef __aarch64__
enum { PROGRAM_COUNTER = 32 };
#else
enum { PROGRAM_COUNTER = 16 };
#endif

enum { MOST_FRAMES = 64 };

/* Signed return addresses on arm64 have a code above the bits of an address. */
static unsigned long without_authentication(unsigned long address)
{
	return address & ~(0xfful << 48);
}

static unsigned int walk(struct stp_unwind_state *state, void **addresses)
{
	g_autoptr(GHashTable) tables =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_byte_array_unref);
	unsigned int count = 0;
	bool is_exact = true;

	while (count < MOST_FRAMES) {
		struct place place = {.address = state->registers[PROGRAM_COUNTER] - !is_exact};
		const struct stp_unwind_rule *rule;
		GByteArray *bytes;

		addresses[count++] = (void *)state->registers[PROGRAM_COUNTER];
		if (!dl_iterate_phdr(find_object, &place) || !(bytes = kept_table(tables, place.path)))
			break;
		rule = stp_find_rule((const void *)bytes->data,
				     (unsigned int)(place.address - place.bias -
						    ((const struct stp_object_table *)bytes->data)->base));
		is_exact = rule->flags & STP_UNWIND_SIGNAL;
		if (!stp_unwind_step((const void *)bytes->data, rule, state, load_own, NULL))
			break;
		state->registers[PROGRAM_COUNTER] = without_authentication(
			state->registers[((const struct stp_object_table *)bytes->data)->return_register]);
	}
	return count;
}

static struct stp_unwind_state state_of(const ucontext_t *context)
{
#ifdef __aarch64__
	struct stp_unwind_state state = {.is_32bit = 0};

	for (size_t i = 0; i < G_N_ELEMENTS(context->uc_mcontext.regs); i++)
		state.registers[i] = context->uc_mcontext.regs[i];
	state.registers[31] = context->uc_mcontext.sp;
	state.registers[PROGRAM_COUNTER] = context->uc_mcontext.pc;
#else
	static const int order[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
				    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	struct stp_unwind_state state = {.is_32bit = 0};

	for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
		state.registers[i] = (unsigned long)context->uc_mcontext.gregs[order[i]];
#endif
	return state;
}

/* AddressSanitizer wraps backtrace(), and its own frame is in the result. */
#ifdef __SANITIZE_ADDRESS__
enum { INNER_FRAMES = 1 };
#else
enum { INNER_FRAMES = 0 };
#endif

static void compare_stacks(void)
{
	void *ours[MOST_FRAMES], *all[MOST_FRAMES], **wanted = all + INNER_FRAMES;
	struct stp_unwind_state state;
	unsigned int our_count, wanted_count = (unsigned int)backtrace(all, MOST_FRAMES) - INNER_FRAMES;
	ucontext_t context;

	getcontext(&context);
	state = state_of(&context);
	our_count = walk(&state, ours);
	g_assert_cmpuint(our_count, ==, wanted_count);
	/* The innermost frames are two places in this function. */
	for (unsigned int i = 1; i < wanted_count; i++)
		g_assert_cmphex((unsigned long)ours[i], ==, (unsigned long)wanted[i]);
}

static int stacks_compared;

static int compare_while_sorting(const void *a, const void *b)
{
	if (!stacks_compared++)
		compare_stacks();
	return *(const int *)a - *(const int *)b;
}

static void test_library(void)
{
	int numbers[] = {3, 1, 2};

	compare_stacks();
	stacks_compared = 0;
	qsort(numbers, G_N_ELEMENTS(numbers), sizeof(numbers[0]), compare_while_sorting);
	g_assert_cmpint(stacks_compared, >, 0);
}

static void in_signal(int number)
{
	stacks_compared++;
	compare_stacks();
}

static void test_signal(void)
{
	stacks_compared = 0;
	signal(SIGUSR1, in_signal);
	raise(SIGUSR1);
	g_assert_cmpint(stacks_compared, ==, 1);
}

/* ---- symbols, and invalid tables --------------------------------------------------------------------------------- */

static void test_symbols(void)
{
	g_autoptr(GByteArray) bytes = table_of("/proc/self/exe");
	const struct stp_object_table *table = (const void *)bytes->data;
	struct place place = {.address = (unsigned long)compare_stacks + 3};
	const struct stp_object_symbol *symbol;

	g_assert_true(dl_iterate_phdr(find_object, &place));
	symbol = stp_find_symbol(table, (unsigned int)(place.address - place.bias - table->base));
	g_assert_nonnull(symbol);
	g_assert_cmpstr((const char *)bytes->data + table->names + symbol->name, ==, "compare_stacks");
	place.address = (unsigned long)&stacks_compared;
	symbol = stp_find_symbol(table, (unsigned int)(place.address - place.bias - table->base));
	g_assert_nonnull(symbol);
	g_assert_cmpstr((const char *)bytes->data + table->names + symbol->name, ==, "stacks_compared");
	g_assert_null(stp_find_symbol(table, table->extent + 1));
}

/* Run all look-ups in a table that may be damaged. */
static void use(const struct stp_object_table *table)
{
	struct stp_unwind_state state;

	for (unsigned int address = 0; address < table->extent && address < 1 << 22; address += 61) {
		memset(&state, 0, sizeof(state));
		stp_unwind_step(table, stp_find_rule(table, address), &state, load_made_up, NULL);
		stp_find_symbol(table, address);
	}
}

/* Under AddressSanitizer (suite sanitizers) this checks that no read is outside an accepted table. */
static void test_damage(void)
{
	g_autoptr(GByteArray) bytes = table_of("/proc/self/exe");
	g_autoptr(GRand) random = g_rand_new_with_seed(15);
	unsigned int refused = 0;

	for (int i = 0; i < 300; i++) {
		g_autofree guint8 *copy = g_memdup2(bytes->data, bytes->len);
		unsigned int end = i % 2 ? sizeof(struct stp_object_table) : bytes->len;

		copy[g_rand_int_range(random, 0, (int)end)] ^= (guint8)(1 << g_rand_int_range(random, 0, 8));
		if (stp_object_is_sound(copy, bytes->len))
			use((const void *)copy);
		else
			refused++;
	}
	g_assert_cmpuint(refused, >, 50);
	g_assert_false(stp_object_is_sound(bytes->data, bytes->len - 8));
}

/*
 * Tables that are within their bounds, but would keep a handler busy: each is a sound table in which one thing is more
 * or longer than a handler should go through.
 */
struct excess {
	const char *what;
	void (*make)(struct stp_object_table *table, unsigned char *after);
};

static void many_segments(struct stp_object_table *table, unsigned char *after)
{
	table->segments = (unsigned int)(after - (unsigned char *)table);
	table->segment_count = STP_OBJECT_SEGMENTS + 1;
}

static void long_name(struct stp_object_table *table, unsigned char *after)
{
	memset(after, 'x', STP_OBJECT_NAME_SIZE);
	table->names = (unsigned int)(after - (unsigned char *)table);
	table->names_size = STP_OBJECT_NAME_SIZE + 1;
}

static void many_extras(struct stp_object_table *table, unsigned char *after)
{
	table->extras = (unsigned int)(after - (unsigned char *)table);
	table->extra_count = STP_UNWIND_REGISTERS + 1;
	((struct stp_unwind_rule *)((char *)table + table->rules))->extra = 0;
	((struct stp_unwind_rule *)((char *)table + table->rules))->extra_count = STP_UNWIND_REGISTERS + 1;
}

/* One block whose rows are @p stream bytes, and one file whose name is @p name bytes. */
static void put_lines(struct stp_object_table *table, unsigned char *after, unsigned int stream, unsigned int name)
{
	struct stp_lines *lines = (struct stp_lines *)after;
	struct stp_lines_block *block = (struct stp_lines_block *)(lines + 1);
	unsigned int *file = (unsigned int *)(block + 1);

	*lines = (struct stp_lines){.version = STP_LINES_VERSION, .block_count = 1, .file_count = 1};
	lines->sections = lines->blocks = sizeof(*lines);
	lines->files = lines->blocks + sizeof(*block);
	lines->stream = lines->files + sizeof(*file);
	lines->names = lines->stream + stream;
	lines->size = lines->names + name;
	*block = (struct stp_lines_block){.line = 1, .stream = lines->stream};
	*file = lines->names;
	memset(after + lines->names, 'x', name - 1);
	table->lines = (unsigned int)(after - (unsigned char *)table);
	table->lines_size = lines->size;
}

static void many_rows(struct stp_object_table *table, unsigned char *after)
{
	put_lines(table, after, (STP_LINES_ROWS - 1) * STP_LINES_ROW_SIZE + 1, 2);
}

static void long_file(struct stp_object_table *table, unsigned char *after)
{
	put_lines(table, after, 4, STP_LINES_NAME_SIZE + 1);
}

/* The same as many_rows() and long_file(), but just allowed. */
static void few_rows(struct stp_object_table *table, unsigned char *after)
{
	put_lines(table, after, (STP_LINES_ROWS - 1) * STP_LINES_ROW_SIZE, STP_LINES_NAME_SIZE);
}

static void test_excess(void)
{
	static const struct excess excesses[] = {
		{"segments", many_segments}, {"a name", long_name},	   {"extras", many_extras},
		{"rows", many_rows},	     {"a file's name", long_file}, {NULL, few_rows},
	};
	enum { SPACE = STP_OBJECT_NAME_SIZE + 4096 };
	g_autoptr(GByteArray) bytes = object_table_of_names("1000 10 name\n");

	for (unsigned int i = 0; i < G_N_ELEMENTS(excesses); i++) {
		unsigned int size = bytes->len + SPACE;
		g_autofree struct stp_object_table *table = g_malloc0(size);

		g_assert_cmpuint(bytes->len % 8, ==, 0);
		memcpy(table, bytes->data, bytes->len);
		table->size = size;
		g_assert_true(stp_object_is_sound(table, size));
		excesses[i].make(table, (unsigned char *)table + bytes->len);
		g_test_message("%s", excesses[i].what ?: "allowed");
		g_assert_cmpint(stp_object_is_sound(table, size), ==, !excesses[i].what);
	}
}

/* ---- code without call frame information ------------------------------------------------------------------------- */

/* If both locate the frame by the same register, the frame and saved registers must be at the same place. */
static bool says_the_same(const struct stp_unwind_rule *by_code, const struct stp_unwind_rule *told)
{
	unsigned int both = by_code->saved_slots & told->saved_slots;

	if (by_code->cfa_register == told->cfa_register && by_code->cfa != told->cfa)
		return false;
	for (unsigned int i = 0; i < STP_UNWIND_SLOTS; i++)
		if (both >> i & 1 && by_code->saved[i] != told->saved[i])
			return false;
	return true;
}

/*
 * The C library without its call frame information: rules from its code must equal that information. The library is
 * found by a function that no sanitizer replaces.
 */
static void test_code(void)
{
	g_autofree char *copy = g_strdup_printf("%s/test-unwind-%d.so", g_get_tmp_dir(), (int)getpid());
	g_autoptr(GByteArray) told = NULL, by_code = NULL;
	g_autofree char *command = NULL;
	const struct stp_object_table *tables[2];
	const struct stp_unwind_row *rows;
	const unsigned int *pages;
	unsigned int known = 0, wrong = 0, unknown = 0;
	Dl_info info;

	g_assert_true(dladdr((void *)(uintptr_t)gnu_get_libc_version, &info));
	command = g_strdup_printf("objcopy --remove-section .eh_frame --remove-section .eh_frame_hdr "
				  "--remove-section .note.gnu.build-id --remove-section .gnu_debuglink %s %s",
				  info.dli_fname, copy);
	g_assert_cmpint(system(command), ==, 0);
	told = table_of(info.dli_fname);
	by_code = table_of(copy);
	g_unlink(copy);
	tables[0] = (const void *)told->data;
	tables[1] = (const void *)by_code->data;
	g_assert_cmpuint(tables[0]->base, ==, tables[1]->base);
	pages = (const unsigned int *)(told->data + tables[0]->pages);
	rows = (const struct stp_unwind_row *)(told->data + tables[0]->rows);
	for (unsigned int page = 0; page < tables[0]->page_count; page++) {
		for (unsigned int i = pages[page]; i < pages[page + 1]; i++) {
			unsigned int address = page << STP_OBJECT_PAGE_SHIFT | rows[i].low;
			const struct stp_unwind_rule *right = stp_find_rule(tables[0], address);
			const struct stp_unwind_rule *ours = stp_find_rule(tables[1], address);

			if (right->frame != STP_FRAME_REGISTER)
				continue;
			unknown += ours->frame != STP_FRAME_REGISTER;
			known += ours->frame == STP_FRAME_REGISTER;
			if (ours->frame == STP_FRAME_REGISTER && !says_the_same(ours, right)) {
				wrong++;
				g_test_message("at 0x%x: %d from register %d, not %d from %d", address, ours->cfa,
					       ours->cfa_register, right->cfa, right->cfa_register);
			}
		}
	}
	g_test_message("%u places known, %u wrong, %u unknown", known, wrong, unknown);
	g_assert_cmpuint(wrong, ==, 0);
	g_assert_cmpuint(known, >, unknown);
}

/* ---- names of JIT code ------------------------------------------------------------------------------------------- */

/* Return the name of an address, or NULL. */
static const char *made_name(const GByteArray *bytes, unsigned long address)
{
	const struct stp_object_table *table = (const void *)bytes->data;
	const struct stp_object_symbol *symbol = address - table->base < table->extent
							 ? stp_find_symbol(table, (unsigned int)(address - table->base))
							 : NULL;

	return symbol ? (const char *)bytes->data + table->names + symbol->name : NULL;
}

static void test_names(void)
{
	/* A new line overrides the beginning, the middle, or all of an older one. */
	static const char text[] = "7f0000001000 100 a\n"
				   "7f0000001080 100 b c\n"
				   "7f0000001200 10 within\n"
				   "7f0000001200 100 d\n"
				   "7f0000001240 10 later\n"
				   "7f0000001240 8 latest\n"
				   "1 1 far below\nffff800000000000 8 far above\nffffffffffffffff 10 beyond\n"
				   "7f0000001400 ffffffffffffffff endless\n7f0000001400 0 nothing\n7f0000001400 8\n"
				   "no 8 number\n\n7f0000001500 8 \x1b[2J\n7f0000001600 8 last";
	static const struct {
		unsigned long address;
		const char *name;
	} wanted[] = {
		{0x1000, "a"},	{0x107f, "a"},	    {0x1080, "b c"},   {0x117f, "b c"}, {0x1180, NULL}, {0x1200, "d"},
		{0x123f, "d"},	{0x1240, "latest"}, {0x1248, "later"}, {0x1250, "d"},	{0x12ff, "d"},	{0x1300, NULL},
		{0x1400, NULL}, {0x1500, "?[2J"},   {0x1607, "last"},  {0x1608, NULL},
	};
	g_autoptr(GByteArray) bytes = object_table_of_names(text);

	g_assert_nonnull(bytes);
	g_assert_true(stp_object_is_sound(bytes->data, bytes->len));
	for (unsigned int i = 0; i < G_N_ELEMENTS(wanted); i++)
		g_assert_cmpstr(made_name(bytes, 0x7f0000000000 + wanted[i].address), ==, wanted[i].name);
	g_assert_null(object_table_of_names("nothing here\n"));
	g_assert_null(object_table_of_names(""));
}

/* Compare with the result of applying the lines one after the other. */
static void test_many_names(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(16);
	enum { SPACE = 4096, LINES = 600 };
	int at[SPACE];

	for (int round = 0; round < 20; round++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autoptr(GByteArray) bytes = NULL;

		memset(at, 0xff, sizeof(at));
		for (int line = 0; line < LINES; line++) {
			int address = g_rand_int_range(random, 0, SPACE - 1);
			int size = g_rand_int_range(random, 1, MIN(SPACE - address, 2 + round * 8));

			g_string_append_printf(text, "%x %x %d\n", 0x10000 + address, size, line);
			for (int i = address; i < address + size; i++)
				at[i] = line;
		}
		bytes = object_table_of_names(text->str);
		g_assert_true(stp_object_is_sound(bytes->data, bytes->len));
		for (int i = 0; i < SPACE; i++) {
			const char *name = made_name(bytes, 0x10000 + (unsigned long)i);

			g_assert_cmpint(name ? atoi(name) : -1, ==, at[i]);
		}
	}
}

static void test_no_object(void)
{
	GByteArray *table = NULL;
	struct error *error = object_table_make(-1, "/etc/passwd", false, &table);

	g_assert_nonnull(error);
	g_assert_cmpint(error->code, ==, ERROR_DEBUGINFO);
	error_free(error);
	error = object_table_make(-1, "/nowhere", false, &table);
	g_assert_nonnull(error);
	g_assert_null(table);
	error_free(error);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	if (argc > 1)
		g_test_add_data_func("/unwind/files", argv + 1, test_files);
	else
		g_test_add_func("/unwind/own-objects", test_own_objects);
	g_test_add_func("/unwind/library", test_library);
	g_test_add_func("/unwind/signal", test_signal);
	g_test_add_func("/unwind/symbols", test_symbols);
	g_test_add_func("/unwind/damage", test_damage);
	g_test_add_func("/unwind/excess", test_excess);
	g_test_add_func("/unwind/code", test_code);
	g_test_add_func("/unwind/names", test_names);
	g_test_add_func("/unwind/many-names", test_many_names);
	g_test_add_func("/unwind/no-object", test_no_object);
	return g_test_run();
}
