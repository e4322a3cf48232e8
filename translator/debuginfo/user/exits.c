// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding the exits of a function: return instructions, and jumps to other functions, which then return to the caller
 * (tail calls).
 *
 * A return probe that replaces the return address on the stack hides the caller from unwinders and blocks exceptions.
 * Probes at the exits do not, but they need all exits. So all code of the function is decoded, including what gcc split
 * off ("f.cold"), by the ranges of DWARF or by symbols. A jump out of this code while the frame is still set up leads
 * to another part of the function, whose size the call frame information may give. Without a frame, it leads to another
 * function.
 *
 * Exceptions come from called functions. A function that calls none and does not switch stacks cannot be left by one.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/object/mini.h"
#include "translator/debuginfo/object/user_object.h"

#include <string.h>

#include "common/base/i18n.h"

#define MODRM_MEMORY_TABLE 4 /* memory operand with base and index */
#define MODRM_NEXT 5 /* memory operand relative to the next instruction */

struct walk {
	struct debuginfo *debuginfo;
	const struct function *function;
	GArray *parts; /* struct code_part */
	GArray *exits; /* struct function_exit */
	bool is_leaf;
	const char *problem;
};

/* ---- parts ---- */

static bool is_in_parts(const struct walk *walk, uint64_t address)
{
	for (guint i = 0; i < walk->parts->len; i++) {
		const struct code_part *part = &g_array_index(walk->parts, struct code_part, i);

		if (address >= part->start && address < part->end)
			return true;
	}
	return false;
}

static void add_part(struct walk *walk, uint64_t start, uint64_t end)
{
	struct code_part part = {start, end};

	if (start < end && !is_in_parts(walk, start))
		g_array_append_val(walk->parts, part);
}

static void add_ranges(struct walk *walk)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t offset = 0;
	Dwarf_Die die;

	if (!walk->debuginfo->source->reader->is_dwarf || !walk->function->die || !function_die(walk->function, &die))
		return;
	while ((offset = dwarf_ranges(&die, offset, &base, &low, &high)) > 0)
		add_part(walk, low, high);
}

/* Add the part that gcc split off, by the symbols of one file. */
static void add_cold_symbols(struct walk *walk, Elf *elf)
{
	g_autofree char *name = g_strconcat(walk->function->symbol ?: walk->function->name, ".cold", NULL);
	struct elf_symbol symbol;

	if (elf && elf_find_symbol(elf, name, &symbol))
		add_part(walk, symbol.value, symbol.value + symbol.size);
}

static void find_parts(struct walk *walk)
{
	const struct function *function = walk->function;
	struct debuginfo *debuginfo = walk->debuginfo;

	add_part(walk, function->entry.value, function->entry.value + function->size);
	add_ranges(walk);
	add_cold_symbols(walk, debuginfo->debug.elf);
	add_cold_symbols(walk, debuginfo_code(debuginfo));
	add_cold_symbols(walk, debuginfo_mini(debuginfo));
}

/* ---- direct jumps ---- */

/* Does a function begin at the address, or a PLT stub? */
static bool begins_function(const struct walk *walk, uint64_t address)
{
	const struct function *function = function_at(walk->debuginfo, (struct address){address, NULL});
	struct abi_instruction instruction;

	if (function)
		return function->entry.value == address;
	for (int i = 0; i < 2 && user_object_read_instruction(walk->debuginfo, address, &instruction); i++) {
		if (instruction.flow == ABI_FLOW_INDIRECT)
			return true;
		address += instruction.size;
	}
	return false;
}

static void add_exit(struct walk *walk, uint64_t address, bool is_tail_call)
{
	struct function_exit exit = {{address, NULL}, is_tail_call};

	walk->is_leaf &= !is_tail_call;
	g_array_append_val(walk->exits, exit);
}

/*
 * Is code reached with the frame still set up an unknown part of the function? Add it if call frame information gives
 * its size and no known function covers it.
 */
static bool is_own_part(struct walk *walk, uint64_t to)
{
	struct code_part part;
	bool is_own = user_object_description(walk->debuginfo, to, &part) && part.start <= to &&
		      !function_at(walk->debuginfo, (struct address){part.start, NULL}) &&
		      !function_at(walk->debuginfo, (struct address){to, NULL});

	if (is_own)
		add_part(walk, part.start, part.end);
	return is_own && is_in_parts(walk, to);
}

static void follow(struct walk *walk, uint64_t from, uint64_t to, bool is_branch)
{
	bool has_frame = frame_is_set_up(walk->debuginfo, from);

	if (is_in_parts(walk, to) || (has_frame && is_own_part(walk, to)))
		return;
	if (has_frame || (is_branch && !begins_function(walk, to)))
		walk->problem = _("a part of it is elsewhere, and the size of that part is not known");
	else
		add_exit(walk, from, true);
}

/* ---- indirect jumps ---- */

/* "add %rdx,%rax" computes the target from a jump table of offsets. */
static bool adds_registers(const uint8_t *bytes, unsigned int size)
{
	return size >= 2 && (bytes[size - 2] == 0x01 || bytes[size - 2] == 0x03) && bytes[size - 1] >= 0xc0;
}

/* Does the instruction remove the frame: "pop %rbx", "add $8,%rsp", "leave"? */
static bool ends_frame(const uint8_t *bytes, unsigned int size)
{
	uint8_t last = bytes[size - 1];

	if (size == 1 || (size == 2 && bytes[0] == 0x41))
		return (last >= 0x58 && last <= 0x5f) || (size == 1 && last == 0xc9);
	return size >= 4 && bytes[0] == 0x48 && (bytes[1] == 0x81 || bytes[1] == 0x83) && bytes[2] == 0xc4;
}

