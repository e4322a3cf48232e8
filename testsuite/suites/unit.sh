# SPDX-License-Identifier: GPL-2.0-or-later
#
# The unit tests: C programs that print TAP (GLib's g_test), built by `make check` from testsuite/unit. Each case is a
# result of its own. In a part, every second case of every third program is run.

. "$(dirname "$0")/../lib.sh"

# chosen_cases PROGRAM: set $cases to the options that choose the cases of the part; to none if all run.
chosen_cases() {
	local name
	cases=()
	[ -n "$SPILE_PART" ] || return 0
	while IFS= read -r name; do
		! is_part "unit$name" 2 || cases+=(-p "$name")
	done < <("$1" -l | grep '^/')
	[ ${#cases[@]} -gt 0 ]
}

run_tap() {
	local program=$1 line name planned cases
	local -r result='^(not )?ok [0-9]+ (- )?'
	chosen_cases "$program" || return 0
	timeout 600 "$program" --tap "${cases[@]}" >"$work/tap" 2>"$work/tap.err"
	local status=$?
	while IFS= read -r line; do
		[[ $line =~ $result ]] || continue
		name=${line#"${BASH_REMATCH[0]}"} name=${name%% # SKIP*}
		case $line in
		"not ok "*) { grep '^#' "$work/tap" | tail -n 20; cat "$work/tap.err"; } | fail "$name" ;;
		"ok "*"# SKIP"*) skip "$name" "${line##*# SKIP }" ;;
		"ok "*) ok "$name" ;;
		esac
	done <"$work/tap"
	# Detect a crash, which ends the list early, by the plan and the status. For chosen cases, each has a plan that
	# counts those before it.
	planned=$(sed -n 's/^1\.\.//p' "$work/tap" | tail -n 1)
	if [ $status -gt 1 ] || [ "$(grep -cE '^(not )?ok ' "$work/tap")" != "${planned:-none}" ] ||
		[ "$planned" -lt $((${#cases[@]} / 2)) ]; then
		{ echo "status $status, ${planned:-no} tests planned"; tail -n 30 "$work/tap" "$work/tap.err"; } |
			fail "$(basename "$program") runs to its end"
	fi
}

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
# Tables that hold for all kernels are compared with the headers of all. Other tests of kernels take longer, so a part
# runs them for one.
SPILE_TEST_HEADER_ROOTS= SPILE_TEST_KERNEL_ROOTS=
for kernel in $old_kernel $new_kernel; do
	root=$("$STAP_VM" path $kernel)
	SPILE_TEST_HEADER_ROOTS+=${SPILE_TEST_HEADER_ROOTS:+:}$root
	! is_kernels_part $kernel unit || SPILE_TEST_KERNEL_ROOTS+=${SPILE_TEST_KERNEL_ROOTS:+:}$root
done
export SPILE_SRCDIR SPILE_TEST_HEADER_ROOTS SPILE_TEST_KERNEL_ROOTS
cd "$SPILE_SRCDIR" || exit 1
for name in $(unit_programs); do
	program=$SPILE_BUILDDIR/$name
	if [ -x "$program" ]; then
		run_tap "$program"
	else
		echo "build it with: make check" | fail "$(basename "$program") is built"
	fi
done
