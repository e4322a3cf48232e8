// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * --use-server: send the script, its options and the directories of -I to a compile server, and continue as if passes 1
 * to 4 had run here. The connection is made by stap-client (server/stap_client.c), which is started here; its standard
 * input is the request and its output is the answer.
 */
#include "translator/client/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "common/elf/elf.h"
#include "common/wire/places.h"
#include "common/wire/request.h"
#include "common/wire/server_options.h"
#include "translator/client/answer.h"

/* ---- which servers ----------------------------------------------------------------------------------------------- */

static void add_listed(struct arena *arena, const char *path, GPtrArray *servers)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		const char *word = g_strstrip(*line);

		if (*word && *word != '#')
			g_ptr_array_add(servers, arena_strdup(arena, word));
	}
}

/*
 * Return the servers of --use-server. If one of these is empty, add those of the lists. Without any server, stap-client
 * searches the network.
 */
static GPtrArray *find_servers(struct arena *arena, const struct options *options)
{
	GPtrArray *servers = arena_ptr_array(arena);
	bool lists = !options->servers->len;

	for_each_ptr(const char *, server, options->servers) {
		lists = lists || !*server;
		if (*server)
			g_ptr_array_add(servers, (void *)server);
	}
	if (lists)
		add_listed(arena, server_list_file(false), servers);
	if (lists)
		add_listed(arena, server_list_file(true), servers);
	return servers;
}

/* Build the command line of stap-client from its first words and the servers. */
static struct error *client_command(struct arena *arena, const char *const words[], const GPtrArray *servers,
				    const char *const **ret)
{
	const char *program = arena_printf(arena, "%s/stap-client", libexec_directory());
	GPtrArray *argv = arena_ptr_array(arena);

	if (access(program, X_OK))
		return error_with_hint(error_new(ERROR_UNSUPPORTED, _("this stap was built without OpenSSL, which "
								      "compile servers require")),
				       _("install libssl-dev and rebuild stap"));
	g_ptr_array_add(argv, (void *)program);
	for (; *words; words++)
		g_ptr_array_add(argv, (void *)*words);
	for_each_ptr(const char *, server, servers)
		g_ptr_array_add(argv, (void *)server);
	g_ptr_array_add(argv, NULL);
	*ret = (const char *const *)argv->pdata;
	return NULL;
}

/* ---- the request ------------------------------------------------------------------------------------------------- */

static const char *absolute_path(struct arena *arena, const char *path)
{
	g_autofree char *absolute = g_canonicalize_filename(path, NULL);

	return arena_strdup(arena, absolute);
}

static struct error *add_file(struct request *request, struct request_item *item, const char *name, const char *path)
{
	struct request_file *file = arena_new0(request->arena, struct request_file);
	g_autofree char *text = NULL;
	struct error *error = file_read(path, &text, &file->length);

	if (error)
		return error;
	file->name = arena_strdup(request->arena, name);
	file->data = arena_strndup(request->arena, text, file->length);
	g_ptr_array_add(item->files, file);
	return NULL;
}

static struct request_item *add_item(struct request *request, const char *path, bool is_directory)
{
	struct request_item *item = arena_new0(request->arena, struct request_item);

	item->is_directory = is_directory;
	item->path = absolute_path(request->arena, path);
	item->files = arena_ptr_array(request->arena);
	g_ptr_array_add(request->items, item);
	return item;
}

/* A tapset has directories for kernels, which may have some for architectures. */
enum { DIRECTORY_LEVELS = 2 };

static struct error *add_files(struct request *request, struct request_item *item, const char *directory,
			       const char *prefix, int levels)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	struct error *error = NULL;
	const char *name;

	if (!dir)
		return error_errno(_("cannot read %s"), directory);
	while (!error && (name = g_dir_read_name(dir))) {
		const char *path = arena_printf(request->arena, "%s/%s", directory, name);
		const char *inner = arena_printf(request->arena, "%s%s", prefix, name);

		if (g_str_has_suffix(name, ".stp") || g_str_has_suffix(name, ".stpm"))
			error = add_file(request, item, inner, path);
		else if (levels && g_file_test(path, G_FILE_TEST_IS_DIR))
			error = add_files(request, item, path, arena_printf(request->arena, "%s/", inner), levels - 1);
	}
	return error;
}

