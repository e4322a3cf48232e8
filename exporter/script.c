// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A script and the stap that runs it, or a bundle, which runs itself and prints the same lines. Everything happens in
 * the main loop's thread, and nothing waits: output is read when there is some, and not more than a limit per second.
 * Thus a script that floods its output delays only itself.
 *
 * A script is wanted if it starts at boot, or for a time after each scrape. A wanted script that ends is started again
 * after a pause that doubles with each failure. It is started only when the module of the last run is gone.
 */
#include "exporter/script.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/process.h"
#include "exporter/lines.h"
#include "exporter/stream.h"
#include "exporter/text_reader.h"
#include "server/log.h"

enum {
	SHORTEST_PAUSE = 1,
	LONGEST_PAUSE = 300, /* seconds before a restart */
	GOOD_RUN = 60, /* a run that lasts this many seconds does not count as a failure */
	KILL_SECONDS = 10, /* between the last SIGTERM and SIGKILL */
	UNLOAD_SECONDS = 10, /* for a module to disappear after stap */
	UNLOAD_POLL = 50, /* milliseconds */
	BLOCK_SIZE = 64 << 10,
	LONGEST_MESSAGE_LINE = 4096, /* of standard error */
};

/* One of the two streams of stap. */
struct source {
	struct script *script;
	int fd;
	guint watch; /* 0: not watched */
	struct line_buffer lines;
	line_function *each;
};

struct script {
	struct exporter_settings *settings;
	struct script_settings own;
	char *file, *name;
	struct stat status; /* of the file, to see changes */
	script_observer *observer;
	void *context;
	enum script_state state;
	bool is_ending; /* for good */
	bool was_told; /* it was told to end, so it did not fail */
	struct script_counts counts;

	/* The current run. */
	pid_t pid;
	guint child_watch, timer, throttle;
	struct source output, messages;
	struct stream stream;
	bool has_stream;
	int64_t started; /* monotonic seconds */
	size_t read_now; /* bytes in the current second */
	GBytes *written[TEXT_FORMAT_COUNT_]; /* the newest snapshot as text */

	/* Across runs. */
	unsigned int failures; /* in a row */
	int64_t last_scrape; /* monotonic seconds; 0: never */
	guint keepalive_timer;
	char *reason; /* why the last run failed, or NULL */
	int64_t log_minute;
	unsigned int log_lines; /* in that minute */
};

static void start(struct script *script);
static void advance(struct script *script);

static int64_t now(void)
{
	return g_get_monotonic_time() / G_USEC_PER_SEC;
}

const char *script_name(const struct script *script)
{
	return script->name;
}

const char *script_file(const struct script *script)
{
	return script->file;
}

/* Return the name of the program that runs it, for messages. */
static const char *program_name(const struct script *script)
{
	return script_is_bundle(script->file) ? script->file : "stap";
}

enum script_state script_state(const struct script *script)
{
	return script->state;
}

static void stop_timer(guint *timer)
{
	if (*timer)
		g_source_remove(*timer);
	*timer = 0;
}

static void log_script(struct script *script, const char *text)
{
	int64_t minute = now() / 60;

	if (minute != script->log_minute)
		script->log_lines = 0;
	script->log_minute = minute;
	if (script->log_lines++ < MOST_LOG_LINES)
		server_log("%s: %s", script->file, text);
	else if (script->log_lines == MOST_LOG_LINES + 1)
		server_log(_("%s: further messages of this minute are left out"), script->file);
}

static void set_reason(struct script *script, const char *text)
{
	g_free(script->reason);
	script->reason = text ? log_line(text) : NULL;
}

/* ---- the output of stap ------------------------------------------------------------------------------------------ */

static void forget_written(struct script *script)
{
	for (int i = 0; i < TEXT_FORMAT_COUNT_; i++)
		g_clear_pointer(&script->written[i], g_bytes_unref);
}

