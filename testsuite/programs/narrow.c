// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program for i386 without a library. Its arguments, variables and results are of the kinds whose places differ from
 * those of 64-bit programs.
 */
struct point {
	int x, y;
};
struct node {
	struct node *next;
	int id;
	short s;
	char name[8];
};
struct node tail = {0, 2, -3, "tail"}, head = {&tail, 1, 7, "head"};
int counter = 5;
volatile int sink;
#define KEEP __attribute__((noinline, noclone, used))
KEEP int add(signed char c, short s, int i, long long l)
{
	sink += c;
	return c + s + i + (int)l;
}
KEEP long long wide(unsigned u, int neg)
{
	sink += u;
	return ((long long)neg << 33) | u;
}
KEEP int walk(struct node *n)
{
	int sum = 0;
	for (; n; n = n->next)
		sum += n->id;
	sink = sum;
	return sum;
}
KEEP struct point make(int a, struct point p)
{
	struct point r = {a + p.x, p.y};
	sink = a;
	return r;
}
KEEP double half(double d)
{
	sink = 1;
	return d / 2;
}
KEEP int fact(int n)
{
	int rest;
	if (n <= 1)
		return 1;
	rest = fact(n - 1);
	sink = rest;
	return n * rest;
}
KEEP char text(const char *s)
{
	sink = s[0];
	return s[1];
}
void _start(void)
{
	struct point p = {3, 4};
	__asm__ volatile("and $-16, %esp");
	add(-1, -300, 70000, 1LL << 33);
	wide(4000000000u, -2);
	walk(&head);
	p = make(10, p);
	sink = (int)half(p.x);
	fact(4);
	text("abc");
	__asm__ volatile("int $0x80" ::"a"(1), "b"(0));
	for (;;)
		;
}
