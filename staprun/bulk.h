/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bulk mode (stap -b): write one file per CPU, for stap-merge; see bulk.c. */
#ifndef SPILE_STAPRUN_BULK_H
#define SPILE_STAPRUN_BULK_H

#include "common/base/error.h"
#include "runtime/abi/protocol.h"

struct bulk;

/**
 * Open one output file per CPU, with the current identity of the process.
 *
 * @param[in] file_format File name for strftime(3), to which _0, _1 and so on are appended. NULL means stpd_cpu0 and so
 *            on.
 */
struct error *bulk_open(const char *file_format, struct bulk **ret);
/** Write a record to the file of a CPU. bulk_close() returns the first failure. */
void bulk_record(struct bulk *bulk, unsigned int cpu, const struct stp_record *record, const char *payload);
struct error *bulk_close(struct bulk *bulk);

#endif
