// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 5: running staprun here or on the hosts of --remote.
 *
 * stap-vm runs a single guest on our own streams, including standard input. Hosts behind a shell, and several hosts of
 * any kind, run in parallel (streams.c). They are asked for their kernels first (shell.c), because the script is
 * translated for each.
 */
#include "translator/run/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/read_write.h"
#include "common/base/root_paths.h"
#include "translator/frames/frames.h"
#include "translator/run/arguments.h"
#include "translator/run/report.h"
#include "translator/run/script_line.h"
#include "translator/run/shell.h"
#include "translator/run/streams.h"

struct remotes {
	GPtrArray *hosts; /* struct remote * */
	struct shells shells;
	struct streams *streams; /* NULL: nothing was started */
	bool is_attached; /* a single guest runs on our own streams */
};

/* Redirect standard output to the file of -o. With a guest, the file is here, so stap opens it. */
static struct error *redirect_output(const char *format, int *saved)
{
	g_autofree char *path = NULL;
	struct error *error = file_name_of_format(format, &path);
	FILE *file = error ? NULL : fopen(path, "we");

	if (error)
		return error;
	if (!file)
		return error_errno(_("cannot write %s"), path);
	fflush(stdout);
	*saved = dup(STDOUT_FILENO);
	dup2(fileno(file), STDOUT_FILENO);
	fclose(file);
	return NULL;
}

static struct error *run_attached(const GPtrArray *argv, const struct options *options, int *exit_status)
{
	struct error *error;
	int status = 0;

	error = process_run_attached((const char *const *)argv->pdata, &status);
	if (error)
		return error;
	/*
	 * A program that failed has printed the reason, unless it was killed. The exit status of stap is only success
	 * or failure.
	 */
	if (WIFSIGNALED(status))
		return error_new(ERROR_OTHER, _("'%s' was killed: %s"), (const char *)argv->pdata[0],
				 strsignal(WTERMSIG(status)));
	/* The user interrupted it, or the reader of the output has gone. */
	if (process_is_wish(WEXITSTATUS(status) - 128)) {
		*exit_status = WEXITSTATUS(status);
		return NULL;
	}
	if (WEXITSTATUS(status) > 128)
		return error_new(ERROR_OTHER, _("staprun was killed: %s"), strsignal(WEXITSTATUS(status) - 128));
	/* exit(status) of a D program is the status of dtrace, too. */
	if (WIFEXITED(status) && options->dtrace)
		*exit_status = WEXITSTATUS(status);
	else
		*exit_status = WIFEXITED(status) && !WEXITSTATUS(status) ? EXIT_SUCCESS : EXIT_FAILURE;
	return NULL;
}

/* Choose a name for bulk mode's files in the guest; they are downloaded to the name that they have here. */
static struct error *choose_bulk_files(struct arena *arena, const struct options *options, struct bulk_files *bulk)
{
	g_autofree char *format = options->output_file ? g_strconcat(options->output_file, "_", NULL) : NULL;
	g_autofree char *here = format ? NULL : g_strdup("stpd_cpu");
	struct error *error = format ? file_name_of_format(format, &here) : NULL;

	if (error)
		return error;
	bulk->prefix = arena_printf(arena, "/tmp/bulk-%d-%" PRIx64, (int)getpid(), g_get_real_time());
	bulk->download = arena_printf(arena, "%s_:%s", bulk->prefix, here);
	return NULL;
}

static struct error *run_guest(struct remote *remote, const struct options *options, int *exit_status)
{
	struct bulk_files bulk = {0};
	struct error *error = NULL;

	/* staprun in the guest writes to a pipe, but that ends here. */
	if (progress_is_shown())
		g_setenv("SPILE_PROGRESS", "1", true);
	else
		g_unsetenv("SPILE_PROGRESS");
	if (options->bulk)
		error = choose_bulk_files(remote->translation->arena, options, &bulk);
	return error ?: run_attached(guest_command(options, remote, &bulk), options, exit_status);
}

/* ---- several ----------------------------------------------------------------------------------------------------- */

struct error *remotes_open(struct arena *arena, const struct options *options, struct remotes **ret)
{
	struct remotes *remotes = arena_new0(arena, struct remotes);
	struct error *error;
	const struct remote *only;

	*ret = remotes;
	remotes->shells = (struct shells){.arena = arena, .options = options};
	remotes->hosts = arena_ptr_array(arena);
	error = remotes_parse(arena, options, remotes->hosts);
	if (error)
		return error;
	only = remotes->hosts->len == 1 ? g_ptr_array_index(remotes->hosts, 0) : NULL;
	remotes->is_attached = only && !remote_has_shell(only) && !options->remote_prefix;
	if (options->monitor && !remotes->is_attached)
		return error_with_hint(error_new(ERROR_OTHER,
						 _("--monitor shows a script that runs here or in one guest")),
				       _("run on each host: staprun -M 1 -A MODULE"));
	return shells_connect(&remotes->shells, remotes->hosts, !options->release);
}

