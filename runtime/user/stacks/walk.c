// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stack walks in programs, in any context, by call frame information (object_table.h). Thus programs without frame
 * pointers have stacks, too.
 *
 * A walk starts with the program's registers: those of the hit if it was in user mode, else those saved at the entry to
 * the kernel. Each step finds the file that is mapped at the frame's address (maps.c) and the rule in that
 * file's table. A walk never waits. It reads user memory with page faults disabled, it ends at a step that fails, and
 * the number of frames is limited.
 *
 * If a uretprobe has replaced a return address on the stack, the task's list of return instances has the original.
 * Without a rule (JIT code, or a table that has not arrived yet), the frame pointer is tried, and the result is marked
 * as guessed. Some C libraries have no call frame information for the code that a signal handler returns to; it is
 * recognized by its instructions.
 */
#include <linux/hash.h>
#include <linux/nospec.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <asm/irq_regs.h>

#include "runtime/abi/object_table.h"
#include "runtime/arch/registers.h"
#include "runtime/arch/user_stack.h"
#include "runtime/core/allocation.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/text/addresses.h"
#include "runtime/user/stacks/jit_maps.h"
#include "runtime/user/stacks/map_files.h"
#include "runtime/user/stacks/map_tracking.h"
#include "runtime/user/stacks/maps.h"
#include "runtime/user/stacks/symbols.h"
#include "runtime/user/stacks/tables.h"
#include "runtime/user/stacks/walk.h"

enum {
	FARTHEST_FRAME = 1 << 20, /* largest distance from the stack pointer to the frame pointer */
	MOST_RETURNS = 64, /* number of return instances that are searched */
};

/*
 * The most common kind of step in a 64-bit program: the CFA is at an offset from the stack or frame pointer, and the
 * return address is at its usual place. Other saved registers are not loaded, because outer frames hardly ever need
 * them.
 */
struct brief_step {
	s32 cfa; /* offset of the CFA from the register */
	s16 frame_pointer; /* its offset from the CFA; 0: not saved */
	u8 cfa_register; /* 0: not a brief step */
	bool leaves_registers;
};

/*
 * A cached step, because stacks differ little from one hit to the next. It never becomes stale: maps do not change, and
 * a table, once set, stays until the script is unloaded.
 */
struct known_step {
	unsigned long address;
	u64 map; /* user_walk.map_key */
	const struct stp_object_table *table;
	const struct stp_unwind_rule *rule;
	struct brief_step brief;
};

/* Two entries per hash value, so that two addresses with the same hash do not evict each other. */
enum { KNOWN_PAIRS_BITS = 5, KNOWN_STEPS = 2 << KNOWN_PAIRS_BITS };

struct user_walk {
	struct stp_unwind_state state;
	const struct pt_regs *from; /* NULL: the walk did not start from a struct pt_regs */
	const struct user_registers *names;
	const struct user_map *map; /* NULL: not known */
	u64 map_key; /* user_map.number and is_own, because a process may have different tables after setuid() */
	struct known_step *next; /* step of the last frame; NULL: not looked up yet */
	/* Data of the previous frame, which are mostly valid for the next one: */
	const struct user_range *range;
	const struct stp_object_table *table; /* NULL: not known */
	unsigned long bias;
	bool is_own; /* user_tables_are_for() the process */
	bool is_exact; /* the frame's address is not a return address, so do not subtract 1 */
	bool is_brief; /* brief steps may be used */
	bool lacks_registers; /* brief steps have skipped registers that a rule may need */
	bool is_stuck; /* the walk ended at such a rule */
	bool is_at_end; /* the last frame is the outermost one */
	bool is_stack_guessed; /* the stack pointer is a guess; the frame pointer is right */
	struct user_frames *frames;
	struct known_step *known;
};

/* The data of a walk at one context level. It is too large for the kernel stack. */
struct user_level {
	struct user_walk walk;
	struct user_frames frames;
	struct known_step known[KNOWN_STEPS];
};

static struct user_level __percpu *user_levels; /* by context_slot() */
static struct user_level session_level;

/* ---- the program's memory and registers -------------------------------------------------------------------------- */

