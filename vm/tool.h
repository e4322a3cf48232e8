/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run the host's tools (apt-get, dpkg-deb, make ...) without a shell, with English messages. Errors include the tool's
 * own error output.
 */
#ifndef SPILE_VM_TOOL_H
#define SPILE_VM_TOOL_H

#include <stddef.h>

#include "common/base/error.h"

/**
 * Run a tool to completion in @p directory (NULL: the current directory), with empty standard input.
 *
 * @param[out] output Its standard output (may be NULL); free with g_free(). Set on success only.
 * @return NULL, or an error whose message ends with the end of the tool's error output. ERROR_LOOKUP if the tool is not
 *         installed.
 */
struct error *tool_run(const char *directory, const char *const argv[], char **output);

/** Run a tool with its (binary) standard output redirected to a descriptor. Its error output is not captured. */
struct error *tool_run_to(int fd, const char *const argv[]);

/** Text in a tool's error output, and the hint to print for it. */
struct known_failure {
	const char *text, *hint; /* the hint is not yet translated */
};

/** Add the hint of the first failure whose text occurs in the error message, unless the error already has a hint. */
struct error *tool_explain(struct error *error, const struct known_failure *failures, size_t count);

/** Remove a file or directory tree. Succeed if it does not exist. */
struct error *tool_remove(const char *path);

#endif
