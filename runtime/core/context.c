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
 * The handler of a hit in a program may sleep until a page of the program's memory is read in (context_sleep_begin()).
 * It takes its context along and leaves a spare one to the CPU. When it continues, perhaps on another CPU, it exchanges
 * the two again, so that each CPU looks as if the running handler had started there. A handler does not sleep while it
 * holds locks of globals, because others spin for them. Nor does it sleep after a part of its output was sent, because
 * all parts of a record must come from one CPU. If it holds locks but has done nothing visible (stp_probe.restarts), a
 * pending error ends it, which releases the locks. It then waits for the page and starts again.
 *
 * The output of a handler collects after a record header in its context. It goes to the transport when the buffer is
 * full and when the handler ends. Except in the session context, nothing here sleeps, allocates or takes a lock.
 */
#include <linux/cpu.h>
#include <linux/preempt.h>
#include <linux/timex.h>
#include <linux/hardirq.h>
#include <linux/sched/task_stack.h>
#include <linux/vmalloc.h>
#include <asm/irq_regs.h>

#include "runtime/core/internal.h"

enum context_level { LEVEL_TASK, LEVEL_SOFTIRQ, LEVEL_HARDIRQ, LEVEL_NMI, LEVEL_COUNT_ };

struct full_context {
	struct stp_context script; /* what handlers see; must be first */
	bool attention; /* finish_handler() must clean up before the next handler */
	bool is_torn; /* a part of the output of the handler was lost */
	unsigned char sleeps; /* how often it has waited for memory */
	bool restarts; /* the handler must start again after the page of `missing` was read in */
	unsigned long missing; /* may be 0 */
	struct full_context *next_spare;
	struct stp_sink stream;
	struct stack_frames stack;
	char *commands; /* of system(), NUL-terminated, sent when the handler ends; NULL if the script has none */
	unsigned int commands_used;
	struct stp_record record; /* the payload follows at once */
	char output[STP_RECORD_LIMIT];
	char frames[] __aligned(sizeof(u64)); /* frame_size bytes, then what place_kept() adds */
};

/* The CPU time of handlers in the current interval. */
struct usage {
	u64 start, cycles;
};

struct cpu_contexts {
	union {
		struct {
			u8 busy[LEVEL_COUNT_];
			s32 light_untimed; /* how many more hits of light handlers are not timed */
		};
		s64 lightness; /* both, for a single read in context_run_light() */
	};
	int untimed; /* how many more hits are not timed */
	u64 granted; /* the sum of all additions to the two counters, plus the timed hits */
	int window; /* how many hits after the last timed one were not timed */
	struct full_context *level[LEVEL_COUNT_];
	struct usage usage; /* of the outermost handlers, including everything that interrupted them */
	struct usage nested; /* of handlers that interrupted one of these, which might never end */
};

/* The hits of one probe, for -t and the control command "measure". */
struct probe_timing {
	atomic64_t hits, cycles, least, most;
};

static int spares_create(void);
static void spares_destroy(void);

static DEFINE_PER_CPU(struct cpu_contexts, contexts);
static bool runs_specially; /* see run_specially() */
static struct probe_timing *timings; /* one per probe; NULL if not measured */
static struct full_context *session_context;
static atomic_long_t skips[SKIP_COUNT_];
static atomic_t error_count;
/* The pending error after abort(), recognized by its address. */
static const char abort_mark[] = "abort";
/* The same while full_context.restarts is set. */
static const char missing_mark[] = "missing";

HOT struct full_context *full(const struct stp_context *c)
{
	return container_of(c, struct full_context, script);
}

static size_t match_size(void)
{
	/* The match, the visited nodes, the states, the text. */
	return sizeof(struct stp_match) + 2 * sizeof(int) * stp_script.match_nodes +
	       (sizeof(short) + sizeof(char)) * stp_script.string_size;
}

static size_t commands_size(void)
{
	return stp_script.keeps_commands ? max(stp_script.string_size, 2048u) : 0;
}

