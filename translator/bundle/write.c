// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Write a bundle (bundle/format.h): the programs, the blobs, the index, the trailer, and perhaps a signature.
 *
 * Modules of one script for several kernels have most of their code in common. Sorted by release, each is compressed
 * with the one before it as a prefix, so that only what is new is stored. The bytes depend on nothing but the parts,
 * and the versions of Spile and zstd.
 */
#include "translator/bundle/parts.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "bundle/format.h"
#include "common/files.h"
#include "common/guest_root.h"
#include "common/process.h"
#include "common/release.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/translation.h"

#define PROGRAM "spile-bundle"

/* The file as far as it is written, and its index. */
struct output {
	GString *file, *index;
	unsigned int blobs;
};

/* Bytes to compress; @base is the blob that they resemble, whose number in the file is @number, or NULL. */
struct contents {
	const char *data;
	size_t size;
	const struct contents *base;
	unsigned int number;
};

/* ---- parts ------------------------------------------------------------------------------------------------------- */

struct bundle_parts *bundle_parts_new(struct arena *arena)
{
	struct bundle_parts *parts = arena_new0(arena, struct bundle_parts);

	parts->arena = arena;
	parts->options = arena_ptr_array(arena);
	parts->arguments = arena_ptr_array(arena);
	parts->modules = arena_ptr_array(arena);
	return parts;
}

static bool is_for_same_kernel(const struct module_part *one, const struct module_part *other)
{
	if (one->architecture != other->architecture)
		return false;
	if (one->build_id && other->build_id)
		return !strcmp(one->build_id, other->build_id);
	return !one->build_id && !other->build_id && !strcmp(one->release, other->release);
}

void bundle_parts_add(struct bundle_parts *parts, struct module_part *module)
{
	for (guint i = 0; i < parts->modules->len; i++) {
		if (!is_for_same_kernel(g_ptr_array_index(parts->modules, i), module))
			continue;
		g_ptr_array_index(parts->modules, i) = module;
		return;
	}
	g_ptr_array_add(parts->modules, module);
}

/* ---- compression ------------------------------------------------------------------------------------------------- */

/* The window must reach from the end of the data to the beginning of its prefix. */
static int window_log(size_t size)
{
	int log = 10; /* the least that zstd accepts */

	while (log < BUNDLE_WINDOW_LOG && (size_t)1 << log < size)
		log++;
	return log;
}

static void set_parameters(ZSTD_CCtx *context, const struct contents *contents)
{
	const struct contents *base = contents->base;

	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 19);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log(contents->size + (base ? base->size : 0)));
	if (base)
		ZSTD_CCtx_refPrefix(context, base->data, base->size);
}

/* Append the compressed bytes to the file. */
static struct error *compress(GString *file, const struct contents *contents)
{
	size_t bound = ZSTD_compressBound(contents->size), before = file->len, size;
	ZSTD_CCtx *context = ZSTD_createCCtx();

	if (!context)
		return error_new(ERROR_OTHER, _("cannot compress the bundle: %s"), "ZSTD_createCCtx");
	set_parameters(context, contents);
	g_string_set_size(file, before + bound);
	size = ZSTD_compress2(context, file->str + before, bound, contents->data, contents->size);
	ZSTD_freeCCtx(context);
	if (ZSTD_isError(size))
		return error_new(ERROR_OTHER, _("cannot compress the bundle: %s"), ZSTD_getErrorName(size));
	g_string_set_size(file, before + size);
	return NULL;
}

static void add_pair(struct output *output, const char *key, const char *value)
{
	g_string_append_printf(output->index, "%s=%s", key, value);
	g_string_append_c(output->index, '\0');
}

static void add_texts(struct output *output, const char *key, const GPtrArray *texts)
{
	for_each_ptr(const char *, text, texts)
		add_pair(output, key, text);
}

static void add_number(struct output *output, const char *key, unsigned int number)
{
	g_autofree char *text = g_strdup_printf("%u", number);

	add_pair(output, key, text);
}

static struct error *add_blob(struct output *output, struct contents *contents)
{
	size_t offset = output->file->len;
	struct error *error = compress(output->file, contents);
	g_autofree char *text = g_strdup_printf("%zu,%zu,%zu,%d", offset, output->file->len - offset, contents->size,
						contents->base ? (int)contents->base->number : -1);

	contents->number = output->blobs++;
	add_pair(output, BUNDLE_KEY_BLOB, text);
	return error;
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static struct error *missing_program(const struct architecture *architecture, const char *path)
{
	struct error *error =
		error_new(ERROR_LOOKUP, _("the program of bundles for %s was not built: %s does not exist"),
			  architecture->name, path);

	if (architecture == architecture_of_host())
		return error_with_hint(error, _("install musl-tools, then configure and build Spile again"));
	return error_with_hint(error,
			       _("install musl-tools, and run 'make guest-programs GUEST=%s' where Spile was built"),
			       architecture->debian);
}

static struct error *read_program(const struct architecture *architecture, char **data, size_t *size)
{
	g_autofree char *path = guest_program(architecture, PROGRAM);

