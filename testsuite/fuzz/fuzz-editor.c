// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fuzzer for editors' sessions (translator/session/): it edits scripts at random and asks everything at random
 * places.
 *
 * Sanitizers find crashes and leaks: what an edit leaves behind would grow without limit in an editor. These are
 * failures, too: a range outside of the text, more items than promised, and formatting that changes tokens or changes
 * its own result.
 *
 * The current text is in a file, so that it remains when the program dies.
 *
 * Usage: fuzz-editor [--seconds N | --rounds N] [--seed N] [--kernel RELEASE] [--input FILE] SCRIPT...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "common/user_directories.h"
#include "testsuite/fuzz/seeds.h"
#include "translator/session/internal.h"

enum { SLOWEST = 60, EDITS_OF_TEXT = 40, MOST_TEXT = 20000 };

struct fuzzer {
	GRand *random;
	GPtrArray *seeds; /* of GString * */
	struct session *session;
	struct document *document;
	const char *input;
	unsigned long edits;
};

static void fail(const char *what)
{
	fprintf(stderr, "FAILED: %s\n", what);
	abort();
}

static size_t pick(struct fuzzer *f, size_t end)
{
	return end ? (size_t)g_rand_int_range(f->random, 0, (gint32)end) : 0;
}

static size_t length_of(const struct fuzzer *f)
{
	return document_text(f->document)->bytes->len;
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static const char *const pieces[] = {
	"{",
	"}",
	"(",
	")",
	"\"",
	"$",
	"@",
	"->",
	"%(",
	"%)",
	"%{",
	"%}",
	"/*",
	"*/",
	"#",
	"\n",
	" ",
	".",
	",",
	";",
	"=",
	"<<<",
	"$file->",
	"@cast(",
	"global x",
	"probe ",
	"function ",
	"foreach (a in b-) ",
	"\\",
	"\r\n",
	"kernel.function(\"vfs_",
	"syscall.",
	"\xc3\xa4",
	"\xf0\x9f\x98\x80",
	"\xff",
	"# stap: -g\n",
	"@define m(a) %( @a %)",
	"process(\"/bin/",
	"timer.s(1)",
	"print(",
	"if (",
	"else",
	"return",
	"$1",
	"@1",
	"try",
	"catch",
};

static const GString *any_seed(struct fuzzer *f)
{
	return g_ptr_array_index(f->seeds, pick(f, f->seeds->len));
}

static void insert_any(struct fuzzer *f, size_t at)
{
	const GString *seed = any_seed(f);
	size_t from = pick(f, seed->len), most = pick(f, 60), length = MIN(seed->len - from, most);
	const char *piece = pieces[pick(f, G_N_ELEMENTS(pieces))];

	if (g_rand_boolean(f->random))
		document_replace(f->document, at, at, piece, strlen(piece));
	else
		document_replace(f->document, at, at + pick(f, 20), seed->str + from, length);
}

static void edit(struct fuzzer *f)
{
	size_t at = pick(f, length_of(f) + 1);

	if (f->edits++ % EDITS_OF_TEXT == 0 || length_of(f) > MOST_TEXT) {
		const GString *seed = any_seed(f);

		document_replace(f->document, 0, SIZE_MAX, seed->str, seed->len);
	} else if (g_rand_int_range(f->random, 0, 3)) {
		insert_any(f, at);
	} else {
		document_replace(f->document, at, at + pick(f, 30), "", 0);
	}
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static void check_range(const struct fuzzer *f, struct range range)
{
	if (range.from > range.to || range.to > length_of(f))
		fail("a range is outside of the text");
}

static void ask_problems(struct fuzzer *f)
{
	for_each_ptr(const struct problem *, problem, document_problems(f->document)) {
		check_range(f, problem->range);
		for_each_ptr(const struct fix *, fix, problem->fixes)
			check_range(f, fix->edit.range);
	}
}

static void ask_completion(struct fuzzer *f)
{
	struct completion completion;

	document_complete(f->document, pick(f, length_of(f) + 2), &completion);
	check_range(f, completion.replaced);
	if (completion.items->len > MOST_ITEMS)
		fail("there are too many items");
}

static void ask_description(struct fuzzer *f)
{
	struct description description;
	struct signature signature;

	if (document_describe(f->document, pick(f, length_of(f) + 2), &description))
		check_range(f, description.range);
	document_signature(f->document, pick(f, length_of(f) + 2), &signature);
}

static void ask_names(struct fuzzer *f)
{
	const GPtrArray *places;
	struct range range;
	struct error *error;

	document_definition(f->document, pick(f, length_of(f) + 2));
	document_references(f->document, pick(f, length_of(f) + 2), true);
	for_each_ptr(const struct range *, use, document_highlights(f->document, pick(f, length_of(f) + 2)))
		check_range(f, *use);
	error = document_prepare_rename(f->document, pick(f, length_of(f) + 2), &range);
	if (!error)
		check_range(f, range);
	error_free(error);
	error_free(document_rename(f->document, pick(f, length_of(f) + 2), "new_name", &places));
}

static void ask_whole(struct fuzzer *f)
{
	const GArray *colors;

	for_each_ptr(const struct outline_item *, item, document_outline(f->document)) {
		check_range(f, item->range);
		check_range(f, item->name_range);
	}
	document_folds(f->document);
	document_inlays(f->document);
	colors = document_colors(f->document);
	for (guint i = 0; i < colors->len; i++)
		check_range(f, g_array_index(colors, struct colored, i).range);
}

/* Do two texts have the same tokens? */
static bool same_tokens(const GString *a, const GString *b)
{
	struct tokens *of_a = tokens_new("a", a->str, a->len), *of_b = tokens_new("b", b->str, b->len);
	bool same = of_a->all->len == of_b->all->len && of_a->comments->len == of_b->comments->len;

	for (guint i = 0; same && i < of_a->all->len; i++)
		same = token_at(of_a, i)->kind == token_at(of_b, i)->kind &&
		       !strcmp(token_at(of_a, i)->text, token_at(of_b, i)->text);
	tokens_free(of_a);
	tokens_free(of_b);
	return same;
}

static void ask_format(struct fuzzer *f)
{
	struct format_style style = {
		.tab_size = g_rand_int_range(f->random, 1, 9),
		.with_spaces = g_rand_boolean(f->random),
	};
	GString *formatted = document_format(f->document, &style), *again;

	if (!formatted)
		return;
	if (!same_tokens(document_text(f->document)->bytes, formatted))
		fail("formatting changes tokens");
	document_replace(f->document, 0, SIZE_MAX, formatted->str, formatted->len);
	again = document_format(f->document, &style);
	if (!again || !g_string_equal(formatted, again))
		fail("a formatted text is formatted differently");
	g_string_free(formatted, TRUE);
	g_string_free(again, TRUE);
}

static void (*const questions[])(struct fuzzer *f) = {
	ask_problems, ask_completion, ask_completion, ask_description, ask_names, ask_whole, ask_format,
};

/* ---- rounds ------------------------------------------------------------------------------------------------------ */

/* Limit the CPU seconds of a round. */
static void limit_time(int seconds)
{
	struct itimerval limit = {.it_value = {.tv_sec = seconds}};

	setitimer(ITIMER_PROF, &limit, NULL);
}

static void round_of(struct fuzzer *f)
{
	const GString *text;

	limit_time(SLOWEST);
	edit(f);
	text = document_text(f->document)->bytes;
	g_file_set_contents(f->input, text->str, (gssize)text->len, NULL);
	questions[pick(f, G_N_ELEMENTS(questions))](f);
	session_poll(f->session);
	if (!pick(f, 500))
		session_work(f->session);
	limit_time(0);
}

static void free_seed(void *seed)
{
	g_string_free(seed, TRUE);
}

int main(int argc, char **argv)
{
	struct fuzzer f = {
		.seeds = g_ptr_array_new_with_free_func(free_seed),
		.input = "/tmp/fuzz-editor.stp",
	};
	const char *words[] = {"-r", NULL, NULL};
	int seconds = 10, rounds = 0, seed = (int)time(NULL);
	gint64 end;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
			seconds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--rounds") && i + 1 < argc)
			rounds = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--seed") && i + 1 < argc)
			seed = atoi(argv[++i]);
		else if (!strcmp(argv[i], "--kernel") && i + 1 < argc)
			words[1] = argv[++i];
		else if (!strcmp(argv[i], "--input") && i + 1 < argc)
			f.input = argv[++i];
		else
			fuzz_read_seed(f.seeds, argv[i]);
	}
	if (!f.seeds->len)
		return 2;
	fprintf(stderr, "seed %d\n", seed);
	f.random = g_rand_new_with_seed((guint32)seed);
	f.session = session_new(words[1] ? translation_cache_directory() : NULL);
	session_set_options(f.session, words[1] ? words : NULL);
	f.document = session_open(f.session, f.input, "", 0);
	end = g_get_monotonic_time() + (gint64)seconds * G_USEC_PER_SEC;
	for (int i = 0; rounds ? i < rounds : g_get_monotonic_time() < end; i++)
		round_of(&f);
	session_free(f.session);
	g_rand_free(f.random);
	g_ptr_array_unref(f.seeds);
	remove(f.input);
	printf("%lu edits\n", f.edits);
	return 0;
}
