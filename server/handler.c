// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Serve one client with two processes. The inner one (gate.c) handles TLS and can do nothing else. This one reads the
 * request as frames and checks it, waits for its turn, and has it translated in a sandbox, whose messages it forwards
 * as they arrive. Then it reads the module, signs it if it was translated for users who may only load signed modules,
 * and reports the result. A client that disconnects ends all of this.
 */
#include "server/handler.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/files.h"
#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "common/base/read_write.h"
#include "common/wire/request.h"
#include "common/wire/server_options.h"
#include "server/gate.h"
#include "server/identity.h"
#include "server/log.h"
#include "server/sandbox.h"
#include "server/usage.h"

enum {
	LARGEST_TEXT = 64 << 20, /* of standard output, for passes 1 to 3 and lists */
	LARGEST_MODULE = 32 << 20,
	LARGEST_MESSAGES = 16 << 20,
	LONGEST_PATH = 4096,
};

struct handler {
	const struct server_settings *settings;
	struct arena *arena;
	struct request request;
	int plain; /* socket to the process that handles TLS */
	int turns;
	const char *peer, *client; /* address, fingerprint */
	gint64 deadline; /* of the current step, in microseconds */
};

static void set_deadline(struct handler *h, int64_t seconds)
{
	h->deadline = g_get_monotonic_time() + seconds * G_TIME_SPAN_SECOND;
}

/* Return the remaining milliseconds for poll(), at least 0. */
static int time_left(const struct handler *h)
{
	return CLAMP((h->deadline - g_get_monotonic_time()) / 1000, 0, INT32_MAX);
}

static struct error *gone(void)
{
	return error_new(ERROR_INTERRUPTED, _("the client is gone"));
}

static struct error *send_bytes(struct handler *h, const GByteArray *bytes)
{
	return write_all(h->plain, (const char *)bytes->data, bytes->len) ? NULL : gone();
}

static struct error *send_frame(struct handler *h, enum frame_kind kind, const void *data, size_t length)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	frame_append(bytes, kind, data, length);
	return send_bytes(h, bytes);
}

static struct error *send_text(struct handler *h, enum frame_kind kind, const char *text)
{
	return send_frame(h, kind, text, strlen(text));
}

/* ---- the request ------------------------------------------------------------------------------------------------- */

/* Wait for data and add it to the reader. */
static struct error *read_more(struct handler *h, struct frame_reader *reader)
{
	struct pollfd fds[] = {{.fd = h->plain, .events = POLLIN}, {.fd = h->turns, .events = POLLIN}};
	char block[65536];
	ssize_t got;

	if (poll(fds, G_N_ELEMENTS(fds), time_left(h)) <= 0)
		return error_new(ERROR_OTHER, _("the request did not arrive within %lld seconds"),
				 (long long)h->settings->seconds);
	/* The service has dropped the connection, or has ended. */
	if (fds[1].revents)
		return gone();
	got = read(h->plain, block, sizeof(block));
	if (got <= 0)
		return gone();
	frame_reader_feed(reader, block, got);
	return NULL;
}

/* Note the client, and report to the service that the handshake is over. */
static struct error *meet_client(struct handler *h, const char *fingerprint, size_t length)
{
	const char turn = TURN_KNOWN;

	h->client = arena_strndup(h->arena, fingerprint, length);
	return write(h->turns, &turn, 1) == 1 ? NULL : gone();
}

static struct error *take_frames(struct handler *h, struct frame_reader *reader)
{
	enum frame_kind kind;
	const char *data;
	size_t length;

	while (!h->request.is_complete) {
		struct error *error = frame_reader_next(reader, &kind, &data, &length);

		if (error || !kind)
			return error;
		/* The first frame comes from the process that handles TLS. */
		if (!h->client && kind == FRAME_CLIENT)
			error = meet_client(h, data, length);
		else
			error = request_add(&h->request, kind, data, length);
		if (error)
			return error;
	}
	return NULL;
}

static struct error *read_request(struct handler *h)
{
	struct frame_reader reader;
	struct error *error = NULL;

