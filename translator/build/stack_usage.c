// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checking the kernel stack usage of handlers.
 *
 * Input: the compiler's report on each C function, beside the script's object. gcc since version 10 writes a call graph
 * with frame sizes (-fcallgraph-info=su: script.ci); clang and older versions of gcc write only frame sizes
 * (-fstack-usage: script.su). Output: a diagnostic for each frame that is too large and for each handler that needs too
 * much stack. For each kind of hit (struct stack_group), the module gets the number of bytes that must be left on the
 * stack.
 *
 * The need of a handler is its frame plus the deepest chain of calls below it. If a function of the script calls
 * itself, the chain ends at MAXNESTING or where stp_call_enter() stops it. The needs of the runtime's functions were
 * computed in the same way when the runtime was compiled. The kernel's functions are not known; those that the runtime
 * calls from handlers are small, and each is counted as KERNEL_CALL.
 *
 * The numbers are known only when the module is complete, so they are written into its section STP_STACK_SECTION.
 */
#include "translator/build/stack_usage.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "common/files.h"
#include "common/base/i18n.h"
#include "translator/build/kbuild.h"

enum {
	/* Limit of the frame of one C function. The kernel checks its own functions against half of it. */
	FRAME_MOST = 4096,
	/* Limit of a handler with its callees. A task's stack has 16 KiB, part of which its system call uses. */
	NEED_MOST = 12288,
	/* Assumed need of a kernel function that the runtime calls. */
	KERNEL_CALL = 768,
	/* Assumed need of a runtime function if the compiler does not report calls; none needs as much. */
	RUNTIME_CALL = 2560,
	/* Frames between the check and the handler: context_run(), run_timed(), run_slow(), run_measured(). */
	CONTEXT = 320,
	/*
	 * Space for what may be added: registers that an interrupt saves before it switches stacks, a page fault in a
	 * load, or the breakpoint or ftrace call of a probe that the handler hits.
	 */
	RESERVE = 1024,
};

/* ---- the graph --------------------------------------------------------------------------------------------------- */

struct c_node {
	const char *name; /* C name, with suffixes of the compiler: "probe_0", "f.part.0" */
	const char *place; /* "file:line:column" */
	unsigned int frame;
	bool is_here; /* compiled here, so the frame is known */
	bool is_unbounded; /* the frame's size is known only at run time */
	GPtrArray *callees; /* struct c_node * */
	/* Set by deepest(). */
	unsigned int need;
	bool is_known, under_way, is_recursive;
};

struct graph {
	GHashTable *nodes; /* title -> struct c_node * */
	GHashTable *names; /* name -> node, only of functions compiled here */
	GHashTable *runtime; /* name -> need in bytes, of the runtime's functions; NULL: not known */
	bool knows_calls;
	unsigned int worst_handler; /* largest need of a handler; 0: not computed yet */
};

static void node_free(void *data)
{
	struct c_node *node = data;

	g_ptr_array_unref(node->callees);
	g_free((char *)node->name);
	g_free((char *)node->place);
	g_free(node);
}

static struct graph *graph_new(void)
{
	struct graph *graph = g_new0(struct graph, 1);

	graph->nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, node_free);
	graph->names = g_hash_table_new(g_str_hash, g_str_equal);
	return graph;
}

static void graph_free(struct graph *graph)
{
	if (!graph)
		return;
	g_hash_table_unref(graph->nodes);
	g_hash_table_unref(graph->names);
	g_clear_pointer(&graph->runtime, g_hash_table_unref);
	g_free(graph);
}

typedef struct graph call_graph;
G_DEFINE_AUTOPTR_CLEANUP_FUNC(call_graph, graph_free)

static const char *name_of_title(const char *title)
{
	const char *colon = strrchr(title, ':');

	/* A name given by an asm label begins with '*'. */
	return colon ? colon + 1 : *title == '*' ? title + 1 : title;
}

static struct c_node *find_node(struct graph *graph, const char *title)
{
	struct c_node *node = g_hash_table_lookup(graph->nodes, title);

	if (node)
		return node;
	node = g_new0(struct c_node, 1);
	node->name = g_strdup(name_of_title(title));
	node->callees = g_ptr_array_new();
	g_hash_table_insert(graph->nodes, g_strdup(title), node);
	return node;
}

