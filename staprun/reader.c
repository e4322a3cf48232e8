// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader: a process without privileges that holds the session's open files.
 *
 * It has two threads. The main thread reads the trace files, merges and writes. The command thread writes commands to
 * the control file, and receives messages from the loader. The threads are separate because writing "start" and "stop"
 * takes as long as the begin and end probes. These print, and wait for the main thread when the buffers are full.
 *
 * The session ends when the script calls exit(), a message from the loader or its death is noticed, or a write fails.
 * Then the command thread sends "stop". When that has returned, all output is in the buffers. The session is over after
 * one more pass that finds them empty.
 *
 * Closing the control file stops the module, so no script keeps running if this process dies. But a session may be left
 * running (-L, SIGQUIT) for another reader to attach to (-A). The output read until then is written.
 */
#include "staprun/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "runtime/abi/protocol.h"
#include "staprun/cgroup.h"
#include "staprun/child.h"
#include "staprun/control.h"
#include "staprun/merge.h"
#include "staprun/messages.h"
#include "staprun/module.h"
#include "staprun/runner.h"
#include "staprun/step.h"

enum {
	READ_SIZE = 256 * 1024,
	/* Bytes per CPU. Records that wait for one that never comes must not use up all memory. */
	HELD_LIMIT = 16 << 20,
	ARMING_PATIENCE = 1000, /* milliseconds until a message reports that probes are being armed */
	HELD_TIMEOUT = 1, /* milliseconds; the missing record is being written right now */
	LEAVING_LIMIT = 2000, /* milliseconds to wait for a missing record before leaving a session */
};

struct reader {
	struct reader_setup setup;
	struct merge *merge;
	int *traces; /* one descriptor per file of `merge` */
	unsigned int *cpus; /* CPU of each file, for bulk mode */
	unsigned int trace_count;
	pthread_t commander;
	int stop_event; /* main thread -> command thread: stop the session */
	int done_event; /* command thread -> main thread: check the state */
	atomic_bool stopping, stopped, failed, loader_gone, left, file_is_over;
	bool stop_wanted;
	/* CLOCK_MONOTONIC milliseconds */
	_Atomic long long arming_since; /* when the module began to arm the probes; 0: not yet, or they are armed */
	long long leaving_since; /* when waiting for missing records began; 0: not yet */
	/* Trace files that the loader sent, to be added by the main thread. */
	pthread_mutex_t arrivals_mutex;
	int *arrivals;
	unsigned int arrival_count;
};

static long long milliseconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ll + now.tv_nsec / 1000000;
}

/* ---- the command thread ------------------------------------------------------------------------------------------ */

static void fail(struct reader *reader, struct error *error)
{
	if (error)
		step_clear();
	if (error_report_free(error))
		reader->failed = true;
}

/*
 * Send the current time zone of TZ or of the system. A later change to summer time is not noticed. Only this process
 * reads a file that TZ names, because it has no more rights than the user.
 */
static struct error *send_time_zone(int control)
{
	time_t now = time(NULL);
	struct tm local;

	tzset();
	if (!localtime_r(&now, &local))
		return NULL; /* UTC */
	/* Zone names have 3 to about 6 characters, but a time zone file may hold anything. */
	return control_command(control, "timezone %ld %.*s", -local.tm_gmtoff, STP_TIME_ZONE_LIMIT,
			       local.tm_zone && *local.tm_zone ? local.tm_zone : "UTC");
}

static struct error *set_global(int control, const char *setting)
{
	int name_length = (int)strcspn(setting, "=");
	struct error *error =
		control_command(control, "global %.*s %s", name_length, setting, setting + name_length + 1);

	if (!error)
		return NULL;
	return error_with_hint(error_prefix(error, _("cannot set '%s'"), setting),
			       _("name a global that the script declares and uses, and a number (decimal, octal "
				 "or hexadecimal) or a string; arrays cannot be set"));
}

static struct error *start(struct reader *reader)
{
	const struct reader_setup *setup = &reader->setup;
	struct error *error = NULL;

