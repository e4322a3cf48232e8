// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where a function goes back to its caller: return instructions, and jumps to other functions that return in its place.
 *
 * A probe of a return that replaces the return address on the stack hides the caller from whoever unwinds the stack,
 * and an exception cannot pass. One at each exit does no such thing; but then all exits must be known. So all code of
 * the function is read, also what gcc has moved elsewhere ("f.cold"), by the ranges of DWARF or by symbols. A jump that
 * leaves all this while the frame is still there goes to a part of the function, how far that goes the call frame
 * information may tell; without a frame, to another function.
 *
 * An exception comes from a function that is called. One that calls none, and leaves its stack where it is, is not gone
 * through by any.
 */
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/object/mini.h"
#include "translator/debuginfo/object/user_object.h"

#include <string.h>

#include "translator/util/i18n.h"

#define MODRM_MEMORY_TABLE 4 /* an operand in memory with base and index */
#define MODRM_NEXT 5 /* one at a distance from the next instruction */

struct part {
	uint64_t start, end;
};

struct walk {
	struct debuginfo *debuginfo;
	const struct function *function;
	GArray *parts; /* struct part */
	GArray *exits; /* struct function_exit */
	bool is_leaf;
	const char *problem;
};

/* ---- parts ---- */

static bool is_in_parts(const struct walk *walk, uint64_t address)
{
	for (guint i = 0; i < walk->parts->len; i++) {
		const struct part *part = &g_array_index(walk->parts, struct part, i);

		if (address >= part->start && address < part->end)
			return true;
	}
	return false;
}

static void add_part(struct walk *walk, uint64_t start, uint64_t end)
{
	struct part part = {start, end};

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

/* What gcc has moved away, by the symbols of one file. */
static void add_cold_symbols(struct walk *walk, Elf *elf)
{
	g_autofree char *name = g_strconcat(walk->function->symbol ?: walk->function->name, ".cold", NULL);
	struct elf_symbol symbol;

	if (elf && elf_find_symbol(elf, name, &symbol))
		add_part(walk, symbol.value, symbol.value + symbol.size);
}

/*
 * The code of one description in .eh_frame, by the sorted table in .eh_frame_hdr (Linux Standard Base, "Exception
 * Frames"), in the one form that linkers make: four bytes each, distances from the table.
 */
static bool find_description(struct debuginfo *debuginfo, uint64_t address, struct part *ret)
{
	static const uint8_t form[] = {1, 0x1b, 0x03, 0x3b};
	GElf_Shdr header;
	struct span bytes = elf_section_by_name(debuginfo_code(debuginfo), ".eh_frame_hdr", &header)
				    ? user_object_bytes(debuginfo, header.sh_addr)
				    : (struct span){NULL, 0};
	struct reader reader = {bytes.data, bytes.data + bytes.size, false};
	uint64_t count, low = 0, high, start, description;

	if (bytes.size < sizeof(form) || memcmp(bytes.data, form, sizeof(form)) != 0)
		return false;
	read_skip(&reader, sizeof(form) + 4);
	count = read_unsigned(&reader, 4);
	if (reader.bad || count > (uint64_t)(reader.end - reader.position) / 8)
		return false;
	high = count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		struct reader entry = {reader.position + middle * 8, reader.end, false};

		if (header.sh_addr + (uint64_t)(int32_t)read_unsigned(&entry, 4) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return false;
	reader.position += (low - 1) * 8;
	start = header.sh_addr + (uint64_t)(int32_t)read_unsigned(&reader, 4);
	description = header.sh_addr + (uint64_t)(int32_t)read_unsigned(&reader, 4);
	bytes = user_object_bytes(debuginfo, description);
	reader = (struct reader){bytes.data, bytes.data + bytes.size, false};
	read_skip(&reader, 8); /* its length, and the distance to what several share */
	if (description + 8 + (uint64_t)(int32_t)read_unsigned(&reader, 4) != start)
		return false;
	*ret = (struct part){start, start + read_unsigned(&reader, 4)};
	return !reader.bad && address < ret->end;
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

/* Is it the beginning of a function, or a stub that leads to one? */
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

/* Where the frame is still there, the code is the function's own, if it is of no other that is known. */
static bool is_own_part(struct walk *walk, uint64_t to)
{
	struct part part;
	bool is_own = find_description(walk->debuginfo, to, &part) && part.start <= to &&
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
		walk->problem = _("a part of it is elsewhere, and nothing tells how far that goes");
	else
		add_exit(walk, from, true);
}

/* ---- indirect jumps ---- */

/* "add %rdx,%rax" is the last step of finding a place by a table of distances. */
static bool adds_registers(const uint8_t *bytes, unsigned int size)
{
	return size >= 2 && (bytes[size - 2] == 0x01 || bytes[size - 2] == 0x03) && bytes[size - 1] >= 0xc0;
}

/* "pop %rbx", "add $8,%rsp", "leave": what takes the frame away. */
static bool ends_frame(const uint8_t *bytes, unsigned int size)
{
	uint8_t last = bytes[size - 1];

	if (size == 1 || (size == 2 && bytes[0] == 0x41))
		return (last >= 0x58 && last <= 0x5f) || (size == 1 && last == 0xc9);
	return size >= 4 && bytes[0] == 0x48 && (bytes[1] == 0x81 || bytes[1] == 0x83) && bytes[2] == 0xc4;
}

/* What the instruction before does. */
enum before { BEFORE_OTHER, BEFORE_ADD, BEFORE_END_OF_FRAME };

/*
 * A jump by a table stays in the function, and all that the table leads to is read. One through a pointer leaves it, if
 * the frame is gone. Compilers mark jumps by a table if all others must lead to an endbr64.
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
		walk->problem = _("an indirect jump in it may leave it, or may not");
	}
}

/* May the instruction leave the stack that it is on? Of code for 32 bits, that is not known. */
static bool may_switch_stack(const struct walk *walk, const uint8_t *bytes, unsigned int size)
{
	return walk->debuginfo->object->is_32_bit || abi_of_target()->stack_effect(bytes, size).kind == ABI_STACK_LOST;
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

static void walk_part(struct walk *walk, struct part part)
{
	uint64_t address = part.start;
	enum before before = BEFORE_OTHER;

	while (!walk->problem && address < part.end) {
		struct span bytes = user_object_bytes(walk->debuginfo, address);
		struct abi_instruction instruction;

		if (!user_object_read_instruction(walk->debuginfo, address, &instruction)) {
			walk->problem = _("some of its code is none");
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

static void answer(struct walk *walk, GPtrArray *ret)
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
	g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(struct part));
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
		walk.problem = _("where its code ends is not known");
	else
		find_parts(&walk);
	for (guint i = 0; i < parts->len; i++)
		walk_part(&walk, g_array_index(parts, struct part, i));
	if (walk.problem)
		return error_new(ERROR_LOOKUP, _("the exits of function '%s' of %s cannot be told: %s"), function->name,
				 function->debuginfo->name, walk.problem);
	answer(&walk, ret);
	*is_leaf = walk.is_leaf;
	return NULL;
}