/* Set a frame's size: "48", with "static", "dynamic" or "dynamic,bounded". */
static void set_frame(struct graph *graph, struct c_node *node, const char *bytes, const char *how)
{
	node->frame = strtoul(bytes, NULL, 10);
	node->is_here = true;
	node->is_unbounded = !strncmp(how, "dynamic", strlen("dynamic")) && !strstr(how, "bounded");
	g_hash_table_insert(graph->names, (void *)node->name, node);
}

/* Return the text in the quotes after @p key, to be freed; NULL if the line has no such key. */
static char *quoted_after(const char *line, const char *key)
{
	const char *begin = strstr(line, key), *end;

	if (!begin)
		return NULL;
	begin += strlen(key);
	end = strchr(begin, '"');
	return end ? g_strndup(begin, end - begin) : NULL;
}

/* Parse node: { title: "T" label: "NAME\nFILE:LINE:COLUMN\n48 bytes (static)" }; the last part may be missing. */
static void read_node(struct graph *graph, const char *line)
{
	g_autofree char *title = quoted_after(line, "title: \""), *label = quoted_after(line, "label: \"");
	g_auto(GStrv) parts = label ? g_strsplit(label, "\\n", -1) : NULL;
	const char *how;
	struct c_node *node;

	if (!title || !parts || g_strv_length(parts) < 3)
		return;
	how = strstr(parts[2], " bytes (");
	if (!how)
		return;
	node = find_node(graph, title);
	node->place = g_strdup(parts[1]);
	set_frame(graph, node, parts[2], how + strlen(" bytes ("));
}

/* Parse edge: { sourcename: "T" targetname: "T" … } */
static void read_edge(struct graph *graph, const char *line)
{
	g_autofree char *from = quoted_after(line, "sourcename: \""), *to = quoted_after(line, "targetname: \"");

	if (from && to)
		g_ptr_array_add(find_node(graph, from)->callees, find_node(graph, to));
}

static void read_call_graph(struct graph *graph, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		if (g_str_has_prefix(line, "node: "))
			read_node(graph, line);
		else if (g_str_has_prefix(line, "edge: "))
			read_edge(graph, line);
	}
	graph->knows_calls = true;
}

/* Parse lines FILE:LINE:COLUMN:NAME<tab>48<tab>static; clang omits the column. */
static void read_frames(struct graph *graph, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		g_auto(GStrv) parts = g_strsplit(line, "\t", 3);
		struct c_node *node;
		char *name;

		if (g_strv_length(parts) < 3 || !(name = strrchr(parts[0], ':')))
			continue;
		node = find_node(graph, name + 1);
		node->place = g_strndup(parts[0], name - parts[0]);
		set_frame(graph, node, parts[1], parts[2]);
	}
}

/*
 * Read the compiler's report beside "script.o", under this name or (until 5.17) that of kbuild's intermediate object.
 */
static bool read_report(struct graph *graph, const char *directory, const char *object, const char *suffix,
			void (*reader)(struct graph *graph, char *text))
{
	static const char *const prefixes[] = {"", ".tmp_"};

	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		g_autofree char *path = g_strdup_printf("%s/%s%.*s%s", directory, prefixes[i],
							(int)(strlen(object) - strlen(".o")), object, suffix);
		g_autofree char *text = NULL;
		size_t length;

		error_free(file_read(path, &text, &length));
		if (text) {
			reader(graph, text);
			return true;
		}
	}
	return false;
}

static bool read_reports(struct graph *graph, const char *directory, const char *object)
{
	return read_report(graph, directory, object, ".ci", read_call_graph) ||
	       read_report(graph, directory, object, ".su", read_frames);
}

/* ---- depths ------------------------------------------------------------------------------------------------------ */

/* Return the need of a function that is compiled elsewhere. */
static unsigned int need_elsewhere(const struct graph *graph, const char *name)
{
	/* These call nothing, or panic. */
	static const char *const leaves[] = {"memcpy", "memset", "memmove", "memcmp", "strlen", "__stack_chk_fail"};
	gpointer bytes;

	for (size_t i = 0; i < G_N_ELEMENTS(leaves); i++)
		if (!strcmp(name, leaves[i]))
			return sizeof(void *);
	if (graph->runtime && g_hash_table_lookup_extended(graph->runtime, name, NULL, &bytes))
		return GPOINTER_TO_UINT(bytes);
	return graph->runtime && g_str_has_prefix(name, "stp_") ? RUNTIME_CALL : KERNEL_CALL;
}

