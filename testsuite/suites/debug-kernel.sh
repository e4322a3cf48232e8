# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-debug-kernel`: scripts on a kernel with KASAN, lock checking, checks for sleeping in atomic context and
# the SLAB allocator, under load on two CPUs. The result is whether the kernel complains. The kernel is built if it is
# not in the cache, which takes about ten minutes.

. "$(dirname "$0")/../lib.sh"

kernel=$("$STAP_VM" build-debug-kernel 2>"$work/build.log") || {
	fail "the debug kernel is built" "$work/build.log"
	exit 0
}
ok "the debug kernel is built"
tree=$("$STAP_VM" path "$kernel")
release=$kernel # for the heads of the scripts of the guest suite

cleanup() {
	"$STAP_VM" stop --socket "$work/$kernel" 2>/dev/null
}

# run_script NAME OPTION...: run stap with a script from standard input or in the options.
run_script() {
	local title=$1
	shift
	timeout 300 "$STAP" -r "$tree" --remote=unix:"$work/$kernel" "$@" >"$work/out" 2>"$work/err"
	echo "exit status $?" >>"$work/err"
	check_guest_log "$kernel" "after $title"
}

# shape NAME STATUS PATTERN...: check the status, that standard error is empty, and that a line matches each pattern.
shape() {
	local title=$1 status=$2 pattern
	shift 2
	# Ignore counts of hits that were skipped because of a lock or another handler. Also ignore the message of the
	# first script, which compiles the runtime.
	sed -i -E '/^WARNING: (Skipped|Number of errors: 0, skipped)|^Compiling the runtime .* once\.$/d' "$work/err"
	if [ "$(cat "$work/err")" != "exit status $status" ]; then
		cat "$work/err" "$work/out" | fail "$title"
		return
	fi
	for pattern; do
		grep -qE -- "$pattern" "$work/out" && continue
		{ echo "no line matches $pattern"; cat "$work/out"; } | fail "$title"
		return
	done
	ok "$title"
}

frame='^ 0x[0-9a-f]{16} : [A-Za-z_][A-Za-z0-9_.]*\+0x[0-9a-f]+/0x[0-9a-f]+ \[kernel\]$'
load='ls -lR /sys/devices >/dev/null 2>&1 & for i in $(seq 30); do
	/bin/true; cat /proc/self/maps >/dev/null; done; wait'

FIXTURE=$work/fixture/spile_fixture.ko
build_fixture "$kernel" "$work/fixture" || fail "the fixture is built" "$work/fixture/log"
gcc -O2 -static -pthread -o "$work/faults" "$tests/programs/faults.c" || exit 1
start_guest "$kernel" --modules "$FIXTURE" --file "$FIXTURE:/tmp/fixture.ko" --file "$work/faults:/tmp/faults" \
	--file "$work/faults:/tmp/faults-other" --file "$tests/programs/bridge.sh:/tmp/bridge.sh" || exit 0
"$STAP_VM" exec --socket "$work/$kernel" \
	-- sh -c '/tmp/faults fork wait=/tmp/faults-go pages=1500 make=/tmp/faults-done \
	>/dev/null 2>&1 </dev/null &'

config() {
	local missing
	missing=$("$STAP_VM" exec --socket "$work/$kernel" -- zcat /proc/config.gz |
		grep -cxE \
		'CONFIG_(KASAN|PROVE_LOCKING|DEBUG_ATOMIC_SLEEP|DEBUG_PREEMPT|SLAB|KPROBES|FUNCTION_TRACER)=y')
	[ "$missing" -eq 7 ]
}
check "the kernel has its debug checks enabled" config

run_script "the slab script" -c 'ls -lR /sys >/dev/null' "$tests/programs/slab.stp" names_cache
shape "the slab script, verbatim" 0 '^Number of names_cache slab allocations by process$' '^ls:	[0-9]+$' \
	'^Backtrace of processes when allocating$' '^Exec: ls Name: names_cache  Count: [0-9]+$' "$frame" \
	' : kmem_cache_alloc\+0x' ' : getname_flags\+0x'

run_script "maps" -c "$load" - <<'END'
global n, rounds
probe kernel.function("vfs_*") { n[execname(), ppfunc()]++ }
probe timer.ms(50) {
	foreach ([exec, f] in n- limit 5) rounds += n[exec, f] > 0
	if (rounds > 40) delete n
}
probe end { foreach ([exec, f] in n- limit 3) printf("%s %s %d\n", exec, f, n[exec, f]); printf("rounds %d\n", rounds) }
END
shape "maps, sorted and cleared while they fill" 0 '^rounds [1-9]'

run_script "statistics" -c "$load" - <<'END'
global sizes
probe kernel.function("__kmalloc") { sizes[execname(), backtrace()] <<< $size }
probe end {
	foreach ([exec, stack] in sizes- limit 2) {
		printf("%s %d %d %d %d\n", exec, @count(sizes[exec, stack]), @min(sizes[exec, stack]),
			@max(sizes[exec, stack]), @avg(sizes[exec, stack]))
		print_stack(stack)
	}
}
END
shape "statistics by stack" 0 '^[a-z]+ [0-9]+ [0-9]+ [0-9]+ [0-9]+$' "$frame"

