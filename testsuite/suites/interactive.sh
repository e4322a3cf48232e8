# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap -i, the interactive mode: its commands through a pipe, and on a terminal of testsuite/programs/terminal.c.
#
# What a run passes to stap is tested with a copy of stap-interactive beside a program that prints its arguments and its
# standard input. Some scripts run in guests.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
# The cache of the user, although other directories of theirs are replaced.
export SPILE_CACHE=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}
export XDG_STATE_HOME=$work/state SYSTEMTAP_DIR=$work/home SYSTEMTAP_RELEASE=$old_kernel
unset VISUAL EDITOR
mkdir -p "$work/state" "$work/home" "$work/files" "$work/fake" && cd "$work/files" || exit 1

# Without an index, answers about the kernel would be incomplete.
"$STAP" -l 'kernel.function("vfs_read")' >"$work/index" 2>&1 || fail "the kernel has an index" "$work/index"

# enter LINE...: enter the lines; the output is in $work/out, the messages are in $work/err. Return the status.
enter() {
	printf '%s\n' "$@" | timeout 300 "$STAP" -i "${options[@]}" >"$work/out" 2>"$work/err"
}
options=()
# prints TEXT LINE...: do the lines succeed and print exactly this?
prints() {
	enter "${@:2}" || { cat "$work/err"; return 1; }
	diff -u --label expected --label got <(printf '%s' "${1:+$1$'\n'}") "$work/out"
}
# shows PATTERN LINE...: do they succeed and print a line that matches?
shows() {
	enter "${@:2}" && grep -qE -- "$1" "$work/out" || { cat "$work/out" "$work/err"; return 1; }
}
# says PATTERN LINE...: do they fail with such a message, and is the session still there afterwards?
says() {
	enter "${@:2}" 'global at_the_end' list
	[ $? -eq 1 ] && grep -qE -- "$1" "$work/err" && grep -q 'global at_the_end' "$work/out" ||
		{ cat "$work/out" "$work/err"; return 1; }
}

# ---- the script ------------------------------------------------------------------------------------------------------

check "definitions become part of the script" prints '  1  global n
  2  probe begin { n = 1 }
  3  function f(x) { return x }' 'global n' 'probe begin { n = 1 }' 'add function f(x) { return x }' list
check "a definition continues until its braces are complete" prints '  1  probe begin {
     	if (1) {
     	}
     }
  2  global n' $'probe begin {\n\tif (1) {\n\t}\n}' 'global n' list
check "a definition continues after its points" prints '  1  probe begin,
     end
     {
     }' 'probe begin,' end '{' '}' list
check "comments, strings and embedded C do not end a definition" prints '  1  probe begin { /* }
     */ println("}") # }
     }
  2  global n
  3  function f() %{ /* unprivileged */ }
     %}' $'probe begin { /* }\n*/ println("}") # }\n}' 'global n' 'set -g' \
	$'function f() %{ /* unprivileged */ }\n%}' list
check "a macro continues until it is closed" prints '  1  @define two %(
     2 %)
  2  probe begin { println(@two) }' $'@define two %(\n2 %)' 'probe begin { println(@two) }' list
check "a definition that cannot be parsed is not added" says "parse error: .*" 'probe begin { foo( }'
check "an open string ends a definition" says 'string literal is never closed' 'probe begin { println("x }'
check "a bracket that closes another ends a definition" says "the definition is not added" 'probe begin { foo[1) }'
kept() { prints '  1  probe begin { f() }' 'probe begin { f() }' list && grep -q "no function 'f'" "$work/err"; }
check "a definition with another mistake is kept" kept
place() { diff - <(sed -n '/^    1 |/,$p' "$work/err") <<<$'    1 | probe begin { f() }\n      |               ^'; }
check "its place is shown" place
corrected() { enter 'probe begin { f() }' 'function f() { }' && [ "$(grep -c 'no function' "$work/err")" -eq 1 ]; }
check "a later definition corrects it" corrected
check "an unknown word has a hint" says "unknown command 'runn'" runn
check "a definition that matches several places says so" shows '^[0-9]+ matches$' 'probe kernel.function("vfs_*") { }'

