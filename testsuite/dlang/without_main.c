// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that calls the kernel at its first instructions, without a main() (dlang.sh). */
#include <unistd.h>

void _start(void);

void _start(void)
{
	_exit(0);
}
