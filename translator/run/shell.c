// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Running scripts on hosts that are reached by a shell. The host needs staprun, and only sh, cat, mkdir, rm and uname
 * of the system.
 *
 * The user's own ssh makes the connections, with their configuration, agent and password prompts. The first command
 * leaves a master connection for all later ones. So later commands ask nothing, and the terminal's Ctrl-C does not
 * reach the connection, only the script. With several hosts, the first commands run in parallel and may not ask the
 * user; a host that needs a prompt is tried again, alone.
 *
 * Each host has a session for the whole run (shell_session()). Names of signals are sent to its standard input, whose
 * end shows that this side is gone. The session then ends staprun; it removes its directory in any case. Each file is
 * copied by a session of its own. A command passes through the user's login shell, so it must have the same meaning in
 * every shell: it is in single quotes and has no quote, exclamation mark, backslash or newline in it.
 *
 * If the host's staprun is missing or has another version than this stap, for which the module was made, staprun is
 * copied with its libraries and their loader, so that the host's libraries do not matter. This works only for root,
 * because only the host's administrator may install a privileged staprun.
 */
#include "translator/run/shell.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/user_directories.h"
#include "common/base/i18n.h"
#include "common/guest_root.h"
#include "common/base/paths.h"
#include "common/elf/program_libraries.h"
#include "translator/run/arguments.h"
#include "translator/run/jobs.h"

#define FACTS_BEGIN "spile-facts\n"
#define OWN_LOADER "staprun (Spile) " PACKAGE_VERSION
#define COMMAND_DIRECTORIES "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

enum {
	/*
	 * of the 108 bytes of a socket's path, which also hold a name and the suffix that ssh appends while it creates
	 * the socket
	 */
	LONGEST_SOCKET_DIRECTORY = 60,
};

/* In seconds. A host that is silent for three intervals is considered gone. */
#define ALIVE_INTERVAL "15"
#define CONNECT_TIMEOUT "30"

static struct error *make_directory(struct shells *shells)
{
	const char *parent = temporary_directory();

	if (shells->directory)
		return NULL;
	if (strlen(parent) <= LONGEST_SOCKET_DIRECTORY)
		return directory_make_temporary(&shells->directory);
	shells->directory = g_mkdtemp(g_strdup("/tmp/stapXXXXXX"));
	return shells->directory ? NULL : error_errno(_("cannot create a temporary directory"));
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void add_ssh(const struct shells *shells, const struct remote *remote, GPtrArray *argv)
{
	static const char *const settings[] = {
		"ControlMaster=auto",	   "ControlPersist=10",
		"ClearAllForwardings=yes", "RemoteCommand=none",
		"PermitLocalCommand=no",   "ServerAliveInterval=" ALIVE_INTERVAL,
		"ServerAliveCountMax=3",   "ConnectTimeout=" CONNECT_TIMEOUT,
	};

	add_word(argv, "ssh");
	add_word(argv, "-T");
	add_pair(argv, "-o", arena_printf(shells->arena, "ControlPath=%s/%u", shells->directory, remote->number));
	for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
		add_pair(argv, "-o", settings[i]);
	if (remote->port)
		add_pair(argv, "-p", remote->port);
}

/* Return a command line that runs a script with sh on the host. */
static GPtrArray *shell_command(const struct shells *shells, const struct remote *remote, const char *script, bool asks)
{
	GPtrArray *argv = arena_ptr_array(shells->arena);

	if (remote->kind == REMOTE_SSH) {
		add_ssh(shells, remote, argv);
		if (!asks)
			add_pair(argv, "-o", "BatchMode=yes");
		add_word(argv, "--");
		add_word(argv, remote->rest);
		add_word(argv, arena_printf(shells->arena, "exec sh -c '%s'", script));
	} else {
		add_word(argv, "sh");
		add_pair(argv, "-c", script);
	}
	add_word(argv, NULL);
	return argv;
}

/*
 * Return a command that sets PATH: copied programs first, on this host our own directory, the shell's PATH, and the
 * usual directories of staprun.
 */
static const char *set_path(const struct shells *shells, const struct remote *remote)
{
	g_autofree char *own = g_path_get_dirname(program_path("staprun"));
	g_autofree char *quoted = g_shell_quote(own);
	const char *first = "";

	if (remote->directory)
		first = arena_printf(shells->arena, "%s/bin:", remote->directory);
	if (remote->kind == REMOTE_HERE && strcmp(own, "."))
		first = arena_printf(shells->arena, "%s%s:", first, quoted);
	return arena_printf(shells->arena, "PATH=%s$PATH:" COMMAND_DIRECTORIES "; export PATH", first);
}

/*
 * ---- queries -------------------------------------------------------------------------------------------------------
 */

struct question {
	struct job job;
	struct remote *remote;
};

/* Hosts write messages, too: let none of them control the user's terminal. */
static char *make_harmless(char *text)
{
	for (char *c = text; *c; c++)
		if (g_ascii_iscntrl(*c) && *c != '\n')
			*c = '?';
	return text;
}

/* Return an error with the last message of a failed program, or with its status if it printed nothing. */
static struct error *reason(struct job *job, const char *format)
{
	char *text = make_harmless(g_strchomp(job->messages->str)), *line = strrchr(text, '\n');
	struct error *error = job->error, *explained;

