/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --build-as: passes 1 to 4 in a process of another user; see other_user.c. */
#ifndef SPILE_OTHER_USER_H
#define SPILE_OTHER_USER_H

#include "translator/driver.h"

/**
 * Run @p translate in a child that has become the user of --build-as. Copy its module to the work directory, and set
 * what the later passes need.
 *
 * @return An error if there is no such user, or this is not root; the child reports its own.
 */
struct error *translate_as_user(struct driver *d, struct error *(*translate)(struct driver *d));

#endif
