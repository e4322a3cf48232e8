/* options: -q */
/* Distributions: powers of two, linear and log-linear buckets, with weights. */
BEGIN
{
	@q = quantize(0);
	@q = quantize(1);
	@q = quantize(5);
	@q = quantize(7);
	@q = quantize(-3);
	@q = quantize(1024, 3);
	@l["line"] = lquantize(5, 0, 100, 10);
	@l["line"] = lquantize(15, 0, 100, 10);
	@l["line"] = lquantize(-1, 0, 100, 10);
	@l["line"] = lquantize(100, 0, 100, 10);
	@ll = llquantize(3, 10, 0, 3, 10);
	@ll = llquantize(25, 10, 0, 3, 10);
	@ll = llquantize(5000, 10, 0, 3, 10);
	exit(0);
}
