#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The workload of the examples, as far as busybox suffices; the rest is workload.c. Each name is a function. "prepare"
# runs once when the guest has started: it makes a disk at /mnt/disk (a file behind a loop device, with ext4), and a
# network device that drops all packets.

prepare() {
	dd if=/dev/zero of=/tmp/disk.image bs=1M count=64 2>/dev/null
	losetup /dev/loop0 /tmp/disk.image
	mke2fs /dev/loop0 >/dev/null
	mkdir -p /mnt/disk /sys/fs/cgroup
	mount -t ext4 /dev/loop0 /mnt/disk
	mount -t cgroup2 none /sys/fs/cgroup
	echo +memory >/sys/fs/cgroup/cgroup.subtree_control
	ip link set dummy0 up
	ip addr add 10.9.9.1/24 dev dummy0
	arp -s 10.9.9.9 02:00:00:00:00:09
	echo 127.0.0.1 localhost >/etc/hosts
	echo hosts: files >/etc/nsswitch.conf
}

# Write files, synchronize them, and read them from the disk again.
disk() {
	for number in 1 2 3 4; do
		dd if=/dev/zero of=/mnt/disk/file$number bs=64k count=16 conv=fsync 2>/dev/null
		sleep 0.1
	done
	echo 3 >/proc/sys/vm/drop_caches
	cat /mnt/disk/file* >/dev/null
	sleep 0.1
	rm /mnt/disk/file*
	sync
}

# A disk that fails when more is written than its file can hold.
broken_disk() {
	mkdir -p /tmp/small
	mount -t tmpfs -o size=1m none /tmp/small
	truncate -s 8M /tmp/small/image
	losetup /dev/loop1 /tmp/small/image
	dd if=/dev/zero of=/dev/loop1 bs=64k count=32 conv=fsync 2>/dev/null
	losetup -d /dev/loop1
	umount /tmp/small
}

# Start that many short processes.
processes() {
	for number in $(seq "${1:-20}"); do
		/bin/true
	done
	sh -c 'exit 3'
}

# Run a command in a cgroup with a memory limit: limited 16M COMMAND...
limited() {
	mkdir -p /sys/fs/cgroup/limited
	echo "$1" >/sys/fs/cgroup/limited/memory.max
	shift
	sh -c 'echo $$ >/sys/fs/cgroup/limited/cgroup.procs; exec "$@"' sh "$@"
	true
}

# The same with 12 MB and swap space on a disk.
swapped() {
	dd if=/dev/zero of=/tmp/swap.image bs=1M count=64 2>/dev/null
	losetup /dev/loop1 /tmp/swap.image
	mkswap /dev/loop1 >/dev/null
	swapon /dev/loop1
	limited 12M "$@"
	swapoff /dev/loop1
	losetup -d /dev/loop1
	rm /tmp/swap.image
}

# Two readers of one open /dev/kmsg: one waits for messages and holds a mutex, the other waits for the mutex.
kernel_mutex() {
	exec 3</dev/kmsg
	cat <&3 >/dev/null &
	one=$!
	sleep 0.3
	cat <&3 >/dev/null &
	other=$!
	sleep "${1:-0.7}"
	echo message >/dev/kmsg
	sleep 0.1
	echo message >/dev/kmsg
	kill $one $other 2>/dev/null
	wait
}

"$@"
