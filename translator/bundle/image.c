// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Write a bundle as a container image, in the layout that the Open Container Initiative specifies: a directory of blobs
 * with the SHA-256 of their contents as names, and an index (opencontainers/image-spec, image-layout.md, manifest.md,
 * config.md).
 *
 * For each architecture of the modules, the image has a manifest, with a layer that contains one file: the bundle of
 * that architecture's modules. It is static, so the image needs nothing else. An image that serves metrics has a layer
 * before it, with stap-exporter and its libraries, which is the same for all scripts. The same parts make the same
 * bytes.
 */
#include "translator/bundle/parts.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/build_time.h"
#include "common/elf/program_libraries.h"
#include "common/files.h"
#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/paths.h"
#include "translator/translation.h"

#define MEDIA_TYPE "application/vnd.oci.image."
/* Paths in an image that serves metrics. */
#define EXPORTER "/usr/bin/stap-exporter"
#define EXPORTER_SCRIPTS "/etc/spile/exporter"

/* The image that is made: its directory, which has another name until it is complete, and what concerns all blobs. */
struct image {
	const struct bundle_parts *parts;
	const char *directory;
	const char *name; /* of the script */
	const char *created; /* as in RFC 3339 */
	const struct image_request *request;
};

/* A blob that was written. */
struct descriptor {
	char digest[sizeof("sha256:") + 64];
	size_t size;
};

struct layer {
	struct descriptor blob;
	const char *compression; /* the suffix of its media type */
	char contents[sizeof("sha256:") + 64]; /* digest of the archive before it was compressed */
};

enum { MOST_LAYERS = 2 };

/* ---- blobs ------------------------------------------------------------------------------------------------------- */

static struct error *write_blob(const struct image *image, const char *data, size_t size, struct descriptor *ret)
{
	g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, size);
	g_autofree char *path = g_build_filename(image->directory, "blobs", "sha256", sum, NULL);

	g_snprintf(ret->digest, sizeof(ret->digest), "sha256:%s", sum);
	ret->size = size;
	return file_write(path, data, size);
}

static struct error *write_text_blob(const struct image *image, const char *text, struct descriptor *ret)
{
	return write_blob(image, text, strlen(text), ret);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

/* Return where to write a file of the archive, whose path in the image is given, in a directory that exists. */
static struct error *make_place(const char *tree, const char *path, char **ret)
{
	g_autofree char *file = g_build_filename(tree, path, NULL), *directory = g_path_get_dirname(file);

	if (g_mkdir_with_parents(directory, 0700))
		return error_errno(_("cannot create %s"), directory);
	*ret = g_steal_pointer(&file);
	return NULL;
}

static struct error *copy_file(const char *tree, const char *path, const char *from)
{
	g_autofree char *to = NULL;
	struct error *error = make_place(tree, path, &to);

	return error ?: file_copy(from, to);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Append the names in a directory, sorted. */
static struct error *append_names(GPtrArray *argv, const char *path)
{
	g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const char *name;

	if (!directory)
		return error_errno("%s", path);
	while ((name = g_dir_read_name(directory)))
		g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, compare_names);
	g_ptr_array_extend_and_steal(argv, g_steal_pointer(&names));
	return NULL;
}

/* Make an archive of a directory with tar(1), which is part of every distribution. */
static struct error *pack(const struct image *image, const char *tree, const char *archive)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	const char *const words[] = {"tar",	    "--format=ustar", "--owner=0", "--group=0", "--numeric-owner",
				     "--mode=0755", "--sort=name",    "-C",	   tree,	"-cf",
				     archive};
	g_autofree char *output = NULL;
	struct error *error;

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(argv, g_strdup(words[i]));
	g_ptr_array_add(argv, g_strdup_printf("--mtime=%s", image->created));
	error = append_names(argv, tree);
	g_ptr_array_add(argv, NULL);
	error = error ?: process_run((const char *const *)argv->pdata, NULL, &output);
	return error && output ? error_prefix(error, _("cannot pack the image: %s"), g_strchomp(output)) : error;
}