	if (setup->target)
		error = control_command(setup->control, "target %d", (int)setup->target);
	if (setup->cgroup) {
		error = error ?: cgroup_send(setup->control, setup->cgroup_directory, setup->cgroup);
		close(setup->cgroup_directory); /* otherwise its file system could not be unmounted */
	}
	error = error ?: send_time_zone(setup->control);
	if (!error && setup->remote)
		error = control_command(setup->control, "remote %" PRIi64 " %s", setup->remote_number, setup->remote);
	for (unsigned int i = 0; i < setup->target_count && !error; i++)
		if (setup->addresses[i])
			error = control_command(setup->control, "module %s %s 0x%lx", setup->targets[i].name,
						setup->targets[i].section, setup->addresses[i]);
	if (!error && setup->namespaces)
		error = error_prefix(control_command(setup->control, "namespaces %d", (int)setup->namespaces),
				     _("cannot use the namespaces of process %d"), (int)setup->namespaces);
	for (char **setting = setup->settings; *setting && !error; setting++)
		error = set_global(setup->control, *setting);
	message_verbose(1, "starting the session");
	return error ?: control_command(setup->control, "start");
}

/*
 * Write standard input to the module byte by byte, because input.char fires once per character. The thread ends with
 * the input, the script or this process.
 */
