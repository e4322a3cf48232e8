// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reader of bundles, with files that stap writes, damaged ones, and ones that no stap would write. A bundle runs as
 * root, so each mistake must be an error, with a message that says which file is bad.
 */
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bundle/reader.h"
#include "common/files.h"
#include "common/process.h"
#include "testsuite/unit/bundle_bytes.h"
#include "testsuite/unit/errors.h"
#include "translator/bundle/parts.h"

static int file_of(const void *bytes, gsize size)
{
	int fd = memfd_create("bundle", MFD_CLOEXEC);

	g_assert_cmpint(fd, >=, 0);
	g_assert_cmpint(write(fd, bytes, size), ==, (gssize)size);
	return fd;
}

/* ---- what stap writes -------------------------------------------------------------------------------------------- */

struct fixture {
	struct arena *arena;
	char *directory;
};

static void set_up(struct fixture *fixture, gconstpointer unused)
{
	g_autofree char *program = NULL;

	fixture->arena = arena_new();
	must_succeed(directory_make_temporary(&fixture->directory));
	/* The reader ignores the program, so any file will do. */
	program = g_build_filename(fixture->directory, "spile-bundle", NULL);
	must_succeed(file_write(program, "#!/bin/sh\n", 10));
	g_chmod(program, 0755);
	g_setenv("SPILE_LIBEXEC", fixture->directory, true);
}

static void tear_down(struct fixture *fixture, gconstpointer unused)
{
	remove_tree(fixture->directory);
	g_free(fixture->directory);
	arena_free(fixture->arena);
}

/* Bytes that compress badly, of which some differ for each @number, as modules for several kernels do. */
static const char *make_image(struct arena *arena, unsigned int number, size_t size)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	char *image = arena_alloc(arena, size);

	for (size_t i = 0; i < size; i++)
		image[i] = (char)g_rand_int(random);
	for (size_t i = 0; i < size; i += 1000)
		image[i] = (char)number;
	return image;
}

static void add_module(struct bundle_parts *parts, const char *release, const char *build_id, unsigned int number)
{
	struct module_part *module = arena_new0(parts->arena, struct module_part);

	module->release = release;
	module->build_id = build_id;
	module->architecture = architecture_of_host();
	module->size = 20000;
	module->image = make_image(parts->arena, number, module->size);
	module->notes = arena_ptr_array(parts->arena);
	g_ptr_array_add(module->notes, "a note");
	bundle_parts_add(parts, module);
}

static struct bundle_parts *make_parts(struct arena *arena, unsigned int modules)
{
	struct bundle_parts *parts = bundle_parts_new(arena);

	parts->script = "x.stp";
	parts->text = "probe begin {}\n";
	parts->text_length = strlen(parts->text);
	g_ptr_array_add(parts->options, "-G n=1");
	g_ptr_array_add(parts->arguments, "an argument");
	for (unsigned int i = 0; i < modules; i++)
		add_module(parts, arena_printf(arena, "6.%u.0-1-amd64", i), arena_printf(arena, "%08x", i), i);
	return parts;
}

static char *write_parts(const struct fixture *fixture, struct bundle_parts *parts, const char *name)
{
	char *path = g_build_filename(fixture->directory, name, NULL);

	must_succeed(bundle_write(parts, path, NULL));
	return path;
}

static void must_extract(const struct bundle *bundle, unsigned int blob, const void *wanted, size_t wanted_size)
{
	char *data = NULL;
	size_t size = 0;

	must_succeed(bundle_extract(bundle, blob, &data, &size));
	g_assert_cmpmem(data, size, wanted, wanted_size);
	free(data);
}

