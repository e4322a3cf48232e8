// SPDX-License-Identifier: GPL-2.0-or-later
/* Input for both sides of a compile server: requests of clients, and answers of servers. */
#include <stdio.h>
#include <string.h>

#include "common/base/paths.h"
#include "common/wire/request.h"
#include "common/wire/server_options.h"
#include "testsuite/fuzz/inputs.h"
#include "translator/client/answer.h"

#define CHOSEN(random, array) ((array)[fuzz_below(random, 0, G_N_ELEMENTS(array))])

/* Make random bytes. */
static void append_noise(GRand *random, GByteArray *out)
{
	for (guint i = fuzz_below(random, 0, 40); i--;) {
		guint8 byte = fuzz_below(random, 0, 256);

		g_byte_array_append(out, &byte, 1);
	}
}

static gsize piece_length(GRand *random, gsize left)
{
	gsize length = fuzz_below(random, 1, 100);

	return MIN(length, left);
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"a.stp",
				    "x86/b.stp",
				    "../c",
				    "a/../../etc/passwd",
				    "",
				    ".",
				    "/",
				    "//",
				    "/tmp",
				    "/a/./b",
				    "/home/u/s.stp",
				    "\n",
				    "-",
				    "a b",
				    "\377\376",
				    "a//b",
				    "/a/",
				    "..",
				    "c.stpm"};

static void add_frame(GRand *random, GByteArray *out)
{
	static const enum frame_kind texts[] = {FRAME_DIRECTORY, FRAME_SCRIPT, FRAME_ARGUMENT, FRAME_INPUT,
						FRAME_VERSION};
	static const char *const variables[] = {"LANG=de_DE.UTF-8",
						"LD_PRELOAD=/tmp/x.so",
						"LC_ALL=",
						"LANGUAGE=a/b",
						"SOURCE_DATE_EPOCH=1",
						"PATH",
						"="};
	static const char *const options[] = {"v", "g",	    "D", "I", "B", "k", "privilege",
					      "m", "color", "c", "r", "R", "u", "suppress-time-limits",
					      "=", "D\nX"};
	static const char *const releases[] = {"6.1.0-1-amd64", "6.12", "../6", ".6", "", "6.1 -x", "7.3-rc1+x~1"};
	g_autoptr(GByteArray) noise = g_byte_array_new();
	g_autofree char *item = NULL;
	const char *text;

	append_noise(random, noise);
	switch (fuzz_below(random, 0, 8)) {
	case 0:
		frame_append_pair(out, FRAME_KERNEL, CHOSEN(random, releases), "0123abcd", fuzz_below(random, 0, 9));
		break;
	case 1:
		text = CHOSEN(random, options);
		frame_append(out, FRAME_OPTION, text, strlen(text));
		break;
	case 2:
		frame_append_pair(out, FRAME_OPTION, CHOSEN(random, options), noise->data, noise->len);
		break;
	case 3:
		item = g_strconcat(fuzz_below(random, 0, 2) ? "d" : "f", CHOSEN(random, names), NULL);
		frame_append(out, FRAME_ITEM, item, strlen(item));
		break;
	case 4:
		frame_append_pair(out, FRAME_FILE, CHOSEN(random, names), noise->data, noise->len);
		break;
	case 5:
		text = CHOSEN(random, variables);
		frame_append(out, FRAME_ENVIRONMENT, text, strlen(text));
		break;
	case 6:
		text = CHOSEN(random, names);
		frame_append(out, CHOSEN(random, texts), text, strlen(text));
		break;
	default:
		frame_append(out, "VLEKPOIFSiA.Cmornksxe"[fuzz_below(random, 0, 21)], noise -> data, noise -> len);
	}
}

/* Make a request that is mostly valid, with additions. */
static void make_request(GRand *random, GByteArray *out)
{
	static const char pass = '4';

	frame_append(out, FRAME_VERSION, SERVER_PROTOCOL_VERSION, strlen(SERVER_PROTOCOL_VERSION));
	if (fuzz_below(random, 0, 8))
		frame_append(out, FRAME_DIRECTORY, "/home/u", strlen("/home/u"));
	if (fuzz_below(random, 0, 8))
		frame_append_pair(out, FRAME_KERNEL, "6.1.0-1-amd64", "01ab", 4);
	frame_append(out, FRAME_PASS, &pass, 1);
	for (guint i = fuzz_below(random, 0, 12); i--;)
		add_frame(random, out);
	frame_append(out, FRAME_END, NULL, 0);
}

static void must(bool holds, const char *what)
{
	if (!holds)
		fuzz_wrong(what);
}

/* Check the parts that the server writes to files and passes to its stap without further checks. */
static void check_inside(const char *path, bool is_absolute)
{
	g_autofree char *framed = g_strdup_printf("/%s/", is_absolute ? path + 1 : path);

	must((*path == '/') == is_absolute, "a path is not of its kind");
	must(!strcmp(path, "/") || !strstr(framed, "//"), "a path has empty parts");
	must(!strstr(framed, "/../") && !strstr(framed, "/./"), "a path leaves its directory");
}

