/* options: -q */
/* Subroutines for strings. */
BEGIN
{
	printf("%d [%s]\n", strlen("hello"), strjoin("a", "b"));
	printf("[%s] [%s] [%s]\n", strchr("hello", 'l'), strrchr("hello", 'l'), strstr("hello", "ll"));
	printf("[%s] [%s] [%s]\n", strtok("a,b;c", ",;"), strtok(0, ",;"), strtok(0, ",;"));
	printf("[%s] [%s] [%s] [%s]\n", substr("foobar", 3), substr("foobar", 1, 2), substr("foobar", -2),
	    substr("foobar", 1, -2));
	printf("%d %d %d %d\n", index("banana", "an"), index("banana", "an", 2), rindex("banana", "an"),
	    index("banana", "x"));
	printf("[%s] [%s]\n", toupper("Mixed1"), tolower("Mixed1"));
	printf("[%s] [%s] [%s] [%s]\n", basename("/usr/bin/ls"), dirname("/usr/bin/ls"), basename("/"), dirname("x"));
	printf("[%s] [%s]\n", cleanpath("/a/./b//c/../d"), cleanpath("/.."));
	printf("[%s] [%s] [%s]\n", lltostr(-5), lltostr(255, 16), lltostr(8, 8));
	printf("%d %d\n", strtoll("-12x"), strtoll("ff", 16));
	printf("%x %x\n", htons(0x1234), ntohl(0x12345678));
	printf("%S\n", "tab\tquote\"");
	printf("%C %C %C %C %4C %C\n", 'a', '\n', '\0', 200, '"', '\\');
	exit(0);
}
