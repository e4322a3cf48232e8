/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the C code of scripts expects of a module made by SystemTap: the headers that it includes, the functions of its
 * runtime, members of its context, and ways to read and write memory and registers. Only scripts with C of their own
 * include this.
 *
 * The functions that print need no context, because scripts also call them in C functions outside of handlers. They
 * find the running handler; if there is none, they write to the kernel's log.
 */
#ifndef SPILE_RUNTIME_SYSTEMTAP_H
#define SPILE_RUNTIME_SYSTEMTAP_H

#include <linux/atomic.h>
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hardirq.h>
#include <linux/hash.h>
#include <linux/hrtimer.h>
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kref.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/namei.h>
#include <linux/netfilter.h>
#include <linux/netfilter_arp.h>
#include <linux/netfilter_bridge.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/nsproxy.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/pid.h>
#include <linux/poll.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/relay.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <linux/uidgid.h>
#include <linux/utsname.h>
#include <linux/version.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "runtime/compat/has_include.h"

#if __has_include(<linux/profile.h>)
#include <linux/profile.h>
#endif

/* Many scripts call strlcpy(), which newer kernels no longer have. */
#undef strlcpy
#define strlcpy(to, from, size) ((size_t)snprintf(to, size, "%s", from))

/* A macro, because only newer kernels have the type. */
#define intptr_t long

/* ---- printing ---------------------------------------------------------------------------------------------------- */

#define _stp_printf(...) stp_print_here(__VA_ARGS__)
#define _stp_print(text) stp_print_here("%s", text)
#define _stp_print_char(character) stp_print_here("%c", character)
#define _stp_print_flush() stp_flush_here()
#define _stp_log(...) stp_print_here(__VA_ARGS__)
#define _stp_warn(...) stp_report_here(STP_REPORT_WARNING, __VA_ARGS__)
/* Reports an error, and ends the script. */
#define _stp_error(...) stp_report_here(STP_REPORT_ERROR, __VA_ARGS__)
#define _stp_softerror(...) stp_report_here(STP_REPORT_SOFT_ERROR, __VA_ARGS__)
#define _stp_dbug(function, line, format, ...)                                                                         \
	stp_report_here(STP_REPORT_DEBUG, "%s:%d: " format, function, line, ##__VA_ARGS__)
#define _dbug(...) _stp_dbug(__func__, __LINE__, __VA_ARGS__)
#define _stp_snprintf snprintf
#define _stp_vsnprintf vsnprintf

/* ---- the context ------------------------------------------------------------------------------------------------- */

/* Set the members of the context that only C of scripts reads; @p place describes the piece of C. */
static inline void stp_context_members(struct stp_context *c, const char *place)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	c->user_mode_p = regs && user_mode(regs);
	c->kregs = c->user_mode_p ? NULL : regs;
	c->uregs = c->user_mode_p ? regs : NULL;
	c->probe_point = c->probe->point;
	c->last_error = NULL;
	c->last_stmt = place;
	atomic_set(&c->busy, 1);
}

