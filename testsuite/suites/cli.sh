# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of stap without a guest: what each pass prints, and bad input of every kind, which must end in one
# clear error, a failing exit status, and nothing left behind.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
copied_cache "$work/cache"
cd "$work" || exit 1
kernel=$("$STAP_VM" path $old_kernel)
release=$(basename "$kernel")

# run ARGUMENT...: run stap for the older kernel; write output to out and messages to err.
run() {
	timeout 900 "$STAP" -r $old_kernel "$@" >"$work/out" 2>"$work/err"
}

# says NAME PATTERN [LINES]: check that the last run failed with status 1 and a message that matches, in at most 8
# lines.
says() {
	local status=$?
	{
		[ $status -eq 1 ] || echo "exit status $status"
		grep -qE -e "$2" "$work/err" || echo "no message matches: $2"
		[ "$(wc -l <"$work/err")" -le "${3:-8}" ] || echo "too many lines"
		compgen -G "$TMPDIR/*"
	} >"$work/wrong"
	if [ -s "$work/wrong" ]; then
		fail "$1" "$work/wrong" "$work/err"
		rm -rf "${TMPDIR:?}"/*
	else
		ok "$1"
	fi
}

# prints NAME PATTERN...: check that the last run succeeded, printed a line for each pattern, and left no files.
prints() {
	local status=$? name=$1 pattern
	shift
	{
		[ $status -eq 0 ] || echo "exit status $status"
		for pattern; do
			grep -qE -e "$pattern" "$work/out" "$work/err" || echo "nothing matches: $pattern"
		done
		compgen -G "$TMPDIR/*"
	} >"$work/wrong"
	if [ -s "$work/wrong" ]; then
		fail "$name" "$work/wrong" "$work/err" "$work/out"
		rm -rf "${TMPDIR:?}"/*
	else
		ok "$name"
	fi
}

hello='probe begin { println("hello") exit() }'

# Passes.
run -p1 -e "$hello"; prints "-p1 prints the script" 'probe begin' 'println\("hello"\)'
run -p2 -e 'probe kernel.function("vfs_read").return { println($return) }'
prints "-p2 prints the resolved probes" 'kernel.function\("vfs_read@fs/read_write.c:[0-9]+"\).return'
run -p3 -e "$hello"; prints "-p3 prints C" 'static void .*struct stp_context'
run -p4 -m hello -e "$hello"; prints "-p4 -m leaves the module here" '^hello.ko$'
modinfo ./hello.ko >out 2>err && grep -q "^vermagic: *$release " out
prints "it is a module of that kernel" '^license: *GPL'
run -v -p4 -m hello -e "$hello probe end { println(1) }"
used='using [0-9]+virt/[0-9]+res/[0-9]+shr/[0-9]+data kb, in [0-9]+usr/[0-9]+sys/[0-9]+real ms\.$'
counted='2 probes, [0-9]+ functions?, 0 embeds, 0 globals'
prints "-v reports each pass" "^Pass 1: parsed user script and [0-9]+ library scripts? $used" \
	"^Pass 2: analyzed script: $counted using .* in [0-9]+usr/" \
	'^Pass 3: translated to C into ' '^Pass 4: compiled C into "hello.ko" using '
run -m hello -e "$hello"
prints "a kernel that does not run here ends it after pass 4" '^WARNING: kernel .* stopping after pass 4' '^hello.ko$'
run -k -p4 -m kept -e "$hello"
kept=$(sed -n 's/^Keeping temporary directory "\(.*\)"$/\1/p' err)
check "-k keeps the generated code" test -s "$kept/script.c" -a -s "$kept/kept.ko"
rm -rf "$kept"
echo "$hello" | timeout 900 "$STAP" -r $old_kernel -p1 - >out 2>err; prints "a script on standard input" 'probe begin'
printf '#!/usr/bin/env stap\n%s\n' "$hello" >script.stp; run -p1 script.stp; prints "a script with #!" 'probe begin'
"$STAP" --version >out 2>err; prints "--version" 'Spile [0-9.]+' ; "$STAP" -V >out 2>err; prints "-V" 'version 5.5'
"$STAP" --help >out 2>err; prints "--help" '^Usage: stap ' '--remote=HOST'
run -l 'kernel.function("vfs_rea*")'
prints "-l lists probe points" '^kernel.function\("vfs_read@fs/read_write.c:[0-9]+"\)$'
run -L 'kernel.function("vfs_read")'
prints "-L adds the variables" ' \$file:struct file\* \$buf:char\* \$count:size_t \$pos:loff_t\*'
line=$(sed -n 's/.*read_write.c:\([0-9]*\)").*/\1/p' out)
run -l "kernel.function(\"*@fs/read_write.c:$line\")"
prints "a function by file and line" '^kernel.function\("vfs_read@'
run -l "kernel.function(\"vfs_read@read_write.c:$line\")"
prints "a function by base name and line" '^kernel.function\("vfs_read@'
run -l 'kernel.function("vfs_read@fs/read_write.c:7")'; says "a line where the function is not" "vfs_read.*"
run -l 'module("virtio_net").function("virtnet_poll")'
prints "a module's function" '^module\("virtio_net"\).function\("virtnet_poll@drivers/net/virtio_net.c:[0-9]+"\)$'
run -l 'kernel.function("no_such_thing")'; says "-l of nothing" 'no function matches'

run -l 'my.*' -E 'probe my.open = kernel.function("vfs_open") {} probe begin {}'
prints "-E adds aliases to a listing, and nothing else" '^my.open$' &&
	[ "$(grep -c . out)" -eq 1 ] ||
	fail "a listing with -E has one line" out
run -L 'my.*' -E 'probe my.open = kernel.function("vfs_open").call, kernel.function("vfs_read") {
	n = "x" $dentry __hidden = 1 m = pid() other = $nothing }'
prints "-L shows what an alias sets, and then its first place's variables" \
	'^my.open n:string m:long \$path:const struct path\* \$file:struct file\*' &&
	[ "$(grep -c . out)" -eq 1 ] || fail "an alias has one line" out

# System calls: each is a row of a table and needs no debuginfo.
of_openat='name:string dfd:long dfd_str:string filename:string filename_unquoted:string flags:long flags_str:string'
of_openat+=' mode:long argstr:string'
run -L 'syscall.openat'; prints "-L of a system call has its variables" "^syscall.openat $of_openat\$"
run -L 'nd_syscall.openat.return'
prints "-L of the return of a system call" "^nd_syscall.openat.return $of_openat retval:long retstr:string\$"
run -L 'syscall_any'; prints "-L of syscall_any" '^syscall_any syscall_nr:long name:string$'
run -L 'tp_syscall.*'
prints "-L of all system calls" '^tp_syscall.clone3 name:string uargs_uaddr:long .* argstr:string$' &&
	[ "$(grep -c argstr out)" -gt 390 ] || fail "-L lists every system call" out
run -l 'syscall.opne'; says "a near name of a system call" 'did you mean: open'

# --dump-functions, --dump-probe-types, --dump-probe-aliases.
run --dump-functions
prints "--dump-functions" '^pid:long \(\)$' '^substr:string \(str:string, start:long, length:long\)$' \
	'^exit:unknown \(\)$'
grep -q '^__' out && fail "--dump-functions lists internal functions" out
run --dump-probe-types
prints "--dump-probe-types" '^begin\(number\)$' '^kernel.function\(string\).return.maxactive\(number\)$' \
	'^timer.ms\(number\)$'
run --dump-probe-types --unprivileged
prints "--dump-probe-types --unprivileged" '^timer.ms\(number\)$' '^process.begin$' \
	'^process\(string\).function\(string\)$'
