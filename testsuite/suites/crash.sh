# SPDX-License-Identifier: GPL-2.0-or-later
#
# staplog: a guest runs scripts until its kernel panics, QEMU dumps its memory, and their output is printed from there.
# Nothing of it may be missing or out of order. Damaged dumps get an error.

. "$(dirname "$0")/../lib.sh"

staplog=$SPILE_BUILDDIR/staplog
if [ ! -x "$staplog" ]; then
	skip "output from dumps" "staplog was built without libkdumpfile (libkdumpfile-dev)"
	exit 0
fi

# Each script has its own module. The first is left running, and reports the panic. The output of the second is read.
# The third overwrites its buffer. A fourth has ended before the panic.
panic='global n probe timer.ms(10) { printf("count %d\n", n++) }
	probe kernel.function("panic").call { printf("the kernel panics in %s\n", execname()) }'
is_read='global n probe timer.ms(10) { printf("read %d\n", n++) }'
overwrites='global n probe timer.ms(5) { for (i = 0; i < 300; i++) printf("%090d\n", n++) }'

# start_scripts: start them in the guest $release. Its kernel must have given its VMCOREINFO to QEMU, for the dump.
start_scripts() {
	local on=("--remote=unix:$work/$release" -r "$release")
	"$STAP_VM" exec --socket "$work/$release" -- sh -c 'insmod /lib/modules/*/kernel/drivers/firmware/qemu_fw_cfg.ko
		[ -e /sys/firmware/qemu_fw_cfg/by_name/etc/vmcoreinfo ]' &&
		"$STAP" "${on[@]}" -m ended -e 'probe begin { println("ended") exit() }' &&
		"$STAP" "${on[@]}" -F -m overwrites -s 1 $no_overload -DMAXACTION_INTERRUPTIBLE=1000000 \
			-DMAXACTION=100000 -e "$overwrites" && "$STAP" "${on[@]}" -F -m panics -e "$panic" || return
	"$STAP" "${on[@]}" -m is_read -e "$is_read" >"$work/read" 2>&1 &
	within 300 grep -q 'read 20' "$work/read" && within 300 has_overwritten
}

has_overwritten() {
	"$STAP_VM" exec --socket "$work/$release" -- \
		grep -q 'overwritten [1-9]' /sys/kernel/debug/spile/overwrites/status
}

# QEMU's monitor executes one command after the other, so the file is complete when it answers the second one.
dump_memory() {
	local line
	exec {to}<>"$work/monitor.in" {from}<>"$work/monitor.out"
	printf '%s\n' "dump-guest-memory $1" "info status" >&$to
	while read -rt 600 line <&$from; do
		[[ $line != *'VM status'* ]] || return 0
	done
	return 1
}

# The panic must not end the guest before its memory is dumped.
panic_and_dump() {
	timeout 300 "$STAP_VM" exec --socket "$work/$release" -- sh -c \
		'echo 0 >/proc/sys/kernel/panic; echo c >/proc/sysrq-trigger' >"$work/console" 2>&1 &
	within 300 has_panicked && dump_memory "$work/dump"
}

has_panicked() {
	"$STAP_VM" dmesg --socket "$work/$release" 2>&1 | grep -q 'end Kernel panic' ||
		grep -q 'end Kernel panic' "$work/console"
}

# is_consecutive PREFIX: are the lines of standard input PREFIX and numbers without a gap?
is_consecutive() {
	awk -v prefix="$1" 'index($0, prefix) != 1 { print "line " NR ": " $0; exit bad = 1 }
		{ number = substr($0, length(prefix) + 1) + 0 }
		NR > 1 && number != last + 1 { print number " after " last; exit bad = 1 }
		{ last = number }
		END { exit bad || !NR }'
}

last_moments() {
	"$staplog" "$work/dump" panics >"$work/out" && grep -qx 'the kernel panics in sh' "$work/out" &&
		grep -v '^the kernel panics' "$work/out" | is_consecutive 'count '
}

# The newest lines that fit into the buffer. The first one may not be number 0.
overwritten() {
	"$staplog" "$work/dump" overwrites >"$work/out" && is_consecutive '' <"$work/out" &&
		[ "$(wc -c <"$work/out")" -gt 500000 ] && ! grep -q '^0*$' "$work/out"
}

