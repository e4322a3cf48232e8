/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwind rules and symbols of a program or library.
 *
 * A table is made from an ELF file by the translator (translator/debuginfo/unwind/table.c), or by stap-tables while a
 * script runs. The runtime (user/stacks/walk.c, user/stacks/symbols.c) and unit tests read it. This header needs
 * nothing of the kernel or of libc.
 *
 * Addresses are link-time addresses relative to `base`. Call frame information (.eh_frame, .debug_frame) contains a
 * program for each function; the table holds the results. A row says that from its address on, a rule holds. A C
 * library has tens of thousands of rows, but only some hundred different rules. A row stores the low 16 bits of its
 * address. Rows are grouped by pages of 64 KB, and each page begins with the row that is in force at its start. Thus a
 * row takes four bytes, and a binary search sees few of them.
 *
 * A table may come from an unprivileged process. stp_object_is_sound() checks all its offsets and indexes once, and the
 * lookup functions rely on that. It also limits whatever a handler goes through from one end to the other: segments,
 * names, extras and expressions.
 */
#ifndef SPILE_RUNTIME_OBJECT_TABLE_H
#define SPILE_RUNTIME_OBJECT_TABLE_H

#include "runtime/abi/line_table.h"

#define STP_OBJECT_MAGIC 0x624f7053u
/* An object's table contains a table of lines, so this version includes that of line tables. */
#define STP_OBJECT_VERSION (6u << 8 | STP_LINES_VERSION)

enum {
	STP_OBJECT_PAGE_SHIFT = 16,
	STP_OBJECT_ID_SIZE = 32, /* longest build-id */
	/*
	 * Registers have their DWARF numbers: on x86-64 the return address is 16, on i386 8. On arm64 it is 30, the
	 * link register; 32, the program counter, is where a frame continues (runtime/arch/arm64/user_stack.h).
	 */
	STP_UNWIND_REGISTERS = 33,
	STP_UNWIND_SLOTS = 12,
	STP_EXPRESSION_DEPTH = 16,
	STP_EXPRESSION_STEPS = 64,
	STP_OBJECT_SEGMENTS = 16, /* most executable segments */
	STP_OBJECT_NAME_SIZE = 1 << 14, /* longest name, with its NUL */
};

enum stp_object_flags { STP_OBJECT_IS_32BIT = 1 };

/* Offsets are relative to the start of the table. */
struct stp_object_table {
	unsigned int magic, version;
	unsigned int size, flags;
	unsigned char build_id[STP_OBJECT_ID_SIZE];
	unsigned int build_id_size; /* 0: the object has none */
	unsigned int extent; /* of the object in memory, from `base` */
	unsigned long long id_offset, id_address; /* of the build-id: file offset, and link-time address */
	unsigned long long file_size;
	unsigned long long base;
	unsigned char stack_register, return_register;
	unsigned char slots[STP_UNWIND_SLOTS]; /* the registers that stp_unwind_rule.saved refers to */
	unsigned char slot_count;
	unsigned char padding[1];
	unsigned int segments, segment_count; /* struct stp_object_segment */
	unsigned int pages, page_count; /* unsigned int: each page's first row, then the number of rows */
	unsigned int rows, row_count; /* struct stp_unwind_row */
	unsigned int rules, rule_count; /* struct stp_unwind_rule; rule 0: nothing is known */
	unsigned int extras, extra_count; /* struct stp_unwind_extra */
	unsigned int expressions, expressions_size; /* each: two bytes of length, then DWARF operations */
	unsigned int symbols, symbol_count; /* struct stp_object_symbol, sorted by address */
	unsigned int names, names_size; /* each ends with a NUL */
	unsigned int lines, lines_size; /* line_table.h; 0: no lines */
};

/* An executable segment: where its bytes are in the file and in memory. */
struct stp_object_segment {
	unsigned long long offset, address; /* link-time address, not relative to `base` */
	unsigned long long size; /* in the file */
};

struct stp_unwind_row {
	unsigned short low, rule;
};

enum stp_unwind_frame { STP_FRAME_UNKNOWN, STP_FRAME_REGISTER, STP_FRAME_EXPRESSION };
enum stp_unwind_flags {
	STP_UNWIND_SIGNAL = 1, /* a signal frame: its address is not that after a call */
	STP_UNWIND_END = 2, /* the outermost frame */
};

