# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-vm: all tests of guests on the old kernel, some on the new one, then fetching from a fake repository that can
# fail in every way. In the guest, each check runs a command that a user might type.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

socket=$work/guest
cleanup() {
	"$STAP_VM" stop --socket "$socket" 2>/dev/null
	[ -z "$small_disk" ] || umount "$small_disk"
	[ -z "$snapshot_disk" ] || umount "$snapshot_disk"
}

# expect STATUS COMMAND...: does the command exit with STATUS?
expect() {
	local wanted=$1 status
	shift
	"$@"
	status=$?
	[ $status -eq "$wanted" ] || { echo "exit status $status, not $wanted"; return 1; }
}

# refuses TEXT COMMAND...: does the command fail with a single error that contains TEXT?
refuses() {
	local text=$1 status
	shift
	"$@" >"$work/out" 2>"$work/err"
	status=$?
	cat "$work/out" "$work/err"
	[ $status -ne 0 ] && [ ! -s "$work/out" ] && [ "$(grep -c '^ERROR: ' "$work/err")" -eq 1 ] &&
		grep -qF -- "$text" "$work/err"
}

run() {
	"$STAP_VM" run -r "$release" --timeout 300 "$@"
}

in_guest() {
	"$STAP_VM" exec --socket "$socket" --timeout 900 "$@"
}

# Print the number of QEMU processes of this suite, which have its mark in their environment.
export SPILE_TEST_MARK=$work
guests() {
	local pid number=0
	for pid in $(pgrep qemu-system); do
		grep -qz "^SPILE_TEST_MARK=$work\$" "/proc/$pid/environ" 2>/dev/null && number=$((number + 1))
	done
	echo $number
}

# ---- one guest, one command

