/* SPDX-License-Identifier: GPL-2.0-or-later */
/* TEMP_FAILURE_RETRY for C libraries that lack it, such as musl, with which bundles are built. */
#ifndef SPILE_BASE_RETRY_H
#define SPILE_BASE_RETRY_H

#include <errno.h>
#include <unistd.h>

#ifndef TEMP_FAILURE_RETRY
/* Evaluate a system call until it is not interrupted. */
#define TEMP_FAILURE_RETRY(expression)                                                                                 \
	({                                                                                                             \
		__typeof__(expression) result_;                                                                        \
		do                                                                                                     \
			result_ = (expression);                                                                        \
		while (result_ == -1 && errno == EINTR);                                                               \
		result_;                                                                                               \
	})
#endif

#endif
