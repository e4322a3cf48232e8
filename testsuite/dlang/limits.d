/* options: -q */
/* Formats with values at their limits. */
BEGIN
{
	printf("[%d] [%u] [%x] [%o]\n", -1, -1, -1, -1);
	printf("[%hd] [%hu] [%hx] [%ho]\n", -1, -1, -1, -1);
	printf("[%hhd] [%hhu] [%hhx]\n", (char)-1, (char)-1, (char)-1);
	printf("[%ld] [%lu] [%lx] [%lld]\n", -1, -1, -1, -1);
	printf("[%d] [%d] [%d] [%d]\n", (char)200, (unsigned char)200, (short)40000, (unsigned short)40000);
	printf("[%x] [%x] [%x]\n", (char)200, (short)40000, (int)-2);
	printf("[%i] [%5i] [%-5i] [%05i] [% i]\n", 7, 7, 7, 7, 7);
	printf("[%#o] [%#X] [%#x] [%+5d] [%-+5d]\n", 8, 255, 0, 3, 3);
	printf("[%.3d] [%8.3d] [%-8.3d] [%.0d]\n", 5, 5, 5, 0);
	printf("[%c] [%5c] [%-5c]\n", 65, 'b', 'c');
	printf("[%s] [%5s] [%-5s] [%.1s] [%5.1s] [%.*s] [%*s]\n", "xyz", "xyz", "xyz", "xyz", "xyz", 2, "xyz", 6, "xyz");
	printf("[%p] [%10p] [%p]\n", NULL, (void *)16, (int64_t)255);
	printf("[%S]\n", "a\nb\\");
	printf("[%s] [%s]\n", (string)"cast", stringof("of"));
	printf("%%|\n");
	printf("[%'d] [%'d]\n", 1234567, 12);
	printf("[%a] [%A]\n", 16, (uintptr_t)0);
	printf("[%Y]\n", 0);
	printf("[%d] [%i] [%d]\n", (uint64_t)-1, (unsigned int)-1, (void *)-1);
	printf("[%d] [%d] [%d]\n", 'a', 'ab', '\n');
	printf("[%d] [%d] [%d]\n", 'abcd', '\377', '\x7f');
	printf("[%d] [%s]\n", 1 == 1, 2 > 1 ? "yes" : "no");
	printf("[%d] [%d] [%d] [%d]\n", -7 / 2, -7 % 2, 7 / -2, -8 >> 1);
	printf("[%u] [%d] [%x]\n", 1 << 31, 1 << 31, 1LL << 40);
	printf("[%d] [%d]\n", sizeof(1 == 1), sizeof(1L + 1));
	printf("[%d] [%d] [%d]\n", 1 ^^ 1, 1 ^^ 0, !5);
	printf("[%d] [%d]\n", "abc" < "abd", "abc" == "abc");
	printf("[%?x] [%?d]\n", 1, 1);
	exit(0);
}
