# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-profile-annotate: listings from fixed hits, which a stand-in for stap prints; sources that are missing, old,
# relative, on a server, or named by hostile debuginfo; wrong options; and profiles of a program in a guest.

. "$(dirname "$0")/../lib.sh"

annotate=$SPILE_BUILDDIR/stap-profile-annotate
hits=$tests/annotate
one=1111111111111111111111111111111111111111
cd "$work" || exit 1

# The stand-in for stap. It writes its arguments to a file, and prints lines of JSON with the paths of this directory.
cat >stap <<-'END'
	#!/bin/bash
	trap 'exit 130' INT
	printf '%s\n' "$@" >arguments
	sed "s|@WORK@|$PWD|g" "${HITS:?}"
	echo "a message of stap" >&2
	sleep "${SLEEP:-0}"
	exit "${STATUS:-0}"
END
chmod +x stap
seq -f 'line %g' 12 >twelve.c
touch -d '+1 hour' program # newer than its source

# annotated FILE OPTION...: run the program with the stand-in. Its output and status go to "got".
annotated() {
	local file=$1
	shift
	rm -rf profile-*
	HITS=$hits/$file "$annotate" --stap ./stap -c true "$@" >out 2>err
	echo "status $?" >>out
	{
		cat out
		sed 's/^/stderr: /' err
		find profile-* -type f 2>/dev/null | sort | while read -r listing; do
			echo "==> $listing"
			cat "$listing"
		done
	} | sed "s|$PWD|@WORK@|g" >got
}

test_listings() {
	annotated hits.json
	compare "hits of two programs and two hosts" "$hits/hits.txt" got
	annotated hits.json -w 1 -p
	compare "printed, with context" "$hits/printed.txt" got
	mkdir -p tree/stdlib && seq -f 'relative %g' 5 >tree/stdlib/sort.c
	annotated hits.json -w 0 -p --source tree
	check "a relative path below the directory of --source" grep -qx '0000040 relative 3' out
	touch -d '+2 hours' twelve.c
	annotated hits.json -p
	check "a source that is newer than the program" \
		grep -q "twelve.c is newer than .*/program: the lines may differ" err
	annotated hits.json -v
	check "-v names files without source" grep -qx "No source was found for stdlib/sort.c." err
	check "-v is passed to stap" grep -qx -- -v arguments
	seq -f 'line %g' 4 >twelve.c
	annotated hits.json -p
	check "a source with fewer lines" grep -q "source of .*/twelve.c has fewer lines than its debuginfo" err
	check "hits at missing lines count as without source" \
		grep -qx "0000092 (92.00%) hits in buildid $one with unknown source" out
	seq -f 'line %g' 12 >twelve.c
}

# Whatever debuginfo says, listings are written below the current directory, and only files are read.
test_hostile() {
	mkfifo fifo
	annotated hostile.json
	compare "hostile paths" "$hits/hostile.txt" got
	check "nothing is written elsewhere" eval '[ ! -e ../outside.c ] && [ ! -e /tmp/outside.c ]'
	chmod 600 twelve.c
	annotated hits.json
	check "a listing has the mode of its source" \
		test "$(stat -c %a "profile-$one/source$PWD/twelve.c")" = 600
	chmod 644 twelve.c
	rm -rf profile-* && mkdir elsewhere && ln -s elsewhere "profile-$one"
	HITS=$hits/hits.json "$annotate" -s ./stap -c true >out 2>err
	check "a link to another directory is refused" eval \
		"[ $? = 1 ] && grep -q 'profile-$one is not a directory of this user' err && rmdir elsewhere"
	rm -rf profile-* elsewhere
}

# A stand-in for debuginfod-find, which has one source.
test_server() {
	mkdir bin && seq -f 'served %g' 9 >served.c
	cat >bin/debuginfod-find <<-END
		#!/bin/sh
		[ "\$*" = "source $one /not/here/served.c" ] && echo "$PWD/served.c"
	END
	chmod +x bin/debuginfod-find
	export PATH=$PWD/bin:$PATH DEBUGINFOD_URLS=http://127.0.0.1:1/
	annotated served.json -p -w 0
	check "a source from a server" grep -qx '0000005 served 2' out
	check "a source that the server lacks" grep -qx ".* hits in buildid $one with unknown source" out
	unset DEBUGINFOD_URLS
	annotated served.json -p
	check "without servers, none is asked" eval '! grep -q served.c out'
}

