// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * __syscall(ROW) and __syscall(ROW).return: a system call by its row in the table (syscall_rows.h). The system call
 * aliases expand to these points (syscall_aliases.c). Only 32-bit programs hit __syscall_32(ROW); all system calls hit
 * __syscall_any. None needs debuginfo.
 *
 * The $variables are the arguments by their names in the table, $arg1 to $arg6, $syscall, and $return.
 */
#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/probes/provider.h"
#include "translator/probes/syscall_rows.h"
#include "translator/sema/builder.h"

enum { IS_RETURN = 1, IS_ANY = 2, IS_32_BIT = 4 };

static const struct point_pattern patterns[] = {
	{{{"__syscall", NUMBER_ARGUMENT}}, 0},
	{{{"__syscall", NUMBER_ARGUMENT}, {"return", NO_ARGUMENT}}, IS_RETURN},
	{{{"__syscall_32", NUMBER_ARGUMENT}}, IS_32_BIT},
	{{{"__syscall_32", NUMBER_ARGUMENT}, {"return", NO_ARGUMENT}}, IS_32_BIT | IS_RETURN},
	{{{"__syscall_any", NO_ARGUMENT}}, IS_ANY},
	{{{"__syscall_any", NO_ARGUMENT}, {"return", NO_ARGUMENT}}, IS_ANY | IS_RETURN},
	{0},
};

static void resolve(struct translation *t, const struct point_pattern *pattern, const struct probe_point *point,
		    GPtrArray *ret)
{
	int64_t row = pattern->variant & IS_ANY ? 0 : point_number(point, 0);
	struct stp_details *details = arena_new0(t->arena, struct stp_details);
	struct derived_probe *derived;

	if (row < 0 || row > syscall_row_count) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &point->location,
			 _("the table of system calls has no row of this number"));
		return;
	}
	details->syscall = row;
	details->is_syscall_return = pattern->variant & IS_RETURN;
	details->only_32_bit = !!(pattern->variant & IS_32_BIT);
	derived = derived_probe_new(t, point);
	derived->registration.kind = STP_PROBE_SYSCALL;
	derived->registration.details = details;
	derived->is_return = details->is_syscall_return;
	derived->point_text = details->is_syscall_return ? "kernel.trace(\"raw_syscalls:sys_exit\")"
							 : "kernel.trace(\"raw_syscalls:sys_enter\")";
	g_ptr_array_add(ret, derived);
}

/* ---- variables --------------------------------------------------------------------------------------------------- */

enum { SYSCALL_REGISTERS = 6 };

/* Return the row of a probe; NULL for a probe of all system calls. */
static const struct syscall_row *row_of(const struct derived_probe *probe)
{
	unsigned int row = probe->registration.details->syscall;

	return row ? &syscall_rows[row - 1] : NULL;
}

/* Return whether $name refers to a variable: "buf" also to "buf_uaddr" and "buf_str". */
static bool is_named(const char *variable, const char *name)
{
	size_t length = strlen(name);

	return variable && !strncmp(variable, name, length) &&
	       (!variable[length] || !strcmp(variable + length, "_uaddr") || !strcmp(variable + length, "_str"));
}

/* Return the index of an argument by its name, or -1. */
static int find_argument(const struct syscall_row *row, const char *name)
{
	for (int i = 0; row && i < row->argument_count; i++)
		if (is_named(row->arguments[i].number, name) || is_named(row->arguments[i].text, name))
			return i;
	return -1;
}

static bool is_register_name(const char *name)
{
	return g_str_has_prefix(name, "arg") && name[3] >= '1' && name[3] <= '0' + SYSCALL_REGISTERS && !name[4];
}

static struct expr *value_of(struct translation *t, const struct derived_probe *probe, const struct expr *target)
{
	const struct location *at = &target->location;
	int argument = find_argument(row_of(probe), target->text);

	if (argument >= 0)
		return build_call(t->arena, at, "__syscall_item_number", build_number(t->arena, at, argument));
	if (is_register_name(target->text))
		return build_call(t->arena, at, "__syscall_argument",
				  build_number(t->arena, at, target->text[3] - '0'));
	if (!strcmp(target->text, "syscall") || !strcmp(target->text, "id"))
		return build_call(t->arena, at, "__syscall_number", NULL);
	if (probe->is_return && (!strcmp(target->text, "return") || !strcmp(target->text, "ret")))
		return build_call(t->arena, at, row_of(probe) ? "__syscall_row_result" : "__syscall_result", NULL);
	return NULL;
}

/* ---- $$vars, $$parms, $$locals, $$return ------------------------------------------------------------------------- */

static void add_member(struct translation *t, GPtrArray *format, GPtrArray *values, const char *name,
		       struct expr *value)
{
	format_add_literal(t->arena, format, arena_printf(t->arena, "%s%s=", format->len ? " " : "", name));
	format_add_directive(t->arena, format, FORMAT_POINTER);
	g_ptr_array_add(values, value);
}

/* Return the name of an argument in groups: "buf" for "buf_uaddr". */
static const char *shown_name(struct arena *arena, const struct syscall_argument *argument)
{
	const char *name = argument->number ?: argument->text;

	return name && g_str_has_suffix(name, "_uaddr") ? arena_strndup(arena, name, strlen(name) - strlen("_uaddr"))
							: name;
}

