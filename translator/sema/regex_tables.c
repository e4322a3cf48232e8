// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Turn programs into tables by the subset construction.
 *
 * A state of an automaton is the set of nodes at which the program may be; state 0 is the empty set. "^" and "$" match
 * no byte. A set is first closed without passing them, and again at the beginning or end of the text, which only adds
 * nodes. So each state also has flags for accepting at the end (forward) or a successor at the beginning (backward).
 * The empty text, where both apply, is handled separately.
 *
 * Bytes that the program does not distinguish share a class, which makes the tables narrower.
 */
#include <glib.h>
#include <string.h>

#include "common/checksum.h"
#include "translator/sema/regex.h"

enum { SET_WORDS = (REGEX_MOST_NODES + 63) / 64, LARGEST_TABLE = 1 << 17 };
enum place { AT_BEGIN = 1, AT_END = 2 };

struct node_set {
	uint64_t bits[SET_WORDS];
};

struct automaton {
	const struct regex_program *program;
	const unsigned char *classes;
	unsigned int class_count;
	unsigned char example[256]; /* a byte of each class */
	bool backward, restarts; /* restarts: a match may begin at any byte */
	GArray *states; /* of struct node_set */
	GHashTable *numbers; /* struct node_set * -> number */
	GArray *table; /* of unsigned short */
	bool too_large;
};

static bool has(const struct node_set *set, unsigned int node)
{
	return set->bits[node / 64] >> node % 64 & 1;
}

static bool add(struct node_set *set, unsigned int node)
{
	if (has(set, node))
		return false;
	set->bits[node / 64] |= 1ull << node % 64;
	return true;
}

static bool takes(const struct regex_program *program, unsigned int node, unsigned char byte)
{
	return program->nodes[node].kind == STP_REGEX_BYTE && (program->sets[node].bits[byte / 32] >> byte % 32 & 1);
}

/* ---- classes of bytes -------------------------------------------------------------------------------------------- */

static bool same_class(const struct regex_program *program, unsigned char a, unsigned char b)
{
	for (unsigned int node = 0; node < program->count; node++)
		if (takes(program, node, a) != takes(program, node, b))
			return false;
	return true;
}

static unsigned int make_classes(const struct regex_program *program, unsigned char *classes, unsigned char *example)
{
	unsigned int count = 0;

	for (unsigned int byte = 0; byte < 256; byte++) {
		unsigned int class = 0;

		while (class < count && !same_class(program, byte, example[class]))
			class ++;
		if (class == count)
			example[count++] = byte;
		classes[byte] = class;
	}
	return count;
}

/* ---- closure ----------------------------------------------------------------------------------------------------- */

/* Does a node continue without consuming a byte? */
static bool passes(const struct stp_regex_node *node, enum place place)
{
	switch (node->kind) {
	case STP_REGEX_BYTE:
		return false;
	case STP_REGEX_BEGIN:
		return place & AT_BEGIN;
	case STP_REGEX_END:
		return place & AT_END;
	default:
		return true;
	}
}

static bool extend_forward(const struct regex_program *program, struct node_set *set, enum place place)
{
	bool grown = false;

	for (unsigned int i = 0; i < program->count; i++) {
		const struct stp_regex_node *node = &program->nodes[i];

		if (!has(set, i) || i == program->accept || !passes(node, place))
			continue;
		grown |= add(set, node->next);
		if (node->kind == STP_REGEX_SPLIT)
			grown |= add(set, node->other);
	}
	return grown;
}

/* Add the nodes that reach the set without a byte. The accepting node is followed by program->rest. */
static bool extend_backward(const struct regex_program *program, struct node_set *set, enum place place)
{
	bool grown = false;

	for (unsigned int i = 0; i < program->count; i++) {
		const struct stp_regex_node *node = &program->nodes[i];

		if (!passes(node, place))
			continue;
		if (has(set, node->next) || (node->kind == STP_REGEX_SPLIT && has(set, node->other)))
			grown |= add(set, i);
	}
	return grown;
}