/* Raise the error that C of scripts has assigned to CONTEXT->last_error. */
static inline void stp_context_error(struct stp_context *c)
{
	if (c->last_error && !c->error)
		stp_error(c, "%s", c->last_error);
	c->last_error = NULL;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Like kread() and kderef() of every module, these end the function with a run-time error if memory faults. */
#define stp_checked_load(load, size, address)                                                                          \
	({                                                                                                             \
		int fault_ = 0;                                                                                        \
		unsigned long address_ = (unsigned long)(address);                                                     \
		stp_long value_ = load(address_, size, &fault_);                                                       \
		if (fault_) {                                                                                          \
			stp_fault(c, address_);                                                                        \
			goto out;                                                                                      \
		}                                                                                                      \
		value_;                                                                                                \
	})
#define stp_checked_store(store, size, address, value)                                                                 \
	do {                                                                                                           \
		store(c, (unsigned long)(address), size, (stp_long)(value));                                           \
		if (c->error)                                                                                          \
			goto out;                                                                                      \
	} while (0)
#define uread(pointer) ((__typeof__(*(pointer)))stp_checked_load(stp_load_user, sizeof(*(pointer)), pointer))
#define uderef(size, address) stp_checked_load(stp_load_user, size, address)
#define store_kderef(size, address, value) stp_checked_store(stp_store, size, address, value)
#define store_uderef(size, address, value) stp_checked_store(stp_store_user, size, address, value)
#define kwrite(pointer, value) store_kderef(sizeof(*(pointer)), pointer, (__typeof__(*(pointer)))(value))
#define uwrite(pointer, value) store_uderef(sizeof(*(pointer)), pointer, (__typeof__(*(pointer)))(value))
/* Copies bytes; without a buffer, only tests whether they can be read. */
#define kderef_buffer(to, address, size) stp_checked_copy(stp_load, to, address, size)
#define uderef_buffer(to, address, size) stp_checked_copy(stp_load_user, to, address, size)
#define stp_checked_copy(load, to, address, size)                                                                      \
	({                                                                                                             \
		char *to_ = (char *)(to);                                                                              \
		unsigned long from_ = (unsigned long)(address), size_ = (size), at_;                                   \
		for (at_ = 0; at_ < size_; at_++) {                                                                    \
			char byte_ = stp_checked_load(load, 1, from_ + at_);                                           \
			if (to_)                                                                                       \
				to_[at_] = byte_;                                                                      \
		}                                                                                                      \
		to_;                                                                                                   \
	})
/* Copies a string, at most size - 1 bytes, and a NUL. */
#define kderef_string(to, address, size) stp_checked_string(stp_load, to, address, size)
#define uderef_string(to, address, size) stp_checked_string(stp_load_user, to, address, size)
#define stp_checked_string(load, to, address, size)                                                                    \
	({                                                                                                             \
		char *to_ = (char *)(to), byte_ = 1;                                                                   \
		unsigned long from_ = (unsigned long)(address), size_ = (size), at_;                                   \
		for (at_ = 0; at_ + 1 < size_ && byte_; at_++) {                                                       \
			byte_ = stp_checked_load(load, 1, from_ + at_);                                                \
			if (to_)                                                                                       \
				to_[at_] = byte_;                                                                      \
		}                                                                                                      \
		if (to_ && size_ && byte_)                                                                             \
			to_[at_] = '\0';                                                                               \
		to_;                                                                                                   \
	})

/* The names that kderef() and others had before SystemTap 4. */
#define deref(size, address) kderef(size, address)
#define store_deref(size, address, value) store_kderef(size, address, value)
#define deref_buffer(to, address, size) kderef_buffer(to, address, size)
#define deref_string(to, address, size) kderef_string(to, address, size)

/* Copy from the current process without sleeping. Return the number of bytes that could not be read. */
static inline unsigned long _stp_copy_from_user(void *to, const void __user *from, unsigned long size)
{
	unsigned long copied;
	int fault = 0;

	for (copied = 0; copied < size; copied++) {
		char byte = stp_load_user((unsigned long)from + copied, 1, &fault);

		if (fault)
			break;
		((char *)to)[copied] = byte;
	}
	return size - copied;
}

/* Copy a string like strncpy_from_user(), without sleeping. Return its length, or -EFAULT. */
static inline long _stp_strncpy_from_user(char *to, const char __user *from, long size)
{
	long length;

	for (length = 0; length < size; length++) {
		if (_stp_copy_from_user(to + length, from + length, 1))
			return -EFAULT;
		if (!to[length])
			break;
	}
	return length;
}

/* Handlers cannot sleep, so allocations fail if no memory is free. */
#define STP_ALLOC_FLAGS (GFP_NOWAIT | __GFP_NOWARN)
#define _stp_kmalloc(size) kmalloc(size, STP_ALLOC_FLAGS)
#define _stp_kmalloc_gfp(size, flags) kmalloc(size, flags)
#define _stp_kzalloc(size) kzalloc(size, STP_ALLOC_FLAGS)
#define _stp_kzalloc_gfp(size, flags) kzalloc(size, flags)
#define _stp_kfree(memory) kfree(memory)

/* ---- numbers and the session ------------------------------------------------------------------------------------- */

/* Divide. By 0, assign a message to *error, which may be NULL, and return 0. */
static inline s64 _stp_div64(const char **error, s64 number, s64 divisor)
{
	if (!divisor && error)
		*error = "division by 0";
	if (divisor == -1)
		return -(u64)number;
	return divisor ? div64_s64(number, divisor) : 0;
}

/* Return the remainder, with the sign of the number. */
static inline s64 _stp_mod64(const char **error, s64 number, s64 divisor)
{
	return divisor ? number - (u64)_stp_div64(error, number, divisor) * divisor : _stp_div64(error, number, 0);
}

/* Return a random number below @p limit; 0 if that is 0. */
#define _stp_random_u(limit)                                                                                           \
	({                                                                                                             \
		stp_ulong limit_ = (limit);                                                                            \
		limit_ ? (stp_ulong)stp_random() % limit_ : 0;                                                         \
	})
#define _stp_target stp_target()
#define _stp_exit() stp_exit()

/* ---- registers, by their DWARF numbers --------------------------------------------------------------------------- */

static const unsigned char stp_dwarf_words[] __attribute__((unused)) = {STP_DWARF_WORDS};

#define stp_dwarf_word(number)                                                                                         \
	({                                                                                                             \
		unsigned int number_ = (number);                                                                       \
		if (!c->regs || number_ >= sizeof(stp_dwarf_words)) {                                                  \
			stp_error(c, "register %u is not available here", number_);                                    \
			goto out;                                                                                      \
		}                                                                                                      \
		stp_dwarf_words[number_];                                                                              \
	})
#define REG_IP(registers) instruction_pointer(registers)
#define REG_SP(registers) kernel_stack_pointer(registers)
#define k_fetch_register(number) ((intptr_t)stp_register(c, stp_dwarf_word(number)))
#define k_store_register(number, value) stp_set_register(c, stp_dwarf_word(number), (stp_long)(value))
#define u_fetch_register(number) k_fetch_register(number)
#define u_store_register(number, value) k_store_register(number, value)

#endif