	frame_reader_init(&reader, REQUEST_MOST_BYTES + 4096);
	set_deadline(h, h->settings->seconds);
	while (!error && !h->request.is_complete) {
		error = read_more(h, &reader);
		error = error ?: take_frames(h, &reader);
	}
	frame_reader_clear(&reader);
	return error;
}

static struct error *check_options(const struct handler *h)
{
	for_each_ptr(const struct request_option *, option, h->request.options) {
		enum server_option_kind kind = server_option_kind(option->name, NULL);

		if (kind == SERVER_OPTION_GURU && !h->settings->allows_guru)
			return error_with_hint(error_new(ERROR_OTHER, _("this server does not accept guru mode (-g)")),
					       _("translate the script without a server, or ask the "
						 "administrator to start stap-server with --allow-guru"));
		if (!server_option_takes(option->name, option->argument))
			return server_option_refusal(option->name);
	}
	return server_limits_refusal(h->request.options);
}

/*
 * Return whether a module of this name may be signed. A module that users without privileges may load must not take the
 * name of one of the kernel's, which would keep that one out. staprun insists on the prefix, too.
 */
static bool is_name_for_signature(const char *name)
{
	return g_str_has_prefix(name, SIGNED_MODULE_PREFIX);
}

/* Return whether the module must be signed for staprun to load it. */
static bool wants_signature(const struct request *request)
{
	return server_options_privilege(request->options) != PRIVILEGE_STAPDEV;
}

/* Put the prefix before the name (-m) of a module that will be signed. */
static void force_name(struct handler *h)
{
	if (!wants_signature(&h->request))
		return;
	for_each_ptr(struct request_option *, option, h->request.options)
		if (!strcmp(option->name, "m") && option->argument && !is_name_for_signature(option->argument))
			option->argument = arena_printf(h->arena, SIGNED_MODULE_PREFIX "%s", option->argument);
}

/* ---- its turn ---------------------------------------------------------------------------------------------------- */

/* Wait until the service grants the turn. Treat data from the client as a disconnect, too. */
static struct error *wait_for_turn(struct handler *h)
{
	struct pollfd fds[] = {{.fd = h->turns, .events = POLLIN}, {.fd = h->plain, .events = POLLIN}};
	char turn = TURN_WANTED;

	if (write(h->turns, &turn, 1) != 1)
		return gone();
	while (poll(fds, G_N_ELEMENTS(fds), -1) < 0)
		if (errno != EINTR)
			return error_errno("poll");
	if (fds[1].revents || read(h->turns, &turn, 1) != 1)
		return gone();
	return turn == TURN_GRANTED ? NULL
				    : error_with_hint(error_new(ERROR_OTHER, _("the server is overloaded")),
						      _("try again in a minute"));
}

/* ---- what the translation says ----------------------------------------------------------------------------------- */

struct outcome {
	GByteArray *output, *module; /* of pass 4 */
	size_t text, messages; /* bytes forwarded so far */
	bool is_silent; /* do not forward messages */
	int status; /* as from waitpid() */
};

static struct error *too_much(const char *what, size_t most)
{
	return error_new(ERROR_OTHER, _("%s: larger than the server's limit of %zu megabytes"), what, most >> 20);
}

/* Read from one of the three streams. Close @p fd at its end. */
static struct error *drain(struct handler *h, struct outcome *outcome, struct translation_process *process, int *fd)
{
	char block[32768];
	ssize_t got = read(*fd, block, sizeof(block));

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return NULL;
	if (got <= 0) {
		close_fd(fd);
		return NULL;
	}
	if (fd == &process->messages) {
		outcome->messages += got;
		if (outcome->is_silent)
			return NULL;
		return outcome->messages > LARGEST_MESSAGES ? too_much(_("messages"), LARGEST_MESSAGES)
							    : send_frame(h, FRAME_MESSAGES, block, got);
	}
	if (fd == &process->module) {
		g_byte_array_append(outcome->module, (guint8 *)block, got);
		return outcome->module->len > LARGEST_MODULE ? too_much(_("the module"), LARGEST_MODULE) : NULL;
	}
	if (outcome->output->len < LONGEST_PATH)
		g_byte_array_append(outcome->output, (guint8 *)block, got);
	outcome->text += got;
	return outcome->text > LARGEST_TEXT ? too_much(_("the output"), LARGEST_TEXT) : NULL;
}

