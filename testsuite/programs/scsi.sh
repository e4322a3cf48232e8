# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/guest/aliases-scsi.stp: write and read a disk, take it offline, and bring it back. The disk is the
# argument, or that of the module scsi_debug. The needed modules are loaded.

disk=${1:-$(ls /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block | head -n 1)}
[ -b /dev/$disk ] || exit 1
echo mq-deadline >/sys/block/$disk/queue/scheduler
dd if=/dev/zero of=/dev/$disk bs=8192 count=1 conv=fsync oflag=direct
dd if=/dev/zero of=/dev/$disk bs=65536 count=8 conv=fsync
dd if=/dev/$disk of=/dev/null bs=65536 count=8
echo offline >/sys/block/$disk/device/state
echo running >/sys/block/$disk/device/state
echo 1 >/sys/block/$disk/device/rescan
