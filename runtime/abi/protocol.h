/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocol between a script's module and staprun. Shared by kernel and user space.
 *
 * The debugfs directory spile/<module name>/ holds one relay file per CPU (trace0, trace1, ...) and the file "control".
 *
 * The relay files carry records: a struct stp_record and `length` bytes. `sequence` numbers all records of the session
 * from 0, without gaps, across all CPUs. Within one file it increases, so a reader can merge the files by it into the
 * total order. A record that is lost because the buffer is full takes no number; it is counted in "lost".
 *
 * All output of a handler is emitted together, at the point where the handler ended. If it exceeds one record, it is
 * split into parts, numbered from 0; each part names its writer within the file.
 *
 * Commands are written to "control", one line per write():
 *     target PID                       set target()
 *     cgroup FD                        ignore hits of tasks outside this control group and those below it. FD is a
 *                                      descriptor of the caller, of the group's directory
 *     namespaces PID                   show ids as in the namespaces of this process
 *     timezone SECONDS NAME            set the user's time zone, in seconds west of UTC (NAME: STP_TIME_ZONE_LIMIT)
 *     remote NUMBER NAME               set which of the remote hosts this is (NAME: STP_REMOTE_LIMIT)
 *     module NAME SECTION 0xADDRESS    set the address of a section of a module that is already loaded
 *     global NAME VALUE                set a global variable
 *     start                            run the begin probes, arm the others, then return
 *     stop                             disarm, run end probes, then return; all output is queued
 *     keep                             continue the session when "control" is closed
 *     probe INDEX|* on|off             switch a probe, or all; one that is off is disarmed, whatever its condition
 *     reset                            restore the initial values of all globals; hits during the reset are missed
 *     measure                          count and time the hits of each probe from now on
 * cgroup, namespaces, timezone, remote, module and global are accepted only before "start". write() returns the
 * error of a command; its text is in the records.
 *
 * If the script needs tables of programs (object_table.h), the file "objects" exists, for stap-tables. poll() reports
 * POLLIN when there is a question. read() returns one struct stp_object_question, or nothing. ioctl(STP_OBJECT_OPEN,
 * NUMBER) returns a descriptor for that file, if a process still maps it and the caller may read it. A perf map file is
 * opened with the credentials and the root directory of the process that it belongs to. An answer is one write() of a
 * struct stp_object_answer, followed by the table if there is one. ioctl(STP_OBJECT_TRUST), which needs CAP_SYS_MODULE,
 * says that the answers through this descriptor may be used for all processes. Without it, questions, files and answers
 * are restricted to processes that the session's user may ptrace().
 *
 * Reading "control" (from offset 0) returns lines "key value": state, exit (1 after an exit request), status (the
 * script's exit status, 0 to 255), failed (1 after a fatal script error), lost, skipped_*, memory_* (bytes), loaded_at
 * (seconds since 1970), uptime (seconds), driver (PID of the process that has "control" open, or 0), hits (event
 * handlers that have run). poll() reports POLLIN when there are new records or an exit request. The file "status"
 * returns the same to processes that only observe the session.
 *
 * The file "monitor" may be open in any number of processes. It accepts the last three commands. Reading it returns the
 * lines of "status", and then
 *     probe INDEX STATE HITS MINIMUM AVERAGE MAXIMUM POINT   times are in cycles; STATE is on, off (switched), or
 *                                                            waits (for its condition); numbers are 0 before "measure"
 *     global NAME COUNT VALUE                                VALUE is JSON: a number, a string (of bytes), an object
 *                                                            of an aggregate's count, sum, min, max, avg, or null if it
 *                                                            cannot be read now. Of an array, COUNT is the number of
 *                                                            its elements, and VALUE [[[KEY, ...], VALUE], ...] of
 *                                                            32 at most; else COUNT is "-"
 * While begin or end probes run, commands fail with EBUSY there, and globals are null.
 *
 * A session that is kept and has no driver is left (left 1). Its full buffers then overwrite their oldest records. The
 * next process that opens "control" continues it and reads each relay file. The key gaps_end is then the number from
 * which on the records have no gaps. The key owner is the user who started the session.
 *
 * If the script has a buffer policy (held 1), the relay files are empty from the end of the begin probes until "stop"
 * has disarmed the others. Records of the time between may have gaps, up to gaps_end.
 */
#ifndef SPILE_RUNTIME_PROTOCOL_H
#define SPILE_RUNTIME_PROTOCOL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define STP_DEBUGFS_DIRECTORY "spile"
#define STP_RECORD_MAGIC 0x5350u

enum stp_record_type {
	STP_RECORD_OUTPUT, /* to standard output */
	STP_RECORD_WARNING, /* "WARNING: ..." to standard error unless -w */
	STP_RECORD_ERROR, /* "ERROR: ..." to standard error */
	STP_RECORD_NOTICE, /* to standard error with -v */
	STP_RECORD_COMMAND, /* a command for sh, to be run in the background as staprun's user */
	STP_RECORD_SWITCH, /* switch_file(): the output that follows goes to the next file; its payload is ignored */
	STP_RECORD_MESSAGE, /* to standard error as it is */
	STP_RECORD_REOPEN, /* write what follows to the file that the payload names; a newline: to the first output */
	STP_RECORD_TRUNCATE, /* remove what the output file has so far; the payload is ignored */
	STP_RECORD_TYPES,
};

struct stp_record {
	__u16 magic; /* STP_RECORD_MAGIC */
	__u8 type; /* enum stp_record_type */
	__u8 writer; /* below STP_WRITERS */
	__u16 length;
	__u16 part; /* set STP_PART_MORE if another part follows */
	__u64 sequence;
};

/* Writers whose parts may interleave in a file: four nesting levels, and each again for records put aside. */
#define STP_WRITERS 8u
#define STP_WRITER_ASIDE 4u
#define STP_PART_MORE 0x8000u

/* A file of which a table is requested. */
struct stp_object_question {
	__u32 number;
	__u32 device; /* encoded as in stat(2) */
	__u64 inode;
	__u32 with_lines;
	__u32 is_of_names; /* 1: the file is a perf map (/tmp/perf-PID.map) */
	__u32 owner; /* UID of the process whose code the perf map names */
	char path[4096];
};

struct stp_object_answer {
	__u32 number;
	__u32 reserved;
};

#define STP_OBJECT_VDSO 0 /* number of the vDSO, which is not a file */
#define STP_OBJECT_OPEN _IO('S', 1)
#define STP_OBJECT_TRUST _IO('S', 2)

/* The longest payload of a record. */
#define STP_RECORD_LIMIT 8192

/* The longest line that "control" accepts, and the longest names in it, without newline or NUL. */
#define STP_COMMAND_LIMIT 767
#define STP_TIME_ZONE_LIMIT 31
#define STP_REMOTE_LIMIT 191

#endif
