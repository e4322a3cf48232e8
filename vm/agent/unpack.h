/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unpack cpio archives that arrive in pieces; see unpack.c. */
#ifndef SPILE_VM_UNPACK_H
#define SPILE_VM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct unpacker {
	enum unpack_state { UNPACK_HEADER, UNPACK_NAME, UNPACK_CONTENT, UNPACK_PADDING, UNPACK_OVER } state;
	char text[4096 + 4]; /* the part received of a header, a name or a link's target */
	size_t had; /* bytes received of those that the state needs */
	size_t wanted;
	char name[4096 + 8];
	mode_t mode;
	size_t size; /* of the content */
	int fd; /* the file being written, or -1 */
	bool begun; /* a piece was received */
	char failure[400]; /* the first error; nothing is unpacked after it */
};

/** Start with an archive. */
void unpack_begin(struct unpacker *unpacker);

/** Unpack the next piece. */
void unpack(struct unpacker *unpacker, const uint8_t *piece, size_t length);

/** Finish. Return false if the archive was truncated or anything failed; unpacker->failure has the reason. */
bool unpack_end(struct unpacker *unpacker);

#endif
