/* The line of a record: CPU, ID and name; trace() pads by the size of its type. */
BEGIN
{
	trace(1);
	trace((short)2);
	trace((char)3);
	trace(4LL);
	trace("text");
}
BEGIN { printf("%d %s\n", 5, "six"); }
BEGIN { }
BEGIN { x = 1; }
BEGIN { exit(0); }
END { trace("end"); }