static void close_set(const struct automaton *a, struct node_set *set, enum place place)
{
	while (a->backward ? extend_backward(a->program, set, place) : extend_forward(a->program, set, place))
		;
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static guint set_hash(gconstpointer key)
{
	const struct node_set *set = key;

	return (guint)checksum(0, set->bits, sizeof(set->bits));
}

static gboolean set_equal(gconstpointer left, gconstpointer right)
{
	return !memcmp(left, right, sizeof(struct node_set));
}

static unsigned int number_of(struct automaton *a, const struct node_set *set)
{
	gpointer known;

	if (g_hash_table_lookup_extended(a->numbers, set, NULL, &known))
		return GPOINTER_TO_UINT(known);
	if (a->states->len >= REGEX_MOST_STATES || a->states->len * a->class_count >= LARGEST_TABLE) {
		a->too_large = true;
		return STP_REGEX_DEAD_STATE;
	}
	g_array_append_val(a->states, *set);
	g_hash_table_insert(a->numbers, g_memdup2(set, sizeof(*set)), GUINT_TO_POINTER(a->states->len - 1));
	return a->states->len - 1;
}

/* Return the state of a node and its closure. */
static unsigned int initial_state(struct automaton *a, unsigned int node, enum place place)
{
	struct node_set set = {0};

	add(&set, node);
	close_set(a, &set, place);
	return number_of(a, &set);
}

static struct node_set successor(const struct automaton *a, const struct node_set *from, unsigned char byte)
{
	struct node_set set = {0};

	for (unsigned int i = 0; i < a->program->count; i++) {
		if (!takes(a->program, i, byte))
			continue;
		if (a->backward && has(from, a->program->nodes[i].next))
			add(&set, i);
		else if (!a->backward && has(from, i))
			add(&set, a->program->nodes[i].next);
	}
	if (a->restarts)
		add(&set, a->program->start);
	close_set(a, &set, 0);
	return set;
}

/* Fill in the rows of all states, including states that this adds. */
static void fill_table(struct automaton *a)
{
	for (unsigned int state = a->table->len / a->class_count; state < a->states->len && !a->too_large; state++) {
		for (unsigned int class = 0; class < a->class_count; class ++) {
			struct node_set from = g_array_index(a->states, struct node_set, state);
			struct node_set to = successor(a, &from, a->example[class]);
			unsigned short number = state ? number_of(a, &to) : STP_REGEX_DEAD_STATE;

			g_array_append_val(a->table, number);
		}
	}
}

static void automaton_init(struct automaton *a, const struct regex_program *program, const struct stp_regex *r,
			   const unsigned char *example)
{
	struct node_set empty = {0};

	*a = (struct automaton){.program = program, .classes = r->classes, .class_count = r->class_count};
	memcpy(a->example, example, sizeof(a->example));
	a->states = g_array_new(FALSE, FALSE, sizeof(struct node_set));
	a->numbers = g_hash_table_new_full(set_hash, set_equal, g_free, NULL);
	a->table = g_array_new(FALSE, FALSE, sizeof(unsigned short));
	number_of(a, &empty);
}

static void automaton_clear(struct automaton *a)
{
	g_array_free(a->states, TRUE);
	g_array_free(a->table, TRUE);
	g_hash_table_unref(a->numbers);
}

static void *arena_copy(struct arena *arena, const void *data, size_t size)
{
	return memcpy(arena_alloc(arena, size), data, size);
}

static const unsigned short *take_table(struct arena *arena, struct automaton *a)
{
	return arena_copy(arena, a->table->data, a->table->len * sizeof(unsigned short));
}

static const unsigned char *accepting(struct arena *arena, struct automaton *a)
{
	unsigned char *flags = arena_alloc(arena, a->states->len);

	for (guint i = 0; i < a->states->len; i++) {
		struct node_set set = g_array_index(a->states, struct node_set, i);

		flags[i] = has(&set, a->program->accept) ? STP_REGEX_ACCEPTS : 0;
		close_set(a, &set, AT_END);
		flags[i] |= has(&set, a->program->accept) ? STP_REGEX_ACCEPTS_AT_END : 0;
	}
	return flags;
}

/* ---- the three automata ------------------------------------------------------------------------------------------ */

static bool make_search(struct arena *arena, struct automaton *a, struct stp_regex *r)
{
	struct node_set both = {0};

	a->restarts = true;
	r->search_start = initial_state(a, a->program->start, AT_BEGIN);
	fill_table(a);
	if (a->too_large)
		return false;
	r->search = take_table(arena, a);
	r->search_accepts = accepting(arena, a);
	r->search_count = a->states->len;
	add(&both, a->program->start);
	close_set(a, &both, AT_BEGIN | AT_END);
	r->matches_empty = has(&both, a->program->accept);
	return true;
}

static bool make_forward(struct arena *arena, struct automaton *a, struct stp_regex *r)
{
	r->forward_start[0] = initial_state(a, a->program->start, AT_BEGIN);
	r->forward_start[1] = initial_state(a, a->program->start, 0);
	fill_table(a);
	if (a->too_large)
		return false;
	r->forward = take_table(arena, a);
	r->forward_accepts = accepting(arena, a);
	r->forward_count = a->states->len;
	return true;
}

static void note_viable(struct arena *arena, struct automaton *a, struct stp_regex *r)
{
	unsigned char *bits;

	r->viable_bytes = (a->program->count + 7) / 8;
	bits = memset(arena_alloc(arena, a->states->len * r->viable_bytes), 0, a->states->len * r->viable_bytes);
	for (guint state = 0; state < a->states->len; state++)
		for (unsigned int node = 0; node < a->program->count; node++)
			if (has(&g_array_index(a->states, struct node_set, state), node))
				bits[state * r->viable_bytes + node / 8] |= 1 << node % 8;
	r->viable = bits;
}

/* Note the state that each becomes at the text's beginning. New ones get rows, which are never used. */
static void note_at_begin(struct arena *arena, struct automaton *a, struct stp_regex *r)
{
	guint count = a->states->len;
	unsigned short *at_begin;

	for (guint i = 0; i < count && !a->too_large; i++) {
		struct node_set set = g_array_index(a->states, struct node_set, i);

		close_set(a, &set, AT_BEGIN);
		number_of(a, &set);
	}
	fill_table(a);
	at_begin = arena_alloc(arena, a->states->len * sizeof(*at_begin));
	for (guint i = 0; i < a->states->len && !a->too_large; i++) {
		struct node_set set = g_array_index(a->states, struct node_set, i);

		close_set(a, &set, AT_BEGIN);
		at_begin[i] = i < count ? number_of(a, &set) : i;
	}
	r->backward_at_begin = at_begin;
}

static bool make_backward(struct arena *arena, struct automaton *a, struct stp_regex *r)
{
	const struct regex_program *program = a->program;

	a->backward = true;
	r->backward_start[STP_REGEX_ANY_AT_END] = initial_state(a, program->rest, AT_END);
	r->backward_start[STP_REGEX_ANY_EMPTY] = initial_state(a, program->rest, AT_BEGIN | AT_END);
	r->backward_start[STP_REGEX_EXACT] = initial_state(a, program->accept, 0);
	r->backward_start[STP_REGEX_EXACT_AT_END] = initial_state(a, program->accept, AT_END);
	r->backward_start[STP_REGEX_EXACT_EMPTY] = initial_state(a, program->accept, AT_BEGIN | AT_END);
	fill_table(a);
	note_at_begin(arena, a, r);
	if (a->too_large)
		return false;
	r->backward = take_table(arena, a);
	r->backward_count = a->states->len;
	note_viable(arena, a, r);
	return true;
}

typedef bool (*automaton_maker)(struct arena *arena, struct automaton *a, struct stp_regex *r);

const struct stp_regex *regex_tables(struct arena *arena, const struct regex_program *program, bool with_groups)
{
	static const automaton_maker makers[] = {make_search, make_forward, make_backward};
	struct stp_regex *r = arena_new0(arena, struct stp_regex);
	unsigned char *classes = arena_alloc(arena, 256);
	unsigned char example[256];
	bool good = true;

	r->class_count = make_classes(program, classes, example);
	r->classes = classes;
	r->group_count = program->groups;
	for (size_t i = 0; good && i < (with_groups ? G_N_ELEMENTS(makers) : 1); i++) {
		struct automaton a;

		automaton_init(&a, program, r, example);
		good = makers[i](arena, &a, r);
		automaton_clear(&a);
	}
	if (with_groups) {
		r->nodes = program->nodes;
		r->node_count = program->count;
		r->start = program->start;
	}
	return good ? r : NULL;
}

/* ---- as C -------------------------------------------------------------------------------------------------------- */

static void print_array(GString *out, const char *type, const char *name, const char *part, const void *data,
			size_t count, bool wide)
{
	g_string_append_printf(out, "static const %s %s_%s[] = {", type, name, part);
	for (size_t i = 0; i < count; i++)
		g_string_append_printf(out, "%s%u,", i % 32 ? "" : "\n\t",
				       wide ? ((const unsigned short *)data)[i] : ((const unsigned char *)data)[i]);
	g_string_append(out, "\n};\n");
}

static void print_group_tables(GString *out, const struct stp_regex *r, const char *name)
{
	const char *wide = "unsigned short", *narrow = "unsigned char";

	print_array(out, wide, name, "forward", r->forward, r->forward_count * r->class_count, true);
	print_array(out, narrow, name, "forward_accepts", r->forward_accepts, r->forward_count, false);
	print_array(out, wide, name, "backward", r->backward, r->backward_count * r->class_count, true);
	print_array(out, wide, name, "at_begin", r->backward_at_begin, r->backward_count, true);
	print_array(out, narrow, name, "viable", r->viable, r->backward_count * r->viable_bytes, false);
	g_string_append_printf(out, "static const struct stp_regex_node %s_nodes[] = {\n", name);
	for (unsigned int i = 0; i < r->node_count; i++)
		g_string_append_printf(out, "\t{ %u, %u, %u },\n", r->nodes[i].kind, r->nodes[i].next,
				       r->nodes[i].other);
	g_string_append(out, "};\n");
}

static void print_group_fields(GString *out, const struct stp_regex *r, const char *name)
{
	g_string_append_printf(out, "\t.forward = %s_forward, .forward_accepts = %s_forward_accepts,\n", name, name);
	g_string_append_printf(out, "\t.backward = %s_backward, .backward_at_begin = %s_at_begin,\n", name, name);
	g_string_append_printf(out, "\t.viable = %s_viable, .viable_bytes = %u, .nodes = %s_nodes,\n", name,
			       r->viable_bytes, name);
	g_string_append_printf(out, "\t.forward_start = { %u, %u }, .backward_start = {", r->forward_start[0],
			       r->forward_start[1]);
	for (int i = 0; i < STP_REGEX_STARTS_; i++)
		g_string_append_printf(out, " %u,", r->backward_start[i]);
	g_string_append_printf(out, " },\n\t.node_count = %u, .start = %u,\n", r->node_count, r->start);
}

void regex_print(GString *out, const struct stp_regex *r, const char *name)
{
	print_array(out, "unsigned char", name, "classes", r->classes, 256, false);
	print_array(out, "unsigned short", name, "search", r->search, r->search_count * r->class_count, true);
	print_array(out, "unsigned char", name, "search_accepts", r->search_accepts, r->search_count, false);
	if (r->nodes)
		print_group_tables(out, r, name);
	g_string_append_printf(out, "static const struct stp_regex %s = {\n", name);
	g_string_append_printf(out, "\t.classes = %s_classes, .class_count = %u,\n", name, r->class_count);
	g_string_append_printf(out, "\t.search = %s_search, .search_accepts = %s_search_accepts,\n", name, name);
	g_string_append_printf(out, "\t.search_start = %u, .matches_empty = %d, .group_count = %u,\n", r->search_start,
			       r->matches_empty, r->group_count);
	if (r->nodes)
		print_group_fields(out, r, name);
	g_string_append(out, "};\n\n");
}
