/* options: -q */
/* arguments: 12 word '"quoted"' */
/* Macro arguments. */
BEGIN
{
	printf("%d %s %s %s %s\n", $1, $$2, $3, $$1, $$3);
	printf("%s\n", $$0);
	exit(0);
}
