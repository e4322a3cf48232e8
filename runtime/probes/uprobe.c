// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of programs and libraries, and returns from their functions, by uprobes. A uprobe is a breakpoint that
 * the kernel inserts into every process that maps the file, now or later, and that the probe selects.
 *
 * All probes at one place of a file share a uprobe_consumer and run in order of their numbers. The file is the one that
 * has the name when the script starts, if its build-id is the one that stap saw; of a target that the script names by
 * build-id, else any file with this build-id that a process maps then. A file that takes its name later is a different
 * file. Processes that no probe selects get no breakpoint (filter), but children inherit it by fork. A hit
 * there runs no handler; the kernel then removes the breakpoint from that process if no other consumer wants it.
 *
 * For a return probe, the kernel replaces the return address with that of its trampoline. C++ exceptions cannot unwind
 * through that, nor does it work with coroutines. So the translator may list the function's return instructions instead
 * (stp_probe.exits). These are ordinary places, where the stack pointer has the same value as at the entry.
 *
 * Handlers run in task context, on the way back to user mode, with preemption off as all handlers. Data kept from the
 * entry of a function to its return is in user/calls.c. After an unregistration the kernel keeps its own data for calls
 * that have not returned, but no longer calls us.
 *
 * Each change of a breakpoint takes the mmap lock and makes the CPUs that run the process flush the page from their
 * TLBs. A program that hits one breakpoint after another delays that; with thousands of breakpoints, arming would take
 * a minute. So a task that hits one while many are changing sleeps for one tick.
 *
 * Up to 6.11, unregistering waits for the callbacks of that place; later kernels wait once for all, at the end.
 *
 * A kernel worker changes the breakpoints. If the current task is being killed, as staprun may be, the kernel cannot
 * access the memory of other processes and would leave the breakpoints in.
 */
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uprobes.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/registers.h"
#include "runtime/compat/compat.h"
#include "runtime/core/allocation.h"
#include "runtime/core/arming.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"
#include "runtime/core/own_process.h"
#include "runtime/core/session.h"
#include "runtime/core/target.h"
#include "runtime/core/transport.h"
#include "runtime/probes/families.h"
#include "runtime/probes/kretprobe.h"
#include "runtime/probes/process_data.h"
#include "runtime/user/calls.h"
#include "runtime/user/debugger.h"
#include "runtime/user/memory.h"
#include "runtime/user/process_tree.h"
#include "runtime/user/program_build.h"
#include "runtime/user/program_file.h"
#include "runtime/user/returns.h"

#ifdef CONFIG_UPROBES

enum { MOST_NESTED_CALLS = 64 }; /* MAX_URETPROBE_DEPTH (kernel/events/uprobes.c) */

/* The file of a target. */
struct probed_file {
	struct path path; /* held while probes are in the file, as the kernel requires */
	struct inode *inode; /* NULL: missing or another build */
	bool is_opened, must_be_there;
	int error; /* why it has no inode: 1: another build */
};

/* The purpose of a hit at a place for one of its probes. */
enum role {
	ROLE_INSTRUCTION, /* run the handler */
	ROLE_FUNCTION, /* the entry of a function whose return is seen by the trampoline */
	ROLE_ENTRY, /* the entry of a function whose return is seen at its exits */
	ROLE_EXIT,
	ROLE_RECORDER, /* the entry of a function: record its registers for probes inside it */
	ROLE_THROW, /* an exception starts to unwind */
	ROLE_CATCH, /* an exception is caught */
	ROLE_WATCH, /* a program starts whose memory is watched */
	ROLE_COUNT_
};

/* A probe at a place, with the conditions that each hit checks. */
struct placed_probe {
	const struct stp_probe *probe;
	struct inode *inode;
	loff_t offset;
	enum role role;
	pid_t process; /* the only process; 0: any */
	bool of_target;
	bool of_program; /* a probe in a library, for processes that run one program */
	bool is_selective; /* one of these is set, or only the user's own processes are probed */
	bool is_of_target_alone; /* of_target is the only condition */
	struct program_file program;
};

