// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetching DWARF and programs by build-id from the debuginfod servers in $DEBUGINFOD_URLS, and searching the programs
 * that these have.
 *
 * The build-id of DWARF is that of the boot image, the running kernel, a module's file or a program; the fetched file
 * is then read like a local one. The library, with its HTTPS dependencies, is loaded only when needed, as libdw does.
 * Searching needs version 0.192 of it; its headers may be older.
 */
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/sources/sources.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/json_reader.h"
#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/foreign.h"
#include "common/base/i18n.h"
#include "common/base/message.h"

struct client {
	void *library;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_set_progressfn) *set_progress;
	/* NULL in old versions */
	int (*find_metadata)(debuginfod_client *client, const char *key, const char *value, char **path);
};

/* Load the library. It is never unloaded, because not all versions of curl can be initialized twice. */
static bool load(struct client *client)
{
	client->library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (!client->library)
		return false;
	client->begin = dlsym(client->library, "debuginfod_begin");
	client->end = dlsym(client->library, "debuginfod_end");
	client->find_debuginfo = dlsym(client->library, "debuginfod_find_debuginfo");
	client->find_executable = dlsym(client->library, "debuginfod_find_executable");
	client->find_metadata = dlsym(client->library, "debuginfod_find_metadata");
	client->set_progress = dlsym(client->library, "debuginfod_set_progressfn");
	return client->begin && client->end && client->find_debuginfo && client->find_executable &&
	       client->set_progress;
}

static _Thread_local struct progress *under_way;

/* Show progress, because a kernel's file has half a gigabyte, and let the user interrupt. */
static int show_progress(debuginfod_client *client, long done, long total)
{
	if (total > 0)
		progress_amount(under_way, (uint64_t)done, (uint64_t)total);
	return process_interrupted();
}

/* Return the build-id of the kernel or of the module's own file; NULL if it is not known. */
static char *wanted_build_id(const struct debuginfo *debuginfo)
{
	const char *code, *debug;

	if (debuginfo->kind == OBJECT_KERNEL)
		return g_strdup(debuginfo->kernel.build_id);
	if (!object_is_kernels(debuginfo->kind) && !debuginfo->named_file)
		return g_strdup(debuginfo->build_id);
	kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->name, &code, &debug);
	if (debuginfo->named_file)
		code = debuginfo->named_file;
	return code ? elf_file_build_id(code) : NULL;
}

static bool has_servers(void)
{
	const char *urls = g_getenv("DEBUGINFOD_URLS");

	return urls && urls[strspn(urls, " ")];
}

/* What to ask of the servers. */
struct request {
	const char *build_id, *key, *value; /* a file by build-id, or the programs that have a value */
	bool is_program; /* the program, not its debuginfo */
};

static int find(const struct client *client, debuginfod_client *session, const struct request *request, char **path)
{
	const unsigned char *id = (const unsigned char *)request->build_id;

	if (request->key)
		return client->find_metadata(session, request->key, request->value, path);
	if (request->is_program)
		return client->find_executable(session, id, 0, path);
	return client->find_debuginfo(session, id, 0, path);
}

/*
 * Fetch a file and return its path in debuginfod's cache. If no server has it or none answers, leave *path NULL, so
 * that other sources are used.
 */
static struct error *fetch(const struct client *client, const struct request *request, char **path)
{
	debuginfod_client *session = client->begin();
	int fd;

