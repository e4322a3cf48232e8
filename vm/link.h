/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The framed protocol between stap-vm and the agent in the guest.
 *
 * A frame is a struct frame_header (both ends are x86-64, so it travels as it lies in memory) and a payload. The same
 * frames go over the virtio port (agent to hub) and over the socket (hub to client); the hub only rewrites the channel,
 * which says which client's command a frame belongs to.
 *
 * Each stream of a command has a window: its sender keeps at most LINK_WINDOW bytes unacknowledged. Hence nobody
 * buffers more than that, and both ends can always read: a slow standard output never blocks a signal's way.
 *
 * Plain C without GLib, since the agent is a static program.
 */
#ifndef SPILE_VM_LINK_H
#define SPILE_VM_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_WINDOW = 256 * 1024, LINK_MAX_PAYLOAD = 4 * 1024 * 1024 };

enum frame_type {
	FRAME_HELLO = 1, /* agent: the kernel is up; this is where a snapshot is taken */
	/* hub to agent: payload struct begin_header; a guest's own life begins. The agent sends it back, empty */
	FRAME_BEGIN,
	FRAME_FILES, /* hub to agent, after BEGIN: a piece of a cpio archive to unpack; none means its end */
	FRAME_READY, /* agent, then hub to client: the guest is up; payload: what went wrong on the way, or nothing */
	FRAME_NOTE, /* hub to client, before READY: a line for who asked for more words */
	FRAME_EXEC, /* client: run a command; payload: struct exec_header and NUL-terminated strings */
	FRAME_DATA, /* both: bytes of a stream; none means end of file */
	FRAME_ACK, /* both: payload uint32_t, bytes of a stream that were taken */
	FRAME_SIGNAL, /* client: payload uint32_t, a signal number; the agent sends it back when it has delivered it */
	FRAME_EXIT, /* agent: payload uint32_t, exit status as a shell gives it (128 + signal) */
	FRAME_CANCEL, /* hub to agent: the client is gone, kill its command */
	FRAME_FAILED, /* hub to client: the guest is lost; payload: text with the end of the console */
	/* client to hub: waited too long; payload: text, to come back in FAILED with the console's end */
	FRAME_TIMEOUT,
	FRAME_STOP, /* client to hub: end the guest */
	FRAME_REPORT, /* hub to client, before EXIT: the kernel complained; payload: text with what the console said */
};

struct frame_header {
	uint32_t length; /* of the payload */
	uint8_t type;
	uint8_t stream; /* file descriptor number in the command: 0, 1, 2 */
	uint16_t channel;
};

/* FRAME_BEGIN: what is never the same twice, though guests may be restored from the same snapshot. */
struct begin_header {
	int64_t seconds, nanoseconds; /* of the host's clock */
	uint8_t entropy[64];
};

/* FRAME_EXEC: then come the working folder, the arguments and the environment, each ended by NUL. */
struct exec_header {
	uint32_t arguments;
	uint32_t environment;
};

struct frame {
	struct frame_header header;
	const uint8_t *payload; /* valid until the next link_fill() */
};

/* One end of a connection. Zeroed apart from fd, it is ready for use; the descriptor is non-blocking. */
struct link {
	int fd;
	uint8_t *in;
	size_t in_start, in_end, in_size;
	uint8_t *out;
	size_t out_start, out_end, out_size;
	bool broken; /* the peer is gone or talks nonsense */
};

/** Queue a frame. Nothing is written before link_flush(). */
void link_send(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel, const void *payload,
	       size_t length);

/** Queue a frame whose payload is one number. */
void link_send_number(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel,
		      uint32_t number);

/** The number in a frame's payload; 0 if there is none. */
uint32_t frame_number(const struct frame *frame);

/** Write as much of the queue as goes without waiting. */
void link_flush(struct link *link);

/** How many bytes are queued? (if any, poll for POLLOUT) */
size_t link_pending(const struct link *link);

/** Read what is there without waiting. */
void link_fill(struct link *link);

/** Take the next complete frame that was read; false if there is none. */
bool link_next(struct link *link, struct frame *frame);

/** Close the descriptor and free the buffers. */
void link_close(struct link *link);

#endif
