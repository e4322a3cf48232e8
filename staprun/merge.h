/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One stream of records out of the trace files of all processors; see merge.c. */
#ifndef SPILE_STAPRUN_MERGE_H
#define SPILE_STAPRUN_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/protocol.h"
#include "translator/util/error.h"

struct merge;

/** Called for each record in its turn; @p payload (record->length bytes) is valid only during the call. */
typedef void merge_emit_t(void *data, const struct stp_record *record, const char *payload);

struct merge *merge_new(merge_emit_t *emit, void *data);
void merge_free(struct merge *merge);

/** From now on, records are emitted as they come, each file by itself: the order is left to others. */
void merge_set_apart(struct merge *merge);
/** During an emission: the number of the file that the record is from. */
unsigned int merge_current(const struct merge *merge);
/** Is there a whole record of a file that was not emitted yet? */
bool merge_has_record(const struct merge *merge, unsigned int file);

/** Add a trace file; @p name is for messages. Returns its number for the calls below. */
unsigned int merge_add_file(struct merge *merge, const char *name);

/** Room for @p size more bytes of a file. Valid until the next call for this file. */
void *merge_reserve(struct merge *merge, unsigned int file, size_t size);

/**
 * @p size bytes were put where merge_reserve() said. They need not end with a whole record.
 *
 * @return An error if the bytes are not records; the file is then left out of everything.
 */
struct error *merge_commit(struct merge *merge, unsigned int file, size_t size);

/** Emit all records whose turn it is. Only an error of a file as in merge_commit() is returned. */
struct error *merge_emit(struct merge *merge);

/**
 * Emit all that is there with numbers below @p next, gaps or not, and go on with that number. What is there must be all
 * of it.
 */
struct error *merge_go_on_at(struct merge *merge, uint64_t next);

/** Nothing more comes from a file: merge_flush_ready() need not wait for it. */
void merge_end(struct merge *merge, unsigned int file);

/** Emit in the order of the numbers, gaps or not, as long as all files have a record. */
struct error *merge_flush_ready(struct merge *merge, uint64_t *missing);

/** Records that were dropped because others of what the same handler printed are missing; all after merge_flush(). */
uint64_t merge_torn(const struct merge *merge);

/** Bytes that wait for records with lower numbers. */
size_t merge_held(const struct merge *merge);

/**
 * Emit what is left in the order of the numbers, gaps or not.
 *
 * @param[out] missing How many numbers were skipped.
 * @return An error if a file ends inside a record.
 */
struct error *merge_flush(struct merge *merge, uint64_t *missing);

#endif