files_and_logs() {
	cp /usr/bin/env "$work/program"
	mkdir -p "$work/directory/inner" "$work/directory/empty"
	echo text >"$work/directory/inner/file"
	chmod 640 "$work/directory/inner/file"
	chmod 700 "$work/directory/inner"
	ln -s inner/file "$work/directory/link"
	(cd "$work" && run --file program --file /usr/bin/env:/opt/env --file directory:/srv/f \
		--console "$work/console" --dmesg "$work/dmesg" -- sh -c '
		echo "<2>marked by test" >/dev/kmsg
		./program printf "%s\n" "$1"; /opt/env --version | head -n 1
		stat -c "%a %F" /srv/f/inner /srv/f/inner/file /srv/f/link /srv/f/empty
		cat /srv/f/link; exit 42' sh 'a  b') \
		>"$work/out"
	echo $? >>"$work/out"
	cat >"$work/expected" <<END
a  b
$(env --version | head -n 1)
700 directory
640 regular file
777 symbolic link
755 directory
text
42
END
	diff "$work/expected" "$work/out"
}

console_and_log() {
	grep -q 'marked by test' "$work/console" && grep -q 'Linux version' "$work/dmesg" &&
		grep -q 'marked by test' "$work/dmesg"
}

# Modules by name; by path, compressed and with their dependencies.
modules() {
	local fixture=$work/fixture-$release dummy
	build_fixture "$release" "$fixture" || return
	xz "$fixture/spile_fixture.ko"
	dummy=$(find "$("$STAP_VM" path "$release")/lib/modules" -name 'dummy.ko*' | head -n 1)
	{ xz -dc "$dummy" 2>/dev/null || cat "$dummy"; } | zstd -q -f -o "$work/dummy.ko.zst"
	run --smp 1 --mem 512M --modules "loop,$fixture/spile_fixture.ko.xz,$work/dummy.ko.zst" -- \
		sh -c 'echo 1 >/sys/kernel/debug/spile_fixture/run && nproc && cut -d" " -f1 /proc/modules' >"$work/out"
	cat "$work/out"
	[ "$(head -n 1 "$work/out")" = 1 ] && [ "$(grep -cxE 'loop|spile_fixture|dummy' "$work/out")" -eq 3 ]
}

# Files of a command are downloaded to the host and written nowhere else; a name with ".." is refused.
downloads() {
	run --download "/tmp/made-:$work/got-" -- sh -c 'mkdir /tmp/made-directory && echo 1 >/tmp/made-1 &&
		head -c 3000000 /dev/zero >"/tmp/made-2 more"; exit 3' >"$work/out" 2>&1
	[ $? = 3 ] && [ ! -s "$work/out" ] && [ "$(cat "$work/got-1")" = 1 ] &&
		[ "$(stat -c %s "$work/got-2 more")" = 3000000 ] && [ "$(ls "$work" | grep -c '^got-')" = 2 ] &&
		expect 125 run --download "/tmp/none:$work/got" -- true 2>"$work/err" &&
		grep -q 'no files match /tmp/none\* in the guest' "$work/err" &&
		expect 125 run --download "/etc/pass:/no/directory/" -- sh -c 'echo x >/etc/password' 2>"$work/err" &&
		grep -q 'cannot write /no/directory/w' "$work/err" &&
		expect 125 run --download "/tmp/full:/dev/full" -- sh -c 'echo x >/tmp/full' 2>"$work/err" &&
		grep -q 'cannot write the output: No space left on device' "$work/err"
}

# The output of a hostile guest is limited: its "cat" prints other content, and it claims to have other files.
hostile_downloads() {
	expect 125 run --download "/tmp/x:$work/hostile-" -- sh -c \
		'truncate -s 3G /tmp/x1' 2>"$work/err" && grep -q 'larger than its memory' "$work/err" &&
		expect 125 run --download "/tmp/x:$work/hostile-" -- sh -c \
			'echo 12345 >/tmp/x1; rm /bin/cat; printf "#!/bin/sh\nexec yes\n" >/bin/cat
			chmod 755 /bin/cat' 2>"$work/err" && grep -q 'sends more than the 6 bytes' "$work/err" &&
		[ "$(stat -c %s "$work/hostile-1")" -lt 10000000 ] &&
		expect 125 run --download "/tmp/x:$work/hostile-" -- sh -c \
			'touch "$(printf "/tmp/x\033[2J")"' 2>"$work/err" &&
		grep -qF "invalid file name '\\033[2J'" "$work/err"
}

# Output that cannot be written is an error, and so are closed standard streams, at once and without harm.
lost_output() {
	local command status
	for command in "run -r $release -- echo x" list --help --version; do
		for stream in '>/dev/full' '>&-'; do
			eval "\"$STAP_VM\" $command $stream" 2>"$work/err"
			status=$?
			[ $status -ne 0 ] && grep -q 'cannot write the output: ' "$work/err" ||
				{ echo "$command $stream: $status"; cat "$work/err"; return 1; }
		done
		for stream in '<&-' '2>&-' '<&- 2>&-'; do
			[ -n "$(eval "\"$STAP_VM\" $command $stream")" ] ||
				{ echo "$command $stream: nothing"; return 1; }
		done
	done
}

# The same through stap, in a guest that was started before.
lost_output_of_stap() {
	local command="timeout 60 '$STAP' --remote='unix:$socket' -r '$release' -e 'probe oneshot { println(\"x\") }'"
	for stream in '>/dev/full' '>&-' '-o /dev/full'; do
		! eval "$command $stream" >"$work/out" 2>"$work/err" &&
			grep -q '^ERROR: cannot write the output: ' "$work/err" || { cat "$work/err"; return 1; }
	done
	for stream in '<&-' '2>&-' '<&- 2>&-'; do
		[ "$(eval "$command $stream")" = x ] || { echo "$stream: no output"; return 1; }
	done
}

panic() {
	expect 125 run -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60' 2>"$work/panic" &&
		grep -q 'kernel panicked' "$work/panic" && grep -q 'sysrq: Trigger a crash' "$work/panic"
}

# The first oops is reported even if a hundred lines follow it.
old_oops() {
	expect 125 run -- sh -c 'echo "<3>BUG: the first" >/dev/kmsg; echo "<3>a detail of it" >/dev/kmsg; i=0
		while [ $i -lt 100 ]; do echo "<3>line $i" >/dev/kmsg; i=$((i + 1)); done
		echo c >/proc/sysrq-trigger; sleep 60' 2>"$work/panic" &&
		grep -q 'BUG: the first' "$work/panic" && grep -q 'a detail of it' "$work/panic" &&
		grep -qx '\[\.\.\.\]' "$work/panic" && grep -q 'kernel panicked' "$work/panic" &&
		grep -q 'Kernel Offset: ' "$work/panic" && [ "$(wc -l <"$work/panic")" -lt 70 ]
}

# After a bug that the kernel survives, success becomes a failure, and the log can still be read.
survived_bug() {
	expect 125 run --dmesg "$work/dmesg" -- sh -c 'echo "<3>BUG: made up" >/dev/kmsg; sleep 1; echo done' \
		>"$work/out" 2>"$work/bug" &&
		cat "$work/bug" && [ "$(cat "$work/out")" = done ] &&
		grep -q 'exit status 0.*reported a bug' "$work/bug" &&
		grep -q 'made up' "$work/bug" && grep -q 'made up' "$work/dmesg"
}

hang() {
	local start=$SECONDS
	expect 125 "$STAP_VM" run -r "$release" --timeout 8 -- sleep 1000 2>"$work/hang" &&
		grep -q 'no answer' "$work/hang" && [ $((SECONDS - start)) -lt 20 ]
}

# Ctrl-C: the command's trap runs, its last output arrives, and its status is stap-vm's.
interrupt() {
	local pid
	: >"$work/interrupt"
	run -- sh -c 'trap "echo caught; exit 7" INT; echo up; while :; do sleep 0.2; done' >"$work/interrupt" &
	pid=$!
	for _ in $(seq 300); do
		grep -q up "$work/interrupt" && break
		sleep 0.1
	done
	kill -INT "$(pgrep -P $pid stap-vm || echo $pid)"
	expect 7 wait $pid && grep -q caught "$work/interrupt"
}

killed() {
	local pid
	"$STAP_VM" run -r "$release" -- sleep 1000 &
	pid=$!
	for _ in $(seq 50); do
		[ "$(guests)" -gt 0 ] && break
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid
	sleep 1
	[ "$(guests)" -eq 0 ]
}

no_qemu() {
	mkdir -p "$work/bin"
	refuses 'QEMU is not installed' env PATH="$work/bin" "$STAP_VM" run -r "$release" -- true &&
		grep -q 'apt-get install qemu-system-x86' "$work/err"
}

gone() {
	! kill -0 "$1" 2>/dev/null
}

# ended STATUS PID: does a background job end with this status?
ended() {
	within 90 gone "$2" || { kill -KILL "$2"; return 1; }
	expect "$1" wait "$2"
}

# begin COMMAND...: start it in the background as $job, and wait until it has printed "up".
begin() {
	: >"$work/hung"
	"$@" >"$work/hung" 2>"$work/hung.err" &
	job=$!
	within 120 grep -q up "$work/hung" || cat "$work/hung.err"
}

# Print the process id of the QEMU of the guest at $socket.
guest_qemu() {
	pgrep -P "$(cat "$socket.pid")" qemu-system
}

# A stopped QEMU does not answer, like a guest whose kernel hangs. One signal must end a command that waits for it.
hung_run() {
	local hub
	begin "$STAP_VM" run -r "$release" -- sh -c 'echo up; exec sleep 1000' || return
	hub=$(pgrep -P $job stap-vm)
	kill -STOP "$(pgrep -P "$hub" qemu-system)" && kill -TERM $job && ended 125 $job &&
		grep -q 'ERROR: the guest does not answer' "$work/hung.err" && gone "$hub"
}

hung_exec() {
	begin "$STAP_VM" exec --socket "$socket" -- sh -c 'echo up; exec sleep 1000' || return
	kill -STOP "$(guest_qemu)" && kill -TERM $job && ended 125 $job &&
		grep -q 'ERROR: the guest does not answer' "$work/hung.err" && kill -CONT "$(guest_qemu)" &&
		in_guest -- true
}

# stap gets the signal through timeout(1), as in scripts, so it arrives two or three times at once.
hung_script() {
	local status
	begin timeout 1000 "$STAP" --remote="unix:$socket" -r "$release" -e 'probe begin { println("up") }' || return
	kill -STOP "$(guest_qemu)" && kill -TERM $job && within 90 gone $job
	wait $job
	status=$?
	cat "$work/hung.err"
	[ $status -ne 0 ] && within 90 grep -q 'ERROR: the guest does not answer' "$work/hung.err" &&
		kill -CONT "$(guest_qemu)" && in_guest -- true
}

# The second signal ends the wait at once. One arrives per second here, and ten seconds are half of the full wait.
second_signal() {
	local signals
	begin "$STAP_VM" exec --socket "$socket" -- sh -c 'echo up; exec sleep 1000' || return
	kill -STOP "$(guest_qemu)"
	for ((signals = 0; signals < 10; signals++)); do
		kill -INT $job 2>/dev/null || break
		sleep 1
	done
	ended 125 $job && echo "$signals signals" && [ $signals -lt 10 ] &&
		grep -q 'ERROR: the guest does not answer' "$work/hung.err" && kill -CONT "$(guest_qemu)" &&
		in_guest -- true
}

# A signal during the upload of files ends it, and the command is not run.
early_signal() {
	echo late >"$work/late"
	kill -STOP "$(guest_qemu)"
	"$STAP_VM" exec --socket "$socket" --file "$work/late:/late" -- touch /was-run 2>"$work/hung.err" &
	job=$!
	sleep 1
	kill -TERM $job
	sleep 0.5
	kill -CONT "$(guest_qemu)"
	ended 143 $job && ! in_guest -- test -e /was-run
}

# on_terminal COLUMNS COMMAND: run it on a terminal, whose contents go to $work/typescript, and its PID to $work/pid.
on_terminal() {
	rm -f "$work/pid" "$work/typescript"
	TERM=xterm script -qefc "stty cols $1; echo \$\$ >$work/pid; exec $2" "$work/typescript" >/dev/null </dev/null
}

# is_erased: was each line of progress erased, the last one, too?
is_erased() {
	[ "$(grep -o ' …' "$work/typescript" | wc -l)" -le "$(grep -o $'\r\033\[K' "$work/typescript" | wc -l)" ] &&
		! sed 's/.*\x1b\[K//' "$work/typescript" | grep '…'
}

# In the guest, the end of the upload compares the file with a pipe that has no writer for two seconds, and the program
# that sends the file back is slow.
slow_copies='
	mkfifo /tmp/copied && { (sleep 2; echo >/tmp/copied) </dev/null >/dev/null 2>&1 & }
	rm -f /bin/cat && printf "#!/bin/sh\nsleep 2\nexec busybox cat \"\$@\"\n" >/bin/cat && chmod +x /bin/cat'
shown_copies() {
	echo data >"$work/copied"
	in_guest -- sh -c "$slow_copies" && on_terminal 200 "$STAP_VM exec --socket $socket \
		--file $work/copied:/tmp/copied --download /tmp/copied:$work/back -- echo done" || return
	in_guest -- ln -sf busybox /bin/cat && cmp "$work/copied" "$work/back" && is_erased &&
		grep -q 'copying /tmp/copied to the guest: .* of .*bytes …' "$work/typescript" &&
		grep -q 'copying /tmp/copied from the guest: 0.bytes of 5.bytes …' "$work/typescript" &&
		grep -q done "$work/typescript"
}

# The module does not answer before its begin probes have run.
shown_arming() {
	local slow="probe begin { mdelay(2500); println(1) } probe timer.ms(10) { println(2); exit() }"
	on_terminal 200 "$STAP -g --remote=unix:$socket -e '$slow'" && is_erased &&
		grep -qP 'arming the probes …(\r\x1b\[K)+1' "$work/typescript" || return
	(cd "$work" && on_terminal 200 "$STAP -g --format=json -p4 -r $release -m none -e '$slow'") &&
		! grep '…' "$work/typescript"
}

# A command may end late after a signal, as long as the guest answers.
slow_end() {
	begin "$STAP_VM" exec --socket "$socket" -- sh -c 'trap : TERM; echo up; sleep 30; sleep 1; exit 9' || return
	kill -TERM $job && ended 9 $job
}

hung_time_out() {
	begin "$STAP_VM" exec --socket "$socket" --timeout 20 -- sh -c 'echo up; exec sleep 1000' || return
	kill -STOP "$(guest_qemu)" && ended 125 $job && grep -q 'ERROR: no answer from the guest' "$work/hung.err" &&
		kill -CONT "$(guest_qemu)" && in_guest -- true
}

# The time limit holds even if output never ends.
flood_time_out() {
	begin "$STAP_VM" exec --socket "$socket" --timeout 5 -- yes up || return
	ended 125 $job && grep -q 'ERROR: no answer from the guest' "$work/hung.err"
}

killed_qemu() {
	local hub
	hub=$(cat "$socket.pid")
	begin "$STAP_VM" exec --socket "$socket" -- sh -c 'echo up; exec sleep 1000' || return
	kill -KILL "$(guest_qemu)" && ended 125 $job && grep -q 'ERROR: the guest ended' "$work/hung.err" &&
		within 60 test ! -e "$socket" && within 60 test ! -e "$socket.pid" && within 60 gone "$hub" &&
		expect 125 in_guest -- true 2>"$work/err" && grep -q 'no guest at' "$work/err"
}

# A kernel that is not in the cache is searched among installed kernels.
installed_kernel() {
	local directory
	directory=$("$STAP_VM" path "$release") || return
	directory=$(SPILE_CACHE=$work/none bwrap --dev-bind / / --ro-bind "$directory/boot" /boot \
		"$STAP_VM" path "$release")
	[ "$directory" = / ]
}

# A name that is both a release and a short form of others selects that release.
names_of_kernels() {
	local kernels=$work/names/kernels name wanted

	for name in 7.3-cloud-amd64 7.3.4+deb13-cloud-amd64 7.3~rc2-cloud-amd64 6.12.118+deb13-amd64 \
		6.12.9-rt-amd64 6.12.117-rt-amd64; do
		mkdir -p "$kernels/$name/boot" && touch "$kernels/$name/boot/vmlinuz-$name" || return
	done
	while read -r name wanted; do
		[ "$(SPILE_CACHE=$work/names "$STAP_VM" path "$name")" = "$kernels/$wanted" ] ||
			{ echo "$name is not $wanted" && return 1; }
	done <<-END
		7.3 7.3.4+deb13-cloud-amd64
		7.3-cloud 7.3.4+deb13-cloud-amd64
		7.3-cloud-amd64 7.3-cloud-amd64
		7.3~rc2-cloud-amd64 7.3~rc2-cloud-amd64
		6.12-amd64 6.12.118+deb13-amd64
		6.12-rt 6.12.117-rt-amd64
		6.12-rt-amd64 6.12.117-rt-amd64
	END
	rm -r "$kernels/7.3.4+deb13-cloud-amd64" &&
		[ "$(SPILE_CACHE=$work/names "$STAP_VM" path 7.3)" = "$kernels/7.3-cloud-amd64" ]
}

wrong_usage() {
	refuses 'no kernel 9.9.9-none' run -r 9.9.9-none -- true &&
		refuses 'no kernel 9.9.9-none' "$STAP_VM" path 9.9.9-none &&
		refuses 'has no module no-such-module' run --modules no-such-module -- true &&
		refuses 'is not a kernel module' run --modules /bin/sh -- true &&
		refuses 'No such file' run --file "$work/none" -- true &&
		expect 2 "$STAP_VM" run -- true && expect 2 "$STAP_VM" run -r 6.1 --smp none -- true &&
		expect 2 "$STAP_VM" start -r 6.1 && expect 2 "$STAP_VM" list -v 2>"$work/err" &&
		grep -q "'verbose' is not an option of stap-vm list" "$work/err"
}

wrong_socket() {
	local long=$work/$(printf '%0100d' 0)
	echo precious >"$work/plain"
	refuses 'is not a socket' "$STAP_VM" start -r "$release" --socket "$work/plain" &&
		grep -q precious "$work/plain" &&
		refuses 'too long' "$STAP_VM" start -r "$release" --socket "$long" &&
		refuses 'too long' "$STAP_VM" exec --socket "$long" -- true &&
		refuses 'no guest at' "$STAP_VM" exec --socket "$work/none" -- true
}

# ---- a guest that stays up

start_guest() {
	"$STAP_VM" start -r "$release" --socket "$socket" --timeout 300 && [ "$(stat -c %a "$socket")" = 600 ] &&
		kill -0 "$(cat "$socket.pid")"
}

one_after_the_other() {
	in_guest -- sh -c 'echo kept >/tmp/state' && [ "$(in_guest -- cat /tmp/state)" = kept ] &&
		expect 127 in_guest -- no-such-command
}

# QEMU must restore the CPU's flags after an interrupt; wrong flags crash the kernel now and then.
true_flags() {
	gcc -O2 -static -mno-red-zone -o "$work/kept-flags" "$tests/programs/kept-flags.c" &&
		in_guest --file "$work/kept-flags:/tmp/kept-flags" -- /tmp/kept-flags | grep -xE '242|none'
}

five_megabytes() {
	head -c 5000000 /dev/urandom >"$work/data"
	in_guest -- sh -c 'cat >/tmp/data' <"$work/data" && in_guest -- cat /tmp/data | cmp - "$work/data"
}

separate_streams() {
	in_guest -- sh -c 'echo out; echo err >&2' >"$work/out" 2>"$work/err" &&
		[ "$(cat "$work/out")" = out ] && [ "$(cat "$work/err")" = err ]
}

side_by_side() {
	local slow
	in_guest -- sh -c 'for try in $(seq 600); do [ ! -e /quick ] || exec rm /quick; sleep 0.1; done; exit 1' &
	slow=$!
	in_guest -- touch /quick && wait $slow
}

early_reader_end() {
	[ "$(in_guest -- yes 2>/dev/null | head -n 1)" = y ]
}

left_behind() {
	in_guest -- sh -c 'sleep 1000 & echo started' | grep -q started
}

uploaded_file() {
	echo data >"$work/file"
	[ "$(in_guest --file "$work/file:/deep/in/file" -- cat /deep/in/file)" = data ] &&
		in_guest --file /usr/bin/env:/opt/env -- /opt/env --version | grep -q coreutils
}

# No packed file is run on the host, not even its dynamic loader; libraries are still found.
hostile_loader() {
	printf '#!/bin/sh\ntouch %s\nexec /lib64/ld-linux-x86-64.so.2 "$@"\n' "$work/ran" >"$work/loader"
	chmod +x "$work/loader"
	echo 'int main(void) { return 0; }' | gcc -xc - -o "$work/hostile" "-Wl,--dynamic-linker,$work/loader" &&
		in_guest --file "$work/hostile:/hostile" -- test -x /hostile && [ ! -e "$work/ran" ]
}
own_library() {
	mkdir -p "$work/own" && echo 'int seven(void) { return 7; }' |
		gcc -xc - -shared -fPIC -Wl,-soname,libseven.so.1 -o "$work/own/libseven.so.1.2" &&
		ln -sf libseven.so.1.2 "$work/own/libseven.so.1" &&
		echo 'int seven(void); int main(void) { return seven(); }' |
		gcc -xc - -xnone -o "$work/seven" "$work/own/libseven.so.1.2" "-Wl,-rpath,\$ORIGIN/own" || return
	in_guest --file "$work/seven" -- "$work/seven"
	[ $? -eq 7 ]
}
# The hub disconnects a client that violates the protocol and frees what it sent. Others are served.
hub_memory() {
	awk '/^VmHWM/ { print $2 }' "/proc/$(cat "$socket.pid")/status"
}
hostile_clients() {
	local before
	before=$(hub_memory)
	gcc -O2 -I"$SPILE_SRCDIR" -o "$work/hostile-client" "$tests/programs/hostile-client.c" || return
	timeout 900 "$work/hostile-client" flood "$socket" && timeout 900 "$work/hostile-client" orders "$socket" &&
		timeout 900 "$work/hostile-client" complain "$socket" && in_guest -- true &&
		[ "$(hub_memory)" -lt $((before + 30000)) ]
}
busy_console() {
	local before
	before=$(hub_memory)
	in_guest -- sh -c 'yes x | tr -d "\n" >/dev/console & sleep 3; kill $!; wait; echo served' | grep -q served &&
		[ "$(hub_memory)" -lt $((before + 30000)) ]
}
foreign_listener() {
	local listener directory status
	directory=$(mktemp -d /tmp/spile-foreign-XXXXXX) && cp "$work/hostile-client" "$directory" &&
		chmod 777 "$directory" || return
	setpriv --reuid 65534 --clear-groups "$directory/hostile-client" listen "$directory/socket" &
	listener=$!
	within 10 test -e "$directory/socket" && ! "$STAP_VM" exec --socket "$directory/socket" -- true 2>"$work/err" &&
		grep -q "another user (65534) is listening at $directory/socket" "$work/err"
	status=$?
	kill $listener 2>/dev/null
	rm -r "$directory"
	return $status
}
# Files that the guest has are not copied again; files that changed, or that it lacks, are.
uploaded_again() {
	echo one >"$work/again" && in_guest --file "$work/again:/again" -- stat -c %i /again >"$work/inode" &&
		[ "$(in_guest --file "$work/again:/again" -- stat -c %i /again)" = "$(cat "$work/inode")" ] &&
		in_guest -- sh -c 'sleep 1.1; echo changed >/again' &&
		[ "$(in_guest --file "$work/again:/again" -- cat /again)" = one ] && in_guest -- rm /again &&
		[ "$(in_guest --file "$work/again:/again" -- cat /again)" = one ] && echo two >"$work/again" &&
		[ "$(in_guest --file "$work/again:/again" -- cat /again)" = two ] && echo one >"$work/again" &&
		[ "$(in_guest --file "$work/again:/again" -- cat /again)" = one ] && echo three >"$work/other" &&
		[ "$(in_guest --file "$work/other:/again" -- cat /again)" = three ] &&
		[ "$(in_guest --file "$work/again:/again" -- cat /again)" = one ]
}

exec_time_out() {
	expect 125 "$STAP_VM" exec --socket "$socket" --timeout 2 -- sleep 1000 2>"$work/err" && in_guest -- true &&
		! in_guest -- pgrep -f 'sleep 1000$' -x
}

# A failing command keeps its status; a later command is not blamed for the bug.
bug_between() {
	expect 3 in_guest -- sh -c 'echo "<4>WARNING: made up" >/dev/kmsg; exit 3' 2>"$work/bug" &&
		grep -q 'made up' "$work/bug" &&
		in_guest -- true
}

guest_log() {
	"$STAP_VM" dmesg --socket "$socket" | grep -q 'Linux version'
}

second_start() {
	refuses 'already running' "$STAP_VM" start -r "$release" --socket "$socket"
}

dead_guest() {
	expect 125 in_guest -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60' 2>"$work/first" &&
		grep -q 'Trigger a crash' "$work/first" && expect 125 in_guest -- true 2>"$work/second" &&
		grep -q 'Trigger a crash' "$work/second"
}

stop_guest() {
	"$STAP_VM" stop --socket "$socket" && [ ! -e "$socket" ] && [ ! -e "$socket.pid" ] &&
		expect 125 in_guest -- true
}

nothing_left() {
	[ "$(guests)" -eq 0 ]
}

release=$old_kernel
check "wrong usage ends in one error" wrong_usage
check "short forms select the newest release, and full names the release" names_of_kernels
check "an unusable socket path is refused and left unchanged" wrong_socket
check "without QEMU, the hint names its package" no_qemu
check_some 3 "arguments, files, directories and modes arrive, and the status is returned" files_and_logs
check_some 3 "--console and --dmesg write the console and the kernel's log" console_and_log
check_some 3 "--modules loads modules by name and by path, compressed ones too" modules
check_some 3 "--download copies files of the guest to the host" downloads
check_some 3 "--download from a hostile guest" hostile_downloads
check_some 3 "output that cannot be written, and closed streams" lost_output
check_some 3 "a panic gives 125 and the console's last lines" panic
check_some 3 "the first oops is reported even if many lines follow" old_oops
check_some 3 "a bug that the guest survives is reported and makes success a failure" survived_bug
check_some 40 "a time-out ends a hung guest with 125" hang
check_some 3 "SIGINT reaches the guest's command, which ends cleanly" interrupt
check_some 3 "no QEMU outlives a killed stap-vm" killed
check_some 24 "a signal ends stap-vm run of a hung guest" hung_run
check "start leaves a guest behind a private socket" start_guest
check "exec after exec sees the same guest" one_after_the_other
check "interrupts do not change the flags of the guest's CPU" true_flags
check_some 3 "standard input and output carry 5 MB of any bytes" five_megabytes
check "standard error stays apart from standard output" separate_streams
check_some 3 "stap whose output cannot be written, and whose streams are closed" lost_output_of_stap
check "two commands run in parallel" side_by_side
check "a reader that stops early stops the command" early_reader_end
check "a background child does not delay the end of a command" left_behind
check_some 3 "exec --file copies files and programs" uploaded_file
check "packed files are not run on the host" hostile_loader
check_some 3 "libraries beside the program are copied, too" own_library
check "exec --file copies only what the guest lacks" uploaded_again
check "clients that violate the protocol are disconnected" hostile_clients
check_some 40 "a console without newlines does not block clients" busy_console
if [ "$(id -u)" -eq 0 ]; then
	check "a socket at which another user listens is not trusted" foreign_listener
else
	skip "a socket at which another user listens" "only root can be another user"
fi
check "exec --timeout kills the command, not the guest" exec_time_out
check "a warning of the kernel is reported to the command that ran, not to the next" bug_between
check "dmesg prints the guest's kernel log" guest_log
check_some 24 "a signal ends exec in a hung guest" hung_exec
check_some 24 "a signal ends stap with a hung guest" hung_script
check "a signal during an upload ends exec" early_signal
check_some 24 "a terminal shows how much of a file has been copied" shown_copies
check_some 24 "a terminal shows that probes are being armed" shown_arming
check_some 40 "a second signal ends exec in a hung guest at once" second_signal
check_some 24 "exec waits for a command that ends late after a signal" slow_end
check_some 24 "exec --timeout works with a hung guest" hung_time_out
check_some 24 "exec --timeout works with endless output" flood_time_out
check "a second guest at the same socket is refused" second_start
check "exec in a dead guest fails with the console's last lines" dead_guest
check "stop ends the guest and removes its socket" stop_guest
check "no QEMU is left" nothing_left

release=$new_kernel
check_some 40 "$release: --modules loads modules by name and by path, compressed ones too" modules
check "$release: start leaves a guest behind a private socket" start_guest
check "$release: exec after exec sees the same guest" one_after_the_other
check "$release: a killed QEMU ends its hub and removes its socket" killed_qemu
check "$release: start leaves a guest behind a private socket" start_guest
check "$release: stop ends the guest and removes its socket" stop_guest

# ---- guests from a snapshot, in a cache of their own

unset SPILE_NO_SNAPSHOT
snapshots=$work/snapshots
mkdir "$snapshots"
ln -s "$(dirname "$("$STAP_VM" path $old_kernel)")" "$snapshots/kernels"

# guest WORDS OPTION...: run a guest with the options. The messages of -v must contain each of the comma-separated
# words.
guest() {
	local words=$1 word
	shift
	SPILE_CACHE=$snapshots run -v "$@" 2>"$work/said" || { cat "$work/said"; return 1; }
	cat "$work/said" >&2
	local IFS=,
	for word in $words; do
		grep -qF -- "$word" "$work/said" || { echo "nothing says: $word"; return 1; }
	done
}

# Print the files of all snapshots.
kept() {
	find "$snapshots/guests" -type f 2>/dev/null
}

kept_number() {
	[ "$(kept | wc -l)" -eq "$1" ] || { ls -la "$snapshots/guests"; return 1; }
}

# drop_all: remove all snapshots, so that the next guest makes one.
drop_all() {
	find "$snapshots/guests" -type f -delete 2>/dev/null
	return 0
}

first_and_second() {
	guest 'a snapshot was taken,was booted' -- true && kept_number 1 && [ "$(stat -c %a "$(kept)")" = 600 ] &&
		guest 'restored from a snapshot' -- true && kept_number 1
}

no_snapshot() {
	guest 'was booted' --no-snapshot -- true && kept_number 0 && SPILE_NO_SNAPSHOT=1 guest 'was booted' -- true &&
		kept_number 0 && ! grep -q snapshot "$work/said"
}

# A guest with another configuration has another snapshot.
own_snapshot() {
	local count
	count=$(kept | wc -l)
	guest 'a snapshot was taken' --smp 1 --mem 512M -- true && kept_number $((count + 1)) &&
		guest 'restored' --smp 1 --mem 512M -- sh -c 'nproc; free -m' >"$work/out" && cat "$work/out" &&
		[ "$(head -n 1 "$work/out")" = 1 ] && awk '$1 == "Mem:" { exit $2 > 512 }' "$work/out" &&
		guest 'restored' -- nproc >"$work/out" && grep -qx 2 "$work/out"
}

# Check the guest's clocks at least three seconds after its snapshot. (The real-time clock ticks whole seconds.)
# A time in the guest must lie between the times on the host before and after the command, with a second for rounding.
clock() {
	local begin end time read
	touch -d '1 hour ago' "$(kept | head -n 1)"
	until [ $((SECONDS - snapshot_made)) -gt 3 ]; do
		sleep 0.1
	done
	begin=$(date +%s)
	guest 'restored' -- sh -c 'date +%s; hwclock -u' >"$work/out" || return
	end=$(date +%s)
	echo "on the host: from $begin ($(date -u -d "@$begin")) to $end"
	cat "$work/out"
	# hwclock prints "Tue Dec  1 00:57:54 2026  0.000000 seconds".
	read=$(sed -n '2s/  [0-9.]* seconds$//p' "$work/out")
	for time in "$(head -n 1 "$work/out")" "$(date -u -d "$read" +%s)"; do
		[ "$time" -ge $((begin - 1)) ] && [ "$time" -le $((end + 1)) ] || return
	done
}

random_numbers() {
	local times
	for times in 1 2; do
		guest 'restored' -- sh -c 'cat /proc/sys/kernel/random/boot_id /proc/sys/kernel/random/uuid
			head -c 16 /dev/urandom | od -An -tx8; mktemp -u /XXXXXXXXXXXX' >"$work/random.$times" || return
	done
	cat "$work/random.1" "$work/random.2"
	[ "$(cat "$work/random.1" "$work/random.2" | sort -u | wc -l)" -eq 8 ]
}

# Check the kernel's log from a second before the command, when it was restored. The detectors of stalls and unstable
# clocks have run since then.
clean_log() {
	guest 'restored' -- sh -c 'cut -d" " -f1 /proc/uptime; sleep 5; dmesg' >"$work/log" &&
		grep -q 'Linux version' "$work/log" &&
		awk -F '[][]' 'NR == 1 { start = $1 - 1; next } $2 >= start' "$work/log" >"$work/since" &&
		! grep -E "$kernel_complaints|unstable|skew" "$work/since"
}

# Files and modules are copied to a guest after it was restored; here, to a guest that boots.
booted_files() {
	SPILE_NO_SNAPSHOT=1 files_and_logs && SPILE_NO_SNAPSHOT=1 modules
}

# Files replace and complement those of the base; a world-writable directory keeps its mode.
replaced_files() {
	printf '#!/bin/sh\necho replaced\n' >"$work/hostname" && chmod 755 "$work/hostname" &&
		guest 'restored' --file "$work/hostname:/bin/hostname" --file "$work/hostname:/tmp/deep/in/x" \
			--file "$work/hostname:/dev/shm/y" -- \
			sh -c '/bin/hostname; /tmp/deep/in/x; stat -c %a /tmp /dev/shm; ls /dev/shm' >"$work/out" &&
		diff "$work/out" - <<END
replaced
replaced
1777
1777
y
END
}

# Copy more than the port accepts at once.
large_files() {
	head -c 30000000 /dev/urandom >"$work/large" &&
		guest 'restored' --file "$work/large:/large" -- sha256sum /large >"$work/out" &&
		[ "$(cut -d' ' -f1 "$work/out")" = "$(sha256sum <"$work/large" | cut -d' ' -f1)" ]
}

# damaged HOW...: damage the snapshot with HOW. The guest must start, and the snapshot must be made again.
damaged() {
	guest '' -- true && "$@" "$(kept)" &&
		guest 'the snapshot is dropped,a snapshot was taken,was booted' -- echo up >"$work/out" &&
		grep -qx up "$work/out" && kept_number 1
}

# Without -v, no message is printed about it.
silently() {
	guest '' -- true && flip 1000000 "$(kept)" &&
		SPILE_CACHE=$snapshots run -- echo up >"$work/out" 2>"$work/err" &&
		grep -qx up "$work/out" && [ ! -s "$work/err" ] && guest 'restored' -- true
}

# flip OFFSET FILE: change one bit (OFFSET counts from the end if negative).
flip() {
	local offset=$1 byte
	[ "$offset" -ge 0 ] || offset=$((offset + $(stat -c %s "$2")))
	byte=$(od -An -tu1 -j "$offset" -N 1 "$2") &&
		printf "\\x$(printf %x $((byte ^ 16)))" | dd of="$2" bs=1 seek="$offset" conv=notrunc status=none
}

cut_off() {
	truncate -s -100K "$1"
}

written_by_others() {
	chmod 666 "$1"
}

replaced_by_link() {
	mv "$1" "$work/elsewhere" && ln -s "$work/elsewhere" "$1"
}

empty() {
	: >"$1"
}

# If two snapshots are made at once, the first one is kept.
two_at_once() {
	local first status
	drop_all
	SPILE_CACHE=$snapshots run -- echo one >"$work/one" 2>&1 &
	first=$!
	SPILE_CACHE=$snapshots run -- echo two >"$work/two" 2>&1
	status=$?
	wait $first && [ $status -eq 0 ] && [ "$(cat "$work/one" "$work/two" | tr '\n' ' ')" = 'one two ' ] &&
		kept_number 1 &&
		guest 'restored' -- true
}

many_at_once() {
	local number pids=
	for number in 1 2 3 4; do
		SPILE_CACHE=$snapshots run -- sh -c "sleep 1; echo $number" >"$work/many.$number" 2>&1 &
		pids="$pids $!"
	done
	for number in $pids; do
		wait "$number" || return
	done
	[ "$(cat "$work"/many.? | tr '\n' ' ')" = '1 2 3 4 ' ] && guest 'restored' -- true
}

# Set hub to the child of $pid that has started QEMU. Other children run a program and end.
has_qemu() {
	for hub in $(pgrep -P "$pid" stap-vm); do
		! pgrep -P "$hub" qemu-system >/dev/null || return 0
	done
	return 1
}

# If the process that makes a snapshot is killed, no file is left, named or unnamed.
killed_maker() {
	local pid hub
	drop_all
	SPILE_CACHE=$snapshots "$STAP_VM" run -r "$release" -- true &
	pid=$!
	within 60 has_qemu && kill -KILL "$hub"
	wait $pid
	within 10 nothing_left && kept_number 0 && [ -z "$(ls -A "$snapshots/guests")" ] &&
		guest 'a snapshot was taken' -- true
}

# is_stopped PID: has the process been stopped by a signal?
is_stopped() {
	grep -q '^State:.T' "/proc/$1/status"
}

# A guest in virtual time runs only while a command does.
virtual_guest() {
	local socket=$work/virtual qemu
	"$STAP_VM" start -r "$release" --virtual-time --socket "$socket" &&
		qemu=$(pgrep -P "$(cat "$socket.pid")" qemu-system) && within 60 is_stopped "$qemu" &&
		"$STAP_VM" exec --socket "$socket" -- sh -c 'sleep 1000; { sleep 500; touch late; } >&- 2>&- &' &&
		within 60 is_stopped "$qemu" &&
		within 60 "$STAP_VM" exec --socket "$socket" -- sh -c 'sleep 100; test -e late' &&
		within 60 is_stopped "$qemu" && "$STAP_VM" stop --socket "$socket" &&
		within 10 eval "! kill -0 $qemu 2>/dev/null"
}

# A fake QEMU; a file tells it what to do instead of restoring a guest.
make_qemu() {
	local real
	real=$(command -v qemu-system-x86_64)
	mkdir -p "$work/qemu"
	cat >"$work/qemu/qemu-system-x86_64" <<END
#!/bin/bash
case "\$* \$(cat "$work/qemu/fault" 2>/dev/null)" in
*" -incoming "*" ends") echo "no such machine" >&2; exit 1 ;;
*" -incoming "*" hangs") exec sleep 1000 ;;
*" -incoming "*" is silent") exec $real "\${@/socket,id=port,fd=3/null,id=port}" ;;
*"memory-backend"*" knows no files") echo "invalid object type" >&2; exit 1 ;;
esac
exec $real "\$@"
END
	chmod +x "$work/qemu/qemu-system-x86_64"
}

