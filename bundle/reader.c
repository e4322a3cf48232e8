// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read a bundle, from its end: the trailer names the index, which names the blobs.
 *
 * The file is run as root, may have been cut off by a copy that failed, and may come from anywhere. Therefore each
 * offset and size is checked against the file before use, each number of a blob against the table of blobs, and sizes
 * against limits before memory is allocated. zstd's checksums find damaged bytes. A base must be an earlier blob, so
 * that no chain of bases is endless.
 *
 * Without GLib, because the program in a bundle is linked statically, with another C library.
 */
#include "bundle/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "common/base/cleanup.h"
#include "common/base/i18n.h"
#include "common/base/memory.h"
#include "common/base/number.h"

static struct error *damaged(const struct bundle *bundle, const char *what)
{
	return error_with_hint(error_new(ERROR_UNSUPPORTED, _("bundle %s is damaged: %s"), bundle->name, what),
			       _("copy it again, or make it again with 'stap --bundle'"));
}

static struct error *read_at(const struct bundle *bundle, void *to, size_t size, uint64_t offset)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(bundle->fd, (char *)to + done, size - done, (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_errno(_("cannot read %s"), bundle->name);
		if (!got)
			return damaged(bundle, _("the file became shorter while it was read"));
		done += (size_t)got;
	}
	return NULL;
}

static bool is_inside(uint64_t offset, uint64_t size, uint64_t end)
{
	return offset <= end && size <= end - offset;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* A zstd frame in the file. */
struct frame {
	uint64_t offset, stored, size;
	const char *base; /* contents that the frame was compressed against, or NULL */
	size_t base_size;
};

/* Does the data begin with a frame of zstd's current format? Its older formats have other magic numbers. */
static bool is_frame(const struct frame *frame, const char *stored)
{
	return frame->stored >= 4 && !memcmp(stored, "\x28\xb5\x2f\xfd", 4) &&
	       ZSTD_getFrameContentSize(stored, frame->stored) == frame->size;
}

static bool decompress(const struct frame *frame, const char *stored, char *to)
{
	ZSTD_DCtx *context = ZSTD_createDCtx();
	bool done = context && is_frame(frame, stored) &&
		    !ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, BUNDLE_WINDOW_LOG)) &&
		    (!frame->base || !ZSTD_isError(ZSTD_DCtx_refPrefix(context, frame->base, frame->base_size))) &&
		    ZSTD_decompressDCtx(context, to, frame->size, stored, frame->stored) == frame->size;

	ZSTD_freeDCtx(context);
	return done;
}

/* Read and decompress a frame whose place in the file was checked. The result ends with a NUL. */
static struct error *read_frame(const struct bundle *bundle, const struct frame *frame, char **ret)
{
	_cleanup_free_ char *stored = malloc(frame->stored);
	_cleanup_free_ char *data = malloc(frame->size + 1);
	struct error *error;

	if (!stored || !data)
		return error_errno(_("cannot read %s"), bundle->name);
	error = read_at(bundle, stored, frame->stored, frame->offset);
	if (error)
		return error;
	if (!decompress(frame, stored, data))
		return damaged(bundle, _("a part cannot be decompressed"));
	data[frame->size] = '\0';
	*ret = data;
	data = NULL;
	return NULL;
}

/* ---- trailer and signature --------------------------------------------------------------------------------------- */

static struct error *not_a_bundle(const struct bundle *bundle)
{
	return error_with_hint(error_new(ERROR_LOOKUP, _("%s is not a bundle, or was cut off"), bundle->name),
			       _("compare its size with the size of the original"));
}

/* Find the end of what is signed: set bundle->size, and the signature if there is one. */
static struct error *read_signature(struct bundle *bundle)
{
	struct bundle_footer footer;
	struct error *error;
	struct stat status;

	if (fstat(bundle->fd, &status))
		return error_errno("%s", bundle->name);
	if (!S_ISREG(status.st_mode) || status.st_size < (off_t)sizeof(struct bundle_trailer))
		return not_a_bundle(bundle);
	bundle->size = (uint64_t)status.st_size;
	error = read_at(bundle, &footer, sizeof(footer), bundle->size - sizeof(footer));
	if (error || memcmp(footer.magic, BUNDLE_SIGNATURE_MAGIC, sizeof(footer.magic)))
		return error;
	bundle->size -= sizeof(footer);
	if (!footer.signature_size || footer.signature_size > sizeof(bundle->signature) ||
	    footer.signature_size > bundle->size)
		return damaged(bundle, _("its signature has an invalid size"));
	bundle->size -= footer.signature_size;
	bundle->signature_size = footer.signature_size;
	return read_at(bundle, bundle->signature, bundle->signature_size, bundle->size);
}