/* Compress an archive with gzip(1), without its time; all programs read that. */
static struct error *compress(const char *archive, char **data, size_t *size)
{
	const char *const argv[] = {"gzip", "-9n", archive, NULL};
	g_autofree char *output = NULL, *result = g_strdup_printf("%s.gz", archive);
	struct error *error = process_run(argv, NULL, &output);

	if (error && output)
		error_prefix(error, _("cannot compress the image: %s"), g_strchomp(output));
	return error ?: file_read(result, data, size);
}

static struct error *write_archive(const struct image *image, const char *archive, bool is_compressed,
				   struct layer *ret)
{
	g_autofree char *data = NULL, *compressed = NULL, *sum = NULL;
	size_t size = 0;
	struct error *error = file_read(archive, &data, &size);

	if (error)
		return error;
	sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)data, size);
	g_snprintf(ret->contents, sizeof(ret->contents), "sha256:%s", sum);
	ret->compression = is_compressed ? "+gzip" : "";
	error = is_compressed ? compress(archive, &compressed, &size) : NULL;
	return error ?: write_blob(image, compressed ?: data, size, &ret->blob);
}

static struct error *fill_bundle_layer(const struct image *image, const struct architecture *architecture,
				       const char *tree)
{
	g_autofree char *path = image->request->has_exporter
					? g_strdup_printf(EXPORTER_SCRIPTS "/%s.bundle", image->name)
					: g_strdup(image->name);
	g_autoptr(GString) file = g_string_new(NULL);
	g_autofree char *to = NULL;
	struct error *error = bundle_assemble(image->parts, architecture, image->request->key, file);

	error = error ?: make_place(tree, path, &to);
	return error ?: file_write(to, file->str, file->len);
}

static char *exporter_path(void)
{
	return g_find_program_in_path(program_path("stap-exporter"));
}

/* The libraries are those of this machine, at the paths where its dynamic loader finds them. */
static struct error *fill_exporter_layer(const struct image *image, const struct architecture *architecture,
					 const char *tree)
{
	g_autofree char *program = exporter_path();
	GPtrArray *libraries = arena_ptr_array(image->parts->arena);
	struct error *error = copy_file(tree, EXPORTER, program);

	file_libraries(image->parts->arena, program, libraries);
	for_each_ptr(const struct library *, library, libraries)
		error = error ?: copy_file(tree, library->found, library->path);
	return error;
}

typedef struct error *layer_filler(const struct image *image, const struct architecture *architecture,
				   const char *tree);

static struct error *write_layer(const struct image *image, const struct architecture *architecture, layer_filler *fill,
				 bool is_compressed, struct layer *ret)
{
	g_autofree char *directory = NULL, *tree = NULL, *archive = NULL;
	struct error *error = directory_make_temporary(&directory);

	if (error)
		return error;
	tree = g_build_filename(directory, "tree", NULL);
	archive = g_build_filename(directory, "layer.tar", NULL);
	error = fill(image, architecture, tree);
	error = error ?: pack(image, tree, archive);
	error = error ?: write_archive(image, archive, is_compressed, ret);
	remove_tree(directory);
	return error;
}

/* The bundle's layer is not compressed, because a bundle is. */
static struct error *write_layers(const struct image *image, const struct architecture *architecture,
				  struct layer *layers, unsigned int *count)
{
	struct error *error = NULL;

	*count = 0;
	if (image->request->has_exporter)
		error = write_layer(image, architecture, fill_exporter_layer, true, &layers[(*count)++]);
	return error ?: write_layer(image, architecture, fill_bundle_layer, false, &layers[(*count)++]);
}

/* Append the members of the configuration that say what to run. */
static void append_program(GString *text, const struct image *image)
{
	if (image->request->has_exporter)
		g_string_append(text, "\"Entrypoint\":[\"" EXPORTER "\",\"--scripts=" EXPORTER_SCRIPTS "\"],"
				      "\"ExposedPorts\":{\"9900/tcp\":{}},");
	else
		g_string_append_printf(text, "\"Entrypoint\":[\"/%s\"],", image->name);
}

