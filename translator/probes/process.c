// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process.begin, .end, .thread.begin, .thread.end, .syscall and .syscall.return: events of the processes that run a
 * program, of one process, or of all processes. With -c or -x, only the target process and its descendants count.
 *
 * In probes of system calls, $syscall is the number, $arg1 to $arg6 are the arguments, and $return is the result.
 */
#include "translator/probes/function_probes.h"

#include "common/base/i18n.h"
#include "translator/sema/builder.h"

#define PROCESS_EVENTS(event, ...)                                                                                     \
	{                                                                                                              \
		{{"process", ANY_ARGUMENT}, __VA_ARGS__}, event                                                        \
	}

/*
 * The kernel exports no function to single-step a program. A trap flag that a module sets without the kernel's
 * knowledge gets into signal frames, children and pushed flags. Such a copy kills the program after the script has
 * ended.
 */
static const char no_steps[] = N_("the kernel does not let modules single-step programs");

static const struct point_pattern patterns[] = {
	PROCESS_EVENTS(STP_PROCESS_BEGIN, {"begin", NO_ARGUMENT}),
	PROCESS_EVENTS(STP_PROCESS_END, {"end", NO_ARGUMENT}),
	PROCESS_EVENTS(STP_PROCESS_THREAD_BEGIN, {"thread", NO_ARGUMENT}, {"begin", NO_ARGUMENT}),
	PROCESS_EVENTS(STP_PROCESS_THREAD_END, {"thread", NO_ARGUMENT}, {"end", NO_ARGUMENT}),
	PROCESS_EVENTS(STP_PROCESS_SYSCALL, {"syscall", NO_ARGUMENT}),
	PROCESS_EVENTS(STP_PROCESS_SYSCALL_RETURN, {"syscall", NO_ARGUMENT}, {"return", NO_ARGUMENT}),
	{{{"process", ANY_ARGUMENT}, {"insn", NO_ARGUMENT}}, 0, no_steps},
	{{{"process", ANY_ARGUMENT}, {"insn", NO_ARGUMENT}, {"block", NO_ARGUMENT}}, 0, no_steps},
	{0},
};

static void derive_event(struct translation *t, const struct probe_point *point, enum stp_process_event event,
			 const char *program, GPtrArray *ret)
{
	const struct stp_details *chosen = choose_processes(t, point);
	struct stp_details *details = arena_new0(t->arena, struct stp_details);
	struct derived_probe *derived = derived_probe_new(t, point);

	if (chosen)
		*details = *chosen;
	details->process_event = event;
	details->program = program;
	derived->registration.kind = STP_PROBE_PROCESS;
	derived->registration.details = details;
	derived->is_return = event == STP_PROCESS_SYSCALL_RETURN;
	if (program)
		derived->point_text = program_point_text(t->arena, program, point);
	g_ptr_array_add(ret, derived);
}

static void derive_of_program(struct translation *t, const struct probe_point *point, enum stp_process_event event,
			      const char *program, GPtrArray *ret)
{
	if (*program == '/') {
		derive_event(t, point, event, program, ret);
		return;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
		 _("the path of the program with build-id %s is not known, and events of processes need it"), program);
	diagnose_hint(t->diagnostics, _("name the program by its path"));
}

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	const struct probe_component *first = g_ptr_array_index(point->components, 0);
	const char *absent = absent_program(t, first);
	g_autoptr(GPtrArray) programs = g_ptr_array_new();

	if (!first->argument || first->argument->kind == EXPR_NUMBER)
		derive_event(t, point, pattern->variant, NULL, ret);
	else if (absent) /* the process may exist where the script runs; the runtime reports if not */
		derive_event(t, point, pattern->variant, absent, ret);
	else if (find_programs(t, first, programs))
		for_each_ptr(const char *, program, programs)
			derive_of_program(t, point, pattern->variant, debuginfo_path_there(&t->search, program), ret);
}

/* ---- $syscall, $arg1…, $return ----------------------------------------------------------------------------------- */

enum { SYSCALL_ARGUMENTS = 6 };

static bool is_of_syscall(const struct derived_probe *probe)
{
	return probe->registration.details->process_event >= STP_PROCESS_SYSCALL;
}

/* Return 1 to 6 for "arg1" to "arg6", else 0. */
static int argument_number(const char *name)
{
	bool is_one = g_str_has_prefix(name, "arg") && name[3] >= '1' && name[3] <= '0' + SYSCALL_ARGUMENTS && !name[4];

	return is_one ? name[3] - '0' : 0;
}

static struct expr *syscall_value(struct translation *t, const struct derived_probe *probe, const struct expr *target)
{
	const struct location *at = &target->location;
	int number = argument_number(target->text);

	if (!strcmp(target->text, "syscall"))
		return build_call(t->arena, at, "__syscall_number", NULL);
	if (number)
		return build_call(t->arena, at, "__syscall_argument", build_number(t->arena, at, number));
	if (probe->is_return && !strcmp(target->text, "return"))
		return build_call(t->arena, at, "__syscall_result", NULL);
	return NULL;
}

static void diagnose_no_value(struct translation *t, const struct derived_probe *probe, const struct expr *target)
{
	diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
		 is_of_syscall(probe) ? _("probes of system calls have no '$%s'") : _("this probe has no '$%s'"),
		 target->text);
	if (is_of_syscall(probe))
		diagnose_hint(t->diagnostics, probe->is_return ? _("use $syscall, $arg1 to $arg6 or $return")
							       : _("use $syscall or $arg1 to $arg6"));
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct expr *value = is_of_syscall(probe) ? syscall_value(t, probe, target) : NULL;
	bool is_plain = !target->components || !target->components->len;

	if (value && (!is_plain || target->address_of)) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
			 _("'$%s' is a number; it has no members or address"), target->text);
		return NULL;
	}
	if (!value)
		diagnose_no_value(t, probe, target);
	return value;
}

const struct provider process_provider = {
	.name = "process",
	.summary = N_("processes, their threads and system calls"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
};
