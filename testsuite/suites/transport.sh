# SPDX-License-Identifier: GPL-2.0-or-later
#
# Transport of records to user space: none is lost, torn or out of order at full speed from four CPUs. A stopped reader
# loses some, and their count is exact. Also long and binary data, several scripts at once, bulk mode, and buffers that
# are read only when the script ends.

. "$(dirname "$0")/../lib.sh"
. "$tests/programs.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

in_guest() {
	"$STAP_VM" exec --socket "$work/$release" -- "$@"
}

stap() {
	timeout 300 "$STAP" "--remote=unix:$work/$release" -r "$release" "$@"
}

# Build the program for the kernel $release, and set $traced and $call to the function that it calls in the kernel and
# the number of the system call.
choose_calls() {
	choose_architecture "$(architecture_of "$release")" &&
		"${compile[@]}" -O2 -static -o "$work/hits" "$tests/programs/hits.c" || return
	case $architecture in
	amd64) traced=__do_sys_getppid call=110 ;;
	arm64) traced=__arm64_sys_getppid call=173 ;;
	esac
	# Each line is "CPU NUMBER CHECK". The numbers rise in the order of the hits on a CPU.
	lines='global n probe kernel.function("'$traced'") {
		if (execname() == "hits") { i = ++n; printf("%d %d %d\n", cpu(), i, i ^ 12345) }
	}'
}

# whole FILE: is each line complete, and do the numbers of each CPU rise? Print the number of lines.
whole() {
	awk 'NF != 3 || $0 !~ /^[0-3] [0-9]+ [0-9]+$/ { print "torn: " $0; exit 1 }
	     $2 <= last[$1] { print "out of order: " $0; exit 1 }
	     { last[$1] = $2 }
	     END { print NR }' "$1"
}

full_lines=200000
[ -z "$SPILE_PART" ] || full_lines=40000
# staprun writes to a file in the guest, because a reader that waits for the link to the host cannot keep up.
full_speed_once() {
	"$STAP_VM" exec --socket "$work/$release" --file "$work/spile_speed.ko:/tmp/spile_speed.ko" \
		--file "$(guest_program "$release" staprun):/bin/staprun" -- sh -c \
		'/bin/staprun -o /tmp/lines -c "/tmp/hits 4 $0" /tmp/spile_speed.ko >&2 && cat /tmp/lines' \
		$((full_lines / 4)) >"$work/lines" 2>"$work/err"
}

# On a busy host the reader may get too little of the guest's time to keep up. Then the loss must be exact, and the test
# is tried once more.
full_speed() {
	local got lost
	(cd "$work" && "$STAP" -r "$release" -w -DSTP_NO_OVERLOAD -p4 -m spile_speed -e "$lines") >"$work/err" 2>&1
	for _ in 1 2 3 4 5; do
		full_speed_once
		got=$(whole "$work/lines") && [ "$got" = $full_lines ] && [ ! -s "$work/err" ] && return
		echo "$got"
		cat "$work/err"
		lost=$(sed -n 's/^WARNING: There were \([0-9]*\) transport failures\.$/\1/p' "$work/err")
		[ -n "$lost" ] && [ $((got + lost)) -eq $full_lines ] || return
	done
	return 1
}

# Stop staprun's two processes while the program runs. Records that arrived and lost ones must add up to all.
stopped_reader() {
	local got lost
	stap -DSTP_NO_OVERLOAD -m spile_stopped -e "$lines" \
		-c 'sh -c "sleep 1; kill -STOP $(pidof staprun); /tmp/hits 4 100000
			kill -CONT $(pidof staprun); sleep 1"' >"$work/lines" 2>"$work/err"
	got=$(whole "$work/lines") || {
		echo "$got"
		return 1
	}
	lost=$(sed -n 's/^WARNING: There were \([0-9]*\) transport failures\.$/\1/p' "$work/err")
	echo "$got lines arrived, $lost are said to be lost"
	[ -n "$lost" ] && [ $((got + lost)) -eq 400000 ]
}

long_prints() {
	stap -DMAXSTRINGLEN=65536 -DMAXACTION_INTERRUPTIBLE=100000 -e 'probe begin {
		s = "0123456789abcdef"
		for (i = 0; i < 12; i++) s .= s
		for (i = 0; i < 5; i++) printf("%s|%d\n", s, strlen(s))
		exit()
	}' >"$work/long" 2>&1
	[ "$(tr -d '0-9a-f' <"$work/long")" = "$(printf '|\n|\n|\n|\n|\n')" ] &&
		[ "$(grep -c '^\(0123456789abcdef\)*|6553[56]$' "$work/long")" = 5 ] || cut -c 1-200 "$work/long"
	[ "$(wc -c <"$work/long")" = "$((5 * (65535 + 7)))" ]
}

