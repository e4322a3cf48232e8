/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Split DWARF: units in separate files (-gsplit-dwarf); see split.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_SPLIT_H
#define SPILE_DEBUGINFO_OBJECT_SPLIT_H

#include "translator/debuginfo/object/object.h"

/** Does a unit consist of a skeleton only, with the rest in a separate file? */
bool dwarf_is_split(Dwarf *dwarf);

/* Subdirectory of the temporary directory with the files of type units. */
#define SPLIT_TYPES "types"

/**
 * Convert split units that libdw would not find or not read. Return another handle on the object's file, which finds
 * them in a temporary directory; NULL if there is nothing to convert.
 *
 * @param[out] directory The temporary directory, which the caller removes once all units are open.
 * @param[out] fd The file of the returned handle, to be closed after it; or -1.
 */
Dwarf *split_open(struct debuginfo *debuginfo, Dwarf *own, char **directory, int *fd);

#endif
