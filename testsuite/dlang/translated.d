/* options: -q */
/* command: true one two */
/* Members of curpsinfo, curlwpsinfo and curcpu. */
syscall::exit_group:entry
/pid == $target/
{
	printf("%d %s %d\n", curpsinfo->pr_argc, copyinstr(curpsinfo->pr_argv), curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("%d %d\n", curlwpsinfo->pr_syscall > 0, curlwpsinfo->pr_stype);
	printf("%d %d\n", curcpu->cpu_id == cpu, curcpu->cpu_chip >= 0);
}

/* No system call is running. */
sched:::off-cpu
/curpsinfo->pr_argc == 0 && !seen++/
{
	printf("%d\n", curlwpsinfo->pr_syscall);
}
