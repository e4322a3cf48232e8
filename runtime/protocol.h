/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the module and staprun say to each other. Shared by kernel and user space.
 *
 * In debugfs, folder spile/<module name>/ holds one relay file per CPU, trace0, trace1…, and the file "control".
 *
 * The relay files carry records: this header and `length` bytes. `sequence` counts all records of the session from 0,
 * whatever the CPU, with no gap: within one file it rises, and a reader that emits records in the order of their
 * numbers has the total order. A record that found no room takes no number; it is counted in "lost".
 *
 * What a handler prints is emitted as a whole, where it ended, even if it is more than a record holds: such records are
 * parts, numbered from 0, of one writer in a file.
 *
 * Commands are written to "control", one line per write():
 *     target PID                       sets target()
 *     timezone SECONDS NAME            the user's own, in seconds west of UTC (NAME: STP_TIME_ZONE_LIMIT)
 *     remote NUMBER NAME               which of the remote hosts this is (NAME: STP_REMOTE_LIMIT)
 *     module NAME SECTION 0xADDRESS    where a section of a module is that was loaded before
 *     start                            run the begin probes, arm the others; returns when that is done
 *     stop                             disarm, run end probes; returns when all output has been queued
 *     keep                             while nobody has "control" open from now on, the session goes on
 *     probe INDEX|* on|off             switch a probe, or all: one that is off is disarmed, whatever its condition
 *     reset                            give all globals the values that they had when the script began; what hits in
 *                                      the moment that this takes is not seen
 *     measure                          count and time the hits of each probe from now on
 * Errors come back as the error of write(); the words are in the record stream.
 *
 * If the script needs tables of programs (object_table.h), there is the file "objects", for stap-tables. poll() reports
 * POLLIN when there is a question; read() gives one, a struct stp_object_question, or nothing. ioctl(STP_OBJECT_OPEN,
 * NUMBER) gives a descriptor for that file, if a process still has it mapped and the caller may read it; for one of
 * perf's, it is opened as the process itself would, which may be in another root. An answer is a struct
 * stp_object_answer and behind it the table, if there is one, in one write().
 *
 * Reading "control" (from offset 0) gives lines "key value": state, exit (1 when the script asked to end), failed (1
 * after a fatal script error), lost, skipped_*, memory_* (bytes), loaded_at (seconds since 1970), uptime (seconds),
 * driver (the process that opened "control"; 0: none has), hits (handlers of events that have run). poll() reports
 * POLLIN when there is something to do: new records, or an exit request. The file "status" gives the same to those who
 * only look.
 *
 * The file "monitor" is for those who look closer, any number of them. It takes the last three commands. Reading it
 * gives the lines of "status", and then
 *     probe INDEX STATE HITS MINIMUM AVERAGE MAXIMUM POINT   the last three in cycles; STATE is on, off (switched), or
 *                                                            waits (for its condition); numbers are 0 before "measure"
 *     global NAME COUNT VALUE                                VALUE is JSON: a number, a string (of bytes), an object
 *                                                            of an aggregate's count, sum, min, max, avg, or null if it
 *                                                            cannot be read now. Of an array, COUNT is the number of
 *                                                            its elements, and VALUE [[[KEY, ...], VALUE], ...] of
 *                                                            32 at most; else COUNT is "-"
 * While begin or end probes run, commands end with EBUSY there, and globals are null.
 *
 * A session that is kept and has no driver is left (left 1). It then overwrites its oldest records. Who opens "control"
 * next goes on with it, reads each relay file, and then finds in gaps_end the number from which on the records have no
 * gap. owner is the user who opened it first.
 */
#ifndef SPILE_RUNTIME_PROTOCOL_H
#define SPILE_RUNTIME_PROTOCOL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define STP_DEBUGFS_FOLDER "spile"
#define STP_RECORD_MAGIC 0x5350u

enum stp_record_type {
	STP_RECORD_OUTPUT, /* to standard output */
	STP_RECORD_WARNING, /* "WARNING: …" to standard error unless -w */
	STP_RECORD_ERROR, /* "ERROR: …" to standard error */
	STP_RECORD_LOG, /* log(): to standard error as it is */
	STP_RECORD_NOTICE, /* to standard error with -v */
	STP_RECORD_COMMAND, /* for sh, to be run in the background as staprun's user */
	STP_RECORD_SWITCH, /* switch_file(): what follows goes to the next file; its text says nothing */
	STP_RECORD_TYPES,
};

struct stp_record {
	__u16 magic; /* STP_RECORD_MAGIC */
	__u8 type; /* enum stp_record_type */
	__u8 writer; /* below STP_WRITERS */
	__u16 length;
	__u16 part; /* with STP_PART_MORE if another one follows */
	__u64 sequence;
};

/* Who may write between the parts of another in a file: four levels, and each again, put aside for a while. */
#define STP_WRITERS 8u
#define STP_WRITER_ASIDE 4u
#define STP_PART_MORE 0x8000u

/* Which file a table is wanted of. */
struct stp_object_question {
	__u32 number;
	__u32 device; /* as stat(2) has it for user space */
	__u64 inode;
	__u32 with_lines;
	__u32 is_of_names; /* 1: the file is one of perf's (/tmp/perf-PID.map) */
	__u32 owner; /* of the process whose code it names */
	char path[4096];
};

struct stp_object_answer {
	__u32 number;
	__u32 reserved;
};

#define STP_OBJECT_VDSO 0 /* the number of the kernel's code in each process, which is no file */
#define STP_OBJECT_OPEN _IO('S', 1)

/* Longest payload of one record. */
#define STP_RECORD_LIMIT 8192

/* Longest line that "control" takes, and longest names in it; without the end of the line or a NUL byte. */
#define STP_COMMAND_LIMIT 767
#define STP_TIME_ZONE_LIMIT 31
#define STP_REMOTE_LIMIT 191

#endif
