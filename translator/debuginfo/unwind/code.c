// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Deriving call frames from instructions, for functions without call frame information, as in musl's libc.
 *
 * The caller of a place in a function can be found if the distance of the stack pointer from its value at the entry is
 * known. So the code is followed from the entry along all branches, and each instruction's effect on the pointer is
 * added (abi_stack_effect). Where two paths meet, they must agree, and at a return, the pointer must be as at the
 * entry. Otherwise the function gets no rules, and the unwinder uses the frame pointer there. Code that is reached only
 * through a jump table is assumed to have the frame at the function's indirect jumps, if they all agree.
 *
 * Registers that belong to the caller are at the place where they were first pushed.
 *
 * Functions begin at symbols, and at targets of calls, which may have no symbol in a stripped library. The end of a
 * function without a symbol is not known. It may end with a call that does not return, followed by unrelated code. So
 * only code from which a return can be reached counts.
 */
#include <string.h>

#include "translator/abi/abi.h"
#include "translator/debuginfo/unwind/frames.h"

enum { LARGEST_FUNCTION = 1 << 20, UNKNOWN_DEPTH = -1, WORD = 8, MOST_ROUNDS = 32 };

/* The frame at an instruction. Distances are down from the canonical frame address; 0: none. */
struct frame_at {
	int32_t depth; /* of the stack pointer; UNKNOWN_DEPTH: use the frame pointer */
	int32_t frame; /* of the frame pointer, if it is set */
	int16_t saved[STP_UNWIND_REGISTERS];
	bool is_known;
	bool returns; /* a return can be reached from here */
};

struct code_walk {
	const struct abi *abi;
	const uint8_t *bytes;
	size_t size;
	struct frame_at *at; /* one per byte */
	GArray *ways; /* size_t: offsets still to follow */
	struct frame_at at_jump; /* frame at jumps through tables */
	bool has_no_end; /* `size` is only an upper limit */
	GArray *calls; /* uint64_t: entries of functions that it calls or jumps to */
	uint64_t low;
	bool has_failed, jumps_differ;
};

static bool is_callers(int number)
{
	return number == 3 || number == 6 || (number >= 12 && number <= 15);
}

static void note_call(struct code_walk *walk, int64_t offset)
{
	uint64_t address = walk->low + (uint64_t)offset;

	g_array_append_val(walk->calls, address);
}

static void go_to(struct code_walk *walk, int64_t offset, const struct frame_at *frame)
{
	struct frame_at *there;

	if (offset < 0 || (size_t)offset >= walk->size) {
		/* A tail call, or a jump to a part of the function elsewhere. */
		if (frame->depth == WORD)
			note_call(walk, offset);
		return;
	}
	there = &walk->at[offset];
	if (!there->is_known) {
		size_t way = (size_t)offset;

		*there = *frame;
		there->is_known = true;
		g_array_append_val(walk->ways, way);
	} else if (there->depth != frame->depth || (frame->depth < 0 && there->frame != frame->frame)) {
		walk->has_failed = true;
	}
}

/* Apply an instruction's effect. Return false if neither stack nor frame pointer is known afterwards. */
static bool apply(struct frame_at *frame, const struct abi_stack_effect *effect)
{
	switch (effect->kind) {
	case ABI_STACK_KEPT:
		return true;
	case ABI_STACK_MOVED:
		if (frame->depth == UNKNOWN_DEPTH)
			return true;
		frame->depth -= effect->distance;
		break;
	case ABI_STACK_FRAME_SET:
		if (frame->depth == UNKNOWN_DEPTH)
			return false;
		frame->frame = frame->depth;
		return true;
	case ABI_STACK_FRAME_USED:
		if (!frame->frame)
			return false;
		frame->depth = frame->frame - effect->distance;
		break;
	case ABI_STACK_LOST:
		frame->depth = UNKNOWN_DEPTH;
		return frame->frame;
	}
	if (is_callers(effect->pushed) && !frame->saved[effect->pushed] && frame->depth < INT16_MAX)
		frame->saved[effect->pushed] = (int16_t)frame->depth;
	if (effect->popped >= 0) {
		frame->saved[effect->popped] = 0;
		if (effect->popped == 6)
			frame->frame = 0;
	}
	return frame->depth >= WORD;
}

