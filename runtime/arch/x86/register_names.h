/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of x86-64 for library/registers.c; see runtime/arch/register_names.h. */
#ifndef SPILE_RUNTIME_ARCH_X86_REGISTER_NAMES_H
#define SPILE_RUNTIME_ARCH_X86_REGISTER_NAMES_H

#include <linux/sched.h>
#include <linux/thread_info.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"

static const struct named_register named_registers[] = {
	{offsetof(struct pt_regs, ax), {"rax", "ax"}, "eax"},
	{offsetof(struct pt_regs, bx), {"rbx", "bx"}, "ebx"},
	{offsetof(struct pt_regs, cx), {"rcx", "cx"}, "ecx"},
	{offsetof(struct pt_regs, dx), {"rdx", "dx"}, "edx"},
	{offsetof(struct pt_regs, si), {"rsi", "si"}, "esi"},
	{offsetof(struct pt_regs, di), {"rdi", "di"}, "edi"},
	{offsetof(struct pt_regs, bp), {"rbp", "bp"}, "ebp"},
	{offsetof(struct pt_regs, sp), {"rsp", "sp"}, "esp"},
	{offsetof(struct pt_regs, ip), {"rip", "ip"}, "eip"},
	{offsetof(struct pt_regs, r8), {"r8"}, NULL},
	{offsetof(struct pt_regs, r9), {"r9"}, NULL},
	{offsetof(struct pt_regs, r10), {"r10"}, NULL},
	{offsetof(struct pt_regs, r11), {"r11"}, NULL},
	{offsetof(struct pt_regs, r12), {"r12"}, NULL},
	{offsetof(struct pt_regs, r13), {"r13"}, NULL},
	{offsetof(struct pt_regs, r14), {"r14"}, NULL},
	{offsetof(struct pt_regs, r15), {"r15"}, NULL},
	{offsetof(struct pt_regs, flags), {"flags"}, "eflags"},
	{offsetof(struct pt_regs, orig_ax), {"orig_rax"}, "orig_eax"},
	{offsetof(struct pt_regs, cs), {"cs", "xcs"}, NULL},
	{offsetof(struct pt_regs, ss), {"ss", "xss"}, NULL},
};

enum { TASK_REGISTERS = sizeof(struct pt_regs) / sizeof(long) };

/* x86-64 psABI, section 3.2.3. */
static const unsigned int argument_offsets[] = {
	offsetof(struct pt_regs, di), offsetof(struct pt_regs, si), offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, cx), offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
};

/* Above the return address. */
static inline unsigned long stack_arguments(const struct pt_regs *regs)
{
	return regs->sp + sizeof(long);
}

static inline void print_all_registers(struct stp_context *c, const struct pt_regs *regs)
{
	stp_printf(c, "RIP: %016lx\nRSP: %016lx  EFLAGS: %08lx\n", regs->ip, regs->sp, regs->flags);
	stp_printf(c, "RAX: %016lx RBX: %016lx RCX: %016lx\n", regs->ax, regs->bx, regs->cx);
	stp_printf(c, "RDX: %016lx RSI: %016lx RDI: %016lx\n", regs->dx, regs->si, regs->di);
	stp_printf(c, "RBP: %016lx R08: %016lx R09: %016lx\n", regs->bp, regs->r8, regs->r9);
	stp_printf(c, "R10: %016lx R11: %016lx R12: %016lx\n", regs->r10, regs->r11, regs->r12);
	stp_printf(c, "R13: %016lx R14: %016lx R15: %016lx\n", regs->r13, regs->r14, regs->r15);
}

/*
 * Return the current task's saved FPU registers, valid while they are not in the CPU. Since 5.16 they are in a separate
 * structure, which 6.16 moved out of struct thread_struct.
 */
static inline const union fpregs_state *saved_vectors(void)
{
#ifdef HAS_TASK_FPU
	/* It follows the task_struct. x86_task_fpu() returns it too, but is not exported in some configurations. */
	return &((const struct fpu *)(current + 1))->fpstate->regs;
#elif defined(HAS_FPU_STATE)
	return &current->thread.fpu.fpstate->regs;
#else
	return &current->thread.fpu.state;
#endif
}

/* Registers that XSAVE has omitted are in their initial state, zero. */
static inline u64 saved_vector(unsigned int number)
{
	const union fpregs_state *saved = saved_vectors();

	if (boot_cpu_has(X86_FEATURE_XSAVE) && !(saved->xsave.header.xfeatures & XFEATURE_MASK_SSE))
		return 0;
	return saved->fxsave.xmm_space[4 * number] | (u64)saved->fxsave.xmm_space[4 * number + 1] << 32;
}

#define LIVE_VECTOR(number)                                                                                            \
	case number:                                                                                                   \
		asm volatile("movq %%xmm" #number ", %0" : "=r"(value));                                               \
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
	}
	return value;
}

/*
 * The kernel itself does not use vector registers, so they are in the CPU, unless an interrupt or a task switch had to
 * save them (arch/x86/include/asm/fpu/api.h).
 */
static inline u64 read_vector(unsigned int number)
{
	return test_thread_flag(TIF_NEED_FPU_LOAD) ? saved_vector(number) : live_vector(number);
}

#endif