static struct error *read_trailer(const struct bundle *bundle, struct bundle_trailer *trailer)
{
	struct error *error;

	if (bundle->size < sizeof(*trailer))
		return not_a_bundle(bundle);
	error = read_at(bundle, trailer, sizeof(*trailer), bundle->size - sizeof(*trailer));
	if (error)
		return error;
	if (memcmp(trailer->magic, BUNDLE_MAGIC, sizeof(trailer->magic)))
		return not_a_bundle(bundle);
	if (trailer->version != BUNDLE_VERSION)
		return error_with_hint(error_new(ERROR_UNSUPPORTED, _("bundle %s has version %u of the format"),
						 bundle->name, trailer->version),
				       _("use the version of Spile that made it"));
	if (trailer->file_size != bundle->size)
		return damaged(bundle, _("the file has another size than when it was made"));
	if (!is_inside(trailer->index_offset, trailer->index_stored, bundle->size) || !trailer->index_stored ||
	    !trailer->index_size || trailer->index_size > BUNDLE_INDEX_LIMIT)
		return damaged(bundle, _("its index is not inside the file"));
	return NULL;
}

/* ---- the index --------------------------------------------------------------------------------------------------- */

static void add_text(struct bundle_texts *list, const char *text)
{
	list->texts = memory_resize(list->texts, list->count + 1, sizeof(*list->texts));
	list->texts[list->count++] = text;
}

static bool parse_blob(const char *text, const struct bundle *bundle, struct bundle_blob *ret)
{
	int64_t numbers[4];
	const int64_t least[4] = {0, 1, 0, -1};
	const int64_t most[4] = {(int64_t)bundle->size, (int64_t)bundle->size, BUNDLE_BLOB_LIMIT,
				 (int64_t)bundle->blob_count - 1};

	for (unsigned int i = 0; i < 4; i++) {
		text = parse_number_at(text, 10, least[i], most[i], &numbers[i]);
		if (!text || *text++ != (i < 3 ? ',' : '\0'))
			return false;
	}
	*ret = (struct bundle_blob){(uint64_t)numbers[0], (uint64_t)numbers[1], (uint64_t)numbers[2], (int)numbers[3]};
	return is_inside(ret->offset, ret->stored, bundle->size);
}

static bool add_blob(struct bundle *bundle, const char *value)
{
	struct bundle_blob blob;

	if (bundle->blob_count == BUNDLE_BLOBS || !parse_blob(value, bundle, &blob))
		return false;
	bundle->blobs = memory_resize(bundle->blobs, bundle->blob_count + 1, sizeof(*bundle->blobs));
	bundle->blobs[bundle->blob_count++] = blob;
	return true;
}

/* Parse the number of a blob, all of which precede their uses. */
static bool parse_blob_number(const struct bundle *bundle, const char *value, int64_t *ret)
{
	return parse_number(value, 10, 0, (int64_t)bundle->blob_count - 1, ret);
}

static bool set_text_blob(struct bundle *bundle, const char *value)
{
	return parse_blob_number(bundle, value, &bundle->text);
}

static bool set_spile(struct bundle *bundle, const char *value)
{
	bundle->spile = value;
	return true;
}

static bool set_script(struct bundle *bundle, const char *value)
{
	bundle->script = value;
	return true;
}

static bool add_option(struct bundle *bundle, const char *value)
{
	add_text(&bundle->options, value);
	return true;
}

static bool add_argument(struct bundle *bundle, const char *value)
{
	add_text(&bundle->arguments, value);
	return true;
}

static bool begin_module(struct bundle *bundle, const char *value)
{
	struct bundle_module module = {.blob = BUNDLE_BLOBS};

	if (bundle->module_count == BUNDLE_MODULES || !release_parse(value, strlen(value), &module.release))
		return false;
	bundle->modules = memory_resize(bundle->modules, bundle->module_count + 1, sizeof(*bundle->modules));
	bundle->modules[bundle->module_count++] = module;
	return true;
}

static struct bundle_module *last_module(const struct bundle *bundle)
{
	return bundle->module_count ? &bundle->modules[bundle->module_count - 1] : NULL;
}

static bool set_build_id(struct bundle *bundle, const char *value)
{
	return last_module(bundle) && build_id_parse(value, strlen(value), &last_module(bundle)->build_id);
}

static bool set_machine(struct bundle *bundle, const char *value)
{
	return last_module(bundle) && machine_name_parse(value, strlen(value), &last_module(bundle)->machine);
}

static bool set_module_blob(struct bundle *bundle, const char *value)
{
	int64_t number;

	if (!last_module(bundle) || !parse_blob_number(bundle, value, &number))
		return false;
	last_module(bundle)->blob = (unsigned int)number;
	return true;
}