/* Load from user memory. Page faults are disabled, and check_access() has succeeded. */
static int load_from_stack(void *data, unsigned long address, unsigned int size, unsigned long *value)
{
	u64 whole = 0;

	if (address > TASK_SIZE_MAX - sizeof(whole) ||
	    __copy_from_user_inatomic(&whole, (const void __user *)address, size))
		return 0;
	*value = whole;
	return 1;
}

/*
 * Return whether user memory can be read. An NMI may interrupt a switch of the address space, which only
 * copy_from_user_nofault() checks for.
 */
static bool check_access(unsigned long address)
{
	u8 byte;

	return !copy_from_user_nofault(&byte, (const void __user *)address, sizeof(byte));
}

/* Return the program's registers, or NULL if there is no program. */
static const struct pt_regs *find_program_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = (const struct pt_regs *)c->regs;

	if (context_is_session(c) || current->flags & (PF_KTHREAD | PF_IO_WORKER | PF_EXITING) || !current->mm)
		return NULL;
	if (regs && !is_callback(c->probe) && user_mode((struct pt_regs *)regs))
		return regs;
	regs = get_irq_regs();
	if (regs && user_mode((struct pt_regs *)regs))
		return regs;
	regs = task_pt_regs(current);
	return user_mode((struct pt_regs *)regs) ? regs : NULL;
}

/* Return the program's registers, or NULL if there is no program whose stack can be walked. */
static const struct pt_regs *program_registers(const struct stp_context *c)
{
	const struct pt_regs *regs = find_program_registers(c);

	return regs && program_can_be_walked(regs) ? regs : NULL;
}

static void take_registers(struct user_walk *walk, const struct pt_regs *regs)
{
	take_program_registers(&walk->state, regs);
	walk->names = walk->state.is_32bit ? &registers_of_32bit : &registers_of_64bit;
}

/* ---- a single step ---------------------------------------------------------------------------------------------- */

static noinline bool find_other_code(struct user_walk *walk, unsigned long address)
{
	walk->table = NULL;
	walk->range = walk->map ? user_range_at(walk->map, address) : NULL;
	if (!walk->range)
		return false;
	walk->table = user_table(walk->range, true, walk->is_own);
	if (walk->table && (!!(walk->table->flags & STP_OBJECT_IS_32BIT) != walk->state.is_32bit ||
			    !user_range_bias(walk->range, walk->table, &walk->bias)))
		walk->table = NULL;
	return walk->table;
}

/* Find the table of the code at an address. Mostly it is that of the previous frame. */
static __always_inline bool find_code(struct user_walk *walk, unsigned long address)
{
	if (likely(walk->table && address - walk->range->start < walk->range->end - walk->range->start))
		return true;
	return find_other_code(walk, address);
}

/* Return the return address that a uretprobe has replaced at this stack address, or 0. */
static unsigned long replaced_return(unsigned long place)
{
#ifdef CONFIG_UPROBES
	const struct uprobe_task *task = READ_ONCE(current->utask);
	const struct return_instance *call = task ? READ_ONCE(task->return_instances) : NULL;
	unsigned int i;

	/* Only the current task changes the list, so an interrupt sees it either before or after a change. */
	for (i = 0; call && i < MOST_RETURNS; i++) {
		struct return_instance copy;

		if (copy_from_kernel_nofault(&copy, call, sizeof(copy)))
			break;
		if (copy.stack == place)
			return copy.orig_ret_vaddr;
		call = copy.next;
	}
#endif
	return 0;
}

/*
 * The trampoline is at the start of a page, so other addresses are the program's own. These may differ from the
 * kernel's list: it keeps instances of calls that a longjmp() has left.
 */
stp_ulong stp_user_return_address(unsigned long place)
{
	int fault = 0;
	stp_ulong address = stp_load_user(place, stp_user_long_size(), &fault);
	unsigned long replaced = fault || address & ~PAGE_MASK ? 0 : replaced_return(place);

	return replaced ?: address;
}

stp_ulong stp_user_link_address(unsigned long call, unsigned long address)
{
	unsigned long replaced = address & ~PAGE_MASK ? 0 : replaced_return(call);

	return without_authentication(replaced ?: address);
}

static bool is_code_address(const struct user_walk *walk, unsigned long address)
{
	return walk->map && user_range_at(walk->map, address);
}

/*
 * Replace a return address that is in no file by the original, if a uretprobe has replaced it. It may also be in JIT
 * code.
 */
