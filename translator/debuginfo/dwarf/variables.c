// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The variables that are visible at a pc, by scope.
 *
 * A function's DIE has its parameters and outermost locals; lexical blocks nest inside. The blocks around the pc are
 * collected from the outside in, and names are searched from the inside out. A concrete or inlined instance may lack
 * children of its abstract instance (DWARF 5, section 3.3.8): these were optimized out entirely, and are reported so.
 */
#include "translator/debuginfo/dwarf/dwarf.h"
#include "translator/debuginfo/index/index.h"
#include "translator/debuginfo/lines/lines.h"
#include "translator/debuginfo/location/location.h"
#include "translator/debuginfo/location/values.h"
#include "translator/debuginfo/types/types.h"

#include <string.h>

#include "common/base/i18n.h"

#define MOST_BLOCKS 64

/* The scopes of a function at a pc, outermost (the function or inlined instance itself) first. */
struct scopes {
	struct location_context context;
	Dwarf_Die dies[MOST_BLOCKS];
	int count;
};

static struct error *broken_index(const struct function *function)
{
	return debuginfo_malformed(function->debuginfo, _("its index does not match it"));
}

static struct error *find_scopes(const struct function *function, uint64_t pc, struct scopes *scopes)
{
	const struct function *real = function->is_inlined && function->container ? function->container : function;
	struct debuginfo *debuginfo = function->debuginfo;
	Dwarf_Die child;

	scopes->context = (struct location_context){.debuginfo = debuginfo};
	/* Between the two are only no-ops. */
	if (pc == function->start.value)
		pc = function->entry.value;
	if (!function_die(real, &scopes->context.function) || !function_die(function, &scopes->dies[0]))
		return broken_index(function);
	/* Do this after opening the DWARF, which lays out a module's sections. */
	scopes->context.pc = debuginfo_dwarf_address(debuginfo, (struct address){pc, function->entry.section});
	scopes->context.entry = debuginfo_dwarf_address(debuginfo, real->entry);
	scopes->context.at_inlined_entry = function->is_inlined && pc == function->entry.value;
	scopes->context.entry_is_probeable = !real->not_probeable && !real->is_init;
	for (scopes->count = 1; scopes->count < MOST_BLOCKS; scopes->count++) {
		Dwarf_Die *outer = &scopes->dies[scopes->count - 1];
		int next = dwarf_child(outer, &child);

		while (next == 0 &&
		       (dwarf_tag(&child) != DW_TAG_lexical_block || dwarf_haspc(&child, scopes->context.pc) != 1))
			next = dwarf_siblingof(&child, &child);
		if (next != 0)
			break;
		scopes->dies[scopes->count] = child;
	}
	return NULL;
}

/* Is it a variable of a requested kind? Declarations ("extern int x;" in a block) have no location. */
static bool is_variable(Dwarf_Die *die, bool parameters, bool locals)
{
	int tag = dwarf_tag(die);

	return (parameters && tag == DW_TAG_formal_parameter) ||
	       (locals && tag == DW_TAG_variable && !dwarf_hasattr(die, DW_AT_declaration));
}

static struct variable *new_variable(const struct location_context *context, Dwarf_Die *die)
{
	struct variable *variable = variable_new(context->debuginfo);

	variable->name = dwarf_diename(die);
	variable->type = type_of(context->debuginfo, die);
	variable->is_parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	location_of(context, die, variable);
	return variable;
}

/* ---- lists ---- */

struct listing {
	const struct location_context *context;
	GHashTable *names; /* already listed; they hide outer ones */
	GHashTable *instances; /* abstract DIE -> DIE in this function */
	GPtrArray *ret;
	bool parameters, locals;
};

static void list_variable(struct listing *listing, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (name && g_hash_table_add(listing->names, (gpointer)name))
		g_ptr_array_add(listing->ret, new_variable(listing->context, die));
}

static void list_children(struct listing *listing, Dwarf_Die *scope)
{
	Dwarf_Die child;

	for (int next = dwarf_child(scope, &child); next == 0; next = dwarf_siblingof(&child, &child))
		if (is_variable(&child, listing->parameters, listing->locals))
			list_variable(listing, &child);
}

