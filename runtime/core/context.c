// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Enter and leave handlers.
 *
 * Each CPU has four contexts, one per level of interruption (task, softirq, hardirq, NMI), so that a probe in an
 * interrupt runs even if the interrupt came during a handler. If the context of a level is busy, the handler itself
 * caused the hit by calling something probed. Such a hit is skipped and counted, which ends recursion.
 *
 * begin, end and error probes run one at a time in the session context, in task context, and may wait for the reader of
 * their output.
 *
 * Handlers may wait for memory of programs (handler_sleep.c), and are timed (overload.c). Their output and their errors
 * are in handler_output.c and handler_error.c. Except in the session context and in contexts_hold(), nothing here
 * sleeps, allocates or takes a lock.
 */
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "runtime/abi/protocol.h"
#include "runtime/arch/breakpoints.h"
#include "runtime/core/allocation.h"
#include "runtime/core/cgroup_filter.h"
#include "runtime/core/condition.h"
#include "runtime/core/context.h"
#include "runtime/core/full_context.h"
#include "runtime/core/internal.h"
#include "runtime/core/session.h"
#include "runtime/core/stack_space.h"
#include "runtime/core/transport.h"

DEFINE_PER_CPU(struct cpu_contexts, contexts);
bool runs_slow;
struct full_context *session_context;
static atomic_long_t skips[SKIP_COUNT_];

static size_t match_size(void)
{
	/* The match, the visited nodes, the states, the text. */
	return sizeof(struct stp_match) + 2 * sizeof(int) * stp_script.match_nodes +
	       (sizeof(short) + sizeof(char)) * stp_script.string_size;
}

static size_t address_texts_size(void)
{
	return sizeof(struct address_text) << ADDRESS_TEXTS_BITS;
}

static size_t kept_size(void)
{
	size_t tokens = stp_script.keeps_tokens ? stp_script.string_size : 0;

	return tokens + commands_size() + (stp_script.match_nodes ? match_size() + sizeof(u64) : 0) +
	       (stp_script.keeps_addresses ? address_texts_size() : 0) +
	       (stp_script.keeps_scratch ? STP_SCRATCH_SIZE + STP_DROPPED_SIZE + sizeof(u64) : 0);
}

static void place_kept(struct full_context *f, char *room)
{
	struct stp_context *c = &f->script;

	if (stp_script.keeps_addresses) {
		c->address_texts = room;
		room += address_texts_size();
	}
	if (stp_script.match_nodes) {
		c->match = PTR_ALIGN((struct stp_match *)room, sizeof(u64));
		c->match->work.seen = (int *)(c->match + 1);
		c->match->work.states = (unsigned short *)(c->match->work.seen + 2 * stp_script.match_nodes);
		c->match->text = (char *)(c->match->work.states + stp_script.string_size);
		room = c->match->text + stp_script.string_size;
	}
	if (stp_script.keeps_tokens) {
		c->tokens = room;
		room += stp_script.string_size;
	}
	if (stp_script.keeps_scratch) {
		c->scratch = (char *)PTR_ALIGN(room, sizeof(u64));
		room = c->scratch + STP_SCRATCH_SIZE + STP_DROPPED_SIZE;
	}
	if (stp_script.keeps_commands)
		f->commands = room;
}

/* Reset the members that a handler changes only if it ends with an error. */
static void context_leave(struct full_context *f)
{
	struct stp_context *c = &f->script;

	c->error = NULL;
	c->error_place = NULL;
	c->error_hint = NULL;
	c->error_call_count = 0;
	c->nesting = stp_script.max_nesting;
	c->passed_on = 0;
	c->sink = &f->stream;
	c->locks = NULL;
}

struct full_context *context_create(int node, enum context_level level)
{
	size_t size = sizeof(struct full_context) + stp_script.frame_size + kept_size();
	struct full_context *f = memory_take(size) ? checked(kvzalloc_node(size, GFP_KERNEL, node)) : NULL;