	job->error = NULL;
	if (!error || error->code != ERROR_OTHER)
		return error;
	explained = error_new(ERROR_OTHER, format, line ? line + 1 : *text ? text : error->message);
	error_free(error);
	return explained;
}

/* Parse the first line of 'uname -r' there. It must be a valid release, because it becomes part of paths. */
static struct error *take_release(struct remote *remote, const char *output)
{
	g_autofree char *shown = NULL;

	if (release_parse(output, strcspn(output, "\n"), &remote->release))
		return NULL;
	shown = g_strndup(output, MIN(strcspn(output, "\n"), RELEASE_SIZE));
	g_strcanon(shown, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS " ./_+~-", '?');
	return error_with_hint(error_new(ERROR_OTHER, _("the release of its kernel is not valid: '%s'"), shown),
			       _("check the output of 'uname -r' there"));
}

/* Parse the lines after "spile-facts": release, machine, user id, and staprun's version or that it is missing. */
static struct error *read_facts(struct shells *shells, struct remote *remote, const char *output)
{
	const char *begin = strstr(output, FACTS_BEGIN);
	g_auto(GStrv) lines = g_strsplit(begin ? begin + strlen(FACTS_BEGIN) : "", "\n", 0);
	struct machine_name machine;
	struct error *error;

	if (g_strv_length(lines) < 4 || !*lines[0])
		return error_new(ERROR_OTHER, _("it does not report its kernel, perhaps for lack of a shell"));
	error = take_release(remote, lines[0]);
	if (error)
		return error;
	if (!machine_name_parse(lines[1], strlen(lines[1]), &machine))
		return error_new(ERROR_OTHER, _("its answer is not the name of a machine"));
	remote->architecture = architecture_by_name(machine.text);
	if (!remote->architecture)
		return error_new(ERROR_UNSUPPORTED, _("its machine is %s, and modules are made for x86_64 and arm64"),
				 machine.text);
	remote->is_root = !strcmp(lines[2], "0");
	remote->loader = arena_strdup(shells->arena, strstr(lines[3], "staprun (") ?: "");
	return NULL;
}

static struct question *ask_host(struct shells *shells, struct remote *remote, bool may_ask)
{
	static const char *const release[] = {"uname", "-r", NULL};
	struct question *question = arena_new0(shells->arena, struct question);
	const char *script;
	GPtrArray *argv;

	question->remote = remote;
	question->job.may_ask = may_ask && remote->kind == REMOTE_SSH;
	if (remote->kind == REMOTE_SOCKET) {
		argv = guest_question(shells->arena, remote, release);
	} else {
		script = arena_printf(shells->arena,
				      "%s; LC_ALL=C; export LC_ALL; "
				      "echo spile-facts; uname -r; uname -m; id -u; staprun -V 2>&1; echo",
				      set_path(shells, remote));
		argv = shell_command(shells, remote, script, question->job.may_ask);
	}
	question->job.argv = (const char *const *)argv->pdata;
	return question;
}

static struct error *answer_question(struct shells *shells, struct question *question)
{
	struct remote *remote = question->remote;
	const char *output = question->job.output->str;
	struct error *error;

