// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * System calls with known arguments, one after the other; most of them fail. There is no library, so that there are no
 * other calls. Built for 64 bits and, on x86, for 32 bits (gcc -m32), whose calls use int 0x80. The page of the first
 * string is not present before the first call reads it. 0x1000 is passed as a bad address.
 */
#define BAD ((void *)0x1000)

typedef long long big;

#ifdef __x86_64__
asm(".globl _start\n_start:\n\tcall run\n");

static long call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f;
	long result;

	asm volatile("syscall"
		     : "=a"(result)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
		     : "rcx", "r11", "memory");
	return result;
}
#elif defined(__aarch64__)
asm(".globl _start\n_start:\n\tbl run\n");

static long call6(long number, long a, long b, long c, long d, long e, long f)
{
	register long x8 asm("x8") = number, x0 asm("x0") = a, x1 asm("x1") = b, x2 asm("x2") = c, x3 asm("x3") = d;
	register long x4 asm("x4") = e, x5 asm("x5") = f;

	asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}
#else
asm(".globl _start\n_start:\n\tcall run\n");

/* The sixth argument is in %ebp, which the compiler may need. */
static __attribute__((noinline)) long call6(long number, long a, long b, long c, long d, long e, long f)
{
	long arguments[] = {number, a, b, c, d, e, f}, result;

	asm volatile("pushl %%ebx\n\tpushl %%ebp\n\tmovl 4(%%eax), %%ebx\n\tmovl 8(%%eax), %%ecx\n\t"
		     "movl 12(%%eax), %%edx\n\tmovl 16(%%eax), %%esi\n\tmovl 20(%%eax), %%edi\n\t"
		     "movl 24(%%eax), %%ebp\n\tmovl (%%eax), %%eax\n\tint $0x80\n\tpopl %%ebp\n\tpopl %%ebx"
		     : "=a"(result)
		     : "a"(arguments)
		     : "ecx", "edx", "esi", "edi", "memory");
	return result;
}
#endif

#define CALL7(n, a, b, c, d, e, f, ...) call6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define CALL(...) CALL7(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

static char umlaut[] = "\303\244\"\n", plain[] = "plain", text[] = "some text of a file";
static struct {
	long seconds, nanoseconds;
} short_time = {0, 1000};
static struct {
	big seconds, nanoseconds;
} long_time = {0, 1000};
static char *arguments[] = {plain, umlaut, 0};
static char *environment[] = {plain, 0};
static int ends[] = {7, 8};

static struct {
	void *handler;
	unsigned long flags;
	void *restorer;
	big mask;
} action = {BAD, 0x10000000, 0, 0x202};

static struct {
	unsigned short family, port;
	unsigned char address[4], rest[8];
} internet = {2, 0x5000, {127, 0, 0, 1}, {0}};

static struct {
	big flags, mode, resolve;
} how = {0x42, 0600, 8};

static struct {
	big flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size, cgroup;
} thread = {0x1010f00, 0, 0, 0, 17, 0, 0, 0, 1, 1, 0}, spawn = {0x100004100, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0};

static struct {
	unsigned int sq_entries, cq_entries, flags, sq_thread_cpu, sq_thread_idle, rest[25];
} ring = {0, 16, 0x100a, 1, 2000, {0}};

static struct {
	big attr_set, attr_clr, propagation, userns_fd;
} attributes = {1, 0x20, 0x40000, 7};

static struct {
	big handled_access_fs, handled_access_net;
} rules = {0x6, 1};

static struct {
	unsigned int size, spare;
	big ns_id;
	unsigned int ns_type, spare2;
	big user_ns_id;
} namespaces = {32, 0, 5, 0x40020000, 0, 6};

static struct {
	big value;
	unsigned int size, flags;
} attribute = {0x1000, 3, 2};

static struct {
	unsigned int size, spare;
	big mnt_id, param;
} request = {24, 0, 18, 3};

static struct {
	big offset, length;
} range = {4096, 8192};

