/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime's functions that generated code, the tapset and embedded C call, by topic; each topic names the files
 * that define them. At its start are the two functions of the script that the runtime calls.
 *
 * A handler may call them in any context (task, interrupt, NMI). Those that read user memory sleep only where the
 * handler may. A "to" buffer has MAXSTRINGLEN bytes, NUL included. "Fail" means: set the handler's pending error.
 */
#ifndef SPILE_RUNTIME_SERVICES_H
#define SPILE_RUNTIME_SERVICES_H

#include "runtime/abi/layout.h"

struct stp_context;
struct stp_map;
struct stp_regex;

/*
 * Marks what scripts use. The runtime is compiled with -fwhole-program, which may inline or drop everything else.
 */
#if __has_attribute(externally_visible)
#define STP_USED __attribute__((externally_visible))
#else
#define STP_USED
#endif

/* ---- what the script defines for the runtime --------------------------------------------------------------------- */

extern const struct stp_script stp_script;

/**
 * Run handler @p light of those that only add to integer globals, with one atomic operation each. They cannot fail and
 * need no context, which would cost several times as much as the handler. Emitted by the translator.
 */
STP_USED void stp_run_light(unsigned int light);

/** Run the handler of an event. Emitted by the translator, which calls the first few directly instead of by pointer. */
STP_USED void stp_run_handler(void (*handler)(struct stp_context *), struct stp_context *c);

/* ---- errors, and the end of the script: core/handler_error.c, core/session.c ------------------------------------- */