/* Return the bytes of the deepest chain of calls from here, with each function once; too few if is_recursive is set. */
static unsigned int deepest(struct graph *graph, struct c_node *node)
{
	unsigned int most = 0, below;

	if (node->is_known)
		return node->need;
	if (node->under_way) {
		node->is_recursive = true;
		return 0;
	}
	node->under_way = true;
	if (!node->is_here)
		most = need_elsewhere(graph, node->name);
	for_each_ptr(struct c_node *, callee, node->callees) {
		below = deepest(graph, callee);
		most = MAX(most, below);
		node->is_recursive |= callee->is_recursive;
	}
	node->under_way = false;
	node->is_known = true;
	node->need = node->frame + most;
	return node->need;
}

/* ---- the runtime ------------------------------------------------------------------------------------------------- */

/* Name of the entry for the runtime's code around each handler. */
#define AROUND_HANDLER "stp_around_handler"

static bool runs_around_handlers(const struct c_node *node)
{
	return node->is_here && (!strcmp(node->name, "run_timed") || !strcmp(node->name, "finish_handler"));
}

char *stack_usage_of_runtime(const char *directory)
{
	static const char *const objects[] = {RUNTIME_FAST ".o", RUNTIME_SLOW ".o"};
	g_autoptr(call_graph) graph = graph_new();
	g_autoptr(GString) text = g_string_new(NULL);
	GHashTableIter iter;
	const char *title;
	struct c_node *node;
	unsigned int around = 0, need;
	bool found = true;

	for (size_t i = 0; i < G_N_ELEMENTS(objects); i++)
		found &= read_reports(graph, directory, objects[i]);
	if (!found)
		return NULL;
	g_hash_table_iter_init(&iter, graph->nodes);
	while (graph->knows_calls && g_hash_table_iter_next(&iter, (gpointer *)&title, (gpointer *)&node)) {
		/* Titles of external functions have no file. */
		if (node->is_here && g_str_has_prefix(title, "stp_"))
			g_string_append_printf(text, "%s %u\n", node->name, deepest(graph, node));
		if (!runs_around_handlers(node))
			continue;
		need = deepest(graph, node);
		around = MAX(around, need);
	}
	if (around)
		g_string_append_printf(text, AROUND_HANDLER " %u\n", around);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static GHashTable *parse_needs(const char *text)
{
	GHashTable *needs = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) lines = g_strsplit(text ?: "", "\n", -1);

	for (char **line = lines; *line; line++) {
		char *blank = strchr(*line, ' ');

		if (blank)
			g_hash_table_insert(needs, g_strndup(*line, blank - *line),
					    GUINT_TO_POINTER((guint)strtoul(blank + 1, NULL, 10)));
	}
	return needs;
}

/* ---- the script's functions -------------------------------------------------------------------------------------- */

static unsigned int largest_callee(const struct graph *graph)
{
	GHashTableIter iter;
	const struct c_node *node;
	unsigned int largest = 0;

	g_hash_table_iter_init(&iter, graph->nodes);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&node)) {
		unsigned int need = node->is_here ? 0 : need_elsewhere(graph, node->name);

		largest = MAX(largest, need);
	}
	return graph->knows_calls ? largest : RUNTIME_CALL;
}

/* Return the script's function or handler of a C function; NULL if it comes from embedded C. */
static const struct c_function *function_of_node(const struct translation *t, const struct c_node *node)
{
	g_autofree char *name = g_strndup(node->name, strcspn(node->name, "."));

	return g_hash_table_lookup(t->c_functions, name);
}

static unsigned int function_frames(const struct translation *t, const struct graph *graph, bool add)
{
	GHashTableIter iter;
	const struct c_node *node;
	unsigned int bytes = 0;

	g_hash_table_iter_init(&iter, graph->names);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&node)) {
		const struct c_function *function = function_of_node(t, node);

		if (!function || !function->is_handler)
			bytes = add ? bytes + node->frame : MAX(bytes, node->frame);
	}
	return bytes;
}

