// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole runtime as one translation unit: its files are small, and reading the kernel's headers takes ten times as
 * long as compiling them. Names at file level must differ between the files. C makes two variables of one name and type
 * one, without a word: the style suite looks for those.
 */
#include "internal.h"

#include "condition.c"
#include "context.c"
#include "function.c"
#include "globals.c"
#include "kprobe.c"
#include "kretprobe.c"
#include "lock.c"
#include "map.c"
#include "module.c"
#include "netfilter.c"
#include "path.c"
#include "perf.c"
#include "print.c"
#include "procfs.c"
#include "program.c"
#include "regex.c"
#include "registers.c"
#include "service.c"
#include "session.c"
#include "stack.c"
#include "statistic.c"
#include "string.c"
#include "target.c"
#include "task.c"
#include "timer.c"
#include "tracepoint.c"
#include "transport.c"
#include "user_memory.c"
