/* options: -q */
/* cpc, and variables that are computed. */
cpc:::cpu_clock-all-1000000 { n++; }
BEGIN
{
	printf("%s %d %d\n", root, uregs[R_SP] > 0, fds[0].fi_oflags >= 0);
	this->a = (uint8_t *)alloca(16);
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->a));
	this->a[0] = 0xfe; this->a[1] = 0x80; this->a[15] = 1;
	printf("%s\n", inet_ntop(AF_INET6, this->a));
	this->a[1] = 1; this->a[3] = 2;
	printf("%s\n", inet_ntoa((ipaddr_t *)this->a));
}
tick-20ms { printf("%d\n", n > 0); exit(0); }
