// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What may follow speculate() and commit() in a clause. After speculate(), the output of the clause goes to a buffer,
 * which commit() prints; so neither fits into a clause that also records data directly.
 */
#include "translator/dlang/lower.h"

#include <string.h>

#include "common/base/i18n.h"

/* What a statement does. */
enum deed { OTHER, RECORDS, AGGREGATES, DESTROYS, EXITS, SPECULATES, COMMITS, DEED_COUNT_ };

/* What the clause must not have done before, and the tag and text of the error. */
static const struct rule {
	enum deed deed;
	enum { AFTER_SPECULATE, AFTER_COMMIT, AFTER_RECORDING, AFTER_COUNT_ } after;
	const char *tag, *text;
} rules[] = {
	{AGGREGATES, AFTER_SPECULATE, "D_AGG_SPEC", N_("aggregating actions may not follow speculate()")},
	{AGGREGATES, AFTER_COMMIT, "D_AGG_COMM", N_("aggregating actions may not follow commit()")},
	{DESTROYS, AFTER_SPECULATE, "D_ACT_SPEC", N_("destructive actions may not follow speculate()")},
	{EXITS, AFTER_SPECULATE, "D_EXIT_SPEC", N_("exit() may not follow speculate()")},
	{RECORDS, AFTER_COMMIT, "D_DREC_COMM", N_("data-recording actions may not follow commit()")},
	{SPECULATES, AFTER_SPECULATE, "D_SPEC_SPEC", N_("only one speculate() per clause is allowed")},
	{SPECULATES, AFTER_COMMIT, "D_SPEC_COMM", N_("speculate() may not follow commit()")},
	{SPECULATES, AFTER_RECORDING, "D_SPEC_DREC", N_("speculate() may not follow data-recording actions")},
	{COMMITS, AFTER_SPECULATE, "D_COMM_DREC", N_("commit() may not follow speculate()")},
	{COMMITS, AFTER_COMMIT, "D_COMM_COMM", N_("only one commit() per clause is allowed")},
	{COMMITS, AFTER_RECORDING, "D_COMM_DREC", N_("commit() may not follow data-recording actions")},
};

static enum deed deed_of(const struct d_node *node)
{
	if (node->kind == D_ASSIGN && node->left->kind == D_AGGREGATION)
		return AGGREGATES;
	if (node->kind != D_CALL)
		return OTHER;
	if (!strcmp(node->text, "speculate"))
		return SPECULATES;
	if (!strcmp(node->text, "commit"))
		return COMMITS;
	if (!strcmp(node->text, "exit"))
		return EXITS;
	if (d_is_destructive(node->text))
		return DESTROYS;
	return d_records(node) ? RECORDS : OTHER;
}

bool d_check_order(struct d_lowering *l, const struct d_node *node)
{
	const bool done[AFTER_COUNT_] = {
		[AFTER_SPECULATE] = l->speculates, [AFTER_COMMIT] = l->commits, [AFTER_RECORDING] = l->has_recorded};
	enum deed deed = deed_of(node);

	for (size_t i = 0; i < G_N_ELEMENTS(rules); i++)
		if (rules[i].deed == deed && done[rules[i].after])
			return d_fail(l, &node->location, rules[i].tag, "%s", _(rules[i].text));
	l->speculates |= deed == SPECULATES;
	l->commits |= deed == COMMITS;
	l->has_recorded |= deed == RECORDS || deed == EXITS;
	return true;
}
