/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that are compiled into the script, because they run so often that calls would cost too much. */
#ifndef SPILE_RUNTIME_PRIMITIVES_H
#define SPILE_RUNTIME_PRIMITIVES_H

#include "runtime/abi/layout.h"
#include "runtime/arch/memory.h"
#include "runtime/script/handler.h"
#include "runtime/script/services.h"

/* ---- registers --------------------------------------------------------------------------------------------------- */

/**
 * Return word @p word of struct pt_regs, or 0 if there are no registers. The translator maps registers to words (abi/).
 */
static inline unsigned long stp_register(struct stp_context *c, unsigned int word)
{
	return c->regs ? c->regs[word] : 0;
}

/* ---- the budget of a handler, calls of functions ----------------------------------------------------------------- */

static inline int stp_charge(struct stp_context *c, int statements)
{
	c->actions -= statements;
	if (stp_unlikely(c->actions < 0)) {
		stp_too_many_actions(c);
		return 0;
	}
	return 1;
}

/* Begin a handler that calls functions of the script. */
static inline void stp_calls_begin(struct stp_context *c)
{
	c->stack_base = (unsigned long)__builtin_frame_address(0);
}

/* Enter a script function and reserve `size` bytes for temporaries. Return NULL and set an error if nested too deep. */
static inline void *stp_call_enter(struct stp_context *c, unsigned int size)
{
	char *frame = c->frame;

	if (stp_unlikely(c->stack_base - arch_stack_pointer() > STP_CALLS_STACK)) {
		stp_error(c, "function calls take too much of the kernel's stack");
		return STP_NULL;
	}
	if (stp_unlikely(--c->nesting < 0 || size > (unsigned long)(c->frame_end - frame))) {
		c->nesting++;
		stp_limit_error(c, "MAXNESTING exceeded", "-D MAXNESTING=N allows deeper calls of functions");
		return STP_NULL;
	}
	c->frame = frame + size;
	return frame;
}

static inline void stp_call_leave(struct stp_context *c, void *frame)
{
	c->frame = frame;
	c->nesting++;
}

/*
 * Return @p pointer through an asm that hides its value from the compiler. Otherwise GCC computes the address of every
 * string in a frame once and keeps them all on the kernel stack.
 */
#define stp_opaque(pointer)                                                                                            \
	({                                                                                                             \
		__typeof__(pointer) pointer_ = (pointer);                                                              \
		__asm__ __volatile__("" : "+r"(pointer_));                                                             \
		pointer_;                                                                                              \
	})

/* ---- globals ----------------------------------------------------------------------------------------------------- */

static inline stp_long stp_atomic_read(const stp_long *value)
{
	return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static inline void stp_atomic_write(stp_long *value, stp_long to)
{
	__atomic_store_n(value, to, __ATOMIC_RELAXED);
}

static inline stp_long stp_atomic_add(stp_long *value, stp_long by) /* returns the new value */
{
	return __atomic_add_fetch(value, by, __ATOMIC_RELAXED);
}

/* ---- the current task and the probe ------------------------------------------------------------------------------ */

static inline stp_long stp_pid(struct stp_context *c)
{
	return *(const int *)(c->task + stp_task_layout.tgid);
}

static inline stp_long stp_tid(struct stp_context *c)
{
	return *(const int *)(c->task + stp_task_layout.pid);
}

/* comm has 16 bytes and MAXSTRINGLEN is at least that, so copy without looking for the NUL. */
static inline void stp_execname(struct stp_context *c, char *to)
{
	__builtin_memcpy(to, c->task + stp_task_layout.comm, 16);
	to[15] = '\0';
}

/** Return the symbol that contains a probe in a program or library, or NULL if it is unknown. */
static inline const char *stp_probe_symbol(struct stp_context *c)
{
	return c->probe->flags & STP_PROBE_BY_SYMBOL ? STP_NULL : c->probe->symbol;
}

/** Return the probe point as written in the script, with its wildcards resolved. */
static inline const char *stp_probe_name(struct stp_context *c)
{
	return stp_script.names[c->probe - stp_script.probes];
}

#endif
