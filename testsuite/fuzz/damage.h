/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Damage to bytes, for the fuzzers. */
#ifndef SPILE_TEST_DAMAGE_H
#define SPILE_TEST_DAMAGE_H

#include <glib.h>

/** Return a random number, often a boundary value. */
guint64 fuzz_number(GRand *random);

/** Make one change to @p bytes, which must not be empty. @p size may shrink, but not to 0. */
void fuzz_damage(GRand *random, void *bytes, gsize *size);

#endif
