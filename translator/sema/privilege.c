// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reject what --privilege forbids. A script of an unprivileged user must neither harm the system nor reveal data that
 * an ordinary program cannot read.
 *
 * With --privilege=stapusr, a script may use begin, end, error and never probes, timers, and probes of processes. It
 * may not read kernel memory, and may call only the library's embedded C that is marked for it. The runtime
 * (own_process.c) ensures that the processes belong to the user: at each hit, at each read of a process's memory, and
 * in C marked "myproc-unprivileged" (emit/embedded.c). Embedded C of the user is only for stapdev, since it requires
 * -g.
 *
 * Registers in a probe of a program belong to the program. Elsewhere, and in functions, they may belong to the kernel.
 */
#include <inttypes.h>

#include "common/base/i18n.h"
#include "translator/debuginfo/debuginfo.h"
#include "translator/probes/provider.h"
#include "translator/sema/embedded.h"
#include "translator/sema/sema.h"

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
		diagnose(t->diagnostics, SEMANTIC_ERROR, &call->location,
			 _("function '%s' may not be used with --privilege=stapusr"), function->name);
		return;
	}
}

struct check {
	struct translation *t;
	bool of_program; /* in the handler of a probe of a program */
};

static bool is_of_program(const struct derived_probe *probe)
{
	return probe->registration.kind == STP_PROBE_UPROBE || probe->registration.kind == STP_PROBE_URETPROBE;
}

/* Does printf() have a "%m" without "#", which dumps kernel memory? With "#", it dumps that of the process. */
static bool dumps_kernel_memory(const struct expr *print)
{
	for_each_ptr(const struct format_part *, part, print->format) {
		if ((part->kind == FORMAT_MEMORY || part->kind == FORMAT_MEMORY_HEX) && !part->alternate)
			return true;
	}
	return false;
}

/* Can the expression read kernel memory or registers, or write memory? */
static bool is_of_kernel(const struct expr *e, bool of_program)
{
	switch (e->kind) {
	case EXPR_LOAD:
		return !e->user_space;
	case EXPR_STORE:
		return true;
	case EXPR_ADDRESS:
	case EXPR_THREAD_POINTER:
		return !e->object || debuginfo_memory(e->object) != MEMORY_USER;
	case EXPR_PROBE_REGISTER:
		return !e->user_space && !of_program;
	case EXPR_ENTRY_REGISTER:
	case EXPR_ENTRY_KNOWN:
		return !of_program;
	case EXPR_PRINT:
		return dumps_kernel_memory(e);
	default:
		return false;
	}
}

static void check_expr(struct expr **expr, void *data)
{
	const struct check *check = data;

	if ((*expr)->kind == EXPR_CALL)
		check_call(check->t, *expr);
	else if (is_of_kernel(*expr, check->of_program))
		diagnose(check->t->diagnostics, SEMANTIC_ERROR, &(*expr)->location,
			 _("kernel memory and registers may not be read with --privilege=stapusr"));
}

enum privilege privilege_of(const struct translation *t)
{
	enum privilege privilege = PRIVILEGE_STAPUSR;

	privilege_find(t->language.privilege, &privilege);
	return privilege;
}

/* Check a size that the script sets explicitly, instead of using the default that -D limits. */
static void check_size(struct translation *t, const struct location *location, const char *what, int64_t size,
		       const char *limit)
{
	enum privilege privilege = privilege_of(t);
	int64_t most = limit_highest(limit, privilege);

	if (size <= most)
		return;
	diagnose(t->diagnostics, SEMANTIC_ERROR, location,
		 _("%s of %" PRId64 " is above %" PRId64 ", the largest %s with --privilege=%s"), what, size, most,
		 limit, privilege_names[privilege]);
	diagnose_hint(t->diagnostics,
		      _("make it smaller, or use --privilege=stapdev, for modules that root and members "
			"of stapdev run"));
}

static void check_sizes(struct translation *t)
{
	for_each_ptr(const struct symbol *, global, t->globals)
		check_size(t, &global->location, _("an array size"), global->declared_size, "MAXMAPENTRIES");
	for_each_ptr(const struct derived_probe *, probe, t->probes) {
		const struct registration *registration = &probe->registration;

		check_size(t, &probe->point->location, "maxactive", registration->maxactive, "KRETACTIVE");
		if (registration->kind == STP_PROBE_PROCFS_READ || registration->kind == STP_PROBE_PROCFS_WRITE)
			check_size(t, &probe->point->location, "maxsize", registration->details->size,
				   "STP_PROCFS_BUFSIZE");
	}
}

bool check_privilege(struct translation *t)
{
	check_sizes(t);
	if (strcmp(t->language.privilege, "stapusr"))
		return diagnostics_errors(t->diagnostics) == 0;
	for_each_ptr(struct derived_probe *, probe, t->probes) {
		struct check check = {t, is_of_program(probe)};

		if (!probe->provider->unprivileged && !check.of_program &&
		    probe->registration.kind != STP_PROBE_PROCESS)
			diagnose(t->diagnostics, SEMANTIC_ERROR, &probe->point->location,
				 _("probe point '%s' may not be used with --privilege=stapusr"), probe->point_text);
		statement_walk(probe->body, check_expr, &check);
		for (guint i = 0; i < probe->entry_values->len; i++)
			expr_walk((struct expr **)&probe->entry_values->pdata[i], check_expr, &check);
		if (probe->guard)
			expr_walk(&probe->guard, check_expr, &check);
	}
	for_each_ptr(struct function_declaration *, function, t->functions) {
		struct check check = {t, false};

		if (!function->is_embedded)
			statement_walk(function->body, check_expr, &check);
	}
	return diagnostics_errors(t->diagnostics) == 0;
}
