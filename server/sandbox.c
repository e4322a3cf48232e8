// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Translate each request with the ordinary stap in a separate bubblewrap sandbox. It has no network, no other processes
 * and no capabilities. Of the system it has only the files that programs, compilers, kernels and debuginfo consist of,
 * read-only; what it writes is kept in memory. A sandbox ends with its first process, which ends with the server
 * process that waits for it. A filter of system calls keeps it away from parts of the kernel that no translation needs.
 *
 * The script and the directories of -I have the same paths as on the client, so that messages and module facts are as
 * if translated there. Paths that collide with files of the server are found below RELOCATED instead.
 *
 * Requests can read the cache but not write to it: whatever a request might do to the stap that translates it, no other
 * request is affected. The data that all scripts for a kernel share is prepared in advance, without any script.
 */
#include "server/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "server/system_calls.h"

#define RELOCATED "/client"
#define TEMPORARY "/spile-temporary" /* assumed not to exist on clients */
#define INNER_USER "1000" /* user id inside the sandbox */
#define FILTER_FD "4" /* descriptor of the filter of system calls, for bubblewrap */

/* For a module, stap prints its file name; its content is then written to descriptor 3. */
#define WRAPPER                                                                                                        \
	"ulimit -p \"$1\" || ulimit -u \"$1\"; shift\n"                                                                \
	"if [ \"$1\" = module ]; then\n"                                                                               \
	"shift; name=$(\"$@\" 3>&-) || exit\n"                                                                         \
	"printf '%s\\n' \"$name\"; exec cat -- \"$name\" >&3\n"                                                        \
	"fi\n"                                                                                                         \
	"shift; exec \"$@\" 3>&-\n"

/* Directories of the system's own files. Links stay links. */
static const char *const system_directories[] = {"/usr",   "/bin",   "/sbin",	"/lib",
						 "/lib32", "/lib64", "/libx32", "/boot"};
static const char *const system_files[] = {"/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime",
					   "/etc/debian_version"};
/* Directories created by bubblewrap, or unsuitable for a client's files. */
static const char *const taken_directories[] = {"/proc", "/dev", "/sys", "/etc", RELOCATED, TEMPORARY};

/* ---- where things are -------------------------------------------------------------------------------------------- */

static bool is_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return !strncmp(path, directory, length) && (!path[length] || path[length] == '/');
}

/* Resolve the links of a path whose last parts may not exist yet. Free with g_free(). */
static char *real_path(const char *path)
{
	g_autofree char *parent = NULL, *name = NULL, *above = NULL;
	_cleanup_free_ char *there = realpath(path, NULL);

	if (there)
		return g_strdup(there);
	parent = g_path_get_dirname(path);
	if (!strcmp(parent, path))
		return g_strdup(path);
	above = real_path(parent);
	name = g_path_get_basename(path);
	return g_build_filename(above, name, NULL);
}

/*
 * List the server's directories that the sandbox can read besides the system: programs, data, the cache, and those of
 * --show.
 */
static GPtrArray *shown_directories(const struct server_settings *settings, struct arena *arena)
{
	const char *const own[] = {data_directory(), libexec_directory()};
	GPtrArray *all = arena_ptr_array(arena);
	g_autofree char *programs = g_path_get_dirname(program_path("stap"));
	/* The kernels directory of the cache may be a link to another disk. */
	const char *kernels = arena_printf(arena, "%s/kernels", settings->cache_directory);
	_cleanup_free_ char *there = realpath(kernels, NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
		g_ptr_array_add(all, (void *)own[i]);
	g_ptr_array_add(all, arena_strdup(arena, programs));
	if (there && strcmp(there, kernels))
		g_ptr_array_add(all, arena_strdup(arena, there));
	for_each_ptr(const char *, directory, settings->shown)
		g_ptr_array_add(all, (void *)directory);
	return all;
}

struct sandbox {
	const struct server_settings *settings;
	struct arena *arena;
	const struct request *request; /* NULL: a preparation */
	const char *directory; /* holds the request's files */
	GPtrArray *shown; /* of const char * */
	GPtrArray *argv;
	const char *here; /* the client's working directory as seen inside */
};

static bool is_taken(const struct sandbox *s, const char *path)
{
	if (!path[1])
		return true;
	for (size_t i = 0; i < G_N_ELEMENTS(system_directories); i++)
		if (is_below(path, system_directories[i]))
			return true;
	for (size_t i = 0; i < G_N_ELEMENTS(taken_directories); i++)
		if (is_below(path, taken_directories[i]))
			return true;
	for_each_ptr(const char *, directory, s->shown)
		if (is_below(path, directory) || is_below(directory, path))
			return true;
	return is_below(path, s->settings->cache_directory) || is_below(s->settings->cache_directory, path);
}

/* Return a path of the client as seen by the server's stap. */
static const char *inner_path(const struct sandbox *s, const char *path)
{
	if (s->settings->no_sandbox)
		return arena_printf(s->arena, "%s%s", s->directory, path);
	return is_taken(s, path) ? arena_printf(s->arena, "%s%s", RELOCATED, path) : path;
}

/* Do the same for a path as the client wrote it, which may be relative to its working directory. */
static const char *inner_spelling(const struct sandbox *s, const char *path)
{
	g_autofree char *there = g_canonicalize_filename(path, s->request->directory);
	g_autofree char *seen = g_canonicalize_filename(path, s->here);
	const char *inner = inner_path(s, there);

	return strcmp(seen, inner) ? inner : path;
}

/* ---- the request's files ----------------------------------------------------------------------------------------- */

static struct error *write_new(const char *path, const struct request_file *file)
{
	_cleanup_close_ int fd = -1;
	g_autofree char *directory = g_path_get_dirname(path);

	if (g_mkdir_with_parents(directory, 0755))
		return error_errno(_("cannot make %s"), directory);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0 || !write_all(fd, file->data, file->length))
		return error_errno(_("cannot write %s"), path);
	return NULL;
}

