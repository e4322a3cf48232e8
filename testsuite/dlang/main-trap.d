/* options: -q */
/* command: CONSTRUCTOR trap */
/* The constructor raises the signal of breakpoints. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
