# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/suites/machines.sh: write a megabyte to a file on the first disk, and to a file on a loop device, whose
# image is a file on that disk.

{
	mke2fs /dev/sda && mkdir -p /mnt/disk /mnt/loop && mount -t ext4 /dev/sda /mnt/disk || exit
	dd if=/dev/zero of=/mnt/disk/file bs=64k count=16 conv=fsync
	dd if=/dev/zero of=/mnt/disk/image bs=1M count=16
	losetup /dev/loop0 /mnt/disk/image
	mke2fs /dev/loop0 && mount -t ext4 /dev/loop0 /mnt/loop
	dd if=/dev/zero of=/mnt/loop/file bs=64k count=16 conv=fsync
	sync
	umount /mnt/loop
	losetup -d /dev/loop0
	umount /mnt/disk
} >/dev/null 2>&1
