// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stacks and symbols.
 *
 * The kernel's own unwinder walks from the probed registers; it works in every context, NMI included. Function probes
 * through ftrace carry only the calling convention's registers, which is all that the unwinder needs at a call site.
 * Symbols come from kallsyms through sprint_symbol(), which takes no lock.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <asm/irq_regs.h>
#include <asm/unwind.h>

#include "internal.h"
#include "line_table.h"

/* The registers of the probed context, with the instruction pointer at the probe itself. */
static bool probed_registers(struct stp_context *c, struct pt_regs *regs)
{
	const struct pt_regs *source = (const struct pt_regs *)c->regs;

	if (!source)
		source = get_irq_regs();
	if (!source || context_is_session(c) || user_mode((struct pt_regs *)source))
		return false;
	*regs = *source;
	/* A kprobe's handler sees the address after the breakpoint, by ftrace after the call's first byte. */
	if (c->probe->kind == STP_PROBE_KPROBE || (c->probe->kind == STP_PROBE_FUNCTION && c->regs))
		regs->ip = stp_probe_address(c);
	return true;
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

static unsigned int walk(struct stp_context *c, unsigned long *addresses, unsigned int most)
{
	struct unwind_state state;
	struct pt_regs regs;
	unsigned int count = 0;

	if (is_callback(c->probe))
		return walk_from_callback((const struct pt_regs *)c->regs, addresses, most);
	if (!probed_registers(c, &regs))
		return 0;
	addresses[count++] = regs.ip;
	unwind_start(&state, current, &regs, NULL);
	/*
	 * From given registers the ORC unwinder starts at the caller (__unwind_start() skips the frame of the
	 * registers); the frame pointer unwinder gives the registers' own address first.
	 */
	for (; count < most && !unwind_done(&state); unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		if (count > 1 || address != regs.ip)
			addresses[count++] = address;
	}
	return count;
}

/* Once for each hit. */
static const struct stack_frames *stack_frames(struct stp_context *c)
{
	struct stack_frames *frames = context_frames(c);

	if (!frames->is_walked)
		frames->count = walk(c, frames->addresses,
				     min_t(unsigned int, stp_script.max_backtrace, ARRAY_SIZE(frames->addresses)));
	frames->is_walked = true;
	return frames;
}

/* "0x… 0x…" with whole addresses only: half of one would be a wrong one. */
static void put_addresses(char *to, const unsigned long *addresses, unsigned int count)
{
	unsigned int used = 0, i;

	to[0] = '\0';
	for (i = 0; i < count; i++) {
		char text[24];
		int length = scnprintf(text, sizeof(text), "%s0x%lx", i ? " " : "", addresses[i]);

		if (used + length >= stp_script.string_size)
			break;
		memcpy(to + used, text, length + 1);
		used += length;
	}
}

void stp_callers(struct stp_context *c, char *to, stp_long levels)
{
	const struct stack_frames *frames = stack_frames(c);

	put_addresses(to, frames->addresses, levels < 0 || levels >= frames->count ? frames->count : levels + 1);
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
	/* Under RCU the stack of a task stays mapped, whatever happens to the task (kernel/fork.c, thread_stack_free_rcu()). */
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
	put_addresses(to, addresses, count);
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

void stp_dump_stack(void)
{
	dump_stack();
}

void stp_backtrace(struct stp_context *c, char *to)
{
	stp_callers(c, to, -1);
}

void stp_symbol_data(char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	/* Without a symbol sprint_symbol() gives the hex address. */
	snprintf(to, stp_script.string_size, "%s%s", text, strchr(text, '[') || text[0] == '0' ? "" : " [kernel]");
}

void stp_symbol_line(char *to, unsigned int size, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	if (text[0] == '0')
		snprintf(to, size, " 0x%016lx", address);
	else
		snprintf(to, size, " 0x%016lx : %s%s", address, text, strchr(text, '[') ? "" : " [kernel]");
}

void stp_symbol_name(char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	char *end;

	sprint_symbol_no_offset(text, address);
	end = strchr(text, ' '); /* before " [module]" */
	if (end)
		*end = '\0';
	stp_copy(to, text);
}

void stp_module_name(struct stp_context *c, char *to, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];
	char *open, *close;

	sprint_symbol(text, address);
	open = strchr(text, '[');
	close = open ? strpbrk(open, " ]") : NULL;
	to[0] = '\0';
	if (!open && text[0] == '0') {
		stp_error(c, "no module is known at 0x%lx", address);
		return;
	}
	if (close)
		*close = '\0';
	stp_copy(to, open ? open + 1 : "kernel");
}

/* ---- source lines ----------------------------------------------------------------------------------------------- */

static unsigned int kernel_line(unsigned long address, const char **file)
{
	unsigned long linked = address - ((unsigned long)_printk - stp_script.anchor);

	if (!stp_script.lines || linked < STP_LINES_BASE)
		return 0;
	return stp_find_line(stp_script.lines, linked - STP_LINES_BASE, file);
}

static unsigned int module_line(unsigned long address, const char **file)
{
	unsigned int i;

	for (i = 1; i < stp_script.target_count; i++) {
		const struct stp_target *target = &stp_script.targets[i];
		unsigned long base = target_base(i);
		const struct stp_lines_section *section;

		if (!target->lines || !base)
			continue;
		section = stp_lines_section(target->lines, target->lines_section);
		if (address >= base && address - base < section->size)
			return stp_find_line(target->lines, section->start + (address - base), file);
	}
	return 0;
}

/* 0 if it is not known. */
static unsigned int source_line(unsigned long address, const char **file)
{
	return kernel_line(address, file) ?: module_line(address, file);
}

void stp_source_line(char *to, unsigned long address, enum stp_line_parts parts)
{
	const char *file = "";
	unsigned int line = source_line(address, &file);

	if (!line)
		snprintf(to, stp_script.string_size, "0x%lx", address);
	else if (parts == STP_LINE_NUMBER)
		snprintf(to, stp_script.string_size, "%u", line);
	else if (parts == STP_LINE_FILE)
		stp_copy(to, file);
	else
		snprintf(to, stp_script.string_size, "%s:%u", file, line);
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

/* What sprint_symbol() gave, as stp_symbol_data() has it, and the end of the line. */
static void print_symbol_end(struct stp_context *c, const char *symbol)
{
	stp_print(c, symbol, strlen(symbol));
	if (!strchr(symbol, '[') && symbol[0] != '0')
		stp_print(c, " [kernel]", 9);
}

/* The line of stp_symbol_line(), in pieces: two buffers for symbols are too much for a kernel stack. */
static void print_frame(struct stp_context *c, unsigned long address)
{
	char symbol[KSYM_SYMBOL_LEN], number[24];

	stp_print(c, number, scnprintf(number, sizeof(number), " 0x%016lx", address));
	sprint_symbol(symbol, address);
	if (symbol[0] == '0')
		return;
	stp_print(c, " : ", 3);
	print_symbol_end(c, symbol);
}

static void print_frame_line(struct stp_context *c, unsigned long address)
{
	print_frame(c, address);
	stp_print(c, "\n", 1);
}

void stp_print_backtrace(struct stp_context *c)
{
	const struct stack_frames *frames = stack_frames(c);
	unsigned int i;

	for (i = 0; i < frames->count; i++)
		print_frame_line(c, frames->addresses[i]);
}

static void print_place(struct stp_context *c, unsigned long address)
{
	const char *file;
	unsigned int line = source_line(address, &file);
	char number[16];

	if (!line)
		return;
	stp_print(c, " at ", 4);
	stp_print(c, file, strlen(file));
	stp_print(c, number, scnprintf(number, sizeof(number), ":%u", line));
}

void stp_print_backtrace_lines(struct stp_context *c)
{
	const struct stack_frames *frames = stack_frames(c);
	unsigned int i;

	for (i = 0; i < frames->count; i++) {
		print_frame(c, frames->addresses[i]);
		/* A return address is behind the call, which may be the end of its line. */
		print_place(c, frames->addresses[i] - (i > 0));
		stp_print(c, "\n", 1);
	}
}

static void print_symbol(struct stp_context *c, unsigned long address)
{
	char text[KSYM_SYMBOL_LEN];

	sprint_symbol(text, address);
	print_symbol_end(c, text);
	stp_print(c, "\n", 1);
}

/* Hexadecimal numbers separated by blanks; what is no number is skipped. */
static void for_each_address(struct stp_context *c, const char *addresses,
			     void (*show)(struct stp_context *c, unsigned long address))
{
	while (*addresses) {
		char word[24];
		unsigned long address;
		size_t length = strcspn(addresses, " \n");

		if (length && length < sizeof(word)) {
			memcpy(word, addresses, length);
			word[length] = '\0';
			if (!kstrtoul(word, 16, &address))
				show(c, address);
		}
		addresses += length;
		addresses += strspn(addresses, " \n");
	}
}

void stp_print_stack(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_frame_line);
}

void stp_print_symbols(struct stp_context *c, const char *addresses)
{
	for_each_address(c, addresses, print_symbol);
}