check "delete by number" prints '  1  probe end { }' 'global n' 'probe end { }' 'delete 1' list
check "delete by name" prints '  1  global a, b' 'global a, b' 'function f() { }' 'delete f' list
check "delete the declaration of a global" prints '  1  probe end { }' 'probe end { }' 'global a, b' \
	'delete global b' list
check "delete a probe" prints '  1  global n' 'global n' $'probe begin,\nend {\n}' 'delete probe begin, end' list
check "delete everything" prints '' 'global n' 'probe begin { }' 'delete all' list
check "delete what is not there" says "the script does not define 'm'" 'global n' 'delete m'
check "delete in an empty script" says "^ERROR: the script does not define '1'" 'delete 1'
no_critical() { ! grep CRITICAL "$work/err"; }
check "deleting from an empty script has no other message" no_critical
check "undo" prints '  1  global a' 'global a' 'global b' 'delete 1' undo undo list
check "undo of everything" says 'there is no change to undo' 'global a' undo undo

# ---- questions -------------------------------------------------------------------------------------------------------

check "the type of an expression" shows '^type: string$' '?execname() . "x"'
check "the documentation of a function" prints 'function execname:string ()

name of the current process

Returns the command name (comm, at most 15 characters) of the current thread. In interrupt context this is the
interrupted thread.' '?execname'
check "a global" prints 'global n: array[string] of long' 'global n' 'probe begin { n["x"] = 1 }' '?n'
check "the matches of a probe point" shows '^- kernel.function\("vfs_read@fs/read_write.c:[0-9]+"\)' \
	'?kernel.function("vfs_read")'
check "an alias" shows '^1 match:' '?vfs.read'
check "a variable of the last probe" shows '^type: long$' 'probe kernel.function("vfs_read") { }' '?$count'
check "the C type of a variable" shows '^struct file \* \$file$' 'probe kernel.function("vfs_read") { }' '?$file'
check "a variable of an alias" shows '^type: long$' 'probe vfs.read { }' '?bytes_to_read + 1'
check "a wrong expression" says "expected an expression" '?)'
check "a mistake in an expression" says "type mismatch" '?strlen(1)'
check "an unknown name" says "nothing is known about 'nothing_at_all'" '?nothing_at_all'
check "a probe point is listed" shows '^kernel.function\("vfs_read@' 'list kernel.function("vfs_read")'
check "a probe point is listed with variables" shows '\$count:' 'list -L kernel.function("vfs_read")'

# ---- settings --------------------------------------------------------------------------------------------------------

check "settings have values" shows '^  seconds +5 ' 'set seconds 5' show
check "a setting is removed" shows '^  seconds +off ' 'set seconds 5' 'set seconds off' show
check "SystemTap's spelling of a name, and a beginning" shows '^  guru-mode +on ' 'set guru_mode' 'show guru'
check "a setting as an option" shows '^  limit +MAXACTION=7, MAXNESTING=3 ' 'set -DMAXACTION=7 -D MAXNESTING=3' show
check "the kernel for guests" shows "^  kernel +$new_kernel " "set kernel $new_kernel" 'show kernel'
check "a wrong value is refused" says "-T requires a number of seconds, not 'x'" 'set seconds x'
unchanged() { ! enter 'set seconds 5' 'set seconds x' show && grep -qE '^  seconds +5 ' "$work/out"; }
check "a refused value leaves the old one" unchanged
check "a value in quotes may not be empty" says "'file' requires a value: PATH" 'set file ""'
check "an option's argument may not be empty" says "'tapset' requires a value: DIRECTORY" 'set -I ""'
check "an unknown setting" says "no setting is called 'secnds'" 'set secnds 5'
check "an option that is no setting" says "option '--remote=x' cannot be set" 'set --remote=x'
check "an option of another mode" says "option 'l' cannot be set|only one of" 'set -l begin'
options=(-g -T7)
check "options of the command line are settings" shows '^  guru-mode +on ' 'show guru-mode' 'show seconds'
options=(--remote=host)
refused() { ! "$STAP" -i "$@" </dev/null 2>"$work/err" && grep -qE -- "$pattern" "$work/err"; }
pattern='-i and --remote exclude each other' check "--remote is refused" refused --remote=host
pattern="option 'F' cannot be set" check "an option without meaning is refused" refused -F
options=()
rc_file() {
	echo '--remote=host' >"$work/home/rc"
	pattern='the rc file has the option --remote=host' refused
	local status=$?
	rm "$work/home/rc"
	return $status
}
check "an rc file that names a host is refused" rc_file

