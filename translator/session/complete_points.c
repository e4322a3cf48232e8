// SPDX-License-Identifier: GPL-2.0-or-later
/* Completion in probe points: components of the library and the probe families, arguments of debuginfo and files. */
#include "translator/session/internal.h"

#include <string.h>
#include <sys/stat.h>

#include "translator/probes/function_probes.h"
#include "translator/sema/sema.h"
#include "translator/sources.h"

enum { LONGEST_DETAIL = 100 };

/* ---- components -------------------------------------------------------------------------------------------------- */

/* Parse the complete components of a point; the text may end with "." or "(". Return an empty point for no text. */
static struct probe_point *parse_complete(struct translation *t, GString *text)
{
	struct probe_point *empty;
	struct source_file *file;

	while (text->len && strchr(".(", text->str[text->len - 1]))
		g_string_truncate(text, text->len - 1);
	if (text->len) {
		file = source_new(t, "<point>", arena_strndup(t->arena, text->str, text->len), text->len);
		return parse_probe_point(&t->language, file);
	}
	empty = arena_new0(t->arena, struct probe_point);
	empty->components = arena_ptr_array(t->arena);
	return empty;
}

/* Return the snippet that asks for the argument of a component, or NULL. */
static const char *argument_snippet(struct arena *arena, const struct point_name *name)
{
	if (name->argument == STRING_ARGUMENT)
		return arena_printf(arena, "%s(\"$1\")", name->name);
	return name->argument == NUMBER_ARGUMENT ? arena_printf(arena, "%s(${1:1})", name->name) : NULL;
}

static void add_component(struct choice *choice, const struct point_name *name)
{
	struct item *item;

	if (name->refused || strpbrk(name->name, "*?["))
		return;
	item = choice_add(choice, ITEM_POINT, name->name, name->alias && name->alias->script->file->is_tapset);
	if (!item)
		return;
	item->insert = argument_snippet(choice->arena, name);
	item->is_snippet = item->insert != NULL;
	if (!name->alias)
		return;
	item->detail = name->is_last ? points_text(choice->arena, name->alias->points, true, LONGEST_DETAIL) : NULL;
	item->documentation = name->is_last ? documentation_at(choice->arena, &name->alias->location) : NULL;
}

void complete_component(struct document *document, const struct cursor *cursor, struct choice *choice)
{
	struct translation *t = document_catalog(document);
	GString *text = cursor_point(cursor);
	const struct probe_point *point = parse_complete(t, text);

	g_string_free(text, TRUE);
	for_each_ptr(const struct point_name *, name, point ? next_point_names(t, point) : NULL)
		add_component(choice, name);
}

/* ---- arguments that debuginfo knows ------------------------------------------------------------------------------ */

struct filling {
	struct choice *choice;
	struct range *replaced;
	const struct probe_point *point;
};

/* Complete only what is after a separator in the word. Return its part before that. */
static char *take_word(struct filling *filling, char separator)
{
	char *word = filling->choice->word, *end = strrchr(word, separator), *before;

	if (!end)
		return NULL;
	before = arena_strndup(filling->choice->arena, word, (size_t)(end - word));
	filling->replaced->from += (size_t)(end + 1 - word);
	filling->choice->word = end + 1;
	return before;
}

static void add_all(struct choice *choice, enum item_kind kind, const GPtrArray *names)
{
	for_each_ptr(const char *, name, names)
		choice_add(choice, kind, name, 0);
}

static void add_lines(struct choice *choice, struct debuginfo *debuginfo, const char *function, const char *file)
{
	struct statement_query query = {.name = function, .file = file};
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);

	error_free(debuginfo_statements(debuginfo, &query, found));
	for_each_ptr(const struct statement_place *, place, found) {
		const char *line = arena_printf(choice->arena, "%d", place->line);
		struct item *item = NULL;

		if (place->line && g_hash_table_add(seen, GINT_TO_POINTER(place->line)))
			item = choice_add(choice, ITEM_FILE, line, 0);
		if (item)
			item->detail = place->function->name;
	}
}

/* Complete "function", "function@file" and "function@file:line". */
static void fill_functions(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			   void *query, GPtrArray *ret)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	struct filling *filling = query;
	struct choice *choice = filling->choice;
	char *colon = strchr(choice->word, ':'), *place = colon ? take_word(filling, ':') : NULL, *file;

	if (place) {
		file = strchr(place, '@');
		if (file)
			*file++ = '\0';
		if (file)
			add_lines(choice, debuginfo, place, file);
		return;
	}
	if (take_word(filling, '@')) {
		error_free(debuginfo_file_names(debuginfo, names));
		add_all(choice, ITEM_FILE, names);
		return;
	}
	error_free(debuginfo_function_names(debuginfo, names));
	add_all(choice, ITEM_KERNEL_FUNCTION, names);
}

static void fill_marks(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo, void *query,
		       GPtrArray *ret)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct filling *filling = query;

	error_free(debuginfo_marks(debuginfo, "*", "*", found));
	for_each_ptr(const struct mark *, mark, found) {
		struct item *item = choice_add(filling->choice, ITEM_KERNEL_FUNCTION, mark->name, 0);

		if (item)
			item->detail = mark->provider;
	}
}

