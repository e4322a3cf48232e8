/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of assembler text, as compilers write them into the notes of marks. */
#ifndef SPILE_DEBUGINFO_USER_OPERANDS_H
#define SPILE_DEBUGINFO_USER_OPERANDS_H

#include "translator/debuginfo/object/object.h"

/** The arguments of a mark at @p address (const struct variable *) by their text. */
const GPtrArray *operands_read(struct debuginfo *debuginfo, const char *text);

#endif