	if (!g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
		return missing_program(architecture, path);
	return file_read(path, data, size);
}

GPtrArray *bundle_architectures(const struct bundle_parts *parts)
{
	GPtrArray *list = arena_ptr_array(parts->arena);

	for_each_ptr(const struct module_part *, module, parts->modules)
		if (!g_ptr_array_find(list, module->architecture, NULL))
			g_ptr_array_add(list, (gpointer)module->architecture);
	return list;
}

/*
 * The beginning of a bundle for several architectures, before and after the list of them. The program is extracted to a
 * file that has lost its name when it runs. It finds the bundle as descriptor 3 (bundle/main.c).
 */
#define HEAD_BEGIN                                                                                                     \
	"#!/bin/sh\n"                                                                                                  \
	"# A script of Spile for several kernels; try --help. The programs for each architecture follow this text.\n"  \
	"case $(uname -m) in\n"
#define HEAD_END                                                                                                       \
	"*) echo \"ERROR: $0 has no program for $(uname -m)\" >&2; exit 1 ;;\n"                                        \
	"esac\n"                                                                                                       \
	"program=$(mktemp) || exit 1\n"                                                                                \
	"tail -c +$at \"$0\" | head -c $size >\"$program\" && chmod 700 \"$program\" || exit 1\n"                      \
	"exec 3<\"$0\" 4<\"$program\"\n"                                                                               \
	"rm -f \"$program\"\n"                                                                                         \
	"exec /proc/self/fd/4 \"$@\"\n"

enum { HEAD_SIZE = 1024 };

static struct error *add_several_programs(struct output *output, const GPtrArray *architectures)
{
	g_autoptr(GString) head = g_string_new(HEAD_BEGIN), programs = g_string_new(NULL);

	for_each_ptr(const struct architecture *, architecture, architectures) {
		g_autofree char *data = NULL;
		size_t size;
		struct error *error = read_program(architecture, &data, &size);

		if (error)
			return error;
		/* tail(1) counts bytes from 1. */
		g_string_append_printf(head, "%s) at=%zu size=%zu ;;\n", architecture->machine,
				       HEAD_SIZE + programs->len + 1, size);
		g_string_append_len(programs, data, (gssize)size);
	}
	g_string_append(head, HEAD_END);
	while (head->len < HEAD_SIZE)
		g_string_append_c(head, '\n');
	g_string_append_len(output->file, head->str, (gssize)head->len);
	g_string_append_len(output->file, programs->str, (gssize)programs->len);
	return NULL;
}

static struct error *add_programs(struct output *output, const struct bundle_parts *parts)
{
	GPtrArray *architectures = bundle_architectures(parts);
	g_autofree char *data = NULL;
	struct error *error;
	size_t size;

	if (architectures->len > 1)
		return add_several_programs(output, architectures);
	error = read_program(g_ptr_array_index(architectures, 0), &data, &size);
	if (!error)
		g_string_append_len(output->file, data, (gssize)size);
	return error;
}

/* ---- modules and index ------------------------------------------------------------------------------------------- */

static int compare_modules(gconstpointer a, gconstpointer b)
{
	const struct module_part *one = *(const struct module_part *const *)a;
	const struct module_part *other = *(const struct module_part *const *)b;
	int order = strcmp(other->architecture->name, one->architecture->name);

	order = order ?: release_compare(one->release, other->release);
	return order ?: g_strcmp0(one->build_id, other->build_id);
}

/* Choose the base of a module: the one before, or the first after BUNDLE_CHAIN of them, of its architecture. */
static const struct contents *choose_base(const GPtrArray *modules, const struct contents *contents, guint number)
{
	const struct module_part *module = g_ptr_array_index(modules, number);
	guint first = number;

	while (first && ((const struct module_part *)g_ptr_array_index(modules, first - 1))->architecture ==
				module->architecture)
		first--;
	if (first == number)
		return NULL;
	return (number - first) % BUNDLE_CHAIN ? &contents[number - 1] : &contents[first];
}

static struct error *add_blobs(struct output *output, const GPtrArray *modules, struct contents *contents)
{
	struct error *error = NULL;

	for (guint i = 0; i < modules->len && !error; i++) {
		const struct module_part *module = g_ptr_array_index(modules, i);

		contents[i] = (struct contents){module->image, module->size, choose_base(modules, contents, i)};
		error = add_blob(output, &contents[i]);
	}
	return error;
}

static void add_module(struct output *output, const struct module_part *module, unsigned int blob)
{
	add_pair(output, BUNDLE_KEY_MODULE, module->release);
	if (module->build_id)
		add_pair(output, BUNDLE_KEY_MODULE_BUILD_ID, module->build_id);
	add_pair(output, BUNDLE_KEY_MODULE_MACHINE, module->architecture->machine);
	add_number(output, BUNDLE_KEY_MODULE_BLOB, blob);
	add_texts(output, BUNDLE_KEY_MODULE_NOTE, module->notes);
}

static struct error *add_contents(struct output *output, const struct bundle_parts *parts)
{
	g_autofree struct contents *contents = g_new0(struct contents, parts->modules->len);
	struct contents text = {parts->text, parts->text_length};
	struct error *error = NULL;

