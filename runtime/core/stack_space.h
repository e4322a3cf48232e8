/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of the kernel's stack is left. */
#ifndef SPILE_RUNTIME_CORE_STACK_SPACE_H
#define SPILE_RUNTIME_CORE_STACK_SPACE_H

#include "runtime/core/internal.h"

/** Return whether less than @p need bytes are left on the current stack, which is the task's for most hits. */
HOT bool is_stack_short(unsigned long need);

#endif
