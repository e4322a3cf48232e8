# SPDX-License-Identifier: GPL-2.0-or-later
#
# Scripts that run from boot (services/), without systemd: what stap-service compiles and keeps, the generator's output,
# and running in a guest without stap.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
copied_cache "$work/cache"
release=$(basename "$("$STAP_VM" path $old_kernel)")
services=$SPILE_BUILDDIR/services
export PATH=$SPILE_BUILDDIR:$SPILE_BUILDDIR/staprun:$PATH
export SPILE_SERVICES=$work/services SPILE_SERVICE_MODULES=$work/modules
mkdir "$SPILE_SERVICES"
cd "$work" || exit 1

cat >services/execs.stp <<'END'
global n
probe begin { println("begins: ", @1) }
probe kernel.trace("sched_process_exec") { n++ }
probe timer.ms(200) { if (n) { println("some"); exit() } }
END
printf '# who starts what\nAT_BOOT=yes\nOPTIONS=-D MAXACTION=500\nARGUMENTS="from boot on"\n' >services/execs.conf
echo 'probe begin { println("plain"); exit() }' >services/plain.stp
echo 'probe begin { nothing() }' >services/wrong.stp
printf 'AT_BOOT=initramfs\n' >services/wrong.conf
printf 'AT_BOOT=yes\n' >services/gone.conf

# prints PATTERN COMMAND...: does the command succeed and print a line that matches?
prints() {
	local pattern=$1
	shift
	"$@" 2>&1 | tee out
	[ "${PIPESTATUS[0]}" -eq 0 ] && grep -qE -- "$pattern" out
}
service() {
	"$services/stap-service" "$@"
}

others_directory() {
	local theirs status
	theirs=$(mktemp -d /tmp/spile-theirs-XXXXXX) && chown 65534 "$theirs" || return
	SPILE_SERVICES=$theirs refuses "root does not use $theirs: others can change it" service list &&
		ln -s "$theirs" link &&
		SPILE_SERVICE_MODULES=$PWD/link refuses 'root does not use .*/link' service list &&
		TMPDIR=$theirs refuses "root does not use $theirs" service list
	status=$?
	rm -rf "$theirs" link
	return $status
}
[ "$(id -u)" -ne 0 ] || check "root uses no directory of another user" others_directory
check "list" prints '^execs +at boot: yes +compiled: no' service list
check "compile" prints "^execs: compiled for kernel $release" service compile -r "$release" execs plain
check "an unchanged script is not compiled again" test -z "$(service compile -r "$release" execs plain)"
check "list shows the kernels" prints "^execs +at boot: yes +compiled: $release\$" service list
touched() {
	echo 'probe end {}' >>services/plain.stp
	prints "plain .*$release .changed since" service list || return
	prints '^plain: compiled' service compile -r "$release" && return 1
	grep -q '^wrong: compiled' out && return 1
	[ -e "modules/$release/plain.ko" ]
}
check "a script with a mistake does not stop others from being compiled" touched
kept() {
	cp services/plain.stp right && echo 'probe begin { nothing() }' >>services/plain.stp
	refuses "plain was not compiled for kernel $release" service compile -r "$release" plain &&
		[ -e "modules/$release/plain.ko" ] && mv right services/plain.stp
}
check "the old module is kept" kept
check "no temporary files are left" test -z "$(ls "$TMPDIR")"
check "a name that is a path" refuses "'../execs' is no name of a service" service compile ../execs
check "a missing script" refuses 'there is no script .*/nope.stp' service run nope
settings() {
	echo 'AT_BOT=yes' >services/plain.conf
	refuses 'plain.conf:1: this is not a setting' service compile plain &&
		echo 'AT_BOOT=often' >services/plain.conf &&
		refuses 'plain.conf: AT_BOOT is yes, no or initramfs' service compile plain && rm services/plain.conf
}
check "wrong settings" settings
check "wrong usage" test "$(service stop >/dev/null 2>&1; echo $?)" -eq 2

