/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What generated code, the tapset and embedded C call of the runtime, by topic; each topic names the files that it is
 * in. And the two functions that the runtime calls of the script.
 */
#ifndef SPILE_RUNTIME_SERVICES_H
#define SPILE_RUNTIME_SERVICES_H

#include "layout.h"

struct stp_context;
struct stp_map;
struct stp_regex;

/*
 * Before what scripts use: the runtime is compiled as a whole program, or as two (hits.c), and all else may be inlined
 * and left out.
 */
#if __has_attribute(externally_visible)
#define STP_USED __attribute__((externally_visible))
#else
#define STP_USED
#endif

/* ---- what the script gives to the runtime ---------------------------------------------------------------------- */

extern const struct stp_script stp_script;

/**
 * Handlers that only count, on integer globals, one atomic operation each: they can neither fail nor wait nor be
 * disturbed, and run without a context, whose set-up would cost several times as much. The translator emits it; a
 * direct call is cheaper than one through a pointer, too.
 */
STP_USED void stp_run_light(unsigned int light);

/** Runs a handler of an event. The translator emits it: the first few are called directly, for the same reason. */
STP_USED void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c);

/* ---- errors, and the end of the script: context.c, session.c --------------------------------------------------- */

STP_USED void stp_error(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** The same with @p hint, a string that stays: how to raise the limit that was reached. */
STP_USED void stp_limit_error(struct stp_context *c, const char *text, const char *hint);
/** The pending error left a function that was called at @p place, a string that stays (see struct stp_error_call). */
STP_USED void stp_error_called(struct stp_context *c, const char *place);
/** A load of a $variable or @cast failed. */
STP_USED void stp_fault(struct stp_context *c, unsigned long address);
/** A load from user memory failed. */
STP_USED void stp_user_fault(struct stp_context *c, unsigned long address);
/** Statement budget used up; sets the error. */
STP_USED void stp_too_many_actions(struct stp_context *c);
/** Move the pending error's text to @p to (for catch) and clear it. 0: it is that of stp_abort(), and stays. */
STP_USED int stp_catch(struct stp_context *c, char *to);
STP_USED void stp_exit(void);
/** The same, and the handler ends here: an error is pending that nobody catches or reports. */
STP_USED void stp_abort(struct stp_context *c);

STP_USED stp_long stp_divide(struct stp_context *c, stp_long left, stp_long right);
STP_USED stp_long stp_modulo(struct stp_context *c, stp_long left, stp_long right);

/* ---- addresses of this boot and of processes: target.c --------------------------------------------------------- */

/** Relocated address of something in target @p target (0: kernel); 0 if that module is not loaded. */
STP_USED unsigned long stp_address(unsigned int target, unsigned long offset);
/**
 * An address in the current process of an executable that is a target, or the pointer that the variables of the current
 * thread lie before. An error if the process does not run the executable.
 */
STP_USED stp_long stp_process_address(struct stp_context *c, unsigned int target, unsigned long offset);
STP_USED stp_long stp_thread_pointer(struct stp_context *c, unsigned int target);
/** The same where it is known which executable the process runs. */
STP_USED stp_long stp_own_thread_pointer(void);

/* ---- the kernel's memory: kernel_memory.c, print.c ------------------------------------------------------------- */

/** Store to kernel memory (1, 2, 4, 8 bytes); a fault is a script error. */
STP_USED void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
/** Copy a kernel string (at most @p size bytes with the NUL). False: a fault; @p to then holds "". */
STP_USED int stp_copy_kernel_string(char *to, unsigned long from, unsigned int size);
/** The NUMA node of memory in the kernel's direct mapping; an error if there is none at the address. */
STP_USED stp_long stp_memory_node(struct stp_context *c, unsigned long address);

/* ---- the current process's memory: user_memory.c --------------------------------------------------------------- */

/** The low 64 bits of a vector register of the current process, as it has it in user mode: xmm0 is 0. */
STP_USED stp_ulong stp_vector_register(struct stp_context *c, unsigned int number);
/** As stp_load(). A page that is not there is a fault too, where the handler may not wait for it. */
STP_USED stp_ulong stp_load_user(unsigned long address, unsigned int size, int *fault);
/** As stp_store(). */
STP_USED int stp_write_user(unsigned long address, unsigned int size, stp_long value);
STP_USED void stp_store_user(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
/** A register of the current process when it entered the kernel; 0 in a kernel thread. */
STP_USED unsigned long stp_user_register(struct stp_context *c, unsigned int word);
/** Bytes of a long in the current process. */
STP_USED stp_long stp_user_long_size(void);
/** As stp_copy_kernel_string(), from user memory. */
STP_USED int stp_copy_user_string(char *to, unsigned long from, unsigned int size);
/** A string of characters of @p size (2, 4) bytes as UTF-8. Returns what is wrong with it, or STP_NULL. */
STP_USED void stp_copy_wide_string(struct stp_context *c, char *to, unsigned long from, unsigned int size, int of_user);
/** Memory in double quotes, at most @p most characters. Returns the address that cannot be read, or 0. */
STP_USED unsigned long stp_quote_memory(char *to, unsigned long from, stp_long length, stp_long most, int of_user);

/* ---- the call under way: kretprobe.c --------------------------------------------------------------------------- */

/**
 * A register as it was at the entry of the function that a recorder is of, in the call of the current task whose return
 * address is at @p place on the stack. *fault becomes nonzero if that entry was not seen.
 */
STP_USED stp_ulong stp_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault);
/** Was it? */
STP_USED int stp_entry_known(unsigned int recorder, unsigned long place);
/** The same of a recorder in a program: user_call.c. */
STP_USED stp_ulong stp_user_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault);
STP_USED int stp_user_entry_known(unsigned int recorder, unsigned long place);
/** The error that it was not. */
STP_USED void stp_entry_unknown(struct stp_context *c, unsigned int recorder);
/**
 * The return address at @p place on the stack, also where a return probe has put the kernel's own there; 0 if it cannot
 * be read.
 */