/* Return the path of an item outside the sandbox. Without a sandbox it is the same as inside. */
static const char *item_place(const struct sandbox *s, const struct request_item *item, guint number)
{
	return s->settings->no_sandbox ? inner_path(s, item->path)
				       : arena_printf(s->arena, "%s/%u", s->directory, number);
}

static struct error *write_items(const struct sandbox *s)
{
	guint number = 0;
	struct error *error = NULL;

	for_each_ptr(const struct request_item *, item, s->request->items) {
		const char *place = item_place(s, item, number++);

		if (item->is_directory && g_mkdir_with_parents(place, 0755))
			return error_errno(_("cannot make %s"), place);
		for_each_ptr(const struct request_file *, file, item->files) {
			g_autofree char *path =
				item->is_directory ? g_build_filename(place, file->name, NULL) : g_strdup(place);

			error = error ?: write_new(path, file);
		}
	}
	return error;
}

/* ---- bubblewrap's command line ----------------------------------------------------------------------------------- */

static void add(struct sandbox *s, const char *const words[])
{
	for (; *words; words++)
		g_ptr_array_add(s->argv, (void *)*words);
}
#define ADD(s, ...) add(s, (const char *const[]){__VA_ARGS__, NULL})

static void add_system(struct sandbox *s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(system_directories); i++) {
		g_autofree char *target = g_file_read_link(system_directories[i], NULL);

		if (target)
			ADD(s, "--symlink", arena_strdup(s->arena, target), system_directories[i]);
		else
			ADD(s, "--ro-bind-try", system_directories[i], system_directories[i]);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(system_files); i++)
		ADD(s, "--ro-bind-try", system_files[i], system_files[i]);
	for_each_ptr(const char *, directory, s->shown)
		if (!is_below(directory, "/usr"))
			ADD(s, "--ro-bind-try", directory, directory);
}

/* Mount a tmpfs of a quarter of the memory limit on a directory that is written to. */
static void add_memory(struct sandbox *s, const char *directory)
{
	ADD(s, "--size", arena_printf(s->arena, "%lld", (long long)s->settings->memory << 18), "--tmpfs", directory);
}

static void add_cache(struct sandbox *s)
{
	const char *directory = s->settings->cache_directory;
	const char *modules = arena_printf(s->arena, "%s/modules", directory);

	ADD(s, s->request ? "--ro-bind" : "--bind", directory, directory);
	/* stap writes modules here for -p4 without -m. */
	if (s->request)
		add_memory(s, modules);
}

/* For a path "a/../b", create an empty directory a. */
static void add_passed_directories(struct sandbox *s, const char *path)
{
	for (const char *up = path; (up = strstr(up, "/..")); up++) {
		g_autofree char *before = g_strndup(path, up - path);
		g_autofree char *directory = g_canonicalize_filename(before, s->here);

		if (s->settings->no_sandbox)
			g_mkdir_with_parents(directory, 0755);
		else
			ADD(s, "--dir", arena_strdup(s->arena, directory));
	}
}

