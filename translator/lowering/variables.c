// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowering of $variables, @cast and @var: find what a name refers to, and the value at which its chain begins.
 *
 * In return probes everything but $return is computed at the function's entry. The lowered expression moves to the
 * entry handler, and an EXPR_ENTRY_VALUE replaces it.
 */
#include "translator/lowering/target.h"

#include "common/base/i18n.h"
#include "translator/lowering/type_modules.h"
#include "translator/sema/builder.h"

const char *target_text(struct lowering *l)
{
	return expr_text(l->t->arena, l->target);
}

/* ---- bases ------------------------------------------------------------------------------------------------------- */

static const GPtrArray *parts_of(struct lowering *l, const GPtrArray *pieces)
{
	GPtrArray *parts = arena_ptr_array(l->t->arena);

	for_each_ptr(const struct variable_piece *, piece, pieces) {
		struct value_part *part = arena_new0(l->t->arena, struct value_part);

		part->offset = piece->offset;
		part->size = piece->size;
		part->lost_bits = piece->lost_bits;
		if (piece->location == LOCATION_MEMORY)
			part->address = value_expression(l, piece->value);
		else if (piece->location == LOCATION_VALUE)
			part->value = value_expression(l, piece->value);
		g_ptr_array_add(parts, part);
	}
	return parts;
}

static bool variable_base(struct lowering *l, const struct variable *variable, struct typed_value *ret);

/* Set ret->target to what an optimized-away pointer would point to, as a value with parts (perhaps only one). */
static bool pointer_base(struct lowering *l, const struct variable *variable, struct typed_value *ret)
{
	const struct variable *pointee = variable->pointee;
	struct typed_value *target = arena_new0(l->t->arena, struct typed_value);
	struct value_part *part;
	GPtrArray *parts;

	ret->target = target;
	target->type = pointee->type;
	target->memory = pointee->memory;
	if (pointee->location == LOCATION_POINTER && !variable_base(l, pointee, target))
		return false;
	target->offset = (uint64_t)variable->pointee_offset;
	if (pointee->location == LOCATION_PIECES)
		target->parts = parts_of(l, pointee->pieces);
	if (pointee->location != LOCATION_VALUE)
		return true;
	part = arena_new0(l->t->arena, struct value_part);
	part->size = pointee->type->size ? MIN(pointee->type->size, sizeof(int64_t)) : sizeof(int64_t);
	part->value = value_expression(l, pointee->value);
	parts = arena_ptr_array(l->t->arena);
	g_ptr_array_add(parts, part);
	target->parts = parts;
	return true;
}

static bool variable_base(struct lowering *l, const struct variable *variable, struct typed_value *ret)
{
	ret->type = variable->type;
	ret->memory = variable->memory;
	ret->address = NULL;
	ret->value = NULL;
	ret->target = NULL;
	ret->parts = NULL;
	switch (variable->location) {
	case LOCATION_MEMORY:
		ret->address = value_expression(l, variable->value);
		return true;
	case LOCATION_VALUE:
		ret->value = value_expression(l, variable->value);
		return true;
	case LOCATION_POINTER:
		return pointer_base(l, variable, ret);
	case LOCATION_PIECES:
		ret->parts = parts_of(l, variable->pieces);
		ret->offset = 0;
		settle_value(l->t->arena, ret, ret->type->size, UINT64_MAX);
		return true;
	case LOCATION_OPTIMIZED_OUT:
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("the compiler left no value of '$%s' at this place"), variable->name);
		diagnose_hint(l->t->diagnostics,
			      _("test with @defined($%s), or probe another line or the function's return"),
			      variable->name);
		return false;
	case LOCATION_UNSUPPORTED:
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("the location of '$%s' cannot be computed: %s"), variable->name,
			 variable->reason ?: _("unknown"));
		diagnose_hint(l->t->diagnostics,
			      _("test with @defined($%s), or probe another line, the function's entry or its caller"),
			      variable->name);
		return false;
	}
	return false;
}

static struct expr *lower_return_value(struct lowering *l)
{
	const struct variable *variable = NULL;
	struct error *error;

	if (!l->probe->is_return) {
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("'$return' exists only in .return probes"));
		if (l->probe->registration.kind == STP_PROBE_TRACEPOINT && l->probe->of_alias)
			diagnose_hint(l->t->diagnostics,
				      _("'%s' stands for the tracepoint %s, a single place that has no return"),
				      l->probe->name, l->probe->point_text);
		return NULL;
	}
	error = debuginfo_return_value(l->probe->function, &variable);
	if (error && error->code != ERROR_LOOKUP) {
		translation_report(l->t, &l->target->location, error);
		return NULL;
	}
	if (error) {
		error_free(error);
		diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location, _("'%s' returns nothing"),
			 l->probe->function_name);
		return NULL;
	}
	return lower_known_variable(l, variable);
}

/* ---- entry points ------------------------------------------------------------------------------------------------ */

/* Return whether an index is not constant. Such a $name[i] cannot be computed at entry, before the handler has run. */
static bool has_variable_index(const struct expr *target)
{
	for_each_ptr(const struct component *, component, target->components) {
		if (component->kind == COMPONENT_INDEX && component->index->kind != EXPR_NUMBER)
			return true;
	}
	return false;
}

struct expr *lower_known_variable(struct lowering *l, const struct variable *variable)
{
	struct typed_value base;

	return variable_base(l, variable, &base) ? follow_chain(l, base) : NULL;
}