GPtrArray *remotes_hosts(struct remotes *remotes)
{
	return remotes->hosts;
}

struct error *remotes_begin(struct remotes *remotes)
{
	struct error *error = NULL;

	if (remotes->is_attached)
		return NULL;
	remotes->streams = streams_begin(remotes->shells.options,
					 remotes->hosts->len > 1 || remotes->shells.options->remote_prefix);
	for_each_ptr(struct remote *, remote, remotes->hosts)
		if (!error && !remote->failed && remote_has_shell(remote))
			error = streams_start(remotes->streams, remote,
					      (const char *const *)shell_session(&remotes->shells, remote)->pdata,
					      true);
	return error;
}

static struct error *run_all(struct remotes *remotes, const struct options *options, int *exit_status)
{
	static const struct bulk_files no_files;
	struct error *error = streams_wait_ready(remotes->streams);

	if (error)
		return error;
	shells_bring(&remotes->shells, remotes->hosts);
	for_each_ptr(struct remote *, remote, remotes->hosts) {
		const GPtrArray *argv;

		if (error || remote->failed || remote_has_shell(remote))
			continue;
		argv = guest_command(options, remote, &no_files);
		error = streams_start(remotes->streams, remote, (const char *const *)argv->pdata, false);
	}
	return error ?: streams_run(remotes->streams, exit_status);
}

static bool any_failed(const GPtrArray *hosts)
{
	for_each_ptr(const struct remote *, remote, hosts)
		if (remote->failed)
			return true;
	return false;
}

static struct error *run_remotes(struct remotes *remotes, const struct options *options, int *exit_status)
{
	struct error *error = remotes->is_attached
				      ? run_guest(g_ptr_array_index(remotes->hosts, 0), options, exit_status)
				      : run_all(remotes, options, exit_status);

	if (!error && *exit_status == EXIT_SUCCESS && any_failed(remotes->hosts))
		*exit_status = EXIT_FAILURE;
	return error;
}

void remotes_close(struct remotes *remotes)
{
	if (!remotes)
		return;
	streams_end(remotes->streams);
	shells_end(&remotes->shells, remotes->hosts);
}

static struct error *run_here(const struct translation *t, const struct options *options, const char *module_path,
			      int *exit_status)
{
	/* Restore the environment for the user's command. */
	environment_restore();
	return run_attached(local_command(t, options, module_path), options, exit_status);
}

/* Does stap write the file of -o, and not staprun on this machine, which can also begin the next one (-S)? */
static bool writes_file(const struct remotes *remotes, const struct options *options)
{
	return options->output_file && !options->bulk && (remotes || options_run_is_json(options));
}

/* Return the translation for each host, by its number. */
static GPtrArray *list_translations(const struct remotes *remotes, const struct translation *t)
{
	GPtrArray *ret = arena_ptr_array(t->arena);

	if (!remotes)
		g_ptr_array_add(ret, (gpointer)t);
	for_each_ptr(const struct remote *, remote, remotes ? remotes->hosts : NULL)
		g_ptr_array_add(ret, remote->failed ? NULL : (gpointer)remote->translation);
	return ret;
}

/* Return the first error, and free the second. */
static struct error *first_error(struct error *error, struct error *late)
{
	if (!error)
		return late;
	error_free(late);
	return error;
}

/* Run with the lines of JSON, if any, on standard output. */
static struct error *run_to_output(struct remotes *remotes, const struct translation *t, const struct options *options,
				   const char *module_path, int *exit_status)
{
	struct frames *frames = NULL;
	struct error *error, *late;

	if (options_run_is_json(options))
		frames_begin(list_translations(remotes, t), &frames);
	error = remotes ? run_remotes(remotes, options, exit_status) : run_here(t, options, module_path, exit_status);
	late = frames_end(frames, error && error->code == ERROR_INTERRUPTED, exit_status);
	return first_error(error, late);
}

struct error *run_script(struct remotes *remotes, const struct translation *t, const struct options *options,
			 const char *module_path, int *exit_status)
{
	struct report report = {0};
	struct error *error = NULL;
	int saved = -1;

	if (writes_file(remotes, options))
		error = redirect_output(options->output_file, &saved);
	if (!error && options->report)
		error = report_begin(options, &report);
	if (!error && options_run_is_json(options))
		error = write_script(t, options);
	if (!error)
		error = run_to_output(remotes, t, options, module_path, exit_status);
	error = first_error(error, report_end(&report, exit_status));
	if (saved >= 0) {
		dup2(saved, STDOUT_FILENO);
		close(saved);
	}
	return error;
}