static void restore_return(struct user_walk *walk)
{
	unsigned long *address = &walk->state.registers[walk->names->address], replaced;

	if (walk->range && *address - walk->range->start < walk->range->end - walk->range->start)
		return;
	if (is_code_address(walk, *address))
		return;
	replaced = replaced_return(walk->state.registers[walk->names->stack] - call_pushes(walk->names->word));
	if (replaced)
		*address = replaced;
}

/* Step from the code that a signal handler returns to, if it has no rule. */
static bool step_over_signal(struct user_walk *walk)
{
	if (!load_signal_frame(&walk->state, walk->names, load_from_stack, walk))
		return false;
	walk->lacks_registers = false;
	walk->is_stack_guessed = false;
	walk->is_exact = true;
	return true;
}

/* Step out of an innermost function that has not set up a frame yet, or has none, like assembly functions. */
static bool step_from_leaf(struct user_walk *walk)
{
	const struct user_registers *names = walk->names;
	unsigned long address;

	if (walk->frames->count != 1 || !leaf_return(&walk->state, names, load_from_stack, walk, &address) ||
	    !is_code_address(walk, address))
		return false;
	walk->state.registers[names->address] = address;
	walk->state.registers[names->stack] += call_pushes(names->word);
	return true;
}

static bool step_by_frame_pointer(struct user_walk *walk)
{
	const struct user_registers *names = walk->names;
	unsigned long *registers = walk->state.registers;
	unsigned long frame = registers[names->frame], caller, address;

	if (frame < registers[names->stack] || frame - registers[names->stack] > FARTHEST_FRAME ||
	    frame % names->word || !load_from_stack(walk, frame, names->word, &caller) ||
	    !load_from_stack(walk, frame_return_place(frame, names->word), names->word, &address))
		return false;
	address = program_address(address);
	walk->is_at_end = !address;
	/*
	 * The outermost frame has no return address. If the return address is in known code, the frame pointer may have
	 * any value.
	 */
	if (!address || address >= TASK_SIZE_MAX || (caller && caller <= frame && !is_code_address(walk, address)))
		return false;
	registers[names->frame] = caller;
	registers[names->address] = address;
	registers[names->stack] = frame + 2 * names->word;
	walk->is_stack_guessed = !FRAME_RECORD_ENDS_FRAME;
	return true;
}

static bool step_without_rule(struct user_walk *walk)
{
	walk->next = NULL;
	walk->is_exact = false;
	if (step_over_signal(walk))
		return true;
	if (!step_by_frame_pointer(walk) && !step_from_leaf(walk)) {
		/* By the convention, the outermost frame has no frame pointer. */
		walk->is_at_end |= !walk->state.registers[walk->names->frame];
		return false;
	}
	walk->is_at_end = false;
	restore_return(walk);
	if (walk->frames->count < USER_FRAMES)
		walk->frames->guessed |= 1ull << walk->frames->count;
	return true;
}

/* Return the address by which to find the rule: inside the call instruction, unless the frame is exact. */
static __always_inline unsigned long place_of_frame(const struct user_walk *walk)
{
	return walk->state.registers[walk->names->address] - !walk->is_exact;
}

static __always_inline bool is_step_at(const struct known_step *step, u64 map_key, unsigned long at)
{
	return step->address == at && step->map == map_key;
}

static __always_inline struct known_step *known_pair_for(const struct user_walk *walk, unsigned long at)
{
	return walk->known + 2 * hash_long(at, KNOWN_PAIRS_BITS);
}

/* Return the cached step, or NULL. */
static __always_inline struct known_step *known_step_at(const struct user_walk *walk, unsigned long at)
{
	struct known_step *pair = known_pair_for(walk, at);

	if (unlikely(!walk->map))
		return NULL;
	if (likely(is_step_at(pair, walk->map_key, at)))
		return pair;
	return is_step_at(pair + 1, walk->map_key, at) ? pair + 1 : NULL;
}

static bool may_be_brief(const struct stp_object_table *table, const struct stp_unwind_rule *rule)
{
	return rule->frame == STP_FRAME_REGISTER && !rule->extra_count && !rule->flags &&
	       (rule->cfa_register == registers_of_64bit.stack || rule->cfa_register == registers_of_64bit.frame) &&
	       !(table->flags & STP_OBJECT_IS_32BIT) && table->stack_register == registers_of_64bit.stack &&
	       table->return_register == registers_of_64bit.link;
}

