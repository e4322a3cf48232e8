/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an executable's file says about the processes that run it. */
#ifndef SPILE_DEBUGINFO_OBJECT_EXECUTABLE_H
#define SPILE_DEBUGINFO_OBJECT_EXECUTABLE_H

#include "translator/debuginfo/object/object.h"

/** What kind of object a file is that is no part of the kernel. */
enum object_kind executable_kind(struct debuginfo *debuginfo);
/** Read it from the file that @p debuginfo was opened for. */
const struct executable *executable_read(struct debuginfo *debuginfo);

#endif