struct user_place {
	struct uprobe_consumer consumer;
	const struct stp_probe *first; /* the first of `probes`, and its `light`; for single_hit() */
	unsigned short light;
	struct placed_probe *probes; /* the probes of this place, as compare_placed() sorts them */
	unsigned int count;
	bool is_armed;
	loff_t semaphore; /* 0: none */
	compat_uprobe uprobe;
};

static struct probed_file *probed_files; /* one for each target */
static struct placed_probe *placed_probes;
static unsigned int placed_count;
static struct user_place *user_places;
static unsigned int user_place_count;
static bool follows_family, keeps_calls;
static bool many_change; /* many breakpoints are being changed (MANY_PLACES) */

/* ---- hits -------------------------------------------------------------------------------------------------------- */

static noinline bool runs_its_program(const struct placed_probe *placed)
{
	struct program_file file;

	return current_program_file(&file) && !compare_program_files(&placed->program, &file);
}

static __always_inline bool wants_current(const struct placed_probe *placed)
{
	if (likely(placed->is_of_target_alone))
		return is_of_family(current->tgid);
	return !placed->is_selective ||
	       ((!placed->process || placed->process == current->tgid) &&
		(!placed->of_target || is_of_family(current->tgid)) &&
		(!placed->of_program || runs_its_program(placed)) && (!session_is_restricted || is_own_task(current)));
}

/* Return whether the probe selects the process of an mm. */
static bool wants_mm(const struct placed_probe *placed, struct mm_struct *memory)
{
	bool runs = true;

	if (!is_own_memory(memory) || !memory_is_of(memory, placed->process, placed->of_target))
		return false;
	if (placed->of_program) {
		rcu_read_lock();
		runs = is_program_file(&placed->program, rcu_dereference(memory->exe_file));
		rcu_read_unlock();
	}
	return runs;
}

static COMPAT_UPROBE_FILTER(place_wants)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);
	unsigned int i;

	for (i = 0; i < place->count; i++)
		if (wants_mm(&place->probes[i], memory))
			return true;
	return false;
}

static inline bool wants_memory(struct uprobe_consumer *self)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);
	unsigned int i;

	for (i = 0; i < place->count; i++)
		if (wants_mm(&place->probes[i], current->mm))
			return true;
	return false;
}

static __always_inline void yield_to_arming(void)
{
	if (unlikely(READ_ONCE(many_change)))
		schedule_timeout_killable(1);
}

/* Return the load bias of the file, computed from an instruction at @p offset near the probe's. */
static __always_inline unsigned long base_at(const struct stp_probe *probe, loff_t offset, const struct pt_regs *regs)
{
	return instruction_pointer((struct pt_regs *)regs) - probe->address - (offset - probe->file_offset);
}

/* Not inlined, so that light hits need not save the registers that it uses. */
static noinline int run_single(const struct stp_probe *probe, struct pt_regs *regs)
{
	/* _notrace, because the traced variant can itself be probed. */
	preempt_disable_notrace();
	context_run_user(probe, probe->handler, regs, NULL, instruction_pointer(regs) - probe->address);
	preempt_enable_notrace();
	return 0;
}

/* The most common case: one probe of an instruction, in all processes. */
static COMPAT_UPROBE_HIT(single_hit)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);

	yield_to_arming();
	return context_run_light(place->light) ? 0 : run_single(place->first, regs);
}

/*
 * Return what the kernel must do if no probe selects the current process: keep the breakpoint only if one selects the
 * mm.
 */
static noinline int ignore_current(struct uprobe_consumer *self)
{
	return wants_memory(self) ? 0 : UPROBE_HANDLER_REMOVE;
}

/* One probe of an instruction, in selected processes. */
static COMPAT_UPROBE_HIT(chosen_hit)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);

	yield_to_arming();
	if (unlikely(!wants_current(place->probes)))
		return ignore_current(self);
	return context_run_light(place->light) ? 0 : run_single(place->first, regs);
}

