/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a bundle is made of, and the steps that make it; see write.c, read.c and differences.c. */
#ifndef SPILE_TRANSLATOR_BUNDLE_PARTS_H
#define SPILE_TRANSLATOR_BUNDLE_PARTS_H

#include <glib.h>
#include <stdbool.h>

#include "common/architecture.h"
#include "common/arena.h"
#include "common/base/error.h"

struct translation;

struct bundle_parts {
	struct arena *arena;
	const char *script; /* its file name */
	const char *text; /* NULL: without the script's text */
	size_t text_length;
	GPtrArray *options, *arguments; /* of const char * */
	GPtrArray *modules; /* of struct module_part *, each for another kernel */
};

/* A module in a bundle. */
struct module_part {
	const char *release, *build_id; /* of the kernel; build_id may be NULL */
	const struct architecture *architecture;
	const char *image; /* the module's file */
	size_t size;
	GPtrArray *notes; /* of const char *: how the script differs on this kernel */
};

/** Return parts without contents. */
struct bundle_parts *bundle_parts_new(struct arena *arena);

/** Add a module. It replaces one for the same kernel. */
void bundle_parts_add(struct bundle_parts *parts, struct module_part *module);

/**
 * Write a bundle, with mode 0755 less the umask. The same parts make the same bytes.
 *
 * @param[in] key The PEM file of the private key to sign it with; NULL: do not sign.
 */
struct error *bundle_write(const struct bundle_parts *parts, const char *path, const char *key);

/**
 * Append the bytes of a bundle to @p file.
 *
 * @param[in] architecture Only the modules of this architecture; NULL: all.
 * @param[in] key As for bundle_write().
 */
struct error *bundle_assemble(const struct bundle_parts *parts, const struct architecture *architecture,
			      const char *key, GString *file);

/** Return the architectures of the modules (const struct architecture *), each once, in their order. */
GPtrArray *bundle_architectures(const struct bundle_parts *parts);

/* A container image (OCI image layout). */
struct image_request {
	const char *directory; /* it does not exist, or is empty */
	const char *key; /* as for bundle_write() */
	bool has_exporter; /* it runs stap-exporter, which runs the bundle and serves its metrics */
};

/** Write a container image with a bundle for each architecture. An existing directory stays as it is if this fails. */
struct error *image_write(const struct bundle_parts *parts, const struct image_request *request);

/** Check, before the modules are made, that image_write() can make this image. */
struct error *image_check(const struct image_request *request);
/** Check that the image can have modules for this architecture: stap-exporter in it is that of this machine. */
struct error *image_check_architecture(const struct image_request *request, const struct architecture *architecture);

/** Read all parts of a bundle. Its signature is not kept. */
struct error *bundle_read(struct arena *arena, const char *path, struct bundle_parts **ret);

/**
 * Compare what the script means on several kernels, and print a note for each difference.
 *
 * @param[in] translations const struct translation * after pass 2, with meanings.
 * @param[in] modules struct module_part *: to which the notes are added, in the same order.
 */
void differences_note(GPtrArray *translations, GPtrArray *modules);

/**
 * Note what the points of the user's script match, after pass 2: functions by their names, since lines differ between
 * all kernels.
 */
void meanings_note_points(struct translation *t);

/** Return the keys (const char *) of the meanings of all translations, in the order of the script. */
GPtrArray *meanings_keys(struct arena *arena, GPtrArray *translations);

/** Do translations that have an entry with this key have different values? */
bool meanings_differ(GPtrArray *translations, const char *key);

/** Return "VALUES on KERNEL, KERNEL; VALUES on KERNEL". */
const char *meanings_describe(struct arena *arena, GPtrArray *translations, const char *key);

#endif
