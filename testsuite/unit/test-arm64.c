// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The description of arm64 (translator/abi): instructions as the assembler encodes them, the calling convention by the
 * rules of AAPCS64, traces of prologues, stubs of linkage tables, and the call sites of ftrace. No kernel and no
 * compiler for arm64 is needed.
 */
#include <elf.h>
#include <glib.h>
#include <string.h>

#include "translator/abi/abi.h"

enum { SP = 31, V0 = 64 };

static const struct abi *abi(void)
{
	return abi_by_machine(EM_AARCH64);
}

static void put(uint32_t word, uint8_t bytes[4])
{
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t)(word >> 8 * i);
}

static struct abi_instruction read_instruction(const char *text, uint32_t word)
{
	struct abi_instruction got;
	uint8_t bytes[4];

	g_test_message("%s", text);
	put(word, bytes);
	g_assert_true(abi()->read_instruction(bytes, sizeof(bytes), false, &got));
	return got;
}

static void test_instructions(void)
{
	static const struct {
		const char *text;
		uint32_t word;
		enum abi_flow flow;
		int64_t distance;
		enum abi_refusal refusal;
	} rows[] = {
		{"b .+8", 0x14000002, ABI_FLOW_JUMP, 4, ABI_PROBEABLE},
		{"bl .+16", 0x94000004, ABI_FLOW_CALL, 12, ABI_PROBEABLE},
		{"b.eq .-4", 0x54ffffe0, ABI_FLOW_BRANCH, -8, ABI_PROBEABLE},
		{"cbz x0, .+12", 0xb4000060, ABI_FLOW_BRANCH, 8, ABI_PROBEABLE},
		{"tbnz w1, #3, .+8", 0x37180041, ABI_FLOW_BRANCH, 4, ABI_PROBEABLE},
		{"br x16", 0xd61f0200, ABI_FLOW_INDIRECT, 0, ABI_PROBEABLE},
		{"blr x8", 0xd63f0100, ABI_FLOW_CALL, 0, ABI_PROBEABLE},
		{"ret", 0xd65f03c0, ABI_FLOW_RETURN, 0, ABI_PROBEABLE},
		{"retaa", 0xd65f0bff, ABI_FLOW_RETURN, 0, ABI_REFUSED_OPCODE},
		{"brk #0", 0xd4200000, ABI_FLOW_ON, 0, ABI_REFUSED_BREAKPOINT},
		{"svc #0", 0xd4000001, ABI_FLOW_ON, 0, ABI_REFUSED_OPCODE},
		{"ldxr x0, [x1]", 0xc85f7c20, ABI_FLOW_ON, 0, ABI_REFUSED_EXCLUSIVE},
		{"stxr w2, x0, [x1]", 0xc8027c20, ABI_FLOW_ON, 0, ABI_REFUSED_EXCLUSIVE},
		{"ldr x0, .+8", 0x58000040, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"ldr d0, .+8", 0x5c000040, ABI_FLOW_ON, 0, ABI_REFUSED_OPCODE},
		{"adrp x0, .", 0x90000000, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"nop", 0xd503201f, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"bti c", 0xd503245f, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"paciasp", 0xd503233f, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"autiasp", 0xd50323bf, ABI_FLOW_ON, 0, ABI_REFUSED_OPCODE},
		{"msr daifset, #2", 0xd50342df, ABI_FLOW_ON, 0, ABI_REFUSED_OPCODE},
		{"mrs x0, nzcv", 0xd53b4200, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"udf #0", 0x00000000, ABI_FLOW_ON, 0, ABI_REFUSED_OPCODE},
		{"add x0, x1, x2", 0x8b020020, ABI_FLOW_ON, 0, ABI_PROBEABLE},
		{"str x0, [sp, #24]", 0xf9000fe0, ABI_FLOW_ON, 0, ABI_PROBEABLE},
	};
	struct abi_instruction got;
	uint8_t bytes[4] = {0};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		got = read_instruction(rows[i].text, rows[i].word);
		g_assert_cmpuint(got.size, ==, 4);
		g_assert_cmpint(got.flow, ==, rows[i].flow);
		g_assert_cmpint(got.distance, ==, rows[i].distance);
		g_assert_cmpint(got.refusal, ==, rows[i].refusal);
	}
	g_assert_false(abi()->read_instruction(bytes, 3, false, &got));
}

/*
 * After the first instruction of an exclusive access, the kernel refuses kprobes. It mistakes others for one, by its
 * masks.
 */
