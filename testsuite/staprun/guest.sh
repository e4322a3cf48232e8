#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of testsuite/suites/staprun.sh: run staprun as a user would, and print the results in the form of
# testsuite/lib.sh. Only busybox's shell and tools are available.
#
# Usage: guest.sh NAME FOREIGN KEYS PATTERN   NAME precedes each result. FOREIGN is the release of the kernel that
# stap_t_foreign.ko was made for. KEYS is the directory of the certificates that staprun trusts. Only checks that match
# the shell pattern PATTERN are run. The modules stap_t_*.ko, some signatures, and certificates are in the directory of
# this script.

name=$1
foreign=$2
keys=$3
pattern=$4
release=$(uname -r)
cd "$(dirname "$0")" || exit 1
installed=/lib/modules/$release/systemtap
debugfs=/sys/kernel/debug
mkdir -p -m 755 "$installed" && cp stap_t_hello.ko "$installed"
. ./tools.sh

# ---- helpers ---------------------------------------------------------------------------------------------------------

nothing_left() {
	[ -z "$(modules)" ] && [ -z "$(ls $debugfs/spile 2>/dev/null)" ] && ! pidof staprun >/dev/null
}

# check NAME FUNCTION: run a check, and fail if anything of staprun is left. Skip the checks named in the file left-out.
check() {
	local result=ok
	case $1 in $pattern) ;; *) return ;; esac
	! grep -qxF -e "$1" left-out || return
	rm -f out* err* status
	killall sleep 2>/dev/null # checks search for the ones that they start
	(set -x; "$2") </dev/null >log 2>&1 || result=FAIL
	if ! wait_for 5 nothing_left; then
		result=FAIL
		echo "left over: modules '$(modules)', processes '$(pidof staprun)'" >>log
		killall -KILL staprun 2>/dev/null
		sleep 1
		staprun -d '*' 2>/dev/null
		for module in $(modules); do # a session that was left running is known by its name alone
			staprun -d "$module" 2>/dev/null
		done
	fi
	echo "$result - staprun: $name: $1"
	[ $result = ok ] || for file in log out* err*; do echo "$file:"; tail -n 20 $file 2>/dev/null; done |
		cut -c 1-250 | sed 's/^/    /'
}

# run WANTED-STATUS ARGUMENT...: run staprun to its end; write its streams to the files out and err.
run() {
	local wanted=$1 status
	shift
	timeout 600 staprun "$@" >out 2>err
	status=$?
	[ $status -eq "$wanted" ]
}

# has_full_pipe PROGRAM: does a process of the program wait for space in a pipe?
has_full_pipe() {
	local pid
	for pid in $(pidof "$1"); do
		! grep -q pipe_write /proc/$pid/wchan || return 0
	done
	return 1
}

# is FILE TEXT: is this the whole content?
is() {
	[ "$(cat "$1")" = "$2" ]
}

# has FILE TEXT...: does the file contain each text?
has() {
	local file=$1 text
	shift
	for text; do
		grep -qF -- "$text" "$file" || return 1
	done
}

# begin ARGUMENT...: start staprun in the background and wait until its begin probes have printed.
begin() {
	rm -f out
	staprun "$@" >out 2>err &
	pid=$!
	wait_for 10 grep -q begin out
}

# end SIGNAL WANTED-STATUS: end it with a signal and check its status.
end() {
	local status
	kill -"$1" $pid
	wait $pid
	status=$?
	[ $status -eq "$2" ]
}

# Debian's busybox has no pgrep. Its awk stops at the first file that it cannot open, such as that of a process that has
# just ended; cat continues.
reader_of() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v "parent=$1" '$4 == parent && $2 == "(staprun)" { print $1 }'
}

# loader: print the first staprun process of a session that is not this shell's child.
loader() {
	pidof staprun | tr ' ' '\n' | sort -n | head -n 1
}

# edited FROM TO SED-EXPRESSION: make a module with other bytes of the same number. In busybox's sed, NUL ends a line.
edited() {
	sed -e "$3" "$1" >"$2" && [ "$(wc -c <"$1")" = "$(wc -c <"$2")" ] && ! cmp -s "$1" "$2"
}

# Does the file have the 50,000 lines of begin_5mb and end_5mb?
is_5mb() {
	# awk 'BEGIN { for (i = 0; i < 50000; i++) printf "%099d\n", i }' | md5sum
	[ "$(tail -n 50000 out | md5sum)" = "4bafb557a426a0474d04b3689ff1c122  -" ]
}

# ---- loading ---------------------------------------------------------------------------------------------------------

by_file() {
	run 0 stap_t_hello.ko && is out hello && is err ""
}
check "a module is loaded by its file" by_file

by_link() {
	ln -sf stap_t_hello.ko link.ko && run 0 ./link.ko && is out hello
}
check "a module is loaded through a symbolic link" by_link

by_name() {
	run 0 stap_t_hello && is out hello && is err "" &&
		run 0 $installed/stap_t_hello.ko && is out hello
}
check "a module is loaded by its name" by_name

# staprun and stap-monitor have other paths here than where the module was made; only staprun runs.
by_build_id() {
	run 0 stap_t_builds.ko && grep -qx 'found output_record' out && [ "$(grep -c WARNING err)" = 1 ] &&
		grep -q 'probes in .*/stap-monitor are not armed: it is not there, and no process maps a file with' err
}
check "a program is found by its build-id among those that run" by_build_id

no_such_name() {
	run 1 stap_t_none && has err "cannot read $installed/stap_t_none.ko: No such file" &&
		run 1 ../stap_t_hello && run 1 -- '' && has err "'' is not the name of a module"
}
check "a name that is not installed is refused" no_such_name

# only_by_root CHMOD PATH TEXT...: is a module refused by name, for root too, if others can write to PATH?
only_by_root() {
	chmod "$1" "$2" && run 1 stap_t_hello && has err "$2 is writable by users other than root" &&
		chmod go-w "$2"
}

open_directory() {
	only_by_root o+w $installed && only_by_root g+w $installed && only_by_root o+w $installed/stap_t_hello.ko &&
		only_by_root g+w $installed/stap_t_hello.ko && run 0 stap_t_hello && is out hello
}
check "a module that others than root can write is not loaded by its name" open_directory

mounts_debugfs() {
	umount $debugfs && run 0 stap_t_hello.ko && is out hello && grep -q " $debugfs debugfs " /proc/mounts
}
check "debugfs is mounted if it is not" mounts_debugfs

# ---- build-ids -------------------------------------------------------------------------------------------------------

# not_loaded MODULE TEXT...: is it refused with status 1 and these texts, before anything was loaded?
not_loaded() {
	run 1 -v "$1" && is out "" && ! grep -q 'loading module' err || return 1
	shift
	has err "$@"
}

kernel_build_id() {
	edited stap_t_hello.ko other.ko 's/target-build-id=..../target-build-id=beef/' &&
		not_loaded other.ko "the running kernel has build-id" \
			"was built for a different build of kernel $release" hint:
}
check "another build of this kernel is refused" kernel_build_id

foreign_kernel() {
	not_loaded stap_t_foreign.ko "was built for kernel $foreign; the running kernel is $release" "stap -r $release"
}
check "a module for another release is refused" foreign_kernel

module_build_id() {
	edited stap_t_module.ko other.ko '/target-section=.text/{n;s/build-id=..../build-id=beef/}' &&
		not_loaded other.ko "the loaded module loop has build-id" hint: && run 0 stap_t_module.ko && is err ""
}
check "another build of a probed module is refused" module_build_id

no_build_id() {
	edited stap_t_hello.ko other.ko 's/target-build-id=/target-another=./' &&
		run 0 other.ko && is out hello &&
		edited other.ko other2.ko "s/release=./release=x/" && not_loaded other2.ko "was built for kernel x"
}
check "without a build-id the release is compared" no_build_id

module_not_loaded() {
	rmmod loop && run 0 stap_t_module.ko && is out begin &&
		has err "WARNING: module loop is not loaded: its probes wait until it is" &&
		run 0 -J 0 stap_t_module.ko && is err "" &&
		has out '"level":"warning","text":"module loop is not loaded: its probes wait until it is"'
}
check "a probed module that is not loaded gives a warning" module_not_loaded

# ---- -c and -x -------------------------------------------------------------------------------------------------------

# The script starts before the command is executed, or when it is at its main().
start=exec

command_is_target() {
	run 0 --start=$start -c 'echo target $$' stap_t_target.ko && is err "" && [ "$(sort -u out | wc -l)" = 2 ] &&
		[ "$(grep -c '^target [0-9]' out)" = 2 ] && [ "$(tail -n 1 out)" = end ]
}

command_environment() {
	FOO="a b" run 0 --start=$start -c 'echo "$FOO,$(id -u),$PWD"; cat <&0' stap_t_wait.ko && has out "a b,0,$PWD"
}

command_fails() {
	run 1 --start=$start -c 'exit 3' stap_t_wait.ko &&
		is err "WARNING: Child process exited with status 3" && has out end &&
		run 1 -w --start=$start -c 'exit 3' stap_t_wait.ko && is err ""
}

command_killed() {
	run 1 --start=$start -c 'kill -KILL $$' stap_t_wait.ko &&
		is err "WARNING: Child process exited with signal 9 (Killed)" && has out end
}

command_not_found() {
	run 1 --start=$start -c /no/such/command stap_t_wait.ko &&
		has err /no/such/command "not found" "exited with status 127"
}

command_not_started() {
	rm -f ran && run 0 --start=$start -c 'touch ran' stap_t_hello.ko && is err "" && [ ! -e ran ] &&
		run 1 --start=$start -c 'touch ran' stap_t_none && [ ! -e ran ]
}

session_ends_command() {
	run 0 --start=$start -c 'exec sleep 1000' stap_t_timer.ko && is err "" && wait_for 2 eval '! pidof sleep'
}

interrupt_with_command() {
	begin --start=$start -c 'exec sleep 1000' stap_t_wait.ko && wait_for 5 pidof sleep &&
		end INT 0 && is err "" && has out end && wait_for 2 eval '! pidof sleep'
}

# A terminal sends the signal to the command too.
interrupt_group() {
	setsid staprun --start=$start -c 'sleep 1000; true' stap_t_wait.ko >out 2>err &
	wait_for 10 pidof sleep && pid=$(loader) && kill -INT -"$pid"
	wait $! && is err "" && has out end
}

for start in exec main; do
	check "-c from $start: target() is the command, whose end ends the session" command_is_target
	check "-c from $start: the command has the caller's environment" command_environment
	check "-c from $start: a command that fails gives a warning and status 1" command_fails
	check "-c from $start: a command that is killed gives a warning and status 1" command_killed
	check "-c from $start: a missing command" command_not_found
	check "-c from $start: no command runs if begin ends the session, or nothing is loaded" command_not_started
	check "-c from $start: the end of the session ends the command" session_ends_command
	check "-c from $start: Ctrl-C is a success and ends the command" interrupt_with_command
	check "-c from $start: Ctrl-C in a terminal is a success" interrupt_group