grep -q '^kernel' out && fail "--dump-probe-types --unprivileged shows too much" out
mkdir -p tap; echo 'probe my.alias = begin, end? { } probe __mine = end {}' >tap/alias.stp
run --dump-probe-aliases -I tap; prints "--dump-probe-aliases" '^my.alias = begin, end ?\?$'
"$STAP" --dump-functions >out 2>err; prints "--dump-functions needs no kernel" '^tid:long \(\)$'
# A system without any kernel, and with one program.
mkdir -p no-kernel/bin && cp /bin/sh no-kernel/bin/
for list in '-l timer.*' '-L process.begin' '-l syscall.open*' '-l process("/bin/sh").plt("*")' \
	'-L process("/bin/sh").plt("*")'; do
	SPILE_CACHE=$work/no-cache "$STAP" --sysroot="$work/no-kernel" "${list%% *}" "${list#* }" >out 2>err
	prints "$list needs no kernel" '^(timer.profile|process.begin|syscall.openat|process.*plt)'
done
own=$(uname -r) # a substitution in its arguments would change the status that `says` looks at
SPILE_CACHE=$work/no-cache "$STAP" --sysroot="$work/no-kernel" -l 'kernel.function("vfs_read")' >out 2>err
says "a list of a missing kernel's functions" "no debuginfo of kernel $own was found" && grep -q 'r RELEASE' err
mkdir -p functions
echo 'function my_cast:long (x:long) { return @cast(x, "task_struct", "kernel")->pid }' >functions/cast.stp
SPILE_DEBUGINFO_SOURCES=symbols run --dump-functions -I functions
prints "--dump-functions works without the debuginfo that @cast needs" '^my_cast:long \(x:long\)$'
[ ! -s err ] || fail "--dump-functions does not report missing debuginfo" err
echo 'function my_call(x) { return no_such_function(x) }' >functions/mistakes.stp
run --dump-functions -I functions
says "--dump-functions reports mistakes in the user's tapset" "no function 'no_such_function' with 1 arg"
echo 'function my_member(x) { return @cast(x, "task_struct", "kernel")->no_such_member }' >functions/mistakes.stp
run --dump-functions -I functions
says "--dump-functions reports mistakes found with debuginfo" "'struct task_struct' has no member 'no_such_member'"
echo 'function my_text:long() { return "text" }' >functions/mistakes.stp
run --dump-functions -I functions
says "--dump-functions reports type mismatches" 'type mismatch: what is returned is of type string' 10

# Tapset directories: the more specific one overrides files of the same name.
mkdir linked
cp /bin/true linked/true && echo 'int main(void) { return 0; }' | gcc -O2 -static -o linked/static -x c - || exit 1
run -l "process(\"$work/linked/*\").library(\"libc.so.*\").function(\"malloc\")"
prints "one of several programs is linked with a library" '^process\(".*/libc\.so\.6"\)\.function\("(__libc_)?malloc'
run -p2 -e "probe process(\"$work/linked/*\").library(\"gone.so\").function(\"f\") { }"
says "no program is linked with a library" 'nor is it found in 1 other file that matches' 10
mkdir -p "tap/$release" tap/6.1/x86_64 tap/6.12
echo 'function who:string() { return "any" }' >tap/who.stp
echo 'function who:string() { return "other" }' >tap/6.12/who.stp
run -p2 -I tap -e 'probe begin { println(who()) }' && run -p3 -I tap -e 'probe begin { println(who()) }'
prints "a tapset of all kernels" '"any"'
echo 'function who:string() { return "series" }' >tap/6.1/who.stp
run -p3 -I tap -e 'probe begin { println(who()) }'; prints "a tapset of a series" '"series"'
echo 'function who:string() { return "machine" }' >tap/6.1/x86_64/who.stp
run -p3 -I tap -e 'probe begin { println(who()) }'; prints "a tapset of an architecture" '"machine"'
echo 'function who:string() { return "release" }' >"tap/$release/who.stp"
run -p3 -I tap -e 'probe begin { println(who()) }'; prints "a tapset of a release" '"release"'
SYSTEMTAP_TAPSET=$work/tap run -p3 -e 'probe begin { println(who()) }'
prints "SYSTEMTAP_TAPSET is the library" '"release"'
SYSTEMTAP_TAPSET=$work/tap run -p3 -e 'probe begin { exit() }'
says "SYSTEMTAP_TAPSET replaces ours" "no function 'exit'"

# The rc file.
mkdir rc
printf '# mine\n-D MAXACTION=77\n\n-D "MAXNESTING=5" -g\n' >rc/rc
SYSTEMTAP_DIR=$work/rc run -p3 -D MAXNESTING=6 -e 'probe begin { %{ int a; %} }'
prints "the rc file's options, and the command line after them" 'max_action = 77,' 'max_nesting = 6,'
printf '%s\n' '-D "x' >rc/rc; SYSTEMTAP_DIR=$work/rc run -p1 -e "$hello"
says "an rc file with half a quote" '/rc/rc:1: '
printf '%s\n' '--nonsense' >rc/rc; SYSTEMTAP_DIR=$work/rc run -p1 -e "$hello"
says "an rc file with nonsense" 'unknown option --nonsense'
rm -rf rc
SYSTEMTAP_RELEASE=$new_kernel "$STAP" -p3 -e "$hello" >out 2>err; prints "SYSTEMTAP_RELEASE" 'release=6\.12'

# Versions and privileges.
run --compatible=4.2 -p1 -e '%( systemtap_v < "4.3" %? probe begin {} %: probe end {} %)'
prints "--compatible" '^probe begin'
run --compatible=99 -e "$hello"
says "--compatible with a future version" 'newest supported version of the language is 5.5'
run --compatible=old -e "$hello"; says "--compatible with an invalid version" '--compatible requires a version'
cast='probe module("virtio_net").function("virtnet_poll") { println(@cast(0, "napi_struct")->weight) }'
run --check-version -p2 -e "$cast"
prints "--check-version" 'WARNING: up to version 4.2, @cast without a module meant "kernel"'
run -p2 -e "$cast"; prints "without --check-version" 'virtnet_poll'
grep -q WARNING err && fail "a warning without --check-version" err
run --privilege=stapusr -p2 -e 'probe timer.s(1) { println(pid()) }'
prints "a script that a stapusr may run" 'timer.s\(1\)'
run --unprivileged -p1 -e '%( systemtap_privilege == "stapusr" %? probe begin {} %: probe end {} %)'
prints "systemtap_privilege" '^probe begin'
run --privilege=stapsys -p2 -e 'probe kernel.function("vfs_open") { println($path) }'
prints "a script that a stapsys may run" 'vfs_open'
run --privilege=root -e "$hello"; says "an invalid privilege" '--privilege requires stapusr'
run --privilege -g -e "$hello"; says "privilege and guru mode" 'exclude each other'
# Options that add C of the user are refused with --privilege.
for option in '-D FOO=x' '-B X=y' "-R $SPILE_SRCDIR/runtime"; do
	run --privilege=stapsys $option -p1 -e "$hello"; says "privilege and $option" 'privilege=stapsys'
