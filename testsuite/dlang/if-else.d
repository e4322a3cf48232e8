/* Groups of statements that "if" separates print lines of their own. */
BEGIN
{
	trace("first");
	if (1) {
		trace("then");
	} else {
		trace("else");
	}
	trace("last");
	if (0)
		trace("no");
	else if (1)
		trace("yes");
	exit(0);
}
