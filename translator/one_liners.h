/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts of one line to start with: --one-liners. */
#ifndef SPILE_ONE_LINERS_H
#define SPILE_ONE_LINERS_H

#include "common/base/error.h"

/** Print each as a comment with its question, and a command for a shell. */
struct error *one_liners_print(void);

#endif