/* Everything is read back as it was written, also over chains of bases that begin anew. */
static void test_round_trip(struct fixture *fixture, gconstpointer unused)
{
	struct bundle_parts *parts = make_parts(fixture->arena, 3 * BUNDLE_CHAIN);
	g_autofree char *path = write_parts(fixture, parts, "bundle");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct bundle bundle;

	must_succeed(bundle_open(fd, path, &bundle));
	g_assert_cmpuint(bundle.module_count, ==, parts->modules->len);
	for (unsigned int i = 0; i < bundle.module_count; i++) {
		const struct module_part *part = g_ptr_array_index(parts->modules, i);

		g_assert_cmpstr(bundle.modules[i].release.text, ==, part->release);
		g_assert_cmpstr(bundle.modules[i].build_id.text, ==, part->build_id);
		g_assert_cmpstr(bundle.modules[i].notes.texts[0], ==, "a note");
		must_extract(&bundle, bundle.modules[i].blob, part->image, part->size);
	}
	must_extract(&bundle, (unsigned int)bundle.text, parts->text, parts->text_length);
	g_assert_cmpstr(bundle.script, ==, "x.stp");
	g_assert_cmpstr(bundle.options.texts[0], ==, "-G n=1");
	g_assert_cmpstr(bundle.arguments.texts[0], ==, "an argument");
	bundle_close(&bundle);
	close(fd);
}

/* The order in which kernels are named does not matter. The parts that stap reads back make the same bytes again. */
static void test_reproducible(struct fixture *fixture, gconstpointer unused)
{
	struct bundle_parts *parts = make_parts(fixture->arena, 3), *turned = make_parts(fixture->arena, 0), *again;
	g_autofree char *one = write_parts(fixture, parts, "one"), *other = NULL, *third = NULL;
	g_autofree char *bytes[3] = {NULL};
	size_t sizes[3];

	for (guint i = parts->modules->len; i > 0; i--)
		bundle_parts_add(turned, g_ptr_array_index(parts->modules, i - 1));
	other = write_parts(fixture, turned, "other");
	must_succeed(bundle_read(fixture->arena, one, &again));
	third = write_parts(fixture, again, "third");
	must_succeed(file_read(one, &bytes[0], &sizes[0]));
	must_succeed(file_read(other, &bytes[1], &sizes[1]));
	must_succeed(file_read(third, &bytes[2], &sizes[2]));
	g_assert_cmpmem(bytes[0], sizes[0], bytes[1], sizes[1]);
	g_assert_cmpmem(bytes[0], sizes[0], bytes[2], sizes[2]);
	g_free(bytes[1]);
	g_free(bytes[2]);
	bytes[1] = bytes[2] = NULL;
}

/* A module for the same build of a kernel replaces the old one. */
static void test_replaced(struct fixture *fixture, gconstpointer unused)
{
	struct bundle_parts *parts = make_parts(fixture->arena, 2);

	add_module(parts, "6.1.0-1-amd64", "00000001", 7);
	g_assert_cmpuint(parts->modules->len, ==, 2);
	add_module(parts, "6.1.0-1-amd64", "0000000a", 7);
	g_assert_cmpuint(parts->modules->len, ==, 3);
}

/* ---- damage ------------------------------------------------------------------------------------------------------ */

/* Read everything, and append it to @contents (NULL: do not). Return an error if there is one anywhere. */
static struct error *read_contents(const void *bytes, gsize size, GByteArray *contents)
{
	int fd = file_of(bytes, size);
	struct bundle bundle;
	struct error *error = bundle_open(fd, "file", &bundle);

	for (unsigned int i = 0; !error && i < bundle.blob_count; i++) {
		char *data;
		size_t length;

		error = bundle_extract(&bundle, i, &data, &length);
		if (!error && contents)
			g_byte_array_append(contents, (const guint8 *)data, (guint)length);
		if (!error)
			free(data);
	}
	if (bundle.fd >= 0)
		bundle_close(&bundle);
	close(fd);
	return error;
}

static struct error *read_all(const void *bytes, gsize size)
{
	return read_contents(bytes, size, NULL);
}

