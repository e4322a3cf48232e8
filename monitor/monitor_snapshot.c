// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parse the file "monitor" of a module (runtime/abi/protocol.h): its status lines, a line per probe, and a line per
 * global. Other lines are ignored.
 */
#include "monitor/monitor_snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"

/* Cut off and return the text before the next space. Return NULL if there is no space. */
static char *take_word(char **text)
{
	char *word = *text, *space = word ? strchr(word, ' ') : NULL;

	*text = space ? space + 1 : NULL;
	if (!space)
		return NULL;
	*space = '\0';
	return word;
}

static long long take_number(char **text)
{
	const char *word = take_word(text);

	return word ? strtoll(word, NULL, 10) : 0;
}

static void add_probe(struct snapshot *snapshot, char *line)
{
	struct watched_probe probe = {.index = take_number(&line)};

	probe.state = take_word(&line);
	probe.hits = take_number(&line);
	probe.least = take_number(&line);
	probe.average = take_number(&line);
	probe.most = take_number(&line);
	probe.point = line;
	if (!line)
		return;
	/* Double the capacity whenever the count reaches a power of two. */
	if (!(snapshot->probe_count & (snapshot->probe_count - 1)))
		snapshot->probes = memory_resize(snapshot->probes, 2 * snapshot->probe_count + 1, sizeof(probe));
	snapshot->probes[snapshot->probe_count++] = probe;
}

static void add_global(struct snapshot *snapshot, char *line)
{
	struct watched_global global = {.name = take_word(&line)};

	global.count = take_word(&line);
	global.value = line;
	if (!line)
		return;
	snapshot->globals = memory_resize(snapshot->globals, snapshot->global_count + 1, sizeof(global));
	snapshot->globals[snapshot->global_count++] = global;
}

void snapshot_parse(char *text, struct snapshot *snapshot)
{
	char *line = text, *next;

	*snapshot = (struct snapshot){.text = text};
	control_parse_status(text, &snapshot->status);
	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!strncmp(line, "probe ", 6))
			add_probe(snapshot, line + 6);
		else if (!strncmp(line, "global ", 7))
			add_global(snapshot, line + 7);
	}
}

void snapshot_clear(struct snapshot *snapshot)
{
	free(snapshot->probes);
	free(snapshot->globals);
	free(snapshot->text);
	*snapshot = (struct snapshot){0};
}

struct error *snapshot_read(int file, struct snapshot *snapshot)
{
	_cleanup_free_ char *text = NULL;
	size_t size = 16384, used = 0;
	ssize_t got;

	if (lseek(file, 0, SEEK_SET) < 0)
		return error_errno(_("cannot read the file 'monitor' of the module"));
	text = memory_resize(NULL, size, 1);
	while ((got = read(file, text + used, size - used - 1)) > 0) {
		used += got;
		if (size - used < size / 2)
			text = memory_resize(text, size *= 2, 1);
	}
	if (got < 0)
		return error_errno(_("cannot read the file 'monitor' of the module"));
	text[used] = '\0';
	snapshot_clear(snapshot);
	snapshot_parse(text, snapshot);
	text = NULL;
	return NULL;
}
