/* options: -q */
/* command: TARGET */
/* Addresses instead of symbols, and bytes instead of text. */
#pragma D option noresolve
#pragma D option rawbytes
#pragma D option ustackframes=1
struct named { char name[4]; } named;

pid$target:a.out:twice:entry
/!seen++/
{
	named.name[0] = 'a';
	named.name[1] = '\n';
	trace(named.name);
	printf("\n");
	ustack();
	printf("%s\n", "a string");
	trace("text");
	exit(0);
}