other_qemu() {
	drop_all
	guest 'a snapshot was taken' -- true && PATH=$work/qemu:$PATH guest 'a snapshot was taken' -- true &&
		kept_number 2 &&
		PATH=$work/qemu:$PATH guest 'restored' -- true
}

# failing_qemu FAULT WORDS: does a guest start with this fault, with the words among the messages of -v?
failing_qemu() {
	local start=$SECONDS
	rm -f "$work/qemu/fault"
	PATH=$work/qemu:$PATH guest '' -- true && echo "$1" >"$work/qemu/fault" || return
	PATH=$work/qemu:$PATH guest "$2" -- echo up >"$work/out"
	cat "$work/out"
	grep -qx up "$work/out" && [ $((SECONDS - start)) -lt 60 ] && nothing_left
}

no_space() {
	guest 'no snapshot is taken: disk full,was booted' -- true && kept_number 0
}

read_only() {
	guest 'no snapshot is taken,was booted' -- true && kept_number 0
}

# The guest of a kernel without the module virtio_console uses a serial port.
serial_port() {
	local root=$work/no-virtio image
	image=$(ls "$("$STAP_VM" path "$release")"/boot/vmlinuz-*)
	mkdir -p "$root/boot" "$root/lib/modules/${image##*/vmlinuz-}" && ln -sf "$image" "$root/boot/" &&
		SPILE_CACHE=$snapshots "$STAP_VM" run -r "$root" --timeout 300 -v --file "$work/hostname:/opt/x" \
		-- /opt/x >"$work/out" 2>"$work/said" && cat "$work/said" && grep -qx replaced "$work/out" &&
		grep -q 'no snapshot is taken of a kernel without virtio_console' "$work/said" &&
		grep -q 'was booted' "$work/said"
}

