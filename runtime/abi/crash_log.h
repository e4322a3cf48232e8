/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How staplog(8) finds the output of a script in a dump of a crashed machine. Shared by kernel and user space.
 *
 * Each module has a page that begins with a struct stp_log, so a search needs to look only at the first bytes of each
 * page of memory. All addresses are those of the kernel, which the dump can translate.
 */
#ifndef SPILE_RUNTIME_CRASH_LOG_H
#define SPILE_RUNTIME_CRASH_LOG_H

#include <linux/types.h>

/* The last two digits are the version of the structures here and of struct stp_record. */
#define STP_LOG_MAGIC "spile log 9d4701"

struct stp_log {
	__u8 magic[sizeof(STP_LOG_MAGIC) - 1];
	__u64 self; /* the address of this structure */
	__u64 buffers; /* the address of an array of struct stp_log_buffer */
	__u32 buffer_count;
	__u32 ring_offset; /* of the address of the ring in relay's structure */
	__u64 ring_size;
	char module[64];
	char machine[16]; /* as uname -m prints it */
};

/* The buffer of a CPU. */
struct stp_log_buffer {
	__u64 relay_buffer; /* the address of a pointer to relay's structure; it is NULL if the CPU never was online */
	__u64 counters; /* the address of a struct stp_log_counters */
};

/* Total bytes written and read; the bytes between them are in the ring, at these positions modulo its size. */
struct stp_log_counters {
	__u64 head, tail;
};

#endif
