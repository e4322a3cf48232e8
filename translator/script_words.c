// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Separate the options of a script from those of stap: "stap -v script.stp --top=20 -c COMMAND".
 *
 * Options of stap may follow the script's name, so the command line is read word by word. After the script's name, or
 * the text of -e, a word "--NAME" is looked up among the options that the script declares (lang/script_options.c)
 * before those of stap. The script is read only if there is such a word. What follows "--" are arguments.
 *
 * An option that initializes a global becomes a setting, which staprun passes to the module: the module, and the key
 * under which the cache finds it, do not depend on its value. Other options, and all options if the module itself is
 * wanted (-p4, --bundle), become --script-option=NAME=VALUE.
 */
#include "translator/script_words.h"

#include <string.h>

#include "common/nearest.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/option_words.h"
#include "translator/examples.h"
#include "translator/sources.h"
#include "translator/lang/script_options.h"

/* An option of the script that was given, and the first of its words. */
struct given {
	const struct declared_option *declared;
	const char *value; /* NULL: none */
	int64_t number;
};

struct reader {
	struct arena *arena;
	int argc;
	char **argv;
	bool *is_taken; /* of each word */
	const char *path, *text; /* of the script, as far as they are known */
	bool has_no_script, is_example, wants_module, wants_help;
	GPtrArray *extra_texts; /* of const char *: -E */
	GPtrArray *globals; /* of const char *: NAME=VALUE of -G */
	GPtrArray *options; /* of struct declared_option *; NULL: not searched for yet */
	GPtrArray *given; /* of struct given * */
};

/* ---- what the script declares ------------------------------------------------------------------------------------ */

/* Find the declarations. A script that cannot be read has none: pass 1 will report that. */
static void find_options(struct reader *r)
{
	struct translation t = {.arena = r->arena};
	struct language_context context = {.arena = r->arena, .diagnostics = diagnostics_new(r->arena)};
	struct source_file *source = NULL;
	struct error *error = NULL;

	context.script_options = r->options = arena_ptr_array(r->arena);
	if (r->text)
		source = source_new(&t, "<input>", (char *)r->text, strlen(r->text));
	else if (r->is_example)
		error = examples_find(r->arena, r->path, &r->path);
	if (!error && !source)
		error = source_read(&t, r->path, &source);
	if (source)
		script_options_scan(&context, source);
	for_each_ptr(const char *, text, r->extra_texts)
		script_options_scan(&context, source_new(&t, "<input>", (char *)text, strlen(text)));
	error_free(error);
}

static bool has_script(const struct reader *r)
{
	return (r->path || r->text) && !r->has_no_script;
}

/* ---- one word ---------------------------------------------------------------------------------------------------- */

static struct error *take_value(struct reader *r, const struct declared_option *declared, const char *value)
{
	struct given *given = arena_new0(r->arena, struct given);
	struct error *error;

	if (!value && declared->option.kind != SCRIPT_OPTION_FLAG && optind < r->argc) {
		r->is_taken[optind] = true;
		value = r->argv[optind++];
	}
	error = script_option_parse(&declared->option, value, &given->number);
	given->declared = declared;
	given->value = value;
	g_ptr_array_add(r->given, given);
	return error;
}

/* Is the next word an option of the script? Then take it. */
static struct error *take_word(struct reader *r, bool *done)
{
	const struct declared_option *declared;
	const char *word, *name;
	size_t length;

	*done = false;
	if (!has_script(r) || optind >= r->argc || !g_str_has_prefix(r->argv[optind], "--") || !r->argv[optind][2])
		return NULL;
	word = r->argv[optind];
	name = word + strlen("--");
	length = strcspn(name, "=");
	if (!r->options)
		find_options(r);
	declared = script_options_find(r->options, name, length);
	if (!declared && strcmp(word, "--help"))
		return NULL;
	*done = true;
	r->is_taken[optind++] = true;
	if (declared)
		return take_value(r, declared, name[length] ? name + length + 1 : NULL);
	r->wants_help = true;
	return NULL;
}

/* Report a word that is an option neither of the script nor of stap; NULL if stap's options should report it. */
static struct error *unknown_word(struct reader *r, const char *word)
{
	const char *name = arena_strndup(r->arena, word, strcspn(word, "="));
	GPtrArray *names = arena_ptr_array(r->arena);
	struct error *error;
	const GPtrArray *near;

	if (!has_script(r) || !r->options || !r->options->len || !g_str_has_prefix(word, "--"))
		return NULL;
	for_each_ptr(const struct declared_option *, declared, r->options)
		g_ptr_array_add(names, (void *)arena_printf(r->arena, "--%s", declared->option.name));
	error = error_new(ERROR_LOOKUP, _("neither the script nor stap has an option %s"), name);
	near = nearest_matches(r->arena, name, names, "", 3);
	return near ? error_with_names(error, r->arena, near)
		    : error_with_hint(error, _("add --help after the script to list its options"));
}

