/* options: -q */
/* command: CONSTRUCTOR exec */
/* The constructor executes the program again. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