STP_USED stp_ulong stp_return_address(unsigned long place);
/** The same on the stack of the current process. */
STP_USED stp_ulong stp_user_return_address(unsigned long place);

/* ---- registers and arguments: registers.c ---------------------------------------------------------------------- */

STP_USED int stp_registers_valid(struct stp_context *c);
STP_USED int stp_user_mode(struct stp_context *c);
/**
 * By its usual name; one of 32 bits is sign-extended or not. An error if there are no registers or none of the name.
 */
STP_USED stp_long stp_named_register(struct stp_context *c, const char *name, int is_signed);
STP_USED stp_long stp_return_register(struct stp_context *c);
/** An argument of the function, counted from 1, by the calling convention. */
STP_USED stp_long stp_argument(struct stp_context *c, stp_long number);
STP_USED void stp_set_argument(struct stp_context *c, stp_long number, stp_long value);
/** Give a register of the probed context a value. Without a context: nothing. */
STP_USED void stp_set_register(struct stp_context *c, unsigned int word, stp_long value);
/** Nothing if there are none. */
STP_USED void stp_print_registers(struct stp_context *c);

/* ---- system calls, in the handlers of process.syscall and its like: process.c ------------------------------------ */

STP_USED stp_long stp_syscall_number(struct stp_context *c);
/** Counted from 1; an error if there are not so many. */
STP_USED stp_long stp_syscall_argument(struct stp_context *c, stp_long number);
STP_USED stp_long stp_syscall_result(struct stp_context *c);

/* ---- the same by name, in the handlers of syscall.* : syscall.c, syscall_text.c ---------------------------------- */