/* Return what calls of unknown depth take: as many as MAXNESTING or stp_call_enter() allows. */
static unsigned int unknown_calls(const struct translation *t, const struct graph *graph)
{
	unsigned int largest = function_frames(t, graph, false), most = function_frames(t, graph, true);
	unsigned int recursion = largest * (unsigned int)(t->limits.max_nesting + 1);

	most = MAX(most, recursion);
	return MIN(most, STP_CALLS_STACK + largest) + largest_callee(graph);
}

static unsigned int handler_need(const struct translation *t, struct graph *graph, struct c_node *node)
{
	unsigned int need = deepest(graph, node), unknown;

	if (!node->is_recursive && graph->knows_calls)
		return need;
	unknown = node->frame + unknown_calls(t, graph);
	return MAX(need, unknown);
}

/*
 * Return the largest need of all handlers. It stands for a handler that the compiler does not report because it merged
 * it with an identical one.
 */
static unsigned int worst_handler(const struct translation *t, struct graph *graph)
{
	GHashTableIter iter;
	struct c_node *node;
	unsigned int need;

	if (graph->worst_handler)
		return graph->worst_handler;
	g_hash_table_iter_init(&iter, graph->names);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&node)) {
		const struct c_function *function = g_hash_table_lookup(t->c_functions, node->name);

		if (!function || !function->is_handler)
			continue;
		need = handler_need(t, graph, node);
		graph->worst_handler = MAX(graph->worst_handler, need);
	}
	return graph->worst_handler;
}

/*
 * ---- diagnostics ---------------------------------------------------------------------------------------------------
 */

/* Return the user's file and line, to which a "#line" of embedded C refers. */
static struct location location_of_place(const struct translation *t, const char *place)
{
	for_each_ptr(const struct source_file *, file, t->user_sources) {
		size_t length = strlen(file->name);

		if (!strncmp(place, file->name, length) && place[length] == ':')
			return (struct location){
				.file = file, .line = atoi(place + length + 1), .column = 1, .length = 1};
	}
	return (struct location){0};
}

static const char *what_text(const struct translation *t, const struct c_function *function)
{
	return arena_printf(t->arena, function->is_handler ? _("the handler of probe %s") : _("function %s"),
			    function->name);
}

static struct location location_of_node(const struct translation *t, const struct c_node *node)
{
	const struct c_function *function = function_of_node(t, node);

	return function ? function->location : location_of_place(t, node->place);
}

static void complain(const struct translation *t, const struct c_node *node)
{
	const struct c_function *function = function_of_node(t, node);
	struct location at = location_of_node(t, node);
	bool is_c = !function || function->is_embedded;
	const char *what = function ? what_text(t, function)
				    : arena_printf(t->arena, "%.*s()", (int)strcspn(node->name, "."), node->name);

	if (node->is_unbounded)
		diagnose(t->diagnostics, SEMANTIC_ERROR, &at,
			 _("%s has a stack frame whose size is known only at run time"), what);
	else
		diagnose(t->diagnostics, SEMANTIC_ERROR, &at,
			 _("%s needs a stack frame of %u bytes; the kernel's stack allows %u"), what, node->frame,
			 FRAME_MOST);
	if (is_c)
		diagnose_hint(t->diagnostics, _("keep large data of C code in static variables, not on the stack"));
	else
		diagnose_hint(t->diagnostics,
			      _("divide it: move parts to functions, keep many values in an array, or print in steps"));
}

static int compare_nodes(gconstpointer a, gconstpointer b, void *data)
{
	const struct c_node *const *left = a, *const *right = b;
	struct location at = location_of_node(data, *left), other = location_of_node(data, *right);

	return at.line != other.line ? at.line - other.line : strcmp((*left)->name, (*right)->name);
}

