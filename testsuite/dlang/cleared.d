/* options: -q */
/* clear() keeps the keys of all functions with the value 0, and the next value is a first one. */

BEGIN
{
	@average["a"] = avg(10);
	@average["a"] = avg(20);
	@average["b"] = avg(3);
	@deviation["a"] = stddev(10);
	@deviation["a"] = stddev(20);
	@least["a"] = min(10);
	@least["b"] = min(-5);
	@most["a"] = max(-10);
	@most["b"] = max(5);
	@one = avg(7);
	@sum["a"] = sum(4);
	printa("before %s %@d %@d %@d\n", @average, @least, @most);
	clear(@average);
	clear(@deviation);
	clear(@least);
	clear(@most);
	clear(@one);
	clear(@sum);
}

BEGIN
{
	printa("cleared average %s %@d\n", @average);
	printa("cleared deviation %s %@d\n", @deviation);
	printa("cleared least %s %@d\n", @least);
	printa("cleared most %s %@d\n", @most);
	printa("cleared one %@d\n", @one);
	printa("cleared sum %s %@d\n", @sum);
	printa("cleared together %s %@d %@d\n", @least, @most);
}

BEGIN
{
	@average["b"] = avg(-6);
	@average["c"] = avg(6);
	@deviation["a"] = stddev(8);
	@least["a"] = min(30);
	@most["a"] = max(-30);
	@one = avg(2);
	printa("then average %s %@d\n", @average);
	printa("then deviation %s %@d\n", @deviation);
	printa("then least %s %@d\n", @least);
	printa("then most %s %@d\n", @most);
	printa("then one %@d\n", @one);
	printa("then together %s %@d %@d\n", @least, @most);
	@average["c"] = avg(8);
	printa("then average %s %@d\n", @average);
}

BEGIN
{
	trunc(@average, 2);
	printa("truncated %s %@d\n", @average);
	trunc(@least);
	printa("truncated %s %@d\n", @least);
	clear(@average);
	printa("again %s %@d\n", @average);
	clear(@average);
	@average["d"] = avg(1);
	printa("again %s %@d\n", @average);
	@last["x"] = min(4);
	@last["y"] = min(5);
	clear(@last);
	@last["x"] = min(6);
	exit(0);
}
