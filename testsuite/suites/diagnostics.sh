# SPDX-License-Identifier: GPL-2.0-or-later
#
# Messages: testsuite/diagnostics/NAME.stp must make `stap -p2` print exactly NAME.err. Comments at the head of a
# script:
#
#     # kernel: 6.12        translate for this kernel (default 6.1)
#     # options: -g         further options of stap
#     # arguments: a b      arguments of the script
#     # sources: btf        only these sources of debuginfo
#
# testsuite/ARCHITECTURE-differences lists the scripts that give other results on an architecture (differences.sh).
# Line numbers in kernel and tapset files are not compared; those in the script are.

. "$(dirname "$0")/../lib.sh"
. "$tests/differences.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
release=$old_kernel
declare -A differences
read_differences

normalise() {
	sed -E \
		-e 's/([A-Za-z0-9_.-]+\.[ch]):[0-9]+/\1:LINE/g' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+[-+][A-Za-z0-9.+-]*-(amd64|arm64)/RELEASE/g' \
		-e "s#$SPILE_SRCDIR/##g" \
		-e '/at: tapset\//{s/:[0-9]+:[0-9]+$/:LINE/;n;s/^ *[0-9]+ \|/LINE |/;}'
}

# Check that the exit status is a failure exactly if there is an error message.
status_fits() {
	if grep -qE '^(parse|semantic) error|^ERROR|^Pass [0-9]: failed' "$2"; then
		[ "$1" -eq 1 ]
	else
		[ "$1" -eq 0 ]
	fi
}

judge() {
	normalise <"$work/messages" >"$work/err"
	if ! status_fits "$2" "$work/err"; then
		echo "exit status $2 does not fit the messages" >>"$work/err"
	fi
	compare "$1" "$tests/diagnostics/$1.err" "$work/err"
}

judge_here() { ${differences[diagnostics/$1]:+judge_difference "diagnostics/$1" "$1"} judge "$@"; }

cd "$tests/diagnostics" || exit 1
translate_scripts judge_here
