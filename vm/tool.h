/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running the host's tools (apt-get, dpkg-deb, ldd, make ...): no shell, English messages, and a failure that carries
 * what the tool said.
 */
#ifndef SPILE_VM_TOOL_H
#define SPILE_VM_TOOL_H

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

/** Remove a file or a folder with everything in it. What is not there is fine. */
struct error *tool_remove(const char *path);

#endif