done
run --privilege -D MAXACTION=3 -p1 -e "$hello"; prints "limits with --privilege" '^probe'
run -D 'FOO=panic("")' -p1 -e "$hello"; says "C text without guru mode" '-D FOO: without guru mode \(-g\)'
run -D 'FOO=-0x1.8' -D 'BAR="a_b"' -p1 -e "$hello"; prints "plain values without guru mode" '^probe'
mkdir own && echo 'function harm() %{ /* unprivileged */ %}' >own/harm.stp
run --privilege -I own -p2 -e 'probe begin { harm() }'
says "C marked unprivileged in the user's tapset" 'C code is not allowed'
run -I own -p2 -e 'probe begin { harm() }'; prints "the same tapset without --privilege" '^harm'
rm own/harm.stp && echo '@define pid %( %{ 1 %} %)' >own/harm.stpm
run --privilege -I own -p2 -e 'probe timer.s(1) { println(@pid) }'
says "macros with C" 'C code is not allowed' 10
run --skip-badvars -p2 -e 'probe kernel.function("vfs_open") { println($none, @defined($none), $path->none) }'
prints "--skip-badvars" 'println\(0, 0, 0\)'
run --semantic-keep-going -p2 -e 'probe begin { println(none(1), 1 . 2) }'
says "--semantic-keep-going: names and types" "no function 'none'" 20
grep -q 'type mismatch' err || fail "--semantic-keep-going goes on" err
run --example -p1 slab-any --cache=dentry; prints "--example" '^probe '
run --example -p1 slab-any.stp --cache=dentry; prints "--example with the ending of its file" '^probe '
run --example -p1 slab-aby; says "an unknown example" "no example is called 'slab-aby'"
grep -q '^hint: did you mean: slab-any' err || fail "an unknown example: hint with near names" err
run --example -p1 zzzzzzzzzz; says "an unknown example without near names" "no example is called 'zzzzzzzzzz'"
grep -q "^hint: run 'stap --list-examples' to list the examples in " err ||
	fail "an unknown example without near names: hint" err

# Options of scripts.
cat >options.stp <<'EOT'
#!/usr/bin/env stap
// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Print rows.
 * Now and then.
 */

// Not for the faint-hearted.

