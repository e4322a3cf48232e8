/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that a script needs in a guest; see guest_files.c. */
#ifndef SPILE_RUN_GUEST_FILES_H
#define SPILE_RUN_GUEST_FILES_H

#include "translator/options.h"
#include "translator/run/remote.h"

/**
 * Append a --file option of stap-vm for each file that the script, its command and the user's --file name. Each file is
 * appended once. With -vv, print a line for each.
 *
 * @param[in,out] argv Command line of stap-vm.
 */
void add_brought_files(GPtrArray *argv, const struct options *options, const struct remote *remote);

#endif
