// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Markers in comments of embedded C.
 *
 * The translator does not parse the C code. Markers such as "pure" state what it may assume. "pragma:read:x" and
 * "pragma:write:x" name the globals that the code accesses with STAP_GLOBAL_GET_x and STAP_GLOBAL_SET_x. They are bound
 * here like other names, so that they are emitted and locked. These macros without the pragma are an error, because
 * nothing would lock the global. A top-level block with "pragma:suffix" is emitted after all other C (emit/embedded.c).
 * One with "pragma:output:FORMAT" names the format of all output (own_output.c).
 */
#include "translator/sema/embedded.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/sema/scope.h"

bool embedded_says(const char *code, const char *marker)
{
	g_autofree char *comment = g_strdup_printf("/* %s */", marker);

	return strstr(code, comment) != NULL;
}

static size_t name_length(const char *text)
{
	return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

static struct embedded_use *use_of(struct translation *t, GPtrArray *uses, struct symbol *global)
{
	struct embedded_use *use;

	for_each_ptr(struct embedded_use *, known, uses) {
		if (known->global == global)
			return known;
	}
	use = arena_new0(t->arena, struct embedded_use);
	use->global = global;
	global->in_embedded_c = true;
	g_ptr_array_add(uses, use);
	return use;
}

/* Bind the globals of all "pragma:read:NAME" or "pragma:write:NAME". */
static void read_pragmas(struct translation *t, const struct script *script, const char *code, bool writes,
			 const struct location *at, GPtrArray *uses)
{
	const char *pragma = writes ? "/* pragma:write:" : "/* pragma:read:";

	for (const char *found = strstr(code, pragma); found; found = strstr(found + 1, pragma)) {
		const char *start = found + strlen(pragma);
		const char *name = arena_strndup(t->arena, start, name_length(start));
		struct symbol *global = visible_global_at(t, script, at, name);
		struct embedded_use *use;

		if (!global) {
			diagnose(t->diagnostics, SEMANTIC_ERROR, at,
				 _("embedded C names '%s' in a pragma, but there is no such global"), name);
			continue;
		}
		use = use_of(t, uses, global);
		use->writes |= writes;
		use->reads |= !writes;
	}
}

static bool is_declared(const GPtrArray *uses, const char *name, bool writes)
{
	for_each_ptr(const struct embedded_use *, use, uses) {
		if (!strcmp(use->global->name, name) && (writes ? use->writes : use->reads))
			return true;
	}
	return false;
}

static void check_macros(struct translation *t, const char *code, bool writes, const struct location *at,
			 const GPtrArray *uses)
{
	const char *macro = writes ? "STAP_GLOBAL_SET_" : "STAP_GLOBAL_GET_";

	for (const char *found = strstr(code, macro); found; found = strstr(found + 1, macro)) {
		const char *start = found + strlen(macro);
		g_autofree char *name = g_strndup(start, name_length(start));

		if (is_declared(uses, name, writes))
			continue;
		diagnose(t->diagnostics, SEMANTIC_ERROR, at, _("embedded C uses %s%s without a pragma"), macro, name);
		diagnose_hint(t->diagnostics, _("add this comment to the C code: %s"),
			      arena_printf(t->arena, "/* pragma:%s:%s */", writes ? "write" : "read", name));
		return;
	}
}

GPtrArray *embedded_globals(struct translation *t, const struct script *script, const char *code,
			    const struct location *at)
{
	GPtrArray *uses = NULL;

	if (!strstr(code, "pragma:") && !strstr(code, "STAP_GLOBAL_"))
		return NULL;
	uses = arena_ptr_array(t->arena);
	read_pragmas(t, script, code, false, at, uses);
	read_pragmas(t, script, code, true, at, uses);
	check_macros(t, code, false, at, uses);
	check_macros(t, code, true, at, uses);
	return uses;
}
