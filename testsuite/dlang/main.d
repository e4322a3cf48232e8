/* options: -q */
/* command: CONSTRUCTOR */
/* The command is traced from main(), so the constructor is not seen. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
