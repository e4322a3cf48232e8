# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of own_translation in suites/staprun.sh: stap compiles here with the commands that kbuild recorded on
# the host.
#
#     sh own-translation.sh STAP KERNEL prepare   prepare the cache
#     sh own-translation.sh STAP                  translate, while the marks are probed
#
# /t/kbuild is a directory of the host's cache. The kernel's build directory on the host, KERNEL/usr/src/…, is /usr/src
# here. There is no tapset library, and so no exit().
stap=$1
kernel=$2
cache=/t/cache
export SPILE_CACHE=$cache SYSTEMTAP_TAPSET=/tmp/empty
mkdir -p /tmp/empty $cache

# The key of the cache directory differs in the guest: let stap create the directory; then it fails, as make(1) is
# missing.
prepare() {
	mkdir -p "/lib/modules/$(uname -r)"
	ln -s "/usr/src/linux-headers-$(uname -r)" "/lib/modules/$(uname -r)/build"
	"$stap" -p4 -e 'probe begin {}' 2>&1 | grep -q "'make' is not installed" || return
	cp /t/kbuild/runtime* /t/kbuild/facts.h $cache/kbuild/*/ || return
	# The first line is the checksum of the others.
	tail -n +2 /t/kbuild/recipe | sed "s#$kernel/#/#g" >/t/recipe
	{ xxhsum -H3 </t/recipe | grep -oE '[0-9a-f]{16}' && cat /t/recipe; } >"$(echo $cache/kbuild/*)/recipe"
}

translations() {
	"$stap" -c true -e 'probe begin { println("new") }' &&
		"$stap" -c true -e 'probe begin { println("new") }' &&
		"$stap" -c true -e 'probe begin { println("new") } # the same C' || return
	# The limit is 0, so any content is too much. The limit is checked whenever an entry is added.
	echo 0 >$cache/cache_mb_limit && echo 0 >$cache/cache_clean_interval_s || return
	"$stap" -p4 -e 'probe begin { println("another") }' >/dev/null
}

case $3 in
prepare) prepare ;;
*) translations ;;
esac
