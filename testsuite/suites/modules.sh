# SPDX-License-Identifier: GPL-2.0-or-later
#
# Probes in a module that is loaded and unloaded while the script runs. It is the module of testsuite/fixtures; there is
# also another build of it. Calls while the module is loaded are counted, including its initialization; nothing is left
# afterwards.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

in_guest() {
	"$STAP_VM" exec --socket "$work/$release" -- "$@"
}

# run_script OPTION...: run stap; @1 is the path of the module. Write the streams to $work/out and $work/err. A busy
# machine may take half an hour to index all modules of a kernel.
run_script() {
	timeout 3600 "$STAP" $no_overload "--remote=unix:$work/$release" -r "$release" "$@" "$FIXTURE" \
		>"$work/out" 2>"$work/err"
	local status=$?
	head -n 20 "$work/out" "$work/err"
	return $status
}

# said TEXT: is this all of standard error?
said() {
	diff <(printf '%s' "$1") "$work/err"
}
waits='WARNING: module spile_fixture is not loaded: its probes wait until it is
'
run='echo 1 >/sys/kernel/debug/spile_fixture/run'

# All kinds of probes; the first ones are hit while the module initializes.
loaded_later() {
	run_script -e 'global factorial, calls, lines
		probe module(@1).function("fx_loading") { printf("loading %d\n", $number) }
		probe module(@1).function("fx_loading").return {
			printf("loaded %d, given %d\n", $return, @entry($number))
		}
		probe module(@1).function("fx_unloading") { printf("unloading %d\n", $number) }
		probe module(@1).statement("fx_locals@spile_fixture_main.c:*") { lines++ }
		probe module(@1).function("fx_inlined").inline { printf("inlined %d\n", $number) }
		probe module(@1).function("fx_factorial").return { factorial = $return }
		probe kprobe.module("spile_fixture").function("fx_call") { calls++ }
		probe kprobe.module("/lib/spile-fixture.ko.xz").function("fx_call").return { calls++ }
		probe end { printf("%d %d %d\n", factorial, calls, lines > 10) }' \
		-c "for i in 1 2 3; do insmod /tmp/fixture.ko && $run && rmmod spile_fixture; done" &&
		said "$waits" && {
		for i in 1 2 3; do
			printf '%s\n' "loading 1001" "loaded 0, given 1001" "inlined 10" "inlined 20" \
				"unloading 1002"
		done
		echo 120 6 1
	} | diff - "$work/out"
}

# Probes that were armed at the start are disarmed and armed again with the module; the kernel's stay armed.
loaded_before() {
	in_guest insmod /tmp/fixture.ko && run_script -e 'global entries, returns, loads, opens
		probe module(@1).function("fx_small") { entries += $letter }
		probe module(@1).function("fx_locals").return { returns += $return }
		probe module(@1).function("fx_loading") { loads++ }
		probe kernel.function("vfs_open") { if (execname() == "cat") opens++ }
		probe end { printf("%d %d %d %d\n", entries, returns, loads, opens > 0) }' \
		-c "$run; rmmod spile_fixture; cat /dev/null
			for i in 1 2; do insmod /tmp/fixture.ko; $run; rmmod spile_fixture; done" &&
		said "" && [ "$(cat "$work/out")" = "297 18 2 1" ]
}

# Source lines of a module that only -d names: known while it is loaded, except for its initialization code.
lines_later() {
	local main=$tests/fixtures/spile_fixture_main.c
	run_script -d "$FIXTURE" -e 'probe begin { if (@1 == "") exit() }
		global caller
		probe kernel.function("mutex_lock").call {
			if (modname(stack(1)) != "spile_fixture") next
			caller = stack(1) - 1
			printf("%s\n", symfileline(caller))
		}
		probe kernel.function("debugfs_create_dir").call {
			if (modname(stack(1)) == "spile_fixture")
				println(symline(stack(1)) == sprintf("0x%x", stack(1)))
		}
		probe kernel.function("version_proc_show").call {
			println(symline(caller) == sprintf("0x%x", caller))
		}' \
		-c "insmod /tmp/fixture.ko; $run; cat /proc/version; rmmod spile_fixture; cat /proc/version" &&
		said "$waits" && {
		echo 1
		echo "$main:$(grep -n -m1 "mutex_lock(&fx_running)" "$main" | cut -d: -f1)"
		printf '0\n1\n'
	} | diff - <(grep -v '^Linux' "$work/out" | sed "s#/.*/spile_fixture_main.c#$main#")
}

