/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols that a stripped program or library has kept in .gnu_debugdata. */
#ifndef SPILE_DEBUGINFO_OBJECT_MINI_H
#define SPILE_DEBUGINFO_OBJECT_MINI_H

#include "translator/debuginfo/object/object.h"

/** The ELF file in it, NULL if there is none. */
Elf *debuginfo_mini(struct debuginfo *debuginfo);
void mini_close(struct debuginfo *debuginfo);

#endif
