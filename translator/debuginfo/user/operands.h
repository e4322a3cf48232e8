/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parser for the assembler operands that compilers write into the notes of marks. */
#ifndef SPILE_DEBUGINFO_USER_OPERANDS_H
#define SPILE_DEBUGINFO_USER_OPERANDS_H

#include "translator/debuginfo/object/object.h"

/** Parse the argument text of a mark into variables (const struct variable *). */
const GPtrArray *operands_read(struct debuginfo *debuginfo, const char *text);

#endif