static void on_output_line(void *context, const char *line, size_t length)
{
	struct script *script = context;

	switch (stream_line(&script->stream, line, length)) {
	case STREAM_STARTED:
		script->observer(script, script->context);
		break;
	case STREAM_SNAPSHOT:
		forget_written(script);
		script->observer(script, script->context);
		break;
	case STREAM_MESSAGE:
		/* The first error of a run is mostly the cause of the others. */
		if (script->stream.errors <= 1)
			set_reason(script, script->stream.message);
		log_script(script, script->stream.message);
		break;
	case STREAM_INVALID:
		script->counts.invalid_lines++;
		break;
	case STREAM_NOTHING:
		break;
	}
}

/* Lines of standard error are not JSON: a shell may print them, for example. */
static void on_message_line(void *context, const char *line, size_t length)
{
	struct script *script = context;

	if (!length)
		return;
	if (!script->reason)
		set_reason(script, line);
	log_script(script, line);
}

static void close_source(struct source *source)
{
	stop_timer(&source->watch);
	if (source->fd >= 0)
		close(source->fd);
	source->fd = -1;
	lines_end(&source->lines);
}

static gboolean on_readable(int fd, GIOCondition condition, gpointer data);

static gboolean on_second(gpointer data)
{
	struct script *script = data;
	struct source *sources[] = {&script->output, &script->messages};

	script->throttle = 0;
	script->read_now = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(sources); i++)
		if (sources[i]->fd >= 0 && !sources[i]->watch)
			sources[i]->watch =
				g_unix_fd_add(sources[i]->fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, sources[i]);
	return G_SOURCE_REMOVE;
}

static void log_long_line(const struct source *source)
{
	g_autofree char *text = g_strdup_printf(
		_("lines of more than %zu bytes are left out; a global may be too large"), source->lines.longest);

	log_script(source->script, text);
}

/* Read once. Return false at the end of the stream. */
static bool read_source(struct source *source)
{
	struct script *script = source->script;
	char block[BLOCK_SIZE];
	ssize_t size = read(source->fd, block, sizeof(block));
	uint64_t too_long = source->lines.too_long;

	if (size < 0)
		return errno == EAGAIN || errno == EINTR;
	if (!size)
		return false;
	script->read_now += (size_t)size;
	lines_feed(&source->lines, block, (size_t)size, source->each, script);
	script->counts.long_lines += source->lines.too_long - too_long;
	/* Each snapshot may have such a line, so report it only once per run. */
	if (!too_long && source->lines.too_long)
		log_long_line(source);
	return true;
}

static gboolean on_readable(int fd, GIOCondition condition, gpointer data)
{
	struct source *source = data;
	struct script *script = source->script;

	if (!read_source(source)) {
		source->watch = 0;
		close_source(source);
		advance(script);
		return G_SOURCE_REMOVE;
	}
	if (!script->throttle)
		script->throttle = g_timeout_add_seconds(1, on_second, script);
	if (script->read_now < (uint64_t)script->own.limits.output_rate)
		return G_SOURCE_CONTINUE;
	/* The pipe fills up, and stap waits. */
	script->counts.throttled++;
	source->watch = 0;
	return G_SOURCE_REMOVE;
}

static void open_source(struct script *script, struct source *source, int fd, size_t longest, line_function *each)
{
	*source = (struct source){.script = script, .fd = fd, .each = each};
	lines_begin(&source->lines, longest);
	source->watch = g_unix_fd_add(fd, G_IO_IN | G_IO_HUP | G_IO_ERR, on_readable, source);
}

/* ---- ending ------------------------------------------------------------------------------------------------------ */

/* Add what a run has counted. */
static void add_counts(struct script_counts *counts, const struct stream *stream)
{
	counts->errors += stream->errors;
	counts->warnings += stream->warnings;
	counts->snapshots += stream->snapshots;
	counts->incomplete += stream->incomplete;
	counts->lost += stream->lost;
	counts->shortened += stream->shortened;
	for (int i = 0; i < DROP_REASON_COUNT_; i++)
		counts->dropped[i] += stream->dropped[i];
}

