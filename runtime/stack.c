// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The walk over the kernel's stack, from a hit or of any task.
 *
 * The kernel's own unwinder walks from the probed registers; it works in every context, NMI included. Function probes
 * through ftrace carry only the calling convention's registers, which is all that the unwinder needs at a call site.
 */
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/irq_regs.h>
#include <asm/unwind.h>

#include "internal.h"
#include "compat/compat.h"

/* The registers of the probed context, or NULL. */
static const struct pt_regs *probed_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = c->regs ? (const struct pt_regs *)c->regs : get_irq_regs();

	return regs && !context_is_session(c) && !user_mode((struct pt_regs *)regs) ? regs : NULL;
}

/* A kprobe's handler sees the address after the breakpoint, by ftrace after the call's first byte. */
static bool is_behind_probe(const struct stp_context *c)
{
	return c->probe->kind == STP_PROBE_KPROBE || (c->probe->kind == STP_PROBE_FUNCTION && c->regs);
}

bool is_callback(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_TRACEPOINT || probe->kind == STP_PROBE_NETFILTER;
}

/* A callback has no registers: the walk starts here, and what is above its frame is left out. */
static unsigned int walk_from_callback(const struct pt_regs *regs, unsigned long *addresses, unsigned int most)
{
	struct unwind_state state;
	unsigned int count = 0;

	unwind_start(&state, current, NULL, (void *)regs->bp);
	for (; count < most && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		addresses[count++] = address;
	}
	return count;
}

static noinline unsigned int walk_from_registers(struct pt_regs *regs, unsigned long *addresses, unsigned int most)
{
	struct unwind_state state COMPAT_UNINITIALIZED;
	unsigned int count = 0;

	addresses[count++] = regs->ip;
	unwind_start(&state, current, regs, NULL);
	/*
	 * From given registers the ORC unwinder starts at the caller (__unwind_start() skips the frame of the
	 * registers); the frame pointer unwinder gives the registers' own address first.
	 */
	for (; count < most && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		if (count > 1 || address != regs->ip)
			addresses[count++] = address;
	}
	return count;
}

/* With the instruction pointer at the probe itself. */
static noinline unsigned int walk_from_probe(struct stp_context *c, const struct pt_regs *behind,
					     unsigned long *addresses, unsigned int most)
{
	struct pt_regs regs = *behind;

	regs.ip = stp_probe_address(c);
	return walk_from_registers(&regs, addresses, most);
}

static unsigned int walk(struct stp_context *c, unsigned long *addresses, unsigned int most)
{
	const struct pt_regs *regs;

	if (is_callback(c->probe))
		return walk_from_callback((const struct pt_regs *)c->regs, addresses, most);
	regs = probed_registers(c);
	if (!regs)
		return 0;
	if (is_behind_probe(c))
		return walk_from_probe(c, regs, addresses, most);
	return walk_from_registers((struct pt_regs *)regs, addresses, most);
}

const struct stack_frames *stack_frames(struct stp_context *c)
{
	struct stack_frames *frames = context_frames(c);

	if (!frames->is_walked)
		frames->count = walk(c, frames->addresses,
				     min_t(unsigned int, stp_script.max_backtrace, ARRAY_SIZE(frames->addresses)));
	frames->is_walked = true;
	return frames;
}

enum { LONGEST_ADDRESS = sizeof(" 0x0123456789abcdef") };

/* Eight digits in the order of memory. */
static __always_inline u64 hexadecimal_digits(u32 value)
{
	u64 digits = value;

	/* One digit to a byte, and then its character: those from 'a' are 39 behind where '0' to '9' would go on. */
	digits = (digits & 0xffff) | (digits & 0xffff0000) << 16;
	digits = (digits & 0x000000ff000000ff) | (digits & 0x0000ff000000ff00) << 8;
	digits = (digits & 0x000f000f000f000f) | (digits & 0x00f000f000f000f0) << 4;
	digits += 0x3030303030303030 + ((digits + 0x0606060606060606) >> 4 & 0x0101010101010101) * 39;
	return (__force u64)cpu_to_be64(digits);
}

/*
 * "0x…", and where it ends; up to LONGEST_ADDRESS - 2 bytes are written. Quicker than a format, of which a key of an
 * array would take dozens.
 */
static noinline char *put_hexadecimal(char *to, unsigned long value)
{
	unsigned int count = (fls64(value | 1) + 3u) / 4;
	u64 digits[2];

	*to++ = '0';
	*to++ = 'x';
	value <<= 64 - 4 * count;
	digits[0] = hexadecimal_digits(value >> 32);
	digits[1] = hexadecimal_digits(value);
	memcpy(to, digits, sizeof(digits));
	return to + count;
}

