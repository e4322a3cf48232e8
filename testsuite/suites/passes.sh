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
	read_head "$script"
	eval "options=(${head[options]})"
	eval "arguments=(${head[arguments]})"
	timeout 200 "$STAP" "-p${head[pass]:-2}" -r "${head[kernel]:-$old_kernel}" "${options[@]}" "$script" \
		"${arguments[@]}" >"$work/raw" 2>"$work/err"
	status=$?
	grep -E -e "${head[only]}" "$work/raw" | normalise >"$work/out"
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

# The names of testsuite/library-names, and what aliases give: each variable is read as the type that it has.
use_names() {
	awk 'FNR == NR { absent[$1]; next }
		$1 == "alias" && !($2 in absent) {
			printf("probe %s {", $2)
			for (i = 3; i <= NF; i++)
				printf(sub(/:string$/, "", $i) ? " __text = %s . \"\"" : " __number = %s + 0", $i)
			print " }"
		}' "$tests/passes/absent-aliases.$series" "$tests/library-names" >"$work/names.stp"
	[ "$(wc -l <"$work/names.stp")" -gt 1400 ] &&
		"$STAP" -p2 -u -r "$1" "$work/names.stp" 2>"$work/err" >/dev/null && [ ! -s "$work/err" ] && return
	grep -v '^   ' "$work/err"
	return 1
}
keep_names() {
	sed -n "s/^$1 //p" "$tests/library-names" | sort >"$work/wanted"
	[ -s "$work/wanted" ] && sort | comm -13 - "$work/wanted" | tee "$work/lost"
	[ ! -s "$work/lost" ]
}
keep_functions() { "$STAP" --dump-functions -r $old_kernel | sed 's/[:( ].*//' | keep_names function; }
keep_macros() { sed -n 's/^@define \([A-Za-z_0-9]*\).*/@\1/p' "$SPILE_SRCDIR"/tapset/*.stpm | keep_names macro; }
# What is in the documentation and is not here says why.
refuse_names() {
	local kind name text wrong=0

	while read -r kind name; do
		text="probe $name {}"
		[ "$kind" = refused-function ] && text="probe begin { $name() }"
		"$STAP" -p2 -r $old_kernel -e "$text" >/dev/null 2>"$work/err" ||
			! grep -q "is not supported\( yet\)\?: " "$work/err" || continue
		echo "$name:" && cat "$work/err"
		wrong=1
	done < <(grep '^refused' "$tests/library-names")
	return $wrong
}

if [ -z "$SPILE_TESTS$SPILE_SHARE" ]; then
	check "the library has the functions that are documented" keep_functions
	check "the library has the macros that are documented" keep_macros
	check "what is refused of the library says why" refuse_names
	for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
		choose_release "$kernel"
		check "$release: every alias of the library is translated" translate_aliases "$release"
		compare "$release: aliases that stand for nothing there" "$tests/passes/absent-aliases.$series" \
			"$work/absent"
		check "$release: aliases give the variables that are documented" use_names "$release"
	done
fi