static void note_jump(struct code_walk *walk, const struct frame_at *frame)
{
	if (walk->at_jump.is_known && memcmp(&walk->at_jump, frame, sizeof(*frame)) != 0)
		walk->jumps_differ = true;
	walk->at_jump = *frame;
}

/* Could the next function begin here? Functions are aligned, with padding between them. */
static bool may_be_next_function(const struct code_walk *walk, size_t offset)
{
	static const struct {
		uint8_t bytes[3], length;
	} fillers[] = {
		{{0x90}, 1},	   {{0xcc}, 1},	     {{0x66, 0x90}, 2}, {{0x0f, 0x1f}, 2}, {{0x66, 0x0f, 0x1f}, 3},
		{{0x66, 0x66}, 2}, {{0x66, 0x2e}, 2}};

	for (size_t i = 0; i < G_N_ELEMENTS(fillers); i++)
		if (offset + fillers[i].length <= walk->size &&
		    !memcmp(walk->bytes + offset, fillers[i].bytes, fillers[i].length))
			return true;
	return (walk->low + offset) % 16 == 0;
}

static bool continues_to_next(const struct code_walk *walk, const struct abi_instruction *instruction, size_t next)
{
	if (instruction->flow == ABI_FLOW_CALL)
		return !walk->has_no_end || !may_be_next_function(walk, next);
	return instruction->flow == ABI_FLOW_ON || instruction->flow == ABI_FLOW_BRANCH;
}

static bool returns_from(const struct code_walk *walk, int64_t offset)
{
	/* A jump out of the function is a tail call, which returns for it. */
	return offset < 0 || (size_t)offset >= walk->size || walk->at[offset].returns;
}

static bool can_return(const struct code_walk *walk, size_t offset)
{
	struct abi_instruction instruction;
	int64_t next;

	if (!walk->abi->read_instruction(walk->bytes + offset, walk->size - offset, false, &instruction))
		return false;
	next = (int64_t)offset + instruction.size;
	if (instruction.flow == ABI_FLOW_RETURN || instruction.flow == ABI_FLOW_INDIRECT)
		return true;
	if (continues_to_next(walk, &instruction, (size_t)next) && (size_t)next < walk->size && walk->at[next].returns)
		return true;
	return (instruction.flow == ABI_FLOW_JUMP || instruction.flow == ABI_FLOW_BRANCH) &&
	       returns_from(walk, next + instruction.distance);
}

/* Mark the instructions from which a return can be reached: walk backward, and repeat because of loops. */
static void find_returning(struct code_walk *walk)
{
	bool changes = true;

	while (changes) {
		changes = false;
		for (size_t offset = walk->size; offset--;) {
			struct frame_at *at = &walk->at[offset];

			if (at->is_known && !at->returns && can_return(walk, offset))
				at->returns = changes = true;
		}
	}
}

static void follow(struct code_walk *walk, size_t offset)
{
	const uint8_t *bytes = walk->bytes + offset;
	struct frame_at frame = walk->at[offset];
	struct abi_instruction instruction;
	struct abi_stack_effect effect;
	int64_t next;

	if (!walk->abi->read_instruction(bytes, walk->size - offset, false, &instruction)) {
		walk->has_failed = true;
		return;
	}
	next = (int64_t)offset + instruction.size;
	effect = walk->abi->stack_effect(bytes, instruction.size);
	if (instruction.flow == ABI_FLOW_RETURN)
		walk->has_failed |= frame.depth != WORD;
	else if (instruction.flow == ABI_FLOW_INDIRECT && frame.depth != WORD)
		note_jump(walk, &frame);
	else if (!apply(&frame, &effect))
		walk->has_failed = true;
	if (continues_to_next(walk, &instruction, (size_t)next))
		go_to(walk, next, &frame);
	if (instruction.flow == ABI_FLOW_CALL && instruction.distance)
		note_call(walk, next + instruction.distance);
	if (instruction.flow == ABI_FLOW_JUMP || instruction.flow == ABI_FLOW_BRANCH)
		go_to(walk, next + instruction.distance, &frame);
}

