// SPDX-License-Identifier: GPL-2.0-or-later
/* Script output that does not go to the user: the kernel's log, its trace buffer, panic(). */
#include <linux/printk.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"

/* Not trace_printk(): its mere presence makes the kernel print a large warning when the module is loaded. */
void stp_ftrace(const char *text)
{
	compat_trace_puts(_THIS_IP_, text);
}

void stp_printk(stp_long level, const char *text)
{
	printk(KERN_SOH "%c%s\n", (char)('0' + clamp_t(s64, level, LOGLEVEL_EMERG, LOGLEVEL_DEBUG)), text);
}

void stp_panic(const char *text)
{
	panic("%s", text);
}

void stp_dump_stack(void)
{
	dump_stack();
}