# Initialization code is freed when the module has been loaded, and may lie elsewhere the next time.
initialization() {
	run_script -e 'global lines, symbols
		probe module(@1).function("fx_init").call { println("begins") }
		probe module(@1).function("fx_init").return { printf("ends with %d\n", $return) }
		probe module(@1).function("fx_prepare") { printf("prepare %d\n", $count) }
		probe module(@1).function("fx_prepare").return {
			printf("prepared %d of %d\n", $return, @entry($count))
		}
		probe module(@1).statement("fx_prepare@*:*") { lines++ }
		probe kprobe.module("spile_fixture").function("fx_prepare") { symbols++ }
		probe kprobe.module("spile_fixture").function("fx_prepare").return { symbols++ }
		probe end { printf("%d %d\n", lines > 9, symbols) }' \
		-c "for i in 1 2 3; do
			insmod /tmp/fixture.ko; insmod /tmp/sunrpc.ko; $run; rmmod sunrpc; rmmod spile_fixture; done" &&
		said "$waits" && {
		for i in 1 2 3; do
			printf '%s\n' begins "prepare 3" "prepared 3 of 3" "ends with 0"
		done
		echo 1 6
	} | diff - "$work/out"
}

# The initialization code of a loaded module is gone, even if /sys still shows its address.
initialized() {
	in_guest insmod /tmp/fixture.ko &&
		run_script -e 'probe module(@1).function("fx_prepare") { println($count) }' \
		-c "$run; rmmod spile_fixture; insmod /tmp/fixture.ko; rmmod spile_fixture" &&
		[ "$(cat "$work/out")" = 3 ] && [ "$(wc -l <"$work/err")" -eq 1 ] &&
		grep -q '^WARNING: module spile_fixture is loaded already: its initialization code' "$work/err"
}

# Another build of the module, and then the right one.
other_build() {
	run_script -e 'global n
		probe module(@1).function("fx_loading"), module(@1).function("fx_call").return { n++ }
		probe end { println(n) }' \
		-c \
		"insmod /tmp/other.ko; $run; rmmod spile_fixture; insmod /tmp/fixture.ko; $run; rmmod spile_fixture" &&
		grep -q '^WARNING: the module spile_fixture that was loaded is another build' "$work/err" &&
		[ "$(wc -l <"$work/err")" = 2 ] && [ "$(cat "$work/out")" = 2 ]
}

# The module's initialization fails, so it is removed without having been live. (busybox tries both system calls.)
failed_load() {
	run_script -e 'probe module(@1).function("fx_loading").return { println($return) }
		probe module(@1).statement("fx_call@*:*") { println("never") }' \
		-c 'insmod /tmp/fixture.ko fails=1 2>/dev/null; insmod /tmp/fixture.ko; rmmod spile_fixture' &&
		said "$waits" && [ "$(uniq "$work/out" | tr '\n' ' ')" = "-5 0 " ]
}

notices() {
	"$STAP" -p4 -r "$release" -m stap_t_notices \
		-e 'probe module(@1).function("fx_call"), module(@1).function("fx_text") { next }' "$FIXTURE" \
		>"$work/out" && "$STAP_VM" exec --socket "$work/$release" --file "$PWD/stap_t_notices.ko:/tmp/n.ko" \
		--file "$(guest_program "$release" staprun):/bin/staprun" \
		-- staprun -v -c 'insmod /tmp/fixture.ko; rmmod spile_fixture' \
		/tmp/n.ko >"$work/out" 2>"$work/err"
	cat "$work/err"
	grep -qx 'staprun: module spile_fixture was loaded: 2 probes armed' "$work/err" &&
		grep -qx 'staprun: module spile_fixture is unloaded' "$work/err"
}

