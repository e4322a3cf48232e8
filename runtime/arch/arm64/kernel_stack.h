/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks of kernel stacks on arm64 by frame records; see runtime/arch/kernel_stack.h. The kernel's own walks are not
 * exported.
 *
 * The frame pointer (x29) is the address of a record with the caller's frame pointer and the return address. All
 * functions that call others have one, and so do the entries of exceptions and the changes of stacks. Thus one chain
 * leads through all stacks. Return addresses may be signed.
 *
 * - In the innermost function, the record may not be there yet, or no longer. The instructions before the place say so;
 *   the return address is then in the link register (x30).
 * - The record of an exception is a part of its struct pt_regs. It contains the interrupted place, which may be in such
 *   a function, too.
 * - A kretprobe has replaced the return address of a function whose caller's frame pointer is in its instance.
 *
 * Nothing is trusted: records are loaded without faults, and the number of frames is limited.
 */
#ifndef SPILE_RUNTIME_ARCH_ARM64_KERNEL_STACK_H
#define SPILE_RUNTIME_ARCH_ARM64_KERNEL_STACK_H

#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <asm/processor.h>

#include "runtime/compat/has_include.h"

#if __has_include(<asm/stacktrace/frame.h>)
#include <asm/stacktrace/frame.h>
#endif

#include "runtime/arch/registers.h"
#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"

struct kernel_walk {
	unsigned long *addresses;
	unsigned int count, most;
	bool is_of_current, is_cut;
};

static inline bool load_kernel_word(unsigned long address, unsigned long *ret)
{
	int fault = 0;

	*ret = stp_load(address, sizeof(*ret), &fault);
	return !fault;
}

/* ---- return addresses that kretprobes have replaced -------------------------------------------------------------- */

/* Return the address to which a call returns. @p frame is the caller's frame pointer. */
static inline unsigned long original_return(const struct kernel_walk *walk, unsigned long frame, unsigned long address)
{
	return without_authentication(walk->is_of_current ? compat_original_return(frame, address) : address);
}

/* ---- functions without a record ---------------------------------------------------------------------------------- */

enum {
	CODE_LOOKED_AT = 256, /* instructions before the place */
	CODE_RETURN = 0xd65f03c0,
	CODE_RETURN_SIGNED = 0xd65f0bff, /* retaa; retab has bit 10 set, too */
	CODE_JUMP = 0x14000000,
};

/* mov x29, sp, or add x29, sp, #n */
static inline bool sets_frame_pointer(u32 code)
{
	return (code & 0xffc003ff) == 0x910003fd;
}

/* ldp x29, x30, [sp], #n, or with any other addressing */
static inline bool restores_frame_pointer(u32 code)
{
	return (code & 0xfe407fff) == 0xa8407bfd;
}

static inline bool ends_block(u32 code)
{
	return code == CODE_RETURN || (code & ~0x400u) == CODE_RETURN_SIGNED || (code & 0xfc000000) == CODE_JUMP;
}

/* Return how far the place is from the beginning of its function, in bytes; 0 also if that is not known. */
static noinline __maybe_unused unsigned long distance_from_entry(unsigned long place)
{
	char symbol[KSYM_SYMBOL_LEN];
	unsigned long distance = 0;
	const char *plus;

	sprint_symbol(symbol, place);
	plus = strrchr(symbol, '+');
	/* "name+0x12/0x34 [module]" */
	for (plus = plus ? plus + 3 : ""; hex_to_bin(*plus) >= 0; plus++)
		distance = distance << 4 | hex_to_bin(*plus);
	return distance;
}

/*
 * Return whether the frame pointer is that of the function itself, and not still, or again, its caller's. Look back
 * from the place for the instruction that has changed it last. An instruction before an earlier return or jump does not
 * count.
 */
