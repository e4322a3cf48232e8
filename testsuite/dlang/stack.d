/* options: -q */
/* command: head -c 0 /proc/sys/kernel/ostype */
/* A kernel stack, and one as a key. */
fbt::vfs_open:entry
/pid == $target/
{
	stack(1);
	printf("%a\n", (uint64_t)&`vfs_open);
	@[stack(1)] = count();
	@sym[sym((uint64_t)&`vfs_open)] = count();
	exit(0);
}
