// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole runtime as one translation unit: its files are small, and reading the kernel's headers takes ten times as
 * long as compiling them. Names at file level must differ between the files. C makes two variables of one name and type
 * one, without a word: the style suite looks for those.
 */
#include "internal.h"

#include "backtrace.c"
#include "clock.c"
#include "condition.c"
#include "context.c"
#include "function.c"
#include "globals.c"
#include "kernel_log.c"
#include "kernel_memory.c"
#include "kprobe.c"
#include "kretprobe.c"
#include "lock.c"
#include "machine.c"
#include "map.c"
#include "module_notifier.c"
#ifndef STP_WITHOUT_NETFILTER
#include "netfilter.c"
#endif
#include "own_module.c"
#include "own_process.c"
#include "path.c"
#ifndef STP_WITHOUT_PERF
#include "perf.c"
#endif
#include "print.c"
#include "probe.c"
#ifndef STP_WITHOUT_PROCFS
#include "procfs.c"
#endif
#include "quote.c"
#include "regex.c"
#include "registers.c"
#include "session.c"
#include "signal.c"
#include "stack.c"
#include "statistic.c"
#include "string.c"
#include "symbol.c"
#include "target.c"
#include "task.c"
#include "timer.c"
#include "tracepoint.c"
#include "transport.c"
#include "user_memory.c"

/* For probes of programs, which few scripts have (translator/build/runtime.c). */
#ifdef STP_USER_SPACE
#include "exec.c"
#include "family.c"
#include "float.c"
#ifndef STP_WITHOUT_PERF
#include "perf_program.c"
#endif
#include "process.c"
#include "program_file.c"
#include "uprobe.c"
#include "user_call.c"
#include "user_map.c"
#include "user_return.c"
#include "user_stack.c"
#include "user_symbol.c"
#include "user_table.c"
#endif

/* For system calls by name: tables, and what shows arguments. */
#ifdef STP_SYSCALLS
#include "syscall.c"
#include "syscall_special.c"
#include "syscall_text.c"
#endif
