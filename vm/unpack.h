/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A reader of cpio archives that come in pieces; see unpack.c. */
#ifndef SPILE_VM_UNPACK_H
#define SPILE_VM_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct unpacker {
	enum unpack_state { UNPACK_HEADER, UNPACK_NAME, UNPACK_CONTENT, UNPACK_PADDING, UNPACK_OVER } state;
	char text[4096 + 4]; /* what has come of a header, a name or a link's target */
	size_t had; /* bytes of what the state wants */
	size_t wanted;
	char name[4096 + 8];
	mode_t mode;
	size_t size; /* of the content */
	int fd; /* the file that is being written, or -1 */
	bool begun; /* a piece has come */
	char failure[400]; /* the first one; nothing is unpacked after it */
};

/** Start with an archive. */
void unpack_begin(struct unpacker *unpacker);

/** The next piece. */
void unpack(struct unpacker *unpacker, const uint8_t *piece, size_t length);

/** No more will come. False: it was not all, or something failed; unpacker->failure says what. */
bool unpack_end(struct unpacker *unpacker);

#endif
