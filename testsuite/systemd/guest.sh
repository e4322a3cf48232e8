#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The system's side of testsuite/suites/systemd.sh: a unit runs it when the system is up. Print results on the console,
# in the form of testsuite/lib.sh, and switch the system off.

exec >/tmp/output 2>&1
release=$(uname -r)
unset LANG
export HOME=/root

check() {
	name=$1
	shift
	if "$@" >/tmp/log 2>&1; then
		echo "ok - systemd: $name"
	else
		echo "FAIL - systemd: $name"
		tail -n 40 /tmp/log | sed 's/^/    /'
	fi >/dev/console
}

# wait_for SECONDS COMMAND...: repeat the command until it succeeds. The time limit is multiplied, because emulation is
# slow.
wait_for() {
	left=$(($1 * 3))
	shift
	until "$@"; do
		[ $left -gt 0 ] || return 1
		left=$((left - 1))
		sleep 1
	done
}
says() {
	journalctl -u "spile@$1" --no-pager -o cat | grep -qE -- "$2" && return
	journalctl -u "spile@$1" --no-pager -n 30
	return 1
}
attached() {
	staprun -v | grep -qE "^module=spile_$1 state=attached "
}
gone() {
	! grep "^spile_$1 " /proc/modules
}
# refuses PATTERN COMMAND...: does the command fail with a message that matches?
refuses() {
	pattern=$1
	shift
	if "$@" >/tmp/refused 2>&1; then
		echo "it works: $*"
		return 1
	fi
	cat /tmp/refused
	grep -qE -- "$pattern" /tmp/refused
}

# ---- services --------------------------------------------------------------------------------------------------------

check "a script begins at boot" wait_for 60 attached execs
check "its output is in the journal" wait_for 60 says execs '^begins from boot on$'
check "and goes on" wait_for 60 says execs '^sees the first$'
check "one that began in the initramfs is taken up" wait_for 60 attached early
check "with what it saw before the file system was mounted" wait_for 30 says early '^early [0-9]+ (run-init|mount)$'
killed() {
	kill -KILL "$(systemctl show -p MainPID --value spile@execs)" && sleep 2
	before=$(journalctl -u spile@execs -o cat | grep -c '^begins')
	restarted() {
		[ "$(journalctl -u spile@execs -o cat | grep -c '^begins')" -gt "$before" ]
	}
	wait_for 60 restarted && wait_for 30 attached execs
}
check "one that is killed is started again" killed
stopped() {
	systemctl stop spile@execs && says execs '^ends with (some|none)$' && gone execs
}
check "stopping runs its end probes and removes it" stopped
# A module that was compiled elsewhere, and one whose sources have changed since.
changed() {
	echo 'probe begin { println("changed") }' >>/etc/spile/services/execs.stp
	stap-service list | grep 'changed since' || return
	systemctl start spile@execs && wait_for 300 says execs '^changed$' && systemctl stop spile@execs
}
check "one that was changed is compiled when it starts" changed
check "one with a mistake fails, and says why" eval 'echo "probe begin { nothing() }" >/etc/spile/services/wrong.stp
	systemctl start spile@wrong; wait_for 60 says wrong "unresolved function|nothing"; systemctl stop spile@wrong'

# ---- users -----------------------------------------------------------------------------------------------------------

useradd -m member -G stapusr
useradd -m other
installed=/lib/modules/$release/systemtap
mkdir -p "$installed"
cat >/tmp/hello.stp <<'END'
probe begin { println("hello from ", uid()) exit() }
END
cd /tmp && check "stap translates here" stap -p4 -m hello /tmp/hello.stp
cp /tmp/hello.ko "$installed/"
member_runs() {
	su member -c 'staprun hello' >/tmp/member.out && cat /tmp/member.out &&
		grep -qx "hello from $(id -u member)" /tmp/member.out && gone hello
}
check "a member of stapusr runs what the administrator put there" member_runs
check "and nothing else" refuses 'administrator' su member -c 'cp /tmp/hello.ko ~ && staprun ~/hello.ko'
check "others may not start staprun" refuses 'ermission denied' su other -c 'staprun hello'

# ---- the compile server ----------------------------------------------------------------------------------------------

listens() {
	journalctl -u stap-server -o cat | grep -q '^listening at port'
}
check "the compile server's service starts" eval 'systemctl start stap-server && wait_for 60 listens'
trust() {
	su member -c "stap --use-server=127.0.0.1 --trust-servers=$(stap-server fingerprint)" || return
	su member -c 'stap --use-server=127.0.0.1 -p4 /tmp/hello.stp' >/tmp/refused 2>&1
	cat /tmp/refused
	stap-server accept "$(grep -oE 'sha256:[0-9a-f]+' /tmp/refused | tail -n 1)" member
}
check "a client and the server accept each other" trust
check "its certificate goes to the keys" stap-server certificate /etc/spile/keys/server.x509
cat >/tmp/own.stp <<'END'
probe process.begin { if (execname() == "sleep") { println("own ", uid()) exit() } }
END
signed() {
	su member -c 'cd && stap --use-server=127.0.0.1 --privilege=stapusr /tmp/own.stp -c "/bin/sleep 2"' \
		>/tmp/signed.out
	status=$?
	cat /tmp/signed.out
	journalctl -u stap-server -o cat -n 20
	[ $status -eq 0 ] && grep -qx "own $(id -u member)" /tmp/signed.out
}
check "a member has it translate for him and sign, and runs that" signed

