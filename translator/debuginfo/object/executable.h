/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an executable's file says about the processes that run it. */
#ifndef SPILE_DEBUGINFO_OBJECT_EXECUTABLE_H
#define SPILE_DEBUGINFO_OBJECT_EXECUTABLE_H

#include "translator/debuginfo/object/object.h"

/** Read it from the file that @p debuginfo was opened for. */
const struct program *program_read(struct debuginfo *debuginfo);

#endif