static void add_all_passed_directories(struct sandbox *s)
{
	if (s->request->script)
		add_passed_directories(s, inner_spelling(s, s->request->script));
	for_each_ptr(const struct request_option *, option, s->request->options)
		if (!strcmp(option->name, "I"))
			add_passed_directories(s, inner_spelling(s, option->argument));
}

static void add_items(struct sandbox *s)
{
	guint number = 0;

	/* Mount the writable directory first, and then items inside it. */
	add_memory(s, s->here);
	for_each_ptr(const struct request_item *, item, s->request->items)
		ADD(s, "--ro-bind", item_place(s, item, number++), inner_path(s, item->path));
	add_all_passed_directories(s);
	ADD(s, "--chdir", s->here);
}

static void add_environment(struct sandbox *s)
{
	static const char *const standard[][2] = {
		{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"HOME", TEMPORARY}, {"TMPDIR", TEMPORARY}};
	const char *data = g_getenv("SPILE_DATADIR"), *libexec = g_getenv("SPILE_LIBEXEC");

	for (size_t i = 0; i < G_N_ELEMENTS(standard); i++)
		ADD(s, "--setenv", standard[i][0], standard[i][1]);
	ADD(s, "--setenv", "SPILE_CACHE", s->settings->cache_directory, "--setenv", "SPILE_FOR_CLIENT", "1");
	if (data)
		ADD(s, "--setenv", "SPILE_DATADIR", data);
	if (libexec)
		ADD(s, "--setenv", "SPILE_LIBEXEC", libexec);
	for (guint i = 0; s->request && i < s->request->environment->len; i++) {
		const char *entry = g_ptr_array_index(s->request->environment, i), *value = strchr(entry, '=');

		ADD(s, "--setenv", arena_strndup(s->arena, entry, value - entry), value + 1);
	}
}

static void add_bubblewrap(struct sandbox *s)
{
	ADD(s, "bwrap", "--unshare-all", "--unshare-user", "--uid", INNER_USER, "--gid", INNER_USER, "--hostname",
	    "stap-server", "--cap-drop", "ALL", "--die-with-parent", "--new-session", "--clearenv");
	/* stap enters a build root with namespaces (common/build_root.c). */
	if (!s->settings->allows_build_roots)
		ADD(s, "--disable-userns");
	ADD(s, "--seccomp", FILTER_FD);
	add_environment(s);
	ADD(s, "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev");
	add_memory(s, TEMPORARY);
	add_memory(s, "/tmp");
	add_system(s);
	add_cache(s);
	if (s->request)
		add_items(s);
	ADD(s, "--remount-ro", "/", "--");
}

/* Set the same environment with env(1), without a sandbox. */
static void add_plain(struct sandbox *s)
{
	if (s->request)
		add_all_passed_directories(s);
	ADD(s, "env", "-i", "-C", s->request ? s->here : "/", "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
	    arena_printf(s->arena, "HOME=%s", s->directory ?: "/"),
	    arena_printf(s->arena, "TMPDIR=%s", s->directory ?: "/tmp"),
	    arena_printf(s->arena, "SPILE_CACHE=%s", s->settings->cache_directory), "SPILE_FOR_CLIENT=1");
	for (guint i = 0; s->request && i < s->request->environment->len; i++)
		ADD(s, g_ptr_array_index(s->request->environment, i));
}

static void add_start(struct sandbox *s, bool makes_module)
{
	if (s->settings->no_sandbox)
		add_plain(s);
	else
		add_bubblewrap(s);
	ADD(s, "sh", "-c", WRAPPER, "sh", arena_printf(s->arena, "%lld", (long long)s->settings->processes),
	    makes_module ? "module" : "text", program_path("stap"));
}

/* ---- stap's command line ----------------------------------------------------------------------------------------- */

static void add_option(struct sandbox *s, const struct request_option *option)
{
	const char *argument = option->argument;

	if (!strcmp(option->name, "I"))
		argument = inner_spelling(s, argument);
	if (option->name[1]) {
		ADD(s, arena_printf(s->arena, "--%s%s%s", option->name, argument ? "=" : "", argument ?: ""));
		return;
	}
	ADD(s, arena_printf(s->arena, "-%s", option->name));
	if (argument)
		ADD(s, argument);
}

