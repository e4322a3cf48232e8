/* %f wants a number that D does not have. */
BEGIN
{
	printf("%s %f\n", execname, pid);
}
