// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Environments: a set of options with the kernel that they choose. Opening a kernel takes longer than analyzing a
 * script, so all scripts with the same options share it.
 *
 * Options come from the client, from ".spile.json" in the script's directory, and from the first lines of the script
 * itself ("# stap: -r 6.1 -g"). A script may come from anyone, and opening it in an editor must do no harm. So only
 * options are accepted that make passes 1 and 2 read something else.
 */
#include "translator/session/internal.h"

#include <stdio.h>
#include <string.h>

#include "common/files.h"
#include "common/json_reader.h"
#include "common/base/i18n.h"
#include "common/base/message.h"
#include "translator/kernel_choice.h"

/* ---- the words --------------------------------------------------------------------------------------------------- */

/* The options that an environment may set, as options.given names them: by letter, or else by long name. */
static const char *const accepted[] = {"r",	  "I",	       "g",   "G",	     "D",	  "d",
				       "w",	  "W",	       "u",   "compatible",  "privilege", "check-version",
				       "sysroot", "debuginfo", "ldd", "skip-badvars"};

static void add_words(struct arena *arena, const char *text, GPtrArray *words, const char **problem)
{
	g_auto(GStrv) parsed = NULL;
	g_autoptr(GError) error = NULL;

	if (!g_shell_parse_argv(text, NULL, &parsed, &error)) {
		if (error->code != G_SHELL_ERROR_EMPTY_STRING)
			*problem = arena_strdup(arena, error->message);
		return;
	}
	for (char **word = parsed; *word; word++)
		g_ptr_array_add(words, arena_strdup(arena, *word));
}

/* Read {"options": ["-r", "6.1"]}. Other members are for other programs. */
static void read_settings(struct arena *arena, const char *text, size_t length, GPtrArray *words, const char **problem)
{
	struct json_reader reader;
	struct json_bytes name;

	json_reader_init(&reader, text, length);
	while (json_next_member(&reader, &name)) {
		if (!json_bytes_are(&name, "options")) {
			json_skip(&reader);
			continue;
		}
		while (json_next_item(&reader)) {
			struct json_bytes word = json_read_string(&reader);

			g_ptr_array_add(words, arena_strndup(arena, word.bytes ?: "", word.length));
		}
	}
	json_finish(&reader);
	if (reader.mistake)
		*problem = arena_printf(arena, ".spile.json: %s", reader.mistake);
	json_reader_clear(&reader);
}

static void add_file_words(struct arena *arena, const char *directory, GPtrArray *words, const char **problem)
{
	g_autofree char *path = g_build_filename(directory, ".spile.json", NULL), *text = NULL;
	size_t length;

	/* Most directories have none. */
	if (g_file_test(path, G_FILE_TEST_IS_REGULAR) && g_file_get_contents(path, &text, &length, NULL))
		read_settings(arena, text, length, words, problem);
}

/* Add the words of the comments "# stap: ..." at the head of a text. */
static void add_head_words(struct arena *arena, const struct text *text, GPtrArray *words, const char **problem)
{
	static const char mark[] = "stap:";

	for (size_t line = 0; line < text->lines->len; line++) {
		size_t begin = text_line_begin(text, line), end = text_line_end(text, line);
		const char *from = text->bytes->str + begin;
		g_autofree char *copy = g_strndup(from, end - begin);
		const char *rest = copy;

		if (*rest != '#')
			return;
		rest += strspn(rest, "# \t");
		if (g_str_has_prefix(rest, mark))
			add_words(arena, rest + strlen(mark), words, problem);
	}
}

GPtrArray *words_for(struct session *session, struct arena *arena, const char *directory, const struct text *text,
		     const char **problem)
{
	GPtrArray *words = arena_ptr_array(arena);

	*problem = NULL;
	for_each_ptr(const char *, word, session->words)
		g_ptr_array_add(words, (void *)word);
	add_file_words(arena, directory, words, problem);
	add_head_words(arena, text, words, problem);
	return words;
}

const GPtrArray *document_options(struct document *document)
{
	const char *problem;

	return words_for(document->session, document_begin_query(document), document->directory, &document->text,
			 &problem);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

bool session_takes_option(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(accepted); i++)
		if (!strcmp(accepted[i], name))
			return true;
	return false;
}

static bool is_accepted(const char *name)
{
	/* parse_words() adds -p and -e. */
	return session_takes_option(name) || !strcmp(name, "p") || !strcmp(name, "e");
}

/* Return the text of the first message in lines of JSON. */
static const char *first_message(struct arena *arena, const char *lines)
{
	struct json_reader reader;
	struct json_bytes name;
	const char *text = NULL;

	json_reader_init(&reader, lines, strcspn(lines, "\n"));
	while (json_next_member(&reader, &name)) {
		struct json_bytes value = {NULL};

		if (json_bytes_are(&name, "text"))
			value = json_read_string(&reader);
		else
			json_skip(&reader);
		if (value.bytes)
			text = arena_strndup(arena, value.bytes, value.length);
	}
	json_reader_clear(&reader);
	return text;
}

