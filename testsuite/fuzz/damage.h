/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fuzzers do to bytes; see damage.c. */
#ifndef SPILE_TEST_DAMAGE_H
#define SPILE_TEST_DAMAGE_H

#include <glib.h>

/** Any number, often one at which something ends. */
guint64 fuzz_number(GRand *random);

/** One change of @p bytes, of which there is at least one: @p size may become less, but not 0. */
void fuzz_damage(GRand *random, void *bytes, gsize *size);

#endif
