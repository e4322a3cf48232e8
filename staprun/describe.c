// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staprun -h: describe a module file.
 *
 * The facts are "key=value" strings in .modinfo, which modinfo(8) shows as well, and in .spile.info. The file is not
 * trusted: it is read with the caller's rights only, and control characters are escaped to protect the terminal.
 */
#include "staprun/describe.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/utf8.h"
#include "staprun/info.h"
#include "staprun/module.h"
#include "staprun/privilege.h"

static const struct fact {
	const char *key, *label;
} facts[] = {
	{"spile_script", N_("script")},	      {"spile_digest", N_("digest")}, {"spile_options", N_("options")},
	{"spile_arguments", N_("arguments")}, {"spile_kernel", N_("kernel")}, {"spile_build_id", N_("build-id")},
	{"spile_privilege", N_("built for")}, {"spile_version", N_("Spile")}, {"spile_made", N_("built at")},
};

/* The globals printed so far. */
struct globals {
	unsigned int count;
	bool is_string; /* type of the current global */
	bool is_hidden; /* the current global was described as an option */
	const struct module_options *options; /* or NULL */
};

void describe_safely(FILE *to, const char *text)
{
	_cleanup_free_ char *escaped = utf8_escaped(text);

	fputs(escaped, to);
}

const char *describe_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	return !strncmp(text, key, length) && text[length] == '=' ? text + length + 1 : NULL;
}

static void show_fact(void *data, const char *text)
{
	const struct fact *fact = data;
	const char *value = describe_value(text, fact->key);
	_cleanup_free_ char *label = NULL;

	if (!value || !*value)
		return;
	label = utf8_padded(_(fact->label), -12);
	printf("  %s ", label);
	describe_safely(stdout, value);
	putchar('\n');
}

static void show_global(void *data, const char *text)
{
	struct globals *globals = data;
	const char *name = describe_value(text, "global"), *type = describe_value(text, "global-type");
	const char *value = describe_value(text, "global-value");

	if (name)
		globals->is_hidden = module_options_set(globals->options, name);
	if (globals->is_hidden)
		return;
	if (name) {
		if (!globals->count++)
			printf("%s\n", _("Globals that can be set with NAME=VALUE:"));
		printf("  ");
		describe_safely(stdout, name);
	} else if (type) {
		globals->is_string = !strcmp(type, "string");
		printf(" %s", globals->is_string ? _("(a string)") : _("(a number)"));
	} else if (value) {
		printf(globals->is_string ? " = \"" : " = ");
		describe_safely(stdout, value);
		printf(globals->is_string ? "\"\n" : "\n");
	}
}

struct error *describe_globals(const char *image, size_t size, const struct module_options *options)
{
	struct globals globals = {.options = options};
	struct error *error = info_tell(image, size, show_global, &globals);

	if (!error && !globals.count && !(options && options->count))
		printf("%s\n", _("It has no globals that can be set."));
	return error;
}

struct error *describe_module(const char *name)
{
	struct error *error = privilege_become_user();
	struct module_image image = {0};
	struct module_info info = {0};

	error = error ?: module_look(name, &image);
	if (error)
		return error;
	error = error_prefix(info_read(image.data, image.size, &info), "%s", name);
	if (error)
		return error;
	printf(_("Module %s:\n"), info.name);
	info_destroy(&info);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]) && !error; i++)
		error = info_tell(image.data, image.size, show_fact, (void *)&facts[i]);
	error = error ?: describe_globals(image.data, image.size, NULL);
	free(image.data);
	return error;
}