static bool add_note(struct bundle *bundle, const char *value)
{
	if (last_module(bundle))
		add_text(&last_module(bundle)->notes, value);
	return last_module(bundle);
}

static const struct {
	const char *key;
	bool (*set)(struct bundle *bundle, const char *value); /* returns false if the value is invalid */
} keys[] = {
	{BUNDLE_KEY_SPILE, set_spile},
	{BUNDLE_KEY_SCRIPT, set_script},
	{BUNDLE_KEY_BLOB, add_blob},
	{BUNDLE_KEY_TEXT, set_text_blob},
	{BUNDLE_KEY_OPTION, add_option},
	{BUNDLE_KEY_ARGUMENT, add_argument},
	{BUNDLE_KEY_MODULE, begin_module},
	{BUNDLE_KEY_MODULE_BUILD_ID, set_build_id},
	{BUNDLE_KEY_MODULE_MACHINE, set_machine},
	{BUNDLE_KEY_MODULE_BLOB, set_module_blob},
	{BUNDLE_KEY_MODULE_NOTE, add_note},
};

/* Take a string of the index, of which @length bytes are before its '='. */
static bool take_pair(struct bundle *bundle, const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strlen(keys[i].key) == length && !memcmp(keys[i].key, text, length))
			return keys[i].set(bundle, text + length + 1);
	return true;
}

static struct error *parse_index(struct bundle *bundle, size_t size)
{
	for (size_t at = 0; at < size;) {
		const char *text = bundle->index + at, *equals;
		size_t length = strnlen(text, size - at);

		if (length == size - at)
			return damaged(bundle, _("a string of its index is not terminated"));
		equals = strchr(text, '=');
		if (!equals || !take_pair(bundle, text, (size_t)(equals - text)))
			return damaged(bundle, _("its index has an invalid entry"));
		at += length + 1;
	}
	for (unsigned int i = 0; i < bundle->module_count; i++)
		if (bundle->modules[i].blob == BUNDLE_BLOBS || !*bundle->modules[i].machine.text)
			return damaged(bundle, _("its index describes a module incompletely"));
	return NULL;
}

static struct error *read_index(struct bundle *bundle)
{
	struct bundle_trailer trailer;
	struct error *error = read_signature(bundle);
	struct frame frame;

	error = error ?: read_trailer(bundle, &trailer);
	if (error)
		return error;
	frame = (struct frame){trailer.index_offset, trailer.index_stored, trailer.index_size, NULL, 0};
	error = read_frame(bundle, &frame, &bundle->index);
	return error ?: parse_index(bundle, trailer.index_size);
}

struct error *bundle_open(int fd, const char *name, struct bundle *ret)
{
	struct error *error;

	*ret = (struct bundle){.fd = fd, .name = name, .spile = "", .script = "", .text = -1};
	error = read_index(ret);
	if (error)
		bundle_close(ret);
	return error;
}

void bundle_close(struct bundle *bundle)
{
	for (unsigned int i = 0; i < bundle->module_count; i++)
		free(bundle->modules[i].notes.texts);
	free(bundle->options.texts);
	free(bundle->arguments.texts);
	free(bundle->blobs);
	free(bundle->modules);
	free(bundle->index);
	*bundle = (struct bundle){.fd = -1};
}

/* ---- blobs ------------------------------------------------------------------------------------------------------- */

/* Find the blobs that must be decompressed for one, the last of which comes first. Return their number. */
static unsigned int find_chain(const struct bundle *bundle, unsigned int blob, unsigned int *chain)
{
	unsigned int count = 0;

	/* A base is an earlier blob, so this ends. */
	for (int at = (int)blob; at >= 0; at = bundle->blobs[at].base)
		chain[count++] = (unsigned int)at;
	return count;
}

struct error *bundle_extract(const struct bundle *bundle, unsigned int blob, char **data, size_t *size)
{
	_cleanup_free_ unsigned int *chain = memory_new(bundle->blob_count, sizeof(*chain));
	unsigned int count = find_chain(bundle, blob, chain);
	char *base = NULL;
	size_t base_size = 0;

	while (count--) {
		const struct bundle_blob *next = &bundle->blobs[chain[count]];
		const struct frame frame = {next->offset, next->stored, next->size, base, base_size};
		struct error *error = read_frame(bundle, &frame, data);

		free(base);
		if (error)
			return error;
		base = *data;
		base_size = next->size;
	}
	*size = base_size;
	return NULL;
}

struct error *bundle_read_signed(const struct bundle *bundle, char **data)
{
	struct error *error;

	*data = malloc(bundle->size);
	if (!*data)
		return error_errno(_("cannot read %s"), bundle->name);
	error = read_at(bundle, *data, bundle->size, 0);
	if (error)
		free(*data);
	return error;
}
