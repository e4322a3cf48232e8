# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the suites packages and systemd share. Sourced behind lib.sh.

# build_packages FOLDER: Debian's packages of what git knows, into the folder.
build_packages() {
	local tree=$1/spile
	mkdir -p "$tree" && git -C "$SPILE_SRCDIR" ls-files -z | tar c -C "$SPILE_SRCDIR" --null -T - |
		tar x -C "$tree" && cd "$tree" || return
	DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck" dpkg-buildpackage -us -uc -b >"$work/log" 2>&1 && return
	tail -n 30 "$work/log"
	return 1
}

# on_copy SYSTEM FOLDER SCRIPT [COMMAND]: the script runs as root of an overlay of a system's tree, in which the
# packages of the folder are in /packages; then the command, outside, with the overlay's tree in $1. Nothing of it
# stays.
on_copy() {
	unshare -m sh -c 'mount -t tmpfs -o size=4g none "$4" && mkdir "$4/upper" "$4/work" "$4/root" &&
		mount -t overlay -o "lowerdir=$1,upperdir=$4/upper,workdir=$4/work" none "$4/root" &&
		mount --rbind /proc "$4/root/proc" && mount --rbind /dev "$4/root/dev" &&
		mkdir -p "$4/root/packages" && cp "$2"/*.deb "$4/root/packages" &&
		chroot "$4/root" env -u TMPDIR sh -c "$3" || exit
		[ -n "$5" ] || exit 0
		rm -rf "$4/root/packages"
		umount -l "$4/root/proc" && umount -l "$4/root/dev" && sh -c "$5" sh "$4/root"' \
		sh "$1" "$2" "$3" "$(mktemp -d "$work/copy-XXXXXX")" "$4"
}
