# SPDX-License-Identifier: GPL-2.0-or-later
#
# testsuite/run itself, with suites made for this test: counting, order of output, processes left after a kill,
# rewritten expected files.

. "$(dirname "$0")/../lib.sh"

need_kernel $new_kernel || exit 0
mkdir "$work/suites"
export SPILE_SUITES=$work/suites
export mine=$work release=$new_kernel
part=$SPILE_PART
unset SPILE_TESTS SPILE_UPDATE SPILE_PART

# made NAME: make a suite from standard input.
made() {
	{ echo ". '$tests/lib.sh'"; cat; } >"$work/suites/$1.sh"
}

# run SUITE...: run testsuite/run; write its output to $work/said.
run() {
	"$tests/run" "$@" >"$work/said" 2>&1
	status=$?
	cat "$work/said"
	return $status
}

made good <<<'ok one; ok two; skip three "no reason"'
made bad <<<'ok four; echo why | fail five'
made ends <<<'ok six; exit 3'
made silent <<<':'
# This suite ends when the output of the other one was printed.
made slow <<'END'
ok first
for _ in $(seq 600); do
	grep -q '^# quick took' "$mine/said" && break
	sleep 0.1
done
ok last
END
made quick <<<'ok only'

counts() {
	! run good bad ends silent && [ "$(tail -n 1 "$work/said")" = "4 passed, 3 failed, 1 skipped" ] &&
		[ "$(sed -n '/^Failed:/,$p' "$work/said" | head -n 5)" = "Failed:
    bad: five
        why
    ends: the suite itself ended with status 3
    silent: the suite itself ended with status 0" ] && grep -qx '    good  *[0-9.]*' "$work/said"
}
check "passed, failed and skipped are counted, and failures listed" counts
good() {
	run good && [ "$(tail -n 1 "$work/said")" = "2 passed, 0 failed, 1 skipped" ]
}
check "the exit status is 0 if nothing failed" good
unknown() {
	! run good nothing && grep -q "unknown suite 'nothing'" "$work/said" && ! grep -q passed "$work/said"
}
check "an unknown suite runs nothing" unknown
whole() {
	SPILE_LANES=2 run slow quick && [ "$(grep -E '^ok' "$work/said")" = "ok - quick: only
ok - slow: first
ok - slow: last" ]
}
check "two lanes run in parallel, and the output of a suite is printed as a whole" whole

# Every suite is in `make check`, has its own make target, or is a set of the suite scripts.
forgotten() {
	local file
	for file in "$tests"/suites/*.sh; do
		basename "$file" .sh
	done | grep -vxE 'clang-kernel|debug-kernel|fuzz|races|systemd|vanilla-kernels' |
		grep -vxE 'guest|language|user|unoptimized|examples' | sort |
		diff <(sed -n '/^all_suites="/,/"$/{s/^all_suites=//;s/"//g;p}' "$tests/run" | xargs -n 1 | sort) -
}
check "every suite is run by some target" forgotten

# ---- expected files

made updates <<'END'
echo new >"$work/got"
compare wrong "$mine/wrong" "$work/got"
compare right "$mine/right" "$work/got"
END
made disagrees <<'END'
echo one >"$work/got"
compare first "$mine/wanted" "$work/got"
echo two >"$work/got"
compare second "$mine/wanted" "$work/got"
END
updated() {
	echo old >"$work/wrong"
	echo new >"$work/right"
	! SPILE_UPDATE=1 run updates && grep -q '^FAIL - updates: wrong: updated ' "$work/said" &&
		grep -q '^ok - updates: right$' "$work/said" &&
		[ "$(cat "$work/wrong")" = new ] && run updates
}
check "SPILE_UPDATE rewrites files that differ, and reports failures" updated
disagreement() {
	echo old >"$work/wanted"
	! SPILE_UPDATE=1 run disagrees && grep -q '^FAIL - disagrees: second: not updated' "$work/said" &&
		[ "$(cat "$work/wanted")" = old ]
}
check "SPILE_UPDATE refuses two different contents of one file" disagreement

# ---- killed

# A suite with a guest, a program in its own session, and a program that ignores signals.
made hangs <<'END'
start_guest "$release"
setsid sleep 12345 &
(trap '' TERM INT; sleep 12346; sleep 12346) &
echo $$ >"$mine/suite"
pgrep -P "$(cat "$work/$release.pid")" qemu-system >"$mine/qemu"
touch "$mine/up"
ok up
sleep 12347
END

# Print the processes that the suite started; all have this mark in their environment.
export SPILE_RUNNER=$work
left() {
	grep -lzsx "SPILE_RUNNER=$work" /proc/[0-9]*/environ | cut -d/ -f3 | while read -r pid; do
		ps -o pid=,args= "$pid" | grep -E 'qemu-system|stap-vm|sleep 1234|hangs.sh|testsuite/run'
	done
}
nothing_left() {
	[ -z "$(left)" ] && [ -z "$(find "$TMPDIR" -mindepth 1 -maxdepth 1)" ]
}

# killed WHOM SIGNAL: kill the run, the suite, or the timeout(1) around the run. Nothing must be left.
killed() {
	local pid under=()
	[ "$1" != timeout ] || under=(timeout 1000)
	rm -f "$work/up" "$work/qemu"
	"${under[@]}" "$tests/run" hangs >"$work/said" 2>&1 &
	pid=$!
	within 120 test -e "$work/up" && [ -s "$work/qemu" ] && [ "$(left | wc -l)" -ge 6 ] ||
		{ cat "$work/said"; left; return 1; }
	if [ "$1" = suite ]; then
		kill -"$2" "$(cat "$work/suite")"
	else
		kill -"$2" $pid
	fi
	within 60 nothing_left || { left; ls "$TMPDIR"; return 1; }
	wait $pid && return 1
	[ "$1" != suite ] || grep -q '^FAIL - hangs: the suite itself ended' "$work/said"
}
check_some 3 "SIGTERM to a run kills its processes" killed run TERM
check_some 3 "SIGKILL to a run kills its processes" killed run KILL
check_some 3 "SIGTERM to a suite kills its processes" killed suite TERM
check_some 3 "SIGKILL to a suite kills its processes" killed suite KILL
check_some 3 "SIGTERM through timeout(1) kills its processes" killed timeout TERM

# ---- scripts of the guest suite

# Run the suite guest on scripts of this test. Unset SPILE_SUITES, which is for the suites made here.
run_scripts() {
	SPILE_SUITES='' SPILE_SCRIPTS=$work/scripts SPILE_TESTS=$1 run guest
}
mkdir "$work/scripts"
disagreeing_kernels() {
	local directory=$work/scripts
	echo 'probe begin { println(%( kernel_v < "6.2" %? 1 %: 2 %)) exit() }' >"$directory/kernels.stp"
	echo old >"$directory/kernels.out"
	! SPILE_UPDATE=1 run_scripts kernels &&
		grep -q "^FAIL - guest: .*: kernels: updated $directory/kernels.out" "$work/said" &&
		grep -q "^FAIL - guest: .*: kernels: not updated, because two tests" "$work/said" &&
		[ "$(cat "$directory/kernels.out")" = old ]
}
# The following tests boot guests, and build all probed programs.
SPILE_PART=$part is_part "runner/scripts" 3 || exit 0
check "SPILE_UPDATE refuses different contents for two kernels" disagreeing_kernels
export SPILE_TEST_KERNELS=$new_kernel
no_expectation() {
	echo 'probe begin { println("here") exit() }' | tee "$work/scripts/none.stp" >"$work/scripts/later.stp"
	printf '%s\n' '# command: echo "<4>WARNING: made up" >/dev/kmsg' 'probe begin { println("here") }' \
		>"$work/scripts/warns.stp"
	echo here | tee "$work/scripts/later.out" >"$work/scripts/warns.out"
	! run_scripts '@(none|warns|later)' && grep -q '^FAIL - guest: 6.12: none' "$work/said" &&
		grep -q 'missing none.out, .err or .check' "$work/said" &&
		grep -q '^ok - guest: 6.12: later' "$work/said"
}
check "only a script without expected files fails" no_expectation
warning() {
	[ "$(grep "log is clean" "$work/said" | grep -c ^FAIL)" -eq 1 ] &&
		grep -q "^FAIL - guest: 6.12: warns: the kernel's log is clean" "$work/said"
}
check "a warning of the kernel is a failure of the script that ran" warning
