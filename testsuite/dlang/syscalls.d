/* options: -q */
/* command: head -c 0 /proc/sys/kernel/ostype */
/* System calls of the command. */
syscall::open*:entry
/pid == $target && copyinstr(arg1) == "/proc/sys/kernel/ostype"/
{
	self->path = arg1;
	printf("%s %s\n", probefunc, copyinstr(self->path));
}
syscall::open*:return
/self->path/
{
	printf("%s %d %d\n", probename, (int)arg1 > 2 || 1, errno);
	self->path = 0;
}
syscall:::entry
/pid == $target/
{
	@ = count();
	seen[probefunc] = 1;
}
END
{
	printf("%d %d\n", seen["openat"], seen["no such"]);
	trunc(@);
}
