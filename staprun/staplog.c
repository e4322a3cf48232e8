// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * staplog: print what scripts had written when their machine crashed, from its dump.
 *
 * Read the buffers of all CPUs from the dump, and merge them as staprun does. By default, print the output that staprun
 * had not read yet: everything that a module printed which was left running (staprun -L), and the last moments of other
 * modules.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/paths.h"
#include "common/base/retry.h"
#include "common/base/standard_streams.h"
#include "staprun/crash_dump.h"
#include "staprun/merge.h"
#include "staprun/output.h"
#include "staprun/reader.h"

/* Larger values are only in damaged dumps. */
enum { MOST_BUFFERS = 1 << 16 };
static const uint64_t LARGEST_RING = 1ull << 32;

struct job {
	struct crash_dump *dump;
	const char *file; /* -o */
	bool lists; /* -l */
	bool with_old; /* -a */
	struct output *output;
	bool has_failed;
};

/* A buffer of a CPU, with the part of it that is printed. */
struct ring {
	uint64_t address, size, begin, end; /* the latter two count bytes since the start of the script */
};

static void usage(FILE *to)
{
	fputs(_("Usage: staplog [-al] [-o FILE] DUMP [MODULE]\n"
		"Print what the scripts of a crashed machine had written, from its dump.\n"
		"  -a       print what staprun had already read, too, if it was not overwritten\n"
		"  -l       list the modules\n"
		"  -o FILE  write to FILE instead of standard output\n"
		"  -V       print the version\n"
		"DUMP is a file of kdump, makedumpfile or QEMU.\n"),
	      to);
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

static struct error *damaged(const struct stp_log *log)
{
	return error_new(ERROR_OTHER, _("the data of module %s are damaged"), log->module);
}

/* Find the ring of a buffer. If its CPU has never been online, its size is 0. */
static struct error *find_ring(struct job *job, const struct stp_log *log, const struct stp_log_buffer *buffer,
			       struct ring *ret)
{
	struct stp_log_counters counters = {0};
	uint64_t relay = 0, address = 0;
	struct error *error = NULL;

	*ret = (struct ring){0};
	if (!buffer->relay_buffer)
		return NULL;
	error = crash_dump_read(job->dump, buffer->relay_buffer, &relay, sizeof(relay));
	if (error || !relay)
		return error;
	error = crash_dump_read(job->dump, relay + log->ring_offset, &address, sizeof(address));
	error = error ?: crash_dump_read(job->dump, buffer->counters, &counters, sizeof(counters));
	if (error)
		return error;
	if (counters.tail > counters.head || counters.head - counters.tail > log->ring_size)
		return damaged(log);
	*ret = (struct ring){.address = address, .size = log->ring_size, .begin = counters.tail, .end = counters.head};
	return NULL;
}

static struct error *read_ring(struct job *job, const struct ring *ring, uint64_t begin, char *bytes, uint64_t count)
{
	uint64_t at = begin % ring->size, first = count < ring->size - at ? count : ring->size - at;
	struct error *error = crash_dump_read(job->dump, ring->address + at, bytes, first);

	return error ?: crash_dump_read(job->dump, ring->address, bytes + first, count - first);
}

/* Does a chain of records go from @p at to the end of the bytes? */
static bool is_chain(const char *bytes, uint64_t at, uint64_t count)
{
	struct stp_record record;

	for (; at < count; at += sizeof(record) + record.length) {
		if (count - at < sizeof(record))
			return false;
		memcpy(&record, bytes + at, sizeof(record));
		if (record.magic != STP_RECORD_MAGIC || record.type >= STP_RECORD_TYPES ||
		    record.length > STP_RECORD_LIMIT)
			return false;
	}
	return at == count;
}

/* -a: begin at the oldest record before the first unread one. The oldest bytes may be the rest of a record. */
static struct error *include_old(struct job *job, struct ring *ring)
{
	uint64_t begin = ring->end > ring->size ? ring->end - ring->size : 0, count = ring->begin - begin, at = 0;
	_cleanup_free_ char *bytes = memory_new(count + 1, 1);
	struct error *error = read_ring(job, ring, begin, bytes, count);

	if (error)
		return error;
	while (at < count && !is_chain(bytes, at, count))
		at++;
	ring->begin = begin + at;
	return NULL;
}

static struct error *add_ring(struct job *job, struct merge *merge, const struct ring *ring, unsigned int cpu)
{
	_cleanup_free_ char *name = text_format("trace%u", cpu);
	unsigned int file = merge_add_file(merge, name);
	uint64_t count = ring->end - ring->begin;
	struct error *error = read_ring(job, ring, ring->begin, merge_reserve(merge, file, count), count);

	return error ?: merge_commit(merge, file, count);
}

static struct error *read_buffers(struct job *job, const struct stp_log *log, struct stp_log_buffer **ret)
{
	if (!log->buffer_count || log->buffer_count > MOST_BUFFERS || !log->ring_size || log->ring_size > LARGEST_RING)
		return damaged(log);
	*ret = memory_new(log->buffer_count, sizeof(**ret));
	return crash_dump_read(job->dump, log->buffers, *ret, log->buffer_count * sizeof(**ret));
}

/* Report an error that concerns one buffer or module, and go on. */
static void note_error(struct job *job, struct error *error)
{
	job->has_failed |= error_report_free(error);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* Commands of the script are not run, and its files not written: they concern the machine that crashed. */
static void emit(void *data, const struct stp_record *record, const char *payload)
{
	struct job *job = data;

	if (record->type != STP_RECORD_COMMAND && record->type != STP_RECORD_REOPEN &&
	    record->type != STP_RECORD_TRUNCATE && record->type != STP_RECORD_SWITCH)
		output_record(job->output, record, payload);
}

static void print_log(struct job *job, const struct stp_log *log)
{
	_cleanup_free_ struct stp_log_buffer *buffers = NULL;
	struct error *error = read_buffers(job, log, &buffers);
	struct merge *merge = merge_new(emit, job);
	uint64_t missing;

	for (unsigned int i = 0; !error && i < log->buffer_count; i++) {
		struct ring ring;
		struct error *problem = find_ring(job, log, &buffers[i], &ring);

		if (!problem && ring.size && job->with_old)
			problem = include_old(job, &ring);
		if (!problem && ring.end > ring.begin)
			problem = add_ring(job, merge, &ring, i);
		note_error(job, error_prefix(problem, _("the buffer of CPU %u is lost"), i));
	}
	error = error ?: merge_flush(merge, &missing);
	output_flush(job->output);
	merge_free(merge);
	note_error(job, error);
}

/* Print how many bytes were not read, and how many were written in all. */
static void list_log(struct job *job, const struct stp_log *log)
{
	_cleanup_free_ struct stp_log_buffer *buffers = NULL;
	struct error *error = read_buffers(job, log, &buffers);
	uint64_t unread = 0, all = 0;

	for (unsigned int i = 0; !error && i < log->buffer_count; i++) {
		struct ring ring;

		error = find_ring(job, log, &buffers[i], &ring);
		unread += ring.end - ring.begin;
		all += ring.end;
	}
	if (!error)
		printf("%-56s %12" PRIu64 " %12" PRIu64 "\n", log->module, unread, all);
	note_error(job, error);
}

static struct error *no_module(const char *dump, const char *module)
{
	struct error *error = module ? error_new(ERROR_LOOKUP, _("%s has no module %s"), dump, module)
				     : error_new(ERROR_LOOKUP, _("%s has no module of a script"), dump);

	return error_with_hint(
		error, module ? _("list the modules with -l")
			      : _("the script must have run with this version of Spile when the machine crashed, "
				  "and the dump must be complete"));
}

/* Print the name before the output of each of several modules, as tail(1) does. */
static void print_name(struct job *job, const struct stp_log *log)
{
	_cleanup_free_ char *text = text_format("==> %s <==\n", log->module);
	const struct stp_record record = {.type = STP_RECORD_OUTPUT, .length = (__u16)strlen(text)};

	output_record(job->output, &record, text);
}

/* Print all modules, or the one that is named. */
static struct error *print_logs(struct job *job, const char *dump, const char *module)
{
	_cleanup_free_ struct stp_log *logs = NULL;
	unsigned int count, found = 0;
	struct error *error = crash_dump_find_logs(job->dump, &logs, &count);

	if (!error && count && job->lists)
		/* TRANSLATORS: the heads of columns: a name, and two numbers of bytes */
		printf("%-56s %12s %12s\n", _("MODULE"), _("UNREAD"), _("WRITTEN"));
	for (unsigned int i = 0; !error && i < count; i++) {
		if (module && strcmp(logs[i].module, module))
			continue;
		found++;
		if (!job->lists && !module && count > 1)
			print_name(job, &logs[i]);
		(job->lists ? list_log : print_log)(job, &logs[i]);
	}
	return error ?: found ? NULL : no_module(dump, module);
}

/* ---- the command line -------------------------------------------------------------------------------------------- */

static struct error *run(struct job *job, const char *dump, const char *module)
{
	static const struct output_limit no_limit;
	struct error *error = crash_dump_open(dump, &job->dump), *lost;

	if (!error && !job->lists)
		error = output_open(job->file, &no_limit, COLOR_AUTO, true, &job->output);
	error = error ?: print_logs(job, dump, module);
	if (job->dump)
		crash_dump_close(job->dump);
	if (!job->output)
		return error;
	output_close(job->output);
	lost = output_take_error(job->output);
	if (error)
		error_free(lost);
	return error ?: lost;
}

static int status_of(const struct job *job)
{
	int status = job->has_failed ? EXIT_FAILURE : EXIT_SUCCESS;

	if (!job->output)
		return standard_output_finish(status);
	return output_is_unread(job->output) ? STATUS_UNREAD : status;
}

static bool is_fault(int signal)
{
	return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE || signal == SIGILL;
}

/* Do all work in a child process, because the library may crash if a dump is damaged. */
static int run_apart(struct job *job, const char *dump, const char *module)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		note_error(job, run(job, dump, module));
		exit(status_of(job));
	}
	if (pid < 0 || TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) != pid) {
		note_error(job, error_errno("fork"));
		return EXIT_FAILURE;
	}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_fault(WTERMSIG(status)))
		note_error(job, error_new(ERROR_OTHER, _("%s may be damaged: reading it ended with signal %d (%s)"),
					  dump, WTERMSIG(status), strsignal(WTERMSIG(status))));
	return 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
	static struct job job; /* its output lives as long as the process */
	int option;

	standard_streams_open();
	i18n_init(locale_directory());
	while ((option = getopt(argc, argv, "alo:hV")) != -1) {
		switch (option) {
		case 'a':
			job.with_old = true;
			break;
		case 'l':
			job.lists = true;
			break;
		case 'o':
			job.file = optarg;
			break;
		case 'V':
			printf(_("staplog (Spile) %s\n"), PACKAGE_VERSION);
			return standard_output_finish(EXIT_SUCCESS);
		default:
			usage(option == 'h' ? stdout : stderr);
			return option == 'h' ? standard_output_finish(EXIT_SUCCESS) : 2;
		}
	}
	if (argc - optind < 1 || argc - optind > 2) {
		usage(stderr);
		return 2;
	}
	return run_apart(&job, argv[optind], argv[optind + 1]);
}
