/* options: -q */
/* Functions that the compiler may have inlined. */
sched:::enqueue
{
	this->queued = args[0]->pr_lwpid >= 0 && args[2]->cpu_id == 0;
	printf("%d\n", this->queued);
	exit(0);
}