# Memory sizes that only QEMU understands.
odd_memory() {
	guest "no snapshot is taken of a guest with memory 'size=512M',was booted" --mem size=512M -- true
}

started_guest() {
	SPILE_CACHE=$snapshots "$STAP_VM" start -v -r "$release" --socket "$socket" 2>"$work/said" &&
		grep -q restored "$work/said" &&
		in_guest -- true && in_guest --file "$work/hostname:/opt/x" -- /opt/x &&
		"$STAP_VM" stop --socket "$socket"
}

restored_script() {
	SPILE_CACHE=$snapshots "$STAP" -vv --remote=vm: -r "$release" -e 'probe begin { println("up"); exit() }' \
		>"$work/out" 2>"$work/said"
	grep -qx up "$work/out" && grep -q 'stap-vm: the guest was restored' "$work/said"
}

# Make programs, with a library beside them, a link, and a script that runs one of them.
make_programs() {
	mkdir -p "$work/own/bin" && cd "$work/own" || return
	echo 'int twice(int x) { return 2 * x; }' >twice.c
	echo 'int twice(int); int printf(const char *, ...);
		int main(int c, char **v) { return printf("%s %d\n", c > 1 ? v[1] : "none", twice(21)) < 0; }' >main.c
	gcc -g -O0 -shared -fPIC -o libtwice.so twice.c &&
		gcc -g -O0 -o program main.c -L. -ltwice "-Wl,-rpath,\$ORIGIN" && ln -sf ../program bin/link &&
		printf '#!/bin/bash\necho "${BASH_VERSION:+bash}"\n' >script && chmod 755 script && echo data >data
}

