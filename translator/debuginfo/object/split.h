/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Units that the compiler has put into files of their own (-gsplit-dwarf): see split.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_SPLIT_H
#define SPILE_DEBUGINFO_OBJECT_SPLIT_H

#include "translator/debuginfo/object/object.h"

/** Is there a unit of which the compiler left a skeleton, the rest being in a file of its own? */
bool dwarf_is_split(Dwarf *dwarf);

/* Below the temporary folder: files of types that have units of their own. */
#define SPLIT_TYPES "types"

/**
 * If libdw would not find the object's units, or not read them, as the compiler and linker left them: another handle on
 * the object's file, for which it finds them in a temporary folder. The caller removes that once they are open. NULL:
 * there is no need.
 */
Dwarf *split_open(struct debuginfo *debuginfo, Dwarf *own, char **folder, int *fd);

#endif