static void add_option(struct request *request, const char *name, const char *argument)
{
	struct request_option *option = arena_new0(request->arena, struct request_option);

	option->name = name;
	option->argument = argument;
	g_ptr_array_add(request->options, option);
}

static bool is_color(const char *name)
{
	return !strcmp(name, "color") || !strcmp(name, "colour");
}

struct error *server_check_options(const struct options *options)
{
	for_each_ptr(const struct given_option *, given, options->given)
		if (server_option_kind(given->name, NULL) == SERVER_OPTION_REFUSED)
			return server_option_refusal(given->name);
	return NULL;
}

static struct error *add_options(struct request *request, const struct options *options, const char *module_name)
{
	struct error *error = NULL;

	for_each_ptr(const struct given_option *, given, options->given) {
		enum server_option_kind kind = server_option_kind(given->name, NULL);

		if (kind == SERVER_OPTION_HERE || is_color(given->name) || !strcmp(given->name, "m"))
			continue;
		if (kind == SERVER_OPTION_DIRECTORY)
			error = add_files(request, add_item(request, given->argument, true), given->argument, "",
					  DIRECTORY_LEVELS);
		if (error)
			return error;
		add_option(request, given->name, given->argument);
	}
	add_option(request, "color", options->color ? "always" : "never");
	if (module_name)
		add_option(request, "m", module_name);
	return NULL;
}

static struct error *add_input(struct request *request)
{
	enum { LARGEST = 4 << 20 };
	const char *text;
	struct error *error = standard_input_text(LARGEST, &text, &request->input_length);

	if (error)
		return error;
	request->script = "-";
	request->input = arena_strndup(request->arena, text, request->input_length);
	return NULL;
}

static struct error *add_script(struct request *request, const struct options *options)
{
	const char *path = options->script_path;

	if (!path || options->script_text)
		return NULL;
	if (!strcmp(path, "-"))
		return add_input(request);
	request->script = path;
	return add_file(request, add_item(request, path, false), "", path);
}

/* Return the build-id of the running kernel, or "" if its notes have none. */
static const char *running_build_id(struct arena *arena)
{
	g_autofree char *notes = NULL, *build_id = NULL;
	gsize size;

	if (g_file_get_contents("/sys/kernel/notes", &notes, &size, NULL))
		build_id = notes_build_id(notes, size);
	return build_id ? arena_strdup(arena, build_id) : "";
}

/* Set the kernel of the request. For a kernel that is not running here, only the caller knows the build-id. */
static struct error *add_kernel(struct request *request, const char *release, const char *build_id)
{
	struct utsname names;

	uname(&names);
	if (!build_id && !strcmp(names.release, release))
		build_id = running_build_id(request->arena);
	if (!release_parse(release, strlen(release), &request->release))
		return error_with_hint(error_new(ERROR_OTHER, _("'%s' is not the release of a kernel"), release),
				       _("give a release as printed by 'uname -r'"));
	if (build_id && *build_id && !build_id_parse(build_id, strlen(build_id), &request->build_id))
		return error_new(ERROR_OTHER, _("'%s' is not a build-id"), build_id);
	return NULL;
}

static void add_environment(struct request *request)
{
	for (const char *const *name = request_variables; *name; name++) {
		const char *entry = arena_printf(request->arena, "%s=%s", *name, g_getenv(*name) ?: "");

		if (g_getenv(*name) && request_may_have_variable(entry))
			g_ptr_array_add(request->environment, (void *)entry);
	}
}

static struct error *make_request(struct request *request, const struct options *options, const char *release,
				  const char *module_name)
{
	enum { LAST_PASS_THERE = 4 };
	struct error *error;

	if (g_getenv("SYSTEMTAP_TAPSET"))
		return error_with_hint(error_new(ERROR_OTHER, _("SYSTEMTAP_TAPSET and a compile server exclude "
								"each other: the server uses its own library")),
				       _("use -I to send a directory of scripts to the server"));
	request->directory = absolute_path(request->arena, ".");
	request->last_pass = MIN(options->last_pass, LAST_PASS_THERE);
	add_environment(request);
	error = add_kernel(request, release, options->build_id);
	error = error ?: add_options(request, options, module_name);
	for (int i = 0; i < options->argument_count; i++)
		g_ptr_array_add(request->arguments, options->arguments[i]);
	return error ?: add_script(request, options);
}

