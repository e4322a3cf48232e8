// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running: staprun here, or the same staprun in a guest through stap-vm, which carries the files in, the output out and
 * Ctrl-C through. A target is a row in a table: a prefix of --remote and how its command line begins.
 */
#include "translator/run/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/protocol.h"
#include "translator/util/cleanup.h"
#include "translator/util/files.h"
#include "translator/util/i18n.h"
#include "translator/util/paths.h"
#include "translator/util/process.h"

struct request {
	const struct translation *t;
	const struct options *options;
	const char *module_path;
	const char *kernel_argument;
	const char *rest; /* of --remote, after the prefix */
	const char *bulk_prefix, *download; /* bulk mode in a guest: where its files are, and "THERE:HERE" */
	GPtrArray *argv; /* of const char * */
};

static void add(struct request *r, const char *word)
{
	g_ptr_array_add(r->argv, (void *)word);
}

static const char *guest_module(const struct request *r)
{
	return arena_printf(r->t->arena, "/tmp/%s.ko", r->t->module_name);
}

/* What its section .spile.info says (emit/tables.c); a module out of the cache has not been translated. */
static bool module_says(const char *path, const char *text)
{
	g_autofree char *image = NULL;
	gsize size;

	return g_file_get_contents(path, &image, &size, NULL) && memmem(image, size, text, strlen(text) + 1);
}

static void add_guest_files(struct request *r)
{
	add(r, "--file");
	add(r, arena_printf(r->t->arena, "%s:%s", r->module_path, guest_module(r)));
	add(r, "--file");
	add(r, arena_printf(r->t->arena, "%s:/bin/staprun", program_path("staprun")));
	if (!module_says(r->module_path, "objects=1"))
		return;
	add(r, "--file");
	add(r, arena_printf(r->t->arena, "%s/stap-tables:/bin/stap-tables", libexec_folder()));
}

/* Kernel modules that the script's probes are in must be loaded in a guest that has just booted. */
static void add_guest_modules(struct request *r)
{
	g_autoptr(GString) names = g_string_new(NULL);
	GHashTableIter iter;
	struct debuginfo *debuginfo;
	const char *name;

	g_hash_table_iter_init(&iter, r->t->open_debuginfo);
	while (g_hash_table_iter_next(&iter, (gpointer *)&name, (gpointer *)&debuginfo))
		if (debuginfo_kind(debuginfo) != OBJECT_KERNEL)
			g_string_append_printf(names, "%s%s", names->len ? "," : "",
					       debuginfo_module_file(debuginfo) ?: name);
	if (!names->len)
		return;
	add(r, "--modules");
	add(r, arena_strdup(r->t->arena, names->str));
}

static void begin_vm(struct request *r)
{
	add(r, program_path("stap-vm"));
	add(r, "run");
	add(r, "-r");
	add(r, r->kernel_argument);
	if (r->options->verbosity)
		add(r, "-v");
	add_guest_files(r);
	add_guest_modules(r);
}

static void begin_unix(struct request *r)
{
	add(r, program_path("stap-vm"));
	add(r, "exec");
	add(r, "--socket");
	add(r, r->rest);
	add_guest_files(r);
}

static const struct remote {
	const char *prefix;
	void (*begin)(struct request *r);
	bool wants_rest;
} remotes[] = {
	{"vm:", begin_vm, false},
	{"unix:", begin_unix, true},
};

static const struct remote *find_remote(const char *remote)
{
	for (size_t i = 0; i < G_N_ELEMENTS(remotes); i++)
		if (g_str_has_prefix(remote, remotes[i].prefix))
			return &remotes[i];
	return NULL;
}

struct error *run_check_remote(const char *remote)
{
	const struct remote *target = remote ? find_remote(remote) : NULL;
	const char *rest;

	if (!remote)
		return NULL;
	if (!target)
		return error_with_hint(
			error_new(ERROR_UNSUPPORTED, _("--remote=%s is not supported yet"), remote),
			_("--remote=vm: runs in a throwaway guest, --remote=unix:SOCKET in one that is up"));
	rest = remote + strlen(target->prefix);
	if (!*rest == target->wants_rest)
		return error_new(ERROR_OTHER,
				 target->wants_rest ? _("--remote=%s wants the path of a socket")
						    : _("--remote=%s: nothing follows the colon"),
				 remote);
	return NULL;
}

