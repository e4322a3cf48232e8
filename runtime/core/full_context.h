/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The whole context of a handler, and the state of its CPU. Only the files of core/ that run handlers see them:
 * context.c, drops.c, overload.c, handler_output.c, handler_error.c and handler_sleep.c.
 */
#ifndef SPILE_RUNTIME_CORE_FULL_CONTEXT_H
#define SPILE_RUNTIME_CORE_FULL_CONTEXT_H

#include <linux/percpu.h>

#include "runtime/abi/protocol.h"
#include "runtime/core/context.h"
#include "runtime/core/internal.h"

enum context_level { LEVEL_TASK, LEVEL_SOFTIRQ, LEVEL_HARDIRQ, LEVEL_NMI, LEVEL_COUNT_ };

struct full_context {
	struct stp_context script; /* what handlers see; must be first */
	bool attention; /* finish_handler() must clean up before the next handler */
	bool is_torn; /* a part of the output of the handler was lost */
	unsigned char sleeps; /* how often it has waited for memory */
	bool restarts; /* the handler must start again after the page of `missing` was read in */
	unsigned long missing; /* may be 0 */
	stp_long dropped_slot; /* in place of the value of an element that was dropped */
	struct full_context *next_spare;
	struct stp_sink stream;
	unsigned int marked_part, marked; /* stp_output_mark() */
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
		s64 light_state; /* both, for a single read in context_run_light() */
	};
	int untimed; /* how many more hits are not timed */
	u64 timed_budget; /* the sum of all additions to the two counters, plus the timed hits */
	int backoff; /* how many hits after the last timed one were not timed */
	struct full_context *level[LEVEL_COUNT_];
	struct usage usage; /* of the outermost handlers, including everything that interrupted them */
	struct usage nested; /* of handlers that interrupted those; the outermost handler might never end */
};

/* The hits of one probe, for -t and the control command "measure". */
struct probe_timing {
	atomic64_t hits, total, least, most;
};

DECLARE_PER_CPU(struct cpu_contexts, contexts);
extern struct full_context *session_context;
extern bool runs_slow; /* see run_slow() */

static inline struct full_context *full_context_of(const struct stp_context *c)
{
	return container_of(c, struct full_context, script);
}

/* Return the size of full_context.commands. */
static inline size_t commands_size(void)
{
	return stp_script.keeps_commands ? max(stp_script.string_size, 2048u) : 0;
}

/* ---- context.c --------------------------------------------------------------------------------------------------- */

/** Allocate a context; memory_take() limits the sum. Return NULL without memory. */
struct full_context *context_create(int node, enum context_level level);
/**
 * Return the context of the innermost handler that is running on this CPU, or NULL. Only for C of scripts, which may
 * call functions that do not know the context.
 */
struct full_context *context_current(void);
/** Run a handler with -t, "measure" or -DINTERRUPTIBLE=0. The session context sleeps, so interrupts stay on there. */
void run_slow(struct full_context *f, void (*handler)(struct stp_context *));
/** Clean up after a handler if it has left anything behind. */
HOT void finish_if_needed(struct full_context *f);

/* ---- overload.c -------------------------------------------------------------------------------------------------- */

extern struct probe_timing *probe_timings; /* one per probe; NULL if not measured */
bool timings_create(void);
void note_timing(const struct stp_probe *probe, s64 cycles);

enum { LIGHT_UNTIMED = 64 }; /* how many light hits after a timed one are not timed */

/** Set how many hits of this CPU are not timed. An interrupt may do the same at any point. */
void grant_untimed(int count);
/** Do the same for light handlers. If the task migrates, this may affect another CPU, which does no harm. */
void grant_light_untimed(int count);
/** Return where to count a handler of this level, or NULL if the interrupted handler includes it. */
struct usage *usage_of(struct cpu_contexts *cpu, enum context_level level);
/** Count a timed handler, and end the script if its handlers take too much time. */
void check_overload(struct cpu_contexts *cpu, struct usage *usage, u64 start, u64 cycles, bool is_light);

/* ---- handler_output.c -------------------------------------------------------------------------------------------- */

/** Send the output that the context has collected. */
void flush_stream(struct full_context *f);
/** Send each command that system() has collected as a record. */
void send_commands(struct full_context *f);

/* ---- handler_error.c --------------------------------------------------------------------------------------------- */

/* The pending error after abort(), recognized by its address. */
extern const char abort_mark[sizeof("abort")];
/* The same while full_context.restarts is set. */
extern const char missing_mark[sizeof("missing")];

/** Report the pending error of a handler that has ended, and count it. */
void report_error(struct stp_context *c);

/* ---- handler_sleep.c --------------------------------------------------------------------------------------------- */

int spares_create(void);
void spares_destroy(void);
/** Return whether no handler waits for memory. Set *begun to the number of times that one has begun to wait. */
bool no_handler_sleeps(unsigned int *begun);
#ifdef STP_USER_SPACE
/** Run the handler again after reading in the page that it needs. If that fails, this is the last time. */
void run_again(struct full_context *f, void (*handler)(struct stp_context *));
#else
static inline void run_again(struct full_context *f, void (*handler)(struct stp_context *))
{
}
#endif

#endif
