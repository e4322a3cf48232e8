// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folded stacks, the input of flamegraph.pl and similar tools: "outermost;...;innermost NUMBER". Keys that are not
 * stacks come first, as perf's scripts do with the name of the process; before them, the host, if there are several.
 */
#include "report/texts.h"
#include "report/stack_samples.h"

/* Append a frame; a semicolon would be taken for a separator. */
static void append_frame(GString *line, char *text)
{
	g_strdelimit(text, ";", ':');
	g_string_append_printf(line, "%s%s", line->len ? ";" : "", text);
	g_free(text);
}

struct error *write_folded(const struct report *report, FILE *out)
{
	const struct global *global = stack_global(report);
	g_autoptr(GArray) samples = stack_samples(report);
	g_autoptr(GPtrArray) frames = g_ptr_array_new();
	g_autoptr(GString) line = g_string_new(NULL);

	for (guint i = 0; i < samples->len; i++) {
		const struct stack_sample *sample = &g_array_index(samples, struct stack_sample, i);

		g_string_truncate(line, 0);
		if (sample->host)
			append_frame(line, g_strdup(sample->host));
		for (guint key = 0; key < global->key_count; key++)
			if (global->keys[key] != VALUE_STACK)
				append_frame(line, key_text(&sample->element->keys[key]));
		element_frames(global, sample->element, ALL_STACKS, frames);
		for (guint j = 0; j < frames->len; j++) {
			const struct frame *frame = g_ptr_array_index(frames, j);

			append_frame(line, text_to_show(frame->function->name, NULL));
		}
		if (!line->len)
			append_frame(line, g_strdup("-"));
		fprintf(out, "%s %lld\n", line->str, (long long)sample->weight);
	}
	return NULL;
}