	if (!f)
		return NULL;
	place_kept(f, f->frames + stp_script.frame_size);
	f->script.level = level;
	f->stream = (struct stp_sink){.buffer = f->output, .size = sizeof(f->output)};
	f->script.budget = stp_script.max_action;
	f->script.frame_end = f->frames + stp_script.frame_size;
	context_leave(f);
	f->record.magic = STP_RECORD_MAGIC;
	f->record.type = STP_RECORD_OUTPUT;
	f->record.writer = level;
	return f;
}

size_t contexts_memory(void)
{
	return (1 + LEVEL_COUNT_ * num_possible_cpus()) *
		       (sizeof(struct full_context) + stp_script.frame_size + kept_size()) +
	       (probe_timings ? stp_script.probe_count * sizeof(*probe_timings) : 0);
}

int contexts_create(void)
{
	int cpu, level;

	session_context = context_create(NUMA_NO_NODE, LEVEL_TASK);
	if (!session_context)
		return -ENOMEM;
	session_context->script.is_session = true;
	session_context->script.budget = stp_script.max_action_session;
	if (stp_script.origins && !timings_create())
		return -ENOMEM;
	runs_slow = probe_timings || stp_script.masks_interrupts;
	for_each_possible_cpu(cpu) {
		for (level = 0; level < LEVEL_COUNT_; level++) {
			struct full_context *f = context_create(cpu_to_node(cpu), level);

			if (!f)
				return -ENOMEM;
			per_cpu(contexts, cpu).level[level] = f;
		}
	}
	return script_memory_create() ?: spares_create();
}

void contexts_destroy(void)
{
	int cpu, level;

	spares_destroy();
	script_memory_destroy();
	kvfree(session_context);
	session_context = NULL;
	kvfree(probe_timings);
	probe_timings = NULL;
	for_each_possible_cpu(cpu)
		for (level = 0; level < LEVEL_COUNT_; level++) {
			kvfree(per_cpu(contexts, cpu).level[level]);
			per_cpu(contexts, cpu).level[level] = NULL;
		}
}

struct stack_frames *context_frames(struct stp_context *c)
{
	full_context_of(c)->attention = true;
	return &full_context_of(c)->stack;
}

void context_keeps(struct stp_context *c)
{
	full_context_of(c)->attention = true;
}

HOT unsigned int context_nmi_slot(const struct stp_context *c)
{
	return c->level == LEVEL_NMI;
}

void context_count_skip(enum skip_reason reason, unsigned long by)
{
	long total = atomic_long_add_return(by, &skips[reason]);
	bool counts;

	/* As in SystemTap, reentrancy alone does not end a script. */
	counts = reason == SKIP_LOCK || reason == SKIP_STACK ||
		 (reason == SKIP_REENTRANT && stp_script.masks_interrupts);
	if (counts && stp_script.max_skipped >= 0 && total > stp_script.max_skipped &&
	    !atomic_xchg(&session_failed, 1)) {
		transport_error("Skipped too many probes, check MAXSKIPPED.");
		session_request_exit();
	}
}

unsigned long context_skips(enum skip_reason reason)
{
	return atomic_long_read(&skips[reason]);
}

static __always_inline enum context_level current_level(bool exception_entry)
{
	unsigned int count = preempt_count();

	if (exception_entry && (count & NMI_MASK))
		count -= BREAKPOINT_PREEMPT_COUNT;
	if (count & NMI_MASK)
		return LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return LEVEL_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? LEVEL_SOFTIRQ : LEVEL_TASK;
}

static noinline void forget_kept(struct stp_context *c)
{
	if (c->tokens)
		c->tokens[0] = '\0';
	if (c->match)
		c->match->group_count = 0;
}

/* Clean up after a handler that failed, printed, walked the stack, matched or tokenized. */
static noinline void finish_handler(struct full_context *f)
{
	f->stack.is_walked = false;
	f->script.user_stack = NULL;
	if (!f->restarts)
		f->sleeps = 0;
	forget_kept(&f->script);
	if (f->script.error) {
		report_error(&f->script);
		context_leave(f);
	}
	flush_stream(f);
	if (f->commands_used)
		send_commands(f);
	f->attention = false;
}

