# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap --remote with a real sshd: a guest of each kernel, which ssh reaches through the guest's own link (ProxyCommand),
# as root and as a user. Tests check scripts and their output, signals, lost hosts, and that nothing is left on either
# side. The suite `cli` tests refused forms.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
cd "$work" || exit 1
. "$tests/ssh-hosts.sh"
cleanup() {
	"$STAP_VM" stop --socket "$work/$old_kernel" 2>/dev/null
	"$STAP_VM" stop --socket "$work/$new_kernel" 2>/dev/null
}
start_host $old_kernel && start_host $new_kernel || exit 0

# there RELEASE COMMAND: run it in the guest, without ssh.
there() {
	"$STAP_VM" exec --socket "$work/$1" -- sh -c "$2"
}

# ---- running stap ----------------------------------------------------------------------------------------------------

# remote WANTED-STATUS ARGUMENT...: run stap on the hosts; write output to out and messages to err.
remote() {
	local wanted=$1 status
	shift
	timeout 900 "$STAP" $no_overload "$@" >out 2>err </dev/null
	status=$?
	[ $status -eq "$wanted" ] || ! echo "exit status $status"
}

# Run stap in the background; $pid is its process.
begin() {
	: >out
	: >err
	timeout -s KILL 900 "$STAP" $no_overload "$@" >out 2>err </dev/null &
	pid=$!
	echo $pid >begun
}

says() {
	[ "$(grep -c "$1" out)" -ge "${2:-1}" ]
}

# status WANTED: wait for the background stap and check its status.
status() {
	local status
	wait $pid
	status=$?
	[ $status -eq "$1" ] || ! echo "exit status $status"
}

# signal NAME: send it to stap instead of the timeout(1) around it.
signal() {
	kill -"$1" "$(pgrep -P $pid)"
}

# Several signals of one kind that are sent at once may be merged into one.
signal_is_taken() {
	local stap
	stap=$(pgrep -P $pid) && ! grep -E '^(SigPnd|ShdPnd):.*[1-9a-f]' "/proc/$stap/status"
}

# Names of staprun's processes: a staprun that was copied to the host is started by its own dynamic loader.
loaders='ld-linux-x86-64.so.2 staprun'

is_clean_there() {
	[ -z "$(there "$1" "ls -d /tmp/stap-* 2>/dev/null; grep '^stap_' /proc/modules; pidof $loaders")" ]
}

nothing_left() {
	within 300 is_clean_there $old_kernel && within 300 is_clean_there $new_kernel || {
		there $old_kernel 'ls /tmp; cat /proc/modules; ps'
		there $new_kernel 'ls /tmp; cat /proc/modules; ps'
		return 1
	}
}

# try_some N NAME COMMAND...: try, but in a part only one in N of such tests.
try_some() {
	! is_part "$suite/$2" "$1" || try "${@:2}"
}