done

bad_start() {
	run 2 --start=end -c true stap_t_hello.ko && has err "invalid argument 'end' of option --start"
}
check "--start: an unknown place" bad_start

target_process() {
	local target
	sleep 1000 &
	target=$!
	staprun -x $target stap_t_target.ko >out 2>err &
	pid=$!
	wait_for 10 grep -qx "target $target" out && kill $target && sleep 0.5 && [ -d /proc/$pid ] && end INT 0 &&
		has out end && is err ""
}
check "-x: sets target(); the end of that process is not the session's" target_process

no_such_process() {
	run 1 -v -x 4000000 stap_t_target.ko && has err "process 4000000 does not exist" && ! grep -q loading err
}
check "-x: a missing process is refused" no_such_process

# ---- --cgroup --------------------------------------------------------------------------------------------------------

# in_group DIRECTORY WORD: cause all events of stap_t_cgroup.ko in a group, or in that of this script.
in_group() {
	sh -c 'echo 0 >$0/cgroup.procs; cat /proc/version $1; cat /proc/cmdline; /bin/pwd; i=0
		while [ $((i += 1)) -lt 30000 ]; do :; done' "$@" >/dev/null 2>&1
}

# only_inner ARGUMENT: run stap_t_cgroup.ko with the groups inner, inner/below and outer below the directory groups.
only_inner() {
	mkdir -p groups/inner/below groups/outer && begin "$1" "$2" stap_t_cgroup.ko && in_group groups outside &&
		in_group groups/inner in && in_group groups/outer out && in_group groups/inner/below below &&
		end INT 0 && is err "" && is out "begin
entry in
return in
end
end
getcwd 1
entry below
return below
end
end
getcwd 1
2 hits, ticks, samples, 0 outside"
}

# with_groups TYPE OPTION FUNCTION: call a function while a hierarchy is mounted on groups, and remove its groups.
with_groups() {
	local status
	mkdir -p groups && mount -t "$1" -o "$2" none groups || return
	"$3"
	status=$?
	rmdir groups/inner/below groups/inner groups/outer 2>/dev/null
	umount groups && return $status
}

unified() {
	only_inner --cgroup groups/inner
}
group_of_version_2() {
	with_groups cgroup2 rw unified
}
check "--cgroup: events of other tasks are ignored (version 2)" group_of_version_2

group_of_version_1() {
	with_groups cgroup pids unified
}
check "--cgroup: events of other tasks are ignored (version 1)" group_of_version_1

# A removed group has no tasks, also when another one gets its name. Its file system can be unmounted.
removed() {
	mkdir groups/inner && begin --cgroup=groups/inner stap_t_cgroup.ko && in_group groups/inner in &&
		rmdir groups/inner && mkdir groups/inner && in_group groups/inner in && [ "$(grep -c ^entry out)" = 1 ]
}
removed_group() {
	with_groups cgroup2 rw removed && end INT 0 && is err "" && has out "1 hits, ticks"
}
check "--cgroup: the group is removed while the script runs" removed_group

below_the_usual_place() {
	local status
	mount -t cgroup2 none /sys/fs/cgroup && mkdir -p /sys/fs/cgroup/inner &&
		begin --cgroup /inner stap_t_cgroup.ko && in_group /sys/fs/cgroup outside &&
		in_group /sys/fs/cgroup/inner in && end INT 0 &&
		[ "$(grep ^entry out)" = "entry in" ] && begin --cgroup / stap_t_cgroup.ko &&
		in_group /sys/fs/cgroup outside && end INT 0 && [ "$(grep ^entry out)" = "entry outside" ]
	status=$?
	rmdir /sys/fs/cgroup/inner
	umount /sys/fs/cgroup && return $status
}
check "--cgroup: a path below /sys/fs/cgroup, and the root" below_the_usual_place

named() {
	mkdir groups/inner && run 1 --cgroup groups/inner stap_t_cgroup.ko &&
		has err "its hierarchy has no controller" hint:
}
wrong_groups() {
	with_groups cgroup none,name=named named && run 1 -v --cgroup /none stap_t_cgroup.ko &&
		has err "cannot open control group /none: No such file" hint: && ! grep -q loading err &&
		run 1 --cgroup /etc stap_t_cgroup.ko && has err "cannot open control group /etc: No such file" &&
		run 1 --cgroup /proc/version stap_t_cgroup.ko && has err "Not a directory" &&
		run 2 --cgroup && run 2 -A --cgroup / stap_t_cgroup && has err "-A excludes --cgroup"
}
check "--cgroup: what is not a group of tasks is refused" wrong_groups

# ---- output ----------------------------------------------------------------------------------------------------------

streams() {
	local output="output
a log line"
	run 0 stap_t_messages.ko && is out "$output" && is err "WARNING: a warning" &&
		run 0 -w stap_t_messages.ko && is out "$output" && is err ""
}
check "output, warnings and log(); -w leaves out the warnings" streams

time_zone() {
	TZ=XYZ+3:30 run 0 stap_t_timezone.ko && is out "XYZ 12600 Thu Jan  1 20:30:00 1970 XYZ" &&
		TZ='<a-name>-5' run 0 stap_t_timezone.ko && is out "a-name -18000 Fri Jan  2 05:00:00 1970 a-name" &&
		TZ=:/etc/passwd run 0 stap_t_timezone.ko && is out "UTC 0 Fri Jan  2 00:00:00 1970 UTC"
}
check "the time zone is that of TZ" time_zone

remote() {
	run 0 stap_t_remote.ko && is out "-1 " && run 0 -r 7:ssh://user@host:22 stap_t_remote.ko &&
		is out "7 ssh://user@host:22" &&
		run 0 -r 0: stap_t_remote.ko && is out "0 " && run 2 -r host stap_t_remote.ko &&
		has err "invalid argument 'host' of option -r" && run 2 -r -1:host stap_t_remote.ko &&
		run 2 -r "1:$(printf %0200d 0)" stap_t_remote.ko
}
check "-r sets remote_id() and remote_uri()" remote

verbose() {
	run 0 -v stap_t_hello.ko && is out hello && has err "staprun: loading module stap_t_hello (" \
		"staprun: kernel memory: " \
		"staprun: starting the session" "staprun: stopping the session" "staprun: removing module stap_t_hello"
	SYSTEMTAP_VERBOSE=1 run 0 stap_t_hello.ko && has err "staprun: loading"
}
check "-v reports each step" verbose

mechanisms() {
	local armed="function entries by ftrace: 1, returns by ftrace: 1, kprobes by breakpoints or jumps: 1"
	run 0 -v stap_t_mechanisms.ko && has err "staprun: armed: $armed"
}
check "-v reports how probes are armed" mechanisms

color() {
	run 0 -C always stap_t_messages.ko && grep -q "^$(printf '\033')\[00;33mWARNING:" err &&
		SYSTEMTAP_COLORS=warning=07 run 0 -C always stap_t_messages.ko &&
		grep -q "$(printf '\033')\[07mWARNING:" err &&
		run 0 -C auto stap_t_messages.ko && has err "WARNING: a" && run 2 -C sometimes stap_t_messages.ko &&
		has err "invalid argument 'sometimes' of option -C"
}
check "-C and SYSTEMTAP_COLORS choose colors" color

output_file() {
	local printed="output
a log line"
	echo "what was there before" >file && run 0 -o file stap_t_messages.ko && is out "" && is file "$printed" &&
		run 0 -o 'file-%Y%%' stap_t_messages.ko && is "file-$(date +%Y)%" "$printed"
}
check "-o writes a file whose name may have the date" output_file

bad_output_file() {
	run 1 -v -o /no/directory/file stap_t_hello.ko && has err "cannot write /no/directory/file: No such file" &&
		! grep -q loading err && run 1 -o . stap_t_hello.ko && has err "Is a directory" &&
		run 1 -o '' stap_t_hello.ko && has err "invalid name for the output file: ''"
}
check "-o: a file that cannot be written is refused before anything is loaded" bad_output_file

before_exit() {
	run 0 stap_t_begin_5mb.ko && is_5mb && is err ""
}
check "5 MB printed just before exit() arrive" before_exit

in_end_probe() {
	begin stap_t_end_5mb.ko && end INT 0 && is_5mb && is err ""
}
check "5 MB printed after Ctrl-C arrive" in_end_probe

slow_reader() {
	{ staprun stap_t_begin_5mb.ko 2>err; echo $? >status; } | { wait_for 10 has_full_pipe staprun; cat; } >out
	is status 0 && is_5mb && is err ""
}
check "5 MB arrive at a slow reader" slow_reader

closed_pipe() {
	{ staprun stap_t_begin_5mb.ko 2>err; echo $? >status; } | head -n 1 >out
	is status 141 && is err "" && [ "$(wc -l <out)" = 1 ]
}
check "output to a closed pipe ends the session, as SIGPIPE ends other programs" closed_pipe

closed_pipe_in_end() {
	{ staprun stap_t_end_5mb.ko 2>err; echo $? >status; } | head -n 1 >out &
	wait_for 10 grep -q begin out && kill -INT "$(loader)" && wait && is status 141 && is err ""
}
check "a pipe that closes before the end probes print" closed_pipe_in_end

full_disk() {
	staprun stap_t_begin_5mb.ko >/dev/full 2>err
	[ $? = 1 ] && is err "ERROR: cannot write the output: No space left on device" &&
		run 1 -o /dev/full stap_t_hello.ko &&
		is err "ERROR: cannot write the output: No space left on device"
}
check "output to a full device is an error" full_disk

small_disk() {
	local status
	mkdir -p small && mount -t tmpfs -o size=1m none small || return 1
	run 1 -o small/file stap_t_begin_5mb.ko && is err "ERROR: cannot write the output: No space left on device" &&
		[ "$(wc -c <small/file)" = 1048576 ]
	status=$?
	umount small
	return $status
}
check "a disk that fills up is an error, and the output until then is kept" small_disk

closed_streams() {
	staprun stap_t_hello.ko >&- 2>err
	[ $? = 1 ] && has err "cannot write the output" && staprun -o file stap_t_hello.ko <&- >&- 2>&- && is file hello
}
check "closed standard streams do no harm" closed_streams

# Each message to a closed pipe causes a SIGPIPE, which must not cause another message.
unread_messages() {
	{ timeout 600 staprun -v stap_t_timer.ko 2>&1 >out; echo $? >status; } | true
	is status 0
}
check "messages to a closed pipe" unread_messages

