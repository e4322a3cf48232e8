# SPDX-License-Identifier: GPL-2.0-or-later
# Checks of a kernel that stap-vm fetched: the kernel $release in $SPILE_CACHE, with debug symbols and the module xfs.
# For the suites rpm-kernels and ubuntu-kernels.

runs_script() {
	"$STAP" --remote=vm: -r "$release" -e '
		global reads
		probe kernel.function("vfs_read") { reads[execname()] <<< $count }
		probe module("xfs").function("xfs_file_open") { println("xfs") }
		probe end { foreach (name in reads) println(name, " ", @count(reads[name]) > 0) }' \
		-c 'head -n 1 /proc/version' >out 2>err
	cat out err
	grep -q '^head 1$' out && grep -q "Linux version $release" out
}
lists_module() {
	"$STAP" -r "$release" -l 'module("xfs").function("xfs_file_open")' | tee out
	grep -q '^module("xfs").function("xfs_file_open' out
}

check_fetched_kernel() {
	check "a script runs on it" runs_script
	check "functions of a compressed module are found" lists_module
}
