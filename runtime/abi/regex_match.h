/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Matching with the tables of translator/sema/regex_tables.c. Only their format (regex_table.h) is needed, so that unit
 * tests can run this code in user space; regex.c uses it in the kernel.
 *
 * A plain match reads each byte of the text once; finding groups, at most four times. Nothing recurses.
 */
#ifndef SPILE_RUNTIME_REGEX_MATCH_H
#define SPILE_RUNTIME_REGEX_MATCH_H

#include "runtime/abi/regex_table.h"

enum { STP_REGEX_SLOTS = 2 * 32 }; /* start and end of each group */

/* Work space for finding groups. */
struct stp_regex_work {
	unsigned short *states; /* one for each byte of the text, plus 1 */
	int *seen; /* 2 * node_count: position of the last visit to a branch, and undo_count at that time */
	unsigned int undo_count;
	struct {
		int slot, value;
	} undo[STP_REGEX_SLOTS]; /* values of groups before the changes at this position */
};

static inline unsigned int stp_regex_step(const struct stp_regex *r, const unsigned short *table, unsigned int state,
					  char byte)
{
	return table[state * r->class_count + r->classes[(unsigned char)byte]];
}

/** Return whether the pattern matches anywhere in @p text. */
static inline int stp_regex_search(const struct stp_regex *r, const char *text)
{
	unsigned int state = r->search_start;

	if (!*text)
		return r->matches_empty;
	for (; *text; text++) {
		if (r->search_accepts[state] & STP_REGEX_ACCEPTS)
			return 1;
		state = stp_regex_step(r, r->search, state, *text);
		if (state == STP_REGEX_DEAD_STATE)
			return 0;
	}
	return !!(r->search_accepts[state] & STP_REGEX_ACCEPTS_AT_END);
}

/* Return whether a match can continue from this node, given the state of the backward automaton. */
static inline int stp_regex_viable(const struct stp_regex *r, unsigned int state, unsigned int node)
{
	return r->viable[state * r->viable_bytes + node / 8] >> node % 8 & 1;
}

/* Return the leftmost position where a match begins, or -1. */
static inline int stp_regex_find_start(const struct stp_regex *r, const char *text, int length)
{
	unsigned int state = length ? r->backward_start[STP_REGEX_ANY_AT_END] : r->backward_start[STP_REGEX_ANY_EMPTY];
	int found = stp_regex_viable(r, state, r->start) ? length : -1, i;

	for (i = length - 1; i >= 0; i--) {
		state = stp_regex_step(r, r->backward, state, text[i]);
		if (stp_regex_viable(r, i ? state : r->backward_at_begin[state], r->start))
			found = i;
	}
	return found;
}

/* Return the end of the longest match that begins at @p start. */
static inline int stp_regex_find_end(const struct stp_regex *r, const char *text, int length, int start)
{
	unsigned int state = r->forward_start[start > 0];
	int end = start, i;

	for (i = start; length; i++) {
		if (r->forward_accepts[state] & (i == length ? STP_REGEX_ACCEPTS_AT_END : STP_REGEX_ACCEPTS))
			end = i;
		if (i == length)
			break;
		state = stp_regex_step(r, r->forward, state, text[i]);
	}
	return end;
}

/* Record the state of the backward automaton at each position of the match, for matches that end at @p end exactly. */
static inline void stp_regex_record(const struct stp_regex *r, const char *text, int length, int start, int end,
				    unsigned short *states)
{
	unsigned int state;
	int i;

	if (end < length)
		state = r->backward_start[STP_REGEX_EXACT];
	else
		state = r->backward_start[length ? STP_REGEX_EXACT_AT_END : STP_REGEX_EXACT_EMPTY];
	states[end - start] = end || !length ? state : r->backward_at_begin[state];
	for (i = end - 1; i >= start; i--) {
		state = stp_regex_step(r, r->backward, state, text[i]);
		states[i - start] = i ? state : r->backward_at_begin[state];
	}
}

static inline void stp_regex_save(struct stp_regex_work *work, int *groups, int slot, int at)
{
	if (work->undo_count < STP_REGEX_SLOTS) {
		work->undo[work->undo_count].slot = slot;
		work->undo[work->undo_count++].value = groups[slot];
	}
	groups[slot] = at;
}

/*
 * Choose the way at a branch. If the branch is visited again at the same position, the loop body has matched the empty
 * string: undo its changes of groups and leave the loop.
 */
static inline unsigned int stp_regex_branch(const struct stp_regex *r, struct stp_regex_work *work, int *groups,
					    unsigned int node, unsigned int state, int place)
{
	const struct stp_regex_node *n = &r->nodes[node];
	int *mark = &work->seen[r->node_count + node];

	if (work->seen[node] != place + 1) {
		work->seen[node] = place + 1;
		*mark = work->undo_count;
		return stp_regex_viable(r, state, n->next) ? n->next : n->other;
	}
	while (work->undo_count > (unsigned int)*mark) {
		work->undo_count--;
		groups[work->undo[work->undo_count].slot] = work->undo[work->undo_count].value;
	}
	return stp_regex_viable(r, state, n->other) ? n->other : n->next;
}

/* Follow the program along the text. The step limit is a safeguard: no path without empty iterations is longer. */
static inline void stp_regex_follow(const struct stp_regex *r, int start, int end, struct stp_regex_work *work,
				    int *groups)
{
	unsigned int node = r->start, steps = (end - start + 1) * 2 * r->node_count, i;
	int at = start;

	for (i = 0; i < r->node_count; i++)
		work->seen[i] = 0;
	work->undo_count = 0;
	while (steps-- && r->nodes[node].kind != STP_REGEX_ACCEPT) {
		const struct stp_regex_node *n = &r->nodes[node];

		switch (n->kind) {
		case STP_REGEX_BYTE:
			if (at++ == end)
				return;
			work->undo_count = 0;
			node = n->next;
			break;
		case STP_REGEX_SPLIT:
			node = stp_regex_branch(r, work, groups, node, work->states[at - start], at - start);
			break;
		case STP_REGEX_SAVE:
			stp_regex_save(work, groups, n->other, at);
			node = n->next;
			break;
		default:
			node = n->next;
			break;
		}
	}
}

/**
 * Find the leftmost longest match and its groups.
 *
 * @param[in] text @p length bytes without a NUL.
 * @param[out] groups Start and end of each group, or -1 if it did not participate; 2 * group_count numbers.
 * @return 0 if there is no match.
 */
static inline int stp_regex_groups(const struct stp_regex *r, const char *text, int length, int *groups,
				   struct stp_regex_work *work)
{
	int start = stp_regex_find_start(r, text, length), end;
	unsigned int i;

	if (start < 0)
		return 0;
	for (i = 0; i < 2 * r->group_count; i++)
		groups[i] = -1;
	end = stp_regex_find_end(r, text, length, start);
	stp_regex_record(r, text, length, start, end, work->states);
	stp_regex_follow(r, start, end, work, groups);
	groups[0] = start;
	groups[1] = end;
	return 1;
}

#endif
