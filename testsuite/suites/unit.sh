# SPDX-License-Identifier: GPL-2.0-or-later
#
# The unit tests: C programs that speak TAP (GLib's g_test), built by `make check-unit` from testsuite/unit. Their cases
# are counted one by one.

. "$(dirname "$0")/../lib.sh"

# run_tap LABEL PROGRAM ARGUMENT...
run_tap() {
	local label=$1 program=$2 line name planned
	shift 2
	timeout 600 "$program" --tap "$@" >"$work/tap" 2>"$work/tap.err"
	local status=$?
	while IFS= read -r line; do
		name=$(echo "$line" | sed -E 's/^(not )?ok [0-9]+ (- )?//; s/ # SKIP.*//I')
		case $line in
		"not ok "*) { grep '^#' "$work/tap" | tail -n 20; cat "$work/tap.err"; } | fail "$label$name" ;;
		"ok "*"# SKIP"*) skip "$label$name" "${line##*# SKIP }" ;;
		"ok "*) ok "$label$name" ;;
		esac
	done <"$work/tap"
	# A crash ends the list early: the plan and the status tell.
	planned=$(sed -n 's/^1\.\.//p' "$work/tap" | head -n 1)
	if [ $status -gt 1 ] || [ "$(grep -cE '^(not )?ok ' "$work/tap")" != "${planned:-none}" ]; then
		{ echo "status $status, ${planned:-no} tests planned"; tail -n 30 "$work/tap" "$work/tap.err"; } |
			fail "$label$(basename "$program") runs to its end"
	fi
}

kernel_root() {
	"$STAP_VM" path "$1" 2>/dev/null
}

export SPILE_SRCDIR
cd "$SPILE_SRCDIR" || exit 1
for name in lang sema staprun; do
	program=$SPILE_BUILDDIR/testsuite/unit/test-$name
	if [ -x "$program" ]; then
		run_tap "" "$program"
	else
		echo "build it with: make check-unit" | fail "test-$name is built"
	fi
done

program=$SPILE_BUILDDIR/testsuite/unit/test-debuginfo
if [ -x "$program" ] && need_kernel $old_kernel && need_kernel $new_kernel; then
	for release in $old_kernel $new_kernel; do
		export SPILE_TEST_KERNEL_ROOT
		SPILE_TEST_KERNEL_ROOT=$(kernel_root $release)
		if [ $release = $old_kernel ]; then
			run_tap "" "$program"
		else
			run_tap "$release: " "$program" -p /debuginfo/real
		fi
	done
elif [ ! -x "$program" ]; then
	echo "build it with: make check-unit" | fail "test-debuginfo is built"
fi
