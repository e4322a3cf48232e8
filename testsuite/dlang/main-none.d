/* options: -q */
/* command: WITHOUT_MAIN */
/* A program without main() is traced from its entry point. */
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
