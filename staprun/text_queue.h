/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A first-in first-out queue of strings; see text_queue.c. */
#ifndef SPILE_STAPRUN_TEXT_QUEUE_H
#define SPILE_STAPRUN_TEXT_QUEUE_H

#include <stddef.h>

/* An empty queue is all zeros. */
struct text_queue {
	struct waiting_text *first, *last;
	unsigned int count;
};

/** Append a copy of the text. */
void text_queue_add(struct text_queue *queue, const char *text, size_t length);

/** Remove and return the first text, which the caller frees; NULL if the queue is empty. */
char *text_queue_take(struct text_queue *queue);

#endif