# try NAME COMMAND...: run a test whose name matches the shell pattern SPILE_TESTS. Check that nothing is left on either
# side.
try() {
	local name=$1
	shift
	# shellcheck disable=SC2053
	[[ $name == ${SPILE_TESTS:-*} ]] || return 0
	: >begun
	if { (set -x; "$@") && nothing_left && [ -z "$(ls "$TMPDIR")" ]; } >log 2>&1; then
		ok "$name"
	else
		ls "$TMPDIR" >>log
		fail "$name" log out err
		[ ! -s begun ] || kill -TERM "$(pgrep -P "$(cat begun)")" 2>/dev/null
		rm -rf "${TMPDIR:?}"/*
	fi
}

who='printf("%d %s\n", remote_id(), remote_uri())'
waiting='probe begin { printf("begin %d\n", remote_id()) }
	probe timer.s(1) { printf("tick %d\n", remote_id()) }
	probe end { printf("end %d\n", remote_id()) }'

# ---- what hosts do ---------------------------------------------------------------------------------------------------

one_host() {
	remote 0 --remote=old -e "probe begin { $who exit() }" && [ "$(cat out err)" = "0 old" ]
}
try_some 3 "a host behind ssh, which is brought staprun" one_host

several() {
	remote 0 -vv --remote-prefix --remote=old --remote=ssh://root@new --remote=unix:"$work/$new_kernel" \
		-e "probe begin { $who println(\"more\") exit() }" && [ "$(sort out)" = "0: 0 old
0: more
1: 1 ssh://root@new
1: more
2: 2 unix:$work/$new_kernel
2: more" ] && [ "$(grep -c '^Pass 4: ' err)" -eq 2 ] && grep -q '^1: staprun: loading module' err
}
try_some 14 "hosts of two kernels and a guest at once: translated once for each kernel, --remote-prefix" several

verbose() {
	remote 0 -v --remote=unix:"$work/$new_kernel" -e "probe begin { $who exit() }" &&
		[ "$(grep -cE '^Pass [1-4]: .* ms\.$' err)" -eq 4 ] && grep -qx 'Pass 5: starting run.' err &&
		[ "$(grep -cE '^Pass 5: run completed in .* ms\.$' err)" -eq 1 ] && [ "$(wc -l <err)" -eq 6 ]
}
try "-v prints the lines of the passes and nothing else with a guest" verbose

of_two_ways() {
	remote 0 --remote=new --remote=root@new --remote=unix:"$work/$new_kernel" -e "probe begin { $who exit() }" &&
		[ "$(wc -l <out)" -eq 3 ] && [ ! -s err ]
}
try_some 14 "one host by several ways" of_two_ways

standard_input() {
	echo "probe begin { $who exit() }" >script
	timeout 900 "$STAP" $no_overload --remote=old --remote=new - <script >out 2>err && [ "$(wc -l <out)" -eq 2 ]
}
try_some 14 "a script from standard input, for two kernels" standard_input

other_kernel() {
	remote 1 -r $old_kernel --remote=old --remote=new -e "probe begin { $who exit() }" &&
		[ "$(cat out)" = "0 old" ] && grep -q "new: the host runs kernel .*, but -r selects $old_kernel" err
}
try_some 14 "-r is for all hosts; one with another kernel is told" other_kernel

options() {
	remote 1 --remote=old -o file -c 'echo "of the  command"; exit 3' -e 'probe end { println(target() != 0) }' &&
		[ "$(cat file)" = "of the  command
1" ] && [ ! -s out ] && grep -q 'exited with status 3' err &&
		remote 0 --remote=new -x 1 -w -e 'probe begin { warn("not shown") println(target()) exit() }' &&
		[ "$(cat out err)" = 1 ] && remote 1 --remote=new -e 'probe begin { println(1 / target()) }' &&
		grep -q 'division by 0' err
}
try_some 14 "-c, -o, -w, -x and the exit status of a failure" options

much() {
	local lines=60000
	remote 0 -s 16 -D MAXACTION=10000000 --remote=old --remote=new --remote-prefix -e \
		"probe begin { for (i = 0; i < $lines; i++) printf(\"%d %040d\n\", i, i); exit() }" || return
	for host in 0 1; do
		sed -n "s/^$host: //p" out | cut -d ' ' -f 1 | cmp - <(seq 0 $((lines - 1))) || return
	done
}
try_some 14 "much output of two hosts: no line is torn or lost" much

tables() {
	remote 0 --remote=old -c "sleep 0" -e 'probe syscall.nanosleep, syscall.clock_nanosleep {
		if (pid() == target()) { println(sprint_ubacktrace() != "") exit() } }' && says 1
}
try_some 14 "what makes tables of programs for stacks is brought, too" tables

# The guest of one host is also used directly, which leaves staprun in its /bin. Bring stap-json there, too, before both
# are used at once.
json() {
	remote 0 --format=json --remote=unix:"$work/$new_kernel" -e 'probe begin { exit() }' || return
	remote 0 --no-global-var-display --format=json --remote=old --remote=new \
		--remote=unix:"$work/$new_kernel" -e 'global where
		probe begin { where[remote_uri()] = remote_id() println("out") exit() }' && [ ! -s err ] &&
		[ "$(jq -r 'select(.type != "script") | .type + " " + (.remote | if type == "object" then .number else
			. end | tostring)' out | sort | uniq -c | tr -s ' \n' ' ')" = " 1 end 0 1 end 1 1 end 2 $(
			)1 global 0 1 global 1 1 global 2 1 output 0 1 output 1 1 output 2 $(
			)1 snapshot 0 1 snapshot 1 1 snapshot 2 1 start 0 1 start 1 1 start 2 " ] &&
		[ "$(jq -rj 'select(.type == "global") | .elements[0] | .[0][0], .[1], "\n"' out | sort)" = "new1
old0
unix:$work/${new_kernel}2" ]
}
! command -v jq >/dev/null || try_some 2 "--format=json of several hosts, which are brought stap-json" json

report() {
	remote 0 --no-global-var-display --report=page.json --remote=old --remote=new \
		-e 'global n probe begin { n = 1 println("out") exit() }' &&
		[ "$(cat out)" = "out
out" ] && [ "$(jq -r 'select(.type == "start") | .remote.uri' page.json | sort | tr '\n' ' ')" = "new old " ]
}
! command -v jq >/dev/null || try_some 2 "--report of several hosts" report

# ---- signals, and hosts that are lost --------------------------------------------------------------------------------

interrupted() {
	begin --remote=old --remote=new --remote=unix:"$work/$new_kernel" -e "$waiting"
	within 300 says begin 3 && signal INT && status 0 && says end 3 && [ ! -s err ]
}
try_some 3 "one Ctrl-C ends all hosts' scripts, with their end probes" interrupted

given_up() {
	begin --remote=old --remote=new -c 'trap "" INT TERM; echo begin; sleep 60 & wait' \
		-e 'probe end { println("end") }'
	within 300 says begin 2 || return
	there $old_kernel "kill -STOP \$(pidof $loaders)" && there $new_kernel "kill -STOP \$(pidof $loaders)" || return
	# The same signal again within half a second counts as one.
	signal INT
	within 300 signal_is_taken
	signal TERM
	within 300 signal_is_taken
	signal INT
	status 1 && grep -q '^ERROR: interrupted' err
	there $old_kernel "kill -CONT \$(pidof $loaders); kill \$(pidof sleep)"
	there $new_kernel "kill -CONT \$(pidof $loaders); kill \$(pidof sleep)"
}
try_some 14 "who sends a third signal does not wait" given_up

unread() {
	timeout 900 "$STAP" $no_overload --remote=old --remote=new -e 'probe timer.ms(20) { println("line") }' \
		2>err </dev/null | head -n 3 >out
	[ "${PIPESTATUS[0]}" -eq 141 ] && [ ! -s err ] && [ "$(wc -l <out)" -eq 3 ]
}
try_some 14 "a reader that goes away ends all" unread

lost() {
	: >links.$new_kernel
	begin --remote=old --remote=new -e "$waiting"
	within 300 says begin 2 && kill -KILL "$(head -n 1 links.$new_kernel)" || return
	within 300 grep -q '^ERROR: new: the connection was lost' err && within 300 says 'tick 0' && signal INT &&
		status 1 &&
		says 'end 0' && [ "$(wc -l <err)" -eq 1 ]
}
try_some 14 "a host that is lost is told, ends its script, and the other goes on" lost

killed_there() {
	begin --remote=old --remote=new -e "$waiting"
	within 300 says begin 2 && there $old_kernel "kill -KILL \$(pidof $loaders)"
	within 300 grep -q '^ERROR: old: the script was killed there: Killed' err && signal TERM && status 1 &&
		says 'end 1' && there $old_kernel '/opt/staprun -d "*"'
}
try_some 14 "a staprun that is killed there is told" killed_there

killed_here() {
	begin --remote=old --remote=new -e "$waiting"
	within 300 says begin 2 && signal KILL
	wait $pid
	rm -rf "${TMPDIR:?}"/*
}
try_some 14 "a stap that is killed leaves nothing there" killed_here

unreachable() {
	remote 1 --remote=nowhere --remote=new -e "probe begin { $who exit() }" && [ "$(cat out)" = "1 new" ] &&
		grep -q '^ERROR: nowhere: it cannot be reached: ' err && grep -q 'try: ssh nowhere' err &&
		remote 1 --remote=nowhere -e 'probe begin {}' && [ ! -s out ] &&
		[ "$(grep -c '^ERROR' err)" -eq 1 ] && remote 1 --remote=silent -e 'probe begin {}' &&
		grep -q "^ERROR: silent: it cannot be reached: 'ssh' failed with status 255" err
}
try_some 14 "a host that cannot be reached is told, and the others run" unreachable

mistaken() {
	remote 1 --remote=old --remote=new -e 'probe begin { println(nothing_such()) }' && [ ! -s out ] &&
		grep -q "no function 'nothing_such'" err
}
try_some 14 "a script with a mistake runs nowhere" mistaken

asked() {
	SSH_ASKPASS=$work/bin/tell-password SSH_ASKPASS_REQUIRE=force remote 0 --remote=asking \
		-e "probe begin { $who exit() }" && [ "$(cat out)" = "0 asking" ]
}
try_some 14 "ssh may ask for a password, once" asked

# ---- whose staprun ---------------------------------------------------------------------------------------------------

other_version() {
	there $old_kernel 'cd /usr/bin; printf "#!/bin/sh\necho \"staprun (Spile) 0.0\"\n" >staprun; chmod 755 staprun'
	one_host && remote 1 --remote=stranger@old -e 'probe begin {}' &&
		grep -q 'its staprun (Spile) 0.0 does not match' err &&
		remote 1 -F --remote=old -e 'probe begin {}' && grep -q 'but a script of -F stays' err &&
		there $old_kernel 'rm /usr/bin/staprun'
}
try_some 14 "a staprun of another version is not used, and only root is brought one" other_version

# The other host has a staprun of its own from here on.
there $new_kernel 'cp /opt/staprun /usr/bin/staprun; chmod 4755 /usr/bin/staprun'

set_uid() {
	remote 0 --remote=tapper@new -e "probe begin { $who exit() }" && [ "$(cat out)" = "0 tapper@new" ] &&
		remote 1 --remote=stranger@new -e 'probe begin {}' && grep -q 'you are not allowed to run staprun' err
}
try_some 3 "a host's own staprun, as a member of stapdev and as nobody" set_uid

left_there() {
	remote 0 -F -m left_there --remote=new -e 'probe begin { println("begun") }' &&
		grep -q 'staprun -A left_there' err &&
		there $new_kernel 'grep -qx "left 1" /sys/kernel/debug/spile/left_there/status && staprun -d left_there'
}
try_some 14 "-F leaves a script there" left_there

by_name() {
	local directory
	remote 0 -r $new_kernel -p4 -m installed -D MAXACTION=5000 -e 'global limit = 3, who = "me"
		probe begin { printf("%s %d\n", who, limit) exit() }' || return
	modinfo installed.ko >info && grep -q '^spile_options: .*-D MAXACTION=5000$' info || return
	directory=/lib/modules/$(there $new_kernel 'uname -r')/systemtap
	there $new_kernel "mkdir -p $directory && chmod 755 /lib $directory" &&
		"$STAP_VM" exec --socket "$work/$new_kernel" --file "installed.ko:$directory/installed.ko" -- true ||
		return
	[ "$(ssh tapper@new staprun installed limit=7)" = "me 7" ] &&
		ssh stranger@new staprun -h installed >described &&
		grep -q '^  limit (a number) = 3$' described &&
		grep -q '^  who (a string) = "me"$' described && grep -q '^  kernel  *[0-9]' described &&
		! ssh stranger@new staprun installed 2>/dev/null && rm installed.ko
}
try_some 3 "a module in its place runs by its name with globals set, and anybody is told what it is" by_name

stop_guest $old_kernel
stop_guest $new_kernel
