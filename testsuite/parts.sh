# SPDX-License-Identifier: GPL-2.0-or-later
# Which tests are in a part (SPILE_PART); for testsuite/run and its suites.

# name_hash NAME: set $hash to a number that depends only on the name.
name_hash() {
	local i code
	hash=5381
	for ((i = 0; i < ${#1}; i++)); do
		printf -v code %d "'${1:i:1}"
		hash=$(((hash * 33 + code) % 1000003))
	done
}

# is_part NAME N: should the test run? In a part, one in N tests runs, selected by the hash of its name and by `turn` of
# testsuite/kernels. In `make check-full`, and in suites that were named, all run.
is_part() {
	local hash
	[ -z "$SPILE_PART" ] || [ "$2" -eq 1 ] && return
	name_hash "$1"
	[ $(((hash / 2 + turn) % $2)) -eq 0 ]
}

# is_kernels_part RELEASE NAME: should the script run on this kernel? In a part, it runs on one of the two kernels; on a
# third kernel, all run.
is_kernels_part() {
	local hash
	[ -n "$SPILE_PART" ] || return 0
	name_hash "$2"
	case $1 in
	"$old_kernel") [ $(((hash + turn) % 2)) -eq 0 ] ;;
	"$new_kernel") [ $(((hash + turn) % 2)) -eq 1 ] ;;
	esac
}

# is_suites_turn SUITE: is the suite in the part of this release? Some are only in that of every third release.
is_suites_turn() {
	[ "$1" != rt ] || SPILE_PART=1 is_part "$1" 3
}

# unit_programs: print the names of the programs with unit tests; in a part, those of every third one.
unit_programs() {
	local source name
	for source in "$SPILE_SRCDIR"/testsuite/unit/test-*.c; do
		name=$(basename "$source" .c)
		! is_part "unit-program/$name" 3 || echo "testsuite/unit/$name"
	done
}

# left_out_checks FILE N: print the names in the lines 'check "NAME" FUNCTION' of a guest's script that a part with one
# test in N leaves out.
left_out_checks() {
	local name
	[ -z "$SPILE_PART" ] || sed -n 's/^check "\(.*\)" .*/\1/p' "$1" | while IFS= read -r name; do
		is_part "$name" "$2" || echo "$name"
	done
}
