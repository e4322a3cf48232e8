// SPDX-License-Identifier: GPL-2.0-or-later
/* Describing the location of a variable: "register %rdi", "memory %rsp+16", "constant 3", "computed %rax*8+%rbx". */
#include "translator/debuginfo/debuginfo.h"

#include <inttypes.h>

#include "common/base/i18n.h"

static const char *const operators[VALUE_OPERATION_COUNT_] = {
	[VALUE_ADD] = "+",
	[VALUE_SUBTRACT] = "-",
	[VALUE_MULTIPLY] = "*",
	[VALUE_DIVIDE] = "/",
	[VALUE_DIVIDE_UNSIGNED] = "/",
	[VALUE_REMAINDER] = "%",
	[VALUE_REMAINDER_UNSIGNED] = "%",
	[VALUE_AND] = "&",
	[VALUE_OR] = "|",
	[VALUE_XOR] = "^",
	[VALUE_SHIFT_LEFT] = "<<",
	[VALUE_SHIFT_RIGHT] = ">>",
	[VALUE_SHIFT_RIGHT_ARITHMETIC] = ">>",
	[VALUE_EQUAL] = "==",
	[VALUE_NOT_EQUAL] = "!=",
	[VALUE_LESS] = "<",
	[VALUE_LESS_EQUAL] = "<=",
	[VALUE_GREATER] = ">",
	[VALUE_GREATER_EQUAL] = ">=",
	[VALUE_LESS_UNSIGNED] = "<",
	[VALUE_LESS_EQUAL_UNSIGNED] = "<=",
	[VALUE_GREATER_UNSIGNED] = ">",
	[VALUE_GREATER_EQUAL_UNSIGNED] = ">=",
	[VALUE_NEGATE] = "-",
	[VALUE_COMPLEMENT] = "~",
};

struct writer {
	GString *text;
	const struct abi *abi;
};

static void append(const struct writer *writer, const struct value *value, bool is_inner);

static bool is_small_negative(uint64_t constant)
{
	return (int64_t)constant < 0 && (int64_t)constant > -65536;
}

static void append_constant(GString *text, uint64_t constant)
{
	int64_t number = (int64_t)constant;

	if (is_small_negative(constant) || constant < 65536)
		g_string_append_printf(text, "%" PRId64, number);
	else
		g_string_append_printf(text, "0x%" PRIx64, constant);
}

static void append_binary(const struct writer *writer, const struct value *value, bool is_inner)
{
	GString *text = writer->text;
	bool is_offset = value->operation == VALUE_ADD && value->right->kind == VALUE_CONSTANT;

	if (is_inner)
		g_string_append_c(text, '(');
	append(writer, value->left, true);
	/* "%rsp-8", not "%rsp+-8" */
	if (!is_offset || !is_small_negative(value->right->constant))
		g_string_append(text, operators[value->operation]);
	append(writer, value->right, true);
	if (is_inner)
		g_string_append_c(text, ')');
}

/* "(0xffffffff81364db4: %rbp, 0xffffffff8135d132: %rbx, else unknown)" */
static void append_callers(const struct writer *writer, const struct value *value)
{
	GString *text = writer->text;

	g_string_append_c(text, '(');
	for_each_ptr(const struct caller_value *, caller, value->callers) {
		for (guint i = 0; i < caller->return_addresses->len; i++) {
			if (i)
				g_string_append(text, ", ");
			append(writer, g_ptr_array_index(caller->return_addresses, i), false);
		}
		g_string_append(text, ": ");
		append(writer, caller->value, false);
		g_string_append(text, ", ");
	}
	g_string_append_printf(text, "%s)", _("else unknown"));
}

