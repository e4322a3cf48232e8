// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Command lines of the programs that run a module: staprun on this machine, and stap-vm, which copies staprun and the
 * module into a guest and passes output and Ctrl-C.
 */
#include "translator/run/arguments.h"

#include <string.h>
#include <unistd.h>

#include "common/guest_root.h"
#include "common/base/paths.h"
#include "runtime/abi/protocol.h"
#include "translator/run/guest_files.h"

void add_word(GPtrArray *argv, const char *word)
{
	g_ptr_array_add(argv, (void *)word);
}

void add_pair(GPtrArray *argv, const char *option, const char *value)
{
	add_word(argv, option);
	add_word(argv, value);
}

/* Does the module's section .spile.info (emit/tables.c) have this text? */
static bool module_says(const char *path, const char *text)
{
	g_autofree char *image = NULL;
	gsize size;

	return g_file_get_contents(path, &image, &size, NULL) && memmem(image, size, text, strlen(text) + 1);
}

bool module_wants_tables(const char *path)
{
	return module_says(path, "objects=1");
}

/* ---- staprun ----------------------------------------------------------------------------------------------------- */

static void add_json(GPtrArray *argv, const struct options *options)
{
	g_autofree char *seconds = g_strdup_printf("%d", options->snapshot_seconds);

	add_pair(argv, "-J", g_intern_string(seconds));
}

void add_staprun_options(GPtrArray *argv, const struct options *options, const char *bulk_prefix)
{
	/* staprun's -v prints details of pass 5. */
	for (int i = 1; i < options->verbosity + options->pass_verbosity[5]; i++)
		add_word(argv, "-v");
	if (options->suppress_warnings)
		add_word(argv, "-w");
	if (options->command)
		add_pair(argv, "-c", options->command);
	if (options->command && options->command_report)
		add_pair(argv, "-E", options->command_report);
	if (options->command && options->command_start)
		add_pair(argv, "--start", options->command_start);
	if (options->bulk && (bulk_prefix || options->output_file))
		add_pair(argv, "-o", bulk_prefix ?: options->output_file);
	if (options->namespaces_pid)
		add_pair(argv, "-N", options->namespaces_pid);
	if (options->target_pid)
		add_pair(argv, "-x", options->target_pid);
	if (options->cgroup)
		add_pair(argv, "--cgroup", options->cgroup);
	if (options->background)
		add_word(argv, options->output_file ? "-D" : "-L");
	if (options->monitor)
		add_pair(argv, "-M", options->monitor);
	if (options_run_is_json(options))
		add_json(argv, options);
}

void add_module(GPtrArray *argv, const struct options *options, const char *module)
{
	add_word(argv, module);
	for_each_ptr(const struct script_setting *, setting, options->settings)
		add_word(argv, setting->global);
}

void add_remote_identity(GPtrArray *argv, struct arena *arena, const struct remote *remote)
{
	/* Truncate to the length that staprun accepts. */
	add_pair(argv, "-r", arena_printf(arena, "%u:%.*s", remote->number, STP_REMOTE_LIMIT, remote->text));
	if (remote->is_one_of_several)
		add_word(argv, "-R");
}

GPtrArray *local_command(const struct translation *t, const struct options *options, const char *module_path)
{
	GPtrArray *argv = arena_ptr_array(t->arena);

	add_word(argv, program_path("staprun"));
	add_staprun_options(argv, options, NULL);
	if (options->output_file && !options->bulk && !options_run_is_json(options))
		add_pair(argv, "-o", options->output_file);
	if (options->output_limit)
		add_pair(argv, "-S", options->output_limit);
	add_module(argv, options, module_path);
	add_word(argv, NULL);
	return argv;
}

const char *module_signature(struct arena *arena, const char *path)
{
	const char *signature = arena_printf(arena, "%s" SIGNATURE_SUFFIX, path);

	return access(signature, F_OK) ? NULL : signature;
}

/* ---- stap-vm ----------------------------------------------------------------------------------------------------- */

static const char *guest_module(const struct translation *t)
{
	return arena_printf(t->arena, "/tmp/%s.ko", t->module_name);
}