	if (!session)
		return NULL;
	under_way = progress_begin(request->key		 ? _("searching debuginfod servers")
				   : request->is_program ? _("downloading a program")
							 : _("downloading debuginfo"));
	client->set_progress(session, show_progress);
	fd = find(client, session, request, path);
	client->end(session);
	progress_end(under_way);
	under_way = NULL;
	if (process_interrupted())
		return error_new(ERROR_INTERRUPTED, _("interrupted while fetching debuginfo"));
	if (fd >= 0)
		close(fd);
	else if (fd != -ENOENT && request->key)
		message_warn(_("debuginfod: cannot search programs: %s"), g_strerror(-fd));
	else if (fd != -ENOENT)
		message_warn(_("debuginfod: cannot fetch build-id %s: %s"), request->build_id, g_strerror(-fd));
	return NULL;
}

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found)
{
	g_autofree char *build_id = NULL;
	_cleanup_free_ char *path = NULL;
	struct client client;
	struct error *error;

	if (!has_servers())
		return NULL;
	file_facts_give_up(debuginfo->search.facts);
	build_id = wanted_build_id(debuginfo);
	if (!build_id || !load(&client))
		return NULL;
	error = fetch(&client, &(struct request){.build_id = build_id}, &path);
	*found = error || path;
	if (error || !path)
		return error;
	if (!object_is_kernels(debuginfo->kind) && !debuginfo->named_file)
		debuginfo->named_file = arena_strdup(debuginfo->arena, path);
	error = open_dwarf_file(debuginfo, path);
	if (!error && strcmp(debuginfo->build_id, build_id) != 0)
		error = error_new(ERROR_DEBUGINFO, _("debuginfod sent build-id %s instead of %s"), debuginfo->build_id,
				  build_id);
	return error;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

struct error *debuginfod_program(struct arena *arena, const char *build_id, const char **ret)
{
	_cleanup_free_ char *path = NULL;
	struct client client;
	struct error *error;

	*ret = NULL;
	if (!has_servers() || !load(&client))
		return NULL;
	error = fetch(&client, &(struct request){.build_id = build_id, .is_program = true}, &path);
	if (path)
		*ret = arena_strdup(arena, path);
	return error;
}

static const char *read_text(struct arena *arena, struct json_reader *reader)
{
	struct json_bytes text = json_read_string(reader);

	return arena_strndup(arena, text.bytes, text.length);
}

static void read_program(struct arena *arena, struct json_reader *reader, GPtrArray *ret)
{
	struct served_program *program = arena_new0(arena, struct served_program);
	struct build_id build_id;
	struct json_bytes name;
	bool is_program = false;

	build_id_parse("", 0, &build_id);
	while (json_next_member(reader, &name)) {
		if (json_bytes_are(&name, "type")) {
			struct json_bytes type = json_read_string(reader);

			is_program = json_bytes_are(&type, "executable");
		} else if (json_bytes_are(&name, "buildid")) {
			struct json_bytes text = json_read_string(reader);

			build_id_parse(text.bytes, text.length, &build_id);
		} else if (json_bytes_are(&name, "file")) {
			program->path = read_text(arena, reader);
		} else if (json_bytes_are(&name, "archive")) {
			program->archive = read_text(arena, reader);
		} else {
			json_skip(reader);
		}
	}
	program->build_id = arena_strdup(arena, build_id.text);
	if (is_program && *build_id.text && program->path)
		g_ptr_array_add(ret, program);
}

/* Read the servers' answer: { "results": [ { "type": "executable", "buildid": …, "file": … } ], "complete": true } */
static struct error *read_programs(struct arena *arena, const char *path, GPtrArray *ret, bool *complete)
{
	g_autoptr(GError) failure = NULL;
	g_autofree char *text = NULL;
	struct json_reader reader;
	struct json_bytes name;
	struct error *error = NULL;
	gsize length;

	if (!g_file_get_contents(path, &text, &length, &failure))
		return error_new(ERROR_SYSTEM, "%s", failure->message);
	json_reader_init(&reader, text, length);
	while (json_next_member(&reader, &name)) {
		if (json_bytes_are(&name, "results"))
			while (json_next_item(&reader))
				read_program(arena, &reader, ret);
		else if (json_bytes_are(&name, "complete"))
			*complete = json_read_boolean(&reader);
		else
			json_skip(&reader);
	}
	json_finish(&reader);
	if (reader.mistake)
		error = error_new(ERROR_DEBUGINFO, _("debuginfod: cannot read the list of programs: %s"),
				  reader.mistake);
	json_reader_clear(&reader);
	return error;
}

struct error *debuginfod_search(struct arena *arena, const char *key, const char *value, GPtrArray *ret, bool *complete)
{
	_cleanup_free_ char *path = NULL;
	struct client client;
	struct error *error;

	*complete = true;
	if (!has_servers())
		return error_with_hint(error_new(ERROR_DEBUGINFO, _("DEBUGINFOD_URLS is not set")),
				       _("set it to the addresses of debuginfod servers; see debuginfod(8)"));
	if (!load(&client))
		return error_with_hint(error_new(ERROR_DEBUGINFO, _("cannot load %s"), DEBUGINFOD_SONAME),
				       _("install libdebuginfod1"));
	if (!client.find_metadata)
		return error_with_hint(error_new(ERROR_DEBUGINFO, _("the installed %s cannot search for programs"),
						 DEBUGINFOD_SONAME),
				       _("install version 0.192 of it or later, or name the program by its build-id: "
					 "process(\"BUILD-ID\")"));
	error = fetch(&client, &(struct request){.key = key, .value = value}, &path);
	return error || !path ? error : read_programs(arena, path, ret, complete);
}