# ---- files -----------------------------------------------------------------------------------------------------------

printf 'global n\nprobe begin { n = 1 }' >script.stp
check "load" prints '  1  global n
  2  probe begin { n = 1 }' 'global old' 'load script.stp' list
options=(script.stp)
check "a script of the command line" prints '  1  global n
  2  probe begin { n = 1 }' list
options=(-e 'probe end { }')
check "a text of the command line" prints '  1  probe end { }' list
options=()
check_some 3 "load and add to a file without a line end" prints '  1  global n
  2  probe begin { n = 1 }
  3  global m' 'load script.stp' 'global m' list
saved() { enter 'global a' "save 'a file.stp'" 'global b' save && diff - 'a file.stp' <<<$'global a\nglobal b'; }
check "save, and save again" saved
replaced() {
	echo kept >existing.stp
	! enter 'global a' 'save existing.stp' no && grep -qx kept existing.stp &&
		enter 'global a' 'save existing.stp' yes && grep -qx 'global a' existing.stp
}
check "save replaces a file only after a confirmation" replaced
check_some 3 "load a directory" says 'cannot read /: Is a directory' 'load /'
mkfifo fifo
check_some 3 "load a FIFO" says 'fifo is not a regular file' 'load fifo'
check_some 3 "load a device" says '/dev/zero is not a regular file' 'load /dev/zero'
check_some 3 "load a file that is missing" says 'cannot read gone.stp: No such file' 'load gone.stp'
printf 'global n\0' >nul.stp
check_some 3 "load a file with a NUL byte" says 'nul.stp is not a text' 'load nul.stp'
printf 'global n # \xff\n' >latin.stp
check_some 3 "load a file that is not UTF-8" says 'latin.stp is not a text' 'load latin.stp'
head -c 2000000 /dev/zero | tr '\0' '#' >large.stp
check_some 3 "load a file that is too large" says 'would have more than 1048576 bytes' 'load large.stp'
kept_script() { ! enter 'global a' 'load /' list && grep -q 'global a' "$work/out"; }
check "the script is kept if loading fails" kept_script
check "save to a device" says '/dev/full is not a regular file' 'save /dev/full'
check "save to a directory" says '/ is not a regular file' 'save /'
check "save without a name" says "'save' requires a file" save
full_disk() {
	mkdir -p small && mount -t tmpfs -o size=64k none small 2>/dev/null || return 2
	echo before >small/script.stp
	head -c 100000 /dev/zero >small/filler 2>/dev/null
	! enter 'load large-enough.stp' 'save small/script.stp' yes list && grep -q 'No space left' "$work/err" &&
		grep -qx before small/script.stp && grep -q 'global filler' "$work/out"
	local status=$?
	umount small
	return $status
}
{ echo 'global filler'; head -c 200000 /dev/zero | tr '\0' '#'; } >large-enough.stp
full_disk >"$work/check.log" 2>&1
case $? in
0) ok "a full disk leaves the file and the script" ;;
2) skip "a full disk leaves the file and the script" "this user may not mount a tmpfs" ;;
*) cat "$work/err" >>"$work/check.log"; fail "a full disk leaves the file and the script" "$work/check.log" ;;
esac

export EDITOR='sed -i s/old/new/'
check "edit" prints '  1  global new' 'global old' edit list
check "edit can be undone" prints '  1  global old' 'global old' edit undo list
EDITOR=false check_some 3 "an editor that fails" says 'the editor ended with status 1' 'global old' edit
EDITOR=/nonexistent/editor \
	check_some 3 "an editor that is missing" says 'set the environment variable EDITOR' 'global a' edit