/*
 * How to find the caller's registers. The canonical frame address (CFA) is the value of the stack pointer before the
 * call; most registers are saved at a fixed offset from it.
 */
struct stp_unwind_rule {
	unsigned char frame; /* enum stp_unwind_frame */
	unsigned char cfa_register;
	unsigned char flags;
	unsigned char extra_count; /* number of registers that are found in other ways */
	int cfa; /* offset from the register, or offset of the expression */
	unsigned int extra; /* index of the first of them */
	short saved[STP_UNWIND_SLOTS]; /* for each saved slot: offset from the CFA */
	unsigned short saved_slots; /* bit i: slot i is saved; the other registers are unchanged */
};

enum stp_unwind_kind {
	STP_REGISTER_UNDEFINED,
	STP_REGISTER_SAME,
	STP_REGISTER_AT, /* in memory at CFA + value */
	STP_REGISTER_IS, /* CFA + value */
	STP_REGISTER_COPY, /* the value of register `value` */
	STP_REGISTER_AT_EXPRESSION,
	STP_REGISTER_IS_EXPRESSION,
};

struct stp_unwind_extra {
	unsigned char number, kind;
	unsigned short padding;
	int value;
};

struct stp_object_symbol {
	unsigned int address, size, name; /* size is never 0; name: offset in names */
};

/* ---- checking a table -------------------------------------------------------------------------------------------- */

static inline int stp_object_has(const struct stp_object_table *table, unsigned int offset, unsigned int count,
				 unsigned int size, unsigned int alignment)
{
	return offset % alignment == 0 && offset >= sizeof(*table) && offset <= table->size &&
	       (unsigned long long)count * size <= table->size - offset;
}

static inline int stp_expression_is_sound(const struct stp_object_table *table, unsigned int offset)
{
	const unsigned char *at = (const unsigned char *)table + table->expressions + offset;

	return table->expressions_size >= 2 && offset <= table->expressions_size - 2 &&
	       (unsigned int)(at[0] | at[1] << 8) <= table->expressions_size - 2 - offset;
}

static inline int stp_rules_are_sound(const struct stp_object_table *table)
{
	const struct stp_unwind_rule *rules = (const struct stp_unwind_rule *)((const char *)table + table->rules);
	const struct stp_unwind_extra *extras = (const struct stp_unwind_extra *)((const char *)table + table->extras);
	unsigned int i;

	for (i = 0; i < table->rule_count; i++) {
		const struct stp_unwind_rule *rule = &rules[i];

		if (rule->frame > STP_FRAME_EXPRESSION || rule->cfa_register >= STP_UNWIND_REGISTERS)
			return 0;
		if (rule->frame == STP_FRAME_EXPRESSION && !stp_expression_is_sound(table, (unsigned int)rule->cfa))
			return 0;
		if (rule->saved_slots >> table->slot_count)
			return 0;
		if (rule->extra > table->extra_count || rule->extra_count > table->extra_count - rule->extra ||
		    rule->extra_count > STP_UNWIND_REGISTERS)
			return 0;
	}
	for (i = 0; i < table->extra_count; i++) {
		const struct stp_unwind_extra *extra = &extras[i];

		if (extra->number >= STP_UNWIND_REGISTERS || extra->kind > STP_REGISTER_IS_EXPRESSION)
			return 0;
		if (extra->kind == STP_REGISTER_COPY && (unsigned int)extra->value >= STP_UNWIND_REGISTERS)
			return 0;
		if (extra->kind >= STP_REGISTER_AT_EXPRESSION &&
		    !stp_expression_is_sound(table, (unsigned int)extra->value))
			return 0;
	}
	return table->rule_count > 0 && rules[0].frame == STP_FRAME_UNKNOWN;
}

static inline int stp_rows_are_sound(const struct stp_object_table *table)
{
	const unsigned int *pages = (const unsigned int *)((const char *)table + table->pages);
	const struct stp_unwind_row *rows = (const struct stp_unwind_row *)((const char *)table + table->rows);
	unsigned int i;

	for (i = 0; i < table->page_count; i++)
		if (pages[i] > pages[i + 1])
			return 0;
	for (i = 0; i < table->row_count; i++)
		if (rows[i].rule >= table->rule_count)
			return 0;
	return pages[table->page_count] == table->row_count;
}

