// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Registers by name, function arguments by the calling convention (for probes without debuginfo), and writes to
 * registers.
 *
 * If a script uses one of these, the translator requests all registers from ftrace (stp_script.needs_registers).
 */
#include <linux/ptrace.h>
#include <asm/irq_regs.h>

#include "runtime/compat/compat.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/target.h"

/*
 * Return whether the script may see these registers. With --privilege=stapusr these are only those of the user's
 * programs. A timer may have interrupted a system call, and then the registers are the kernel's.
 */
static bool may_see_registers(const struct pt_regs *regs)
{
	return likely(!session_is_restricted) || (user_mode((struct pt_regs *)regs) && is_own_task(context_task()));
}

/* Return the registers of the hit, or NULL. Those of a callback are made up to carry its arguments. */
static const struct pt_regs *hit_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;

	return context_is_session(c) || !regs || is_callback(c->probe) || !may_see_registers(regs) ? NULL : regs;
}

int stp_registers_valid(struct stp_context *c)
{
	return hit_registers(c) != NULL;
}

int stp_user_mode(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c) ?: get_irq_regs();

	return regs && !context_is_session(c) && user_mode((struct pt_regs *)regs);
}

/* Names of the full register, then of its low 32 bits. */
static const struct named_register {
	unsigned int offset;
	const char *names[3];
	const char *half;
} named_registers[] = {
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

static bool has_name(const struct named_register *named, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(named->names); i++)
		if (named->names[i] && !strcmp(named->names[i], name))
			return true;
	return false;
}

stp_long stp_named_register(struct stp_context *c, const char *name, int is_signed)
{
	const struct pt_regs *regs = hit_registers(c);
	unsigned int i;

	if (!regs) {
		stp_error(c, "no registers are available here");
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(named_registers); i++) {
		const struct named_register *named = &named_registers[i];
		unsigned long value = *(const unsigned long *)((const char *)regs + named->offset);

		if (has_name(named, name))
			return value;
		if (named->half && !strcmp(named->half, name))
			return is_signed ? (s64)(s32)value : (s64)(u32)value;
	}
	stp_error(c, "Unknown register: %s", name);
	return 0;
}

stp_long stp_return_register(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c);

	if (!regs)
		stp_error(c, "no registers are available here");
	return regs ? regs->ax : 0;
}

enum { ARGUMENT_REGISTERS = 6 };

static bool is_on_user_stack(const struct stp_context *c, stp_long number)
{
	return number > ARGUMENT_REGISTERS && user_mode((struct pt_regs *)c->regs);
}

/*
 * Find where an argument is (x86-64 psABI, section 3.2.3): in one of six registers, or on the stack above the return
 * address. Return false, with an error, if there is no such argument.
 */
static bool find_argument(struct stp_context *c, stp_long number, unsigned long *ret)
{
	static const unsigned int offsets[ARGUMENT_REGISTERS] = {
		offsetof(struct pt_regs, di), offsetof(struct pt_regs, si), offsetof(struct pt_regs, dx),
		offsetof(struct pt_regs, cx), offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
	};
	enum { MOST = 12 };
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;

	if (!regs || context_is_session(c) || !may_see_registers(regs)) {
		stp_error(c, "no registers are available here");
		return false;
	}
	if (number < 1 || number > MOST) {
		stp_error(c, "cannot access arg(%lld)", number);
		return false;
	}
	if (number <= ARRAY_SIZE(offsets))
		*ret = (unsigned long)regs + offsets[number - 1];
	else
		*ret = regs->sp + (number - ARRAY_SIZE(offsets)) * sizeof(long);
	return true;
}

stp_long stp_argument(struct stp_context *c, stp_long number)
{
	unsigned long address;
	s64 value;
	int fault = 0;

	if (!find_argument(c, number, &address))
		return 0;
	if (!is_on_user_stack(c, number)) {
		value = stp_load(address, sizeof(long), &fault);
		if (fault)
			stp_fault(c, address);
		return value;
	}
	value = stp_load_user(address, sizeof(long), &fault);
	if (fault)
		stp_user_fault(c, address);
	return value;
}

void stp_set_argument(struct stp_context *c, stp_long number, stp_long value)
{
	unsigned long address;

	if (!find_argument(c, number, &address))
		return;
	if (is_on_user_stack(c, number))
		stp_store_user(c, address, sizeof(long), value);
	else
		stp_store(c, address, sizeof(long), value);
}

void stp_print_registers(struct stp_context *c)
{
	const struct pt_regs *regs = hit_registers(c);

	if (!regs)
		return;
	stp_printf(c, "RIP: %016lx\nRSP: %016lx  EFLAGS: %08lx\n", regs->ip, regs->sp, regs->flags);
	stp_printf(c, "RAX: %016lx RBX: %016lx RCX: %016lx\n", regs->ax, regs->bx, regs->cx);
	stp_printf(c, "RDX: %016lx RSI: %016lx RDI: %016lx\n", regs->dx, regs->si, regs->di);
	stp_printf(c, "RBP: %016lx R08: %016lx R09: %016lx\n", regs->bp, regs->r8, regs->r9);
	stp_printf(c, "R10: %016lx R11: %016lx R12: %016lx\n", regs->r10, regs->r11, regs->r12);
	stp_printf(c, "R13: %016lx R14: %016lx R15: %016lx\n", regs->r13, regs->r14, regs->r15);
}

/* Registers that XSAVE has omitted are in their initial state, zero. */
static u64 saved_vector(unsigned int number)
{
	const union fpregs_state *saved = compat_saved_vectors();

	if (boot_cpu_has(X86_FEATURE_XSAVE) && !(saved->xsave.header.xfeatures & XFEATURE_MASK_SSE))
		return 0;
	return saved->fxsave.xmm_space[4 * number] | (u64)saved->fxsave.xmm_space[4 * number + 1] << 32;
}

#define LIVE_VECTOR(number)                                                                                            \
	case number:                                                                                                   \
		asm volatile("movq %%xmm" #number ", %0" : "=r"(value));                                               \
		break

static u64 live_vector(unsigned int number)
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
 * Read a vector register of the current process. The kernel itself does not use them, so they are in the CPU, unless an
 * interrupt or a task switch had to save them (arch/x86/include/asm/fpu/api.h). Interrupts are off so that this does
 * not happen in between.
 */
stp_ulong stp_vector_register(struct stp_context *c, unsigned int number)
{
	unsigned long irq_flags;
	u64 value = 0;

	if (!current->mm || current->flags & PF_KTHREAD)
		return 0;
	local_irq_save(irq_flags);
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		value = saved_vector(number);
	else
		value = live_vector(number);
	local_irq_restore(irq_flags);
	return value;
}

void stp_set_register(struct stp_context *c, unsigned int word, stp_long value)
{
	if (c->regs)
		((unsigned long *)c->regs)[word] = value;
}
