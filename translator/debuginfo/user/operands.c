// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing assembler operands.
 *
 * With <sys/sdt.h>, the compiler writes the arguments of a mark as operands of an instruction, each after its width:
 * "-4@%edi 8@16(%rsp) 1@$3 -1@flags+2(%rip)". The width is negative for signed numbers and followed by 'f' for
 * floating-point ones. Operands have the syntax of the architecture's assembler. AT&T syntax is a constant, a register
 * or a part of one, or memory at "segment:symbol+number(base,index,scale)". With brackets, memory is "[base, number]"
 * or "[base, index, lsl 3]" or "[base, #:lo12:symbol]", and constants and registers have no mark before them.
 *
 * An operand that cannot be read (a vector register, a stripped symbol) is still an argument, with the reason.
 */
#include "translator/debuginfo/user/operands.h"

#include "translator/debuginfo/location/values.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/object/user_object.h"

struct operand {
	struct debuginfo *debuginfo;
	const char *text; /* the unparsed rest */
	const char *problem;
};

static struct value *fail(struct operand *operand, const char *problem)
{
	if (!operand->problem)
		operand->problem = problem;
	return NULL;
}

static bool take(struct operand *operand, char letter)
{
	if (*operand->text != letter)
		return false;
	operand->text++;
	return true;
}

static bool is_symbol_letter(char letter)
{
	return g_ascii_isalnum(letter) || strchr("_.$@", letter);
}

/* ---- registers ---- */

/* Parse a register. The problem is set if it is not available in probes. */
static bool take_register(struct operand *operand, struct abi_register_part *ret)
{
	size_t length = 0;

	if (!take(operand, '%'))
		return false;
	while (g_ascii_isalnum(operand->text[length]))
		length++;
	g_autofree char *name = g_strndup(operand->text, length);

	operand->text += length;
	if (operand->debuginfo->kernel.abi->find_register(name, ret))
		return true;
	fail(operand, _("it is in a register that probes cannot read"));
	return false;
}

static struct value *register_value(struct operand *operand, const struct abi_register_part *part)
{
	struct arena *arena = operand->debuginfo->arena;
	struct value *value = value_new(arena, VALUE_REGISTER, part->number);

	if (part->shift)
		value = value_binary(arena, VALUE_SHIFT_RIGHT, value, value_new(arena, VALUE_CONSTANT, part->shift));
	if (part->size < operand->debuginfo->kernel.abi->word)
		value = value_converted(arena, value, (int)part->size, false);
	return value;
}

/* ---- sums of numbers and symbols ---- */

/* Return the offset of a program's thread-local variable from the thread pointer, "name@tpoff". */
static struct value *thread_symbol_value(struct operand *operand, const char *name)
{
	struct debuginfo *debuginfo = operand->debuginfo;
	uint64_t offset;

	if (!debuginfo->object->has_threads || debuginfo->kind != OBJECT_EXECUTABLE)
		return fail(operand, _("it is thread-local in a library, and its offset is not known"));
	/* Thread-local variables have no address, so they are not in the index. */
	if (!user_object_thread_symbol(debuginfo, name, &offset))
		return fail(operand, _("its symbol is not in the program's table of symbols"));
	return value_new(debuginfo->arena, VALUE_CONSTANT, (uint64_t)debuginfo->object->thread_offset + offset);
}

/* Return the value of "name" or "name@KIND", where KIND is a kind of relocation. */
static struct value *symbol_value(struct operand *operand, const char *name)
{
	static const char from_thread[] = "@tpoff";
	struct debuginfo *debuginfo = operand->debuginfo;
	const char *kind = strchr(name, '@');
	g_autofree char *plain = g_strndup(name, strcspn(name, "@"));
	struct address address;
	_cleanup_error_ struct error *error = NULL;

	if (kind && g_ascii_strcasecmp(kind, from_thread) == 0)
		return thread_symbol_value(operand, plain);
	if (kind)
		return fail(operand, _("the dynamic linker chooses its address"));
	error = debuginfo_symbol_address(debuginfo, plain, &address);
	if (error)
		return fail(operand, _("its symbol is not in the program's table of symbols"));
	return value_of_address(debuginfo, address.value);
}