run_script "return probes" -c "$load" - <<'END'
global took, bytes
probe kernel.function("vfs_read").return, kernel.function("vfs_getattr*").return {
	took[ppfunc()] <<< gettimeofday_ns() - @entry(gettimeofday_ns())
	bytes += $return
}
probe end { foreach (f in took) printf("%s %d %s\n", f, @count(took[f]), @min(took[f]) > 0 ? "ok" : "too short") }
END
shape "return probes with the time of the call" 0 '^vfs_read [0-9]+ ok$'

run_script "locks" -c "$load" - <<'END'
global total, kinds
probe kernel.function("hrtimer_interrupt"), kernel.function("__do_softirq"), kernel.function("kmem_cache_free"),
      kernel.function("wake_up_process"), timer.hz(500), timer.us(700) {
	total++
	kinds[pp()] = total
	if (kinds[pp()] < 0) exit()
}
probe end { printf("%s\n", total > 1000 ? "ok" : sprintf("only %d", total)) }
END
shape "one lock from processes, interrupts and timers" 0 '^ok$'

run_script "the fixture" -c 'echo 50 >/sys/kernel/debug/spile_fixture/run' - "$FIXTURE" <<'END'
global n
probe module(@1).function("fx_in_*"), module(@1).function("fx_irqs_off") { n[ppfunc()] += $call }
probe module(@1).function("fx_return_*").return { n[ppfunc()]++ }
probe module(@1).function("fx_structures") { n[$object$] = $object->list->next->value }
probe end { foreach (f in n) printf("%s %d\n", f, n[f]) }
END
shape "probes in every context" 0 '^fx_in_hardirq 1275$' '^fx_in_softirq 1275$' '^fx_in_kworker 1275$' \
	'^fx_irqs_off 1275$' '^fx_return_s64 50$' '^\{\.call=50, .* 200$'

run_script "modules loaded and unloaded" -c 'run=/sys/kernel/debug/spile_fixture/run
	for i in 1 2 3; do echo 5 >$run; rmmod spile_fixture; insmod /tmp/fixture.ko; done' - "$FIXTURE" <<'END'
global n, on
probe module(@1).function("fx_loading"), module(@1).function("fx_call"), module(@1).function("fx_locals").return,
      module(@1).statement("fx_text@*:*") { n[pp_kind()]++ }
probe module(@1).function("fx_unloading") { on = !on }
probe module(@1).function("fx_pointers") if (on) { n["condition"]++ }
function pp_kind() { return tokenize(substr(pp(), strlen(pp()) - 12, 12), "(") }
probe end { foreach (k in n) sum += n[k]; printf("%s\n", sum >= 48 ? "ok" : sprintf("%d", sum)) }
END
shape "modules that are loaded and unloaded" 0 '^ok$'

run_script "an error in a handler" -c "$load" \
	-e 'probe kernel.function("vfs_read") { n = pid() - pid(); println(1 / n) }'
if grep -q 'exit status 1' "$work/err" && grep -q 'division by 0' "$work/err"; then
	ok "a run-time error ends the script"
else
	fail "a run-time error ends the script" "$work/err" "$work/out"
fi

again_and_again() {
	local i
	"$STAP" -p4 -r "$tree" -m stap_again \
		-e 'probe kernel.function("vfs_*"), kernel.function("vfs_*").return, timer.ms(1) { if (0) exit() }' \
		>/dev/null &&
		"$STAP_VM" exec --socket "$work/$kernel" --file "$PWD/stap_again.ko:/tmp/stap_again.ko" \
		--file "$STAPRUN:/bin/staprun" -- sh -c '
		(while [ ! -e /tmp/stop ]; do ls -lR /proc/self >/dev/null 2>&1; done) &
		for i in $(seq 8); do staprun -c "sleep 0.2" /tmp/stap_again.ko || exit; done
		for i in $(seq 3); do
			staprun /tmp/stap_again.ko & sleep 0.5; kill -9 $!; wait $! 2>/dev/null
			for try in $(seq 20); do
				grep -q "^stap_again" /proc/modules || break; sleep 0.1; rmmod stap_again 2>/dev/null
			done
		done
		touch /tmp/stop; wait'
}
cd "$work" || exit 1
check "a script is loaded and unloaded under load, and its staprun killed" again_and_again
check_guest_log "$kernel" "after loading and unloading"

# Run the scripts of the suite guest; that suite compares their output.
cd "$tests/guest" || exit 1
for file in "$tests"/guest/*.stp; do
	read_head "$file"
	[ -z "${head[kernel]}" ] || continue
	read_words
	command=${head[command]}
	run_script "$(basename "$file" .stp)" "${options[@]}" ${command:+-c "$command"} "$file" "${arguments[@]}" \
		< <(printf "${head[input]}")
done
ok "the scripts of the guest suite were run"
stop_guest "$kernel"

# These suites report results under their own names.
SPILE_TEST_KERNELS=$kernel bash "$tests/suites/user.sh"
SPILE_TEST_KERNELS=$kernel bash "$tests/suites/harmless.sh"
