# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the suites packages, distributions and systemd share. Source it after lib.sh.

# build_packages DIRECTORY: build the Debian packages of git's files into the directory.
build_packages() {
	local tree=$1/spile
	mkdir -p "$tree" && git -C "$SPILE_SRCDIR" ls-files -z | tar c -C "$SPILE_SRCDIR" --null -T - |
		tar x -C "$tree" && cd "$tree" || return
	DEB_BUILD_OPTIONS="parallel=$(nproc) nocheck" dpkg-buildpackage -us -uc -b >"$work/log" 2>&1 && return
	tail -n 30 "$work/log"
	return 1
}

# on_copy SYSTEM DIRECTORY SCRIPT [COMMAND]: run the script in a chroot of an overlay over a system's tree, with the
# packages of the directory in /packages; then run the command outside, with the overlay's tree as $1. Leave nothing.
on_copy() {
	unshare -m sh -c 'mount -t tmpfs -o size=4g none "$4" && mkdir "$4/upper" "$4/work" "$4/root" &&
		mount -t overlay -o "lowerdir=$1,upperdir=$4/upper,workdir=$4/work" none "$4/root" &&
		mount --rbind /proc "$4/root/proc" && mount --rbind /dev "$4/root/dev" &&
		mkdir -p "$4/root/packages" && find "$2" -maxdepth 1 -type f -exec cp -t "$4/root/packages" {} + &&
		chroot "$4/root" env -u TMPDIR sh -c "$3" || exit
		[ -n "$5" ] || exit 0
		rm -rf "$4/root/packages"
		umount -l "$4/root/proc" && umount -l "$4/root/dev" && sh -c "$5" sh "$4/root"' \
		sh "$1" "$2" "$3" "$(mktemp -d "$work/copy-XXXXXX")" "$4"
}