static size_t kept_size(void)
{
	size_t tokens = stp_script.keeps_tokens ? stp_script.string_size : 0;

	return tokens + commands_size() + (stp_script.match_nodes ? match_size() + sizeof(u64) : 0) +
	       (stp_script.keeps_addresses ? address_texts_size() : 0);
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
	if (stp_script.keeps_commands)
		f->commands = room;
}

/* Reset the members that a handler changes only if it ends with an error. */
static void clean_up(struct full_context *f)
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

static struct full_context *context_create(int node, enum context_level level)
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
	clean_up(f);
	f->record.magic = STP_RECORD_MAGIC;
	f->record.type = STP_RECORD_OUTPUT;
	f->record.writer = level;
	return f;
}

static bool timings_create(void)
{
	struct probe_timing *room = checked(kvcalloc(stp_script.probe_count, sizeof(*room), GFP_KERNEL));
	unsigned int i;

	for (i = 0; room && i < stp_script.probe_count; i++)
		atomic64_set(&room[i].least, S64_MAX);
	smp_store_release(&timings, room);
	return room;
}

size_t contexts_memory(void)
{
	return (1 + LEVEL_COUNT_ * num_possible_cpus()) *
		       (sizeof(struct full_context) + stp_script.frame_size + kept_size()) +
	       (timings ? stp_script.probe_count * sizeof(*timings) : 0);
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
	runs_specially = timings || stp_script.masks_interrupts;
	for_each_possible_cpu(cpu)
	{
		for (level = 0; level < LEVEL_COUNT_; level++) {
			struct full_context *f = context_create(cpu_to_node(cpu), level);

			if (!f)
				return -ENOMEM;
			per_cpu(contexts, cpu).level[level] = f;
		}
	}
	return spares_create();
}

void contexts_destroy(void)
{
	int cpu, level;

	spares_destroy();
	kvfree(session_context);
	session_context = NULL;
	kvfree(timings);
	timings = NULL;
	for_each_possible_cpu(cpu) for (level = 0; level < LEVEL_COUNT_; level++)
	{
		kvfree(per_cpu(contexts, cpu).level[level]);
		per_cpu(contexts, cpu).level[level] = NULL;
	}
}

struct stack_frames *context_frames(struct stp_context *c)
{
	full(c)->attention = true;
	return &full(c)->stack;
}

