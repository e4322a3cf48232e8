# SPDX-License-Identifier: GPL-2.0-or-later
#
# A week's life, by counting: a script that counts as many events as the guest can make, and prints all the while to
# files that are switched, in the background. Nothing is lost, and neither the kernel nor staprun takes more memory in
# the end than after a quarter of the time. Once in all ways that there are to count, and once as quickly as can be.
# Each takes 20 seconds, or 5 in a part; SPILE_ENDURANCE_SECONDS=600 for longer.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
gcc -O2 -static -o "$work/hits" "$tests/programs/hits.c" || exit 1

# count RELEASE SCRIPT SECONDS CALLS: of the calls in a row (testsuite/staprun/long.sh).
count() {
	local module=stap_t_$2
	(cd "$work" && "$STAP" -r "$1" -DSTP_NO_OVERLOAD -s 8 -p4 -m "$module" "$tests/staprun/$2.stp") \
		>"$work/made" &&
		timeout $(($3 * 4 + 300)) "$STAP_VM" exec --socket "$work/$1" --file "$STAPRUN:/bin/staprun" \
			--file "$work/$module.ko:/t/$module.ko" --file "$work/hits:/t/hits" \
			--file "$tests/staprun/long.sh:/t/long.sh" -- sh /t/long.sh "$3" "$module" "$4" \
			>"$work/results" 2>&1
	check "$1: $2: $(sed -n 's/^events: //p' "$work/results"); memory stays" \
		eval 'cat "$work/results"; tail -n 1 "$work/results" | grep -qx ok'
	check_guest_log "$1" "after $2"
}

endure() {
	start_guest "$1" || return
	local seconds=${SPILE_ENDURANCE_SECONDS:-$([ -n "$SPILE_PART" ] && echo 5 || echo 20)}
	count "$1" long "$seconds" 50000
	count "$1" fast "$seconds" 1000000
	stop_guest "$1"
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	endure "$release"
done