# Run avahi in a separate network, without which it announces nothing.
announced() {
	modprobe dummy && ip link add lan type dummy && ip address add 192.0.2.1/24 dev lan &&
		ip link set lan up multicast on || return
	cp /usr/share/doc/spile-server/examples/avahi.service /etc/avahi/services/spile.service
	systemctl restart avahi-daemon
	lists() {
		su other -c 'stap --list-servers' 2>&1 | tee /tmp/servers
		grep -q '^192[.]0[.]2[.]1:7827' /tmp/servers
	}
	wait_for 60 lists
}
check "avahi tells clients of the server" announced

# ---- the exporter ----------------------------------------------------------------------------------------------------

cat >/etc/spile/exporter/execs.stp <<'END'
global execs /* unit: total */
probe kernel.trace("sched_process_exec") { execs[execname()]++ }
END
cat >/etc/spile/exporter/probe.stp <<'END'
global n
probe timer.ms(100) { n++ }
probe prometheus { $value = sprintf("own_uid %d\nown_ticks %d\n", uid(), n) }
END
exporter_pid() {
	systemctl show -p MainPID --value stap-exporter
}
# scraped PATH PATTERN: does the response have a line that matches?
scraped() {
	bash -c 'exec 3<>/dev/tcp/127.0.0.1/9900 && printf "GET %s HTTP/1.0\r\n\r\n" "$1" >&3 && cat <&3' bash "$1" \
		>/tmp/body 2>&1
	grep -qE -- "$2" /tmp/body && return
	cat /tmp/body
	return 1
}
both_scraped() {
	wait_for 100 scraped /execs '^stap_execs_execs_total[{]execname="' &&
		wait_for 100 scraped /probe '^own_ticks [1-9]'
}
exporter_modules() {
	grep -c '^stap_' /proc/modules
}
failed_to() {
	journalctl -u stap-exporter -n 40 --no-pager
	cat /tmp/body
	return 1
}
exporter_starts() {
	systemctl start stap-exporter && wait_for 60 scraped / '^/execs' || failed_to || return
	status=/proc/$(exporter_pid)/status
	cat $status
	user=$(id -u spile-exporter)
	grep -qE "^Uid:\s+$user\s+$user\s+$user\s+$user$" $status && grep -qE '^CapPrm:\s+0+$' $status &&
		grep -qE '^Seccomp:\s+2$' $status && grep -qE '^NoNewPrivs:\s+0$' $status
}
check "the exporter starts as its user, without capabilities and with filters" exporter_starts
compiles() {
	both_scraped || failed_to
}
check "a script's globals and a prometheus probe are scraped" compiles
is_its_own() {
	stat -c '%a %U:%G' /proc/systemtap/stap_*/__prometheus | tee /tmp/owner
	[ "$(cat /tmp/owner)" = "400 spile-exporter:root" ] && scraped /probe "^own_uid $(id -u spile-exporter)$"
}
check "the file of a prometheus probe belongs to the exporter's user" is_its_own
reloaded() {
	echo 'probe begin { }' >/etc/spile/exporter/empty.stp
	systemctl reload stap-exporter && wait_for 60 scraped / '^/empty'
}
check "the exporter reads its scripts again" reloaded
restarted() {
	before=$(exporter_pid)
	systemctl restart stap-exporter && wait_for 60 scraped / '^/execs' && [ "$(exporter_modules)" = 0 ] &&
		both_scraped && [ "$(exporter_modules)" = 2 ] && [ "$(exporter_pid)" != "$before" ] || failed_to
}
check "the exporter is restarted; its modules are unloaded and loaded again" restarted
# The next staprun removes what a killed one has left.
exporter_killed() {
	kill -KILL "$(exporter_pid)" && wait_for 60 scraped / '^/execs' && both_scraped &&
		[ "$(exporter_modules)" = 2 ] || failed_to
}
check "an exporter that is killed is started again, without modules of before" exporter_killed
exporter_stops() {
	systemctl stop stap-exporter && [ "$(exporter_modules)" = 0 ] &&
		[ "$(systemctl show -p Result --value stap-exporter)" = success ] || failed_to
}
check "stopping the exporter unloads all modules" exporter_stops
check "systemd's opinion of the exporter's unit" systemd-analyze security --no-pager --threshold=33 stap-exporter

# ---- the end ---------------------------------------------------------------------------------------------------------

log() {
	! dmesg | grep -E 'WARNING:|BUG:|Oops|Call Trace|general protection'
}
check "the kernel's log is clean" log
failed() {
	! systemctl --failed --no-legend | grep -vE 'spile@wrong'
}
check "no unit has failed" failed
understood() {
	! journalctl -o cat | grep -E '(spile@|stap-server|stap-exporter)[^ ]*:.*ignoring'
}
check "systemd understands all that they say" understood
echo "all is tried" >/dev/console
systemctl poweroff