/* Bring a program of ours to the guest, of the guest's architecture. */
static void add_own_program(GPtrArray *argv, const struct translation *t, const char *program)
{
	g_autofree char *path = guest_program(t->kernel.architecture, program);

	add_pair(argv, "--file", arena_printf(t->arena, "%s:/bin/%s", path, program));
}

static void add_guest_files(GPtrArray *argv, const struct options *options, const struct remote *remote)
{
	const struct translation *t = remote->translation;

	add_pair(argv, "--file", arena_printf(t->arena, "%s:%s", remote->module_path, guest_module(t)));
	if (module_signature(t->arena, remote->module_path))
		add_pair(argv, "--file",
			 arena_printf(t->arena, "%s:%s" SIGNATURE_SUFFIX,
				      module_signature(t->arena, remote->module_path), guest_module(t)));
	add_own_program(argv, t, "staprun");
	if (options->monitor)
		add_own_program(argv, t, "stap-monitor");
	if (options_run_is_json(options))
		add_own_program(argv, t, "stap-json");
	if (module_wants_tables(remote->module_path))
		add_own_program(argv, t, "stap-tables");
	add_brought_files(argv, options, remote);
}

/* Run the command of -c in the current directory's path, which is created in the guest. */
static void add_directory(GPtrArray *argv, struct arena *arena)
{
	g_autofree char *directory = g_get_current_dir();

	add_word(argv, "/bin/sh");
	add_word(argv, "-c");
	add_word(argv, "mkdir -p \"$0\" && cd \"$0\" && exec \"$@\"");
	add_word(argv, arena_strdup(arena, directory));
}

/* Load the kernel modules that the script probes, because a newly booted guest has not loaded them. */
static void add_guest_modules(GPtrArray *argv, const struct translation *t)
{
	g_autoptr(GString) names = g_string_new(NULL);
	GHashTableIter iter;
	struct debuginfo *debuginfo;
	const char *name;

	g_hash_table_iter_init(&iter, t->open_debuginfo);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, (gpointer *)&debuginfo))
		if (debuginfo_kind(debuginfo) != OBJECT_KERNEL)
			g_string_append_printf(names, "%s%s", names->len ? "," : "",
					       debuginfo_module_file(debuginfo) ?: name);
	if (names->len)
		add_pair(argv, "--modules", arena_strdup(t->arena, names->str));
}

/* Add the arguments for a guest that is booted for the script. */
static void add_new_guest(GPtrArray *argv, const struct options *options, const struct remote *remote)
{
	add_word(argv, "run");
	add_pair(argv, "-r", remote->kernel_argument);
	if (options->verbosity + options->pass_verbosity[5] > 1)
		add_word(argv, "-v");
	add_guest_files(argv, options, remote);
	add_guest_modules(argv, remote->translation);
}

static void add_running_guest(GPtrArray *argv, const struct remote *remote)
{
	add_word(argv, "exec");
	add_pair(argv, "--socket", remote->rest);
}

GPtrArray *guest_command(const struct options *options, const struct remote *remote, const struct bulk_files *bulk)
{
	const struct translation *t = remote->translation;
	GPtrArray *argv = arena_ptr_array(t->arena);

	add_word(argv, program_path("stap-vm"));
	if (remote->kind == REMOTE_GUEST) {
		add_new_guest(argv, options, remote);
	} else {
		add_running_guest(argv, remote);
		add_guest_files(argv, options, remote);
	}
	if (bulk->download)
		add_pair(argv, "--download", bulk->download);
	add_word(argv, "--");
	if (options->command)
		add_directory(argv, t->arena);
	add_word(argv, "/bin/staprun");
	add_remote_identity(argv, t->arena, remote);
	add_staprun_options(argv, options, bulk->prefix);
	add_module(argv, options, guest_module(t));
	add_word(argv, NULL);
	return argv;
}

GPtrArray *guest_question(struct arena *arena, const struct remote *remote, const char *const *words)
{
	GPtrArray *argv = arena_ptr_array(arena);

	add_word(argv, program_path("stap-vm"));
	add_running_guest(argv, remote);
	add_word(argv, "--");
	for (; *words; words++)
		add_word(argv, *words);
	add_word(argv, NULL);
	return argv;
}