static void fill_plt(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo, void *query,
		     GPtrArray *ret)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct filling *filling = query;

	error_free(debuginfo_plt(debuginfo, "*", found));
	for_each_ptr(const struct plt_entry *, entry, found)
		choice_add(filling->choice, ITEM_KERNEL_FUNCTION, entry->name, 0);
}

/* Tracepoints are named "system:name" or "name". */
static void fill_tracepoints(struct translation *t, const struct probe_point *point, struct debuginfo *debuginfo,
			     void *query, GPtrArray *ret)
{
	g_autoptr(GPtrArray) found = g_ptr_array_new();
	struct filling *filling = query;
	bool with_system = strchr(filling->choice->word, ':');

	error_free(debuginfo_tracepoint_names(debuginfo, "*", "*", found));
	for_each_ptr(const struct tracepoint *, tracepoint, found) {
		const char *name = with_system ? arena_printf(t->arena, "%s:%s", tracepoint->system, tracepoint->name)
					       : tracepoint->name;
		struct item *item = choice_add(filling->choice, ITEM_KERNEL_FUNCTION, name, 0);

		if (item)
			item->detail = tracepoint->system;
	}
}

/* ---- arguments that name files ----------------------------------------------------------------------------------- */

static void fill_modules(struct translation *t, struct filling *filling)
{
	GPtrArray *names = NULL;

	error_free(debuginfo_module_names(&t->kernel, t->arena, "*", &names));
	add_all(filling->choice, ITEM_MODULE, names);
}

static bool is_program(const char *path, bool *is_directory)
{
	struct stat status;

	if (stat(path, &status))
		return false;
	*is_directory = S_ISDIR(status.st_mode);
	return *is_directory || (S_ISREG(status.st_mode) && status.st_mode & 0111);
}

static void add_programs_in(struct choice *choice, const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(*directory ? directory : "/", 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = choice_fit(choice, name) < 0 ? NULL : g_build_filename(directory, name, NULL);
		bool is_directory;
		struct item *item;

		if (!path || !is_program(path, &is_directory))
			continue;
		item = choice_add(choice, ITEM_FILE, arena_strdup(choice->arena, name), is_directory);
		if (item && is_directory)
			item->insert = arena_printf(choice->arena, "%s/", name);
	}
}

static void fill_programs(struct translation *t, struct filling *filling)
{
	g_auto(GStrv) directories = NULL;
	char *directory = take_word(filling, '/');

	if (directory) {
		add_programs_in(filling->choice, *directory ? directory : "/");
		return;
	}
	directories = g_strsplit(g_getenv("PATH") ?: "", ":", -1);
	for (char **path = directories; *path; path++)
		if (**path == '/')
			add_programs_in(filling->choice, *path);
}

/* ---- all arguments ----------------------------------------------------------------------------------------------- */

/* What completes the argument of a component: files, or what the objects of the point have. */
static const struct {
	const char *component;
	void (*fill)(struct translation *t, struct filling *filling);
	find_places *fill_from;
} fillings[] = {
	{"module", fill_modules, NULL},	     {"process", fill_programs, NULL},
	{"library", fill_programs, NULL},    {"function", NULL, fill_functions},
	{"statement", NULL, fill_functions}, {"callee", NULL, fill_functions},
	{"mark", NULL, fill_marks},	     {"plt", NULL, fill_plt},
	{"trace", NULL, fill_tracepoints},
};

/* The functions of the table add items instead of places, so @p nothing stays empty. */
static void fill_argument(struct translation *t, struct filling *filling, GPtrArray *nothing)
{
	const GPtrArray *components = filling->point->components;
	const struct probe_component *last = g_ptr_array_index(components, components->len - 1);

	for (size_t i = 0; i < G_N_ELEMENTS(fillings); i++) {
		if (strcmp(fillings[i].component, last->name))
			continue;
		if (fillings[i].fill)
			fillings[i].fill(t, filling);
		else
			find_in_objects(t, filling->point, fillings[i].fill_from, filling, nothing);
		return;
	}
}

void complete_argument(struct document *document, const struct cursor *cursor, struct choice *choice,
		       struct range *replaced)
{
	struct translation *t = document_catalog(document);
	struct filling filling = {.choice = choice, .replaced = replaced};
	g_autoptr(GPtrArray) nothing = g_ptr_array_new();
	GString *text = cursor_point(cursor);
	bool is_of_process;

	filling.point = parse_complete(t, text);
	is_of_process = g_str_has_prefix(text->str, "process");
	g_string_free(text, TRUE);
	if (!filling.point || !filling.point->components->len)
		return;
	/* Without a program there is nothing to search. */
	if (is_of_process && filling.point->components->len > 1 &&
	    !((const struct probe_component *)filling.point->components->pdata[0])->argument)
		return;
	fill_argument(t, &filling, nothing);
	for_each_ptr(const char *, object, t->unindexed)
		index_jobs_add(document->session->jobs, document_environment(document), object);
}
