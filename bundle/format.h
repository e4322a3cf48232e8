/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file format of bundles, which stap writes (translator/bundle/) and the bundle's own program reads (reader.c).
 * stap-bundle(1) describes it.
 *
 * A bundle begins with the program, an ELF file, or with a shell script and a program for each architecture. Then come
 * the blobs, the index, the trailer, and perhaps a signature with its footer. All numbers are little-endian. Offsets
 * count from the beginning of the file.
 *
 * The index and each blob are a zstd frame with its size and a checksum. A blob may refer to an earlier one, its base:
 * then it was compressed with the base's contents as a prefix, so that what both have in common is stored once.
 *
 * The index consists of NUL-terminated strings "KEY=VALUE". Readers ignore keys that they do not know.
 */
#ifndef SPILE_BUNDLE_FORMAT_H
#define SPILE_BUNDLE_FORMAT_H

#include <stdint.h>

#define BUNDLE_MAGIC "SPILEBUN"
#define BUNDLE_SIGNATURE_MAGIC "SPILESIG"

enum {
	BUNDLE_VERSION = 1,
	/* Limits that a reader checks before it allocates memory. */
	BUNDLE_INDEX_LIMIT = 32 << 20,
	BUNDLE_BLOB_LIMIT = 512 << 20,
	BUNDLE_BLOBS = 4096,
	BUNDLE_MODULES = 4096,
	BUNDLE_SIGNATURE_LIMIT = 1024,
	/* After this many modules that each refer to the one before, the next refers to the first. */
	BUNDLE_CHAIN = 8,
	/* The largest base is smaller than the window. */
	BUNDLE_WINDOW_LOG = 27,
};

/* The last bytes of a bundle that is not signed; of a signed one, those before the signature. */
struct bundle_trailer {
	char magic[8] __attribute__((nonstring)); /* BUNDLE_MAGIC */
	uint32_t version; /* BUNDLE_VERSION */
	uint32_t reserved; /* 0 */
	uint64_t file_size; /* of everything up to the end of the trailer */
	uint64_t index_offset, index_stored, index_size; /* index_stored: compressed */
};

/* The last bytes of a signed bundle. The signature is before it, and signs all that is before the signature. */
struct bundle_footer {
	char magic[8] __attribute__((nonstring)); /* BUNDLE_SIGNATURE_MAGIC */
	uint32_t signature_size;
	uint32_t reserved; /* 0 */
};

/*
 * The keys of the index, in this order. blob, option and argument may be repeated; module begins the facts about one
 * module, whose keys begin with "module-".
 */
#define BUNDLE_KEY_SPILE "spile" /* the version of Spile that wrote the bundle */
#define BUNDLE_KEY_SCRIPT "script" /* the script's file name, or "<input>" */
#define BUNDLE_KEY_TEXT "text" /* the number of the blob with the script's text */
#define BUNDLE_KEY_OPTION "option" /* an option of stap that changes the modules, such as "-G=depth=3" */
#define BUNDLE_KEY_ARGUMENT "argument" /* an argument of the script */
#define BUNDLE_KEY_BLOB "blob" /* OFFSET,STORED,SIZE,BASE in decimal; BASE is -1 or the number of an earlier blob */
#define BUNDLE_KEY_MODULE "module" /* the kernel's release */
#define BUNDLE_KEY_MODULE_BUILD_ID "module-build-id" /* of the kernel; absent if it is not known */
#define BUNDLE_KEY_MODULE_MACHINE "module-machine" /* of the kernel, as uname -m prints it */
#define BUNDLE_KEY_MODULE_BLOB "module-blob" /* the number of the blob with the module's file */
#define BUNDLE_KEY_MODULE_NOTE "module-note" /* how the script differs on this kernel; may be repeated */

#endif