static inline int stp_symbols_are_sound(const struct stp_object_table *table)
{
	const struct stp_object_symbol *symbols =
		(const struct stp_object_symbol *)((const char *)table + table->symbols);
	unsigned int i;

	for (i = 0; i < table->symbol_count; i++)
		if (symbols[i].name >= table->names_size)
			return 0;
	return stp_names_are_sound((const char *)table + table->names, table->names_size, STP_OBJECT_NAME_SIZE);
}

/** Return whether the functions below, and those of line_table.h for its lines, may use these bytes. */
static inline int stp_object_is_sound(const void *bytes, unsigned long size)
{
	const struct stp_object_table *table = (const struct stp_object_table *)bytes;
	unsigned int i;

	if (size < sizeof(*table) || table->magic != STP_OBJECT_MAGIC || table->version != STP_OBJECT_VERSION ||
	    table->size != size || table->build_id_size > STP_OBJECT_ID_SIZE)
		return 0;
	if (table->stack_register >= STP_UNWIND_REGISTERS || table->return_register >= STP_UNWIND_REGISTERS ||
	    table->slot_count > STP_UNWIND_SLOTS || table->page_count > 1u << 16 ||
	    table->segment_count > STP_OBJECT_SEGMENTS)
		return 0;
	for (i = 0; i < table->slot_count; i++)
		if (table->slots[i] >= STP_UNWIND_REGISTERS)
			return 0;
	return stp_object_has(table, table->segments, table->segment_count, sizeof(struct stp_object_segment), 8) &&
	       stp_object_has(table, table->pages, table->page_count + 1, sizeof(unsigned int), 4) &&
	       stp_object_has(table, table->rows, table->row_count, sizeof(struct stp_unwind_row), 4) &&
	       stp_object_has(table, table->rules, table->rule_count, sizeof(struct stp_unwind_rule), 4) &&
	       stp_object_has(table, table->extras, table->extra_count, sizeof(struct stp_unwind_extra), 4) &&
	       stp_object_has(table, table->expressions, table->expressions_size, 1, 1) &&
	       stp_object_has(table, table->symbols, table->symbol_count, sizeof(struct stp_object_symbol), 4) &&
	       stp_object_has(table, table->names, table->names_size, 1, 1) && stp_rules_are_sound(table) &&
	       stp_rows_are_sound(table) && stp_symbols_are_sound(table) &&
	       (!table->lines_size || (stp_object_has(table, table->lines, table->lines_size, 1, 8) &&
				       stp_lines_are_sound((const char *)table + table->lines, table->lines_size)));
}

/* ---- lookup ------------------------------------------------------------------------------------------------------ */