struct script_counts script_counts(const struct script *script)
{
	struct script_counts counts = script->counts;

	if (script->has_stream)
		add_counts(&counts, &script->stream);
	return counts;
}

void script_count_scrape(struct script *script, int64_t microseconds, bool failed)
{
	script->counts.scrapes++;
	script->counts.failed_scrapes += failed;
	script->counts.microseconds += microseconds;
}

static void end_stream(struct script *script)
{
	if (!script->has_stream)
		return;
	add_counts(&script->counts, &script->stream);
	stream_end(&script->stream);
	script->has_stream = false;
	forget_written(script);
}

static gboolean on_kill_time(gpointer data)
{
	struct script *script = data;

	server_log(_("%s: %s did not end in time and is killed"), script->file, program_name(script));
	kill(-script->pid, SIGKILL);
	script->timer = 0;
	return G_SOURCE_REMOVE;
}

/* A second signal makes staprun skip the rest of the output. */
static gboolean on_stop_time(gpointer data)
{
	struct script *script = data;

	kill(script->pid, SIGTERM);
	script->timer = g_timeout_add_seconds(KILL_SECONDS, on_kill_time, script);
	return G_SOURCE_REMOVE;
}

static void end_run(struct script *script)
{
	if (script->state != SCRIPT_RUNNING)
		return;
	script->state = SCRIPT_STOPPING;
	script->was_told = true;
	kill(script->pid, SIGTERM);
	stop_timer(&script->timer);
	script->timer = g_timeout_add_seconds((guint)script->settings->stop, on_stop_time, script);
}

/* Return the first module of the run that is in the kernel's list, or NULL. Free with g_free(). */
static char *loaded_module(const struct script *script)
{
	g_autofree char *path = g_build_filename(script->settings->proc, "modules", NULL), *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!script->has_stream || !*script->stream.module.text || !g_file_get_contents(path, &text, NULL, NULL))
		return NULL;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		(*line)[strcspn(*line, " ")] = '\0';
		if (**line && stream_has_module(&script->stream, *line))
			return g_strdup(*line);
	}
	return NULL;
}

static bool is_wanted(const struct script *script)
{
	if (script->is_ending)
		return false;
	if (script->own.start == START_AT_BOOT)
		return true;
	/* Count a second more, because both times are rounded down. */
	return script->last_scrape && (!script->own.keepalive || now() <= script->last_scrape + script->own.keepalive);
}

static gboolean on_pause_end(gpointer data)
{
	struct script *script = data;

	script->timer = 0;
	script->state = SCRIPT_IDLE;
	if (is_wanted(script))
		start(script);
	return G_SOURCE_REMOVE;
}

static void pause_before_restart(struct script *script)
{
	unsigned int seconds = SHORTEST_PAUSE;

	for (unsigned int i = 1; i < script->failures && seconds < LONGEST_PAUSE; i++)
		seconds *= 2;
	seconds = MIN(seconds, LONGEST_PAUSE);
	script->state = SCRIPT_WAITING;
	script->timer = g_timeout_add_seconds(seconds, on_pause_end, script);
}

/* The run is over, and its module is gone. */
static void finish(struct script *script)
{
	bool was_told = script->was_told;

	stop_timer(&script->timer);
	end_stream(script);
	script->state = SCRIPT_IDLE;
	script->was_told = false;
	if (is_wanted(script)) {
		script->counts.restarts++;
		if (was_told)
			start(script);
		else
			pause_before_restart(script);
	}
	script->observer(script, script->context);
}

static gboolean on_unload_poll(gpointer data)
{
	struct script *script = data;
	g_autofree char *module = loaded_module(script);

	if (module) {
		if (now() <= script->started + UNLOAD_SECONDS)
			return G_SOURCE_CONTINUE;
		server_log(_("%s: module %s is still loaded"), script->file, module);
	}
	script->timer = 0;
	finish(script);
	return G_SOURCE_REMOVE;
}