static void append(const struct writer *writer, const struct value *value, bool is_inner)
{
	GString *text = writer->text;

	switch (value->kind) {
	case VALUE_CONSTANT:
		append_constant(text, value->constant);
		break;
	case VALUE_ADDRESS:
		g_string_append_printf(text, "%s%s0x%" PRIx64, value->section ?: "", value->section ? "+" : "",
				       value->constant);
		break;
	case VALUE_THREAD_POINTER:
		g_string_append(text, "%fs");
		break;
	case VALUE_THIS_CPU:
		g_string_append(text, "%gs");
		break;
	case VALUE_REGISTER:
	case VALUE_ENTRY_REGISTER:
		if (value->kind == VALUE_ENTRY_REGISTER)
			g_string_append(text, "entry:");
		g_string_append_printf(text, "%%%s", writer->abi->register_names[value->constant]);
		break;
	case VALUE_AT_ENTRY:
		g_string_append(text, "entry:");
		append(writer, value->left, true);
		break;
	case VALUE_LOAD:
		g_string_append_printf(text, "*(u%d *)(", value->size * 8);
		append(writer, value->left, false);
		g_string_append_c(text, ')');
		break;
	case VALUE_UNARY:
		g_string_append(text, operators[value->operation]);
		append(writer, value->left, true);
		break;
	case VALUE_BINARY:
		append_binary(writer, value, is_inner);
		break;
	case VALUE_SELECT:
		g_string_append_c(text, '(');
		append(writer, value->condition, true);
		g_string_append(text, " ? ");
		append(writer, value->left, true);
		g_string_append(text, " : ");
		append(writer, value->right, true);
		g_string_append_c(text, ')');
		break;
	case VALUE_CONVERT:
		g_string_append_printf(text, "(%c%d)", value->is_signed ? 's' : 'u', value->size * 8);
		append(writer, value->left, true);
		break;
	case VALUE_BY_CALLER:
		append_callers(writer, value);
		break;
	}
}

static const char *kind_of_value(const struct value *value)
{
	switch (value->kind) {
	case VALUE_REGISTER:
	case VALUE_ENTRY_REGISTER:
		return _("register");
	case VALUE_CONSTANT:
		return _("constant");
	case VALUE_BY_CALLER:
		return _("by return address");
	default:
		return _("computed");
	}
}

/* "bytes 0-7: register %rdi, 8-8 (bits 0x1): constant 1, 9-15: optimized out" */
static void append_pieces(const struct writer *writer, const GPtrArray *pieces)
{
	GString *text = writer->text;

	g_string_append_printf(text, "%s ", _("bytes"));
	for (guint i = 0; i < pieces->len; i++) {
		const struct variable_piece *piece = g_ptr_array_index(pieces, i);

		g_string_append_printf(text, "%s%" PRIu64 "-%" PRIu64, i ? ", " : "", piece->offset,
				       piece->offset + piece->size - 1);
		if (piece->lost_bits)
			g_string_append_printf(text, " (%s 0x%" PRIx64 ")", _("bits"),
					       ~piece->lost_bits & UINT64_MAX >> (64 - piece->size * 8));
		g_string_append(text, ": ");
		if (piece->location == LOCATION_OPTIMIZED_OUT) {
			g_string_append(text, _("optimized out"));
			continue;
		}
		g_string_append_printf(text, "%s ",
				       piece->location == LOCATION_MEMORY ? _("memory") : kind_of_value(piece->value));
		append(writer, piece->value, false);
	}
}

const char *debuginfo_location_text(struct arena *arena, const struct variable *variable)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const struct writer writer = {text, variable->abi};

	switch (variable->location) {
	case LOCATION_PIECES:
		append_pieces(&writer, variable->pieces);
		return arena_strdup(arena, text->str);
	case LOCATION_OPTIMIZED_OUT:
		return _("optimized out");
	case LOCATION_UNSUPPORTED:
		return arena_printf(arena, _("not readable: %s"), variable->reason ?: _("unknown"));
	case LOCATION_POINTER:
		return arena_printf(arena, _("optimized out, but the object that it points to (at %" PRId64 ") is: %s"),
				    variable->pointee_offset, debuginfo_location_text(arena, variable->pointee));
	case LOCATION_MEMORY:
		g_string_append_printf(text, "%s ", _("memory"));
		break;
	case LOCATION_VALUE:
		g_string_append_printf(text, "%s ", kind_of_value(variable->value));
		break;
	}
	append(&writer, variable->value, false);
	return arena_strdup(arena, text->str);
}
