/* options: -q */
/* command: TARGET */
/*
 * Functions of a program and of its libraries; without a module, both are searched. A function with several names has
 * that of the description.
 */
pid$target:a.out:twice:entry
{
	printf("%s:%s:%s %d %d\n", probemod, probefunc, probename, arg0, args[0]);
}

pid$target:a.out:twice:return
{
	printf("%s:%s:%s %d %d\n", probemod, probefunc, probename, arg1, args[1]);
}

pid$target:target:main:entry, pid$target::exit:entry
{
	printf("%s:%s %d\n", probemod, probefunc, probeprov == strjoin("pid", lltostr($target)));
}

pid$target:libc.so.6:malloc:entry
/arg0 == 100/
{
	printf("%s:%s\n", probemod, probefunc);
}
