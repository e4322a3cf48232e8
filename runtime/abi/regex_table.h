/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of a compiled regular expression. translator/sema/regex_tables.c creates it, regex_match.h matches with
 * it.
 */
#ifndef SPILE_RUNTIME_REGEX_TABLE_H
#define SPILE_RUNTIME_REGEX_TABLE_H

enum stp_regex_kind {
	STP_REGEX_BYTE, /* match one byte of a set */
	STP_REGEX_SPLIT, /* try next first, then other */
	STP_REGEX_SAVE, /* store the position in groups[other] */
	STP_REGEX_BEGIN, /* ^ */
	STP_REGEX_END, /* $ */
	STP_REGEX_EMPTY,
	STP_REGEX_ACCEPT,
};

struct stp_regex_node {
	unsigned short kind, next, other;
};

enum { STP_REGEX_DEAD_STATE = 0 }; /* of every automaton: no match is possible */
enum { STP_REGEX_ACCEPTS = 1, STP_REGEX_ACCEPTS_AT_END = 2 };

/*
 * Start states of the backward automaton: for any match, or one that ends exactly here; at the end of the text; for an
 * empty text.
 */
enum stp_regex_start {
	STP_REGEX_ANY_AT_END,
	STP_REGEX_ANY_EMPTY,
	STP_REGEX_EXACT,
	STP_REGEX_EXACT_AT_END,
	STP_REGEX_EXACT_EMPTY,
	STP_REGEX_STARTS_,
};

/* A compiled pattern; see translator/sema/regex.h and regex_match.h. Tables have class_count numbers per state. */
struct stp_regex {
	const unsigned char *classes; /* class of each byte */
	unsigned int class_count;
	const unsigned short *search;
	const unsigned char *search_accepts;
	unsigned short search_start;
	unsigned char matches_empty;
	/* only for groups: */
	const unsigned short *forward, *backward;
	const unsigned char *forward_accepts;
	unsigned short forward_start[2]; /* at the start of the text, elsewhere */
	unsigned short backward_start[STP_REGEX_STARTS_];
	const unsigned short *backward_at_begin; /* replaces a state at the start of the text */
	const unsigned char *viable; /* for each state, a bit per node */
	unsigned int viable_bytes;
	const struct stp_regex_node *nodes;
	unsigned short node_count, start, group_count;
	unsigned short search_count, forward_count, backward_count; /* numbers of states */
};

#endif
