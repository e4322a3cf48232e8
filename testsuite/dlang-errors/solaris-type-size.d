BEGIN
{
	trace(sizeof(kthread_t));
}