generated() {
	"$services/spile-generator" "$work/units" late early && ls -l units/multi-user.target.wants | tee out
	[ "$(ls units/multi-user.target.wants | xargs)" = "spile@execs.service spile@wrong.service" ] &&
		[ "$(basename "$(readlink units/multi-user.target.wants/spile@execs.service)")" = spile@.service ]
}
check "the generator" generated
# kernel-install's plugin calls the hooks of kernel packages, which cannot make it fail.
called_by_kernel_install() {
	local hook
	for hook in postinst.d/00-spile postrm.d/spile; do
		mkdir -p "hooks/${hook%/*}" && printf '#!/bin/sh\necho "%s $*"\nexit 3\n' $hook >hooks/$hook &&
			chmod +x hooks/$hook || return
	done
	sed "s|^hooks=.*|hooks=$work/hooks|" "$services/kernel-install" >plugin &&
		{ sh plugin add 6.1.2 /boot/6.1.2 && sh plugin inspect && sh plugin remove 6.1.2; } >out || return
	diff out - <<<$'postinst.d/00-spile 6.1.2\npostrm.d/spile 6.1.2' && rm hooks/postrm.d/spile &&
		sh plugin remove 6.1.2
}
check "the plugin of kernel-install" called_by_kernel_install
# Use the programs that were built.
built() {
	sed "s|[^ (]*/stap-service |$services/stap-service |" "$services/$1"
}
# Run the hook as update-initramfs does, with fake functions.
hook() {
	built initramfs-hook | sed 's/^\. .*hook-functions$/copy_exec() { echo "program $1"; }/' >hook &&
		version=$release DESTDIR=$work/initramfs SPILE_SERVICES=$1 sh hook 2>&1
}
hooked() {
	mkdir empty && [ -z "$(hook "$work/empty")" ] || return
	cp -r services early && echo 'AT_BOOT=initramfs' >early/execs.conf && hook "$work/early" | tee out
	grep -q '/staprun$' out && grep -q '^WARNING: wrong is not compiled' out &&
		[ "$(ls initramfs/lib/spile)" = spile_execs.ko ]
}
check "the hook of update-initramfs" hooked
# Do what dracut does with its module, with fake functions.
dracut() {
	built dracut-module >module-setup.sh && bash -c '
		require_binaries() { :; }
		inst() { echo "$1 as $2"; }
		inst_simple() { inst "$@"; }
		inst_multiple() { echo "$@"; }
		inst_hook() { echo "hook $1 ${3##*/}"; }
		kernel=$1 moddir=/moddir
		. ./module-setup.sh
		check && depends && install' - "$1"
}
dracut_module() {
	dracut "$release"
	[ $? -eq 255 ] || return # no script starts so early
	SPILE_SERVICES=$work/early dracut "$release" | tee out
	grep -qx "$SPILE_SERVICE_MODULES/$release/execs.ko as /lib/spile/spile_execs.ko" out &&
		grep -q '/staprun as /bin/staprun$' out && grep -qx '/moddir/start as /lib/spile/start' out &&
		grep -qx 'hook pre-mount hook.sh' out && bash -n "$SPILE_SRCDIR/services/dracut-hook.sh"
}
check "the module of dracut" dracut_module

# In a guest, start the service with no module loaded, then with one left running, one whose loader was killed, and one
# that runs. Another user's module of the same name does not count.
cat >in-guest <<'END'
export SPILE_SERVICES=/etc/spile/services SPILE_SERVICE_MODULES=/var/lib/spile/services
mkdir -p $SPILE_SERVICES $SPILE_SERVICE_MODULES/$(uname -r)
cp /tmp/s/execs.* /tmp/s/plain.stp $SPILE_SERVICES; cp /tmp/m/* $SPILE_SERVICE_MODULES/$(uname -r)
(sleep 2; while true; do /bin/true; sleep 1; done) &
echo "- first"; sh /tmp/stap-service run execs; echo "status $?"
echo "- left"; staprun -L $SPILE_SERVICE_MODULES/$(uname -r)/execs.ko; sh /tmp/stap-service run execs; echo "status $?"
echo "- killed"; staprun $SPILE_SERVICE_MODULES/$(uname -r)/execs.ko >/dev/null & sleep 1; killall -9 staprun; sleep 1
sh /tmp/stap-service run execs; echo "status $?"
echo "- of another user"
echo 'other:x:1001:1001::/:/bin/sh' >>/etc/passwd; echo 'stapdev:x:801:other' >>/etc/group
cp /bin/staprun /suid; chmod 4755 /suid; chmod 755 $SPILE_SERVICE_MODULES /var /var/lib /var/lib/spile
su other -c "/suid -L $SPILE_SERVICE_MODULES/$(uname -r)/execs.ko"
sh /tmp/stap-service run execs; echo "status $?"; staprun -d spile_execs
echo "- not compiled"; rm $SPILE_SERVICE_MODULES/*/plain.ko; sh /tmp/stap-service run plain; echo "status $?"
END
in_guest() {
	local files=() file
	for file in services/execs.stp services/execs.conf services/plain.stp; do
		files+=(--file "$work/$file:/tmp/s/$(basename "$file")")
	done
	for file in modules/"$release"/*; do
		files+=(--file "$work/$file:/tmp/m/$(basename "$file")")
	done
	timeout 900 "$STAP_VM" run -r $old_kernel --file "$services/stap-service:/tmp/stap-service" "${files[@]}" \
		--file "$STAPRUN:/bin/staprun" --file "$work/in-guest:/tmp/in-guest" -- sh /tmp/in-guest >guest.log 2>&1
	cat guest.log
	[ "$(grep -c '^status 0' guest.log)" -eq 3 ] && [ "$(grep -c "^begins: from boot on" guest.log)" -eq 4 ] &&
		grep -q '^ERROR: execs was not started: module spile_execs was loaded by .* (number 1001)' guest.log &&
		grep -q '^hint: compile it where there is one' guest.log && [ "$(grep -c '^status 1' guest.log)" -eq 2 ]
}
check_some 2 "in a guest without stap" in_guest
