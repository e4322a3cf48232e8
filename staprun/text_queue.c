// SPDX-License-Identifier: GPL-2.0-or-later
/* A queue of strings: commands waiting to run, files to be removed. */
#include "staprun/text_queue.h"

#include <stdlib.h>

#include "common/base/memory.h"

struct waiting_text {
	struct waiting_text *next;
	char *text;
};

void text_queue_add(struct text_queue *queue, const char *text, size_t length)
{
	struct waiting_text *added = memory_new(1, sizeof(*added));

	added->text = text_copy(text, length);
	*(queue->count++ ? &queue->last->next : &queue->first) = added;
	queue->last = added;
}

char *text_queue_take(struct text_queue *queue)
{
	struct waiting_text *taken = queue->first;
	char *text;

	if (!queue->count)
		return NULL;
	queue->first = taken->next;
	queue->count--;
	text = taken->text;
	free(taken);
	return text;
}
