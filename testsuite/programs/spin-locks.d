/* lockstat: spin locks and read-write locks are taken and released; several functions are one probe. */
lockstat:::spin-acquire
{
	@spin_taken = max(args[0] != NULL);
}

lockstat:::spin-release
{
	@spin_released = max(args[0] != NULL);
}

lockstat:::rw-acquire
{
	@rw_taken = max(args[0] != NULL);
	this->ok = args[1] == 0 || args[1] == 1;
	@rw_kind = min(this->ok);
}

lockstat:::rw-release
{
	@rw_released = max(args[0] != NULL);
}

/* Printing, and a stack, in a probe that other output runs through. */
lockstat:::spin-acquire
/i++ < 20/
{
	@stacks[stack(3)] = count();
	printf("%s", "");
}

lockstat:::spin-spin,
lockstat:::rw-spin,
lockstat:::adaptive-spin
{
	@spun = max(args[1]);
}

END
{
	trunc(@stacks);
	trunc(@spun);
	printa("%@d %@d ", @spin_taken, @spin_released);
	printa("%@d %@d %@d\n", @rw_taken, @rw_kind, @rw_released);
}
