/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of arm64 for library/registers.c; see runtime/arch/register_names.h. */
#ifndef SPILE_RUNTIME_ARCH_ARM64_REGISTER_NAMES_H
#define SPILE_RUNTIME_ARCH_ARM64_REGISTER_NAMES_H

#include <linux/sched.h>
#include <linux/thread_info.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"

#define NUMBERED(number, ...)                                                                                          \
	{                                                                                                              \
		offsetof(struct pt_regs, regs[number]), {"x" #number, ##__VA_ARGS__}, "w" #number                      \
	}
static const struct named_register named_registers[] = {
	NUMBERED(0),
	NUMBERED(1),
	NUMBERED(2),
	NUMBERED(3),
	NUMBERED(4),
	NUMBERED(5),
	NUMBERED(6),
	NUMBERED(7),
	NUMBERED(8),
	NUMBERED(9),
	NUMBERED(10),
	NUMBERED(11),
	NUMBERED(12),
	NUMBERED(13),
	NUMBERED(14),
	NUMBERED(15),
	NUMBERED(16),
	NUMBERED(17),
	NUMBERED(18),
	NUMBERED(19),
	NUMBERED(20),
	NUMBERED(21),
	NUMBERED(22),
	NUMBERED(23),
	NUMBERED(24),
	NUMBERED(25),
	NUMBERED(26),
	NUMBERED(27),
	NUMBERED(28),
	NUMBERED(29, "fp"),
	NUMBERED(30, "lr"),
	{offsetof(struct pt_regs, sp), {"sp"}, "wsp"},
	{offsetof(struct pt_regs, pc), {"pc"}, NULL},
	{offsetof(struct pt_regs, pstate), {"pstate"}, NULL},
	{offsetof(struct pt_regs, orig_x0), {"orig_x0"}, NULL},
};
#undef NUMBERED
enum { TASK_REGISTERS = sizeof(struct user_pt_regs) / sizeof(long) };

/* Procedure Call Standard for the Arm 64-bit Architecture, section 6.8.2. */
static const unsigned int argument_offsets[] = {
	offsetof(struct pt_regs, regs[0]), offsetof(struct pt_regs, regs[1]), offsetof(struct pt_regs, regs[2]),
	offsetof(struct pt_regs, regs[3]), offsetof(struct pt_regs, regs[4]), offsetof(struct pt_regs, regs[5]),
	offsetof(struct pt_regs, regs[6]), offsetof(struct pt_regs, regs[7]),
};

static inline unsigned long stack_arguments(const struct pt_regs *regs)
{
	return regs->sp;
}

static inline void print_all_registers(struct stp_context *c, const struct pt_regs *regs)
{
	unsigned int i;

	stp_printf(c, "pc : %016lx lr : %016lx pstate: %08lx\nsp : %016lx\n", (unsigned long)regs->pc,
		   (unsigned long)regs->regs[30], (unsigned long)regs->pstate, (unsigned long)regs->sp);
	for (i = 0; i < 30; i++)
		stp_printf(c, i % 3 == 2 ? "x%u: %016lx\n" : "x%u: %016lx ", i, (unsigned long)regs->regs[i]);
}

#define LIVE_VECTOR(number)                                                                                            \
	case number:                                                                                                   \
		asm volatile(".arch_extension fp\n"                                                                    \
			     "fmov %0, d" #number                                                                      \
			     : "=r"(value));                                                                           \
		break

static inline u64 live_vector(unsigned int number)
{
	u64 value = 0;

	switch (number) {
		LIVE_VECTOR(0);
		LIVE_VECTOR(1);
		LIVE_VECTOR(2);
		LIVE_VECTOR(3);
		LIVE_VECTOR(4);
		LIVE_VECTOR(5);
		LIVE_VECTOR(6);
		LIVE_VECTOR(7);
		LIVE_VECTOR(8);
		LIVE_VECTOR(9);
		LIVE_VECTOR(10);
		LIVE_VECTOR(11);
		LIVE_VECTOR(12);
		LIVE_VECTOR(13);
		LIVE_VECTOR(14);
		LIVE_VECTOR(15);
		LIVE_VECTOR(16);
		LIVE_VECTOR(17);
		LIVE_VECTOR(18);
		LIVE_VECTOR(19);
		LIVE_VECTOR(20);
		LIVE_VECTOR(21);
		LIVE_VECTOR(22);
		LIVE_VECTOR(23);
		LIVE_VECTOR(24);
		LIVE_VECTOR(25);
		LIVE_VECTOR(26);
		LIVE_VECTOR(27);
		LIVE_VECTOR(28);
		LIVE_VECTOR(29);
		LIVE_VECTOR(30);
		LIVE_VECTOR(31);
	}
	return value;
}

/* Vectors of a task that uses SVE are in a structure of their own, with the low bits of each first. */
static inline bool vectors_are_scalable(const struct thread_struct *thread)
{
#ifndef CONFIG_ARM64_SVE
	return false;
#elif defined(HAS_VECTOR_TYPE)
	return thread->fp_type == FP_STATE_SVE && thread->sve_state;
#else
	return test_thread_flag(TIF_SVE) && thread->sve_state;
#endif
}

static inline u64 saved_scalable_vector(struct thread_struct *thread, unsigned int number)
{
#ifndef CONFIG_ARM64_SVE
	return 0;
#elif defined(HAS_VECTOR_LENGTHS)
	return *(const u64 *)((const char *)thread->sve_state + number * thread_get_sve_vl(thread));
#else
	return *(const u64 *)((const char *)thread->sve_state + number * thread->sve_vl);
#endif
}

static inline u64 saved_vector(unsigned int number)
{
	struct thread_struct *thread = &current->thread;

	if (vectors_are_scalable(thread))
		return saved_scalable_vector(thread, number);
	return thread->uw.fpsimd_state.vregs[number];
}

/*
 * The registers are the program's, unless the kernel has saved them, because it uses them or has switched tasks
 * (arch/arm64/kernel/fpsimd.c).
 */
static inline u64 read_vector(unsigned int number)
{
	if (number >= 32)
		return 0;
	return test_thread_flag(TIF_FOREIGN_FPSTATE) ? saved_vector(number) : live_vector(number);
}

#endif
