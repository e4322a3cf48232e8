/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions (=~, !~): POSIX extended syntax, compiled to tables for runtime/regex_match.h.
 *
 * A pattern becomes a program, a nondeterministic automaton with two-way branches (regex.c), and that becomes up to
 * three deterministic ones (regex_tables.c):
 *
 *     search     forward, begins anew at each byte: does the pattern match anywhere?
 *     forward    begins at one place: where does the longest match from there end?
 *     backward   reads from the end to the beginning: from which points of the program can the rest be matched?
 *
 * The last makes it possible to find groups in linear time and without going back: at a branch the first way is taken
 * if the backward automaton says that it leads to the end, else the second.
 */
#ifndef SPILE_SEMA_REGEX_H
#define SPILE_SEMA_REGEX_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/regex_table.h"
#include "translator/util/arena.h"

enum {
	REGEX_MOST_NODES = 1000, /* of a program */
	REGEX_MOST_STATES = 2000, /* of an automaton */
	REGEX_MOST_GROUPS = 32, /* with the whole match */
	REGEX_MOST_REPEATS = 255, /* x{n} */
};

/* What the bytes of a REGEX_BYTE node may be. */
struct byte_set {
	uint32_t bits[8];
};

struct regex_program {
	struct stp_regex_node nodes[REGEX_MOST_NODES];
	struct byte_set sets[REGEX_MOST_NODES];
	unsigned int count, groups;
	unsigned int start, accept, rest; /* rest: takes all bytes that follow a match */
};

/**
 * Parse a pattern of @p length bytes. NULL with a translated message in @p message and the offset in @p at if it is
 * wrong or too large.
 */
struct regex_program *regex_parse(struct arena *arena, const char *pattern, size_t length, const char **message,
				  size_t *at);
/** Make the tables, those for groups only if asked for. NULL: too large. */
const struct stp_regex *regex_tables(struct arena *arena, const struct regex_program *program, bool with_groups);
/** The tables as C, in a variable of the given name. */
void regex_print(GString *out, const struct stp_regex *regex, const char *name);

#endif