static void common(void)
{
#ifdef __x86_64__
	CALL(257, -100, umlaut, 0x80241, 0640);
	CALL(257, 7, BAD, 0);
	CALL(1, 99, text, 19);
	CALL(17, 99, BAD, 5, 1L << 33);
	CALL(35, &short_time, 0);
	CALL(13, 99, &action, 0, 8);
	CALL(49, 99, &internet, 16);
	CALL(59, BAD, arguments, environment);
	CALL(22, BAD);
	CALL(22, ends);
	CALL(9, 0, 4096, 3, 0x22, -1, 0);
	CALL(202, BAD, 129, 1);
	CALL(3, 99);
	CALL(95, 077);
#elif defined(__aarch64__)
	CALL(56, -100, umlaut, 0x80241, 0640);
	CALL(56, 7, BAD, 0);
	CALL(64, 99, text, 19);
	CALL(67, 99, BAD, 5, 1L << 33);
	CALL(101, &short_time, 0);
	CALL(134, 99, &action, 0, 8);
	CALL(200, 99, &internet, 16);
	CALL(221, BAD, arguments, environment);
	/* There is no pipe(). */
	CALL(59, BAD, 0);
	CALL(59, ends, 0);
	CALL(222, 0, 4096, 3, 0x22, -1, 0);
	CALL(98, BAD, 129, 1);
	CALL(57, 99);
	CALL(166, 077);
#else
	static long map[6] = {0, 4096, 3, 0x22, -1, 0};

	CALL(295, -100, umlaut, 0x80241, 0640);
	CALL(295, 7, BAD, 0);
	CALL(4, 99, text, 19);
	CALL(180, 99, BAD, 5, 0, 2);
	CALL(194, 99, 1, 2);
	CALL(140, 99, 1, 2, BAD, 0);
	CALL(162, &short_time, 0);
	CALL(407, 1, 0, &long_time, 0);
	CALL(174, 99, &action, 0, 8);
	CALL(361, 99, &internet, 16);
	CALL(11, BAD, arguments, environment);
	CALL(182, plain, 1, -1);
	CALL(212, BAD, 1, -1);
	CALL(102, 1, BAD);
	CALL(117, 24, 1, 2, 3, BAD, 5);
	CALL(90, map);
	CALL(192, 0, 4096, 3, 0x22, -1, 1);
	CALL(42, ends);
	CALL(240, BAD, 129, 1);
	CALL(6, 99);
	CALL(60, 077);
#endif
}

/* These have the same numbers for 32 and 64 bits; not all kernels have them. */
static void recent(void)
{
	CALL(424, 99, 10, BAD, 1);
	CALL(425, 8, BAD);
	CALL(425, 8, &ring);
	CALL(426, 99, 1, 2, 9, 0, 0);
	CALL(427, 99, 9, BAD, 1);
	CALL(427, 99, 0x80000001, 0, 0);
	CALL(428, -100, BAD, 0x8002);
	CALL(429, 99, plain, -100, BAD, 4);
	CALL(430, BAD, 1);
	CALL(431, 99, 1, plain, BAD, 0);
	CALL(432, 99, 1, 3);
	CALL(433, -100, BAD, 2);
	CALL(434, 0, 0x80);
	CALL(435, BAD, 88);
	CALL(435, &thread, 88);
	CALL(435, &spawn, 88);
	CALL(436, 90, 99, 8);
	CALL(437, -100, plain, &how, 24);
	CALL(438, 99, 1, 0);
	CALL(439, -100, BAD, 4, 0x200);
	CALL(440, 99, BAD, 1, 4, 0);
	CALL(441, 99, BAD, 1, &long_time, BAD, 8);
	CALL(442, -100, plain, 0, &attributes, 32);
	CALL(443, 99, 0x80000700, 1, BAD);
	CALL(444, 0, 0, 1);
	CALL(444, &rules, 1, 0);
	CALL(445, 99, 1, BAD, 0);
	CALL(446, 99, 8);
	CALL(448, 99, 0);
	CALL(449, BAD, 1, 1, &long_time, 1);
	CALL(450, BAD, 4096, 0, 0);
	CALL(451, 99, 0, BAD, 0);
	CALL(451, 99, &range, BAD, 0);
	CALL(452, -100, BAD, 0644, 0x100);
	CALL(453, 0, 1, 3);
	CALL(454, BAD, 3, 0x82);
	CALL(455, BAD, 1, 1, 2, &long_time, 1);
	CALL(456, BAD, 2, 1, 2);
	CALL(457, 0, BAD, 4096, 0);
	CALL(457, &request, BAD, 1, 1);
	CALL(458, &request, BAD, 1, 3);
	CALL(459, 100, BAD, BAD, 1);
	CALL(460, 100, BAD, 32, 0);
	CALL(461, BAD, BAD, 0);
	CALL(462, BAD, 4096, 0);
	CALL(463, -100, BAD, 0x1000, plain, 0, 16);
	CALL(463, -100, plain, 0, plain, &attribute, 1);
	CALL(464, -100, BAD, 0, plain, &attribute, 1);
	CALL(465, 99, BAD, 0x100, BAD, 5);
	CALL(466, -100, plain, 0, umlaut);
	CALL(467, -100, BAD, 1, &attributes, 32);
	CALL(468, -100, BAD, BAD, 24, 0x100);
	CALL(469, 99, plain, BAD, 24, 0);
	CALL(470, &namespaces, BAD, 1, 0);
	CALL(471);
	CALL(472, 99, 1);
}

void run(void)
{
	common();
	recent();
#ifdef __x86_64__
	CALL(231, 0);
#elif defined(__aarch64__)
	CALL(94, 0);
#else
	CALL(252, 0);
#endif
}