	add_pair(output, BUNDLE_KEY_SPILE, PACKAGE_VERSION);
	add_pair(output, BUNDLE_KEY_SCRIPT, parts->script);
	error = add_blobs(output, parts->modules, contents);
	if (!error && parts->text) {
		error = add_blob(output, &text);
		add_number(output, BUNDLE_KEY_TEXT, text.number);
	}
	add_texts(output, BUNDLE_KEY_OPTION, parts->options);
	add_texts(output, BUNDLE_KEY_ARGUMENT, parts->arguments);
	for (guint i = 0; i < parts->modules->len; i++)
		add_module(output, g_ptr_array_index(parts->modules, i), contents[i].number);
	return error;
}

static struct error *add_index(struct output *output)
{
	const struct contents index = {output->index->str, output->index->len};
	struct bundle_trailer trailer = {.magic = BUNDLE_MAGIC,
					 .version = BUNDLE_VERSION,
					 .index_offset = output->file->len,
					 .index_size = output->index->len};
	struct error *error = compress(output->file, &index);

	trailer.index_stored = output->file->len - trailer.index_offset;
	trailer.file_size = output->file->len + sizeof(trailer);
	g_string_append_len(output->file, (const char *)&trailer, sizeof(trailer));
	return error;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* Make the signature in a directory of its own; openssl reads only files. */
static struct error *sign(const char *directory, const GString *file, const char *key, char **signature, size_t *size)
{
	g_autofree char *input = g_build_filename(directory, "bundle", NULL);
	g_autofree char *result = g_build_filename(directory, "signature", NULL), *output = NULL;
	const char *const argv[] = {"openssl", "dgst", "-sha256", "-sign", key, "-out", result, input, NULL};
	struct error *error = file_write(input, file->str, file->len);

	error = error ?: process_run(argv, NULL, &output);
	if (error && output)
		error_prefix(error, _("cannot sign the bundle: %s"), g_strchomp(output));
	return error ?: file_read(result, signature, size);
}

static struct error *add_signature(GString *file, const char *key)
{
	struct bundle_footer footer = {.magic = BUNDLE_SIGNATURE_MAGIC};
	g_autofree char *directory = NULL, *signature = NULL;
	struct error *error = directory_make_temporary(&directory);
	size_t size = 0;

	if (error)
		return error;
	error = sign(directory, file, key, &signature, &size);
	remove_tree(directory);
	if (!error && size > BUNDLE_SIGNATURE_LIMIT)
		error = error_new(ERROR_OTHER, _("cannot sign the bundle: the signature has %zu bytes"), size);
	if (error)
		return error;
	footer.signature_size = (uint32_t)size;
	g_string_append_len(file, signature, (gssize)size);
	g_string_append_len(file, (const char *)&footer, sizeof(footer));
	return NULL;
}

/* Write the file, and make it executable for all who may read it. */
static struct error *write_executable(const GString *file, const char *path)
{
	struct error *error = file_write(path, file->str, file->len);
	struct stat status;

	if (!error && (stat(path, &status) || g_chmod(path, (int)(status.st_mode | (status.st_mode & 0444) >> 2))))
		error = error_errno(_("cannot write %s"), path);
	return error;
}

/* Return the modules of an architecture, or all (NULL), in the order in which they are stored. */
static GPtrArray *select_modules(const struct bundle_parts *parts, const struct architecture *architecture)
{
	GPtrArray *list = arena_ptr_array(parts->arena);

	for_each_ptr(struct module_part *, module, parts->modules)
		if (!architecture || module->architecture == architecture)
			g_ptr_array_add(list, module);
	g_ptr_array_sort(list, compare_modules);
	return list;
}

struct error *bundle_assemble(const struct bundle_parts *parts, const struct architecture *architecture,
			      const char *key, GString *file)
{
	g_autoptr(GString) index = g_string_new(NULL);
	struct bundle_parts selected = *parts;
	struct output output = {file, index};
	struct error *error;

	selected.modules = select_modules(parts, architecture);
	error = add_programs(&output, &selected);
	error = error ?: add_contents(&output, &selected);
	error = error ?: add_index(&output);
	if (!error && key)
		error = add_signature(file, key);
	return error;
}

struct error *bundle_write(const struct bundle_parts *parts, const char *path, const char *key)
{
	g_autoptr(GString) file = g_string_new(NULL);
	struct error *error = bundle_assemble(parts, NULL, key, file);

	return error ?: write_executable(file, path);
}
