# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-vm fetch with RPM repositories, which createrepo_c makes here: one has a kernel of Debian's in Fedora's layout,
# which boots and runs a script; another has packages that are only looked up. dnf, rpm and their signatures are real.
# Only in `make check-full`.

. "$(dirname "$0")/../lib.sh"
. "$tests/fetched-kernels.sh"

need_kernel $new_kernel || exit 0
for program in dnf createrepo_c rpmbuild rpmsign rpm2cpio cpio gpg; do
	command -v $program >/dev/null || { echo "install $program" | fail "$program is installed"; exit 0; }
done
private_cache "$work/host"
debian=$("$STAP_VM" path $new_kernel)
release=$(basename "$debian")
cd "$work" || exit 1

# package NAME VERSION-RELEASE ROOT [LINE...]: make an RPM of all files in a directory, with lines for its preamble.
package() {
	local name=$1 version=${2%-*} release=${2##*-} root=$3
	{
		printf '%s\n' "Name: $name" "Version: $version" "Release: $release" 'Summary: test' \
			'License: GPL-2.0-only' 'AutoReqProv: no' "${@:4}" '%description' 'A test.' '%install' \
			"mkdir -p %{buildroot} && cp -al $work/$root/. %{buildroot}/" '%files'
		(cd "$root" && find . -mindepth 1 \( ! -type d -printf '"/%P"\n' -o -printf '%%dir "/%P"\n' \))
	} >"$name.spec"
	rpmbuild -bb --quiet --nodeps --target x86_64 --buildroot "$work/buildroot" \
		--define "_topdir $work/rpmbuild" --define "_rpmdir $work/$repository" \
		--define '_rpmfilename %{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' --define '_build_id_links none' \
		--define '__os_install_post %{nil}' --define '_binary_payload w1.zstdio' \
		"$name.spec"
}

# Debian's kernel, as Fedora lays it out: the image among the modules, compressed modules, one directory to build with,
# and debug symbols below /usr/lib/debug/lib/modules.
lay_out() {
	local headers=$debian/usr/src/linux-headers file
	mkdir -p core/boot devel/usr/src/kernels
	cp -rL "$debian/lib/modules/$release/kernel" modules.raw && rm -rf modules.raw/drivers/gpu &&
		mkdir -p "core/lib/modules/$release" "modules/lib/modules/$release" &&
		cp "$debian/boot/vmlinuz-$release" "core/lib/modules/$release/vmlinuz" &&
		cp "$debian/boot/config-$release" "core/lib/modules/$release/config" &&
		cp "$debian/lib/modules/$release"/modules.{builtin,builtin.modinfo,order} \
			"core/lib/modules/$release/" &&
		cp "$debian/usr/lib/debug/boot/System.map-$release" "core/lib/modules/$release/System.map" &&
		ln -s "/usr/src/kernels/$release" "core/lib/modules/$release/build" &&
		ln -s build "core/lib/modules/$release/source" || return
	find modules.raw -name '*.ko.*' -exec xz -dq {} + 2>/dev/null
	find modules.raw -name '*.ko' -exec xz --check=crc32 -0 {} +
	mv modules.raw "modules/lib/modules/$release/kernel"
	cp -r "$headers-${release%-cloud*}-common" "devel/usr/src/kernels/$release" &&
		rm -f "devel/usr/src/kernels/$release"/{scripts,tools} &&
		cp -rfL "$headers-$release/." "devel/usr/src/kernels/$release/" &&
		cp -f "$headers-${release%-cloud*}-common/Makefile" "devel/usr/src/kernels/$release/" || return
	mv "devel/usr/src/kernels/$release/vmlinux.btf" "devel/usr/src/kernels/$release/vmlinux"
	mkdir -p "debug/usr/lib/debug/lib/modules/$release" &&
		cp "$debian/usr/lib/debug/boot/vmlinux-$release" "debug/usr/lib/debug/lib/modules/$release/vmlinux"
}

export GNUPGHOME=$work/gnupg
make_key() {
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --quiet --passphrase '' --quick-gen-key 'Spile test <test@localhost>' rsa2048 sign never &&
		gpg --batch --quiet --armor --export >"$work/key"
}
sign_packages() {
	rpmsign --addsign --define "__gpg $(command -v gpg)" --define '_gpg_name test@localhost' "$repository"/*.rpm &&
		createrepo_c -q "$repository"
}

make_kernel() {
	repository=kernels
	local common=kernel-debuginfo-common-x86_64
	mkdir -p empty && lay_out && package kernel-core 6.12.117-200.fc99 core &&
		package kernel-modules-core 6.12.117-200.fc99 modules &&
		package kernel-devel 6.12.117-200.fc99 devel && package kernel-debuginfo 6.12.117-200.fc99 debug &&
		mkdir -p common/usr/src/debug && package $common 6.12.117-200.fc99 common && sign_packages
}
# small VERSION-RELEASE NAME UNAME: make the packages of a kernel that has a few files only.
small() {
	local root=small.$2.$1
	mkdir -p "$root/core/lib/modules/$3" "$root/devel/usr/src/kernels/$3" &&
		echo "$3" >"$root/core/lib/modules/$3/vmlinuz" && : >"$root/core/lib/modules/$3/modules.order" &&
		: >"$root/core/lib/modules/$3/modules.builtin" && : >"$root/devel/usr/src/kernels/$3/Makefile" &&
		package "$2-core" "$1" "$root/core" "Provides: kernel-uname-r = $3" &&
		package "$2-devel" "$1" "$root/devel"
}
make_small() {
	repository=small
	small 7.98.9-100.fc99 kernel 7.98.9-100.fc99.x86_64 && small 7.98.10-100.fc99 kernel 7.98.10-100.fc99.x86_64 &&
		small 7.98.10-100.fc99 kernel-rt 7.98.10-100.fc99.x86_64+rt &&
		small 7.98.10-100.fc99 kernel-debug 7.98.10-100.fc99.x86_64+debug &&
		small 7.9.1-1.fc99 kernel 7.9.1-1.fc99.x86_64 && sign_packages
}
check "a key for signatures" make_key
check "a repository with Debian's kernel in Fedora's layout" make_kernel
check "a repository with small kernels" make_small
[ -e kernels/repodata ] && [ -e small/repodata ] || exit 0

# fetch REPOSITORY [OPTION...] NAME: fetch into a cache of the suite's own.
fetch() {
	SPILE_CACHE=$work/fetched SPILE_RPM_KEYRING=${keyring-$work/key} "$STAP_VM" fetch --repository="$1" "${@:2}"
}
cached() {
	SPILE_CACHE=$work/fetched "$STAP_VM" list
}

# ---- which kernel ----------------------------------------------------------------------------------------------------

# finds NAME RELEASE: is this the release that is fetched for a name?
finds() {
	[ "$(fetch small --no-debuginfo "$1")" = "$2" ] &&
		[ "$(cat "fetched/kernels/$2/lib/modules/$2/vmlinuz")" = "$2" ]
}
check "the newest kernel of a series" finds 7.98 7.98.10-100.fc99.x86_64
check "a series is no prefix of a number" finds 7.9 7.9.1-1.fc99.x86_64
check "a version" finds 7.98.9 7.98.9-100.fc99.x86_64
check "a release" finds 7.98.9-100.fc99.x86_64 7.98.9-100.fc99.x86_64
check "a flavor" finds 7.98-rt 7.98.10-100.fc99.x86_64+rt
check "a release of a flavor" finds 7.98.10-100.fc99.x86_64+debug 7.98.10-100.fc99.x86_64+debug
check "the newest kernel of all" finds kernel 7.98.10-100.fc99.x86_64
by_address() {
	rm -rf "fetched/kernels/7.9.1-1.fc99.x86_64" &&
		[ "$(fetch "file://$work/small" --no-debuginfo 7.9)" = 7.9.1-1.fc99.x86_64 ]
}
check "a repository's address" by_address
already_there() {
	mv small away
	[ "$(fetch small --no-debuginfo 7.98.9-100.fc99.x86_64)" = 7.98.9-100.fc99.x86_64 ]
	local status=$?
	mv away small
	return $status
}
check "a complete kernel needs no repository" already_there

# ---- what fails ------------------------------------------------------------------------------------------------------

# fails TEXT REPOSITORY NAME...: does a fetch fail with a message that contains the text, and leave no kernel?
fails() {
	local before after
	before=$(cached)
	refuses "$1" fetch "${@:2}" && after=$(cached) && [ "$before" = "$after" ]
}
check "an unknown kernel" fails 'the RPM repositories have no kernel 5\.1' small --no-debuginfo 5.1
check "the kernels that exist are listed" grep -q '^    7\.98\.10-100\.fc99\.x86_64' out
check "a kernel without debug symbols" fails 'no package kernel-rt-debuginfo-7\.98\.10' small kernel-rt
check "the hint" grep -q -- '--no-debuginfo' out
check "a directory without a repository" fails 'repodata/repomd.xml' "$work/empty" --no-debuginfo 7.98
check "a directory that does not exist" fails '/nowhere' /nowhere --no-debuginfo 7.98
rm -rf fetched/kernels/7.98.9-100.fc99.x86_64
with_another_key() {
	gpg --batch --quiet --passphrase '' --quick-gen-key 'Another <other@localhost>' rsa2048 sign never
	gpg --batch --quiet --armor --export other@localhost >other
	keyring=$work/other fails 'signature' small --no-debuginfo 7.98.9
}
check "packages that are signed by another key" with_another_key
check "the hint names the keyring" grep -q 'SPILE_RPM_KEYRING' out
unsigned() {
	cp -r small plain && rpmsign --delsign plain/*.rpm >/dev/null && createrepo_c -q plain &&
		fails 'signature' plain --no-debuginfo 7.98.9
}
check "packages that are not signed" unsigned
damaged() {
	cp -r small broken && printf 'x' | dd of=broken/kernel-devel-7.98.9-100.fc99.x86_64.rpm bs=1 seek=3000 \
		conv=notrunc status=none && fails 'checksum|Checksum' broken --no-debuginfo 7.98.9
}
check "a damaged package" damaged
small_disk() {
	mkdir -p disk && mount -t tmpfs -o size=100k tmpfs disk || return
	SPILE_CACHE=$work/disk SPILE_RPM_KEYRING=$work/key refuses 'SPILE_CACHE' "$STAP_VM" fetch \
		--repository=kernels 6.12
	local status=$?
	umount disk
	return $status
}
check "a disk that is too small" small_disk
# Everything but cpio.
no_cpio() {
	mkdir most && ln -s /usr/bin/* most && rm most/cpio &&
		refuses "'cpio' is not installed" env PATH="$work/most" SPILE_CACHE="$work/fetched" \
			"$STAP_VM" fetch --repository=small 7.98.9
}
check "no cpio" no_cpio
check "no dnf" refuses 'dnf' env PATH="$work/empty" SPILE_CACHE="$work/fetched" \
	"$STAP_VM" fetch --repository=small 7.98.9
killed() {
	local pid
	local text='#!/bin/sh\ncase "$*" in *" download "*core*) : >%s; exec sleep 100 ;; esac\nexec %s "$@"\n'
	mkdir slow && printf "$text" "$work/slow/begun" "$(command -v dnf)" >slow/dnf && chmod +x slow/dnf || return
	PATH=$work/slow:$PATH SPILE_CACHE=$work/fetched SPILE_RPM_KEYRING=$work/key \
		"$STAP_VM" fetch --repository=small --no-debuginfo 7.98.9 &
	pid=$!
	within 60 test -e slow/begun
	kill -KILL $pid
	wait $pid
	! cached | grep '^7\.98\.9-'
}
check "a killed fetch leaves no kernel" killed
check "the next one completes it" finds 7.98.9 7.98.9-100.fc99.x86_64

# ---- from fetch to report --------------------------------------------------------------------------------------------

check "a kernel with debug symbols" test "$(fetch kernels 6.12)" = "$release"
check "a second time, it is there" test "$(fetch kernels "$release")" = "$release"
export SPILE_CACHE=$work/fetched
check_fetched_kernel
reports() {
	"$STAP" --remote=vm: -r "$release" --report=page.html -e '
		global stacks probe kernel.function("vfs_read") { stacks[backtrace()] <<< 1 }' \
		-c 'cat /proc/version' >out 2>&1
	cat out
	grep -q 'vfs_read' page.html && grep -q 'ksys_read' page.html
}
check "a report" reports
