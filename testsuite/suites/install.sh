# SPDX-License-Identifier: GPL-2.0-or-later
#
# The installed tree. A built tree is configured with another prefix and installed below DESTDIR, and the installed
# files are moved. Then the build directory is renamed. Everything must work from its new place: data, the guests'
# agent, programs that call each other, messages. Only a set-uid staprun uses the configured directory.

. "$(dirname "$0")/../lib.sh"

need_kernel $new_kernel || exit 0
copied_cache "$work/cache"
prefix=$work/configured
moved="$work/moved here"
tree=$work/tree
bin=$moved/bin

# catalogue FILE TEXT: make a catalog that translates a few messages to TEXT.
catalogue() {
	cat >"$1" <<END
msgid ""
msgstr ""
"Project-Id-Version: spile\n"
"PO-Revision-Date: none\n"
"Last-Translator: none\n"
"Language-Team: none\n"
"MIME-Version: 1.0\n"
"Content-Transfer-Encoding: 8bit\n"
"Language: xx\n"
"Content-Type: text/plain; charset=UTF-8\n"

msgid "no script: give a file name, \"-\", or a text with -e"
msgstr "stap: $2"

msgid "no module was named"
msgstr "staprun: $2"

msgid "no command was given"
msgstr "stap-vm: $2"

msgid "cannot read %s"
msgstr "stap-merge: $2 %s"
END
}

# Copy the tree as ./bootstrap leaves it, so that its objects are not built again.
copy_tree() {
	mkdir "$tree" && cd "$tree" || return
	tar c -C "$SPILE_SRCDIR" --exclude=./.git --exclude=./sanitized . | tar x || return
	[ -x configure ] || autoreconf -fi || return
	[ -e Makefile ] || ./configure -q || return
	# configure rewrites this file elsewhere, which must not cause all objects to be built again.
	./config.status && make -s -j"$(nproc)"
}
check "the tree is built" copy_tree

other_prefix() {
	# What the first run of configure has found is in its log, in the form of a cache.
	cd "$tree" && sed -n '/^## Cache variables/,/^## Output variables/ { /^[a-z_A-Z0-9]*_cv_/p }' config.log \
		>"$work/config.cache" && touch "$work/before" &&
		./configure -q --cache-file="$work/config.cache" --prefix="$prefix" && make -s -j"$(nproc)" || return
	find . -name '*.o' -newer "$work/before" >"$work/objects"
	cat "$work/objects"
	# It is compiled once more for bundles.
	[ -s "$work/objects" ] && ! grep -qv 'paths\.o$' "$work/objects"
}
check "another prefix compiles one file again" other_prefix

# ./bootstrap with the package managers of other distributions: stand-ins, which record how they are called. They know
# bison and flex as installed.
make_distribution() (
	mkdir -p "$work/$1/bin" && cd "$work/$1" || return
	cp "$SPILE_SRCDIR/bootstrap" . && touch Makefile || return
	for program in sh awk tr cat dirname nproc tail id sed uname; do
		ln -s "$(command -v $program)" bin/ || return
	done
	printf '#!/bin/sh\necho make "$@" >>%s/calls\n' "$PWD" >bin/make
	printf '#!/bin/sh\n[ "$1" != -i ] || exec id\nexec "$@"\n' >bin/sudo
	# The query of a name ends in it.
	cat >bin/query <<-'END'
		#!/bin/sh
		for name; do :; done
		case $1:$name in
		-q:flex | -q:bison | -Q:flex | -Q:bison) exit 0 ;;
		-Si:*) exit 0 ;;
		-q:* | -Q:*) exit 1 ;;
		esac
		echo "${0##*/} $*" >>"${0%/bin/*}/calls"
	END
	chmod +x bin/make bin/sudo bin/query
	for program in "${@:2}"; do
		cp bin/query bin/"$program" || return
	done
)

# installs DISTRIBUTION COMMAND NAME...: does ./bootstrap call the command, with these names and without flex?
installs() {
	local name
	(cd "$work/$1" && PATH=$PWD/bin ./bin/sh bootstrap) || { cat "$work/$1/bootstrap.log"; return 1; }
	cat "$work/$1/calls"
	grep -q "^$2 " "$work/$1/calls" && grep -q '^make -j' "$work/$1/calls" || return
	! grep -qw flex "$work/$1/calls" || return
	for name in "${@:3}"; do
		grep -q " $name\( \|$\)" "$work/$1/calls" || { echo "no $name"; return 1; }
	done
}
make_distribution fedora rpm dnf
check "bootstrap: dnf" installs fedora "dnf install -y --setopt=strict=0" autoconf elfutils-devel gettext-devel
make_distribution suse rpm zypper
check "bootstrap: zypper" installs suse "zypper --non-interactive --ignore-unknown install" libdw-devel qemu-x86
make_distribution arch pacman
check "bootstrap: pacman" installs arch "pacman -S --noconfirm --needed" libelf json-glib pkgconf
make_distribution unknown
unknown_system() {
	(cd "$work/unknown" && PATH=$PWD/bin ./bin/sh bootstrap) | tee "$work/said" &&
		grep -q 'No apt-get, dnf, zypper or pacman here' "$work/said" &&
		grep -q '^    autoconf automake .* libdw-dev .* zstd$' "$work/said"
}
check "bootstrap: an unknown system gets the list" unknown_system

check "stap runs from the build directory" "$tree/stap" -p2 -e 'probe begin { println(execname()) }'