/*
 * List the variables of an abstract instance in source order, each by its concrete DIE if it has one. gcc lists the
 * parameters of inlined instances in arbitrary order.
 */
static void list_abstract(struct listing *listing, Dwarf_Die *scope, Dwarf_Die *abstract_scope)
{
	Dwarf_Die child, abstract;

	for (int next = dwarf_child(scope, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		if (!is_variable(&child, true, true))
			continue;
		abstract_die(&child, &abstract);
		g_hash_table_insert(listing->instances, abstract.addr, g_memdup2(&child, sizeof(child)));
	}
	for (int next = dwarf_child(abstract_scope, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		Dwarf_Die *instance = g_hash_table_lookup(listing->instances, child.addr);

		if (is_variable(&child, listing->parameters, listing->locals))
			list_variable(listing, instance ? instance : &child);
	}
}

static gint compare_kinds(gconstpointer a, gconstpointer b)
{
	const struct variable *x = *(const struct variable *const *)a, *y = *(const struct variable *const *)b;

	return (int)y->is_parameter - (int)x->is_parameter;
}

struct error *dwarf_variables(const struct function *function, uint64_t pc, bool parameters, bool locals,
			      GPtrArray *ret)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GHashTable) instances = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct scopes scopes;
	struct listing listing = {&scopes.context, names, instances, found, parameters, locals};
	struct error *error = find_scopes(function, pc, &scopes);
	Dwarf_Die abstract;

	if (error)
		return error;
	for (int i = scopes.count - 1; i > 0; i--)
		list_children(&listing, &scopes.dies[i]);
	abstract_die(&scopes.dies[0], &abstract);
	if (abstract.addr != scopes.dies[0].addr)
		list_abstract(&listing, &scopes.dies[0], &abstract);
	list_children(&listing, &scopes.dies[0]);
	g_ptr_array_sort(found, compare_kinds); /* stable: parameters in their order, then locals */
	for (guint i = 0; i < found->len; i++)
		g_ptr_array_add(ret, g_ptr_array_index(found, i));
	return NULL;
}

/* ---- finding one by name ---- */

static bool find_child(Dwarf_Die *scope, const char *name, Dwarf_Die *ret)
{
	for (int next = dwarf_child(scope, ret); next == 0; next = dwarf_siblingof(ret, ret)) {
		const char *found;

		if (!is_variable(ret, true, true))
			continue;
		found = dwarf_diename(ret);
		if (found && strcmp(found, name) == 0)
			return true;
	}
	return false;
}

static bool find_in_scopes(const struct scopes *scopes, const char *name, Dwarf_Die *ret)
{
	Dwarf_Die abstract;

	for (int i = scopes->count - 1; i >= 0; i--) {
		Dwarf_Die scope = scopes->dies[i];

		if (find_child(&scope, name, ret))
			return true;
	}
	abstract = scopes->dies[0];
	abstract_die(&abstract, &abstract);
	return find_child(&abstract, name, ret);
}

