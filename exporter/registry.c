// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All scripts of the configured directory. A path in a request is only ever looked up here: it is a script's name or
 * nothing. A script is refused if others than root and this service's user could have written it.
 */
#include "exporter/registry.h"

#include <string.h>

#include "common/base/i18n.h"
#include "exporter/trusted_file.h"
#include "server/log.h"

struct registry {
	struct exporter_settings *settings; /* NULL before the first load */
	GHashTable *scripts; /* name, of the script -> struct script */
	GHashTable *refused; /* name -> reason */
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
static struct error *check_script(const char *path, const char *file, struct stat *status)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	if (strspn(file, letters) != strlen(file))
		return error_new(ERROR_OTHER, _("the name may have only letters, digits, '_', '-' and '.'"));
	if (!strcmp(file, "metrics.stp"))
		return error_new(ERROR_OTHER, _("/metrics is the path of the exporter's own metrics"));
	return trusted_file_check(path, status);
}

static void refuse(struct registry *registry, const char *file, const struct error *error)
{
	server_log(_("refused %s: %s"), file, error->message);
	if (error->hint)
		server_log(_("hint: %s"), error->hint);
	g_hash_table_replace(registry->refused, g_strndup(file, strlen(file) - strlen(".stp")),
			     log_line(error->message));
}

/* Add a new script, or give a known one the new settings. Remove it from @p old. */
static void take_script(struct registry *registry, GHashTable *old, const char *file, const struct stat *status)
{
	g_autofree char *name = g_strndup(file, strlen(file) - strlen(".stp"));
	struct script *script = g_hash_table_lookup(old, name);

	if (script) {
		g_hash_table_remove(old, name);
		script_reconfigure(script, registry->settings, status);
	} else {
		script = script_new(registry->settings, file, status, on_change, registry);
	}
	g_hash_table_insert(registry->scripts, (gpointer)script_name(script), script);
}

static void take_file(struct registry *registry, GHashTable *old, const char *file)
{
	g_autofree char *path = g_build_filename(registry->settings->scripts, file, NULL);
	struct stat status;
	struct error *error;

	if (!g_str_has_suffix(file, ".stp") || *file == '.')
		return;
	error = check_script(path, file, &status);
	if (error)
		refuse(registry, file, error);
	else
		take_script(registry, old, file, &status);
	error_free(error);
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
	const char *file;

	if (error)
		return error;
	if (!directory)
		return error_new(ERROR_OTHER, _("cannot read the directory %s"), settings->scripts);
	settings_ref(settings);
	settings_unref(registry->settings);
	registry->settings = settings;
	registry->scripts = g_hash_table_new(g_str_hash, g_str_equal);
	g_hash_table_remove_all(registry->refused);
	while ((file = g_dir_read_name(directory)))
		take_file(registry, old, file);
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

static gpointer find(GHashTable *table, const char *name)
{
	g_autofree char *bare =
		g_str_has_suffix(name, ".stp") ? g_strndup(name, strlen(name) - strlen(".stp")) : g_strdup(name);

	return g_hash_table_lookup(table, name) ?: g_hash_table_lookup(table, bare);
}

struct script *registry_find(const struct registry *registry, const char *name)
{
	return find(registry->scripts, name);
}

const char *registry_refusal(const struct registry *registry, const char *name)
{
	return find(registry->refused, name);
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