/* Write the request to a file in memory. */
static struct error *open_request(const struct request *request, int *fd)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	request_append(request, bytes);
	if (bytes->len > REQUEST_MOST_BYTES)
		return error_new(ERROR_OTHER,
				 _("the script and the directories of -I have %u bytes, but a server accepts %d"),
				 bytes->len, REQUEST_MOST_BYTES);
	*fd = memfd_create("request", MFD_CLOEXEC);
	if (*fd < 0 || !write_all(*fd, (const char *)bytes->data, bytes->len) || lseek(*fd, 0, SEEK_SET))
		return error_errno(_("cannot store the request"));
	return NULL;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* Forward stap-client's standard error: failures that the answer does not report. */
static void pass_on(struct pollfd *messages)
{
	char block[4096];
	ssize_t got = read(messages->fd, block, sizeof(block));

	if (got > 0)
		answer_show(stderr, block, got);
	else if (!got || errno != EAGAIN)
		messages->fd = -1;
}

static struct error *converse(struct answer_reader *reader, const int fds[2])
{
	struct pollfd ready[] = {{.fd = fds[0], .events = POLLIN}, {.fd = fds[1], .events = POLLIN}};
	char block[65536];
	ssize_t got = 1;

	while (!reader->is_complete) {
		struct error *error = NULL;

		if (poll(ready, G_N_ELEMENTS(ready), -1) < 0 && errno != EINTR)
			return error_errno("poll");
		if (process_interrupted())
			return error_new(ERROR_INTERRUPTED, _("interrupted"));
		if (ready[1].revents)
			pass_on(&ready[1]);
		got = read(fds[0], block, sizeof(block));
		if (!got)
			return error_new(ERROR_OTHER, _("the compile server closed the connection"));
		if (got > 0)
			error = answer_feed(reader, block, got);
		if (error)
			return error;
	}
	return NULL;
}

static struct error *ask_servers(struct arena *arena, const GPtrArray *servers, int request,
				 struct answer_reader *reader)
{
	static const char *const words[] = {"ask", NULL};
	_cleanup_progress_ struct progress *step = progress_begin(_("a compile server translates"));
	const char *const *argv;
	struct error *error = client_command(arena, words, servers, &argv);
	int fds[2], status;
	pid_t pid;

	if (error)
		return error;
	error = process_start(argv, request, false, &pid, fds);
	error = error ?: converse(reader, fds);
	close_fd(&fds[0]);
	close_fd(&fds[1]);
	if (pid > 0) {
		kill(pid, SIGTERM);
		waitpid(pid, &status, 0);
	}
	return error;
}

struct error *server_translate(struct arena *arena, const struct options *options, const char *release,
			       const char *module_name, const char *work_directory, struct server_answer *answer)
{
	_cleanup_(answer_clear) struct answer_reader reader;
	_cleanup_close_ int fd = -1;
	struct request request;
	struct error *error;

	answer_init(&reader, arena, work_directory, answer);
	request_init(&request, arena);
	error = make_request(&request, options, release, module_name);
	error = error ?: open_request(&request, &fd);
	return error ?: ask_servers(arena, find_servers(arena, options), fd, &reader);
}

/* ---- --trust-servers, --list-servers ----------------------------------------------------------------------------- */

/* Run stap-client; it reports its own failures. */
static struct error *run_client(struct arena *arena, const char *const words[], const GPtrArray *servers,
				int *exit_status)
{
	const char *const *argv;
	int status = 0;
	struct error *error = client_command(arena, words, servers, &argv);

	error = error ?: process_run_attached(argv, &status);
	if (!error && status)
		*exit_status = process_exit_status(status);
	return error;
}

struct error *server_trust(struct arena *arena, const struct options *options, int *exit_status)
{
	const struct server_trust *trust = &options->trust;
	const char *file = server_trust_file(trust->for_all);
	GPtrArray *servers = arena_ptr_array(arena);
	struct error *error = NULL;

	for_each_ptr(const char *, server, options->servers) {
		const char *words[] = {trust->revokes ? "revoke" : "trust", file, server,
				       trust->revokes ? NULL : trust->fingerprint, NULL};

		if (!*server)
			return error_new(ERROR_OTHER, _("--trust-servers requires --use-server=HOST"));
		error = error ?: run_client(arena, words, servers, exit_status);
	}
	return error;
}

struct error *server_list(struct arena *arena, const struct options *options, int *exit_status)
{
	static const char *const words[] = {"list", NULL};

	return run_client(arena, words, find_servers(arena, options), exit_status);
}
