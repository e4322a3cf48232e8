/* options: -q */
/* command: cat /proc/version */
/* Arguments and results of kernel functions. */
fbt::vfs_read:entry
/pid == $target && stringof(args[0]->f_path.dentry->d_name.name) == "version"/
{
	self->file = args[0];
	printf("%s %d %d\n", stringof(args[0]->f_path.dentry->d_name.name), args[2] > 0, arg0 == (uint64_t)args[0]);
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
}
fbt::vfs_read:return
/self->file/
{
	printf("%d %d\n", args[1] == arg1, args[1] >= 0);
	self->file = 0;
}