static void check_frames(const struct translation *t, const struct graph *graph)
{
	g_autoptr(GPtrArray) culprits = g_ptr_array_new();
	GHashTableIter iter;
	struct c_node *node;

	g_hash_table_iter_init(&iter, graph->names);
	while (g_hash_table_iter_next(&iter, NULL, (gpointer *)&node))
		if (node->frame > FRAME_MOST || node->is_unbounded)
			g_ptr_array_add(culprits, node);
	g_ptr_array_sort_with_data(culprits, compare_nodes, (void *)t);
	for_each_ptr(const struct c_node *, culprit, culprits)
		complain(t, culprit);
}

static void complain_of_need(const struct translation *t, const struct stack_group *group, unsigned int need)
{
	const struct c_function *function = g_hash_table_lookup(t->c_functions, group->handlers[0]);

	diagnose(t->diagnostics, SEMANTIC_ERROR, function ? &function->location : &(struct location){0},
		 _("%s needs %u bytes of the kernel's stack with the functions that it calls; %u are allowed"),
		 function ? what_text(t, function) : group->handlers[0], need, NEED_MOST);
	diagnose_hint(t->diagnostics, _("call functions less deeply, or give them fewer variables and arguments"));
}

static unsigned int group_need(const struct translation *t, struct graph *graph, const struct stack_group *group)
{
	unsigned int most = need_elsewhere(graph, AROUND_HANDLER), need;

	for (size_t i = 0; i < G_N_ELEMENTS(group->handlers) && group->handlers[i]; i++) {
		struct c_node *node = g_hash_table_lookup(graph->names, group->handlers[i]);

		need = node ? handler_need(t, graph, node) : worst_handler(t, graph);
		most = MAX(most, need);
	}
	return most + CONTEXT + RESERVE;
}

/* ---- the module -------------------------------------------------------------------------------------------------- */

/* Find the contents of a section in an ELF image for this machine; NULL if no section has this name and size. */
static char *find_section(char *image, size_t size, const char *name, size_t wanted)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)image;
	const Elf64_Shdr *sections = NULL, *names = NULL;

	if (size < sizeof(*head) || head->e_shoff > size || head->e_shstrndx >= head->e_shnum ||
	    (size - head->e_shoff) / sizeof(*sections) < head->e_shnum)
		return NULL;
	sections = (const Elf64_Shdr *)(image + head->e_shoff);
	names = &sections[head->e_shstrndx];
	for (unsigned int i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *section = &sections[i];

		if (section->sh_name < names->sh_size && !strcmp(image + names->sh_offset + section->sh_name, name) &&
		    section->sh_size == wanted && section->sh_offset <= size - wanted)
			return image + section->sh_offset;
	}
	return NULL;
}

static struct error *write_needs(const char *module_path, const struct stp_stack_need *needs, size_t count)
{
	g_autofree char *image = NULL;
	struct error *error;
	char *place;
	size_t size;

	error = file_read(module_path, &image, &size);
	if (error)
		return error;
	place = find_section(image, size, STP_STACK_SECTION, count * sizeof(*needs));
	if (!place)
		return error_new(ERROR_BUILD, _("the module %s has no section %s"), module_path, STP_STACK_SECTION);
	memcpy(place, needs, count * sizeof(*needs));
	return file_write(module_path, image, size);
}

struct error *stack_usage_apply(const struct translation *t, const char *runtime, const char *directory,
				const char *module_path)
{
	g_autofree struct stp_stack_need *needs = g_new0(struct stp_stack_need, t->stack_groups->len);
	g_autoptr(call_graph) graph = graph_new();

	if (!read_reports(graph, directory, SCRIPT_OBJECT))
		return error_with_hint(error_new(ERROR_BUILD,
						 _("the compiler does not report the stack usage of functions")),
				       _("use gcc, or clang 14 or newer, which support -fstack-usage"));
	graph->runtime = parse_needs(runtime);
	check_frames(t, graph);
	for (guint i = 0; i < t->stack_groups->len; i++) {
		const struct stack_group *group = g_ptr_array_index(t->stack_groups, i);
		unsigned int need = group_need(t, graph, group);

		if (need > NEED_MOST && !diagnostics_errors(t->diagnostics))
			complain_of_need(t, group, need);
		needs[i].in_session = need;
		needs[i].in_event = MAX(need, t->limits.min_stack_space);
	}
	if (diagnostics_errors(t->diagnostics))
		return NULL;
	return write_needs(module_path, needs, t->stack_groups->len);
}
