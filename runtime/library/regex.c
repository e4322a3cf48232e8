// SPDX-License-Identifier: GPL-2.0-or-later
/* Regular expressions in the kernel (regex_match.h), and the last match in the context, for matched(). */
#include "runtime/abi/regex_match.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"

int stp_regex_match(struct stp_context *c, const struct stp_regex *regex, const char *text)
{
	struct stp_match *match = c->match;
	int found;

	if (!match)
		return stp_regex_search(regex, text);
	context_keeps(c);
	strscpy(match->text, text, stp_script.string_size);
	found = stp_regex_groups(regex, match->text, strlen(match->text), match->groups, &match->work);
	match->group_count = found ? regex->group_count : 0;
	return found;
}

static bool has_match(struct stp_context *c, stp_long group)
{
	if (c->match && c->match->group_count)
		return true;
	stp_error(c, "Attempted to get subexpression %lld from failed match", group);
	return false;
}

void stp_matched(struct stp_context *c, char *to, stp_long group)
{
	const struct stp_match *match = c->match;
	int from, length;

	to[0] = '\0';
	if (!has_match(c, group))
		return;
	if (group < 0 || group >= match->group_count) {
		stp_error(c, "Attempted to get nonexistent subexpression %lld", group);
		return;
	}
	from = match->groups[2 * group];
	if (from < 0)
		return;
	length = match->groups[2 * group + 1] - from;
	memcpy(to, match->text + from, length);
	to[length] = '\0';
}

stp_long stp_group_count(struct stp_context *c)
{
	return has_match(c, 0) ? c->match->group_count : 0;
}
