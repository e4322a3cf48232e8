// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The half of the runtime that handles hits: the families of probes, contexts, locks, maps. The other half is
 * unit_slow.c. Reading the kernel's headers takes ten times as long as compiling one of these small files, so each half
 * is one translation unit. There are two, which take about the same time, so that two CPUs can compile the runtime for
 * a new kernel while the user waits.
 *
 * Names at file scope must be unique across all files. C silently merges two tentative definitions of one name and
 * type; the style suite checks for that. HOT functions can only be used in this half. Other functions that one half
 * uses of the other are marked SHARED (core/internal.h); modpost reports any that are not.
 *
 * Parts that a kernel may lack (translator/build/unsupported_parts.c) are in this half, so that the messages of a
 * single compiler run show all that are missing.
 */
#define HOT static __always_inline

#include "runtime/core/allocation.c"
#include "runtime/core/arming.c"
#include "runtime/core/cgroup_filter.c"
#include "runtime/core/condition.c"
#include "runtime/core/context.c"
#include "runtime/core/drops.c"
#include "runtime/core/handler_error.c"
#include "runtime/core/handler_output.c"
#include "runtime/core/handler_sleep.c"
#include "runtime/core/lock.c"
#include "runtime/core/module_notifier.c"
#include "runtime/core/overload.c"
#include "runtime/core/session.c"
#include "runtime/core/stack_space.c"
#include "runtime/core/target.c"
#include "runtime/core/tracepoint_hook.c"
#include "runtime/data/map.c"
#include "runtime/data/statistic.c"
#include "runtime/library/hit_info.c"
#include "runtime/probes/families.c"
#include "runtime/probes/function.c"
#include "runtime/probes/kprobe.c"
#include "runtime/probes/kprobe_batch.c"
#include "runtime/probes/kretprobe.c"
#ifndef STP_WITHOUT_NETFILTER
#include "runtime/probes/netfilter.c"
#endif
#ifndef STP_WITHOUT_PERF
#include "runtime/probes/perf.c"
#include "runtime/probes/watchpoint.c"
#endif
#ifndef STP_WITHOUT_PROCFS
#include "runtime/probes/procfs.c"
#endif
#include "runtime/probes/timer.c"
#include "runtime/probes/tracepoint.c"
#include "runtime/user/process_address.c"

/* For probes of programs, which few scripts have (translator/build/runtime.c). */
#ifdef STP_USER_SPACE
#ifndef STP_WITHOUT_PERF
#include "runtime/probes/perf_program.c"
#include "runtime/probes/process_data.c"
#endif
#include "runtime/probes/process.c"
#include "runtime/probes/uprobe.c"
#include "runtime/user/calls.c"
#include "runtime/user/exec.c"
#include "runtime/user/process_tree.c"
#include "runtime/user/program_build.c"
#endif

/* For system calls by name. */
#ifdef STP_SYSCALLS
#include "runtime/probes/syscall.c"
#include "runtime/syscall/hit.c"
#endif
