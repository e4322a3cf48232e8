/* options: -q */
/* Types and conversions are those of C. */
BEGIN
{
	printf("%d %d %d %d\n", 7 / 2, -7 / 2, 7 % 3, -7 % 3);
	printf("%d\n", 0x7fffffff + 1);
	printf("%d\n", 2147483647LL + 1);
	printf("%u %x\n", -1, -1);
	printf("%u\n", (uint8_t)300);
	printf("%d\n", (int8_t)200);
	printf("%d %d\n", -1 < 1U, -1 < 1);
	printf("%d %d\n", 1ULL > -1, (int64_t)-1 < 0);
	printf("%d %d %d\n", 1 << 4, -16 >> 2, 0xf0000000U >> 28);
	printf("%d %d %d\n", 6 & 3, 6 | 3, 6 ^ 3);
	printf("%d %d %d %d\n", ~5, !5, !0, -(-3));
	printf("%d %d %d\n", 1 && 0, 1 || 0, 1 ^^ 1);
	printf("%d\n", 1 ? 2 : 3);
	printf("%d %d %d\n", 'a', '\n', 'ab');
	printf("%d\n", 18446744073709551615ULL / 3 == 6148914691236517205);
	printf("%d %d %d\n", sizeof(int), sizeof(long), sizeof(char *));
	printf("%d\n", 010 + 0x10);
	exit(0);
}
