/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of system calls: one row each, from which everything else is derived. The translator makes aliases with
 * variables from the rows (syscall.openat), the runtime formats arguments by them, and manual pages are generated from
 * them.
 *
 * syscall_rows.h contains the rows: ROW(alias, name, number_64, number_32, result, arguments...). Numbers are given by
 * their names in syscall_numbers.h, or "none". Rows with the same alias are variants of one call. 32-bit programs have
 * a separate row if the arguments are laid out differently.
 *
 * Arguments are in the order of the registers, one register each, as ITEM(kind, detail, number, text, raw). The kind
 * and its detail (a set of names, a structure, or the position of the length) determine the format. The others are the
 * names of script variables: the value, its text, and a string's text without quotes; NULL if there is none. Kinds that
 * begin with PART take no register; they are variables for a part of the argument whose position is the detail.
 *
 * The including file defines ROW and ITEM.
 */
#ifndef SPILE_RUNTIME_SYSCALL_TABLE_H
#define SPILE_RUNTIME_SYSCALL_TABLE_H

#include "runtime/abi/syscall_numbers.h"

/* The kind of an argument. */
enum syscall_kind {
	SYSCALL_INT,
	SYSCALL_UINT,
	SYSCALL_LONG,
	SYSCALL_ULONG,
	SYSCALL_ADDRESS, /* of memory, hexadecimal */
	SYSCALL_HEX, /* the low 32 bits, hexadecimal */
	SYSCALL_HEX_LONG, /* a number printed like an address: "0x1f" */
	SYSCALL_OCTAL, /* permissions */
	SYSCALL_UNSHOWN, /* only available as variables */
	SYSCALL_DIRFD,
	SYSCALL_STRING,
	SYSCALL_STRING_N, /* detail: position of the maximal length */
	SYSCALL_DATA, /* detail: position of the length */
	SYSCALL_BYTES, /* like DATA; bytes that are not printable as "\x00" */
	SYSCALL_FLAGS, /* 32 bits; detail: the set */
	SYSCALL_FLAGS_INT, /* a signed int */
	SYSCALL_FLAGS_LONG, /* all bits */
	SYSCALL_VALUE, /* one of a set, or else hexadecimal */
	SYSCALL_VALUE_LONG,
	SYSCALL_VALUE_DECIMAL, /* one of a set, or else decimal */
	SYSCALL_POLICY, /* one of a set, with flags; or else hexadecimal as a whole */
	SYSCALL_STRUCT, /* detail: enum syscall_structure */
	SYSCALL_SIGNAL,
	SYSCALL_SIGNALS, /* set of signals */
	SYSCALL_SIGACTION,
	SYSCALL_SIGINFO,
	SYSCALL_SIGSTACK,
	SYSCALL_SOCKADDR, /* detail: position of the length */
	SYSCALL_SOCKTYPE,
	SYSCALL_PROTOCOL, /* of the socket family in the first argument */
	SYSCALL_OPTION, /* a socket option of the level in the previous argument */
	SYSCALL_STRINGS, /* argv */
	SYSCALL_CREATE_MODE, /* shown if the open flags in the previous argument create a file */
	SYSCALL_CLONE_FLAGS, /* with a signal in the low byte */
	SYSCALL_IPC_FLAGS, /* with permissions in the low nine bits */
	SYSCALL_IPC_FLAGS_LONG,
	SYSCALL_NODE_MODE, /* permissions and file type */
	SYSCALL_PIPE, /* two file descriptors in memory */
	SYSCALL_TIMES, /* two timespecs; 32-bit programs have two formats */
	SYSCALL_TIMEX,
	SYSCALL_USER_DESC,
	SYSCALL_UTIMBUF,
	SYSCALL_SWAP_FLAGS,
	SYSCALL_IO_PRIORITY,
	SYSCALL_FUTEX, /* these kinds print all following arguments, too */
	SYSCALL_FCNTL,
	SYSCALL_PRCTL,
	SYSCALL_PTRACE,
	SYSCALL_KEYCTL,
	SYSCALL_QUOTACTL,
	SYSCALL_SYSFS,
	SYSCALL_MOUNT_DATA, /* the first bytes of a string */
	SYSCALL_PAIR, /* 64 bits in two registers of a 32-bit program, low half first */
	SYSCALL_PAIR_UNSIGNED,
	SYSCALL_PART, /* parts of arguments from here on; detail: position of the argument */
	SYSCALL_PART_FAMILY = SYSCALL_PART,
	SYSCALL_PART_ADDRESS,
	SYSCALL_PART_PORT,
	SYSCALL_PART_FLOW,
	SYSCALL_PART_SCOPE,
	SYSCALL_PART_FIRST_INT,
	SYSCALL_PART_SECOND_INT,
	SYSCALL_PART_FIRST_LONG,
	SYSCALL_PART_SECOND_LONG,
	SYSCALL_PART_NOTHING, /* only in other variants of the call */
	SYSCALL_PART_LATE, /* available only at the return from here on */
	SYSCALL_PART_STATUS = SYSCALL_PART_LATE, /* of a process that has ended */
	SYSCALL_PART_EVENT, /* written by PTRACE_GETEVENTMSG */
	SYSCALL_PART_THREAD_BASE, /* written by PTRACE_ARCH_PRCTL */
};

