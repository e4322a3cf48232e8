// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a script may not do at a lower privilege (--privilege): it must neither harm the system nor tell its user what
 * an ordinary program would not be told. A stapusr may use probes that touch nobody else (begin, end, error, never,
 * timers), no kernel memory, and of the library's C what is marked for it. What only stapdev may do, embedded C of
 * one's own, has been refused with -g.
 */
#include "translator/probes/provider.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"
#include "translator/util/i18n.h"

static bool is_unprivileged(const struct function_declaration *function)
{
	const char *code = function->body->code;

	return !function->is_embedded || embedded_says(code, "unprivileged") ||
	       embedded_says(code, "myproc-unprivileged");
}

static void check_call(struct translation *t, const struct expr *call)
{
	for_each_ptr(const struct function_declaration *, function, call->overloads) {
		if (is_unprivileged(function))
			continue;
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &call->location,
			 _("function '%s' may not be used with --privilege=stapusr"), function->name);
		return;
	}
}

static void check_expr(struct expr **expr, void *data)
{
	struct translation *t = data;

	switch ((*expr)->kind) {
	case EXPR_CALL:
		check_call(t, *expr);
		break;
	case EXPR_LOAD:
	case EXPR_STORE:
	case EXPR_ADDRESS:
	case EXPR_THREAD_POINTER:
	case EXPR_PROBE_REGISTER:
	case EXPR_ENTRY_REGISTER:
	case EXPR_ENTRY_KNOWN:
		diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &(*expr)->location,
			 _("kernel memory and registers may not be read with --privilege=stapusr"));
		break;
	default:
		break;
	}
}

bool check_privilege(struct translation *t)
{
	if (strcmp(t->language.privilege, "stapusr"))
		return true;
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		if (!probe->provider->unprivileged)
			diagnose(t->diagnostics, SEVERITY_ERROR, N_("semantic error"), &probe->point->location,
				 _("probe point '%s' may not be used with --privilege=stapusr"), probe->point_text);
		statement_walk(probe->body, check_expr, t);
	}
	for_each_ptr(struct function_declaration *, function, t->functions) {
		if (!function->is_embedded)
			statement_walk(function->body, check_expr, t);
	}
	return diagnostics_errors(t->diagnostics) == 0;
}