static void test_exclusive(void)
{
	static const struct {
		const char *text;
		uint32_t word;
		bool begins, ends;
	} rows[] = {
		{"ldxr w0, [x2]", 0x885f7c40, true, false},	 {"ldaxr x0, [x1]", 0xc85ffc20, true, false},
		{"stlxr w4, w3, [x2]", 0x8804fc43, false, true}, {"stxr w2, x0, [x1]", 0xc8027c20, false, true},
		{"ldar x0, [x0]", 0xc8dffc00, true, false},	 {"casal x5, x2, [x0]", 0xc8e5fc02, true, false},
		{"stlr x1, [x0]", 0xc89ffc01, false, true},	 {"ldr x0, [x1]", 0xf9400020, false, false},
		{"ldp x0, x1, [x20]", 0xa9400680, false, false}, {"ldadd x1, x2, [x3]", 0xf8210062, false, false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct abi_instruction got = read_instruction(rows[i].text, rows[i].word);

		g_assert_cmpint(got.begins_exclusive, ==, rows[i].begins);
		g_assert_cmpint(got.ends_exclusive, ==, rows[i].ends);
	}
}

/* ---- the calling convention ---- */

/* A value of equal fields. */
struct sample {
	unsigned int count, size;
	enum abi_scalar scalar;
	bool is_aggregate;
};

static struct abi_place place(struct abi_arguments *used, struct sample sample)
{
	struct abi_field fields[8];
	struct abi_value value = {fields, sample.count, sample.count * sample.size, sample.is_aggregate};
	struct abi_place ret;

	for (unsigned int i = 0; i < sample.count; i++)
		fields[i] = (struct abi_field){i * sample.size, sample.size, sample.scalar};
	if (used)
		abi()->place_argument(used, &value, &ret);
	else
		abi()->place_result(&value, &ret);
	return ret;
}

static void is_in_registers(struct abi_place got, unsigned int first, unsigned int count, unsigned int part_size)
{
	g_assert_cmpint(got.where, ==, ABI_REGISTERS);
	g_assert_cmpuint(got.register_count, ==, count);
	g_assert_cmpuint(got.part_size, ==, part_size);
	for (unsigned int i = 0; i < count; i++)
		g_assert_cmpuint(got.registers[i], ==, first + i);
}

static const struct sample number = {1, 8, ABI_INTEGER, false}, whole_128 = {1, 16, ABI_INTEGER, false},
			   decimal = {1, 8, ABI_FLOAT, false}, half = {1, 2, ABI_FLOAT, false},
			   two_words = {2, 8, ABI_INTEGER, true}, large = {3, 8, ABI_INTEGER, true},
			   three_floats = {3, 4, ABI_FLOAT, true}, four_doubles = {4, 8, ABI_FLOAT, true},
			   five_floats = {5, 4, ABI_FLOAT, true};

static void test_arguments(void)
{
	struct abi_arguments used = {0};
	struct abi_place got;

	is_in_registers(place(&used, number), 0, 1, 0);
	is_in_registers(place(&used, decimal), V0, 1, 8);
	is_in_registers(place(&used, two_words), 1, 2, 0);
	is_in_registers(place(&used, three_floats), V0 + 1, 3, 4);
	/* A pair begins with an even register. */
	is_in_registers(place(&used, whole_128), 4, 2, 0);
	/* passed by reference */
	got = place(&used, large);
	g_assert_cmpint(got.where, ==, ABI_REFERENCE);
	g_assert_cmpuint(got.registers[0], ==, 6);
	is_in_registers(place(&used, four_doubles), V0 + 4, 4, 8);
	/* A structure is not split, and nothing comes into registers after it. */
	got = place(&used, two_words);
	g_assert_cmpint(got.where, ==, ABI_MEMORY);
	g_assert_cmpuint(got.stack_offset, ==, 0);
	got = place(&used, number);
	g_assert_cmpint(got.where, ==, ABI_MEMORY);
	g_assert_cmpuint(got.stack_offset, ==, 16);
	got = place(&used, half);
	g_assert_cmpint(got.where, ==, ABI_MEMORY);
	g_assert_cmpuint(got.stack_offset, ==, 24);
}

static void test_results(void)
{
	struct abi_place got;

	is_in_registers(place(NULL, number), 0, 1, 0);
	is_in_registers(place(NULL, whole_128), 0, 2, 0);
	is_in_registers(place(NULL, half), V0, 1, 2);
	is_in_registers(place(NULL, four_doubles), V0, 4, 8);
	for (int i = 0; i < 2; i++) {
		got = place(NULL, i ? large : five_floats);
		g_assert_cmpint(got.where, ==, ABI_MEMORY);
		g_assert_cmpuint(got.registers[0], ==, 8);
		g_assert_true(got.is_at_entry);
	}
}

static void test_registers(void)
{
	static const struct {
		const char *name;
		unsigned int number, size;
	} rows[] = {{"x0", 0, 8},      {"w30", 30, 4},	    {"sp", SP, 8},
		    {"d7", V0 + 7, 8}, {"s31", V0 + 31, 4}, {"h1", V0 + 1, 2}};
	static const char *const others[] = {"", "x", "x31", "w", "v32", "r0", "x1a", "xzr", "lr0"};
	struct abi_register_part part;

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_assert_true(abi()->find_register(rows[i].name, &part));
		g_assert_cmpuint(part.number, ==, rows[i].number);
		g_assert_cmpuint(part.size, ==, rows[i].size);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(others); i++)
		g_assert_false(abi()->find_register(others[i], &part));
}

/* ---- code ---- */

static struct abi_trace *trace(const uint32_t *words, size_t count)
{
	struct abi_trace *trace = g_new(struct abi_trace, 1);
	uint8_t bytes[4];

