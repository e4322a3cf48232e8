// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The configuration file, which has the form of GLib's key files: a group [exporter], and a group for each script that
 * wants settings of its own. Both kinds of groups are tables below. An unknown key is an error, since a mistyped one
 * would be ignored otherwise.
 */
#include "exporter/configuration.h"

#include <stddef.h>
#include <string.h>

#include "common/base/i18n.h"
#include "common/base/number.h"
#include "common/base/paths.h"
#include "exporter/trusted_file.h"

#define COMMON_GROUP "exporter"

enum kind { TEXT, NUMBER, WORDS, CHOICE };

struct row {
	const char *key;
	enum kind kind;
	size_t datum; /* offset of a char * or an int64_t */
	int64_t least, most; /* of a number */
	const char *const *choices; /* by their values, with NULL at the end */
};

static const char *const start_words[START_COUNT_ + 1] = {[START_AT_SCRAPE] = "scrape", [START_AT_BOOT] = "boot"};
static const char *const source_words[SOURCE_COUNT_ + 1] = {
	[SOURCE_AUTO] = "auto", [SOURCE_PROMETHEUS] = "prometheus", [SOURCE_GLOBALS] = "globals"};

enum { LONGEST_TIME = 10 * 365 * 86400 /* seconds */ };

static const struct row common_rows[] = {
#define MEMBER(name) offsetof(struct exporter_settings, name)
	{"listen", TEXT, MEMBER(listen)},
	{"port", NUMBER, MEMBER(port), 0, 65535},
	{"certificate", TEXT, MEMBER(certificate)},
	{"key", TEXT, MEMBER(key)},
	{"users", TEXT, MEMBER(users)},
	{"tokens", TEXT, MEMBER(tokens)},
	{"connections", NUMBER, MEMBER(connections), 1, 10000},
	{"timeout", NUMBER, MEMBER(timeout), 1, 3600},
	{"wait", NUMBER, MEMBER(wait), 0, 3600},
	{"stop", NUMBER, MEMBER(stop), 1, 3600},
	{"scripts", TEXT, MEMBER(scripts)},
	{"stap", TEXT, MEMBER(stap)},
	{"proc", TEXT, MEMBER(proc)},
#undef MEMBER
};

static const struct row script_rows[] = {
#define MEMBER(name) offsetof(struct script_settings, name)
	{"start", CHOICE, MEMBER(start), 0, 0, start_words},
	{"source", CHOICE, MEMBER(source), 0, 0, source_words},
	{"keepalive", NUMBER, MEMBER(keepalive), 0, LONGEST_TIME},
	{"interval", NUMBER, MEMBER(interval), 1, 3600},
	{"options", WORDS, MEMBER(options)},
	{"arguments", WORDS, MEMBER(arguments)},
	{"series", NUMBER, MEMBER(limits.series), 1, 10 << 20},
	{"label_length", NUMBER, MEMBER(limits.label_length), SMALLEST_LABEL_LENGTH, 1 << 20},
	{"response_size", NUMBER, MEMBER(limits.response_size), 4096, 256 << 20},
	{"output_rate", NUMBER, MEMBER(limits.output_rate), SMALLEST_OUTPUT_RATE, 1 << 30},
#undef MEMBER
};

char *settings_standard_scripts(void)
{
	return g_build_filename(settings_directory(), "exporter", NULL);
}

char *settings_standard_file(void)
{
	return g_build_filename(settings_directory(), "exporter", "exporter.conf", NULL);
}