EDITOR='"' check_some 3 "an editor with a wrong quote" says "EDITOR is '\"'" 'global a' edit
EDITOR=rm check_some 3 "an editor that removes the file" says 'cannot read .*: No such file' 'global a' edit
check "samples are listed" shows '^  slab-any ' 'sample slab'
check_some 3 "a sample is loaded" shows 'probe ' 'sample slab-any' list
check_some 3 "a sample that does not exist" says "no example is called 'slab-anyy'" 'sample slab-anyy'
check_some 3 "a sample is not overwritten" says "'save' requires a file" 'sample slab-any' save

# ---- hostile input ---------------------------------------------------------------------------------------------------

# after: print lines that show that the session is still there. hostile PATTERN: does the input, with these at its end,
# cause such a message?
after() { printf '\nglobal n\nlist\n'; }
hostile() {
	timeout 120 "$STAP" -i >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -qE "$1" "$work/err" && grep -q 'global n' "$work/out" ||
		{ cut -c1-300 "$work/out" "$work/err"; return 1; }
}
long_line() { { head -c 5000000 /dev/zero | tr '\0' x; after; } | hostile 'a line has more than'; }
check_some 3 "a very long line" long_line
nul_line() { { printf 'global a\0b'; after; } | hostile 'a line has a NUL byte'; }
check_some 3 "a line with a NUL byte" nul_line
endless() { { echo 'probe begin {'; yes 'x = 1' | head -n 20000; after; } | hostile 'more than 65536 bytes'; }
check_some 3 "a definition without an end" endless
# noise: print random bytes, the same each time.
noise() { head -c 20000 /dev/zero | openssl enc -aes-128-ctr -K 01 -iv 02 2>/dev/null; }
hostile_noise() { { noise; after; } | hostile 'unknown command'; }
check_some 3 "random bytes" hostile_noise
escapes() { says "unknown command '.033\[2J'" $'\e[2J' && ! grep -q $'\e' "$work/err"; }
check_some 3 "a terminal obeys no message" escapes
no_end() { { after; echo 'probe begin { /*'; } | hostile 'ends within a definition'; }
check_some 3 "the input ends within a comment" no_end
no_newline() { printf 'global n\nlist' | timeout 60 "$STAP" -i | grep -q 'global n'; }
check_some 3 "the input ends without a line end" no_newline
gone_reader() {
	timeout 50 "$STAP" -i < <(yes help | head -n 20000; exec sleep 60) 2>/dev/null | head -n 1 >/dev/null
	[ "${PIPESTATUS[0]}" -ne 124 ]
}
check_some 3 "it ends if nobody reads its output" gone_reader
ends() { timeout 50 "$STAP" -i </dev/null; }
check_some 3 "the end of the input ends it" ends
check_some 3 "quit ends it" prints '' quit list 'global n'

# ---- what runs, and where --------------------------------------------------------------------------------------------

# stap prints its arguments but for the script, which it copies to a file.
cp "$SPILE_BUILDDIR/stap-interactive" "$work/fake/"
cat >"$work/fake/stap" <<'END'
#!/bin/sh
cat >"$WORK/ran"
printf '<%s>' "$@"
echo
[ -z "$SLEEP" ] || { trap 'echo interrupted; exit 1' INT; echo $$ >"$WORK/pid"; sleep "$SLEEP" & wait; }
END
chmod +x "$work/fake/stap"
export WORK=$work
fake() {
	printf '%s\n' "$@" |
		SPILE_DATADIR=$SPILE_SRCDIR timeout 100 "$work/fake/stap-interactive" >"$work/out" 2>"$work/err"
}
passes() {
	fake "${@:2}"
	grep '^<' "$work/out" | diff -u --label expected --label got <(printf '%s\n' "$1") - && return
	cat "$work/err"
	return 1
}
probe='probe begin { println(1) }'
check "a script runs in a guest" passes "<-r$old_kernel><--remote=vm:><-><-->" "$probe" run
check "the script is passed as a whole" diff - "$work/ran" <<<"$probe"
check "arguments and options" passes "<-r$new_kernel><-g><-cls -l /sys><-T5><--remote=vm:><-><--><a b><c>" \
	"$probe" "set kernel $new_kernel" 'set guru-mode on' 'set command ls -l /sys' 'set seconds 5' 'run "a b" c'
check "globals of a script that prints nothing are a report" \
	passes "<-r$old_kernel><--remote=vm:><--report=-><--no-global-var-display><-><-->" \
	'global n' 'probe begin { n = 1 }' run
