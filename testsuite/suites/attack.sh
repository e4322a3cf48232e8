# SPDX-License-Identifier: GPL-2.0-or-later
#
# Attacks of users without privileges on a staprun that is set-uid root, in a guest. The attacks are in
# testsuite/attack/guest.sh and testsuite/attack/attacker.c; the scripts are some of testsuite/staprun. Faults at the
# system calls of staprun (strace's injection), and the other attacks, are sampled with a fixed seed.
#
#     SPILE_SAMPLE   the number of faults for each kind of run; 0: all faults and all attacks, which takes hours
#     SPILE_SEED     the seed
#     SPILE_TESTS    a pattern of the checks to run

. "$(dirname "$0")/../lib.sh"

sample=3 share=8
[ -z "$SPILE_PART" ] || sample=1 share=192
[ -z "$SPILE_FULL" ] || sample=5 share=4
[ "$SPILE_SAMPLE" != 0 ] || share=1
sample=${SPILE_SAMPLE:-$sample}
# Run on one kernel only.
release=${SPILE_TEST_KERNELS:-$old_kernel}
release=${release%% *}
need_kernel "$release" || exit 0

make_modules() (
	cd "$work" || exit
	for script in hello wait timer watched stream begin_5mb globals files; do
		"$STAP" -p4 -r "$release" $no_overload -m "stap_t_$script" "$tests/staprun/$script.stp" || exit
	done
)

make_attacker() {
	gcc -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -o "$work/attacker" "$tests/attack/attacker.c"
}

run_attacks() {
	local files=() file
	for file in "$work"/stap_t_*.ko "$work/attacker"; do
		files+=("--file=$file:/t/$(basename "$file")")
	done
	left_out_checks "$tests/attack/guest.sh" 6 >"$work/left-out"
	files+=("--file=$work/left-out:/t/left-out"
		"--file=$tests/attack/guest.sh:/t/guest.sh" "--file=$tests/guest-tools.sh:/t/tools.sh"
		"--file=$STAPRUN:/bin/staprun"
		"--file=$SPILE_BUILDDIR/stap-monitor:/bin/stap-monitor" "--file=$(command -v strace):/bin/strace"
		"--file=$(command -v flock):/bin/flock")
	timeout "$([ "$sample" -eq 0 ] && echo 14400 || echo 2400)" "$STAP_VM" exec --socket "$work/$release" \
		"${files[@]}" -- sh /t/guest.sh "$release" "$sample" "$share" "${SPILE_SEED:-18}" \
		"${SPILE_TESTS:-*}" >"$work/results" 2>&1
	grep -E '^(ok|FAIL|    )' "$work/results"
	# The last line shows that no check was missed.
	check "$release: the attacks run to their end ($(grep '^[0-9]* attacks' "$work/results"))" \
		grep -qx "the attacks are over" "$work/results"
}

if ! command -v strace >/dev/null; then
	echo "strace is missing: apt-get install strace" | fail "strace"
	exit 0
fi
check "the attacker is built" make_attacker
check "$release: the modules are made" make_modules
cleanup() {
	"$STAP_VM" stop --socket "$work/$release" 2>/dev/null
}
start_guest "$release" --modules loop || exit 0
run_attacks
check_guest_log "$release" "after all attacks"
stop_guest "$release"