/* Continue when stap has ended: read the rest of its output, then wait for its module. */
static void advance(struct script *script)
{
	if (script->pid || script->state == SCRIPT_IDLE || script->state >= SCRIPT_UNLOADING)
		return;
	stop_timer(&script->timer);
	stop_timer(&script->throttle);
	close_source(&script->output);
	close_source(&script->messages);
	script->state = SCRIPT_UNLOADING;
	script->started = now();
	script->timer = g_timeout_add(UNLOAD_POLL, on_unload_poll, script);
}

/* Read what is in the pipes. Their writers may live on: processes that a script has started. */
static void read_rest(struct source *source)
{
	struct pollfd readable = {.fd = source->fd, .events = POLLIN};

	for (size_t most = MOST_OUTPUT_AT_END / BLOCK_SIZE; most && source->fd >= 0; most--)
		if (poll(&readable, 1, 0) != 1 || !read_source(source))
			return;
}

static char *describe_end(const struct script *script, int status)
{
	if (WIFSIGNALED(status))
		return g_strdup_printf(_("%s was killed by signal %d (%s)"), program_name(script), WTERMSIG(status),
				       strsignal(WTERMSIG(status)));
	return g_strdup_printf(_("%s ended with status %d"), program_name(script), WEXITSTATUS(status));
}

static void on_child_end(GPid pid, int status, gpointer data)
{
	struct script *script = data;
	script->child_watch = 0;
	script->pid = 0;
	read_rest(&script->output);
	read_rest(&script->messages);
	if (!script->was_told) {
		g_autofree char *end = describe_end(script, status);

		script->failures = now() - script->started >= GOOD_RUN ? 1 : script->failures + 1;
		log_script(script, end);
		if (!script->reason)
			set_reason(script, end);
	}
	advance(script);
}

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static void append_words(GPtrArray *argv, const char *words)
{
	g_auto(GStrv) list = NULL;

	if (!words || !g_shell_parse_argv(words, NULL, &list, NULL))
		return;
	for (char **word = list; *word; word++)
		g_ptr_array_add(argv, g_strdup(*word));
}

/*
 * A script with a prometheus probe needs no snapshots. But the name of its module is needed, which only the JSON lines
 * contain.
 */
static int64_t snapshot_interval(const struct script *script)
{
	return script->own.source == SOURCE_PROMETHEUS ? 0 : script->own.interval;
}

static GPtrArray *stap_command(const struct script *script, const char *path)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	int64_t interval = snapshot_interval(script);

	g_ptr_array_add(argv, g_strdup(script->settings->stap));
	g_ptr_array_add(argv, interval ? g_strdup_printf("--format=json,%" G_GINT64_FORMAT, interval)
				       : g_strdup("--format=json"));
	append_words(argv, script->own.options);
	g_ptr_array_add(argv, g_strdup(path));
	return argv;
}

static GPtrArray *bundle_command(const struct script *script, const char *path)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup(path));
	g_ptr_array_add(argv, g_strdup_printf("-J%" G_GINT64_FORMAT, snapshot_interval(script)));
	append_words(argv, script->own.options);
	return argv;
}

static GPtrArray *command_line(const struct script *script)
{
	g_autofree char *path = g_build_filename(script->settings->scripts, script->file, NULL);
	GPtrArray *argv = script_is_bundle(script->file) ? bundle_command(script, path) : stap_command(script, path);

	append_words(argv, script->own.arguments);
	g_ptr_array_add(argv, NULL);
	return argv;
}