static void follow_all(struct code_walk *walk)
{
	while (walk->ways->len && !walk->has_failed) {
		size_t offset = g_array_index(walk->ways, size_t, walk->ways->len - 1);

		g_array_set_size(walk->ways, walk->ways->len - 1);
		follow(walk, offset);
	}
}

/* Follow code not reached so far, other than padding: if used at all, it is reached through jump tables. */
static void follow_tables(struct code_walk *walk)
{
	struct abi_instruction instruction;
	size_t offset = 0;

	while (offset < walk->size && !walk->has_failed) {
		if (!walk->at[offset].is_known && walk->at_jump.is_known && !walk->jumps_differ) {
			go_to(walk, (int64_t)offset, &walk->at_jump);
			follow_all(walk);
		}
		if (!walk->abi->read_instruction(walk->bytes + offset, walk->size - offset, false, &instruction))
			return;
		offset += instruction.size;
	}
}

static uint16_t rule_at(struct frame_builder *builder, const struct frame_at *frame)
{
	const struct frame_machine *machine = builder->machine;
	struct stp_unwind_rule rule;

	if (!frame->is_known)
		return 0;
	memset(&rule, 0, sizeof(rule));
	rule.frame = STP_FRAME_REGISTER;
	rule.cfa_register = frame->depth == UNKNOWN_DEPTH ? 6 : machine->stack_register;
	rule.cfa = frame->depth == UNKNOWN_DEPTH ? frame->frame : frame->depth;
	for (unsigned int i = 0; i < machine->slot_count; i++) {
		unsigned int number = machine->slots[i];
		int distance = number == machine->return_register ? WORD : frame->saved[number];

		rule.saved[i] = (short)-distance;
		rule.saved_slots |= (unsigned short)(distance ? 1 << i : 0);
	}
	return frames_keep_rule(builder, &rule);
}

static void add_rows(struct frame_builder *builder, const struct code_walk *walk, uint64_t low)
{
	struct frame_function function = {.low = low, .high = low + walk->size, .first = builder->rows->len};
	struct abi_instruction instruction;
	uint16_t last = 0;

	for (size_t offset = 0; offset < walk->size; offset += instruction.size) {
		const struct frame_at *at = &walk->at[offset];
		struct frame_row row = {low + offset, walk->has_no_end && !at->returns ? 0 : rule_at(builder, at)};

		if (!offset || row.rule != last)
			g_array_append_val(builder->rows, row);
		last = row.rule;
		if (!walk->abi->read_instruction(walk->bytes + offset, walk->size - offset, false, &instruction))
			break;
	}
	function.end = builder->rows->len;
	g_array_append_val(builder->functions, function);
}

/* Derive the rules of one function. Its callees are added to @p calls. */
static void describe_function(struct frame_builder *builder, uint64_t low, const uint8_t *bytes, size_t size,
			      bool has_no_end, GArray *calls)
{
	const struct frame_at entry = {.depth = WORD};
	struct code_walk walk = {.abi = abi_by_machine(builder->machine->elf_machine),
				 .bytes = bytes,
				 .size = size,
				 .at = g_new0(struct frame_at, size),
				 .ways = g_array_new(FALSE, FALSE, sizeof(size_t)),
				 .has_no_end = has_no_end,
				 .calls = calls,
				 .low = low};

	go_to(&walk, 0, &entry);
	follow_all(&walk);
	follow_tables(&walk);
	if (!walk.has_failed && has_no_end)
		find_returning(&walk);
	if (!walk.has_failed)
		add_rows(builder, &walk, low);
	g_array_unref(walk.ways);
	g_free(walk.at);
}

static const uint8_t *code_at(Elf *elf, const GArray *segments, uint64_t address, uint64_t size)
{
	size_t whole = 0;
	const uint8_t *file = (const uint8_t *)elf_rawfile(elf, &whole);

	for (guint i = 0; file && i < segments->len; i++) {
		const struct stp_object_segment *segment = &g_array_index(segments, struct stp_object_segment, i);

		if (address >= segment->address && address - segment->address <= segment->size &&
		    size <= segment->size - (address - segment->address) && segment->offset <= whole &&
		    segment->size <= whole - segment->offset)
			return file + segment->offset + (address - segment->address);
	}
	return NULL;
}

