/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merge the trace files of all CPUs into one stream of records; see merge.c. */
#ifndef SPILE_STAPRUN_MERGE_H
#define SPILE_STAPRUN_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/error.h"
#include "runtime/abi/protocol.h"

struct merge;

/** Called for each record in order; @p payload (record->length bytes) is valid only during the call. */
typedef void merge_emit_t(void *data, const struct stp_record *record, const char *payload);

struct merge *merge_new(merge_emit_t *emit, void *data);
void merge_free(struct merge *merge);

/** From now on, emit records as they arrive, without ordering them across files (bulk mode). */
void merge_set_apart(struct merge *merge);
/** Return the number of the file that the current record is from. Valid only inside merge_emit_t. */
unsigned int merge_current(const struct merge *merge);
/** Return whether the file has a complete record that was not emitted yet. */
bool merge_has_record(const struct merge *merge, unsigned int file);

/** Add a trace file; @p name is for messages. Return the number of the file for the calls below. */
unsigned int merge_add_file(struct merge *merge, const char *name);

/** Reserve space for @p size more bytes of a file. The pointer is valid until the next call for this file. */
void *merge_reserve(struct merge *merge, unsigned int file, size_t size);

/**
 * Commit @p size bytes written to the space from merge_reserve(). They need not end with a complete record.
 *
 * @return An error if the bytes are not records; the file is ignored from then on.
 */
struct error *merge_commit(struct merge *merge, unsigned int file, size_t size);

/** Emit all records whose number is next. Return an error as merge_commit() does. */
struct error *merge_emit(struct merge *merge);

/**
 * Emit all records with numbers below @p next, skipping gaps, and continue with @p next. Call this only after all such
 * records were committed.
 */
struct error *merge_go_on_at(struct merge *merge, uint64_t next);

/** Mark a file as complete: merge_flush_ready() no longer waits for it. */
void merge_end(struct merge *merge, unsigned int file);

/** Emit records in the order of their numbers, skipping gaps, while every open file has one. */
struct error *merge_flush_ready(struct merge *merge, uint64_t *missing);

/**
 * Return how many records were dropped because other parts of the same handler's output are missing. The count is final
 * after merge_flush().
 */
uint64_t merge_torn(const struct merge *merge);

/** Return how many bytes wait for records with lower numbers. */
size_t merge_held(const struct merge *merge);

/**
 * Emit all remaining records in the order of their numbers, skipping gaps.
 *
 * @param[out] missing How many numbers were skipped.
 * @return An error if a file ends inside a record.
 */
struct error *merge_flush(struct merge *merge, uint64_t *missing);

#endif
