// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Convert a request from and to frames. This file does not know what options mean (server_options.c), but it validates
 * every name: paths are absolute and without "..", file names stay in their directory, and a release is well-formed. So
 * the server can create files from a request without further checks.
 */
#include "common/wire/request.h"

#include <string.h>

#include "common/base/i18n.h"

enum {
	MOST_FILES = 4000,
	MOST_ITEMS = 64,
	MOST_OPTIONS = 2000,
	MOST_ARGUMENTS = 1000,
	MOST_VARIABLES = 8,
	LONGEST_NAME = 1024
};

#define LETTERS_AND_DIGITS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

/* Variables that select the language of messages, and the build time stored in a module. */
const char *const request_variables[] = {"LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "SOURCE_DATE_EPOCH", NULL};

bool request_may_have_variable(const char *entry)
{
	size_t length = strcspn(entry, "=");

	if (!entry[length] || strspn(entry + length + 1, LETTERS_AND_DIGITS "._@:-") != strlen(entry + length + 1))
		return false;
	for (const char *const *name = request_variables; *name; name++)
		if (strlen(*name) == length && !strncmp(*name, entry, length))
			return true;
	return false;
}

void request_init(struct request *request, struct arena *arena)
{
	*request = (struct request){
		.arena = arena,
		.environment = arena_ptr_array(arena),
		.options = arena_ptr_array(arena),
		.items = arena_ptr_array(arena),
		.arguments = arena_ptr_array(arena),
	};
}

/* ---- what each frame may be -------------------------------------------------------------------------------------- */

static struct error *nonsense(const char *what)
{
	return error_new(ERROR_OTHER, _("invalid request: %s"), what);
}

/* Return whether a path "a/b" has no empty parts, "." or "..". */
static bool stays_inside(const char *name)
{
	g_auto(GStrv) parts = g_strsplit(name, "/", -1);

	if (!*name)
		return false;
	for (char **part = parts; *part; part++)
		if (!**part || !strcmp(*part, ".") || !strcmp(*part, ".."))
			return false;
	return true;
}

static bool is_plain_path(const char *path)
{
	return *path == '/' && (!path[1] || stays_inside(path + 1));
}

/* Return a NUL-terminated copy, or NULL if the data contains a NUL. */
static const char *copy_text(struct request *request, const char *data, size_t length)
{
	return memchr(data, '\0', length) ? NULL : arena_strndup(request->arena, data, length);
}

static bool is_full(const GPtrArray *array, guint most)
{
	return array->len >= most;
}

/* ---- one for each kind ------------------------------------------------------------------------------------------- */

typedef struct error *frame_taker(struct request *request, const char *data, size_t length);

static struct error *take_version(struct request *request, const char *data, size_t length)
{
	request->version = copy_text(request, data, length);
	if (g_strcmp0(request->version, SERVER_PROTOCOL_VERSION))
		return error_with_hint(error_new(ERROR_UNSUPPORTED,
						 _("the client uses protocol '%s', but the server uses '%s'"),
						 request->version ?: "?", SERVER_PROTOCOL_VERSION),
				       _("install the same version of Spile on both sides"));
	return NULL;
}

static struct error *take_directory(struct request *request, const char *data, size_t length)
{
	request->directory = copy_text(request, data, length);
	return request->directory && is_plain_path(request->directory) ? NULL : nonsense(_("the working directory"));
}

static struct error *take_variable(struct request *request, const char *data, size_t length)
{
	const char *entry = copy_text(request, data, length);

	if (!entry || !request_may_have_variable(entry) || is_full(request->environment, MOST_VARIABLES))
		return nonsense(_("a variable of the environment"));
	g_ptr_array_add(request->environment, (void *)entry);
	return NULL;
}

static struct error *take_kernel(struct request *request, const char *data, size_t length)
{
	const char *end = memchr(data, '\0', length), *data_end;

	if (!end)
		return nonsense(_("the kernel"));
	if (!release_parse(data, end - data, &request->release))
		return nonsense(_("the kernel"));
	/* The build-id is empty if it is unknown. */
	data_end = data + length;
	if (!build_id_parse(end + 1, data_end - (end + 1), &request->build_id) && end + 1 < data_end)
		return nonsense(_("the build-id of the kernel"));
	return NULL;
}

static struct error *take_pass(struct request *request, const char *data, size_t length)
{
	if (length != 1 || *data < '1' || *data > '4')
		return nonsense(_("the pass"));
	request->last_pass = *data - '0';
	return NULL;
}

static struct error *take_option(struct request *request, const char *data, size_t length)
{
	const char *end = memchr(data, '\0', length);
	struct request_option *option = arena_new0(request->arena, struct request_option);

	option->name = arena_strndup(request->arena, data, end ? (size_t)(end - data) : length);
	if (end)
		option->argument = copy_text(request, end + 1, length - (end + 1 - data));
	if (!*option->name || (end && !option->argument) || is_full(request->options, MOST_OPTIONS))
		return nonsense(_("an option"));
	g_ptr_array_add(request->options, option);
	return NULL;
}

static struct error *take_item(struct request *request, const char *data, size_t length)
{
	struct request_item *item = arena_new0(request->arena, struct request_item);

	item->path = length ? copy_text(request, data + 1, length - 1) : NULL;
	if (!item->path || !is_plain_path(item->path) || !item->path[1] || (*data != 'd' && *data != 'f') ||
	    is_full(request->items, MOST_ITEMS))
		return nonsense(_("the path of a file or directory"));
	item->is_directory = *data == 'd';
	item->files = arena_ptr_array(request->arena);
	g_ptr_array_add(request->items, item);
	return NULL;
}

static struct error *take_file(struct request *request, const char *data, size_t length)
{
	const char *end = memchr(data, '\0', length);
	struct request_item *item =
		request->items->len ? g_ptr_array_index(request->items, request->items->len - 1) : NULL;
	struct request_file *file = arena_new0(request->arena, struct request_file);

	if (!item || !end || end - data > LONGEST_NAME || request->file_count++ >= MOST_FILES)
		return nonsense(_("a file"));
	file->name = arena_strndup(request->arena, data, end - data);
	file->length = length - (end + 1 - data);
	file->data = arena_strndup(request->arena, end + 1, file->length);
	if (item->is_directory ? !stays_inside(file->name) : *file->name || item->files->len)
		return nonsense(_("a file"));
	g_ptr_array_add(item->files, file);
	return NULL;
}

static struct error *take_script(struct request *request, const char *data, size_t length)
{
	const char *script = copy_text(request, data, length);

	if (!script || !*script || !strcmp(script, "-") || request->script)
		return nonsense(_("the script"));
	request->script = script;
	return NULL;
}

static struct error *take_input(struct request *request, const char *data, size_t length)
{
	if (request->script)
		return nonsense(_("the script"));
	request->script = "-";
	request->input = arena_strndup(request->arena, data, length);
	request->input_length = length;
	return NULL;
}

static struct error *take_argument(struct request *request, const char *data, size_t length)
{
	const char *argument = copy_text(request, data, length);

	if (!argument || is_full(request->arguments, MOST_ARGUMENTS))
		return nonsense(_("the arguments of the script"));
	g_ptr_array_add(request->arguments, (void *)argument);
	return NULL;
}

static struct error *take_end(struct request *request, const char *data, size_t length)
{
	if (!request->directory || !*request->release.text || !request->last_pass)
		return nonsense(_("it is incomplete"));
	request->is_complete = true;
	return NULL;
}

static const struct {
	enum frame_kind kind;
	frame_taker *take;
} takers[] = {
	{FRAME_VERSION, take_version}, {FRAME_DIRECTORY, take_directory}, {FRAME_ENVIRONMENT, take_variable},
	{FRAME_KERNEL, take_kernel},   {FRAME_PASS, take_pass},		  {FRAME_OPTION, take_option},
	{FRAME_ITEM, take_item},       {FRAME_FILE, take_file},		  {FRAME_SCRIPT, take_script},
	{FRAME_INPUT, take_input},     {FRAME_ARGUMENT, take_argument},	  {FRAME_END, take_end},
};

struct error *request_add(struct request *request, enum frame_kind kind, const char *data, size_t length)
{
	/* The version must come first, because another version may have other frames. */
	if (request->is_complete || (!request->version) != (kind == FRAME_VERSION))
		return nonsense(_("the order of its frames"));
	for (size_t i = 0; i < G_N_ELEMENTS(takers); i++)
		if (takers[i].kind == kind)
			return takers[i].take(request, data, length);
	return nonsense(_("it has frames of an answer"));
}

/* ---- to frames --------------------------------------------------------------------------------------------------- */

static void append_text(GByteArray *to, enum frame_kind kind, const char *text)
{
	frame_append(to, kind, text, strlen(text));
}

static void append_item(GByteArray *to, const struct request_item *item)
{
	g_autofree char *head = g_strconcat(item->is_directory ? "d" : "f", item->path, NULL);

	append_text(to, FRAME_ITEM, head);
	for_each_ptr(const struct request_file *, file, item->files)
		frame_append_pair(to, FRAME_FILE, file->name, file->data, file->length);
}

void request_append(const struct request *request, GByteArray *to)
{
	const char pass = '0' + request->last_pass;

	append_text(to, FRAME_VERSION, SERVER_PROTOCOL_VERSION);
	append_text(to, FRAME_DIRECTORY, request->directory);
	for_each_ptr(const char *, entry, request->environment)
		append_text(to, FRAME_ENVIRONMENT, entry);
	frame_append_pair(to, FRAME_KERNEL, request->release.text, request->build_id.text,
			  strlen(request->build_id.text));
	frame_append(to, FRAME_PASS, &pass, 1);
	for_each_ptr(const struct request_option *, option, request->options) {
		if (option->argument)
			frame_append_pair(to, FRAME_OPTION, option->name, option->argument, strlen(option->argument));
		else
			append_text(to, FRAME_OPTION, option->name);
	}
	for_each_ptr(const struct request_item *, item, request->items)
		append_item(to, item);
	if (request->input)
		frame_append(to, FRAME_INPUT, request->input, request->input_length);
	else if (request->script)
		append_text(to, FRAME_SCRIPT, request->script);
	for_each_ptr(const char *, argument, request->arguments)
		append_text(to, FRAME_ARGUMENT, argument);
	frame_append(to, FRAME_END, NULL, 0);
}
