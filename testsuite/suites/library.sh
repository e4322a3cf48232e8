# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every function of the library in every kind of probe, with hostile arguments: the kernel's log is clean, and every
# probe ran. Then every function that a stapusr may use, in every kind of probe that a stapusr may use, as a user
# without privileges: nothing that is printed is an address of the kernel. testsuite/library-calls writes the scripts.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
program=$work/every-probe
gcc -g -O2 -pthread -o "$program" "$tests/programs/every-probe.c" || exit 1

# refused_functions OPTION...: those that the options do not allow.
refused_functions() {
	"$STAP" -r "$release" -p2 -w "$@" "$work/calls.stp" 2>&1 >/dev/null |
		sed -nE "s/^semantic error: function '([a-zA-Z0-9_]+)' may (not )?be .*/\1/p" | sort -u
}

# write_script UNPRIVILEGED [OPTION...]: $work/calls.stp, with the functions that the options allow. Each is named in an
# error, or what it calls.
write_script() {
	local left_out="" refused unprivileged=$1
	shift
	"$STAP" --dump-functions >"$work/functions" || return
	while
		awk -v program="$program" -v unprivileged="$unprivileged" -v left_out="$left_out" \
			-f "$tests/library-calls" "$work/functions" >"$work/calls.stp" || return
		refused=$(refused_functions "$@")
		[ -n "$refused" ]
	do
		left_out+=" "$(grep -oE "call.* ($(echo $refused | tr ' ' '|'))\(" "$work/calls.stp"; echo $refused)
	done
}

build_module() {
	write_script "$2" "${@:3}" &&
		(cd "$work" && timeout 600 "$STAP" -r "$release" -u -w -p4 -m "$1" -DSTP_NO_OVERLOAD \
			-DMAXACTION=10000000 -DMAXSKIPPED=100000000 "${@:3}" calls.stp)
}

# in_guest COMMAND
in_guest() {
	timeout 300 "$STAP_VM" exec --socket "$work/$release" -- sh -c "cd $work; $1"
}

# ran_everywhere KINDS: each kind of probe has called all functions.
ran_everywhere() {
	local groups
	groups=$(sed -n 's/^groups //p' "$work/out")
	sed -n 's/^kind //p' "$work/out" >"$work/kinds"
	tail -n 40 "$work/err"
	cat "$work/kinds"
	[ "${groups:-0}" -ge 2 ] && [ "$(wc -l <"$work/kinds")" -eq "$1" ] &&
		! awk -v groups="$groups" '$2 < groups' "$work/kinds" | grep .
}

# How many kinds of probes there are, but for end or error.
kinds() {
	grep -cE '^probe .* turn(_all)?\(' "$work/calls.stp"
}

all_functions() {
	check "$release: a script that calls every function of the library is translated" \
		build_module library_calls "" || return
	kinds=$(kinds)
	"$STAP_VM" exec --socket "$work/$release" --file "$STAPRUN:/bin/staprun" --file "$program" \
		--file "$SPILE_BUILDDIR/stap-tables:/bin/stap-tables" --file "$work/library_calls.ko" \
		-- ifconfig lo 127.0.0.1 up
	in_guest "staprun -c '$program 60 /proc/systemtap/library_calls/command' library_calls.ko" \
		>"$work/out" 2>"$work/err"
	check "$release: every function in every kind of probe" ran_everywhere $((kinds - 1))
	in_guest "staprun library_calls.ko fail=1" >"$work/out" 2>"$work/err"
	check "$release: every function in an error probe" grep -q '^kind error' "$work/out"
	check_guest_log "$release" "after every function of the library"
}

for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	start_guest "$release" || continue
	all_functions
	stop_guest "$release"
done