/* Forward a list or a text as it arrives. For a module, keep the output, which is its name. */
static struct error *drain_output(struct handler *h, struct outcome *outcome, struct translation_process *process,
				  bool makes_module)
{
	char block[32768];
	ssize_t got;

	if (makes_module)
		return drain(h, outcome, process, &process->output);
	got = read(process->output, block, sizeof(block));
	if (got <= 0) {
		if (!got || (errno != EAGAIN && errno != EINTR))
			close_fd(&process->output);
		return NULL;
	}
	outcome->text += got;
	return outcome->text > LARGEST_TEXT ? too_much(_("the output"), LARGEST_TEXT)
					    : send_frame(h, FRAME_OUTPUT, block, got);
}

static struct error *too_long(const struct handler *h)
{
	return error_with_hint(error_new(ERROR_OTHER, _("the translation exceeded the server's limit of %lld seconds"),
					 (long long)h->settings->seconds),
			       _("translate the script without a server, or with simpler patterns"));
}

/* Check the memory every 250 ms. */
static struct error *check_memory(const struct handler *h, const struct translation_process *process, gint64 *last)
{
	gint64 now = g_get_monotonic_time();

	if (now - *last < G_TIME_SPAN_SECOND / 4)
		return NULL;
	*last = now;
	/* The sandbox itself has processes beyond the limit of the translation. */
	if (usage_megabytes(process->pid, 2 * h->settings->processes) <= h->settings->memory)
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER,
					 _("the translation exceeded the server's limit of %lld megabytes of "
					   "memory"),
					 (long long)h->settings->memory),
			       _("translate the script without a server, or with simpler patterns"));
}

static struct error *take_streams(struct handler *h, struct translation_process *process, struct outcome *outcome,
				  bool makes_module, const struct pollfd fds[4])
{
	struct error *error = NULL;

	if (fds[0].revents)
		return gone();
	if (fds[1].revents)
		error = drain_output(h, outcome, process, makes_module);
	if (fds[2].revents && !error)
		error = drain(h, outcome, process, &process->messages);
	if (fds[3].revents && !error)
		error = drain(h, outcome, process, &process->module);
	return error;
}

/* Read until all streams have ended, that is, until the last process inside is gone. */
static struct error *follow(struct handler *h, struct translation_process *process, struct outcome *outcome,
			    bool makes_module)
{
	enum { MEMORY_INTERVAL = 250 /* ms */ };
	struct error *error = NULL;
	gint64 looked = g_get_monotonic_time();

	while (!error && (process->output >= 0 || process->messages >= 0 || process->module >= 0)) {
		struct pollfd fds[] = {
			{.fd = h->plain, .events = POLLIN},
			{.fd = process->output, .events = POLLIN},
			{.fd = process->messages, .events = POLLIN},
			{.fd = process->module, .events = POLLIN},
		};
		int ready = poll(fds, G_N_ELEMENTS(fds), MIN(time_left(h), MEMORY_INTERVAL));

		if (!time_left(h))
			return too_long(h);
		if (ready > 0)
			error = take_streams(h, process, outcome, makes_module, fds);
		error = error ?: check_memory(h, process, &looked);
	}
	return error;
}

/* Wait for the first process, which is about to exit, and kill the rest. */
static int wait_for_end(struct translation_process *process)
{
	enum { STEPS = 100, STEP = 10000 /* us */ };
	int status = 0;

	for (int i = 0; i < STEPS; i++) {
		if (waitpid(process->pid, &status, WNOHANG) == process->pid) {
			kill(-process->pid, SIGKILL); /* what is left of its group */
			process->pid = -1;
			return status;
		}
		usleep(STEP);
	}
	return sandbox_end(process);
}

/* ---- preparing kernels ------------------------------------------------------------------------------------------- */

