/* A clause that commits and exits: the committed text comes before its line. */
BEGIN
{
	self->s = speculation();
}

BEGIN
{
	speculate(self->s);
	trace("speculated");
}

BEGIN
{
	commit(self->s);
	exit(0);
}
