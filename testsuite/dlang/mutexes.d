/* options: -q */
/* lockstat: a lock is taken as often as it is released, by the thread that looks. */
lockstat:::adaptive-acquire
/args[0] == &`cgroup_mutex/
{
	printf("%d\n", mutex_owned(args[0]));
}

lockstat:::adaptive-acquire
{
	self->taken[arg0] = 1;
	@taken = max(1);
}

lockstat:::adaptive-release
/self->taken[arg0]/
{
	self->taken[arg0] = 0;
	@released = max(1);
}

syscall:::entry
/i++ > 200/
{
	exit(0);
}
