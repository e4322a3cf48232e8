/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The library of traced.c. */
#ifndef SPILE_TRACED_LIBRARY_H
#define SPILE_TRACED_LIBRARY_H

long library_add(long a, int b);
long library_call(long (*function)(signed char, short, int, long), long value);

#endif
