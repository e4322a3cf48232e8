# SPDX-License-Identifier: GPL-2.0-or-later
#
# Attempts to do harm: probes on everything, even on functions that the runtime uses, under load; modules loaded and
# unloaded, killed loaders, CPUs taken offline, refused memory, runaway scripts. A test passes if the kernel's log has
# no report, nothing is left, no system call had a wrong result, and scripts end with their documented messages.
#
# In a part (SPILE_PART), only a share of the tests is run, each on one of the two kernels.
#
#     SPILE_TESTS=PATTERN  run only some tests: slice, own_functions and so on as below
#     SPILE_TORTURE=N   run N times as long (1: about three minutes per kernel for all tests; make torture: 20)
#     SPILE_LOADS=N     load and unload at least N modules under load (1; make torture: 1000)

. "$(dirname "$0")/../lib.sh"
. "$tests/programs.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
times=${SPILE_TORTURE:-1}
loads=${SPILE_LOADS:-1}

# Build the programs for the kernel $release. Set $staprun to that of the guest, $calls to how names of the kernel's
# functions for system calls begin, $stack to the name of the stack pointer, and $popped to what a return adds to it.
build_loads() {
	staprun=$(guest_program "$release" staprun)
	case $(architecture_of "$release") in
	amd64) calls=__x64_sys_ stack=rsp popped=8 ;;
	arm64) calls=__arm64_sys_ stack=sp popped=0 ;;
	esac
	choose_architecture "$(architecture_of "$release")" &&
		"${compile[@]}" -O2 -static -o "$work/load" "$tests/programs/load.c" &&
		"${compile[@]}" -g -O2 -pthread -o "$work/processes" "$tests/programs/processes.c"
}

in_guest() {
	"$STAP_VM" exec --socket "$work/$release" -- "$@"
}

stap() {
	timeout 600 "$STAP" "--remote=unix:$work/$release" -r "$release" "$@"
}

# under_load SECONDS STAP-OPTIONS...: run the script with the load, whose system calls must have the right results.
under_load() {
	local seconds=$1
	shift
	stap -w -DSTP_NO_OVERLOAD -DMAXSKIPPED=1000000000 "$@" -c "/tmp/load $((seconds * times))" \
		>"$work/out" 2>"$work/err"
	local status=$?
	if [ $status -ne 0 ] || ! grep -q '^[1-9][0-9]* checked$' "$work/out"; then
		tail -n 20 "$work/out" "$work/err"
		echo "status $status"
		return 1
	fi
	count_calls "$work/out"
}

# Totals of the whole suite, for its last line.
count_calls() {
	sed -n 's/^\([0-9]*\) checked$/\1/p' "$1" >>"$work/calls"
}

total() {
	awk '{ n += $1 } END { print n + 0 }' "$1"
}

# ---- probes everywhere -----------------------------------------------------------------------------------------------