global top = @option_number("top", 10, 1, 100, "how many rows"), depth = 7, path = "/tmp", any
global sort = @option_choice("sort", "size", "size|name", "the order")
global quick = @option_flag("quick", "do not wait")
@define interval %( @option_milliseconds("interval", 500, 10, 5000, "time between rows") %)
probe timer.ms(@interval) {
	any++
	println(top, depth, path, sort, quick, %( $# > 0 %? @1 %: "" %))
}
EOT
run -p1 options.stp --help
cat >expected <<'EOT'
Usage: stap [options] options.stp [OPTIONS OF THE SCRIPT] [ARGUMENTS]

Print rows.
Now and then.

Not for the faint-hearted.

Options of the script, as --NAME=VALUE or --NAME VALUE:
  --top=NUMBER          how many rows (default: 10; 1 to 100)
  --sort=size|name      the order (default: size)
  --quick               do not wait
  --interval=TIME       time between rows (default: 500ms; 10ms to 5s)
  --help                print this help

Globals that can be set with -G NAME=VALUE:
  depth (a number) = 7
  path (a string) = "/tmp"
EOT
compare "SCRIPT --help" "$work/expected" "$work/out"
run --example opens --help
prints "--example NAME --help" '^Usage: stap \[options\] --example opens ' '^Files that are opened, by whom' \
	'^  --comm=TEXT  '
! grep -qE 'title|expect|SPDX' out || fail "--help does not show the tests of an example" out
run -e "$hello" --help; prints "-e SCRIPT --help" '^Usage: stap \[options\] -e SCRIPT ' '^  --help  '
run --help options.stp; prints "--help before the script is stap's" '^Usage: stap \[options\] FILE '
run -p2 options.stp --interval=1s --top 5 word
prints "options and arguments" '^probe timer.ms\(1000\)|^timer.ms\(1000\)' 'println.*"word"'
run -p2 options.stp -- --interval=1s; prints "words after --" '^timer.ms\(500\)' 'println.*"--interval=1s"'
run -p2 -e "$(cat options.stp)" --interval=1s -- --top
prints "options after -e" '^timer.ms\(1000\)' 'println.*"--top"'
run -p2 - --interval 20 <options.stp; prints "options of standard input" '^timer.ms\(20\)'
run -p2 -v options.stp --interval=1s -w; prints "options of stap after those of the script" 'Pass 2: '
run -p2 options.stp --interval=1s --interval=2s; prints "the last of two wins" '^timer.ms\(2000\)'
run -p2 options.stp --interval=1
says "a value below the limit" 'option --interval requires .* from 10ms to 5s, not .1.$'
run -p2 options.stp --interval; says "an option without its value" 'option --interval requires a value'
run -p2 options.stp --sort=time; says "an unknown choice" 'option --sort requires one of: size name, not .time.'
run -p2 options.stp --quick=often; says "a flag with a value" 'option --quick requires yes or no, not .often.'
run -p2 options.stp --intervall=3
says "a misspelled option" 'neither the script nor stap has an option --intervall'
grep -qx 'hint: did you mean: --interval' err || fail "a misspelled option: hint" err
run -p2 options.stp -G top=3 --top=4; says "-G and an option for one global" '--top and -G top=3 exclude each other'
run -p2 -e "$hello" --top=3; says "an option of a script without options" 'unknown option --top=3'
run -p2 --top=3 options.stp; says "an option before the script" 'unknown option --top=3'
"$STAP" --format=json -r $old_kernel -p2 options.stp --top=0 >out 2>err; status=$?
if [ $status -eq 1 ] && jq -e '.level == "error" and (.text | test("option --top"))' out >/dev/null; then
	ok "errors in options as JSON"
else
	fail "errors in options as JSON" out err
fi

run --list-examples
prints "--list-examples" '^memory$' '^  slab-any +Who allocates from a slab' '^  line-trace .*\(needs debug'
run --list-examples Reclaim; prints "--list-examples with a word" '^  reclaim  '
! grep -q slab-any out || fail "--list-examples with a word lists nothing else" out
run --list-examples scheduler; prints "--list-examples with a topic" '^  runq-latency '
run --list-examples xyzzy; says "--list-examples with a word without matches" "no example matches 'xyzzy'"
run --list-examples one two; says "--list-examples with two words" '--list-examples takes at most one word'
run --example -p1 -e "$hello"; says "--example with -e" '--example requires the name'
run -t -p3 -e "$hello"; prints "-t has a table of origins" '"<input>:1:1", "begin"'

# The command line.
run --no-such-option; says "an unknown option" 'ERROR: unknown option --no-such-option'
run -e; says "a missing option argument" 'ERROR: option -e requires an argument'
"$STAP" >out 2>err; says "no script at all" 'ERROR: no script'
run -p9 -e "$hello"; says "an invalid pass" '-p requires a pass from 1 to 5'
run -p4 -m ../evil -e "$hello"; says "a module name with a path" "invalid module name '../evil'"
run -p4 -m hello.ko -e "$hello"; prints "a module name with its ending" '^hello.ko$'
run -p4 -m a23456789_123456789_123456789_123456789_123456789_123456789 -e "$hello"
prints "a module name that is too long" '^WARNING: .*at most 55 characters' \
	'^a23456789_123456789_123456789_123456789_123456789_12345.ko$'
run -x nobody -e "$hello"; says "an invalid process id" 'option -x requires a process ID'
run -D MAXACTON=1 -p3 -e "$hello"; prints "-D with an unknown name defines a macro for C" '^#define MAXACTON 1$'
grep -q 'WARNING: -D MAXACTON .* did you mean the limit MAXACTION?' err && ok "a limit with a slip in its name" ||
	fail "a limit with a slip in its name" err
run -D MAXACTION=10000000000 -p3 -e "$hello"
prints "a limit beyond what is possible" '^WARNING: -D MAXACTION=10000000000 .*; using 2147483647$' \
	'\.max_action = 2147483647,'
run -D STP_OVERLOAD_THRESHOLD=2000000000ULL -p3 -e "$hello"
prints "a limit as C writes numbers" '\.overload_threshold = 2000000000ULL'
run --build-as=no_such_user -p1 -e "$hello"
says "--build-as: no such user" "--build-as: there is no user 'no_such_user'"
run --build-as=root -p1 -e "$hello"; says "--build-as: root itself" "--build-as: 'root' is root itself"
# Only root may read the script. The kernel's files must not be needed, because they are in root's home directory.
echo "$hello" >secret.stp && chmod 600 secret.stp && chmod a+x "$work" "$work"/..
run -p1 secret.stp; prints "a script that only root may read" 'probe begin'
if [ "$(id -u)" -ne 0 ] || setpriv --reuid=nobody --clear-groups test -r "$SPILE_SRCDIR/tapset/ansi.stp"; then
	run --build-as=nobody -p1 secret.stp
	says "--build-as: the user has no rights of root" 'cannot read .*: Permission denied'
	chmod 644 secret.stp
	run --build-as=nobody -p1 secret.stp; prints "--build-as: passes run as another user" 'probe begin'
else
	skip "--build-as" "only root may read this directory"
fi
run --benchmark-sdt -e "$hello"; says "--benchmark-sdt is refused" 'stap contains no benchmark'
run -D MAXUPROBES=100 -p2 -e "$hello"; prints "a limit without effect" '^WARNING: -D MAXUPROBES has no effect' '^begin '
run -D STP_FORCE_STDOUT_TTY -p2 -e "$hello"
prints "a macro of output without effect" '^WARNING: -D STP_FORCE_STDOUT_TTY has no effect'
run -D 'A B' -e "$hello"; says "an invalid definition" "not 'A B'"
run -D MAXNESTING=x -e "$hello"; says "a limit that is not a number" '-D MAXNESTING requires a number'
run -T soon -e "$hello"; says "an invalid time" '-T requires a number of seconds'
run --runtime=bpf -e "$hello"; says "another runtime" '--runtime=bpf is not supported'
run --runtime=kernel -p2 -e "$hello"; prints "--runtime=kernel" '^begin '
run --modinfo=note -e "$hello"; says "--modinfo without a value" '--modinfo requires NAME=VALUE'
refuses_read_fields() {
	local field
	for field in vermagic intree livepatch name import_ns license staging retpoline test version srcversion \
		alias softdep depends signer spile_options; do
		run --modinfo=$field=x -p3 -e "$hello" && echo "$field is accepted" && return 1
		grep -q "^ERROR: --modinfo=$field=x is refused" err || { cat err && return 1; }
	done
}
check "--modinfo refuses fields that the kernel and its tools read" refuses_read_fields
run --modinfo=author=me --modinfo='note=a "b"' -p3 -e "$hello"; prints "--modinfo" '"author=me" "\\0"'
# Limits apply before the script is read. The script is a FIFO, so stap waits for it.
mkfifo script
"$STAP" --rlimit-nproc=12345 --rlimit-cpu=1000 -p1 script >out 2>err & limited=$!
exec 9>script
check "--rlimit-nproc" grep -E '^Max processes +12345 +12345 ' "/proc/$limited/limits"
check "--rlimit-cpu" grep -E '^Max cpu time +1000 +1000 ' "/proc/$limited/limits"
echo "$hello" >&9; exec 9>&-
wait $limited
run --rlimit-cpu=x -e "$hello"; says "a resource limit that is not a number" 'option --rlimit-cpu=x requires a number'
for wish in x 0 1,x 1,json,2 json,1 ,json -1 ''; do
	run --monitor=$wish -e "$hello"; says "--monitor=$wish" "--monitor requires a number .* not '$wish'"
done
run --monitor -F -e "$hello"; says "--monitor and -F" '--monitor and -F exclude each other'
run --monitor -o out --remote=vm: -e "$hello"
says "--monitor -o in a guest" '--monitor with -o and --remote exclude each other'
setarch --uname-2.6 "$STAP" -p4 -e "$hello" >out 2>err
says "a kernel that runs here and is unknown" '^hint: .*or run in a guest, .* --remote=vm:$'
setarch --uname-2.6 "$STAP" -p4 --remote=vm: -e "$hello" >out 2>err
says "a kernel that is unknown in a guest, too" '^hint: install .*, or use one that is here: -r [^ ]*$'
run -S 5 -e "$hello"; says "-S without -o" '-S requires -o'
run -S 5,x -o out -e "$hello"; says "-S without a number" "-S requires a number of megabytes.* not '5,x'"
run -S 5 -o out --remote=vm: -e "$hello"; says "-S in a guest" '-S and --remote exclude each other'
run -F -o out --remote=vm: -e "$hello"; says "-F -o in a guest" '-F with -o and --remote exclude each other'
run -F --remote=vm: -e "$hello"; says "-F in a throwaway guest" '-F leaves the script .* use --remote=unix:'
run -F -c true -e "$hello"; says "-F and -c" '-F without -o and -c exclude each other'
run -F -b -e "$hello"; says "-F and -b" '-F without -o and -b exclude each other'
run -S 5 -b -o out -e "$hello"; says "-S and -b" '-S and -b exclude each other'
# The suite `server` has more tests of compile servers.
run --trust-servers; says "--trust-servers without a server" '--trust-servers requires --use-server=HOST'
run --use-server=h --trust-servers=signer; says "--trust-servers=signer" 'put its certificate into /.*/spile/keys'
run --use-server=h --trust-servers=x; says "--trust-servers=x" "requires a fingerprint .* not 'x'"
run --use-server=a/b -e "$hello"; says "--use-server=a/b" "requires HOST or HOST:PORT, not 'a/b'"
run --use-server-on-error=x -e "$hello"; says "--use-server-on-error=x" "requires yes or no, not 'x'"
run --use-server-on-error --use-server=h -e "$hello"; says "--use-server and --use-server-on-error" 'exclude each other'
run --kernel-build-id=x -e "$hello"; says "--kernel-build-id=x" "requires hexadecimal digits, not 'x'"
for option in --dyninst --bpf; do
	run $option -e "$hello"; says "$option" "^ERROR: $option: scripts run in the kernel"
done
for option in -P -q --save-uprobes --prologue-searching; do
	run $option -p2 -e "$hello"; prints "$option" "^WARNING: $option has no effect: " '^begin '
done
for option in --prologue-searching=never --download-debuginfo=no --all-modules '-a x86_64'; do
	run $option -p2 -e "$hello"; prints "$option" '^begin '
	[ ! -s err ] && ok "$option prints no message" || fail "$option prints no message" err
done
run --prologue-searching=x -e "$hello"; says "--prologue-searching=x" 'requires never, always or auto'
run --download-debuginfo=x -e "$hello"; says "--download-debuginfo=x" 'requires yes, no, ask or a number of seconds'
run -a sparc64 -e "$hello"; says "another architecture" '-a sparc64: the supported architectures are x86_64 and arm64'
mkdir generated
run --tmpdir=generated -p4 -m hello -e "$hello probe end { println(2) }"; prints "--tmpdir" '^hello.ko$'
check "--tmpdir keeps the generated code" test -s generated/script.c
run --tmpdir=/nonexistent -p2 -e "$hello"
says "--tmpdir with a missing directory" '--tmpdir: /nonexistent is not a directory'
if is_part "cli/-B" 8; then
	run -v -B SPILE_NOTHING=y -p4 -m hello -e "$hello"; prints "-B is for make" '^hello.ko$' '^Pass 4: compiled C'
fi
run -B nothing -e "$hello"; says "-B without a value" "-B requires NAME=VALUE, not 'nothing'"
cp -r "$SPILE_SRCDIR/runtime" own-runtime && echo '#error "this is the one"' >>own-runtime/script/script.h
run -R own-runtime -p4 -e "$hello"; says "-R" 'this is the one' 12
run -R /nonexistent -p4 -e "$hello"; says "-R with a missing directory" '/nonexistent'
# chain N: print N functions, each of which calls the next.
chain() {
	awk -v n="$1" 'BEGIN { for (i = 1; i < n; i++) printf("function f%d(x) { return f%d(x) + 1 }\n", i, i + 1)
		printf("function f%d(x) { return x }\nprobe begin { println(f1(1)) exit() }\n", n) }'
}
chain 400 >deep.stp; run -p3 deep.stp; prints "calls 400 deep" 'function_[0-9]+_f400'
chain 20000 >deep.stp; run -p2 deep.stp
says "calls nested too deeply" "the calls that start in function 'f1' are nested more than 500 deep"
run --remote=carrier:pigeon -e "$hello"; says "an unknown remote" 'carrier:pigeon is not supported'
run --remote=libvirt://domain -e "$hello"; says "an unsupported form of remote" 'libvirt://domain is not supported'
for host in -oProxyCommand=touch 'a b' 'web;id' 'me@' '@web' "\$(id)" 'ssh://-v' 'ssh://'; do
	run --remote="$host" -e "$hello"
	says "an invalid host name: '$host'" '(names no host|invalid character in the name)'
done
run --remote=ssh://web:99999 -e "$hello"; says "an invalid port" 'the port is a number from 1 to 65535'
run --remote=direct:there -e "$hello"; says "direct: with a name" 'unexpected text after the colon'
run --remote-prefix -e "$hello"; says "--remote-prefix alone" '--remote-prefix requires --remote'
run -b --remote=web -e "$hello"; says "-b with ssh" '-b is not for hosts behind ssh'
run -b --remote=vm: --remote=vm: -e "$hello"; says "-b with two guests" '-b is for one host'
"$STAP" -p4 -m one --remote=vm:$old_kernel --remote=vm:$new_kernel -e "$hello" >out 2>err
says "two modules with one name" '-p4 and -m one exclude each other for hosts with 2 different kernels'
"$STAP" -p4 --remote=vm:$old_kernel --remote=vm:$new_kernel -e "$hello" >out 2>err
prints "-p4 for the kernels of two remotes" '^For kernel 6\.1\.' '^For kernel 6\.12\.'
check "-p4 for the kernels of two remotes makes two modules" test "$(grep -c '\.ko$' out)" -eq 2
run --remote="unix:$work/nothing" -e "$hello"; says "a remote that is dead" "no guest at .*/nothing"
run -o /nonexistent/out --remote=vm: -e "$hello"
says "an output file that cannot be written" 'cannot write /nonexistent/out'

# A host behind a fake ssh, which prints its arguments and runs the commands on this machine.
mkdir fake
cat >fake/ssh <<-END
	#!/bin/sh
	printf '%s\n' "\$@" >>$work/said
	for last; do :; done
	[ "\$last" = me@web ] || [ "\$last" = ::1 ] || PATH=$work/fake:\$PATH exec sh -c "\$last"
END
printf '#!/bin/sh\n[ "$1" = -m ] && exec /usr/bin/uname -m\necho %s\n' "$release" >fake/uname
cat >fake/staprun <<-'END'
	#!/bin/sh
	[ "$1" = -V ] && echo "staprun (Spile) VERSION" && exit
	printf '<%s>\n' "$@"
	for module; do :; done
	ls -l "${module%/*}"
	exit ${FAKE_STATUS:-0}
END
sed -i "s/VERSION/$("$STAPRUN" -V | sed 's/.* //')/" fake/staprun
chmod +x fake/*
by_fake_ssh() {
	: >said
	PATH=$work/fake:$PATH timeout 900 "$STAP" "$@" >out 2>err
}
strange='it'"'"'s "quoted" $HOME `id` \ !
and more'
by_fake_ssh --remote=ssh://me@web:2022/ -m fake -c "$strange" -w -vv -e "$hello"
prints "a command arrives at a host unchanged" '^<0:ssh://me@web:2022/>$' '^<it.s "quoted" \$HOME `id` \\ !$' \
	'^and more>$' '^<-w>$' '^<-v>$' '^</tmp/stap-[^/]*/fake\.ko>$' '^-rw------- .* fake\.ko$'
check "ssh gets host and port" \
	eval 'grep -qx 2022 said && grep -qx me@web said && ! sed "/spile-facts/q" said | grep -q BatchMode'
# Sessions of other suites have directories beside it.
session=$(grep -om 1 '/tmp/stap-[0-9a-f-]*' said)
check "no directory is left on the host" eval 'test -n "$session" && ! test -e "$session"'
by_fake_ssh --remote='ssh://[::1]' -e "$hello"; prints "a host with a numeric address" '^<0:ssh://\[::1\]>$'
FAKE_STATUS=3 by_fake_ssh --remote=one --remote=two --remote-prefix -e "$hello"
says "hosts where the script fails" '^ERROR: two: the script failed there \(status 3\)'
check "both failing hosts got their remote_id()" eval 'grep -qx "1: <1:two>" out && grep -qx "0: <0:one>" out'
by_fake_ssh --remote=direct: -e "$hello"
says "direct: is this host, with our own staprun" '^ERROR: (the running kernel has build-id|only root can load)'
echo 'exit 1' >fake/staprun
by_fake_ssh -F --remote=web -e "$hello"; says "-F on a host without staprun" 'web: it has no staprun'
printf '#!/bin/sh\necho sparc64\n' >fake/uname
by_fake_ssh --remote=web -e "$hello"
says "a host with another architecture" 'web: its machine is sparc64, and modules are'
printf '#!/bin/sh\necho "Permission denied (publickey)." >&2\nexit 255\n' >fake/ssh
by_fake_ssh --remote=web -e "$hello"; says "a host that refuses the key" 'web: it cannot be reached: Permission denied'
by_fake_ssh --remote=one --remote=two -e "$hello"
says "hosts that refuse the key" 'two: it cannot be reached: Permission denied'

# Information in a module.
said='global limit = 5, who = "a\tb", seen probe vfs.read { if (execname() == who && ++seen > limit) exit() }'
SOURCE_DATE_EPOCH=1700000000 run -p4 -m told -w -D MAXACTION=500 -G limit=7 -e "$said" 'an argument'
modinfo told.ko >out 2>err
prints "modinfo shows the options of a script" '^spile_options: *-D MAXACTION=500 -G limit=7$' \
	"^spile_arguments: *'an argument'\$" "^spile_kernel: *$release\$" '^spile_build_id: *kernel [0-9a-f]{40}$' \
	'^spile_privilege: *stapdev$' '^spile_made: *2023-11-14T22:13:20Z$' '^spile_digest: *sha256 [0-9a-f]{64}$'
"$STAPRUN" -h ./told.ko >out 2>err; prints "staprun -h shows the options and the globals" '^Module told:$' \
	'^  limit \(a number\) = 7$' '^  who \(a string\) = "a\\011b"$' '^  built at  *2023-11-14T22:13:20Z$'
reproducible() {
	cp told.ko before.ko
	SOURCE_DATE_EPOCH=1700000000 run --disable-cache -p4 -m told -w -D MAXACTION=500 -G limit=7 -e "$said" \
		'an argument' && cmp before.ko told.ko
}
check_some 8 "with SOURCE_DATE_EPOCH, modules are reproducible" reproducible
run -p4 -m told -w -D MAXACTION=500 -G limit=7 -e "$said" 'an argument'
"$STAPRUN" -h ./told.ko >out 2>err
prints "without SOURCE_DATE_EPOCH, a cached module has its own build time, too" "^  built at  *$(date -u +%Y-%m-%d)"
head -c 20000 told.ko >damaged.ko
"$STAPRUN" -h ./damaged.ko >out 2>err; says "staprun -h of a damaged file" 'damaged.ko: '
"$STAPRUN" -h nothing-such >out 2>err; says "staprun -h of a missing module" 'cannot find module nothing-such'
"$STAPRUN" -h -c true ./told.ko >out 2>err
check "staprun -h excludes other options" grep -q "it loads nothing" err

# Scripts.
run nowhere.stp; says "a missing file" 'ERROR: cannot read nowhere.stp: No such file'
run .; says "a directory as script" 'ERROR: .*Is a directory'
: >empty.stp; run empty.stp; says "an empty script" 'the script empty.stp is empty'
printf '\177ELF\0\1\2\3\200\377' >binary.stp; run binary.stp; says "binary garbage" 'parse error: .*not a text file'
printf 'probe begin { print("\200\201") }' >latin.stp; run -p1 latin.stp
prints "bytes that are not UTF-8 in a string" 'probe begin'

cut_script() {
	local size i status
	size=$(stat -c %s "$1")
	for ((i = 0; i < size; i++)); do
		head -c $i "$1" >cut.stp
		timeout 900 "$STAP" -r $old_kernel -p2 cut.stp names_cache >/dev/null 2>cut.err
		status=$?
		[ $status -le 1 ] && { [ $status -eq 0 ] || [ -s cut.err ]; } && continue
		echo "cut at byte $i of $1: exit status $status"
		return 1
	done
}
check_some 6 "a script cut at every byte" cut_script "$tests/programs/slab-slub.stp"

# Kernels. Packages are found below --sysroot. Hard links, because symbolic ones would lead out of it.
sysroot() {
	rm -rf root
	mkdir -p root/boot root/lib/modules/"$release" root/usr/lib/debug/boot root/usr/src
}
run_in_root() {
	SPILE_CACHE=$work/no-cache timeout 900 "$STAP" --sysroot="$work/root" -r "$release" "$@" >out 2>err
}
"$STAP" -r 4.4 -e "$hello" >out 2>err
says "a kernel that is not in the cache" 'kernel 4.4 was not found.*' && grep -q 'stap-vm fetch 4.4 (or install' err
"$STAP" -r /nonexistent/tree -e "$hello" >out 2>err; says "a missing build tree" 'cannot open kernel build tree'
sysroot
cp -a "$kernel"/usr/src/. root/usr/src/ && cp -a "$kernel"/usr/lib/linux-kbuild-* root/usr/lib/ &&
	cp -a "$kernel/lib/modules/$release"/{build,source} "root/lib/modules/$release/"
run_in_root -p2 -e 'probe kernel.function("vfs_read") {}'
says "headers without debuginfo" "no debuginfo of kernel $release" && grep -q "linux-image-$release-dbg" err
test="headers without debuginfo are enough for hello world"
if is_part "$test" 12 && ! has_own_compiler $old_kernel "$test"; then
	run_in_root -p4 -m bare -e "$hello"
	prints "$test" '^bare.ko$'
fi
mkdir -p root/opt/real root/usr/bin root/usr/local/bin
echo 'int probed(int x) { return x; } int main(int c, char **v) { return probed(c); }' |
	gcc -xc -g -Wl,--build-id -o root/opt/real/inside - && cp root/opt/real/inside root/opt/real/other &&
	ln -s /opt/real/inside root/usr/bin/inside && ln -s ../../../opt/real/other root/usr/local/bin/inside
objcopy --only-keep-debug root/opt/real/inside symbols && strip root/opt/real/inside
id=$(readelf -n root/opt/real/inside | sed -n 's/.*Build ID: //p')
debug=root/usr/lib/debug/.build-id/${id:0:2}
mkdir -p "$debug" && mv symbols "$debug/${id:2}.debug"
in_root() {
	run_in_root --sysenv=PATH=/usr/bin -l "process(\"$1\").function(\"probed\")"
	prints "$2" '^process\("/opt/real/inside"\)\.function\("probed@.*:1"\)$'
}
in_root inside "a program in the PATH of another machine, with its debug symbols"
in_root /usr/bin/inside "by its path there"
in_root "$work/root/usr/bin/inside" "by its path here"
in_root '%{sysroot}/usr/bin/inside' "by the name of the root"
in_root '/usr/b*/i*' "by a pattern"
run_in_root -l 'process("/bin/sh").function("main")'
says "a program of this machine that the sysroot lacks" 'program /bin/sh not found'
run_in_root -l 'process("/opt/real/insde").function("main")'
says "a near name of a program" 'did you mean: /opt/real/inside'
run_in_root --sysenv=PATH=/opt/real -l 'process("othr").function("main")'
says "a near name in PATH" 'did you mean: other'
run_in_root -l 'process("inside").plt("__cxa_finalise")'
says "a near name of a library call" 'did you mean: __cxa_finalize'
run_in_root --sysenv=PATH=/usr/local/bin -l 'process("inside").function("probed")'
prints "a relative link in a sysroot" '^process\("/opt/real/other"\)'
ln -s ../../../../../../../../opt/real/inside root/usr/bin/up; ln -s round root/usr/bin/round
run_in_root -l 'process("/usr/bin/up").function("probed")'
prints "a link that leads above the sysroot" '^process\("/opt/real/inside"\)'
run_in_root -l 'process("/usr/bin/round").function("f")'
says "a circular link in a sysroot" 'program /usr/bin/round not found'
cp root/opt/real/other here.out
run -l 'process("here.out").function("probed")'
prints "a program in the current directory" "^process\\(\"$work/here.out\"\\)\\.function\\(\"probed@.*:1\"\\)$"
echo 'int probed(int x); int main(int c, char **v) { return probed(c); }' | gcc -xc -g -c -o main.o - &&
	echo 'int probed(int x) { return x; }' | gcc -xc -c -o probed.o - && gcc -o partly main.o probed.o
run -p2 -e 'probe process("./partly").function("probed") { println($$parms, $$vars) }
	probe process("./partly").function("probed").return { println($$return$) }'
prints "variables of a function known only by its symbol" 'println\("", ""\)' 'println\(""\)' \
	"^WARNING: '..parms' is empty: .*/partly has no debuginfo of function 'probed', only its symbol"
run --sysenv=A=B -e "$hello"; says "--sysenv of an unused variable" '--sysenv=A=B: only PATH=. and LD_LIBRARY_PATH=.*'
sysroot
cp "$kernel/usr/lib/debug/boot/vmlinux-$release" root/usr/lib/debug/boot/
run_in_root -p4 -e "$hello"; says "debuginfo without headers" "headers of kernel $release are not installed"
truncate -s 50000000 "root/usr/lib/debug/boot/vmlinux-$release"
run_in_root -p2 -e 'probe kernel.function("vfs_read") {}'; says "a truncated vmlinux" 'the file is truncated'
cp /bin/true "root/usr/lib/debug/boot/vmlinux-$release"
run_in_root -p2 -e 'probe kernel.function("vfs_read") {}'; says "a foreign vmlinux" 'it has no symbols'
echo text >"root/usr/lib/debug/boot/vmlinux-$release"
run_in_root -p2 -e 'probe kernel.function("vfs_read") {}'; says "a vmlinux that is text" 'not an ELF file'
rm -rf root

# Addresses of a running process.
tail -f /dev/null &
tail_pid=$!
until begin=$(awk '/r-xp.*\/tail$/ { split($1, part, "-"); print part[1]; exit }' /proc/$tail_pid/maps) &&
	[ "$begin" ]; do
	nap 0.1
done
at=$(awk '/r-xp.*\/libc.so.6$/ { split($1, part, "-"); print part[1], $3; exit }' /proc/$tail_pid/maps)
libc=$(awk '/\/libc.so.6$/ { print $6; exit }' /proc/$tail_pid/maps)
getppid=$(nm -D "$libc" | awk '$3 ~ /^getppid/ { print $1; exit }')
getppid=$(printf '0x%x' $((0x${at% *} + 0x$getppid - 0x${at#* })))
absolute() {
	run "${@:2}" -p2 -e "probe process($tail_pid).statement($1).absolute { println(pp()) }"
}
absolute "$getppid"
prints "an address of a process" "^process.$tail_pid..statement.$getppid..absolute "
absolute $((getppid + 1))
says "an address in the middle of an instruction" 'the address is inside an instruction'
absolute "0x$begin"
says "an address at which no function is known" 'the address is in no known function'
absolute "0x$begin" -g
prints "an address at which no function is known, in guru mode" "^process.$tail_pid..statement.0x$begin..absolute "
absolute 0x10
says "an address that a process does not map" 'maps no file at address 0x10'
kill $tail_pid

# Pass 4.
run -g -p4 -e 'function f:long() %{ this is not C %} probe begin { println(f()) }'
says "kbuild fails" 'kbuild failed in /' 30
grep -q "<input>:1:.*error: unknown type name .this" err
prints "the compiler's error is shown at its place in the script" 'use -k to keep the directory'
mkdir empty
if ! has_own_compiler $old_kernel "no make"; then
	(PATH=$work/empty; "$STAP" -r $old_kernel -p4 -e "$hello" >out 2>err)
	says "no make" "'make' is not installed"
fi
TMPDIR=/nonexistent timeout 900 "$STAP" -r $old_kernel -p4 -e "$hello" >out 2>err
says "no temporary directory" 'cannot use /nonexistent for temporary files: it is not a directory'
TMPDIR=/nonexistent timeout 900 "$STAP" -r $old_kernel -l 'begin' >out 2>err
says "no temporary directory, which is not needed yet" 'cannot use /nonexistent for temporary files'
run -D '' -e "$hello"; says "-D with nothing" "-D requires NAME or NAME=VALUE .* not ''"
for text in '' : :/tmp/x; do
	run --remote=vm: --file "$text" -e "$hello"; says "--file with '$text'" "--file requires .* not '$text'"
done
run --monitor -l begin
says "--monitor of a list" '--monitor requires a script that runs'
interrupt() {
	timeout -s "$1" 0.5 "$STAP" -r $old_kernel -p4 -e "$hello" >out 2>err
	[ -z "$(ls "$TMPDIR")" ]
}
check "nothing is left after SIGINT in pass 4" interrupt INT
check "nothing is left after SIGTERM in pass 4" interrupt TERM

# Output that cannot be written.
# Each program of ours that prints: output that cannot be written is an error, and closed streams do no harm.
programs_to_full_disk() {
	local command stream
	for command in "$STAP --version" "$STAP_VM list" "$STAP_VM --help" "$SPILE_BUILDDIR/stap-merge -h" \
		"$SPILE_BUILDDIR/stap-server --help" "$SPILE_BUILDDIR/staplog -h" "$STAPRUN -h $PWD/hello.ko"; do
		[ -x "${command%% *}" ] || continue
		for stream in '>/dev/full' '>&-'; do
			! eval "$command $stream" 2>err && grep -q '^ERROR: cannot write the output: ' err ||
				{ echo "$command $stream"; cat err; return 1; }
		done
		for stream in '<&-' '2>&-' '<&- 2>&-'; do
			[ -n "$(eval "$command $stream")" ] || { echo "$command $stream: no output"; return 1; }
		done
	done
}
check "programs whose output cannot be written, or whose streams are closed" programs_to_full_disk
timeout 900 "$STAP" -r $old_kernel -p3 -e "$hello" 2>err >/dev/full
says "output to a full disk" 'cannot write the output: No space left'
{ timeout 900 "$STAP" -r $old_kernel -l 'kernel.function("*")' 2>err; echo $? >status; } | head -n 1 >/dev/null
expect_unwanted() {
	cat err
	[ "$(cat status)" = 141 ] && [ ! -s err ]
}
check "a closed output: no message, and the status of SIGPIPE" expect_unwanted

# Names of files and arguments may contain anything, but messages about them cannot control the terminal.
control_names() {
	local name=$'gone\033[31m\302\233x' command
	printf 'probe {' >"$name.stp"
	printf '}' >"$name.d"
	for command in "$STAP" "$STAP $name.stp -p1 -e" "$STAP -p1" "$STAP -r" "$STAP -l" "$STAP -p2 -I . -e" \
		"$STAP_VM path" "$STAPRUN" "$SPILE_BUILDDIR/stap-merge" "$SPILE_BUILDDIR/stap-report" \
		"$SPILE_BUILDDIR/stap-profile-annotate -c true -s" "$(dirname "$STAP")/spile-dtrace -s" \
		"$(dirname "$STAP")/spile-dtrace -e -n" "$(dirname "$STAP")/spile-dtrace -e -s $name.d -x"; do
		! $command "$name" >out 2>err && grep -q . err && ! LC_ALL=C grep -q $'\033\|\302\233' out err ||
			{ echo "$command"; cat -v out err; return 1; }
	done
	! "$STAP" -p1 "$name.stp" 2>err && grep -q 'at: gone.*\.stp:1:7' err && ! grep -q $'\033' err &&
		! "$(dirname "$STAP")/spile-dtrace" -e -s "$name.d" 2>err && grep -q 'gone.*d: line' err &&
		! grep -q $'\033' err || { cat -v err; return 1; }
}
check "names in messages do not control the terminal" control_names

# Hints suggest stap-vm fetch only for kernels that Debian may provide.
fetch_hints() {
	local name
	for name in 5.15.0-91-generic 6.1.55 6.9.7-200.fc40.x86_64 5.15.90.1-microsoft-standard-WSL2 6.1.0-mine; do
		! "$STAP" -r $name -p2 -e "$hello" 2>err && grep -q '^hint: ' err && ! grep -q 'fetch' err &&
			! "$STAP_VM" run -r $name -- true 2>err && ! grep -q "fetch $name" err ||
			{ cat err; return 1; }
	done
	for name in 9.9 9.9-rt 9.9.0-1-cloud-amd64 9.9.9+deb99-amd64; do
		! "$STAP" -r $name -p2 -e "$hello" 2>err && grep -q "stap-vm fetch $name" err &&
			! "$STAP_VM" run -r $name -- true 2>err && grep -q "stap-vm fetch $name" err ||
			{ cat err; return 1; }
	done
}
check "the hint to fetch a kernel" fetch_hints
# rpm_hint RELEASE PACKAGE PACKAGE: are the RPMs named that have the files to build with, and the debug symbols?
rpm_hint() {
	refuses "^hint: run: dnf install $2 && dnf debuginfo-install $3\$" "$STAP" -r "$1" -p2 -e "$hello"
}
check "the hint to install RPMs" rpm_hint 9.9.7-200.fc40.x86_64 kernel-devel-9.9.7-200.fc40.x86_64 \
	kernel-9.9.7-200.fc40.x86_64
check "the hint to install Ubuntu's packages" refuses \
	'^hint: install linux-headers-5.15.0-91-generic, and linux-image-5.15.0-91-generic-dbgsym from http://ddebs' \
	"$STAP" -r 5.15.0-91-generic -p2 -e "$hello"
check "the hint to install RPMs of a flavor" rpm_hint 9.9.0-553.el9_4.aarch64+rt-debug \
	kernel-rt-debug-devel-9.9.0-553.el9_4.aarch64 kernel-rt-debug-9.9.0-553.el9_4.aarch64
# A directory for temporary files whose name make or a shell would interpret.
odd_temporary_directories() {
	local character
	for character in ' ' : '#' '$' "'" '"' '\' % ';' '(' '*' '&' '=' , $'\t' $'\n'; do
		mkdir "odd${character}x" && rm -f odd.ko || return
		TMPDIR="$PWD/odd${character}x" "$STAP" -r $old_kernel -p4 -m odd -e "probe begin { println($$) }" \
			>out 2>err && [ -e odd.ko ] && grep -q '^WARNING: TMPDIR=.* is ignored' err &&
			[ -z "$(ls -A "odd${character}x")" ] || { echo "'$character'"; cat err; return 1; }
	done
	! "$STAP" --tmpdir "odd x" -p4 -e "$hello" 2>err && grep -q "cannot build in odd x, because of the ' '" err
}
check "temporary directories that make cannot handle" odd_temporary_directories
# A full disk. Only root can mount a small one.
small_disk() {
	mkdir -p small && mount -t tmpfs -o size=64k none small 2>/dev/null
}
if small_disk; then
	TMPDIR=$work/small timeout 900 "$STAP" -r $old_kernel -p4 -e "$hello" >out 2>err
	says "a full disk for temporary files" 'No space left on device' 30
	umount small
else
	skip "a full disk for temporary files" "this user may not mount a tmpfs"
fi

# A directory of another user, and a host that lies about its kernel. Both lead to a build tree whose makefile reports
# that it was run.
write_trap() {
	mkdir -p "$1/include/config" "$1/scripts" && touch "$1/.config" &&
		echo 6.6.6-trap >"$1/include/config/kernel.release" &&
		printf '%%:\n\t@touch %s\n$(shell touch %s)\n' "$work/trapped" "$work/trapped" >"$1/Makefile"
}
not_trapped() {
	cat err
	[ ! -e trapped ] && [ -z "$(ls "$TMPDIR")" ]
}

# as_root VARIABLE=VALUE...: run stap for the trap's kernel with these variables, without those of the suite.
as_root() {
	env -u SPILE_CACHE -u XDG_CACHE_HOME -u SYSTEMTAP_DIR "$@" \
		timeout 900 "$STAP" ${trap_release:+-r $trap_release} -p4 -e "$hello" >out 2>err
}
# refuses NAME VARIABLE=VALUE...: check that the last one is reported and ignored.
refuses() {
	local name=$1 last
	shift
	for last; do :; done
	as_root "$@"
	if grep -qF "WARNING: root does not use $last: others can change $theirs" err && grep -q '^hint: ' err &&
		not_trapped >/dev/null; then
		ok "root does not use $name"
	else
		fail "root does not use $name" out err
	fi
}
theirs=/tmp/spile-theirs-$$
somebody=65534
if [ "$(id -u)" -eq 0 ] && mkdir "$theirs"; then
	write_trap "$theirs/.cache/spile/kernels/6.6.6-trap" && write_trap "$theirs/kernels/6.6.6-trap" &&
		mkdir "$theirs/.systemtap" "$theirs/tmp" && echo "--bogus" >"$theirs/.systemtap/rc" &&
		ln -s "$theirs" link && chown -Rh $somebody "$theirs"
	trap_release=6.6.6-trap
	refuses "another user's HOME" HOME="$theirs"
	refuses "XDG_CACHE_HOME of another user" XDG_CACHE_HOME="$theirs/.cache"
	refuses "SPILE_CACHE of another user" SPILE_CACHE="$theirs"
	refuses "a link to a directory of another user" SPILE_CACHE="$work/link"
	refuses "a directory that others can make first" SPILE_CONFIG="$theirs/absent"
	trap_release=
	refuses "SYSTEMTAP_RELEASE as a path" SYSTEMTAP_RELEASE="$theirs/kernels/6.6.6-trap"
	refuses "SYSTEMTAP_DIR" SYSTEMTAP_DIR="$theirs/.systemtap"
	refuses "TMPDIR" TMPDIR="$theirs/tmp"
	refuses "SYSTEMTAP_TAPSET" SYSTEMTAP_TAPSET="$theirs"
	refuses "SPILE_DATADIR" SPILE_DATADIR="$theirs"
	# The trap works: the same kernel in a directory of root's is used.
	mkdir -p ours/kernels && cp -r "$theirs/kernels/6.6.6-trap" ours/kernels/ && chown -R 0 ours
	trap_release=6.6.6-trap as_root SPILE_CACHE="$work/ours"
	check "a build tree in root's own cache is used" test -e trapped
	rm -f trapped
	chown $somebody ours/kernels/6.6.6-trap
	trap_release=6.6.6-trap as_root SPILE_CACHE="$work/ours"
	check "a kernel of another user in root's cache is reported" \
		grep -q "root does not use $work/ours/kernels/6.6.6-trap" err
	check "a kernel of another user in root's cache is not used" not_trapped
	env -u SPILE_CACHE HOME="$theirs" "$STAP_VM" list >out 2>err
	check "stap-vm does not list kernels of another user" eval '! grep 6.6.6-trap out && grep -q "HOME=$theirs" err'
	chown -R 0 "$theirs" && rm -rf "$theirs" ours link
else
	skip "root in another user's home" "only root can give files to others"
fi

# A fake ssh that runs its commands on this machine, with a uname that lies.
mkdir -p lies && cat >lies/ssh <<'END'
#!/bin/sh
for last; do :; done
[ "$last" != exit ] || exit 0
[ ! -e "${0%/*}/reply" ] || . "${0%/*}/reply"
PATH=${0%/*}/host:$PATH exec sh -c "$last"
END
mkdir -p lies/host && cat >lies/host/uname <<END
#!/bin/sh
[ "\$1" = -r ] && exec cat "$work/claim"
[ "\$1" = -m ] && [ -e "$work/machine" ] && exec cat "$work/machine"
exec /bin/uname "\$@"
END
chmod +x lies/ssh lies/host/uname
write_trap trap
claims() {
	printf -- "$2" >claim
	PATH=$work/lies:$PATH timeout 900 "$STAP" --remote=ssh://host -e "$hello" >out 2>err
	status=$?
	if [ $status -eq 1 ] && grep -qE "$3" err && ! grep -q $'\033' err && not_trapped >/dev/null; then
		ok "a host whose kernel is $1"
	else
		{ echo "exit status $status"; cat out err; } | fail "a host whose kernel is $1"
	fi
}
claims "a path" "$work/trap\n" "ERROR: ssh://host: the release of its kernel is not valid: '$work/trap"
claims "a path upwards" '../../x\n' "the release of its kernel is not valid: '../../x'"
claims "the directory above" '..\n' "not valid: '..'"
claims "an option" '-v\n' "not valid: '-v'"
claims "a sequence for the terminal" '6.1\033[2Jx\n' "not valid: '6.1.*x'"
claims "too long" "$(printf 'a%.0s' {1..100})\n" "not valid: 'a{64}"
claims "nothing" '\n' 'it does not report its kernel'
claims "not here" '6.6.6-none\n' '6.6.6-none'
for stream in 1 2; do
	echo "exec yes >&$stream" >lies/reply
	claims "an answer without an end on descriptor $stream" '6.1\n' "'ssh' printed more than 1048576 bytes"
done
printf '%s\n' "printf '\\033[2Jno\\r\\n' >&2; exit 255" >lies/reply
claims "a message that controls the terminal" '6.1\n' 'it cannot be reached: \?\[2Jno'
rm lies/reply
printf 'x86_64/../x\n' >machine
claims "for an odd machine" '6.1\n' 'is not the name of a machine'