# own EXPECTED OPTION...: does a script, run in the directory of the programs, print EXPECTED?
own() {
	(cd "$work/own" && LC_ALL=C "$STAP" -r "$release" "${@:2}") >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	[ "$(sort "$work/out")" = "$1" ] && [ ! -s "$work/err" ]
}
probe_program='probe process("./program").begin { printf("%s begins\n", execname()) }'

brought_to_new_guest() {
	make_programs && own $'21\nshell 42' --remote=vm: -c './program shell' \
		-e 'probe process("./program").library("libtwice.so").function("twice") { println($x) }' &&
		own $'bash\ndata\nlink begins\nnested 42' --remote=vm: --file=data \
			-e "$probe_program" -c 'A=1 ./script && sh -c "cat data; exec bin/link nested"' &&
		own $'/tmp\nls' --remote=vm: -c 'ls -d /tmp' -e 'probe process("/bin/ls").begin { println(execname()) }'
}

# The same guest again, with a program found in PATH.
brought_to_running_guest() {
	"$STAP_VM" start -r "$release" --socket "$socket" && make_programs || return
	own $'none 42\nprogram begins' --remote="unix:$socket" -e "$probe_program" -c ./program &&
		own $'none 42\nprogram begins' --remote="unix:$socket" -e "$probe_program" -c ./program &&
		own $'none 42\nprogram begins' --remote="unix:$socket" -e "$probe_program" \
			-c "PATH=$work/own:\$PATH env program" &&
		PATH=$PATH:$work/own own $'none 42\nprogram begins' --remote="unix:$socket" -e "$probe_program" \
			-c 'program' &&
		(cd "$work/own" && "$STAP" -vv -r "$release" --remote="unix:$socket" -e "$probe_program" -c ./script) \
			2>"$work/said" >"$work/out" &&
		grep -qx "Bringing $work/own/program into the guest" "$work/said" &&
		grep -qx "Bringing /bin/bash into the guest" "$work/said"
	local status=$?
	"$STAP_VM" stop --socket "$socket"
	return $status
}

