# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian systems of another architecture, for testsuite/hosts. The system is on a disk of its own. A guest of stap-vm
# with the suite's own kernel mounts the disk, and commands run in it, as they do in a system of this architecture
# (emulated_inside()). At the end the system boots by itself, from its own kernel, with systemd (boot_emulated()).
#
# Source it from testsuite/hosts. The mirror must be reachable from here by its name, because QEMU forwards the guest's
# connections.

stap_vm=$source/stap-vm

# emulated_machine ARCHITECTURE: set $machine to the words with which QEMU emulates one, and $accelerator. It has as
# many CPUs as this host, which run at the same time where that is safe (vm/qemu.c).
emulated_machine() {
	case $1 in
	amd64) machine=(qemu-system-x86_64 -M q35 -cpu max,la57=off,cx16=off) accelerator=tcg,thread=single ;;
	arm64) machine=(qemu-system-aarch64 -M virt -cpu max,pauth-impdef=on) accelerator=tcg,thread=multi ;;
	*) return 1 ;;
	esac
	machine+=(-accel $accelerator -m 4G -smp "$(nproc)" -nodefaults -display none -no-reboot)
}

# attach_disk ROOT: put a QEMU first into PATH that gives each machine the system's disk and a network.
attach_disk() {
	local program=${machine[0]}
	mkdir -p "$1/bin" && cat >"$1/bin/$program" <<-END && chmod +x "$1/bin/$program"
		#!/bin/bash
		exec $(command -v "$program") "\${@/tcg,thread=single/$accelerator}" \\
			-drive if=none,id=disk,format=raw,file=$1/disk,cache=unsafe,discard=unmap \\
			-device virtio-blk-pci,drive=disk -netdev user,id=net -device virtio-net-pci,netdev=net
	END
}

# The first stage of debootstrap, on a new disk. mke2fs copies it, since this host may mount no images.
make_disk() {
	local suite=$1 root=$2 architecture=$3
	rm -rf --one-file-system "$root/disk" "$root/system"
	debootstrap --arch="$architecture" --foreign --variant=minbase --include=ca-certificates,gcc,make,git \
		$keyring "$suite" "$root/system" "$mirror" || return
	write_sources "$suite" >"$root/system/sources.list"
	host_apt_options >"$root/system/etc/apt/apt.conf.d/90host"
	echo force-unsafe-io >"$root/system/etc/dpkg/dpkg.cfg.d/90host"
	truncate -s 24G "$root/disk" && mke2fs -q -F -t ext4 -d "$root/system" "$root/disk" &&
		rm -rf --one-file-system "$root/system"
}

# The guest's part of start_emulated(): QEMU's network of users has these addresses.
mount_disk='mkdir -p /disk && mount -t ext4 /dev/vda /disk || exit
	ip addr add 10.0.2.15/24 dev eth0 && ip link set eth0 up && ip route add default via 10.0.2.2 || exit
	ip link set lo up && rm -f /disk/etc/resolv.conf && echo nameserver 10.0.2.3 >/disk/etc/resolv.conf'

# The same before each command: enter the disk in a new mount namespace. Its root is moved there, because bwrap cannot
# create a user namespace in a chroot.
enter_disk='cd /disk && mount -o move . / && mount -t proc proc proc && mount -t sysfs sys sys || exit
	mount -t devtmpfs dev dev && mkdir -p dev/pts dev/shm && mount -t devpts devpts dev/pts || exit
	mount -t tmpfs shm dev/shm && mount -t debugfs debug sys/kernel/debug || exit
	exec chroot . "$@"'

# start_emulated SUITE ROOT ARCHITECTURE: start the guest of $root/socket, with the disk at /disk.
start_emulated() {
	local kernel
	kernel=$("$stap_vm" fetch --no-debuginfo "$1-$3") || return
	emulated_machine "$3" && attach_disk "$2" || return
	PATH=$2/bin:$PATH "$stap_vm" start -r "$kernel" --socket "$2/socket" --mem 4G \
		--smp "$(nproc)" --no-snapshot --modules virtio_net,virtio_blk,overlay &&
		"$stap_vm" exec --socket "$2/socket" -- sh -c "$mount_disk"
}