	abi()->trace_begin(trace, false);
	for (size_t i = 0; i < count; i++) {
		put(words[i], bytes);
		g_assert_true(abi()->trace_instruction(trace, bytes, sizeof(bytes)));
	}
	g_assert_cmpuint(trace->at, ==, count * 4);
	return trace;
}

static void stored_is(struct abi_trace *trace, int64_t place, unsigned int register_number, int64_t index)
{
	struct abi_byte byte = abi_trace_load(trace, place);

	g_assert_cmpint(byte.origin, ==, ABI_ORIGIN_REGISTER);
	g_assert_cmpuint(byte.number, ==, register_number);
	g_assert_cmpint(byte.index, ==, index);
}

/* As gcc -O0 begins a function. */
static void test_trace(void)
{
	static const uint32_t words[] = {
		0xa9bf7bfd, /* stp x29, x30, [sp, #-16]! */
		0x910003fd, /* mov x29, sp */
		0xd10083ff, /* sub sp, sp, #32 */
		0xf9000fe0, /* str x0, [sp, #24] */
		0xb90017e1, /* str w1, [sp, #20] */
		0x39004fe2, /* strb w2, [sp, #19] */
		0xfd0007e0, /* str d0, [sp, #8] */
		0xf9400fe7, /* ldr x7, [sp, #24] */
		0xf90000c5, /* str x5, [x6] */
	};
	g_autofree struct abi_trace *traced = trace(words, G_N_ELEMENTS(words));

	stored_is(traced, -16, 29, 0);
	stored_is(traced, -8, 30, 0);
	stored_is(traced, -48 + 24, 0, 0);
	stored_is(traced, -48 + 31, 0, 7);
	stored_is(traced, -48 + 23, 1, 3);
	stored_is(traced, -48 + 19, 2, 0);
	stored_is(traced, -48 + 8, V0, 0);
	g_assert_cmpint(traced->registers[7][3].origin, ==, ABI_ORIGIN_REGISTER);
	g_assert_cmpuint(traced->registers[7][3].number, ==, 0);
	g_assert_true(traced->is_stack_address[29]);
	g_assert_cmpint(traced->places[29], ==, -16);
	g_assert_cmpint(traced->places[SP], ==, -48);
	/* Above the stack pointer at the entry are the caller's arguments. */
	g_assert_cmpint(abi_trace_load(traced, 0).origin, ==, ABI_ORIGIN_STACK);
}

/* After "and sp, x9, #-16", places on the stack are not known. */
static void test_lost_stack(void)
{
	static const uint32_t words[] = {0x927ced3f, 0xf9000fe0};
	g_autofree struct abi_trace *traced = trace(words, G_N_ELEMENTS(words));

	g_assert_false(traced->is_stack_address[SP]);
	g_assert_cmpuint(traced->stored_count, ==, 0);
}

static void test_stubs(void)
{
	/* bti c; adrp x16, .+0x10000; ldr x17, [x16, #24]; nop; br x17 */
	static const uint32_t words[] = {0xd503245f, 0x90000090, 0xf9400e11, 0xd503201f, 0xd61f0220};
	uint8_t bytes[sizeof(words)];

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		put(words[i], bytes + i * 4);
	g_assert_cmphex(abi()->linking->stub_slot(0x400010, bytes, sizeof(bytes), 0), ==, 0x410018);
	g_assert_cmphex(abi()->linking->stub_slot(0x400014, bytes + 4, sizeof(bytes) - 4, 0), ==, 0x410018);
	g_assert_cmphex(abi()->linking->stub_slot(0x400018, bytes + 8, sizeof(bytes) - 8, 0), ==, 0);
	g_assert_cmphex(abi()->linking->stub_slot(0x400010, bytes, 8, 0), ==, 0);
}

/* Find landing pads with both forms of the list of call sites, and call sites without one. */
static void test_call_sites(void)
{
	static const uint8_t bti[] = {0x5f, 0x24, 0x03, 0xd5}, nop[] = {0x1f, 0x20, 0x03, 0xd5};
	const struct abi_kernel *kernel = abi()->kernel;

	g_assert_cmpint(kernel->call_site(0, nop, sizeof(nop)), ==, 4);
	g_assert_cmpint(kernel->call_site(4, bti, sizeof(bti)), ==, 8);
	g_assert_cmpint(kernel->call_site(-8, nop, sizeof(nop)), ==, 4);
	g_assert_cmpint(kernel->call_site(-8, bti, sizeof(bti)), ==, 8);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/arm64/instructions", test_instructions);
	g_test_add_func("/arm64/exclusive", test_exclusive);
	g_test_add_func("/arm64/arguments", test_arguments);
	g_test_add_func("/arm64/results", test_results);
	g_test_add_func("/arm64/registers", test_registers);
	g_test_add_func("/arm64/trace", test_trace);
	g_test_add_func("/arm64/lost-stack", test_lost_stack);
	g_test_add_func("/arm64/stubs", test_stubs);
	g_test_add_func("/arm64/call-sites", test_call_sites);
	return g_test_run();
}