	if (question->job.error) {
		error = reason(&question->job, _("it cannot be reached: %s"));
		return question->job.status == SSH_FAILED ? error_with_hint(error, _("try: ssh %s"), remote->rest)
							  : error;
	}
	if (remote->kind != REMOTE_SOCKET)
		return read_facts(shells, remote, output);
	return take_release(remote, output);
}

/* Did ssh fail because it could not ask the user? */
static bool wants_to_ask(const struct question *question)
{
	static const char *const refusals[] = {"Permission denied", "verification failed", "Too many authentication"};

	if (!question->job.error || question->remote->kind != REMOTE_SSH || process_interrupted())
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(refusals); i++)
		if (strstr(question->job.messages->str, refusals[i]))
			return true;
	return false;
}

static struct error *ask_again(struct shells *shells, struct remote *remote)
{
	struct question *question = ask_host(shells, remote, true);
	g_autoptr(GPtrArray) jobs = g_ptr_array_new();
	struct error *error;

	fprintf(stderr, "%s:\n", remote->text);
	g_ptr_array_add(jobs, &question->job);
	jobs_run(jobs);
	error = answer_question(shells, question);
	job_clear(&question->job);
	return error;
}

struct error *shells_connect(struct shells *shells, GPtrArray *remotes, bool asks_guests)
{
	g_autoptr(GPtrArray) questions = g_ptr_array_new(), jobs = g_ptr_array_new();
	struct error *error = make_directory(shells), *failure = NULL;

	if (error)
		return error;
	for_each_ptr(struct remote *, remote, remotes) {
		struct question *question;

		if (!remote_has_shell(remote) && (!asks_guests || remote->kind != REMOTE_SOCKET))
			continue;
		question = ask_host(shells, remote, remotes->len == 1);
		g_ptr_array_add(questions, question);
		g_ptr_array_add(jobs, &question->job);
	}
	jobs_run(jobs);
	for_each_ptr(struct question *, question, questions) {
		bool again = remotes->len > 1 && wants_to_ask(question) && isatty(STDIN_FILENO);

		failure = again ? ask_again(shells, question->remote) : answer_question(shells, question);
		job_clear(&question->job);
		if (failure && failure->code == ERROR_INTERRUPTED && error)
			error_free(failure);
		else if (failure && failure->code == ERROR_INTERRUPTED)
			error = failure;
		else if (failure && remotes->len == 1)
			error = error_prefix(failure, "%s", question->remote->text);
		else
			remote_fail(question->remote, failure);
	}
	return error;
}

/* ---- the session ------------------------------------------------------------------------------------------------- */

/* Return an unpredictable name. */
static const char *new_directory(struct arena *arena)
{
	g_autofree char *name = g_uuid_string_random();

	return arena_printf(arena, "/tmp/stap-%s", name);
}

GPtrArray *shell_session(struct shells *shells, struct remote *remote)
{
	const char *directory = new_directory(shells->arena);
	/*
	 * staprun runs in the foreground, because in the background its command would ignore Ctrl-C. A background
	 * process reads the input, and finds staprun by its pid file, for which it may have to wait.
	 */
	const char *script =
		arena_printf(shells->arena,
			     "umask 077; mkdir %s || exit 125; trap \"rm -rf %s\" EXIT; trap \"exit 129\" HUP; "
			     "trap \"exit 130\" INT; trap \"exit 143\" TERM; echo " SESSION_READY
			     "; read -r word || exit 125; "
			     "[ \"$word\" = run ] || exit 125; exec 3<&0; "
			     "{ while read -r word; do until [ -s %s/pid ]; do sleep 1; done; kill -s \"$word\" $(cat "
			     "%s/pid); done; "
			     "until [ -s %s/pid ]; do sleep 1; done; kill -s TERM $(cat %s/pid); } <&3 >/dev/null 2>&1 "
			     "& watcher=$!; "
			     "sh %s/run </dev/null 3<&-; status=$?; kill $watcher 2>/dev/null; exit $status",
			     directory, directory, directory, directory, directory, directory, directory);
	GPtrArray *argv = shell_command(shells, remote, script, false);

	remote->directory = directory;
	return argv;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static bool loader_fits(const struct remote *remote)
{
	return !strcmp(remote->loader, OWN_LOADER);
}

static struct error *write_program(const char *directory, const char *name, const char *from, const char *text)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	struct error *error = from ? file_copy(from, path) : file_write(path, text, strlen(text));

	if (!error && chmod(path, 0755))
		error = error_errno(_("cannot write %s"), path);
	return error;
}