/* Return a string that identifies this build of stap, which prepared files depend on. */
static char *stap_stamp(void)
{
	struct stat status;

	if (stat(program_path("stap"), &status))
		return g_strdup("?");
	return g_strdup_printf("%lld.%ld %lld\n", (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
			       (long long)status.st_size);
}

/*
 * Return whether the kernel was prepared, or failed, recently. Parts that the cache has dropped since are quickly
 * rebuilt.
 */
static bool is_prepared(const char *path, const char *stamp)
{
	enum { SECONDS_TO_LAST = 86400, SECONDS_TO_TRY_AGAIN = 600 };
	g_autofree char *there = NULL;
	struct stat status;
	gint64 age;

	if (stat(path, &status) || !g_file_get_contents(path, &there, NULL, NULL))
		return false;
	age = g_get_real_time() / G_USEC_PER_SEC - status.st_mtim.tv_sec;
	return *there ? !strcmp(there, stamp) && age < SECONDS_TO_LAST : age < SECONDS_TO_TRY_AGAIN;
}

/* Limit the number of recorded failures, because untrusted clients can request any number of nonexistent kernels. */
static bool has_room(const char *directory)
{
	enum { MOST_KERNELS = 500 };
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	unsigned int count = 0;

	while (dir && g_dir_read_name(dir))
		count++;
	return count < MOST_KERNELS;
}

static struct error *note_preparation(const char *path, const char *stamp, bool succeeded)
{
	g_autofree char *directory = g_path_get_dirname(path);

	if (!succeeded && !has_room(directory))
		return NULL;
	return file_write(path, stamp, succeeded ? strlen(stamp) : 0);
}

static struct error *run_preparation(struct handler *h, const char *path, const char *stamp)
{
	/* Discard the messages: each request reports what is missing for it. */
	struct outcome outcome = {.output = g_byte_array_new(), .module = g_byte_array_new(), .is_silent = true};
	struct translation_process process;
	gint64 begin = g_get_monotonic_time();
	struct error *error = sandbox_start_preparation(h->settings, h->arena, h->request.release.text, &process);
	int status = -1;

	h->deadline = G_MAXINT64;
	error = error ?: follow(h, &process, &outcome, true);
	if (!error)
		status = wait_for_end(&process);
	sandbox_end(&process);
	g_byte_array_unref(outcome.output);
	g_byte_array_unref(outcome.module);
	if (error)
		return error;
	server_log("prepared kernel %s: status %d, %lld ms", h->request.release.text, process_exit_status(status),
		   (long long)(g_get_monotonic_time() - begin) / 1000);
	return note_preparation(path, stamp, !status);
}

/* Prepare the kernel unless another handler has done so. A lock makes concurrent handlers wait. */
static struct error *prepare_kernel(struct handler *h)
{
	g_autofree char *directory = g_build_filename(h->settings->cache_directory, "prepared", NULL);
	g_autofree char *path = g_build_filename(directory, h->request.release.text, NULL), *stamp = stap_stamp();
	_cleanup_close_ int lock = -1;

	if (is_prepared(path, stamp))
		return NULL;
	if (g_mkdir_with_parents(directory, 0755))
		return error_errno(_("cannot make %s"), directory);
	lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lock < 0 || flock(lock, LOCK_EX))
		return error_errno(_("cannot lock %s"), directory);
	return is_prepared(path, stamp) ? NULL : run_preparation(h, path, stamp);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static struct error *send_signature(struct handler *h, const GByteArray *module)
{
	struct identity signer;
	g_autofree char *signature = NULL;
	size_t length;
	struct error *error =
		identity_provide(h->settings->state_directory, "signer", IDENTITY_OF_SIGNER, "stap-server", &signer);

	if (error)
		return error;
	error = identity_sign(&signer, module->data, module->len, &signature, &length);
	identity_clear(&signer);
	return error ?: send_frame(h, FRAME_SIGNATURE, signature, length);
}

/* Return the name from "NAME.ko" in the path that stap printed, or NULL if it is invalid. */
static const char *module_name(struct handler *h, const GByteArray *output)
{
	const char *text = arena_strndup(h->arena, (const char *)output->data, output->len);
	const char *line = arena_strndup(h->arena, text, strcspn(text, "\n")), *slash = strrchr(line, '/');
	const char *name = slash ? slash + 1 : line;
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return length && !strcmp(name + length, ".ko") ? arena_strndup(h->arena, name, length) : NULL;
}

static struct error *send_module(struct handler *h, const struct outcome *outcome)
{
	const char *name = module_name(h, outcome->output);
	struct error *error;

	if (!name || !outcome->module->len)
		return error_new(ERROR_OTHER, _("the translation produced no module"));
	/* The sandbox, where a script is translated, chooses the name. */
	if (wants_signature(&h->request) && !is_name_for_signature(name))
		return error_new(ERROR_OTHER, _("the translation produced a module of another name: %s"), name);
	error = send_text(h, FRAME_NAME, name);
	error = error ?: send_frame(h, FRAME_MODULE, outcome->module->data, outcome->module->len);
	if (!error && wants_signature(&h->request))
		error = send_signature(h, outcome->module);
	return error;
}

static struct error *send_outcome(struct handler *h, const struct outcome *outcome, bool makes_module)
{
	int status = process_exit_status(outcome->status);
	struct error *error = NULL;

	if (status > 128)
		return error_with_hint(error_new(ERROR_OTHER, _("the translation was killed: %s"),
						 strsignal(status - 128)),
				       _("the server allows %lld seconds of CPU time and %lld megabytes"),
				       (long long)h->settings->seconds, (long long)h->settings->memory);
	if (!status && makes_module)
		error = send_module(h, outcome);
	return error ?: send_text(h, FRAME_STATUS, arena_printf(h->arena, "%d", status));
}

static struct error *translate_in(struct handler *h, const char *directory, struct outcome *outcome)
{
	bool makes_module = sandbox_makes_module(&h->request);
	struct translation_process process;
	struct error *error;

	set_deadline(h, h->settings->seconds);
	error = sandbox_start(h->settings, h->arena, &h->request, directory, &process);
	error = error ?: follow(h, &process, outcome, makes_module);
	if (!error)
		outcome->status = wait_for_end(&process);
	sandbox_end(&process);
	return error ?: send_outcome(h, outcome, makes_module);
}

static struct error *translate(struct handler *h)
{
	struct outcome outcome = {.output = g_byte_array_new(), .module = g_byte_array_new()};
	g_autofree char *directory = NULL;
	gint64 begin = g_get_monotonic_time();
	struct error *error = prepare_kernel(h);

	error = error ?: directory_make_temporary(&directory);
	error = error ?: translate_in(h, directory, &outcome);
	if (directory)
		remove_tree(directory);
	if (!error)
		server_log("%s %s: kernel %s, pass %d: status %d, %u bytes, %lld ms", h->peer, h->client,
			   h->request.release.text, h->request.last_pass, process_exit_status(outcome.status),
			   outcome.module->len, (long long)(g_get_monotonic_time() - begin) / 1000);
	g_byte_array_unref(outcome.output);
	g_byte_array_unref(outcome.module);
	return error;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static void send_error(struct handler *h, const struct error *error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	server_log("%s %s: %s", h->peer, h->client ?: "-", error->message);
	frame_append_error(bytes, error);
	error_free(send_bytes(h, bytes));
}

static struct error *handle(struct handler *h)
{
	struct error *error = read_request(h);

	error = error ?: check_options(h);
	if (!error)
		force_name(h);
	error = error ?: wait_for_turn(h);
	return error ?: translate(h);
}

void handle_client(const struct server_settings *settings, SSL_CTX *context, int socket, int turns, const char *peer)
{
	struct handler h = {.settings = settings, .arena = arena_new(), .turns = turns, .peer = peer};
	struct error *error = NULL;
	int ends[2];
	pid_t gate;

	signal(SIGPIPE, SIG_IGN);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) || (gate = fork()) < 0)
		_exit(EXIT_FAILURE);
	if (!gate) {
		close(ends[0]);
		close(turns);
		gate_run(settings, context, socket, ends[1], peer);
	}
	close(ends[1]);
	close(socket);
	SSL_CTX_free(context); /* this process must not hold the TLS key */
	h.plain = ends[0];
	request_init(&h.request, h.arena);
	error = handle(&h);
	if (error && error->code != ERROR_INTERRUPTED)
		send_error(&h, error);
	error_free(error);
	close(h.plain);
	close(turns);
	waitpid(gate, NULL, 0);
	arena_free(h.arena);
	_exit(EXIT_SUCCESS);
}
