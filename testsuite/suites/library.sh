# SPDX-License-Identifier: GPL-2.0-or-later
#
# Call every function of the library in every kind of probe, with hostile arguments; in a part, every fifth function.
# The kernel's log must be clean, and every probe must have run. Then do the same for a stapusr, with all functions and
# probes allowed for a stapusr: no kernel address may be printed. testsuite/library-calls writes the scripts. The tables
# of flags are compared with the headers of each kernel.

. "$(dirname "$0")/../lib.sh"
. "$tests/programs.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
program=$work/every-probe

# refused_functions OPTION...: print the functions that the options do not allow. Translate a script that calls each
# function on a line of its own, without the lines that had errors before, until no line has one.
refused_functions() {
	local lines edit
	awk -v alone=1 -f "$tests/library-calls" "$work/functions" >"$work/alone"
	cut -d ' ' -f 2- "$work/alone" >"$work/alone.stp"
	until "$STAP" -r "$release" -w -p2 "$@" "$work/alone.stp" >/dev/null 2>"$work/errors"; do
		lines=$(sed -nE 's/^ *at: .*alone\.stp:([0-9]+):.*/\1/p' "$work/errors" | sort -nu)
		[ -n "$lines" ] || return
		edit=$(printf '%sd\n' $lines)
		sed -n "${edit//d/p}" "$work/alone" | cut -d ' ' -f 1
		sed -i "$edit" "$work/alone" "$work/alone.stp"
	done | sort -u
}

# How often a program hits each probe, which then calls some of the functions.
[ -n "$SPILE_PART" ] && rounds=60 || rounds=400

# chosen_functions: print the prototypes of the library's functions; in a part, every tenth one.
chosen_functions() {
	"$STAP" --dump-functions | awk -v part="$SPILE_PART" -v turn="$turn" '!part || (NR + turn) % 10 == 0'
}

# write_script UNPRIVILEGED [OPTION...]: write $work/calls.stp with the functions that the options allow.
write_script() {
	chosen_functions >"$work/functions" && [ -s "$work/functions" ] || return
	awk -v program="$program" -v unprivileged="$1" -v left_out="$(refused_functions "${@:2}" | tr '\n' ' ')" \
		-f "$tests/library-calls" "$work/functions" >"$work/calls.stp"
}

build_module() {
	write_script "$2" "${@:3}" &&
		(cd "$work" && timeout 600 "$STAP" -r "$release" -u -w -p4 -m "$1" "${@:3}" calls.stp)
}

# in_guest COMMAND: run it in the guest.
in_guest() {
	timeout 300 "$STAP_VM" exec --socket "$work/$release" -- sh -c "cd $work; $1"
}

# ran_everywhere EXCEPT: has each kind of probe except this one called all functions?
ran_everywhere() {
	sed -n 's/^groups /all /p; s/^kind //p' "$work/out" >"$work/kinds"
	sed -nE 's/^probe .* (turn|turn_all|sweep)\("(.*)"\).*/\2/p' "$work/calls.stp" | grep -vx "$1" |
		awk 'NR == FNR { ran[$1] = $2; next }
			ran[$1] < ran["all"] || !ran["all"] { print $1 ": " ran[$1] + 0 }' \
			"$work/kinds" - >"$work/missing"
	grep -av '^WARNING' "$work/err" | tail -n 10
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}

all_functions() {
	check "$release: a script that calls every function of the library is translated" \
		build_module library_calls "" -DSTP_NO_OVERLOAD -DMAXACTION=10000000 -DMAXSKIPPED=100000000
	[ -e "$work/library_calls.ko" ] || return
	"$STAP_VM" exec --socket "$work/$release" --file "$staprun:/bin/staprun" --file "$program" \
		--file "$SPILE_BUILDDIR/stap-tables:/bin/stap-tables" --file "$work/library_calls.ko" \
		-- ifconfig lo 127.0.0.1 up
	in_guest "staprun -c '$program $((rounds / 20)) /proc/systemtap/library_calls/command' library_calls.ko" \
		>"$work/out" 2>"$work/err"
	check "$release: every function in every kind of probe" ran_everywhere error
	in_guest "staprun library_calls.ko fail=1" >"$work/out" 2>"$work/err"
	check "$release: every function in an error probe" grep -aq '^kind error' "$work/out"
	check_guest_log "$release" "after every function of the library"
}

