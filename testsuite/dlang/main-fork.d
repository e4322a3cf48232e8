/* options: -q */
/* command: CONSTRUCTOR fork */
/* A child of the constructor is not stopped at main(). */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
