# SPDX-License-Identifier: GPL-2.0-or-later
#
# A sample of everything on a kernel of another architecture than this machine's, which is arm64 on most machines:
# translation with a cross compiler, an emulated guest, and scripts that read values which the workload knows. Debuginfo
# is the BTF in the boot image, so the kernel's debug symbols need not be fetched. `make check-arm64` fetches and builds
# all that it needs.

. "$(dirname "$0")/../lib.sh"

kernel=$foreign_kernel
# The architecture's names in scripts, for readelf and for uname.
case $(architecture_of "$kernel") in
arm64) other_name=arm64 elf_name=AArch64 machine=aarch64 ;;
amd64) other_name=x86_64 elf_name=X86-64 machine=x86_64 ;;
esac
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
		readelf -h first.ko | grep -q "Machine: .*$elf_name" &&
		"$STAP" -vv -r "$kernel" -p4 -m second -e 'probe begin { println("two") exit() }' 2>notes &&
		[ -s second.ko ] && ! grep -E "kbuild's (recorded )?commands" notes
}

# -a selects the architecture of a short form, and refuses other kernels.
selects() {
	local own=$old_kernel-cloud-$(dpkg --print-architecture)
	local script='probe begin { printf("%s", %( arch == "'$other_name'" %? "other" %: "own" %)) }'
	[ "$("$STAP" -a $other_name -r "${kernel%-*}" -p2 -e "$script" | grep -c '"other"')" -eq 1 ] &&
		refuses "kernel .* is for .*, not for $other_name" \
			"$STAP" -a $other_name -r "$own" -p2 -e 'probe begin {}'
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

# The interpreter of a command is that of the guest; this machine's own must not replace it.
shell_scripts() {
	printf '#!/bin/sh\necho a script runs\n' >script && chmod +x script &&
		prints 'begun\na script runs\n' -c "$PWD/script" -e 'probe begin { println("begun") }' &&
		"$STAP_VM" exec --socket "$work/$kernel" -- sh -c true
}

# System calls of 32-bit programs have other numbers, and 64-bit arguments in even registers.
narrow_calls() {
	arm-linux-gnueabihf-gcc -O1 -static -nostdlib -ffreestanding -o calls32 \
		"$tests/programs/calls-arm32.c" &&
		prints "$(cat "$tests/programs/calls-arm32.out")\n" -c ./calls32 -e '
			probe nd_syscall.* {
				if (execname() == "calls32" && name != "execve") println(name, " ", argstr)
			}'
}

# Each file of ours compiles for arm64, with the libraries of its guest root and the headers of this machine, and as the
# newest C library requires; in a part, every sixth one.
compiles() {
	local root
	root=$("$STAP_VM" guest-root arm64) || return
	# Without what would make the Makefile and the records of dependencies again, which make does despite -n.
	sed '/^include .*\.Po/d' "$SPILE_BUILDDIR/Makefile" >commands.mk
	make -n -B -C "$SPILE_BUILDDIR" -f "$work/commands.mk" MAKE=: all-am check-programs 2>/dev/null |
		sed -z 's/\\\n/ /g' |
		grep -oE '\bgcc [^;`]* -c -o [^;]*\.c\b' |
		sed -E 's/`[^`]*`//; s/ -(o|MT|MF) [^ ]+//g; s/ -(MD|MP|MMD|fsanitize=[^ ]*)\b//g' |
		sed "s|^gcc|aarch64-linux-gnu-gcc --sysroot=$root -fsyntax-only -idirafter /usr/include \
-idirafter /usr/include/$(dpkg-architecture -qDEB_HOST_MULTIARCH) \
-D_GNU_SOURCE -include $tests/newer-libc.h|" | sort -u |
		awk -v part="$SPILE_PART" -v turn="$turn" '!part || (NR + turn) % 6 == 0' >commands
	[ "$(wc -l <commands)" -ge 60 ] || { echo "make names $(wc -l <commands) files"; return 1; }
	(cd "$SPILE_BUILDDIR" && xargs -d '\n' -P "$(nproc)" -I{} sh -c '{}' <"$work/commands")
}

# Each increment reads and writes.
watchpoints() {
	aarch64-linux-gnu-gcc -O1 -static -nostdlib -I"$SPILE_SRCDIR/include" -fno-section-anchors -o counter \
		"$tests/programs/counter-arm64.c" &&
		prints '1000 2000\n' -c ./counter -e '
			global writes, accesses
			probe process("./counter").data("counter").length(4).write { writes++ }
			probe process("./counter").data("counter").length(4).rw { accesses++ }
			probe end { printf("%d %d\n", writes, accesses) }'
}

static_probe() {
	readelf -n counter | grep ':lo12:counter' &&
		prints '1000\n' -c ./counter -e 'probe process("./counter").mark("end") { println($arg1) }'
}

by_reference() {
	aarch64-linux-gnu-gcc -g -O0 -static -nostdlib -o by-reference "$tests/programs/by-reference-arm64.c" &&
		prints '1 5\n' -c ./by-reference -e '
			probe process("./by-reference").function("sum") {
				printf("%d %d\n", $given->members[0], $given->members[4])
			}'
}

# Wildcards find programs of this architecture on this machine, and those of the guest root.
wildcards() {
	cp by-reference by-other && prints 'by-other\n' -c ./by-other -e '
		probe process("'"$PWD"'/by-*").function("sum"), process("/lib/*/libc.so*").function("abort") {
			println(execname())
		}'
}

# One file with a program and a module for each of both architectures. Here it selects its program; in the guest, it
# runs. stap-vm copies it like any file, since it is a script of sh.
bundle() {
	"$STAP" --bundle=both -r $old_kernel -r "$kernel" -e 'probe begin { println("bundled") exit() }' &&
		./both --list >list && [ "$(grep -cE "^  [0-9].* ($(uname -m)|$machine) " list)" -eq 2 ] &&
		"$STAP_VM" exec --socket "$work/$kernel" --file both:/tmp/both -- /tmp/both >out &&
		[ "$(cat out)" = bundled ]
}

check "translation for another architecture" translates
check "-a" selects
[ "$other_name" != arm64 ] || check "all programs compile for arm64" compiles
start_guest "$kernel" || exit 0
check "hello" prints 'hi\n' -e 'probe begin { println("hi") exit() }'
check "timers" timers
check "arguments and results of kernel functions" values
check "system calls" system_calls
if [ "$other_name" = arm64 ] && [ -z "$SPILE_PART" ]; then
	if command -v arm-linux-gnueabihf-gcc >/dev/null; then
		check "system calls of 32-bit programs" narrow_calls
	else
		skip "system calls of 32-bit programs" "install gcc-arm-linux-gnueabihf"
	fi
fi
check "processes" processes
check "a shell script as the command" shell_scripts
if [ "$other_name" = arm64 ]; then
	check "watchpoints" watchpoints
	check "a static probe of a global variable" static_probe
	check "arguments that are passed by reference" by_reference
	check "wildcards in the names of programs" wildcards
fi
if [ -x "$(guest_program "$kernel" spile-bundle)" ]; then
	check "a bundle for two architectures" bundle
else
	skip "a bundle for two architectures" \
		"the guest root was fetched without musl; remove it and run make guest-programs"
fi
stop_guest "$kernel"