enum { GROUP_ARGUMENTS = 1, GROUP_RESULT = 2 };

static struct expr *group_text(struct translation *t, const struct derived_probe *probe, const struct location *at,
			       unsigned int parts)
{
	const struct syscall_row *row = row_of(probe);
	GPtrArray *format = arena_ptr_array(t->arena), *values = arena_ptr_array(t->arena);

	for (int i = 0; (parts & GROUP_ARGUMENTS) && row && i < row->argument_count; i++) {
		const char *name = shown_name(t->arena, &row->arguments[i]);

		if (name && !syscall_argument_is_part(&row->arguments[i]))
			add_member(t, format, values, name,
				   build_call(t->arena, at, "__syscall_item_number", build_number(t->arena, at, i)));
	}
	if ((parts & GROUP_RESULT) && probe->is_return)
		add_member(t, format, values, "return", build_call(t->arena, at, "__syscall_result", NULL));
	return format->len ? build_sprintf(t->arena, at, format, values) : build_string(t->arena, at, "");
}

/* Lower $$vars, $$parms, $$locals and $$return; return NULL for other names. */
static struct expr *group_of(struct translation *t, const struct derived_probe *probe, const struct expr *target)
{
	static const struct {
		const char *name;
		unsigned int parts;
	} groups[] = {
		{"$vars", GROUP_ARGUMENTS | GROUP_RESULT},
		{"$parms", GROUP_ARGUMENTS},
		{"$locals", 0},
		{"$return", GROUP_RESULT},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(groups); i++)
		if (!strcmp(target->text, groups[i].name))
			return group_text(t, probe, &target->location, groups[i].parts);
	return NULL;
}

/* ---- lowering ---------------------------------------------------------------------------------------------------- */

/* Add the variables to the alternatives of the last diagnostic, and return them for its hint. */
static const char *add_known_names(struct translation *t, const struct derived_probe *probe)
{
	enum { MOST_ARGUMENTS = 6 };
	const struct syscall_row *row = row_of(probe);
	g_autoptr(GString) names = g_string_new("$syscall");
	GPtrArray *alternatives = names_one(t->arena, "$syscall");

	for (int i = 0; row && i < row->argument_count; i++) {
		const char *name = row->arguments[i].number ?: row->arguments[i].text;

		if (!name)
			continue;
		g_string_append_printf(names, ", $%s", name);
		g_ptr_array_add(alternatives, arena_printf(t->arena, "$%s", name));
	}
	for (int i = 1; i <= MOST_ARGUMENTS; i++)
		g_ptr_array_add(alternatives, arena_printf(t->arena, "$arg%d", i));
	if (probe->is_return)
		g_ptr_array_add(alternatives, "$return");
	diagnose_names(t->diagnostics, alternatives);
	g_string_append(names, probe->is_return ? ", $arg1…$arg6, $return" : ", $arg1…$arg6");
	return arena_strdup(t->arena, names->str);
}

static struct expr *target_variable(struct translation *t, struct derived_probe *probe, struct expr *target)
{
	struct expr *value = value_of(t, probe, target) ?: group_of(t, probe, target);
	bool is_plain = !target->components || !target->components->len;

	if (value && is_plain && !target->address_of)
		return value;
	if (value) {
		diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location,
			 _("'$%s' is a number; it has no members or address"), target->text);
		return NULL;
	}
	diagnose(t->diagnostics, SEMANTIC_ERROR, &target->location, _("this system call has no '$%s'"), target->text);
	diagnose_hint(t->diagnostics, _("variables of this probe: %s"), add_known_names(t, probe));
	return NULL;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void list_one(struct translation *t, GPtrArray *ret, const char *name, const char *type)
{
	if (name)
		list_variable(t, ret, name, type, NULL);
}

static void list_variables(struct translation *t, const struct derived_probe *probe, GPtrArray *ret)
{
	const struct syscall_row *row = row_of(probe);

	if (!row)
		list_one(t, ret, "syscall_nr", "long");
	list_one(t, ret, "name", "string");
	for (int i = 0; row && i < row->argument_count; i++) {
		const struct syscall_argument *argument = &row->arguments[i];
		bool has_text = !probe->is_return || syscall_text_lasts(row, argument);

		if (syscall_argument_is_late(argument) && !probe->is_return)
			continue;
		list_one(t, ret, argument->number, "long");
		list_one(t, ret, has_text ? argument->text : NULL, "string");
		list_one(t, ret, has_text ? argument->raw : NULL, "string");
	}
	if (row)
		list_one(t, ret, "argstr", "string");
	if (probe->is_return)
		list_one(t, ret, "retval", "long");
	if (row && probe->is_return)
		list_one(t, ret, "retstr", "string");
}

const struct provider syscall_provider = {
	.name = "syscall",
	.summary = N_("system calls; the aliases syscall.* expand to these"),
	.patterns = patterns,
	.resolve = resolve,
	.target_variable = target_variable,
	.list_variables = list_variables,
};
