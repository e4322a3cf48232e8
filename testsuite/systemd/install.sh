#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Prepare a Debian system for guest.sh, inside it: install Spile's packages, which are in /packages, and then kernels,
# whose hooks compile the scripts of /etc/spile/services. The unit of guest.sh runs it when the system boots. The
# command that fails is the last in the log.

set -ex
export DEBIAN_FRONTEND=noninteractive
architecture=$(dpkg --print-architecture)
files=$(dirname "$0")

install() {
	apt-get install -y --no-install-recommends "$@"
}

apt-get update
install /packages/spile_*.deb /packages/spile-runtime_*.deb /packages/spile-server_*.deb \
	/packages/spile-exporter_*.deb avahi-daemon iproute2

# The administrator has installed scripts before the first kernel is installed; a second kernel is removed again.
cat >/etc/spile/services/execs.stp <<'END'
global n
probe begin { println("begins ", @1) }
probe kernel.trace("sched_process_exec") { if (!n++) println("sees the first") }
probe end { println(n ? "ends with some" : "ends with none") }
END
cat >/etc/spile/services/early.stp <<'END'
global n
probe kernel.trace("sched_process_exec") {
	if (n++ < 400) printf("early %d %s\n", ktime_get_ns() / 1000000, execname())
}
END
printf 'AT_BOOT=yes\nARGUMENTS="from boot on"\n' >/etc/spile/services/execs.conf
echo AT_BOOT=initramfs >/etc/spile/services/early.conf
install "linux-headers-cloud-$architecture" "linux-image-cloud-$architecture"
release=$(basename /boot/vmlinuz-*)
release=${release#vmlinuz-}
other=$(apt-cache pkgnames linux-image- | grep -E "^linux-image-[0-9].*[0-9]-cloud-$architecture\$" |
	sed 's/^linux-image-//' | grep -vx "$release" | sort -V | tail -n 1)
if [ -n "$other" ]; then
	install "linux-headers-$other" "linux-image-$other"
	ls "/var/lib/spile/services/$other/execs.ko"
	apt-get purge -y "linux-image-$other"
	[ ! -e "/var/lib/spile/services/$other/execs.ko" ]
	rm -f "/boot/"*"-$other"
fi
stap-service list
ls "/var/lib/spile/services/$release/early.ko" "/var/lib/spile/services/$release/execs.ko"
lsinitramfs "/boot/initrd.img-$release" | grep -x usr/lib/spile/spile_early.ko

# Whoever installs it can try it in a guest of that kernel, which is in no cache. Emulated machines are too slow for it.
run_guest() {
	case $architecture in
	amd64) qemu=qemu-system-x86 ;;
	arm64) qemu=qemu-system-arm ;;
	esac
	install busybox-static $qemu
	useradd -m somebody
	echo 'probe begin { println("hello from a guest") exit() }' >/tmp/hello.stp
	su somebody -c "stap -r $release --remote=vm: /tmp/hello.stp" | grep -x "hello from a guest"
	userdel -r somebody
	apt-get purge -y $qemu
	apt-get autopurge -y
}
if [ -z "$EMULATED" ]; then
	run_guest
fi
rm -rf /var/cache/apt /var/lib/apt/lists

cp "$files/guest.sh" /usr/local/sbin/check-spile
chmod 0755 /usr/local/sbin/check-spile
cp "$files/check-spile.service" /etc/systemd/system/
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -sf ../check-spile.service /etc/systemd/system/multi-user.target.wants/
echo '/dev/vda / ext4 defaults 0 1' >/etc/fstab
echo '127.0.0.1 localhost' >/etc/hosts
echo OPTIONS=--seconds=1800 >/etc/default/stap-server
