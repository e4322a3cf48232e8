// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The "module" argument of @cast, @var, @sizeof and similar operators. It is "kernel", a module's name, the path of its
 * file, header files ("kernel<linux/x.h>", "<sys/x.h>"), or the path of a program. In a list separated by ':', the
 * first entry that has the type or variable is used.
 *
 * Programs and header files are opened for their types only. This directory may not call the compiler, so it calls
 * translation.compile_headers, which main.c sets. The types of programs and of their headers describe user memory.
 */
#include "translator/lowering/type_modules.h"

#include <string.h>

#include "common/files.h"
#include "common/process.h"
#include "common/base/i18n.h"

static bool names_headers(const char *module)
{
	return strchr(module, '<') != NULL;
}

static bool names_program(const char *module)
{
	return strchr(module, '/') && !names_headers(module) && !strstr(module, ".ko");
}

/* Return whether the text is one or more header names, such as "<a.h><b.h>". */
static bool are_headers(const char *text)
{
	while (*text == '<') {
		size_t length = strcspn(text, ">\n\\\"");

		if (length < 2 || text[length] != '>')
			return false;
		text += length + 1;
	}
	return !*text;
}

static struct error *open_headers(struct translation *t, const char *module, struct debuginfo **ret)
{
	const char *headers = strchr(module, '<');
	bool for_kernel = headers != module;
	struct debuginfo_search search = t->search;
	g_autofree char *directory = NULL, *path = NULL;
	struct error *error;

	file_facts_give_up(t->search.facts);
	if (!are_headers(headers) || (for_kernel && strncmp(module, "kernel<", strlen("kernel<"))))
		return error_with_hint(error_new(ERROR_OTHER, _("'%s' names no header files"), module),
				       _("the form is \"kernel<linux/x.h>\" or, for programs, \"<sys/x.h>\""));
	error = directory_make_temporary(&directory);
	error = error ?: t->compile_headers(t, headers, for_kernel, directory, &path);
	search.cache_directory = NULL;
	error = error
			?: debuginfo_open_types(&t->kernel, &search, path, module,
						for_kernel ? MEMORY_KERNEL : MEMORY_USER, ret);
	/* Read all of it now, because the file is removed next. */
	error = error ?: debuginfo_prepare(*ret);
	if (directory)
		remove_tree(directory);
	return error;
}

/* Open a program or header files for their types. Keep them by the text that names them. */
static struct error *open_types(struct translation *t, const char *module, struct debuginfo **ret)
{
	g_autofree char *file = NULL;
	struct error *error;
	const char *path;

	*ret = g_hash_table_lookup(t->type_files, module);
	if (*ret)
		return NULL;
	if (names_headers(module)) {
		error = open_headers(t, module, ret);
	} else {
		/* With a sysroot, open the program below it; messages call it as the script does. */
		file = t->search.sysroot.directory ? sysroot_resolve(&t->search.sysroot, module) : NULL;
		path = file ?: sysroot_inside(&t->search.sysroot, module);
		error = debuginfo_open_types(&t->kernel, &t->search, path, module, MEMORY_USER, ret);
	}
	if (*ret)
		g_hash_table_insert(t->type_files, g_strdup(module), *ret);
	return error;
}

/* Return the end of the first entry of a list. A ':' between '<' and '>' is part of a name. */
static const char *end_of_first(const char *list)
{
	bool in_header = false;

	for (; *list && (in_header || *list != ':'); list++) {
		if (*list == '<' || *list == '>')
			in_header = *list == '<';
	}
	return list;
}

static struct error *open_one(struct translation *t, struct derived_probe *probe, const char *module,
			      struct debuginfo **ret)
{
	if (!module && probe && probe->registration.debuginfo) {
		*ret = probe->registration.debuginfo;
		return NULL;
	}
	if (module && !*module)
		return error_new(ERROR_OTHER, _("the module name is empty"));
	if (module && (names_headers(module) || names_program(module)))
		return open_types(t, module, ret);
	return translation_debuginfo(t, module ?: "kernel", ret);
}

/* Join two errors into one. Takes ownership of both; @before may be NULL. */
static struct error *joined_error(struct error *before, struct error *now)
{
	const struct error *hinting;
	struct error *both;

	if (!before)
		return now;
	both = error_new(before->code, "%s; %s", before->message, now->message);
	hinting = before->hint ? before : now;
	if (hinting->hint)
		error_with_hint(both, "%s", hinting->hint);
	for (char **name = hinting->alternatives; name && *name; name++)
		error_with_alternative(both, *name);
	error_free(before);
	error_free(now);
	return both;
}

struct error *search_modules(struct translation *t, struct derived_probe *probe, const char *modules,
			     search_module *search, void *data)
{
	struct error *all = NULL, *error;
	struct debuginfo *debuginfo;

	do {
		const char *end = modules ? end_of_first(modules) : NULL;
		const char *module = modules ? arena_strndup(t->arena, modules, end - modules) : NULL;

		error = open_one(t, probe, module, &debuginfo);
		error = error ?: search(debuginfo, data);
		if (!error) {
			error_free(all);
			return NULL;
		}
		all = joined_error(all, error);
		modules = end && *end ? end + 1 : NULL;
	} while (modules);
	return all;
}

struct type_search {
	const char *name;
	struct type *type;
};

static struct error *search_type(struct debuginfo *debuginfo, void *data)
{
	struct type_search *search = data;

	return debuginfo_find_type(debuginfo, search->name, &search->type);
}

struct error *find_named_type(struct translation *t, struct derived_probe *probe, const char *name, const char *modules,
			      struct type **ret)
{
	struct type_search search = {name, NULL};
	struct error *error = search_modules(t, probe, modules, search_type, &search);

	*ret = search.type;
	return error;
}
