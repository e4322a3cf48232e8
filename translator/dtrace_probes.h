/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that dtrace -h and -G make for programs with static probes; see dtrace_probes.c. */
#ifndef SPILE_DTRACE_PROBES_H
#define SPILE_DTRACE_PROBES_H

#include "common/base/error.h"
#include "translator/dlang/dlang.h"

/** Write a header with macros for the probes of a program's providers. */
struct error *dtrace_write_header(const struct d_program *program, const char *path);
/** Write an object file with the counters of those who watch the probes. */
struct error *dtrace_write_object(const struct d_program *program, const char *path);

#endif