check "the report can be a file, or off" passes "<-r$old_kernel><--remote=vm:><--report=x.html><-><-->
<-r$old_kernel><--remote=vm:><-><-->" 'global n' 'probe begin { n = 1 }' 'set report x.html' run 'set report off' run
echo '{"options": ["-g"]}' >.spile.json
check "options beside the script are used in a guest" passes "<-r$old_kernel><-g><--remote=vm:><-><-->" "$probe" run
check "they are not used on this machine" passes "<-><-->" "$probe" 'set target here' yes run
rm .spile.json
check "this machine only after a confirmation" passes "<-r$old_kernel><--remote=vm:><-><-->" "$probe" \
	'set target here' no run
check "another word is no confirmation" passes "<-r$old_kernel><--remote=vm:><-><-->" "$probe" 'set target here' y run
check "another host" passes "<--remote=root@web1><-><-->" "$probe" 'set target root@web1' yes run
check "another host only after a confirmation" passes "<-r$old_kernel><--remote=vm:><-><-->" "$probe" \
	'set target root@web1' '' run
check "a running guest needs no confirmation" passes "<-r$old_kernel><--remote=unix:/x><-><-->" "$probe" \
	'set target unix:/x' run
check "back to a guest" passes "<-r$old_kernel><--remote=vm:><-><-->" "$probe" \
	'set target here' yes 'set target vm:' run
no_target() { fake 'set target -o' 'set target a b'; [ "$(grep -c 'is not a target' "$work/err")" -eq 2 ]; }
check "a target that is none" no_target
nothing_to_run() { fake run; grep -q 'the script is empty' "$work/err" && ! grep -q '^<' "$work/out"; }
check "an empty script does not run" nothing_to_run
# SIGINT to the session alone, as from kill(1), ends the run and not the session.
interrupted() {
	local session status
	mkfifo "$work/lines" && exec 9<>"$work/lines"
	SLEEP=100 SPILE_DATADIR=$SPILE_SRCDIR "$work/fake/stap-interactive" <&9 >"$work/out" 2>"$work/err" 9>&- &
	session=$!
	printf '%s\n' "$probe" run >&9
	within 60 test -s "$work/pid" && kill -INT $session && within 60 grep -q interrupted "$work/out" &&
		echo list >&9 && within 60 grep -q '  1  probe begin' "$work/out" && kill -TERM $session
	wait $session
	status=$?
	exec 9>&-
	[ $status -eq 143 ]
}
check "a signal ends the run, not the session" interrupted

in_guest() {
	enter 'probe begin { nothing_at_all() }' run undo 'global n' 'probe vfs.read { n[execname()]++ }' \
		'set command cat /proc/version' run 'set report off' 'probe end { println("the ", @1) }' 'run end'
	grep -q '^n\[execname\] ' "$work/out" && grep -q '█\|#' "$work/out" && grep -qx 'the end' "$work/out" &&
		grep -q "no function 'nothing_at_all'" "$work/err" && grep -q 'stap ended with status 1' "$work/err" ||
		{ cat "$work/out" "$work/err"; return 1; }
}
check_some 3 "a failed run keeps the session; results are tables, or output" in_guest

# ---- a terminal ------------------------------------------------------------------------------------------------------

check "the test terminal is built" \
	gcc -Wall -Wextra -Werror -O1 -o "$work/terminal" "$tests/programs/terminal.c" -lutil
# on_terminal STATUS LINE...: obey the lines of the terminal, the first after the prompt.
on_terminal() {
	printf '%s\n' 'wait stap>' "${@:2}" | timeout 300 "$work/terminal" "$STAP" -i >"$work/screen" 2>&1
	[ $? -eq "$1" ] || { cat "$work/screen"; return 1; }
}
# typed TEXT KEYS...: does the screen show the text after these keys? Ctrl-C abandons what was typed.
typed() { on_terminal 0 "${@:2}" "wait $1" 'keys \003' 'keys quit\r' rest; }
check_some 4 "Tab completes a command" typed 'stap> sample' 'keys sam\t'
check_some 4 "Tab completes a probe point" typed 'probe vfs.remove_from_page_cache' 'keys probe vfs.remo\t'
check_some 4 "Tab completes a function of the kernel" typed 'kernel.function("vfs_rename' \
	'keys probe kernel.function("vfs_rena\t'
