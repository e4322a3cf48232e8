// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The options that a module's script declares, for bundles.
 *
 * stap writes them to .spile.info (emit/tables.c): "option=NAME" begins an option, whose other facts follow. An option
 * with a global can be set when the script starts. The value of any other is part of the module.
 */
#include "staprun/script_options.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/number.h"
#include "staprun/describe.h"
#include "staprun/info.h"

/* Facts that are texts, and the members that hold them. */
static const struct {
	const char *key;
	size_t member;
} texts[] = {
	{"option-global", offsetof(struct script_option, global)},
	{"option-text", offsetof(struct script_option, standard_text)},
	{"option-choices", offsetof(struct script_option, choices)},
	{"option-help", offsetof(struct script_option, help)},
};

static const struct {
	const char *key;
	size_t member;
} numbers[] = {
	{"option-number", offsetof(struct script_option, standard)},
	{"option-least", offsetof(struct script_option, least)},
	{"option-most", offsetof(struct script_option, most)},
};

/* Add an option whose name is known; the facts that follow are about it. */
static void begin_option(struct module_options *list, const char *name)
{
	list->options = memory_resize(list->options, list->count + 1, sizeof(*list->options));
	list->options[list->count++] = (struct script_option){
		.kind = SCRIPT_OPTION_STRING,
		.name = name,
		.help = "",
		.least = INT64_MIN,
		.most = INT64_MAX,
		.standard_text = "",
		.choices = "",
	};
}

static void note_fact(void *data, const char *text)
{
	struct module_options *list = data;
	const char *value = describe_value(text, "option");
	struct script_option *option;

	if (value && script_option_name_is_valid(value))
		begin_option(list, value);
	if (!list->count)
		return;
	option = &list->options[list->count - 1];
	value = describe_value(text, "option-kind");
	if (value)
		script_option_find_kind(value, &option->kind);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		value = describe_value(text, texts[i].key);
		if (value)
			*(const char **)((char *)option + texts[i].member) = value;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		value = describe_value(text, numbers[i].key);
		if (value)
			parse_number(value, 10, INT64_MIN, INT64_MAX, (int64_t *)((char *)option + numbers[i].member));
	}
}

struct error *module_options_read(const char *image, size_t size, struct module_options *ret)
{
	*ret = (struct module_options){NULL, 0};
	return info_tell(image, size, note_fact, ret);
}

void module_options_clear(struct module_options *options)
{
	free(options->options);
	*options = (struct module_options){NULL, 0};
}

const struct script_option *module_options_find(const struct module_options *options, const char *name, size_t length)
{
	for (unsigned int i = 0; i < options->count; i++)
		if (strlen(options->options[i].name) == length && !strncmp(options->options[i].name, name, length))
			return &options->options[i];
	return NULL;
}

bool module_options_set(const struct module_options *options, const char *global)
{
	for (unsigned int i = 0; options && i < options->count; i++)
		if (options->options[i].global && !strcmp(options->options[i].global, global))
			return true;
	return false;
}

/* ---- --help ------------------------------------------------------------------------------------------------------ */

static void print_purpose(void *data, const char *text)
{
	const char *value = describe_value(text, "purpose");

	if (!value)
		return;
	describe_safely(stdout, value);
	putchar('\n');
}

/* Print the options that can be set, or the others. */
static void print_some(const struct module_options *options, bool settable, const char *title)
{
	bool is_first = true;

	for (unsigned int i = 0; i < options->count; i++) {
		if (!options->options[i].global == settable)
			continue;
		if (is_first)
			printf("\n%s\n", title);
		is_first = false;
		script_option_print(stdout, &options->options[i]);
	}
}

struct error *module_options_print(const char *image, size_t size, const struct module_options *options)
{
	struct error *error = info_tell(image, size, print_purpose, NULL);

	if (error)
		return error;
	print_some(options, true, _("Options of the script, as --NAME=VALUE or --NAME VALUE:"));
	print_some(options, false, _("Options whose value was fixed when the module was made:"));
	return NULL;
}
