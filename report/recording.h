/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model from which all formats are written: the recorded output of a script, read from JSON lines (stap-json,
 * version 1).
 *
 * Texts, frames and stacks are shared by all recordings of a pool, so equal ones have equal addresses, and keys can be
 * compared by address. Everything is freed with the pool.
 */
#ifndef SPILE_REPORT_RECORDING_H
#define SPILE_REPORT_RECORDING_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/error.h"
#include "common/base/json_schema.h"

struct pool;

struct pool *pool_new(void);
void pool_free(struct pool *pool);

/* Any bytes; NUL follows them. */
struct text {
	size_t length;
	char bytes[];
};

enum frame_kind {
	FRAME_KERNEL,
	FRAME_MODULE,
	FRAME_PROGRAM,
	FRAME_LIBRARY,
	FRAME_JIT,
	FRAME_UNKNOWN,
	FRAME_KINDS,
};
extern const char *const frame_kind_names[FRAME_KINDS];

/* A function in a stack. Functions are equal if all members except the number are equal. */
struct function {
	const struct text *name; /* if it has none: its object in brackets, or else its address */
	const struct text *object, *file; /* NULL: unknown */
	enum frame_kind kind;
	bool is_inlined;
	guint number; /* in the order of their first use in the pool */
};

struct frame {
	const struct function *function;
	const struct text *address; /* NULL: unknown */
	int64_t line; /* 0: unknown */
	int64_t offset; /* in the function; -1: unknown */
};

struct stack {
	/* The first stack with the same functions, which may be at other lines. */
	const struct stack *shape;
	guint count;
	struct frame frames[]; /* from the innermost to the outermost */
};

enum value_kind { VALUE_NUMBER, VALUE_STRING, VALUE_STACK, VALUE_STATISTICS, VALUE_KINDS };
extern const char *const value_kind_names[VALUE_KINDS];

struct bucket {
	int64_t lower, upper; /* upper is exclusive */
	int64_t count;
	bool has_lower, has_upper;
};

struct histogram {
	bool is_log;
	guint count;
	struct bucket *buckets;
};

struct statistics {
	int64_t count, sum, min, max, avg, variance;
	bool has_range; /* min, max and avg */
	bool has_variance;
	const struct histogram *histogram; /* NULL: none */
};

/* A key or value. */
struct value {
	enum value_kind kind;
	union {
		int64_t number;
		const struct text *text;
		const struct stack *stack;
		const struct statistics *statistics;
	};
};

struct element {
	struct value *keys; /* as many as the global has */
	struct value value;
};

/* A global at one time. */
struct sample {
	double time;
	int64_t snapshot;
	bool is_final, is_complete;
	guint count;
	/* NULL with a count: dropped, because there are too many to keep those of each snapshot. */
	struct element *elements;
	GPtrArray *blocks; /* the memory of the elements */
};

enum { MOST_KEYS = 128 };

struct global {
	const struct text *name, *unit, *show; /* unit, show: NULL if not given */
	bool is_array;
	guint key_count;
	enum value_kind keys[MOST_KEYS], values;
	const struct text *key_names[MOST_KEYS]; /* NULL: unknown */
	GPtrArray *samples; /* struct sample; the last is the newest */
	guint step, skipped; /* one sample in `step` was kept */
};

struct place {
	const struct text *file;
	int64_t line, column, length;
};

struct note {
	const struct text *text;
	struct place place; /* file is NULL: none */
	GArray *expansions; /* as in a message */
};

enum { NO_HOST = -1, MOST_HOSTS = 1000 };

struct message {
	double time;
	int host; /* the number in the recording's hosts, or NO_HOST: of stap itself */
	const struct text *kind; /* NULL: not given */
	GArray *expansions; /* struct place: what led to the place */
	const struct text *level, *text, *hint;
	struct place place;
	GArray *notes; /* struct note */
	GPtrArray *alternatives; /* struct text */
};

struct output {
	double time;
	int host; /* as in a message */
	const struct text *text;
};

enum { SKIPPED_REASONS = JSON_SKIPPED_STACK - JSON_SKIPPED_REENTRANT + 1 };
/** Return the name of a reason why hits were skipped, as in the schema. */
const char *skipped_name(guint reason);

/* A machine that ran the script. */
struct host {
	int64_t number; /* of --remote; NO_HOST without it */
	const struct text *uri; /* NULL: not given */
	struct {
		bool is_known;
		double time;
		const struct text *module, *name, *kernel;
	} start;
	struct {
		bool is_known;
		double time;
		int64_t status, hits, errors, lost, skipped[SKIPPED_REASONS];
	} end;
	GPtrArray *globals; /* struct global, in the order of their first lines */
	bool is_within_snapshot; /* some globals are newer than the others */
};

struct recording {
	const char *name; /* of the file */
	struct {
		bool is_known;
		const struct text *name, *text, *stap;
		GPtrArray *options, *arguments; /* struct text */
	} script;
	GPtrArray *hosts; /* struct host: at least one */
	double start_time; /* of the first host; 0: unknown */
	double last_time; /* of any line */
	bool is_whole; /* the input has ended */
	GArray *outputs; /* struct output */
	uint64_t output_size, output_left_out; /* bytes that are kept, and older ones that are not */
	uint64_t lines; /* read so far */
	uint64_t messages_left_out;
	GPtrArray *messages; /* struct message */
};

/** How a script has ended, the worst of all hosts. */
enum run_state { RUN_COMPLETED, RUN_LOST, RUN_FAILED, RUN_GOES_ON, RUN_INTERRUPTED, RUN_STATES };
enum run_state recording_state(const struct recording *recording);

/*
 * Callbacks while a recording is read: to update a page or a terminal, or to print the script's output. With them, only
 * the last part of the output is kept.
 */
struct recording_watch {
	/** Print output and messages at once; may be NULL. */
	void (*output)(const struct output *output, void *data);
	void (*message)(const struct recording *recording, const struct message *message, void *data);
	/**
	 * Called before each wait for more lines, and when the time that it returned is over.
	 *
	 * @param[in] is_consistent All globals of each host are of the same snapshot.
	 * @return The time in milliseconds to wait for more lines; -1: no limit.
	 */
	int (*idle)(struct recording *recording, bool is_consistent, void *data);
	/** Called for each mistake; the line is skipped. Takes the error. */
	void (*mistake)(struct error *error, void *data);
	/** Is the rest of the input unwanted? */
	bool (*is_over)(void *data);
	void *data;
};

/**
 * Read a recording until its end.
 *
 * A last line that is cut off is skipped with a warning.
 *
 * @param[in] name For errors, which have the number of the line.
 * @param[in] watch May be NULL.
 * @param[out] ret Is set in any case. After an error, it has what was read before.
 */
struct error *recording_read(struct pool *pool, const char *name, int fd, const struct recording_watch *watch,
			     struct recording **ret);

/**
 * Join the recordings of one script into one, with the hosts of all, in this order. A host without a URI gets the name
 * of its recording. The old recordings must not be used after that; the pool still owns them.
 *
 * @param[out] ret Is set on success.
 */
struct error *recording_merge(struct pool *pool, struct recording *const *recordings, guint count,
			      struct recording **ret);

/** Return the newest sample of a global. */
const struct sample *global_newest(const struct global *global);

/** Does the global have this kind of key? */
bool global_has_key(const struct global *global, enum value_kind kind);

bool text_is(const struct text *text, const char *word);

/** Are these values equal? Both are of the same pool. Stacks are equal if their functions are. */
bool value_equals(const struct value *a, const struct value *b);
guint value_hash(const struct value *value);

#endif
