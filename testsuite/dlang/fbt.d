/* options: -q */
/* command: head -c 0 /proc/sys/kernel/ostype */
/* Arguments and results of kernel functions. */
fbt::vfs_open:entry
/pid == $target && stringof(args[0]->dentry->d_name.name) == "ostype"/
{
	self->file = args[1];
	printf("%s %d\n", stringof(args[0]->dentry->d_name.name), arg0 == (uint64_t)args[0]);
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
}
fbt::vfs_open:return
/self->file/
{
	printf("%d %d\n", args[1] == arg1, args[1]);
	self->file = 0;
}
