// SPDX-License-Identifier: GPL-2.0-or-later
/* Sort the elements of the profile's arrays by program and file; see hits.h. */
#include "profile/hits.h"

static void free_file(gpointer data)
{
	struct file_hits *file = data;

	g_array_free(file->lines, TRUE);
	g_free(file);
}

static void free_program(gpointer data)
{
	struct program_hits *program = data;

	g_ptr_array_free(program->files, TRUE);
	g_free(program);
}

void hits_free(struct hits *hits)
{
	g_ptr_array_free(hits->programs, TRUE);
	g_free(hits);
}

/* Equal texts have equal addresses, because they are of one pool. */
static struct program_hits *program_of(struct hits *hits, const struct text *build_id, const struct text *module)
{
	struct program_hits *program;

	for (guint i = 0; i < hits->programs->len; i++) {
		program = g_ptr_array_index(hits->programs, i);
		if (program->build_id == build_id && (build_id->length || program->module == module))
			return program;
	}
	program = g_new0(struct program_hits, 1);
	program->build_id = build_id;
	program->module = module;
	program->files = g_ptr_array_new_with_free_func(free_file);
	g_ptr_array_add(hits->programs, program);
	return program;
}

static struct file_hits *file_of(struct program_hits *program, const struct text *path)
{
	struct file_hits *file;

	for (guint i = 0; i < program->files->len; i++) {
		file = g_ptr_array_index(program->files, i);
		if (file->path == path)
			return file;
	}
	file = g_new0(struct file_hits, 1);
	file->path = path;
	file->lines = g_array_new(FALSE, FALSE, sizeof(struct line_hits));
	g_ptr_array_add(program->files, file);
	return file;
}

static void count_hits(struct hits *hits, struct program_hits *program, int64_t count)
{
	program->count += count;
	hits->known += count;
	hits->records++;
}

static void add_unknown(struct hits *hits, const struct element *element)
{
	struct program_hits *program = program_of(hits, element->keys[0].text, element->keys[1].text);
	int64_t count = element->value.statistics->count;

	program->unknown += count;
	count_hits(hits, program, count);
}

static void add_known(struct hits *hits, const struct element *element)
{
	struct program_hits *program = program_of(hits, element->keys[0].text, element->keys[1].text);
	struct file_hits *file = file_of(program, element->keys[2].text);
	struct line_hits line = {element->keys[3].number, element->value.statistics->count};

	g_array_append_val(file->lines, line);
	file->count += line.count;
	count_hits(hits, program, line.count);
}

/* Compilers use the line number 0 for code of no line. */
static void add_line(struct hits *hits, const struct element *element)
{
	if (element->keys[3].number > 0)
		add_known(hits, element);
	else
		add_unknown(hits, element);
}

static void add_kernel(struct hits *hits, const struct element *element)
{
	hits->kernel += element->value.statistics->count;
}

static void add_elsewhere(struct hits *hits, const struct element *element)
{
	hits->elsewhere += element->value.statistics->count;
}

/* The globals of annotate.stp. */
static const struct row {
	const char *name;
	void (*add)(struct hits *hits, const struct element *element);
} rows[] = {
	{"lines", add_line},
	{"unknown_lines", add_unknown},
	{"in_kernel", add_kernel},
	{"elsewhere", add_elsewhere},
};

static void add_global(struct hits *hits, const struct global *global)
{
	const struct sample *sample = global_newest(global);

	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		if (text_is(global->name, rows[i].name))
			for (guint j = 0; j < sample->count; j++)
				rows[i].add(hits, &sample->elements[j]);
}

static int compare_files(const void *a, const void *b)
{
	const struct file_hits *left = *(struct file_hits *const *)a, *right = *(struct file_hits *const *)b;

	return (left->count < right->count) - (left->count > right->count);
}

static int compare_programs(const void *a, const void *b)
{
	const struct program_hits *left = *(struct program_hits *const *)a;
	const struct program_hits *right = *(struct program_hits *const *)b;

	return (left->count < right->count) - (left->count > right->count);
}

struct hits *hits_new(const struct recording *recording)
{
	struct hits *hits = g_new0(struct hits, 1);

	hits->programs = g_ptr_array_new_with_free_func(free_program);
	for (guint i = 0; i < recording->hosts->len; i++) {
		const struct host *host = g_ptr_array_index(recording->hosts, i);

		for (guint j = 0; j < host->globals->len; j++)
			add_global(hits, g_ptr_array_index(host->globals, j));
	}
	g_ptr_array_sort(hits->programs, compare_programs);
	for (guint i = 0; i < hits->programs->len; i++)
		g_ptr_array_sort(((struct program_hits *)g_ptr_array_index(hits->programs, i))->files, compare_files);
	return hits;
}
