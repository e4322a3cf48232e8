/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hits of a profile by program, source file and line, from the globals of annotate.stp. */
#ifndef SPILE_PROFILE_HITS_H
#define SPILE_PROFILE_HITS_H

#include <glib.h>
#include <stdint.h>

#include "report/recording.h"

struct line_hits {
	int64_t line, count;
};

/* A source file of a program or library. */
struct file_hits {
	const struct text *path; /* as in the debuginfo */
	int64_t count;
	GArray *lines; /* struct line_hits; several for one line, if the profile is of several hosts */
};

/* A program or library. */
struct program_hits {
	const struct text *build_id; /* empty if it has none */
	const struct text *module; /* its path */
	int64_t count;
	int64_t unknown; /* of them, hits at no known line */
	GPtrArray *files; /* struct file_hits, those with the most hits first */
};

struct hits {
	GPtrArray *programs; /* struct program_hits, those with the most hits first */
	int64_t known; /* in programs */
	int64_t kernel; /* in the kernel, on behalf of processes or not */
	int64_t elsewhere; /* in memory that is not part of a file, such as JIT code */
	int64_t records; /* lines and programs that were counted separately */
};

/** Collect the final values of the globals. Texts belong to the recording's pool. */
struct hits *hits_new(const struct recording *recording);
void hits_free(struct hits *hits);

#endif
