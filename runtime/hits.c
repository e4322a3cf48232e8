// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The half of the runtime that hits run through: the life of the session, the mechanisms of probes, contexts, locks,
 * maps; the other half is support.c. The files are small, and reading the kernel's headers takes ten times as long as
 * compiling one of them, so each half is one translation unit. There are two of them, so that two processors can
 * compile the runtime for a kernel that is new, which a user waits for; without what is for programs both are one, for
 * the sake of the modules' size.
 *
 * Names at file level must differ between all files. C makes two variables of one name and type one, without a word:
 * the style suite looks for those. HOT functions can be used in this half alone; any other that one half uses of the
 * other is marked SHARED in internal.h: modpost finds what is not.
 *
 * Parts that a kernel may lack (translator/build/optional.c) are in this half, so that one look at the compiler's
 * messages tells of all.
 */
#include "internal.h"

#include "condition.c"
#include "context.c"
#include "function.c"
#include "kprobe.c"
#include "kretprobe.c"
#include "lock.c"
#include "map.c"
#include "module_notifier.c"
#include "monitor.c"
#ifndef STP_WITHOUT_NETFILTER
#include "netfilter.c"
#endif
#ifndef STP_WITHOUT_PERF
#include "perf.c"
#endif
#include "probe.c"
#ifndef STP_WITHOUT_PROCFS
#include "procfs.c"
#endif
#include "session.c"
#include "statistic.c"
#include "target.c"
#include "timer.c"
#include "tracepoint.c"

/* For probes of programs, which few scripts have (translator/build/runtime.c). */
#ifdef STP_USER_SPACE
#include "exec.c"
#include "family.c"
#ifndef STP_WITHOUT_PERF
#include "perf_program.c"
#endif
#include "process.c"
#include "uprobe.c"
#include "user_call.c"
#endif

/* For system calls by name. */
#ifdef STP_SYSCALLS
#include "syscall.c"
#endif

#ifndef STP_USER_SPACE
#include "support.c"
#endif
