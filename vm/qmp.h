/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders to a running QEMU; see qmp.c. */
#ifndef SPILE_VM_QMP_H
#define SPILE_VM_QMP_H

#include <glib.h>

#include "translator/util/error.h"

struct qmp {
	int fd;
	GString *received;
	gint64 deadline; /* monotonic microseconds: for all that is waited for */
	enum { MIGRATION_NONE, MIGRATION_COMPLETED, MIGRATION_FAILED } migration;
};

/** Wait for QEMU's greeting and answer it. @p fd stays the caller's. */
struct error *qmp_begin(struct qmp *qmp, int fd, unsigned int milliseconds);

/** Give an order, in JSON, and wait until it has been carried out. */
struct error *qmp_command(struct qmp *qmp, const char *order);

/** Give it a socket, which later orders name: "fd:NAME". */
struct error *qmp_pass_file(struct qmp *qmp, const char *name, int file);

/** Wait for the end of a migration that was ordered, in either direction. */
struct error *qmp_wait_migration(struct qmp *qmp);

void qmp_end(struct qmp *qmp);

#endif