# Output fills the buffers while the reader is stopped; each line that finds no space must be counted.
losses() {
	local reader total lost got
	staprun stap_t_stream.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '^9:' out && reader=$(reader_of $pid) && kill -STOP "$reader" && sleep 2 &&
		kill -CONT "$reader" && sleep 0.5 && end INT 0 || return 1
	total=$(sed -n 's/^total //p' out)
	lost=$(sed -n 's/^WARNING: There were \([0-9]*\) transport failures.$/\1/p' err)
	# All lines are complete and in order.
	got=$(awk -F : '/^total/ { next } { n = $1; body = sprintf("%0500d", n); body = body body; body = body body
		if ($2 != body body || n <= last) bad++; last = n; count++ } END { print count, bad + 0 }' out)
	[ "$got" = "$((total - lost)) 0" ] && [ "$lost" -gt 100 ] && [ "$(wc -l <err)" = 2 ] && has err "hint: use -s"
}
check "lost output is counted exactly, and what arrives is whole" losses

new_processor() {
	local online=/sys/devices/system/cpu/cpu1/online
	[ -e $online ] || return 0 # a guest with one CPU
	echo 0 >$online
	begin stap_t_cpu.ko
	echo 1 >$online
	taskset -c 0 cat /etc/passwd && taskset -c 1 cat /etc/passwd &&
		wait_for 5 grep -q "cpu 1" out && taskset -c 0 cat /etc/passwd && echo 0 >$online && sleep 0.3 &&
		taskset -c 0 cat /etc/passwd && echo 1 >$online && end INT 0 &&
		is out "begin
$(grep -x 'cpu [01]' out)" && [ "$(grep -c 'cpu 0' out)" -ge 2 ]
}
check "CPUs that go offline and online while the session runs" new_processor

# ---- system() --------------------------------------------------------------------------------------------------------

lines_of() {
	[ "$(wc -l <"$1")" = "$2" ]
}

# No ended command is left as a zombie.
no_zombies() {
	! cat /proc/[0-9]*/stat 2>/dev/null | grep -q '^[0-9]* (sh) Z'
}

script_commands() {
	rm -f commands identity at-the-end
	FOO="a b" begin stap_t_commands.ko && wait_for 20 lines_of commands 400 && wait_for 20 no_zombies &&
		[ "$(sort -nu commands | wc -l)" = 400 ] && wait_for 20 lines_of identity 5 &&
		has identity "a b,$PWD,0" "NoNewPrivs:	0" "SigBlk:	0000000000000000" &&
		! grep -q '^Cap...:.0000000000000000' identity &&
		wait_for 20 pidof sleep &&
		kill -INT $pid && wait_for 20 grep -q end out && wait_for 20 test -e at-the-end &&
		wait_for 20 eval '[ -z "$(modules)" ]' &&
		[ -d /proc/$pid ] && killall sleep && wait $pid && is err ""
}
check "system(): commands run with the user's rights and leave no zombies; the last are waited for" script_commands

# After the end of the session, staprun waits only for commands, until another signal arrives.
signal_again() {
	kill -INT "$1" 2>/dev/null
	! [ -d /proc/"$1" ] || grep -q '^State:.Z' /proc/"$1"/status
}

impatient_with_commands() {
	begin stap_t_commands.ko && wait_for 20 pidof sleep && kill -INT $pid &&
		wait_for 20 eval '[ -z "$(modules)" ]' &&
		wait_for 20 signal_again $pid && wait $pid &&
		is err "WARNING: not waiting for the commands of the script" &&
		pidof sleep && killall sleep
}
check "system(): a second Ctrl-C does not wait for commands" impatient_with_commands

commands_without_loader() {
	rm -f at-the-end
	begin stap_t_commands.ko && wait_for 20 pidof sleep && kill -KILL $pid && wait_for 20 test -e at-the-end &&
		killall sleep
}
check "system(): a killed loader: commands of the end probes run, and nothing stays" commands_without_loader

# ---- the end ---------------------------------------------------------------------------------------------------------

signals() {
	local signal
	for signal in INT TERM HUP; do
		begin stap_t_wait.ko && end $signal 0 && is out "begin
end" && is err "" || return 1
	done
}
check "SIGINT, SIGTERM and SIGHUP run the end probes; status 0" signals

ignored_hangup() {
	trap '' HUP
	begin stap_t_wait.ko && kill -HUP $pid && sleep 0.5 && is out begin && end TERM 0 && has out end
}
check "an ignored SIGHUP stays ignored (nohup)" ignored_hangup

early_signal() {
	local delay status
	for delay in 0 0 0.01 0.02 0.05 0.1 0.2; do
		staprun stap_t_wait.ko >out 2>err &
		pid=$!
		sleep $delay
		kill -TERM $pid
		wait $pid
		status=$?
		# It ended before it caught signals, or ran a whole session.
		[ $status = 143 ] || { [ $status = 0 ] && is out "begin
end"; } || return 1
	done
}
check "a signal at any moment of the start" early_signal

# blocked PID: does the reader of this staprun wait for space in a pipe?
blocked() {
	local reader
	reader=$(reader_of $1) && grep -q pipe "/proc/$reader/wchan"
}

# The reader's output is blocked. The first signal waits for it; a later one does not.
impatient() {
	mkfifo pipe
	sleep 1000 <>pipe &
	staprun stap_t_begin_5mb.ko >pipe 2>err &
	pid=$!
	wait_for 20 blocked $pid
	kill -INT $pid
	sleep 0.7
	[ -d /proc/$pid ] && end INT 1 && has err "WARNING: not waiting for the rest of the output" &&
		wait_for 2 nothing_left
	kill %1
	rm pipe
	nothing_left
}
check "a second Ctrl-C does not wait for blocked output" impatient

script_error() {
	run 1 stap_t_error.ko && is out "before
error probe" && grep -q "^ERROR: division by 0" err && [ "$(wc -l <err)" = 4 ] &&
		has err "WARNING: Number of errors: 1, skipped probes: 0"
}
check "a run-time error in the script: message, error probes, status 1" script_error

# ---- names -----------------------------------------------------------------------------------------------------------

name_clash() {
	begin stap_t_wait.ko && cp out out1 && run 1 stap_t_wait.ko &&
		has err "cannot load module stap_t_wait: a module of that name is in use" "hint: use 'staprun -R'" &&
		kill -0 $pid && [ "$(modules)" = stap_t_wait ] && end INT 0
}
check "a name that is in use is refused with a hint" name_clash

# A built-in part of the kernel that has parameters, like a module.
name_of_kernel() {
	run 1 printk.ko &&
		has err "cannot load module printk: a module of that name is in use" "hint: use 'staprun -R'" &&
		run 0 -R printk.ko && has out hello
}
check "the name of a built-in part of the kernel is refused" name_of_kernel

renamed() {
	local first
	begin stap_t_wait.ko
	first=$pid
	begin -R -v stap_t_wait.ko && has err "renaming module stap_t_wait to" &&
		[ "$(modules | sort -u | wc -l)" = 2 ] &&
		end INT 0 && has out end && [ "$(modules)" = stap_t_wait ] && pid=$first && end INT 0
}
check "-R loads a module again under another name" renamed

twenty_at_once() {
	local i pids=
	for i in $(seq 10 29); do
		edited stap_t_many_00.ko stap_t_many_$i.ko s/stap_t_many_00/stap_t_many_$i/g || return 1
	done
	for i in $(seq 10 29); do
		staprun stap_t_many_$i.ko >out$i 2>&1 &
		pids="$pids $!"
	done
	for i in $(seq 10 29); do
		wait_for 20 grep -q begin out$i || return 1
	done
	[ "$(modules | wc -l)" = 20 ] && kill -INT $pids
	for i in $pids; do
		wait $i || return 1
	done
	for i in $(seq 10 29); do
		is out$i "begin
end" || return 1
	done
	rm -f out[0-9]* stap_t_many_[12]*
}
check "twenty staprun at once" twenty_at_once

twenty_times() {
	local i
	for i in $(seq 20); do
		run 0 stap_t_hello.ko && is out hello && is err "" && nothing_left || return 1
	done
}
check "twenty staprun one after the other" twenty_times

# ---- invalid modules -------------------------------------------------------------------------------------------------

no_module() {
	head -c 3000 stap_t_hello.ko >bad.ko && not_loaded ./bad.ko "cannot load ./bad.ko" &&
		: >bad.ko && not_loaded bad.ko "bad.ko is not a kernel module" &&
		echo text >bad.ko && not_loaded bad.ko "it is not a kernel module" &&
		not_loaded ./guest.sh "it is not a kernel module" &&
		not_loaded /bin/staprun "it is not a kernel module" &&
		not_loaded / "is not a kernel module" && not_loaded /dev/zero "is not a kernel module" &&
		not_loaded missing.ko "cannot read missing.ko: No such file" &&
		not_loaded plain.ko "it was not built by stap"
}
check "files that are not modules are refused" no_module

# unloadable MODULE TEXT...: does the kernel refuse it, with these texts in the message?
unloadable() {
	run 1 "$1" && is out "" && shift && has err "ERROR: cannot load module stap_t_hello: " "$@"
}

wrong_vermagic() {
	edited stap_t_hello.ko bad.ko "s/ SMP preempt/ SMP_preempt/" &&
		unloadable bad.ko "Exec format error" "kernel: stap_t_hello: version magic" hint:
}
check "a module of the wrong version magic: the kernel's message is shown" wrong_vermagic

unknown_symbol() {
	edited stap_t_hello.ko bad.ko "s/relay_open/relay_0pen/g" &&
		unloadable bad.ko "kernel: stap_t_hello: Unknown symbol relay_0pen" hint:
}
check "a module with an unknown symbol: the kernel's message is shown" unknown_symbol

# ---- killed ----------------------------------------------------------------------------------------------------------

kill_reader() {
	begin stap_t_wait.ko && kill -KILL "$(reader_of $pid)"
	wait $pid
	[ $? = 1 ] && has err "killed by signal 9 (Killed)" && nothing_left
}
check "a killed reader: the loader removes the module and reports it" kill_reader

kill_loader() {
	begin stap_t_wait.ko && kill -KILL $pid && wait_for 5 nothing_left && has out end
}
check "a killed loader: the reader ends the session and removes the module" kill_loader

kill_both() {
	begin stap_t_wait.ko && kill -KILL $pid "$(reader_of $pid)" && wait_for 5 eval '! pidof staprun' &&
		[ "$(modules)" = stap_t_wait ] && run 0 stap_t_hello.ko && is out hello && is err ""
}
check "both killed: the next staprun removes the module" kill_both

kill_and_retry() {
	begin stap_t_wait.ko && kill -KILL $pid "$(reader_of $pid)" && wait_for 5 eval '! pidof staprun' &&
		begin stap_t_wait.ko && end INT 0 && is err "" && has out end
}
check "both killed: the same module can be loaded again" kill_and_retry

# The begin probe waits for a reader that waits for its own output.
kill_blocked() {
	local seconds
	mkfifo pipe
	sleep 1000 <>pipe &
	staprun stap_t_begin_5mb.ko >pipe 2>err &
	pid=$!
	wait_for 20 blocked $pid
	seconds=$(date +%s)
	kill -KILL "$(reader_of $pid)"
	wait $pid
	[ $? = 1 ] && [ $(($(date +%s) - seconds)) -le 30 ]
	seconds=$?
	kill %1
	rm pipe
	[ $seconds = 0 ] && nothing_left
}
check "a reader killed while the begin probe waits for it" kill_blocked

kill_at_any_time() {
	local delay
	for delay in 0 0.01 0.02 0.03 0.05 0.08 0.1 0.15 0.2 0.3; do
		staprun stap_t_end_5mb.ko >out 2>err &
		pid=$!
		sleep $delay
		kill -KILL $pid $(reader_of $pid)
		wait $pid
	done
	for delay in 0 0.01 0.02 0.05 0.1 0.2; do
		begin stap_t_end_5mb.ko
		kill -INT $pid
		sleep $delay
		kill -KILL $pid $(reader_of $pid)
		wait $pid
	done 2>/dev/null
	wait_for 5 eval '! pidof staprun' && run 0 stap_t_hello.ko && is out hello && is err ""
}
check "killed at any moment: a retry works" kill_at_any_time

delete() {
	begin stap_t_wait.ko && run 1 -d stap_t_wait && has err "module stap_t_wait is in use" &&
		kill -KILL $pid "$(reader_of $pid)" && wait_for 5 eval '! pidof staprun' &&
		[ "$(modules)" = stap_t_wait ] &&
		run 0 -d stap_t_wait && is err "" && [ -z "$(modules)" ]
}
check "-d removes only the unused module that it names" delete

delete_all() {
	local first
	begin -R stap_t_wait.ko
	first=$pid
	begin stap_t_wait.ko && kill -KILL $pid "$(reader_of $pid)" && wait_for 5 eval '! [ -d /proc/'$pid' ]' &&
		sleep 0.2 &&
		[ "$(modules | wc -l)" = 2 ] && run 0 -d '*' && [ "$(modules | wc -l)" = 1 ] && kill -INT $first &&
		wait $first
}
check "-d '*' removes all unused modules" delete_all

delete_nothing() {
	run 1 -d stap_t_wait && has err "module stap_t_wait is not loaded, or was not built by stap" &&
		run 1 -d loop && run 1 -d ../spile && has err "'../spile' is not the name of a module"
}
check "-d: a missing module, or one that is not ours" delete_nothing

# ---- sessions left running -------------------------------------------------------------------------------------------

# is_left NAME: does the session run without staprun?
is_left() {
	has $debugfs/spile/$1/status "state running" "left 1"
}

# leave MODULE OPTION...: run staprun -L.
leave() {
	local module=$1
	shift
	run 0 -L "$@" $module.ko && has err "To reconnect, type \"staprun -A $module\"" && is_left $module
}

# attach MODULE OPTION...: start staprun -A in the background, and wait until it has printed something.
attach() {
	local module=$1
	shift
	rm -f out
	staprun -A "$@" $module >out 2>err &
	pid=$!
	wait_for 10 grep -q . out
}

# numbers FILE: check the lines of stap_t_stream: complete, and with rising numbers.
numbers() {
	awk 'NR == 1 && /^total/ { exit 1 }
		/^total/ { next }
		length($0) < 4001 || $1 + 0 <= last { exit 1 }
		{ last = $1 + 0 }' FS=: "$1"
}

first_number() {
	head -n 1 "$1" | cut -d: -f1
}

leave_and_attach() {
	leave stap_t_wait && is out begin && run 0 stap_t_hello.ko && is out hello && is_left stap_t_wait || return 1
	staprun -A stap_t_wait >out 2>err &
	pid=$!
	wait_for 5 has $debugfs/spile/stap_t_wait/status "left 0" && run 1 -A stap_t_wait &&
		has err "module stap_t_wait was not left running" || return 1
	staprun -A stap_t_wait 2>/dev/null
	kill -INT $pid
	wait $pid && has out end && run 1 -A stap_t_wait && has err "module stap_t_wait is not loaded"
}
check "-L leaves a running script, -A attaches to it and ends it" leave_and_attach

# The newest megabyte of each CPU is kept, not the oldest.
flight_recorder() {
	leave stap_t_stream && sleep 2 && attach stap_t_stream && sleep 0.5 && end INT 0 && is err "" && numbers out &&
		[ "$(first_number out)" -gt 100 ] && has out "total $(tail -n 2 out | cut -d: -f1 | head -n 1)" &&
		[ "$(wc -l <out)" -gt 100 ]
}
check "-L: the newest output is kept, in its order" flight_recorder

leave_by_signal() {
	begin stap_t_wait.ko && end QUIT 0 && has err "staprun -A stap_t_wait" && is_left stap_t_wait &&
		run 0 -d stap_t_wait && is err "" && [ -z "$(modules)" ]
}
check "SIGQUIT leaves a script, -d removes it" leave_by_signal

killed_and_attached() {
	local turn last=0
	leave stap_t_stream || return 1
	for turn in 1 2 3 4 5 6; do
		attach stap_t_stream || return 1
		sleep 0.0$turn
		case $turn in
		[14]) kill -KILL $pid "$(reader_of $pid)" ;;
		[25]) kill -KILL "$(reader_of $pid)" ;;
		*) kill -KILL $pid ;;
		esac
		wait $pid
		# The last output of a killed reader may end anywhere.
		wait_for 5 is_left stap_t_stream && sed '$d' out >whole && numbers whole &&
			[ "$(first_number whole)" -gt $last ] || return 1
		last=$(first_number whole)
	done 2>/dev/null
	run 0 -d '*' && is_left stap_t_stream && attach stap_t_stream && sleep 0.5 && end INT 0 && numbers out
}
check "after a process of -A is killed, the script goes on and -A works again" killed_and_attached

