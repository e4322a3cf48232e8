// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other half of the runtime (see hits.c), with the functions that handlers call: text, printing, memory, tasks,
 * stacks, symbols, mappings of processes, arguments of system calls.
 */
#ifndef HOT
#define HOT extern /* HOT functions are defined in hits.c and are not for this half */
#endif
#include "internal.h"

#include "backtrace.c"
#include "clock.c"
#include "globals.c"
#include "kernel_log.c"
#include "kernel_memory.c"
#include "machine.c"
#include "own_module.c"
#include "own_process.c"
#include "path.c"
#include "print.c"
#include "quote.c"
#include "regex.c"
#include "registers.c"
#include "signal.c"
#include "stack.c"
#include "string.c"
#include "symbol.c"
#include "task.c"
#include "transport.c"
#include "user_memory.c"

#ifdef STP_USER_SPACE
#include "float.c"
#include "program_file.c"
#include "user_debugger.c"
#include "user_map.c"
#include "user_reserve.c"
#include "user_return.c"
#include "user_stack.c"
#include "user_symbol.c"
#include "user_table.c"
#endif

/* Formats arguments of system calls. */
#ifdef STP_SYSCALLS
#include "cached_page.c"
#include "syscall_special.c"
#include "syscall_text.c"
#endif