/* The kind of the instruction before. */
enum before { BEFORE_OTHER, BEFORE_ADD, BEFORE_END_OF_FRAME };

/*
 * Classify an indirect jump. One through a jump table stays in the function, whose code is decoded anyway. One through
 * a pointer leaves it, if the frame is gone. With control-flow protection, compilers mark jumps through tables by
 * notrack, because all others must lead to an endbr64.
 */
static void note_indirect(struct walk *walk, uint64_t address, const uint8_t *bytes, unsigned int size,
			  enum before before)
{
	unsigned int i = 0;
	uint8_t modrm, base;

	if (bytes[0] == 0x3e) /* notrack */
		return;
	while (i + 2 < size && bytes[i] != 0xff)
		i++;
	modrm = bytes[i + 1];
	base = i + 2 < size ? bytes[i + 2] & 7 : 0;
	if ((modrm & 7) == MODRM_NEXT && modrm < 0x40) {
		add_exit(walk, address, true);
	} else if (modrm < 0x40 && (modrm & 7) == MODRM_MEMORY_TABLE && (bytes[i + 2] >= 0x80 || base == 5)) {
		return; /* jmp *table(,%rax,8) */
	} else if (frame_is_set_up(walk->debuginfo, address)) {
		return;
	} else if (modrm < 0xc0 || before == BEFORE_END_OF_FRAME) {
		add_exit(walk, address, true);
	} else if (before != BEFORE_ADD) {
		walk->problem = _("it is not known whether an indirect jump in it may leave it");
	}
}

/* May the instruction switch stacks? Not known for 32-bit code. */
static bool may_switch_stack(const struct walk *walk, const uint8_t *bytes, unsigned int size)
{
	const struct abi *abi = debuginfo_abi(walk->debuginfo);

	return !abi->stack_effect || abi->stack_effect(bytes, size).kind == ABI_STACK_LOST;
}

/* ---- the walk ---- */

static void note_instruction(struct walk *walk, uint64_t address, const uint8_t *bytes,
			     const struct abi_instruction *instruction, enum before before)
{
	uint64_t target = address + instruction->size + (uint64_t)instruction->distance;

	walk->is_leaf &= instruction->flow != ABI_FLOW_CALL && instruction->flow != ABI_FLOW_INDIRECT &&
			 !may_switch_stack(walk, bytes, instruction->size);
	switch (instruction->flow) {
	case ABI_FLOW_RETURN:
		add_exit(walk, address, false);
		break;
	case ABI_FLOW_JUMP:
	case ABI_FLOW_BRANCH:
		follow(walk, address, target, instruction->flow == ABI_FLOW_BRANCH);
		break;
	case ABI_FLOW_INDIRECT:
		note_indirect(walk, address, bytes, instruction->size, before);
		break;
	case ABI_FLOW_ON:
	case ABI_FLOW_CALL:
		break;
	}
}

static void walk_part(struct walk *walk, struct code_part part)
{
	uint64_t address = part.start;
	enum before before = BEFORE_OTHER;

	while (!walk->problem && address < part.end) {
		struct span bytes = user_object_bytes(walk->debuginfo, address);
		struct abi_instruction instruction;

		if (!user_object_read_instruction(walk->debuginfo, address, &instruction)) {
			walk->problem = _("some of its code cannot be decoded");
			return;
		}
		note_instruction(walk, address, bytes.data, &instruction, before);
		before = adds_registers(bytes.data, instruction.size) ? BEFORE_ADD
			 : ends_frame(bytes.data, instruction.size)   ? BEFORE_END_OF_FRAME
								      : BEFORE_OTHER;
		address += instruction.size;
	}
}

static gint compare_exits(gconstpointer a, gconstpointer b)
{
	const struct function_exit *x = a, *y = b;

	return x->address.value < y->address.value ? -1 : x->address.value > y->address.value;
}

static void collect_exits(struct walk *walk, GPtrArray *ret)
{
	g_array_sort(walk->exits, compare_exits);
	for (guint i = 0; i < walk->exits->len; i++) {
		struct function_exit *exit = arena_new0(walk->debuginfo->arena, struct function_exit);

		*exit = g_array_index(walk->exits, struct function_exit, i);
		g_ptr_array_add(ret, exit);
	}
}

struct error *debuginfo_exits(const struct function *function, GPtrArray *ret, bool *is_leaf)
{
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct code_part));
	g_autoptr(GArray) exits = g_array_new(FALSE, FALSE, sizeof(struct function_exit));
	struct walk walk = {.debuginfo = function->debuginfo,
			    .function = function,
			    .parts = parts,
			    .exits = exits,
			    .is_leaf = true};
	struct index *index;
	struct error *error = debuginfo_index(function->debuginfo, &index);

	*is_leaf = false;
	if (error)
		return error;
	if (!function->debuginfo->object || function->is_inlined || !function->size)
		walk.problem = _("its size is not known");
	else
		find_parts(&walk);
	for (guint i = 0; i < parts->len; i++)
		walk_part(&walk, g_array_index(parts, struct code_part, i));
	if (walk.problem)
		return error_new(ERROR_LOOKUP, _("cannot find the exits of function '%s' of %s: %s"), function->name,
				 function->debuginfo->name, walk.problem);
	collect_exits(&walk, ret);
	*is_leaf = walk.is_leaf;
	return NULL;
}
