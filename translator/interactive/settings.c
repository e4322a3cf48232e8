// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The settings of a session. All but the target are options of stap under names that can be typed without dashes; their
 * texts come from stap's own table. Whether their values are right, stap's parser of options decides.
 *
 * Scripts run in guests. A script runs in the kernel of this machine or of another host only after the user has named
 * it as the target and confirmed that.
 */
#include "translator/interactive/settings.h"

#include <stdio.h>
#include <string.h>

#include "common/nearest.h"
#include "common/base/i18n.h"
#include "translator/kernel_choice.h"
#include "translator/session/session.h"

/* Rows that the code refers to. */
enum { KERNEL_ROW, REPORT_ROW };

/* A name, and the option as it is in options.given. */
static const struct setting {
	const char *name, *option;
	bool repeats; /* `set` adds a value */
} rows[] = {
	[KERNEL_ROW] = {"kernel", "r"},
	[REPORT_ROW] = {"report", "report"},
	{"command", "c"},
	{"pid", "x"},
	{"seconds", "T"},
	{"file", "file", true},
	{"output", "o"},
	{"verbose", "v", true},
	{"guru-mode", "g"},
	{"timing", "t"},
	{"unoptimized", "u"},
	{"suppress-warnings", "w"},
	{"fatal-warnings", "W"},
	{"limit", "D", true},
	{"global", "G", true},
	{"tapset", "I", true},
	{"module", "d", true},
	{"all-modules", "all-modules"},
	{"ldd", "ldd"},
	{"buffer", "s"},
	{"bulk", "b"},
	{"last-pass", "p"},
	{"keep-directory", "k"},
	{"compatible", "compatible"},
	{"check-version", "check-version"},
	{"skip-badvars", "skip-badvars"},
	{"no-renames", "no-renames"},
	{"no-global-var-display", "no-global-var-display"},
	{"privilege", "privilege"},
	{"suppress-handler-errors", "suppress-handler-errors"},
	{"suppress-time-limits", "suppress-time-limits"},
	{"debuginfo", "debuginfo"},
	{"sysroot", "sysroot"},
	{"disable-cache", "disable-cache"},
};

enum { ROWS = G_N_ELEMENTS(rows) };

struct settings {
	GPtrArray *values[ROWS]; /* of char *; "" if the option has no argument */
	char *target; /* as for --remote; "here": this machine, without --remote */
	bool shows_output; /* `set report off` */
	struct arena *arena;
	const char *kernel; /* of guests if none is set; NULL: not found */
};

static const char here[] = "here", guest[] = "vm:";

struct settings *settings_new(void)
{
	struct settings *settings = g_new0(struct settings, 1);
	struct options options = {.last_pass = 5};
	struct translation t = {NULL};

	for (size_t i = 0; i < ROWS; i++)
		settings->values[i] = g_ptr_array_new_with_free_func(g_free);
	settings->target = g_strdup(guest);
	settings->arena = t.arena = arena_new();
	settings->kernel = g_getenv("SYSTEMTAP_RELEASE") ?: kernel_for_guests(&t, &options);
	return settings;
}

void settings_free(struct settings *settings)
{
	for (size_t i = 0; i < ROWS; i++)
		g_ptr_array_unref(settings->values[i]);
	arena_free(settings->arena);
	g_free(settings->target);
	g_free(settings);
}

bool settings_are_for_guest(const struct settings *settings)
{
	return g_str_has_prefix(settings->target, guest) || g_str_has_prefix(settings->target, "unix:");
}

const char *settings_report(const struct settings *settings)
{
	const GPtrArray *values = settings->values[REPORT_ROW];

	return settings->shows_output ? "off" : values->len ? values->pdata[0] : "auto";
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const struct option_word *word_of(const struct setting *row)
{
	const char *help;

	return option_word_of(row->option, &help);
}

static void add_word(const struct setting *row, const char *value, GPtrArray *words)
{
	const struct option_word *word = word_of(row);

	if (word->letter)
		g_ptr_array_add(words, g_strdup_printf("-%c%s", word->letter, value));
	else
		g_ptr_array_add(words, g_strdup_printf("--%s%s%s", word->name, *value ? "=" : "", value));
}

static void add_row(const struct settings *settings, size_t row, GPtrArray *words)
{
	for_each_ptr(const char *, value, settings->values[row])
		add_word(&rows[row], value, words);
}

static void add_kernel(const struct settings *settings, GPtrArray *words)
{
	if (settings->kernel && !settings->values[KERNEL_ROW]->len && settings_are_for_guest(settings))
		g_ptr_array_add(words, g_strdup_printf("-r%s", settings->kernel));
}

void settings_add_session_words(const struct settings *settings, GPtrArray *words)
{
	add_kernel(settings, words);
	for (size_t i = 0; i < ROWS; i++)
		if (session_takes_option(rows[i].option))
			add_row(settings, i, words);
}

void settings_apply(const struct settings *settings, struct session *session)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);

	settings_add_session_words(settings, words);
	g_ptr_array_add(words, NULL);
	session_set_options(session, (const char *const *)words->pdata);
}

