// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converting call frame information (DWARF 5, section 6.4; Linux Standard Base, "Exception Frames") to rules.
 *
 * Each function has a small program (an FDE, with a common beginning in its CIE) that describes, instruction by
 * instruction, where the caller's registers are. All programs are run here, and each state becomes a rule. Few rules
 * are distinct, so each is stored once and rows refer to it by number. The usual place of a preserved register is an
 * offset from the canonical frame address (CFA). Rare other places, including expressions, are extras of a rule.
 *
 * The file is not trusted: malformed data ends only its function.
 */
#include "translator/debuginfo/unwind/frames.h"

#include <dwarf.h>
#include <string.h>

#include "common/checksum.h"
#include "common/elf/bytes.h"
#include "common/elf/elf.h"

static const struct frame_machine machines[] = {
	{EM_X86_64, 8, false, 17, 7, 16, {3, 6, 12, 13, 14, 15, 16}, 7},
	{EM_386, 4, true, 17, 4, 8, {3, 5, 6, 7, 8}, 5},
	{EM_AARCH64, 8, false, 32, 31, 30, {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30}, 12},
};

const struct frame_machine *frame_machine_of(Elf *elf)
{
	GElf_Ehdr header;

	for (size_t i = 0; gelf_getehdr(elf, &header) && i < G_N_ELEMENTS(machines); i++)
		if (machines[i].elf_machine == header.e_machine)
			return &machines[i];
	return NULL;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

enum { DEEPEST_STATE = 16, MOST_RULES = 65535 };

/* A register of the caller, or the canonical frame address. */
struct place {
	uint8_t kind; /* enum stp_unwind_kind */
	int64_t value;
	struct span expression;
};

/* The state of a program. */
struct frame_state {
	uint8_t frame; /* enum stp_unwind_frame */
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct span cfa_expression;
	uint64_t told; /* bit i: register i has a place; most registers stay unchanged */
	struct place places[STP_UNWIND_REGISTERS];
};

static bool fits(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

static int32_t intern_expression(struct frame_builder *builder, struct span expression)
{
	g_autoptr(GBytes) key = g_bytes_new(expression.data, expression.size);
	guint known = GPOINTER_TO_UINT(g_hash_table_lookup(builder->expression_offsets, key));
	const uint8_t length[2] = {expression.size & 0xff, expression.size >> 8 & 0xff};

	if (!known) {
		known = builder->expressions->len + 1;
		g_byte_array_append(builder->expressions, length, sizeof(length));
		g_byte_array_append(builder->expressions, expression.data, (guint)expression.size);
		g_hash_table_insert(builder->expression_offsets, g_steal_pointer(&key), GUINT_TO_POINTER(known));
	}
	return (int32_t)known - 1;
}

static int slot_of(const struct frame_machine *machine, unsigned int number)
{
	for (int i = 0; i < machine->slot_count; i++)
		if (machine->slots[i] == number)
			return i;
	return -1;
}

/* A rule with its extras and without its number: the key for finding equal rules. */
struct whole_rule {
	struct stp_unwind_rule rule;
	struct stp_unwind_extra extras[STP_UNWIND_REGISTERS];
};

static size_t whole_rule_size(const struct whole_rule *whole)
{
	return sizeof(whole->rule) + whole->rule.extra_count * sizeof(*whole->extras);
}

static guint whole_rule_hash(gconstpointer key)
{
	const struct whole_rule *whole = key;

	return (guint)checksum(0, whole, whole_rule_size(whole));
}

static gboolean whole_rules_are_equal(gconstpointer a, gconstpointer b)
{
	const struct whole_rule *first = a, *second = b;

	return whole_rule_size(first) == whole_rule_size(second) && !memcmp(first, second, whole_rule_size(first));
}

G_STATIC_ASSERT(sizeof(struct stp_unwind_rule) % sizeof(uint32_t) == 0);
G_STATIC_ASSERT(sizeof(struct stp_unwind_extra) % sizeof(uint32_t) == 0);

/* Add a place as an extra. Return false if it does not fit. */
static bool add_extra(struct frame_builder *builder, unsigned int number, const struct place *place,
		      struct whole_rule *whole)
{
	struct stp_unwind_extra extra = {.number = (unsigned char)number, .kind = place->kind};

	if (place->kind >= STP_REGISTER_AT_EXPRESSION)
		extra.value = intern_expression(builder, place->expression);
	else if (fits(place->value))
		extra.value = (int)place->value;
	else
		return false;
	whole->extras[whole->rule.extra_count++] = extra;
	return true;
}

/* Add a register to a rule. Return false if the rule cannot express its place. */
static bool place_register(struct frame_builder *builder, struct whole_rule *whole, unsigned int number,
			   const struct place *place)
{
	const struct frame_machine *machine = builder->machine;
	struct stp_unwind_rule *rule = &whole->rule;
	int slot;

	if (place->kind == STP_REGISTER_SAME)
		return true;
	if (number == machine->return_register && place->kind == STP_REGISTER_UNDEFINED) {
		rule->flags |= STP_UNWIND_END;
		return true;
	}
	slot = slot_of(machine, number);
	if (slot >= 0 && place->kind == STP_REGISTER_AT && place->value >= INT16_MIN && place->value <= INT16_MAX) {
		rule->saved[slot] = (short)place->value;
		rule->saved_slots |= (unsigned short)(1 << slot);
		return true;
	}
	/* The caller's stack pointer is always the CFA. */
	if (number == machine->stack_register && place->kind == STP_REGISTER_IS && !place->value)
		return true;
	return add_extra(builder, number, place, whole);
}

static uint16_t add_rule(struct frame_builder *builder, const struct whole_rule *whole)
{
	guint number = builder->rules->len;
	struct stp_unwind_rule rule = whole->rule;

	rule.extra = builder->extras->len;
	g_array_append_vals(builder->extras, whole->extras, whole->rule.extra_count);
	g_array_append_val(builder->rules, rule);
	g_hash_table_insert(builder->rule_numbers, g_memdup2(whole, whole_rule_size(whole)), GUINT_TO_POINTER(number));
	return (uint16_t)number;
}

/* Return the number of a rule, which is added if new; 0 if there are too many rules. */
static uint16_t keep_rule(struct frame_builder *builder, const struct whole_rule *whole)
{
	gpointer known;

	if (g_hash_table_lookup_extended(builder->rule_numbers, whole, NULL, &known))
		return (uint16_t)GPOINTER_TO_UINT(known);
	return builder->rules->len < MOST_RULES ? add_rule(builder, whole) : 0;
}

uint16_t frames_keep_rule(struct frame_builder *builder, const struct stp_unwind_rule *rule)
{
	const struct whole_rule whole = {.rule = *rule};

	return keep_rule(builder, &whole);
}

/* Return the number of the rule for a state; 0 (nothing known) if a rule cannot express it. */
static uint16_t intern_rule(struct frame_builder *builder, const struct frame_state *state, bool is_signal)
{
	struct whole_rule whole;
	struct stp_unwind_rule *rule = &whole.rule;

	memset(rule, 0, sizeof(*rule));
	rule->frame = state->frame;
	rule->flags = is_signal ? STP_UNWIND_SIGNAL : 0;
	if (state->frame == STP_FRAME_EXPRESSION) {
		rule->cfa = intern_expression(builder, state->cfa_expression);
	} else {
		if (state->frame == STP_FRAME_UNKNOWN || state->cfa_register >= builder->machine->register_count ||
		    !fits(state->cfa_offset))
			return 0;
		rule->cfa_register = (unsigned char)state->cfa_register;
		rule->cfa = (int)state->cfa_offset;
	}
	for (uint64_t told = state->told; told; told &= told - 1) {
		unsigned int number = (unsigned int)__builtin_ctzll(told);

		if (!place_register(builder, &whole, number, &state->places[number]))
			return 0;
	}
	return keep_rule(builder, &whole);
}

/* ---- the section ------------------------------------------------------------------------------------------------- */

struct frame_section {
	struct span bytes;
	uint64_t address;
	bool is_debug_frame;
};

/* A common information entry (CIE). */
struct common {
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	uint8_t pointer_encoding;
	unsigned int address_size;
	bool has_augmentation, is_signal, is_good;
	struct span program;
	struct frame_state start; /* after the program */
};

/* An entry: a CIE or an FDE. */
struct entry {
	const uint8_t *begin, *identifier_at, *end;
	unsigned int offset_size;
	uint64_t identifier;
};

/* Read the entry at @p at. Return false at the end or if it is malformed. */
static bool next_entry(const struct frame_section *section, const uint8_t *at, struct entry *entry)
{
	struct reader reader = {at, section->bytes.data + section->bytes.size, false};
	uint64_t length = read_unsigned(&reader, 4);

	entry->begin = at;
	entry->offset_size = 4;
	if (length == UINT32_MAX) {
		entry->offset_size = 8;
		length = read_unsigned(&reader, 8);
	}
	if (reader.bad || !length || length > (uint64_t)(reader.end - reader.position))
		return false;
	entry->end = reader.position + length;
	entry->identifier_at = reader.position;
	/* In .eh_frame the identifier always has four bytes. */
	if (!section->is_debug_frame)
		entry->offset_size = 4;
	entry->identifier = read_unsigned(&reader, entry->offset_size);
	return !reader.bad && reader.position <= entry->end;
}

static bool is_common(const struct frame_section *section, const struct entry *entry)
{
	if (!section->is_debug_frame)
		return !entry->identifier;
	return entry->identifier == (entry->offset_size == 8 ? UINT64_MAX : UINT32_MAX);
}

static uint64_t address_at(const struct frame_section *section, const uint8_t *at)
{
	return section->address + (uint64_t)(at - section->bytes.data);
}

static uint64_t read_value(struct reader *reader, unsigned int format, unsigned int address_size)
{
	switch (format) {
	case DW_EH_PE_absptr:
		return read_unsigned(reader, address_size);
	case DW_EH_PE_uleb128:
		return read_uleb(reader);
	case DW_EH_PE_sleb128:
		return (uint64_t)read_sleb(reader);
	case DW_EH_PE_udata2:
		return read_unsigned(reader, 2);
	case DW_EH_PE_udata4:
		return read_unsigned(reader, 4);
	case DW_EH_PE_sdata2:
		return (uint64_t)(int16_t)read_unsigned(reader, 2);
	case DW_EH_PE_sdata4:
		return (uint64_t)(int32_t)read_unsigned(reader, 4);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return read_unsigned(reader, 8);
	default:
		reader->bad = true;
		return 0;
	}
}

static uint64_t read_pointer(const struct frame_section *section, struct reader *reader, uint8_t encoding,
			     unsigned int address_size)
{
	const uint8_t *at = reader->position;
	uint64_t value;

	if (encoding == DW_EH_PE_omit)
		return 0;
	value = read_value(reader, encoding & 0x0f, address_size);
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		value += address_at(section, at);
	else if (encoding & 0x70)
		reader->bad = true; /* other bases do not occur in pointers to code */
	return address_size == 4 ? (uint32_t)value : value;
}

static void read_augmentation(const struct frame_section *section, struct reader *reader, const char *letters,
			      struct common *common)
{
	uint64_t length = read_uleb(reader);
	struct reader data = {reader->position, reader->position, false};

	if (reader->bad || length > (uint64_t)(reader->end - reader->position)) {
		reader->bad = true;
		return;
	}
	data.end = data.position + length;
	reader->position = data.end;
	for (; *letters; letters++) {
		if (*letters == 'R') {
			common->pointer_encoding = (uint8_t)read_unsigned(&data, 1);
		} else if (*letters == 'P') {
			uint8_t encoding = (uint8_t)read_unsigned(&data, 1);

			read_value(&data, encoding & 0x0f, common->address_size);
		} else if (*letters == 'L') {
			read_skip(&data, 1);
		} else if (*letters == 'S') {
			common->is_signal = true;
		}
	}
	reader->bad |= data.bad;
}

static void run_program(struct frame_builder *builder, const struct common *common, struct span program,
			struct frame_state *state, uint64_t address, uint64_t end, bool makes_rows);

static struct common read_common(struct frame_builder *builder, const struct frame_section *section,
				 const struct entry *entry)
{
	struct common common = {.address_size = builder->machine->address_size};
	struct reader reader = {entry->identifier_at + entry->offset_size, entry->end, false};
	unsigned int version = (unsigned int)read_unsigned(&reader, 1);
	const char *letters = read_string(&reader);

	if (section->is_debug_frame && version >= 4) {
		common.address_size = (unsigned int)read_unsigned(&reader, 1);
		read_skip(&reader, 1); /* segment_selector_size */
	}
	common.code_factor = read_uleb(&reader);
	common.data_factor = read_sleb(&reader);
	common.return_register = version == 1 ? read_unsigned(&reader, 1) : read_uleb(&reader);
	common.has_augmentation = *letters == 'z';
	if (common.has_augmentation)
		read_augmentation(section, &reader, letters + 1, &common);
	/* The data of an unknown augmentation cannot be skipped. */
	common.is_good = !reader.bad && (common.has_augmentation || !*letters) &&
			 common.return_register == builder->machine->return_register &&
			 common.address_size == builder->machine->address_size;
	common.program = (struct span){reader.position, (size_t)(reader.end - reader.position)};
	for (unsigned int i = 0; i < STP_UNWIND_REGISTERS; i++)
		common.start.places[i].kind = STP_REGISTER_SAME;
	if (common.is_good)
		run_program(builder, &common, common.program, &common.start, 0, 0, false);
	return common;
}

/* ---- running the programs ---------------------------------------------------------------------------------------- */

struct machine_run {
	struct frame_builder *builder;
	const struct common *common;
	struct reader reader;
	struct frame_state *state;
	struct frame_state *remembered; /* DEEPEST_STATE of them */
	unsigned int depth;
	uint64_t address, end;
	bool makes_rows;
};

static void put_row(struct machine_run *run)
{
	struct frame_row row = {run->address, 0};

	if (!run->makes_rows || run->address >= run->end)
		return;
	row.rule = intern_rule(run->builder, run->state, run->common->is_signal);
	g_array_append_val(run->builder->rows, row);
}

static void advance(struct machine_run *run, uint64_t distance)
{
	if (!distance)
		return;
	put_row(run);
	run->address += distance * run->common->code_factor;
}

static struct span read_block(struct machine_run *run)
{
	uint64_t size = read_uleb(&run->reader);
	struct span block = {run->reader.position, size};

	if (size > UINT16_MAX)
		run->reader.bad = true;
	read_skip(&run->reader, size);
	return run->reader.bad ? (struct span){(const uint8_t *)"", 0} : block;
}

/* Set the place of a register; others than those in rules are ignored. */
static void put_place(struct machine_run *run, uint64_t number, struct place place)
{
	if (number >= run->builder->machine->register_count)
		return;
	run->state->places[number] = place;
	run->state->told |= (uint64_t)1 << number;
}

static void set_place(struct machine_run *run, uint64_t number, uint8_t kind, int64_t value)
{
	put_place(run, number, (struct place){kind, value, {NULL, 0}});
}

static void set_expression(struct machine_run *run, uint8_t kind)
{
	uint64_t number = read_uleb(&run->reader);
	struct span block = read_block(run);

	put_place(run, number, (struct place){kind, 0, block});
}

static void restore(struct machine_run *run, uint64_t number)
{
	if (number < run->builder->machine->register_count)
		put_place(run, number, run->common->start.places[number]);
}

static void define_cfa(struct machine_run *run, uint64_t number, int64_t offset)
{
	run->state->frame = STP_FRAME_REGISTER;
	run->state->cfa_register = number;
	run->state->cfa_offset = offset;
}

static void restore_state(struct machine_run *run)
{
	if (run->depth)
		*run->state = run->remembered[--run->depth];
	else
		run->reader.bad = true;
}

static void remember_state(struct machine_run *run)
{
	if (run->depth < DEEPEST_STATE)
		run->remembered[run->depth++] = *run->state;
	else
		run->reader.bad = true;
}

static int64_t read_factored(struct machine_run *run)
{
	return (int64_t)read_uleb(&run->reader) * run->common->data_factor;
}

static int64_t read_factored_signed(struct machine_run *run)
{
	return read_sleb(&run->reader) * run->common->data_factor;
}

static void run_cfa_instruction(struct machine_run *run, unsigned int operation)
{
	struct reader *reader = &run->reader;
	uint64_t number;

	switch (operation) {
	case DW_CFA_def_cfa:
		number = read_uleb(reader);
		define_cfa(run, number, (int64_t)read_uleb(reader));
		break;
	case DW_CFA_def_cfa_sf:
		number = read_uleb(reader);
		define_cfa(run, number, read_factored_signed(run));
		break;
	case DW_CFA_def_cfa_register:
		define_cfa(run, read_uleb(reader), run->state->cfa_offset);
		break;
	case DW_CFA_def_cfa_offset:
		define_cfa(run, run->state->cfa_register, (int64_t)read_uleb(reader));
		break;
	case DW_CFA_def_cfa_offset_sf:
		define_cfa(run, run->state->cfa_register, read_factored_signed(run));
		break;
	case DW_CFA_def_cfa_expression:
		run->state->frame = STP_FRAME_EXPRESSION;
		run->state->cfa_expression = read_block(run);
		break;
	default:
		reader->bad = true; /* the length of its operands is not known */
	}
}

static void run_register_instruction(struct machine_run *run, unsigned int operation)
{
	struct reader *reader = &run->reader;
	uint64_t number;

	switch (operation) {
	case DW_CFA_offset_extended:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_AT, read_factored(run));
		break;
	case DW_CFA_offset_extended_sf:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_AT, read_factored_signed(run));
		break;
	case DW_CFA_GNU_negative_offset_extended:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_AT, -read_factored(run));
		break;
	case DW_CFA_val_offset:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_IS, read_factored(run));
		break;
	case DW_CFA_val_offset_sf:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_IS, read_factored_signed(run));
		break;
	case DW_CFA_restore_extended:
		restore(run, read_uleb(reader));
		break;
	case DW_CFA_undefined:
		set_place(run, read_uleb(reader), STP_REGISTER_UNDEFINED, 0);
		break;
	case DW_CFA_same_value:
		set_place(run, read_uleb(reader), STP_REGISTER_SAME, 0);
		break;
	case DW_CFA_register:
		number = read_uleb(reader);
		set_place(run, number, STP_REGISTER_COPY, (int64_t)read_uleb(reader));
		break;
	case DW_CFA_expression:
		set_expression(run, STP_REGISTER_AT_EXPRESSION);
		break;
	case DW_CFA_val_expression:
		set_expression(run, STP_REGISTER_IS_EXPRESSION);
		break;
	default:
		run_cfa_instruction(run, operation);
	}
}

