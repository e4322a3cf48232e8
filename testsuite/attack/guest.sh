#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of testsuite/suites/attack.sh: users without privileges attack a set-uid staprun, and after each
# attack everything must be as before. Results have the form of testsuite/lib.sh.
#
# Usage: guest.sh NAME SAMPLE SHARE SEED PATTERN   NAME precedes each result. SAMPLE faults are tried at the system
# calls of each kind of run (0: all), and one in SHARE of the other attacks; SEED selects them. Only checks that match
# the shell pattern PATTERN are run. The modules stap_t_*.ko are in the directory of this script; strace is in /bin.
#
# The users: "attacker" is a member of stapusr, "developer" of stapdev, "nobody" of neither.

name=$1
sample=$2
share=$3
seed=$4
pattern=$5
turn=$seed
tried=0
checked=0
top=$(cd "$(dirname "$0")" && pwd)
installed=/lib/modules/$(uname -r)/systemtap
debugfs=/sys/kernel/debug
suid=/opt/staprun/staprun
home=/home/attacker
. "$top/tools.sh"

set_up() {
	: >"$top/all"
	printf '%s\n' root:x:0:0:root:/root:/bin/sh attacker:x:1000:1000::$home:/bin/sh \
		developer:x:1001:1001::/home/developer:/bin/sh nobody:x:1002:1002::/home/nobody:/bin/sh >/etc/passwd
	printf '%s\n' root:x:0: attacker:x:1000: developer:x:1001: nobody:x:1002: stapdev:x:801:developer \
		stapsys:x:802: stapusr:x:803:attacker >/etc/group
	mkdir -p /opt/staprun "$installed" $home /home/developer /home/nobody
	cp /bin/staprun /bin/stap-monitor /opt/staprun/
	chmod 755 /opt /opt/staprun /opt/staprun/stap-monitor /home "$installed" && chmod 4755 $suid
	cp "$top"/stap_t_*.ko "$installed/" && cp "$top"/stap_t_*.ko /home/developer/
	chmod 644 "$installed"/*.ko /home/developer/*.ko
	cp "$top/attacker" /bin/attacker && chmod 755 /bin/attacker
	chown attacker $home && chown -R developer /home/developer && chown nobody /home/nobody
	chmod 1777 /tmp
	echo "$home/core.%p" >/proc/sys/kernel/core_pattern
	cd $home || exit 1
	touch /stamp
	sleep 1
}

# ---- helpers -------------------------------------------------------------------------------------------------------

# as USER COMMAND: run a shell of the user in the user's directory.
as() {
	su "$1" -c "cd /home/$1 && $2"
}

no_staprun() {
	! pidof staprun stap-monitor attacker >/dev/null
}

wrong() {
	echo "after $attack: $*"
	faults=$((faults + 1))
}

# Continue processes that the user could not have stopped. If a run differs a little, faulty() may stop a process, as
# root, at another system call than intended.
continue_others() {
	local pid
	for pid in $(pidof staprun); do
		grep -qs '^Uid:[[:space:]]*0[[:space:]]' "/proc/$pid/status" && kill -CONT "$pid"
	done
}

# Does another user's staprun work at once, whatever the attacker's processes do or have left? Its timeout is longer
# than the time that it waits for the lock.
others_work() {
	local out continuing
	while sleep 1; do continue_others; done &
	continuing=$!
	out=$(as developer "timeout 25 $suid stap_t_hello.ko 2>&1 </dev/null; echo \$?")
	kill $continuing
	[ "$out" = "hello
0" ] || wrong "the developer's staprun says '$out'"
}

# Kill the attacker's processes, and check that everything of theirs in the kernel can be removed.
nothing_left() {
	killall -q -KILL staprun stap-monitor attacker sleep strace
	wait_for 5 no_staprun || wrong "processes stay: $(ps | grep -E 'staprun|attacker')"
	[ -z "$(modules)" ] || staprun -d '*' || wrong "staprun -d '*' fails"
	for module in $(modules); do # a session that was left running is known by its name alone
		staprun -d "$module" || wrong "staprun -d $module fails"
	done
	[ -z "$(modules)" ] || wrong "modules stay: $(modules)"
	[ -z "$(ls $debugfs/spile 2>/dev/null)" ] || wrong "$(ls $debugfs/spile) stay in debugfs"
}

# Check that no file of root was created or changed, and that there is no core dump.
no_files() {
	local found
	found=$(find / -xdev -user root -newer /stamp ! -type c ! -path /stamp ! -path "$top*" ! -path '/dev*' \
		2>/dev/null; find $home /tmp /opt -name '*core*' 2>/dev/null)
	[ -z "$found" ] || wrong "files: $found"
	rm -rf /tmp/* $home/*
	touch /stamp
}

aftermath() {
	others_work
	nothing_left
}

# Is the next attack in the sample?
is_turn() {
	turn=$((turn + 1))
	[ $((turn % share)) = 0 ] || return 1
	tried=$((tried + 1))
}

# try NAME COMMAND: run one attack. It must end; its status does not matter.
try() {
	is_turn || return 0
	attack=$1
	su attacker -c "cd $home && umask 0; $2" >/dev/null 2>&1 </dev/null &
	local attacker=$!
	if ! wait_for 20 eval "! kill -0 $attacker 2>/dev/null"; then
		wrong "it does not end"
	fi
	aftermath
}

# check NAME FUNCTION: run a group of attacks and report the result. Skip the groups named in the file left-out.
check() {
	local result=ok start
	case $1 in $pattern) ;; *) return ;; esac
	! grep -qxF -e "$1" "$top/left-out" || return
	checked=$((checked + 1))
	start=$(date +%s)
	faults=0
	attack=$2
	"$2" >"$top/log" 2>&1 </dev/null || wrong "$2"
	nothing_left >>"$top/log" 2>&1
	no_files >>"$top/log" 2>&1
	[ $faults = 0 ] || result=FAIL
	echo "$result - attack: $name: $1 ($(($(date +%s) - start)) s)"
	[ $result = ok ] || tail -n 30 "$top/log" | cut -c 1-250 | sed 's/^/    /'
}

set_up

# ---- names, arguments, environment ---------------------------------------------------------------------------------

# denied USER TEXT ARGUMENT...: is it refused with status 1 or 2 and this text?
denied() {
	local user=$1 text=$2 out status
	is_turn || return 0
	shift 2
	attack="$*"
	out=$(as "$user" "timeout 20 $suid $* 2>&1")
	status=$?
	[ $status = 1 ] || [ $status = 2 ] || wrong "status $status: $out"
	case $out in
	*"$text"*) ;;
	*) wrong "it says: $out" ;;
	esac
	[ -z "$(modules)" ] || wrong "loaded: $(modules)"
}

hostile_names() {
	local long
	long=$(printf %0300d 0)
	denied attacker "is not the name of a module" -- ..
	denied attacker "is not the name of a module" "''"
	denied attacker "is not the name of a module" "'stap_t_hello
'"
	denied attacker "is not the name of a module" "'%s%n%s'"
	denied attacker "is not the name of a module" "$long"
	denied attacker "you may only load" ../../../home/developer/stap_t_hello.ko
	denied attacker "you may only load" ./stap_t_hello.ko
	denied attacker "is not the name of a module" "$installed/../systemtap/stap_t_hello.ko"
	denied attacker "is not the name of a module" "$installed//stap_t_hello.ko"
	denied attacker "is not the name of a module" "$installed/"
	denied attacker "you may only load" /proc/self/fd/0
	denied attacker "you may only load" /dev/zero
	denied attacker "is not the name of a module" -d ../stap_t_hello
	denied attacker "is not loaded" -d ext4
	denied attacker "is not the name of a module" -A ../../x
	denied attacker "-b requires root" -b 4095 stap_t_hello
	denied attacker "" -x 99999999999999999999 stap_t_hello
	denied attacker "" -o "'%'" -S 0 stap_t_hello
	denied nobody "you are not allowed" stap_t_hello
	denied nobody "you are not allowed" -d "'*'"
	denied nobody "you are not allowed" -v
	denied nobody "" -h /dev/zero
	denied nobody "" -h /etc/passwd
	denied developer "is not a kernel module" /dev/zero
	denied developer "cannot read" /proc/kmsg
	aftermath
}
check "hostile names" hostile_names

hostile_arguments() {
	local value option
	for option in c o r x N M S T C b; do
		for value in '' -1 "'%n%n'" "$(printf %05000d 1)" "'a
b'" "../../../etc/shadow" 1e9 0x; do
			is_turn || continue
			attack="-$option $value"
			as attacker "timeout 20 $suid -$option '$value' stap_t_hello" >/dev/null 2>&1
		done
	done
	try "many words" "$suid stap_t_globals \$(seq 1 20000 | sed 's/\$/=1/')"
	try "a long word" "$suid stap_t_globals number=\$(printf %0100000d 1)"
	try "a line in a word" "$suid stap_t_globals 'number=1
stop' 'number 1
=2'"
	try "no arguments at all" "attacker bare x -- $suid"
}
check "hostile arguments" hostile_arguments

# variables: print variables that make programs load, write or run something.
hostile_environments() {
	local set
	as attacker "echo x >x"
	for set in "LD_PRELOAD=$home/x.so LD_LIBRARY_PATH=$home LD_AUDIT=$home/x.so" \
		"LD_DEBUG=all LD_DEBUG_OUTPUT=$home/debug LD_SHOW_AUXV=1 LD_BIND_NOT=1 LD_PROFILE=libc.so.6" \
		"LD_PROFILE_OUTPUT=/tmp LD_TRACE_LOADED_OBJECTS=1 LD_WARN=1 LD_VERBOSE=1" \
		"GLIBC_TUNABLES=glibc.malloc.check=3:glibc.malloc.mxfast=glibc.malloc.mxfast=A" \
		"GCONV_PATH=$home LOCPATH=$home NLSPATH=$home/%N LANGUAGE=../../../../../$home LANG=$home" \
		"LANG=de_DE.UTF-8 SPILE_LOCALEDIR=$home LC_ALL=../../$home OUTPUT_CHARSET=EVIL//" \
		"LOCALDOMAIN=x RES_OPTIONS=debug HOSTALIASES=$home/x GETCONF_DIR=$home" \
		"MALLOC_TRACE=/etc/trace MALLOC_CHECK_=3 MALLOC_PERTURB_=7 MALLOC_ARENA_MAX=-1 TMPDIR=$home" \
		"TZ=:/proc/kmsg TZDIR=$home TERM=../../../x TERMINFO=$home TERMCAP=$home/x" \
		"TZ=:/dev/zero LC_TIME=$home" "TZ=$(printf %05000d 1) TERM=$(printf %05000d 1)" \
		"SYSTEMTAP_COLORS=error=$(printf %05000d 1) SYSTEMTAP_VERBOSE=99999999999" \
		"PATH=. IFS=x HOME=/root SHELL=/bin/false SPILE_LIBEXECDIR=$home SYSTEMTAP_STAPRUN=$home/x" \
		"DEBUGINFOD_URLS=file:/// STAP_FIPS=1 ELFUTILS_DEBUG=1" "A=$(printf %0100000d 1)"; do
		try "$(echo "$set" | cut -c 1-60)" "exec env $set $suid -o 'file%Y%Z' stap_t_hello"
	done
	try "an empty environment" "exec env -i $suid stap_t_hello"
}
check "hostile environments" hostile_environments

hostile_descriptors() {
	local kinds
	for kinds in "closed closed closed" "null null closed" "closed null null" "null closed null" "path path path" \
		"directory directory directory" "readable readable readable" "fullpipe null fullpipe" \
		"broken broken broken" \
		"socket socket socket" "epoll epoll epoll" "full full full" "kept kept kept" "map map map" \
		"memory memory memory" "null null null kept path fullpipe epoll map memory directory"; do
		case $kinds in
		*fullpipe*) # nobody will ever read its output, so it waits, and must not make others wait
			as attacker "exec attacker descriptors $kinds -- $suid -v stap_t_hello" &
			attack=$kinds
			sleep 2
			aftermath
			;;
		*) try "$kinds" "exec attacker descriptors $kinds -- $suid -v stap_t_hello" ;;
		esac
	done
	try "closed, with -o" "exec attacker descriptors closed closed closed -- $suid -o file -c true stap_t_wait"
	try "closed, with -D" "exec attacker descriptors closed closed closed -- $suid -D -o file stap_t_hello"
}
check "odd standard streams and descriptors" hostile_descriptors

hostile_limits() {
	local limit
	for limit in nofile=0 nofile=1 nofile=3 nofile=4 nofile=5 nofile=6 nofile=8 nofile=10 nofile=12 nofile=16 \
		fsize=0 fsize=1 fsize=4096 as=0 as=4000000 as=6000000 as=8000000 as=12000000 as=20000000 as=40000000 \
		nproc=0 nproc=1 nproc=2 nproc=3 nproc=4 core=-1 stack=0 stack=16384 stack=65536 stack=200000 data=0 \
		data=100000 data=300000 data=1000000 data=3000000 cpu=0 cpu=1 memlock=0 sigpending=0 \
		"core=-1 as=9000000 fsize=0"; do
		try "$limit" "exec attacker limits $limit -- $suid -o file -c 'echo x' stap_t_hello"
		try "$limit, 5 MB" "exec attacker limits $limit -- $suid stap_t_begin_5mb >file 2>&1"
	done
}
check "limits of resources" hostile_limits

# ---- time and signals ----------------------------------------------------------------------------------------------

timers() {
	local i
	for i in 1 20 50 80 120 200 300 400 600 900; do
		try "SIGALRM after $i ms" "exec attacker timer ${i}000 -- $suid -R stap_t_timer"
	done
	try "all signals blocked and ignored" "exec attacker blocked x -- $suid -c true stap_t_wait"
}
check "timers that were set before, and signals that are ignored" timers

# Any signal to all of the user's processes, at any time.
storms() {
	local number i
	for number in 19 20 21 1 2 3 10 12 13 14 15 17 18 25 9; do
		is_turn || continue
		attack="a storm of signal $number"
		as attacker "attacker storm $number 3 staprun &
			for i in 1 2 3 4; do $suid -R stap_t_timer & sleep 0.3; done; sleep 2" >/dev/null 2>&1
		aftermath
	done
}
check "signals as fast as possible" storms

# Alternating STOP and CONT must not let a process of the attacker hold the lock for long.
stops() {
	attack="STOP and CONT"
	as attacker "attacker storm 19 6 staprun & attacker storm 18 6 staprun &
		for i in 1 2 3 4 5 6; do $suid -R stap_t_timer & sleep 0.2; done; sleep 1" >/dev/null 2>&1 &
	sleep 1
	others_work
	others_work
	aftermath
}
check "alternating STOP and CONT" stops

lowest_priority() {
	attack="a process that is let run last"
	as attacker "exec attacker idle 20 -- $suid -R stap_t_timer" >/dev/null 2>&1 &
	sleep 1
	others_work
	aftermath
}
check "the lowest priority among busy processes" lowest_priority

# ---- files ---------------------------------------------------------------------------------------------------------

# Output files are opened with the attacker's rights.
outputs() {
	local before
	before=$(md5sum /etc/passwd /etc/group $suid "$installed"/*.ko)
	ln -s /etc/passwd link && ln -s / slash && ln -s loop loop && mkfifo fifo && chmod 777 fifo
	touch /stamp # these do not belong to the attacker
	as attacker "ln /etc/passwd hard" 2>/dev/null
	local place
	for place in link slash loop hard fifo /etc/passwd $suid "$installed/x.ko" /proc/self/mem /proc/sysrq-trigger \
		/dev/kmsg /dev/mem /dev/full /dev/zero $debugfs/x /sys/kernel/uevent_helper /proc/self/fd/1 . .. \
		"%n%s%p" "../attacker/%Y" /proc/self/environ "$(printf %0300d 0)"; do
		[ "$place" = fifo ] || try "-o $place" "exec $suid -o '$place' stap_t_hello"
		[ "$place" = fifo ] || try "-S -o $place" "exec $suid -S 1,1 -o '$place' stap_t_begin_5mb"
	done
	attack="-o of a FIFO that nobody reads"
	as attacker "exec $suid -o fifo stap_t_hello" &
	sleep 1
	others_work
	nothing_left
	[ "$before" = "$(md5sum /etc/passwd /etc/group $suid "$installed"/*.ko)" ] || wrong "root's files were changed"
}
check "links, FIFOs and devices in place of output files" outputs

# A developer may load readable files. The file that was checked is the one that is loaded, even if its name is
# replaced.
races() {
	local i out
	as developer "cp stap_t_hello.ko one.ko && sed 's/release=/rel3ase=/' stap_t_hello.ko >two.ko && mkdir a b &&
		cp stap_t_hello.ko a/m.ko && ln -s /dev/zero b/m.ko"
	as developer "attacker swap one.ko two.ko 8" &
	as developer "attacker swap a b 8" &
	for i in $(seq 12); do
		attack="names that change places"
		out=$(as developer "timeout 20 $suid one.ko 2>&1")
		case $out in
		hello | *"has no kernel release"* | *"was changed"* | *"cannot read"*) ;;
		*) wrong "it says: $out" ;;
		esac
		out=$(as developer "timeout 20 $suid a/m.ko 2>&1")
		case $out in
		hello | *"is not a kernel module"* | *"cannot read"*) ;;
		*) wrong "it says: $out" ;;
		esac
	done
	as attacker "mkdir x y; ln -s /etc x/l; ln -s $home y/l; attacker swap x y 6" &
	for i in $(seq 10); do
		as attacker "timeout 20 $suid -o x/l/stap-race stap_t_hello" >/dev/null 2>&1
	done
	[ ! -e /etc/stap-race ] || wrong "a file in /etc"
	wait_for 10 no_staprun
	aftermath
}
check "names that are swapped during a load" races

# An installed module must be a file of root, and not a link.
installed_links() {
	ln -s /home/developer/stap_t_hello.ko "$installed/link.ko" && mkfifo "$installed/fifo.ko" &&
		mkdir "$installed/directory.ko" && cp "$top/stap_t_hello.ko" "$installed/his.ko" &&
		chown attacker "$installed/his.ko"
	denied attacker "cannot read" link
	denied attacker "is not a kernel module" fifo
	denied attacker "" directory
	denied attacker "is writable by users other than root" his
	rm -rf "$installed/link.ko" "$installed/fifo.ko" "$installed/directory.ko" "$installed/his.ko"
	touch /stamp
}
check "links, FIFOs and files of others among the installed modules" installed_links

full_disk() {
	mkdir -p $home/small && mount -t tmpfs -o size=100k,mode=777 none $home/small || return 1
	try "a full disk" "exec $suid -o small/file stap_t_begin_5mb"
	try "a full disk, -D" "$suid -D -o small/file2 stap_t_begin_5mb; sleep 2"
	try "a full disk, -S" "exec $suid -S 1,2 -o small/file3 stap_t_begin_5mb"
	try "a full disk for messages" "exec $suid -v stap_t_hello 2>small/file"
	umount $home/small && rmdir $home/small
}
check "full disks" full_disk

# ---- readers and helpers -------------------------------------------------------------------------------------------

readers() {
	try "a reader that goes away" "$suid stap_t_begin_5mb | head -n 1"
	attack="a reader that never reads"
	as attacker "$suid stap_t_begin_5mb | sleep 1000" &
	sleep 2
	aftermath
	attack="a reader process that is stopped, and one that is killed"
	as attacker "$suid -R stap_t_stream >/dev/null & sleep 1.5; kill -STOP \$(pidof staprun)" >/dev/null 2>&1
	aftermath
	as attacker "$suid -R stap_t_stream >/dev/null & sleep 1.5; kill -KILL \$(pidof staprun | cut -d' ' -f 1)" \
		>/dev/null 2>&1
	aftermath
	attack="many that are left"
	as attacker "for i in 1 2 3 4 5 6; do $suid -R -L stap_t_timer & done; wait" >/dev/null 2>&1
	aftermath
}
check "readers that are stopped, killed or closed" readers

# A process that keeps stap-monitor's files of the module open keeps the module loaded, but does not block other loads:
# while staprun waits to remove the module, it releases the lock again and again.
kept_files() {
	local i free=0
	attack="the monitor's files, kept"
	as attacker "$suid -R -M 1,json stap_t_watched >json 2>&1 </dev/null" &
	wait_for 10 grep -q running json || wrong "it does not run: $(cat json)"
	as attacker "attacker keep stap-monitor 60" >"$top/kept" 2>&1 &
	wait_for 10 grep -q '^[1-9]' "$top/kept" || wrong "nothing was kept: $(cat "$top/kept")"
	as attacker "kill -INT \$(pidof staprun | tr ' ' '\n' | sort -n | head -n 1)"
	wait_for 5 eval "! pidof stap-monitor >/dev/null"
	sleep 0.5
	for i in 1 2 3 4 5 6 7 8 9 10; do
		flock -n $debugfs/kprobes/blacklist true && free=$((free + 1))
		sleep 0.1
	done
	[ -n "$(modules)" ] || wrong "the module was not kept"
	[ $free -gt 0 ] || wrong "the lock was never free"
	others_work
	aftermath
}
check "open files of the module that stap-monitor had" kept_files

# stalls KIND FILE: read or write a file of the module for ever, and then kill staprun.
stalls() {
	local file=/proc/systemtap/stap_t_files/$2
	attack="a $1 of $2 that never ends"
	as attacker "$suid stap_t_files >/dev/null 2>&1 </dev/null" &
	wait_for 10 test -e "$file" || wrong "there is no $file"
	as attacker "exec attacker stall $1 $file" >"$top/stalls" 2>&1 &
	wait_for 10 grep -q '^stalls' "$top/stalls" || wrong "it does not stall: $(cat "$top/stalls")"
	wait_for 10 eval 'grep -q userfault /proc/$(pidof attacker)/wchan' || wrong "it does not wait"
	as attacker 'kill -KILL $(pidof staprun)'
	wait_for 10 grep -q '^state stopping' $debugfs/spile/stap_t_files/status || wrong "it does not stop"
	others_work
	rmmod loop 2>/dev/null &
	wait_for 10 eval '! grep -q "^loop " /proc/modules' || wrong "the probed module cannot be unloaded"
	grep -q '^stap_t_files ' /proc/modules || wrong "it has stalled nothing"
	aftermath
}

# Files of procfs probes belong to the attacker, whose reads and writes may last for ever. The module then stays loaded,
# but its probes are gone, and nobody else waits.
stalled_files() {
	echo 1 >/proc/sys/vm/unprivileged_userfaultfd
	stalls read read
	stalls write a/b/write
	echo 0 >/proc/sys/vm/unprivileged_userfaultfd
}
check "reads and writes of files in /proc that never end" stalled_files

# ---- a fault at each system call -----------------------------------------------------------------------------------

# Print the system calls of a run of staprun as lines "NAME NUMBER LOCKED": the NUMBERth call of NAME by one process.
# LOCKED is 1 if the process had another user then, so that the attacker could not signal it.
system_calls() {
	awk '
		{ pid = $1; sub(/^[0-9]+ +/, "") }
		/^[a-z0-9_]+\(/ {
			call = substr($0, 1, index($0, "(") - 1)
			key = call " " ++count[pid, call] " " (locked[pid] + 0)
			if (!(key in seen)) { seen[key] = 1; print key }
		}
		/^setresuid\(0, -1, -1\)/ { locked[pid] = 1 }
		/^setresuid\([1-9][0-9]*, -1, -1\)/ { locked[pid] = 0 }' "$1"
}

# error_of CALL: print a plausible error of a system call.
error_of() {
	case $1 in
	open* | socketpair | pipe* | signalfd* | eventfd* | dup* | fcntl | accept*) echo EMFILE ;;
	mmap | brk | mremap | mprotect | clone* | fork | vfork) echo ENOMEM ;;
	set*id | capset | prctl | init_module | delete_module | prlimit64) echo EPERM ;;
	read* | pread64 | fstat | newfstatat | lseek | getdents64 | ioctl) echo EIO ;;
	write* | ftruncate) echo ENOSPC ;;
	poll | wait4 | waitid | recv* | send* | flock | nanosleep | clock_nanosleep | futex) echo EINTR ;;
	*) echo ENOSYS ;;
	esac
}

# faulty CALL NUMBER FAULT ARGUMENT...: run a command with a fault ("error=..." or "signal=...") at that system call.
faulty() {
	local call=$1 number=$2 fault=$3 tracer
	shift 3
	attack="$attack, $fault at $call $number"
	timeout 60 strace -q -f -o /dev/null -e "trace=$call" -e "inject=$call:$fault:when=$number" -u attacker "$@" \
		>/dev/null 2>&1 </dev/null &
	tracer=$!
	case $fault in
	signal=STOP) sleep 1 ;;
	*) wait_for 25 eval "! kill -0 $tracer 2>/dev/null" || wrong "it does not end" ;;
	esac
}

# faults_of WHAT ARGUMENT...: try faults at all system calls of a run, or a sample of them.
faults_of() {
	local what=$1 call number locked fault run=0
	shift
	strace -q -f -o "$top/trace" -u attacker "$@" >/dev/null 2>&1 </dev/null
	attack=$what
	nothing_left
	system_calls "$top/trace" >"$top/calls"
	# Try each call with an error and with SIGKILL, and with SIGSTOP if the user could send it.
	while read -r call number locked; do
		case $call in execve | exit* | rt_sigreturn) continue ;; esac
		echo "$call $number error=$(error_of "$call")"
		echo "$call $number signal=KILL"
		[ "$locked" = 1 ] || echo "$call $number signal=STOP"
	done <"$top/calls" >"$top/faults"
	echo "$what: $(wc -l <"$top/calls") calls, $(wc -l <"$top/faults") faults"
	if [ "$sample" != 0 ]; then
		awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$top/faults" | sort |
			cut -d' ' -f 2- | head -n "$sample" >"$top/chosen"
	else
		cp "$top/faults" "$top/chosen"
	fi
	while read -r call number fault <&9; do
		faulty "$call" "$number" "$fault" "$@"
		run=$((run + 1))
		# Check only every fourth time: each run is also the "next staprun" of the one before.
		[ $((run % 4)) = 0 ] || continue
		aftermath
		attack=$what
	done 9<"$top/chosen"
	aftermath
	echo "$what: $(wc -l <"$top/chosen") tried"
	cat "$top/chosen" >>"$top/all"
}

# Faults that could make staprun wait forever: SIGCHLD is not blocked, wait4() is interrupted, a message of a child
# process comes late, or the file of a lock stays open.
endless() {
	local fault
	attack="words to the monitor"
	for fault in "recvmsg 1 error=EINTR" "sendmsg 1 error=EINTR"; do
		faulty $fault $suid -R -M 1,json stap_t_timer
	done
	for fault in 17 18 19 20; do
		attack="files that stay open"
		faulty close $fault error=ENOSYS $suid -R stap_t_hello
		aftermath
	done
	for fault in "rt_sigprocmask 1 error=ENOSYS" "rt_sigprocmask 2 error=ENOSYS" "rt_sigprocmask 3 error=ENOSYS" \
		"wait4 1 error=EINTR" "wait4 2 error=EINTR"; do
		attack="ends of child processes"
		faulty $fault $suid -R stap_t_hello
	done
	aftermath
}
check "faults that could make staprun wait forever" endless

of_loading() {
	faults_of "loading" $suid -R stap_t_hello
}
check "faults at the system calls of a load" of_loading

of_command() {
	faults_of "-c and -o" $suid -R -o $home/file -c true stap_t_wait
}
check "faults at the system calls of a run with a command and a file" of_command

of_leaving() {
	faults_of "-L" $suid -R -L stap_t_wait
}
check "faults at the system calls of -L" of_leaving

of_monitor() {
	faults_of "-M" $suid -R -M 1,json stap_t_timer
}
check "faults at the system calls of -M" of_monitor

of_removing() {
	faults_of "-d" $suid -d '*'
}
check "faults at the system calls of -d" of_removing

echo "$tried attacks and $(wc -l <"$top/all") faults"
[ $checked = 0 ] || echo "the attacks are over"
