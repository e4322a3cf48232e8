// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Services behind tapset functions: facts about the current task, the clock, the probe. In the runtime rather than in
 * the tapset so that a common script includes no kernel header.
 */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/instruction_pointer.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/loadavg.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>

#include "internal.h"
#include "compat/compat.h"

const struct stp_task_layout stp_task_layout = {
	.tgid = offsetof(struct task_struct, tgid),
	.pid = offsetof(struct task_struct, pid),
	.comm = offsetof(struct task_struct, comm),
};

stp_long stp_ppid(void)
{
	/* Read under RCU by the kernel; a stale parent is still valid memory while preemption is off. */
	struct task_struct *parent = READ_ONCE(current->real_parent);

	return parent ? parent->tgid : 0;
}

stp_long stp_uid(void)
{
	return from_kuid_munged(&init_user_ns, current_uid());
}

stp_long stp_euid(void)
{
	return from_kuid_munged(&init_user_ns, current_euid());
}

stp_long stp_gid(void)
{
	return from_kgid_munged(&init_user_ns, current_gid());
}

stp_long stp_cpu(void)
{
	return raw_smp_processor_id();
}

static bool is_processor(struct stp_context *c, stp_long cpu)
{
	if (cpu >= 0 && cpu < nr_cpu_ids && cpu_possible(cpu))
		return true;
	stp_error(c, "there is no processor %lld", cpu);
	return false;
}

stp_long stp_percpu_offset(struct stp_context *c, stp_long cpu)
{
	if (cpu == -1)
		cpu = raw_smp_processor_id();
	/* Possible ones have their area whether they are online or not. */
	return is_processor(c, cpu) ? per_cpu_offset(cpu) : 0;
}

stp_long stp_time_ns(void)
{
	return ktime_get_real_fast_ns(); /* safe in NMIs, unlike ktime_get_real_ns() */
}

stp_long stp_memory_node(struct stp_context *c, unsigned long address)
{
	if (virt_addr_valid((void *)address))
		return page_to_nid(virt_to_page((void *)address));
	stp_error(c, "no memory of the kernel's direct mapping is at 0x%lx", address);
	return 0;
}

stp_long stp_jiffies(void)
{
	return jiffies;
}

stp_long stp_hz(void)
{
	return HZ;
}

stp_long stp_cycles(void)
{
	return get_cycles();
}

stp_long stp_monotonic_ns(void)
{
	return ktime_get_mono_fast_ns(); /* safe in NMIs */
}

stp_long stp_cpu_clock(struct stp_context *c, stp_long cpu)
{
	return is_processor(c, cpu) ? sched_clock_cpu(cpu) : 0;
}

stp_long stp_local_clock(void)
{
	return sched_clock_cpu(raw_smp_processor_id()); /* what local_clock() is, which 6.1 does not export */
}

const char *stp_own_name(void)
{
	return THIS_MODULE->name;
}

void stp_own_size(char *to)
{
	const struct compat_module_sizes sizes = compat_module_sizes(THIS_MODULE);

	stp_format(to, "code: %u, constants: %u, variables: %u", sizes.code, sizes.constants, sizes.variables);
}

/* As /proc/loadavg rounds them. */
stp_long stp_load_average(stp_long index)
{
	unsigned long average;

	if (index < 0 || index > 2)
		return 0;
	average = READ_ONCE(avenrun[index]) + FIXED_1 / 200;
	return (average >> FSHIFT) * 100 + ((average & (FIXED_1 - 1)) * 100 >> FSHIFT);
}

const char *stp_probe_type(struct stp_context *c)
{
	static const char *const names[] = {
		[STP_PROBE_BEGIN] = "begin",	     [STP_PROBE_END] = "end",
		[STP_PROBE_ERROR] = "error",	     [STP_PROBE_TIMER] = "timer",
		[STP_PROBE_FUNCTION] = "ftrace",     [STP_PROBE_KPROBE] = "kprobe",
		[STP_PROBE_KRETPROBE] = "kretprobe", [STP_PROBE_TRACEPOINT] = "tracepoint",
		[STP_PROBE_PERF] = "perf",	     [STP_PROBE_WATCHPOINT] = "watchpoint",
		[STP_PROBE_NETFILTER] = "netfilter", [STP_PROBE_PROCFS_READ] = "procfs",
		[STP_PROBE_PROCFS_WRITE] = "procfs",
	};

	if (c->probe->kind == STP_PROBE_FUNCTION && kprobe_has_adopted(c->probe))
		return "kprobe";
	return names[c->probe->kind];
}

/* Not trace_printk(): its mere presence makes the kernel print a large warning when the module is loaded. */
void stp_ftrace(const char *text)
{
#ifdef CONFIG_TRACING
	__trace_puts(_THIS_IP_, text, strlen(text));
#endif
}

