/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scripts of the test suite that the fuzzers start from. */
#ifndef SPILE_TEST_SEEDS_H
#define SPILE_TEST_SEEDS_H

#include <glib.h>

/** Append the text of a file (GString *). If it cannot be read, print the error and exit with status 2. */
void fuzz_read_seed(GPtrArray *seeds, const char *path);

#endif
