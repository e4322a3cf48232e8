/* options: -q */
/* command: CONSTRUCTOR */
/* The command is traced from its execve(). */
#pragma D option evaltime=exec
syscall::getpriority:entry,
syscall::getppid:entry,
syscall::exit_group:entry
/pid == $target/
{
	printf("%s\n", probefunc);
}