test_failures() {
	local options
	STATUS=3 annotated hits.json
	check "the status of stap" grep -qx "status 3" got
	check "what was counted before a failure is shown" grep -q "^Counted 100 known" got
	echo >empty.json
	HITS=$PWD/empty.json STATUS=1 "$annotate" -s ./stap -c true >out 2>err
	check "stap prints nothing" eval "[ $? = 1 ] && [ \"\$(cat err)\" = 'a message of stap' ]"
	head -n 1 "$hits/hits.json" >unstarted.json
	HITS=$PWD/unstarted.json STATUS=1 "$annotate" -s ./stap -c true >out 2>err
	check "a script that does not start" eval "[ $? = 1 ] && ! grep -q Counted out"
	"$annotate" -s ./gone -c true >out 2>err
	check "no stap" eval "[ $? = 1 ] && grep -q '^ERROR: .*gone' err"
	for options in "" "-x 1 -c true" "-x 0" "-c true -T x" "-c true -w -1" "-c true more" "--gone" "-c"; do
		"$annotate" $options >out 2>err
		check "wrong options: $options" eval "[ $? = 2 ] && grep -q -- --help err"
	done
	HITS=$hits/hits.json "$annotate" -s ./stap -c true -p >/dev/full 2>err
	check "standard output is full" eval "[ $? = 1 ] && grep -q 'No space left' err"
	HITS=$hits/hits.json "$annotate" -s ./stap -c true -p 2>err | head -n 1 >out
	check "output into head" grep -q Starting out
	HITS=$hits/hits.json "$annotate" -s ./stap -c true -p >&- 2>err
	check "standard output is closed" test $? = 1
	HITS=$hits/hits.json SLEEP=1 "$annotate" -s ./stap -c true -p >&- 2>err
	check "a script that was stopped because of that does not set the status" test $? = 1
}

test_arguments() {
	annotated hits.json -T 5 -d /bin/true -d /gone -e 'process("a").function("f"), timer.s(1)' -r 6.1 --remote h
	printf '%s\n' --format=json -r 6.1 --remote h -c true -T 5 -d /bin/true -d /gone -d "$(type -P true)" --ldd \
		"$SPILE_SRCDIR/profile/annotate.stp" 'process("a").function("f"), timer.s(1)' >wanted
	check "arguments of stap" diff wanted arguments
	HITS=$hits/hits.json "$annotate" -s ./stap -x $$ >out 2>err
	check "the programs of a process" grep -qx "$(readlink -f /proc/$$/exe)" arguments
	check "the libraries of a process" grep -q '/libc.so.6$' arguments
}

# In the guest, nearly all time passes in one line.
test_guest() {
	cat >busy.c <<-'END'
		#include <stdlib.h>
		static volatile unsigned long sum;
		static void __attribute__((noinline)) spin(unsigned long rounds)
		{
			while (rounds--)
				sum += rounds * rounds;
		}
		int main(int argc, char **argv)
		{
			spin(strtoul(argv[1], 0, 10));
			return 0;
		}
	END
	check "the program is compiled" gcc -g -O1 -o busy busy.c
	start_guest $new_kernel || return
	"$annotate" --remote "unix:$work/$new_kernel" -c './busy 400000000 && echo done' >out 2>err || cat err >>out
	check "a profile of a command" awk '
		/^[0-9]+ \(.*hits in profile-.*\/busy.c over [0-9]+ lines?\.$/ { found = $2 }
		END { exit !(substr(found, 2) + 0 > 50) }' out
	check "the command's output" grep -qx "done" out
	check "the hot line" awk '
		/^[0-9]+ / && !/while|sum \+=/ { other += $1 }
		/^[0-9]+ .*(while|sum \+=)/ { hot += $1 }
		END { exit !(hot > 10 * other) }' profile-*/source"$work"/busy.c
	"$annotate" --remote "unix:$work/$new_kernel" -c './busy 5' -p -w 0 \
		-e "process(\"$work/busy\").statement(\"main@busy.c:*\")" >out 2>err || cat err >>out
	check "hits of other events" grep -qE '^0000001 .*spin\(strtoul' out
	"$annotate" --remote "unix:$work/$new_kernel" -d ./busy -T 1 >out 2>err || cat err >>out
	check "all processes for a time" grep -q "^Counted [0-9]* known userspace hit" out
	"$annotate" --remote "unix:$work/$new_kernel" -c ./busy -e 'kernel.function("gone_function")' >out 2>err
	check "a wrong probe point" eval "[ $? = 1 ] && grep -q 'no function matches .gone_function' err"
	"$annotate" --remote "unix:$work/$new_kernel" -c './busy 40000000; echo begun; ./busy 99999999999' >out 2>err &
	check "the command runs" within 60 grep -q begun out
	kill -INT $!
	wait $!
	check "hits until an interruption are shown" grep -q "hits in profile-.*/busy.c over" out
	check_guest_log $new_kernel "after the profiles"
	stop_guest $new_kernel
}

test_listings
test_hostile
test_server
test_failures
test_arguments
need_kernel $new_kernel && test_guest