/* Stage a program of Spile with its libraries, and a script under its name that starts it by the staged loader. */
static struct error *stage_program(struct shells *shells, const char *stage, const char *path)
{
	g_autoptr(GPtrArray) libraries = g_ptr_array_new();
	g_autofree char *name = g_path_get_basename(path), *binary = g_strconcat(name, ".program", NULL);
	g_autofree char *text = NULL;
	const char *loader = NULL;
	struct error *error = write_program(stage, binary, path, NULL);

	file_libraries(shells->arena, path, libraries);
	for (guint i = 0; i < libraries->len && !error; i++) {
		const struct library *library = g_ptr_array_index(libraries, i);
		const char *base = strrchr(library->found, '/');

		base = base ? base + 1 : library->found;
		if (g_str_has_prefix(base, "ld-"))
			loader = base;
		error = write_program(stage, base, library->path, NULL);
	}
	if (!error && !loader)
		return error_new(ERROR_OTHER, _("%s has no loader among its libraries"), path);
	text = g_strdup_printf("#!/bin/sh\nhere=${0%%/*}\n"
			       "exec \"$here/%s\" --library-path \"$here\" \"$here/%s\" \"$@\"\n",
			       loader, binary);
	return error ?: write_program(stage, name, NULL, text);
}

static struct error *stage_own(struct shells *shells, const struct architecture *architecture, const char *stage,
			       const char *name)
{
	g_autofree char *path = guest_program(architecture, name);

	if (access(path, X_OK))
		return error_with_hint(error_errno("%s", path),
				       _("install staprun of Spile %s there, or run 'make guest-programs' in the "
					 "directory where Spile was built"),
				       PACKAGE_VERSION);
	return stage_program(shells, stage, path);
}

/* Create the archive, which is the same for all hosts of an architecture, and return its path in @p ret. */
static struct error *make_offer(struct shells *shells, const struct architecture *architecture, const char **ret)
{
	const char *stage = arena_printf(shells->arena, "%s/offer-%s", shells->directory, architecture->name);
	const char *archive = arena_printf(shells->arena, "%s.tar", stage);
	const char *const tar[] = {"tar", "-C", stage, "-cf", archive, ".", NULL};
	struct error *error = NULL;

	*ret = archive;
	if (!access(archive, F_OK))
		return NULL;
	if (g_mkdir(stage, 0700))
		return error_errno(_("cannot create %s"), stage);
	error = stage_own(shells, architecture, stage, "staprun");
	error = error ?: stage_own(shells, architecture, stage, "stap-tables");
	if (!error && options_run_is_json(shells->options))
		error = stage_own(shells, architecture, stage, "stap-json");
	return error ?: process_run(tar, NULL, NULL);
}

static struct error *check_loader(const struct shells *shells, const struct remote *remote)
{
	struct error *error;

	/*
	 * A copied staprun is removed after the run, but a script left in the background needs one to be shown and
	 * ended.
	 */
	if (loader_fits(remote) || (remote->is_root && !shells->options->background))
		return NULL;
	error = *remote->loader ? error_new(ERROR_UNSUPPORTED, _("its %s does not match this stap, %s"), remote->loader,
					    PACKAGE_VERSION)
				: error_new(ERROR_LOOKUP, _("it has no staprun"));
	if (remote->is_root)
		return error_with_hint(error,
				       _("install staprun of Spile %s there: the one that stap copies "
					 "is removed, but a script of -F stays"),
				       PACKAGE_VERSION);
	return error_with_hint(error, _("install staprun of Spile %s there, or log in as root, so that stap copies it"),
			       PACKAGE_VERSION);
}

