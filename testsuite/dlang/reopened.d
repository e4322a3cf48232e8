#pragma D option quiet
#pragma D option destructive

/* The file of freopen() has what is printed until the next one; ftruncate() removes what was printed before. */
BEGIN
{
	printf("lost\n");
	ftruncate();
	printf("one\n");
	freopen("/tmp/reopened.%d", 7);
	printf("two\n");
	freopen("");
	printf("three\n");
	freopen("/tmp/reopened.8");
	printf("lost\n");
}

tick-10ms
/++n == 1/
{
	ftruncate();
	printf("four\n");
	freopen("%s", "");
}

tick-10ms
/n == 2/
{
	system("cat /tmp/reopened.%d /tmp/reopened.8", 7);
	exit(0);
}