static void *input_thread(void *data)
{
	int to = (int)(intptr_t)data;
	char bytes[4096];
	ssize_t count;

	while ((count = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < count; i++)
			if (write(to, &bytes[i], 1) != 1)
				return NULL;
	return NULL;
}

static void forward_input(struct reader *reader, int to)
{
	pthread_t thread;
	int failure = pthread_create(&thread, NULL, input_thread, (void *)(intptr_t)to);

	if (!failure) {
		pthread_detach(thread);
		return;
	}
	errno = failure;
	fail(reader, error_errno(_("cannot start a thread")));
}

/* Let the session continue after this process ends. */
static void keep_session(struct reader *reader)
{
	struct error *error = control_command(reader->setup.control, "keep");

	reader->left = !error;
	fail(reader, error);
}

/* Wait for a reason to stop or leave the session. */
static void wait_for_stop(struct reader *reader)
{
	struct pollfd from[] = {
		{.fd = reader->setup.socket, .events = POLLIN},
		{.fd = reader->stop_event, .events = POLLIN},
	};

	for (;;) {
		int fd, message;

		if (poll(from, 2, -1) < 0)
			continue;
		if (from[1].revents)
			return;
		if (!from[0].revents)
			continue;
		message = child_receive(reader->setup.socket, &fd);
		if (message == READER_INPUT) {
			forward_input(reader, fd);
		} else if (message == READER_LEAVE && reader->setup.may_leave) {
			keep_session(reader);
			return;
		} else if (message == READER_NEXT_FILE) {
			reader->file_is_over = true;
			eventfd_write(reader->done_event, 1);
		} else if (fd >= 0) {
			pthread_mutex_lock(&reader->arrivals_mutex);
			reader->arrivals = memory_resize(reader->arrivals, reader->arrival_count + 1, sizeof(fd));
			reader->arrivals[reader->arrival_count++] = fd;
			pthread_mutex_unlock(&reader->arrivals_mutex);
			eventfd_write(reader->done_event, 1);
		} else if (message != READER_TRACE) {
			reader->loader_gone = !message;
			/* A session that was already left running continues. */
			reader->left = !message && reader->setup.is_attached;
			return;
		}
	}
}

static void started(struct reader *reader)
{
	if (reader->setup.leaves_terminal)
		child_leave_terminal();
	child_send(reader->setup.socket, READER_STARTED, -1);
}

/* Report why the session did not start. If the module printed messages, they explain more than an error number. */
static void start_failed(struct reader *reader, struct error *error)
{
	struct control_status status = {0};

	error_free(control_read_status(reader->setup.control, &status));
	if (status.failed)
		error_free(error);
	else
		fail(reader, error);
}

static void follow_session(struct reader *reader)
{
	struct control_status status = {0};
	struct error *error = control_read_status(reader->setup.control, &status);

	/* If a begin probe called exit(), no other probe was armed, and the command must not run. */
	if (!error && !status.exit)
		started(reader);
	if (!error && !status.exit && reader->setup.leaves_session)
		keep_session(reader);
	else if (!error)
		wait_for_stop(reader);
	fail(reader, error);
}

static void *command_thread(void *data)
{
	struct reader *reader = data;
	struct error *error = NULL;

	if (!reader->setup.is_attached) {
		reader->arming_since = milliseconds_now();
		error = start(reader);
		reader->arming_since = 0;
		step_clear();
	}
	if (error)
		start_failed(reader, error);
	else
		follow_session(reader);
	message_verbose(1, reader->left ? "leaving the session" : "stopping the session");
	reader->stopping = true;
	if (!reader->left)
		fail(reader, control_command(reader->setup.control, "stop"));
	reader->stopped = true;
	eventfd_write(reader->done_event, 1);
	return NULL;
}

/* ---- the main thread --------------------------------------------------------------------------------------------- */

static void want_stop(struct reader *reader)
{
	if (!reader->stop_wanted)
		eventfd_write(reader->stop_event, 1);
	reader->stop_wanted = true;
}

/* Report an error and end the session. */
static void give_up(struct reader *reader, struct error *error)
{
	if (!error)
		return;
	fail(reader, error);
	want_stop(reader);
}

static void add_trace(struct reader *reader, const char *name, unsigned int cpu, int fd)
{
	unsigned int number = merge_add_file(reader->merge, name);

	reader->traces = memory_resize(reader->traces, number + 1, sizeof(*reader->traces));
	reader->traces[number] = fd;
	reader->cpus = memory_resize(reader->cpus, number + 1, sizeof(*reader->cpus));
	reader->cpus[number] = cpu;
	reader->trace_count = number + 1;
}

void reader_add_trace(struct reader *reader, unsigned int cpu, int fd)
{
	_cleanup_free_ char *name = text_format("trace%u", cpu);

	add_trace(reader, name, cpu, fd);
}

static void take_arrivals(struct reader *reader)
{
	pthread_mutex_lock(&reader->arrivals_mutex);
	for (unsigned int i = 0; i < reader->arrival_count; i++)
		/* CPUs usually come online in numeric order. */
		add_trace(reader, _("the trace file of a new CPU"), reader->trace_count, reader->arrivals[i]);
	reader->arrival_count = 0;
	pthread_mutex_unlock(&reader->arrivals_mutex);
}

/* Read each trace file once and emit all records that are ready. Return true if anything was read. */
static bool drain(struct reader *reader)
{
	bool any = false;

	take_arrivals(reader);
	for (unsigned int i = 0; i < reader->trace_count; i++) {
		void *room = merge_reserve(reader->merge, i, READ_SIZE);
		ssize_t got = read(reader->traces[i], room, READ_SIZE);

		if (got <= 0)
			continue;
		any = true;
		give_up(reader, merge_commit(reader->merge, i, got));
		give_up(reader, merge_emit(reader->merge));
	}
	if (merge_held(reader->merge) > (size_t)HELD_LIMIT * reader->trace_count && !reader->stop_wanted &&
	    !reader->stopping)
		give_up(reader, error_new(ERROR_OTHER, _("a record of module %s never arrived"), reader->setup.module));
	return any;
}

/* Emit the records of a time without a reader, which have been read since, regardless of gaps. */
static struct error *skip_overwritten(struct reader *reader, const struct control_status *status)
{
	if (status->overwritten)
		message_verbose(1, "records that were overwritten while nobody read: %llu", status->overwritten);
	return merge_go_on_at(reader->merge, status->gaps_end);
}

/*
 * Attach to a session that was left running. Its oldest records may have been overwritten on one CPU but not on
 * another, so read and emit all current records first.
 */
static struct error *take_up(struct reader *reader)
{
	struct control_status status = {0};
	struct error *error = NULL;

	for (unsigned int i = 0; i < reader->trace_count && !error; i++) {
		ssize_t got;

		do {
			got = read(reader->traces[i], merge_reserve(reader->merge, i, READ_SIZE), READ_SIZE);
			if (got > 0)
				error = merge_commit(reader->merge, i, got);
		} while (!error && got > READ_SIZE / 2); /* a shorter read has emptied the file */
	}
	error = error ?: control_read_status(reader->setup.control, &status);
	return error ?: skip_overwritten(reader, &status);
}

/* Show that many probes are being armed, unless there was output just now. Return how long the caller may wait. */
static int show_arming(struct reader *reader, bool any_output)
{
	long long since = reader->arming_since;

	if (!since)
		step_clear();
	else if (any_output)
		atomic_compare_exchange_strong(&reader->arming_since, &since, milliseconds_now());
	else if (milliseconds_now() - since > ARMING_PATIENCE)
		step_show(_("arming the probes"));
	return since && reader->setup.timeout > ARMING_PATIENCE ? ARMING_PATIENCE : reader->setup.timeout;
}

/*
 * Return whether all output was written that must be written before this process ends. A session that was left running
 * always produces more.
 */
static bool is_done(struct reader *reader, bool any)
{
	if (!reader->left)
		return !any;
	if (any || !reader->leaving_since)
		reader->leaving_since = milliseconds_now();
	return !merge_held(reader->merge) || milliseconds_now() - reader->leaving_since > LEAVING_LIMIT;
}

static void read_session(struct reader *reader)
{
	struct pollfd from[] = {
		{.fd = reader->setup.control, .events = POLLIN},
		{.fd = reader->done_event, .events = POLLIN},
	};
	struct control_status status;
	eventfd_t count;
	int timeout;

	for (;;) {
		/* read before the pass: then everything queued by "stop" is in the buffers */
		bool stopped = reader->stopped;
		bool any = drain(reader);

		output_flush(reader->setup.output);
		if (atomic_exchange(&reader->file_is_over, false))
			output_end_file(reader->setup.output);
		give_up(reader, output_take_error(reader->setup.output));
		if (output_is_unread(reader->setup.output))
			want_stop(reader);
		if (stopped && is_done(reader, any))
			return;
		if (!stopped && !reader->stop_wanted) {
			struct error *error = control_read_status(reader->setup.control, &status);

			if (error || status.exit)
				want_stop(reader);
			fail(reader, error);
		}
		timeout = show_arming(reader, any);
		if (any || (reader->stopped && !reader->left))
			continue;
		/* The control file of a running session is always readable. */
		poll(from, reader->left ? 0 : 2, merge_held(reader->merge) ? HELD_TIMEOUT : timeout);
		eventfd_read(reader->done_event, &count);
	}
}

static void report_memory(const struct control_status *status)
{
	message_verbose(1, "kernel memory: %llu KB (variables %llu, output %llu, contexts %llu)",
			control_memory(status) >> 10, status->memory_variables >> 10, status->memory_output >> 10,
			status->memory_contexts >> 10);
}

static void warn_of(struct reader *reader, const char *format, unsigned long long count, const char *hint)
{
	_cleanup_free_ char *first = NULL, *text = NULL;

	if (!count)
		return;
	first = text_format(format, count);
	text = hint ? text_format("%s\n%s: %s", first, _("hint"), hint) : NULL;
	output_warning(reader->setup.output, text ?: first);
}

/* Report failures in the words of SystemTap. */
static void report(struct reader *reader, const struct control_status *status, uint64_t missing)
{
	unsigned long long skipped = control_skipped(status);
	const struct {
		const char *text, *hint;
		unsigned long long count;
	} reasons[] = {
		{N_("Skipped due to reentrancy: %llu"), NULL, status->skipped_reentrant},
		{N_("Skipped due to a lock timeout: %llu"),
		 N_("use -D MAXTRYLOCK=N to make handlers wait longer for a variable"), status->skipped_lock},
		{N_("Skipped due to missed kretprobe: %llu"),
		 N_("use -D KRETACTIVE=N or .maxactive(N) to allow more concurrent calls"), status->missed_return},
		{N_("Skipped due to deeply nested calls: %llu"),
		 N_("the kernel reports the returns of 64 nested calls of probed functions in a thread"),
		 status->missed_deep_return},
		{N_("Skipped due to low stack: %llu"), NULL, status->skipped_stack},
	};

	if (status->errors || skipped) {
		_cleanup_free_ char *text =
			text_format(_("Number of errors: %llu, skipped probes: %llu"), status->errors, skipped);

		output_warning(reader->setup.output, text);
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		warn_of(reader, _(reasons[i].text), reasons[i].count, reasons[i].hint ? _(reasons[i].hint) : NULL);
	warn_of(reader, _("There were %llu transport failures."), status->lost,
		_("use -s MEGABYTES (staprun: -b) to enlarge the buffers"));
	warn_of(reader,
		ngettext("%llu record of the module never arrived.", "%llu records of the module never arrived.",
			 missing),
		missing, NULL);
}

static void close_all(struct reader *reader)
{
	close(reader->setup.control);
	for (unsigned int i = 0; i < reader->trace_count; i++)
		close(reader->traces[i]);
}

/* Send a command to the runner. Flush first, so that earlier output of the script precedes that of the command. */
static void run_command(struct reader *reader, const struct stp_record *record, const char *payload)
{
	output_flush(reader->setup.output);
	if (reader->setup.runner < 0 || runner_send(reader->setup.runner, payload, record->length))
		return;
	fail(reader, error_errno(_("cannot run the script's commands")));
	close(reader->setup.runner);
	reader->setup.runner = -1;
}

static void emit_record(void *data, const struct stp_record *record, const char *payload)
{
	struct reader *reader = data;

	if (record->type == STP_RECORD_COMMAND)
		run_command(reader, record, payload);
	else if (record->type == STP_RECORD_REOPEN)
		output_reopen(reader->setup.output, payload, record->length);
	else if (record->type == STP_RECORD_TRUNCATE)
		output_truncate(reader->setup.output);
	else
		output_record(reader->setup.output, record, payload);
}

/*
 * Store a record in bulk mode. Warnings and errors are also shown at once, but stay in the file to avoid gaps in the
 * numbers.
 */
static void store_record(void *data, const struct stp_record *record, const char *payload)
{
	struct reader *reader = data;

	bulk_record(reader->setup.bulk, reader->cpus[merge_current(reader->merge)], record, payload);
	if (record->type != STP_RECORD_OUTPUT)
		emit_record(reader, record, payload);
}

struct reader *reader_new(const struct reader_setup *setup)
{
	struct reader *reader = memory_new(1, sizeof(*reader));

	reader->setup = *setup;
	if (setup->bulk) {
		reader->merge = merge_new(store_record, reader);
		merge_set_apart(reader->merge);
	} else {
		reader->merge = merge_new(emit_record, reader);
	}
	reader->stop_event = eventfd(0, EFD_CLOEXEC);
	reader->done_event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pthread_mutex_init(&reader->arrivals_mutex, NULL);
	return reader;
}

int reader_run(struct reader *reader)
{
	struct control_status status = {0};
	uint64_t missing;
	int failure;

	if (reader->stop_event < 0 || reader->done_event < 0) {
		fail(reader, error_errno("eventfd"));
		return 1;
	}
	failure = pthread_create(&reader->commander, NULL, command_thread, reader);
	if (failure) {
		errno = failure;
		fail(reader, error_errno(_("cannot start a thread")));
		return 1;
	}
	if (reader->setup.is_attached)
		give_up(reader, take_up(reader));
	read_session(reader);
	pthread_join(reader->commander, NULL);
	fail(reader, control_read_status(reader->setup.control, &status));
	if (status.held)
		fail(reader, skip_overwritten(reader, &status));
	fail(reader, merge_flush(reader->merge, &missing));
	if (reader->setup.bulk)
		fail(reader, bulk_close(reader->setup.bulk));
	output_close(reader->setup.output);
	fail(reader, output_take_error(reader->setup.output));
	/* The last record of a full buffer need not be whole. */
	if (!status.held)
		status.lost += merge_torn(reader->merge);
	if (!reader->left) {
		report(reader, &status, missing);
		report_memory(&status);
	}
	close_all(reader);
	if (reader->left)
		return STATUS_LEFT;
	if (reader->loader_gone) {
		/* The loader can no longer remove it. Without the right to do so, leave it to the next staprun. */
		message_verbose(1, "the loader is gone; removing module %s", reader->setup.module);
		error_free(module_remove(reader->setup.module));
		return 1;
	}
	if (output_is_unread(reader->setup.output))
		return STATUS_UNREAD;
	return reader->failed || status.failed || status.errors ? 1 : 0;
}