/* Parse the words as a command line of stap. What it would print is the environment's problem. */
static void parse_words(struct environment *env, const GPtrArray *words)
{
	struct arena *arena = env->base.arena;
	GPtrArray *argv = arena_ptr_array(arena); /* the options refer to it */
	char *printed = NULL;
	size_t size;
	FILE *messages = open_memstream(&printed, &size);
	enum options_outcome outcome;

	if (!messages)
		g_error("out of memory");
	g_ptr_array_add(argv, "stap");
	g_ptr_array_add(argv, "-p2");
	for_each_ptr(const char *, word, words)
		g_ptr_array_add(argv, arena_strdup(arena, word));
	g_ptr_array_add(argv, "-e");
	g_ptr_array_add(argv, "");
	g_ptr_array_add(argv, NULL);
	messages_use_json(messages);
	outcome = options_parse(&env->options, arena, (int)argv->len - 1, (char **)argv->pdata);
	messages_use_json(NULL);
	fclose(messages);
	if (outcome != OPTIONS_RUN)
		env->problem = first_message(arena, printed) ?: _("these options are not for a script");
	free(printed);
	for_each_ptr(const struct given_option *, given, env->options.given)
		if (!is_accepted(given->name) && !env->problem)
			env->problem = arena_printf(arena, _("option '%s' has no effect in an editor"), given->name);
	if (!env->problem && env->options.argument_count)
		env->problem = arena_printf(arena, _("'%s' is not an option"), env->options.arguments[0]);
}

/* Make paths of -I absolute, which are relative to the script. */
static void settle_directories(struct environment *env, const char *directory)
{
	GPtrArray *paths = env->options.tapset_directories;

	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *path = g_canonicalize_filename(paths->pdata[i], directory);

		paths->pdata[i] = arena_strdup(env->base.arena, path);
	}
}

static void choose(struct environment *env)
{
	const char *argument;
	struct error *error = choose_kernel(&env->base, &env->options, &argument);

	if (!error)
		return;
	env->problem = arena_strdup(env->base.arena, error->message);
	env->hint = error->hint ? arena_strdup(env->base.arena, error->hint) : NULL;
	error_free(error);
}

static struct environment *environment_new(struct session *session, const GPtrArray *words, const char *directory)
{
	struct environment *env = g_new0(struct environment, 1);

	env->base.arena = arena_new();
	parse_words(env, words);
	if (env->problem) {
		const char *problem = env->problem;

		parse_words(env, NULL);
		env->problem = problem;
	}
	settle_directories(env, directory);
	translation_begin(&env->base, &env->options, session->cache_directory);
	file_facts_free(env->base.search.facts);
	env->base.search.facts = NULL;
	env->index_here = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (!env->problem)
		choose(env);
	if (!env->base.kernel.release) {
		const char *problem = env->problem, *hint = env->hint;

		env->options.release = NULL;
		choose(env);
		env->problem = problem;
		env->hint = hint;
	}
	return env;
}

struct environment *environment_get(struct session *session, const GPtrArray *words, const char *directory)
{
	g_autoptr(GString) key = g_string_new(directory);
	struct environment *env;

	for_each_ptr(const char *, word, words)
		g_string_append_printf(key, "%c%s", '\n', word);
	env = g_hash_table_lookup(session->environments, key->str);
	if (env)
		return environment_ref(env);
	env = environment_new(session, words, directory);
	env->users = 1;
	env->key = g_strdup(key->str);
	env->session = session;
	g_hash_table_insert(session->environments, env->key, env);
	return env;
}

static void share(GHashTable **own, GHashTable *shared)
{
	g_hash_table_unref(*own);
	*own = g_hash_table_ref(shared);
}

void environment_lend(struct environment *environment, struct translation *t)
{
	const struct translation *base = &environment->base;

	share(&t->type_files, base->type_files);
	share(&t->open_objects, base->open_objects);
	share(&t->open_debuginfo, base->open_debuginfo);
	/* Nothing is stored that depends on these files. */
	file_facts_free(t->search.facts);
	t->search = base->search;
	t->kernel = base->kernel;
	t->language.kernel_release = base->language.kernel_release;
	t->language.architecture = base->language.architecture;
	t->language.kernel_config = base->language.kernel_config;
	t->line_modules = arena_ptr_array(t->arena);
	g_ptr_array_extend(t->line_modules, environment->options.line_modules, NULL, NULL);
}

struct environment *environment_ref(struct environment *environment)
{
	environment->users++;
	return environment;
}

void environment_release(struct environment *environment)
{
	if (--environment->users)
		return;
	g_hash_table_remove(environment->session->environments, environment->key);
	catalog_free(environment->catalog);
	g_hash_table_unref(environment->index_here);
	translation_end(&environment->base);
	g_free(environment->key);
	g_free(environment);
}