/* Behind what is there, if all of it fits in before @p end. */
static noinline char *put_last_address(char *to, const char *end, bool is_first, unsigned long address)
{
	char text[LONGEST_ADDRESS] = " ";
	unsigned int length = put_hexadecimal(text + !is_first, address) - text;

	if (length >= end - to)
		return NULL;
	memcpy(to, text, length);
	return to + length;
}

/* "0x… " of an address: the same ones come again and again. */
struct address_text {
	unsigned long address;
	union {
		u64 words[3];
		struct {
			char text[sizeof(u64[3]) - 1];
			u8 length; /* 0: it has none yet */
		};
	};
};

enum { ADDRESS_TEXTS_BITS = 6 };

size_t address_texts_size(void)
{
	return sizeof(struct address_text) << ADDRESS_TEXTS_BITS;
}

static noinline void make_address_text(struct address_text *made, unsigned long address)
{
	char *end = put_hexadecimal(made->text, address);

	*end++ = ' ';
	made->length = end - made->text;
	made->address = address;
}

/* Behind all that is copied is room. */
static __always_inline char *copy_address_text(char *to, const struct address_text *known)
{
	memcpy(to, &known->words[0], sizeof(u64));
	memcpy(to + 1 * sizeof(u64), &known->words[1], sizeof(u64));
	memcpy(to + 2 * sizeof(u64), &known->words[2], sizeof(u64));
	return to + known->length;
}

void put_addresses(struct stp_context *c, char *to, const unsigned long *addresses, unsigned int count)
{
	struct address_text *texts = c->address_texts, *known;
	const unsigned long *stop = addresses + count, *next = addresses;
	const char *end = to + stp_script.string_size;

	/* Each with a blank. */
	for (; next < stop && end - to > sizeof(known->words); next++) {
		known = &texts[hash_long(*next, ADDRESS_TEXTS_BITS)];
		if (unlikely(known->address != *next || !known->length))
			make_address_text(known, *next);
		to = copy_address_text(to, known);
	}
	to -= next > addresses;
	for (; next < stop; next++) {
		char *last = put_last_address(to, end, next == addresses, *next);

		if (!last)
			break;
		to = last;
	}
	*to = '\0';
}

void stp_callers(struct stp_context *c, char *to, stp_long levels)
{
	const struct stack_frames *frames = stack_frames(c);

	put_addresses(c, to, frames->addresses, levels < 0 || levels >= frames->count ? frames->count : levels + 1);
}

void stp_backtrace(struct stp_context *c, char *to)
{
	stp_callers(c, to, -1);
}

stp_long stp_stack(struct stp_context *c, stp_long level)
{
	const struct stack_frames *frames = stack_frames(c);

	return level >= 0 && level < frames->count ? frames->addresses[level] : 0;
}

void stp_task_backtrace(struct stp_context *c, char *to, unsigned long address)
{
	struct task_struct *task = (struct task_struct *)address;
	unsigned long addresses[16];
	struct unwind_state state;
	unsigned int count = 0;

	to[0] = '\0';
	/*
	 * Under RCU the stack of a task stays mapped, whatever happens to the task (kernel/fork.c,
	 * thread_stack_free_rcu()).
	 */
	rcu_read_lock();
	if (task_exists(c, task)) {
		for (unwind_start(&state, task, NULL, NULL); count < ARRAY_SIZE(addresses) && !unwind_done(&state);
		     unwind_next_frame(&state)) {
			addresses[count] = unwind_get_return_address(&state);
			if (!addresses[count])
				break;
			count++;
		}
	}
	rcu_read_unlock();
	put_addresses(c, to, addresses, count);
}

/* ---- how much of the stack is used ------------------------------------------------------------------------------- */

stp_long stp_stack_size(void)
{
	return THREAD_SIZE;
}

/* Where the probed code was, if that was on the task's own stack, and not on one of interrupts; else where we are. */
stp_long stp_stack_used(struct stp_context *c)
{
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;
	unsigned long base = (unsigned long)task_stack_page(current);
	unsigned long here = regs && !context_is_session(c) ? regs->sp : (unsigned long)__builtin_frame_address(0);

	if (here < base || here > base + THREAD_SIZE)
		here = (unsigned long)__builtin_frame_address(0);
	return here < base || here > base + THREAD_SIZE ? 0 : base + THREAD_SIZE - here;
}
