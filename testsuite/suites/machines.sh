# SPDX-License-Identifier: GPL-2.0-or-later
#
# Unusual machines: five-level page tables, a disk behind virtio-scsi, kernels that are locked down (Secure Boot) or
# refuse further modules. Messages must say what does not work there.

. "$(dirname "$0")/../lib.sh"

cd "$work" || exit 1
gcc -g -O2 -static -o far "$tests/programs/far.c" || exit 1
# stap-vm's own machines have four-level page tables, because of snapshots, and no disk.
machine five-levels qemu-system-x86_64 '"${@/la57=off/la57=on}"'
machine with-disk qemu-system-x86_64 '"$@"' -device virtio-scsi-pci \
	-drive "if=none,id=disk,format=raw,file=$work/disk" -device scsi-hd,drive=disk

five_levels() {
	"$STAP_VM" exec --socket "$1" -- grep -qw la57 /proc/cpuinfo
}

# Probes of a program, a system call and a kernel function see the address and its contents, and complete stacks.
far_memory() {
	"$STAP" $no_overload -r "$1" --remote="unix:$work/$1" -c "$work/far" - "$work/far" >out 2>err <<-\END
		probe process(@1).function("taken") {
			printf("%s %x %s", usymname(ustack(1)), $text, user_string($text))
		}
		probe syscall.write { if (pid() == target()) printf("write %x %s\n", buf_uaddr, argstr) }
		probe kernel.function("ksys_write") {
			if (pid() == target())
				printf("ksys_write %x %s", $buf, user_string($buf))
		}
		probe kernel.function("ksys_write").return {
			if (pid() == target())
				printf("%d %x\n", $return, @entry($buf))
		}
	END
	grep -v '^far away$' out >said
	diff - said <<-END && [ ! -s err ]
		write 10000000000000 1, "far away\n", 9
		ksys_write 10000000000000 far away
		9 10000000000000
		main 10000000000000 far away
	END
}

# The aliases that are hit for a disk of scsi_debug are hit for this one, too.
scsi_aliases() {
	"$STAP" $no_overload -r "$1" --remote="unix:$work/$1" -w -D MAXSKIPPED=1000000 \
		-c 'sh /tmp/scsi.sh sda 2>/dev/null' \
		"$tests/guest/aliases-scsi.stp" >out 2>err
	sort out | diff "$tests/guest/aliases-scsi.out" - && ! grep -v '^WARNING: .*skipped probes' err
}

# Write a megabyte to a file on the disk, and then to one on a loop device in a file on the disk. Check the events from
# the program's system call to the disk's completion. The loop device writes from its own worker.
file_systems() {
	"$STAP" $no_overload -r "$1" --remote="unix:$work/$1" -w -c 'sh /tmp/file-systems.sh' - >out 2>err <<-\END
		global called, asked, commands, done_bytes, inodes
		probe vfs.write {
			if (execname() == "dd" && pathname =~ "^/mnt/.*/file$") {
				called[devname] += bytes_to_write
				inodes[devname] = ino
			}
		}
		probe ioblock.request {
			if (rw && devname in inodes && ino == inodes[devname])
				asked[devname] += size
		}
		probe scsi.iodispatching {
			if (data_direction_str == "TO_DEVICE")
				commands += request_bufflen
		}
		probe scsi.iocompleted { done_bytes += goodbytes }
		probe end {
			foreach (device+ in called)
				println(device, " ", called[device], " ", asked[device])
			println(commands >= 2 << 20, " ", done_bytes >= commands)
		}
	END
	diff - out <<-END && ! grep -v '^WARNING: .*skipped probes' err
		loop0 1048576 1048576
		sda 1048576 1048576
		1 1
	END
}

compile_for() {
	"$STAP" -r "$1" -p4 -m "$2" -e 'probe begin { println("seen") exit() }'
}

# refused RELEASE TEXT: check that the module is refused with the reason, and that nothing of it is left.
refused() {
	"$STAP_VM" exec --socket "$work/$1" -- staprun /t/machines.ko >out 2>&1
	[ $? -eq 1 ] && cat out && grep -q '^ERROR: cannot load module' out && grep -q "$2" out &&
		grep -q '^hint: .*--remote=vm:' out &&
		"$STAP_VM" exec --socket "$work/$1" -- sh -c '! grep -q ^machines /proc/modules'
}

works() {
	[ "$("$STAP_VM" exec --socket "$work/$1" -- staprun /t/machines.ko 2>&1)" = seen ]
}

lock_down() {
	"$STAP_VM" exec --socket "$work/$1" -- sh -c 'mountpoint -q /sys/kernel/security ||
		mount -t securityfs none /sys/kernel/security; echo "$1" >/sys/kernel/security/lockdown' sh "$2"
}

no_more_modules() {
	"$STAP_VM" exec --socket "$work/$1" -- sh -c 'echo 1 >/proc/sys/kernel/modules_disabled'
}

# Guests with the kernel $release, and what is tried in them.
with_five_levels() {
	# Always emulate, because KVM offers only the features of the host's CPU.
	PATH=$work/five-levels:$PATH SPILE_ACCEL=tcg start_guest "$release" --no-snapshot --file "$work/far" || return
	check "$release: a machine has five-level page tables" five_levels "$work/$release"
	check "$release: probes see addresses above four levels" far_memory "$release"
	check_guest_log "$release" "with five levels"
	stop_guest "$release"
}

with_disks() {
	local modules
	truncate -s 0 disk && truncate -s 64M disk
	modules=$(as_modules "$release" virtio_scsi sd_mod loop ext4 mq-deadline)
	PATH=$work/with-disk:$PATH start_guest "$release" --no-snapshot $modules \
		--file "$tests/programs/scsi.sh:/tmp/scsi.sh" \
		--file "$tests/programs/file-systems.sh:/tmp/file-systems.sh" || return
	check "$release: scsi aliases of a disk behind virtio-scsi" scsi_aliases "$release"
	check "$release: file systems on a virtio-scsi disk and on a loop device" file_systems "$release"
	check_guest_log "$release" "with disks"
	stop_guest "$release"
}

with_lockdown() {
	local level
	check "$release: a module is compiled" compile_for "$release" machines
	for level in integrity confidentiality; do
		start_guest "$release" --file "$work/machines.ko:/t/machines.ko" --file "$STAPRUN:/bin/staprun" || break
		check "$release: the module runs on a kernel without lockdown" works "$release"
		check "$release: the kernel is locked down: $level" lock_down "$release" $level
		check "$release: staprun reports the lockdown with a hint" \
			refused "$release" "Lockdown: .*unsigned module"
		stop_guest "$release"
	done
	start_guest "$release" --file "$work/machines.ko:/t/machines.ko" --file "$STAPRUN:/bin/staprun" || return
	check "$release: the kernel refuses further modules" no_more_modules "$release"
	check "$release: staprun reports that modules are disabled" refused "$release" "kernel.modules_disabled is set"
	stop_guest "$release"
}

# In a part, each on one of the two kernels, or on none.
for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	for machine in with_five_levels with_disks with_lockdown; do
		is_kernels_part "$release" $machine && is_part "machines/$machine" 2 || continue
		need_kernel "$release" && $machine
	done
done