/* Is the name declared at file level in the unit ("extern int x;" from a header)? */
static bool unit_declares(Dwarf_Die *unit, const char *name)
{
	Dwarf_Die child;

	for (int next = dwarf_child(unit, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		const char *found = dwarf_tag(&child) == DW_TAG_variable ? dwarf_diename(&child) : NULL;

		if (found && strcmp(found, name) == 0)
			return true;
	}
	return false;
}

static struct variable *global_variable(struct debuginfo *debuginfo, Dwarf_Die *die)
{
	struct location_context context = {.debuginfo = debuginfo, .function = *die};
	struct variable *variable = new_variable(&context, die);
	struct address symbol;
	_cleanup_error_ struct error *error = NULL;

	variable->is_global = true;
	if (!variable->name) /* from a damaged index */
		return NULL;
	if (!dwarf_hasattr(die, DW_AT_declaration))
		return variable;
	/* Defined outside of C (jiffies in the linker script): use the symbol table. */
	error = debuginfo_symbol_address(debuginfo, variable->name, &symbol);
	if (error)
		return NULL;
	location_of_address(debuginfo, debuginfo_dwarf_address(debuginfo, symbol), variable);
	return variable;
}

static bool same_unit(Dwarf_Die *die, Dwarf_Die *unit)
{
	Dwarf_Die own;

	return dwarf_diecu(die, &own, NULL, NULL) && own.addr == unit->addr;
}

/* Find a file-level variable visible to a function: of its own unit, or external and declared in the unit. */
static struct variable *find_file_level(struct debuginfo *debuginfo, Dwarf_Die *function, const char *name)
{
	uint64_t external = 0;
	Dwarf_Die unit, die;
	struct index *index;
	_cleanup_error_ struct error *error = debuginfo_index(debuginfo, &index);

	if (error || !dwarf_diecu(function, &unit, NULL, NULL))
		return NULL;
	for (uint64_t i = index_find_variable(index, name); i < index->variable_count; i++) {
		if (strcmp(index_string(index, index->variables[i].name), name) != 0)
			break;
		if (!dwarf_die_at(debuginfo, index->variables[i].die, &die))
			continue;
		if (same_unit(&die, &unit))
			return global_variable(debuginfo, &die);
		if (index->variables[i].flags & VARIABLE_EXTERNAL)
			external = index->variables[i].die;
	}
	if (external && unit_declares(&unit, name) && dwarf_die_at(debuginfo, external, &die))
		return global_variable(debuginfo, &die);
	return NULL;
}

struct error *dwarf_find_variable(const struct function *function, uint64_t pc, const char *name,
				  const struct variable **ret)
{
	struct scopes scopes;
	struct error *error = find_scopes(function, pc, &scopes);
	Dwarf_Die die;

	if (error)
		return error;
	if (find_in_scopes(&scopes, name, &die))
		*ret = new_variable(&scopes.context, &die);
	else
		*ret = find_file_level(function->debuginfo, &scopes.dies[0], name);
	if (*ret)
		return NULL;
	return error_new(ERROR_LOOKUP, _("there is no variable '%s' in function '%s'"), name, function->name);
}

struct error *dwarf_result_type(const struct function *function, struct type **ret)
{
	Dwarf_Die die;

	if (!function_die(function, &die))
		return broken_index(function);
	*ret = type_of(function->debuginfo, &die);
	return NULL;
}

/* ---- globals ---- */

static gint compare_names(gconstpointer a, gconstpointer b)
{
	const struct variable *x = *(const struct variable *const *)a, *y = *(const struct variable *const *)b;

	return strcmp(x->name, y->name);
}

struct error *dwarf_file_variables(const struct function *function, GPtrArray *ret)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	struct debuginfo *debuginfo = function->debuginfo;
	Dwarf_Die die, unit, child;
	struct index *index;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (error)
		return error;
	if (!function_die(function, &die) || !dwarf_diecu(&die, &unit, NULL, NULL))
		return broken_index(function);
	for (int next = dwarf_child(&unit, &child); next == 0; next = dwarf_siblingof(&child, &child)) {
		const char *name = dwarf_tag(&child) == DW_TAG_variable ? dwarf_diename(&child) : NULL;
		const struct variable *variable = NULL;
		_cleanup_error_ struct error *absent = NULL;

		/* Variables with this prefix come from kernel macros; the linker drops them, or they are of no use. */
		if (!name || g_str_has_prefix(name, "__UNIQUE_ID_") || !g_hash_table_add(names, (gpointer)name))
			continue;
		/* The definition may be in this unit or in another. */
		absent = dwarf_find_variable(function, debuginfo_dwarf_address(debuginfo, function->entry), name,
					     &variable);
		if (variable && variable->is_global)
			g_ptr_array_add(ret, (gpointer)variable);
	}
	g_ptr_array_sort(ret, compare_names);
	return NULL;
}

/* Return the normalized path of a DIE's unit; the caller frees it. */
static char *unit_path(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *name, *directory;
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return g_strdup("");
	name = dwarf_diename(&unit);
	directory = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
	return file_normalise(name ? name : "", directory);
}