static struct error *write_config(const struct image *image, const struct architecture *architecture,
				  const struct layer *layers, unsigned int count, struct descriptor *ret)
{
	g_autoptr(GString) text = g_string_new(NULL);

	g_string_append_printf(text, "{\"created\":\"%s\",\"architecture\":\"%s\",\"os\":\"linux\",\"config\":{",
			       image->created, architecture->debian);
	append_program(text, image);
	g_string_append_printf(text,
			       "\"WorkingDir\":\"/\",\"Labels\":{\"org.opencontainers.image.title\":\"%s\"}},"
			       "\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[",
			       image->name);
	for (unsigned int i = 0; i < count; i++)
		g_string_append_printf(text, "%s\"%s\"", i ? "," : "", layers[i].contents);
	g_string_append(text, "]},\"history\":[");
	for (unsigned int i = 0; i < count; i++)
		g_string_append_printf(text,
				       "%s{\"created\":\"%s\","
				       "\"created_by\":\"stap --bundle (Spile " PACKAGE_VERSION ")\"}",
				       i ? "," : "", image->created);
	g_string_append(text, "]}");
	return write_text_blob(image, text->str, ret);
}

static void append_blob(GString *text, const char *type, const struct descriptor *blob)
{
	g_string_append_printf(text, "{\"mediaType\":\"" MEDIA_TYPE "%s\",\"digest\":\"%s\",\"size\":%zu}", type,
			       blob->digest, blob->size);
}

static struct error *write_manifest(const struct image *image, const struct architecture *architecture,
				    struct descriptor *ret)
{
	g_autoptr(GString) text = g_string_new("{\"schemaVersion\":2,"
					       "\"mediaType\":\"" MEDIA_TYPE "manifest.v1+json\",\"config\":");
	struct layer layers[MOST_LAYERS];
	struct descriptor config;
	unsigned int count;
	struct error *error = write_layers(image, architecture, layers, &count);

	error = error ?: write_config(image, architecture, layers, count, &config);
	if (error)
		return error;
	append_blob(text, "config.v1+json", &config);
	g_string_append(text, ",\"layers\":[");
	for (unsigned int i = 0; i < count; i++) {
		g_autofree char *type = g_strdup_printf("layer.v1.tar%s", layers[i].compression);

		if (i)
			g_string_append_c(text, ',');
		append_blob(text, type, &layers[i].blob);
	}
	g_string_append(text, "]}");
	return write_text_blob(image, text->str, ret);
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

static void begin_index(GString *text)
{
	g_string_append(text, "{\"schemaVersion\":2,\"mediaType\":\"" MEDIA_TYPE "index.v1+json\",\"manifests\":[");
}

/* Append the descriptor of a manifest, or of an index; @rest is JSON that follows its first members. */
static void append_descriptor(GString *text, const char *kind, const struct descriptor *descriptor, const char *rest)
{
	g_string_append_printf(text, "%s{\"mediaType\":\"" MEDIA_TYPE "%s.v1+json\",\"digest\":\"%s\",\"size\":%zu,%s}",
			       g_str_has_suffix(text->str, "[") ? "" : ",", kind, descriptor->digest, descriptor->size,
			       rest);
}

/* Write the manifests, and their index, of which the one of the whole directory is made. */
static struct error *write_manifests(const struct image *image, struct descriptor *ret)
{
	g_autoptr(GString) text = g_string_new(NULL);
	struct error *error = NULL;

	begin_index(text);
	for_each_ptr(const struct architecture *, architecture, bundle_architectures(image->parts)) {
		g_autofree char *platform = g_strdup_printf("\"platform\":{\"architecture\":\"%s\",\"os\":\"linux\"}",
							    architecture->debian);
		struct descriptor manifest;

		error = write_manifest(image, architecture, &manifest);
		if (error)
			return error;
		append_descriptor(text, "manifest", &manifest, platform);
	}
	g_string_append(text, "]}");
	return write_text_blob(image, text->str, ret);
}

static struct error *write_file(const struct image *image, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(image->directory, name, NULL);

	return file_write(path, text, strlen(text));
}

static struct error *write_contents(const struct image *image)
{
	g_autofree char *blobs = g_build_filename(image->directory, "blobs", "sha256", NULL);
	g_autoptr(GString) text = g_string_new(NULL);
	struct descriptor index;
	struct error *error = NULL;