static gboolean on_keepalive_end(gpointer data)
{
	struct script *script = data;

	script->keepalive_timer = 0;
	if (is_wanted(script)) {
		int64_t rest = script->last_scrape + script->own.keepalive - now();

		/* A script that starts at boot needs no timer. */
		if (script->own.start == START_AT_SCRAPE && script->own.keepalive)
			script->keepalive_timer =
				g_timeout_add_seconds((guint)CLAMP(rest, 1, G_MAXINT), on_keepalive_end, script);
		return G_SOURCE_REMOVE;
	}
	end_run(script);
	if (script->state == SCRIPT_WAITING) {
		stop_timer(&script->timer);
		script->state = SCRIPT_IDLE;
		script->failures = 0;
	}
	return G_SOURCE_REMOVE;
}

static void start(struct script *script)
{
	g_autoptr(GPtrArray) argv = command_line(script);
	struct error *error;
	int fds[2];

	script->counts.starts++;
	set_reason(script, NULL);
	script->started = now();
	script->read_now = 0;
	error = process_start((const char *const *)argv->pdata, -1, true, &script->pid, fds);
	if (error) {
		close_fd(&fds[0]);
		close_fd(&fds[1]);
		set_reason(script, error->message);
		log_script(script, error->message);
		error_free(error);
		script->failures++;
		script->counts.restarts++;
		pause_before_restart(script);
		return;
	}
	stream_begin(&script->stream, script->name, &script->own.limits);
	script->has_stream = true;
	script->state = SCRIPT_RUNNING;
	open_source(script, &script->output, fds[0], LONGEST_STREAM_LINE, on_output_line);
	open_source(script, &script->messages, fds[1], LONGEST_MESSAGE_LINE, on_message_line);
	script->child_watch = g_child_watch_add(script->pid, on_child_end, script);
	if (!script->keepalive_timer)
		on_keepalive_end(script);
}

struct script *script_new(struct exporter_settings *settings, const char *file, const struct stat *status,
			  script_observer *observer, void *context)
{
	struct script *script = g_new0(struct script, 1);

	script->settings = settings_ref(settings);
	script_settings_copy(&script->own, settings_of_script(settings, file));
	script->file = g_strdup(file);
	script->name = script_name_of(file);
	script->status = *status;
	script->observer = observer;
	script->context = context;
	script->output.fd = script->messages.fd = -1;
	return script;
}

void script_free(struct script *script)
{
	stop_timer(&script->timer);
	stop_timer(&script->throttle);
	stop_timer(&script->keepalive_timer);
	stop_timer(&script->child_watch);
	close_source(&script->output);
	close_source(&script->messages);
	end_stream(script);
	script_settings_clear(&script->own);
	settings_unref(script->settings);
	g_free(script->file);
	g_free(script->name);
	g_free(script->reason);
	g_free(script);
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

void script_reconfigure(struct script *script, struct exporter_settings *settings, const struct stat *status)
{
	const struct script_settings *own = settings_of_script(settings, script->file);
	bool is_same = script_settings_equal(own, &script->own) && is_same_file(status, &script->status) &&
		       !strcmp(settings->stap, script->settings->stap) &&
		       !strcmp(settings->scripts, script->settings->scripts) &&
		       !strcmp(settings->proc, script->settings->proc);

	settings_ref(settings);
	settings_unref(script->settings);
	script->settings = settings;
	script->status = *status;
	script->is_ending = false;
	if (is_same)
		return;
	script_settings_clear(&script->own);
	script_settings_copy(&script->own, own);
	script->failures = 0;
	forget_written(script);
	if (script->state == SCRIPT_RUNNING) {
		end_run(script);
	} else if (script->state == SCRIPT_WAITING) {
		stop_timer(&script->timer);
		script->state = SCRIPT_IDLE;
		if (is_wanted(script))
			start(script);
	}
}

void script_boot(struct script *script)
{
	if (script->state == SCRIPT_IDLE && script->own.start == START_AT_BOOT && is_wanted(script))
		start(script);
}

void script_stop(struct script *script)
{
	script->is_ending = true;
	end_run(script);
	if (script->state == SCRIPT_WAITING) {
		stop_timer(&script->timer);
		script->state = SCRIPT_IDLE;
	}
}

/* ---- scrapes ----------------------------------------------------------------------------------------------------- */

static char *prometheus_path(const struct script *script)
{
	if (!*script->stream.module.text || script->own.source == SOURCE_GLOBALS)
		return NULL;
	return g_build_filename(script->settings->proc, "systemtap", script->stream.module.text, "__prometheus", NULL);
}

/* Has the script a prometheus probe? */
static bool has_prometheus_file(const struct script *script)
{
	g_autofree char *path = prometheus_path(script);

	return path && g_file_test(path, G_FILE_TEST_EXISTS);
}

static bool has_data(const struct script *script)
{
	if (!script->has_stream)
		return false;
	if (script->own.source != SOURCE_PROMETHEUS && script->stream.newest)
		return true;
	return has_prometheus_file(script);
}

bool script_is_up(const struct script *script)
{
	return script->state == SCRIPT_RUNNING && has_data(script);
}

/* Read a file up to a limit. It never waits: a file that is not in /proc could be a pipe. */
static GString *read_limited(const char *path, size_t most)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	GString *text = g_string_new(NULL);
	char block[BLOCK_SIZE];
	ssize_t size = -1;

	while (fd >= 0 && text->len < most && (size = read(fd, block, sizeof(block))) > 0)
		g_string_append_len(text, block, size);
	if (size >= 0 || text->len >= most)
		return text;
	g_string_free(text, TRUE);
	return NULL;
}

