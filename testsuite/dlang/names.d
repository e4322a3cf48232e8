/* options: -q */
/* Variables with the names of the front end's own ones, and of its scopes, are variables like any other. */
int n, i, first, last, row, t, v, above, below, number_0, key1;

BEGIN
{
	error = 1;
	action = "act";
	speculation = "spec";
	own_pid = "own";
	key0 = "key";
	text_key0 = 7;
	text_0 = 2;
	agg_x = 3;
	buckets_q = "buckets";
	printed_x = 4;
	divisor_x = 5;
	self_x = 6;
	self->x = "thread's";
	this_x = "global";
	this->x = 8;
	n = 9;
	i = 10;
	first = 11;
	last = 12;
	row = 13;
	t = 14;
	v = 15;
	above = 16;
	below = 17;
	number_0 = 18;
	key1 = 19;
	@x[1, "one"] = count();
	@q = quantize(3);
	normalize(@x, 1);
	printa("%d %s %@d\n", @x);
	printa(@q);
	trunc(@x, 1);
	printf("%d %s %s %s %s %d %d\n", error, action, speculation, own_pid, key0, text_key0, text_0);
	printf("%d %s %d %d %d %s %s %d\n", agg_x, buckets_q, printed_x, divisor_x, self_x, self->x, this_x, this->x);
	printf("%d %d %d %d %d %d %d %d %d\n", n, i, first, last, row, t, v, above, below);
	printf("%d %d %d\n", number_0, key1, $pid == pid);
	exit(0);
}
