# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-vanilla-kernels`: kernels with fewer features than Debian's, used by the path of their build trees. One
# has only symbols, no DWARF or BTF, and symbol versions in modules. The other has no tracepoints and no function
# tracer. Supported probes work, and others are refused with the reason. The kernels are built if they are not in the
# cache, which takes about ten minutes each.

. "$(dirname "$0")/../lib.sh"

# build NAME SETTING...: build configurations/NAME.config and set $kernel and $tree. The final configuration must
# contain these lines.
build() {
	local name=$1 setting
	shift
	cat "$SPILE_SRCDIR/vm/debug-kernel.config" "$tests"/configurations/{unchecked,"$name"}.config >"$work/config"
	kernel=$("$STAP_VM" build-debug-kernel --config "$work/config" 2>"$work/build.log") || {
		fail "$name: the kernel is built" "$work/build.log"
		return 1
	}
	tree=$("$STAP_VM" path "$kernel")
	for setting; do
		grep -qxF "$setting" "$tree/.config" && continue
		echo "$setting" | fail "$name: the kernel is built"
		return 1
	done
	ok "$name: the kernel is built"
	start_guest "$kernel"
}

cleanup() {
	[ -z "$kernel" ] || "$STAP_VM" stop --socket "$work/$kernel" 2>/dev/null
}

stap() {
	timeout 300 "$STAP" -r "$tree" --remote=unix:"$work/$kernel" "$@" >"$work/out" 2>"$work/err"
}

# works NAME PATTERN OPTION...: check that a script succeeds and prints a line that matches.
works() {
	local name=$1 pattern=$2
	shift 2
	if stap "$@" && ! grep -vE '^Compiling the runtime .*, once\.$' "$work/err" && grep -qE "$pattern" "$work/out"
	then
		ok "$name"
	else
		fail "$name" "$work/err" "$work/out"
	fi
	check_guest_log "$kernel" "after: $name"
}

# refused NAME MESSAGE HINT SCRIPT: check that a script fails with this message and hint.
refused() {
	! stap -e "$4" && grep -qF -- "$2" "$work/err" && grep -qE "^hint: .*$3" "$work/err" && ok "$1" ||
		fail "$1" "$work/err" "$work/out"
}

open='probe kernel.function("vfs_read")'
debuginfo='CONFIG_DEBUG_INFO_DWARF_TOOLCHAIN_DEFAULT=y'

if build symbols CONFIG_DEBUG_INFO_NONE=y CONFIG_MODVERSIONS=y; then
	works "symbols: hello" '^hello$' -e 'probe begin { println("hello") exit() }'
	works "symbols: functions" '^vfs_read [0-9]+$' -c 'ls /' \
		-e "$open { println(ppfunc(), \" \", int_arg(3)) exit() }"
	works "symbols: returns" '^[0-9]+$' -c 'ls /' -e "$open.return { println(returnval()) exit() }"
	works "symbols: tracepoints" '^ok$' -c 'sleep 1' \
		-e 'global n probe kernel.trace("sched_switch") { n++ } probe end { println(n ? "ok" : "no") }'
	works "symbols: system calls" '^openat: AT_FDCWD, "/", .*O_RDONLY.* = 3$' -c 'ls /' \
		-e 'probe syscall.openat.return { if (pid() == target()) println(name, ": ", argstr, " = ", retstr) }'
	works "symbols: stacks" '^ 0x[0-9a-f]{16} : ksys_read\+0x' -c 'ls /' -e "$open { print_backtrace() }"
	works "symbols: programs" '^begun$' -c 'ls /' -e 'probe process.begin { println("begun") exit() }'
	works "symbols: samples, statistics" '^ok$' -c 'sleep 1' -e 'global s probe timer.profile { s[cpu()] <<< 1 }
		probe end { println(@count(s[0]) ? "ok" : "no") }'
	refused "symbols: variables" "types, and so variables, are not known" "$debuginfo" "$open { println(\$count) }"
	refused "symbols: lines" "source files and lines are not known" "$debuginfo" \
		'probe kernel.statement("vfs_read@fs/read_write.c:*") { next }'
	refused "symbols: structures of tracepoints" "types, and so variables, are not known" "$debuginfo" \
		'probe kernel.trace("sched_switch") { println($prev->pid) }'
	stop_guest "$kernel"
fi

if build untraced '# CONFIG_FTRACE is not set' '# CONFIG_MODVERSIONS is not set'; then
	works "untraced: hello" '^hello$' -e 'probe begin { println("hello") exit() }'
	works "untraced: functions and variables" '^vfs_read [0-9]+$' -c 'ls /' \
		-e "$open { println(ppfunc(), \" \", \$count) exit() }"
	works "untraced: returns" '^[01]$' -c 'ls /' -e "$open.return { println(\$return > 0) exit() }"
	works "untraced: aliases" '^[0-9]+$' -c 'ls /' -e 'probe vfs.read { println(bytes_to_read) exit() }'
	works "untraced: many functions" '^ok$' -c 'ls /' -e 'global n
		probe kernel.function("vfs_*") { n[ppfunc()]++ } probe end { println(n["vfs_read"] ? "ok" : "no") }'
	works "untraced: stacks" '^ 0x[0-9a-f]{16} : ksys_read\+0x' -c 'ls /' -e "$open { print_backtrace() }"
	works "untraced: timers, samples" '^ok$' -c 'sleep 1' -e 'global s, n probe timer.profile { s <<< cpu() }
		probe timer.ms(10) { n++ } probe end { println(@count(s) && n ? "ok" : "no") }'
	refused "untraced: tracepoints" "no tracepoint matches 'sched_switch'" CONFIG_TRACEPOINTS \
		'probe kernel.trace("sched_switch") { next }'
	refused "untraced: system calls" "system calls by name (syscall.*) are not available" CONFIG_TRACEPOINTS \
		'probe syscall.openat { println(argstr) }'
	refused "untraced: processes" "beginnings and ends of processes" CONFIG_TRACEPOINTS \
		'probe process.begin { println(pid()) }'
	refused "untraced: stacks of programs" "stacks and symbols of programs are not available" CONFIG_TRACEPOINTS \
		"$open { print_ubacktrace() }"
	refused "untraced: programs" "(process.function and similar) are not available" CONFIG_UPROBES \
		"probe process(\"$STAP\").function(\"main\") { next }"
	stop_guest "$kernel"
fi