# Probes are armed only while the condition holds: in the second of three loads.
conditions() {
	run_script -e 'global on, n
		probe module(@1).function("fx_call") if (on) { n++ }
		probe module(@1).function("fx_text").return if (on) { n++ }
		probe module(@1).function("fx_unloading") { printf("%d ", n > 0); n = 0; on = !on }' \
		-c "for i in 1 2 3; do insmod /tmp/fixture.ko
			for j in \$(seq 60); do $run; done; rmmod spile_fixture; done" &&
		said "$waits" && [ "$(cat "$work/out")" = "0 1 0 " ]
}

# Load and unload repeatedly while all CPUs run probed kernel functions.
under_load() {
	run_script -DMAXSKIPPED=1000000000 -w -e 'global n, busy
		probe module(@1).function("fx_call"), module(@1).function("fx_call").return,
			module(@1).function("fx_loading"), module(@1).statement("fx_unloading@*") { n++ }
		probe kernel.function("vfs_*").call { busy <<< 1 }
		probe end { printf("%d %d\n", n, @count(busy) > 1000) }' \
		-c "for i in 1 2; do while :; do cat /proc/stat >/dev/null; done & pids=\"\$pids \$!\"; done
			for i in \$(seq 10); do insmod /tmp/fixture.ko && $run && $run; rmmod spile_fixture; done
			kill \$pids" &&
		[ "$(cat "$work/out")" = "60 1" ]
}

# The script's own module is loaded and removed at every phase of the other module's life.
both_at_once() {
	local i status=0
	in_guest sh -c 'while [ ! -e /tmp/stop ]; do insmod /tmp/fixture.ko; rmmod spile_fixture; done; rm /tmp/stop' &
	for i in 1 2 3 4 5; do
		run_script -w -e "@define limit %($((i * 3))%)"' global n
			probe module(@1).function("fx_*"), module(@1).function("fx_*ing").return {
				if (++n >= @limit) exit()
			}
			probe module(@1).statement("fx_loading@*:*") { n++ }
			probe timer.s(100) { error("the module does not come") }' || status=1
	done
	in_guest touch /tmp/stop
	wait
	return $status
}

# The last function of a module may end at unmapped memory; kernels whose instruction decoder would fault are skipped.
last_function() {
	run_script -e 'probe module(@1).function("fx_exit") { println("bye") }' \
		-c 'insmod /tmp/fixture.ko; rmmod spile_fixture' || return
	if grep -q 'is not armed: this kernel may fault' "$work/err"; then
		[ ! -s "$work/out" ]
	else
		said "$waits" && [ "$(cat "$work/out")" = bye ]
	fi
}

# Tracepoints of a module of the kernel, and functions in any module.
tracepoints() {
	(
		FIXTURE=
		run_script -w -e 'global updates, all, parsed, same
			probe kernel.trace("sunrpc:cache_entry_update") {
				updates++
				printf("%s %s of %s\n", kernel_string($cd->name), $$name, $$system)
			}
			probe module("sunrpc").tracepoint("cache_entry_u*") { same += $arg1 == $cd && $$system == "" }
			probe kernel.trace("sunrpc:*") { all++ }
			probe module("*").function("ip_map_parse") { parsed++; println(probemod()) }
			probe module("sun*").function("ip_map_parse").return { println($return) }
			probe end { printf("%d %d %d %d\n", updates, parsed, same, all >= updates) }' \
			-c "for i in 1 2; do insmod /tmp/sunrpc.ko
				echo 'nfsd 10.0.0.1 2147483647 dom' >/proc/net/rpc/auth.unix.ip/channel
				rmmod sunrpc; done"
	) && {
		printf '%s\n' sunrpc "auth.unix.ip cache_entry_update of sunrpc" 0 \
			sunrpc "auth.unix.ip cache_entry_update of sunrpc" 0 "2 2 2 1"
	} | diff - "$work/out"
}