slice() {
	under_load 2 -e "global n, where%
		probe kernel.function(\"$1\").call { n <<< 1; where[ppfunc()] <<< cpu() }
		probe timer.ms(50) { n <<< 2 }
		probe end { println(@count(n) > 1) }"
}

# Functions that the runtime and these handlers call. After the expensive part, a handler skips it on its CPU for as
# long as it took. Without these pauses, a kernel with all checks would spend more than a tick on the hits of a tick.
own_functions() {
	local list="" name
	for name in relay_switch_subbuf irq_work_queue irq_work_run __wake_up try_to_wake_up kallsyms_lookup \
		sprint_symbol unwind_next_frame __unwind_start unwind_get_return_address hrtimer_interrupt ktime_get \
		strscpy strlen vsnprintf msleep copy_from_user_nofault copy_from_kernel_nofault sort_r memcpy \
		delay_tsc ktime_get_real_fast_ns pid_task find_pid_ns perf_event_overflow perf_swevent_hrtimer \
		schedule simple_read_from_buffer debugfs_lookup; do
		list+="kernel.function(\"$name\").call ?, "
	done
	under_load 3 -e "global n%, turn, rests_until
		probe ${list}kernel.function(\"wake_up_process\").call {
			n[ppfunc()] <<< 1
			start = get_cycles()
			if (start < rests_until[cpu()]) next
			s = sprint_backtrace() . symname(stack(1)) . cmdline_str() . task_execname(pid2task(1))
			if (++turn % 50 == 0) printf(\"%s %d %s\n\", s, gettimeofday_ns(), callers(3))
			rests_until[cpu()] = 2 * get_cycles() - start
		}
		probe timer.profile { n[backtrace()] <<< 1 }
		probe end { foreach (k in n- limit 3) printf(\"%d\n\", @count(n[k])) }"
}

system_calls() {
	under_load 4 -e 'global n, open
		probe kernel.function("'$calls'*").call { n[ppfunc()] <<< 1; open[tid()] = gettimeofday_ns() }
		probe kernel.function("'$calls'[a-m]*").return { n[ppfunc()] <<< returnval(); delete open[tid()] }
		probe timer.us(500) { n["timer"] <<< 1 }
		probe timer.profile { n[execname()] <<< 1 }
		probe kernel.trace("sched_switch") { n["switch"] <<< $next->pid }
		probe kernel.trace("raw_syscalls:*") { n["trace"] <<< 1 }
		probe end { println(@count(n["timer"]) > 10) }' -DMAXERRORS=1000000
}

# System calls by name, with all arguments as text, and values saved at the entry for the return.
named_system_calls() {
	under_load 4 -e 'global n, lengths, took
		probe syscall.* { n[name] <<< 1; lengths <<< strlen(argstr) }
		probe nd_syscall.*.return {
			took <<< gettimeofday_ns() - @entry(gettimeofday_ns())
			lengths <<< strlen(argstr) + strlen(retstr) + strlen(@entry(name))
		}
		probe syscall_any { n["any"] <<< 1 }
		probe timer.profile { n[execname()] <<< 1 }
		probe end {
			println(@count(n["any"]) >= @count(n["openat"]) + @count(n["read"]))
			println(@min(took) >= 0 && @min(lengths) >= 0)
		}' -DMAXERRORS=1000000
}

# Print everything, too. The load's own output goes to a file. Lost output does not matter.
printed_system_calls() {
	stap -w -DSTP_NO_OVERLOAD -DMAXSKIPPED=1000000000 -DMAXERRORS=1000000 \
		-e 'probe syscall.* { printf("%s(%s)\n", name, argstr) }
		probe syscall.*.return { printf(" %s = %s\n", name, retstr) }' \
		-c "sh -c '/tmp/load $((4 * times)) >/tmp/checked'" 2>"$work/err" | tail -n 20 >"$work/out"
	local status=${PIPESTATUS[0]}
	in_guest cat /tmp/checked >"$work/checked"
	if [ "$status" -ne 0 ] || ! grep -q '^[1-9][0-9]* checked$' "$work/checked" || ! grep -q ' = ' "$work/out"; then
		tail -n 20 "$work/out" "$work/err" "$work/checked"
		echo "status $status"
		return 1
	fi
	count_calls "$work/checked"
}

statements() {
	under_load 2 -e 'global n
		probe kernel.statement("vfs_read@fs/read_write.c:*"), kernel.function("*@fs/open.c").inline { n <<< 1 }
		probe kernel.function("*@kernel/fork.c").return { n <<< returnval() }
		probe perf.sw.page_faults.sample(1), perf.sw.context_switches.sample(1) { n <<< 1 }
		probe end { println(@count(n)) }'
}

# Two scripts probe the same functions while CPUs go offline and online.
together() {
	(stap -w -DMAXSKIPPED=1000000000 -DSTP_NO_OVERLOAD -e 'global n
		probe kernel.function("vfs_*").call { n[execname()] <<< 1 }
		probe kernel.function("vfs_read").return { n["return"] <<< 1 }
		probe timer.profile { n["timer"] <<< 1 }' \
		-c "sleep $((4 * times))" >"$work/other" 2>&1) &
	in_guest sh -c "for i in \$(seq $((3 * times))); do echo 0 >/sys/devices/system/cpu/cpu1/online; sleep 0.3
		echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 0.3; done" &
	under_load 4 -e 'global n probe kernel.function("vfs_*").call { n[execname()] <<< 1 }
		probe kernel.function("vfs_read").return { n["return"] <<< 1 } probe timer.profile { n["timer"] <<< 1 }
		probe kernel.statement("vfs_read@fs/read_write.c:*") { n["s"] <<< 1 }'
	local status=$?
	wait
	return $status
}

# ---- coming and going ------------------------------------------------------------------------------------------------

build_small() {
	(cd "$work" && "$STAP" -r "$release" -w -p4 -m spile_small -DSTP_NO_OVERLOAD -DMAXSKIPPED=1000000 -e 'global n
		probe begin { printf("begin\n") }
		probe kernel.function("vfs_read").call, kernel.function("ksys_read").return {
			n[execname()] <<< 1
			printf("%d\n", pid())
		}
		probe kernel.statement("vfs_open@fs/open.c:*"), kernel.trace("sched_switch"), timer.ms(1),
			timer.profile {
			n["x"] <<< 1
		}
		probe netfilter.ipv4.local_in, kernel.data("panic_timeout").write { n["y"] <<< 1 }
		probe procfs("x").read { $value = "x" }
		%( kernel_v >= "5.13" %? # no events of programs before
		probe perf.sw.page_faults.sample(1).process("/bin/busybox"),
			perf.sw.page_faults.process("/tmp/load") {
			n["z"] <<< 1
		}
		%)
		probe end { printf("end\n") }') >"$work/log" 2>&1 || {
		cat "$work/log"
		return 1
	}
}

# in_guest_with_module SCRIPT: run it in the guest, with /tmp/small.ko and staprun.
in_guest_with_module() {
	"$STAP_VM" exec --socket "$work/$release" --file "$work/spile_small.ko:/tmp/small.ko" \
		--file "$staprun:/bin/staprun" -- sh -c "$1"
}

# Load several at once: they share the kernel's waits for all CPUs, which take most of the time of a load.
load_and_unload() {
	build_small || return
	in_guest_with_module "cd /tmp
		rm -f failed rounds
		# load_while PROCESS NUMBER
		load_while() {
			local rounds=0
			while [ -d /proc/\$1 ] && [ ! -e failed ]; do
				/bin/staprun -R -w -c true small.ko >out.\$2 2>&1 &&
					grep -q end out.\$2 || cp out.\$2 failed
				rounds=\$((rounds + 1))
			done
			echo \$rounds >>rounds
		}
		total=0 passes=0
		while [ \$passes -lt $times ] || [ \$total -lt $loads ]; do
			/tmp/load 12 & load=\$!
			for i in 1 2 3 4; do load_while \$load \$i & done
			wait \$load || exit 1
			wait
			[ ! -e failed ] || { cat failed; exit 1; }
			for n in \$(cat rounds); do total=\$((total + n)); done
			rm rounds
			passes=\$((passes + 1))
		done
		echo \$total" >"$work/rounds" || {
		cat "$work/rounds"
		return 1
	}
	count_calls "$work/rounds"
	tail -n 1 "$work/rounds" >>"$work/loads"
}

# Kill one of staprun's two processes at any moment; the next staprun must remove the module that is left.
kill_loaders() {
	build_small || return
	in_guest_with_module "
		for i in \$(seq $((12 * times))); do
			/bin/staprun -R -w -c 'sleep 1' /tmp/small.ko >/dev/null 2>&1 & first=\$!
			usleep \$(((i * 7919 % 97) * 10000))
			if [ \$((i % 2)) = 0 ]; then
				kill -9 \$first
			else
				kill -9 \$(pidof staprun | cut -d ' ' -f 1)
			fi 2>/dev/null
			wait \$first 2>/dev/null
		done
		for i in \$(seq 300); do pidof staprun >/dev/null || break; sleep 0.1; done
		/bin/staprun -d '*'
		! grep '^spile_small' /proc/modules"
}

# Run them one after the other; in a part, every sixteenth one.
failing_allocations() {
	local i step=${SPILE_PART:+16}
	for ((i = 1 + turn % ${step:-1}; i < 100; i += ${step:-1})); do
		stap -w -DSTP_FAIL_ALLOCATION=$i \
			-e 'global n, m, s, t[10]
			probe kernel.function("vfs_read") { n++; m[pid(), execname()] <<< 1 }
			probe kernel.function("vfs_read").return, kernel.trace("sched_switch"), timer.ms(10),
				timer.profile {
				s = execname()
			}
			probe kernel.statement("vfs_read@fs/read_write.c:*"), netfilter.ipv4.local_in { t[n % 8] = s }
			probe kernel.data("panic_timeout").write, procfs("a/b").read { n++ }
			%( kernel_v >= "5.13" %? # no events of programs before
			probe perf.sw.page_faults.process("/bin/busybox") { n++ }
			%)
			probe process(@1).function("factorial").return { n += $n }
			probe process(@1).begin, process.end, process(@1).syscall { n++ }' -c true \
			"$work/processes" \
			>"$work/out" 2>"$work/err" && break
		grep -qE '^ERROR: .*(Cannot allocate memory|error -12)' "$work/err" || {
			echo "allocation $i:"
			cat "$work/err"
			return 1
		}
		in_guest sh -c '! grep "^stap_" /proc/modules &&
			[ -z "$(ls /sys/kernel/debug/spile /proc/systemtap 2>/dev/null | grep stap_)" ]' ||
			return
	done
	echo "$i allocations"
	[ $i -gt 40 ] && [ $i -lt 100 ]
}

# ---- programs --------------------------------------------------------------------------------------------------------

# Functions that return a second time by a jump, such as setjmp(), cannot have a return probe.
library_script() {
	echo "global entries, returns, wrong, begun, ended
		probe process(\"libc.so.6\").function(\"[$1]*\").call { entries++ }
		probe process(\"libc.so.6\").function(\"[$1]*\").return {
			returns++
			if (@entry(register(\"$stack\")) + $popped != register(\"$stack\")) wrong++
		}
		probe process(\"$work/processes\").begin { begun++ }
		probe process(\"$work/processes\").end { ended++ }
		probe process(\"$work/processes\").syscall, process(\"$work/processes\").thread.end { begun += 0 }
		probe end { printf(\"%d %d %d %d\\n\", entries > 100, returns > 100, wrong, begun - ended) }"
}

# Programs behave as without probes while all functions of the C library are probed, and while loaders are killed.
programs() {
	local functions all=(a-l m-z_) runs="1 2 3" kills=$((4 * times))
	[ -z "$SPILE_PART" ] || all=("${all[turn % 2]}") runs=1 kills=2
	for functions in "${all[@]}"; do
		(cd "$work" && "$STAP" -r "$release" -w -p4 -m spile_programs -DSTP_NO_OVERLOAD -DMAXSKIPPED=1000000 \
			-e "$(library_script "$functions")") >"$work/log" 2>&1 || {
			cat "$work/log"
			return 1
		}
		"$STAP_VM" exec --socket "$work/$release" --file "$work/spile_programs.ko:/tmp/programs.ko" \
			--file "$staprun:/bin/staprun" -- sh -c "cd /tmp
			# Where the host has it.
			[ -e /usr/lib ] || { mkdir -p /usr && ln -s /lib /usr/lib; }
			# work: what it prints
			work() { for i in $runs; do $work/processes stress; echo \$?; done 2>&1; }
			work >wanted
			: >out
			/bin/staprun -R -v -w -c 'sh -c \"while [ ! -e over ]; do sleep 0.1; done\"' programs.ko \
				>out 2>&1 & first=\$!
			for i in \$(seq 300); do grep -q armed: out && break; sleep 0.1; done
			for i in \$(seq $((2 * times))); do
				work >got
				cmp wanted got || exit 1
			done
			touch over
			wait \$first || { cat out; exit 1; }
			grep -qx '1 1 0 0' out || { cat out; exit 1; }
			rm over
			for i in \$(seq $kills); do
				/bin/staprun -R -w -c 'sleep 2' programs.ko >/dev/null 2>&1 & first=\$!
				work >got & worker=\$!
				usleep \$(((i * 7919 % 97) * 20000))
				kill -9 \$(pidof staprun | cut -d ' ' -f \$((i % 2 + 1))) 2>/dev/null
				wait \$worker
				cmp wanted got || exit 1
				wait \$first 2>/dev/null
			done
			for i in \$(seq 300); do pidof staprun >/dev/null || break; sleep 0.1; done
			/bin/staprun -d '*'
			! grep '^spile_programs' /proc/modules" >"$work/out" 2>&1 || {
			tail -n 20 "$work/out"
			return 1
		}
	done
}

# ---- scripts that run wild -------------------------------------------------------------------------------------------

# wild MESSAGE STAP-OPTIONS...: does the script end with this message?
wild() {
	local message=$1
	shift
	! stap -w "$@" -c "/tmp/load 1" >"$work/out" 2>"$work/err" && grep -q "$message" "$work/err" || {
		head -n 20 "$work/err"
		return 1
	}
}

wild_scripts() {
	local p='probe kernel.function("vfs_read")'
	wild 'MAXACTION exceeded' -e "$p { while (1) {} }" &&
		wild 'MAXNESTING exceeded' -e "function f(n) { return f(n + 1) } $p { f(1) }" &&
		wild 'Array overflow, check MAXMAPENTRIES' -DMAXMAPENTRIES=100 -e "global a, i $p { a[++i] = i }" &&
		wild 'Array overflow, check MAXMAPENTRIES' -DMAXMAPENTRIES=100 -e "global a, i $p { a[++i] <<< i }" &&
		wild 'division by 0' -e "$p { println(1 / (pid() - pid())) }" &&
		wild 'read fault \[man error::fault\] at 0x' -e "$p { println(@cast(0, \"struct file\")->f_inode) }" ||
		return
	for address in 1 0x7fffffffffff 0x800000000000 0xffff800000000000 0xffffffffff600000 \
		-1 -8 0xdead000000000100; do
		wild 'fault at' -e "function f:string (a) { return kernel_string(a) } $p { println(f($address)) }" ||
			return
	done
	wild 'probe overhead exceeded threshold' -e "global n $p, timer.us(20) { for (i = 0; i < 900; i++) n[i] = i }" \
		-DSTP_OVERLOAD_INTERVAL=10000000 -DSTP_OVERLOAD_THRESHOLD=1000000 -DMAXSKIPPED=100000000
}

# wanted PART N: is the next test selected? In a part, every Nth one is, and others on each kernel.
wanted() {
	local first=0
	[ "$release" = $old_kernel ] || first=4
	: $((number++))
	[[ $1 == ${SPILE_TESTS:-*} ]] && { [ -z "$SPILE_PART" ] || [ $(((number + turn) % $2)) -eq $first ]; }
}

# The functions that are probed at once, as patterns: those of each first letter in a part.
slices=('[a-b]*' '[c-d]*' '[e-f]*' '[g-i]*' '[j-m]*' '[n-q]*' '[r-s]*' '[t-z_]*')
[ -z "$SPILE_PART" ] || slices=({a..z}'*' '_*')

parts=(own_functions system_calls named_system_calls statements together load_and_unload kill_loaders programs
	failing_allocations wild_scripts printed_system_calls)
choose_parts slice "${parts[@]}"
: >"$work/calls" >"$work/loads"
for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	build_loads || exit
	start_guest "$release" --file "$work/load:/tmp/load" --file "$work/processes" || continue
	in_guest ifconfig lo 127.0.0.1 up
	number=0
	for functions in "${slices[@]}"; do
		wanted slice 13 || continue
		check "$release: all functions $functions" slice "$functions"
		check_guest_log "$release" "after $functions"
	done
	number=0
	for what in "${parts[@]}"; do
		wanted $what 9 || continue
		check "$release: ${what//_/ }" $what
		check_guest_log "$release" "after $what"
	done
	stop_guest "$release"
done
calls=$(total "$work/calls") loaded=$(total "$work/loads")
echo "# in all, $calls system calls did what they must, beside $loaded modules loaded and unloaded in a row"