/* Parse a number or a symbol, after its sign. */
static struct value *take_term(struct operand *operand, bool is_negative)
{
	struct arena *arena = operand->debuginfo->arena;
	struct value *value;
	uint64_t number;
	size_t length = 0;
	char *end;

	if (g_ascii_isdigit(*operand->text)) {
		number = g_ascii_strtoull(operand->text, &end, 0);
		operand->text = end;
		return value_new(arena, VALUE_CONSTANT, is_negative ? -number : number);
	}
	while (operand->text[length] && is_symbol_letter(operand->text[length]))
		length++;
	if (!length || is_negative)
		return fail(operand, _("its text is malformed"));
	g_autofree char *name = g_strndup(operand->text, length);

	operand->text += length;
	value = symbol_value(operand, name);
	return value;
}

/* Parse a sum: "-8", "symbol+16", "16+symbol", "1+2-3"; 0 if it is empty. */
static struct value *take_sum(struct operand *operand)
{
	struct arena *arena = operand->debuginfo->arena;
	struct value *sum = value_new(arena, VALUE_CONSTANT, 0), *term;
	bool is_first = true;

	while (!operand->problem && *operand->text && !strchr("(,: ", *operand->text)) {
		bool is_negative = take(operand, '-');

		if (!is_negative && !take(operand, '+') && !is_first)
			return fail(operand, _("its text is malformed"));
		term = take_term(operand, is_negative);
		if (!term)
			return NULL;
		sum = is_first ? term : value_binary(arena, VALUE_ADD, sum, term);
		is_first = false;
	}
	return sum;
}

/* ---- memory ---- */

/* Parse "(base,index,scale)" and add it to the sum before it. */
static struct value *take_base(struct operand *operand, struct value *sum)
{
	struct arena *arena = operand->debuginfo->arena;
	struct abi_register_part part;
	uint64_t scale = 1;
	char *end;

	if (!take(operand, '('))
		return sum;
	if (*operand->text == '%') {
		/* The assembler makes symbols relative to %rip; the symbol's address is already the sum. */
		if (strncmp(operand->text, "%rip", 4) == 0 || strncmp(operand->text, "%eip", 4) == 0)
			operand->text += 4;
		else if (take_register(operand, &part))
			sum = value_binary(arena, VALUE_ADD, register_value(operand, &part), sum);
	}
	if (take(operand, ',') && take_register(operand, &part)) {
		struct value *index = register_value(operand, &part);

		if (take(operand, ',')) {
			scale = g_ascii_strtoull(operand->text, &end, 10);
			operand->text = end;
		}
		if (scale != 1)
			index = value_binary(arena, VALUE_MULTIPLY, index, value_new(arena, VALUE_CONSTANT, scale));
		sum = value_binary(arena, VALUE_ADD, index, sum);
	}
	return take(operand, ')') ? sum : fail(operand, _("its text is malformed"));
}

/* Parse a segment: "%fs:" is relative to the thread pointer; of the others, only those with base 0 are supported. */
static struct value *take_segment(struct operand *operand)
{
	struct arena *arena = operand->debuginfo->arena;

	if (operand->text[0] != '%' || !operand->text[1] || operand->text[2] != 's' || operand->text[3] != ':')
		return NULL;
	if (operand->text[1] == 'g' || operand->debuginfo->object->is_32_bit)
		return fail(operand, _("it is in a segment whose beginning is not known"));
	operand->text += 4;
	return operand->text[-3] == 'f' ? value_new(arena, VALUE_THREAD_POINTER, 0)
					: value_new(arena, VALUE_CONSTANT, 0);
}

static struct value *take_memory(struct operand *operand)
{
	struct arena *arena = operand->debuginfo->arena;
	struct value *segment = take_segment(operand), *sum;