attached_to_file() {
	leave stap_t_endless && rm -f file && run 0 -D -A -o file stap_t_endless || return 1
	wait_for 10 grep -q "line 3" file && kill -INT "$(cat out)" &&
		wait_for 10 [ ! -d /sys/module/stap_t_endless ] &&
		leave stap_t_timer && wait_for 10 has $debugfs/spile/stap_t_timer/status "exit 1" &&
		run 0 -A stap_t_timer && is err ""
}
check "-A with -o and -D, and to a script that has ended" attached_to_file

refused_to_leave() {
	local options
	for options in "-L -A" "-L -c true" "-L -o file" "-A -c true" "-A -x 1" "-A -b 1" "-A -R" "-d -L"; do
		run 2 $options stap_t_hello.ko && has err ERROR: "${options%% *}" || return 1
	done
	run 2 -A stap_t_globals number=1 && has err "values of globals" && run 1 -L stap_t_commands.ko &&
		has err "runs commands with system()" && is out "" && run 1 -A ../spile &&
		has err "not the name of a module" &&
		run 0 -L stap_t_hello.ko && is out hello && is err ""
}
check "invalid uses of -L and -A; a script that ends at once is not left" refused_to_leave

# ---- the file monitor ------------------------------------------------------------------------------------------------

# probe_field NUMBER FIELD: print a field of a probe from the file monitor of $module.
probe_field() {
	awk -v "number=$1" -v "field=$2" '$1 == "probe" && $2 == number { print $field }' \
		$debugfs/spile/$module/monitor
}

# Print the index of the first probe whose point begins with a text.
probe_index() {
	awk -v "point=$1" '$1 == "probe" && index($8, point) == 1 { print $2; exit }' $debugfs/spile/$module/monitor
}

order() {
	echo "$1" >$debugfs/spile/$module/monitor
}

# Print a global's value as JSON.
value() {
	sed -n "s/^global $1 [^ ]* //p" $debugfs/spile/$module/monitor
}

# is_hit NUMBER: is the probe hit within some seconds? is_still NUMBER: is it not hit for some time?
is_hit() {
	local before
	before=$(probe_field $1 4)
	wait_for 5 eval '[ $(probe_field '$1' 4) -gt '$before' ]'
}

is_still() {
	local before
	sleep 0.1
	before=$(probe_field $1 4)
	sleep 0.3
	[ "$(probe_field $1 4)" = "$before" ]
}

listed() {
	local first
	run 0 -v && is out "" && is err "" && leave stap_t_watched || return 1
	begin stap_t_wait.ko && first=$pid && staprun -v >list 2>err && is err "" && [ "$(wc -l <list)" = 2 ] &&
		grep -q "^module=stap_t_wait state=attached loaded_at=[0-9]* uptime=[0-9]* owner=0 memory=[0-9]* \
hits=0 errors=0 skipped=0 lost=0 driver=$first\$" list &&
		grep -q '^module=stap_t_watched state=left .* driver=0$' list &&
		[ $(($(date +%s) - $(sed -n 's/.*wait.*loaded_at=\([0-9]*\).*/\1/p' list))) -lt 60 ] &&
		sleep 0.2 && staprun -v >list2 && [ "$(sed -n 's/.*watched.* hits=\([0-9]*\) .*/\1/p' list2)" -gt \
			"$(sed -n 's/.*watched.* hits=\([0-9]*\) .*/\1/p' list)" ] || return 1
	printf 'wait root\nshow\n' | ./terminal staprun -v >table &&
		has table "module " stap_t_wait attached root || return 1
	kill -INT $first
	wait $first
	staprun -d stap_t_watched
}
check "-v alone lists loaded modules" listed

# Hits of light handlers, most of which are not timed, and of other handlers are all counted.
counted_hits() {
	local module=stap_t_watched hits sum
	leave $module && sleep 1 && order "probe * off" && hits=$(sed -n 's/^hits //p' $debugfs/spile/$module/status) &&
		sum=$(($(value number) - 3 + $(value counts | sed 's/.*count":\([0-9]*\),.*/\1/') + $(value light) +
			$(value fed | sed 's/.*count":\([0-9]*\),.*/\1/'))) &&
		[ "$hits" -gt 40 ] && [ "$hits" = "$sum" ] && run 0 -d $module
}
check "hits are counted exactly" counted_hits

values() {
	local module=stap_t_watched
	leave $module && sleep 0.5 && order "probe * off" && value number | grep -qx '[0-9]*' &&
		[ "$(value text)" = "\"\\\"$(value number)\\\" \\\\ \\u0001$(printf '\377')\"" ] &&
		value array | grep -q '^\[\[\[[0-2],"key"\],[0-9]*\],\[\[[0-2],"key"\],[0-9]*\],\[.*\]\]$' &&
		value counts | grep -q '^{"count":[0-9]*,"sum":[0-9]*,"min":[0-9]*,"max":[0-9]*,"avg":[0-9]*}$' &&
		value fed | grep -q '^\[\[\["a"\],{"count":[0-9]*,"sum":[0-9]*,"min":1,"max":1,"avg":1}\]\]$' ||
		return 1
	order reset && [ "$(value number)" = 3 ] && [ "$(value text)" = '"as it was"' ] &&
		[ "$(value array)" = "[]" ] &&
		[ "$(value counts)" = '{"count":0}' ] && [ "$(value fed)" = "[]" ] && [ "$(value wanted)" = 1 ] &&
		order "probe * on" && wait_for 5 eval '[ "$(value number)" -gt 3 ]' && run 0 -d $module
}
check "values of globals are reported, and reset" values