void settings_add_run_words(const struct settings *settings, GPtrArray *words)
{
	for (size_t i = 0; i < ROWS; i++)
		if (i != REPORT_ROW && !session_takes_option(rows[i].option))
			add_row(settings, i, words);
}

void settings_add_target(const struct settings *settings, GPtrArray *words)
{
	if (strcmp(settings->target, here))
		g_ptr_array_add(words, g_strdup_printf("--remote=%s", settings->target));
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static const char target_name[] = "target";

GPtrArray *settings_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	g_ptr_array_add(names, (void *)target_name);
	for (size_t i = 0; i < ROWS; i++)
		g_ptr_array_add(names, (void *)rows[i].name);
	return names;
}

GPtrArray *settings_values(const struct settings *settings, const char *name)
{
	GPtrArray *values = g_ptr_array_new_with_free_func(g_free);
	struct translation t = {.arena = arena_new()};
	struct options options = {.last_pass = 5};

	if (!strcmp(name, target_name)) {
		g_ptr_array_add(values, g_strdup(guest));
		g_ptr_array_add(values, g_strdup(here));
	} else if (!strcmp(name, rows[REPORT_ROW].name)) {
		g_ptr_array_add(values, g_strdup("auto"));
		g_ptr_array_add(values, g_strdup("-"));
	} else if (!strcmp(name, rows[KERNEL_ROW].name)) {
		for_each_ptr(const char *, release, matching_kernels(&t, &options, "*"))
			g_ptr_array_add(values, g_strdup(release));
	}
	g_ptr_array_add(values, g_strdup("off"));
	arena_free(t.arena);
	return values;
}

/* Return how much of a name was typed; SIZE_MAX: something else. SystemTap spells names with "_". */
static size_t typed_length(const char *name, const char *typed)
{
	size_t length = 0;

	while (name[length] && (name[length] == typed[length] || (name[length] == '-' && typed[length] == '_')))
		length++;
	return typed[length] ? SIZE_MAX : length;
}

/* Find a setting by its name, or by a beginning that no other has. */
static const struct setting *find_name(const char *typed)
{
	const struct setting *found = NULL;
	unsigned int count = 0;

	for (size_t i = 0; i < ROWS; i++) {
		size_t length = typed_length(rows[i].name, typed);

		if (length == strlen(rows[i].name))
			return &rows[i];
		if (length == SIZE_MAX)
			continue;
		found = &rows[i];
		count++;
	}
	return count == 1 ? found : NULL;
}

static const struct setting *find_option(const char *option)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].option, option))
			return &rows[i];
	return NULL;
}

static struct error *unknown_name(const char *typed)
{
	g_autoptr(GPtrArray) names = settings_names();
	struct error *error = error_new(ERROR_LOOKUP, _("no setting is called '%s'"), typed);
	struct arena *arena = arena_new();
	const GPtrArray *near = nearest_matches(arena, typed, names, "", 3);

	error = near ? error_with_names(error, arena, near) : error_with_hint(error, _("enter 'show' to list them"));
	arena_free(arena);
	return error;
}