make_qemu
for release in $old_kernel $new_kernel; do
	is_kernels_part $release snapshots || continue
	drop_all
	snapshot_made=$SECONDS
	check "$release: the first guest leaves a snapshot, the second comes from it" first_and_second
	check_some 6 "$release: a guest of another size has its own snapshot" own_snapshot
	check "$release: a guest from a snapshot has the right time" clock
	check_some 3 "$release: guests from one snapshot have their own random numbers" random_numbers
	check "$release: the kernel's log of a guest from a snapshot is clean" clean_log
	check "$release: files for a guest from a snapshot replace those it has" replaced_files
done
release=$old_kernel
drop_all
check_some 40 "--no-snapshot and SPILE_NO_SNAPSHOT boot" no_snapshot
guest '' -- true >"$work/log" 2>&1 # leaves a snapshot
check_some 40 "files and modules are copied to a guest that boots" booted_files
check_some 40 "a damaged snapshot is replaced silently" silently
check_some 40 "a snapshot with a changed bit in the memory is dropped" damaged flip 20000000
check_some 40 "a snapshot with a changed bit in the devices' state is dropped" damaged flip -50000
check_some 40 "a snapshot with a changed bit in the trailer is dropped" damaged flip -20
check_some 40 "a snapshot that was cut off is dropped" damaged cut_off
check_some 40 "a snapshot that is empty is dropped" damaged empty
check_some 40 "a snapshot that others may write is dropped" damaged written_by_others
check_some 40 "a snapshot that is a link is dropped" damaged replaced_by_link
check_some 40 "a kernel without virtio_console boots" serial_port
check_some 40 "a guest with an unusual memory option boots" odd_memory
check_some 40 "30 MB of files are copied to a guest from a snapshot" large_files
check_some 3 "start uses the snapshot" started_guest
check_some 6 "a guest in virtual time is stopped while it runs no command" virtual_guest
check_some 6 "stap --remote=vm: uses the snapshot, and -v reports it" restored_script
check_some 6 "files that a script or its command names are copied into a new guest" brought_to_new_guest
check_some 6 "files that a script or its command names are copied into a running guest" brought_to_running_guest
check_some 40 "two guests that make a snapshot at once both start" two_at_once
check_some 40 "four guests from one snapshot run in parallel" many_at_once
check_some 40 "a guest that is killed while it makes a snapshot leaves nothing" killed_maker
check_some 40 "another QEMU has its own snapshot" other_qemu
check_some 40 "a QEMU that ends when it restores a guest boots it" failing_qemu ends \
	'the snapshot is dropped,was booted'
check_some 40 "a QEMU that hangs when it restores a guest boots it" failing_qemu hangs \
	'the snapshot is dropped,was booted'
check_some 40 "a guest from a snapshot that does not answer is booted" failing_qemu 'is silent' \
	'the snapshot is dropped,was booted'
check_some 40 "a QEMU that cannot make a snapshot boots" failing_qemu 'knows no files' 'no snapshot is taken,was booted'
drop_all
snapshot_disk=$snapshots/guests
if mount -t tmpfs -o size=50m,mode=700 tmpfs "$snapshot_disk" 2>/dev/null; then
	check_some 40 "without space for a snapshot, the guest boots" no_space
	mount -o remount,ro "$snapshot_disk"
	check_some 40 "with a read-only cache, the guest boots" read_only
else
	snapshot_disk=
	skip "a full disk leaves no snapshot" "cannot mount a tmpfs"
fi

# ---- fetch, from a repository of three small packages

