/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks with their weights, as the formats of other tools want them. */
#ifndef SPILE_REPORT_STACK_SAMPLES_H
#define SPILE_REPORT_STACK_SAMPLES_H

#include "report/formats.h"

struct stack_sample {
	const struct element *element;
	int64_t weight; /* positive */
	const char *host; /* its name; NULL: there is only one host */
};

/**
 * Return the stacks of the selected array whose weights are positive: struct stack_sample. The caller frees the array.
 * Other weights cannot be drawn; a warning reports how many are left out.
 */
GArray *stack_samples(const struct report *report);

/** Return the selected array. */
const struct global *stack_global(const struct report *report);

/** Return the text of a key that is not a stack. The caller frees it. */
char *key_text(const struct value *key);

#endif
