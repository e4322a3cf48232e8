# SPDX-License-Identifier: GPL-2.0-or-later
#
# Packages for Fedora and openSUSE (RPM) and for Arch (packages/): they are built from the archive of sources by
# Debian's copies of rpmbuild and makepkg, have the files of Debian's packages, and the RPMs are installed on a copy of
# this host. The tools know no dependencies here.

. "$(dirname "$0")/../lib.sh"
. "$tests/packages-tools.sh"

# The archive that `make dist` makes, compressed faster.
make_archive() {
	make -s -C "$SPILE_BUILDDIR" distdir distdir="$work/spile-$version" >"$work/log" 2>&1 ||
		{ tail -n 20 "$work/log"; return 1; }
	XZ_OPT=-1 tar cJf "$work/spile-$version.tar.xz" -C "$work" "spile-$version"
}
version=$("$STAP" --version 2>&1 | sed -n '1s/^Spile \([0-9.]*\):.*/\1/p')
check "the archive of sources" make_archive
[ -s "$work/spile-$version.tar.xz" ] || exit 0

# has_files_of PACKAGE...: are the paths of the input those that debian/PACKAGE.install lists, compressed or not? Some
# are elsewhere: $moved is a script for sed. $extra matches paths that Debian's packages have for other reasons.
has_files_of() {
	local package
	for package; do
		sed 's/ .*//' "$SPILE_SRCDIR/debian/$package.install"
	done >"$work/lines"
	sed -E "$moved" | grep -vE "$extra" | awk '
		FNR == NR {
			line[++count] = pattern = $0
			gsub(/[.+]/, "[&]", pattern)
			gsub(/\*/, "[^/]*", pattern)
			patterns[count] = "^/" pattern "(/.*|[.]gz)?$"
			next
		}
		{
			found = 0
			for (i = 1; i <= count; i++)
				if ($0 ~ patterns[i])
					found = seen[i] = 1
			if (!found)
				print "more than Debian has: " $0
		}
		END {
			for (i = 1; i <= count; i++)
				if (!(i in seen))
					print "missing: " line[i]
		}' "$work/lines" - | tee "$work/differences"
	[ ! -s "$work/differences" ]
}

# ---- RPM -----------------------------------------------------------------------------------------------------------

