#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of testsuite/suites/bundles.sh: run bundles on a machine that has nothing else of Spile. Only
# busybox's shell and tools are available.
#
# Usage: guest.sh KEYS   KEYS is the directory of the certificates that the programs trust.

keys=$1
cd "$(dirname "$0")" || exit 1
. ./tools.sh

# check NAME FUNCTION: run a check, and fail if a module is left.
check() {
	local result=ok
	rm -f out* err*
	(set -x; "$2") </dev/null >log 2>&1 || result=FAIL
	if ! wait_for 5 nothing_left; then
		result=FAIL
		echo "left over: $(grep '^stap_' /proc/modules)" >>log
		./hello -d '*'
	fi
	echo "$result - $1"
	[ $result = ok ] || for file in log out* err*; do echo "$file:"; tail -n 20 $file 2>/dev/null; done |
		cut -c 1-250 | sed 's/^/    /'
}

nothing_left() {
	! grep -q '^stap_' /proc/modules
}

loaded() {
	sed -n 's/^\(stap_[^ ]*\) .*/\1/p' /proc/modules
}

# The output, and nothing else.
plain() {
	./hello >out 2>err && [ "$(cat out)" = "built 0" ] && [ ! -s err ]
}

settings() {
	./hello -w text=given >out && [ "$(cat out)" = "given 0" ] &&
		./hello --word=" more" -w text=given >out && [ "$(cat out)" = "given more 0" ] &&
		./hello --word " it" >out && [ "$(cat out)" = "built it 0" ]
}

command_of_user() {
	./hello -c 'echo "a  command"' >out && [ "$(sort out)" = "$(printf 'a  command\nbuilt 1')" ] &&
		! ./hello -c false >out
}

output_file() {
	./hello -o file && [ "$(cat file)" = "built 0" ]
}

# -J: lines of JSON, to standard output and to a file. The first one is about the script, with the words of the command
# line. bundles.sh compares the lines with the schema.
types='script start output global global snapshot end '
json() {
	./hello -J 0 --word=" it" text=given >lines 2>err && [ ! -s err ] &&
		[ "$(sed 's/^{"type":"\([a-z]*\)".*/\1/' lines | tr '\n' ' ')" = "$types" ] &&
		grep -q '"arguments":\["-J","0","--word= it","text=given"\]' lines &&
		grep -q '"type":"output",.*"text":"given it 0\\n"' lines && ./hello -o file -J 0 >out && [ ! -s out ] &&
		[ "$(sed 's/^{"type":"\([a-z]*\)".*/\1/' file | tr '\n' ' ')" = "$types" ]
}

# Lines that cannot be written end the script.
unwritten() {
	! ./hello -J 1 -x $$ >/dev/full 2>err && grep -q 'cannot write the output: No space left' err &&
		{ { ./hello -J 1 -x $$ 2>err; echo $? >status; } | head -n 1 >out; } && [ "$(wc -l <out)" -eq 1 ] &&
		[ ! -s err ] && grep -qx 141 status
}

# An option of staprun next to one of the script, with its argument in the same word and in the next one.
restricted() {
	mount -t cgroup2 none /sys/fs/cgroup && ./hello --cgroup=/ --word=" it" >out && ./hello --cgroup / >>out &&
		[ "$(cat out)" = "$(printf 'built it 0\nbuilt 0')" ] && ! ./hello --cgroup=/none 2>err &&
		grep -q 'cannot open control group /none: No such file' err
	local status=$?
	umount /sys/fs/cgroup
	return $status
}

# The same bundle can run twice at the same time.
twice() {
	./hello -x $$ >one & first=$!
	./hello -x $$ >two & second=$!
	wait_for 20 test -s one && wait_for 20 test -s two && [ "$(loaded | wc -l)" -eq 2 ] &&
		kill -INT $first $second && wait $first && wait $second
}

# It can be left running, and removed by the same file.
left_running() {
	./hello -L -x $$ >out 2>err && [ "$(loaded | wc -l)" -eq 1 ] && ./hello -d "$(loaded)"
}

# It selects the module by the kernel, and says so.
selected() {
	./hello --list >out && grep -q "^  $(uname -r) .*(this kernel)$" out &&
		[ "$(./hello --facts | sed 's/.*"module"://; s/}//')" = "\"$(uname -r)\"" ]
}

# From any directory, by a link, and from standard input closed.
anywhere() {
	mkdir -p /elsewhere && ln -sf /t/hello /elsewhere/tool && cd / && PATH=/elsewhere:$PATH tool <&- >/t/out &&
		[ "$(cat /t/out)" = "built 0" ]
}

# A bundle is for root, and gains nothing from a set-uid bit.
users() {
	cp hello mine && chmod 4755 mine && chmod 755 . && ! su nobody -s /bin/sh -c ./mine >out 2>&1 &&
		grep -q 'must not be set-uid' out && ! su nobody -s /bin/sh -c ./hello >out 2>&1 &&
		grep -q 'only root can load kernel modules' out && su nobody -s /bin/sh -c './hello --list' >out
}

# With keys, a signed bundle runs if it is unchanged. Without keys, nothing is checked.
signature() {
	./signed >out && ! ./signed --verify 2>err && mkdir -p -m 755 "$keys" && cp signer.x509 "$keys" &&
		chmod 644 "$keys/signer.x509" && ./signed --verify && ./signed >out && [ "$(cat out)" = "built 0" ] &&
		cp signed changed &&
		printf X | dd of=changed bs=1 seek=$(($(wc -c <changed) - 272 - 36)) conv=notrunc &&
		! ./changed 2>err && grep -q 'its signature does not match' err && ./hello >out
	local status=$?
	rm -f "$keys/signer.x509"
	return $status
}

check "it prints what the script prints" plain
check "globals can be set" settings
check "it runs the user's command" command_of_user
check "it writes a file" output_file
check "it writes lines of JSON" json
check "lines that cannot be written end the script" unwritten
check "it can be restricted to a control group" restricted
check "it runs twice at once" twice
check "it can be left running and removed" left_running
check "it knows its kernel" selected
check "it runs from anywhere" anywhere
check "only root can run it, also with a set-uid bit" users
[ ! -e signed ] || check "a changed bundle with a signature is refused" signature