/* The type of a call's result. */
enum syscall_result {
	SYSCALL_RESULT_LONG,
	SYSCALL_RESULT_INT, /* the upper half of the register is undefined */
	SYSCALL_RESULT_ADDRESS,
	SYSCALL_RESULT_OCTAL,
	SYSCALL_RESULT_COUNT_
};

/* Structures in memory, as formats of put_structure() in syscall/text.c. The sets for %F and %f follow the format. */
#define SYSCALL_STRUCTURES(STRUCTURE)                                                                                  \
	STRUCTURE(timespec, "[%l.%9l]")                                                                                \
	STRUCTURE(timespec64, "[%q.%9q]")                                                                              \
	STRUCTURE(timeval, "[%l.%6l]")                                                                                 \
	STRUCTURE(timevals, "[%l.%6l][%l.%6l]")                                                                        \
	STRUCTURE(itimerval, "[%l.%6l,%l.%6l]")                                                                        \
	STRUCTURE(itimerspec64, "[%q.%6q,%q.%6q]")                                                                     \
	STRUCTURE(timezone, "[%i, %i]")                                                                                \
	STRUCTURE(rlimit, "[%l,%l]")                                                                                   \
	STRUCTURE(rlimit64, "[%q,%q]")                                                                                 \
	STRUCTURE(tms, "{tms_utime=%L, tms_stime=%L, tms_cutime=%L, tms_cstime=%L}")                                   \
	STRUCTURE(sysinfo, "{uptime=%l, loads=[%L, %L, %L], totalram=%L, freeram=%L, sharedram=%L, bufferram=%L, "     \
			   "totalswap=%L, freeswap=%L, procs=%h}")                                                     \
	STRUCTURE(sched_attr, "{size=%u, sched_policy=%u, sched_flags=%Q, sched_nice=%i, sched_priority=%u, "          \
			      "sched_runtime=%Q, sched_deadline=%Q, sched_period=%Q}")                                 \
	STRUCTURE(open_how, "{flags=%F, mode=%O, resolve=%F}", OF(open), OF(resolve))                                  \
	STRUCTURE(clone_args,                                                                                          \
		  "{flags=%F, pidfd=%X, child_tid=%X, parent_tid=%X, exit_signal=%S, stack=%X, "                       \
		  "stack_size=%X, tls=%X}",                                                                            \
		  OF(clone3))                                                                                          \
	STRUCTURE(cachestat_range, "{off=%Q, len=%Q}")                                                                 \
	STRUCTURE(mnt_id_req, "{size=%u, spare=%u, mnt_id=%X, param=%X}")                                              \
	STRUCTURE(ns_id_req, "{size=%u, spare=%u, ns_id=%Q, ns_type=%f, spare2=%u, user_ns_id=%Q}", OF(namespace))     \
	STRUCTURE(mount_attr, "{attr_set=%F, attr_clr=%F, propagation=%F, userns_fd=%Q}", OF(mount_attr),              \
		  OF(mount_attr), OF(mount))                                                                           \
	STRUCTURE(xattr_args, "{value=%X, size=%u, flags=%f}", OF(xattr))                                              \
	STRUCTURE(io_uring_params,                                                                                     \
		  "{sq_entries=%u, cq_entries=%u, flags=%f, sq_thread_cpu=%u, sq_thread_idle=%u, "                     \
		  "...}",                                                                                              \
		  OF(io_uring_setup))                                                                                  \
	STRUCTURE(landlock_ruleset_attr, "{handled_access_fs=%F, ...}", OF(landlock_access))                           \
	STRUCTURE(dqinfo, "{dqi_bgrace=%Q, dqi_igrace=%Q, dqi_flags=%u, dqi_valid=%u}")                                \
	STRUCTURE(dqblk, "{dqb_bhardlimit=%Q, dqb_bsoftlimit=%Q, dqb_curspace=%Q, dqb_ihardlimit=%Q, "                 \
			 "dqb_isoftlimit=%Q, ...}")