HOT void finish_if_needed(struct full_context *f)
{
	if (unlikely(f->attention))
		finish_handler(f);
}

static void run_event(struct stp_context *c);
static void run_as(struct stp_context *c);

static u64 timing_clock(void)
{
	return stp_script.timing_nsecs ? ktime_get_mono_fast_ns() : get_cycles();
}

/* Time a handler, but not an entry handler of a return probe or a condition. */
static void run_measured(struct stp_context *c, void (*handler)(struct stp_context *))
{
	u64 start = timing_clock();

	handler(c);
	if ((handler == c->probe->handler || handler == run_event || handler == run_as) && c->error != missing_mark)
		note_timing(c->probe, timing_clock() - start);
}

/* Run a handler with -t, "measure" or -DINTERRUPTIBLE=0. The session context sleeps, so interrupts stay on there. */
noinline void run_slow(struct full_context *f, void (*handler)(struct stp_context *))
{
	bool masks = stp_script.masks_interrupts && !f->script.is_session;
	unsigned long flags = 0;

	if (masks)
		raw_local_irq_save(flags);
	if (probe_timings)
		run_measured(&f->script, handler);
	else
		handler(&f->script);
	if (masks)
		raw_local_irq_restore(flags);
}

/* Runs on every hit: leave to finish_handler(), context_leave() and context_create() what they can do. */
static __always_inline void context_enter(struct full_context *f, const struct stp_probe *probe, struct pt_regs *regs,
					  void *entry_values)
{
	struct stp_context *c = &f->script;

	c->probe = probe;
	c->regs = (const unsigned long *)regs;
	c->task = (const char *)current;
	c->frame = f->frames;
	/* A probe without entry values never reads a stale pointer. */
	if (entry_values)
		c->entry_values = entry_values;
}

/* Run and time a handler. Without runs_slow, only one of several hits gets here. */
static noinline void run_timed(struct cpu_contexts *cpu, struct full_context *f, void (*handler)(struct stp_context *))
{
	struct usage *usage = usage_of(cpu, f->script.level);
	u64 start = get_cycles();
	bool slept;

	this_cpu_inc(contexts.timed_budget);
	if (runs_slow)
		run_slow(f, handler);
	else
		stp_run_handler(handler, &f->script);
	slept = f->sleeps;
	finish_if_needed(f);
	/* The time includes the sleep, and the CPU may be another one. */
	if (slept)
		return;
	if (stp_script.overload_interval && usage)
		check_overload(cpu, usage, start, get_cycles() - start, f->script.probe->light);
	else if (!stp_script.overload_interval && !runs_slow)
		grant_untimed(INT_MAX);
}

/*
 * Return whether the event has nothing to do with the current task, as a packet that arrives. In all other events, also
 * those in an interrupt, it is the task that pid() names.
 */
static bool is_of_no_task(const struct stp_probe *probe)
{
	return probe->kind == STP_PROBE_TIMER || probe->kind == STP_PROBE_NETFILTER ||
	       probe->kind == STP_PROBE_PROCFS_READ || probe->kind == STP_PROBE_PROCFS_WRITE;
}

/* Called when bits of session_silence are set. */
static noinline bool is_silent_for(const struct stp_probe *probe)
{
	int silence = atomic_read(&session_silence);

	return (silence & SILENT_FOR_ALL) || ((silence & SILENT_FOR_SOME) && probe_is_off(probe)) ||
	       ((silence & SILENT_OUTSIDE_GROUP) && !is_of_no_task(probe) && !cgroup_filter_has(context_task()));
}

