// SPDX-License-Identifier: GPL-2.0-or-later
/* stap-merge: merge the per-CPU files of bulk mode into one stream of output. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/paths.h"
#include "common/base/standard_streams.h"
#include "staprun/merge.h"

enum { READ_SIZE = 256 * 1024 };

struct input {
	const char *name;
	int fd;
};

struct job {
	struct merge *merge;
	struct input *inputs;
	unsigned int count;
	FILE *output;
	bool verbose;
	bool failed;
};

static void usage(FILE *to)
{
	fputs(_("Usage: stap-merge [-v] [-o FILE] FILE...\n"
		"  -v       print CPU, record number and length before each record\n"
		"  -o FILE  write to FILE instead of standard output\n"
		"The files are those that stap -b made.\n"),
	      to);
}

static int finish(struct error *error)
{
	return error_report_free(error) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Write the output. Warnings and errors were shown when they came. */
static void emit(void *data, const struct stp_record *record, const char *payload)
{
	struct job *job = data;

	if (record->type != STP_RECORD_OUTPUT)
		return;
	if (job->verbose)
		fprintf(job->output, "[%u,%llu,%u]", merge_current(job->merge), (unsigned long long)record->sequence,
			record->length);
	if (fwrite(payload, 1, record->length, job->output) != record->length)
		job->failed = true;
}

/* Read a block of each file that has no complete record. Return false if all files are at their end. */
static bool read_more(struct job *job, struct error **error)
{
	bool any = false;

	for (unsigned int i = 0; i < job->count && !*error; i++) {
		struct input *input = &job->inputs[i];
		ssize_t got;

		if (input->fd < 0)
			continue;
		any = true;
		if (merge_has_record(job->merge, i))
			continue;
		got = read(input->fd, merge_reserve(job->merge, i, READ_SIZE), READ_SIZE);
		if (got < 0) {
			*error = error_errno(_("cannot read %s"), input->name);
		} else if (got == 0) {
			close(input->fd);
			input->fd = -1;
			merge_end(job->merge, i);
		} else {
			*error = merge_commit(job->merge, i, got);
		}
	}
	return any;
}

static struct error *merge_all(struct job *job)
{
	struct error *error = NULL;
	uint64_t missing, gaps = 0;

	/* When each file has a record, the lowest number is next, even after a gap. */
	while (read_more(job, &error) && !error && !job->failed) {
		error = merge_flush_ready(job->merge, &missing);
		gaps += missing;
	}
	if (!error)
		error = merge_flush(job->merge, &missing);
	gaps += missing + merge_torn(job->merge);
	if (!error && (job->failed || fflush(job->output)))
		error = error_errno(_("cannot write the output"));
	if (!error && gaps)
		fprintf(stderr, "%s: %s\n", _("WARNING"),
			_("the files lack some records: a file was left out, or staprun was killed"));
	return error;
}

static struct error *open_inputs(struct job *job, char **names)
{
	job->inputs = memory_new(job->count, sizeof(*job->inputs));
	for (unsigned int i = 0; i < job->count; i++) {
		job->inputs[i] = (struct input){names[i], open(names[i], O_RDONLY | O_CLOEXEC)};
		if (job->inputs[i].fd < 0)
			return error_errno(_("cannot read %s"), names[i]);
		merge_add_file(job->merge, names[i]);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	struct job job = {.output = stdout};
	const char *output = NULL;
	struct error *error;
	int option;

	standard_streams_open();
	i18n_init(locale_directory());
	while ((option = getopt(argc, argv, "vo:h")) != -1) {
		switch (option) {
		case 'v':
			job.verbose = true;
			break;
		case 'o':
			output = optarg;
			break;
		default:
			usage(option == 'h' ? stdout : stderr);
			return option == 'h' ? standard_output_finish(EXIT_SUCCESS) : 2;
		}
	}
	if (optind == argc) {
		usage(stderr);
		return 2;
	}
	job.count = argc - optind;
	job.merge = merge_new(emit, &job);
	error = open_inputs(&job, argv + optind);
	if (!error && output) {
		job.output = fopen(output, "we");
		if (!job.output)
			error = error_errno(_("cannot write %s"), output);
	}
	error = error ?: merge_all(&job);
	merge_free(job.merge);
	free(job.inputs);
	return finish(error);
}
