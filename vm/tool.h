/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running the host's tools (apt-get, dpkg-deb, make ...): no shell, English messages, and a failure that carries
 * what the tool said.
 */
#ifndef SPILE_VM_TOOL_H
#define SPILE_VM_TOOL_H

#include <stddef.h>

#include "translator/util/error.h"

/**
 * Run a tool to its end in @p folder (NULL: here), with empty standard input.
 *
 * @param[out] output What it wrote to standard output (may be NULL); free with g_free(). Set on success only.
 * @return NULL, or an error whose message ends with the tool's own last words. A tool that is not installed gives
 *         ERROR_LOOKUP.
 */
struct error *tool_run(const char *folder, const char *const argv[], char **output);

/** Run a tool whose (binary) standard output goes to a descriptor; its error output is not kept. */
struct error *tool_run_to(int fd, const char *const argv[]);

/** What tools say in their last words, and what to tell the user then. */
struct known_failure {
	const char *text, *hint; /* the hint not yet translated */
};

/** Give an error the hint of the first of these failures that its message tells of, unless it has one. */
struct error *tool_explain(struct error *error, const struct known_failure *failures, size_t count);

/** Remove a file or a folder with everything in it. What is not there is fine. */
struct error *tool_remove(const char *path);

#endif
