// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A 32-bit program for arm64 kernels that makes system calls whose numbers or registers differ from those of i386:
 * 64-bit arguments begin in even registers, and some calls have another order. It needs no C library.
 */

static long call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r7 asm("r7") = number;
	register long r0 asm("r0") = a;
	register long r1 asm("r1") = b;
	register long r2 asm("r2") = c;
	register long r3 asm("r3") = d;
	register long r4 asm("r4") = e;
	register long r5 asm("r5") = f;

	asm volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5) : "memory");
	return r0;
}

void _start(void)
{
	char *const buffer = (char *)0x1000; /* never used */
	const long unused = 0x7777;

	call(5, (long)"/etc/hostname", 040000 /* O_DIRECTORY */, 0, 0, 0, 0);
	call(180, -1, (long)buffer, 16, unused, 2, 1); /* pread64 */
	call(193, (long)"/missing", unused, 3, 1, 0, 0); /* truncate64 */
	call(225, -1, unused, 4, 1, 5, 0); /* readahead */
	call(270, -1, 3 /* POSIX_FADV_WILLNEED */, 6, 1, 7, 2); /* arm_fadvise64_64 */
	call(341, -1, 2 /* SYNC_FILE_RANGE_WRITE */, 8, 1, 9, 2); /* sync_file_range2 */
	call(285, -1, 0, 0, 0, 0, 0); /* accept */
	call(289, -1, (long)"text", 4, 0, 0, 0); /* send */
	call(361, -1, (long)buffer, 1, 10, 1, 0); /* preadv */
	call(20, 0, 0, 0, 0, 0, 0); /* getpid */
	call(248, 0, 0, 0, 0, 0, 0); /* exit_group */
}
