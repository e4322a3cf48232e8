# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-vm fetch where apt has Ubuntu's packages: an archive that is made here has a kernel of Debian's in Ubuntu's
# layout, which boots and runs a script, and packages with Ubuntu's names that are only looked up. apt and dpkg are the
# real ones. Only in `make check-full`.

. "$(dirname "$0")/../lib.sh"
. "$tests/fetched-kernels.sh"

need_kernel $new_kernel || exit 0
for program in apt-get dpkg-deb dpkg-scanpackages zstd; do
	command -v $program >/dev/null || { echo "install $program" | fail "$program is installed"; exit 0; }
done
debian=$("$STAP_VM" path $new_kernel)
release=$(basename "$debian")
cd "$work" || exit 1

# package NAME DEPENDS DIRECTORY [ENDING]: make a package of a directory, in a file with this ending.
package() {
	mkdir -p "$3/DEBIAN" archive &&
		printf '%s\n' "Package: $1" 'Version: 45.45' 'Architecture: amd64' 'Maintainer: test' \
			'Installed-Size: 1000' ${2:+"Depends: $2"} 'Description: test' >"$3/DEBIAN/control" &&
		dpkg-deb --root-owner-group -Znone -b "$3" "archive/$1_45.45_amd64.${4:-deb}" >/dev/null
}

# Debian's kernel, as Ubuntu lays it out: the image apart from its configuration and modules, which are compressed by
# zstd; headers that lead to those of the version; debug symbols in a .ddeb of the unsigned image.
lay_out() {
	local headers=$debian/usr/src/linux-headers version=${release%-cloud*} entry
	local symbols=usr/lib/debug/lib/modules/$release/kernel/drivers/block
	mkdir -p image/boot modules/boot modules/lib/modules/"$release" \
		extra/lib/modules/"$release"/kernel/fs common/usr/src \
		own/usr/src/linux-headers-"$release"/include own/lib/modules/"$release" debug/usr/lib/debug/boot
	cp "$debian/boot/vmlinuz-$release" image/boot/ && cp "$debian/boot/config-$release" modules/boot/ &&
		cp "$debian/usr/lib/debug/boot/System.map-$release" modules/boot/ &&
		cp -rL "$debian/lib/modules/$release/kernel" raw && rm -rf raw/drivers/gpu &&
		cp "$debian/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} \
			modules/lib/modules/"$release"/ &&
		cp "$debian/usr/lib/debug/boot/vmlinux-$release" debug/usr/lib/debug/boot/ &&
		mkdir -p "debug/$symbols" && cp "$debian/$symbols/loop.ko" "debug/$symbols/" || return
	find raw -name '*.ko.*' -exec xz -dq {} + 2>/dev/null
	find raw -name '*.ko' -exec zstd -q -1 --rm {} +
	mv raw/fs/xfs extra/lib/modules/"$release"/kernel/fs/ && mv raw modules/lib/modules/"$release"/kernel &&
		cp -r "$headers-$version-common" "common/usr/src/linux-headers-$version" &&
		ln -s "/usr/src/linux-headers-$release" own/lib/modules/"$release"/build &&
		cd own/usr/src/linux-headers-"$release" || return
	cp -rL "$headers-$release"/{.config,Module.symvers,scripts,tools} . &&
		cp -rL "$headers-$release"/include/{config,generated} include/ &&
		cp -r "$headers-$version-common/arch" . && cp -r "$headers-$release/arch/." arch/ || return
	for entry in "$headers-$version-common"/include/*; do
		ln -s "../../linux-headers-$version/include/${entry##*/}" include/
	done
	for entry in "$headers-$version-common"/*; do
		[ -e "${entry##*/}" ] || ln -s "../linux-headers-$version/${entry##*/}" .
	done
	cd "$work"
}
make_kernel() {
	local version=${release%-cloud*}
	lay_out && package "linux-image-$release" "kmod, linux-modules-$release" image &&
		package "linux-modules-$release" linux-base modules &&
		package "linux-modules-extra-$release" "linux-modules-$release" extra &&
		package "linux-headers-$version" "" common &&
		package "linux-headers-$release" "linux-headers-$version" own &&
		package "linux-image-unsigned-$release-dbgsym" "" debug ddeb &&
		mkdir empty && package "linux-image-$release-dbgsym" "linux-image-unsigned-$release-dbgsym" empty ddeb
}
# small RELEASE IMAGE: make the packages of a kernel that has a few files only.
small() {
	local root=small.$1
	mkdir -p "$root/image/boot" "$root/headers/usr/src/linux-headers-$1" "$root/modules/lib/modules/$1" &&
		echo "$1" >"$root/image/boot/vmlinuz-$1" && : >"$root/modules/lib/modules/$1/modules.order" &&
		: >"$root/modules/lib/modules/$1/modules.builtin" &&
		: >"$root/headers/usr/src/linux-headers-$1/Makefile" &&
		package "$2-$1" "linux-modules-$1" "$root/image" && package "linux-modules-$1" "" "$root/modules" &&
		package "linux-headers-$1" "linux-headers-${1%-*}" "$root/headers"
}
make_small() {
	local abi
	for abi in 7.98.0-45 7.98.0-1014; do
		mkdir -p common.$abi/usr/src/linux-headers-$abi && package linux-headers-$abi "" common.$abi || return
	done
	mkdir meta && small 7.98.0-45-generic linux-image && small 7.98.0-1014-aws linux-image &&
		small 7.98.0-45-lowlatency linux-image-unsigned &&
		package linux-image-generic "linux-image-7.98.0-45-generic, linux-modules-extra-7.98.0-45-generic" meta
}
make_archive() {
	make_kernel && make_small && (cd archive && dpkg-scanpackages -m . && dpkg-scanpackages -m -t ddeb .) \
		>packages 2>log || { cat log; return 1; }
	mv packages archive/Packages
	mkdir -p apt/lists/partial apt/cache/archives/partial && : >apt/status
	echo "deb [trusted=yes] file:$work/archive ./" >apt/sources.list
	cat >apt.conf <<-END
		Dir::Etc::sourcelist "$work/apt/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		Dir::State::lists "$work/apt/lists";
		Dir::State::status "$work/apt/status";
		Dir::Cache "$work/apt/cache";
		APT::Sandbox::User "root";
	END
	APT_CONFIG=$work/apt.conf apt-get -q update
}
check "an archive with Debian's kernel in Ubuntu's layout" make_archive
[ -e apt.conf ] || exit 0
export SPILE_CACHE=$work/fetched APT_CONFIG=$work/apt.conf