# A function that is given no task fails: 0 does not mean the current task.
null_tasks() {
	sed -nE 's/^([a-z0-9_]+):[a-z]+ \(task:long(.*)\).*/\1 \2/p' "$work/functions" | sort -u |
		while read -r name more; do
			more=$(sed -E 's/[a-z_]+:long/1/g; s/[a-z_]+:string/"x"/g' <<<"$more")
			echo "try { println(\"$name\", \" \", $name(0$more)) } catch { count++ }"
		done >"$work/calls"
	{
		printf 'global count\nprobe oneshot {\n'
		cat "$work/calls"
		echo 'println(count) }'
	} >"$work/tasks.stp"
	(cd "$work" && "$STAP" -r "$release" -w -p4 -m library_tasks tasks.stp) || return
	"$STAP_VM" exec --socket "$work/$release" --file "$staprun:/bin/staprun" --file "$work/library_tasks.ko" \
		-- sh -c "cd $work; staprun library_tasks.ko 2>&1" >"$work/out"
	cat "$work/out"
	# With a name of a limit that does not exist, nothing is read.
	[ "$(grep -vx 'task_rlimit -1' "$work/out")" = "$(grep -vc '"task_rlimit"' "$work/calls")" ]
}

# Does the output contain a kernel address, as a number or in text? Ignore values computed only from the arguments that
# library-calls passes.
kernel_addresses() {
	tr -d '\000' <"$work/out" | grep -aE '\b(0x)?ffff[0-9a-f]{12}\b|\b184467[0-9]{14}\b|-[0-9]{9,15}\b' |
		grep -avE '(0x|\b)(fffffeedfac0000.|fffffffffffff000|f{16})\b|-11769091194'
}

no_address_of_the_kernel() {
	! kernel_addresses | sort | uniq -c | sort -rn | head -n 50 | grep .
}

# Install the module, so that the user may run it.
as_user='
	printf "root:x:0:0:root:/:/bin/sh\nme:x:1000:1000:me:/:/bin/sh\n" >/etc/passwd
	printf "root:x:0:\nme:x:1000:\nstapusr:x:803:me\n" >/etc/group
	installed=/lib/modules/$(uname -r)/systemtap
	mkdir -p $installed mine && cp library_unprivileged.ko $installed
	chmod 755 $installed && chmod 644 $installed/* && cp /bin/staprun run && chmod 4755 run && chown me mine'

unprivileged_functions() {
	check "$release: a script that calls every function for a stapusr is translated" \
		build_module library_unprivileged 1 --privilege=stapusr -DMAXACTION=10000 -DMAXSKIPPED=1000000
	[ -e "$work/library_unprivileged.ko" ] || return
	"$STAP_VM" exec --socket "$work/$release" --file "$staprun:/bin/staprun" --file "$program" \
		--file "$SPILE_BUILDDIR/stap-tables:/bin/stap-tables" --file "$work/library_unprivileged.ko" \
		-- sh -c "cd $work; $as_user"
	in_guest "su me -c 'cd mine && ../run -w -c \"$program $rounds\" library_unprivileged'" \
		>"$work/out" 2>"$work/err"
	check "$release: every function for a stapusr in every kind of probe" ran_everywhere error
	cat "$work/err" >>"$work/out"
	check "$release: a stapusr sees no address of the kernel" no_address_of_the_kernel
	in_guest "su me -c 'cd mine && ../run -w library_unprivileged fail=1'" >"$work/out" 2>&1
	check "$release: every function for a stapusr in an error probe" grep -aq '^kind error' "$work/out"
	check "$release: a stapusr sees no address of the kernel in an error probe" no_address_of_the_kernel
	check_guest_log "$release" "after every function for a stapusr"
}

# A refused module keeps no memory: a script of many arrays, each of the largest size allowed for a stapusr.
memory_of_stapusr() {
	local script='global a[65536], b[65536], c[65536]
		probe begin { a["x"] = "y"; b["x"] = a["x"]; c["x"] = b["x"]; println(c["x"]) exit() }'
	(cd "$work" && "$STAP" -r "$release" -p4 -m library_memory --privilege=stapusr -D MAXSTRINGLEN=4096 \
		-e "$script") || return
	"$STAP_VM" exec --socket "$work/$release" --file "$staprun:/bin/staprun" --file "$work/library_memory.ko" \
		-- sh -c "cd $work; staprun library_memory.ko 2>&1" >"$work/out"
	cat "$work/out"
	grep -q 'cannot load module library_memory: Cannot allocate memory' "$work/out" &&
		grep -q 'STP_MAXMEMORY allows [0-9]*$' "$work/out"
}

for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	choose_architecture "$(architecture_of "$release")" &&
		"${compile[@]}" -g -O2 -pthread -o "$program" "$tests/programs/every-probe.c" || exit
	staprun=$(guest_program "$release" staprun)
	check "$release: the names of flags are those of the kernel's headers" \
		"$tests/flag-names" "$("$STAP_VM" path "$release")" "${architecture/amd64/x86}"
	# In real time, a busy host makes handlers look slow, and a stapusr's script ends for its overhead.
	start_guest "$release" --virtual-time || continue
	all_functions
	unprivileged_functions
	check "$release: functions that are given no task fail" null_tasks
	check "$release: the memory of a stapusr's script is bounded" memory_of_stapusr
	stop_guest "$release"
done