# The initial values are those that staprun set.
reset_settings() {
	local module=stap_t_watched
	run 0 -L $module.ko number=1000 text=set wanted=0 && sleep 0.3 && order "probe * off" && order reset &&
		[ "$(value number)" = 1000 ] && [ "$(value text)" = '"set"' ] && [ "$(value wanted)" = 0 ] &&
		run 0 -d $module
}
check "a reset restores the values that staprun set" reset_settings

# Switch the probes of each family while the others are on, and then all.
switched() {
	local module=stap_t_families index point
	leave $module && order measure || return 1
	ip link set lo up
	while sleep 0.05; do cat /proc/systemtap/$module/file /etc/group; ping -c 1 127.0.0.1; done >/dev/null 2>&1 &
	pid=$!
	for point in timer kernel.function kprobe kernel.trace perf process procfs netfilter; do
		index=$(probe_index $point)
		is_hit $index && order "probe $index off" && [ "$(probe_field $index 3)" = off ] && is_still $index &&
			order "probe $index on" && [ "$(probe_field $index 3)" = on ] && is_hit $index || break
	done
	[ $point = netfilter ] && index= && order "probe * off" &&
		for index in $(awk '$1 == "probe" && $3 == "off" { print $2 }' $debugfs/spile/$module/monitor); do
			is_still $index || break
		done
	[ "$index" -ge 11 ] && is_still $index && order "probe * on" &&
		for index in $(awk '$1 == "probe" && $8 != "begin" && $8 != "end" { print $2 }' \
			$debugfs/spile/$module/monitor); do
			is_hit $index || break
		done
	is_hit $index
	local status=$?
	kill $pid
	wait $pid 2>/dev/null
	[ $status = 0 ] && run 0 -d $module
}
check "probes of each family are switched off and on" switched

bad_orders() {
	local module=stap_t_watched bad
	leave $module || return 1
	for bad in "probe 0 off" "probe 99 off" "probe 1" "probe 1 maybe" "probe x on" "probe -1 on" \
		"probe 4294967295 on" "probe  on" stop start keep "target 1" "reset now" "" x "$(printf '%0800d' 1)"; do
		! order "$bad" 2>/dev/null || return 1
	done
	[ "$(awk '$1 == "probe" { print $3 }' $debugfs/spile/$module/monitor | sort -u)" = on ] && run 0 -d $module
}
check "invalid commands, and those that only staprun may use, are refused" bad_orders

# A probe that is switched off stays off when its condition becomes true. A probe whose condition is false is reported
# so.
off_and_condition() {
	local module=stap_t_watched index
	run 0 -L $module.ko wanted=0 && order measure && index=$(probe_index timer.ms\(40\)) &&
		wait_for 5 eval '[ "$(probe_field '$index' 3)" = waits ]' && is_still $index &&
		order "probe $index off" && [ "$(probe_field $index 3)" = off ] && order "probe $index on" &&
		[ "$(probe_field $index 3)" = waits ] && run 0 -d $module
}
check "switches and conditions" off_and_condition

# Everything at once: handlers, switches, resets, reads, staprun attaching and detaching; then the module is removed.
all_at_once() {
	local module=stap_t_families i pids= turns
	leave $module || return 1
	for i in "probe * off" "probe 3 on" "probe * on" reset measure; do
		for turns in $(seq 12); do order "$i"; done 2>/dev/null &
		pids="$pids $!"
	done
	for turns in $(seq 30); do cat $debugfs/spile/$module/monitor; done >/dev/null &
	pids="$pids $!"
	for turns in 1 2 3; do
		attach_quietly $module
	done
	wait $pids && is_left $module && order "probe * on" || return 1
	# An open file keeps the module loaded until it is closed.
	for turns in $(seq 12); do echo "probe * off"; echo "probe * on"; echo reset; done \
		>$debugfs/spile/$module/monitor &
	sleep 0.3
	wait_for 20 staprun -d $module 2>/dev/null
	wait $!
	[ -z "$(modules)" ]
}
attach_quietly() {
	staprun -A $1 >/dev/null 2>&1 &
	pid=$!
	wait_for 10 grep -qx "driver $pid" $debugfs/spile/$1/status
	kill -QUIT $pid
	wait $pid
}
check "switches, resets, reads and a removal at once" all_at_once

# json_field FIELD: print a field of the last status line in the file out.
json_field() {
	grep '"type":"status"' out | tail -n 1 | sed 's/"probes".*//' | sed -n "s/.*\"$1\":\"*\([^\",]*\).*/\1/p"
}

# output_of FILE: print what the script and its command wrote, from the lines of -M json. Where one line ends and the
# next begins depends on when staprun reads. A text that is not UTF-8 is in base64.
output_of() {
	sed -n 's/^{"type":"output","time":[0-9.]*,"text":\(.*\)}$/\1/p' "$1" | awk '
		/^[{]"base64":"/ {
			gsub(/^.*:"|"[}]$/, "")
			fflush()
			print | "base64 -d"
			close("base64 -d")
			next
		}
		{
			gsub(/^"|"$/, "")
			gsub(/\\n/, "\n")
			printf "%s", $0
		}'
}

lines() {
	local module=stap_t_watched
	rm -f out pipe && mkfifo pipe
	staprun -M 1,json stap_t_watched.ko <pipe >out 2>err &
	pid=$!
	exec 7>pipe
	wait_for 10 eval 'output_of out | grep -qx begin' && wait_for 10 grep -q '"state":"running"' out &&
		[ "$(grep -vc '^{"type":".*}$' out)" = 0 ] && echo "probe 1 off" >&7 &&
		wait_for 10 grep -q '"index":1,"state":"off"' out && echo "probe 0 off" >&7 &&
		wait_for 10 grep -q '"level":"error","text":".probe 0 off. is not a command' out &&
		echo "probe * off" >&7 &&
		wait_for 10 grep -q '"index":3,"state":"off"' out && echo reset >&7 &&
		wait_for 10 grep -q '"name":"number","value":3}' out && grep -q '"value":".*\\ufffd"}' out &&
		echo "probe * on" >&7 && wait_for 10 eval '[ "$(json_field hits)" -gt 50 ]' && echo quit >&7 &&
		wait $pid && is err "" && [ "$(json_field state)" = stopped ] &&
		output_of out | grep -qx 'end [0-9]* [0-9]* [0-9]* [0-9]*' &&
		[ "$(grep -c '"avg":[1-9]' out)" -gt 1 ]
	local status=$?
	exec 7>&-
	rm pipe
	return $status
}
check "-M: lines of JSON, and commands from standard input" lines

lines_of_all() {
	run 0 -M json -c 'echo from the command; cat' stap_t_wait.ko && is err "" &&
		[ "$(output_of out | sort | tr '\n' ,)" = "begin,end,from the command," ] &&
		run 0 -M json stap_t_messages.ko && output_of out | grep -qx output &&
		output_of out | grep -qx "a log line" && has err "WARNING: a warning" &&
		run 0 -M 1 -o file stap_t_hello.ko && is file hello &&
		! has out '"text":"hello' && run 1 -M 1 stap_t_error.ko && has err "ERROR: division by 0" || return 1
	timeout 600 staprun -M json stap_t_begin_5mb.ko >lines 2>err && is err "" &&
		output_of lines >out && is_5mb
}
check "-M: output of the script, its command and staprun" lines_of_all

lines_unread() {
	{ timeout 600 staprun -M 1 stap_t_wait.ko 2>err; echo $? >status; } | head -n 1 >out
	[ "$(cat status)" = 141 ] && is err "" && nothing_left
}
check "-M: a closed output ends the script" lines_unread

monitor_killed() {
	staprun -M 1 stap_t_wait.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '"state":"running"' out && killall -KILL stap-monitor
	wait $pid
	[ $? = 141 ] && nothing_left && ! pidof stap-monitor || return 1
	staprun -M 1 stap_t_wait.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '"state":"running"' out && kill -KILL $pid $(reader_of $pid) &&
		wait_for 10 eval '! pidof stap-monitor' && run 0 -d '*'
}
check "-M: whichever process is killed, nothing is left" monitor_killed

monitor_of_left() {
	leave stap_t_watched || return 1
	staprun -M 1 -A stap_t_watched </dev/null >out 2>err &
	pid=$!
	wait_for 10 grep -q '"state":"running"' out && [ "$(json_field driver)" = $pid ] && end QUIT 0 &&
		is_left stap_t_watched && has err "staprun -A stap_t_watched" && echo quit >orders &&
		staprun -M 1 -A stap_t_watched <orders >out 2>err && is err "" &&
		output_of out | grep -q '^end '
}
check "-M with -A" monitor_of_left

