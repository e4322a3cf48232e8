/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages of split DWARF (.dwp): see packages.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_PACKAGES_H
#define SPILE_DEBUGINFO_OBJECT_PACKAGES_H

#include "translator/debuginfo/object/object.h"

struct package;

/** The package beside an object, for package_close(). NULL: there is none that can be used. */
struct package *package_open(const struct debuginfo *debuginfo);
void package_close(struct package *package);
Elf *package_elf(const struct package *package);
/** Put the unit of this number into a file of its own. False: it is not in there. */
bool package_unpack_unit(struct package *package, uint64_t number, const char *path);
/** Put the types that have units of their own into files of @p folder; some units share one. */
void package_unpack_types(struct package *package, const char *folder);

#endif
