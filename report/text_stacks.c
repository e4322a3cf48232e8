// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks in a terminal: an icicle in colors, and a tree of the largest frames. */
#include <stdlib.h>
#include <string.h>

#include "common/base/i18n.h"
#include "report/text_views.h"
#include "report/texts.h"

enum {
	MOST_TREE_LINES = 40,
	MOST_LINES_BELOW_ICICLE = 15,
	MOST_LEVELS = 24, /* of an icicle */
};

struct flame {
	struct tree *tree;
	double *sums[MOST_RECORDINGS]; /* of each node and what it calls */
	guint *depths;
	guint count; /* of recordings */
	const struct text *unit;
};

static void flame_sum(struct flame *flame, const struct subject *subject, guint recording)
{
	double *sums = flame->sums[recording] = g_new0(double, flame->tree->count);

	for (guint i = 0; i < subject->rows->len; i++) {
		const struct element *element = g_array_index(subject->rows, struct row, i).in[recording];

		if (element)
			sums[flame->tree->leaves[i]] += MAX(0, value_weight(&element->value));
	}
	for (guint node = flame->tree->count - 1; node > 0; node--)
		sums[flame->tree->nodes[node].parent] += sums[node];
}

static double flame_size(const struct flame *flame, guint node)
{
	double size = flame->sums[0][node];

	return flame->count > 1 ? MAX(size, flame->sums[1][node]) : size;
}

static char *node_name(const struct flame *flame, guint node)
{
	return node ? text_to_show(flame->tree->nodes[node].function->name, NULL) : g_strdup(_("all"));
}

/* Append the numbers that precede a node. */
static void draw_node_sizes(struct canvas *canvas, const struct flame *flame, guint node)
{
	for (guint i = 0; i < flame->count; i++) {
		g_autofree char *share = percent(flame->sums[i][node], flame->sums[i][0]);
		g_autofree char *size = short_number(flame->sums[i][node], flame->unit);

		draw_number(canvas, share, 8);
		draw_number(canvas, size, 11);
	}
	if (flame->count > 1) {
		double before = flame->sums[0][node], after = flame->sums[1][node];
		g_autofree char *size = short_number(after - before, flame->unit);
		g_autofree char *text = g_strdup_printf("%s%s", after > before ? "+" : "", size);
		g_autofree char *padded = g_strdup_printf("%12s", text);

		draw_painted(canvas, change_paint(before, after), padded);
	}
	fputs("  ", canvas->out);
}

static gint compare_sizes(gconstpointer a, gconstpointer b, gpointer data)
{
	guint one = *(const guint *)a, two = *(const guint *)b;
	double size_one = flame_size(data, one), size_two = flame_size(data, two);

	return size_one > size_two ? -1 : size_one < size_two ? 1 : one < two ? -1 : one > two;
}

/* Draw the largest nodes as an indented tree. */
static void draw_tree(struct canvas *canvas, const struct flame *flame, guint most_lines)
{
	guint count = flame->tree->count, lines = MIN(count, most_lines);
	g_autofree guint *sorted = g_new(guint, count);
	g_autofree bool *is_drawn = g_new0(bool, count);

	for (guint i = 0; i < count; i++)
		sorted[i] = i;
	g_qsort_with_data(sorted, count, sizeof(*sorted), compare_sizes, (gpointer)flame);
	/* A caller is as large as what it calls, and precedes it in the order of numbers. */
	for (guint i = 0; i < lines; i++)
		is_drawn[sorted[i]] = flame_size(flame, sorted[i]) > 0;
	for (guint node = 0; node < count; node++) {
		g_autofree char *name = node_name(flame, node);

		if (!is_drawn[node])
			continue;
		draw_node_sizes(canvas, flame, node);
		draw_cell(canvas, "", MIN(flame->depths[node], 40), false);
		fprintf(canvas->out, "%s\n", name);
	}
	if (count > lines)
		draw_line(canvas, PAINT_DIM, _("  (%u smaller frames are left out)"), count - lines);
}