# Install everything into the prefix of make's command line, and uninstall it, even if a file is missing.
chosen_prefix() {
	local chosen=$work/chosen
	cd "$tree" && make -s install prefix="$chosen" && [ ! -e "$prefix" ] &&
		"$chosen/bin/stap" --list-examples >/dev/null && "$chosen/bin/stap-service" --help &&
		make -s uninstall prefix="$chosen" && make -s uninstall prefix="$chosen" &&
		find "$chosen" ! -type d >"$work/left" && cat "$work/left" && [ ! -s "$work/left" ]
}
check_some 3 "make install, with a prefix, and make uninstall" chosen_prefix

install_and_move() {
	catalogue "$tree/po/xx.po" moved && make -s -C "$tree" install DESTDIR="$work/stage" LINGUAS=xx &&
		[ ! -e "$prefix" ] && mv "$work/stage$prefix" "$moved" && mv "$tree" "$work/renamed"
}
check "make install, with DESTDIR" install_and_move

# in_locale COMMAND...: run it in the locale of the catalog (see the suite i18n).
in_locale() {
	LOCPATH=$work/locale LC_ALL=xx_XX.UTF-8 LANGUAGE='' "$@" 2>&1
}
mkdir "$work/locale" && cp -r /usr/lib/locale/C.utf8 "$work/locale/xx_XX.utf8"

says() {
	local text=$1
	shift
	"$@" | tee "$work/said"
	grep -q -- "$text" "$work/said"
}
check "messages of stap" says 'stap: moved' in_locale "$bin/stap"
check "messages of stap-vm" says 'stap-vm: moved' in_locale "$bin/stap-vm"
check "messages of stap-merge" says "stap-merge: moved $work/none" in_locale "$bin/stap-merge" "$work/none"

check "stap-vm list" says '^6\.' "$bin/stap-vm" list
check "an example" "$bin/stap" --example -p1 slab-any --cache=dentry
check "the examples" says 'tcp-life  ' "$bin/stap" --list-examples
check "all examples are installed" diff <(cd "$SPILE_SRCDIR/examples" && ls */*.stp) \
	<(cd "$moved/share/spile/examples" && ls */*.stp)
ln -s "$bin/stap-prep" "$work/stap-prep"
if is_part "install/stap-prep" 3; then
	check "stap-prep, called through a link" env PATH=/usr/bin:/bin:/usr/sbin:/sbin "$work/stap-prep" $new_kernel
	check "stap-prep prepared with what is installed" test -n "$(find "$SPILE_CACHE/kbuild" -name runtime-fast.o)"
fi

hello() {
	[ "$("$bin/stap" --remote=vm: -r $new_kernel -e 'probe begin { println("hello") exit() }')" = hello ]
}
check_some 4 "hello world in a guest" hello

# From here on, guests are started by the moved stap-vm.
STAP_VM=$bin/stap-vm
catalogue "$work/configured.po" configured
msgfmt -o "$work/configured.mo" "$work/configured.po"
files=(--file "$bin/staprun:/opt/spile/bin/staprun"
	--file "$moved/share/locale/xx/LC_MESSAGES/spile.mo:/opt/spile/share/locale/xx/LC_MESSAGES/spile.mo"
	--file "$work/configured.mo:$prefix/share/locale/xx/LC_MESSAGES/spile.mo"
	--file "$work/locale/xx_XX.utf8:/usr/lib/locale/xx_XX.utf8")

slab() {
	"$bin/stap" --remote="unix:$work/$new_kernel" -r $new_kernel --example slab-any \
		-c 'ls -lR /sys/class >/dev/null' >"$work/slab" || return
	head -n 20 "$work/slab"
	grep -q '^ls:	[1-9]' "$work/slab" && grep -q 'kmem_cache_alloc' "$work/slab" &&
		grep -q 'getname_flags' "$work/slab"
}

# in_guest COMMAND: run it in the guest's shell.
in_guest() {
	"$STAP_VM" exec --socket "$work/$new_kernel" -- sh -c "export LC_ALL=xx_XX.UTF-8; $1" 2>&1
}
as_user() {
	in_guest "su user -c '$1'"
}
staprun=/opt/spile/bin/staprun
set_uid() {
	in_guest "chmod 755 /opt /opt/spile /opt/spile/bin && chmod 4755 $staprun" || return
	says 'staprun: configured' as_user $staprun &&
		says 'staprun: configured' as_user "SPILE_LOCALEDIR=/opt/spile/share/locale $staprun"
}

cleanup() {
	"$STAP_VM" stop --socket "$work/$new_kernel" 2>/dev/null
}
if start_guest $new_kernel --virtual-time "${files[@]}"; then
	check_some 4 "the slab example in a guest" slab
	check "a moved staprun finds its messages" says 'staprun: moved' in_guest $staprun
	check "a moved staprun without set-uid finds its messages for a user" says 'staprun: moved' as_user $staprun
	check "a set-uid staprun uses only the configured directory" set_uid
	stop_guest $new_kernel
fi

# Missing files are reported with their expected place, and another place can be set.
mv "$moved/share/spile" "$work/elsewhere"
check "missing data is reported" says "cannot find tapset directory $moved/share/spile/tapset" \
	eval '"$bin/stap" -p1 -e "probe begin {}" 2>&1 || true'
check "SPILE_DATADIR" env SPILE_DATADIR="$work/elsewhere" "$bin/stap" -p2 -e 'probe begin { println(execname()) }'
mv "$moved/libexec/spile" "$work/agents"
check "a missing agent is reported" says "spile-agent is not in $moved/libexec/spile" \
	eval '"$bin/stap-vm" run -r $new_kernel -- true 2>&1 || true'
check "SPILE_LIBEXEC" env SPILE_LIBEXEC="$work/agents" "$bin/stap-vm" run -r $new_kernel -- true