/** Find the rule for an address relative to `base`. Return rule 0 if there is none. */
static inline const struct stp_unwind_rule *stp_find_rule(const struct stp_object_table *table, unsigned int address)
{
	const unsigned int *pages = (const unsigned int *)((const char *)table + table->pages);
	const struct stp_unwind_row *rows = (const struct stp_unwind_row *)((const char *)table + table->rows);
	const struct stp_unwind_rule *rules = (const struct stp_unwind_rule *)((const char *)table + table->rules);
	unsigned int page = address >> STP_OBJECT_PAGE_SHIFT, low, high, first;

	if (page >= table->page_count)
		return rules;
	first = low = pages[page];
	high = pages[page + 1];
	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (rows[middle].low <= (unsigned short)address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? &rules[rows[low - 1].rule] : rules;
}

/** Find the symbol that covers an address relative to `base`. Return a null pointer if there is none. */
static inline const struct stp_object_symbol *stp_find_symbol(const struct stp_object_table *table,
							      unsigned int address)
{
	const struct stp_object_symbol *symbols =
		(const struct stp_object_symbol *)((const char *)table + table->symbols);
	unsigned int low = 0, high = table->symbol_count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;

		if (symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - symbols[low - 1].address >= symbols[low - 1].size)
		return (const struct stp_object_symbol *)0;
	return &symbols[low - 1];
}

/* ---- unwinding one frame ----------------------------------------------------------------------------------------- */

/* The registers of a frame, by DWARF number. The return register holds the address where the frame continues. */
struct stp_unwind_state {
	unsigned long registers[STP_UNWIND_REGISTERS];
	unsigned char is_32bit;
};

/** Read 1, 2, 4 or 8 bytes of the process into *value. Return 0 if they cannot be read. */
typedef int stp_unwind_load(void *data, unsigned long address, unsigned int size, unsigned long *value);

struct stp_expression {
	const unsigned char *at, *begin, *end;
	unsigned long stack[STP_EXPRESSION_DEPTH];
	unsigned int depth, steps;
};

static inline unsigned long stp_expression_number(struct stp_expression *e, unsigned int size, int is_signed)
{
	unsigned long value = 0;
	unsigned int i;

	for (i = 0; i < size && e->at < e->end; i++)
		value |= (unsigned long)*e->at++ << 8 * i;
	if (is_signed && size < 8 && value >> (8 * size - 1))
		value |= ~0ul << 8 * size;
	return value;
}

static inline unsigned long stp_expression_leb(struct stp_expression *e, int is_signed)
{
	unsigned long value = 0;
	unsigned int shift = 0;
	unsigned char byte = 0;

	while (e->at < e->end && shift < 64) {
		byte = *e->at++;
		value |= (unsigned long)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	if (is_signed && byte & 0x40 && shift < 64)
		value |= ~0ul << shift;
	return value;
}

static inline int stp_expression_push(struct stp_expression *e, unsigned long value)
{
	if (e->depth >= STP_EXPRESSION_DEPTH)
		return 0;
	e->stack[e->depth++] = value;
	return 1;
}

/* Execute a binary operator, 0x1a to 0x2e (DWARF 5, section 2.5.1). */
static inline int stp_expression_binary(struct stp_expression *e, unsigned int operation)
{
	unsigned long right, left;

	if (e->depth < 2)
		return 0;
	right = e->stack[--e->depth];
	left = e->stack[e->depth - 1];
	switch (operation) {
	case 0x1a:
		left &= right;
		break;
	case 0x1c:
		left -= right;
		break;
	case 0x1e:
		left *= right;
		break;
	case 0x21:
		left |= right;
		break;
	case 0x22:
		left += right;
		break;
	case 0x24:
		left = right < 64 ? left << right : 0;
		break;
	case 0x25:
		left = right < 64 ? left >> right : 0;
		break;
	case 0x26:
		left = (unsigned long)((long)left >> (right < 63 ? right : 63));
		break;
	case 0x27:
		left ^= right;
		break;
	case 0x29:
		left = left == right;
		break;
	case 0x2a:
		left = (long)left >= (long)right;
		break;
	case 0x2b:
		left = (long)left > (long)right;
		break;
	case 0x2c:
		left = (long)left <= (long)right;
		break;
	case 0x2d:
		left = (long)left < (long)right;
		break;
	case 0x2e:
		left = left != right;
		break;
	default:
		return 0;
	}
	e->stack[e->depth - 1] = left;
	return 1;
}

/* Execute a stack operation or a branch. */
static inline int stp_expression_order(struct stp_expression *e, unsigned int operation)
{
	unsigned long top = e->depth ? e->stack[e->depth - 1] : 0;
	unsigned int index = 0;
	long distance;

	switch (operation) {
	case 0x12: /* dup */
		return e->depth && stp_expression_push(e, top);
	case 0x13: /* drop */
		return e->depth && e->depth--;
	case 0x14: /* over */
		index = 1;
		break;
	case 0x15: /* pick */
		index = (unsigned int)stp_expression_number(e, 1, 0);
		break;
	case 0x16: /* swap */
		if (e->depth < 2)
			return 0;
		e->stack[e->depth - 1] = e->stack[e->depth - 2];
		e->stack[e->depth - 2] = top;
		return 1;
	case 0x2f: /* skip */
	case 0x28: /* bra */
		distance = (long)stp_expression_number(e, 2, 1);
		if (operation == 0x28 && !e->depth)
			return 0;
		if (operation == 0x28 && !e->stack[--e->depth])
			return 1;
		if (distance < e->begin - e->at || distance > e->end - e->at)
			return 0;
		e->at += distance;
		return 1;
	default:
		return 0;
	}
	return index < e->depth && stp_expression_push(e, e->stack[e->depth - 1 - index]);
}

static inline int stp_expression_load(struct stp_expression *e, unsigned int size, stp_unwind_load *load, void *data)
{
	unsigned long *top = e->stack + (e->depth ? e->depth - 1 : 0);

	return e->depth && (size == 1 || size == 2 || size == 4 || size == 8) && load(data, *top, size, top);
}

static inline int stp_expression_step(struct stp_expression *e, const struct stp_unwind_state *state,
				      stp_unwind_load *load, void *data)
{
	unsigned int operation = *e->at++;
	unsigned int word = state->is_32bit ? 4 : 8, number;

	if (operation >= 0x30 && operation <= 0x4f) /* literals */
		return stp_expression_push(e, operation - 0x30);
	if ((operation >= 0x70 && operation <= 0x8f) || operation == 0x92) { /* a register and an offset */
		number = operation == 0x92 ? (unsigned int)stp_expression_leb(e, 0) : operation - 0x70;
		if (number >= STP_UNWIND_REGISTERS)
			return 0;
		return stp_expression_push(e, state->registers[number] + stp_expression_leb(e, 1));
	}
	switch (operation) {
	case 0x03: /* addr */
		return stp_expression_push(e, stp_expression_number(e, word, 0));
	case 0x06:
		return stp_expression_load(e, word, load, data);
	case 0x94:
		return stp_expression_load(e, (unsigned int)stp_expression_number(e, 1, 0), load, data);
	case 0x08:
	case 0x0a:
	case 0x0c:
	case 0x0e: /* constants of 1, 2, 4, 8 bytes, */
		return stp_expression_push(e, stp_expression_number(e, 1u << (operation - 0x08) / 2, 0));
	case 0x09:
	case 0x0b:
	case 0x0d:
	case 0x0f: /* signed, */
		return stp_expression_push(e, stp_expression_number(e, 1u << (operation - 0x09) / 2, 1));
	case 0x10:
	case 0x11: /* and LEB128 */
		return stp_expression_push(e, stp_expression_leb(e, operation == 0x11));
	case 0x1f: /* neg */
	case 0x20: /* not */
		if (!e->depth)
			return 0;
		e->stack[e->depth - 1] = (operation == 0x1f) + ~e->stack[e->depth - 1];
		return 1;
	case 0x23: /* plus_uconst */
		if (!e->depth)
			return 0;
		e->stack[e->depth - 1] += stp_expression_leb(e, 0);
		return 1;
	case 0x96: /* nop */
		return 1;
	}
	return stp_expression_order(e, operation) || stp_expression_binary(e, operation);
}

/* Evaluate an expression of the table with the registers of a frame. If @p first is not null, push it first. */
static inline int stp_expression_value(const struct stp_object_table *table, unsigned int offset,
				       const struct stp_unwind_state *state, const unsigned long *first,
				       stp_unwind_load *load, void *data, unsigned long *value)
{
	const unsigned char *begin = (const unsigned char *)table + table->expressions + offset;
	struct stp_expression e;

	e.depth = e.steps = 0;
	e.begin = e.at = begin + 2;
	e.end = e.at + (begin[0] | begin[1] << 8);
	if (first)
		e.stack[e.depth++] = *first;
	while (e.at < e.end)
		if (e.steps++ >= STP_EXPRESSION_STEPS || !stp_expression_step(&e, state, load, data))
			return 0;
	if (!e.depth)
		return 0;
	*value = state->is_32bit ? (unsigned int)e.stack[e.depth - 1] : e.stack[e.depth - 1];
	return 1;
}

/* Find a register that is not simply saved at an offset from the CFA. Return 0 if that is impossible. */
static inline int stp_unwind_extra(const struct stp_object_table *table, const struct stp_unwind_extra *extra,
				   const struct stp_unwind_state *from, unsigned long cfa, stp_unwind_load *load,
				   void *data, unsigned long *value)
{
	unsigned int word = from->is_32bit ? 4 : 8;
	unsigned long address;

	switch (extra->kind) {
	case STP_REGISTER_SAME:
		return 1;
	case STP_REGISTER_AT:
		return load(data, cfa + (unsigned long)(long)extra->value, word, value);
	case STP_REGISTER_IS:
		*value = cfa + (unsigned long)(long)extra->value;
		return 1;
	case STP_REGISTER_COPY:
		*value = from->registers[extra->value];
		return 1;
	case STP_REGISTER_AT_EXPRESSION:
		return stp_expression_value(table, (unsigned int)extra->value, from, &cfa, load, data, &address) &&
		       load(data, address, word, value);
	case STP_REGISTER_IS_EXPRESSION:
		return stp_expression_value(table, (unsigned int)extra->value, from, &cfa, load, data, value);
	default:
		*value = 0;
		return extra->number != table->return_register;
	}
}

/* Find the extra registers of a rule, from the registers of the inner frame. Return 0 if one cannot be found. */
static __attribute__((__noinline__, __unused__)) int stp_unwind_extras(const struct stp_object_table *table,
								       const struct stp_unwind_rule *rule,
								       const struct stp_unwind_state *from,
								       unsigned long cfa, struct stp_unwind_state *to,
								       stp_unwind_load *load, void *data)
{
	const struct stp_unwind_extra *extras =
		(const struct stp_unwind_extra *)((const char *)table + table->extras) + rule->extra;
	unsigned int i;

	for (i = 0; i < rule->extra_count; i++)
		if (!stp_unwind_extra(table, &extras[i], from, cfa, load, data, &to->registers[extras[i].number]))
			return 0;
	return 1;
}

/* Load the registers that are saved at offsets from the CFA. Return 0 if one cannot be read. */
static inline __attribute__((__always_inline__)) int stp_unwind_saved(const struct stp_object_table *table,
								      const struct stp_unwind_rule *rule,
								      unsigned long cfa, struct stp_unwind_state *state,
								      stp_unwind_load *load, void *data)
{
	unsigned int slots = rule->saved_slots, word = state->is_32bit ? 4 : 8;

	for (; slots; slots &= slots - 1) {
		unsigned int i = (unsigned int)__builtin_ctz(slots);

		if (!load(data, cfa + (unsigned long)(long)rule->saved[i], word, &state->registers[table->slots[i]]))
			return 0;
	}
	return 1;
}

/* Apply a rule with extras. Both kinds of registers depend on the registers of the inner frame. */
static __attribute__((__noinline__, __unused__)) int stp_unwind_rarely(const struct stp_object_table *table,
								       const struct stp_unwind_rule *rule,
								       unsigned long cfa,
								       struct stp_unwind_state *state,
								       stp_unwind_load *load, void *data)
{
	struct stp_unwind_state from = *state;

	/* Before the extras, because the stack pointer may be one of them. */
	state->registers[table->stack_register] = cfa;
	return stp_unwind_saved(table, rule, cfa, state, load, data) &&
	       stp_unwind_extras(table, rule, &from, cfa, state, load, data);
}

/**
 * Go from a frame to its caller by a rule. Return 0 if there is no caller or it cannot be found; *state is invalid
 * then.
 */
static inline __attribute__((__always_inline__)) int stp_unwind_step(const struct stp_object_table *table,
								     const struct stp_unwind_rule *rule,
								     struct stp_unwind_state *state,
								     stp_unwind_load *load, void *data)
{
	unsigned long cfa;

	if (rule->frame == STP_FRAME_UNKNOWN || rule->flags & STP_UNWIND_END)
		return 0;
	if (rule->frame == STP_FRAME_REGISTER)
		cfa = state->registers[rule->cfa_register] + (unsigned long)(long)rule->cfa;
	else if (!stp_expression_value(table, (unsigned int)rule->cfa, state, (const unsigned long *)0, load, data,
				       &cfa))
		return 0;
	if (state->is_32bit)
		cfa = (unsigned int)cfa;
	if (rule->extra_count)
		return stp_unwind_rarely(table, rule, cfa, state, load, data);
	state->registers[table->stack_register] = cfa;
	return stp_unwind_saved(table, rule, cfa, state, load, data);
}

#endif