/* Fill in a zeroed brief step. Leave cfa_register 0 if the rule is not brief. */
static void make_brief(struct brief_step *brief, const struct stp_object_table *table,
		       const struct stp_unwind_rule *rule)
{
	unsigned int slot;
	int at = 0;

	for (slot = 0; slot < table->slot_count; slot++) {
		if (!(rule->saved_slots >> slot & 1))
			continue;
		/* Offset 0 would mean "not saved". */
		if (!rule->saved[slot])
			return;
		if (table->slots[slot] == registers_of_64bit.link)
			at = rule->saved[slot];
		else if (table->slots[slot] == registers_of_64bit.frame)
			brief->frame_pointer = rule->saved[slot];
		else
			brief->leaves_registers = true;
	}
	brief->cfa = rule->cfa;
	if (at == brief_return(brief->frame_pointer))
		brief->cfa_register = rule->cfa_register;
}

/* Look up the step and cache it. Return NULL if there is no rule. */
static noinline struct known_step *learn_step(struct user_walk *walk, unsigned long at)
{
	struct known_step *pair = known_pair_for(walk, at);
	const struct stp_unwind_rule *rule;

	if (!find_code(walk, at))
		return NULL;
	rule = stp_find_rule(walk->table, at - walk->bias - walk->table->base);
	if (rule->frame == STP_FRAME_UNKNOWN)
		return NULL;
	pair[1] = pair[0];
	*pair = (struct known_step){at, walk->map_key, walk->table, rule};
	if (may_be_brief(walk->table, rule))
		make_brief(&pair->brief, walk->table, rule);
	return pair;
}

/*
 * Load a word while user access is open. The mask keeps the address below `end` even if the CPU mispredicts the check.
 */
#define load_stack_word(to, address, end, label)                                                                       \
	unsafe_get_user(to, (const u64 __user *)array_index_nospec(address, end), label)

/*
 * Make brief steps from the last frame, for which @p step is, as long as they are cached. Return false if memory cannot
 * be read. User access stays open, because opening it for each word costs more than the reads. So everything called in
 * between must be inline.
 */
static __always_inline bool step_briefly(struct user_walk *walk, struct known_step *step, unsigned int most)
{
	unsigned long *registers = walk->state.registers, frame = registers[registers_of_64bit.frame];
	unsigned long cfa = registers[registers_of_64bit.stack], address;
	unsigned long end = TASK_SIZE_MAX - sizeof(u64);
	struct user_frames *frames = walk->frames;
	unsigned int count = frames->count;
	bool leaves = false;

	/* Keep it in a register: it is too large for an immediate operand. */
	OPTIMIZER_HIDE_VAR(end);
	user_access_open();
	for (;;) {
		const struct brief_step *brief = &step->brief;

		cfa = (brief->cfa_register == registers_of_64bit.stack ? cfa : frame) + (long)brief->cfa;
		load_stack_word(address, cfa + (long)brief_return(brief->frame_pointer), end, fault);
		address = program_address(address);
		if (brief->frame_pointer)
			load_stack_word(frame, cfa + (long)brief->frame_pointer, end, fault);
		leaves |= brief->leaves_registers;
		step = known_step_at(walk, address - 1);
		if (!step || !step->brief.cfa_register || count >= most)
			break;
		frames->addresses[count++] = address;
	}
	user_access_close();
	registers[registers_of_64bit.stack] = cfa;
	registers[registers_of_64bit.frame] = frame;
	registers[registers_of_64bit.address] = address;
	registers[registers_of_64bit.link] = address;
	walk->lacks_registers |= leaves;
	walk->next = step;
	walk->is_exact = false;
	frames->count = count;
	return true;
fault:
	user_access_close();
	frames->count = count;
	return false;
}

/* Return whether the rule reads registers that brief steps do not load. */
static bool needs_registers(const struct stp_unwind_rule *rule)
{
	return rule->extra_count || rule->frame == STP_FRAME_EXPRESSION ||
	       (rule->cfa_register != registers_of_64bit.stack && rule->cfa_register != registers_of_64bit.frame);
}