# package NAME FILE...: make NAME.deb with these files, and its answer of apt-cache.
package() {
	local name=$1 file
	mkdir -p "$work/deb/DEBIAN" "$work/repository"
	printf 'Package: %s\nVersion: 1\nArchitecture: amd64\nMaintainer: test\nDescription: test\n' "$name" \
		>"$work/deb/DEBIAN/control"
	shift
	for file; do
		mkdir -p "$work/deb/$(dirname "$file")"
		head -c 300000 /dev/urandom >"$work/deb/$file"
	done
	dpkg-deb -Znone -b "$work/deb" "$work/repository/$name.deb" >/dev/null
	printf 'Package: %s\nFilename: pool/%s.deb\nInstalled-Size: 300\nSize: 301000\n' "$name" "$name" \
		>"$work/repository/$name.stanza"
	rm -rf "$work/deb"
}

# The host's real tools with a fake apt; APT is its fault.
make_apt() {
	mkdir -p "$work/apt"
	cat >"$work/apt/apt-cache" <<END
#!/bin/bash
command=\$1
shift
while [ "\$1" = -o ]; do shift 2; done
case \$command in
pkgnames) cd "$work/repository" && ls *.stanza | sed 's/.stanza//' | grep "^\$1" ;;
show)
	# Newer versions of apt take an unknown name as a regular expression.
	cd "$work/repository" && for name; do
		[[ \$name != -* ]] || continue
		file=\$name.stanza
		[ -e "\$file" ] || file=\$(ls *.stanza | grep -m 1 "^\$name") || exit 100
		cat "\$file" && echo
	done
	;;
esac
END
	cat >"$work/apt/apt-get" <<END
#!/bin/bash
package=\${!#}
file=\${package}_1_amd64.deb
case \$APT in
offline) echo "E: Failed to fetch http://deb.debian.org/x.deb  Temporary failure resolving 'deb.debian.org'" >&2; exit 100 ;;
damaged) [[ \$package != *-dbg ]] || { head -c 301000 /dev/zero >\$file; exit 0; } ;;
slow)
	[[ \$package != *-dbg ]] || {
		head -c 5000 "$work/repository/\$package.deb" >\$file
		touch "$work/slow"
		exec sleep 100
	} ;;
full) rm -f filler; head -c 100000000 /dev/zero >filler 2>/dev/null ;;
esac
[ -s "\$file" ] && [ "\$(stat -c %s \$file)" = "\$(stat -c %s "$work/repository/\$package.deb")" ] && exit 0
cp "$work/repository/\$package.deb" "\$file" || { echo "E: write: No space left on device" >&2; exit 100; }
END
	chmod +x "$work"/apt/*
}

made_up=6.99.0-1-cloud-amd64
fetch() {
	PATH=$work/apt:$PATH SPILE_CACHE=${disk:-$work/cache} "$STAP_VM" fetch "${1:-6.99}"
}

# Is there nothing that looks like a kernel?
no_kernel() {
	[ -z "$(SPILE_CACHE=${disk:-$work/cache} "$STAP_VM" list)" ]
}

unknown_fetch() {
	PATH=$work/apt:$PATH refuses 'apt has no kernel 9.9.9-none' "$STAP_VM" fetch 9.9.9-none &&
		grep -q "^    $made_up" "$work/err"
}

# The beginning of a release's name is not the name of a package.
part_of_a_name() {
	PATH=$work/apt:$PATH refuses 'apt has no kernel 6.9' "$STAP_VM" fetch 6.9
}

# failing_fetch NAME TEXT: does fetch fail with the fault NAME and a hint that contains TEXT?
failing_fetch() {
	APT=$1 refuses "$2" fetch && no_kernel
}

interrupted_fetch() {
	rm -f "$work/slow"
	PATH=$work/apt:$PATH SPILE_CACHE=$work/cache APT=slow "$STAP_VM" fetch 6.99 &
	local pid=$!
	for _ in $(seq 100); do
		[ -e "$work/slow" ] && break
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid
	no_kernel
}

# shown_download COLUMNS TEXT: does a terminal show the text during a download, and erase it when interrupted?
shown_download() {
	rm -f "$work/slow"
	PATH=$work/apt:$PATH SPILE_CACHE=$work/cache APT=slow on_terminal "$1" "$STAP_VM fetch 6.99" &
	local job=$! shown=
	within 60 grep -qE "$2" "$work/typescript" && shown=1 || cat -v "$work/typescript"
	kill -INT "$(cat "$work/pid")"
	wait $job
	[ -n "$shown" ] && is_erased
}

retried_fetch() {
	[ "$(fetch $metapackage)" = $made_up ] && [ "$(fetch 2>&1)" = $made_up ] &&
		[ -s "$work/cache/kernels/$made_up/usr/lib/debug/boot/vmlinux-$made_up" ] &&
		[ "$(ls -A "$work/cache/kernels" | tr '\n' ' ')" = ".$made_up.lock $made_up " ]
}

full_disk() {
	failing_fetch "$1" 'SPILE_CACHE' && grep -qE 'disk full|disk is full' "$work/err"
}

package linux-image-$made_up boot/vmlinuz-$made_up lib/modules/$made_up/modules.order
package linux-headers-$made_up usr/src/linux-headers-$made_up/Makefile
package linux-image-$made_up-dbg usr/lib/debug/boot/vmlinux-$made_up
# Metapackages whose names look like releases of the series.
metapackage=6.99-cloud-amd64
package linux-image-$metapackage usr/share/doc/image
package linux-image-$metapackage-dbg usr/share/doc/symbols
package linux-headers-$metapackage usr/share/doc/headers
echo "Depends: linux-image-$made_up (= 1)" >>"$work/repository/linux-image-$metapackage.stanza"
make_apt
check_some 3 "fetch names the releases that apt has" unknown_fetch
check "fetch does not use a package whose name only begins with the release" part_of_a_name
check "fetch reports a missing network" failing_fetch offline 'the host seems to be offline'
check "fetch removes a damaged package" failing_fetch damaged 'run the command again'
check "an installed kernel is found" installed_kernel
check "a killed fetch leaves no kernel" interrupted_fetch
check "a terminal shows a download" shown_download 200 \
	"downloading linux-image-$made_up-dbg: 5.0.kB of 301.0.kB …"
check_some 40 "a narrow terminal shows the beginning of the line" shown_download 40 \
	'downloading linux-image-6[.]99[.]0-1-clou …'
check "the next fetch completes the kernel, and another has nothing to do" retried_fetch
small_disk=$work/disk
mkdir "$small_disk"
if mount -t tmpfs -o size=400k,mode=700 tmpfs "$small_disk" 2>/dev/null; then
	disk=$small_disk
	check "fetch refuses a disk that is too small" full_disk ""
	mount -o remount,size=20m "$small_disk"
	check "fetch reports a disk that fills up" full_disk full
else
	small_disk=
	skip "fetch reports a full disk" "cannot mount a tmpfs"
fi

# ---- fetch, from suites of a fake archive, with the real apt

# deb NAME DEPENDS FILE...: make a package of the archive. "FILE=COMMAND" is a file with the output of COMMAND.
deb() {
	local name=$1 depends=$2 file pool=$work/mirror/pool
	mkdir -p "$work/deb/DEBIAN" "$pool"
	{
		printf 'Package: %s\nVersion: 1\nArchitecture: amd64\nMaintainer: test\nInstalled-Size: 3\n' "$name"
		[ -z "$depends" ] || echo "Depends: $depends"
		echo 'Description: test'
	} >"$work/deb/DEBIAN/control"
	shift 2
	for file; do
		mkdir -p "$work/deb/$(dirname "${file%%=*}")"
		case $file in
		*=*) ${file#*=} >"$work/deb/${file%%=*}" ;;
		*) echo "$name" >"$work/deb/$file" ;;
		esac
		chmod 755 "$work/deb/${file%%=*}"
	done
	dpkg-deb --root-owner-group -Znone -b "$work/deb" "$pool/$name.deb" >/dev/null
	{
		grep -v ^Description "$work/deb/DEBIAN/control"
		echo "Filename: pool/$name.deb"
		echo "Size: $(stat -c %s "$pool/$name.deb")"
		echo "SHA256: $(sha256sum "$pool/$name.deb" | cut -d' ' -f1)"
		echo
	} >>"$lists/main/binary-amd64/Packages"
	rm -rf "$work/deb"
}

headers_makefile() {
	echo "KBUILD_OUTPUT=/usr/src/linux-headers-$suite_release"
	echo "include /usr/src/linux-headers-common/Makefile"
}

busybox() {
	cat /bin/busybox
}

# kernel_debs RELEASE: make the packages of a kernel in the newer layout, with a split image.
kernel_debs() {
	suite_release=$1
	deb linux-image-$1 "linux-binary-$1, linux-modules-$1, initramfs-tools"
	deb linux-binary-$1 linux-base-$1 usr/lib/modules/$1/vmlinuz
	deb linux-base-$1 "" usr/lib/modules/$1/modules.order
	deb linux-modules-$1 linux-base-$1 usr/lib/modules/$1/modules.builtin
	deb linux-headers-$1 "gcc-99-for-host, linux-headers-common, linux-base-$1" \
		usr/src/linux-headers-$1/Makefile=headers_makefile usr/src/linux-headers-$1/vmlinux
}

# Sign the current contents of the archive.
sign_lists() {
	{
		printf 'Origin: Debian\nLabel: Debian\nSuite: forky\nCodename: forky\nDate: %s\n' "$(date -Ru)"
		printf 'Architectures: amd64\nComponents: main\nSHA256:\n'
		printf ' %s %s main/binary-amd64/Packages\n' \
			"$(sha256sum "$lists/main/binary-amd64/Packages" | cut -d' ' -f1)" \
			"$(stat -c %s "$lists/main/binary-amd64/Packages")"
	} >"$lists/Release"
	gpg --batch --yes --quiet --clearsign -o "$lists/InRelease" "$lists/Release" && rm "$lists/Release"
}

make_archive() {
	lists=$work/mirror/dists/forky
	mkdir -p "$lists/main/binary-amd64"
	kernel_debs 7.98.1-cloud-amd64
	kernel_debs 7.99.2+deb14-cloud-amd64
	kernel_debs 7.99.10+deb14-cloud-amd64
	# The mirror lacks packages of the newest kernel.
	rm "$work/mirror/pool/linux-modules-7.99.10+deb14-cloud-amd64.deb"
	deb linux-headers-common "" usr/src/linux-headers-common/Makefile
	deb gcc-99-for-host gcc-99
	deb gcc-99 "" usr/bin/gcc-99
	deb dash "" bin/dash=busybox
	for tool in binutils coreutils findutils grep make mawk sed; do
		deb $tool ""
	done
	export GNUPGHOME=$work/gnupg
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-gen-key 'Spile test <test@localhost>' rsa2048 sign never &&
		gpg --batch --quiet --export >"$work/keys.gpg" && sign_lists
}

# A stand-in for apt-cache, which answers for the host as that of make_apt does. The real one reads tens of thousands of
# packages at each call.
make_hosts_cache() {
	mkdir "$work/hosts-cache"
	cat >"$work/hosts-cache/apt-cache" <<-END
		#!/bin/bash
		[[ \$* != *Dir::Etc* ]] || exec $(command -v apt-cache) "\$@"
		exec $work/apt/apt-cache "\$@"
	END
	chmod +x "$work/hosts-cache/apt-cache"
}

# from_archive COMMAND...: run it with the fake archive besides the host's packages, and with its own cache.
from_archive() {
	PATH=$work/hosts-cache:$PATH SPILE_CACHE=$work/suites SPILE_DEBIAN_MIRROR=file:$work/mirror \
		SPILE_DEBIAN_KEYRING=$work/keys.gpg "$@"
}

# apt's lists are valid for an hour.
forget_lists() {
	rm -rf "$work/suites/kernels/.apt"
}

of_a_suite() {
	local kernel=$work/suites/kernels/7.99.2+deb14-cloud-amd64
	from_archive "$STAP_VM" fetch --no-debuginfo forky >"$work/out" || return
	cat "$work/out"
	[ "$(cat "$work/out")" = 7.99.2+deb14-cloud-amd64 ] &&
		[ -s "$kernel/lib/modules/7.99.2+deb14-cloud-amd64/vmlinuz" ] &&
		[ -s "$kernel/build-root/usr/bin/gcc-99" ] &&
		grep -F 'include $(abspath' "$kernel"/usr/src/linux-headers-7*/Makefile &&
		[ ! -e "$work/suites/kernels/.7.99.10+deb14-cloud-amd64.fetch" ]
}

