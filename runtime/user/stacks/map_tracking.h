/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeping the maps of all processes up to date. */
#ifndef SPILE_RUNTIME_USER_STACKS_MAP_TRACKING_H
#define SPILE_RUNTIME_USER_STACKS_MAP_TRACKING_H

#include "runtime/core/internal.h"

int user_map_create(void);
int user_map_start(void);
void user_map_stop(void);
void user_map_destroy(void);

#endif