# emulated_debian SUITE ROOT ARCHITECTURE: make the system, or take the one that is there, and start it.
emulated_debian() {
	local keyring=${SPILE_DEBIAN_KEYRING:+--keyring=$SPILE_DEBIAN_KEYRING}
	[ -x "$stap_vm" ] || { echo "$stap_vm does not exist; run make first"; return 1; }
	mkdir -p "$2" || return
	if [ ! -e "$2/made" ]; then
		make_disk "$@" && start_emulated "$@" && in_guest "$2" / /debootstrap/debootstrap --second-stage &&
			in_guest "$2" / mv /sources.list /etc/apt/sources.list && touch "$2/made"
	else
		start_emulated "$@"
	fi
}

# in_guest ROOT DIRECTORY COMMAND...: run it in the system. Programs have their paths until busybox is left, which would
# run its own of that name.
in_guest() {
	"$stap_vm" exec --socket "$1/socket" -- unshare -m sh -c "$enter_disk" sh \
		/usr/bin/env -i HOME=/root USER=root LANG=C.UTF-8 TERM=dumb SHELL=/bin/bash \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
		${SPILE_DEBIAN_MIRROR:+"SPILE_DEBIAN_MIRROR=$SPILE_DEBIAN_MIRROR"} \
		/bin/sh -c 'cd "$1" && shift && exec "$@"' sh "${@:2}" </dev/null
}

# emulated_inside ROOT COMMAND...: run it in the clone.
emulated_inside() {
	in_guest "$1" /root/spile "${@:2}"
}

# copy_in ROOT FILE PATH: copy a file into the system.
copy_in() {
	"$stap_vm" exec --socket "$1/socket" --file "$2:/disk$3" -- true
}

emulated_clone() {
	git -C "$source" bundle create -q "$1/bundle" HEAD && copy_in "$1" "$1/bundle" /root/bundle &&
		in_guest "$1" / sh -c 'rm -rf /root/spile && git clone -q /root/bundle /root/spile && rm /root/bundle'
}

# Build Spile's packages in the system, and install them with a kernel and what systemd/guest.sh needs.
install_emulated() {
	in_guest "$1" /root/spile sh -c 'export DEBIAN_FRONTEND=noninteractive
		rm -rf /packages && git clone -q . /packages/spile || exit
		apt-get install -y --no-install-recommends adduser dbus initramfs-tools kmod systemd-sysv udev \
			build-essential devscripts equivs || exit
		cd /packages/spile && mk-build-deps -i -r -t "apt-get -y --no-install-recommends" debian/control || exit
		DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck" dpkg-buildpackage -us -uc -b || exit
		EMULATED=yes sh testsuite/systemd/install.sh'
}

# Boot the system from its own kernel. The guest of stap-vm ends before that, as both write to the disk.
boot_emulated() {
	local root=$1 console=ttyS0 name
	[ "${machine[0]}" != qemu-system-aarch64 ] || console=ttyAMA0
	for name in vmlinuz initrd.img; do
		in_guest "$root" /boot sh -c "cat $name-*" >"$root/$name" || return
	done
	stop_emulated "$root" && timeout 7200 "${machine[@]}" -serial "file:$root/serial" -kernel "$root/vmlinuz" \
		-initrd "$root/initrd.img" -drive "file=$root/disk,format=raw,if=virtio,cache=unsafe,discard=unmap" \
		-append "console=$console root=/dev/vda rw panic=-1 systemd.show_status=0 quiet" </dev/null || return
	tr -d '\r' <"$root/serial" | tee "$root/results"
	grep -qx "all is tried" "$root/results" && ! grep -q '^FAIL' "$root/results"
}

stop_emulated() {
	[ -S "$1/socket" ] || return 0
	"$stap_vm" exec --socket "$1/socket" -- sync && "$stap_vm" stop --socket "$1/socket"
}
