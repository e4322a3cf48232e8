/* options:  */
/* command: CONSTRUCTOR exit */
/* The constructor ends the program; the end is reported. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
