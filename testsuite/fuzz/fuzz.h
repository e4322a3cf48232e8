/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sources of random scripts for fuzz-translator.c. */
#ifndef SPILE_TEST_FUZZ_H
#define SPILE_TEST_FUZZ_H

#include <glib.h>
#include <stdbool.h>

/** Make a script from the grammar; with @p kernel, also with probes that need debuginfo. */
void fuzz_grammar(GRand *random, GString *out, bool kernel);
/** Return one of @p seeds (of GString *), scripts or programs in D, with some damage. */
void fuzz_bytes(GRand *random, const GPtrArray *seeds, bool dlang, GString *out);

#endif
