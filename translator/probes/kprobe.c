// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kprobe.function("name"), kprobe.module("m").function("name"): probes that need no debuginfo. The kernel finds the
 * symbol when the script is loaded. kprobe.statement(address).absolute is in statement.c.
 */
#include "common/base/i18n.h"
#include "translator/lowering/lowering.h"
#include "translator/probes/function_probes.h"
#include "translator/probes/suggest_functions.h"

enum variant { FUNCTION, FUNCTION_RETURN, MODULE_FUNCTION, MODULE_FUNCTION_RETURN };

static const struct point_pattern patterns[] = {
	{{{"kprobe", NO_ARGUMENT}, {"function", STRING_ARGUMENT}}, FUNCTION},
	{{{"kprobe", NO_ARGUMENT}, {"function", STRING_ARGUMENT}, {"call", NO_ARGUMENT}}, FUNCTION},
	{{{"kprobe", NO_ARGUMENT}, {"function", STRING_ARGUMENT}, {"return", NO_ARGUMENT}}, FUNCTION_RETURN},
	{{{"kprobe", NO_ARGUMENT},
	  {"function", STRING_ARGUMENT},
	  {"return", NO_ARGUMENT},
	  {"maxactive", NUMBER_ARGUMENT}},
	 FUNCTION_RETURN},
	{{{"kprobe", NO_ARGUMENT}, {"module", STRING_ARGUMENT}, {"function", STRING_ARGUMENT}}, MODULE_FUNCTION},
	{{{"kprobe", NO_ARGUMENT}, {"module", STRING_ARGUMENT}, {"function", STRING_ARGUMENT}, {"call", NO_ARGUMENT}},
	 MODULE_FUNCTION},
	{{{"kprobe", NO_ARGUMENT}, {"module", STRING_ARGUMENT}, {"function", STRING_ARGUMENT}, {"return", NO_ARGUMENT}},
	 MODULE_FUNCTION_RETURN},
	{0},
};

/*
 * Return whether the kernel's parser of "module:symbol" accepts the name. The check also keeps hostile text out of the
 * generated C.
 */
static bool is_symbol_name(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++)
		if (!g_ascii_isalnum(*text) && !strchr("_.$", *text))
			return false;
	return true;
}

/* Return the name of a module as the kernel spells it in symbols, from a name or the path of a file: "/x/a-b.ko.xz". */
static const char *module_in_symbols(struct arena *arena, const char *text)
{
	bool is_path = strchr(text, '/');
	const char *base = is_path ? strrchr(text, '/') + 1 : text;
	const char *suffix = is_path ? g_strrstr(base, ".ko") : NULL;
	char *name = arena_strndup(arena, base, suffix ? (size_t)(suffix - base) : strlen(base));

	return g_strdelimit(name, "-", '_');
}

/*
 * Report a function that neither the kernel nor the module has, if their symbols are here. Without a module, the kernel
 * also finds functions of modules that are loaded.
 */
static bool check_exists(struct translation *t, const struct probe_point *point, const char *module,
			 const char *function)
{
	struct debuginfo *debuginfo;
	struct address address;
	struct error *error = translation_debuginfo(t, module ?: "kernel", &debuginfo);

	/* The module may exist only where the script runs. */
	if (error) {
		error_free(error);
		return true;
	}
	error = debuginfo_symbol_address(debuginfo, function, &address);
	if (!error || error->code != ERROR_LOOKUP || (!module && module_with_function(t, function))) {
		error_free(error);
		return true;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, "%s", error->message);
	suggest_functions(t, debuginfo, function, NULL);
	error_free(error);
	return false;
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	bool in_module = pattern->variant >= MODULE_FUNCTION;
	const char *function = point_string(point, in_module ? 2 : 1);
	const char *module = in_module ? module_in_symbols(t->arena, point_string(point, 1)) : NULL;
	struct derived_probe *derived;

	if (!is_symbol_name(function) || (module && !is_symbol_name(module))) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location, _("'%s' is not a symbol name"),
			 !is_symbol_name(function) ? function : point_string(point, 1));
		diagnose_hint(t->diagnostics,
			      _("kprobe.function takes one exact name; kernel.function accepts wildcards"));
		return;
	}
	if (!check_exists(t, point, module, function))
		return;
	derived = derived_probe_new(t, point);
	derived->is_return = pattern->variant == FUNCTION_RETURN || pattern->variant == MODULE_FUNCTION_RETURN;
	derived->function_name = function;
	derived->registration.kind = derived->is_return ? STP_PROBE_KRETPROBE : STP_PROBE_KPROBE;
	derived->registration.by_symbol = true;
	derived->registration.symbol = module ? arena_printf(t->arena, "%s:%s", module, function) : function;
	derived->registration.maxactive = t->limits.kretactive;
	if (derived->is_return && point->components->len == 4 && !in_module)
		derived->registration.maxactive = point_number(point, 3);
	g_ptr_array_add(ret, derived);
}

/* Return how a probe that uses debuginfo names the kernel or the module of this one. */
static const char *object_text(struct arena *arena, const struct derived_probe *probe)
{
	const char *symbol = probe->registration.symbol, *colon = strchr(symbol, ':');

	return colon ? arena_printf(arena, "module(\"%.*s\")", (int)(colon - symbol), symbol) : "kernel";
}

/* Groups such as $$parms are empty, as in every function of which only the symbol is known. */
static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct expr *empty = lower_empty_group(t, target, _("this probe uses no debuginfo"));

	if (!empty)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location, _("no $variables in probe '%s'"),
			 probe->point_text);
	diagnose_hint(t->diagnostics, _("use %s.function(\"%s\"), which uses debuginfo"), object_text(t->arena, probe),
		      probe->function_name);
	return empty;
}

const struct provider kprobe_provider = {
	.name = "kprobe",
	.summary = N_("functions by symbol name, without debuginfo"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
};
