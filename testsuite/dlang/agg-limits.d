/* options: -q */
/* Distributions at their edges, increments and negative values. */
BEGIN
{
	@q = quantize(0); @q = quantize(-1); @q = quantize(1); @q = quantize(-1000); @q = quantize(1 << 30);
	@qw = quantize(8, 5); @qw = quantize(16, -3);
	@l = lquantize(-5, -10, 10, 5); @l = lquantize(-11, -10, 10, 5); @l = lquantize(10, -10, 10, 5);
	@ls = lquantize(3, 0, 4); @ls = lquantize(9, 0, 4);
	@lw = lquantize(1, 0, 3, 1, 10);
	@ll = llquantize(0, 10, 0, 2, 10); @ll = llquantize(15, 10, 0, 2, 10); @ll = llquantize(1500, 10, 0, 2, 10);
	@ll = llquantize(-15, 10, 0, 2, 10);
	@e = count(); clear(@e);
	@t[1] = sum(10); @t[2] = sum(20); @t[3] = sum(30); @t[4] = sum(40);
	trunc(@t, 2);
	@b[1] = sum(10); @b[2] = sum(20); @b[3] = sum(30);
	trunc(@b, -1);
	@n[1] = sum(1000); normalize(@n, 10); printa("%d %@d\n", @n);
	denormalize(@n); printa("%d %@d\n", @n);
	@s["x"] = sum(2); @c["x"] = count(); @c["y"] = count();
	printa("%s %@d %@d\n", @s, @c);
	printa(@s, @c);
	trunc(@s); trunc(@c);
	exit(0);
}

/* The mean of the squares needs more than 64 bits. */
END
{
	@far[1] = stddev(5000000000);
	@far[1] = stddev(-5000000000);
	@far[2] = stddev(4000000000000000000);
	@far[2] = stddev(-4000000000000000000);
	@far[3] = stddev(4000000000000000000);
	printa("%d %@d\n", @far);
}
