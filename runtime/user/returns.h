/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Return addresses that the kernel has replaced. */
#ifndef SPILE_RUNTIME_USER_RETURNS_H
#define SPILE_RUNTIME_USER_RETURNS_H

#include "runtime/core/internal.h"

struct pt_regs;

/** Restore the program's return addresses before an exception unwinds. @p size is that of an address, 4 or 8. */
SHARED void user_returns_restore(unsigned int size);
/** Put the trampoline's address back for the functions that are still running, when the exception is caught. */
SHARED void user_returns_replace(struct pt_regs *regs, unsigned int size);

#endif
