# SPDX-License-Identifier: GPL-2.0-or-later
#
# Debian packages (debian/): they are built from git's files, checked by lintian, and installed on a copy of this host
# (an overlay in its own mount namespace). There, check groups, rights, and what a member of the group and others can
# do.

. "$(dirname "$0")/../lib.sh"
. "$tests/packages-tools.sh"

if ! command -v dpkg-buildpackage >/dev/null || ! command -v dh >/dev/null || ! command -v lintian >/dev/null; then
	skip "all" "debhelper or lintian is not installed"
	exit 0
fi

check "the packages are built" build_packages "$work/debian"
cd "$work/debian" || exit 1

judged() {
	lintian --allow-root --fail-on error,warning ./*.changes 2>&1
}
check "lintian reports nothing" judged

# holds PACKAGE NAME...: does it contain these files?
holds() {
	local package=$1 name
	shift
	dpkg-deb -c "$package"_*.deb | awk '{ print $6 }' >"$work/files"
	for name; do
		grep -qx "\./usr/$name" "$work/files" || { echo "$package lacks $name"; return 1; }
	done
}
check "spile" holds spile bin/stap bin/stap-vm bin/stap-prep libexec/spile/spile-agent share/spile/runtime/unit_fast.c \
	share/spile/tapset/ansi.stp share/man/man1/stap.1.gz share/bash-completion/completions/stap \
	bin/stap-report share/man/man1/stap-report.1.gz share/man/man5/stap-json.5.gz \
	share/bash-completion/completions/stap-report share/fish/vendor_completions.d/stap-report.fish \
	bin/staplog share/man/man8/staplog.8.gz
check "spile-runtime" holds spile-runtime bin/staprun bin/stap-merge libexec/spile/stap-tables \
	libexec/spile/stap-json libexec/spile/stap-monitor share/bash-completion/completions/staprun \
	share/man/man8/staprun.8.gz
check "spile-server" holds spile-server bin/stap-server lib/systemd/system/stap-server.service \
	lib/tmpfiles.d/spile-server.conf \
	share/man/man8/stap-server.8.gz share/doc/spile-server/README.Debian
check "spile-exporter" holds spile-exporter bin/stap-exporter lib/systemd/system/stap-exporter.service \
	lib/sysusers.d/spile-exporter.conf share/bash-completion/completions/stap-exporter \
	share/man/man8/stap-exporter.8.gz share/doc/spile-exporter/examples/exporter.conf
# Each file is in one package, so that each can be installed without the others.
in_one_package() {
	local package
	for package in *.deb; do
		dpkg-deb -c "$package" | awk '!/^d/ { print $6 }'
	done | sort | uniq -d >"$work/twice"
	cat "$work/twice"
	[ ! -s "$work/twice" ]
}
check "no file is in two packages" in_one_package
# Only the packages' own configuration files are conffiles; scripts of the administrator belong to no package.
conffiles() {
	local package
	for package in *.deb; do
		dpkg-deb --ctrl-tarfile "$package" | tar xO ./conffiles 2>/dev/null
	done | sort | xargs | tee "$work/conffiles"
	[ "$(cat "$work/conffiles")" = "/etc/kernel/header_postinst.d/spile /etc/kernel/postinst.d/00-spile \
/etc/kernel/postrm.d/spile" ]
}
check "the packages' conffiles" conffiles
check "spile" holds spile "share/man/man7/error::fault.7stap.gz" "share/man/man7/warning::symbols.7stap.gz"
check "spile-sdt-dev" holds spile-sdt-dev include/sys/sdt.h
check "spile-doc" holds spile-doc share/doc/spile-doc/README.md.gz share/man/man3/stapfuncs.3stap.gz
needs_no_compiler() {
	dpkg-deb -f spile-runtime_*.deb Depends Pre-Depends | tee "$work/depends"
	! grep -qE 'gcc|make|binutils|spile \(' "$work/depends"
}
check "spile-runtime needs no compiler" needs_no_compiler

if ! on_copy / "$work/debian" true >"$work/log" 2>&1; then
	skip "installed" "no overlay can be mounted here: $(tail -n 1 "$work/log")"
	exit 0
fi
installed() {
	on_copy / "$work/debian" 'export DEBIAN_FRONTEND=noninteractive
		apt-get install -y --no-install-recommends /packages/spile_*.deb /packages/spile-runtime_*.deb \
			/packages/spile-doc_*.deb >/log 2>&1 || { tail -n 20 /log; exit 1; }
		set -ex
		[ "$(stat -c "%a %U:%G" /usr/bin/staprun)" = "4754 root:stapusr" ]
		for group in stapusr stapsys stapdev; do getent group $group; done
		stap --version; stap -p2 -e "probe begin { println(execname()) }" >/dev/null
		man -w stapfuncs stap staprun 2>/dev/null || true
		useradd -M member -G stapusr; useradd -M other
		su member -s /bin/sh -c "staprun -V"
		! su other -s /bin/sh -c "staprun -V"
		: an administrator knows better, and removing leaves nothing
		dpkg-statoverride --add --update root root 0755 /usr/bin/staprun
		dpkg --unpack /packages/spile-runtime_*.deb >/dev/null; dpkg --configure spile-runtime >/dev/null
		[ "$(stat -c "%a %U:%G" /usr/bin/staprun)" = "755 root:root" ]
		dpkg --purge spile spile-doc spile-runtime >/dev/null 2>&1
		! ls -d /usr/share/spile /usr/libexec/spile /usr/share/doc/spile* 2>/dev/null'
}
check "installed: only members of the group may start staprun" installed
# The server's user and directories are made by sysusers and tmpfiles. Its identity survives a purge.
server_installed() {
	on_copy / "$work/debian" 'export DEBIAN_FRONTEND=noninteractive
		apt-get install -y --no-install-recommends /packages/spile_*.deb /packages/spile-runtime_*.deb \
			/packages/spile-server_*.deb >/log 2>&1 || { tail -n 20 /log; exit 1; }
		set -ex
		getent passwd spile-server | grep nologin
		[ "$(stat -c "%a %U:%G" /var/lib/spile-server)" = "700 spile-server:spile-server" ]
		[ "$(stat -c "%a %U:%G" /var/cache/spile-server)" = "755 spile-server:spile-server" ]
		: >/var/lib/spile-server/identity
		dpkg --purge spile-server spile spile-runtime >/dev/null 2>&1
		[ -e /var/lib/spile-server/identity ]
		! ls -d /usr/share/spile /usr/libexec/spile /usr/bin/stap* /usr/lib/tmpfiles.d/spile* 2>/dev/null'
}
check "installed: the server, its user, and what a purge leaves" server_installed
# The exporter's user is made by sysusers. Scripts of an administrator survive a purge, and the cache does not.
exporter_installed() {
	on_copy / "$work/debian" 'export DEBIAN_FRONTEND=noninteractive
		apt-get install -y --no-install-recommends /packages/spile_*.deb /packages/spile-runtime_*.deb \
			/packages/spile-exporter_*.deb >/log 2>&1 || { tail -n 20 /log; exit 1; }
		set -ex
		[ "$(getent passwd spile-exporter | cut -d: -f 6)" = /var/cache/spile-exporter ]
		getent passwd spile-exporter | grep nologin
		for group in stapdev stapusr spile-exporter; do getent group $group; done
		[ "$(stat -c "%a %U:%G" /etc/spile/exporter)" = "755 root:root" ]
		stap-exporter --check
		echo "global opens probe begin { opens++ }" >/etc/spile/exporter/own.stp
		runs="setpriv --reuid=spile-exporter --regid=spile-exporter --groups=stapdev,stapusr"
		$runs stap-exporter --check
		$runs staprun -V
		: systemd understands the unit
		systemd-analyze verify --man=no /usr/lib/systemd/system/stap-exporter.service >/verified 2>&1
		cat /verified
		! grep stap-exporter /verified
		[ ! -e /etc/systemd/system/multi-user.target.wants/stap-exporter.service ]
		install -d -o spile-exporter /var/cache/spile-exporter/c
		dpkg --purge spile-exporter 2>&1
		[ ! -e /var/cache/spile-exporter ]
		[ -e /etc/spile/exporter/own.stp ]
		rm -r /etc/spile/exporter
		dpkg --purge spile spile-runtime >/dev/null 2>&1
		! ls -d /usr/share/spile /usr/libexec/spile /usr/bin/stap* /etc/spile 2>/dev/null'
}
check "installed: the exporter, its user, and what a purge leaves" exporter_installed