by_series() {
	[ "$(from_archive "$STAP_VM" fetch --no-debuginfo 7.98)" = 7.98.1-cloud-amd64 ] &&
		[ "$(ls "$work/suites/kernels/.build-roots")" = forky-gcc-99 ]
}

# A kernel that was fetched on another host, which had its compiler. Skip this if the compiler is installed here.
without_compiler() {
	local kernel=$work/suites/kernels/7.98.1-cloud-amd64
	mkdir -p "$work/with-gcc-99" && rm "$kernel/build-root" &&
		printf 'CONFIG_A=y\nCONFIG_CC_VERSION_TEXT="gcc-99 (Debian 99.1.0-2) 99.1.0"\n' \
			>"$kernel/usr/src/linux-headers-7.98.1-cloud-amd64/.config" &&
		ln -sf /bin/true "$work/with-gcc-99/gcc-99" || return
	[ "$(PATH=$work/with-gcc-99:$PATH from_archive "$STAP_VM" fetch --no-debuginfo 7.98.1-cloud-amd64)" = \
		7.98.1-cloud-amd64 ] && [ ! -e "$kernel/build-root" ] &&
		[ "$(from_archive "$STAP_VM" fetch --no-debuginfo 7.98.1-cloud-amd64)" = 7.98.1-cloud-amd64 ] &&
		[ -s "$kernel/build-root/usr/bin/gcc-99" ] && rm -r "$work/suites/kernels/.build-roots/forky-gcc-99" &&
		from_archive "$STAP_VM" fetch --no-debuginfo 7.98.1-cloud-amd64 &&
		[ -s "$kernel/build-root/usr/bin/gcc-99" ]
}

in_no_suite() {
	refuses 'apt has no kernel 7.97' from_archive "$STAP_VM" fetch 7.97 &&
		grep -q '^    bookworm: .*the mirror does not have it' "$work/err" && grep -q '^    forky$' "$work/err"
}

with_tools() {
	local command="cat /usr/bin/gcc-99; ls /usr/bin/gcc 2>&1; echo $work"
	[ "$(from_archive "$STAP_VM" tools -r 7.99 -- sh -c "$command")" = \
		"gcc-99
ls: /usr/bin/gcc: No such file or directory
$work" ] && [ "$(from_archive "$STAP_VM" tools -r 7.99 sh -c 'cd; pwd; exit 3' || echo $?)" = "$HOME
3" ]
}

with_a_wrong_key() {
	forget_lists
	gpg --batch --quiet --passphrase '' --quick-gen-key 'Another <other@localhost>' rsa2048 sign never
	gpg --batch --quiet --export other@localhost >"$work/other.gpg"
	refuses 'this one lacks the key' from_archive env SPILE_DEBIAN_KEYRING="$work/other.gpg" \
		"$STAP_VM" fetch forky
}

changed_afterwards() {
	forget_lists
	echo >>"$lists/main/binary-amd64/Packages"
	refuses 'the package lists of forky' from_archive "$STAP_VM" fetch forky
}

unsigned() {
	forget_lists
	gpg --batch --quiet --decrypt "$lists/InRelease" >"$lists/Release" 2>/dev/null
	rm "$lists/InRelease"
	refuses 'its signature is missing or bad' from_archive "$STAP_VM" fetch forky
}

if command -v gpg apt-get dpkg-deb >/dev/null && make_archive && make_hosts_cache; then
	# Each of these needs what the one before has fetched.
	if is_part "vm/suites" 6; then
		check "fetch takes the newest complete kernel of a suite" of_a_suite
		check "fetch finds a series in the suites; kernels of one compiler share a build root" by_series
		check "fetch gets the build root of a cached kernel without its compiler" without_compiler
		check "fetch reports the suites that it has searched" in_no_suite
		check "tools runs a command with the build root's programs and the host's files" with_tools
	fi
	check "fetch refuses a suite that is signed by another key" with_a_wrong_key
	check "fetch refuses lists that were changed" changed_afterwards
	check "fetch refuses a suite that is not signed" unsigned
	gpgconf --kill gpg-agent
else
	skip "fetch from suites" "it takes gpg and apt"
fi
