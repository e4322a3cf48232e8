/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions (=~, !~): POSIX extended syntax, compiled to tables for runtime/abi/regex_match.h.
 *
 * regex.c turns a pattern into a program: a nondeterministic automaton with two-way branches. regex_tables.c turns that
 * into up to three deterministic automata:
 *
 *     search     restarts at each byte: does the pattern match anywhere?
 *     forward    starts at one place: where does the longest match from there end?
 *     backward   reads the text from its end: from which nodes of the program can the rest be matched?
 *
 * The third finds groups in linear time without backtracking: at a branch, the first way is taken if the backward
 * automaton says that the rest matches from there, else the second.
 */
#ifndef SPILE_SEMA_REGEX_H
#define SPILE_SEMA_REGEX_H

#include <stdbool.h>
#include <stdint.h>

#include "common/arena.h"
#include "runtime/abi/regex_table.h"

enum {
	REGEX_MOST_NODES = 1000, /* of a program */
	REGEX_MOST_STATES = 2000, /* of an automaton */
	REGEX_MOST_GROUPS = 32, /* including the whole match */
	REGEX_MOST_REPEATS = 255, /* x{n} */
};

/* The set of bytes that a STP_REGEX_BYTE node accepts. */
struct byte_set {
	uint32_t bits[8];
};

struct regex_program {
	struct stp_regex_node nodes[REGEX_MOST_NODES];
	struct byte_set sets[REGEX_MOST_NODES];
	unsigned int count, groups;
	unsigned int start, accept, rest; /* node numbers; rest accepts all bytes after a match */
};

/**
 * Parse a pattern of @p length bytes. If it is wrong or too large, return NULL with a translated message in @p message
 * and the offset in @p at.
 */
struct regex_program *regex_parse(struct arena *arena, const char *pattern, size_t length, const char **message,
				  size_t *at);
/** Make the tables; those for groups only @p with_groups. Return NULL if they are too large. */
const struct stp_regex *regex_tables(struct arena *arena, const struct regex_program *program, bool with_groups);
/** Append the tables as C definitions; the struct stp_regex gets the given name. */
void regex_print(GString *out, const struct stp_regex *regex, const char *name);

#endif
