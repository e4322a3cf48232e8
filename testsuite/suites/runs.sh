# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap --format=json of scripts that run: every line fits the schema, the text in it is what the script prints without
# the option, and the globals are what the script itself reads. json.sh is about the lines of the translator.

. "$(dirname "$0")/../lib.sh"
. "$SPILE_SRCDIR/testsuite/json.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
command -v jq >/dev/null || { echo "install jq" | fail "jq is installed"; exit 0; }
release=${SPILE_TEST_KERNELS:-$old_kernel}
cd "$work" || exit 1
start_guest "$release" || exit 0
cleanup() { stop_guest "$release"; }

# run NAME STATUS [OPTION...]: run a script with --format=json into NAME.json; check its status and its lines.
run() {
	local name=$1 expected=$2 status
	shift 2
	"$STAP" $no_overload --remote="unix:$work/$release" -r "$release" --format=json "$@" >"$name.json" 2>"$name.err"
	status=$?
	if [ $status -eq "$expected" ] && [ ! -s "$name.err" ]; then
		lines "$name" "$name.json"
		return
	fi
	{ cat "$name.err"; cut -c1-2000 "$name.json"; echo "status $status"; } | fail "$name: runs"
	return 1
}

# said NAME FILTER TEXT: does jq print this text for the lines of a run?
said() {
	local got
	got=$(jq -rj "$2" "$1.json" && echo .) && [ "$got" = "$3." ] && return
	printf '%s\n' "expected: $3" "got: $got"
	return 1
}

# ---- all kinds of globals --------------------------------------------------------------------------------------------

