/* options: -q */
/* command: ls /sys/fs/cgroup */
/* Some flags of open() have another value for each architecture. */
syscall::openat:entry
/execname == "ls" && copyinstr(arg1) == "/sys/fs/cgroup"/
{
	printf("%d %d %d\n", (arg2 & O_DIRECTORY) != 0, (arg2 & O_DIRECT) != 0, (arg2 & O_NOFOLLOW) != 0);
}

syscall::getdents64:entry
/execname == "ls" && !seen++/
{
	printf("%d %d\n", (fds[arg0].fi_oflags & O_DIRECTORY) != 0, (fds[arg0].fi_oflags & O_DIRECT) != 0);
}