# Long lines from handlers on four CPUs at once, each in many records, are complete and in order per CPU.
long_prints_at_once() {
	stap -s 4 -DSTP_NO_OVERLOAD -DMAXSTRINGLEN=65500 -e 'global s, n
		probe begin { s = "0123456789abcdef"; for (i = 0; i < 12; i++) s .= s }
		probe kernel.function("'$traced'") {
			if (execname() == "hits") printf("%d %d %s|\n", cpu(), ++n, s)
		}
		probe timer.ms(1) { printf("9 %d 0123456789abcdef|\n", ++t) }
		global t' -c '/tmp/hits 4 12' >"$work/out" 2>"$work/err"
	[ ! -s "$work/err" ] || head "$work/err"
	[ ! -s "$work/err" ] && awk \
		'!/^[0-39] [0-9]+ (0123456789abcdef)*[0-9a-f]*\|$/ || ($1 < 4 && length($0) < 65490) {
			print "torn: " substr($0, 1, 80), length($0); exit 1 }
		$2 <= last[$1] { print "out of order: " $1 " " $2; exit 1 }
		{ last[$1] = $2; lines += $1 < 4 }
		END { if (lines != 48) { print lines " lines"; exit 1 } }' "$work/out"
}

binary_data() {
	stap -DMAXACTION=100000 -e 'probe begin {
		for (i = 0; i < 256; i++) printf("%1b", i)
		for (i = 0; i < 256; i++) printf("%4b%8b", i * 0x1010101, -i)
		exit()
	}' >"$work/binary"
	perl -e 'print pack("C*", 0..255); print pack("V", $_ * 0x1010101), pack("q<", -$_) for 0..255' |
		cmp - "$work/binary"
}

several_scripts() {
	local i failed=0
	for i in 1 2 3; do
		stap -w -e 'global n probe kernel.function("'$traced'") { if (execname() == "hits") n++ }
			probe procfs("go").read { } probe end { printf("%d\n", n) }' \
			-c 'sh -c "until [ -e /tmp/done ]; do sleep 0.1; done"' >"$work/several.$i" 2>&1 &
	done
	in_guest timeout 300 sh -c 'until [ $(ls /proc/systemtap/*/go 2>/dev/null | wc -l) = 3 ]; do sleep 0.1; done
		/tmp/hits 2 10000; touch /tmp/done'
	wait
	cat "$work"/several.*
	for i in 1 2 3; do
		[ "$(cat "$work/several.$i")" = 20000 ] || failed=1
	done
	return $failed
}

# The same lines through four files and stap-merge; then with one file missing, and with one damaged.
bulk() {
	rm -f "$work"/bulk_*
	stap -w -DSTP_NO_OVERLOAD -b -o "$work/bulk" -e "$lines" -c '/tmp/hits 4 10000' >"$work/out" 2>"$work/err" ||
		return
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || return
	[ "$(cd "$work" && echo bulk_*)" = "bulk_0 bulk_1 bulk_2 bulk_3" ] && ! in_guest sh -c 'ls /tmp/bulk*' ||
		return
	"$STAP_MERGE" "$work"/bulk_* >"$work/lines" && [ "$(whole "$work/lines")" = 40000 ] || return
	# Records are in the order of their numbers. Lines may be swapped between two CPUs.
	sort -n -k 2 "$work/lines" | cut -d ' ' -f 2 | uniq | wc -l | grep -qx 40000 || return
	"$STAP_MERGE" -v -o "$work/verbose" "$work"/bulk_* &&
		grep -qE '^\[([0-3]),[0-9]+,[0-9]+\]\1 ' "$work/verbose" || return
	"$STAP_MERGE" "$work"/bulk_[0-2] 2>&1 >/dev/null | grep -q 'WARNING: the files lack some records' ||
		return
	head -c -5 "$work/bulk_1" >"$work/torn"
	! "$STAP_MERGE" "$work/torn" >/dev/null 2>"$work/err" && grep -q 'the file is truncated' "$work/err"
}

# A known number of events, counted in every way. Raise the lock timeout, because an emulated CPU may stall for longer
# than the default.
counted() {
	stap -DSTP_NO_OVERLOAD -DMAXTRYLOCK=1000000 -e 'global n, a, m, r, e, list, t
		probe kernel.function("'$traced'") {
			if (execname() == "hits") { n++; a <<< 1; m[cpu(), execname()] <<< 1 }
		}
		probe kernel.function("'$traced'") { if (execname() == "hits") list[cpu()]++ }
		probe kernel.function("'$traced'").return { if (execname() == "hits") r++ }
		probe kernel.function("'$traced'").return { if (@entry(execname()) == "hits") e++ }
		probe kernel.trace("raw_syscalls:sys_enter") { if ($id == '$call' && execname() == "hits") t++ }
		probe end {
			foreach ([c, name] in m) sum += @count(m[c, name])
			foreach (c in list) locked += list[c]
			printf("%d %d %d %d %d %d %d\n", n, @count(a), sum, r, e, t, locked)
		}' -c '/tmp/hits 4 20000' >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	[ "$(cat "$work/out")" = "80000 80000 80000 80000 80000 80000 80000" ] && [ ! -s "$work/err" ]
}

