/* options: -q */
/* Subroutines with arguments at their edges. */
inline int makedev = 8 << 20 | 17;

BEGIN
{
	printf("[%s] [%s] [%s] [%s]\n", basename(""), basename("/a/b/"), basename("//"), basename("a//b//"));
	printf("[%s] [%s] [%s] [%s] [%s]\n", dirname(""), dirname("/"), dirname("/a"), dirname("a/b/"), dirname("//a//b"));
	printf("[%s] [%s] [%s] [%s] [%s]\n", cleanpath(""), cleanpath("/a/../../b"), cleanpath("a/./b"),
	    cleanpath("/a//b/"), cleanpath("../x"));
	printf("[%s] [%s] [%s] [%s]\n", substr("abc", 0, 0), substr("abc", 3), substr("abc", 4), substr("abc", -5));
	printf("[%s] [%s] [%s] [%s]\n", substr("abc", -5, 3), substr("abc", 1, -1), substr("abc", 0, 9), substr("", 0));
	printf("%d %d %d %d %d\n", index("", ""), index("abc", ""), index("abc", "c", 2), index("abc", "a", -3),
	    index("abc", "a", 7));
	printf("%d %d %d %d %d\n", rindex("", ""), rindex("abc", ""), rindex("abcabc", "bc", 3), rindex("abc", "a", -1),
	    rindex("abc", "x"));
	printf("[%s] [%s] [%s]\n", strstr("abc", ""), strchr("abc", 'c'), strrchr("abca", 'a'));
	printf("[%s] [%s]\n", strtok(",,a,,b", ","), strtok(NULL, ","));
	printf("[%s] [%s]\n", strtok("x y", ""), strjoin("", ""));
	printf("[%s] [%s] [%s] [%s]\n", lltostr(0), lltostr(-255, 16), lltostr(255, 2), lltostr(35, 36));
	printf("[%s] [%s]\n", lltostr(1 << 31), lltostr(-9223372036854775807 - 1));
	printf("%d %d %d %d %d\n", strtoll(""), strtoll("  42"), strtoll("0x1f", 16), strtoll("z", 36), strtoll("+7"));
	printf("%d %d %d\n", strtoll("777", 8), strtoll("1012", 2), strtoll("12abc"));
	printf("[%s] [%s]\n", toupper("aZ9!"), tolower("aZ9!"));
	printf("%x %x %x %x\n", htons(0x11223344), htonl(0x1122334455667788), htonll(1), ntohll(1));
	printf("%d %d\n", getmajor(makedev), getminor(makedev));
	printf("%d %d %d\n", strlen(""), strlen("abc"), strlen(strjoin("abc", "de")));
	printf("%d %d %d\n", rand() >= 0, progenyof(1), progenyof(0x7ffffff));
	this->a = (uint8_t *)alloca(16);
	this->a[0] = 127;
	this->a[3] = 1;
	printf("%s %s\n", inet_ntoa((ipaddr_t *)this->a), inet_ntop(AF_INET, this->a));
	this->a[0] = 0xfe;
	this->a[1] = 0x80;
	this->a[3] = 0;
	this->a[15] = 1;
	printf("%s\n", inet_ntop(AF_INET6, this->a));
	this->a[0] = 0;
	this->a[1] = 0;
	printf("%s\n", inet_ntoa6((in6_addr_t *)this->a));
	this->a[15] = 0;
	printf("%s\n", inet_ntop(AF_INET6, this->a));
	this->a[10] = 0xff;
	this->a[11] = 0xff;
	this->a[12] = 10;
	printf("%s\n", inet_ntop(AF_INET6, this->a));
	printf("%s\n", link_ntop(ARPHRD_ETHER, this->a + 10));
	exit(0);
}