# The output that staprun has read is only printed with -a.
already_read() {
	"$staplog" "$work/dump" is_read >"$work/out" && "$staplog" -a "$work/dump" is_read >"$work/all" &&
		head -n 1 "$work/all" | grep -qx 'read 0' && is_consecutive 'read ' <"$work/all" &&
		! grep -qx 'read 20' "$work/out" && grep -qxFf <(grep "^read" "$work/read" | tail -n 1) "$work/all"
}

all_modules() {
	"$staplog" -l "$work/dump" >"$work/out" && sed 1d "$work/out" | awk '{ print $1 }' | sort | diff - <(
		printf '%s\n' is_read overwrites panics) &&
		awk '$1 == "panics" { ok = $2 > 0 && $2 <= $3 } END { exit !ok }' "$work/out" &&
		"$staplog" "$work/dump" >"$work/out" && [ "$(grep -c '^==> .* <==$' "$work/out")" = 3 ] &&
		refuses 'has no module ended' "$staplog" "$work/dump" ended
}

output_of_staplog() {
	"$staplog" -o "$work/file" "$work/dump" panics && "$staplog" "$work/dump" panics | cmp - "$work/file" &&
		! "$staplog" "$work/dump" panics >/dev/full 2>"$work/out" && grep -q 'No space left' "$work/out" &&
		refuses 'cannot write' "$staplog" -o "$work/none/file" "$work/dump" panics || return
	"$staplog" "$work/dump" overwrites 2>"$work/out" | head -n 1 >/dev/null
	[ "${PIPESTATUS[0]}" -eq 141 ] && [ ! -s "$work/out" ]
}

# Parts of the dump are missing or changed. There is an error or less output, and never more than is there.
damaged_dumps() {
	local part
	for part in 0 1 100 5000 100000 100000000; do
		head -c "$part" "$work/dump" >"$work/short"
		"$staplog" "$work/short" >"$work/out" 2>&1
		[ $? -eq 1 ] && grep -q '^ERROR: ' "$work/out" || { echo "$part bytes"; return 1; }
	done
	# The header has numbers of all kinds of things. The library may crash, but the user gets an error.
	for part in $(seq 16 611 4096); do
		{ head -c "$part" "$work/dump"; printf '\377\377\377\377'; tail -c "+$((part + 5))" "$work/dump" |
			head -c 10000000; } >"$work/short"
		"$staplog" "$work/short" >"$work/out" 2>&1 || grep -q '^ERROR: ' "$work/out" ||
			{ echo "changed at $part"; return 1; }
	done
	refuses 'is not a dump' "$staplog" "$STAP" && refuses 'No such file' "$staplog" "$work/none" &&
		refuses 'is not a dump' "$staplog" / && printf 'makedumpfile\0' >"$work/short" &&
		refuses 'makedumpfile -R' "$staplog" "$work/short"
}

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	[ "$(architecture_of "$release")" = arm64 ] && emulator=qemu-system-aarch64 || emulator=qemu-system-x86_64
	machine "dumps-$release" $emulator '"$@"' -device vmcoreinfo \
		-chardev "pipe,id=dumps,path=$work/monitor" -mon chardev=dumps,mode=readline
	rm -f "$work"/monitor.*
	mkfifo "$work/monitor.in" "$work/monitor.out"
	PATH=$work/dumps-$release:$PATH start_guest "$release" --no-snapshot --smp 2 --mem 256M --modules qemu_fw_cfg ||
		continue
	check "$release: scripts run until the kernel panics" start_scripts &&
		check "$release: its memory is dumped" panic_and_dump || continue
	check "$release: the last moments of a script that was left running" last_moments
	check "$release: a buffer that was overwritten" overwritten
	check "$release: what was already read" already_read
	check "$release: the modules in the dump" all_modules
	check "$release: where the output goes" output_of_staplog
	check "$release: dumps that are damaged" damaged_dumps
	"$STAP_VM" stop --socket "$work/$release" >/dev/null 2>&1
	rm -f "$work/dump" "$work/short"
done
