// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * debuginfod: the DWARF of a kernel or module by its build-id, from the servers in $DEBUGINFOD_URLS.
 *
 * The build-id comes from the boot image or the running kernel, a module's from its file; what is fetched is then read
 * as if it lay on this machine. The library, and all that it needs to speak HTTPS, is loaded only when it is asked
 * something: libdw does the same.
 */
#include "translator/debuginfo/kernel/kernel.h"
#include "translator/debuginfo/sources/sources.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "translator/util/cleanup.h"
#include "translator/util/i18n.h"
#include "translator/util/process.h"

struct client {
	void *library;
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_debuginfo) *find;
	__typeof__(debuginfod_set_progressfn) *set_progress;
};

/* The library stays loaded: curl cannot be initialised twice in all its versions. */
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

/* A kernel is half a gigabyte: whoever waits at a terminal is told how far it is, and can give up. */
static int show_progress(debuginfod_client *client, long done, long total)
{
	if (isatty(STDERR_FILENO) && total > 0) {
		fputc('\r', stderr);
		fprintf(stderr, _("fetching debuginfo: %ld of %ld MB"), done >> 20, total >> 20);
	}
	return process_interrupted();
}

/* Build-id of the kernel, or of the module's own file; NULL if it is not known. */
static char *wanted_build_id(const struct debuginfo *debuginfo)
{
	const char *code, *debug;

	if (debuginfo->kind == OBJECT_KERNEL)
		return g_strdup(debuginfo->kernel.build_id);
	kernel_module_files(&debuginfo->kernel, debuginfo->arena, debuginfo->name, &code, &debug);
	if (debuginfo->named_file)
		code = debuginfo->named_file;
	return code ? elf_file_build_id(code) : NULL;
}

/*
 * The path of the file in debuginfod's own cache; NULL if no server has it, or none answers: then what this machine has
 * must do, and nobody is kept waiting for a network at night.
 */
static struct error *fetch(const struct client *client, const char *build_id, char **path)
{
	debuginfod_client *session = client->begin();
	int fd;

	if (!session)
		return NULL;
	client->set_progress(session, show_progress);
	fd = client->find(session, (const unsigned char *)build_id, 0, path);
	client->end(session);
	if (isatty(STDERR_FILENO))
		fputs("\r\033[K", stderr);
	if (process_interrupted())
		return error_new(ERROR_INTERRUPTED, _("interrupted while debuginfo was fetched"));
	if (fd >= 0) {
		close(fd);
	} else if (fd != -ENOENT) {
		fprintf(stderr, _("debuginfod: build-id %s cannot be fetched: %s"), build_id, g_strerror(-fd));
		fputc('\n', stderr);
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
	error = open_dwarf_file(debuginfo, path);
	if (!error && strcmp(debuginfo->build_id, build_id) != 0)
		error = error_new(ERROR_DEBUGINFO, _("debuginfod sent build-id %s instead of %s"), debuginfo->build_id,
				  build_id);
	return error;
}
