/* options: -q */
/* command: TARGET */
/* Static probes of a program; one that is enabled only while it is watched. */
dlang_target$target:::
{
	printf("%s:%s:%s %d\n", probemod, probefunc, probename,
	       probeprov == strjoin("dlang_target", lltostr($target)));
}

dlang_target$target:target:twice:number-given
{
	printf("%d %d\n", (int)arg0, args[0]);
}

dlang_target*:::end
{
	printf("%x\n", args[0]);
}
