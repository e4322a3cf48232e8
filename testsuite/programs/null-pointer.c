// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls with bad pointers: null, just above it, the last page, an address that no CPU has. The first and the last call
 * have good pointers. Each pointer is an argument and the result of a function, and is passed to the kernel.
 */
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

struct item {
	int pad[4];
	const char *name;
	long value;
};

__attribute__((noipa)) const void *f(const struct item *p, const char *s, long n)
{
	asm volatile("" ::"r"(p), "r"(s), "r"(n));
	return s;
}

int main(void)
{
	static const struct item item = {{1}, "good", 5};
	static const long addresses[] = {0, 1, 8, 4095, 4096, 65536, -1L, 0x4000000000000000L};
	enum { COUNT = sizeof(addresses) / sizeof(*addresses) };

	f(&item, "first", 100);
	for (int i = 0; i < COUNT; i++) {
		f((const struct item *)addresses[i], (const char *)addresses[i], i);
		close(open((const char *)addresses[i], O_RDONLY));
	}
	f(&item, "last", 200);
	return 0;
}