static void add_staprun_options(struct request *r)
{
	const struct options *options = r->options;

	for (int i = 0; i < options->verbosity; i++)
		add(r, "-v");
	if (options->suppress_warnings)
		add(r, "-w");
	if (options->command) {
		add(r, "-c");
		add(r, options->command);
	}
	if (options->bulk && (r->bulk_prefix || options->output_file)) {
		add(r, "-o");
		add(r, r->bulk_prefix ?: options->output_file);
	}
	if (options->namespaces_pid) {
		add(r, "-N");
		add(r, options->namespaces_pid);
	}
	if (options->target_pid) {
		add(r, "-x");
		add(r, options->target_pid);
	}
	if (options->background)
		add(r, options->output_file ? "-D" : "-L");
}

/* In a guest the output file is here, not there: stap itself opens it. */
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

static bool is_wish(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT || signal == SIGPIPE;
}

static struct error *run_attached(struct request *r, int *exit_status)
{
	struct error *error;
	int status = 0;

	g_ptr_array_add(r->argv, NULL);
	error = process_run_attached((const char *const *)r->argv->pdata, &status);
	if (error)
		return error;
	/*
	 * What failed has been said, but not by a program that was killed. stap itself knows only success and failure.
	 */
	if (WIFSIGNALED(status))
		return error_new(ERROR_OTHER, _("'%s' was killed: %s"), (const char *)r->argv->pdata[0],
				 strsignal(WTERMSIG(status)));
	/* The user's own wish, while a guest boots; or nobody reads the output. */
	if (is_wish(WEXITSTATUS(status) - 128)) {
		*exit_status = WEXITSTATUS(status);
		return NULL;
	}
	if (WEXITSTATUS(status) > 128)
		return error_new(ERROR_OTHER, _("staprun was killed: %s"), strsignal(WEXITSTATUS(status) - 128));
	*exit_status = WIFEXITED(status) && !WEXITSTATUS(status) ? EXIT_SUCCESS : EXIT_FAILURE;
	return NULL;
}

/* In a guest, the files of bulk mode are written under another name, and come to the one that they have here. */
static struct error *choose_bulk_files(struct request *r)
{
	g_autofree char *format = r->options->output_file ? g_strconcat(r->options->output_file, "_", NULL) : NULL;
	g_autofree char *here = format ? NULL : g_strdup("stpd_cpu");
	struct error *error = format ? file_name_of_format(format, &here) : NULL;

	if (error)
		return error;
	r->bulk_prefix = arena_printf(r->t->arena, "/tmp/bulk-%d-%" PRIx64, (int)getpid(), g_get_real_time());
	r->download = arena_printf(r->t->arena, "%s_:%s", r->bulk_prefix, here);
	return NULL;
}

static struct error *run_remote(struct request *r, int *exit_status)
{
	const struct remote *target = find_remote(r->options->remote);
	const char *output_file = r->options->output_file;
	struct error *error;
	int saved = -1;

	r->rest = r->options->remote + strlen(target->prefix);
	error = r->options->bulk ? choose_bulk_files(r) : NULL;
	if (error)
		return error;
	target->begin(r);
	if (r->download) {
		add(r, "--download");
		add(r, r->download);
	}
	add(r, "--");
	add(r, "/bin/staprun");
	add(r, "-r");
	/* Longer than staprun takes, it would be refused. */
	add(r, arena_printf(r->t->arena, "0:%.*s", STP_REMOTE_LIMIT, r->options->remote));
	add_staprun_options(r);
	add(r, guest_module(r));
	error = output_file && !r->options->bulk ? redirect_output(output_file, &saved) : NULL;
	error = error ?: run_attached(r, exit_status);
	if (saved >= 0) {
		dup2(saved, STDOUT_FILENO);
		close(saved);
	}
	return error;
}

struct error *run_module(const struct translation *t, const struct options *options, const char *module_path,
			 const char *kernel_argument, int *exit_status)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	struct request r = {
		.t = t,
		.options = options,
		.module_path = module_path,
		.kernel_argument = kernel_argument,
		.argv = argv,
	};

	if (options->remote)
		return run_remote(&r, exit_status);
	add(&r, program_path("staprun"));
	add_staprun_options(&r);
	if (options->output_file && !options->bulk) {
		add(&r, "-o");
		add(&r, options->output_file);
	}
	if (options->output_limit) {
		add(&r, "-S");
		add(&r, options->output_limit);
	}
	add(&r, module_path);
	return run_attached(&r, exit_status);
}
