/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of Solaris in old programs, for hints. */
#ifndef SPILE_DLANG_SOLARIS_NAMES_H
#define SPILE_DLANG_SOLARIS_NAMES_H

/** Return what Linux has instead of a function, variable, module or probe of Solaris; NULL if it is not known. */
const char *linux_name_for(const char *name);

#endif
