/* status: 3 */
/* What trace() prints for values of each type, and printa() for keys. */
struct point { int x; char c; } v;
enum color { RED, GREEN = 7 } col;
char text[8];

BEGIN
{
	trace(1);
	trace(-1);
	trace((char)-1);
	trace((unsigned char)255);
	trace((short)-2);
	trace((uint64_t)-1);
	trace(1LL << 40);
	trace('c');
	trace("text");
	trace((void *)0x1234);
	trace((char *)0);
	trace(NULL);
}

BEGIN
{
	col = GREEN;
	trace(col);
	trace(GREEN);
	v.x = 1;
	v.c = 'z';
	trace(v.c);
	trace(curpsinfo->pr_fname == execname);
	trace(1 == 2);
	trace(sizeof(int));
	trace("tab\there");
	trace("");
}

BEGIN
{
	@k[-1, (char)2, (uint64_t)-1, "s", (void *)16] = count();
}

BEGIN
{
	@one["a"] = sum(-3);
	@one["b"] = sum(3);
	@u[1] = max(-2);
	@w[2] = min(5);
	@avg = avg(-7);
	@avg = avg(-2);
	@dev = stddev(10);
	@dev = stddev(20);
	@unsigned = sum((uint64_t)-1);
	printa(@one);
	printa("%s=%@d|%@x|%@8d|%-@8d|\n", @one);
	printa("%@u\n", @unsigned);
	exit(3);
}