	take(operand, '*');
	sum = operand->problem ? NULL : take_sum(operand);
	sum = sum ? take_base(operand, sum) : NULL;
	if (!sum || operand->problem)
		return NULL;
	if (segment)
		sum = value_binary(arena, VALUE_ADD, segment, sum);
	return operand->debuginfo->object->is_32_bit ? value_converted(arena, sum, 4, false) : sum;
}

/* ---- arguments ---- */

enum number { NUMBER_UNSIGNED, NUMBER_SIGNED, NUMBER_FLOAT, NUMBER_COUNT_ };

static struct type *number_type(struct debuginfo *debuginfo, unsigned int size, enum number number)
{
	static const char *const names[NUMBER_COUNT_][9] = {
		[NUMBER_UNSIGNED] =
			{[1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int", [8] = "unsigned long"},
		[NUMBER_SIGNED] = {[1] = "signed char", [2] = "short", [4] = "int", [8] = "long"},
		[NUMBER_FLOAT] = {[1] = "unsigned char", [2] = "unsigned short", [4] = "float", [8] = "double"},
	};
	struct type *type = arena_new0(debuginfo->arena, struct type);

	type->kind = number == NUMBER_FLOAT && size >= sizeof(float) ? KIND_FLOAT : KIND_INTEGER;
	type->name = type->spelling = names[number][size];
	type->size = size;
	type->is_signed = number == NUMBER_SIGNED;
	type->debuginfo = debuginfo;
	return type;
}

/* Parse the width, "-4@" or "8f@"; the default is that of a register. */
static struct type *take_width(struct operand *operand)
{
	unsigned int word = debuginfo_abi(operand->debuginfo)->word;
	const char *at = operand->text;
	bool is_signed = *at == '-';
	uint64_t width;
	char *end;

	width = g_ascii_strtoull(at + is_signed, &end, 10);
	if (end == at + is_signed || (*end != '@' && strncmp(end, "f@", 2) != 0))
		return number_type(operand->debuginfo, word, NUMBER_UNSIGNED);
	operand->text = end + (*end == '@' ? 1 : 2);
	if (width != 1 && width != 2 && width != 4 && width != 8) {
		fail(operand, _("it is wider than a register"));
		width = word;
	}
	return number_type(operand->debuginfo, (unsigned int)width,
			   *end == 'f' ? NUMBER_FLOAT
			   : is_signed ? NUMBER_SIGNED
				       : NUMBER_UNSIGNED);
}

/* ---- operands with brackets ---- */

static void skip_spaces(struct operand *operand)
{
	operand->text += strspn(operand->text, " ");
}

/* Parse a register, if the text begins with the name of one. */
static bool take_plain_register(struct operand *operand, struct abi_register_part *ret)
{
	size_t length = 0;

	while (g_ascii_isalnum(operand->text[length]))
		length++;
	g_autofree char *name = g_strndup(operand->text, length);

	if (!length || !operand->debuginfo->kernel.abi->find_register(name, ret))
		return false;
	operand->text += length;
	return true;
}

/* Parse "lsl 3", "sxtw" or "uxtw 2" after an index. */
static struct value *take_extension(struct operand *operand, struct value *index)
{
	struct arena *arena = operand->debuginfo->arena;
	bool is_signed = g_str_has_prefix(operand->text, "sxtw");
	uint64_t shift;
	char *end;

	if (!is_signed && !g_str_has_prefix(operand->text, "lsl") && !g_str_has_prefix(operand->text, "uxtw"))
		return fail(operand, _("its text is malformed"));
	operand->text += strcspn(operand->text, " ]");
	skip_spaces(operand);
	take(operand, '#');
	shift = g_ascii_strtoull(operand->text, &end, 10);
	operand->text = end;
	if (is_signed)
		index = value_converted(arena, index, 4, true);
	return shift ? value_binary(arena, VALUE_MULTIPLY, index,
				    value_new(arena, VALUE_CONSTANT, UINT64_C(1) << (shift & 63)))
		     : index;
}

/* Parse ":lo12:symbol+8": the distance of an address from its page of 4 KiB, which the base register has. */
static struct value *take_low_bits(struct operand *operand)
{
	struct arena *arena = operand->debuginfo->arena;
	struct value *sum, *term;

	operand->text += strlen(":lo12:");
	sum = take_term(operand, false);
	while (sum && take(operand, '+')) {
		term = take_term(operand, false);
		sum = term ? value_binary(arena, VALUE_ADD, sum, term) : NULL;
	}
	return sum ? value_binary(arena, VALUE_AND, sum, value_new(arena, VALUE_CONSTANT, 0xfff)) : NULL;
}

/* Parse what is added to the base: a number, the low bits of an address, or an index register. */
static struct value *take_bracket_offset(struct operand *operand)
{
	struct abi_register_part part;
	struct value *index;

	skip_spaces(operand);
	take(operand, '#');
	if (g_str_has_prefix(operand->text, ":lo12:"))
		return take_low_bits(operand);
	if (!take_plain_register(operand, &part))
		return take_term(operand, take(operand, '-'));
	index = register_value(operand, &part);
	if (!take(operand, ','))
		return index;
	skip_spaces(operand);
	return take_extension(operand, index);
}

/* Parse the rest of "[base, offset]". */
static struct value *take_brackets(struct operand *operand)
{
	struct arena *arena = operand->debuginfo->arena;
	struct abi_register_part part;
	struct value *sum, *offset;

	skip_spaces(operand);
	if (!take_plain_register(operand, &part))
		return fail(operand, _("its text is malformed"));
	sum = register_value(operand, &part);
	if (take(operand, ',')) {
		offset = take_bracket_offset(operand);
		sum = offset ? value_binary(arena, VALUE_ADD, sum, offset) : NULL;
	}
	return take(operand, ']') ? sum : fail(operand, _("its text is malformed"));
}

static void take_bracket_operand(struct operand *operand, struct variable *variable)
{
	struct abi_register_part part;

	if (take(operand, '[')) {
		variable->location = LOCATION_MEMORY;
		variable->value = take_brackets(operand);
	} else if (take_plain_register(operand, &part)) {
		variable->value = register_value(operand, &part);
	} else {
		take(operand, '#');
		variable->value = take_sum(operand);
	}
}

static void take_plain_operand(struct operand *operand, struct variable *variable)
{
	struct abi_register_part part;

	if (take(operand, '$')) {
		variable->value = take_sum(operand);
	} else if (operand->text[0] == '%' && !memchr(operand->text, ':', strcspn(operand->text, " "))) {
		if (take_register(operand, &part))
			variable->value = register_value(operand, &part);
	} else {
		variable->location = LOCATION_MEMORY;
		variable->value = take_memory(operand);
	}
}

/* Return the length of an operand with its width. Spaces within brackets belong to it. */
static size_t operand_length(const char *text)
{
	size_t length = strcspn(text, " [");

	if (text[length] == '[')
		length += strcspn(text + length, "]");
	return length + strcspn(text + length, " ");
}

static struct variable *take_argument(struct operand *operand, unsigned int number)
{
	struct variable *variable = variable_new(operand->debuginfo);

	variable->name = arena_printf(operand->debuginfo->arena, "arg%u", number);
	variable->is_parameter = true;
	variable->type = take_width(operand);
	variable->location = LOCATION_VALUE;
	if (operand->debuginfo->kernel.abi->has_bracket_operands)
		take_bracket_operand(operand, variable);
	else
		take_plain_operand(operand, variable);
	if (*operand->text && *operand->text != ' ')
		fail(operand, _("its text is malformed"));
	if (operand->problem) {
		variable->location = LOCATION_UNSUPPORTED;
		variable->reason = operand->problem;
		variable->value = NULL;
	}
	return variable;
}

const GPtrArray *operands_read(struct debuginfo *debuginfo, const char *text)
{
	GPtrArray *arguments = arena_ptr_array(debuginfo->arena);

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		struct operand operand = {debuginfo, text, NULL};

		g_ptr_array_add(arguments, take_argument(&operand, arguments->len + 1));
		text += operand_length(text);
	}
	return arguments;
}
