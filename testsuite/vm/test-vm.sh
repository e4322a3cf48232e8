#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Behaviour of stap-vm against a real guest, one line of TAP a check. The guest's side of every check is a command that a
# user might type.
#
# Usage: test-vm.sh [RELEASE [STAP-VM]]      (default: 6.1, the stap-vm at the top of the build tree)
#
# The kernel must be in the cache (stap-vm fetch); otherwise all is skipped.

release=${1:-6.1}
vm=${2:-$(cd "$(dirname "$0")/../.." && pwd)/stap-vm}
work=$(mktemp -d) || exit 1
socket=$work/socket
count=0
failures=0

cleanup() {
	"$vm" stop --socket "$socket" 2>/dev/null
	rm -rf "$work"
}
trap cleanup EXIT

# check NAME COMMAND...: ok if COMMAND succeeds; what it printed is shown if not.
check() {
	local name=$1
	shift
	count=$((count + 1))
	if "$@" >"$work/log" 2>&1; then
		echo "ok $count - $name"
	else
		failures=$((failures + 1))
		echo "not ok $count - $name"
		sed 's/^/# /' "$work/log"
	fi
}

# The number of QEMU processes that came from this test: they have its mark in their environment.
export SPILE_TEST_MARK=$work
guests() {
	local pid number=0
	for pid in $(pgrep qemu-system); do
		grep -qz "^SPILE_TEST_MARK=$work\$" "/proc/$pid/environ" 2>/dev/null && number=$((number + 1))
	done
	echo $number
}

run() {
	"$vm" run -r "$release" --timeout 90 "$@"
}

in_guest() {
	"$vm" exec --socket "$socket" --timeout 60 "$@"
}

