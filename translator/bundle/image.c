// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Write a bundle as a container image, in the layout that the Open Container Initiative specifies: a directory of blobs
 * with the SHA-256 of their contents as names, and an index (opencontainers/image-spec, image-layout.md, manifest.md,
 * config.md).
 *
 * For each architecture of the modules, the image has a manifest with one layer, which contains one file: the bundle of
 * that architecture's modules. It is static, so the image needs nothing else. The same parts make the same bytes.
 */
#include "translator/bundle/parts.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/build_time.h"
#include "common/files.h"
#include "common/process.h"
#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "translator/translation.h"

#define MEDIA_TYPE "application/vnd.oci.image."

/* The image that is made: its directory, which has another name until it is complete, and what concerns all blobs. */
struct image {
	const struct bundle_parts *parts;
	const char *directory;
	const char *name; /* of the file in the layers */
	const char *created; /* as in RFC 3339 */
	const char *key;
};

/* A blob that was written. */
struct descriptor {
	char digest[sizeof("sha256:") + 64];
	size_t size;
};

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

/* Make the archive of the one file with tar(1), which is part of every distribution. */
static struct error *pack(const struct image *image, const char *directory, const GString *file, char **tar,
			  size_t *size)
{
	g_autofree char *input = g_build_filename(directory, image->name, NULL);
	g_autofree char *result = g_strdup_printf("%s/.layer.tar", directory), *output = NULL;
	g_autofree char *time = g_strdup_printf("--mtime=%s", image->created);
	const char *const argv[] = {
		"tar", "--format=ustar", "--owner=0", "--group=0", "--numeric-owner", "--mode=0755", time,
		"-C",  directory,	 "-cf",	      result,	   image->name,	      NULL};
	struct error *error = file_write(input, file->str, file->len);

	error = error ?: process_run(argv, NULL, &output);
	if (error && output)
		error_prefix(error, _("cannot pack the image: %s"), g_strchomp(output));
	return error ?: file_read(result, tar, size);
}

static struct error *write_layer(const struct image *image, const struct architecture *architecture,
				 struct descriptor *ret)
{
	g_autofree char *directory = NULL, *tar = NULL;
	g_autoptr(GString) file = g_string_new(NULL);
	struct error *error = bundle_assemble(image->parts, architecture, image->key, file);
	size_t size = 0;

	error = error ?: directory_make_temporary(&directory);
	if (error)
		return error;
	error = pack(image, directory, file, &tar, &size);
	remove_tree(directory);
	return error ?: write_blob(image, tar, size, ret);
}

/* The layer is not compressed, because a bundle is; so its digest is that of its contents, too. */
static struct error *write_config(const struct image *image, const struct architecture *architecture,
				  const struct descriptor *layer, struct descriptor *ret)
{
	g_autofree char *text = g_strdup_printf(
		"{\"created\":\"%s\",\"architecture\":\"%s\",\"os\":\"linux\","
		"\"config\":{\"Entrypoint\":[\"/%s\"],\"WorkingDir\":\"/\","
		"\"Labels\":{\"org.opencontainers.image.title\":\"%s\"}},"
		"\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"%s\"]},"
		"\"history\":[{\"created\":\"%s\",\"created_by\":\"stap --bundle (Spile " PACKAGE_VERSION ")\"}]}",
		image->created, architecture->debian, image->name, image->name, layer->digest, image->created);

	return write_text_blob(image, text, ret);
}

static struct error *write_manifest(const struct image *image, const struct architecture *architecture,
				    struct descriptor *ret)
{
	g_autofree char *text = NULL;
	struct descriptor layer, config;
	struct error *error = write_layer(image, architecture, &layer);

	error = error ?: write_config(image, architecture, &layer, &config);
	if (error)
		return error;
	text = g_strdup_printf("{\"schemaVersion\":2,\"mediaType\":\"" MEDIA_TYPE "manifest.v1+json\","
			       "\"config\":{\"mediaType\":\"" MEDIA_TYPE "config.v1+json\","
			       "\"digest\":\"%s\",\"size\":%zu},"
			       "\"layers\":[{\"mediaType\":\"" MEDIA_TYPE "layer.v1.tar\","
			       "\"digest\":\"%s\",\"size\":%zu}]}",
			       config.digest, config.size, layer.digest, layer.size);
	return write_text_blob(image, text, ret);
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

struct error *image_check(const char *directory)
{
	g_autoptr(GDir) files = g_dir_open(directory, 0, NULL);
	bool is_unusable = files ? g_dir_read_name(files) != NULL : g_file_test(directory, G_FILE_TEST_EXISTS);

	if (!is_unusable)
		return NULL;
	return error_with_hint(error_new(ERROR_OTHER, _("cannot write an image to %s: it is not an empty directory"),
					 directory),
			       _("name a directory that does not exist"));
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

struct error *image_write(const struct bundle_parts *parts, const char *directory, const char *key)
{
	g_autofree char *name = name_program(parts->script), *time = build_time_text();
	g_autofree char *path = g_strdup(directory), *temporary = NULL;
	struct image image = {parts, NULL, name, time ?: "1970-01-01T00:00:00Z", key};
	struct error *error;

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
