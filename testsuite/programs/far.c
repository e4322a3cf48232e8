// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Call a function with a string at an address that needs five-level page tables. A program gets such addresses only on
 * request (Documentation/arch/x86/x86_64/5level-paging.rst).
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noipa)) static int taken(const char *text)
{
	return (int)strlen(text);
}

int main(void)
{
	char *far = mmap((void *)(1ul << 52), 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (far == MAP_FAILED || (unsigned long)far < 1ul << 48)
		return 1;
	strcpy(far, "far away\n");
	return write(1, far, 9) != taken(far);
}