# expect STATUS COMMAND...
expect() {
	local wanted=$1 status
	shift
	"$@"
	status=$?
	[ $status -eq "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}

if ! "$vm" path "$release" >/dev/null 2>&1; then
	echo "1..0 # SKIP kernel $release is not in the cache; stap-vm fetch $release"
	exit 0
fi

run_echoes() {
	[ "$(run -- echo hello 'a  b')" = "hello a  b" ]
}
check "run passes arguments and output through" run_echoes

exit_status_of_run() {
	expect 42 run -- sh -c 'exit 42' && expect 127 run -- no-such-command
}
check "run exits with the command's status" exit_status_of_run

dynamic_program_in_run() {
	[ "$(run --file /usr/bin/env:/opt/env -- /opt/env --version | head -1)" = "$(env --version | head -1)" ]
}
check "run --file packs a dynamic program with its libraries" dynamic_program_in_run

relative_program_in_run() {
	cp /usr/bin/env "$work/program" &&
		[ "$(cd "$work" && run --file program -- ./program printf same)" = same ]
}
check "a file packed by a relative path runs by the same path" relative_program_in_run

modules_at_boot() {
	run --modules loop -- grep -q '^loop ' /proc/modules
}
check "run --modules loads a module" modules_at_boot

unknown_module() {
	expect 125 run --modules no-such-module -- true 2>&1 | grep -q 'has no module no-such-module'
}
check "run --modules names a module that does not exist" unknown_module

console_and_log() {
	run --console "$work/console" --dmesg "$work/dmesg" -- sh -c 'echo "<2>marked by test" >/dev/kmsg' &&
		grep -q 'marked by test' "$work/console" && grep -q 'Linux version' "$work/dmesg" &&
		grep -q 'marked by test' "$work/dmesg"
}
check "run --console and --dmesg write the guest's words" console_and_log

panic() {
	expect 125 run --console "$work/console" -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60' 2>"$work/panic" &&
		grep -q 'kernel panicked' "$work/panic" && grep -q 'sysrq: Trigger a crash' "$work/panic"
}
check "a panic gives 125 and the console's last lines" panic

# A bug that the kernel survives: the command's own success does not count, and the log can still be had.
survived_bug() {
	expect 125 run --dmesg "$work/dmesg" -- sh -c 'echo "<3>BUG: made up by a test" >/dev/kmsg' 2>"$work/bug" &&
		grep -q 'reported a bug' "$work/bug" && grep -q 'made up by a test' "$work/dmesg"
}
check "a bug that the guest survives fails the command" survived_bug

hang() {
	local start=$SECONDS
	expect 125 "$vm" run -r "$release" --timeout 12 -- sleep 1000 2>"$work/hang" &&
		grep -q 'no answer' "$work/hang" && [ $((SECONDS - start)) -lt 30 ]
}
check "a time-out ends a hung guest with 125" hang

# Ctrl-C: the command's trap runs, its last words arrive, and its status is ours.
interrupt() {
	local pid
	"$vm" run -r "$release" --timeout 90 -- sh -c 'trap "echo caught; exit 7" INT; echo up; while :; do sleep 0.2; done' >"$work/interrupt" &
	pid=$!
	for _ in $(seq 300); do
		grep -q up "$work/interrupt" && break
		sleep 0.1
	done
	kill -INT $pid
	expect 7 wait $pid && grep -q caught "$work/interrupt"
}
check "SIGINT reaches the guest's command, which ends cleanly" interrupt

killed() {
	local pid
	"$vm" run -r "$release" --timeout 90 -- sleep 1000 &
	pid=$!
	sleep 2
	kill -KILL $pid
	wait $pid
	sleep 1
	[ "$(guests)" -eq 0 ]
}
check "no QEMU outlives a killed stap-vm" killed

unknown_kernel() {
	expect 125 "$vm" run -r 9.9.9-none -- true 2>&1 | grep -q 'no kernel 9.9.9-none' &&
		expect 1 "$vm" path 9.9.9-none 2>/dev/null && expect 2 "$vm" run -- true 2>/dev/null
}
check "an unknown kernel and wrong usage are told apart" unknown_kernel

unknown_fetch() {
	expect 1 "$vm" fetch 9.9.9-none 2>&1 | grep -q 'apt knows no kernel 9.9.9-none'
}
check "fetch names a release that apt does not have" unknown_fetch

start_guest() {
	"$vm" start -r "$release" --socket "$socket" --timeout 90 && [ "$(stat -c %a "$socket")" = 600 ] &&
		kill -0 "$(cat "$socket.pid")"
}
check "start leaves a guest behind a private socket" start_guest

one_after_the_other() {
	in_guest -- sh -c 'echo kept >/tmp/state' && [ "$(in_guest -- cat /tmp/state)" = kept ]
}
check "exec after exec sees the same guest" one_after_the_other

five_megabytes() {
	head -c 5000000 /dev/urandom >"$work/data"
	in_guest -- sh -c 'cat >/tmp/data' <"$work/data" && in_guest -- cat /tmp/data | cmp - "$work/data"
}
check "standard input and output carry 5 MB of any bytes" five_megabytes

separate_streams() {
	in_guest -- sh -c 'echo out; echo err >&2' >"$work/out" 2>"$work/err" &&
		[ "$(cat "$work/out")" = out ] && [ "$(cat "$work/err")" = err ]
}
check "standard error stays apart from standard output" separate_streams

side_by_side() {
	local slow
	in_guest -- sh -c 'sleep 3; echo slow' >"$work/slow" &
	slow=$!
	in_guest -- echo quick && [ ! -s "$work/slow" ] && wait $slow && grep -q slow "$work/slow"
}
check "two commands run side by side" side_by_side

early_reader_end() {
	[ "$(in_guest -- yes 2>/dev/null | head -1)" = y ]
}
check "a reader that stops early stops the command" early_reader_end

left_behind() {
	in_guest -- sh -c 'sleep 1000 & echo started' | grep -q started
}
check "a child left behind does not hold the command's end up" left_behind

uploaded_file() {
	echo data >"$work/file"
	[ "$(in_guest --file "$work/file:/deep/in/file" -- cat /deep/in/file)" = data ] &&
		in_guest --file /usr/bin/env:/opt/env -- /opt/env --version | grep -q coreutils
}
check "exec --file brings files and programs" uploaded_file

exec_time_out() {
	expect 125 "$vm" exec --socket "$socket" --timeout 2 -- sleep 1000 2>"$work/err" && in_guest -- true &&
		! in_guest -- pgrep -f 'sleep 1000$' -x
}
check "exec --timeout kills the command, not the guest" exec_time_out

guest_log() {
	"$vm" dmesg --socket "$socket" | grep -q 'Linux version'
}
check "dmesg prints the guest's kernel log" guest_log

second_start() {
	expect 1 "$vm" start -r "$release" --socket "$socket" 2>&1 | grep -q 'already running'
}
check "a second guest at the same socket is refused" second_start

dead_guest() {
	expect 125 in_guest -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60' 2>"$work/first" &&
		grep -q 'Trigger a crash' "$work/first" && expect 125 in_guest -- true 2>"$work/second" &&
		grep -q 'Trigger a crash' "$work/second"
}
check "exec in a dead guest fails with the console's last lines" dead_guest

stop_guest() {
	"$vm" stop --socket "$socket" && [ ! -e "$socket" ] && [ ! -e "$socket.pid" ] && expect 125 in_guest -- true
}
check "stop ends the guest and removes its socket" stop_guest

nothing_left() {
	[ "$(guests)" -eq 0 ]
}
check "no QEMU is left" nothing_left

echo "1..$count"
[ $failures -eq 0 ]
