/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file "globals" of a module: the values of the script's own global variables. Shared by kernel and user space.
 *
 * Reading it from offset 0 takes a snapshot: for each global a struct stp_snapshot_global, its elements, and a record
 * of the type STP_SNAPSHOT_END. A scalar has one element. read() returns whole records, or EBUSY while begin or end
 * probes run. All records are multiples of eight bytes.
 *
 * Handlers continue to run. An array has the elements that existed when its snapshot began, without those
 * that were deleted before they were read, each with its value at the time of reading. They are not sorted.
 *
 * An element is a struct stp_snapshot_record and its keys, followed by the value. A number is an __s64. A string is an
 * __u64 with its length, then the bytes, padded with NUL. A statistic is a struct stp_snapshot_statistic.
 *
 * An address in a key that is a stack is named by a struct stp_snapshot_symbol that precedes the element. Each is named
 * once while the file is open, unless the module had to forget it.
 */
#ifndef SPILE_RUNTIME_SNAPSHOT_H
#define SPILE_RUNTIME_SNAPSHOT_H

#include <linux/types.h>

enum stp_snapshot_type {
	STP_SNAPSHOT_GLOBAL,
	STP_SNAPSHOT_ELEMENT,
	STP_SNAPSHOT_SYMBOL,
	STP_SNAPSHOT_END, /* of a global */
	STP_SNAPSHOT_OBJECT,
};

struct stp_snapshot_record {
	__u32 size; /* with this header */
	__u16 type; /* enum stp_snapshot_type */
	__u16 is_partial; /* STP_SNAPSHOT_END: some elements could not be read, because handlers held the lock */
};

struct stp_snapshot_global {
	struct stp_snapshot_record record;
	__u8 kind; /* enum stp_global_kind */
	__u8 statistic; /* enum stp_statistic_flags */
	__u16 key_count;
	__u32 key_strings; /* bit k: key k is a string */
	__s64 low, width; /* STP_STATISTIC_LINEAR */
	__u32 buckets; /* of the histogram; 0: none */
	__u32 line, column; /* of the declaration */
	__u32 reserved;
	/* then strings, each ended by NUL: name, unit, picture, file, key_names and stacks (struct stp_global) */
};

struct stp_snapshot_statistic {
	__s64 count, sum, min, max, variance;
	__u64 bucket_count; /* of the buckets that follow: those that are not empty */
};

struct stp_snapshot_bucket {
	__u64 index;
	__s64 count;
};

struct stp_snapshot_symbol {
	struct stp_snapshot_record record;
	__u64 address;
	__u64 link_address; /* the address in the file, if there is a build-id */
	__u32 is_return; /* the address follows a call */
	__u16 length; /* of the text: "NAME+0xOFFSET/0xSIZE [OBJECT]", or with a place: "... at FILE:LINE [OBJECT]" */
	__u16 id_size; /* of the build-id of the program or library, whose bytes follow the text; 0: none */
};

/*
 * A program or library that some process maps. All of them precede the elements of the first global that has stacks of
 * programs as symbols, whose text has only the name of the file, without its directory.
 */
struct stp_snapshot_object {
	struct stp_snapshot_record record;
	__u32 is_first; /* those of earlier snapshots are no longer valid */
	__u16 length; /* of the path */
	__u16 id_size; /* of its build-id, whose bytes follow the path; 0: none, or not known yet */
};

/*
 * Histograms. A logarithmic one has a bucket for each power of two: 0 to 63 for -2^63 to -1, 64 for zero, 65 to 127 for
 * 1 to 2^62. A bucket counts the values from its power up to, but not including, the next one away from zero. A linear
 * one has a bucket for the values below its range, one for each step of `width` from `low`, and one for those above.
 */
enum { STP_LOG_ZERO = 64, STP_LOG_BUCKETS = 128 };

#endif