/* Note an option of stap that matters here. */
static void note_option(struct reader *r, const struct option_word *word)
{
	static const char *const no_script[] = {
		"list-lines",	      "list-vars",	  "list-examples",   "dump-functions",
		"dump-probe-aliases", "dump-probe-types", "language-server", "bundle-add",
	};
	const char *name = word->name ?: "";

	for (size_t i = 0; i < G_N_ELEMENTS(no_script); i++)
		r->has_no_script |= !strcmp(name, no_script[i]);
	r->has_no_script |= word->letter == 'l' || word->letter == 'L';
	r->wants_module |= (word->letter == 'p' && g_strcmp0(optarg, "5")) || !strcmp(name, "bundle");
	r->is_example |= !strcmp(name, "example");
	if (word->letter == 'e')
		r->text = optarg;
	if (word->letter == 'E')
		g_ptr_array_add(r->extra_texts, optarg);
	if (word->letter == 'G')
		g_ptr_array_add(r->globals, optarg);
}

/* Read the next option of stap, or the next word. Return false at the end. */
static struct error *read_word(struct reader *r, const struct option_words *words, bool *at_end)
{
	enum { OTHER_WORD = 1 }; /* getopt_long(3) returns it for a word that is no option */
	int first = optind ?: 1, option = getopt_long(r->argc, r->argv, words->letters, words->names, NULL);
	struct error *error;

	*at_end = option == -1;
	if (option == OTHER_WORD && !r->path && !r->text) {
		r->path = optarg;
	} else if (option == '?') {
		error = unknown_word(r, r->argv[optind - 1]);
		r->is_taken[first] |= error != NULL;
		return error;
	} else if (option != OTHER_WORD && option != -1 && option != ':') {
		note_option(r, option_row_of(options_table(), option));
	}
	return NULL;
}

static struct error *read_words(struct reader *r)
{
	struct option_words words;
	struct error *error = NULL;
	bool at_end = false, done;

	/* With "-", getopt_long() returns all words in their order. */
	option_words_make(options_table(), "-:", &words);
	opterr = 0;
	optind = 0;
	while (!error && !at_end) {
		/* Before the first call, optind is 0. */
		error = optind ? take_word(r, &done) : (done = false, NULL);
		if (!error && !done)
			error = read_word(r, &words, &at_end);
	}
	optind = 0;
	return error;
}

/* ---- the result -------------------------------------------------------------------------------------------------- */

static struct error *check_global(const struct reader *r, const struct script_option *option)
{
	size_t length = option->global ? strlen(option->global) : 0;

	for_each_ptr(const char *, setting, r->globals)
		if (length && !strncmp(setting, option->global, length) && setting[length] == '=')
			return error_new(ERROR_OTHER, _("--%s and -G %s exclude each other: both set one global"),
					 option->name, setting);
	return NULL;
}

/* Add what was given to the settings, or to the words if it changes the module. */
static struct error *finish_given(const struct reader *r, const struct given *given, GPtrArray *words,
				  GPtrArray *settings)
{
	const struct script_option *option = &given->declared->option;
	const char *value = given->value ?: "yes";
	_cleanup_free_ char *global = NULL;
	struct script_setting *setting;

	if (!option->global || r->wants_module) {
		g_ptr_array_add(words, (void *)arena_printf(r->arena, "--script-option=%s=%s", option->name, value));
		return check_global(r, option);
	}
	setting = arena_new0(r->arena, struct script_setting);
	setting->option = arena_printf(r->arena, "%s=%s", option->name, value);
	global = script_option_setting(option, value, given->number);
	setting->global = arena_strdup(r->arena, global);
	g_ptr_array_add(settings, setting);
	return check_global(r, option);
}

static struct error *finish(const struct reader *r, struct script_words *ret)
{
	GPtrArray *words = arena_ptr_array(r->arena);
	struct error *error = NULL;

	ret->settings = arena_ptr_array(r->arena);
	ret->wants_help = r->wants_help;
	for (int i = 0; i < r->argc; i++) {
		if (!r->is_taken[i])
			g_ptr_array_add(words, r->argv[i]);
		for (guint j = 0; i == 0 && j < r->given->len && !error; j++)
			error = finish_given(r, g_ptr_array_index(r->given, j), words, ret->settings);
	}
	ret->argc = (int)words->len;
	g_ptr_array_add(words, NULL);
	ret->argv = (char **)words->pdata;
	return error;
}

struct error *script_words_split(struct arena *arena, int argc, char **argv, struct script_words *ret)
{
	struct reader r = {
		.arena = arena,
		.argc = argc,
		.argv = argv,
		.is_taken = arena_alloc(arena, (size_t)(argc + 1) * sizeof(bool)),
		.extra_texts = arena_ptr_array(arena),
		.globals = arena_ptr_array(arena),
		.given = arena_ptr_array(arena),
	};
	struct error *error, *other;

	error = read_words(&r);
	/* What is wrong with one word must not hide the others, which may say how to report it. */
	if (error)
		g_ptr_array_set_size(r.given, 0);
	other = finish(&r, ret);
	return error ?: other;
}