/* A file that was cut off anywhere is refused. */
static void test_cut_off(struct fixture *fixture, gconstpointer unused)
{
	g_autofree char *path = write_parts(fixture, make_parts(fixture->arena, 2), "bundle"), *bytes = NULL;
	size_t size;

	must_succeed(file_read(path, &bytes, &size));
	must_succeed(read_all(bytes, size));
	for (size_t length = 0; length < size; length += length + 200 < size ? 37 : 1)
		must_report(read_all(bytes, length), "file");
}

/*
 * A changed bit anywhere after the program is noticed, by a checksum or because a number no longer fits. Only a few
 * bits of zstd's frames make no difference.
 */
static void test_changed_bits(struct fixture *fixture, gconstpointer unused)
{
	const size_t program = 10;
	g_autoptr(GByteArray) before = g_byte_array_new();
	g_autofree char *path = write_parts(fixture, make_parts(fixture->arena, 2), "bundle"), *bytes = NULL;
	size_t size;

	must_succeed(file_read(path, &bytes, &size));
	must_succeed(read_contents(bytes, size, before));
	for (size_t at = program; at < size; at += at + 400 < size ? 101 : 1) {
		g_autoptr(GByteArray) after = g_byte_array_new();
		struct error *error;

		bytes[at] ^= (char)(1 << at % 8);
		error = read_contents(bytes, size, after);
		if (error)
			must_report(error, "file");
		else
			g_assert_cmpmem(after->data, after->len, before->data, before->len);
		bytes[at] ^= (char)(1 << at % 8);
	}
}

/* ---- what no stap would write ------------------------------------------------------------------------------------ */

static struct error *read_index(const char *index, gsize size)
{
	g_autoptr(GByteArray) file = g_byte_array_new();

	append_frame(file, "0123456789", 10, NULL, 0);
	append_index(file, index, size);
	return read_all(file->data, file->len);
}

static void test_hostile_index(void)
{
	static const struct {
		const char *index; /* ';' stands for the NULs between strings */
		const char *part; /* of the message; NULL: accepted */
	} rows[] = {
		{"blob=0,23,10,-1;", NULL},
		{"new=key;blob=0,23,10,-1;", NULL},
		{"blob=0,23,10,-1", "not terminated"},
		{"blob;", "invalid entry"},
		{"blob=0,23,10;", "invalid entry"},
		{"blob=0,23,10,-1,;", "invalid entry"},
		{"blob=-1,23,10,-1;", "invalid entry"},
		{"blob=9223372036854775807,23,10,-1;", "invalid entry"},
		{"blob=18446744073709551615,23,10,-1;", "invalid entry"},
		{"blob=19,9223372036854775807,10,-1;", "invalid entry"},
		{"blob=0,1000000,10,-1;", "invalid entry"},
		{"blob=0,0,10,-1;", "invalid entry"},
		/* A base that is the blob itself, or a later one, would be an endless chain. */
		{"blob=0,23,10,0;", "invalid entry"},
		{"blob=0,23,10,1;blob=0,23,10,0;", "invalid entry"},
		{"blob=0,23,10,-2;", "invalid entry"},
		{"blob=0,23,600000000,-1;", "invalid entry"},
		{"blob=0,23,500000000,-1;", "cannot be decompressed"},
		{"blob=0,23,11,-1;", "cannot be decompressed"},
		{"blob=0,23,0,-1;", "cannot be decompressed"},
		{"blob=0,22,10,-1;", "cannot be decompressed"},
		{"blob=1,22,10,-1;", "cannot be decompressed"},
		{"text=0;", "invalid entry"},
		{"module-blob=0;", "invalid entry"},
		{"module-note=x;", "invalid entry"},
		{"module-machine=x86_64;", "invalid entry"},
		{"blob=0,23,10,-1;module=../x;", "invalid entry"},
		{"blob=0,23,10,-1;module=6.1\033[31m;", "invalid entry"},
		{"blob=0,23,10,-1;module=;", "invalid entry"},
		{"blob=0,23,10,-1;module=6.1;module-build-id=xyz;", "invalid entry"},
		{"blob=0,23,10,-1;module=6.1;module-blob=1;", "invalid entry"},
		{"blob=0,23,10,-1;module=6.1;module-blob=0;", "incompletely"},
		{"blob=0,23,10,-1;module=6.1;module-machine=x86_64;", "incompletely"},
		{"blob=0,23,10,-1;module=6.1;module-machine=x86_64;module-blob=0;", NULL},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *index = g_strdelimit(g_strdup(rows[i].index), ";", '\0');
		struct error *error = read_index(index, strlen(rows[i].index));

		g_test_message("%s", rows[i].index);
		if (rows[i].part)
			must_fail(error, ERROR_UNSUPPORTED, rows[i].part);
		else
			must_succeed(error);
	}
}