cat >globals.stp <<'EOF'
global count = -5, text = "a\"b\n\x1b", most = 9223372036854775807, least = -9223372036854775807
/* unit: ns */ global plain
global log /* show: histogram */, linear, empty, variance
global numbers, strings, statistics, wide, gone, many[3000], raw%[4], bytes
probe begin {
	println("begin")
	least--
	for (i = -3; i < 4; i++) { plain <<< i * 1000; log <<< i * 1000; linear <<< i * 1000; variance <<< i }
	log <<< 9223372036854775807; log <<< -9223372036854775807 - 1; log <<< 0
	numbers[1] = 2; numbers[-1] = 0; strings["k", 7] = "v"; strings["", 0] = ""
	statistics["x"] <<< 4; statistics["x"] <<< 8; statistics["y"] <<< -1
	wide[1, "a", 2, "b", 3] = 4
	gone[1] = 1; gone[2] = 2; delete gone[1]; gone[3] = 3; delete gone; gone[4] = 4
	for (i = 0; i < 2500; i++) many[i, sprintf("%d", i)] = i * i
	for (i = 0; i < 9; i++) raw[i] = i
	bytes["\xff"] = "\xfe\x01"
	exit()
}
probe end {
	printf("%d %d %d %s", count, most, least, text)
	printf(" %d %d %d %d %d", @count(plain), @sum(plain), @min(plain), @max(plain), @avg(plain))
	printf(" %d %d", @count(log), @count(linear))
	printf(" %d\n", @variance(variance))
	if (@count(empty)) println("not empty")
	if (!count) { println(@hist_log(log)); println(@hist_linear(linear, -2000, 2000, 1000)) }
	foreach (n in numbers+) printf("%d=%d,", n, numbers[n])
	foreach ([a, b] in strings+) printf("%s,%d=%s,", a, b, strings[a, b])
	foreach (s+ in statistics) printf("%s=%d %d,", s, @count(statistics[s]), @avg(statistics[s]))
	foreach ([k, l, m, o, p] in wide) printf("%d %s %d %s %d=%d,", k, l, m, o, p, wide[k, l, m, o, p])
	foreach (n in gone) printf("%d=%d,", n, gone[n])
	foreach ([n, s] in many+) sum += n * many[n, s] + strlen(s)
	foreach (n in raw+) printf("%d=%d,", n, raw[n])
	foreach (s in bytes) { t = strlen(s); u = strlen(bytes[s]) }
	printf("%d %d %d\n", sum, t, u)
}
EOF
if run globals 0 globals.stp; then
	final='select(.type == "global" and .final)'
	# The script's own lines, made again from the globals.
	jq -nrj '[inputs | select(.type == "global" and .final) | {key: .name, value: .}] | from_entries as $g |
		def value($n): $g[$n].elements[0][1];
		def sorted($n): $g[$n].elements | sort;
		"begin\n", value("count"), " ", value("most"), " ", value("least"), " ", value("text"),
		(value("plain") | " \(.count) \(.sum) \(.min) \(.max) \(.avg)"),
		" ", value("log").count, " ", value("linear").count, " ", value("variance").variance, "\n",
		(sorted("numbers")[] | "\(.[0][0])=\(.[1]),"),
		(sorted("strings")[] | "\(.[0][0]),\(.[0][1])=\(.[1]),"),
		($g.statistics.elements | sort_by(.[0]) | .[] | "\(.[0][0])=\(.[1].count) \(.[1].avg),"),
		(sorted("wide")[] | "\(.[0] | map(tostring) | join(" "))=\(.[1]),"),
		(sorted("gone")[], sorted("raw")[] | "\(.[0][0])=\(.[1]),"),
		(sorted("many") | map(.[0][0] * .[1] + (.[0][1] | length)) | add), " ",
		($g.bytes.elements[0] | (.[0][0].base64, .[1].base64 | @base64d | length | tostring + " "))' \
		globals.json >globals.again
	jq -rj 'select(.type == "output") | .text' globals.json >globals.text
	# Large integers are floating-point numbers in jq; bytes that are not UTF-8 have no length in it.
	check "globals: what the script prints" diff -u \
		<(sed -E 's/ -9223372036854775808/ LEAST/; s/9223372036854775807/MOST/
			/^-[0-9]+=/s/ [0-9]+ [0-9]+$//' globals.text) \
		<(sed -E 's/ -922337203685477[0-9]{4}/ LEAST/; s/922337203685477[0-9]{4}/MOST/
			/^-[0-9]+=/s/ [0-9]+ [0-9]+ $//' globals.again; echo)
	check "globals: integers of 64 bits" \
		grep -q '"name":"most".*"elements":\[\[\[\],9223372036854775807\]\]' globals.json
	check "globals: the least integer" grep -q '"name":"least".*\[\[\[\],-9223372036854775808\]\]' globals.json
	check "globals: bytes that are not UTF-8" said globals \
		"$final | select(.name == \"bytes\") | .elements | tostring" \
		'[[[{"base64":"/w=="}],{"base64":"/gE="}]]'
	check "globals: an empty statistic" said globals \
		"$final | select(.name == \"empty\") | .elements | tostring" '[[[],{"count":0,"sum":0}]]'
	near='if . == null or (. < 5000 and . > -5000) then . else "far" end'
	buckets="$final | select(.name == \"log\") | .elements[0][1].histogram | .kind, (.buckets[] | select(.[2] > 0) |
		map($near)) | tostring + \"\n\""
	check "globals: buckets of @hist_log" said globals "$buckets" 'log
[null,"far",1]
[-4095,-2047,1]
[-2047,-1023,1]
[-1023,-511,1]
[0,1,2]
[512,1024,1]
[1024,2048,1]
[2048,4096,1]
["far",null,1]
'
	check "globals: buckets of @hist_linear" said globals \
		"$final | select(.name == \"linear\") | .elements[0][1].histogram | .kind, .buckets[] |
			tostring + \"\n\"" \
		'linear
[null,-2000,1]
[-2000,-1000,1]
[-1000,0,1]
[0,1000,1]
[1000,2000,1]
[2000,3000,1]
[3000,null,1]
'
	check "globals: units and pictures" said globals \
		"$final | select(.unit or .show) | [.name, .unit, .show] | tostring" \
		'["plain","ns",null]["log",null,"histogram"]'
	check "globals: names of keys" said globals \
		"$final | select(.key_names) | \"\(.name) \(.key_names | join(\",\")) \"" \
		"numbers n strings a,b statistics s wide k,l,m,o,p gone n many i,s raw i bytes s "
	check "globals: only those of the script" said globals "select(.type == \"snapshot\") | input_line_number" 23
	check "globals: the lines around" said globals 'select(.type != "global") | .type + " "' \
		"message script start output output snapshot end "
	check "globals: the script line" diff globals.stp <(jq -rj 'select(.type == "script") | .text' globals.json)
	check "globals: the remote host" said globals \
		'select(.type == "start" or .type == "end") | .remote | tostring' \
		"{\"number\":0,\"uri\":\"unix:$work/$release\"}0"
fi

# ---- stacks ----------------------------------------------------------------------------------------------------------

cat >stacks.stp <<'EOF'
global addresses, symbols, both, lines, users
probe kernel.function("do_sys_openat2") {
	addresses[backtrace(), pid()]++
	symbols[sprint_backtrace()] <<< 1
	both[execname(), backtrace() . " " . ubacktrace()]++
	lines[sprint_syms(callers(2)) . sprint_ubacktrace()]++
	users[ubacktrace()] = "x"
}
probe end { if (0) printf("%d", @count(symbols[""])) }
EOF
names='[.. | objects | select(.kind) | "\(.kind):\(.name // "?")"]'
has_frames() { # GLOBAL FRAME...: is there an element with these frames, in this order?
	local name=$1
	shift
	jq -ne --arg name "$name" '[inputs | select(.type == "global" and .final and .name == $name) |
		.elements[][0] | '"$names"' | join(" ")] | any(.[]; test($ARGS.positional | join(".*")))' \
		--args "$@" <stacks.json >/dev/null && return
	jq -c "select(.type == \"global\" and .name == \"$name\") | .elements[][0] | $names" stacks.json
	return 1
}
if run stacks 0 -c "/bin/sh -c 'read x </proc/version'" stacks.stp; then
	check "stacks: addresses of the kernel" has_frames addresses kernel:do_sys_openat2 kernel:do_syscall_64
	check "stacks: symbols of the kernel" has_frames symbols kernel:do_sys_openat2 kernel:do_syscall_64
	check "stacks: the kernel, then the program" has_frames both kernel:do_sys_openat2 library:.* program:
	check "stacks: lines of both" has_frames lines kernel:do_sys_openat2 "library:"
	check "stacks: addresses of programs" has_frames users library: program:
	check "stacks: types of keys" said stacks 'select(.type == "global") | "\(.name) \(.keys | join(",")) "' \
		"addresses stack,number symbols stack both string,stack lines stack users stack "
	check "stacks: what the keys are" said stacks \
		'select(.type == "global") | .stacks[] | "\(.key) \(.kind) \(.form),"' \
		"0 kernel addresses,0 kernel symbols,1 both addresses,0 both symbols,0 user addresses,"
	check "stacks: what the innermost frame of the kernel is" said stacks \
		'select(.type == "global") | .stacks[] | .innermost // "-"' \
		"instructioninstructioninstructioninstruction-"