static void run_extended(struct machine_run *run, unsigned int operation)
{
	struct reader *reader = &run->reader;

	switch (operation) {
	case DW_CFA_nop:
		break;
	case DW_CFA_set_loc: /* unused by compilers for these machines */
		reader->bad = true;
		break;
	case DW_CFA_advance_loc1:
		advance(run, read_unsigned(reader, 1));
		break;
	case DW_CFA_advance_loc2:
		advance(run, read_unsigned(reader, 2));
		break;
	case DW_CFA_advance_loc4:
		advance(run, read_unsigned(reader, 4));
		break;
	case DW_CFA_remember_state:
		remember_state(run);
		break;
	case DW_CFA_restore_state:
		restore_state(run);
		break;
	case DW_CFA_GNU_args_size:
		read_uleb(reader);
		break;
	case DW_CFA_AARCH64_negate_ra_state:
		/*
		 * The number shows whether the return address is signed. Ignore it, because the walk removes any
		 * signature. Other machines do not use this number.
		 */
		break;
	default:
		run_register_instruction(run, operation);
	}
}

static void run_program(struct frame_builder *builder, const struct common *common, struct span program,
			struct frame_state *state, uint64_t address, uint64_t end, bool makes_rows)
{
	struct frame_state remembered[DEEPEST_STATE]; /* uninitialized, because most programs need none */
	struct machine_run run = {.builder = builder,
				  .common = common,
				  .reader = {program.data, program.data + program.size, false},
				  .state = state,
				  .remembered = remembered,
				  .address = address,
				  .end = end,
				  .makes_rows = makes_rows};

