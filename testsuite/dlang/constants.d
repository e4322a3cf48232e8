/* options: -q */
/* Names of numbers that every program knows. */
BEGIN
{
	printf("%d %d %d %d %u\n", CHAR_MIN, CHAR_MAX, SHRT_MIN, SHRT_MAX, USHRT_MAX);
	printf("%d %d %u\n", INT_MIN, INT_MAX, UINT_MAX);
	printf("%d %d %u\n", LONG_MIN, LONG_MAX, ULONG_MAX);
	printf("%d %d %d %d\n", SIGHUP, SIGSYS, SIGRTMIN, SIGSTOP);
	printf("%d %d %d\n", EPERM, EOVERFLOW, ENOTSUP);
	printf("%x %x %x\n", O_LARGEFILE, O_RSYNC, O_CLOEXEC);
	printf("%d %d %d\n", TCP_STATE_ESTABLISHED, TCP_STATE_LISTEN, TCP_STATE_CLOSING);
	printf("%s %s %s\n", tcp_state_string[TCP_STATE_LISTEN], tcp_state_string[4], tcp_state_string[99]);
	printf("%d %d\n", IPPROTO_IPV6, IPPROTO_ICMPV6);
	printf("%d %d %d\n", CLD_EXITED, CLD_CONTINUED, ARPHRD_ETHER);
	printf("%d %d\n", SSLEEP, PR_MODEL_LP64);
	printf("%d\n", curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("%d %d\n", curpsinfo->pr_argv > 0, curpsinfo->pr_envp > curpsinfo->pr_argv);
	exit(0);
}
