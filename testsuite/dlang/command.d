/* command: false */
/* The end of the command is reported, and its status does not matter. */
syscall:::entry
/0/
{
}
