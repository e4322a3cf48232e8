/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack. */
#ifndef SPILE_RUNTIME_LIBRARY_STACK_H
#define SPILE_RUNTIME_LIBRARY_STACK_H

#include "runtime/core/context.h"
#include "runtime/core/internal.h"

/** Walk the stack, once for each hit. */
const struct stack_frames *stack_frames(struct stp_context *c);

#endif
