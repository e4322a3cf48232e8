/* options: -q */
/* Conversions of printf(). */
BEGIN
{
	printf("[%5d] [%-5d] [%05d] [%+d] [%x] [%#x] [%X] [%o]\n", 42, 42, 42, 42, 255, 255, 255, 8);
	printf("[%8s] [%-8s] [%.2s] [%c] [%%]\n", "abc", "abc", "abc", 'x');
	printf("[%lld] [%hd] [%ld] [%llx]\n", 1LL, 2, 3L, 0xffffffffffLL);
	printf("[%*d] [%-*d] [%i] [%u]\n", 6, 1, 6, 2, -3, 4);
	printf("[%p]\n", (void *)0x1234);
	printf("%Y\n", (int64_t)86400000000000);
	exit(0);
}