/* @may_sleep: the handler may continue on another CPU. */
static __always_inline void run_in_context(const struct stp_probe *probe, void (*handler)(struct stp_context *),
					   struct pt_regs *regs, void *entry_values, bool exception_entry,
					   bool may_sleep)
{
	enum context_level level = current_level(exception_entry);
	struct cpu_contexts *cpu = this_cpu_ptr(&contexts);
	struct full_context *f;

	/*
	 * Pairs with probes_arm() and contexts_release(): the effects of what these waited for, such as begin probes,
	 * are seen.
	 */
	if (unlikely(atomic_read_acquire(&session_silence)) && is_silent_for(probe))
		return;
	if (unlikely(cpu->busy[level])) {
		context_count_skip(SKIP_REENTRANT, 1);
		return;
	}
	if (unlikely(is_stack_short(stp_script.stack_needs[probe->stack].in_event))) {
		context_count_skip(SKIP_STACK, 1);
		return;
	}
	cpu->busy[level] = 1;
	barrier();
	f = cpu->level[level];
	context_enter(f, probe, regs, entry_values);
	/* data_race(): a handler of an interrupt counts down as well. */
	if (likely(data_race(cpu->untimed) > 0)) {
		this_cpu_dec(contexts.untimed);
		stp_run_handler(handler, &f->script);
		finish_if_needed(f);
	} else {
		run_timed(cpu, f, handler);
	}
	if (may_sleep && unlikely(f->restarts))
		run_again(f, handler);
	/* Both pair with the barrier in are_idle(): what the handler has written is seen there. */
	if (may_sleep) {
		smp_wmb();
		this_cpu_write(contexts.busy[level], 0);
	} else {
		smp_store_release(&cpu->busy[level], 0);
	}
}

HOT void context_run(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
		     void *entry_values, bool exception_entry)
{
	run_in_context(probe, handler, regs, entry_values, exception_entry, false);
}

/* Leave this light hit to context_run(). If enough hits passed untimed, have context_run() time it. */
static noinline bool not_light_now(void)
{
	if (!atomic_read(&session_silence) && this_cpu_read(contexts.light_untimed) <= 0) {
		grant_light_untimed(LIGHT_UNTIMED);
		grant_untimed(0);
	}
	return false;
}

/*
 * A light handler runs here unless another handler runs on this CPU, which would have caused the hit, or this hit is
 * timed. One condition tests everything, because branches would be a large part of the cost.
 */
HOT bool context_run_light(unsigned int light)
{
	s64 light_state = this_cpu_read(contexts.light_state);

	/* A little-endian machine: the bytes of busy[] come first. */
	BUILD_BUG_ON(LEVEL_COUNT_ != sizeof(u32));
	if (unlikely((light == 0) | atomic_read(&session_silence) | (u32)light_state | (light_state <= 0)))
		return light && not_light_now();
	this_cpu_dec(contexts.light_untimed);
	stp_run_light(light);
	return true;
}

HOT void context_run_hit(const struct stp_probe *probe, struct pt_regs *regs, void *entry_values, bool exception_entry)
{
	if (!context_run_light(probe->light))
		context_run(probe, probe->handler, regs, entry_values, exception_entry);
}

HOT void context_run_user(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
			  void *entry_values, unsigned long object_base)
{
	/* The context is free: a handler that sleeps has taken its own along. */
	this_cpu_read(contexts.level[LEVEL_TASK])->script.object_base = object_base;
	run_in_context(probe, handler, regs, entry_values, false, true);
}

/*
 * ---- pausing the handlers ------------------------------------------------------------------------------------------
 */

/* Return whether no event handler is running or waiting for memory. */
static bool are_idle(void)
{
	unsigned int before, after;
	int cpu, level;

	if (!no_handler_sleeps(&before))
		return false;
	smp_mb(); /* Pairs with context_sleep_end(). */
	for_each_possible_cpu(cpu) {
		for (level = 0; level < LEVEL_COUNT_; level++)
			if (READ_ONCE(per_cpu(contexts, cpu).busy[level]))
				return false;
	}
	smp_mb(); /* Pairs with context_sleep_begin(), and with the end of run_in_context(). */
	/* A handler that was running at first may have gone to sleep since. */
	return no_handler_sleeps(&after) && after == before;
}

enum { HOLD_MILLISECONDS = 1000 };

/*
 * Event handlers run with preemption off, or in interrupts. Those that began before the bit was seen have therefore
 * ended after a grace period. Exceptions are handlers that sleep and hits where RCU is not watching, so check the
 * contexts, too.
 */
