// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * @sizeof, @offsetof, @container_of, @enum and @enumname: sizes, offsets and enumerators from the debuginfo's types.
 * @sizeof, @offsetof and @enum are constants; the others are expressions over their operand.
 */
#include "translator/lowering/lowering.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/lowering/type_modules.h"
#include "translator/sema/builder.h"

static void complain(struct translation *t, const struct location *at, const char *message)
{
	diagnose(t->diagnostics, SEMANTIC_ERROR, at, "%s", message);
}

/* Return the text of a string literal or a bare name. The parser reads "a.b" as the concatenation of two names. */
static const char *named_text(struct arena *arena, const struct expr *e)
{
	const char *left, *right;

	if (e->kind == EXPR_STRING || e->kind == EXPR_SYMBOL)
		return e->text;
	if (e->kind != EXPR_CONCAT)
		return NULL;
	left = named_text(arena, e->left);
	right = named_text(arena, e->right);
	return left && right ? arena_printf(arena, "%s.%s", left, right) : NULL;
}

/* Return argument @number, which must be a string literal or a name. Return NULL after a diagnostic. */
static const char *literal(struct translation *t, const struct expr *e, guint number)
{
	const struct expr *argument = g_ptr_array_index(e->arguments, number);
	const char *text = named_text(t->arena, argument);

	if (!text)
		complain(t, &argument->location, _("expected a string literal"));
	return text;
}

/* Find the type that argument @number names, in the module that the optional argument @module_number names. */
static struct type *named_type(struct translation *t, struct derived_probe *probe, const struct expr *e, guint number,
			       guint module_number)
{
	const char *name = literal(t, e, number), *module = NULL;
	struct type *type;
	struct error *error;

	if (name && e->arguments->len > module_number)
		module = literal(t, e, module_number);
	if (!name || (e->arguments->len > module_number && !module))
		return NULL;
	error = find_named_type(t, probe, name, module, &type);
	if (!error)
		return type;
	translation_report(t, &e->location, error);
	return NULL;
}

/* Compute the offset of a member "a", or "a.b" of a nested struct. Return false after a diagnostic. */
static bool member_offset(struct translation *t, const struct expr *e, struct type *type, const char *path,
			  uint64_t *ret)
{
	g_auto(GStrv) names = g_strsplit(path, ".", -1);
	struct member member;

	*ret = 0;
	for (char **name = names; *name; name++) {
		struct error *error = debuginfo_find_member(type, *name, &member);

		if (error) {
			translation_report(t, &e->location, error);
			return false;
		}
		if (member.is_bit_field) {
			complain(t, &e->location, _("a bit-field has no offset in bytes"));
			return false;
		}
		*ret += member.offset;
		type = member.type;
	}
	return true;
}

/* Subtract the member's offset from the pointer, and cast it to the containing struct. */
static struct expr *container(struct translation *t, struct derived_probe *probe, const struct expr *e, int64_t offset)
{
	struct expr *cast = expr_new(t->arena, EXPR_TARGET, &e->location);

	cast->target = TARGET_CAST;
	cast->type_name = literal(t, e, 1);
	cast->module = e->arguments->len > 3 ? literal(t, e, 3) : NULL;
	cast->operand = build_binary(t->arena, OP_SUBTRACT, g_ptr_array_index(e->arguments, 0),
				     build_number(t->arena, &e->location, offset));
	return lower_cast(t, probe, cast);
}

struct expr *lower_size_operator(struct translation *t, struct derived_probe *probe, struct expr *e)
{
	bool is_size = !strcmp(e->text, "sizeof"), is_offset = !strcmp(e->text, "offsetof");
	guint first = is_size || is_offset ? 0 : 1;
	struct type *type = named_type(t, probe, e, first, is_size ? 1 : first + 2);
	const char *path;
	uint64_t offset;

	if (!type)
		return NULL;
	if (is_size)
		return build_number(t->arena, &e->location, type->size);
	path = literal(t, e, first + 1);
	if (!path || !member_offset(t, e, type, path, &offset))
		return NULL;
	if (is_offset)
		return build_number(t->arena, &e->location, (int64_t)offset);
	return container(t, probe, e, (int64_t)offset);
}

struct enumerator_search {
	const char *name;
	int64_t value;
};

static struct error *search_enumerator(struct debuginfo *debuginfo, void *data)
{
	struct enumerator_search *search = data;

	return debuginfo_find_enumerator(debuginfo, search->name, &search->value);
}

static struct expr *enumerator_number(struct translation *t, struct derived_probe *probe, struct expr *e)
{
	struct enumerator_search search = {e->text, 0};
	struct error *error = search_modules(t, probe, e->module, search_enumerator, &search);

	if (!error)
		return build_number(t->arena, &e->location, search.value);
	translation_report(t, &e->location, error);
	return NULL;
}

/* Build (value == 0 ? "A" : value == 1 ? "B" : … : sprintf("%d", value)). */
static struct expr *enumerator_name(struct translation *t, const struct expr *e, const GPtrArray *enumerators)
{
	struct arena *arena = t->arena;
	GPtrArray *format = arena_ptr_array(arena), *arguments = arena_ptr_array(arena);
	struct format_part *part = arena_new0(arena, struct format_part);
	struct expr *chain;

	part->kind = FORMAT_SIGNED;
	g_ptr_array_add(format, part);
	g_ptr_array_add(arguments, expr_copy(arena, e->operand));
	chain = build_sprintf(arena, &e->location, format, arguments);
	for (guint i = enumerators->len; i--;) {
		const struct enumerator *enumerator = g_ptr_array_index(enumerators, i);
		struct expr *is_it = build_binary(arena, OP_EQUAL, expr_copy(arena, e->operand),
						  build_number(arena, &e->location, enumerator->value));

		chain = build_conditional(arena, is_it, build_string(arena, &e->location, enumerator->name), chain);
	}
	return chain;
}

struct expr *lower_enum_operator(struct translation *t, struct derived_probe *probe, struct expr *e)
{
	const GPtrArray *enumerators;
	const char *name = e->type_name;
	struct type *type;
	struct error *error;

	if (!name)
		return enumerator_number(t, probe, e);
	error = find_named_type(t, probe, name, e->module, &type);
	if (error && error->code == ERROR_LOOKUP && !g_str_has_prefix(name, "enum ")) {
		error_free(error);
		error = find_named_type(t, probe, arena_printf(t->arena, "enum %s", name), e->module, &type);
	}
	error = error ?: debuginfo_enumerators(type, &enumerators);
	if (!error)
		return enumerator_name(t, e, enumerators);
	translation_report(t, &e->location, error);
	return NULL;
}
