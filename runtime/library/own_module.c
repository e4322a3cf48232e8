// SPDX-License-Identifier: GPL-2.0-or-later
/* Information about the script's own module, for the script. */
#include <linux/module.h>

#include "runtime/compat/compat.h"
#include "runtime/core/internal.h"

const char *stp_own_name(void)
{
	return THIS_MODULE->name;
}

void stp_own_size(char *to)
{
	const struct compat_module_sizes sizes = compat_module_sizes(THIS_MODULE);

	stp_format(to, "code: %u, constants: %u, variables: %u", sizes.code, sizes.constants, sizes.variables);
}
