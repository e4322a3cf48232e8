/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records to user space. */
#ifndef SPILE_RUNTIME_CORE_TRANSPORT_H
#define SPILE_RUNTIME_CORE_TRANSPORT_H

#include "runtime/abi/protocol.h"
#include "runtime/core/internal.h"

struct dentry;

SHARED int transport_create(struct dentry *directory);
SHARED void transport_destroy(void);
/**
 * Queue a record. The payload of header->length bytes follows @p header in memory. Wait for space only if @p may_wait.
 * Return false if the record was lost.
 */
SHARED bool transport_write(struct stp_record *header, bool may_wait);
SHARED void transport_count_lost(void);
SHARED void transport_message(enum stp_record_type type, bool may_wait, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/** Queue an error that ends the session, at most 127 characters. Uses little stack. */
SHARED void transport_error(const char *text);
SHARED u64 transport_lost(void);
SHARED size_t transport_memory(void);
SHARED void transport_reader_gone(void);
/**
 * Detach the reader from the session, or attach a new one (@p is_running: handlers may still run). May sleep. Until the
 * new one has read a buffer, records overwrite its oldest ones when it is full. After each buffer was read once, no
 * record with a number from transport_gaps_end() on is missing.
 */
SHARED void transport_leave(void);
SHARED void transport_return(bool is_running);
/**
 * For scripts with a buffer policy: wait until the reader has read all records, then detach it until the script has
 * been disarmed (transport_return(false)). May sleep.
 */
SHARED void transport_hold(void);
SHARED u64 transport_gaps_end(void);
SHARED u64 transport_overwritten(void);

#endif
