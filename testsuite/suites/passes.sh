# SPDX-License-Identifier: GPL-2.0-or-later
#
# What passes print of scripts that they accept: testsuite/passes/NAME.stp must make `stap -p2` print exactly NAME.out
# and say nothing. Comments at the head of a script:
#
#     # pass: 3             print what this pass made instead
#     # only: REGEX         of the output, only the lines that match (for the C of pass 3)
#     # kernel: 6.12        translate for this kernel (default 6.1)
#     # options: -g         further options of stap
#     # arguments: a b      arguments of the script
#
# Addresses, offsets of members, and lines of the kernel's source are left out of the comparison.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0

normalise() {
	sed -E \
		-e 's/([A-Za-z0-9_.-]+\.[ch]):[0-9]+/\1:LINE/g' \
		-e 's/pc=([._a-z]*\+?)0x[0-9a-f]+/pc=\1ADDRESS/' \
		-e '/@kderef|@address/{s/ \+ [0-9]+/ + OFFSET/g;s/(@address\()0x[0-9a-f]+/\1ADDRESS/g}' \
		-e 's/(\.(address|fentry) = )0x[0-9a-f]+/\1ADDRESS/g' \
		-e 's/(\.anchor = )"[^"]*"(, \.anchor_offset = )0x[0-9a-f]+UL/\1SYMBOL\2ADDRESS/' \
		-e 's/"[0-9a-f]{40}"/BUILD-ID/; s/(target-build-id=)[0-9a-f]{40}/\1BUILD-ID/' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+[-+][A-Za-z0-9.+-]*-amd64/RELEASE/g' \
		-e "s#$SPILE_SRCDIR/##g"
}

cd "$tests/passes" || exit 1
choose_scripts
for script in "${scripts[@]}"; do
	name=${script%.stp}
	release=$(header "$script" kernel)
	pass=$(header "$script" pass)
	only=$(header "$script" only)
	eval "options=($(header "$script" options))"
	eval "arguments=($(header "$script" arguments))"
	timeout 200 "$STAP" "-p${pass:-2}" -r "${release:-$old_kernel}" "${options[@]}" "$script" "${arguments[@]}" \
		>"$work/raw" 2>"$work/err"
	status=$?
	grep -E -e "${only:-}" "$work/raw" | normalise >"$work/out"
	if [ $status -ne 0 ] || [ -s "$work/err" ]; then
		{ echo "exit status $status"; cat "$work/err"; } | fail "$name"
	else
		compare "$name" "$tests/passes/$name.out" "$work/out"
	fi
done

# Every alias of the library can be translated on every kernel, with its variables, but for those that
# absent-aliases.RELEASE names, of which the kernel has nothing. System calls are a table, of which tests in guests see
# each.
translate_aliases() {
	"$STAP" --dump-probe-aliases -r "$1" |
		sed -nE '/^([a-z]+_)?syscall/!s/^([^ ]+) .*/probe \1 {}/p' >"$work/aliases.stp"
	"$STAP" -p2 -r "$1" "$work/aliases.stp" >/dev/null 2>"$work/err"
	sed -nE "s/^semantic error: kernel .* has nothing that '(.*)' stands for/\1/p" "$work/err" |
		sort >"$work/absent"
	grep '^[a-z ]*error' "$work/err" | grep -v "has nothing that '.*' stands for" >"$work/errors"
	[ "$(wc -l <"$work/aliases.stp")" -gt 400 ] && cat "$work/errors" && [ ! -s "$work/errors" ]
}
if [ -z "$SPILE_TESTS" ]; then
	for release in $old_kernel $new_kernel; do
		check "$release: every alias of the library is translated" translate_aliases "$release"
		compare "$release: aliases that stand for nothing there" "$tests/passes/absent-aliases.${release%%-*}" \
			"$work/absent"
	done
fi