/** Of the width of the current program; STP_NULL: there is no such number. */
STP_USED const char *stp_syscall_name(stp_long number);
/** -1: there is no such name. */
STP_USED stp_long stp_syscall_number_of(const char *name);
/** What the call of the hit is called, what it returns, and how that is shown: as return_str() has it. */
STP_USED const char *stp_syscall_row_name(struct stp_context *c);
STP_USED stp_long stp_syscall_row_result(struct stp_context *c);
STP_USED stp_long stp_syscall_row_format(struct stp_context *c);
/** An argument or a part of one by its place in the call's row: as a number, as text, a string's own text. */
STP_USED stp_long stp_syscall_item_number(struct stp_context *c, stp_long index);
STP_USED void stp_syscall_item_text(struct stp_context *c, char *to, stp_long index);
STP_USED void stp_syscall_item_raw(struct stp_context *c, char *to, stp_long index);
/** All arguments, as argstr has them. */
STP_USED void stp_syscall_arguments(struct stp_context *c, char *to);

/* ---- strings: string.c, print.c, quote.c ------------------------------------------------------------------------ */

STP_USED unsigned int stp_string_size(void);
/** Bounded copy (MAXSTRINGLEN); the regions may be the same. */
STP_USED void stp_copy(char *to, const char *from);
STP_USED void stp_concat(char *to, const char *left, const char *right);
/** As snprintf() to a string of the script. */
STP_USED void stp_format(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** In double quotes, with C escape sequences; "…" cut short ends in "\"...". @p to is another buffer than @p from. */
STP_USED void stp_quote(char *to, const char *from);
/** The same in at most @p most characters, quotes included. */
STP_USED void stp_quote_within(char *to, const char *from, stp_long most);
STP_USED int stp_compare(const char *left, const char *right);
/** The C escape sequence of a byte, 1 to 4 characters without a NUL; returns how many. */
STP_USED unsigned int stp_escape(char *to, unsigned char byte);

/* Behind the tapset's functions. @p to is another buffer than the arguments. */
STP_USED void stp_substr(char *to, const char *text, stp_long start, stp_long length);
STP_USED stp_long stp_string_at(struct stp_context *c, const char *text, stp_long position);
/** Where @p part begins, or -1. */
STP_USED stp_long stp_string_position(const char *text, const char *part);
STP_USED void stp_string_replace(char *to, const char *text, const char *part, const char *by);
STP_USED stp_long stp_string_number(const char *text, stp_long base);
/** In double quotes as JSON has them; cut short behind a whole character. @p to is another buffer than @p from. */
STP_USED void stp_quote_json(char *to, const char *from);
/** With escape sequences, at most @p most bytes (0: MAXSTRINGLEN), in quotes if asked for ("…"... if cut). */
STP_USED void stp_text(char *to, const char *text, stp_long most, int quoted);
/** The next token of the string of the last call with an @p input that is not "". Needs keeps_tokens. */
STP_USED void stp_tokenize(struct stp_context *c, char *to, const char *input, const char *delimiters);

/* ---- regular expressions: regex.c ------------------------------------------------------------------------------ */

/** =~; notes groups if the script asks for them anywhere. */
/* ---- floating-point numbers, as the bits of doubles: float.c ----------------------------------------------------- */

STP_USED stp_long stp_float_sum(stp_long left, stp_long right);
STP_USED stp_long stp_float_difference(stp_long left, stp_long right);
STP_USED stp_long stp_float_product(stp_long left, stp_long right);
STP_USED stp_long stp_float_quotient(stp_long left, stp_long right);
STP_USED stp_long stp_float_remainder(stp_long left, stp_long right);
STP_USED stp_long stp_float_root(stp_long number);
STP_USED int stp_float_less(stp_long left, stp_long right);
STP_USED int stp_float_less_or_equal(stp_long left, stp_long right);
STP_USED int stp_float_equal(stp_long left, stp_long right);
/** @p rounding: enum fp_rounding of float_math.h. */
STP_USED stp_long stp_float_to_long(stp_long number, stp_long rounding);
STP_USED stp_long stp_float_from_long(stp_long number);
/** 0: the text is no number. */
STP_USED int stp_float_from_text(const char *text, stp_long *ret);
/** With @p precision digits behind the point, into a string of the script. */
STP_USED void stp_float_to_text(stp_long number, stp_long precision, char *to);

STP_USED int stp_regex_match(struct stp_context *c, const struct stp_regex *regex, const char *text);
/** A group of the last match; an error if there was none or it had no such group. */
STP_USED void stp_matched(struct stp_context *c, char *to, stp_long group);
STP_USED stp_long stp_group_count(struct stp_context *c);

/* ---- output: context.c, print.c -------------------------------------------------------------------------------- */

STP_USED void stp_print(struct stp_context *c, const char *text, unsigned int length);
/** For embedded C: the kernel's printf, at most 511 bytes at a time. */
STP_USED void stp_printf(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* In all that follow, flags are enum stp_format_flags. */
STP_USED void stp_print_string(struct stp_context *c, const char *text, unsigned int flags, stp_long width,
			       stp_long precision);
/** base 8, 10 or 16. */
STP_USED void stp_print_number(struct stp_context *c, stp_long value, unsigned int base, unsigned int flags,
			       stp_long width, stp_long precision);
STP_USED void stp_print_character(struct stp_context *c, stp_long value, unsigned int flags, stp_long width);
/** %b: the low `width` bytes of value, little-endian, or most significant first (%B); width 1, 2, 4 or 8. */
STP_USED void stp_print_binary(struct stp_context *c, stp_long value, stp_long width, int is_big_endian);
/** %m, %M: `length` bytes of kernel (STP_ALTERNATE: user) memory, as they are or in hex. A fault is a script error. */
STP_USED void stp_print_memory(struct stp_context *c, unsigned long address, stp_long length, int hex,
			       unsigned int flags, stp_long width);
/** Send what follows to a string of MAXSTRINGLEN bytes instead of the stream, until stp_sink_end(). */
STP_USED void stp_sink_begin(struct stp_context *c, char *buffer);
STP_USED void stp_sink_end(struct stp_context *c);
STP_USED void stp_log(struct stp_context *c, const char *text);
STP_USED void stp_warn(struct stp_context *c, const char *text);
/** What is printed from now on goes to the next output file. */
STP_USED void stp_switch_file(struct stp_context *c);
/** Have staprun run a shell command when the handler has ended. */
STP_USED void stp_system(struct stp_context *c, const char *command);

/* ---- globals and their locks: lock.c, condition.c -------------------------------------------------------------- */

/* Reader-writer lock of one global; see lock.c. */
enum stp_lock_mode { STP_LOCK_READ, STP_LOCK_WRITE };
struct stp_lock_use {
	unsigned short global;
	unsigned char mode;
};

/** Take the locks of a handler's region, in the table's order. 0: contention; the handler is to end (it is counted). */
STP_USED int stp_lock(struct stp_context *c, const struct stp_lock_use *uses, unsigned int count);
STP_USED void stp_unlock(struct stp_context *c);
/** A global that conditions of probes depend on was written. */
STP_USED void stp_conditions_changed(void);

/* ---- arrays: map.c --------------------------------------------------------------------------------------------- */

STP_USED stp_long stp_map_get_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
STP_USED const char *stp_map_get_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** The slot of an element, created if need be; NULL with an error when the array is full. Under the write lock. */
STP_USED stp_long *stp_map_slot_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Add to an element, created if need be. Without a lock: of the map of global @p global, whose only_fed is set. */
STP_USED void stp_map_count(struct stp_context *c, unsigned int global, struct stp_map *map,
			    const union stp_value *keys, stp_long by);
STP_USED void stp_map_set_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
				 const char *value);
STP_USED int stp_map_contains(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			      unsigned int wildcards);
STP_USED void stp_map_delete(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			     unsigned int wildcards);
STP_USED void stp_map_clear(struct stp_context *c, struct stp_map *map);

enum stp_sort_statistic { STP_SORT_COUNT, STP_SORT_SUM, STP_SORT_MIN, STP_SORT_MAX, STP_SORT_AVERAGE };

/** The position from which on the order of foreach number @p walk of those in each other is. */
STP_USED unsigned int stp_map_walk(const struct stp_map *map, unsigned int walk);

/**
 * Prepare foreach number @p walk of those over this map in each other: put the elements (those that match @p slice, if
 * not NULL, ignoring keys in @p wildcards) in order.
 * @p column: 0 the value, 1… that key; @p direction: -1, 0 (insertion order), 1; @p statistic: enum stp_sort_statistic.
 * Returns how many there are. Under the write lock of the map (the order array belongs to the map), held for the whole
 * loop.
 */
STP_USED unsigned int stp_map_order(struct stp_context *c, struct stp_map *map, unsigned int walk,
				    const union stp_value *slice, unsigned int wildcards, int column, int direction,
				    int statistic);
STP_USED stp_long stp_map_order_key_long(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED const char *stp_map_order_key_string(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED stp_long stp_map_order_value_long(struct stp_map *map, unsigned int position);
STP_USED const char *stp_map_order_value_string(struct stp_map *map, unsigned int position);

/* ---- statistics: statistic.c, map.c ---------------------------------------------------------------------------- */

/* "<<<": takes the lock it needs by itself, unless the handler holds the global's lock already. */
STP_USED void stp_map_aggregate(struct stp_context *c, unsigned int global, struct stp_map *map,
				const union stp_value *keys, stp_long value);
STP_USED void stp_aggregate(struct stp_context *c, unsigned int global, void *statistic, stp_long value);
/** 0: no such element (then *values is all zero). Under the lock. */
STP_USED int stp_map_statistic(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			       struct stp_statistic_values *values);
STP_USED void stp_statistic(struct stp_context *c, unsigned int global, void *statistic,
			    struct stp_statistic_values *values);
STP_USED void stp_statistic_clear(struct stp_context *c, unsigned int global, void *statistic);
/** The aggregate of an element, NULL if there is none; what the functions below take as `statistic`. */
STP_USED void *stp_map_aggregate_of(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Of a nonempty aggregate; a single value has none, which is 0. */
STP_USED stp_long stp_variance(struct stp_context *c, unsigned int global, const void *statistic);
/** Samples in a bucket: 0 below the range, 1 to N, N + 1 above. Another index is an error. */
STP_USED stp_long stp_histogram_bucket(struct stp_context *c, unsigned int global, const void *statistic,
				       stp_long index);
/**
 * The bucket behind *index (negative: the first) by count, direction 1 upwards, -1 downwards; *count is its count. 0:
 * there is none.
 */
STP_USED int stp_histogram_next(struct stp_context *c, unsigned int global, const void *statistic, int direction,
				stp_long *index, stp_long *count);
/** The bar chart. */
STP_USED void stp_histogram_print(struct stp_context *c, unsigned int global, const void *statistic);
STP_USED stp_long stp_average(struct stp_context *c, const struct stp_statistic_values *values);
/** @min, @max, @avg of an empty aggregate are errors; says so and returns 0. */
STP_USED int stp_statistic_nonempty(struct stp_context *c, const struct stp_statistic_values *values);

/* ---- the probe that was hit: probe.c, procfs.c, netfilter.c, perf.c -------------------------------------------- */

STP_USED const char *stp_probe_type(struct stp_context *c);
STP_USED unsigned long stp_probe_address(struct stp_context *c);
/** $value of a procfs probe: read, set, add to. What does not fit is cut. */
STP_USED void stp_file_value(struct stp_context *c, char *to);
STP_USED void stp_file_value_set(struct stp_context *c, const char *text);
STP_USED void stp_file_value_add(struct stp_context *c, const char *text);
/** $verdict of a netfilter probe. */
STP_USED stp_long stp_verdict(struct stp_context *c);
STP_USED void stp_verdict_set(struct stp_context *c, stp_long verdict);
/** @perf: the counter with this number, as far as it belongs to this processor or the current task. */
STP_USED stp_long stp_perf_value(struct stp_context *c, unsigned int counter);

/* ---- the session: session.c, own_module.c ---------------------------------------------------------------------- */

STP_USED stp_long stp_target(void); /* pid given with -x or started by -c */
STP_USED stp_long stp_seconds_west(void); /* the time zone of staprun's user */
STP_USED const char *stp_time_zone(void); /* its name */
STP_USED stp_long stp_remote_number(void); /* of stap --remote; -1: it is none */
STP_USED const char *stp_remote_name(void);
STP_USED stp_long stp_own_pid(void); /* of staprun */
STP_USED stp_long stp_is_own_process(void); /* is the current process one of staprun's user? */
STP_USED int stp_may_see_process(struct stp_context *c); /* 0, with an error: the script is restricted to others */
STP_USED const char *stp_own_name(void); /* of the script's module */
/** Bytes of the script's module, in words. */
STP_USED void stp_own_size(char *to);

/* ---- the current task: task.c ---------------------------------------------------------------------------------- */

/*
 * Where things are in the kernel's struct task_struct, for what is so often asked for that a call would cost too much
 * (primitives.h).
 */
struct stp_task_layout {
	unsigned int tgid, pid, comm;
};
STP_USED extern const struct stp_task_layout stp_task_layout;

STP_USED stp_long stp_ppid(void);
STP_USED stp_long stp_uid(void);
STP_USED stp_long stp_euid(void);
STP_USED stp_long stp_gid(void);
STP_USED stp_long stp_egid(void);
STP_USED stp_long stp_pgrp(void);
STP_USED stp_long stp_sid(void);
STP_USED stp_long stp_user_address(void);
/** Arguments of the current process from the first to the last (all if that is smaller), with a text between them. */
STP_USED void stp_command_line(char *to, stp_long first, stp_long last, const char *between);
/** A variable of the current process's environment. */
STP_USED void stp_environment(char *to, const char *name);

/* ---- any task: task.c ------------------------------------------------------------------------------------------ */

enum stp_task_fact {
	STP_TASK_PID,
	STP_TASK_TID,
	STP_TASK_PARENT,
	STP_TASK_STATE,
	STP_TASK_PRIORITY,
	STP_TASK_NICE,
	STP_TASK_CPU,
	STP_TASK_UID,
	STP_TASK_EUID,
	STP_TASK_GID,
	STP_TASK_EGID,
	STP_TASK_USER_TIME,
	STP_TASK_SYSTEM_TIME,
	STP_TASK_START_TIME,
	STP_TASK_BLOCKED, /* bit N - 1: signal N */
	STP_TASK_GROUP, /* only in a namespace */
	STP_TASK_SESSION, /* only in a namespace */
};

/** What a struct task_struct says; an error if the address cannot be read. */
STP_USED stp_long stp_task(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
/** An id as the namespace of staprun has it; @p task 0: of the current task. 0 if it has ended. */
STP_USED stp_long stp_task_in_namespace(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
STP_USED void stp_task_name(struct stp_context *c, char *to, unsigned long task);
/** Address of the task with this id, or 0. */
STP_USED unsigned long stp_task_find(stp_long pid);
STP_USED stp_long stp_task_file_count(struct stp_context *c, unsigned long task);
STP_USED stp_long stp_task_file_limit(struct stp_context *c, unsigned long task);
enum stp_memory_fact { STP_MEMORY_SIZE, STP_MEMORY_RESIDENT, STP_MEMORY_SHARED, STP_MEMORY_CODE, STP_MEMORY_DATA };

/** Pages of a process, as /proc/PID/statm has them; @p task 0: of the current task. 0 if it has no memory. */
STP_USED stp_long stp_process_memory(struct stp_context *c, unsigned long task, enum stp_memory_fact fact);
/** Address of the struct file that a process executes, or 0; @p task 0: the current task. */
STP_USED stp_long stp_executable(struct stp_context *c, unsigned long task);
/** Address of the struct file behind a descriptor of a task, or 0. */
STP_USED unsigned long stp_task_file(struct stp_context *c, unsigned long task, stp_long number);
/** The next process id after one that is of the process @p first or of one of its descendants; 0: there is none. */
STP_USED stp_long stp_next_descendant(struct stp_context *c, stp_long first, stp_long after);

/* ---- paths of files: path.c ------------------------------------------------------------------------------------ */

/** Address of the struct path of a task's current folder, or 0. */
STP_USED unsigned long stp_task_folder(struct stp_context *c, unsigned long task);
/**
 * The path of a file as a task sees it (0: the current one), as d_path() has it; the start is cut if it is too long.
 */
STP_USED void stp_path(struct stp_context *c, char *to, unsigned long task, unsigned long dentry, unsigned long mount);
STP_USED void stp_path_of(struct stp_context *c, char *to, unsigned long task,
			  unsigned long path); /* of a struct path */
STP_USED void stp_file_path(struct stp_context *c, char *to, unsigned long task, unsigned long file);
/** The same from the root of the file system. */
STP_USED void stp_inner_path(struct stp_context *c, char *to, unsigned long dentry);
STP_USED void stp_entry_name(struct stp_context *c, char *to, unsigned long dentry);
/** Address of an inode's first dentry, or 0. */
STP_USED unsigned long stp_inode_entry(struct stp_context *c, unsigned long inode);
/** Address of the struct mount around a struct vfsmount. */
STP_USED unsigned long stp_mount(unsigned long mount);

/* ---- the kernel's stack: stack.c, backtrace.c ------------------------------------------------------------------ */

/** Hex return addresses, innermost first, separated by blanks. */
STP_USED void stp_backtrace(struct stp_context *c, char *to);
/** Addresses of the first levels + 1 frames; all if negative. */
STP_USED void stp_callers(struct stp_context *c, char *to, stp_long levels);
/** Address of a frame, 0 if there are not so many. */
STP_USED stp_long stp_stack(struct stp_context *c, stp_long level);
STP_USED void stp_task_backtrace(struct stp_context *c, char *to, unsigned long task);
STP_USED stp_long stp_stack_size(void);
STP_USED stp_long stp_stack_used(struct stp_context *c);
STP_USED void stp_print_backtrace(struct stp_context *c);
STP_USED void stp_print_backtrace_lines(struct stp_context *c);
STP_USED void stp_print_stack(struct stp_context *c, const char *addresses);
STP_USED void stp_print_symbols(struct stp_context *c, const char *addresses);

/* ---- what is at an address: symbol.c --------------------------------------------------------------------------- */

/** Symbol name of an address, or its hex text. */
STP_USED void stp_symbol_name(char *to, unsigned long address);
/** " 0xADDR : name+0xOFF/0xSIZE [module]" without the newline. */
STP_USED void stp_symbol_line(char *to, unsigned int size, unsigned long address);
/** "name+0xOFF/0xSIZE [module]" */
STP_USED void stp_symbol_data(char *to, unsigned long address);
/** "kernel" or a module's name; an error if the address is in none. */
STP_USED void stp_module_name(struct stp_context *c, char *to, unsigned long address);
enum stp_line_parts { STP_LINE_FILE = 1, STP_LINE_NUMBER = 2 };
/** File, line, or both ("fs/open.c:120") of a kernel address; the address in hexadecimal if they are not known. */
STP_USED void stp_source_line(char *to, unsigned long address, enum stp_line_parts parts);

/* ---- stacks of programs: user_stack.c, user_symbol.c ------------------------------------------------------------ */

/** Names in stp_script that a script needs what follows. */
STP_USED extern const struct stp_part stp_user_stacks;

/* What is printed of an address. */
enum stp_user_form {
	STP_USER_LINE, /* " 0xADDR : name+0xOFF/0xSIZE [path]" */
	STP_USER_LINE_AND_PLACE, /* the same with " at file:line" before the path */
	STP_USER_BRIEF, /* "name+0xOFF" */
	STP_USER_SHORT, /* "name+0xOFF [file]" */
};

/** Hexadecimal addresses of the first levels + 1 frames of the current process's stack; all if negative. */
STP_USED void stp_user_stack_text(struct stp_context *c, char *to, stp_long levels);
/** Address of a frame, 0 if there are not so many. */
STP_USED stp_long stp_user_stack_level(struct stp_context *c, stp_long level);
STP_USED void stp_user_stack_print(struct stp_context *c, enum stp_user_form form);
/** From given registers. */
STP_USED void stp_user_stack_print_from(struct stp_context *c, stp_long pc, stp_long sp, stp_long fp,
					enum stp_user_form form);
/** Of addresses in a text. */
STP_USED void stp_user_stack_print_text(struct stp_context *c, const char *addresses, enum stp_user_form form);
/** Its name; the address in hexadecimal if there is none. */
STP_USED void stp_user_symbol_name(struct stp_context *c, char *to, unsigned long address);
/** "name+0xOFF/0xSIZE [path]" */
STP_USED void stp_user_symbol_data(struct stp_context *c, char *to, unsigned long address);
/** The path of the file that is mapped there; an error if there is none. */
STP_USED void stp_user_symbol_module(struct stp_context *c, char *to, unsigned long address);
/** The address as the file was linked; an error if it is in none, or its table is not known. */
STP_USED stp_long stp_user_symbol_offset(struct stp_context *c, unsigned long address);
STP_USED void stp_user_symbol_build_id(struct stp_context *c, char *to, unsigned long address);
/** As stp_source_line(). */
STP_USED void stp_user_symbol_line(struct stp_context *c, char *to, unsigned long address, enum stp_line_parts parts);

/* ---- clocks: clock.c ------------------------------------------------------------------------------------------- */

STP_USED stp_long stp_time_ns(void); /* CLOCK_REALTIME */
STP_USED stp_long stp_monotonic_ns(void);
STP_USED stp_long stp_jiffies(void);
STP_USED stp_long stp_hz(void);
STP_USED stp_long stp_cycles(void);
/** Clock of a processor, in nanoseconds; an error if there is no such processor. */
STP_USED stp_long stp_cpu_clock(struct stp_context *c, stp_long cpu);
STP_USED stp_long stp_local_clock(void); /* of this one */
/** Guru mode: time that passes. */
STP_USED void stp_delay(struct stp_context *c, stp_long microseconds);

/* ---- the machine: machine.c ------------------------------------------------------------------------------------ */

STP_USED stp_long stp_cpu(void);
/* Where the per-CPU variables of a processor are, from where they were linked; cpu -1 is this one. */
STP_USED stp_long stp_percpu_offset(struct stp_context *c, stp_long cpu);
/** One of three, in hundredths. */
STP_USED stp_long stp_load_average(stp_long index);
STP_USED stp_ulong stp_random(void);

/* ---- the kernel's log, and signals: kernel_log.c, signal.c ----------------------------------------------------- */

STP_USED void stp_ftrace(const char *text); /* a line in the kernel's trace buffer */
STP_USED void stp_dump_stack(void); /* to the kernel's log */
/** Guru mode. A line of the kernel's log; the end of the machine; a signal to the current process. */
STP_USED void stp_printk(stp_long level, const char *text);
STP_USED void stp_panic(const char *text);
STP_USED void stp_raise(struct stp_context *c, stp_long number);

#endif
