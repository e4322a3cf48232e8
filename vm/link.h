/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The framed protocol between stap-vm and the agent in the guest.
 *
 * A frame is a struct frame_header (in memory layout, because both ends are x86-64) and a payload. The same frames go
 * over the virtio port (agent to hub) and over the socket (hub to client). The hub only rewrites the channel, which
 * identifies the client whose command a frame belongs to.
 *
 * Each stream of a command has a window: its sender keeps at most LINK_WINDOW bytes unacknowledged. Hence no process
 * buffers more than that, and both ends can always read: a slow standard output never blocks a signal.
 *
 * Plain C without GLib, because the agent is a static program.
 */
#ifndef SPILE_VM_LINK_H
#define SPILE_VM_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINK_WINDOW = 256 * 1024, LINK_MAX_PAYLOAD = 4 * 1024 * 1024 };

enum frame_type {
	FRAME_HELLO = 1, /* agent: the kernel has booted; a snapshot is taken in this state */
	/*
	 * hub to agent: begin after boot or restore; payload struct begin_header. The agent replies with an empty one
	 */
	FRAME_BEGIN,
	FRAME_FILES, /* hub to agent, after BEGIN: a piece of a cpio archive to unpack; an empty one ends it */
	FRAME_READY, /* agent, then hub to client: the guest is ready; payload: an error during startup, or nothing */
	FRAME_NOTE, /* hub to client, before READY: a progress message for verbose clients */
	FRAME_EXEC, /* client: run a command; payload: struct exec_header and NUL-terminated strings */
	FRAME_DATA, /* both: bytes of a stream; an empty frame is the end of file */
	FRAME_ACK, /* both: payload uint32_t, number of bytes of a stream that were consumed */
	FRAME_SIGNAL, /* client: payload uint32_t, a signal number; the agent returns it after delivering the signal */
	FRAME_EXIT, /* agent: payload uint32_t, exit status in shell notation (128 + signal) */
	FRAME_CANCEL, /* hub to agent: the client is gone, kill its command */
	FRAME_FAILED, /* hub to client: the guest is lost; payload: reason and the end of the console */
	/* client to hub: timed out; payload: the reason, returned in FAILED with the end of the console */
	FRAME_TIMEOUT,
	FRAME_STOP, /* client to hub: stop the guest */
	FRAME_REPORT, /* hub to client, before EXIT: the kernel reported an error; payload: reason and console text */
};

struct frame_header {
	uint32_t length; /* of the payload */
	uint8_t type;
	uint8_t stream; /* file descriptor number in the command: 0, 1, 2 */
	uint16_t channel;
};

/* FRAME_BEGIN: data that must differ between guests restored from the same snapshot. */
struct begin_header {
	int64_t seconds, nanoseconds; /* from the host's clock */
	uint8_t entropy[64];
};

/* FRAME_EXEC: followed by the working directory, the arguments and the environment, each NUL-terminated. */
struct exec_header {
	uint32_t arguments;
	uint32_t environment;
};

struct frame {
	struct frame_header header;
	const uint8_t *payload; /* valid until the next link_fill() */
};

/* One end of a connection. Initialize to zero, except for fd, which must be non-blocking. */
struct link {
	int fd;
	uint8_t *in;
	size_t in_start, in_end, in_size;
	uint8_t *out;
	size_t out_start, out_end, out_size;
	bool broken; /* the peer has disconnected or violated the protocol */
};

/** Queue a frame. Nothing is written before link_flush(). */
void link_send(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel, const void *payload,
	       size_t length);

/** Queue a frame whose payload is one number. */
void link_send_number(struct link *link, enum frame_type type, unsigned int stream, unsigned int channel,
		      uint32_t number);

/** Return the number in a frame's payload, or 0 if it holds none. */
uint32_t frame_number(const struct frame *frame);

/** Write as much of the queue as possible without blocking. */
void link_flush(struct link *link);

/** Return the number of queued bytes. If it is not 0, poll for POLLOUT. */
size_t link_pending(const struct link *link);

/** Read the available data without blocking. */
void link_fill(struct link *link);

/** Take the next complete frame from the buffer. Return false if no frame is complete. */
bool link_next(struct link *link, struct frame *frame);

/** Close the descriptor and free the buffers. */
void link_close(struct link *link);

#endif
