// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The half of the runtime that handles hits: the session, the families of probes, contexts, locks, maps. The other half
 * is support.c. Reading the kernel's headers takes ten times as long as compiling one of these small files, so each
 * half is one translation unit. There are two so that two CPUs can compile the runtime for a new kernel while the user
 * waits. Without the parts for programs, both are one unit, which makes the module smaller.
 *
 * Names at file scope must be unique across all files. C silently merges two tentative definitions of one name and
 * type; the style suite checks for that. HOT functions can only be used in this half. Other functions that one half
 * uses of the other are marked SHARED in internal.h; modpost reports any that are not.
 *
 * Parts that a kernel may lack (translator/build/optional.c) are in this half, so that the messages of a single
 * compiler run show all that are missing.
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
