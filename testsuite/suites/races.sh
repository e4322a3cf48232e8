# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-races`: scripts under load on kernels with the sanitizer of concurrent accesses (KCSAN), for x86-64 and
# arm64, in guests with four CPUs. KCSAN delays some accesses to memory, and reports whoever accesses the same place
# meanwhile. Races of the runtime or of a script are failures; those of the kernel are not. A kernel is built if it is
# not in the cache, which takes about ten minutes; the one for arm64 needs the cross compiler and `make guest-programs`.
#
#     SPILE_TESTS=PATTERN  run only some scripts of testsuite/races

. "$(dirname "$0")/../lib.sh"

{
	grep -v KASAN "$SPILE_SRCDIR/vm/debug-kernel.config"
	cat "$tests/races/kcsan.config"
} >"$work/config"
# Without "BUG:" and the like, with which this kernel reports its own races.
kernel_complaints='Oops|general protection|unable to handle|soft lockup|hung_task|rcu.*stall'

load='ls -lR /sys/kernel >/dev/null 2>&1 & ls -lR /proc/sys >/dev/null 2>&1 &
	for i in $(seq 12); do /bin/true; cat /proc/self/maps >/dev/null; done; wait'

# run_script OPTION...: run a script. The kernel's reports since the last call are in $work/reports: those in which a
# module of a script is one of the two that race. The exit status tells only that the kernel has reported something.
run_script() {
	cp "$work/dmesg.$kernel" "$work/before"
	timeout 600 "$STAP" -w -r "$tree" --remote=unix:"$work/$kernel" -D STP_NO_OVERLOAD -D MAXSKIPPED=1000000000 \
		-D MAXACTION=100000 -c "$load" "$@" >"$work/out" 2>"$work/err"
	guest_log "$kernel" >"$work/dmesg.$kernel" 2>&1
	diff "$work/before" "$work/dmesg.$kernel" | sed -n 's/^> //p' |
		awk '/BUG: KCSAN: / { shows = /\[stap_/ } shows; /={40}/ { shows = 0 }' >"$work/reports"
}

# A script that has a race, so that the other results mean something.
finds_races() {
	run_script -g -e '%{ static long races; %} function add() %{ races++; %}
		probe kernel.trace("sys_enter"), kernel.trace("sched_switch") { add() }'
	grep 'BUG: KCSAN: data-race in .*\[stap_' "$work/reports" >/dev/null || { tail "$work/err"; return 1; }
}

# try_script SCRIPT: it must print 1, without errors and races.
try_script() {
	local name
	name=$(basename "$1" .stp)
	run_script "$1"
	if grep '^ERROR: ' "$work/err" >"$work/errors" || ! grep -qx 1 "$work/out"; then
		tail -n 20 "$work/out" | fail "$architecture: $name runs" "$work/errors"
	elif [ -s "$work/reports" ]; then
		fail "$architecture: $name has no races" "$work/reports"
	else
		ok "$architecture: $name has no races"
	fi
}

# try_kernel ARCHITECTURE: build the kernel and run all scripts on it.
try_kernel() {
	architecture=$1
	kernel=$("$STAP_VM" build-debug-kernel --config "$work/config" "$architecture" 2>"$work/build.log") || {
		fail "$architecture: the kernel is built" "$work/build.log"
		return
	}
	ok "$architecture: the kernel is built"
	tree=$("$STAP_VM" path "$kernel")
	PATH=$work/multi:$PATH start_guest "$kernel" --smp 4 --no-snapshot || return
	# Each CPU watches one in 150 accesses, instead of one in 4000.
	"$STAP_VM" exec --socket "$work/$kernel" -- sh -c 'cd /sys/module/kcsan/parameters && echo 150 >skip_watch &&
		echo 120 >udelay_task' || fail "$architecture: the sanitizer is there" /dev/null
	check "$architecture: a race is reported" finds_races
	for script in "$tests"/races/${SPILE_TESTS:-*}.stp; do
		try_script "$script"
	done
	stop_guest "$kernel"
}

# stap-vm lets QEMU emulate the CPUs of a guest in turn. Here, those of arm64 run at the same time.
machine multi qemu-system-aarch64 '"${@/thread=single/thread=multi}"'

try_kernel x86_64
try_kernel arm64
