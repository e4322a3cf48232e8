# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-systemd`: Spile's Debian packages on a fresh Debian system, made by debootstrap. The packages are
# installed there, then a kernel, whose hooks compile the scripts of /etc/spile/services. The system is booted in QEMU
# with systemd. There, testsuite/systemd/guest.sh checks scripts that run from boot, members of groups, the compile
# server's service, and the exporter's. It takes about fifteen minutes and downloads 400 MB; it is not part of `make
# check`.

. "$(dirname "$0")/../lib.sh"
. "$tests/packages-tools.sh"

if [ "$(id -u)" -ne 0 ]; then
	skip "all" "debootstrap takes root"
	exit 0
fi
for program in debootstrap dpkg-buildpackage dh; do
	command -v $program >/dev/null && continue
	echo "install debootstrap and debhelper" | fail "$program"
	exit 0
done
mirror=${SPILE_DEBIAN_MIRROR:-http://deb.debian.org/debian}
suite_of_debian=bookworm
base=${SPILE_TEST_SYSTEMS:-${XDG_CACHE_HOME:-$HOME/.cache}/spile-systems}/$suite_of_debian

# Keep it outside stap's cache, which removes unknown files. Its mounts disappear with their namespace.
make_base() {
	[ -d "$base" ] && return
	mkdir -p "$(dirname "$base")" && rm -rf --one-file-system "$base.new" &&
		unshare -m sh -c 'debootstrap --variant=minbase --include=adduser "$1" "$3" "$2" &&
			mount -t proc none "$3/proc" &&
			chroot "$3" env -u TMPDIR DEBIAN_FRONTEND=noninteractive apt-get install -y \
				--no-install-recommends ca-certificates dbus initramfs-tools kmod systemd-sysv udev' \
			sh "$suite_of_debian" "$mirror" "$base.new" >"$work/log" 2>&1 &&
		mv "$base.new" "$base" && return
	tail -n 40 "$work/log"
	return 1
}
check "a system is made" make_base
check "the packages are built" build_packages "$work/debian"

install_packages='export DEBIAN_FRONTEND=noninteractive
	apt-get update && apt-get install -y --no-install-recommends /packages/spile_*.deb \
		/packages/spile-runtime_*.deb /packages/spile-server_*.deb /packages/spile-exporter_*.deb \
		avahi-daemon iproute2 || exit'
# The administrator has installed scripts before the first kernel is installed; a second kernel is removed again.
install_kernels='cd /etc/spile/services && cat >execs.stp <<-END
		global n
		probe begin { println("begins ", @1) }
		probe kernel.trace("sched_process_exec") { if (!n++) println("sees the first") }
		probe end { println(n ? "ends with some" : "ends with none") }
	END
	cat >early.stp <<-END
		global n
		probe kernel.trace("sched_process_exec") {
			if (n++ < 400) printf("early %d %s\n", ktime_get_ns() / 1000000, execname())
		}
	END
	printf "AT_BOOT=yes\nARGUMENTS=\"from boot on\"\n" >execs.conf
	echo AT_BOOT=initramfs >early.conf
	apt-get install -y --no-install-recommends linux-headers-cloud-amd64 linux-image-cloud-amd64 || exit
	other=$(apt-cache pkgnames linux-image-6.12 | grep -E "^linux-image-6[.]12[.].*[0-9]-cloud-amd64\$" | head -n 1)
	if [ -n "$other" ]; then
		apt-get install -y --no-install-recommends "linux-headers-${other#linux-image-}" "$other" || exit
		ls "/var/lib/spile/services/${other#linux-image-}/execs.ko" || exit
		apt-get purge -y "$other" || exit
		! ls -d "/var/lib/spile/services/${other#linux-image-}" || exit
		rm -f /boot/*6.12*
	fi
	stap-service list
	for name in early execs; do ls /var/lib/spile/services/*/$name.ko || exit; done
	lsinitramfs /boot/initrd.img-* | grep -x usr/lib/spile/spile_early.ko || exit
	: whoever installs it can try it in a guest of that kernel, which is in no cache
	apt-get install -y --no-install-recommends busybox-static qemu-system-x86 || exit
	useradd -m somebody && echo "probe begin { println(\"hello from a guest\") exit() }" >/tmp/hello.stp
	su somebody -c "stap -r 6.1 --remote=vm: /tmp/hello.stp" | grep -x "hello from a guest" || exit
	userdel -r somebody && apt-get purge -y qemu-system-x86 && apt-get autopurge -y || exit
	rm -rf /var/cache/apt /var/lib/apt/lists'
make_image='set -e
	cp "$1"/boot/vmlinuz-* vmlinuz && cp "$1"/boot/initrd.img-* initrd
	install -m 0755 guest.sh "$1/usr/local/sbin/check-spile"
	cp check-spile.service "$1/etc/systemd/system/"
	mkdir -p "$1/etc/systemd/system/multi-user.target.wants"
	ln -s ../check-spile.service "$1/etc/systemd/system/multi-user.target.wants/"
	echo "/dev/vda / ext4 defaults 0 1" >"$1/etc/fstab"
	echo "127.0.0.1 localhost" >"$1/etc/hosts"
	echo OPTIONS=--seconds=1800 >"$1/etc/default/stap-server"
	truncate -s 4G image && mke2fs -q -F -t ext4 -d "$1" image'

make_system() {
	cp "$tests"/systemd/* "$work" && cd "$work" &&
		on_copy "$base" "$work/debian" "$install_packages; $install_kernels" "$make_image"
}
check "installing packages and kernels compiles scripts; removing a kernel removes them" make_system
[ -f "$work/image" ] || exit 0

# Use software emulation with the options of stap-vm.
boot() {
	timeout 2700 qemu-system-x86_64 -M q35 -accel tcg,thread=single -cpu max -m 2G -smp 2 -nic none -no-reboot \
		-display none -serial "file:$work/serial" -kernel "$work/vmlinuz" -initrd "$work/initrd" \
		-drive "file=$work/image,format=raw,if=virtio" \
		-append "console=ttyS0 root=/dev/vda rw panic=-1 systemd.show_status=0 quiet" </dev/null
}
check "the system boots, and is switched off" boot
tr -d '\r' <"$work/serial" >"$work/results"
grep -E '^(ok|FAIL) - |^    ' "$work/results"
check "the system's tests run to their end" eval 'tail -n 40 "$work/results"; grep -qx "all is tried" "$work/results"'
