// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unpack archives made by cpio.c, piece by piece as they arrive through the port. A restored guest gets its files this
 * way, while the kernel unpacks those of a booted one. Both must behave in the same way: an existing file is replaced,
 * a directory gets the mode in the archive, and parent directories that are not in the archive are not created.
 *
 * Plain C without GLib, because the agent is a static program.
 */
#include "vm/agent/unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* magic, inode, mode, uid, gid, links, mtime, size, device of the file (2), device number (2), name size, checksum */
enum { HEADER_SIZE = 110, MAGIC_SIZE = 6, FIELD_SIZE = 8, FIELD_MODE = 1, FIELD_SIZE_OF_CONTENT = 6, FIELD_NAME = 11 };

static void want(struct unpacker *unpacker, enum unpack_state state, size_t length)
{
	unpacker->state = state;
	unpacker->had = 0;
	unpacker->wanted = length;
}

static void fail(struct unpacker *unpacker, const char *name, const char *why)
{
	if (!*unpacker->failure)
		snprintf(unpacker->failure, sizeof(unpacker->failure), "cannot unpack %.250s: %.100s", name, why);
	unpacker->state = UNPACK_OVER;
}

/* Return the padding to a multiple of four. Name and content are padded separately, counted from the header. */
static size_t padding(size_t length)
{
	return -length & 3;
}

static unsigned long field(const struct unpacker *unpacker, int number)
{
	char digits[FIELD_SIZE + 1] = "";

	memcpy(digits, unpacker->text + MAGIC_SIZE + number * FIELD_SIZE, FIELD_SIZE);
	return strtoul(digits, NULL, 16);
}

static void take_header(struct unpacker *unpacker)
{
	size_t name_size = field(unpacker, FIELD_NAME);

	unpacker->mode = field(unpacker, FIELD_MODE);
	unpacker->size = field(unpacker, FIELD_SIZE_OF_CONTENT);
	if (memcmp(unpacker->text, "070701", MAGIC_SIZE) || name_size < 1 || name_size > 4096 ||
	    (S_ISLNK(unpacker->mode) && unpacker->size >= sizeof(unpacker->text)))
		fail(unpacker, "the guest's files", "the archive is damaged");
	else
		want(unpacker, UNPACK_NAME, name_size + padding(HEADER_SIZE + name_size));
}

/* Remove an existing file and create the new one; its content, if any, comes next. */
static bool make(struct unpacker *unpacker)
{
	const char *name = unpacker->name;
	mode_t mode = unpacker->mode & 07777;

	if (S_ISDIR(unpacker->mode))
		return (!mkdir(name, mode) || errno == EEXIST) && !chmod(name, mode);
	if (unlink(name) < 0 && errno != ENOENT)
		return false;
	if (!S_ISREG(unpacker->mode))
		return true;
	unpacker->fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	return unpacker->fd >= 0 && !fchmod(unpacker->fd, mode);
}

static void take_name(struct unpacker *unpacker)
{
	unpacker->text[unpacker->wanted] = '\0';
	if (!strcmp(unpacker->text, "TRAILER!!!")) {
		unpacker->state = UNPACK_OVER;
		return;
	}
	snprintf(unpacker->name, sizeof(unpacker->name), "/%s", unpacker->text);
	if (make(unpacker))
		want(unpacker, UNPACK_CONTENT, unpacker->size);
	else
		fail(unpacker, unpacker->name, strerror(errno));
}

static void take_content(struct unpacker *unpacker)
{
	if (S_ISLNK(unpacker->mode)) {
		unpacker->text[unpacker->size] = '\0';
		if (symlink(unpacker->text, unpacker->name) < 0) {
			fail(unpacker, unpacker->name, strerror(errno));
			return;
		}
	}
	if (unpacker->fd >= 0)
		close(unpacker->fd);
	unpacker->fd = -1;
	want(unpacker, UNPACK_PADDING, padding(unpacker->size));
}

/* Process the part that is now complete. */
static void take(struct unpacker *unpacker)
{
	switch (unpacker->state) {
	case UNPACK_HEADER:
		take_header(unpacker);
		break;
	case UNPACK_NAME:
		take_name(unpacker);
		break;
	case UNPACK_CONTENT:
		take_content(unpacker);
		break;
	case UNPACK_PADDING:
		want(unpacker, UNPACK_HEADER, HEADER_SIZE);
		break;
	case UNPACK_OVER:
		break;
	}
}

/* Consume bytes of the current part: write them to the file, or collect them. Return how many were consumed. */
static size_t consume(struct unpacker *unpacker, const uint8_t *piece, size_t length)
{
	ssize_t count = length;

	if (unpacker->fd >= 0)
		count = write(unpacker->fd, piece, length);
	else if (unpacker->state != UNPACK_PADDING && (unpacker->state != UNPACK_CONTENT || S_ISLNK(unpacker->mode)))
		memcpy(unpacker->text + unpacker->had, piece, length);
	if (count < 0) {
		fail(unpacker, unpacker->name, strerror(errno));
		return 0;
	}
	unpacker->had += count;
	return count;
}

void unpack_begin(struct unpacker *unpacker)
{
	memset(unpacker, 0, sizeof(*unpacker));
	unpacker->fd = -1;
	want(unpacker, UNPACK_HEADER, HEADER_SIZE);
}

void unpack(struct unpacker *unpacker, const uint8_t *piece, size_t length)
{
	unpacker->begun = true;
	while (unpacker->state != UNPACK_OVER) {
		size_t missing = unpacker->wanted - unpacker->had;
		size_t count = missing && length ? consume(unpacker, piece, length < missing ? length : missing) : 0;

		piece += count;
		length -= count;
		if (unpacker->state != UNPACK_OVER && unpacker->had == unpacker->wanted)
			take(unpacker);
		else if (!length)
			return;
	}
}

bool unpack_end(struct unpacker *unpacker)
{
	if (unpacker->fd >= 0)
		close(unpacker->fd);
	unpacker->fd = -1;
	if (unpacker->begun && unpacker->state != UNPACK_OVER)
		fail(unpacker, "the guest's files", "the archive is truncated");
	return !*unpacker->failure;
}
