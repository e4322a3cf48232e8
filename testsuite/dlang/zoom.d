/* options: -q -x aggzoom */
/* The longest bar has the full width. */
BEGIN
{
	@ = quantize(1);
	@ = quantize(1);
	@ = quantize(4);
	@both = quantize(-1);
	@both = quantize(5);
	exit(0);
}
