// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All scripts and bundles of the configured directory. A path in a request is only ever looked up here: it is a
 * script's name or nothing. A script is refused if others than root and this service's user could have written it.
 */
#include "exporter/registry.h"

#include <string.h>

#include "common/base/i18n.h"
#include "exporter/trusted_file.h"
#include "server/log.h"

struct registry {
	struct exporter_settings *settings; /* NULL before the first load */
	GHashTable *scripts; /* name, of the script -> struct script */
	GHashTable *refused; /* name, or file if another file has the name -> reason */
	GPtrArray *leaving; /* of struct script: no longer in the directory, but not ended yet */
	script_observer *observer;
	void *context;
};

static gboolean free_left(gpointer data)
{
	script_free(data);
	return G_SOURCE_REMOVE;
}

/* Free a script that has ended for good, after its own functions have returned. */
static void on_change(struct script *script, void *context)
{
	struct registry *registry = context;

	registry->observer(script, registry->context);
	if (script_state(script) == SCRIPT_IDLE && g_ptr_array_remove_fast(registry->leaving, script))
		g_idle_add(free_left, script);
}

struct registry *registry_new(script_observer *observer, void *context)
{
	struct registry *registry = g_new0(struct registry, 1);

	registry->scripts = g_hash_table_new(g_str_hash, g_str_equal);
	registry->refused = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	registry->leaving = g_ptr_array_new();
	registry->observer = observer;
	registry->context = context;
	return registry;
}

void registry_free(struct registry *registry)
{
	GHashTableIter iterator;
	gpointer script;

	g_hash_table_iter_init(&iterator, registry->scripts);
	while (g_hash_table_iter_next(&iterator, NULL, &script))
		script_free(script);
	for (guint i = 0; i < registry->leaving->len; i++)
		script_free(g_ptr_array_index(registry->leaving, i));
	g_hash_table_unref(registry->scripts);
	g_hash_table_unref(registry->refused);
	g_ptr_array_unref(registry->leaving);
	settings_unref(registry->settings);
	g_free(registry);
}

/* ---- the directory ----------------------------------------------------------------------------------------------- */

/* Return why a file cannot be a script, or NULL. The names become parts of addresses and of metrics. */
static struct error *check_script(const struct registry *registry, const char *file, const char *name,
				  struct stat *status)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
	g_autofree char *path = g_build_filename(registry->settings->scripts, file, NULL);
	struct error *error;

	if (strspn(file, letters) != strlen(file))
		return error_new(ERROR_OTHER, _("the name may have only letters, digits, '_', '-' and '.'"));
	if (!strcmp(name, "metrics"))
		return error_new(ERROR_OTHER, _("/metrics is the path of the exporter's own metrics"));
	if (g_hash_table_contains(registry->scripts, name))
		return error_new(ERROR_OTHER, _("/%s is the path of the script %s%s"), name, name, SCRIPT_ENDING);
	error = trusted_file_check(path, status);
	if (!error && script_is_bundle(file) && !(status->st_mode & S_IXUSR))
		error = error_with_hint(error_new(ERROR_OTHER, _("it is not executable")), _("run 'chmod u+x %s'"),
					path);
	return error;
}

static void refuse(struct registry *registry, const char *file, const char *name, const struct error *error)
{
	server_log(_("refused %s: %s"), file, error->message);
	if (error->hint)
		server_log(_("hint: %s"), error->hint);
	/* The name alone may be that of another file, which is served. */
	g_hash_table_replace(registry->refused, g_strdup(g_hash_table_contains(registry->scripts, name) ? file : name),
			     log_line(error->message));
}

/* Add a new script, or give a known one the new settings. Remove it from @p old. */
static void take_script(struct registry *registry, GHashTable *old, const char *file, const char *name,
			const struct stat *status)
{
	struct script *script = g_hash_table_lookup(old, name);

	if (script && !strcmp(script_file(script), file)) {
		g_hash_table_remove(old, name);
		script_reconfigure(script, registry->settings, status);
	} else {
		script = script_new(registry->settings, file, status, on_change, registry);
	}
	g_hash_table_insert(registry->scripts, (gpointer)script_name(script), script);
}

static void take_file(struct registry *registry, GHashTable *old, const char *file)
{
	g_autofree char *name = script_name_of(file);
	struct stat status;
	struct error *error = check_script(registry, file, name, &status);

	if (error)
		refuse(registry, file, name, error);
	else
		take_script(registry, old, file, name, &status);
	error_free(error);
}

