# SPDX-License-Identifier: GPL-2.0-or-later
# Which tests give other results on an architecture; for the suites scripts, dlang, passes and diagnostics. Source it
# after lib.sh.
#
# The same files are expected on every architecture. testsuite/ARCHITECTURE-differences lists the tests that differ, as
# SET/NAME, or SET/NAME.SOURCE for one source of debuginfo, and the reason. They must differ: a row of a test that does
# not is a failure.

# read_differences: fill the array `differences` with the rows of the architecture of $release. Each must name a test.
read_differences() {
	local row reason name architecture
	architecture=$(architecture_of "$release")
	differences=()
	while read -r row reason; do
		[[ -n $row && $row != \#* ]] || continue
		differences[$row]=$reason
		name=${row%.*}
		[ -n "$reason" ] && ls "$tests/$name".{stp,d} "$SPILE_SRCDIR/$name.stp" 2>/dev/null | grep -q . ||
			echo "a row is SET/NAME of a test, or SET/NAME.SOURCE, and a reason" |
			fail "$architecture-differences: $row"
	done < <(cat "$tests/$architecture-differences" 2>/dev/null)
}

# judge_difference ROW TITLE JUDGE ARGUMENT...: judge a test that differs on this architecture; it is a failure if it
# does not.
judge_difference() {
	local row=$1 title=$2
	shift 2
	SPILE_UPDATE= "$@" >"$work/judged"
	if grep -q '^FAIL - ' "$work/judged"; then
		skip "$title" "${differences[$row]}"
	else
		echo "it does not differ; remove its row: $row" |
			fail "$title: $(architecture_of "$release")-differences"
	fi
}
