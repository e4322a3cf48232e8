/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A client for QMP, QEMU's control protocol; see qmp.c. */
#ifndef SPILE_VM_QMP_H
#define SPILE_VM_QMP_H

#include <glib.h>

#include "common/base/error.h"

struct qmp {
	int fd;
	GString *received;
	gint64 deadline; /* monotonic microseconds, for all operations */
	enum { MIGRATION_NONE, MIGRATION_COMPLETED, MIGRATION_FAILED } migration;
};

/** Wait for QEMU's greeting and reply to it. The caller still owns @p fd. */
struct error *qmp_begin(struct qmp *qmp, int fd, unsigned int milliseconds);

/** Send a JSON command and wait for its result. */
struct error *qmp_command(struct qmp *qmp, const char *order);

/** Pass a descriptor to QEMU; later commands refer to it as "fd:NAME". */
struct error *qmp_pass_file(struct qmp *qmp, const char *name, int file);

/** Wait for the end of the current migration, in either direction. */
struct error *qmp_wait_migration(struct qmp *qmp);

void qmp_end(struct qmp *qmp);

#endif