struct expr *lower_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target, .debuginfo = probe->registration.debuginfo};
	const struct variable *variable;
	struct error *error;
	struct expr *value;

	if (!probe->function) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
			 _("a probe at an absolute address has no $variables"));
		return NULL;
	}
	if (lower_group(&l, &value))
		return value;
	if (!strcmp(target->text, "return"))
		return lower_return_value(&l);
	if (probe->is_return && has_variable_index(target)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
			 _("'%s' is read at the function's entry, when its index has no value yet"), target_text(&l));
		diagnose_hint(t->diagnostics, _("use a constant index, or @cast(@entry($%s), \"type\")[index]"),
			      target->text);
		return NULL;
	}
	error = debuginfo_find_variable(probe->function, probe->registration.address.value, target->text, &variable);
	if (!error && variable_is_hidden(probe, variable)) {
		diagnose_no_variable(&l);
		return NULL;
	}
	if (error) {
		if (error->code == ERROR_LOOKUP) {
			error_free(error);
			diagnose_no_variable(&l);
		} else {
			translation_report(t, &target->location, error);
		}
		return NULL;
	}
	value = lower_known_variable(&l, variable);
	return value && probe->is_return ? save_at_entry(&l, value) : value;
}

/* Lower `value->member` of an expression, whose type is known only if it came from a $variable. */
static struct expr *lower_autocast(struct translation *t, struct lowering *l)
{
	struct expr *operand = l->target->operand;
	struct typed_value base = {.type = operand->c_type, .value = operand};

	if (operand->c_type)
		return follow_chain(l, base);
	/* Do not print an expression that is lowered already: the user has not written it. */
	if (operand->kind != EXPR_SYMBOL && operand->kind != EXPR_INDEX && operand->kind != EXPR_CALL) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &l->target->location,
			 _("the C type of the expression before '->' is unknown"));
		diagnose_hint(t->diagnostics, _("name the type: @cast(expression, \"struct …\")->…"));
		return NULL;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &l->target->location, _("the C type of '%s' is unknown"),
		 expr_text(t->arena, operand));
	diagnose_hint(t->diagnostics, _("name the type: @cast(%s, \"struct …\")->…"), expr_text(t->arena, operand));
	return NULL;
}

struct expr *lower_cast(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target};
	struct typed_value base = {0};
	struct type *type, *pointer;
	struct error *error;

	if (!target->type_name)
		return lower_autocast(t, &l);
	error = find_named_type(t, probe, target->type_name, target->module, &type);
	if (error) {
		translation_report(t, &target->location, error);
		return NULL;
	}
	l.debuginfo = type->debuginfo;
	/* @cast(p, "struct s")->x: p points to the type, whether the type is written with or without '*'. */
	pointer = type->kind == KIND_POINTER ? type : pointer_type_to(t->arena, type);
	base.value = target->operand;
	if (!target->components || !target->components->len) {
		base.type = type;
		if (type->kind != KIND_STRUCT && type->kind != KIND_UNION)
			return follow_chain(&l, base);
		target->operand->c_type = pointer;
		return target->operand;
	}
	base.type = pointer;
	return follow_chain(&l, base);
}

struct global_search {
	const char *name, *file;
	struct debuginfo *debuginfo; /* result: the debuginfo that has the variable */
	const struct variable *variable;
};

static struct error *search_global(struct debuginfo *debuginfo, void *data)
{
	struct global_search *search = data;

	search->debuginfo = debuginfo;
	return debuginfo_find_global(debuginfo, search->name, search->file, &search->variable);
}

/* Report a variable whose type BTF does not describe, but whose address is known. */
static void diagnose_untyped(struct lowering *l, const char *name)
{
	g_autofree char *advice = debuginfo_symbols_advice(&l->t->kernel);

	diagnose(l->t->diagnostics, SEMANTIC_ERROR, &l->target->location,
		 _("the type of '%s' is not known: there is only debuginfo of the kind '%s' of %s"), name,
		 debuginfo_source(l->debuginfo), debuginfo_module_name(l->debuginfo));
	diagnose_hint(l->t->diagnostics,
		      /* TRANSLATORS: the last %s is how to get debuginfo: "install linux-image-…, or run: …" */
		      _("name the type: @cast(&@var(\"%s\"), \"struct ...\")->..., kernel_long(&@var(\"%s\")); or "
			"%s"),
		      name, name, advice);
}

/* Return the file-level variable that a name refers to in a probe; NULL if it is local or unknown. */
static const struct variable *file_variable(const struct derived_probe *probe, const char *name)
{
	const struct variable *variable = NULL;
	struct error *error =
		debuginfo_find_variable(probe->function, probe->registration.address.value, name, &variable);

	error_free(error);
	return !error && variable->is_global ? variable : NULL;
}

struct expr *lower_global_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct lowering l = {.t = t, .probe = probe, .target = target};
	char *name = arena_strdup(t->arena, target->text);
	char *file = strchr(name, '@');
	struct global_search search;
	struct error *error;

	if (!file && !target->module && probe && probe->function) {
		struct expr *plain = expr_copy(t->arena, target);

		plain->target = TARGET_VARIABLE;
		/* Read a global variable in the handler itself, even in return probes. */
		if (!file_variable(probe, name))
			return lower_variable(t, probe, plain);
		l.debuginfo = probe->registration.debuginfo;
		return lower_known_variable(&l, file_variable(probe, name));
	}
	if (file)
		*file++ = '\0';
	search = (struct global_search){.name = name, .file = file};
	error = search_modules(t, probe, target->module, search_global, &search);
	if (error) {
		translation_report(t, &target->location, error);
		return NULL;
	}
	l.debuginfo = search.debuginfo;
	if (search.variable->type->kind == KIND_VOID && !target->address_of) {
		diagnose_untyped(&l, name);
		return NULL;
	}
	return lower_known_variable(&l, search.variable);
}
