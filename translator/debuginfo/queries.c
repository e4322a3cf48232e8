// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Queries that need the reader of a source; those that it cannot answer are refused here. Queries for functions and
 * symbols are answered by the index (index/functions.c), whatever its source.
 */
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/debuginfo/object/object.h"
#include "translator/debuginfo/types/types.h"
#include "common/nearest.h"

#define MOST_LEVELS 64

struct error *debuginfo_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
				  GPtrArray *ret)
{
	struct error *error = function_require(function, KNOWS_TYPES);

	return error ?: function->debuginfo->source->reader->variables(function, pc, parameters, locals, ret);
}

bool debuginfo_is_only_symbol(const struct function *function)
{
	return !(function->debuginfo->source->reader->knows & KNOWS_TYPES) || !function->die;
}

struct error *debuginfo_find_variable(const struct function *function, uint64_t pc, const char *name,
				      const struct variable **ret)
{
	struct error *error = function_require(function, KNOWS_TYPES);

	return error ?: function->debuginfo->source->reader->find_variable(function, pc, name, ret);
}

struct error *debuginfo_file_variables(const struct function *function, GPtrArray *ret)
{
	struct error *error = function_require(function, KNOWS_LOCALS);

	return error ?: function->debuginfo->source->reader->file_variables(function, ret);
}

struct error *debuginfo_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				    const struct variable **ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	const char *problem = debuginfo->object ? debuginfo->object->problem : NULL;

	if (!error && problem)
		error = error_new(ERROR_UNSUPPORTED, _("cannot read variables of %s: %s"), debuginfo->name, problem);
	if (!error && debuginfo->kind == OBJECT_TYPES)
		error = error_new(ERROR_UNSUPPORTED, _("only the types of %s are known, not its variables"),
				  debuginfo->name);
	return error ?: debuginfo->source->reader->find_global(debuginfo, name, file, ret);
}

struct error *debuginfo_members(struct type *type, const GPtrArray **ret)
{
	if (type->kind != KIND_STRUCT && type->kind != KIND_UNION)
		return error_new(ERROR_LOOKUP, _("'%s' is not a struct or union"), type->spelling);
	if (type->members) {
		*ret = type->members;
		return NULL;
	}
	if (!type->debuginfo)
		return error_new(ERROR_LOOKUP, _("'%s' is only declared; its members are not known"), type->spelling);
	if (type->is_declaration)
		return error_new(ERROR_LOOKUP, _("'%s' is only declared in %s; its members are not known"),
				 type->spelling, type->debuginfo->name);
	return type->debuginfo->source->reader->members(type, ret);
}

struct error *debuginfo_find_enumerator(struct debuginfo *debuginfo, const char *name, int64_t *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	bool found = false;

	error = error ?: debuginfo->source->reader->find_enumerator(debuginfo, name, ret, &found);
	if (error || found)
		return error;
	return error_new(ERROR_LOOKUP, _("no enum of %s has '%s'"), debuginfo_module_name(debuginfo), name);
}

struct error *debuginfo_enumerators(struct type *type, const GPtrArray **ret)
{
	if (type->kind != KIND_ENUM)
		return error_new(ERROR_LOOKUP, _("'%s' is not an enum"), type->spelling);
	return type->debuginfo->source->reader->enumerators(type, ret);
}

struct error *debuginfo_statements(struct debuginfo *debuginfo, const struct statement_query *query, GPtrArray *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_LINES);

	return error ?: debuginfo->source->reader->statements(debuginfo, query, ret);
}

struct error *debuginfo_statement_at(struct debuginfo *debuginfo, struct address address, struct statement_place *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_LINES);

	return error ?: debuginfo->source->reader->statement_at(debuginfo, address, ret);
}

struct error *debuginfo_code_places(struct debuginfo *debuginfo, struct address address, GArray *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_LINES | KNOWS_INLINES);

	return error ?: debuginfo->source->reader->code_places(debuginfo, address, ret);
}

struct error *debuginfo_labels(const struct function *function, const char *pattern, GPtrArray *ret)
{
	struct error *error = function_require(function, KNOWS_LINES);

	return error ?: function->debuginfo->source->reader->labels(function, pattern, ret);
}

struct error *debuginfo_callees(const struct function *function, const char *pattern, GPtrArray *ret)
{
	struct error *error = function_require(function, KNOWS_CALLS);

	return error ?: function->debuginfo->source->reader->callees(function, pattern, ret);
}

struct error *debuginfo_caller_frame(struct debuginfo *debuginfo, struct address pc, const struct frame *frame,
				     struct frame *ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_CALLS);

	return error ?: debuginfo->source->reader->caller_frame(debuginfo, pc, frame, ret);
}

/* ---- members and types by name ---- */

static bool find_member(struct type *type, const char *name, uint64_t offset, int level, struct member *ret)
{
	const GPtrArray *members;
	_cleanup_error_ struct error *error = debuginfo_members(type, &members);

	for (guint i = 0; !error && level < MOST_LEVELS && i < members->len; i++) {
		const struct member *member = g_ptr_array_index(members, i);

		if (member->name && strcmp(member->name, name) == 0) {
			*ret = *member;
			ret->offset += offset;
			return true;
		}
		if (!member->name && find_member(member->type, name, offset + member->offset, level + 1, ret))
			return true;
	}
	return false;
}

struct error *debuginfo_find_member(struct type *type, const char *name, struct member *ret)
{
	const GPtrArray *members;
	struct error *error = debuginfo_members(type, &members);

	if (error)
		return error;
	if (find_member(type, name, 0, 0, ret))
		return NULL;
	return error_new(ERROR_LOOKUP, _("'%s' has no member '%s'"), type->spelling, name);
}

/* Return the name of a type without "struct" or another keyword. */
static const char *plain_name(const char *name)
{
	const char *blank = strrchr(name, ' ');

	return blank ? blank + 1 : name;
}

static struct error *no_type_error(struct debuginfo *debuginfo, const char *name, const char *clean)
{
	struct error *error = error_new(ERROR_LOOKUP, _("%s has no type '%s'"), debuginfo->name, name);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const GPtrArray *near;

	error_free(debuginfo->source->reader->type_names(debuginfo, names));
	near = nearest_matches(debuginfo->arena, plain_name(clean), names, "", 3);
	return near ? error_with_names(error, debuginfo->arena, near) : error;
}

struct error *debuginfo_find_type(struct debuginfo *debuginfo, const char *name, struct type **ret)
{
	struct error *error = debuginfo_require(debuginfo, KNOWS_TYPES);
	g_autofree char *clean = NULL;
	int stars;

	if (error)
		return error;
	clean = clean_type_name(name, &stars);
	if (strcmp(clean, "void") == 0)
		*ret = type_void(debuginfo);
	else
		error = debuginfo->source->reader->find_type(debuginfo, clean, ret);
	if (error)
		return error;
	if (!*ret)
		return no_type_error(debuginfo, name, clean);
	while (stars--)
		*ret = pointer_to(*ret);
	return NULL;
}