# listed: print the names of tracepoints from a list of probe points.
listed() {
	sed 's/.*"\(.*\)".*/\1/' | sort
}

# Each tracepoint of the kernel and of modules is listed under the same system as in tracefs. Some events have no
# tracepoint of their own: those of system calls and of ftrace.
systems() {
	local system
	"$STAP_VM" run -r "$release" --timeout 600 --modules xfs,nfsv4,btrfs,kvm,sunrpc -- \
		cat /sys/kernel/tracing/available_events >"$work/events" || return
	grep -v '^syscalls:' "$work/events" | sort >"$work/events.guest"
	"$STAP" -r "$release" -l 'kernel.trace("*:*")' | listed >"$work/events.kernel"
	for system in $(comm -23 "$work/events.guest" "$work/events.kernel" | sed 's/:.*//' | uniq); do
		"$STAP" -r "$release" -l "kernel.trace(\"$system:*\")" || return
	done | listed | sort -u - "$work/events.kernel" >"$work/events.listed"
	wc -l "$work/events.guest" "$work/events.listed"
	# A listed tracepoint that tracefs lacks has no event, so its name is under no system there.
	comm -23 "$work/events.guest" "$work/events.listed" >"$work/events.missing"
	comm -13 "$work/events.guest" "$work/events.listed" | sed 's/.*:/:/' | sort -u >"$work/events.others"
	cat "$work/events.missing"
	[ "$(wc -l <"$work/events.guest")" -gt 1000 ] && [ ! -s "$work/events.missing" ] &&
		! sed 's/.*:/:/' "$work/events.guest" | grep -Fx -f "$work/events.others"
}

# build_other DIRECTORY: add a line to the module's source, so that it is another build.
build_other() {
	build_fixture "$release" "$1" && echo 'int fx_other;' >>"$1/spile_fixture_main.c" &&
		make_fixture "$release" "$1"
}

# kernel_module NAME: unpack it to $work/NAME.RELEASE.
kernel_module() {
	local file
	file=$(find "$("$STAP_VM" path "$release")/" -path "*/kernel/*/$1.ko*" -not -path '*/debug/*' | head -n 1)
	case $file in
	*.xz) xzcat "$file" ;;
	*) cat "$file" ;;
	esac >"$work/$1.$release" && [ -s "$work/$1.$release" ]
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	cd "$work" || exit
	check "$release: the fixture is built" build_fixture "$release" "$work/fixture.$release"
	other="$release: another build of the module" files=()
	if is_part "$suite/$other" 5; then
		check "$release: another build of the fixture is built" build_other "$work/other.$release"
		files=(--file "$work/other.$release/spile_fixture.ko:/tmp/other.ko")
	fi
	FIXTURE=$work/fixture.$release/spile_fixture.ko
	check "$release: a module of the kernel is unpacked" kernel_module sunrpc
	check_some 3 "$release: tracepoints are listed under the systems that the kernel shows" systems
	start_guest "$release" --smp 2 --file "$FIXTURE:/tmp/fixture.ko" \
		"${files[@]}" --file "$work/sunrpc.$release:/tmp/sunrpc.ko" || continue
	check_some 5 "$release: tracepoints of a module that is loaded later" tracepoints
	check "$release: a module that is loaded later" loaded_later
	check_some 3 "$release: a module that was loaded before" loaded_before
	check_some 3 "$release: source lines of a module that is loaded later" lines_later
	check_some 3 "$release: initialization code of a module that is loaded later" initialization
	check_some 3 "$release: initialization code of a loaded module" initialized
	check_some 5 "$other" other_build
	check_some 3 "$release: a module whose initialisation fails" failed_load
	check "$release: -v reports loaded and unloaded modules" notices
	check_some 3 "$release: conditions of probes in a module" conditions
	check_some 5 "$release: a module is loaded and unloaded under load" under_load
	check_some 5 "$release: two modules are loaded and unloaded at once" both_at_once
	check_some 3 "$release: the last function of a module" last_function
	check_guest_log "$release" "at the end"
	stop_guest "$release"
done