build_rpms() {
	rpmbuild -tb --nodeps --define "_topdir $work/build" --define "_smp_mflags -j$(nproc)" \
		"$work/spile-$version.tar.xz" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; return 1; }
	mkdir -p "$work/rpms" && mv "$work"/build/RPMS/*/*.rpm "$work/rpms"
}
judged() {
	rpmlint -c "$SPILE_SRCDIR/packages/rpmlint.toml" "$work"/rpms/*.rpm "$work/spile-$version/packages/spile.spec"
}
rpm_has_files() {
	local moved='s,/doc/spile-doc/([^/]*\.md|llms\.txt)$,/doc/spile/\1,; s,/doc/spile-doc/doc,/doc/spile/doc,'
	local extra='^/usr/(libexec/spile|share/doc/(spile-[a-z]*|spile-server/.*|spile-exporter/.*|spile/[a-z]+))$|'
	extra+='^/usr/share/licenses/|^/etc/spile$|^/var/(lib|cache)/spile-server$|'
	extra+='/dtrace(\.1\.gz)?$|^/usr/lib/\.build-id'
	# initramfs-tools is Debian's.
	{
		rpm -qpl "$work/rpms/${1/%-dev/-devel}-$version"*.rpm
		[ "$1" != spile-runtime ] || echo /usr/share/initramfs-tools
	} | has_files_of "$1"
}
# The groups, their rights, what a user sees, a second installation, and that nothing stays after the removal.
rpms_installed() {
	on_copy / "$work/rpms" '
		install() { rpm -U --nodeps --force /packages/*.rpm >/log 2>&1 || { tail -n 20 /log; exit 1; }; }
		set -e; install; install; set -x
		[ "$(stat -c "%a %U:%G" /usr/bin/staprun)" = "4754 root:stapusr" ]
		[ "$(stat -c "%a %U:%G" /var/lib/spile-server)" = "700 spile-server:spile-server" ]
		for group in stapusr stapsys stapdev; do getent group $group; done
		getent passwd spile-server | grep nologin
		getent passwd spile-exporter | grep nologin
		stap --version; stap -p2 -e "probe begin { println(execname()) }" >/dev/null
		[ "$(readlink /etc/alternatives/dtrace)" = /usr/bin/spile-dtrace ]
		/usr/sbin/dtrace -e -n "BEGIN { exit(0); }" -r '$old_kernel'
		useradd -M member -G stapusr; useradd -M other
		su member -s /bin/sh -c "staprun -V"
		! su other -s /bin/sh -c "staprun -V"
		/usr/lib/kernel/install.d/40-spile.install add no-such-kernel /boot
		mkdir -p /var/lib/spile/services/6.1.2
		/usr/lib/kernel/install.d/40-spile.install remove 6.1.2
		[ ! -e /var/lib/spile/services/6.1.2 ]
		rpm -e spile spile-runtime spile-server spile-exporter spile-doc spile-sdt-devel
		! ls -d /usr/share/spile /usr/libexec/spile /usr/share/doc/spile* /usr/sbin/dtrace /usr/bin/stap* \
			2>/dev/null'
}
if ! command -v rpmbuild >/dev/null; then
	skip "RPM" "install rpm and rpmlint"
elif check "RPM: the packages are built" build_rpms && [ -e "$work/rpms" ]; then
	if command -v rpmlint >/dev/null; then
		check "RPM: rpmlint reports nothing" judged
	else
		skip "RPM: rpmlint reports nothing" "install rpmlint"
	fi
	for package in spile spile-runtime spile-server spile-exporter spile-doc spile-sdt-dev; do
		check "RPM: $package has the files of Debian's package" rpm_has_files $package
	done
	if on_copy / "$work/rpms" true >"$work/log" 2>&1; then
		check "RPM: installed and removed" rpms_installed
	else
		skip "RPM: installed and removed" "no overlay can be mounted here: $(tail -n 1 "$work/log")"
	fi
fi

# ---- Arch ----------------------------------------------------------------------------------------------------------

# makepkg refuses to run as root.
build_arch() {
	local as_user=() directory=$work/arch
	mkdir "$directory" && cd "$directory" && cp "$work/spile-$version.tar.xz" \
		"$work/spile-$version"/packages/{PKGBUILD,spile.install} . || return
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody . && chmod a+x "$SPILE_RUN_DIRECTORY" "$work" || return
		as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
	fi
	"${as_user[@]}" env -u TMPDIR HOME="$directory" MAKEFLAGS="-j$(nproc)" makepkg -d >"$work/log" 2>&1 ||
		{ tail -n 30 "$work/log"; return 1; }
	bsdtar tf spile-"$version"-*.pkg.tar.* | sed 's,/$,,; s,^,/,' >"$work/arch.files"
}
arch_has_files() {
	local moved='s,^/usr/lib/spile/,/usr/libexec/spile/,'
	local extra='^/\.|/share/licenses|^/usr/bin/dtrace$|/doc/spile/examples|^/usr/lib/spile$'
	# Without directories that hold files.
	comm -23 <(sort "$work/arch.files") <(sed 's,/[^/]*$,,' "$work/arch.files" | sort -u) >"$work/arch.leaves"
	{ cat "$work/arch.leaves"; echo /usr/share/initramfs-tools; } |
		has_files_of spile spile-runtime spile-server spile-exporter spile-doc spile-sdt-dev
}
if ! command -v makepkg >/dev/null || ! command -v bsdtar >/dev/null; then
	skip "Arch" "install makepkg and libarchive-tools"
else
	check "Arch: the package is built" build_arch
	check "Arch: it has the files of Debian's packages" arch_has_files
fi