/** Set the handler's pending error, unless one is pending. */
STP_USED void stp_error(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Set the error that a limit was reached. @p hint, a static string, says how to raise it. */
STP_USED void stp_limit_error(struct stp_context *c, const char *text, const char *hint);
/** Record that the pending error left a function called at @p place, a static string (see struct stp_error_call). */
STP_USED void stp_error_called(struct stp_context *c, const char *place);
/** Set the error that a load of a $variable or @cast from kernel memory faulted. */
STP_USED void stp_fault(struct stp_context *c, unsigned long address);
/** Set the error that a load from user memory faulted. */
STP_USED void stp_user_fault(struct stp_context *c, unsigned long address);
/** Set the error that the handler executed more than MAXACTION statements. */
STP_USED void stp_too_many_actions(struct stp_context *c);
/** Move the pending error's text to @p to, for catch. Return 0 if it is that of stp_abort(), which cannot be caught. */
STP_USED int stp_catch(struct stp_context *c, char *to);
/** End the session after the running handlers. */
STP_USED void stp_exit(void);
/** End the session, with an exit status of 0 to 255. The first status that is not 0 is kept. */
STP_USED void stp_exit_with(stp_long status);
/** Do the same as stp_exit() and end this handler, by a pending error that cannot be caught and is not reported. */
STP_USED void stp_abort(struct stp_context *c);

/** Divide; fail if @p right is 0. The quotient of the smallest number and -1 wraps. */
STP_USED stp_long stp_divide(struct stp_context *c, stp_long left, stp_long right);
STP_USED stp_long stp_modulo(struct stp_context *c, stp_long left, stp_long right);

/* ---- addresses of this boot and of processes: core/target.c, user/process_address.c ------------------------------ */

/** Return the relocated address of @p offset in target @p target (0: the kernel), or 0 if its module is not loaded. */
STP_USED unsigned long stp_address(unsigned int target, unsigned long offset);
/**
 * Return the address of @p offset in the current process, or its thread pointer, below which thread-local variables
 * are. Fail unless the process runs the executable that is target @p target.
 */
STP_USED stp_long stp_process_address(struct stp_context *c, unsigned int target, unsigned long offset);
STP_USED stp_long stp_thread_pointer(struct stp_context *c, unsigned int target);
/** Return the thread pointer without checking which executable the process runs. */
STP_USED stp_long stp_own_thread_pointer(void);

/* ---- the kernel's memory: library/kernel_memory.c, text/print.c -------------------------------------------------- */

/** Store 1, 2, 4 or 8 bytes to kernel memory; fail on a fault. */
STP_USED void stp_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
/** Copy a kernel string, at most @p size bytes with the NUL. Return 0 on a fault; @p to is "" then. */
STP_USED int stp_copy_kernel_string(char *to, unsigned long from, unsigned int size);
/** Return the NUMA node of an address in the kernel's direct mapping; fail if no memory is there. */
STP_USED stp_long stp_memory_node(struct stp_context *c, unsigned long address);

/* ---- memory of programs in D: library/script_memory.c ------------------------------------------------------------ */

/** Free what stp_scratch_take() has given to this handler. */
STP_USED void stp_scratch_begin(struct stp_context *c);
/** Clear the first bytes of the frame, and return the address at an offset in it. */
STP_USED stp_long stp_scratch_frame(struct stp_context *c, unsigned int offset, unsigned int cleared);
/** Return cleared memory; fail if the handler has more than @p limit bytes then. */
STP_USED stp_long stp_scratch_take(struct stp_context *c, stp_long size, stp_long limit);
/** Return the address of a global variable. */
STP_USED stp_long stp_scratch_global(unsigned int offset);
/**
 * Return a cleared block; the first @p reserved bytes of the area are those of globals. Without memory, count a dropped
 * element and return 0.
 */
STP_USED stp_long stp_scratch_block(struct stp_context *c, stp_long size, unsigned int reserved);
/** Return cleared memory of the context for an element that was dropped, at most STP_DROPPED_SIZE bytes. */
STP_USED stp_long stp_scratch_dropped(struct stp_context *c, stp_long size);
STP_USED void stp_scratch_block_free(unsigned long address, stp_long size);
/** Store to memory of the program; the following fail if the address is not in it. */
STP_USED void stp_scratch_store(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
STP_USED void stp_scratch_store_bits(struct stp_context *c, unsigned long address, unsigned int size,
				     unsigned int shift, unsigned int width, stp_long value);
/** Store a text and its NUL; with @p fills, fill the rest with zeros. */
STP_USED void stp_scratch_store_text(struct stp_context *c, unsigned long address, stp_long size, const char *text,
				     int fills);
STP_USED void stp_scratch_copy(struct stp_context *c, unsigned long from, unsigned long to, stp_long size, int of_user);

/* ---- the current process's memory: user/memory.c ----------------------------------------------------------------- */

/** Return the low 64 bits of vector register @p number (0: xmm0) of the current process in user mode. */
STP_USED stp_ulong stp_vector_register(struct stp_context *c, unsigned int number);
/** Load like stp_load(). A page that is not present counts as a fault where the handler must not sleep. */
STP_USED stp_ulong stp_load_user(unsigned long address, unsigned int size, int *fault);
/** Store 1, 2, 4 or 8 bytes to user memory; the first returns 0 on a fault, the second fails. */
STP_USED int stp_write_user(unsigned long address, unsigned int size, stp_long value);
STP_USED void stp_store_user(struct stp_context *c, unsigned long address, unsigned int size, stp_long value);
/** Return a register that the current process had when it entered the kernel; 0 in a kernel thread. */
STP_USED unsigned long stp_user_register(struct stp_context *c, unsigned int word);
/** Return the size of a long in the current process, 4 or 8. */
STP_USED stp_long stp_user_long_size(void);
/** Copy a string like stp_copy_kernel_string(), from user memory. */
STP_USED int stp_copy_user_string(char *to, unsigned long from, unsigned int size);
/** Convert a string of 2- or 4-byte characters (@p size) to UTF-8; fail on a fault or an invalid character. */
STP_USED void stp_copy_wide_string(struct stp_context *c, char *to, unsigned long from, unsigned int size, int of_user);
/** Quote memory, at most @p most characters. Return 0, or the address that cannot be read. */
STP_USED unsigned long stp_quote_memory(char *to, unsigned long from, stp_long length, stp_long most, int of_user);

/* ---- the call under way: probes/kretprobe.c ---------------------------------------------------------------------- */

/**
 * Return a register as it was at the entry of a function. @p recorder says which function; @p place, the address of the
 * return address on the stack, says which of the current task's calls. Set *fault if no probe saw that entry.
 */
STP_USED stp_ulong stp_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault);
/** Return whether the entry of that call was seen. */
STP_USED int stp_entry_known(unsigned int recorder, unsigned long place);
/* The same for functions of programs (user/calls.c). */
STP_USED stp_ulong stp_user_entry_register(unsigned int recorder, unsigned long place, unsigned int word, int *fault);
STP_USED int stp_user_entry_known(unsigned int recorder, unsigned long place);
/** Set the error that the entry was not seen. */
STP_USED void stp_entry_unknown(struct stp_context *c, unsigned int recorder);
/**
 * Return the return address stored at @p place on the stack, or 0 if it cannot be read. If a return probe has replaced
 * it, this is the original one.
 */
STP_USED stp_ulong stp_return_address(unsigned long place);
/** Do the same on the user stack of the current process. */
STP_USED stp_ulong stp_user_return_address(unsigned long place);
/**
 * The same for architectures whose calls leave the return address in a register: return @p address, from there or from
 * the stack, without its authentication code. If a return probe has replaced it, this is the original one. @p call
 * identifies the call (struct kretprobe_instance, fp; struct return_instance, stack).
 */
STP_USED stp_ulong stp_link_address(unsigned long call, unsigned long address);
STP_USED stp_ulong stp_user_link_address(unsigned long call, unsigned long address);

/* ---- registers and arguments: library/registers.c ---------------------------------------------------------------- */

STP_USED int stp_registers_valid(struct stp_context *c);
STP_USED int stp_user_mode(struct stp_context *c);
/** Return a register by its assembler name; a 32-bit one is sign-extended if @p is_signed. Fail if it is unknown. */
STP_USED stp_long stp_named_register(struct stp_context *c, const char *name, int is_signed);
/** Return a word of the registers with which the current task entered the kernel (struct pt_regs). */
STP_USED stp_long stp_task_register(struct stp_context *c, stp_long index);
STP_USED stp_long stp_return_register(struct stp_context *c);
/** Return or set argument @p number (from 1) of the probed function, by the calling convention. */
STP_USED stp_long stp_argument(struct stp_context *c, stp_long number);
STP_USED void stp_set_argument(struct stp_context *c, stp_long number, stp_long value);
/** Set a register of the probed context. Do nothing if the probe has no registers. */
STP_USED void stp_set_register(struct stp_context *c, unsigned int word, stp_long value);
/** Print the registers, or nothing if the probe has none. */
STP_USED void stp_print_registers(struct stp_context *c);

/* ---- system calls, in handlers of process.syscall and process.syscall.return: probes/process.c ------------------- */

STP_USED stp_long stp_syscall_number(struct stp_context *c);
/** Return argument @p number (from 1); fail if there are fewer. */
STP_USED stp_long stp_syscall_argument(struct stp_context *c, stp_long number);
STP_USED stp_long stp_syscall_result(struct stp_context *c);

/* ---- the same by name, in handlers of syscall.*: syscall/ -------------------------------------------------------- */

/** Return the name of a system call of the current program (32 or 64 bits), or STP_NULL. */
STP_USED const char *stp_syscall_name(stp_long number);
/** The same as the kernel's list of tracepoints has it: "newstat" for "stat". */
STP_USED const char *stp_syscall_function(stp_long number);
/** Return the number of a system call, or -1. */
STP_USED stp_long stp_syscall_number_of(const char *name);
/** Return the name, the result, and the format of the result (for return_str()) of the system call that was hit. */
STP_USED const char *stp_syscall_row_name(struct stp_context *c);
STP_USED stp_long stp_syscall_row_result(struct stp_context *c);
STP_USED stp_long stp_syscall_row_format(struct stp_context *c);
/** Return an argument, or a part of one, by its index in the call's row: as a number, formatted, or a string as is. */
STP_USED stp_long stp_syscall_item_number(struct stp_context *c, stp_long index);
STP_USED void stp_syscall_item_text(struct stp_context *c, char *to, stp_long index);
STP_USED void stp_syscall_item_raw(struct stp_context *c, char *to, stp_long index);
/** Format all arguments, for argstr. */
STP_USED void stp_syscall_arguments(struct stp_context *c, char *to);
/** Format flags of open(2). */
STP_USED void stp_syscall_open_flags(char *to, stp_long flags);

/* ---- strings: library/string.c, text/print.c, text/quote.c ------------------------------------------------------- */

/** Return MAXSTRINGLEN. */
STP_USED unsigned int stp_string_size(void);
/** Copy, cut to MAXSTRINGLEN; @p to and @p from may be the same. */
STP_USED void stp_copy(char *to, const char *from);
STP_USED void stp_concat(char *to, const char *left, const char *right);
/** Format like snprintf(), cut to MAXSTRINGLEN. */
STP_USED void stp_format(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Quote with C escape sequences; a cut string ends in "\"...". @p to and @p from must be different. */
STP_USED void stp_quote(char *to, const char *from);
/** Do the same in at most @p most characters, quotes included. */
STP_USED void stp_quote_within(char *to, const char *from, stp_long most);
STP_USED int stp_compare(const char *left, const char *right);
/** Write the C escape sequence of a byte, without a NUL. Return its length, 1 to 4. */
STP_USED unsigned int stp_escape(char *to, unsigned char byte);

/* For the tapset's string functions. @p to must not be one of the arguments. */
STP_USED void stp_substr(char *to, const char *text, stp_long start, stp_long length);
STP_USED stp_long stp_string_at(struct stp_context *c, const char *text, stp_long position);
/** Return the index of the first @p part, or -1. */
STP_USED stp_long stp_string_position(const char *text, const char *part);
STP_USED void stp_string_replace(char *to, const char *text, const char *part, const char *by);
STP_USED stp_long stp_string_number(const char *text, stp_long base);
/** Quote as JSON, cut after a whole character. */
STP_USED void stp_quote_json(char *to, const char *from);
/**
 * Return a SipHash of a text. Choosing texts with equal hashes requires the random @p key, so the hashes of some
 * thousand texts differ.
 */
STP_USED stp_ulong stp_keyed_hash(const stp_ulong key[2], const char *text, unsigned int length);
/** Escape, at most @p most bytes (0: MAXSTRINGLEN). If @p quoted, add quotes, and "..." after a cut string. */
STP_USED void stp_text(char *to, const char *text, stp_long most, int quoted);
/** Return the next token of @p input, or of the last input if it is "". Needs stp_script.keeps_tokens. */
STP_USED void stp_tokenize(struct stp_context *c, char *to, const char *input, const char *delimiters);

/* ---- floating-point numbers, passed as the bits of a double: library/float.c ------------------------------------- */

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
/** Return 0 if the text is not a number. */
STP_USED int stp_float_from_text(const char *text, stp_long *ret);
/** Format with @p precision digits after the decimal point. */
STP_USED void stp_float_to_text(stp_long number, stp_long precision, char *to);

/* ---- regular expressions: library/regex.c ------------------------------------------------------------------------ */

/** Match for =~. Record the groups if the script uses matched() or ngroups() anywhere. */
STP_USED int stp_regex_match(struct stp_context *c, const struct stp_regex *regex, const char *text);
/** Copy a group of the last match; fail if there was no match or it has no such group. */
STP_USED void stp_matched(struct stp_context *c, char *to, stp_long group);
STP_USED stp_long stp_group_count(struct stp_context *c);

/* ---- output: core/handler_output.c, text/print.c ----------------------------------------------------------------- */

STP_USED void stp_print(struct stp_context *c, const char *text, unsigned int length);
/** Print the first @p length bytes of @p text, which a NUL terminates, quoted as JSON; nothing is cut. */
STP_USED void stp_print_json(struct stp_context *c, const char *text, unsigned int length);
/**
 * Begin a text of at most @p size bytes that must not be torn: it will be in one record, which is lost as a whole.
 */
STP_USED void stp_print_together(struct stp_context *c, unsigned int size);
/** Print in the kernel's printf format, at most 511 bytes. For embedded C. */
STP_USED void stp_printf(struct stp_context *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* In all the following, flags are of enum stp_format_flags. */
STP_USED void stp_print_string(struct stp_context *c, const char *text, unsigned int flags, stp_long width,
			       stp_long precision);
/** Print in base 8, 10 or 16. */
STP_USED void stp_print_number(struct stp_context *c, stp_long value, unsigned int base, unsigned int flags,
			       stp_long width, stp_long precision);
STP_USED void stp_print_character(struct stp_context *c, stp_long value, unsigned int flags, stp_long width);
/** Print the low 1, 2, 4 or 8 bytes of @p value, little-endian (%b) or big-endian (%B). */
STP_USED void stp_print_binary(struct stp_context *c, stp_long value, stp_long width, int is_big_endian);
/** Print kernel (STP_ALTERNATE: user) memory as it is (%m) or in hex (%M); fail on a fault. */
STP_USED void stp_print_memory(struct stp_context *c, unsigned long address, stp_long length, int hex,
			       unsigned int flags, stp_long width);
/** Redirect what is printed to a buffer of MAXSTRINGLEN bytes until stp_sink_end(). */
STP_USED void stp_sink_begin(struct stp_context *c, char *buffer);
STP_USED void stp_sink_end(struct stp_context *c);
/** Print in the handler that is running on this CPU, or else to the kernel's log. */
STP_USED void stp_print_here(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Send what the handler has printed so far. */
STP_USED void stp_flush_here(void);
enum stp_report { STP_REPORT_WARNING, STP_REPORT_ERROR, STP_REPORT_SOFT_ERROR, STP_REPORT_DEBUG, STP_REPORT_COUNT_ };
/** Report to standard error, in the running handler or else to the kernel's log. STP_REPORT_ERROR ends the script. */
STP_USED void stp_report_here(enum stp_report report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Send a text to standard error as it is, after the output of the handler so far. */
STP_USED void stp_message(struct stp_context *c, const char *text);
/** Send messages about the elements that were dropped since the last call (stp_script.drops_elements). */
STP_USED void stp_report_drops(struct stp_context *c);
/** Remember how much the handler has printed. */
STP_USED void stp_output_mark(struct stp_context *c);
/** Drop what was printed since the mark, unless a part of it was already sent because it filled the buffer. */
STP_USED void stp_output_rewind(struct stp_context *c);
/** Move the first bytes since the mark to @p to, as many as fit; "" if none are left. */
STP_USED void stp_output_take(struct stp_context *c, char *to);
/** Print a line, and send it at once. */
STP_USED void stp_log(struct stp_context *c, const char *text);
STP_USED void stp_warn(struct stp_context *c, const char *text);
/** Make staprun begin a new output file before what is printed next. */
STP_USED void stp_switch_file(struct stp_context *c);
/** From here on, make staprun write to the file @p name, as its user; "": to where it wrote at first. */
STP_USED void stp_reopen_output(struct stp_context *c, const char *name);
/** Make staprun empty the file that it writes to. */
STP_USED void stp_truncate_output(struct stp_context *c);
/** Make staprun run a shell command after the handler. */
STP_USED void stp_system(struct stp_context *c, const char *command);

/* ---- globals and their locks: core/lock.c, core/condition.c ------------------------------------------------------ */

/* Reader-writer lock of one global; see core/lock.c. */
enum stp_lock_mode { STP_LOCK_READ, STP_LOCK_WRITE };
struct stp_lock_use {
	unsigned short global;
	unsigned char mode;
};

/** Take the locks of a handler's region, in the table's order. Return 0 on contention: the handler must then end. */
STP_USED int stp_lock(struct stp_context *c, const struct stp_lock_use *uses, unsigned int count);
STP_USED void stp_unlock(struct stp_context *c);
/** Reevaluate the conditions of probes; called after writing a global that they depend on. */
STP_USED void stp_conditions_changed(void);

/* ---- arrays: data/map.c ------------------------------------------------------------------------------------------ */

STP_USED stp_long stp_map_get_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
STP_USED const char *stp_map_get_string(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Return the slot of an element, created if missing; fail with NULL if the array is full. Needs the write lock. */
STP_USED stp_long *stp_map_slot_long(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Add to an element, created if missing, without a lock. @p map must be that of a global whose only_fed is set. */
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

/** Return where in the map's order array the positions of the foreach loop at nesting level @p walk begin. */
STP_USED unsigned int stp_map_walk(const struct stp_map *map, unsigned int walk);

/**
 * Sort the elements of a map for the foreach loop at nesting level @p walk.
 *
 * @param[in] slice, wildcards Only elements with these keys, except those in the bits of @p wildcards; NULL: all.
 * @param[in] column 0 to sort by value, N by key N.
 * @param[in] direction -1 descending, 1 ascending, 0 in order of insertion. -2 and 2: the same, and elements of equal
 *            rank are sorted by their keys; else they are in order of insertion.
 * @param[in] statistic enum stp_sort_statistic, for aggregates.
 * @return The number of elements. The caller must hold the map's write lock for the whole loop, because the order array
 *         belongs to the map.
 */
STP_USED unsigned int stp_map_order(struct stp_context *c, struct stp_map *map, unsigned int walk,
				    const union stp_value *slice, unsigned int wildcards, int column, int direction,
				    int statistic);
STP_USED stp_long stp_map_order_key_long(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED const char *stp_map_order_key_string(struct stp_map *map, unsigned int position, unsigned int key);
STP_USED stp_long stp_map_order_value_long(struct stp_map *map, unsigned int position);
STP_USED const char *stp_map_order_value_string(struct stp_map *map, unsigned int position);

/* ---- statistics: data/statistic.c, data/map.c -------------------------------------------------------------------- */

/* "<<<": take the locks they need unless the handler already holds the global's lock. */
STP_USED void stp_map_aggregate(struct stp_context *c, unsigned int global, struct stp_map *map,
				const union stp_value *keys, stp_long value);
STP_USED void stp_aggregate(struct stp_context *c, unsigned int global, void *statistic, stp_long value);
/** Read the statistics of an element, all zero if it is missing; return whether it exists. Needs the lock. */
STP_USED int stp_map_statistic(struct stp_context *c, struct stp_map *map, const union stp_value *keys,
			       struct stp_statistic_values *values);
STP_USED void stp_statistic(struct stp_context *c, unsigned int global, void *statistic,
			    struct stp_statistic_values *values);
STP_USED void stp_statistic_clear(struct stp_context *c, unsigned int global, void *statistic);
/** Return the aggregate of an element for the functions below, or NULL. */
STP_USED void *stp_map_aggregate_of(struct stp_context *c, struct stp_map *map, const union stp_value *keys);
/** Return the variance of a nonempty aggregate; 0 for a single value. */
STP_USED stp_long stp_variance(struct stp_context *c, unsigned int global, const void *statistic);
/** Return the count of a bucket: 0 is below the range, N + 1 above it. Fail for any other index outside 1 to N. */
STP_USED stp_long stp_histogram_bucket(struct stp_context *c, unsigned int global, const void *statistic,
				       stp_long index);
/**
 * Find the next bucket in the order of counts, ascending (@p direction 1) or descending (-1). Start at the first if
 * *index is negative. Return 0 after the last one.
 */
STP_USED int stp_histogram_next(struct stp_context *c, unsigned int global, const void *statistic, int direction,
				stp_long *index, stp_long *count);
/** Print the histogram as a bar chart. */
STP_USED void stp_histogram_print(struct stp_context *c, unsigned int global, const void *statistic);
STP_USED stp_long stp_average(struct stp_context *c, const struct stp_statistic_values *values);
/** Fail and return 0 for an empty aggregate, which has no @min, @max or @avg. */
STP_USED int stp_statistic_nonempty(struct stp_context *c, const struct stp_statistic_values *values);

/* ---- the probe that was hit: library/hit_info.c, probes/ --------------------------------------------------------- */

STP_USED const char *stp_probe_type(struct stp_context *c);
STP_USED unsigned long stp_probe_address(struct stp_context *c);
/** Read, set or append to $value of a procfs probe; text that does not fit is cut. */
STP_USED void stp_file_value(struct stp_context *c, char *to);
STP_USED void stp_file_value_set(struct stp_context *c, const char *text);
STP_USED void stp_file_value_add(struct stp_context *c, const char *text);
/** Read or set $verdict of a netfilter probe. */
STP_USED stp_long stp_verdict(struct stp_context *c);
STP_USED void stp_verdict_set(struct stp_context *c, stp_long verdict);
/** Read a perf counter, for @perf. It counts for this CPU or the current task. */
STP_USED stp_long stp_perf_value(struct stp_context *c, unsigned int counter);

/* ---- the session: control/control.c, library/own_module.c -------------------------------------------------------- */

STP_USED stp_long stp_target(void); /* pid given with -x, or of the command of -c */
STP_USED stp_long stp_seconds_west(void); /* of UTC, in the time zone of staprun's user */
STP_USED const char *stp_time_zone(void); /* the name of that time zone */
STP_USED stp_long stp_remote_number(void); /* of stap --remote; -1 without it */
STP_USED const char *stp_remote_name(void);
STP_USED stp_long stp_own_pid(void); /* of staprun */
STP_USED stp_long stp_is_own_process(void); /* whether the current process belongs to staprun's user */
STP_USED int stp_may_see_process(struct stp_context *c); /* fails if the script's privilege excludes the process */
STP_USED const char *stp_own_name(void); /* of the script's module */
/** Describe the size of the script's module. */
STP_USED void stp_own_size(char *to);

/* ---- the current task: library/task.c ---------------------------------------------------------------------------- */

/* Offsets in struct task_struct, for fields that are read inline (primitives.h) because a call would cost too much. */
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
/** Return the number of the system call in which the current task is, or 0. */
STP_USED stp_long stp_system_call_of_task(void);
/** Join the arguments of the current process from @p first to @p last (to the end if that is smaller). */
STP_USED void stp_command_line(char *to, stp_long first, stp_long last, const char *between);
/** Copy a variable of the current process's environment. */
STP_USED void stp_environment(char *to, const char *name);

/* ---- any task: library/task.c ------------------------------------------------------------------------------------ */

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

/** Return a property of a task by the address of its struct task_struct; fail if that cannot be read. */
STP_USED stp_long stp_task(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
/** Return an id in staprun's PID namespace, or 0 if the task has ended. */
STP_USED stp_long stp_task_in_namespace(struct stp_context *c, unsigned long task, enum stp_task_fact fact);
STP_USED void stp_task_name(struct stp_context *c, char *to, unsigned long task);
/** Return the address of the task with this id, or 0. */
STP_USED unsigned long stp_task_find(stp_long pid);
STP_USED stp_long stp_task_file_count(struct stp_context *c, unsigned long task);
STP_USED stp_long stp_task_file_limit(struct stp_context *c, unsigned long task);
enum stp_memory_fact { STP_MEMORY_SIZE, STP_MEMORY_RESIDENT, STP_MEMORY_SHARED, STP_MEMORY_CODE, STP_MEMORY_DATA };

/** Return a count of pages as in /proc/PID/statm, or 0 without memory. */
STP_USED stp_long stp_process_memory(struct stp_context *c, unsigned long task, enum stp_memory_fact fact);
/** Return the address of the struct file that a process executes, or 0. */
STP_USED stp_long stp_executable(struct stp_context *c, unsigned long task);
/** Return the address of the struct file of a descriptor of a task, or 0. */
STP_USED unsigned long stp_task_file(struct stp_context *c, unsigned long task, stp_long number);
/** Return the next id above @p after among process @p first and its descendants, or 0. */
STP_USED stp_long stp_next_descendant(struct stp_context *c, stp_long first, stp_long after);

/* ---- paths of files: library/path.c ------------------------------------------------------------------------------ */

/** Return the address of the struct path of a task's working directory, or 0. */
STP_USED unsigned long stp_task_directory(struct stp_context *c, unsigned long task);
/**
 * Format the path of a file like d_path(), as a task (0: the current one) sees it. A path that is too long loses its
 * beginning. The file is given by dentry and mount, by a struct path, or by a struct file.
 */
STP_USED void stp_path(struct stp_context *c, char *to, unsigned long task, unsigned long dentry, unsigned long mount);
STP_USED void stp_path_of(struct stp_context *c, char *to, unsigned long task, unsigned long path);
STP_USED void stp_file_path(struct stp_context *c, char *to, unsigned long task, unsigned long file);
/** Do the same from the root of the file system. */
STP_USED void stp_inner_path(struct stp_context *c, char *to, unsigned long dentry);
STP_USED void stp_entry_name(struct stp_context *c, char *to, unsigned long dentry);
/** Return the address of an inode's first dentry, or 0. */
STP_USED unsigned long stp_inode_entry(struct stp_context *c, unsigned long inode);
/** Return the address of the struct mount that contains a struct vfsmount. */
STP_USED unsigned long stp_mount(unsigned long mount);

/* ---- control groups: library/cgroup.c ---------------------------------------------------------------------------- */

/** Write the path of a task's control group; "" if the kernel has none. */
STP_USED void stp_cgroup_path(struct stp_context *c, char *to, unsigned long task);
/** Return its number, which is the inode number of its directory; 0 if the kernel has none. */
STP_USED stp_long stp_cgroup_id(struct stp_context *c, unsigned long task);
/** Write the id of the container, and the UID of the pod, that the path names; "" if it names none. */
STP_USED void stp_container_id(struct stp_context *c, char *to, unsigned long task);
STP_USED void stp_pod_uid(struct stp_context *c, char *to, unsigned long task);

/* ---- the kernel's stack: library/stack.c, library/backtrace.c ---------------------------------------------------- */

/** Format the return addresses in hex, innermost first, separated by blanks. */
STP_USED void stp_backtrace(struct stp_context *c, char *to);
/** Format the first @p levels + 1 of them; all if negative. */
STP_USED void stp_callers(struct stp_context *c, char *to, stp_long levels);
/** Return the address of frame @p level, or 0 if there are fewer. */
STP_USED stp_long stp_stack(struct stp_context *c, stp_long level);
STP_USED void stp_task_backtrace(struct stp_context *c, char *to, unsigned long task);
STP_USED stp_long stp_stack_size(void);
STP_USED stp_long stp_stack_used(struct stp_context *c);
STP_USED void stp_print_backtrace(struct stp_context *c);
STP_USED void stp_print_backtrace_lines(struct stp_context *c);
STP_USED void stp_print_stack(struct stp_context *c, const char *addresses);
STP_USED void stp_print_symbols(struct stp_context *c, const char *addresses);

/* ---- symbols of the kernel: library/symbol.c, text/source_line.c ------------------------------------------------- */

/** Write the name of the symbol at an address, or the address in hex. */
STP_USED void stp_symbol_name(char *to, unsigned long address);
/** Write " 0xADDR : name+0xOFF/0xSIZE [module]", without a newline. */
STP_USED void stp_symbol_line(char *to, unsigned int size, unsigned long address);
/** Write "name+0xOFF/0xSIZE [module]". */
STP_USED void stp_symbol_data(char *to, unsigned long address);
/** Write "kernel" or the name of the module at an address; fail outside of the kernel and modules. */
STP_USED void stp_module_name(struct stp_context *c, char *to, unsigned long address);
enum stp_line_parts { STP_LINE_FILE = 1, STP_LINE_NUMBER = 2 };
/** Write file, line, or both ("fs/open.c:120") of a kernel address, or the address in hex if unknown. */
STP_USED void stp_source_line(char *to, unsigned long address, enum stp_line_parts parts);

/* ---- stacks of programs: user/stacks/walk.c, user/stacks/symbols.c ----------------------------------------------- */

/** The part of the runtime that the functions below need; scripts that use them name it in stp_script. */
STP_USED extern const struct stp_part stp_user_stacks;

/* How an address is printed. */
enum stp_user_form {
	STP_USER_LINE, /* " 0xADDR : name+0xOFF/0xSIZE [path]" */
	STP_USER_LINE_AND_PLACE, /* the same with " at file:line" before the path */
	STP_USER_BRIEF, /* "name+0xOFF" */
	STP_USER_SHORT, /* "name+0xOFF [file]" */
};

/** Format in hex the addresses of the first @p levels + 1 frames of the user stack; all if negative. */
STP_USED void stp_user_stack_text(struct stp_context *c, char *to, stp_long levels);
/** Return the address of frame @p level, or 0 if there are fewer. */
STP_USED stp_long stp_user_stack_level(struct stp_context *c, stp_long level);
STP_USED void stp_user_stack_print(struct stp_context *c, enum stp_user_form form);
/** Print the stack that begins with these registers. */
STP_USED void stp_user_stack_print_from(struct stp_context *c, stp_long pc, stp_long sp, stp_long fp,
					enum stp_user_form form);
/** Print the addresses in a text. */
STP_USED void stp_user_stack_print_text(struct stp_context *c, const char *addresses, enum stp_user_form form);
/** Write the name of the symbol at an address, or the address in hex. */
STP_USED void stp_user_symbol_name(struct stp_context *c, char *to, unsigned long address);
/** Write "name+0xOFF/0xSIZE [path]". */
STP_USED void stp_user_symbol_data(struct stp_context *c, char *to, unsigned long address);
/** Write the path of the file that is mapped at an address; fail if no file is. */
STP_USED void stp_user_symbol_module(struct stp_context *c, char *to, unsigned long address);
/** Return the link-time address in the file that is mapped there; fail if it or its table is unknown. */
STP_USED stp_long stp_user_symbol_offset(struct stp_context *c, unsigned long address);
STP_USED void stp_user_symbol_build_id(struct stp_context *c, char *to, unsigned long address);
/** Write the source line like stp_source_line(). */
STP_USED void stp_user_symbol_line(struct stp_context *c, char *to, unsigned long address, enum stp_line_parts parts);

/* ---- clocks: library/clock.c ------------------------------------------------------------------------------------- */

STP_USED stp_long stp_time_ns(void); /* CLOCK_REALTIME */
STP_USED stp_long stp_monotonic_ns(void);
STP_USED stp_long stp_jiffies(void);
STP_USED stp_long stp_hz(void);
STP_USED stp_long stp_cycles(void);
/** Return the number of the package (socket) of a CPU; fail if there is no such CPU. */
STP_USED stp_long stp_cpu_package(struct stp_context *c, stp_long cpu);
/** Return the clock of a CPU in nanoseconds; fail if there is no such CPU. */
STP_USED stp_long stp_cpu_clock(struct stp_context *c, stp_long cpu);
STP_USED stp_long stp_local_clock(void); /* of this CPU */
/** Busy-wait. Only in guru mode. */
STP_USED void stp_delay(struct stp_context *c, stp_long microseconds);

/* ---- the machine: library/cpu.c ---------------------------------------------------------------------------------- */

STP_USED stp_long stp_cpu(void);
/** Return the offset of per-CPU variables of a CPU from their link-time addresses; @p cpu -1 is this CPU. */
STP_USED stp_long stp_percpu_offset(struct stp_context *c, stp_long cpu);
/** Return load average 0, 1 or 2 in hundredths. */
STP_USED stp_long stp_load_average(stp_long index);
STP_USED stp_ulong stp_random(void);
STP_USED stp_long stp_online_cpus(void);
/** Return the size of a page in bytes. */
STP_USED stp_long stp_page_size(void);

/* ---- the kernel's log, and signals: library/kernel_log.c, library/signal.c --------------------------------------- */

/** Write a line to ftrace's buffer. */
STP_USED void stp_ftrace(const char *text);
/** Write the stack to the kernel's log. */
STP_USED void stp_dump_stack(void);
/* Only in guru mode. stp_raise() sends a signal to the current process. */
STP_USED void stp_printk(stp_long level, const char *text);
STP_USED void stp_panic(const char *text);
STP_USED void stp_raise(struct stp_context *c, stp_long number);

#endif
