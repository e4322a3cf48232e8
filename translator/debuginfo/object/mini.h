/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The symbols that a stripped program or library keeps in .gnu_debugdata. */
#ifndef SPILE_DEBUGINFO_OBJECT_MINI_H
#define SPILE_DEBUGINFO_OBJECT_MINI_H

#include "translator/debuginfo/object/object.h"

/** Return the ELF file in .gnu_debugdata; NULL if there is no usable one. */
Elf *debuginfo_mini(struct debuginfo *debuginfo);
void mini_close(struct debuginfo *debuginfo);

#endif
