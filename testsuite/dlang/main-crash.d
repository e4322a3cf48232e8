/* options:  */
/* command: CONSTRUCTOR crash */
/* The constructor crashes. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