fi

# ---- inlined functions, files and lines ------------------------------------------------------------------------------

cat >inlines.c <<'EOF'
#include <fcntl.h>
#include <unistd.h>
int build = BUILD;
static inline __attribute__((always_inline)) int helper(const char *path)
{
	int fd = open(path, O_RDONLY);
	return close(fd);
}
__attribute__((noinline)) int work(const char *path)
{
	return helper(path) + 1;
}
int main(int argc, char **argv)
{
	return work("/proc/version") - argc;
}
EOF
for build in 1:inlines 2:differs 3:differs.guest; do
	gcc -g -O2 -Wl,--build-id -DBUILD="${build%:*}" -o "${build#*:}" inlines.c ||
		echo gcc | fail "inlines: the programs are compiled"
done
cat >inlines.stp <<'EOF'
global kernel, texts, user, named, traced, anywhere
probe kernel.function("do_sys_openat2") {
	if (execname() == "inlines" || execname() == "differs") {
		kernel[backtrace()]++
		texts[sprint_backtrace()]++
		user[execname(), ubacktrace()]++
		named[execname(), sprint_ubacktrace()]++
	}
}
probe kernel.trace("sched_process_exit") { if (execname() == "inlines") traced[sprint_stack(backtrace())]++ }
function stack() { return backtrace() }
probe kernel.function("do_exit"), kernel.trace("sched_process_exec") { anywhere[stack()] = 1 }
EOF
# In the guest, another file is at the path of the program "differs".
printf '%s\n' "$work/inlines; $work/differs" >both.sh
"$STAP_VM" exec --socket "$work/$release" --file "$work/differs.guest:$work/differs" --file "$work/inlines" \
	--file "$work/both.sh:/tmp/both.sh" -- chmod 755 "$work/differs" "$work/inlines" ||
	echo "stap-vm exec" | fail "inlines: the programs are in the guest"