# finds NAME RELEASE: is this the release that is fetched for a name?
finds() {
	[ "$("$STAP_VM" fetch --no-debuginfo "$1")" = "$2" ] &&
		[ "$(cat "fetched/kernels/$2/boot/vmlinuz-$2")" = "$2" ] &&
		[ -e "fetched/kernels/$2/usr/src/linux-headers-${2%-*}" ]
}
check "the newest kernel of a series" finds 7.98 7.98.0-45-generic
check "a release" finds 7.98.0-45-generic 7.98.0-45-generic
check "a flavor" finds 7.98-aws 7.98.0-1014-aws
check "an image that exists only unsigned" finds 7.98-lowlatency 7.98.0-45-lowlatency
check "the name of a metapackage" finds generic 7.98.0-45-generic
check "an unknown kernel" refuses 'apt has no kernel 5\.1' "$STAP_VM" fetch 5.1
check "the kernels that exist are listed" grep -q '^    7\.98\.0-45-generic$' out
check "headers that kernels share are not listed" eval '! grep -q "^    7\.98\.0-45$" out'
check "a kernel without debug symbols" refuses 'apt has no package linux-image-7\.98\.0-45-generic-dbgsym' \
	"$STAP_VM" fetch 7.98.0-45-generic
check "the hint" grep -q 'ddebs\.ubuntu\.com' out

check "a kernel with debug symbols" test "$("$STAP_VM" fetch 6.12)" = "$release"
check "its modules that are apart" test -e "fetched/kernels/$release/lib/modules/$release/kernel/fs/xfs/xfs.ko.zst"
check_fetched_kernel
symbols() {
	"$STAP" -r "$release" -L 'module("loop").function("loop_configure")' | tee out
	grep -q '\$lo:struct loop_device\*' out
}
check "debug symbols of a compressed module" symbols
probes_module() {
	"$STAP" --remote=vm: -r "$release" \
		-e 'probe module("loop").function("lo_open") { println("open ", $disk != 0) exit() }' \
		-c 'modprobe loop || insmod /lib/modules/*/kernel/drivers/block/loop.ko; head -c 1 /dev/loop0' >out 2>&1
	cat out
	grep -q '^open 1$' out
}
check "a compressed module is probed" probes_module
truncated() {
	truncate -s 5000 "fetched/kernels/$release/lib/modules/$release/kernel/fs/xfs/xfs.ko.zst"
	refuses 'xfs\.ko\.zst: it is not an ELF file' "$STAP" -r "$release" -l 'module("xfs").function("xfs_file_open")'
}
check "a damaged module" truncated
