// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a script means on a kernel: at each place of the user's script, the decisions that depend on the kernel, which
 * are the value of @defined, the types of $variables and the functions that a point matches. A bundle compares them
 * (bundle/differences.c).
 */
#include "translator/translation.h"

#include <inttypes.h>

#include "common/base/i18n.h"

void meanings_record(struct translation *t)
{
	t->meanings = g_hash_table_new(g_str_hash, g_str_equal);
	arena_defer(t->arena, (GDestroyNotify)g_hash_table_unref, t->meanings);
}

/* Insert a value unless it is there. The order does not depend on that of the notes, which differs between kernels. */
static void add_value(GPtrArray *values, const char *value)
{
	guint at = 0;

	while (at < values->len && strcmp(g_ptr_array_index(values, at), value) < 0)
		at++;
	if (at == values->len || strcmp(g_ptr_array_index(values, at), value))
		g_ptr_array_insert(values, (int)at, (gpointer)value);
}

void meaning_note(struct translation *t, const struct location *where, const char *what, const char *value)
{
	GPtrArray *values;
	const char *key;

	if (!t->meanings || !where->file || where->file->is_tapset)
		return;
	key = arena_printf(t->arena, "%s:%d:%d: %s", where->file->name, where->line, where->column, what);
	values = g_hash_table_lookup(t->meanings, key);
	if (!values) {
		values = arena_ptr_array(t->arena);
		g_hash_table_insert(t->meanings, (gpointer)key, values);
	}
	if (value)
		add_value(values, arena_strdup(t->arena, value));
}

static const char *integer_meaning(struct arena *arena, const struct type *type)
{
	if (type->is_char)
		return "char";
	if (type->is_bool)
		return "bool";
	return arena_printf(arena,
			    type->is_signed ? _("signed integer of %" PRIu64 " bytes")
					    : _("unsigned integer of %" PRIu64 " bytes"),
			    type->size);
}

static const char *tagged(struct arena *arena, const char *keyword, const struct type *type)
{
	return type->name ? arena_printf(arena, "%s %s", keyword, type->name) : type->spelling;
}

const char *type_meaning(struct arena *arena, const struct type *type)
{
	switch (type->kind) {
	case KIND_INTEGER:
		return integer_meaning(arena, type);
	case KIND_STRUCT:
		return tagged(arena, "struct", type);
	case KIND_UNION:
		return tagged(arena, "union", type);
	case KIND_ENUM:
		return tagged(arena, "enum", type);
	case KIND_POINTER:
		return type->target ? arena_printf(arena, "%s *", type_meaning(arena, type->target)) : "void *";
	case KIND_ARRAY:
		return type->target
			       ? arena_printf(arena, "%s[%" PRIu64 "]", type_meaning(arena, type->target), type->count)
			       : type->spelling;
	case KIND_VOID:
	case KIND_FLOAT:
	case KIND_FUNCTION:
		break;
	}
	return type->spelling;
}
