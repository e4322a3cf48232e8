/* options: -q */
/* Conversions between types, and what operators make of them. */
char c;
unsigned char uc;
short s;
unsigned short us;
int i;
unsigned int u;
long l;
unsigned long ul;
struct { unsigned int narrow : 11; unsigned int full : 32; } bits;
BEGIN
{
	c = 200; uc = 200; s = 40000; us = 40000; i = 3000000000; u = 3000000000; l = -1; ul = -1;
	printf("%d %d %d %d %d %d %d %d\n", c, uc, s, us, i, u, l, ul);
	printf("%d %d %d %d\n", c < uc, i < u, l < ul, -1 < 1u);
	printf("%d %d %d\n", -1 < 1UL, (char)-1 == (unsigned char)255, l == ul);
	printf("%d %d %d\n", i / 2, u / 2, ul / 2);
	printf("%d %d %d %d\n", i >> 4, u >> 4, l >> 60, ul >> 60);
	printf("%d %d %d\n", -7 / 2, -7 % 3, 7u / 2);
	printf("%x %x %x\n", ~0, ~0UL, ~uc);
	printf("%d %d\n", 0x7fffffff + 1, 2147483647 * 2);
	printf("%d %d\n", 2147483648, 0xffffffff);
	printf("%d %d\n", (int)0xffffffff, (long)(int)0xffffffff);
	printf("%d %d %d\n", (short)65535, (uint16_t)-1, (int8_t)128);
	c = 127; c++; uc = 255; uc++; s = 32767; s += 1; i = 2147483647; i++; u = 0; u--;
	printf("%d %d %d %d %u\n", c, uc, s, i, u);
	x = 5; x *= 2; x -= 3; x <<= 2; x |= 1; x ^= 3; x &= 0xfe; x %= 11; x /= 2; x >>= 1;
	printf("%d\n", x);
	y = 5; printf("%d %d %d %d %d\n", y++, ++y, y--, --y, y);
	printf("%d %d %d\n", 1 ? 2 : 3, 0 ? 1 : 0 ? 2 : 3, (1, 2, 3));
	printf("%d %d %d\n", 1 || ++y, 0 && ++y, y);
	printf("%d %d %d %d\n", 2 + 3 * 4, (2 + 3) * 4, 1 << 2 + 1, 7 & 3 == 3);
	printf("%d %d %d\n", -2 * -3, - -5, !!5);
	printf("%d %d %d %d\n", 010, 0x1F, 0Xa, 1UL);
	printf("%s %s\n", 1 ? "a" : "b", "b" > "a" ? "gt" : "le");
	printf("%d %d %d\n", "" == "", "a" < "ab", "b" <= "a");
	printf("%d %d %d %d\n", sizeof(c), sizeof(x), sizeof(c + c), sizeof(1ULL));
	printf("%d %d\n", sizeof("abc"), sizeof(curthread));
	/* An int can hold all values of the first bit-field, so it becomes an int. */
	bits.narrow = 5; bits.full = 5;
	printf("%d %d %d %d\n", ~bits.narrow, ~bits.full, -1 < bits.narrow, -1 < bits.full);
	printf("%d %d\n", 1 ? bits.narrow - 6 : 0, (bits.narrow - 6) / 2);
	exit(0);
}