static int compare_addresses(gconstpointer a, gconstpointer b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Return the number of the first address, in a sorted array, that is not below @p address, or the array's length. */
static guint first_from(const GArray *addresses, uint64_t address)
{
	guint first = 0, end = addresses->len;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (g_array_index(addresses, uint64_t, middle) < address)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

/*
 * Does call frame information cover part of the range? Only the first @p known functions, which are sorted, have such
 * information.
 */
static bool is_described(const struct frame_builder *builder, guint known, uint64_t low, uint64_t high)
{
	guint first = 0, end = known;

	while (first < end) {
		guint middle = first + (end - first) / 2;

		if (g_array_index(builder->functions, struct frame_function, middle).high <= low)
			first = middle + 1;
		else
			end = middle;
	}
	return first < known && g_array_index(builder->functions, struct frame_function, first).low < high;
}

/* Describe the functions at call targets not seen before, and add them to @p starts. Return true if there were any. */
static bool describe_called(struct frame_builder *builder, Elf *elf, const GArray *segments, GArray *starts,
			    GArray *calls)
{
	g_autoptr(GArray) found = g_array_new(FALSE, FALSE, sizeof(uint64_t));

	g_array_sort(calls, compare_addresses);
	for (guint i = 0; i < calls->len; i++) {
		uint64_t address = g_array_index(calls, uint64_t, i);
		guint next = first_from(starts, address);
		bool is_new = !i || g_array_index(calls, uint64_t, i - 1) != address;

		if (is_new && next < starts->len && g_array_index(starts, uint64_t, next) != address &&
		    code_at(elf, segments, address, 1) &&
		    !is_described(builder, builder->functions->len, address, address + 1))
			g_array_append_val(found, address);
	}
	g_array_set_size(calls, 0);
	g_array_append_vals(starts, found->data, found->len);
	g_array_sort(starts, compare_addresses);
	for (guint i = 0; i < found->len; i++) {
		uint64_t low = g_array_index(found, uint64_t, i);
		uint64_t high = g_array_index(starts, uint64_t, first_from(starts, low + 1));
		const uint8_t *bytes = code_at(elf, segments, low, high - low);

		if (bytes && high - low <= LARGEST_FUNCTION)
			describe_function(builder, low, bytes, high - low, true, calls);
	}
	frames_finish(builder);
	return found->len;
}

void frames_from_code(struct frame_builder *builder, Elf *elf, const GArray *segments, const GArray *symbols,
		      uint64_t base)
{
	g_autoptr(GArray) starts = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GArray) calls = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	guint known = builder->functions->len;
	const struct abi *abi = abi_by_machine(builder->machine->elf_machine);

	if (!abi || !abi->stack_effect)
		return;
	for (guint i = 0; i < symbols->len; i++) {
		const struct stp_object_symbol *symbol = &g_array_index(symbols, struct stp_object_symbol, i);
		uint64_t low = base + symbol->address;
		const uint8_t *bytes = code_at(elf, segments, low, symbol->size);

		if (!bytes)
			continue;
		g_array_append_val(starts, low);
		if (symbol->size <= LARGEST_FUNCTION && !is_described(builder, known, low, low + symbol->size))
			describe_function(builder, low, bytes, symbol->size, false, calls);
	}
	for (guint i = 0; i < segments->len; i++) {
		const struct stp_object_segment *segment = &g_array_index(segments, struct stp_object_segment, i);
		uint64_t end = segment->address + segment->size;

		g_array_append_val(starts, end);
	}
	g_array_sort(starts, compare_addresses);
	frames_finish(builder);
	/* Functions with call frame information are not decoded, so their calls are not found. */
	for (unsigned int round = 0; round < MOST_ROUNDS; round++)
		if (!describe_called(builder, elf, segments, starts, calls))
			return;
}
