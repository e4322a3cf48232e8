/* options: -q */
/* command: echo a | grep -q a */
/* Locks of the kernel. A pipe is locked while its buffers are released. */
BEGIN
{
	printf("%d %d\n", mutex_owned(&`cgroup_mutex), mutex_owner(&`cgroup_mutex) == NULL);
	printf("%d %d\n", mutex_type_adaptive(&`cgroup_mutex), mutex_type_spin(&`cgroup_mutex));
	printf("%d %d\n", mutex_type_adaptive((spinlock_t *)0), mutex_type_spin((spinlock_t *)0));
	printf("%d %d\n", rw_write_held(&`tasklist_lock), rw_iswriter(&`tasklist_lock));
}

fbt::pipe_read:entry
{
	self->pipe = (struct pipe_inode_info *)args[0]->ki_filp->private_data;
}

fbt::anon_pipe_buf_release:entry
/self->pipe && !n++/
{
	printf("%d %d\n", mutex_owned(&self->pipe->mutex), mutex_owner(&self->pipe->mutex) == curthread);
	printf("%s\n", mutex_owner(&self->pipe->mutex)->comm == execname ? "own" : "other");
	exit(0);
}