/* Take the files with this ending. */
static void take_files(struct registry *registry, GDir *directory, GHashTable *old, const char *ending)
{
	const char *file;

	g_dir_rewind(directory);
	while ((file = g_dir_read_name(directory)))
		if (*file != '.' && g_str_has_suffix(file, ending))
			take_file(registry, old, file);
}

/* End a script that is gone, and free it when it has ended. */
static void leave(struct registry *registry, struct script *script)
{
	script_stop(script);
	if (script_state(script) == SCRIPT_IDLE)
		script_free(script);
	else
		g_ptr_array_add(registry->leaving, script);
}

/* Groups of scripts that do not exist are probably mistyped. */
static void warn_about_groups(const struct registry *registry)
{
	GHashTableIter iterator;
	gpointer group;

	g_hash_table_iter_init(&iterator, registry->settings->own);
	while (g_hash_table_iter_next(&iterator, &group, NULL))
		if (!registry_find(registry, group))
			server_log(_("the configuration has a group for %s, which is not in %s"), (char *)group,
				   registry->settings->scripts);
}

/* Read the directory into empty tables; scripts of @p old are reused and removed there. Start nothing. */
static struct error *read_directory(struct registry *registry, struct exporter_settings *settings, GHashTable *old)
{
	struct error *error = trusted_directory_check(settings->scripts);
	GDir *directory = error ? NULL : g_dir_open(settings->scripts, 0, NULL);

	if (error)
		return error;
	if (!directory)
		return error_new(ERROR_OTHER, _("cannot read the directory %s"), settings->scripts);
	settings_ref(settings);
	settings_unref(registry->settings);
	registry->settings = settings;
	registry->scripts = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_remove_all(registry->refused);
	take_files(registry, directory, old, SCRIPT_ENDING);
	take_files(registry, directory, old, BUNDLE_ENDING);
	g_dir_close(directory);
	warn_about_groups(registry);
	return NULL;
}

struct error *registry_load(struct registry *registry, struct exporter_settings *settings)
{
	GHashTable *old = registry->scripts;
	struct error *error = read_directory(registry, settings, old);
	GHashTableIter iterator;
	gpointer script;

	if (error)
		return error;
	g_hash_table_iter_init(&iterator, old);
	while (g_hash_table_iter_next(&iterator, NULL, &script))
		leave(registry, script);
	g_hash_table_unref(old);
	g_hash_table_iter_init(&iterator, registry->scripts);
	while (g_hash_table_iter_next(&iterator, NULL, &script))
		script_boot(script);
	return NULL;
}

static void ignore_change(struct script *script, void *context)
{
}

struct error *registry_check(struct exporter_settings *settings, unsigned int *refused)
{
	struct registry *registry = registry_new(ignore_change, NULL);
	GHashTable *none = registry->scripts;
	struct error *error = read_directory(registry, settings, none);

	if (!error) {
		*refused = registry_refused_count(registry);
		g_hash_table_unref(none);
	}
	registry_free(registry);
	return error;
}

/* ---- queries ----------------------------------------------------------------------------------------------------- */

struct script *registry_find(const struct registry *registry, const char *name)
{
	g_autofree char *bare = script_name_of(name);
	struct script *script = g_hash_table_lookup(registry->scripts, name);

	if (script)
		return script;
	script = g_hash_table_lookup(registry->scripts, bare);
	return script && !strcmp(script_file(script), name) ? script : NULL;
}

const char *registry_refusal(const struct registry *registry, const char *name)
{
	g_autofree char *bare = script_name_of(name);

	return g_hash_table_lookup(registry->refused, name) ?: g_hash_table_lookup(registry->refused, bare);
}

unsigned int registry_refused_count(const struct registry *registry)
{
	return g_hash_table_size(registry->refused);
}

static gint compare_scripts(gconstpointer a, gconstpointer b)
{
	return strcmp(script_name(a), script_name(b));
}

GList *registry_scripts(const struct registry *registry)
{
	return g_list_sort(g_hash_table_get_values(registry->scripts), compare_scripts);
}

void registry_stop(struct registry *registry)
{
	GHashTableIter iterator;
	gpointer script;

	g_hash_table_iter_init(&iterator, registry->scripts);
	while (g_hash_table_iter_next(&iterator, NULL, &script))
		script_stop(script);
}

bool registry_is_stopped(const struct registry *registry)
{
	GHashTableIter iterator;
	gpointer script;

	g_hash_table_iter_init(&iterator, registry->scripts);
	while (g_hash_table_iter_next(&iterator, NULL, &script))
		if (script_state(script) != SCRIPT_IDLE)
			return false;
	return !registry->leaving->len;
}
