/* options: -q */
/* printa() with and without a format, several aggregations, trunc, clear, normalize. */
BEGIN
{
	@a["x"] = sum(30);
	@a["y"] = sum(10);
	@a["z"] = sum(20);
	@b["x"] = count();
	@b["w"] = count();
	printa(@a);
	printa("%s=%@d\n", @a);
	printa("%-5s %@5d %@5d\n", @a, @b);
	normalize(@a, 10);
	printa("%s %@d\n", @a);
	denormalize(@a);
	trunc(@a, 2);
	printa("%@d %s\n", @a);
	clear(@a);
	printa("%s %@u\n", @a);
	trunc(@a);
	printa("%s %@d\n", @a);
	printa(@b);
	exit(0);
}
