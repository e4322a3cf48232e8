# SPDX-License-Identifier: GPL-2.0-or-later
#
# Machines that are set up otherwise than most: page tables of five levels, a disk behind virtio-scsi, kernels that are
# locked down (Secure Boot) or take no more modules. What is lost there is said.

. "$(dirname "$0")/../lib.sh"

cd "$work" || exit 1
gcc -g -O2 -static -o far "$tests/programs/far.c" || exit 1
# machine NAME ARGUMENT...: what starts such a machine of QEMU's, for the beginning of PATH. The arguments are shell
# text.
machine() {
	mkdir "$1" && cat >"$1/qemu-system-x86_64" <<-END && chmod +x "$1/qemu-system-x86_64"
		#!/bin/bash
		exec "$(command -v qemu-system-x86_64)" ${@:2}
	END
}
# stap-vm's machines have four levels, for snapshots' sake, and no disk.
machine five-levels '"${@/la57=off/la57=on}"'
machine with-disk '"$@"' -device virtio-scsi-pci -drive "if=none,id=disk,format=raw,file=$work/disk" \
	-device scsi-hd,drive=disk

five_levels() {
	"$STAP_VM" exec --socket "$1" -- grep -qw la57 /proc/cpuinfo
}

# A program's function, a system call and a function of the kernel see the address and what is there; stacks are whole.
far_memory() {
	"$STAP" -r "$1" --remote="unix:$work/$1" -c "$work/far" - "$work/far" >out 2>err <<-\END
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

# The aliases that a disk of scsi_debug's has come for this one, too.
scsi_aliases() {
	"$STAP" -r "$1" --remote="unix:$work/$1" -w -D MAXSKIPPED=1000000 -c 'sh /tmp/scsi.sh sda 2>/dev/null' \
		"$tests/guest/aliases-scsi.stp" >out 2>err
	sort out | diff "$tests/guest/aliases-scsi.out" - && ! grep -v '^WARNING: .*skipped probes' err
}

# A megabyte in a file on the disk, and then in one on a loop device in a file on the disk: what is seen of it on its
# way, from the call of the program to what the disk says it has done. The loop device writes by a worker of its own.
file_systems() {
	"$STAP" -r "$1" --remote="unix:$work/$1" -w -c 'sh /tmp/file-systems.sh' - >out 2>err <<-\END
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

# refused RELEASE TEXT: the module cannot be loaded, with why, and nothing of it stays.
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

for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	is_kernels_part "$release" machines || continue
	need_kernel "$release" || continue
	# Always emulated: KVM has no more than the processor has.
	PATH=$work/five-levels:$PATH SPILE_ACCEL=tcg start_guest "$release" --no-snapshot --file "$work/far" || continue
	check "$release: a machine has page tables of five levels" five_levels "$work/$release"
	check "$release: addresses that take them are seen" far_memory "$release"
	check_guest_log "$release" "with five levels"
	stop_guest "$release"

	truncate -s 0 disk && truncate -s 64M disk
	modules=$(as_modules "$release" virtio_scsi sd_mod loop ext4 mq-deadline)
	PATH=$work/with-disk:$PATH start_guest "$release" --no-snapshot $modules \
		--file "$tests/programs/scsi.sh:/tmp/scsi.sh" \
		--file "$tests/programs/file-systems.sh:/tmp/file-systems.sh" || continue
	check "$release: what a disk behind virtio-scsi is told" scsi_aliases "$release"
	check "$release: file systems on it and on a loop device" file_systems "$release"
	check_guest_log "$release" "with disks"
	stop_guest "$release"

	check "$release: a module is made" compile_for "$release" machines
	for level in integrity confidentiality; do
		start_guest "$release" --file "$work/machines.ko:/t/machines.ko" --file "$STAPRUN:/bin/staprun" || break
		check "$release: it runs where nothing is locked down" works "$release"
		check "$release: the kernel is locked down: $level" lock_down "$release" $level
		check "$release: which staprun says, with what helps" refused "$release" "Lockdown: .*unsigned module"
		stop_guest "$release"
	done
	start_guest "$release" --file "$work/machines.ko:/t/machines.ko" --file "$STAPRUN:/bin/staprun" || continue
	check "$release: the kernel takes no more modules" no_more_modules "$release"
	check "$release: which staprun says, too" refused "$release" "kernel.modules_disabled is set"
	stop_guest "$release"
done
