// SPDX-License-Identifier: GPL-2.0-or-later
/* Emit the script's global variables: their storage, and the table that describes them. */
#include "runtime/abi/layout.h"
#include "translator/emit/module.h"
#include "translator/lang/script_options.h"
#include "translator/sema/sema.h"

static const char *global_kind(const struct symbol *global)
{
	static const struct {
		const char *scalar, *map;
	} kinds[TYPE_COUNT_] = {
		[TYPE_UNKNOWN] = {"STP_GLOBAL_LONG", "STP_GLOBAL_MAP_LONG"},
		[TYPE_LONG] = {"STP_GLOBAL_LONG", "STP_GLOBAL_MAP_LONG"},
		[TYPE_STRING] = {"STP_GLOBAL_STRING", "STP_GLOBAL_MAP_STRING"},
		[TYPE_STATS] = {"STP_GLOBAL_STATISTIC", "STP_GLOBAL_MAP_STATISTIC"},
	};

	return global->arity > 0 ? kinds[global->type].map : kinds[global->type].scalar;
}

static void emit_global(struct module_writer *m, GString *out, const struct symbol *global)
{
	if (global->arity > 0)
		g_string_append_printf(out, "static struct stp_map *%s;\n", global->unique_name);
	else if (global->type == TYPE_STRING)
		g_string_append_printf(out, "static char *%s;\n", global->unique_name);
	else if (global->type == TYPE_STATS)
		g_string_append_printf(out, "static void *%s;\n", global->unique_name);
	else
		g_string_append_printf(out, "static stp_long %s = %s;\n", global->unique_name,
				       c_number(m->t->arena, global->initializer ? global->initializer->number : 0));
}

static void emit_statistic_fields(struct module_writer *m, GString *out, const struct symbol *global)
{
	const struct expr *histogram = global->histogram, *variance = global->variance;
	bool linear = histogram && !strcmp(histogram->text, "hist_linear");

	g_string_append_printf(out, " .statistic = %s%s,", variance ? "STP_STATISTIC_VARIANCE | " : "",
			       linear	   ? "STP_STATISTIC_LINEAR"
			       : histogram ? "STP_STATISTIC_LOG"
					   : "0");
	if (variance && variance->arguments && variance->arguments->len)
		g_string_append_printf(out, " .shift = %d,",
				       (int)((const struct expr *)g_ptr_array_index(variance->arguments, 0))->number);
	if (histogram)
		g_string_append_printf(out, " .buckets = %d,", (int)histogram_buckets(histogram));
	for (guint i = 0; linear && i < histogram->arguments->len; i++) {
		static const char *const fields[] = {"low", "high", "width"};
		const struct expr *value = g_ptr_array_index(histogram->arguments, i);

		g_string_append_printf(out, " .%s = %s,", fields[i], c_number(m->t->arena, value->number));
	}
}

bool is_settable(const struct symbol *global)
{
	const struct source_file *file = global->location.file;

	return global->arity <= 0 && global->type != TYPE_STATS && file &&
	       (!file->is_tapset || g_str_has_prefix(global->name, "argv_"));
}

/* Is it a variable of the script itself? */
static bool is_own(const struct symbol *global)
{
	return global->location.file && !global->location.file->is_tapset;
}

static unsigned int stack_flags(const struct stack_text *text)
{
	return (text->is_kernel ? STP_STACK_KERNEL : 0) | (text->is_user ? STP_STACK_USER : 0) |
	       (text->is_addresses ? STP_STACK_ADDRESSES : 0) | (text->is_symbols ? STP_STACK_SYMBOLS : 0) |
	       (text->begins_at && !text->begins_after ? STP_STACK_AT : 0) |
	       (text->begins_after && !text->begins_at ? STP_STACK_AFTER : 0);
}

static void emit_stack_keys(struct module_writer *m, GString *out, const struct symbol *global)
{
	char flags[STP_MAX_KEYS + 1] = "";
	bool has_stack = false;

	for (int i = 0; i < global->arity; i++) {
		flags[i] = (char)('0' + stack_flags(&global->stack_keys[i]));
		has_stack |= flags[i] != '0';
	}
	if (has_stack)
		g_string_append_printf(out, " .stacks = %s,", quoted(m, flags));
}

static void emit_key_names(struct module_writer *m, GString *out, const struct symbol *global)
{
	g_autoptr(GString) names = g_string_new(NULL);
	bool is_known = false;

	for (int i = 0; i < global->arity; i++) {
		g_string_append_printf(names, "%s%s", i ? "," : "", global->key_names[i] ?: "");
		is_known |= global->key_names[i] != NULL;
	}
	if (is_known)
		g_string_append_printf(out, " .key_names = %s,", quoted(m, names->str));
}

/* Emit what reports show of the variable besides its values. Options are not results, so no picture shows them. */
static void emit_report_fields(struct module_writer *m, GString *out, const struct symbol *global)
{
	bool is_option = script_options_have_global(m->t->language.script_options, global->name);
	const char *show = global->show ?: is_option ? "none" : NULL;

	g_string_append_printf(out, " .is_own = 1, .line = %d, .column = %d,", global->location.line,
			       global->location.column);
	if (global->unit)
		g_string_append_printf(out, " .unit = %s,", quoted(m, global->unit));
	if (show)
		g_string_append_printf(out, " .show = %s,", quoted(m, show));
	emit_key_names(m, out, global);
	emit_stack_keys(m, out, global);
}

static void emit_global_row(struct module_writer *m, GString *out, const struct symbol *global)
{
	unsigned int strings = 0;

	for (int i = 0; i < global->arity; i++)
		strings |= (global->key_types[i] == TYPE_STRING) << i;
	g_string_append_printf(out, "\t{ .name = %s, .kind = %s,", quoted(m, global->name), global_kind(global));
	if (global->arity > 0)
		g_string_append_printf(
			out, " .key_count = %d, .key_strings = %uu, .max_entries = %u, .wraps = %d, .walks = %d,",
			global->arity, strings, (unsigned int)global->declared_size, global->wraps, global->walks);
	if (global->is_aggregation)
		g_string_append(out, " .is_aggregation = 1,");
	if (global->arity <= 0 && global->type == TYPE_STRING && global->initializer)
		g_string_append_printf(out, " .initial_string = %s,", quoted(m, global->initializer->text));
	if (global->type == TYPE_STATS)
		emit_statistic_fields(m, out, global);
	if (is_only_fed(global))
		g_string_append(out, " .only_fed = 1,");
	if (is_settable(global))
		g_string_append(out, " .settable = 1,");
	if (is_own(global))
		emit_report_fields(m, out, global);
	g_string_append_printf(out, " .storage = (void **)&%s", global->unique_name);
	g_string_append(out, " },\n");
}

void emit_globals(struct module_writer *m, GString *out)
{
	for_each_ptr(const struct symbol *, global, m->t->globals)
		emit_global(m, out, global);
	g_string_append(out, "static const struct stp_global globals[] = {\n");
	for_each_ptr(const struct symbol *, global, m->t->globals)
		emit_global_row(m, out, global);
	g_string_append(out, "\t{ 0 }\n};\n\n");
}