screen() {
	./terminal staprun -M 1 stap_t_watched.ko >out 2>err <<-'END'
		wait begin
		wait running
		wait number = 
		wait   array[
		wait   counts = {
		wait *index state
		show
		keys sss
		wait *min
		keys t1\r
		wait      1 off
		keys t99\r
		wait probe 99 does not exist
		keys p
		wait      2 off
		keys c
		wait number = 3
		keys r
		gone      2 off
		keys x
		gone number = 
		keys x
		wait number = 
		keys q
		rest
	END
	[ $? = 0 ] && is err "" && has out '|stap_t_watched  ' '|  number = ' '|  array[' '|  counts = {"count":' \
		'|c reset  s sort' ' q quit' && grep -q '^|     1 on .*timer.ms(20)$' out &&
		tail -n 9 out | grep -q begin && tail -n 8 out | grep -q '^end [0-9]'
}
check "-M: a screen, and its keys" screen

screen_killed() {
	: >out
	{
		printf '%s\n' 'wait running' mode
		wait_for 10 grep -q raw out && killall -KILL stap-monitor
		printf '%s\n' rest mode
	} | ./terminal staprun -M 1 stap_t_wait.ko >out
	[ $? = 141 ] && has out raw && [ "$(tail -n 1 out)" = cooked ]
}
check "-M: the terminal is restored after the monitor is killed" screen_killed

screen_signals() {
	printf '%s\n' 'wait running' 'signal 2' rest | ./terminal staprun -M 1 stap_t_wait.ko >out && has out end &&
		printf '%s\n' 'wait running' 'keys \34' rest | ./terminal staprun -M 1 stap_t_wait.ko >out &&
		has out "staprun -A stap_t_wait" && is_left stap_t_wait && run 0 -d stap_t_wait &&
		printf '%s\n' rest | TERM=none ./terminal staprun -M 1 stap_t_none >out
	[ $? = 1 ] && has out "cannot read"
}
check "-M: the keys for SIGINT and SIGQUIT on a screen; errors before it starts" screen_signals

# Without a terminal description, and without the program.
no_screen() {
	mv /lib/terminfo/v/vt100 vt100 && printf '%s\n' rest | ./terminal staprun -M 1 stap_t_hello.ko >out
	[ $? = 1 ] && mv vt100 /lib/terminfo/v/vt100 && has out "unknown terminal type 'vt100' (TERM)" \
		"-M: cannot start the monitor" || return 1
	mv /bin/stap-monitor monitor && run 1 -v -M 1 stap_t_hello.ko
	local status=$?
	mv monitor /bin/stap-monitor
	[ $status = 0 ] && has err "cannot run stap-monitor: No such file" && ! grep -q loading err
}
check "-M: without a usable terminal or stap-monitor" no_screen

bad_wishes() {
	local bad
	for bad in 0 x 1,x 1,json,1 json,1 86401 -1 "" ,json 1,; do
		run 2 -M "$bad" stap_t_hello.ko && has err "invalid argument '$bad' of option -M" || return 1
	done
	for bad in -L "-D -o file" -d; do
		run 2 -M 1 $bad stap_t_hello.ko && has err "-M excludes -L, -D and -d" || return 1
	done
}
check "-M with invalid arguments" bad_wishes

# ---- lines of JSON --------------------------------------------------------------------------------------------------

# types_of FILE: print the types of its lines, each of which must be an object.
types_of() {
	[ "$(grep -vc '^{"type":"[a-z]*",.*}$' "$1")" = 0 ] &&
		sed 's/^{"type":"\([a-z]*\)".*/\1/' "$1" | uniq | paste -sd' '
}

json_lines() {
	run 0 -J 0 stap_t_hello.ko && is err "" && [ "$(types_of out)" = "start output snapshot end" ] &&
		has out '"text":"hello\n"' '"module":"stap_t_hello"' '"final":true' '"status":0' || return 1
	staprun -J 1 stap_t_watched.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '"snapshot":1,"final":false,"name":"number"' out && kill -INT $pid
	wait $pid && is err "" && nothing_left && ! pidof stap-json &&
		[ "$(grep -c '"type":"snapshot".*"final":true' out)" = 1 ] && tail -n 1 out | grep -q '"type":"end"'
}
check "-J: lines of JSON" json_lines

json_commands() {
	run 0 -J 0 -c 'echo out; echo err >&2' stap_t_wait.ko && is err err &&
		has out '"text":"out\n","command":true' && [ "$(types_of out | grep -c snapshot)" = 1 ] &&
		run 1 -J 0 -c 'exit 3' stap_t_wait.ko && is err "" &&
		has out '"level":"warning","text":"Child process exited' &&
		run 0 -J 0 -o file stap_t_hello.ko && is out "" && is err "" &&
		[ "$(types_of file)" = "start output snapshot end" ]
}
check "-J: with commands and a file" json_commands

# A background process of a command holds the pipe to stap-json, but staprun does not wait for it.
json_background() {
	run 0 -J 0 -c 'sleep 600 & echo $! >sleeper' stap_t_wait.ko && kill "$(cat sleeper)" && nothing_left
}
check "-J: a process that a command leaves behind is not awaited" json_background

json_errors() {
	run 1 -J 0 stap_t_absent.ko && is err "" && [ "$(types_of out)" = message ] && has out '"level":"error"' ||
		return 1
	mv /bin/stap-json saved && run 1 -v -J 0 stap_t_hello.ko
	local status=$?
	mv saved /bin/stap-json
	[ $status = 0 ] && cat out >>err && has err "cannot run stap-json: No such file" && ! grep -q loading err &&
		nothing_left
}
check "-J: errors before the script runs" json_errors

json_killed() {
	staprun -J 1 stap_t_wait.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '"type":"snapshot"' out && killall -KILL stap-json
	wait $pid
	[ $? = 141 ] && nothing_left || return 1
	staprun -J 1 stap_t_wait.ko >out 2>err &
	pid=$!
	wait_for 10 grep -q '"type":"snapshot"' out && kill -KILL $pid $(reader_of $pid) &&
		wait_for 10 eval '! pidof stap-json' && run 0 -d '*' || return 1
	{ timeout 600 staprun -J 1 stap_t_wait.ko 2>err; echo $? >status; } | head -n 1 >out
	[ "$(cat status)" = 141 ] && is err "" && nothing_left || return 1
	staprun -J 1 stap_t_wait.ko >/dev/full 2>err
	[ $? = 1 ] && has err "No space left on device" && nothing_left
}
check "-J: whichever process is killed or cannot write, nothing is left" json_killed

bad_intervals() {
	local bad
	for bad in x 86401 -1 "" 1,json 1s; do
		run 2 -J "$bad" stap_t_hello.ko && has err "invalid argument '$bad' of option -J" || return 1
	done
	for bad in -L -d "-D -o x" "-M 1" "-S 1 -o x"; do
		run 2 -J 1 $bad stap_t_hello.ko && has err "-J excludes -D, -d, -h, -L, -M and -S" || return 1
	done
}
check "-J: bad intervals and options" bad_intervals

# ---- the command line ------------------------------------------------------------------------------------------------

unread() {
	rm -f status
	{ timeout 600 staprun stap_t_endless.ko 2>err; echo $? >status; } | head -n 1 >out
	is out "line 0" && is err "" && [ "$(cat status)" = 141 ] && [ ! -d /sys/module/stap_t_endless ]
}
check "a closed output ends the script" unread

limited_files() {
	rm -f part.* && run 0 -S 1,3 -o part stap_t_begin_5mb.ko && is out "" && is err "" || return 1
	[ "$(ls part.* | wc -l)" = 3 ] && [ ! -e part.0 ] && [ ! -e part.6 ] || return 1
	local part
	for part in part.*; do
		[ "$(stat -c %s $part)" -le 1048576 ] || return 1
	done
	rm -f part.* && run 0 -S 2 -o part stap_t_begin_5mb.ko && cat part.0 part.1 part.2 >out && is_5mb
}
check "-S: files of a size, the newest are kept" limited_files

switched_files() {
	rm -f file* && run 0 -o file stap_t_switch.ko && is out "" && [ "$(echo file*)" = "file file.1 file.2" ] &&
		[ "$(cat file)" = one ] && [ "$(cat file.1)" = two ] &&
		[ "$(tr '\n' ' ' <file.2)" = "three four " ] || return 1
	rm -f part.* && run 0 -S 1,2 -o part stap_t_switch.ko && [ "$(echo part.*)" = "part.1 part.2" ] &&
		[ "$(cat part.1)" = two ] || return 1
	run 0 stap_t_switch.ko && [ "$(tr '\n' ' ' <out)" = "one two three four " ]
}
check "switch_file(): the next output file" switched_files

switched_by_signal() {
	rm -f file*
	staprun -o file stap_t_stream.ko >out 2>err &
	pid=$!
	wait_for 10 test -s file && kill -USR2 $pid && wait_for 10 test -s file.1 && end INT 0 &&
		[ "$(echo file*)" = "file file.1" ] && cat file file.1 >out && numbers out
}
check "SIGUSR2: the next output file" switched_by_signal

# SIGHUP does not end a daemon. Its files have dates and a size limit, and the newest are kept.
daemon_files() {
	local daemon year
	rm -f file* part* && run 0 -D -o file stap_t_stream.ko && daemon=$(cat out) && wait_for 10 test -s file &&
		kill -HUP $daemon && wait_for 10 test -s file.1 && kill -USR2 $daemon && wait_for 10 test -s file.2 &&
		kill -INT $daemon && wait_for 10 nothing_left && cat file file.1 file.2 >out && numbers out || return 1
	year=$(date +%Y)
	run 0 -D -S 1,2 -o part-%Y stap_t_stream.ko && daemon=$(cat out) &&
		wait_for 20 test -s part-$year.4 && kill -INT $daemon && wait_for 10 nothing_left &&
		[ "$(ls part-* | wc -l)" = 2 ] && [ ! -e part-$year.0 ] && cat $(ls part-* | sort -t. -k2n) >out &&
		numbers out
}
check "-D: SIGHUP and SIGUSR2 switch files, -S keeps the newest" daemon_files

buffers() {
	local bad
	run 0 -b 4 stap_t_hello.ko && is out hello && is err "" &&
		run 0 -b 1 stap_t_begin_5mb.ko && is_5mb || return 1
	for bad in 0 4096 -1 x ""; do
		run 2 -b "$bad" stap_t_hello.ko && has err "invalid argument '$bad' of option -b" || return 1
	done
}
check "-b: the size of the output buffers" buffers

wrong_limits() {
	local bad
	for bad in 0 x 1, 1,0 1,x ,1; do
		run 2 -S $bad -o part stap_t_hello.ko && has err "invalid argument '$bad' of option -S" || return 1
	done
	run 2 -S 1 stap_t_hello.ko && has err "-S requires -o" && run 2 -D stap_t_hello.ko && has err "-D requires -o"
}
check "invalid uses of -S and -D" wrong_limits

daemon() {
	rm -f file && run 0 -D -o file stap_t_endless.ko && is err "" && [ "$(cat out)" = "$(loader)" ] || return 1
	wait_for 10 grep -q "line 3" file && kill -INT "$(cat out)" &&
		wait_for 10 [ ! -d /sys/module/stap_t_endless ] &&
		run 1 -D -o file stap_t_foreign.ko && is out "" && [ -s err ]
}
check "-D: in the background, and its process id" daemon

namespaces() {
	run 0 stap_t_namespaces.ko && is out "1 0" && run 0 -N $$ stap_t_namespaces.ko && is out "1 0" || return 1
	local inside parent
	busybox unshare -p -f sleep 1000 &
	parent=$!
	wait_for 10 grep -q . /proc/$parent/task/$parent/children || return 1
	inside=$(tr -d ' ' </proc/$parent/task/$parent/children)
	run 0 -N "$inside" stap_t_namespaces.ko && is out "0 1" || return 1
	kill -KILL "$inside" $parent
	run 1 -N 4194303 stap_t_namespaces.ko && has err "process 4194303 does not exist" && is out "" &&
		run 2 -N x stap_t_namespaces.ko && has err "invalid argument 'x' of option -N"
}
check "-N: the namespaces of a process" namespaces

globals() {
	run 0 stap_t_globals.ko && is out "5 as written 0 0   1" &&
		run 0 stap_t_globals.ko number=0x10 'text=a b=c' unset=-1 argv_2=second && is err "" &&
		is out "16 a b=c -1 2  second 1" &&
		run 0 stap_t_globals.ko number=18446744073709551615 text= && is out "-1  0 0   1" || return 1
	local bad
	for bad in number=9a number= array=1 nothing=1 argc=7 argv=x metric_count=1 "text=$(printf '%0600d' 1)"; do
		run 1 stap_t_globals.ko "$bad" && has err "ERROR: cannot set '$bad'" && is out "" || return 1
	done
}
check "arguments after the module set globals" globals

needless() {
	run 0 -u stap_t_hello.ko && is out hello && has err "WARNING: -u has no effect" || return 1
	run 2 stap_t_hello.ko more && has err "invalid argument 'more': expected NAME=VALUE"
}
check "-u has no effect; other arguments after the module" needless

wrong_usage() {
	run 2 && has err "no module was named" Usage: && run 2 -Z stap_t_hello.ko && has err Usage: && run 2 -c &&
		run 2 -x 0 stap_t_hello.ko && has err "invalid argument '0' of option -x" &&
		run 2 -x 1x stap_t_hello.ko &&
		run 2 -x 99999999999999999999 stap_t_hello.ko && run 2 -T 0 stap_t_hello.ko &&
		run 2 -c true -x 1 stap_t_hello.ko && has err "exclude each other" && run 0 -V &&
		grep -q '^staprun (Spile) ' out
}
check "wrong usage is status 2" wrong_usage

# ---- permissions -----------------------------------------------------------------------------------------------------

# as GROUP WANTED-STATUS COMMAND: run it in a shell of a user who is a member of a group, in the user's directory.
as() {
	local status
	printf 'root:x:0:\nuser:x:1000:\nnogroup:x:65534:\nstapdev:x:801:\nstapsys:x:802:\nstapusr:x:803:\n' |
		sed "s/^$1:.*/&user/" >/etc/group
	rm -f out
	su user -c "cd $PWD/user && $3" >out 2>err
	status=$?
	[ $status -eq "$2" ]
}

set_uid() {
	rm -rf user
	mkdir user && chmod 755 . && chown user user && cp /bin/staprun user/staprun && chmod 4755 user/staprun &&
		cp stap_t_*.ko *.sgn user/ && chmod 644 user/*.ko user/*.sgn
}

no_group() {
	set_uid && as user 1 "staprun stap_t_hello.ko" && has err "only root can load kernel modules" hint: &&
		as user 1 "./staprun stap_t_hello.ko" && has err "you are not allowed to run staprun" stapdev &&
		as user 1 "./staprun -d '*'" && has err "you are not allowed to run staprun"
}
check "a user without a group may do nothing" no_group

installed_only() {
	set_uid && as stapusr 1 "./staprun ./stap_t_wait.ko" &&
		has err "you may only load modules that the administrator put in" &&
		as stapusr 0 "./staprun stap_t_hello" && is out hello &&
		as stapsys 0 "./staprun $installed/stap_t_hello.ko" && is out hello &&
		as stapusr 1 "./staprun $installed/../systemtap/stap_t_hello.ko" &&
		as stapusr 1 "./staprun $installed/$(printf %0100d 0).ko" && has err "is not the name of a module" &&
		chmod g+w $installed/stap_t_hello.ko && as stapusr 1 "./staprun stap_t_hello" &&
		has err "is writable by users other than root" && chmod g-w $installed/stap_t_hello.ko
}
check "members of stapusr and stapsys may load what is installed" installed_only

# trusting CERTIFICATE...: let staprun trust only these.
trusting() {
	rm -rf "$keys" && mkdir -p "$keys" && chmod 755 "$keys" && cp "$@" "$keys/"
}

# refused_signature TEXT...: is the module refused for this reason?
refused_signature() {
	as stapusr 1 "./staprun ./stap_t_for_stapusr.ko" && has err "$@"
}

signed() {
	set_uid && rm -rf "$keys" && refused_signature "no key is trusted: directory $keys does not exist" hint: &&
		trusting other.x509 signer.x509 && as stapusr 0 "./staprun ./stap_t_for_stapusr.ko" && is out hello &&
		is err "" && as stapusr 0 "./staprun -R stap_t_for_stapusr.ko" && is out hello &&
		as stapsys 0 "./staprun $PWD/user/stap_t_for_stapsys.ko" && is out hello &&
		as stapsys 0 "./staprun ./stap_t_for_stapusr.ko" && is out hello &&
		as user 1 "./staprun ./stap_t_for_stapusr.ko" && has err "you are not allowed to run staprun" &&
		trusting other.x509 && refused_signature "does not match any of the keys in $keys" hint:
}
check "who may load what is installed may load what is signed with a trusted key" signed

signed_for_others() {
	set_uid && trusting signer.x509 && as stapusr 1 "./staprun ./stap_t_for_stapsys.ko" &&
		has err "it is signed, but built for members of stapsys" "--privilege=stapusr" &&
		as stapusr 1 "./staprun ./stap_t_hello.ko" && has err "built for members of stapdev" &&
		as stapsys 1 "./staprun ./stap_t_hello.ko" && has err "built for members of stapdev" "=stapsys"
}
check "a signed module for stapsys is refused to stapusr" signed_for_others

# A signed module cannot take any name: it gets a prefix, also with -R.
signed_name() {
	set_uid && trusting signer.x509 && cp taken.ko taken.ko.sgn user/ && chmod 644 user/taken.*
	as stapusr 0 "./staprun -v -c true taken.ko" && has err "renaming module taken to stap_taken" &&
		has err "loading module stap_taken " &&
		as stapusr 0 "./staprun -v -R -c true taken.ko" && grep -q "loading module stap_taken_[0-9a-f]* " err
}
check "a signed module gets a prefix to its name" signed_name

# For a user, a process that /proc hides does not exist.
hidden_process() {
	local other
	set_uid || return
	sleep 100 & other=$!
	as stapusr 0 "./staprun -x $other stap_t_hello" || return
	mount -o remount,hidepid=2 /proc
	as stapusr 1 "./staprun -x $other stap_t_hello" && has err "process $other does not exist" &&
		as stapusr 1 "./staprun -N $other stap_t_hello" && has err "process $other does not exist" &&
		as stapusr 0 'sleep 9 & ./staprun -x $! stap_t_hello; kill $!' &&
		mount -o remount,hidepid=1 /proc && as stapusr 1 "./staprun -x $other stap_t_hello" &&
		has err "cannot use process $other: Operation not permitted"
	local status=$?
	mount -o remount,hidepid=0 /proc
	kill $other
	return $status
}
check "-x and -N: processes of others that /proc hides" hidden_process

# staprun opens the group with the rights of the user.
hidden() {
	mkdir groups/inner && as stapusr 0 "./staprun --cgroup $PWD/groups/inner stap_t_hello" && is out hello &&
		chmod 700 groups/inner && as stapusr 1 "./staprun --cgroup $PWD/groups/inner stap_t_hello" &&
		has err "cannot open control group" "Permission denied"
}
hidden_group() {
	set_uid && with_groups cgroup2 rw hidden
}
check "--cgroup: a group that the user may not read" hidden_group

# Change bytes of the module and of the signature, and use invalid files.
changed_signature() {
	local module=user/stap_t_for_stapusr.ko size offset
	set_uid && trusting signer.x509 && size=$(stat -c %s $module) || return
	for offset in 0 $((size / 2)) $((size - 1)); do
		cp stap_t_for_stapusr.ko $module && printf '\xff' |
			dd of=$module bs=1 seek=$offset conv=notrunc 2>/dev/null &&
			refused_signature "does not match any of the keys" || return
	done
	cp stap_t_for_stapusr.ko $module && echo >>$module && refused_signature "does not match any of the keys" &&
		cp stap_t_for_stapusr.ko $module && cp stap_t_for_stapsys.ko.sgn $module.sgn &&
		refused_signature "does not match any of the keys" && echo text >$module.sgn &&
		refused_signature "does not match any of the keys" && : >$module.sgn &&
		refused_signature "is not the signature of a module" && head -c 1025 /dev/zero >$module.sgn &&
		refused_signature "is not the signature of a module" && rm $module.sgn && mkfifo $module.sgn &&
		refused_signature "is not the signature of a module" && rm $module.sgn &&
		refused_signature "or that are signed: signature" stapdev &&
		ln -s /etc/shadow-of-root $module.sgn && : >/etc/shadow-of-root && chmod 600 /etc/shadow-of-root &&
		refused_signature "stap_t_for_stapusr.ko.sgn: Permission denied"
}
check "a signature is valid only for the unchanged file" changed_signature

# Certificates that others can write are ignored; invalid files do not affect valid certificates.
keys_of_others() {
	set_uid && trusting signer.x509 && chmod g+w "$keys" &&
		refused_signature "$keys is writable by users other than root" "chmod go-w" &&
		trusting signer.x509 && chown user "$keys/signer.x509" &&
		refused_signature "signer.x509 is ignored: it must be a regular file that only root can write" &&
		trusting other.x509 && ln -s "$PWD/signer.x509" "$keys/link.x509" &&
		refused_signature "link.x509 is ignored" && trusting other.x509 &&
		cp signer.x509 "$keys/signer.pem" && refused_signature "does not match any of the keys" &&
		trusting kind.x509 signer.x509 && : >"$keys/empty.x509" &&
		head -c 20000 /dev/zero >"$keys/zeros.x509" &&
		echo text >"$keys/a.x509" && mkdir "$keys/directory.x509" &&
		as stapusr 0 "./staprun -w ./stap_t_for_stapusr.ko" && is out hello
	local status=$?
	rm -rf "$keys"
	return $status
}
check "only certificates that belong to root are trusted" keys_of_others

listed_for_users() {
	set_uid && cp stap_t_timer.ko stap_t_watched.ko $installed/ && chmod 644 $installed/*.ko && leave stap_t_wait &&
		as stapusr 0 "./staprun -L stap_t_watched" && as stapusr 0 "./staprun -v" && [ "$(wc -l <out)" = 1 ] &&
		has out "module=stap_t_watched state=left" " owner=1000 " && as stapdev 0 "./staprun -v" &&
		[ "$(wc -l <out)" = 2 ] && as user 1 "./staprun -v" && is out "" &&
		has err "you are not allowed to run staprun" && run 0 -d stap_t_wait && run 0 -d stap_t_watched
}
check "-v shows users only their own modules" listed_for_users

# stap-monitor runs as the user without privileges; the user sees nothing of another's script.
monitor_of_user() {
	local monitor shell
	set_uid && cp /bin/stap-monitor user/ && cp stap_t_watched.ko $installed/ &&
		chmod 644 $installed/*.ko || return 1
	as stapusr 0 "exec ./staprun -M 1 stap_t_watched" &
	shell=$!
	wait_for 10 grep -q '"state":"running"' out && monitor=$(pidof stap-monitor) &&
		grep -q '^Uid:.1000.1000.1000.1000' /proc/$monitor/status &&
		grep -q '^Gid:.1000.1000.1000.1000' /proc/$monitor/status &&
		grep -q '^NoNewPrivs:.1' /proc/$monitor/status &&
		[ "$(grep -c '^Cap\(Prm\|Eff\|Inh\):.0000000000000000' /proc/$monitor/status)" = 3 ] &&
		[ "$(json_field owner)" = 1000 ] && su user -c "kill -INT $(loader)" && wait $shell &&
		is err "" || return 1
	leave stap_t_wait && as stapusr 1 "./staprun -M 1 -A stap_t_wait" &&
		has err "module stap_t_wait belongs to another user" &&
		run 0 -d stap_t_wait
}
check "-M: stap-monitor runs as the user, without privileges" monitor_of_user

json_of_user() {
	local json shell
	set_uid && cp /bin/stap-json user/ && cp stap_t_wait.ko $installed/ && chmod 644 $installed/*.ko || return 1
	as stapusr 0 "exec ./staprun -J 1 stap_t_wait" &
	shell=$!
	wait_for 10 grep -q '"type":"snapshot"' out && json=$(pidof stap-json) &&
		grep -q '^Uid:.1000.1000.1000.1000' /proc/$json/status &&
		grep -q '^NoNewPrivs:.1' /proc/$json/status &&
		[ "$(grep -c '^Cap\(Prm\|Eff\|Inh\):.0000000000000000' /proc/$json/status)" = 3 ] &&
		su user -c "kill -INT $(loader)" && wait $shell && is err "" || return 1
	leave stap_t_wait && as stapusr 1 "./staprun -J 1 -A stap_t_wait" &&
		has out "module stap_t_wait belongs to another user" && run 0 -d stap_t_wait
}
check "-J: stap-json runs as the user, without privileges" json_of_user

# owners: print the modes, users and groups of the files that the module has in /proc.
owners() {
	(cd /proc/systemtap/stap_t_files && find . -exec stat -c '%a %u:%g %n' {} +) | sort -k 3
}

# try_files USER: print what the user can do with these files.
try_files() {
	su "$1" -c "cd /proc/systemtap/stap_t_files
		for file in read a/group all; do cat \$file >/dev/null 2>&1 && echo \$file; done
		(echo from $1 >a/b/write) 2>/dev/null && echo a/b/write
		(printf '\\n' >__stdin) 2>/dev/null && echo __stdin"
}

# Files of procfs probes belong to the user who started the script, however it was loaded.
files_of_user() {
	local shell all='read a/group all a/b/write __stdin' written='written from user line written from root line'
	set_uid && cp stap_t_files.ko $installed/ && chmod 644 $installed/*.ko || return 1
	grep -q '^other:' /etc/passwd || echo 'other:x:1001:65534::/:/bin/sh' >>/etc/passwd
	mkfifo user/fifo && chown user user/fifo || return 1
	as stapusr 0 "exec ./staprun stap_t_files <>fifo" &
	shell=$!
	echo input >user/fifo
	wait_for 10 grep -qx 'line input' out && [ "$(owners)" = "555 1000:0 .
200 1000:0 ./__stdin
555 1000:0 ./a
555 1000:0 ./a/b
200 1000:0 ./a/b/write
440 1000:0 ./a/group
444 1000:0 ./all
400 1000:0 ./read" ] && [ "$(stat -c '%a %u:%g' /proc/systemtap)" = "555 0:0" ] &&
		[ "$(try_files other | xargs)" = all ] && [ "$(try_files user | xargs)" = "$all" ] &&
		[ "$(try_files root | xargs)" = "$all" ] &&
		wait_for 10 eval '[ "$(xargs <out)" = "begin line input $written" ]' || return 1
	su user -c "kill -INT $(loader)" && wait $shell && ! grep -q ERROR err || return 1
	# A session belongs to who started it, also if another user reads it.
	as stapusr 0 "./staprun -L stap_t_files" && staprun -A stap_t_files >out2 2>err2 &
	shell=$!
	wait_for 10 eval 'staprun -v 2>/dev/null | grep -q "state=attached "' &&
		[ "$(owners | grep -c ' 1000:0 ')" = 8 ] && kill -INT $(loader) && wait $shell || return 1
	begin stap_t_files.ko </dev/null && [ "$(owners | grep -c ' 0:0 ')" = 8 ] &&
		[ "$(try_files user | xargs)" = all ] && end INT 0
}
check "files in /proc belong to the user who started the script" files_of_user

# Users can attach to and remove only their own sessions; a member of stapdev, all.
left_by_users() {
	set_uid && rm -f $installed/stap_t_timer.ko && cp stap_t_timer.ko $installed/ && chmod 644 $installed/*.ko &&
		as stapusr 0 "./staprun -L stap_t_timer" && is_left stap_t_timer && has err "staprun -A stap_t_timer" &&
		as stapusr 0 "./staprun -A stap_t_timer" && is err "" && [ -z "$(modules)" ] || return 1
	leave stap_t_wait && as stapusr 1 "./staprun -A stap_t_wait" &&
		has err "module stap_t_wait belongs to another user" &&
		as stapusr 1 "./staprun -d stap_t_wait" && has err "module stap_t_wait belongs to another user" &&
		is_left stap_t_wait && as stapdev 0 "./staprun -d stap_t_wait" && [ -z "$(modules)" ]
}
check "users attach to and remove only their own sessions" left_by_users

developer() {
	set_uid && as stapdev 0 "./staprun ./stap_t_hello.ko" && is out hello && chmod 600 user/stap_t_wait.ko &&
		as stapdev 1 "./staprun stap_t_wait.ko" && has err "cannot read stap_t_wait.ko: Permission denied" &&
		as stapdev 1 "./staprun -o ../file2 stap_t_hello.ko" && [ ! -e file2 ] &&
		has err "cannot write ../file2: Permission denied" &&
		as stapdev 0 "./staprun -o file stap_t_hello.ko" &&
		[ "$(stat -c %u user/file)" = 1000 ] && is user/file hello
}
check "members of stapdev may load files that they can read" developer

as_user() {
	local command='echo $FOO; id -u; grep ^Cap /proc/self/status'
	set_uid && as stapdev 0 "FOO=bar ./staprun --start=$start -c '$command' stap_t_target.ko" &&
		has out bar && grep -qx 1000 out && [ "$(grep -c '^Cap\(Prm\|Eff\):.0000000000000000' out)" = 2 ]
}
for start in exec main; do
	check "-c from $start: the command has the user's rights and nothing more" as_user
done

commands_as_user() {
	local shell
	set_uid
	as stapdev 0 "FOO=bar exec ./staprun stap_t_commands.ko" &
	shell=$!
	wait_for 10 grep -q begin out && pid=$(loader) && wait_for 20 lines_of user/identity 5 &&
		wait_for 20 pidof sleep &&
		su user -c "kill -INT $pid" && wait_for 20 eval '[ -z "$(modules)" ]' && killall sleep && wait $shell &&
		has user/identity "bar,$PWD/user,1000" &&
		[ "$(grep -c '^Cap...:.0000000000000000' user/identity)" = 2 ] && is err ""
}
check "system() runs commands with the user's rights and nothing more" commands_as_user

# The script chooses the files, by stp_reopen_output().
files_as_user() {
	set_uid && as stapdev 1 "./staprun stap_t_reopen.ko" && is out begin && is user/own own &&
		[ "$(stat -c %u user/own)" = 1000 ] && [ ! -e file3 ] &&
		has err "cannot write ../file3: Permission denied"
}
check "files that a script chooses are written with the user's rights" files_as_user

# 0x10006: CAP_SYS_MODULE, CAP_DAC_READ_SEARCH, CAP_DAC_OVERRIDE.
rights_of_processes() {
	local reader shell
	set_uid
	as stapdev 0 "exec ./staprun stap_t_wait.ko" &
	shell=$!
	wait_for 10 grep -q begin out && pid=$(loader) && reader=$(reader_of "$pid") &&
		grep -q '^Uid:.1000.1000.1000.1000' /proc/$reader/status &&
		grep -q '^NoNewPrivs:.1' /proc/$reader/status &&
		grep -q '^CapPrm:.0000000000000000' /proc/$reader/status &&
		grep -q '^CapPrm:.0000000000010006' /proc/$pid/status &&
		su user -c "kill -INT $pid" && wait $shell && has out end && is err ""
}
check "the reader has no privileges, the loader few, and its user may end it" rights_of_processes

# The kernel's log is not shown to users who may not read it (dmesg_restrict).
log_of_others() {
	set_uid && edited stap_t_hello.ko bad.ko "s/relay_open/relay_0pen/g" && cp bad.ko $installed/bad.ko &&
		chmod 644 $installed/bad.ko && as stapusr 1 "./staprun bad" &&
		has err "cannot load module stap_t_hello: " && ! grep -q relay_0pen err
}
check "the kernel's log is not shown to members of stapusr" log_of_others

# A user cannot block loading for others, whatever they do to their staprun.
full_standard_error() {
	local writer status
	set_uid && rm -f pipe && mkfifo pipe && exec 7<>pipe || return
	yes >&7 &
	writer=$!
	wait_for 5 has_full_pipe yes
	as stapdev 137 "exec ./staprun -v stap_t_wait.ko 2>&7" &
	wait_for 10 has_full_pipe staprun && timeout 600 staprun stap_t_hello.ko >out1 2>err1 && is out1 hello
	status=$?
	kill $writer
	killall -KILL staprun
	exec 7>&-
	wait_for 10 eval '! pidof staprun'
	staprun -d '*'
	return $status
}
check "a full pipe does not block loading" full_standard_error

stopped_stapruns() {
	local i
	set_uid || return
	for i in $(seq 0 11); do
		as stapdev 0 "./staprun -R stap_t_wait.ko & sleep 0.0$((i * 7)); kill -STOP \$!"
	done
	timeout 600 staprun stap_t_hello.ko >out1 2>err1 && is out1 hello && is err1 ""
	local status=$?
	killall -KILL staprun
	wait_for 10 eval '! pidof staprun'
	staprun -d '*'
	return $status
}
check "stopped processes do not block loading" stopped_stapruns

# Another process holds the lock when the module must be removed, by a process that can no longer act as the user.
lock_at_the_end() {
	local shell
	set_uid
	as stapdev 0 "exec ./staprun stap_t_wait.ko" &
	shell=$!
	wait_for 10 grep -q begin out && pid=$(loader) || return 1
	flock $debugfs/kprobes/blacklist sleep 2 &
	sleep 0.5
	su user -c "kill -INT $pid" && wait $shell && has out end && is err ""
}
check "a module is removed while others hold the lock" lock_at_the_end

foreign_locks() {
	local shell
	set_uid && chmod 755 $debugfs || return
	su user -c "exec flock $debugfs sleep 1000" &
	shell=$!
	wait_for 10 eval "! flock -n $debugfs true" && timeout 600 staprun stap_t_hello.ko >out1 2>err1 &&
		is out1 hello && is err1 ""
	local status=$?
	kill $shell
	killall sleep
	chmod 700 $debugfs
	return $status
}
check "a lock on debugfs does not block loading" foreign_locks

hostile_environment() {
	set_uid && as stapdev 0 "LD_PRELOAD=/no GCONV_PATH=. LOCPATH=. NLSPATH=. SPILE_LOCALEDIR=. LANG=de PATH=. \
		TZ=/etc/shadow ./staprun -o file%Y stap_t_hello.ko" && is err "" && is user/file* hello
}
check "the environment of a set-uid staprun is not trusted" hostile_environment

# This is the last check, because it cannot be undone.
modules_disabled() {
	echo 1 >/proc/sys/kernel/modules_disabled && run 1 stap_t_hello.ko &&
		has err "cannot load module stap_t_hello: Operation not permitted" "kernel.modules_disabled"
}
check "a kernel that refuses further modules" modules_disabled
echo "the checks are over"