static void check_request(const struct request *request)
{
	check_inside(request->directory, true);
	must(request->last_pass >= 1 && request->last_pass <= 4, "there is no such pass");
	must(!strchr(request->release.text, '/') && g_ascii_isalnum(*request->release.text), "that is no release");
	for_each_ptr(const char *, entry, request->environment)
		must(!g_str_has_prefix(entry, "LD_") && !g_str_has_prefix(entry, "PATH"), "such a variable is let in");
	for_each_ptr(const struct request_item *, item, request->items) {
		check_inside(item->path, true);
		must(item->is_directory || item->files->len <= 1, "a file has several contents");
		for_each_ptr(const struct request_file *, file, item->files) {
			must(item->is_directory || !*file->name, "a file has a name in itself");
			if (item->is_directory)
				check_inside(file->name, false);
		}
	}
	for_each_ptr(const struct request_option *, option, request->options)
		if (!strcmp(option->name, "B") || !strcmp(option->name, "k") || !strcmp(option->name, "R"))
			must(!server_option_takes(option->name, option->argument), "such an option is let in");
}

/* Feed the request in pieces of random size. */
static struct error *read_request(GRand *random, const guint8 *bytes, gsize size, struct request *request)
{
	struct frame_reader reader;
	struct error *error = NULL;

	frame_reader_init(&reader, REQUEST_MOST_BYTES);
	for (gsize used = 0; used < size && !error && !request->is_complete;) {
		gsize piece = piece_length(random, size - used);
		enum frame_kind kind = 0;
		const char *data;
		size_t length;

		frame_reader_feed(&reader, bytes + used, piece);
		used += piece;
		while (!error && !(error = frame_reader_next(&reader, &kind, &data, &length)) && kind)
			error = request_add(request, kind, data, length);
	}
	frame_reader_clear(&reader);
	return error;
}

/* Check that an accepted request is the same after it was written and read again. */
static void check_round_trip(GRand *random, const struct request *request)
{
	g_autoptr(GByteArray) first = g_byte_array_new(), second = g_byte_array_new();
	struct request again;

	request_append(request, first);
	request_init(&again, request->arena);
	must(!read_request(random, first->data, first->len, &again) && again.is_complete,
	     "it is refused when repeated");
	request_append(&again, second);
	must(first->len == second->len && !memcmp(first->data, second->data, first->len),
	     "it is another when repeated");
}

static void feed_request(GRand *random, const guint8 *bytes, gsize size)
{
	struct arena *arena = arena_new();
	struct request request;
	struct error *error;

	request_init(&request, arena);
	error = read_request(random, bytes, size, &request);
	if (!error && request.is_complete) {
		check_request(&request);
		check_round_trip(random, &request);
	}
	error_free(error);
	arena_free(arena);
}

const struct input_kind input_request = {"request", make_request, feed_request};

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void make_answer(GRand *random, GByteArray *out)
{
	static const enum frame_kind kinds[] = {FRAME_MESSAGES, FRAME_OUTPUT, FRAME_RELEASE,   FRAME_NAME,
						FRAME_MODULE,	FRAME_MODULE, FRAME_SIGNATURE, FRAME_ERROR};
	static const char *const texts[] = {"stap_0123", "6.1.0-1-amd64", "../x", "",  "a/b",  "0",
					    "1\n2",	 "a\033[2Jb",	  "-1",	  "9", "stap", "%s%n"};
	const char *text;

	if (fuzz_below(random, 0, 4))
		frame_append(out, FRAME_NAME, "stap_1", strlen("stap_1"));
	for (guint i = fuzz_below(random, 0, 8); i--;) {
		g_autoptr(GByteArray) noise = g_byte_array_new();

		append_noise(random, noise);
		text = CHOSEN(random, texts);
		if (fuzz_below(random, 0, 2))
			frame_append(out, CHOSEN(random, kinds), text, strlen(text));
		else
			frame_append_pair(out, CHOSEN(random, kinds), text, noise->data, noise->len);
	}
	text = CHOSEN(random, texts);
	if (fuzz_below(random, 0, 2))
		text = "0";
	frame_append(out, FRAME_STATUS, text, strlen(text));
}

/* Check that only the module and its signature were written, both in the directory. */
static void check_answer(const struct server_answer *answer, const char *directory)
{
	g_autofree char *wanted = NULL, *signature = NULL;
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	must(answer->status >= 0 && answer->status <= 255, "there is no such status");
	must(!strchr(answer->release.text, '/'), "that is no release");
	if (answer->module_path) {
		wanted = g_strdup_printf("%s.ko", answer->module_name.text);
		signature = g_strconcat(wanted, SIGNATURE_SUFFIX, NULL);
		must(!strchr(wanted, '/') && *wanted != '.', "the module is elsewhere");
	}
	while ((name = g_dir_read_name(dir)))
		must(!g_strcmp0(name, wanted) || !g_strcmp0(name, signature), "there are other files");
}

static void remove_files(const char *directory)
{
	g_autoptr(GDir) dir = g_dir_open(directory, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		remove(path);
	}
	remove(directory);
}

static void feed_answer(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *directory = g_strdup_printf("%s/answer-XXXXXX", fuzz_directory());
	struct arena *arena = arena_new();
	struct server_answer answer;
	struct answer_reader reader;
	struct error *error = NULL;
	FILE *nowhere = fopen("/dev/null", "we");

	if (!nowhere || !g_mkdtemp(directory))
		g_error("cannot make %s", directory);
	answer_init(&reader, arena, directory, &answer);
	reader.output = reader.messages = nowhere;
	for (gsize used = 0; used < size && !error && !reader.is_complete;) {
		gsize piece = piece_length(random, size - used);

		error = answer_feed(&reader, bytes + used, piece);
		used += piece;
	}
	check_answer(&answer, directory);
	error_free(error);
	answer_clear(&reader);
	fclose(nowhere);
	remove_files(directory);
	arena_free(arena);
}

const struct input_kind input_answer = {"answer", make_answer, feed_answer};
