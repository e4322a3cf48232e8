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
# Line numbers in kernel and tapset files are not compared; those in the script are.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

normalise() {
	sed -E \
		-e 's/([A-Za-z0-9_.-]+\.[ch]):[0-9]+/\1:LINE/g' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+[-+][A-Za-z0-9.+-]*-amd64/RELEASE/g' \
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

cd "$tests/diagnostics" || exit 1
choose_scripts
for script in "${scripts[@]}"; do
	name=${script%.stp}
	read_head "$script"
	eval "options=(${head[options]})"
	eval "arguments=(${head[arguments]})"
	SPILE_DEBUGINFO_SOURCES=${head[sources]} timeout 900 "$STAP" -p2 -r "${head[kernel]:-$old_kernel}" \
		"${options[@]}" "$script" "${arguments[@]}" >"$work/out" 2>"$work/raw"
	status=$?
	normalise <"$work/raw" >"$work/err"
	if ! status_fits $status "$work/err"; then
		echo "exit status $status does not fit the messages" >>"$work/err"
	fi
	compare "$name" "$tests/diagnostics/$name.err" "$work/err"
done
