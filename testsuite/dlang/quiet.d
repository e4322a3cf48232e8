/* options: -q */
/* In quiet mode, only what the program prints is printed. */
BEGIN
{
	trace(1);
	trace(" ");
	trace("text");
	trace((uint8_t)200);
	printf("\n");
	exit(4);
}
/* status: 4 */
