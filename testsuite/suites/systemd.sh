# SPDX-License-Identifier: GPL-2.0-or-later
#
# `make check-systemd`: Spile's Debian packages on a fresh Debian system, made by debootstrap. The packages are
# installed there, then a kernel, whose hooks compile the scripts of /etc/spile/services (systemd/install.sh). The
# system is booted in QEMU with systemd. There, systemd/guest.sh checks scripts that run from boot, members of groups,
# the compile server's service, and the exporter's. It takes about fifteen minutes and downloads 400 MB; it is not part
# of `make check`.

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

make_image='set -e
	cp "$1"/boot/vmlinuz-* vmlinuz && cp "$1"/boot/initrd.img-* initrd
	truncate -s 4G image && mke2fs -q -F -t ext4 -d "$1" image'

make_system() {
	cp "$tests"/systemd/* "$work/debian" && cd "$work" &&
		on_copy "$base" "$work/debian" "sh /packages/install.sh" "$make_image"
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
