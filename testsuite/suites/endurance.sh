# SPDX-License-Identifier: GPL-2.0-or-later
#
# As many events as in a week: a background script counts as many events as the guest can make, and prints all the time
# to files that are rotated. Nothing is lost, and neither the kernel nor staprun uses more memory at the end than after
# a quarter of the time. One run counts in all possible ways, another as fast as possible. Each takes 20 seconds, or 3
# in a part; use SPILE_ENDURANCE_SECONDS=600 for a long run.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
gcc -O2 -static -o "$work/hits" "$tests/programs/hits.c" || exit 1

# count RELEASE SCRIPT SECONDS CALLS: run testsuite/staprun/long.sh, with CALLS system calls in a row.
count() {
	local module=stap_t_$2
	(cd "$work" && "$STAP" -r "$1" -DSTP_NO_OVERLOAD -s 8 -p4 -m "$module" "$tests/staprun/$2.stp") \
		>"$work/made" &&
		timeout $(($3 * 4 + 300)) "$STAP_VM" exec --socket "$work/$1" --file "$STAPRUN:/bin/staprun" \
			--file "$work/$module.ko:/t/$module.ko" --file "$work/hits:/t/hits" \
			--file "$tests/staprun/long.sh:/t/long.sh" -- sh /t/long.sh "$3" "$module" "$4" \
			>"$work/results" 2>&1
	check "$1: $2: $(sed -n 's/^events: //p' "$work/results"); memory use is constant" \
		eval 'cat "$work/results"; tail -n 1 "$work/results" | grep -qx ok'
	check_guest_log "$1" "after $2"
}

endure() {
	start_guest "$1" || return
	local seconds=20 calls=50000
	[ -z "$SPILE_PART" ] || seconds=3 calls=12500
	count "$1" long "${SPILE_ENDURANCE_SECONDS:-$seconds}" $calls
	count "$1" fast "${SPILE_ENDURANCE_SECONDS:-$seconds}" $((calls * 20))
	stop_guest "$1"
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	endure "$release"
done
