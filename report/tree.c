// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks as a tree of callers (see analysis.h). Functions are merged, wherever in them the call is: that is what a
 * reader of a flame graph expects. The order of nodes lets readers draw and sum them in one loop.
 */
#include "report/analysis.h"

#include <string.h>

/* ---- the frames of an element ------------------------------------------------------------------------------------ */

/* Sort the stacks of one element: a user stack precedes the kernel stack, because programs call the kernel. */
static guint stack_rank(const struct stack *stack)
{
	for (guint i = stack->count; i-- > 0;) {
		enum frame_kind kind = stack->frames[i].function->kind;

		if (kind == FRAME_KERNEL || kind == FRAME_MODULE)
			return 2;
		if (kind != FRAME_UNKNOWN)
			return 0;
	}
	return 1;
}

static void append_frames(const struct stack *stack, GPtrArray *frames)
{
	for (guint i = stack->count; i-- > 0;)
		g_ptr_array_add(frames, (gpointer)&stack->frames[i]);
}

void element_frames(const struct global *global, const struct element *element, int key, GPtrArray *frames)
{
	g_ptr_array_set_size(frames, 0);
	if (key != ALL_STACKS) {
		append_frames(element->keys[key].stack, frames);
		return;
	}
	for (guint rank = 0; rank < 3; rank++)
		for (guint i = 0; i < global->key_count; i++)
			if (global->keys[i] == VALUE_STACK && stack_rank(element->keys[i].stack) == rank)
				append_frames(element->keys[i].stack, frames);
}

/* ---- the tree in the order in which nodes are found -------------------------------------------------------------- */

struct growth {
	GArray *nodes; /* struct tree_node */
	guint *slots; /* a hash table of numbers of nodes; 0: empty */
	guint mask;
};

static guint slot_of(const struct growth *growth, guint parent, const struct function *function)
{
	guint64 hash = (guint64)parent * 0x9e3779b97f4a7c15 + (guint64)function->number * 0xc2b2ae3d27d4eb4f;
	guint slot = (guint)(hash >> 32) & growth->mask;

	for (; growth->slots[slot]; slot = (slot + 1) & growth->mask) {
		const struct tree_node *node = &g_array_index(growth->nodes, struct tree_node, growth->slots[slot]);

		if (node->parent == parent && node->function == function)
			break;
	}
	return slot;
}

static void enlarge(struct growth *growth)
{
	g_free(growth->slots);
	growth->mask = growth->mask * 2 + 1;
	growth->slots = g_new0(guint, growth->mask + 1);
	for (guint i = 1; i < growth->nodes->len; i++) {
		const struct tree_node *node = &g_array_index(growth->nodes, struct tree_node, i);

		growth->slots[slot_of(growth, node->parent, node->function)] = i;
	}
}

/* Find or add a child, and return its number. */
static guint child_of(struct growth *growth, guint parent, const struct frame *frame)
{
	guint slot = slot_of(growth, parent, frame->function), number = growth->slots[slot];
	struct tree_node added = {.parent = parent, .function = frame->function, .line = frame->line}, *node;

	if (number) {
		node = &g_array_index(growth->nodes, struct tree_node, number);
		if (node->line != frame->line)
			node->line = -1;
		return number;
	}
	number = growth->nodes->len;
	g_array_append_val(growth->nodes, added);
	growth->slots[slot] = number;
	if (growth->nodes->len > growth->mask / 2)
		enlarge(growth);
	return number;
}

/* ---- the order of nodes ------------------------------------------------------------------------------------------ */

static int compare_texts(const struct text *a, const struct text *b)
{
	int order = memcmp(a->bytes, b->bytes, MIN(a->length, b->length));

	return order ?: a->length < b->length ? -1 : a->length > b->length;
}

/* Compare two numbers of nodes by their parents, then by their names. */
static int compare_nodes(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct tree_node *nodes = data, *one = &nodes[*(const guint *)a], *two = &nodes[*(const guint *)b];

	if (one->parent != two->parent)
		return one->parent < two->parent ? -1 : 1;
	return compare_texts(one->function->name, two->function->name)
		       ?: one->function->number < two->function->number ? -1
									: one->function->number > two->function->number;
}

/* Put nodes in preorder. @p found is their number by the time when they were found. */
static void order_nodes(struct tree *tree, const struct tree_node *found, guint *new_numbers)
{
	guint count = tree->count, next = 0, depth = 0;
	g_autofree guint *sorted = g_new(guint, count);
	g_autofree guint *first = g_new0(guint, count + 1); /* in sorted[], the first child of each node */
	g_autofree guint *pending = g_new(guint, count); /* nodes to be numbered, the next one last */

	for (guint i = 1; i < count; i++) {
		sorted[i - 1] = i;
		first[found[i].parent + 1]++;
	}
	for (guint i = 0; i < count; i++)
		first[i + 1] += first[i];
	g_qsort_with_data(sorted, count - 1, sizeof(*sorted), compare_nodes, (gpointer)found);
	pending[depth++] = 0;
	while (depth) {
		guint node = pending[--depth];

		tree->nodes[next] = found[node];
		tree->nodes[next].parent = new_numbers[found[node].parent];
		new_numbers[node] = next++;
		for (guint i = first[node + 1]; i-- > first[node];)
			pending[depth++] = sorted[i];
	}
}

struct tree *tree_new(const struct global *global, const struct element *const *elements, guint count, int key)
{
	struct growth growth = {.nodes = g_array_new(FALSE, TRUE, sizeof(struct tree_node)), .mask = 1023};
	g_autoptr(GPtrArray) frames = g_ptr_array_new();
	g_autofree guint *numbers = NULL;
	struct tree *tree = g_new0(struct tree, 1);
	struct tree_node root = {.parent = 0};

	growth.slots = g_new0(guint, growth.mask + 1);
	g_array_append_val(growth.nodes, root);
	tree->leaves = g_new0(guint, MAX(count, 1));
	for (guint i = 0; i < count; i++) {
		guint node = 0;

		element_frames(global, elements[i], key, frames);
		for (guint j = 0; j < frames->len; j++)
			node = child_of(&growth, node, g_ptr_array_index(frames, j));
		tree->leaves[i] = node;
	}
	tree->count = growth.nodes->len;
	tree->nodes = g_new(struct tree_node, tree->count);
	numbers = g_new0(guint, tree->count);
	order_nodes(tree, (const struct tree_node *)growth.nodes->data, numbers);
	for (guint i = 0; i < count; i++)
		tree->leaves[i] = numbers[tree->leaves[i]];
	g_array_free(growth.nodes, TRUE);
	g_free(growth.slots);
	return tree;
}

void tree_free(struct tree *tree)
{
	g_free(tree->nodes);
	g_free(tree->leaves);
	g_free(tree);
}
