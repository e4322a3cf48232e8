// SPDX-License-Identifier: GPL-2.0-or-later
/* C types of script variables; see pointers.h. */
#include "translator/sema/pointers.h"

#include "common/base/i18n.h"
#include "translator/sema/scope.h"

void pointer_scope_init(struct pointer_scope *scope, struct translation *t, const struct script *script,
			struct function_declaration *function)
{
	*scope = (struct pointer_scope){
		.t = t,
		.script = script,
		.function = function,
		.locals = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
		.helpers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
	};
}

void pointer_scope_clear(struct pointer_scope *scope)
{
	g_hash_table_unref(scope->locals);
	g_hash_table_unref(scope->helpers);
}

static struct symbol *parameter_named(const struct pointer_scope *scope, const struct expr *use)
{
	for (guint i = 0; scope->function && scope->function->parameters && i < scope->function->parameters->len; i++) {
		struct symbol *parameter = g_ptr_array_index(scope->function->parameters, i);

		if (!strcmp(parameter->name, use->text) &&
		    is_library_helper_at(&parameter->location, parameter->name) == is_library_helper(use))
			return parameter;
	}
	return NULL;
}

/* Find or make the note of a variable or array. Return NULL for other expressions. */
static struct pointer_note *note_of(struct pointer_scope *scope, const struct expr *variable)
{
	const struct expr *base = variable->kind == EXPR_INDEX ? variable->left : variable;
	const struct script *script;
	struct pointer_note *note;
	struct symbol *declared;
	GHashTable *locals;

	if (base->kind != EXPR_SYMBOL)
		return NULL;
	script = script_at(scope->t, &base->location, scope->script);
	declared = parameter_named(scope, base) ?: visible_global(scope->t, script, base);
	if (declared)
		return &declared->pointer;
	locals = is_library_helper(base) ? scope->helpers : scope->locals;
	note = g_hash_table_lookup(locals, base->text);
	if (!note) {
		note = g_new0(struct pointer_note, 1);
		g_hash_table_insert(locals, (char *)base->text, note);
	}
	return note;
}

/*
 * Do two structures have the same members at the same places? A structure that is only declared equals any one of its
 * name.
 */
static bool same_members(struct type *a, struct type *b)
{
	const GPtrArray *of_a, *of_b;
	struct error *error;

	if (a->is_declaration || b->is_declaration)
		return true;
	error = debuginfo_members(a, &of_a);
	error = error ?: debuginfo_members(b, &of_b);
	if (error || of_a->len != of_b->len) {
		error_free(error);
		return false;
	}
	for (guint i = 0; i < of_a->len; i++) {
		const struct member *in_a = g_ptr_array_index(of_a, i), *in_b = g_ptr_array_index(of_b, i);

		if (g_strcmp0(in_a->name, in_b->name) || in_a->offset != in_b->offset ||
		    in_a->bit_offset != in_b->bit_offset)
			return false;
	}
	return true;
}

/*
 * Are two types the same, so that -> and [] mean the same? Typedefs and qualifiers are only in the spelling. Types of
 * different compilation units are compared by name and members, because C++ allows other types of the same name.
 */
static bool same_type(struct type *a, struct type *b)
{
	if (a == b || !g_strcmp0(a->spelling, b->spelling))
		return true;
	if (a->kind != b->kind || (a->size != b->size && !a->is_declaration && !b->is_declaration))
		return false;
	switch (a->kind) {
	case KIND_VOID:
	case KIND_FLOAT:
		return true;
	case KIND_POINTER:
	case KIND_ARRAY:
		return a->count == b->count && a->target && b->target && same_type(a->target, b->target);
	case KIND_INTEGER:
	case KIND_ENUM:
		return a->is_signed == b->is_signed && a->is_char == b->is_char && a->is_bool == b->is_bool;
	case KIND_STRUCT:
	case KIND_UNION:
		return !g_strcmp0(a->name, b->name) && same_members(a, b);
	default:
		return false;
	}
}

static void add_type(struct pointer_note *note, struct type *type)
{
	if (!type || type->kind != KIND_POINTER)
		return;
	if (!note->type)
		note->type = type;
	else if (!same_type(note->type, type))
		note->other = type;
}

/* Turn an array type into a pointer to its first element. */
static struct type *decayed(struct pointer_scope *scope, struct type *type)
{
	struct type *pointer;

	if (!type || type->kind != KIND_ARRAY || !type->target)
		return type;
	pointer = arena_new0(scope->t->arena, struct type);
	pointer->kind = KIND_POINTER;
	pointer->size = sizeof(uint64_t);
	pointer->target = type->target;
	pointer->debuginfo = type->debuginfo;
	pointer->spelling = arena_printf(scope->t->arena, "%s *", type->target->spelling);
	return pointer;
}

static void diagnose_contradiction(struct pointer_scope *scope, const struct pointer_note *note, const char *name,
				   const struct location *at)
{
	diagnose(scope->t->diagnostics, SEMANTIC_ERROR, at,
		 _("'%s' is assigned pointers of different types, %s and %s: the type for -> is ambiguous"), name,
		 note->type->spelling, note->other->spelling);
	diagnose_hint(scope->t->diagnostics, _("use two variables, or name the type: @cast(%s, \"struct …\")->…"),
		      name);
}

static const char *name_of(const struct expr *variable)
{
	return variable->kind == EXPR_INDEX ? variable->left->text : variable->text;
}

void pointer_assign(struct pointer_scope *scope, const struct expr *target, struct type *type,
		    const struct location *at)
{
	struct pointer_note *note = note_of(scope, target);

	if (!note)
		return;
	add_type(note, decayed(scope, type));
	if (note->other && note->used)
		diagnose_contradiction(scope, note, name_of(target), at);
}

void pointer_argument(struct pointer_scope *scope, struct symbol *parameter, struct type *type,
		      const struct location *at)
{
	add_type(&parameter->pointer, decayed(scope, type));
	if (parameter->pointer.other && parameter->pointer.used)
		diagnose_contradiction(scope, &parameter->pointer, parameter->name, at);
}

void pointer_return(struct pointer_scope *scope, struct type *type)
{
	if (scope->function)
		add_type(&scope->function->pointer, decayed(scope, type));
}

struct type *pointer_type(struct pointer_scope *scope, const struct expr *variable)
{
	const struct pointer_note *note = note_of(scope, variable);

	return note && !note->other ? note->type : NULL;
}

bool pointer_use(struct pointer_scope *scope, const struct expr *base, const struct location *at)
{
	struct pointer_note *note;

	if (base->kind != EXPR_SYMBOL && base->kind != EXPR_INDEX)
		return true;
	note = note_of(scope, base);
	if (!note)
		return true;
	note->used = true;
	if (!note->other)
		return true;
	diagnose_contradiction(scope, note, name_of(base), at);
	return false;
}

struct type *pointer_common(const struct expr *left, const struct expr *right)
{
	if (!left->c_type || !right->c_type)
		return left->c_type ?: right->c_type;
	return same_type(left->c_type, right->c_type) ? left->c_type : NULL;
}
