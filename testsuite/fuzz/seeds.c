// SPDX-License-Identifier: GPL-2.0-or-later
/* Read the scripts of the test suite; see seeds.h. */
#include "testsuite/fuzz/seeds.h"

#include <stdlib.h>

#include "common/files.h"

void fuzz_read_seed(GPtrArray *seeds, const char *path)
{
	char *text;
	size_t length;
	struct error *error = file_read(path, &text, &length);

	if (error) {
		error_report(error);
		exit(2);
	}
	g_ptr_array_add(seeds, g_string_new_len(text, (gssize)length));
	g_free(text);
}
