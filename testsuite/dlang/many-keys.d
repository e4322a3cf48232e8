/* options: -q */
/* command: sh -c "dd if=/dev/zero of=/dev/null bs=1 count=3000 2>/dev/null" */
/* A clause may go through thousands of keys, also outside of END, and prints large structures whole. */
int n;

syscall::write:entry
/execname == "dd" && arg0 == 1/
{
	@c[++n] = sum(n);
	@q[n] = quantize(n);
	kept[n] = n;
	total += kept[n];
}

syscall::exit_group:entry
/execname == "dd"/
{
	normalize(@c, 2);
	trunc(@c, 3);
	trunc(@q, -2);
	printa("%d %@d\n", @c);
	printa(@q);
	printf("%d %d\n", n, total);
}
