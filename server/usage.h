/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a process and all below it have; see usage.c. */
#ifndef SPILE_SERVER_USAGE_H
#define SPILE_SERVER_USAGE_H

#include <stdint.h>
#include <sys/types.h>

/**
 * Megabytes of their own, without files that are mapped. Who has ended meanwhile does not count.
 *
 * @param[in] most No more processes than that are looked at: those of a fork bomb have no end.
 */
int64_t usage_megabytes(pid_t process, int64_t most);

#endif
