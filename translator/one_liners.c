// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scripts of --one-liners. The suite `interactive` translates each on both kernels, so none may need more than a
 * kernel's debuginfo.
 */
#include "translator/one_liners.h"

#include <glib.h>
#include <stdio.h>

#include "common/base/i18n.h"

static const struct one_liner {
	const char *question, *script; /* a script contains no single quote, because the shell reads it */
} one_liners[] = {
	{N_("Which programs are started, with which arguments?"),
	 "probe syscall.execve { println(execname(), \" \", argstr) }"},
	{N_("Which files are opened, and by whom?"),
	 "probe syscall.openat { printf(\"%s[%d] %s\\n\", execname(), pid(), filename) }"},
	{N_("Which files are missing?"),
	 "probe syscall.openat.return { if (retval == -2) println(execname(), \" \", @entry(filename)) }"},
	{N_("How many system calls does each program make?"), "global calls probe syscall_any { calls[execname()]++ }"},
	{N_("Which system calls are called most?"), "global calls probe syscall_any { calls[name]++ }"},
	{N_("Which system calls fail, with which error?"),
	 "global failed probe syscall_any.return { if (retval < 0) failed[name, errno_str(retval)]++ }"},
	{N_("How long do reads take, in microseconds?"),
	 "global us probe syscall.read.return { us <<< gettimeofday_us() - @entry(gettimeofday_us()) }"},
	{N_("How large are the reads of each program?"),
	 "global bytes probe syscall.read.return { if (retval > 0) bytes[execname()] <<< retval }"},
	{N_("Who writes to files?"),
	 "global bytes probe vfs.write.return { if ($return > 0) bytes[execname()] <<< $return }"},
	{N_("Which programs use the processors?"), "global samples probe timer.profile { samples[execname()]++ }"},
	{N_("Where in the kernel is time spent?"),
	 "global stacks probe timer.profile { if (!user_mode()) stacks[backtrace()]++ }"},
	{N_("Which processes are forked, and by whom?"),
	 "probe kernel.trace(\"sched:sched_process_fork\") { println(execname(), \" \", $child->pid) }"},
	{N_("Who sends which signals to whom?"),
	 "probe signal.send { printf(\"%s: %s to %s\\n\", execname(), sig_name, pid_name) }"},
	{N_("Which functions of the file system layer are called?"),
	 "global calls probe kernel.function(\"vfs_*\") { calls[ppfunc()]++ }"},
	{N_("Who calls a function of the kernel?"),
	 "global callers probe kernel.function(\"kfree\") { callers[symname(caller_addr())]++ }"},
	{N_("From where do processes exit?"),
	 "probe kernel.function(\"do_exit\") { println(execname()) print_backtrace() }"},
	{N_("Which programs cause page faults?"),
	 "global faults probe kernel.function(\"handle_mm_fault\") { faults[execname()]++ }"},
	{N_("How large are the requests to disks?"), "global bytes probe ioblock.request { bytes[devname] <<< size }"},
	{N_("How long does each program wait until it runs again, in microseconds?"),
	 "global from, us probe scheduler.cpu_off { from[tid()] = gettimeofday_us() } "
	 "probe scheduler.cpu_on { if (from[tid()]) us[execname()] <<< gettimeofday_us() - from[tid()] }"},
	{N_("Who sends how much by TCP?"), "global bytes probe tcp.sendmsg { bytes[execname()] <<< size }"},
};

struct error *one_liners_print(void)
{
	for (size_t i = 0; i < G_N_ELEMENTS(one_liners); i++)
		printf("%s# %s\nstap -T10 -e '%s'\n", i ? "\n" : "", _(one_liners[i].question), one_liners[i].script);
	return NULL;
}
