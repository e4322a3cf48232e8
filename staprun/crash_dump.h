/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps of crashed machines; see crash_dump.c. */
#ifndef SPILE_STAPRUN_CRASH_DUMP_H
#define SPILE_STAPRUN_CRASH_DUMP_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/error.h"
#include "runtime/abi/crash_log.h"

struct crash_dump;

/** Open a dump. On success, close @p ret with crash_dump_close(). */
struct error *crash_dump_open(const char *path, struct crash_dump **ret);
void crash_dump_close(struct crash_dump *dump);

/** Read memory at an address of the kernel. */
struct error *crash_dump_read(struct crash_dump *dump, uint64_t address, void *bytes, size_t size);

/** Find the logs of all modules; @p ret is freed with free(). Their contents are not checked. */
struct error *crash_dump_find_logs(struct crash_dump *dump, struct stp_log **ret, unsigned int *count);

#endif
