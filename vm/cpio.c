// SPDX-License-Identifier: GPL-2.0-or-later
/* A writer of cpio archives; see cpio.h. */
#include "vm/cpio.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum { HEADER_SIZE = 110 };

struct cpio *cpio_new(FILE *file)
{
	struct cpio *cpio = g_new0(struct cpio, 1);

	cpio->file = file;
	cpio->members = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return cpio;
}

/* Pad to a multiple of four bytes. Name and data are padded separately, counted from the start of the header. */
static void pad(struct cpio *cpio, size_t length)
{
	static const char zeros[3];

	fwrite(zeros, 1, -length & 3, cpio->file);
}

static void write_entry(struct cpio *cpio, const char *name, mode_t mode, dev_t device, const void *data, size_t length)
{
	size_t name_size = strlen(name) + 1;
	unsigned int links = S_ISDIR(mode) ? 2 : 1;

	/*
	 * magic, inode, mode, uid, gid, links, mtime, size, device of the file (2), device number (2), name size,
	 * checksum
	 */
	fprintf(cpio->file, "070701%08X%08X%08X%08X%08X%08X%08zX%08X%08X%08X%08X%08zX%08X", ++cpio->inode, mode, 0, 0,
		links, 0, length, 0, 0, major(device), minor(device), name_size, 0);
	fwrite(name, 1, name_size, cpio->file);
	pad(cpio, HEADER_SIZE + name_size);
	if (length)
		fwrite(data, 1, length, cpio->file);
	pad(cpio, length);
}

void cpio_add(struct cpio *cpio, const char *path, mode_t mode, dev_t device, const void *data, size_t length)
{
	g_autofree char *canonical = g_canonicalize_filename(path, "/");
	g_autofree char *parent = g_path_get_dirname(canonical);

	if (!strcmp(canonical, "/") || g_hash_table_contains(cpio->members, canonical))
		return;
	cpio_add(cpio, parent, S_IFDIR | 0755, 0, NULL, 0);
	write_entry(cpio, canonical + 1, mode, device, data, length);
	g_hash_table_add(cpio->members, g_steal_pointer(&canonical));
}

void cpio_finish(struct cpio *cpio)
{
	write_entry(cpio, "TRAILER!!!", 0, 0, NULL, 0);
	fflush(cpio->file);
	g_hash_table_unref(cpio->members);
	g_free(cpio);
}
