// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recognize scripts that were translated before, so that a script with ten thousand probes starts as fast as one with a
 * single probe.
 *
 * The module that passes 1 to 4 make depends on stap itself, its command line and environment, the text of the script,
 * the files of the library, and the kernel. All of these are known before pass 1. Their checksum is the key under which
 * the cache stores the name of the resulting module. Runtime and compiler are not in the key, because each combination
 * of them has its own cache directory (build/kbuild.c).
 *
 * The programs and libraries that a script uses are known only after pass 2. So facts about their files, and about the
 * places where they were searched for, are stored with the result (common/file_facts.c). They are checked before reuse.
 *
 * A result is not stored if the script caused a warning, which must be shown each time. It is not stored either if it
 * depends on files that are neither in the key nor in the facts: kernel modules, header files, downloads of debuginfod,
 * and files below --sysroot.
 */
#include "translator/script_cache.h"

#include <string.h>
#include <sys/stat.h>

#include "common/files.h"

/* Prefixes of the environment variables that can affect the translation. */
static const char *const environment[] = {"SPILE_", "SYSTEMTAP_", "DEBUGINFOD_", "DTRACE_OPT_", "LANG", "LC_", "TZ="};

static void add(struct translation *t, const char *text)
{
	/* Include the NUL as a separator. */
	g_checksum_update(t->identity, (const guchar *)text, strlen(text) + 1);
}

/* Add name, inode, size and time of a file, without reading it. */
static void add_file(struct translation *t, const char *path)
{
	g_autofree char *text = NULL;
	struct stat status;

	if (!path || stat(path, &status)) {
		add(t, "none");
		return;
	}
	text = g_strdup_printf("%s %lu %lld %lld.%ld", path, (unsigned long)status.st_ino, (long long)status.st_size,
			       (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
	add(t, text);
}

static void add_environment(struct translation *t)
{
	g_auto(GStrv) all = g_get_environ();

	qsort(all, g_strv_length(all), sizeof(*all), compare_strings);
	for (char **entry = all; *entry; entry++)
		for (size_t i = 0; i < G_N_ELEMENTS(environment); i++)
			if (g_str_has_prefix(*entry, environment[i]))
				add(t, *entry);
}

void known_begin(struct translation *t, int argc, char **argv)
{
	g_autofree char *directory = g_get_current_dir();

	t->identity = g_checksum_new(G_CHECKSUM_SHA256);
	add(t, PACKAGE_VERSION);
	add_file(t, "/proc/self/exe");
	for (int i = 1; i < argc; i++)
		add(t, argv[i]);
	add(t, directory); /* relative paths start there */
	add_environment(t);
}

void known_add_text(struct translation *t, const char *text)
{
	if (t->identity)
		add(t, text);
}

void known_add_file(struct translation *t, const char *path)
{
	if (t->identity)
		add_file(t, path);
}

void known_add_source(struct translation *t, const struct source_file *source)
{
	add(t, source->name);
	g_checksum_update(t->identity, (const guchar *)source->text, source->length + 1);
}

static void add_content(struct translation *t, const char *path)
{
	add(t, path);
	checksum_add_file(t->identity, path);
}

void known_add_library(struct translation *t)
{
	struct file_facts *facts;
	const char *text;

	/* An editor's session makes no modules. */
	if (!t->identity)
		return;
	facts = file_facts_new();
	for_each_ptr(const struct library_file *, file, t->library_files)
		file_facts_note(facts, file->path);
	text = file_facts_text(facts);
	if (text)
		add(t, text);
	else /* a file changed so recently that another change might keep its time */
		for_each_ptr(const struct library_file *, file, t->library_files)
			add_content(t, file->path);
	file_facts_free(facts);
}

char *known_key(struct translation *t)
{
	const struct target_kernel *kernel = &t->kernel;

	if (!t->cache_directory || t->options->keep_directory || !kernel->build_id || t->search.digest ||
	    (t->search.sysroot.directory && !t->search.sysroot.also_here))
		return NULL;
	for_each_ptr(const char *, value, t->options->script_options)
		add(t, value);
	add(t, kernel->release);
	add(t, kernel->build_id);
	add_file(t, kernel->vmlinux);
	add_file(t, kernel->config);
	add_file(t, kernel->system_map);
	/* A guest root does not change after it was made. */
	add_file(t, t->search.sysroot.directory);
	return g_strdup(g_checksum_get_string(t->identity));
}

static bool may_keep(const struct translation *t)
{
	guint opened = g_hash_table_size(t->open_debuginfo);

	return !diagnostics_mark(t->diagnostics) &&
	       opened == (g_hash_table_contains(t->open_debuginfo, "kernel") ? 1 : 0);
}

char *known_note(const struct translation *t, const char *line)
{
	const char *facts = file_facts_text(t->search.facts);

	return facts && may_keep(t) ? g_strconcat(line, "\n", facts, NULL) : NULL;
}

bool known_holds(const char *note)
{
	const char *end_of_line = strchr(note, '\n');

	return end_of_line && file_facts_hold(end_of_line + 1);
}