static noinline bool step_by_rule(struct user_walk *walk, const struct known_step *step)
{
	walk->is_stuck = walk->lacks_registers && needs_registers(step->rule);
	if (walk->is_stuck || !stp_unwind_step(step->table, step->rule, &walk->state, load_from_stack, walk))
		return false;
	walk->state.registers[walk->names->address] =
		program_address(walk->state.registers[step->table->return_register]);
	walk->is_exact = step->rule->flags & STP_UNWIND_SIGNAL;
	walk->next = known_step_at(walk, place_of_frame(walk));
	return true;
}

/*
 * Compute the stack pointer from the frame pointer, which is the address at which the rule finds the caller's frame
 * pointer. Return false if the function saves none, so that the frame pointer is that of an outer function.
 */
static noinline bool settle_stack(struct user_walk *walk, const struct known_step *step)
{
	const struct stp_unwind_rule *rule = step->rule;
	const struct user_registers *names = walk->names;
	unsigned int slot;

	walk->is_stack_guessed = false;
	if (rule->frame != STP_FRAME_REGISTER)
		return false;
	if (rule->cfa_register != names->stack)
		return rule->cfa_register == names->frame;
	for (slot = 0; slot < step->table->slot_count; slot++) {
		if (step->table->slots[slot] != names->frame || !(rule->saved_slots >> slot & 1))
			continue;
		walk->state.registers[names->stack] =
			walk->state.registers[names->frame] - (long)rule->saved[slot] - (long)rule->cfa;
		return true;
	}
	return false;
}