# in_stack GLOBAL FILTER FRAMES: are these frames in a stack? Each is [>]NAME[@FILE], with ">" if it is inlined and with
# the file if it has a place.
places='map((if .inlined then ">" else "" end) + (.name // "?") +
	(if .file and .line > 0 then "@" + (.file | split("/") | last) else "" end)) | join(" ")'
in_stack() {
	jq -ne --arg name "$1" "[inputs | select(.type == \"global\" and .final and .name == \$name) | .elements[] |
		$2 | $places] | any(.[]; contains(\$ARGS.positional[0]))" --args "$3" <inlines.json >/dev/null && return
	jq -c "select(.type == \"global\" and .name == \"$1\") | .elements[] | $2 | $places" inlines.json
	return 1
}
# With -d, the first stack is complete, however late the tables of other programs come.
if run inlines 0 -d "$work/inlines" --ldd -c "/bin/sh -c '. /tmp/both.sh'" inlines.stp; then
	case $release in
	5.*) outer=">__se_sys_openat@open.c __x64_sys_openat@open.c do_syscall_64@common.c" ;;
	6.*) outer=">do_syscall_x64@common.c do_syscall_64@common.c" ;;
	*) outer=">do_syscall_x64@syscall_64.c do_syscall_64@syscall_64.c" ;;
	esac
	outer+=" entry_SYSCALL_64_after_hwframe@entry_64.S"
	check "inlines: of the kernel, by address" in_stack kernel '.[0][0]' "$outer"
	check "inlines: of the kernel, in texts" in_stack texts '.[0][0]' "$outer"
	check "inlines: the probed function has its line" in_stack kernel '.[0][0]' "do_sys_openat2@open.c"
	check "inlines: the innermost frame at a tracepoint" in_stack traced '.[0][0]' "do_exit@exit.c"
	check "inlines: what the innermost frames are" said inlines 'select(.type == "global") |
		"\(.name):\(.stacks[].innermost // "?") "' \
		"kernel:instruction texts:instruction user:? named:? traced:call anywhere:? "
	check "inlines: of a program" in_stack user 'select(.[0][0] == "inlines")[0][1]' \
		">helper@inlines.c work@inlines.c main@inlines.c"
	check "inlines: of a program, in texts" in_stack named 'select(.[0][0] == "inlines")[0][1]' \
		">helper@inlines.c work@inlines.c main@inlines.c"
	check "inlines: the lines are those of the calls" said inlines 'select(.name == "user") | [.elements[][0] |
		select(.[0] == "inlines")[1][] | select((.file // "") | endswith("/inlines.c")) | .line] | unique |
		tostring' "[6,11,15]"
	check "inlines: another build of the program on this machine is not used" in_stack user \
		'select(.[0][0] == "differs")[0][1]' "@open64.c work"
	check "inlines: the build-id is that of the file in the guest" said inlines 'select(.name == "user") |
		[.elements[][0] | select(.[0] == "differs")[1][] | select(.name == "work") | .build_id] | unique |
		join(" ")' \
		"$(readelf -n differs.guest | sed -n 's/.*Build ID: //p')"
fi

# ---- snapshots while the script runs ---------------------------------------------------------------------------------

cat >busy.stp <<'EOF'
global ticks, fed, locked, changing
probe timer.ms(10) {
	ticks++
	fed[ticks % 50] <<< ticks
	locked[ticks % 50] = ticks
	changing[ticks] = ticks; delete changing[ticks - 20]
	if (ticks == 350) exit()
}
probe end { if (0) println(@count(fed[0])) }
EOF
if run busy 0 --format=json,1 busy.stp; then
	check "busy: several snapshots, the last one final" jq -es '[.[] | select(.type == "snapshot") | .final] |
		length >= 2 and .[-1] and (.[:-1] | any | not)' busy.json
	check "busy: each snapshot has all globals" jq -es '[.[] | select(.type == "global") | .snapshot] |
		group_by(.) | all(.[]; length == 4)' busy.json
	check "busy: no key is there twice" jq -es '[.[] | select(.type == "global") | .elements | map(.[0])] |
		all(.[]; length == (unique | length))' busy.json
	check "busy: final values" said busy 'select(.type == "global" and .final) | select(.name != "changing") |
		if .name == "ticks" then .elements[0][1] elif .name == "fed" then (.elements | map(.[1].sum) | add) else
		(.elements | map(.[1]) | add) end | tostring + " "' "350 61425 16275 "
	check "busy: values agree within a snapshot" jq -es '[.[] | select(.type == "global" and .name == "changing")] |
		all(.[]; .elements | all(.[]; .[0][0] == .[1]))' busy.json
fi

# ---- messages and ends -----------------------------------------------------------------------------------------------

cat >errors.stp <<'EOF'
global n, reads
probe begin {
	warn("careful\twith \"")
	printf("no newline")
	n = 1 / n
}
probe end { reads["a"] = 1; println("end") }
probe error { println("error") }
EOF
printf 'warning: careful\twith "\n' >errors.messages
cat >>errors.messages <<'EOF'
error: division by 0 near operator '1 / n' at errors.stp:5:8, in probe begin errors.stp 5 8
warning: Number of errors: 1, skipped probes: 0
EOF
if run errors 1 errors.stp; then
	check "errors: the text" said errors 'select(.type == "output") | .text' $'no newlineerror\n'
	check "errors: the messages" said errors 'select(.type == "message") | "\(.level): \(.text)" +
		(.place | if . then " \(.file) \(.line) \(.column)" else "" end) + "\n"' \
		"$(cat errors.messages)"$'\n'
	check "errors: the end" said errors 'select(.type == "end") | [.status, .errors, .lost] | tostring' "[1,1,0]"
fi
if run limit 1 -e 'global a probe begin { for (i = 0; i < 9999; i++) a[i] = i }'; then
	check "limit: the hint is a member" said limit 'select(.level == "error") | .hint | test("MAXMAPENTRIES")' true
fi
run commands 0 -c 'printf "a\nb"' -e 'probe begin { system("sleep 0.3; echo from system") }'
check "commands: their output is marked, also after the end of the module" \
	said commands 'select(.type == "output" and .command) | .text' $'a\nbfrom system\n'

plain() {
	"$STAP" $no_overload --remote="unix:$work/$release" -r "$release" "$@"
}

# Ctrl-C, a reader that goes away, and a file.
run_interrupted() {
	"$STAP" $no_overload --remote="unix:$work/$release" -r "$release" --format=json \
		-e 'global n probe timer.ms(20) { n++ } probe begin { println("ready") }' >interrupted.json 2>&1 &
	within 60 grep -qF '"text":"ready\n"' interrupted.json
	kill -INT $!
	wait $!
	lines interrupted interrupted.json &&
		said interrupted 'select(.type == "snapshot" or .type == "end") | .type + " "' "snapshot end "
}
check "Ctrl-C: the final globals and the end" run_interrupted
check "head: the reader goes away" timeout 120 bash -c '
	"$0" --remote="unix:$1/$2" -r $2 --format=json -e "probe timer.ms(5) { println(\"x\") }" 2>err | head -n 3 |
		jq -rj .type >types; [ "$(cat types)" = scriptstartoutput ] && [ ! -s err ]' "$STAP" "$work" "$release"
to_file() {
	"$STAP" $no_overload --remote="unix:$work/$release" -r "$release" --format=json -o file.json \
		-e 'probe begin { println(1) exit() }' >to_file.log 2>&1 && [ ! -s to_file.log ] &&
		said file '.type + " "' "script start output snapshot end "
}
check "-o: the lines are in the file" to_file
full() {
	"$STAP" $no_overload --remote="unix:$work/$release" -r "$release" --format=json \
		-e 'probe begin { for (i = 0; i < 900; i++) println(i) exit() }' >/dev/full 2>err && return 1
	grep -qi 'no space left' err || { cat err; return 1; }
}
check "a full disk is an error" full
closed() {
	local script='probe begin { println(1) exit() }'
	! plain --format=json -e "$script" >&- 2>err && ! plain --report=closed.txt -e "$script" >&- 2>>err &&
		[ "$(cat err)" = "ERROR: cannot write the output: Bad file descriptor
ERROR: cannot write the output: Bad file descriptor" ] && plain --format=json -e "$script" <&- 2>&- >closed.json &&
		said closed '.type + " "' "script start output snapshot end "
}
check "closed descriptors" closed

# ---- reports ---------------------------------------------------------------------------------------------------------

# reported SCRIPT: with --report, is everything printed as without it, and are the values in the report?
reported() {
	local status
	plain "$1" >plain.out 2>plain.err
	status=$?
	plain --report=report.json,1 "$1" >report.out 2>report.err
	[ $? -eq $status ] && diff plain.out report.out &&
		diff <(grep -E '^(ERROR|WARNING)' plain.err) <(grep -E '^(ERROR|WARNING)' report.err)
}
check "--report: output, messages and status are as without it" reported errors.stp
same_globals() {
	local filter='select(.type == "global") | [.name, (.elements | sort)]'
	plain -w --report=globals.report.json globals.stp >globals.out 2>&1 &&
		diff <(jq -c "$filter" globals.json) <(jq -c "$filter" globals.report.json) &&
		diff globals.text globals.out
}
check "--report: the globals" same_globals
check "--report: a page" bash -c 'rm -f page.html
	"$0" --remote="unix:$1/$2" -r "$2" --report=page.html -e "global n probe begin { n = 1 exit() }" &&
		grep -q "^<!DOCTYPE html>" page.html' "$STAP" "$work" "$release"
shown() {
	plain --report=- -e 'global n = 76 probe begin { n++; println("printed") exit() }' >shown.out &&
		grep -A 9 '^n  *77' shown.out | grep -A 1 '^Output' | grep -qx printed && return
	cat shown.out
	return 1
}
check "--report=-: the report instead of the output" shown
unread() {
	plain --report=unread.txt -e 'global n probe timer.ms(5) { n++; println(n) }' | head -n 3 >seen
	[ "${PIPESTATUS[0]}" = 141 ] && [ "$(paste -sd' ' seen)" = "1 2 3" ] && grep -q completed unread.txt
}
check "--report: the reader of the output goes away" unread
no_directory() {
	local script='probe begin { println("printed") } probe timer.ms(500) { println("again") exit() }'
	mkdir gone && plain --report=gone/page.html -e "$script" 2>err |
		{ read -r line; rmdir gone; echo "$line"; cat; } >out
	[ "${PIPESTATUS[0]}" = 1 ] && [ "$(paste -sd' ' out)" = "printed again" ] && grep -q 'gone' err ||
		{ cat out err; return 1; }
}
check "--report: one that cannot be written is an error, and the output passes" no_directory
for options in "-p4" "-l vfs.read" "-b" "-F -o x" "-o x --report=-" "--report=/absent/x"; do
	check "--report ${options%% *} is refused" \
		refuses '^ERROR: .*(--report|-l|-e)' "$STAP" --report=x.html $options -e 'probe begin {}'
done
for ending in pdf "" gz x,y; do
	check "--report: the ending '$ending' is refused before the script is translated" \
		refuses "^ERROR: --report=page.$ending: no format .* use one of .*[.]txt" \
		"$STAP" --report=page.$ending -e 'probe no_such {}'
done
for interval in 0 -1 1.5 100ms x 86401; do
	check "--report: the interval '$interval' is refused" refuses \
		"^ERROR: --report requires a number of seconds from 1 to 86400 after the comma, not '$interval'" \
		"$STAP" --report=page.html,$interval -e 'probe no_such {}'
done
# A format for stacks needs one array with stacks, or the values would be lost at the end of the run.
stack_arrays() {
	local ending mistake="^semantic error: --report=page"
	plain --report=page.folded -e 'global a, s probe begin { a[backtrace()] = 1; s[backtrace()] = "x"; exit() }' &&
		[ -s page.folded ] || return
	for ending in folded speedscope.json pb.gz; do
		refuses "$mistake.$ending: no array has a stack as key" plain --report=page.$ending \
			-e 'global a, s probe begin { a[1] = 2; s[backtrace()] = "x"; exit() }' &&
			refuses "$mistake.$ending: several .*: a, b$" plain --report=page.$ending,9 \
				-e 'global a, b probe begin { a[backtrace()] = 1; b[1, ubacktrace()] <<< 1; exit() }' ||
			return
	done
}
check "--report: formats for stacks need one array with stacks" stack_arrays

# ---- several hosts ---------------------------------------------------------------------------------------------------

where='global where probe begin { where[remote_id()] = remote_uri() exit() }'
if run hosts 0 --remote="unix:$work/$release" -e "$where"; then
	check "hosts: each line has its host" jq -es '[.[] | select(.type == "global")] | length == 2 and
		all(.[]; .remote == .elements[0][0][0])' hosts.json
	check "hosts: each has an end" said hosts 'select(.type == "end") | "\(.status) "' "0 0 "
fi