static bool scrape_prometheus(struct script *script, enum text_format format, GBytes **text)
{
	g_autofree char *path = prometheus_path(script);
	GString *printed = read_limited(path, (size_t)script->own.limits.response_size);
	struct metric_set *set;

	if (!printed) {
		g_autofree char *failure = g_strdup_printf(_("cannot read %s: %s"), path, g_strerror(errno));

		set_reason(script, failure);
		log_script(script, failure);
		return false;
	}
	set = text_read(printed->str, printed->len, script->name, &script->own.limits);
	for (int i = 0; i < DROP_REASON_COUNT_; i++)
		script->counts.dropped[i] += set->dropped[i];
	script->counts.shortened += set->shortened;
	*text = text_write(set, format);
	metric_set_free(set);
	g_string_free(printed, TRUE);
	return true;
}

/* The text of a snapshot is shared by all clients that read it. */
static void scrape_globals(struct script *script, enum text_format format, GBytes **text)
{
	if (!script->written[format])
		script->written[format] = text_write(script->stream.newest, format);
	*text = g_bytes_ref(script->written[format]);
}

enum scrape_result script_scrape(struct script *script, enum text_format format, GBytes **text)
{
	script->last_scrape = now();
	if (script->state == SCRIPT_IDLE && !script->is_ending)
		start(script);
	if (script->state == SCRIPT_WAITING || script->is_ending)
		return SCRAPE_FAILED;
	if (script->state != SCRIPT_RUNNING || !has_data(script))
		return SCRAPE_PENDING;
	if (has_prometheus_file(script))
		return scrape_prometheus(script, format, text) ? SCRAPE_READY : SCRAPE_FAILED;
	scrape_globals(script, format, text);
	return SCRAPE_READY;
}

void script_keep(struct script *script)
{
	script->last_scrape = now();
}

bool script_may_answer(const struct script *script)
{
	return script->state == SCRIPT_WAITING || script->is_ending || script_is_up(script);
}

char *script_explain(const struct script *script)
{
	if (script->state == SCRIPT_WAITING)
		return g_strdup_printf(_("%s does not run: %s"), script->file, script->reason ?: _("it has ended"));
	if (script->state == SCRIPT_RUNNING && script->reason)
		return g_strdup_printf(_("%s has no data: %s"), script->file, script->reason);
	if (script->state == SCRIPT_RUNNING)
		return g_strdup_printf(_("%s has no data yet"), script->file);
	return g_strdup_printf(_("%s is ending"), script->file);
}