#define SYSCALL_STRUCTURE_NUMBER(name, ...) SYSCALL_STRUCT_##name,
enum syscall_structure { SYSCALL_STRUCTURES(SYSCALL_STRUCTURE_NUMBER) };
#undef SYSCALL_STRUCTURE_NUMBER

/* ---- arguments with their variables ------------------------------------------------------------------------------ */

/* clang-format off */
#define A_INT(n) ITEM(SYSCALL_INT, 0, #n, NULL, NULL)
#define A_UINT(n) ITEM(SYSCALL_UINT, 0, #n, NULL, NULL)
#define A_LONG(n) ITEM(SYSCALL_LONG, 0, #n, NULL, NULL)
#define A_ULONG(n) ITEM(SYSCALL_ULONG, 0, #n, NULL, NULL)
#define A_ADDRESS(n) ITEM(SYSCALL_ADDRESS, 0, #n, NULL, NULL)
#define A_HEX(n) ITEM(SYSCALL_HEX, 0, #n, NULL, NULL)
#define A_HEX_LONG(n) ITEM(SYSCALL_HEX_LONG, 0, #n, NULL, NULL)
#define A_MODE(n) ITEM(SYSCALL_OCTAL, 0, #n, NULL, NULL)
#define A_CREATE_MODE(n) ITEM(SYSCALL_CREATE_MODE, 0, #n, NULL, NULL)
#define A_UNSHOWN(n) ITEM(SYSCALL_UNSHOWN, 0, #n, NULL, NULL)
#define A_SKIP ITEM(SYSCALL_UNSHOWN, 0, NULL, NULL, NULL)
#define A_DIRFD(n) ITEM(SYSCALL_DIRFD, 0, #n, #n "_str", NULL)
/*
 * Strings. A_STRING(n): n and n_unquoted. _U: also the address as n_uaddr. _S: n is the address, n_str the text. _US:
 * n_uaddr and n_str. _T: only n_str.
 */