static void set_standard(struct exporter_settings *settings)
{
	*settings = (struct exporter_settings){
		.references = 1,
		.listen = g_strdup("127.0.0.1"),
		.port = 9900,
		.connections = 64,
		.timeout = 30,
		.wait = 8,
		.stop = 30,
		.scripts = settings_standard_scripts(),
		.stap = g_strdup(program_path("stap")),
		.proc = g_strdup("/proc"),
		.common =
			{
				.keepalive = 300,
				.interval = 5,
				.limits =
					{
						.series = 10000,
						.label_length = 1024,
						.response_size = 4 << 20,
						.output_rate = 16 << 20,
					},
			},
	};
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static const struct row *find_row(const struct row *rows, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	return NULL;
}

static struct error *set_choice(const struct row *row, const char *value, int64_t *ret)
{
	g_autofree char *all = g_strjoinv(", ", (char **)row->choices);

	for (int64_t i = 0; row->choices[i]; i++) {
		if (strcmp(row->choices[i], value))
			continue;
		*ret = i;
		return NULL;
	}
	return error_new(ERROR_OTHER, _("'%s' must be one of %s, not '%s'"), row->key, all, value);
}

static struct error *set_text(const struct row *row, const char *value, char **ret)
{
	g_auto(GStrv) words = NULL;
	GError *failure = NULL;
	struct error *error = NULL;

	if (row->kind == WORDS && *value && !g_shell_parse_argv(value, NULL, &words, &failure)) {
		error = error_new(ERROR_OTHER, _("'%s' cannot be split into words: %s"), row->key, failure->message);
		g_error_free(failure);
	}
	g_free(*ret);
	*ret = *value ? g_strdup(value) : NULL;
	return error;
}

static struct error *set(const struct row *row, const char *value, void *settings)
{
	void *member = (char *)settings + row->datum;

	switch (row->kind) {
	case TEXT:
	case WORDS:
		return set_text(row, value, member);
	case CHOICE:
		return set_choice(row, value, member);
	case NUMBER:
		break;
	}
	if (parse_number(value, 10, row->least, row->most, member))
		return NULL;
	return error_new(ERROR_OTHER, _("'%s' must be a number from %lld to %lld, not '%s'"), row->key,
			 (long long)row->least, (long long)row->most, value);
}

/* Read a group; @p settings is NULL for a group of a script. */
static struct error *read_group(GKeyFile *file, const char *group, struct exporter_settings *settings,
				struct script_settings *script)
{
	g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);
	struct error *error = NULL;

	for (char **key = keys; key && *key && !error; key++) {
		const struct row *common = find_row(common_rows, G_N_ELEMENTS(common_rows), *key);
		const struct row *own = find_row(script_rows, G_N_ELEMENTS(script_rows), *key);
		g_autofree char *value = g_key_file_get_string(file, group, *key, NULL);

		if (own)
			error = set(own, value ?: "", script);
		else if (common && settings)
			error = set(common, value ?: "", settings);
		else
			error = error_new(ERROR_OTHER, _("unknown key '%s'"), *key);
	}
	return error ? error_prefix(error, "[%s]", group) : NULL;
}

static void free_script_settings(gpointer data)
{
	script_settings_clear(data);
	g_free(data);
}

/* Apply what the command line says. It holds for scripts without a setting of their own. */
static void override(struct exporter_settings *settings, const struct exporter_overrides *overrides)
{
	if (overrides->scripts) {
		g_free(settings->scripts);
		settings->scripts = g_strdup(overrides->scripts);
	}
	if (overrides->port >= 0)
		settings->port = overrides->port;
	if (overrides->keepalive >= 0)
		settings->common.keepalive = overrides->keepalive;
}

static struct error *read_groups(GKeyFile *file, const struct exporter_overrides *overrides,
				 struct exporter_settings *settings)
{
	g_auto(GStrv) groups = g_key_file_get_groups(file, NULL);
	struct error *error = NULL;

	if (g_key_file_has_group(file, COMMON_GROUP))
		error = read_group(file, COMMON_GROUP, settings, &settings->common);
	/* Apply them before reading the groups of scripts, which begin as copies of these settings. */
	override(settings, overrides);
	for (char **group = groups; *group && !error; group++) {
		struct script_settings *own;

		if (!strcmp(*group, COMMON_GROUP))
			continue;
		if (!g_str_has_suffix(*group, SCRIPT_ENDING) && !script_is_bundle(*group))
			return error_with_hint(error_new(ERROR_OTHER, _("unknown group [%s]"), *group),
					       _("use [%s], or the name of a file, which ends in %s or %s"),
					       COMMON_GROUP, SCRIPT_ENDING, BUNDLE_ENDING);
		own = g_new0(struct script_settings, 1);
		script_settings_copy(own, &settings->common);
		g_hash_table_insert(settings->own, g_strdup(*group), own);
		error = read_group(file, *group, NULL, own);
	}
	return error;
}

