/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measure the memory of a process and its descendants; see usage.c. */
#ifndef SPILE_SERVER_USAGE_H
#define SPILE_SERVER_USAGE_H

#include <stdint.h>
#include <sys/types.h>

/**
 * Return the private memory of a process tree in megabytes, without mapped files. Processes that end during the call
 * may be missing.
 *
 * @param[in] most Limit of processes to examine; a fork bomb could otherwise keep this running forever.
 */
int64_t usage_megabytes(pid_t process, int64_t most);

#endif