# The handler calls the probed function three times in each of 4000 hits.
reentrancy() {
	stap -DSTP_NO_OVERLOAD -e 'global n, inner
		probe kernel.function("'$traced'") {
			if (execname() != "hits") next
			n <<< 1
			for (i = 0; i < 3; i++) if (symname(addr()) == "") error("no name")
		}
		probe kernel.function("sprint_symbol_no_offset") { inner <<< 1 }
		probe end { printf("%d %d\n", @count(n), @count(inner)) }' -c '/tmp/hits 4 1000' \
		>"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	[ "$(cat "$work/out")" = "4000 0" ] &&
		[ "$(cat "$work/err")" = "WARNING: Number of errors: 0, skipped probes: 12000
WARNING: Skipped due to reentrancy: 12000" ]
}

# One kretprobe instance for four processes, which all wait in the function before one of them may return.
missed_returns() {
	stap -DSTP_NO_OVERLOAD -e 'global seen
		probe kernel.function("ksys_read").return.maxactive(1) { if (execname() == "cat") seen++ }
		probe end { println(seen > 0) }' \
		-c 'for i in 1 2 3 4; do sleep 1000 | cat & done
			waiting() {
				grep -l pipe $(pidof cat | sed "s,[0-9][0-9]*,/proc/&/wchan,g") 2>/dev/null | wc -l
			}
			until [ "$(waiting)" = 4 ]; do sleep 0.1; done
			killall sleep
			wait' >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	grep -q '^WARNING: Skipped due to missed kretprobe: [1-9]' "$work/err"
}

# held POLICY: a program in D with this buffer policy. Each line is "CPU NUMBER"; the numbers of each CPU rise by one.
# Print how many lines of how many hits there are, and the lowest and the highest number of a CPU's first line.
held() {
	timeout 300 "$SPILE_BUILDDIR/spile-dtrace" "--remote=unix:$work/$release" -r "$release" -q -w \
		-x bufpolicy="$1" -x bufsize=1m -n 'int n[int];
		BEGIN { trace("begins\n"); }
		syscall::getppid:entry /execname == "hits"/ { printf("%d %d\n", cpu, ++n[cpu]); @ = count(); }
		END { printa("%@d hits\n", @); }' -c '/tmp/hits 4 50000' >"$work/lines" 2>"$work/err"
	[ ! -s "$work/err" ] || cat "$work/err"
	[ ! -s "$work/err" ] && awk '
		NR == 1 && $0 == "begins" || ended { next }
		$2 == "hits" { ended = 1; print NR - 2, $1, lowest, highest; next }
		!($1 in last) { lowest = !lowest || $2 < lowest ? $2 : lowest; highest = $2 > highest ? $2 : highest }
		NF != 2 || (($1 in last) && $2 != last[$1] + 1) { print "after " last[$1] ": " $0; bad = 1; exit }
		{ last[$1] = $2 }
		END { exit bad || !ended }' "$work/lines"
}

# Without a reader, the newest lines of each CPU are kept, without gaps, up to its last one.
held_ring() {
	local count hits lowest highest
	read -r count hits lowest highest < <(held ring)
	echo "$count of $hits from $lowest and $highest on"
	[ "$hits" = 200000 ] && [ "$count" -gt 10000 ] && [ "$count" -lt 200000 ] && [ "$highest" -gt 1 ]
}

# The oldest lines are kept, and the script ends. Handlers that ran at that moment have counted their hits.
held_fill() {
	local count hits lowest highest
	read -r count hits lowest highest < <(held fill)
	echo "$count of $hits from $lowest and $highest on"
	[ "$lowest" = 1 ] && [ "$highest" = 1 ] && [ "$count" -gt 10000 ] && [ $((hits - count)) -ge 1 ] &&
		[ $((hits - count)) -le 4 ]
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_calls || exit
	start_guest "$release" --smp 4 --file "$work/hits:/tmp/hits" || continue
	check_some 5 "$release: $full_lines lines at full speed from four CPUs" full_speed
	check_some 5 "$release: records that a stopped reader loses are counted" stopped_reader
	check "$release: lines of 64 KB" long_prints
	check_some 5 "$release: lines of 64 KB from four CPUs at once" long_prints_at_once
	check "$release: binary data" binary_data
	check_some 5 "$release: several scripts at once" several_scripts
	check "$release: a known number of events on four CPUs" counted
	check "$release: skipped hits in handlers are counted" reentrancy
	check "$release: missed returns are counted" missed_returns
	check "$release: bulk mode and stap-merge" bulk
	check "$release: a ring of output that is read at the end" held_ring
	check "$release: output that fills its buffer" held_fill
	check_guest_log "$release" "at the end"
	stop_guest "$release"
done