/* More blobs and modules than the limits allow are refused before they take memory. */
static void test_too_many(void)
{
	static const char *const lines[] = {"blob=0,23,10,-1", "module=6.1"};

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autoptr(GString) index = g_string_new("blob=0,23,10,-1");

		g_string_append_c(index, '\0');
		for (unsigned int count = 0; count <= BUNDLE_BLOBS; count++)
			g_string_append_len(index, lines[i], (gssize)strlen(lines[i]) + 1);
		must_fail(read_index(index->str, index->len), ERROR_UNSUPPORTED, "invalid entry");
	}
}

static void test_hostile_trailer(void)
{
	static const struct {
		struct bundle_trailer trailer;
		const char *part;
	} rows[] = {
		{{"SPILEBUM", 1, 0, 71, 0, 23, 10}, "not a bundle"},
		{{"SPILEBUN", 2, 0, 71, 0, 23, 10}, "version 2"},
		{{"SPILEBUN", 1, 0, 72, 0, 23, 10}, "another size"},
		{{"SPILEBUN", 1, 0, 71, 0, 72, 10}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, UINT64_MAX, 23, 10}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, 64, UINT64_MAX - 10, 10}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, 0, 0, 10}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, 0, 23, 0}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, 0, 23, UINT64_MAX}, "not inside"},
		{{"SPILEBUN", 1, 0, 71, 0, 23, 11}, "cannot be decompressed"},
		{{"SPILEBUN", 1, 0, 71, 0, 23, 10}, "not terminated"},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GByteArray) file = g_byte_array_new();
		struct error *error;

		g_assert_cmpuint(append_frame(file, "0123456789", 10, NULL, 0), ==, 23);
		g_byte_array_append(file, (const guint8 *)&rows[i].trailer, sizeof(rows[i].trailer));
		error = read_all(file->data, file->len);
		must_report(error, rows[i].part);
	}
}

static void test_hostile_signature(void)
{
	static const guint32 sizes[] = {0, BUNDLE_SIGNATURE_LIMIT + 1, 900, UINT32_MAX};

	for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
		struct bundle_footer footer = {.signature_size = sizes[i]};
		g_autoptr(GByteArray) file = g_byte_array_new();

		append_index(file, "new=key", 8);
		memcpy(footer.magic, BUNDLE_SIGNATURE_MAGIC, sizeof(footer.magic));
		g_byte_array_append(file, (const guint8 *)&footer, sizeof(footer));
		must_report(read_all(file->data, file->len), "signature");
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
#define FIXTURE_TEST(name, function) g_test_add("/bundle/" name, struct fixture, NULL, set_up, function, tear_down)
	FIXTURE_TEST("round-trip", test_round_trip);
	FIXTURE_TEST("reproducible", test_reproducible);
	FIXTURE_TEST("replaced", test_replaced);
	FIXTURE_TEST("cut-off", test_cut_off);
	FIXTURE_TEST("changed-bits", test_changed_bits);
	g_test_add_func("/bundle/hostile-index", test_hostile_index);
	g_test_add_func("/bundle/too-many", test_too_many);
	g_test_add_func("/bundle/hostile-trailer", test_hostile_trailer);
	g_test_add_func("/bundle/hostile-signature", test_hostile_signature);
	return g_test_run();
}