static struct error *read_file(const char *path, const struct exporter_overrides *overrides,
			       struct exporter_settings *settings)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autofree char *text = NULL;
	GError *failure = NULL;
	size_t length;
	struct error *error = trusted_file_read(path, false, &text, &length);

	if (error)
		return error;
	if (length && !g_key_file_load_from_data(file, text, length, G_KEY_FILE_NONE, &failure)) {
		error = error_new(ERROR_OTHER, "%s", failure->message);
		g_error_free(failure);
	}
	error = error ?: read_groups(file, overrides, settings);
	return error ? error_prefix(error, "%s", path) : NULL;
}

static struct error *check(const struct exporter_settings *settings)
{
	if (!settings->listen || !settings->scripts || !settings->stap || !settings->proc)
		return error_new(ERROR_OTHER, _("'listen', 'scripts', 'stap' and 'proc' must not be empty"));
	if (!settings->certificate != !settings->key)
		return error_new(ERROR_OTHER, _("'certificate' and 'key' must be given together"));
	return NULL;
}

struct error *settings_read(const char *path, const struct exporter_overrides *overrides,
			    struct exporter_settings **ret)
{
	g_autofree char *standard = settings_standard_file();
	struct exporter_settings *settings = g_new0(struct exporter_settings, 1);
	struct error *error = NULL;

	set_standard(settings);
	settings->own = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_script_settings);
	if (path || g_file_test(standard, G_FILE_TEST_EXISTS))
		error = read_file(path ?: standard, overrides, settings);
	else
		override(settings, overrides);
	error = error ?: check(settings);
	*ret = settings;
	if (error) {
		settings_unref(settings);
		*ret = NULL;
	}
	return error;
}

struct exporter_settings *settings_ref(struct exporter_settings *settings)
{
	settings->references++;
	return settings;
}

void settings_unref(struct exporter_settings *settings)
{
	if (!settings || --settings->references)
		return;
	for (size_t i = 0; i < G_N_ELEMENTS(common_rows); i++)
		if (common_rows[i].kind == TEXT)
			g_free(*(char **)((char *)settings + common_rows[i].datum));
	script_settings_clear(&settings->common);
	g_hash_table_unref(settings->own);
	g_free(settings);
}

/* ---- scripts ----------------------------------------------------------------------------------------------------- */

bool script_is_bundle(const char *file)
{
	return g_str_has_suffix(file, BUNDLE_ENDING);
}

char *script_name_of(const char *file)
{
	size_t length = strlen(file);

	if (g_str_has_suffix(file, SCRIPT_ENDING))
		length -= strlen(SCRIPT_ENDING);
	else if (script_is_bundle(file))
		length -= strlen(BUNDLE_ENDING);
	return g_strndup(file, length);
}

const struct script_settings *settings_of_script(const struct exporter_settings *settings, const char *file)
{
	return g_hash_table_lookup(settings->own, file) ?: &settings->common;
}

bool script_settings_equal(const struct script_settings *a, const struct script_settings *b)
{
	for (size_t i = 0; i < G_N_ELEMENTS(script_rows); i++) {
		const char *one = (const char *)a + script_rows[i].datum,
			   *other = (const char *)b + script_rows[i].datum;
		bool is_text = script_rows[i].kind == WORDS;

		if (is_text && g_strcmp0(*(char *const *)one, *(char *const *)other))
			return false;
		if (!is_text && *(const int64_t *)one != *(const int64_t *)other)
			return false;
	}
	return true;
}

void script_settings_copy(struct script_settings *to, const struct script_settings *from)
{
	*to = *from;
	to->options = g_strdup(from->options);
	to->arguments = g_strdup(from->arguments);
}

void script_settings_clear(struct script_settings *settings)
{
	g_free(settings->options);
	g_free(settings->arguments);
	settings->options = settings->arguments = NULL;
}