static inline bool has_own_record(unsigned long place)
{
	unsigned long distance = distance_from_entry(place), at = place;
	bool is_before_end = false;
	unsigned int i;

	for (i = 0; i < CODE_LOOKED_AT && distance >= sizeof(u32); i++) {
		int fault = 0;
		u32 code;

		at -= sizeof(u32);
		distance -= sizeof(u32);
		code = stp_load(at, sizeof(code), &fault);
		if (fault)
			return true;
		if (sets_frame_pointer(code))
			return true;
		if (restores_frame_pointer(code) && !is_before_end)
			return false;
		is_before_end |= ends_block(code);
	}
	/* The beginning of the function was reached, or it is so long that it has a record. */
	return i == CODE_LOOKED_AT;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static inline bool add_frame(struct kernel_walk *walk, unsigned long address)
{
	if (walk->count >= walk->most || !arch_is_of_kernel(address))
		return false;
	walk->addresses[walk->count++] = address;
	return true;
}

/* Add the frames of an interrupted or probed place: its own, and its caller's if no record has that. */
static inline bool add_place(struct kernel_walk *walk, unsigned long place, unsigned long link, unsigned long frame)
{
	return add_frame(walk, place) && (has_own_record(place) || add_frame(walk, original_return(walk, frame, link)));
}

/* Load the members of a struct pt_regs that the walk needs. */
static inline bool load_registers(unsigned long regs, unsigned long *place, unsigned long *link, unsigned long *frame)
{
	return load_kernel_word(regs + offsetof(struct pt_regs, pc), place) &&
	       load_kernel_word(regs + offsetof(struct pt_regs, regs[30]), link) &&
	       load_kernel_word(regs + offsetof(struct pt_regs, regs[29]), frame);
}

/*
 * If the record is that of an exception in the kernel, add its frames and set *frame to the interrupted code's. Newer
 * kernels mark these records; in older ones they are a copy of two registers.
 */
static inline bool add_exception(struct kernel_walk *walk, unsigned long *frame, unsigned long next,
				 unsigned long address)
{
	unsigned long place, link, interrupted;

	if (!load_registers(*frame - offsetof(struct pt_regs, stackframe), &place, &link, &interrupted))
		return false;
#ifdef FRAME_META_TYPE_PT_REGS
	{
		unsigned long type;

		if (next || address || !load_kernel_word(*frame + offsetof(struct frame_record_meta, type), &type) ||
		    type != FRAME_META_TYPE_PT_REGS)
			return false;
	}
#else
	if (place != address || interrupted != next)
		return false;
#endif
	*frame = interrupted;
	return add_place(walk, place, link, interrupted);
}

static inline void walk_records(struct kernel_walk *walk, unsigned long frame)
{
	while (walk->count < walk->most && frame && !(frame % sizeof(u64))) {
		unsigned long before = frame, next, address;

		if (!load_kernel_word(frame, &next) || !load_kernel_word(frame + sizeof(u64), &address))
			break;
		if (add_exception(walk, &frame, next, address)) {
			if (frame == before)
				break;
			continue;
		}
		if (!address) /* the outermost record */
			return;
		if (next == frame || !add_frame(walk, original_return(walk, next, address)))
			break;
		frame = next;
	}
	walk->is_cut = frame;
}

static noinline __maybe_unused unsigned int walk_from_registers(const struct pt_regs *regs, unsigned long *addresses,
								unsigned int most, bool *is_cut)
{
	struct kernel_walk walk = {.addresses = addresses, .most = most, .is_of_current = true, .is_cut = true};

	if (add_place(&walk, regs->pc, regs->regs[30], regs->regs[29])) {
		walk.is_cut = false;
		walk_records(&walk, regs->regs[29]);
	}
	*is_cut = walk.is_cut;
	return walk.count;
}

static inline unsigned int walk_from_callback(const struct pt_regs *regs, unsigned long *addresses, unsigned int most,
					      bool *is_cut)
{
	struct kernel_walk walk = {.addresses = addresses, .most = most, .is_of_current = true};

	walk_records(&walk, regs->regs[29]);
	*is_cut = walk.is_cut;
	return walk.count;
}

static inline unsigned int walk_task(struct task_struct *task, unsigned long *addresses, unsigned int most,
				     bool *is_cut)
{
	struct kernel_walk walk = {.addresses = addresses, .most = most, .is_of_current = task == current};
	unsigned long frame = (unsigned long)__builtin_frame_address(0);

	if (task != current) {
		frame = READ_ONCE(task->thread.cpu_context.fp);
		if (!add_frame(&walk, without_authentication(READ_ONCE(task->thread.cpu_context.pc))))
			return 0;
	}
	walk_records(&walk, frame);
	*is_cut = walk.is_cut;
	return walk.count;
}

#endif