check_some 4 "Tab completes a variable" typed 'println($count' \
	'keys probe kernel.function("vfs_read") {\r' 'wait ...>' 'keys println($cou\t'
check_some 4 "Tab completes a member" typed '$file->f_path' \
	'keys probe kernel.function("vfs_read") { x = $file->f_pat\t'
check_some 4 "Tab completes a function" typed '?execname()' 'keys ?execn\t'
check_some 4 "Tab completes a setting" typed 'set skip-badvars' 'keys set skip\t'
check_some 4 "Tab completes a file" typed 'load script.stp' 'keys load scr\t'
check_some 4 "Tab completes an example" typed 'sample slab-any' 'keys sample slab-a\t'
check_some 4 "Tab lists several" typed 'keep-directory' 'keys set ke\t\t'
check "a definition has another prompt" typed '...>' 'keys probe begin {\r'
abandoned() {
	on_terminal 0 'keys probe begin {\r' 'wait ...>' 'keys unfinished\003' 'keys global later\r' 'keys list\r' \
		'wait   1  global later' 'keys quit\r' rest
}
check "Ctrl-C abandons a definition" abandoned
# A program with AddressSanitizer starts only if that library is the first in LD_PRELOAD.
late_signal() {
	local sanitizer
	sanitizer=$(ldd "$SPILE_BUILDDIR/stap-interactive" | awk '/libasan/ { print $3 }')
	gcc -Wall -Wextra -Werror -O1 -shared -fPIC -o "$work/late-ppoll.so" "$tests/programs/late-ppoll.c" -ldl &&
		LD_PRELOAD="$sanitizer $work/late-ppoll.so" on_terminal 0 'keys foo\003quit\r' rest
}
check "what is typed after Ctrl-C is kept on a busy processor" late_signal
check "Ctrl-D ends the session" on_terminal 0 'keys \004' rest
check "a terminal confirms" on_terminal 0 'keys set target here\r' 'wait confirm' 'keys no\r' \
	'wait the target is still vm:' 'keys quit\r' rest
rm -rf "$work/state"
mkdir "$work/state"
check "lines are entered" on_terminal 0 'keys global remembered\r' 'keys set target here\r' 'wait confirm' \
	'keys secret\r' 'wait still' 'keys quit\r' rest
history=$work/state/spile/history
check "the history has the lines, but no answers" diff - "$history" <<<$'global remembered\nset target here\nquit'
check "only the user can read the history" \
	test "$(stat -c %a "$history" "$work/state/spile" | tr '\n' ' ')" = '600 700 '
check "the history of an earlier session" typed 'stap> set target here' 'keys \020\020'
no_history() { rm -rf "$work/state"; echo >"$work/state"; typed 'WARNING: ' show; }
check "a history that cannot be written is no failure" no_history
rm -f "$work/state"
run_and_interrupt() {
	on_terminal 0 'keys set report off\r' 'keys probe begin { println("it ", "runs") }\r' 'keys run\r' \
		'wait it runs' 'keys \003' 'keys list\r' 'wait   1  probe begin' 'mode' 'keys quit\r' rest
}
check_some 3 "Ctrl-C ends a run, not the session" run_and_interrupt
check "a session that is killed ends" on_terminal 143 'signal 15' rest

# ---- one-liners ------------------------------------------------------------------------------------------------------

mapfile -t lines < <("$STAP" --one-liners | grep '^stap')
check "there are twenty one-liners" test ${#lines[@]} -eq 20
translates() { eval "\"$STAP\" -W -p2 -r $1 ${2#stap}" >/dev/null; }
for release in $old_kernel $new_kernel; do
	for line in "${lines[@]}"; do
		check_some 6 "$release: ${line#stap }" translates $release "$line"
	done
done
one_runs() { eval "\"$STAP\" --remote=vm: -r $new_kernel ${lines[9]#stap} -T2" | grep -q '^samples\['; }
check_some 4 "one of them in a guest" one_runs
check "nothing is left behind" test -z "$(ls "$TMPDIR")"