static struct error *unknown_option(const char *option)
{
	return error_with_hint(error_new(ERROR_UNSUPPORTED, _("option '%s' cannot be set in the interactive mode"),
					 option),
			       _("enter 'show' to list the settings"));
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void add_value(struct settings *settings, const struct setting *row, const char *value)
{
	GPtrArray *values = settings->values[row - rows];

	if (!row->repeats)
		g_ptr_array_set_size(values, 0);
	g_ptr_array_add(values, g_strdup(value ?: ""));
	if (row == &rows[REPORT_ROW])
		settings->shows_output = false;
}

struct error *settings_take(struct settings *settings, const struct options *options)
{
	for_each_ptr(const struct given_option *, given, options->given) {
		const struct setting *row = find_option(given->name);

		if (!strcmp(given->name, "i") || !strcmp(given->name, "e"))
			continue;
		if (!strcmp(given->name, "remote"))
			return error_with_hint(error_new(ERROR_UNSUPPORTED, _("-i and --remote exclude each other")),
					       _("enter 'set target %s'"), given->argument);
		if (!row)
			return unknown_option(given->name);
		add_value(settings, row, given->argument);
	}
	return NULL;
}

/*
 * Check the values by parsing them as a command line of stap, which prints what is wrong. @p more: words after them; or
 * NULL.
 */
static bool parses(const struct settings *settings, char *const *more, struct arena *arena, struct options *ret)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	arena_defer(arena, (GDestroyNotify)g_ptr_array_unref, words);
	g_ptr_array_add(words, g_strdup("stap"));
	settings_add_session_words(settings, words);
	settings_add_run_words(settings, words);
	add_row(settings, REPORT_ROW, words);
	for (; more && *more; more++)
		g_ptr_array_add(words, g_strdup(*more));
	g_ptr_array_add(words, g_strdup("-e"));
	g_ptr_array_add(words, g_strdup(""));
	/* Their files require a target, which is not among the words. */
	if (settings_are_for_guest(settings))
		g_ptr_array_insert(words, 1, g_strdup_printf("--remote=%s", guest));
	g_ptr_array_add(words, NULL);
	return options_parse(ret, arena, (int)words->len - 1, (char **)words->pdata) == OPTIONS_RUN;
}

static struct error *refused(void)
{
	return error_new(ERROR_OTHER, _("the setting is unchanged"));
}

/* Keep a changed row if stap accepts all options, or else restore it. */
static struct error *check_row(struct settings *settings, const struct setting *row, GPtrArray *before)
{
	struct arena *arena = arena_new();
	struct options options;
	GPtrArray **values = &settings->values[row - rows];
	bool is_right = parses(settings, NULL, arena, &options);

	arena_free(arena);
	if (is_right) {
		g_ptr_array_unref(before);
		return NULL;
	}
	g_ptr_array_unref(*values);
	*values = before;
	return refused();
}

static GPtrArray *copy_values(const GPtrArray *values)
{
	GPtrArray *copy = g_ptr_array_new_with_free_func(g_free);

	for_each_ptr(const char *, value, values)
		g_ptr_array_add(copy, g_strdup(value));
	return copy;
}

static bool is_word(const char *value, const char *const *words)
{
	for (; *words; words++)
		if (!g_ascii_strcasecmp(value, *words))
			return true;
	return false;
}

/* A value in quotes is that without them. */
static char *unquoted(const char *text)
{
	g_auto(GStrv) parts = NULL;
	int count;

	if ((*text != '"' && *text != '\'') || !g_shell_parse_argv(text, &count, &parts, NULL) || count != 1)
		return g_strdup(text);
	return g_strdup(parts[0]);
}

static struct error *requires_value(const struct setting *row)
{
	return error_new(ERROR_OTHER, _("'%s' requires a value: %s"), row->name, _(word_of(row)->argument));
}

static struct error *set_value(struct settings *settings, const struct setting *row, const char *text)
{
	static const char *const off[] = {"off", "no", "none", "0", NULL}, *const on[] = {"", "on", "yes", NULL};
	bool is_flag = !word_of(row)->argument, is_off = is_flag ? is_word(text, off) : !strcmp(text, "off");
	GPtrArray *values = settings->values[row - rows], *before = copy_values(values);
	g_autofree char *value = unquoted(text);
	guint64 times = 1;

	if (is_flag && row->repeats && g_ascii_string_to_unsigned(text, 10, 1, 5, &times, NULL)) {
		g_ptr_array_set_size(values, 0);
	} else if (!is_off && (is_flag ? !is_word(text, on) : !*value)) {
		g_ptr_array_unref(before);
		return is_flag ? error_new(ERROR_OTHER, _("'%s' is on or off, not '%s'"), row->name, text)
			       : requires_value(row);
	}
	if (is_off)
		g_ptr_array_set_size(values, 0);
	for (; !is_off && times; times--)
		add_value(settings, row, is_flag ? "" : value);
	return check_row(settings, row, before);
}

/* "set -g -r 6.1": options as in a command line. */
static struct error *set_options(struct settings *settings, const char *text)
{
	struct arena *arena = arena_new();
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) failure = NULL;
	struct options options;
	struct error *error = NULL;
	guint known;

	if (!g_shell_parse_argv(text, NULL, &words, &failure))
		error = error_new(ERROR_OTHER, "%s", failure->message);
	/* Parsing some of the others has an effect, such as a limit of this process. */
	for (char **word = words; word && *word && !error; word++) {
		g_autofree char *name =
			g_str_has_prefix(*word, "--") ? g_strndup(*word + 2, strcspn(*word + 2, "=")) : NULL;

		if (name && !find_option(name))
			error = unknown_option(*word);
	}
	if (!error && !parses(settings, NULL, arena, &options))
		error = refused();
	known = error ? 0 : options.given->len - 1; /* without -e */
	if (!error && (!parses(settings, words, arena, &options) || options.argument_count))
		error = refused();
	for (guint i = known; !error && i + 1 < options.given->len; i++) {
		const struct given_option *given = options.given->pdata[i];
		const struct setting *row = find_option(given->name);

		if (!row)
			error = unknown_option(given->name);
		else if (given->argument && !*given->argument)
			error = requires_value(row);
		else
			add_value(settings, row, given->argument);
	}
	arena_free(arena);
	return error;
}

