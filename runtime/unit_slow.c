// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other half of the runtime (see unit_fast.c), with the files that control a session, and the functions that
 * handlers call: text, printing, memory, tasks, stacks, symbols, mappings of processes, arguments of system calls.
 */

#include "runtime/control/control.c"
#include "runtime/control/module.c"
#include "runtime/control/monitor.c"
#include "runtime/control/run.c"
#include "runtime/control/snapshot.c"
#include "runtime/core/delay.c"
#include "runtime/core/own_process.c"
#include "runtime/core/transport.c"
#include "runtime/data/globals.c"
#include "runtime/library/backtrace.c"
#include "runtime/library/cgroup.c"
#include "runtime/library/clock.c"
#include "runtime/library/cpu.c"
#include "runtime/library/kernel_log.c"
#include "runtime/library/kernel_memory.c"
#include "runtime/library/own_module.c"
#include "runtime/library/path.c"
#include "runtime/library/path_text.c"
#include "runtime/library/regex.c"
#include "runtime/library/registers.c"
#include "runtime/library/script_memory.c"
#include "runtime/library/signal.c"
#include "runtime/library/stack.c"
#include "runtime/library/string.c"
#include "runtime/library/symbol.c"
#include "runtime/library/task.c"
#include "runtime/text/addresses.c"
#include "runtime/text/print.c"
#include "runtime/text/quote.c"
#include "runtime/text/source_line.c"
#include "runtime/user/memory.c"

#ifdef STP_USER_SPACE
#include "runtime/library/float.c"
#include "runtime/user/debugger.c"
#include "runtime/user/program_file.c"
#include "runtime/user/returns.c"
#include "runtime/user/stacks/jit_maps.c"
#include "runtime/user/stacks/map_files.c"
#include "runtime/user/stacks/map_tracking.c"
#include "runtime/user/stacks/maps.c"
#include "runtime/user/stacks/open_file.c"
#include "runtime/user/stacks/rt_pool.c"
#include "runtime/user/stacks/symbols.c"
#include "runtime/user/stacks/tables.c"
#include "runtime/user/stacks/walk.c"
#endif

/* Formats arguments of system calls. */
#ifdef STP_SYSCALLS
#include "runtime/syscall/formats.c"
#include "runtime/syscall/special.c"
#include "runtime/syscall/text.c"
#include "runtime/user/cached_page.c"
#endif
