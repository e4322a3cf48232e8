# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/guest/library-kernel.stp: create a partition on the disk that the module scsi_debug provides, from
# sector 8 to 23, write to it, and remove it.

disk=$(ls /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block | head -n 1)
[ -b /dev/$disk ] || exit 1
printf '\0\0\0\0\203\0\0\0\010\0\0\0\020\0\0\0' | dd of=/dev/$disk bs=1 seek=446 conv=notrunc
printf '\125\252' | dd of=/dev/$disk bs=1 seek=510 conv=notrunc,fsync
blockdev --rereadpt /dev/$disk
dd if=/dev/zero of=/dev/${disk}1 bs=4096 count=1 oflag=direct
dd if=/dev/zero of=/dev/$disk bs=512 count=1 conv=fsync
blockdev --rereadpt /dev/$disk
