// SPDX-License-Identifier: GPL-2.0-or-later
/* The stacks of one array (see stack_samples.h). */
#include "report/stack_samples.h"

#include <stdio.h>

#include "common/base/i18n.h"
#include "report/texts.h"

static const struct subject *selected(const struct report *report)
{
	return g_ptr_array_index(report->subjects, 0);
}

const struct global *stack_global(const struct report *report)
{
	return selected(report)->global;
}

GArray *stack_samples(const struct report *report)
{
	GArray *samples = g_array_new(FALSE, TRUE, sizeof(struct stack_sample));
	const GArray *rows = selected(report)->rows;
	unsigned long negative = 0;

	for (guint i = 0; i < rows->len; i++) {
		const struct row *row = &g_array_index(rows, struct row, i);
		struct stack_sample sample = {.element = row_any(row)};

		if (report->hosts->len > 1)
			sample.host = ((const struct shared_host *)g_ptr_array_index(report->hosts, row->host))->name;
		sample.weight = value_weight(&sample.element->value);
		negative += sample.weight < 0;
		if (sample.weight > 0)
			g_array_append_val(samples, sample);
	}
	if (negative)
		fprintf(stderr, "%s: %s: %lu\n", _("WARNING"),
			_("stacks with negative values cannot be shown and are left out"), negative);
	return samples;
}

char *key_text(const struct value *key)
{
	return key->kind == VALUE_STRING ? text_to_show(key->text, NULL)
					 : g_strdup_printf("%lld", (long long)key->number);
}