int contexts_hold(void)
{
	unsigned int waited = 0;

	atomic_or(SILENT_HELD, &session_silence);
	synchronize_rcu();
	while (!are_idle()) {
		if (waited++ >= HOLD_MILLISECONDS) {
			contexts_release();
			return -EBUSY;
		}
		usleep_range(1000, 2000);
	}
	return 0;
}

void contexts_release(void)
{
	smp_mb__before_atomic(); /* Pairs with the acquire in run_in_context(). */
	atomic_andnot(SILENT_HELD, &session_silence);
}

/* ---- handlers of events ------------------------------------------------------------------------------------------ */

/* The values of procfs and netfilter probes, stored in the context while the handler runs. */
struct event_values {
	struct stp_file_value *file_value;
	int *verdict;
};

static void run_event(struct stp_context *c)
{
	const struct event_values *values = (const struct event_values *)c->entry_values;

	c->file_value = values->file_value;
	c->verdict = values->verdict;
	c->probe->handler(c);
	c->file_value = NULL;
	c->verdict = NULL;
}

void context_run_event(const struct stp_probe *probe, struct pt_regs *regs, struct stp_file_value *file_value,
		       int *verdict)
{
	struct event_values values = {.file_value = file_value, .verdict = verdict};

	/* _notrace: the traced variant can itself be probed and would call back into this function. */
	preempt_disable_notrace();
	context_run(probe, run_event, regs, &values, false);
	preempt_enable_notrace();
}

#ifdef STP_USER_SPACE

/* The task that the handler on this CPU sees as the current one; NULL for the real one. */
static DEFINE_PER_CPU(struct task_struct *, acting_task);

struct task_struct *context_task(void)
{
	return this_cpu_read(acting_task) ?: current;
}

static void run_as(struct stp_context *c)
{
	c->task = (const char *)context_task();
	c->probe->handler(c);
}

void context_run_as(const struct stp_probe *probe, struct task_struct *task, struct pt_regs *regs)
{
	if (context_run_light(probe->light))
		return;
	preempt_disable_notrace();
	this_cpu_write(acting_task, task);
	context_run(probe, run_as, regs, NULL, false);
	this_cpu_write(acting_task, NULL);
	preempt_enable_notrace();
}

#else

static void run_as(struct stp_context *c)
{
}

struct task_struct *context_task(void)
{
	return current;
}

#endif

bool context_is_of_syscall(void)
{
	const struct cpu_contexts *cpu = this_cpu_ptr(&contexts);

	return preempt_count() == PREEMPT_DISABLE_OFFSET && !irqs_disabled() && cpu->busy[LEVEL_TASK] &&
	       cpu->level[LEVEL_TASK]->script.probe->kind == STP_PROBE_SYSCALL;
}

bool context_condition(const struct stp_probe *probe)
{
	/* If the condition fails, let the handler run and report the same error. */
	session_context->script.holds = 1;
	if (is_stack_short(stp_script.stack_needs[probe->stack].in_session))
		return true;
	context_enter(session_context, probe, NULL, NULL);
	probe->condition(&session_context->script);
	finish_if_needed(session_context);
	return session_context->script.holds;
}

/* The task that runs a begin, end or error probe. */
static struct task_struct *session_task;

struct full_context *context_current(void)
{
	struct full_context *found = NULL;
	int level;

	preempt_disable_notrace();
	for (level = LEVEL_COUNT_ - 1; level >= 0 && !found; level--)
		if (this_cpu_read(contexts.busy[level]))
			found = this_cpu_read(contexts.level[level]);
	preempt_enable_notrace();
	return found ?: READ_ONCE(session_task) == current && in_task() ? session_context : NULL;
}

void context_run_session(const struct stp_probe *probe)
{
	if (is_stack_short(stp_script.stack_needs[probe->stack].in_session)) {
		context_count_skip(SKIP_STACK, 1);
		return;
	}
	context_enter(session_context, probe, NULL, NULL);
	WRITE_ONCE(session_task, current);
	if (runs_slow)
		run_slow(session_context, probe->handler);
	else
		probe->handler(&session_context->script);
	WRITE_ONCE(session_task, NULL);
	finish_if_needed(session_context);
}
