/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In glibc 2.43 these functions return a pointer to const for one, as C23 demands. Included before each file by the
 * suite arm64, so that older systems find what newer ones refuse.
 */
#include <stdlib.h>
#include <string.h>

#define KEEP_CONST(pointer, call, type)                                                                                \
	((__typeof__(_Generic(1 ? (pointer) : (void *)1, const void * : (const type *)0, default : (type *)0)))(call))
#define strchr(text, c) KEEP_CONST(text, strchr(text, c), char)
#define strrchr(text, c) KEEP_CONST(text, strrchr(text, c), char)
#define strstr(text, part) KEEP_CONST(text, strstr(text, part), char)
#define strpbrk(text, set) KEEP_CONST(text, strpbrk(text, set), char)
#define memchr(bytes, c, size) KEEP_CONST(bytes, memchr(bytes, c, size), void)
#define bsearch(key, base, count, size, compare) KEEP_CONST(base, bsearch(key, base, count, size, compare), void)