void context_keeps(struct stp_context *c)
{
	full(c)->attention = true;
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

HOT enum context_level current_level(bool exception_entry)
{
	unsigned int count = preempt_count();

	if (exception_entry && (count & NMI_MASK))
		count -= NMI_OFFSET + HARDIRQ_OFFSET;
	if (count & NMI_MASK)
		return LEVEL_NMI;
	if (count & HARDIRQ_MASK)
		return LEVEL_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? LEVEL_SOFTIRQ : LEVEL_TASK;
}

/* Send the buffer. @more: more parts of this record follow. The session context, which runs alone, needs no parts. */
static void flush_part(struct full_context *f, bool more)
{
	unsigned int number = f->record.part;

	f->record.length = f->stream.used;
	f->stream.used = 0;
	if (f->script.is_session) {
		transport_write(&f->record, true);
		return;
	}
	f->record.part |= more ? STP_PART_MORE : 0;
	/* After a lost part, do not send the rest. */
	if (f->is_torn)
		transport_count_lost();
	else
		f->is_torn = !transport_write(&f->record, false);
	f->record.part = more ? (number + 1) & ~STP_PART_MORE : 0;
	f->is_torn &= more;
}

static void flush_stream(struct full_context *f)
{
	if (f->stream.used)
		flush_part(f, false);
}

/* Append to the sink. A full stream buffer is sent; a full string is truncated. */
static void sink_put(struct stp_context *c, const char *text, unsigned int length)
{
	struct full_context *f = full(c);
	struct stp_sink *sink = c->sink;

	while (length) {
		unsigned int room = sink->size - sink->used;
		unsigned int part = min(room, length);

		memcpy(sink->buffer + sink->used, text, part);
		sink->used += part;
		f->attention = true;
		text += part;
		length -= part;
		if (!length)
			break;
		if (sink != &f->stream)
			break;
		flush_part(f, true);
	}
}

void stp_print(struct stp_context *c, const char *text, unsigned int length)
{
	sink_put(c, text, length);
}

/* Send a record of another type, after the output of the handler so far. */
static void put_message(struct stp_context *c, enum stp_record_type type, const char *text, bool add_newline)
{
	struct full_context *f = full(c);
	struct stp_sink *sink = c->sink;
	size_t length = strlen(text);

	flush_stream(f);
	f->record.type = type;
	c->sink = &f->stream;
	sink_put(c, text, length);
	if (add_newline && (!length || text[length - 1] != '\n'))
		sink_put(c, "\n", 1);
	flush_stream(f);
	f->record.type = STP_RECORD_OUTPUT;
	c->sink = sink;
}

void stp_log(struct stp_context *c, const char *text)
{
	put_message(c, STP_RECORD_LOG, text, true);
}

void stp_warn(struct stp_context *c, const char *text)
{
	put_message(c, STP_RECORD_WARNING, text, false);
}

void stp_switch_file(struct stp_context *c)
{
	/* A record must not be empty. */
	put_message(c, STP_RECORD_SWITCH, "\n", false);
}

/* Send each collected command as a record. */
static void send_commands(struct full_context *f)
{
	const char *command = f->commands, *end = f->commands + f->commands_used;

	f->commands_used = 0;
	for (; command < end; command += strlen(command) + 1)
		put_message(&f->script, STP_RECORD_COMMAND, command, false);
}

/*
 * Refuse a command that fills a string: it was probably truncated, and half a command may do anything. If the commands
 * of a handler do not fit, send the first ones before it ends.
 */
void stp_system(struct stp_context *c, const char *command)
{
	struct full_context *f = full(c);
	size_t length = strlen(command);

	if (!f->commands || !length)
		return;
	if (length >= min(stp_script.string_size - 1, (unsigned int)STP_RECORD_LIMIT)) {
		stp_warn(c,
			 "a command for system() that fills a string (MAXSTRINGLEN) may have been cut, and is not run");
		return;
	}
	if (f->commands_used + length >= commands_size())
		send_commands(f);
	memcpy(f->commands + f->commands_used, command, length + 1);
	f->commands_used += length + 1;
	f->attention = true;
}

void stp_sink_begin(struct stp_context *c, char *buffer)
{
	c->string_sink = (struct stp_sink){.buffer = buffer, .size = stp_script.string_size - 1};
	c->sink = &c->string_sink;
}

void stp_sink_end(struct stp_context *c)
{
	c->sink->buffer[c->sink->used] = '\0';
	c->sink = &full(c)->stream;
}

static void print_error_text(struct stp_context *c, const char *text)
{
	stp_print(c, text, strlen(text));
}

static unsigned int error_calls(const struct stp_context *c)
{
	return min_t(unsigned int, c->error_call_count, STP_ERROR_CALLS);
}

/* Print the calls of functions that led to the error, innermost first, and the probe. */
static void print_history(struct stp_context *c)
{
	char times[sizeof(" (4294967295 times)")];
	unsigned int i;

	for (i = 0; i < error_calls(c); i++) {
		print_error_text(c, ", called from ");
		print_error_text(c, c->error_calls[i].place);
		snprintf(times, sizeof(times), " (%u times)", c->error_calls[i].times);
		if (c->error_calls[i].times > 1)
			print_error_text(c, times);
	}
	if (c->error_call_count > STP_ERROR_CALLS)
		print_error_text(c, ", ...");
	print_error_text(c, ", in probe ");
	print_error_text(c, c->probe->point);
}

/* Return the source lines that follow the text of a place; empty if the place is not in the user's script. */
static const char *quote_of(const char *place)
{
	return place ? place + strlen(place) + 1 : "";
}

/* Print the source line of the error; for an error in the library, the line that called it. */
static void print_quote(struct stp_context *c)
{
	const char *quote = quote_of(c->error_place);
	unsigned int i;

	for (i = 0; !*quote && i < error_calls(c); i++)
		quote = quote_of(c->error_calls[i].place);
	print_error_text(c, quote);
}

int context_errors(void)
{
	return atomic_read(&error_count);
}

static void report_error(struct stp_context *c)
{
	struct full_context *f = full(c);
	int errors;

	flush_stream(f);
	if (c->error == abort_mark || c->error == missing_mark || stp_script.suppress_errors)
		return;
	errors = atomic_inc_return(&error_count);
	if (errors > stp_script.max_errors + 1)
		return;
	f->record.type = STP_RECORD_ERROR;
	c->sink = &f->stream; /* the error may have come in the middle of a sprintf */
	print_error_text(c, c->error);
	print_error_text(c, c->error_place ? c->error_place : "");
	print_history(c);
	print_quote(c);
	if (c->error_hint) {
		print_error_text(c, "\nhint: ");
		print_error_text(c, c->error_hint);
	}
	flush_stream(f);
	f->record.type = STP_RECORD_OUTPUT;
	if (errors > stp_script.max_errors) {
		atomic_set(&session_failed, 1);
		session_request_exit();
	}
}

/* Hits of one probe may end on several CPUs, and in an NMI, at the same time. */
static void note_timing(const struct stp_probe *probe, s64 cycles)
{
	struct probe_timing *timing = &timings[probe - stp_script.probes];
	s64 least = atomic64_read(&timing->least), most = atomic64_read(&timing->most);

	atomic64_inc(&timing->hits);
	atomic64_add(cycles, &timing->cycles);
	while (cycles < least && !atomic64_try_cmpxchg(&timing->least, &least, cycles))
		;
	while (cycles > most && !atomic64_try_cmpxchg(&timing->most, &most, cycles))
		;
}

static void print_timing(struct stp_context *c, unsigned int index)
{
	const struct stp_probe_origin *origin = &stp_script.origins[index];
	const struct probe_timing *timing = &timings[index];
	s64 hits = atomic64_read(&timing->hits);

	if (!origin->place || !hits)
		return;
	stp_print_string(c, stp_script.probes[index].point, 0, 0, 0);
	stp_printf(c, ", (%s), hits: %lld, cycles: %lldmin/%lldavg/%lldmax, from: ", origin->place, hits,
		   atomic64_read(&timing->least), div64_s64(atomic64_read(&timing->cycles), hits),
		   atomic64_read(&timing->most));
	stp_print_string(c, origin->derivation, 0, 0, 0);
	stp_printf(c, ", index: %u\n", index);
	flush_stream(session_context);
}

void context_report_timings(void)
{
	struct stp_context *c = &session_context->script;
	unsigned int i;

	if (!stp_script.origins)
		return;
	c->sink = &session_context->stream;
	stp_print_string(c, "----- probe hit report: \n", 0, 0, 0);
	for (i = 0; i < stp_script.probe_count; i++)
		print_timing(c, i);
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
		clean_up(f);
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

/* Time a handler, but not an entry handler of a return probe or a condition. */
static void run_measured(struct stp_context *c, void (*handler)(struct stp_context *))
{
	u64 start = get_cycles();

	handler(c);
	if ((handler == c->probe->handler || handler == run_event || handler == run_as) && c->error != missing_mark)
		note_timing(c->probe, get_cycles() - start);
}

/* Run a handler with -t, "measure" or -DINTERRUPTIBLE=0. The session context sleeps, so interrupts stay on there. */
static noinline void run_specially(struct full_context *f, void (*handler)(struct stp_context *))
{
	bool masks = stp_script.masks_interrupts && !f->script.is_session;
	unsigned long flags = 0;

	if (masks)
		raw_local_irq_save(flags);
	if (timings)
		run_measured(&f->script, handler);
	else
		handler(&f->script);
	if (masks)
		raw_local_irq_restore(flags);
}

/* Runs on every hit: leave to finish_handler(), clean_up() and context_create() what they can do. */
HOT void set_up(struct full_context *f, const struct stp_probe *probe, struct pt_regs *regs, void *entry_values)
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

static noinline void overloaded(void)
{
	if (atomic_xchg(&session_failed, 1))
		return;
	transport_error("probe overhead exceeded threshold (see STP_OVERLOAD_THRESHOLD in stap(1))");
	session_request_exit();
}

enum {
	QUICK_CYCLES = 8192, /* of quicker hits, only some are timed */
	MOST_UNTIMED = 15,
	LIGHT_UNTIMED = 64,
	SPREAD = 4, /* vary windows by this, to see every pattern of hits */
};

/* Return where to count a handler of this level, or NULL if the interrupted handler includes it. */
static struct usage *usage_of(struct cpu_contexts *cpu, enum context_level level)
{
	unsigned int below = 0, i;

	for (i = LEVEL_TASK; i < level; i++)
		below += cpu->busy[i];
	if (below)
		return below == 1 ? &cpu->nested : NULL;
	return &cpu->usage;
}

static void add_usage(struct usage *usage, u64 start, u64 cycles)
{
	if (start - usage->start > stp_script.overload_interval) {
		usage->start = start;
		usage->cycles = 0;
	}
	usage->cycles += cycles;
	if (unlikely(usage->cycles > stp_script.overload_threshold))
		overloaded();
}

/* Set how many hits of this CPU are not timed. An interrupt may do the same at any point. */
static void grant_untimed(int count)
{
	this_cpu_add(contexts.granted, (s64)count - this_cpu_xchg(contexts.untimed, count));
}

/* The same for light handlers. If the task migrates, this may affect another CPU, which does no harm. */
static void grant_light_untimed(int count)
{
	this_cpu_add(contexts.granted, (s64)count - this_cpu_xchg(contexts.light_untimed, count));
}

/*
 * End the script when its handlers take too much CPU time. Reading the clock twice is a large part of the cost of a
 * quick hit, so only some are timed and count for those that follow. The more quick hits in a row, the fewer are timed.
 */
static void check_overload(struct cpu_contexts *cpu, struct usage *usage, u64 start, u64 cycles, bool is_light)
{
	if (cycles < QUICK_CYCLES && !runs_specially) {
		cpu->window = min(2 * cpu->window + 1, (int)MOST_UNTIMED);
		grant_untimed(cpu->window - (start + cycles) % SPREAD * (cpu->window > SPREAD));
		cycles *= (is_light ? LIGHT_UNTIMED : cpu->untimed) + 1;
	} else {
		cpu->window = 0;
	}
	add_usage(usage, start, cycles);
}

/* Run and time a handler. Without runs_specially, this happens to one of several hits. */
static noinline void run_timed(struct cpu_contexts *cpu, struct full_context *f, void (*handler)(struct stp_context *))
{
	struct usage *usage = usage_of(cpu, f->script.level);
	u64 start = get_cycles();
	bool slept;

	this_cpu_inc(contexts.granted);
	if (runs_specially)
		run_specially(f, handler);
	else
		stp_run_handler(handler, &f->script);
	slept = f->sleeps;
	finish_if_needed(f);
	/* The time includes the sleep, and the CPU may be another one. */
	if (slept)
		return;
	if (stp_script.overload_interval && usage)
		check_overload(cpu, usage, start, get_cycles() - start, f->script.probe->light);
	else if (!stp_script.overload_interval && !runs_specially)
		grant_untimed(INT_MAX);
}

static bool is_readable(unsigned long address)
{
	int fault = 0;

	stp_load(address, 1, &fault);
	return !fault;
}

/*
 * Return whether less than @need bytes are left on an interrupt or exception stack. The kernel does not export its
 * end, but an unmapped guard page is below each, so try to read the needed pages. IRQ stacks of a kernel without
 * CONFIG_VMAP_STACK have no guard page and count as large enough.
 */
static noinline bool is_other_stack_short(unsigned long here, unsigned long need)
{
	unsigned long end = here - need, page;

	if (need >= THREAD_SIZE)
		return true;
	for (page = (here & PAGE_MASK) - PAGE_SIZE; page + PAGE_SIZE > end; page -= PAGE_SIZE)
		if (!is_readable(page))
			return true;
	return false;
}

/* Return whether less than @need bytes are left on the current stack, which is the task's for most hits. */
HOT bool is_stack_short(unsigned long need)
{
	unsigned long here = current_stack_pointer, left = here - (unsigned long)end_of_stack(current);

	if (likely(left < THREAD_SIZE))
		return left < need;
	return is_other_stack_short(here, need);
}

#ifdef STP_USER_SPACE
static void run_again(struct full_context *f, void (*handler)(struct stp_context *));
#else
HOT void run_again(struct full_context *f, void (*handler)(struct stp_context *))
{
}
#endif

/* Called when bits of session_silence are set. */
static noinline bool is_silent_for(const struct stp_probe *probe)
{
	int silence = atomic_read(&session_silence);

	return (silence & SILENT_FOR_ALL) || ((silence & SILENT_FOR_SOME) && probe_is_off(probe));
}

/* @may_sleep: the handler may continue on another CPU. */
HOT void run_in_context(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
			void *entry_values, bool exception_entry, bool may_sleep)
{
	enum context_level level = current_level(exception_entry);
	struct cpu_contexts *cpu = this_cpu_ptr(&contexts);
	struct full_context *f;

	if (unlikely(atomic_read(&session_silence)) && is_silent_for(probe))
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
	set_up(f, probe, regs, entry_values);
	if (likely(cpu->untimed > 0)) {
		this_cpu_dec(contexts.untimed);
		stp_run_handler(handler, &f->script);
		finish_if_needed(f);
	} else {
		run_timed(cpu, f, handler);
	}
	if (may_sleep && unlikely(f->restarts))
		run_again(f, handler);
	barrier();
	if (may_sleep)
		this_cpu_write(contexts.busy[level], 0);
	else
		cpu->busy[level] = 0;
}

HOT void context_run(const struct stp_probe *probe, void (*handler)(struct stp_context *), struct pt_regs *regs,
		     void *entry_values, bool exception_entry)
{
	run_in_context(probe, handler, regs, entry_values, exception_entry, false);
}

/* Have context_run() handle this light hit, and time it if its turn has come. */
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
	s64 lightness = this_cpu_read(contexts.lightness);

	/* A little-endian machine: the bytes of busy[] come first. */
	BUILD_BUG_ON(LEVEL_COUNT_ != sizeof(u32));
	if (unlikely((light == 0) | atomic_read(&session_silence) | (u32)lightness | (lightness <= 0)))
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

/* ---- handlers that wait for memory ------------------------------------------------------------------------------- */

#ifdef STP_USER_SPACE

enum {
	MOST_SLEEPS = 64, /* of a handler */
	PAGE_IN_STACK = 7168, /* bytes of stack for a page fault that a file system handles */
};

static atomic_t sleeping_handlers;
static struct full_context *spare_contexts;
static DEFINE_RAW_SPINLOCK(spare_contexts_lock);

static struct full_context *take_spare(void)
{
	struct full_context *spare;

	raw_spin_lock(&spare_contexts_lock);
	spare = spare_contexts;
	if (spare)
		spare_contexts = spare->next_spare;
	raw_spin_unlock(&spare_contexts_lock);
	return spare;
}

static void add_spare(struct full_context *spare)
{
	raw_spin_lock(&spare_contexts_lock);
	spare->next_spare = spare_contexts;
	spare_contexts = spare;
	raw_spin_unlock(&spare_contexts_lock);
}

/* Return the running handler if it may sleep: it is of a hit in a program and was entered with preemption on. */
static struct full_context *waiting_handler(const struct cpu_contexts *cpu)
{
	struct full_context *f = cpu->level[LEVEL_TASK];
	enum stp_probe_kind kind;

	if (preempt_count() != PREEMPT_DISABLE_OFFSET || !cpu->busy[LEVEL_TASK])
		return NULL;
	kind = f->script.probe->kind;
	return (kind == STP_PROBE_UPROBE || kind == STP_PROBE_URETPROBE) && f->sleeps < MOST_SLEEPS ? f : NULL;
}

struct full_context *context_sleep_begin(void)
{
	struct cpu_contexts *cpu = this_cpu_ptr(&contexts);
	struct full_context *f = waiting_handler(cpu), *spare = NULL;

	/* A handler with too little stack left may still restart: run_again() waits after its frames are gone. */
	if (f && !f->script.locks && !irqs_disabled() && !f->record.part && !is_stack_short(PAGE_IN_STACK))
		spare = take_spare();
	if (!spare)
		return NULL;
	atomic_inc(&sleeping_handlers);
	cpu->level[LEVEL_TASK] = spare;
	barrier(); /* an interrupt must find the spare before the level is free */
	cpu->busy[LEVEL_TASK] = 0;
	f->sleeps++;
	f->attention = true;
	preempt_enable();
	return f;
}

void context_sleep_end(struct full_context *f)
{
	struct cpu_contexts *cpu;

	preempt_disable();
	cpu = this_cpu_ptr(&contexts);
	cpu->busy[LEVEL_TASK] = 1;
	barrier();
	add_spare(cpu->level[LEVEL_TASK]);
	cpu->level[LEVEL_TASK] = f;
	atomic_dec(&sleeping_handlers);
}

static bool no_handler_sleeps(void)
{
	return !atomic_read(&sleeping_handlers);
}

void context_restart(unsigned long address)
{
	struct full_context *f = waiting_handler(this_cpu_ptr(&contexts));

	if (!f || !f->script.probe->restarts || f->script.error)
		return;
	f->restarts = true;
	f->missing = address;
	f->script.error = missing_mark;
	f->attention = true;
}

/* Run the handler again after reading in the page that it needs. If that fails, this is the last time. */
static noinline void run_again(struct full_context *f, void (*handler)(struct stp_context *))
{
	while (f->restarts) {
		f->restarts = false;
		if (!user_page_in(f->missing, 0))
			f->sleeps = MOST_SLEEPS;
		f->script.frame = f->frames;
		f->attention = true;
		if (runs_specially)
			run_specially(f, handler);
		else
			stp_run_handler(handler, &f->script);
		finish_if_needed(f);
	}
}

/* The number of spares limits how many handlers sleep at once. */
static int spares_create(void)
{
	unsigned int count = probe_count(STP_PROBE_UPROBE) || probe_count(STP_PROBE_URETPROBE);

	for (count *= 8 + num_online_cpus(); count; count--) {
		struct full_context *spare = context_create(NUMA_NO_NODE, LEVEL_TASK);

		if (!spare)
			return -ENOMEM;
		add_spare(spare);
	}
	return 0;
}

static void spares_destroy(void)
{
	struct full_context *spare;

	while ((spare = take_spare()))
		kvfree(spare);
}

#else

static bool no_handler_sleeps(void)
{
	return true;
}

static int spares_create(void)
{
	return 0;
}

static void spares_destroy(void)
{
}

#endif

/* ---- for the session and its status --------------------------------------------------------------------------- */

bool contexts_are_idle(void)
{
	int cpu, level;

	for_each_possible_cpu(cpu)
	{
		for (level = 0; level < LEVEL_COUNT_; level++)
			if (READ_ONCE(per_cpu(contexts, cpu).busy[level]))
				return false;
	}
	smp_mb(); /* a handler that wakes up marks its CPU busy before it leaves sleeping_handlers */
	return no_handler_sleeps();
}

u64 context_hits(void)
{
	u64 hits = 0;
	int cpu;

	for_each_possible_cpu(cpu)
	{
		const struct cpu_contexts *of_cpu = &per_cpu(contexts, cpu);

		hits += READ_ONCE(of_cpu->granted) - READ_ONCE(of_cpu->untimed) - READ_ONCE(of_cpu->light_untimed);
	}
	return hits;
}

static void time_next_hit(void *unused)
{
	grant_untimed(0);
	grant_light_untimed(0);
}

/* Time the first hits of CPUs that come online later. */
static void time_hits_of_offline(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
	{
		struct cpu_contexts *of_cpu = &per_cpu(contexts, cpu);

		if (cpu_online(cpu))
			continue;
		of_cpu->granted -= (s64)of_cpu->untimed + of_cpu->light_untimed;
		of_cpu->untimed = 0;
		of_cpu->light_untimed = 0;
	}
}

int contexts_measure(void)
{
	if (timings)
		return 0;
	if (!timings_create())
		return -ENOMEM;
	WRITE_ONCE(runs_specially, true);
	atomic_or(SILENT_NEVER_LIGHT, &session_silence);
	/* Timed hits that are running may still set the counters. */
	synchronize_rcu();
	cpus_read_lock();
	time_hits_of_offline();
	on_each_cpu(time_next_hit, NULL, 1);
	cpus_read_unlock();
	return 0;
}

struct probe_hits context_probe_hits(unsigned int index)
{
	const struct probe_timing *room = smp_load_acquire(&timings);
	struct probe_hits known = {};

	if (!room || !atomic64_read(&room[index].hits))
		return known;
	known.hits = atomic64_read(&room[index].hits);
	known.cycles = atomic64_read(&room[index].cycles);
	known.least = atomic64_read(&room[index].least);
	known.most = atomic64_read(&room[index].most);
	return known;
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
	set_up(session_context, probe, NULL, NULL);
	probe->condition(&session_context->script);
	finish_if_needed(session_context);
	return session_context->script.holds;
}

void context_run_session(const struct stp_probe *probe)
{
	if (is_stack_short(stp_script.stack_needs[probe->stack].in_session)) {
		context_count_skip(SKIP_STACK, 1);
		return;
	}
	set_up(session_context, probe, NULL, NULL);
	if (runs_specially)
		run_specially(session_context, probe->handler);
	else
		probe->handler(&session_context->script);
	finish_if_needed(session_context);
}

/* ---- errors ---------------------------------------------------------------------------------------------------- */

void stp_error(struct stp_context *c, const char *format, ...)
{
	va_list args;

	if (c->error)
		return;
	va_start(args, format);
	vsnprintf(c->error_text, sizeof(c->error_text), format, args);
	va_end(args);
	c->error = c->error_text;
	full(c)->attention = true;
}

void stp_error_called(struct stp_context *c, const char *place)
{
	struct stp_error_call *last = NULL;

	if (c->error_call_count && c->error_call_count <= STP_ERROR_CALLS)
		last = &c->error_calls[c->error_call_count - 1];
	if (last && last->place == place)
		last->times++;
	else if (c->error_call_count < STP_ERROR_CALLS)
		c->error_calls[c->error_call_count++] = (struct stp_error_call){.place = place, .times = 1};
	else
		c->error_call_count = STP_ERROR_CALLS + 1;
}

void stp_fault(struct stp_context *c, unsigned long address)
{
	stp_error(c, "read fault [man error::fault] at 0x%lx", address);
}

void stp_user_fault(struct stp_context *c, unsigned long address)
{
	stp_error(c, "read fault [man error::fault] at 0x%lx", address);
}

void stp_limit_error(struct stp_context *c, const char *text, const char *hint)
{
	if (c->error)
		return;
	stp_error(c, "%s", text);
	c->error_hint = hint;
}

void stp_too_many_actions(struct stp_context *c)
{
	stp_limit_error(c, "MAXACTION exceeded", "-D MAXACTION=N allows a handler more statements");
}

void stp_abort(struct stp_context *c)
{
	session_request_exit();
	if (c->error)
		return;
	c->error = abort_mark;
	full(c)->attention = true;
}

int stp_catch(struct stp_context *c, char *to)
{
	if (c->error == abort_mark || c->error == missing_mark)
		return 0;
	if (to)
		strscpy(to, c->error, stp_script.string_size);
	c->error = NULL;
	c->error_place = NULL;
	c->error_hint = NULL;
	c->error_call_count = 0;
	c->sink = &full(c)->stream; /* the error may have come in the middle of a sprintf */
	/* The catch block gets no new budget, or a runaway loop would go on in it. */
	c->actions = max(c->actions, 0);
	return 1;
}

stp_long stp_divide(struct stp_context *c, stp_long left, stp_long right)
{
	if (right == 0) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (right == -1)
		return -(u64)left; /* wraps; the CPU's division would fault */
	return left / right;
}

stp_long stp_modulo(struct stp_context *c, stp_long left, stp_long right)
{
	if (right == 0) {
		stp_error(c, "division by 0");
		return 0;
	}
	if (right == -1)
		return 0;
	return left % right;
}