unsigned long stp_probe_address(struct stp_context *c)
{
	const struct stp_probe *probe = c->probe;

	switch (probe->kind) {
	case STP_PROBE_FUNCTION:
	case STP_PROBE_KRETPROBE:
		return probe_address(probe);
	case STP_PROBE_KPROBE:
		return (probe->flags & STP_PROBE_BY_SYMBOL) && c->regs
			       ? instruction_pointer((struct pt_regs *)c->regs) - 1
			       : probe_address(probe);
	case STP_PROBE_TRACEPOINT:
	case STP_PROBE_PERF:
	case STP_PROBE_WATCHPOINT:
		return instruction_pointer((struct pt_regs *)c->regs);
	default:
		return 0;
	}
}

stp_ulong stp_random(void)
{
	return get_random_u64();
}

/* ---- writing, for guru mode --------------------------------------------------------------------------------------- */

/* copy_to_kernel_nofault() is not exported. */
#define STORE_INSN(insn, register_class)                                                                               \
	asm volatile(STP_MAY_FAULT(insn)                                                                               \
		     : [fault] "+r"(failed)                                                                            \
		     : [address] "r"(address), [value] register_class(value)                                           \
		     : "memory", "cc")

void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value)
{
	int failed = 1;

	/* The user's half would be an oops with SMAP, see stp_load(). */
	if ((long)address < 0) {
		switch (size) {
		case 1:
			STORE_INSN("movb %b[value], (%[address])", "q");
			break;
		case 2:
			STORE_INSN("movw %w[value], (%[address])", "r");
			break;
		case 4:
			STORE_INSN("movl %k[value], (%[address])", "r");
			break;
		default:
			STORE_INSN("movq %[value], (%[address])", "r");
			break;
		}
	}
	if (failed)
		stp_error(c, "kernel write fault at 0x%016lx", address);
}

void stp_printk(stp_long level, const char *text)
{
	printk(KERN_SOH "%c%s\n", (char)('0' + clamp_t(s64, level, LOGLEVEL_EMERG, LOGLEVEL_DEBUG)), text);
}

void stp_panic(const char *text)
{
	panic("%s", text);
}

void delay_by_clock(s64 microseconds)
{
	u64 start = ktime_get_mono_fast_ns(), now = start, before;
	s64 asked = 0;

	while ((s64)(now - start) < microseconds * NSEC_PER_USEC) {
		s64 step = clamp_t(s64, microseconds - asked, 1, USEC_PER_MSEC);

		cpu_relax(); /* a virtual processor gives way here; udelay() may be a bare loop */
		udelay(step);
		asked += step;
		before = now;
		now = ktime_get_mono_fast_ns();
		if (asked >= microseconds && now == before)
			return;
	}
}

enum { LONGEST_DELAY = 10 * USEC_PER_SEC };

void stp_delay(struct stp_context *c, stp_long microseconds)
{
	if (microseconds > LONGEST_DELAY) {
		stp_error(c, "a delay may last 10 seconds, not %lld us", microseconds);
		return;
	}
	delay_by_clock(microseconds);
}

/*
 * A handler may have interrupted what holds the lock that a signal takes. So it is sent from irq_work, which runs when
 * interrupts are on again (on PREEMPT_RT, where that lock may sleep, in a thread).
 */
struct raised_signal {
	struct irq_work work;
	atomic_t busy;
	struct task_struct *task;
	int number;
};

static DEFINE_PER_CPU(struct raised_signal, raised_signals);

static void send_raised(struct irq_work *work)
{
	struct raised_signal *raised = container_of(work, struct raised_signal, work);

	send_sig(raised->number, raised->task, 1);
	put_task_struct(raised->task);
	atomic_set_release(&raised->busy, 0);
}

void stp_raise(struct stp_context *c, stp_long number)
{
	struct raised_signal *raised = raw_cpu_ptr(&raised_signals);

	if (!valid_signal(number) || number < 1) {
		stp_error(c, "there is no signal %lld", number);
	} else if (!current->mm || (current->flags & (PF_KTHREAD | PF_EXITING))) {
		stp_error(c, "there is no process to get signal %lld", number);
	} else if (atomic_cmpxchg(&raised->busy, 0, 1)) {
		stp_error(c, "another signal is on its way");
	} else {
		raised->task = get_task_struct(current);
		raised->number = number;
		init_irq_work(&raised->work, send_raised);
		irq_work_queue(&raised->work);
	}
}

void service_finish(void)
{
	int cpu;

	for_each_possible_cpu(cpu) irq_work_sync(&per_cpu_ptr(&raised_signals, cpu)->work);
}

void stp_set_register(struct stp_context *c, unsigned int word, stp_long value)
{
	if (c->regs)
		((unsigned long *)c->regs)[word] = value;
}
