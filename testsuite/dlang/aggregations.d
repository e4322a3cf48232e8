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
	@mixed = max(-1); /* values are signed, also of unsigned types */
	@mixed = max((uint64_t)i - 5);
	@average = avg(i);
	@deviation = stddev(i * 10);
	i++;
}
tick-1ms
/i == 5/
{
	exit(0);
}