/* Colors of kinds of frames, as on the page. */
static const guint8 kind_colors[FRAME_KINDS] = {
	[FRAME_KERNEL] = 215, [FRAME_MODULE] = 173, [FRAME_PROGRAM] = 117,
	[FRAME_LIBRARY] = 79, [FRAME_JIT] = 182,    [FRAME_UNKNOWN] = 250,
};

/* Draw the frames of one level of an icicle. The boundaries of frames are rounded to columns. */
static void draw_level(struct canvas *canvas, const struct flame *flame, const double *lefts, guint level)
{
	guint at = 0, space = canvas->width - 2;

	fputs("  ", canvas->out);
	for (guint node = 0; node < flame->tree->count; node++) {
		guint from = lefts[node] * space + 0.5;
		guint to = (lefts[node] + flame_size(flame, node) / flame_size(flame, 0)) * space + 0.5;
		const struct function *function = flame->tree->nodes[node].function;
		g_autofree char *name = NULL;

		if (flame->depths[node] != level || to <= from || from < at)
			continue;
		name = node_name(flame, node);
		draw_cell(canvas, "", from - at, false);
		/* Leave a column between frames that are wide enough. */
		draw_on_color(canvas, function ? kind_colors[function->kind] : 252, to - from > 1 ? name : "",
			      to - from > 2 ? to - from - 1 : to - from);
		if (to - from > 2)
			putc(' ', canvas->out);
		at = to;
	}
	putc('\n', canvas->out);
}

static void draw_icicle(struct canvas *canvas, const struct flame *flame)
{
	g_autofree double *lefts = g_new0(double, flame->tree->count);
	g_autofree double *used = g_new0(double, flame->tree->count); /* by the children drawn so far */
	guint deepest = 0;

	for (guint node = 1; node < flame->tree->count; node++) {
		guint parent = flame->tree->nodes[node].parent;

		lefts[node] = lefts[parent] + used[parent];
		used[parent] += flame_size(flame, node) / flame_size(flame, 0);
		if (flame_size(flame, node) * (canvas->width - 2) >= flame_size(flame, 0))
			deepest = MAX(deepest, flame->depths[node]);
	}
	for (guint level = 0; level <= MIN(deepest, most_lines(canvas, MOST_LEVELS)); level++)
		draw_level(canvas, flame, lefts, level);
}

void draw_stacks(struct canvas *canvas, const struct report *report, const struct subject *subject)
{
	guint count = subject->rows->len;
	g_autofree const struct element **elements = g_new(const struct element *, MAX(count, 1));
	struct flame flame = {.count = report->count, .unit = subject->global->unit};

	draw_title(canvas, subject);
	for (guint i = 0; i < count; i++)
		elements[i] = row_any(&g_array_index(subject->rows, struct row, i));
	flame.tree = tree_new(subject->global, elements, count, ALL_STACKS);
	flame.depths = g_new0(guint, flame.tree->count);
	for (guint node = 1; node < flame.tree->count; node++)
		flame.depths[node] = flame.depths[flame.tree->nodes[node].parent] + 1;
	for (guint i = 0; i < report->count; i++)
		flame_sum(&flame, subject, i);
	if (flame_size(&flame, 0) <= 0) {
		draw_line(canvas, PAINT_DIM, "  %s", _("no stack has a positive value"));
	} else if (canvas->has_color && report->count == 1) {
		draw_icicle(canvas, &flame);
		/* In a small space, the picture is enough. */
		if (!canvas->most_lines)
			draw_tree(canvas, &flame, MOST_LINES_BELOW_ICICLE);
	} else {
		draw_tree(canvas, &flame, most_lines(canvas, MOST_TREE_LINES));
	}
	for (guint i = 0; i < report->count; i++)
		g_free(flame.sums[i]);
	g_free(flame.depths);
	tree_free(flame.tree);
}
