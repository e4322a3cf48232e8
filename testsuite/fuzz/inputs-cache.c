// SPDX-License-Identifier: GPL-2.0-or-later
/* Input for stap's cache: entries, notes about known scripts, and a directory with arbitrary files. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/cache.h"
#include "common/file_facts.h"
#include "testsuite/fuzz/inputs.h"
#include "translator/script_cache.h"

static char *path_of(const char *name)
{
	return g_strdup_printf("%s/%d-%s", fuzz_directory(), (int)getpid(), name);
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

/* Make an entry that names the module of a script, and the facts that must hold. */
static void make_entry(GRand *random, GByteArray *out)
{
	static const char *const paths[] = {
		"/etc/passwd", "/usr/bin/../bin/true", "/no/such/file", "/dev/null", "", "."};
	static const char *const patterns[] = {"/etc/pass*", "/{etc,usr}/bin", "/[a-", "{{,", "/dev/nul?", "~root"};
	struct file_facts *facts = file_facts_new();
	g_autofree char *path = path_of("entry"), *note = NULL, *entry = NULL;
	gsize size;

	for (guint i = fuzz_below(random, 0, 6); i--;) {
		file_facts_note(facts, paths[fuzz_below(random, 0, G_N_ELEMENTS(paths))]);
		file_facts_note_glob(facts, patterns[fuzz_below(random, 0, G_N_ELEMENTS(patterns))]);
		file_facts_note_program(facts, "sh");
	}
	note = g_strconcat("module-0123456789abcdef\n", file_facts_text(facts), NULL);
	cache_store(path, note, strlen(note));
	if (!g_file_get_contents(path, &entry, &size, NULL))
		g_error("no %s", path);
	fuzz_append(out, entry, size);
	g_unlink(path);
	file_facts_free(facts);
}

/* Correct the checksum, or leave it as it is. */
static void feed_entry(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *path = path_of("entry"), *data = NULL;
	bool is_sealed = size > CACHE_HEAD_LENGTH && g_rand_boolean(random), is_there;
	g_autofree guint8 *copy = g_memdup2(bytes, size);
	char head[CACHE_HEAD_LENGTH + 1];
	gsize length;

	if (is_sealed) {
		cache_head((const char *)bytes + CACHE_HEAD_LENGTH, size - CACHE_HEAD_LENGTH, head);
		memcpy(copy, head, CACHE_HEAD_LENGTH);
	}
	fuzz_put(path, copy, size);
	g_chmod(path, fuzz_below(random, 0, 8) ? 0600 : 0666);
	is_there = cache_load(path, &data, &length);
	g_unlink(path);
	if (!is_there)
		return;
	if (length != size - CACHE_HEAD_LENGTH || memcmp(data, copy + CACHE_HEAD_LENGTH, length) || data[length])
		fuzz_wrong("the cache has not what was put there");
	known_holds(data);
}

const struct input_kind input_entry = {"entry", make_entry, feed_entry};

/* ---- a directory ------------------------------------------------------------------------------------------------- */

enum { ENTRY_FILE, ENTRY_DIRECTORY, ENTRY_LINK, ENTRY_FIFO, ENTRY_HARD_LINK, ENTRY_OPEN_DIRECTORY, ENTRIES };

static void make_directory(GRand *random, GByteArray *out)
{
	static const char *const names[] = {"module-1",
					    "a",
					    "a/b",
					    "a/b/c",
					    "guests",
					    "kernels",
					    "cache_mb_limit",
					    "cache_clean_interval_s",
					    "cache_cleaned",
					    "..",
					    "../outside",
					    "a/../x",
					    "script-2",
					    "\n",
					    "\377",
					    "a/kernels"};

	for (guint i = fuzz_below(random, 0, 40); i--;) {
		const char *name = names[fuzz_below(random, 0, G_N_ELEMENTS(names))];

		fuzz_add_piece(out, fuzz_below(random, 0, ENTRIES), name, strlen(name));
	}
}

static void make_one(int directory, const struct fuzz_piece *piece)
{
	g_autofree char *name = g_strndup((const char *)piece->bytes, MIN(piece->size, 200));
	int file = -1;

	/* Make no files outside the directory. */
	if (strstr(name, "..") || *name == '/')
		return;
	switch (piece->whom % ENTRIES) {
	case ENTRY_FILE:
		file = openat(directory, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0600);
		if (file >= 0 && write(file, "-1 0x 9999", MIN(strlen(name), 10)) < 0)
			g_error("cannot write");
		break;
	case ENTRY_DIRECTORY:
	case ENTRY_OPEN_DIRECTORY:
		if (!mkdirat(directory, name, 0700) && piece->whom % ENTRIES == ENTRY_OPEN_DIRECTORY)
			fchmodat(directory, name, 0777, 0);
		break;
	case ENTRY_LINK:
		(void)!symlinkat("../outside", directory, name);
		break;
	case ENTRY_FIFO:
		(void)!mkfifoat(directory, name, 0600);
		break;
	case ENTRY_HARD_LINK:
		(void)!linkat(directory, "module-1", directory, name, 0);
		break;
	}
	if (file >= 0)
		close(file);
}

static void run(const char *format, const char *path)
{
	g_autofree char *command = g_strdup_printf(format, path);

	if (system(command))
		g_error("failed: %s", command);
}

/* Check that files outside, to which links lead, are not removed. */
static void feed_directory(GRand *random, const guint8 *bytes, gsize size)
{
	g_autofree char *top = path_of("directory"), *outside = g_build_filename(top, "outside", "file", NULL);
	g_autofree char *outer = g_path_get_dirname(outside), *cache = g_build_filename(top, "cache", NULL);
	struct fuzz_piece piece;
	int directory;

	g_mkdir_with_parents(outer, 0700);
	g_mkdir(cache, 0700);
	fuzz_put(outside, "x", 1);
	directory = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (fuzz_next_piece(&bytes, &size, &piece))
		make_one(directory, &piece);
	close(directory);
	cache_clean(cache, g_rand_boolean(random));
	if (!g_file_test(outside, G_FILE_TEST_IS_REGULAR))
		fuzz_wrong("what is outside of the cache was removed");
	run("rm -rf '%s'", top);
}

const struct input_kind input_directory = {"directory", make_directory, feed_directory};
