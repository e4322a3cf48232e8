/* options: -q */
/* command: sh -c 'sleep 0.1; exec /bin/true one two' */
/* Members of curpsinfo, curlwpsinfo and curcpu. */
syscall::exit_group:entry
/pid == $target/
{
	printf("%d %s %d\n", curpsinfo->pr_argc, copyinstr(curpsinfo->pr_argv), curpsinfo->pr_dmodel == PR_MODEL_LP64);
	printf("%d %d\n", curlwpsinfo->pr_syscall > 0, curlwpsinfo->pr_stype);
	printf("%d %d\n", curcpu->cpu_id == cpu, curcpu->cpu_chip >= 0);
}

/* A child of kthreadd makes no system calls. */
sched:::off-cpu
/curpsinfo->pr_ppid == 2/
{
	seen++;
	calls += curlwpsinfo->pr_syscall != 0;
}

END
{
	printf("%d %d\n", seen > 0, calls);
}