/* The variables with a name, and the best of them. */
struct candidates {
	Dwarf_Die best;
	GPtrArray *paths; /* char *, paths of their units */
	size_t best_length; /* of its path */
	bool is_found, is_external;
};

/*
 * Consider a variable. An external one wins. Among static ones in files whose paths match, the one with the shortest
 * path wins, as documented.
 */
static void consider(struct candidates *candidates, Dwarf_Die *die, bool is_external, const char *file)
{
	g_autofree char *path = unit_path(die);
	size_t length = strlen(path);

	if (file && !file_matches(path, file))
		return;
	if (!candidates->is_found || is_external || length < candidates->best_length) {
		candidates->best = *die;
		candidates->best_length = length;
	}
	candidates->is_found = true;
	candidates->is_external = is_external;
	g_ptr_array_add(candidates->paths, g_steal_pointer(&path));
}

static void find_candidates(struct debuginfo *debuginfo, const struct index *index, const char *name, const char *file,
			    struct candidates *candidates)
{
	Dwarf_Die die;

	for (uint64_t i = index_find_variable(index, name); i < index->variable_count && !candidates->is_external;
	     i++) {
		const struct index_variable *entry = &index->variables[i];

		if (strcmp(index_string(index, entry->name), name) != 0 ||
		    (candidates->is_found && entry->flags & VARIABLE_DECLARATION))
			break;
		if (dwarf_die_at(debuginfo, entry->die, &die))
			consider(candidates, &die, entry->flags & VARIABLE_EXTERNAL, file);
	}
}

static struct error *is_ambiguous(const struct debuginfo *debuginfo, const char *name, const GPtrArray *paths)
{
	enum { MOST_PATHS = 5 };
	g_autoptr(GString) text = g_string_new(NULL);
	struct error *error = error_new(ERROR_LOOKUP, _("%u files of %s have a variable '%s' of their own"), paths->len,
					debuginfo->name, name);

	for (guint i = 0; i < paths->len && i < MOST_PATHS; i++) {
		const char *path = g_ptr_array_index(paths, i);
		g_autofree char *choice = g_strdup_printf("@var(\"%s@%s\")", name, path);

		g_string_append_printf(text, "%s%s", i ? ", " : "", choice);
		error_with_alternative(error, choice);
	}
	return error_with_hint(error, _("say which: %s%s"), text->str, paths->len > MOST_PATHS ? ", ..." : "");
}

struct error *dwarf_find_global(struct debuginfo *debuginfo, const char *name, const char *file,
				const struct variable **ret)
{
	g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free), names = NULL;
	g_autofree char *clean = NULL;
	struct candidates candidates = {.paths = paths};
	struct index *index;
	Dwarf *dwarf;
	struct error *error = debuginfo_index(debuginfo, &index);

	if (!error)
		error = debuginfo_dwarf(debuginfo, &dwarf);
	if (error)
		return error;
	clean = scoped_spelling(name);
	find_candidates(debuginfo, index, clean, file, &candidates);
	if (!candidates.is_found && !object_is_kernels(debuginfo->kind)) {
		names = g_ptr_array_new();
		index_scoped_names(index, index->variables, index->variable_count, sizeof(*index->variables), clean,
				   names);
		if (names->len > 1)
			return scoped_names_error(debuginfo, name, names);
		if (names->len)
			find_candidates(debuginfo, index, g_ptr_array_index(names, 0), file, &candidates);
	}
	if (!file && !candidates.is_external && paths->len > 1)
		return is_ambiguous(debuginfo, name, paths);
	*ret = candidates.is_found ? global_variable(debuginfo, &candidates.best) : NULL;
	if (*ret)
		return NULL;
	if (file)
		return error_new(ERROR_LOOKUP, _("%s has no global variable '%s' in a file that matches '%s'"),
				 debuginfo->name, name, file);
	return error_new(ERROR_LOOKUP, _("%s has no global variable '%s'"), debuginfo->name, name);
}