#define A_STRING(n) ITEM(SYSCALL_STRING, 0, NULL, #n, #n "_unquoted")
#define A_STRING_U(n) ITEM(SYSCALL_STRING, 0, #n "_uaddr", #n, #n "_unquoted")
#define A_STRING_S(n) ITEM(SYSCALL_STRING, 0, #n, #n "_str", #n "_str_unquoted")
#define A_STRING_US(n) ITEM(SYSCALL_STRING, 0, #n "_uaddr", #n "_str", #n "_str_unquoted")
#define A_STRING_T(n) ITEM(SYSCALL_STRING, 0, NULL, #n "_str", #n "_str_unquoted")
#define A_STRING_ONLY(n) ITEM(SYSCALL_STRING, 0, NULL, #n, NULL)
#define A_DATA(length, number, text) ITEM(SYSCALL_DATA, length, #number, #text, NULL)
#define A_FLAGS(set, n) ITEM(SYSCALL_FLAGS, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_FLAGS_INT(set, n) ITEM(SYSCALL_FLAGS_INT, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_FLAGS_LONG(set, n) ITEM(SYSCALL_FLAGS_LONG, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_FLAGS_ONLY(set, n) ITEM(SYSCALL_FLAGS, SYSCALL_SET_##set, #n, NULL, NULL)
#define A_FLAGS_AS(set, number, text) ITEM(SYSCALL_FLAGS, SYSCALL_SET_##set, #number, #text, NULL)
#define A_VALUE(set, n) ITEM(SYSCALL_VALUE, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_VALUE_ONLY(set, n) ITEM(SYSCALL_VALUE, SYSCALL_SET_##set, #n, NULL, NULL)
#define A_VALUE_AS(set, number, text) ITEM(SYSCALL_VALUE, SYSCALL_SET_##set, #number, #text, NULL)
#define A_VALUE_LONG(set, n) ITEM(SYSCALL_VALUE_LONG, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_VALUE_DECIMAL(set, n) ITEM(SYSCALL_VALUE_DECIMAL, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_STRUCT(form, number, text) ITEM(SYSCALL_STRUCT, SYSCALL_STRUCT_##form, #number, #text, NULL)
#define A_STRUCT_ONLY(form, number) ITEM(SYSCALL_STRUCT, SYSCALL_STRUCT_##form, #number, NULL, NULL)
#define A_STRUCT_TEXT(form, text) ITEM(SYSCALL_STRUCT, SYSCALL_STRUCT_##form, NULL, #text, NULL)
#define A_POLICY(set, n) ITEM(SYSCALL_POLICY, SYSCALL_SET_##set, #n, #n "_str", NULL)
#define A_OTHER(kind, number, text) ITEM(SYSCALL_##kind, 0, #number, #text, NULL)
#define A_OTHER_ONLY(kind, number) ITEM(SYSCALL_##kind, 0, #number, NULL, NULL)
#define A_SIGNAL(number, text) ITEM(SYSCALL_SIGNAL, 0, #number, #text, NULL)
#define A_PART(kind, place, number) ITEM(SYSCALL_PART_##kind, place, #number, NULL, NULL)
#define A_PART_TEXT(kind, place, text) ITEM(SYSCALL_PART_##kind, place, NULL, #text, NULL)
#define A_SOCKADDR(length, number) ITEM(SYSCALL_SOCKADDR, length, #number, NULL, NULL)
#define A_SOCKADDR_PARTS(place) A_PART_TEXT(FAMILY, place, uaddr_af), A_PART_TEXT(ADDRESS, place, uaddr_ip), \
	A_PART_TEXT(PORT, place, uaddr_ip_port), A_PART_TEXT(FLOW, place, uaddr_ipv6_flowinfo), \
	A_PART_TEXT(SCOPE, place, uaddr_ipv6_scope_id)
#define A_PIPE_PARTS(place) A_PART(FIRST_INT, place, pipe0), A_PART(SECOND_INT, place, pipe1)
#define A_NOTHING(n) ITEM(SYSCALL_PART_NOTHING, 0, #n, #n "_str", NULL)
#define A_PAIR(n) ITEM(SYSCALL_PAIR, 0, #n, NULL, NULL)
#define A_PAIR_UNSIGNED(n) ITEM(SYSCALL_PAIR_UNSIGNED, 0, #n, NULL, NULL)

/*
 * Calls with one name for everything; only in 64-bit programs; with names that differ from the alias; only in 32-bit
 * programs; only in 32-bit programs on arm64.
 */
#define CALL(name, ...) ROW(name, name, name, name, LONG, __VA_ARGS__)
#define CALL_64(name, ...) ROW(name, name, name, none, LONG, __VA_ARGS__)
#define CALL_AS(alias, number_64, number_32, ...) ROW(alias, alias, number_64, number_32, LONG, __VA_ARGS__)
#define CALL_32(alias, number_32, ...) ROW(alias, alias, none, number_32, LONG, __VA_ARGS__)
#define CALL_ARM32(name, ...) ROW(name, name, none, name, LONG, __VA_ARGS__)
/* clang-format on */

/* The sets of names (syscall_sets.h). */
#define SET(name, ...) SYSCALL_SET_##name,
enum syscall_set {
	SYSCALL_SET_none,
#include "runtime/abi/syscall_sets.h"
	SYSCALL_SET_COUNT
};
#undef SET

#endif