static struct error *write_run_script(struct shells *shells, const struct remote *remote, const char *module,
				      const char *path)
{
	g_autoptr(GString) text = g_string_new(NULL);
	GPtrArray *argv = arena_ptr_array(shells->arena);

	add_word(argv, "staprun");
	add_remote_identity(argv, shells->arena, remote);
	add_staprun_options(argv, shells->options, NULL);
	add_module(argv, shells->options, arena_printf(shells->arena, "%s/%s", remote->directory, module));
	g_string_append_printf(text, "echo $$ >%s/pid\n%s\nexec", remote->directory, set_path(shells, remote));
	for_each_ptr(const char *, word, argv) {
		g_autofree char *quoted = g_shell_quote(word);

		g_string_append_printf(text, " %s", quoted);
	}
	g_string_append_c(text, '\n');
	return file_write(path, text->str, text->len);
}

static void add_delivery(struct shells *shells, struct remote *remote, const char *script, const char *from,
			 GPtrArray *deliveries, GPtrArray *jobs)
{
	struct question *delivery = arena_new0(shells->arena, struct question);

	delivery->remote = remote;
	delivery->job.input = from;
	delivery->job.argv = (const char *const *)shell_command(shells, remote, script, false)->pdata;
	g_ptr_array_add(deliveries, delivery);
	g_ptr_array_add(jobs, &delivery->job);
}

static struct error *deliver(struct shells *shells, struct remote *remote, GPtrArray *deliveries, GPtrArray *jobs)
{
	const char *module = arena_printf(shells->arena, "%s.ko", remote->translation->module_name);
	const char *run = arena_printf(shells->arena, "%s/run-%u", shells->directory, remote->number);
	const char *directory = remote->directory, *offer = NULL;
	struct error *error = check_loader(shells, remote);

	if (!error && !loader_fits(remote))
		error = make_offer(shells, remote->architecture, &offer);
	error = error ?: write_run_script(shells, remote, module, run);
	if (error)
		return error;
	add_delivery(shells, remote, arena_printf(shells->arena, "umask 077; cat >%s/%s", directory, module),
		     remote->module_path, deliveries, jobs);
	if (module_signature(shells->arena, remote->module_path))
		add_delivery(shells, remote,
			     arena_printf(shells->arena, "umask 077; cat >%s/%s" SIGNATURE_SUFFIX, directory, module),
			     module_signature(shells->arena, remote->module_path), deliveries, jobs);
	add_delivery(shells, remote, arena_printf(shells->arena, "umask 077; cat >%s/run", directory), run, deliveries,
		     jobs);
	if (!loader_fits(remote))
		add_delivery(shells, remote,
			     arena_printf(shells->arena,
					  "mkdir -p %s/bin && tar xf - -C %s/bin && %s/bin/staprun -V >/dev/null",
					  directory, directory, directory),
			     offer, deliveries, jobs);
	return NULL;
}

void shells_bring(struct shells *shells, GPtrArray *remotes)
{
	g_autoptr(GPtrArray) deliveries = g_ptr_array_new(), jobs = g_ptr_array_new();
	_cleanup_progress_ struct progress *step = NULL;

	for_each_ptr(struct remote *, remote, remotes)
		if (!remote->failed && remote_has_shell(remote))
			remote_fail(remote, deliver(shells, remote, deliveries, jobs));
	if (jobs->len)
		step = progress_begin(_("copying the module to the remote hosts"));
	jobs_run(jobs);
	for_each_ptr(struct question *, delivery, deliveries) {
		if (!delivery->remote->failed)
			remote_fail(delivery->remote, reason(&delivery->job, _("cannot copy files there: %s")));
		job_clear(&delivery->job);
	}
}

void shells_end(struct shells *shells, GPtrArray *remotes)
{
	g_autoptr(GPtrArray) jobs = g_ptr_array_new();

	for_each_ptr(struct remote *, remote, remotes) {
		GPtrArray *argv = arena_ptr_array(shells->arena);
		struct job *job = arena_new0(shells->arena, struct job);

		if (remote->kind != REMOTE_SSH || !shells->directory)
			continue;
		add_ssh(shells, remote, argv);
		add_pair(argv, "-O", "exit");
		add_word(argv, "--");
		add_word(argv, remote->rest);
		add_word(argv, NULL);
		job->argv = (const char *const *)argv->pdata;
		g_ptr_array_add(jobs, job);
	}
	jobs_run(jobs);
	for_each_ptr(struct job *, job, jobs)
		job_clear(job);
	if (shells->directory)
		remove_tree(shells->directory);
	g_clear_pointer(&shells->directory, g_free);
}
