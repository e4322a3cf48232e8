// SPDX-License-Identifier: GPL-2.0-or-later
/* What a name can mean at the place where it is written; see scope.h. */
#include "translator/sema/scope.h"

#include <string.h>

/* In the order of lookup. */
enum origin { ORIGIN_SCRIPT, ORIGIN_TAPSET, ORIGIN_LIBRARY };

static enum origin origin_of_file(const struct source_file *file)
{
	if (!file || !file->is_tapset)
		return ORIGIN_SCRIPT;
	return file->is_library ? ORIGIN_LIBRARY : ORIGIN_TAPSET;
}

/*
 * The text of a macro belongs to the place of its use, so a macro of -I may name a variable of that place. Macros of
 * the library may name only what the library declares.
 */
static enum origin origin_at(const struct location *at)
{
	while (at->file && at->file->is_of_macros && !at->file->is_library && at->expanded_from)
		at = at->expanded_from;
	return origin_of_file(at->file);
}

static const struct script *script_of_file(const GPtrArray *scripts, const struct source_file *file)
{
	for_each_ptr(const struct script *, script, scripts) {
		if (script->file == file)
			return script;
	}
	return NULL;
}

const struct script *script_at(const struct translation *t, const struct location *at, const struct script *otherwise)
{
	/* A macro file is not a script: private names in a macro are those of the place that uses it. */
	for (; at && at->file; at = at->expanded_from) {
		const struct script *script = otherwise;

		if (at->file != otherwise->file)
			script = script_of_file(t->scripts, at->file) ?: script_of_file(t->library, at->file);
		if (script)
			return script;
	}
	return otherwise;
}

static enum origin origin_of_name(const struct expr *name)
{
	return name->is_of_translator ? ORIGIN_LIBRARY : origin_at(&name->location);
}

/* Documented variables of aliases that handlers may use in spite of their names. */
static const char *const documented[] = {"__page"};

static bool is_helper_name(const char *name)
{
	if (!g_str_has_prefix(name, "__"))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(documented); i++)
		if (!strcmp(documented[i], name))
			return false;
	return true;
}

bool is_library_helper(const struct expr *name)
{
	return is_helper_name(name->text) && origin_of_name(name) == ORIGIN_LIBRARY;
}

bool is_library_helper_at(const struct location *at, const char *name)
{
	return is_helper_name(name) && origin_at(at) == ORIGIN_LIBRARY;
}

bool same_local(const struct expr *a, const struct expr *b)
{
	return !strcmp(a->text, b->text) && is_library_helper(a) == is_library_helper(b);
}

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static bool is_visible(const struct symbol *global, const struct script *declared_in, const struct script *script,
		       enum origin origin)
{
	enum origin declared = origin_of_file(declared_in->file);

	if (global->is_private && declared_in != script)
		return false;
	if (declared == ORIGIN_LIBRARY && origin != ORIGIN_LIBRARY && is_helper_name(global->name))
		return false;
	return declared >= origin;
}

static struct symbol *find_in_script(const struct script *declared_in, const struct script *script, enum origin origin,
				     const char *name)
{
	for_each_ptr(struct symbol *, global, declared_in->globals) {
		if (!strcmp(global->name, name) && is_visible(global, declared_in, script, origin))
			return global;
	}
	return NULL;
}

static struct symbol *find_in_scripts(const GPtrArray *scripts, const struct script *script, enum origin origin,
				      const char *name)
{
	struct symbol *found = NULL;

	for (guint i = 0; !found && i < scripts->len; i++)
		found = find_in_script(g_ptr_array_index(scripts, i), script, origin, name);
	return found;
}

/* The script's own globals come first, private or not. */
static struct symbol *find_global(struct translation *t, const struct script *script, enum origin origin,
				  const char *name)
{
	struct symbol *found = find_in_script(script, script, origin, name);

	if (!found && origin == ORIGIN_SCRIPT)
		found = find_in_scripts(t->scripts, script, origin, name);
	return found ?: find_in_scripts(library_with(t, name), script, origin, name);
}

struct symbol *visible_global_at(struct translation *t, const struct script *script, const struct location *at,
				 const char *name)
{
	return find_global(t, script, origin_at(at), name);
}

struct symbol *visible_global(struct translation *t, const struct script *script, const struct expr *name)
{
	return find_global(t, script, origin_of_name(name), name->text);
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

bool sees_function(const struct expr *call, const struct script *script, const struct function_declaration *function)
{
	return !function->is_private || function->script == script ||
	       (call->is_of_translator && function->script->file->is_library);
}

static void collect_from(const GPtrArray *scripts, const struct script *script, enum origin origin,
			 const struct expr *call, GPtrArray *ret)
{
	for_each_ptr(const struct script *, declared_in, scripts) {
		if (origin_of_file(declared_in->file) < origin)
			continue;
		for_each_ptr(struct function_declaration *, function, declared_in->functions)
			if (!strcmp(function->name, call->text) && sees_function(call, script, function))
				g_ptr_array_add(ret, function);
	}
}

/* Library functions that a script may replace: calls in the library find the script's. */
static const char *const hooks[] = {"__indent_timestamp", "ipmib_filter_key", "linuxmib_filter_key",
				    "tcpmib_filter_key"};

static bool is_hook(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(hooks); i++)
		if (!strcmp(hooks[i], name))
			return true;
	return false;
}

void collect_functions(struct translation *t, const struct script *script, const struct expr *call, GPtrArray *ret)
{
	enum origin origin = is_hook(call->text) ? ORIGIN_SCRIPT : origin_of_name(call);

	if (origin == ORIGIN_SCRIPT)
		collect_from(t->scripts, script, origin, call, ret);
	collect_from(library_with(t, call->text), script, origin, call, ret);
}

struct function_declaration *only_function(struct translation *t, const struct script *script, const struct expr *call)
{
	g_autoptr(GPtrArray) named = g_ptr_array_new();
	guint given = call->arguments ? call->arguments->len : 0;
	struct function_declaration *found = NULL;

	collect_functions(t, script, call, named);
	for_each_ptr(struct function_declaration *, function, named) {
		guint wanted = function->parameters ? function->parameters->len : 0;

		if (wanted != given)
			continue;
		if (found)
			return NULL;
		found = function;
	}
	return found;
}

/* ---- aliases ----------------------------------------------------------------------------------------------------- */

bool sees_aliases(const struct location *at, const struct script *script)
{
	return origin_of_file(script->file) >= origin_at(at);
}
