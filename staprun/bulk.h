/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bulk mode (stap -b): a file for each processor, for stap-merge; see bulk.c. */
#ifndef SPILE_STAPRUN_BULK_H
#define SPILE_STAPRUN_BULK_H

#include "runtime/protocol.h"
#include "translator/util/error.h"

struct bulk;

/**
 * @param[in] file_format Name for strftime(3), to which _0, _1 and so on are added; NULL: stpd_cpu0 and so on. Opened
 * here with
 *            the identity that the process has now.
 */
struct error *bulk_open(const char *file_format, struct bulk **ret);
/** Write a record to the file of a processor. Failures are kept for bulk_close(). */
void bulk_record(struct bulk *bulk, unsigned int cpu, const struct stp_record *record, const char *payload);
struct error *bulk_close(struct bulk *bulk);

#endif