static __always_inline bool step_outwards(struct user_walk *walk, unsigned int most)
{
	unsigned long at = place_of_frame(walk);
	struct known_step *step = walk->next ?: known_step_at(walk, at) ?: learn_step(walk, at);

	if (unlikely(!step))
		return step_without_rule(walk);
	if (step->rule->flags & STP_UNWIND_END) {
		walk->is_at_end = true;
		return false;
	}
	if (unlikely(walk->is_stack_guessed) && !settle_stack(walk, step))
		return false;
	if (!(walk->is_brief && step->brief.cfa_register ? step_briefly(walk, step, most) : step_by_rule(walk, step)))
		return false;
	/* A cached step is never at the trampoline. */
	if (unlikely(!walk->next) && !walk->is_exact)
		restore_return(walk);
	return true;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

static void walk_frames(struct user_walk *walk, unsigned int most)
{
	struct user_frames *frames = walk->frames;

	pagefault_disable();
	while (frames->count < most && walk->state.registers[walk->names->address]) {
		frames->addresses[frames->count++] = walk->state.registers[walk->names->address];
		if (!step_outwards(walk, most)) {
			frames->is_cut = !walk->is_at_end;
			pagefault_enable();
			return;
		}
	}
	pagefault_enable();
	frames->is_cut = walk->state.registers[walk->names->address];
}

/* Start at the innermost frame, without brief steps. */
static __always_inline void begin_frames(struct user_walk *walk)
{
	walk->frames->count = 0;
	walk->frames->guessed = 0;
	walk->frames->is_cut = false;
	walk->next = NULL;
	walk->is_exact = true;
	walk->is_brief = false;
	walk->lacks_registers = false;
	walk->is_stuck = false;
	walk->is_at_end = false;
	walk->is_stack_guessed = false;
}

/* Walk from the start, loading all registers. */
static noinline void walk_again(struct user_walk *walk, unsigned int most)
{
	take_registers(walk, walk->from);
	begin_frames(walk);
	walk_frames(walk, most);
}

/* Request the tables of all files in the process, once. */
static void want_tables(const struct user_map *map, bool is_own)
{
	unsigned int i;

	if (READ_ONCE(map->is_asked) || !is_own)
		return;
	WRITE_ONCE(((struct user_map *)map)->is_asked, true);
	for (i = 0; i < map->count; i++)
		user_table(&map->ranges[i], true, is_own);
}

/*
 * Request the perf map for the code from which the first frame was guessed, before the stack is printed. A mapped file
 * with a table needs none.
 */
static void want_names(const struct user_map *map, const struct user_frames *frames, bool is_own)
{
	unsigned int guessed = frames->guessed ? __ffs64(frames->guessed) : 0;
	const struct user_range *range;
	struct user_file *jit_map;

	if (!guessed)
		return;
	jit_map = user_jit_map(current->mm);
	range = jit_map && map ? user_range_at(map, frames->addresses[guessed - 1]) : NULL;
	if (jit_map && !(range && user_table(range, true, is_own)))
		user_jit_table(&jit_map, frames->addresses[guessed - 1], is_own);
}

/* Walk the current process's stack. @p is_in_program says that the hit interrupted user mode. */
static void walk_program(struct user_walk *walk, bool is_in_program)
{
	const struct mm_struct *mm = current->mm;
	unsigned int most = min_t(unsigned int, stp_script.max_backtrace, USER_FRAMES);

	rcu_read_lock();
	walk->is_own = user_tables_are_for(current);
	walk->map = user_map_walked(mm, walk->is_own);
	if (walk->map) {
		walk->map_key = walk->map->number << 1 | walk->is_own;
		want_tables(walk->map, walk->is_own);
	}
	if (is_in_program || check_access(walk->state.registers[walk->names->stack])) {
		walk_frames(walk, most);
	} else {
		walk->frames->addresses[walk->frames->count++] = walk->state.registers[walk->names->address];
		walk->frames->is_cut = true;
	}
	if (unlikely(walk->is_stuck))
		walk_again(walk, most);
	want_names(walk->map, walk->frames, walk->is_own);
	rcu_read_unlock();
}

/* Initialize the walk of this context level, except for fields that are set before they are read. */
static struct user_walk *begin_walk(const struct stp_context *c)
{
	struct user_level *level = context_is_session(c) ? &session_level : this_cpu_ptr(user_levels) + context_slot(c);
	struct user_walk *walk = &level->walk;

	walk->frames = &level->frames;
	begin_frames(walk);
	walk->from = NULL;
	walk->range = NULL;
	walk->table = NULL;
	walk->known = level->known;
	walk->state.is_32bit = 0;
	return walk;
}

const struct user_frames *user_frames(struct stp_context *c)
{
	const struct pt_regs *regs;
	struct user_walk *walk;

	if (c->user_stack)
		return c->user_stack;
	walk = begin_walk(c);
	regs = program_registers(c);
	if (regs) {
		take_registers(walk, regs);
		walk->from = regs;
		walk->is_brief = !walk->state.is_32bit;
		walk_program(walk, regs == (const struct pt_regs *)c->regs);
	}
	c->user_stack = walk->frames;
	context_keeps(c);
	return walk->frames;
}

const struct user_frames *user_frames_from(struct stp_context *c, unsigned long pc, unsigned long sp, unsigned long fp)
{
	struct user_walk *walk = begin_walk(c);

	/* The hit's own stack is walked again if it is needed. */
	c->user_stack = NULL;
	if (!program_registers(c))
		return walk->frames;
	memset(&walk->state, 0, sizeof(walk->state));
	walk->state.is_32bit = !runs_64bit_code(task_pt_regs(current));
	walk->names = walk->state.is_32bit ? &registers_of_32bit : &registers_of_64bit;
	walk->state.registers[walk->names->address] = pc;
	walk->state.registers[walk->names->stack] = sp;
	walk->state.registers[walk->names->frame] = fp;
	walk_program(walk, false);
	return walk->frames;
}

void stp_user_stack_text(struct stp_context *c, char *to, stp_long levels)
{
	const struct user_frames *frames = user_frames(c);

	put_stack(c, to, frames->addresses, frames->count, levels, frames->is_cut);
}

stp_long stp_user_stack_level(struct stp_context *c, stp_long level)
{
	const struct user_frames *frames = user_frames(c);

	return level >= 0 && level < frames->count ? frames->addresses[level] : 0;
}

/* ---- the part of the runtime ------------------------------------------------------------------------------------- */

static int user_stacks_create(struct dentry *directory)
{
	int error;

	user_levels = checked(__alloc_percpu(CONTEXT_SLOTS * sizeof(struct user_level), sizeof(u64)));
	error = user_levels ? user_map_create() : -ENOMEM;
	return error ?: user_table_create(directory);
}

static int user_stacks_start(void)
{
	int error = user_map_start();

	if (!error)
		user_table_start();
	return error;
}

static void user_stacks_destroy(void)
{
	user_map_destroy();
	user_table_destroy();
	free_percpu(user_levels);
}

const struct stp_part stp_user_stacks = {
	.create = user_stacks_create,
	.start = user_stacks_start,
	.stop = user_map_stop,
	.symbol = user_symbol_tell,
	.object = user_object_tell,
	.destroy = user_stacks_destroy,
};
