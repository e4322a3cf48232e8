// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetching DWARF by build-id from the debuginfod servers in $DEBUGINFOD_URLS.
 *
 * The build-id is that of the boot image, the running kernel, or a module's file; the fetched file is then read like a
 * local one. The library, with its HTTPS dependencies, is loaded only when needed, as libdw does.
 */
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/sources/sources.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/process.h"
#include "common/progress.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/message.h"

struct client {
	void *library;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_debuginfo) *find;
	__typeof__(debuginfod_set_progressfn) *set_progress;
};

/* Load the library. It is never unloaded, because not all versions of curl can be initialized twice. */
static bool load(struct client *client)
{
	client->library = dlopen(DEBUGINFOD_SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (!client->library)
		return false;
	client->begin = dlsym(client->library, "debuginfod_begin");
	client->end = dlsym(client->library, "debuginfod_end");
	client->find = dlsym(client->library, "debuginfod_find_debuginfo");
	client->set_progress = dlsym(client->library, "debuginfod_set_progressfn");
	return client->begin && client->end && client->find && client->set_progress;
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

/*
 * Fetch a file and return its path in debuginfod's cache. If no server has it or none answers, leave *path NULL, so
 * that other sources are used.
 */
static struct error *fetch(const struct client *client, const char *build_id, char **path)
{
	debuginfod_client *session = client->begin();
	int fd;

	if (!session)
		return NULL;
	under_way = progress_begin(_("downloading debuginfo"));
	client->set_progress(session, show_progress);
	fd = client->find(session, (const unsigned char *)build_id, 0, path);
	client->end(session);
	progress_end(under_way);
	under_way = NULL;
	if (process_interrupted())
		return error_new(ERROR_INTERRUPTED, _("interrupted while fetching debuginfo"));
	if (fd >= 0) {
		close(fd);
	} else if (fd != -ENOENT) {
		message_warn(_("debuginfod: cannot fetch build-id %s: %s"), build_id, g_strerror(-fd));
	}
	return NULL;
}

struct error *open_debuginfod(struct debuginfo *debuginfo, bool *found)
{
	const char *urls = g_getenv("DEBUGINFOD_URLS");
	g_autofree char *build_id = NULL;
	_cleanup_free_ char *path = NULL;
	struct client client;
	struct error *error;

	if (!urls || !urls[strspn(urls, " ")])
		return NULL;
	file_facts_give_up(debuginfo->search.facts);
	build_id = wanted_build_id(debuginfo);
	if (!build_id || !load(&client))
		return NULL;
	error = fetch(&client, build_id, &path);
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