static void add_stap_words(struct sandbox *s)
{
	const struct request *request = s->request;

	for_each_ptr(const struct request_option *, option, request->options)
		add_option(s, option);
	ADD(s, "-p", arena_printf(s->arena, "%d", request->last_pass), "-r", request->release.text);
	if (*request->build_id.text)
		ADD(s, "--kernel-build-id", request->build_id.text);
	ADD(s, "--");
	if (request->script)
		ADD(s, request->input ? "-" : inner_spelling(s, request->script));
	for_each_ptr(const char *, argument, request->arguments)
		ADD(s, argument);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static void limit(int resource, rlim_t most)
{
	setrlimit(resource, &(struct rlimit){most, most});
}

static void limit_child(const struct server_settings *settings, int64_t seconds)
{
	enum { MOST_FILES = 1024 };

	limit(RLIMIT_AS, (rlim_t)settings->memory << 20);
	limit(RLIMIT_FSIZE, (rlim_t)settings->memory << 20);
	limit(RLIMIT_CPU, seconds);
	limit(RLIMIT_NOFILE, MOST_FILES);
	limit(RLIMIT_CORE, 0);
}

/* @p streams: input, output, messages, module, and the filter of system calls (FILTER_FD), which may be -1. */
static void exec_stap(const char *const argv[], const int streams[5])
{
	int from[5];

	/* Move the descriptors above the numbers that they are copied to. */
	for (size_t i = 0; i < G_N_ELEMENTS(from); i++)
		from[i] = fcntl(streams[i], F_DUPFD_CLOEXEC, 10);
	for (size_t i = 0; i < G_N_ELEMENTS(from); i++)
		if (from[i] >= 0)
			dup2(from[i], (int)i);
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execvp(argv[0], (char *const *)argv);
	dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static struct error *open_pipe(int ends[2])
{
	if (pipe2(ends, O_CLOEXEC))
		return error_errno("pipe2");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return NULL;
}

static int open_input(const struct request *request)
{
	int fd;

	if (!request || !request->input)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = memfd_create("script", MFD_CLOEXEC);
	if (fd >= 0 && (!write_all(fd, request->input, request->input_length) || lseek(fd, 0, SEEK_SET)))
		close_fd(&fd);
	return fd;
}

static struct error *start(const struct sandbox *s, int64_t seconds, struct translation_process *process)
{
	_cleanup_close_ int input = open_input(s->request);
	_cleanup_close_ int filter =
		s->settings->no_sandbox ? -1 : system_calls_of_sandbox(s->settings->allows_build_roots);
	int output[2] = {-1, -1}, messages[2] = {-1, -1}, module[2] = {-1, -1};
	struct error *error = input < 0 ? error_errno(_("cannot store the request")) : NULL;

	if (!error && filter < 0 && !s->settings->no_sandbox)
		error = error_errno(_("cannot make the filter of system calls"));
	error = error ?: open_pipe(output);
	error = error ?: open_pipe(messages);
	error = error ?: open_pipe(module);
	process->pid = error ? -1 : fork();
	if (!process->pid) {
		limit_child(s->settings, seconds);
		exec_stap((const char *const *)s->argv->pdata,
			  (const int[]){input, output[1], messages[1], module[1], filter});
	}
	if (!error && process->pid < 0)
		error = error_errno("fork");
	close_fd(&output[1]);
	close_fd(&messages[1]);
	close_fd(&module[1]);
	process->output = output[0];
	process->messages = messages[0];
	process->module = module[0];
	return error;
}

static void sandbox_init(struct sandbox *s, const struct server_settings *settings, struct arena *arena)
{
	*s = (struct sandbox){
		.settings = settings,
		.arena = arena,
		.shown = shown_directories(settings, arena),
		.argv = arena_ptr_array(arena),
	};
}

struct error *sandbox_hides(const struct server_settings *settings, const char *directory)
{
	struct arena *arena = arena_new();
	GPtrArray *shown = shown_directories(settings, arena);
	g_autofree char *path = real_path(directory), *other = NULL;
	struct error *error = NULL;

	g_ptr_array_add(shown, (void *)settings->cache_directory);
	for (size_t i = 0; i < G_N_ELEMENTS(system_directories); i++)
		g_ptr_array_add(shown, (void *)system_directories[i]);
	for_each_ptr(const char *, visible, shown) {
		g_free(other);
		other = real_path(visible);
		if (!error && is_below(path, other))
			error = error_with_hint(error_new(ERROR_OTHER,
							  _("the directory of keys, %s, is below %s, which "
							    "requests can read"),
							  directory, visible),
						_("choose another directory for --state"));
	}
	arena_free(arena);
	return error;
}

bool sandbox_makes_module(const struct request *request)
{
	static const char *const lists[] = {"l", "L", "list-lines", "list-vars"};

	for_each_ptr(const struct request_option *, option, request->options)
		for (size_t i = 0; i < G_N_ELEMENTS(lists); i++)
			if (!strcmp(option->name, lists[i]))
				return false;
	return request->last_pass == 4;
}

/*
 * Return the working directory inside. If the request brings a directory that contains it, which is read-only, relocate
 * the working directory.
 */
static const char *inner_directory(const struct sandbox *s)
{
	const char *directory = s->request->directory;

	for_each_ptr(const struct request_item *, item, s->request->items)
		if (item->is_directory && is_below(directory, item->path) && !s->settings->no_sandbox)
			return arena_printf(s->arena, "%s%s", RELOCATED, directory);
	return inner_path(s, directory);
}

struct error *sandbox_start(const struct server_settings *settings, struct arena *arena, const struct request *request,
			    const char *directory, struct translation_process *process)
{
	struct error *error;
	struct sandbox s;

	*process = (struct translation_process){-1, -1, -1, -1};
	sandbox_init(&s, settings, arena);
	s.request = request;
	s.directory = directory;
	s.here = inner_directory(&s);
	error = write_items(&s);
	if (!error && settings->no_sandbox && g_mkdir_with_parents(s.here, 0755))
		error = error_errno(_("cannot make %s"), s.here);
	if (error)
		return error;
	add_start(&s, sandbox_makes_module(request));
	add_stap_words(&s);
	g_ptr_array_add(s.argv, NULL);
	return start(&s, settings->seconds, process);
}

struct error *sandbox_start_preparation(const struct server_settings *settings, struct arena *arena,
					const char *release, struct translation_process *process)
{
	enum { SECONDS = 1800 };
	struct sandbox s;

	sandbox_init(&s, settings, arena);
	add_start(&s, false);
	ADD(&s, "--prepare", "-r", release);
	g_ptr_array_add(s.argv, NULL);
	return start(&s, SECONDS, process);
}

int sandbox_end(struct translation_process *process)
{
	int status = 0;

	if (process->pid > 0) {
		/*
		 * Without a sandbox, the group has all processes. With one, its first process takes the others with it.
		 */
		kill(-process->pid, SIGKILL);
		while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
			;
	}
	process->pid = -1;
	close_fd(&process->output);
	close_fd(&process->messages);
	close_fd(&process->module);
	return status;
}

/* Copy available data. Return false at the end of the stream. */
static bool pass_on(int from, int to)
{
	char block[4096];
	ssize_t got = read(from, block, sizeof(block));

	return got > 0 ? write_all(to, block, got) : got < 0 && (errno == EAGAIN || errno == EINTR);
}

void sandbox_show(struct translation_process *process, int *status)
{
	struct pollfd fds[] = {{.fd = process->output, .events = POLLIN}, {.fd = process->messages, .events = POLLIN}};

	while (fds[0].fd >= 0 || fds[1].fd >= 0) {
		poll(fds, G_N_ELEMENTS(fds), -1);
		for (int i = 0; i < 2; i++)
			if (fds[i].fd >= 0 && fds[i].revents && !pass_on(fds[i].fd, i + STDOUT_FILENO))
				fds[i].fd = -1;
	}
	waitpid(process->pid, status, 0);
	process->pid = -1;
}

struct error *sandbox_check(const struct server_settings *settings)
{
	struct translation_process process;
	struct arena *arena;
	struct sandbox s;
	struct error *error;
	int status = 0;

	if (settings->no_sandbox)
		return NULL;
	arena = arena_new();
	sandbox_init(&s, settings, arena);
	add_bubblewrap(&s);
	ADD(&s, "true");
	g_ptr_array_add(s.argv, NULL);
	error = start(&s, settings->seconds, &process);
	if (!error)
		waitpid(process.pid, &status, 0);
	process.pid = -1;
	if (!error && status) {
		char reason[512] = "";
		ssize_t got = read(process.messages, reason, sizeof(reason) - 1);

		reason[MAX(got, 0)] = '\0';
		error = error_with_hint(error_new(ERROR_OTHER, _("cannot create a sandbox: %s"), g_strchomp(reason)),
					_("run 'apt-get install bubblewrap' and allow user namespaces "
					  "(kernel.unprivileged_userns_clone, user.max_user_namespaces); or use "
					  "--no-sandbox if no other user can reach this server"));
	}
	sandbox_end(&process);
	arena_free(arena);
	return error;
}