/* Count a return that the kernel will not report, because the thread is in too many probed calls. */
static bool return_is_omitted(void)
{
	const struct uprobe_task *task = current->utask;

	if (likely(!task || task->depth < MOST_NESTED_CALLS))
		return false;
	context_count_skip(SKIP_DEEP_RETURN, 1);
	return true;
}

/* A function whose entry runs nothing; only its return is probed. */
static COMPAT_UPROBE_HIT(single_call)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);

	yield_to_arming();
	if (unlikely(!wants_current(place->probes)))
		return ignore_current(self);
	return_is_omitted();
	return 0;
}

static void watch_call(const struct stp_probe *probe, struct pt_regs *regs)
{
	struct user_call *call = user_call_begin(probe, user_stack_pointer(regs));

	if (!call)
		return;
	context_run_user(probe, run_entry, regs, call->data.values, instruction_pointer(regs) - probe->address);
	user_call_begun(call);
}

/* Run a return handler. @p place is the stack address of the return address, even if that was popped already. */
static void run_return(const struct stp_probe *probe, unsigned long place, unsigned long base, struct pt_regs *regs)
{
	struct user_call *call = NULL;

	if (probe->entry_handler) {
		call = user_call_end(probe, place);
		if (!call)
			return;
	}
	context_run_user(probe, probe->handler, regs, call ? call->data.values : NULL, base);
	if (call)
		user_call_done(call);
}

static unsigned int address_size(struct pt_regs *regs)
{
	return runs_64bit_code(regs) ? sizeof(u64) : sizeof(u32);
}

/*
 * Run a return handler at a return instruction. The handler sees the registers as after the return, and may change all
 * but these two.
 */
static void run_exit(const struct stp_probe *probe, loff_t offset, struct pt_regs *regs)
{
	unsigned long stack = user_stack_pointer(regs), address = instruction_pointer(regs), caller;
	struct pt_regs returned = *regs;

	if (!address_at_exit(regs, address_size(regs), &caller))
		return;
	instruction_pointer_set(&returned, caller);
	stack_pointer_set(&returned, stack + call_pushes(address_size(regs)));
	run_return(probe, stack, base_at(probe, offset, regs), &returned);
	*regs = returned;
	instruction_pointer_set(regs, address);
	stack_pointer_set(regs, stack);
}

static noinline void run_placed(const struct placed_probe *placed, struct pt_regs *regs)
{
	const struct stp_probe *probe = placed->probe;

	switch (placed->role) {
	case ROLE_INSTRUCTION:
		context_run_user(probe, probe->handler, regs, NULL, instruction_pointer(regs) - probe->address);
		break;
	case ROLE_FUNCTION:
		if (return_is_omitted())
			break;
		fallthrough;
	case ROLE_ENTRY:
		if (probe->entry_handler)
			watch_call(probe, regs);
		break;
	case ROLE_EXIT:
		run_exit(probe, placed->offset, regs);
		break;
	case ROLE_RECORDER:
		user_call_record(probe, user_stack_pointer(regs), regs);
		break;
	case ROLE_THROW:
	case ROLE_CATCH:
	case ROLE_WATCH:
	case ROLE_COUNT_:
		break;
	}
}

/*
 * Handle an internal probe, with preemption on: pages of the stack may have to be read in, and creating an event
 * sleeps. Return false for other probes.
 */
static bool run_internal(const struct placed_probe *placed, struct pt_regs *regs)
{
	if (placed->role == ROLE_THROW)
		user_returns_restore(address_size(regs));
	else if (placed->role == ROLE_CATCH)
		user_returns_replace(regs, address_size(regs));
	else if (placed->role == ROLE_WATCH)
		process_data_begin(placed->probe, instruction_pointer(regs) - placed->probe->details->entry);
	else
		return false;
	return true;
}

/* The general case: several probes, or roles other than a single instruction. */
static COMPAT_UPROBE_HIT(place_hit)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);
	bool is_wanted = false;
	unsigned int i;

	yield_to_arming();
	for (i = 0; i < place->count; i++) {
		const struct placed_probe *placed = &place->probes[i];

		if (!wants_current(placed))
			continue;
		is_wanted = true;
		if (placed->role == ROLE_INSTRUCTION && context_run_light(placed->probe->light))
			continue;
		if (run_internal(placed, regs))
			continue;
		preempt_disable_notrace();
		run_placed(placed, regs);
		preempt_enable_notrace();
	}
	return is_wanted ? 0 : ignore_current(self);
}

