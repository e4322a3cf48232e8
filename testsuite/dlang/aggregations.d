/* options: -q */
/* Aggregations are printed at the end, sorted by value; a keyless one is a single number. */
int i;
tick-1ms
/i < 5/
{
	@count = count();
	@sum = sum(i);
	@keys[i % 2 ? "odd" : "even"] = count();
	@two["k", i] = sum(i * 10);
	@minimum = min(i - 2);
	@maximum = max(i * 3);
	@average = avg(i);
	@deviation = stddev(i * 10);
	i++;
}
tick-1ms
/i == 5/
{
	exit(0);
}
