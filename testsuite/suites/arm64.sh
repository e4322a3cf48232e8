# SPDX-License-Identifier: GPL-2.0-or-later
#
# A sample of everything on a kernel of another architecture than this machine's: translation with a cross compiler, an
# emulated guest, and scripts that read values which the workload knows. Debuginfo is the BTF in the boot image, so the
# kernel's debug symbols need not be fetched. `make check-arm64` fetches and builds all that it needs.

. "$(dirname "$0")/../lib.sh"

kernel=$foreign_kernel
"$STAP_VM" path "$kernel" >"$work/kernel.path" 2>&1 || {
	skip "kernel $kernel" "it is not in the cache; fetch it with: stap-vm fetch --no-debuginfo $kernel"
	exit 0
}
[ -x "$(guest_program "$kernel" staprun)" ] || {
	skip "kernel $kernel" "the programs of its guests are not built; run: make guest-programs"
	exit 0
}
export SPILE_DEBUGINFO_SOURCES=btf
cd "$work" || exit 1

# The module is for the other architecture, and the second one is built by the commands recorded of the first.
translates() {
	"$STAP" -r "$kernel" -p4 -m first -e 'probe begin { println("one") exit() }' &&
		readelf -h first.ko | grep -q 'Machine: .*AArch64' &&
		"$STAP" -vv -r "$kernel" -p4 -m second -e 'probe begin { println("two") exit() }' 2>notes &&
		[ -s second.ko ] && ! grep -E "kbuild's (recorded )?commands" notes
}

# -a selects the architecture of a short form, and refuses other kernels.
selects() {
	local script='probe begin { printf("%s", %( arch == "arm64" %? "arm" %: "x" %)) }'
	[ "$("$STAP" -a arm64 -r "${kernel%-arm64}" -p2 -e "$script" |
		grep -c '"arm"')" -eq 1 ] &&
		refuses "kernel .* is for x86_64, not for arm64" \
			"$STAP" -a arm64 -r "$old_kernel-cloud-amd64" -p2 -e 'probe begin {}'
}

run_script() {
	"$STAP" $no_overload -r "$kernel" --remote="unix:$work/$kernel" "$@" >out 2>err || { cat out err; return 1; }
}

# prints TEXT ARGUMENT...: does the script print exactly this, and nothing on standard error?
prints() {
	run_script "${@:2}" && diff <(printf "$1") out && [ ! -s err ] || { cat err; return 1; }
}

# Arguments and results of a kernel function, compared with what dd was told.
values() {
	prints '4321 4321\n4321 4321\n' -c 'dd if=/dev/zero of=/dev/null bs=4321 count=2 2>/dev/null' -e '
		global asked
		probe kernel.function("vfs_read") { if (execname() == "dd" && $count == 4321) asked[tid()] = $count }
		probe kernel.function("vfs_read").return {
			if (tid() in asked) printf("%d %d\n", asked[tid()], $return)
			delete asked[tid()]
		}'
}

# A system call's name, arguments and result.
system_calls() {
	prints 'mkdirat AT_FDCWD, "/tmp/made", 0777 0\n' -c 'mkdir /tmp/made' -e '
		probe syscall.mkdirat { if (execname() == "mkdir") printf("%s %s", name, argstr) }
		probe syscall.mkdirat.return { if (execname() == "mkdir") printf(" %d\n", retval) }'
}

# The shell that executes sleep may first run another program, so other lines may precede.
processes() {
	run_script -c '/bin/sleep 0; true' -e '
		probe process.begin { if (execname() == "sleep") println("sleep begins") }
		probe process.end { if (execname() == "sleep") println("sleep ends") }' &&
		tail -n 2 out | diff <(printf 'sleep begins\nsleep ends\n') -
}

timers() {
	prints '3\n' -e 'global n probe timer.ms(10) { if (++n == 3) { println(n) exit() } }'
}

# Each increment reads and writes.
watchpoints() {
	aarch64-linux-gnu-gcc -O1 -static -nostdlib -o counter "$tests/programs/counter-arm64.c" &&
		prints '1000 2000\n' -c ./counter -e '
			global writes, accesses
			probe process("./counter").data("counter").length(4).write { writes++ }
			probe process("./counter").data("counter").length(4).rw { accesses++ }
			probe end { printf("%d %d\n", writes, accesses) }'
}

# One file with a program and a module for each of both architectures. Here it selects its program; in the guest, it
# runs. stap-vm copies it like any file, since it is a script of sh.
bundle() {
	"$STAP" --bundle=both -r $old_kernel -r "$kernel" -e 'probe begin { println("bundled") exit() }' &&
		./both --list >list && [ "$(grep -cE '^  [0-9].* (x86_64|aarch64) ' list)" -eq 2 ] &&
		"$STAP_VM" exec --socket "$work/$kernel" --file both:/tmp/both -- /tmp/both >out &&
		[ "$(cat out)" = bundled ]
}

check "translation for another architecture" translates
check "-a" selects
start_guest "$kernel" || exit 0
check "hello" prints 'hi\n' -e 'probe begin { println("hi") exit() }'
check "timers" timers
check "arguments and results of kernel functions" values
check "system calls" system_calls
check "processes" processes
check "watchpoints" watchpoints
if [ -x "$(guest_program "$kernel" spile-bundle)" ]; then
	check "a bundle for two architectures" bundle
else
	skip "a bundle for two architectures" \
		"the guest root was fetched without musl; remove it and run make guest-programs"
fi
stop_guest "$kernel"