/* ---- report and target ------------------------------------------------------------------------------------------- */

static struct error *set_report(struct settings *settings, const char *value)
{
	if (strcmp(value, "auto") && strcmp(value, "off"))
		return set_value(settings, &rows[REPORT_ROW], value);
	g_ptr_array_set_size(settings->values[REPORT_ROW], 0);
	settings->shows_output = !strcmp(value, "off");
	return NULL;
}

static struct error *set_target(struct settings *settings, struct input *input, const char *value)
{
	const char *target = !*value || !strcmp(value, "off") || !strcmp(value, "guest") ? guest : value;
	struct settings wanted = {.target = (char *)target};
	g_autofree char *question = NULL;

	if (*target == '-' || strpbrk(target, " \t\n"))
		return error_with_hint(error_new(ERROR_OTHER, _("'%s' is not a target"), target),
				       _("enter 'set target vm:', 'set target here' or 'set target [USER@]HOST'"));
	if (!settings_are_for_guest(&wanted)) {
		question = !strcmp(target, here) || g_str_has_prefix(target, "direct:")
				   ? g_strdup(_("Scripts will run in the kernel of this machine."))
				   : g_strdup_printf(_("Scripts will run in the kernel of %s."), target);
		if (!input_confirm(input, question))
			return error_new(ERROR_OTHER, _("the target is still %s"), settings->target);
	}
	g_free(settings->target);
	settings->target = g_strdup(target);
	return NULL;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

struct error *settings_set(struct settings *settings, struct input *input, const char *rest)
{
	size_t length = strcspn(rest, " \t=");
	g_autofree char *name = g_strndup(rest, length);
	const char *value = rest + length;
	const struct setting *row = find_name(name);

	value += strspn(value, " \t");
	if (*value == '=')
		value += 1 + strspn(value + 1, " \t");
	if (!*rest)
		return settings_show(settings, "");
	if (*rest == '-')
		return set_options(settings, rest);
	if (!strcmp(name, target_name))
		return set_target(settings, input, value);
	if (!row)
		return unknown_name(name);
	return row == &rows[REPORT_ROW] ? set_report(settings, value) : set_value(settings, row, value);
}

/* Return the value as text, or NULL if it is not set. The caller frees it. */
static char *shown_value(const struct settings *settings, const struct setting *row)
{
	const GPtrArray *values = settings->values[row - rows];
	g_autoptr(GString) text = g_string_new(NULL);

	if (row == &rows[REPORT_ROW])
		return g_strdup(settings_report(settings));
	if (row == &rows[KERNEL_ROW] && !values->len && settings->kernel && settings_are_for_guest(settings))
		return g_strdup(settings->kernel);
	if (!values->len)
		return NULL;
	if (!word_of(row)->argument)
		return row->repeats ? g_strdup_printf("%u", values->len) : g_strdup("on");
	for_each_ptr(const char *, value, values)
		g_string_append_printf(text, "%s%s", text->len ? ", " : "", value);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void show_row(const struct settings *settings, const struct setting *row)
{
	g_autofree char *value = shown_value(settings, row);
	const char *help;

	option_word_of(row->option, &help);
	/* TRANSLATORS: a setting, its value, and what it does. */
	printf(_("  %-24s %-19s  %s\n"), row->name, value ?: "off", help ? _(help) : "");
}

static void show_target(const struct settings *settings)
{
	printf(_("  %-24s %-19s  %s\n"), target_name, settings->target,
	       _("where scripts run: vm: (a guest), here, or [USER@]HOST"));
}

struct error *settings_show(const struct settings *settings, const char *rest)
{
	const struct setting *row = find_name(rest);

	if (row) {
		show_row(settings, row);
		return NULL;
	}
	if (*rest && strcmp(rest, "all") && strcmp(rest, target_name))
		return unknown_name(rest);
	show_target(settings);
	for (size_t i = 0; i < ROWS && strcmp(rest, target_name); i++)
		show_row(settings, &rows[i]);
	return NULL;
}
