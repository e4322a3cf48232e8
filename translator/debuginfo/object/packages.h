/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packages of split DWARF (.dwp): see packages.c. */
#ifndef SPILE_DEBUGINFO_OBJECT_PACKAGES_H
#define SPILE_DEBUGINFO_OBJECT_PACKAGES_H

#include "translator/debuginfo/object/object.h"

struct package;

/** Open the package beside an object; the caller calls package_close(). NULL if there is no usable package. */
struct package *package_open(const struct debuginfo *debuginfo);
void package_close(struct package *package);
Elf *package_elf(const struct package *package);
/** Write the unit with this number to a file. Return false if the package lacks it. */
bool package_unpack_unit(struct package *package, uint64_t number, const char *path);
/** Write the type units to files in @p directory; units with the same origin share a file. */
void package_unpack_types(struct package *package, const char *directory);

#endif