	while (run.reader.position < run.reader.end && !run.reader.bad && (!makes_rows || run.address < end)) {
		unsigned int byte = (unsigned int)read_unsigned(&run.reader, 1), low = byte & 0x3f;

		if ((byte & 0xc0) == DW_CFA_advance_loc)
			advance(&run, low);
		else if ((byte & 0xc0) == DW_CFA_offset)
			set_place(&run, low, STP_REGISTER_AT, read_factored(&run));
		else if ((byte & 0xc0) == DW_CFA_restore)
			restore(&run, low);
		else
			run_extended(&run, byte);
	}
	if (run.reader.bad)
		state->frame = STP_FRAME_UNKNOWN; /* the rest of the function is not known */
	put_row(&run);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void read_function(struct frame_builder *builder, const struct frame_section *section, const struct entry *entry,
			  const struct common *common)
{
	struct frame_function function = {.is_second_choice = section->is_debug_frame};
	struct reader reader = {entry->identifier_at + entry->offset_size, entry->end, false};
	uint8_t encoding = section->is_debug_frame ? DW_EH_PE_absptr : common->pointer_encoding;
	struct frame_state state = common->start;
	struct span program;

	function.low = read_pointer(section, &reader, encoding, common->address_size);
	function.high = function.low + read_value(&reader, encoding & 0x0f, common->address_size);
	if (common->has_augmentation)
		read_skip(&reader, read_uleb(&reader));
	/* The entries of functions that the linker dropped have address 0. */
	if (reader.bad || function.low >= function.high || !function.low)
		return;
	function.first = builder->rows->len;
	program = (struct span){reader.position, (size_t)(reader.end - reader.position)};
	run_program(builder, common, program, &state, function.low, function.high, true);
	function.end = builder->rows->len;
	if (function.end > function.first)
		g_array_append_val(builder->functions, function);
}

/* Return the CIE of an FDE; NULL if it is malformed. */
static const struct common *common_of(struct frame_builder *builder, const struct frame_section *section,
				      const struct entry *entry, GHashTable *commons)
{
	uint64_t at = (uint64_t)(entry->identifier_at - section->bytes.data);
	uint64_t offset = section->is_debug_frame ? entry->identifier : at - entry->identifier;
	struct common *common = g_hash_table_lookup(commons, GSIZE_TO_POINTER(offset + 1));
	struct entry found;

	if (common)
		return common;
	if (offset >= section->bytes.size || !next_entry(section, section->bytes.data + offset, &found) ||
	    !is_common(section, &found))
		return NULL;
	common = g_new(struct common, 1);
	*common = read_common(builder, section, &found);
	g_hash_table_insert(commons, GSIZE_TO_POINTER(offset + 1), common);
	return common;
}

static void read_section(struct frame_builder *builder, const struct frame_section *section)
{
	g_autoptr(GHashTable) commons = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	const uint8_t *at = section->bytes.data;
	struct entry entry;

	for (; next_entry(section, at, &entry); at = entry.end) {
		const struct common *common =
			is_common(section, &entry) ? NULL : common_of(builder, section, &entry, commons);

		if (common && common->is_good)
			read_function(builder, section, &entry, common);
	}
}

void frames_read(struct frame_builder *builder, Elf *elf, bool is_debug_frame)
{
	const char *name = is_debug_frame ? ".debug_frame" : ".eh_frame";
	struct frame_section section = {.is_debug_frame = is_debug_frame};
	GElf_Shdr header = {0};
	Elf_Scn *found = elf_section_by_name(elf, name, &header);

	if (found && header.sh_flags & SHF_COMPRESSED)
		elf_compress(found, 0, 0);
	section.bytes = elf_section_span(elf, name);
	section.address = header.sh_addr;
	if (section.bytes.size)
		read_section(builder, &section);
}

static int compare_functions(gconstpointer a, gconstpointer b)
{
	const struct frame_function *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->is_second_choice - y->is_second_choice;
}

void frames_finish(struct frame_builder *builder)
{
	GArray *functions = builder->functions;
	uint64_t covered = 0;
	guint kept = 0;

	g_array_sort(functions, compare_functions);
	for (guint i = 0; i < functions->len; i++) {
		const struct frame_function function = g_array_index(functions, struct frame_function, i);

		if (function.low < covered)
			continue;
		covered = function.high;
		g_array_index(functions, struct frame_function, kept++) = function;
	}
	g_array_set_size(functions, kept);
}

void frames_init(struct frame_builder *builder, const struct frame_machine *machine)
{
	static const struct stp_unwind_rule nothing_known;

	*builder = (struct frame_builder){
		.machine = machine,
		.rows = g_array_new(FALSE, FALSE, sizeof(struct frame_row)),
		.functions = g_array_new(FALSE, FALSE, sizeof(struct frame_function)),
		.rules = g_array_new(FALSE, FALSE, sizeof(struct stp_unwind_rule)),
		.extras = g_array_new(FALSE, FALSE, sizeof(struct stp_unwind_extra)),
		.expressions = g_byte_array_new(),
		.rule_numbers = g_hash_table_new_full(whole_rule_hash, whole_rules_are_equal, g_free, NULL),
		.expression_offsets =
			g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL),
	};
	g_array_append_val(builder->rules, nothing_known);
}

void frames_clear(struct frame_builder *builder)
{
	g_array_unref(builder->rows);
	g_array_unref(builder->functions);
	g_array_unref(builder->rules);
	g_array_unref(builder->extras);
	g_byte_array_unref(builder->expressions);
	g_hash_table_unref(builder->rule_numbers);
	g_hash_table_unref(builder->expression_offsets);
}
