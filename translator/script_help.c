// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * "stap script.stp --help": the purpose of a script, its options, and the other globals that -G can set.
 *
 * Pass 1 does not know the types of globals, so those without an initial value, which may be arrays, are left out.
 */
#include "translator/script_help.h"

#include <string.h>

#include "common/base/i18n.h"
#include "translator/lang/purpose.h"
#include "translator/lang/script_options.h"

static void print_usage(const struct translation *t, const struct options *options)
{
	const struct source_file *source = g_ptr_array_index(t->user_sources, 0);
	g_autofree char *base = g_path_get_basename(source->name);

	if (options->script_text)
		printf(_("Usage: stap [options] -e SCRIPT [OPTIONS OF THE SCRIPT] [ARGUMENTS]\n"));
	else if (options->example)
		printf(_("Usage: stap [options] --example %.*s [OPTIONS OF THE SCRIPT] [ARGUMENTS]\n"),
		       (int)(strlen(base) - strlen(".stp")), base);
	else
		printf(_("Usage: stap [options] %s [OPTIONS OF THE SCRIPT] [ARGUMENTS]\n"), options->script_path);
}

static void print_options(const struct translation *t)
{
	const struct script_option help = {.kind = SCRIPT_OPTION_FLAG, .name = "help", .help = _("print this help")};

	printf("\n%s\n", _("Options of the script, as --NAME=VALUE or --NAME VALUE:"));
	for_each_ptr(const struct declared_option *, declared, t->language.script_options)
		script_option_print(stdout, &declared->option);
	script_option_print(stdout, &help);
}

static void print_global(const struct symbol *global, bool *is_first)
{
	const struct expr *initial = global->initializer;
	bool is_string = initial->kind == EXPR_STRING;

	if (*is_first)
		printf("\n%s\n", _("Globals that can be set with -G NAME=VALUE:"));
	*is_first = false;
	printf("  %s %s = ", global->name, is_string ? _("(a string)") : _("(a number)"));
	if (is_string)
		printf("\"%s\"\n", initial->text);
	else
		printf("%" G_GINT64_FORMAT "\n", initial->number);
}

void script_help_print(struct translation *t, const struct options *options)
{
	const struct source_file *source = g_ptr_array_index(t->user_sources, 0);
	const GPtrArray *purpose = script_purpose(t->arena, source->text);
	bool is_first = true;

	print_usage(t, options);
	if (purpose->len)
		putchar('\n');
	for_each_ptr(const char *, line, purpose)
		puts(line);
	print_options(t);
	for_each_ptr(const struct script *, script, t->scripts)
		for_each_ptr(const struct symbol *, global, script->globals)
			if (global->initializer && global->arity <= 0 &&
			    !script_options_have_global(t->language.script_options, global->name))
				print_global(global, &is_first);
}