	if (g_mkdir_with_parents(blobs, 0755))
		error = error_errno(_("cannot create %s"), blobs);
	error = error ?: write_file(image, "oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
	error = error ?: write_manifests(image, &index);
	if (error)
		return error;
	begin_index(text);
	append_descriptor(text, "index", &index, "\"annotations\":{\"org.opencontainers.image.ref.name\":\"latest\"}");
	g_string_append(text, "]}");
	return write_file(image, "index.json", text->str);
}

/* ---- the directory ----------------------------------------------------------------------------------------------- */

static struct error *check_exporter(void)
{
	g_autofree char *program = exporter_path();

	if (program)
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("cannot find %s"), "stap-exporter"),
			       _("install the package spile-exporter"));
}

struct error *image_check(const struct image_request *request)
{
	const char *directory = request->directory;
	g_autoptr(GDir) files = g_dir_open(directory, 0, NULL);
	bool is_unusable = files ? g_dir_read_name(files) != NULL : g_file_test(directory, G_FILE_TEST_EXISTS);

	if (!is_unusable)
		return request->has_exporter ? check_exporter() : NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("cannot write an image to %s: it is not an empty directory"),
					 directory),
			       _("name a directory that does not exist"));
}

struct error *image_check_architecture(const struct image_request *request, const struct architecture *architecture)
{
	if (!request->has_exporter || architecture == architecture_of_host())
		return NULL;
	return error_with_hint(error_new(ERROR_UNSUPPORTED,
					 _("an image with stap-exporter can have modules for %s only, not for %s"),
					 architecture_of_host()->debian, architecture->debian),
			       _("make the image for %s on such a machine"), architecture->debian);
}

/* Return the name of the program in the image: that of the script, without its ending and unusual characters. */
static char *name_program(const char *script)
{
	g_autofree char *base = g_path_get_basename(script);
	const char *dot = strrchr(base, '.');
	char *name = g_strndup(base, dot > base ? (size_t)(dot - base) : strlen(base));

	g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_-", '-');
	if (g_ascii_isalnum(*name))
		return name;
	g_free(name); /* the script was given with -e, or on standard input */
	return g_strdup("script");
}

/* Give the complete directory its name. mkdtemp(3) made it private. */
static struct error *publish(const char *from, const char *to)
{
	mode_t mask = umask(0);

	umask(mask);
	return chmod(from, 0777 & ~mask) || rename(from, to) ? error_errno(_("cannot write %s"), to) : NULL;
}

/* The exporter serves its own metrics at this path. */
static struct error *check_name(const char *name)
{
	if (strcmp(name, "metrics"))
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("/metrics is the path of the exporter's own metrics")),
			       _("rename the script"));
}

struct error *image_write(const struct bundle_parts *parts, const struct image_request *request)
{
	g_autofree char *name = name_program(parts->script), *time = build_time_text();
	g_autofree char *path = g_strdup(request->directory), *temporary = NULL;
	struct image image = {parts, NULL, name, time ?: "1970-01-01T00:00:00Z", request};
	struct error *error = request->has_exporter ? check_name(name) : NULL;

	if (error)
		return error;
	while (strlen(path) > 1 && g_str_has_suffix(path, "/"))
		path[strlen(path) - 1] = '\0';
	temporary = g_strdup_printf("%s.XXXXXX", path);
	if (!g_mkdtemp(temporary))
		return error_errno(_("cannot create %s"), temporary);
	image.directory = temporary;
	error = write_contents(&image);
	error = error ?: publish(temporary, path);
	if (error)
		remove_tree(temporary);
	return error;
}