/* The return address has just been popped. */
static COMPAT_UPROBE_RETURN(place_return)
{
	const struct user_place *place = container_of(self, struct user_place, consumer);
	unsigned int i;

	yield_to_arming();
	for (i = 0; i < place->count; i++) {
		const struct placed_probe *placed = &place->probes[i];
		const struct stp_probe *probe = placed->probe;

		if (placed->role != ROLE_FUNCTION || !wants_current(placed) || context_run_light(probe->light))
			continue;
		preempt_disable_notrace();
		run_return(probe, user_stack_pointer(regs) - call_pushes(address_size(regs)), function - probe->address,
			   regs);
		preempt_enable_notrace();
	}
	return 0;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void warn_not_armed(const struct stp_target *target, int error)
{
	if (target->any_place)
		transport_message(STP_RECORD_WARNING, true,
				  "probes in %s are not armed: it is not there, and no process maps a file with "
				  "build-id %s",
				  target->name, target->build_id);
	else if (error)
		transport_message(STP_RECORD_WARNING, true, "probes in %s are not armed: there is no such file [%d]",
				  target->name, error);
	else
		transport_message(STP_RECORD_WARNING, true,
				  "probes in %s are not armed: the file is not the one that stap has read, which has "
				  "build-id %s; hint: run stap again",
				  target->name, target->build_id);
}

/* Open the file of a target, with the kernel's credentials. */
static void open_probed_file(struct probed_file *file, const struct stp_target *target)
{
	file->error = find_build_file(target, &file->path);
	if (!file->error)
		file->inode = d_real_inode(file->path.dentry);
}

/*
 * Files that only have exception probes may be missing: programs that the script probes do not use them then.
 */
static struct probed_file *probed_file(const struct stp_probe *probe)
{
	struct probed_file *file = &probed_files[probe->target];

	if (!file->is_opened)
		open_probed_file(file, &stp_script.targets[probe->target]);
	file->is_opened = true;
	file->must_be_there |= !(probe->flags & (STP_PROBE_THROWS | STP_PROBE_CATCHES));
	return file;
}

/* A script may name several builds of one path, of which at most one is there. */
static bool another_build_is_found(const struct stp_target *target)
{
	unsigned int i;

	for (i = 0; i < stp_script.target_count; i++)
		if (stp_script.targets[i].any_place && probed_files[i].inode &&
		    !strcmp(stp_script.targets[i].name, target->name))
			return true;
	return false;
}

static void warn_of_missing_files(void)
{
	unsigned int i;

	for (i = 0; i < stp_script.target_count; i++) {
		const struct stp_target *target = &stp_script.targets[i];
		const struct probed_file *file = &probed_files[i];

		if (file->must_be_there && !file->inode && !(target->any_place && another_build_is_found(target)))
			warn_not_armed(target, file->error < 0 ? file->error : 0);
	}
}

static void close_probed_files(void)
{
	unsigned int i;

	for (i = 0; probed_files && i < stp_script.target_count; i++)
		if (probed_files[i].inode)
			path_put(&probed_files[i].path);
	kvfree(probed_files);
	probed_files = NULL;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static bool is_user_probe(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_UPROBE || probe->kind == STP_PROBE_URETPROBE ||
	       probe->kind == STP_PROBE_USER_DATA;
}

static void add_placed(const struct stp_probe *probe, struct inode *inode, loff_t offset, enum role role)
{
	struct placed_probe *placed = &placed_probes[placed_count++];

	*placed = (struct placed_probe){.probe = probe, .inode = inode, .offset = offset, .role = role};
	placed->process = probe_process(probe);
	placed->of_target = probe->details && probe->details->of_target;
	placed->of_program = probe->details && probe->details->program;
	/* If the program is missing, no process runs it. */
	if (placed->of_program && program_identify(probe->details->program, &placed->program))
		memset(&placed->program, 0, sizeof(placed->program));
	placed->is_of_target_alone =
		placed->of_target && !placed->process && !placed->of_program && !session_is_restricted;
	placed->is_selective = placed->process || placed->of_target || placed->of_program || session_is_restricted;
}

static void place_probe(const struct stp_probe *probe)
{
	struct inode *inode = probed_file(probe)->inode;
	unsigned int i;

	if (!inode)
		return;
	if (probe->kind == STP_PROBE_USER_DATA)
		add_placed(probe, inode, probe->file_offset, ROLE_WATCH);
	else if (probe->flags & STP_PROBE_RECORDS)
		add_placed(probe, inode, probe->file_offset, ROLE_RECORDER);
	else if (probe->flags & (STP_PROBE_THROWS | STP_PROBE_CATCHES))
		add_placed(probe, inode, probe->file_offset, probe->flags & STP_PROBE_THROWS ? ROLE_THROW : ROLE_CATCH);
	else if (probe->kind == STP_PROBE_UPROBE)
		add_placed(probe, inode, probe->file_offset, ROLE_INSTRUCTION);
	else if (!probe->exits)
		add_placed(probe, inode, probe->file_offset, ROLE_FUNCTION);
	else if (probe->entry_handler)
		add_placed(probe, inode, probe->file_offset, ROLE_ENTRY);
	for (i = 0; i < probe->exit_count; i++)
		add_placed(probe, inode, probe->exits[i], ROLE_EXIT);
}

/* Return the greatest possible number of places. */
static unsigned int count_placed(void)
{
	unsigned int i, count = 0;

	for (i = 0; i < stp_script.probe_count; i++)
		if (is_user_probe(&stp_script.probes[i]))
			count += 1 + stp_script.probes[i].exit_count;
	return count;
}

/*
 * Sort by file and offset, then by probe. Exits are last, because the entry of a function may be its return
 * instruction.
 */
static int compare_placed(const void *left, const void *right)
{
	const struct placed_probe *a = left, *b = right;
	bool a_exits = a->role == ROLE_EXIT, b_exits = b->role == ROLE_EXIT;

	if (a->inode != b->inode)
		return a->inode < b->inode ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a_exits != b_exits)
		return a_exits ? 1 : -1;
	return a->probe < b->probe ? -1 : a->probe > b->probe;
}

static bool is_at_place_of(const struct placed_probe *placed, const struct placed_probe *other)
{
	return placed->inode == other->inode && placed->offset == other->offset;
}

/*
 * Set the place's semaphore. The kernel increments one word per place, so if its probes have different semaphores, only
 * the first is used.
 */
static void add_semaphore(struct user_place *place, const struct stp_probe *probe)
{
	loff_t semaphore = probe->details ? probe->details->semaphore : 0;

	if (!semaphore || place->semaphore == semaphore)
		return;
	if (place->semaphore)
		transport_message(
			STP_RECORD_WARNING, true,
			"probe %s: its semaphore is not set, because another probe at its place has a different one",
			probe->point);
	else
		place->semaphore = semaphore;
}

static void make_places(void)
{
	struct user_place *place = NULL;
	unsigned int i;

	for (i = 0; i < placed_count; i++) {
		struct placed_probe *placed = &placed_probes[i];

		if (!place || !is_at_place_of(placed, place->probes)) {
			place = &user_places[user_place_count++];
			place->probes = placed;
			place->first = placed->probe;
			place->light = placed->probe->light;
		}
		place->count++;
		add_semaphore(place, placed->probe);
	}
}

/* ---- arming ------------------------------------------------------------------------------------------------------ */

static bool runs_something(const struct placed_probe *placed)
{
	return (placed->role != ROLE_FUNCTION && placed->role != ROLE_ENTRY) || placed->probe->entry_handler;
}

/* Return the callbacks for the probes that are wanted at a place; zeroed if there are none. */
static struct uprobe_consumer wanted_consumer(const struct user_place *place)
{
	const struct placed_probe *first = place->probes;
	bool is_instruction = place->count == 1 && first->role == ROLE_INSTRUCTION;
	bool selective = place->count, hits = false, returns = false;
	struct uprobe_consumer consumer = {};
	unsigned int i;

	for (i = 0; i < place->count; i++) {
		const struct placed_probe *placed = &place->probes[i];

		selective &= placed->is_selective;
		if (!probe_is_wanted(placed->probe))
			continue;
		hits |= runs_something(placed);
		returns |= placed->role == ROLE_FUNCTION;
	}
	if (hits)
		consumer.handler = !is_instruction ? place_hit : selective ? chosen_hit : single_hit;
	if (returns)
		consumer.ret_handler = place_return;
	/*
	 * A child that no probe selects must lose the breakpoint, and only a handler's return value can request that.
	 */
	if (returns || (selective && hits))
		consumer.handler = consumer.handler ?: place->count == 1 ? single_call : place_hit;
	if (selective && (hits || returns))
		consumer.filter = place_wants;
	return consumer;
}

static bool calls_something(const struct uprobe_consumer *consumer)
{
	return consumer->handler || consumer->ret_handler;
}

static void arm_place(struct user_place *place, const struct uprobe_consumer *wanted)
{
	const struct placed_probe *first = place->probes;
	int error;

	place->consumer = *wanted;
	error = compat_uprobe_register(first->inode, first->offset, place->semaphore, &place->consumer, &place->uprobe);
	place->is_armed = !error;
	if (error)
		transport_message(STP_RECORD_WARNING, true, "probe %s (offset 0x%lx of %s) registration error [%d]",
				  first->probe->point, (unsigned long)first->offset,
				  stp_script.targets[first->probe->target].name, error);
}

static void disarm_place(struct user_place *place)
{
	compat_uprobe_unregister(place->probes->inode, place->probes->offset, &place->consumer, place->uprobe);
	place->is_armed = false;
}

static void arm_as_wanted(void)
{
	unsigned int i;

	for (i = 0; i < user_place_count; i++) {
		struct user_place *place = &user_places[i];
		struct uprobe_consumer wanted = wanted_consumer(place);

		if (atomic_read(&session_exit_requested))
			break;
		cond_resched(); /* thousands of probes take longer than the watchdog timeouts */
		if (!place->is_armed && calls_something(&wanted))
			arm_place(place, &wanted);
	}
}

/* Disarm the places whose callbacks must change. */
static void disarm_unwanted(void)
{
	bool changes = false;
	unsigned int i;

	/*
	 * In reverse order: up to 6.11, a task that sleeps in a hit delays the change of that place, and its next hit
	 * is probably at the following one.
	 */
	for (i = user_place_count; i--;) {
		struct user_place *place = &user_places[i];
		struct uprobe_consumer wanted = {};

		if (session_is(SESSION_RUNNING))
			wanted = wanted_consumer(place);
		cond_resched();
		if (place->is_armed &&
		    (place->consumer.handler != wanted.handler || place->consumer.ret_handler != wanted.ret_handler)) {
			disarm_place(place);
			changes = true;
		}
	}
	if (changes)
		compat_uprobes_wait();
}

enum { MANY_PLACES = 256 };

static void change_places(struct work_struct *work)
{
	WRITE_ONCE(many_change, user_place_count >= MANY_PLACES);
	disarm_unwanted();
	if (session_is(SESSION_RUNNING))
		arm_as_wanted();
	WRITE_ONCE(many_change, false);
}

static DECLARE_WORK(places_work, change_places);

/* Arm and disarm by probe_is_wanted(). When the session is no longer running, disarm all. */
static void bring_in_line(void)
{
	if (!user_place_count)
		return;
	queue_work(COMPAT_UNBOUND_WORK, &places_work);
	flush_work(&places_work);
}

static int keep_calls(void)
{
	unsigned int i;

	for (i = 0; i < placed_count; i++)
		keeps_calls |= placed_probes[i].role == ROLE_RECORDER ||
			       (placed_probes[i].probe->entry_handler && placed_probes[i].role != ROLE_EXIT);
	return keeps_calls ? user_calls_hold() : 0;
}

/* Find the files with the kernel's credentials: the current task is staprun's reader, which has no privileges. */
static int find_places(void)
{
	struct cred *kernel = prepare_kernel_cred(&init_task);
	const struct cred *before;
	unsigned int i;

	if (!kernel)
		return -ENOMEM;
	before = override_creds(kernel);
	for (i = 0; i < stp_script.probe_count; i++)
		if (is_user_probe(&stp_script.probes[i]))
			place_probe(&stp_script.probes[i]);
	revert_creds(before);
	put_cred(kernel);
	warn_of_missing_files();
	sort(placed_probes, placed_count, sizeof(*placed_probes), compare_placed, NULL);
	make_places();
	return 0;
}

static bool is_armed_place(const struct inode *inode, loff_t offset)
{
	unsigned int low = 0, high = user_place_count;

	while (low < high) {
		unsigned int middle = low + (high - low) / 2;
		const struct placed_probe *placed = user_places[middle].probes;

		if (placed->inode == inode && placed->offset == offset)
			return READ_ONCE(user_places[middle].is_armed);
		if (placed->inode < inode || (placed->inode == inode && placed->offset < offset))
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

static int arm_uprobes(void)
{
	unsigned int total = count_placed();
	int error;

	if (!total)
		return 0;
	probed_files = checked(kvcalloc(stp_script.target_count, sizeof(*probed_files), GFP_KERNEL));
	placed_probes = checked(kvcalloc(total, sizeof(*placed_probes), GFP_KERNEL));
	user_places = checked(kvcalloc(total, sizeof(*user_places), GFP_KERNEL));
	if (!probed_files || !placed_probes || !user_places)
		return -ENOMEM;
	follows_family = true;
	error = family_watch();
	error = error ?: find_places();
	error = error ?: keep_calls();
	if (error)
		return error;
	user_debuggers_watch(is_armed_place);
	bring_in_line();
	return 0;
}

static void disarm_uprobes(void)
{
	bring_in_line();
	user_debuggers_ignore();
	if (keeps_calls)
		user_calls_release();
	if (follows_family)
		family_ignore();
	keeps_calls = follows_family = false;
	user_place_count = placed_count = 0;
	close_probed_files();
	kvfree(user_places);
	kvfree(placed_probes);
	user_places = NULL;
	placed_probes = NULL;
}

static void count_uprobes(unsigned int counts[MECHANISM_COUNT])
{
	static const enum mechanism mechanisms[ROLE_COUNT_] = {
		[ROLE_INSTRUCTION] = UPROBE, [ROLE_FUNCTION] = URETPROBE, [ROLE_ENTRY] = UPROBE,
		[ROLE_EXIT] = UPROBE_EXIT,   [ROLE_RECORDER] = UPROBE,	  [ROLE_THROW] = UPROBE,
		[ROLE_CATCH] = UPROBE,	     [ROLE_WATCH] = UPROBE};
	unsigned int i, j;

	for (i = 0; i < user_place_count; i++)
		for (j = 0; user_places[i].is_armed && j < user_places[i].count; j++)
			counts[mechanisms[user_places[i].probes[j].role]]++;
}

#else

static int arm_uprobes(void)
{
	if (!probe_count(STP_PROBE_UPROBE) && !probe_count(STP_PROBE_URETPROBE) && !probe_count(STP_PROBE_USER_DATA))
		return 0;
	transport_message(STP_RECORD_ERROR, true,
			  "this kernel cannot probe programs: it was built without CONFIG_UPROBES");
	atomic_set(&session_failed, 1);
	return -EOPNOTSUPP;
}

static void disarm_uprobes(void)
{
}

static void bring_in_line(void)
{
}

static void count_uprobes(unsigned int counts[MECHANISM_COUNT])
{
}

#endif

const struct probe_family uprobe_family = {
	.name = "program",
	.arm = arm_uprobes,
	.disarm = disarm_uprobes,
	.rearm = bring_in_line,
	.count = count_uprobes,
};
