/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that wait for their turn; see text_queue.c. */
#ifndef SPILE_STAPRUN_TEXT_QUEUE_H
#define SPILE_STAPRUN_TEXT_QUEUE_H

#include <stddef.h>

/* Zeroed, it is empty. */
struct text_queue {
	struct waiting_text *first, *last;
	unsigned int count;
};

/** A copy of the text goes to the end. */
void text_queue_add(struct text_queue *queue, const char *text, size_t length);

/** The first one, to be freed; NULL: there is none. */
char *text_queue_take(struct text_queue *queue);

#endif
