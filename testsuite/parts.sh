# SPDX-License-Identifier: GPL-2.0-or-later
# What of the tests is in a part (SPILE_PART), for testsuite/run and its suites.

# name_hash NAME: a number that depends on nothing else, into $hash.
name_hash() {
	local i code
	hash=5381
	for ((i = 0; i < ${#1}; i++)); do
		printf -v code %d "'${1:i:1}"
		hash=$(((hash * 33 + code) % 1000003))
	done
}

# is_part NAME OF: in a whole run without SPILE_FULL, one test in so many is run, by the hash of its name and by `turn`
# of testsuite/kernels. All are run in `make check-full`, and by a suite that is asked for by name.
is_part() {
	local hash
	[ -z "$SPILE_PART" ] || [ "$2" -eq 1 ] && return
	name_hash "$1"
	[ $(((hash / 2 + turn) % $2)) -eq 0 ]
}

# is_kernels_part RELEASE NAME: in such a run, a script runs on one of the two kernels: on this one? Always on a third.
is_kernels_part() {
	local hash
	[ -n "$SPILE_PART" ] || return 0
	name_hash "$2"
	case $1 in
	"$old_kernel") [ $(((hash + turn) % 2)) -eq 0 ] ;;
	"$new_kernel") [ $(((hash + turn) % 2)) -eq 1 ] ;;
	esac
}

# left_out_checks FILE OF: of the lines 'check "NAME" FUNCTION' in a guest's script, print the names that are in no part
# of which one in so many is.
left_out_checks() {
	local name
	[ -z "$SPILE_PART" ] || sed -n 's/^check "\(.*\)" .*/\1/p' "$1" | while IFS= read -r name; do
		is_part "$name" "$2" || echo "$name"
	done
}
