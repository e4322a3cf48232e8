# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-report: each format from fixed JSON lines (testsuite/report), wrong input, output files, and the page in a
# browser, if Chromium is installed and SPILE_FULL is set.

. "$(dirname "$0")/../lib.sh"

report=$SPILE_BUILDDIR/stap-report
lines=$tests/report
export TZ=UTC
unset NO_COLOR
cd "$work" || exit 1
if [ ! -x "$report" ]; then
	echo "build it with: make stap-report" | fail "stap-report is built"
	exit 0
fi

# ---- formats ---------------------------------------------------------------------------------------------------------

# golden NAME FILE COMMAND...: compare what a command prints with a file.
golden() {
	local name=$1 expected=$lines/$2
	shift 2
	if "$@" >got 2>errors; then
		[ ! -s errors ] || cat errors >>got
		compare "$name" "$expected" got
	else
		fail "$name" errors
	fi
}
in_lines() {
	(cd "$lines" && "$@")
}

# Print the data of a page, one value per line, so that differences can be read.
page_data() {
	in_lines "$report" "$@" -o "$work/page.html" &&
		sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' page.html |
		sed 's/\],/],\n/g; s/,"/,\n"/g'
}
# Print the fields of a profile. The compressed form depends on the version of zlib.
profile() {
	in_lines "$report" --format=pprof "$@" | gzip -dc | od -An -v -tx1 -w32
}

golden "text without a terminal" io.txt in_lines "$report" io.json
golden "text in colors" io.color.txt in_lines "$report" --color=always io.json
golden "text of hostile data" hostile.txt in_lines "$report" hostile.json
golden "text of each view" views.txt in_lines "$report" views.json
golden "text of two hosts" hosts.txt in_lines "$report" hosts.json
# The runs of two hosts in a file each, as those of bundles, are shown like one run on both. The message of stap itself
# is in the first one.
of_host() {
	jq -c "select(.type == \"script\" or (.remote | if type == \"object\" then .number else . end) == ($1))" \
		"$lines/hosts.json"
}
if command -v jq >/dev/null; then
	of_host '0, null' >web.json
	of_host 1 | jq -c 'if .type == "start" then .remote.number = 0 elif .remote then .remote = 0 else . end' \
		>db.json
	golden "text of the files of two hosts" hosts.txt "$report" --merge web.json db.json
	merges_again() {
		"$report" --merge web.json db.json -o merged.json && "$report" merged.json | cmp - "$lines/hosts.txt"
	}
	of_local_runs() {
		jq -c 'del(.remote)' db.json >local.json && "$report" --merge web.json local.json >got &&
			grep -q '^host db-1 (local\.json), kernel 6\.12' got && grep -q '^host web-1 (ssh://web), ' got
	}
	no_merge() {
		sed 's/"text":"global/"text":"globals/' db.json >other.json
		refuses 'other.json is a recording of another script than web.json' \
			"$report" --merge web.json other.json &&
			refuses 'cannot read gone' "$report" --merge web.json gone &&
			refuses 'requires the names of files' "$report" --merge <web.json &&
			refuses 'excludes --every' "$report" --merge --every=1 -o x.html web.json db.json &&
			refuses 'only one of the files' "$report" --merge - - <web.json && [ ! -e x.html ]
	}
	# On a terminal, a single pipe is drawn while the script runs.
	merges_pipes() {
		script -qefc "bash -c '\"$report\" --merge <(cat web.json) <(cat db.json)'" merged \
			</dev/null >/dev/null && grep -q '^.*host web-1' merged && grep -q '^.*host db-1' merged
	}
	! command -v script >/dev/null || check "pipes become one on a terminal" merges_pipes
	check "files of hosts become one, which is read again" merges_again
	check "files of runs without --remote have the names of the files" of_local_runs
	check "files that do not belong together are refused" no_merge
fi
golden "data of a page of two hosts" hosts.page page_data hosts.json
golden "folded stacks of two hosts" hosts.folded in_lines "$report" --format=folded hosts.json
golden "speedscope of two hosts" hosts.speedscope in_lines "$report" --format=speedscope hosts.json
golden "pprof of two hosts" hosts.pprof profile hosts.json
golden "text that compares" diff.txt in_lines "$report" io.json io-after.json
golden "data of a page" io.page page_data io.json
golden "data of a page with hostile data" hostile.page page_data hostile.json
golden "data of a page that compares" diff.page page_data io.json io-after.json
golden "folded stacks" io.folded in_lines "$report" --format=folded --global=blocked io.json
golden "folded stacks of hostile data" hostile.folded in_lines "$report" --format=folded --global=stacks hostile.json
golden "speedscope" io.speedscope in_lines "$report" --format=speedscope --global=blocked io.json
golden "pprof" io.pprof profile --global=allocations io.json

# The JSON lines of a recording fit the schema, and all formats look the same from them, with their series.
. "$SPILE_SRCDIR/testsuite/json.sh"
read_again() {
	local name=$1 option
	shift
	"$report" --format=json "$lines/$name.json" >"$name.json" && check_lines "$name.json" >unfit &&
		! grep . unfit && "$report" --format=json "$name.json" | diff - "$name.json" || return
	for option in --format=text --format=html "$@"; do
		(cd "$lines" && "$report" $option "$name.json") >first && "$report" $option "$name.json" >second &&
			[ -s first ] && diff first second || return
	done
}
check "JSON lines that are read again" read_again io --format=folded\ --global=blocked --format=pprof\ --global=blocked
check "JSON lines of two hosts that are read again" read_again hosts --format=speedscope --format=folded
check "JSON lines of hostile data that are read again" read_again hostile
check "JSON lines of each view that are read again" read_again views

from_standard_input() {
	"$report" --format=json <"$lines/io.json" >one && "$report" --format=json - <"$lines/io.json" >two &&
		"$report" --format=json "$lines/io.json" >three && cmp one three && cmp two one
}
check "standard input" from_standard_input

# Until the script had a line of its own, start described it.
start_with_script() {
	echo '{"type":"start","version":1,"time":1,"script":{"name":"old.stp","text":"x"},"options":["-v"],' \
		'"arguments":["a"],"stap":"0.1"}' | "$report" --format=json | tr -d ' \n' >old.json && cat old.json &&
		grep -qF '"name":"old.stp","text":"x","options":["-v"],"arguments":["a"],"stap":"0.1"}' old.json
}
check "the script in the line of the start" start_with_script

# The colors are the only control characters.
no_controls() {
	local file
	for file in hostile.json io.json; do
		"$report" --color=always "$lines/$file" | sed 's/\x1b\[[0-9;]*m//g' |
			LC_ALL=C tr -d '\t\n\40-\176\200-\377' | od -c >controls
		cat controls
		[ "$(wc -l <controls)" -eq 1 ] || return
	done
}
check "data cannot control the terminal" no_controls

# "show: none" hides a global, unless it is requested. The data contain it anyway.
not_shown() {
	! "$report" "$lines/views.json" | grep -E 'hidden' &&
		"$report" --format=json "$lines/views.json" | grep -q '"hidden"' &&
		"$report" --global=hidden "$lines/views.json" | grep -qE '^ *read +360 ' &&
		"$report" --format=folded --global=hidden_stacks "$lines/views.json" | grep -qx 'a;b;c 15' &&
		! "$report" --format=folded "$lines/views.json" 2>errors && grep -q 'stacks_as_table$' errors
}
check "a global that is not to be shown" not_shown

# The words of "show" are those of the language.
same_words() {
	grep -oE 'pictures\[\] = \{.*\}' "$SPILE_SRCDIR/translator/lang/annotations.c" | grep -oE '"[a-z]+"' |
		sort >words
	[ -s words ] || return
	{ grep -oE '^	\{"[a-z]+", (is|has)_' "$SPILE_SRCDIR/report/text.c" | grep -oE '"[a-z]+"'; echo '"none"'; } |
		sort | diff words - || return
	{ grep -oE '^	?	\["[a-z", ]+\],$|\["[a-z", ]+\], \(' "$SPILE_SRCDIR/report/globals.js" |
		grep -oE '"[a-z]+"'; echo '"none"'; } | sort -u | diff words -
}
check "the words of show are those of the language" same_words

# Every stack with a value is in the folded format, and the sums are equal.
same_sums() {
	"$report" --format=folded --global=blocked "$lines/io.json" | awk '{ sum += $NF } END { print sum }' >sum &&
		"$report" --format=speedscope --global=blocked "$lines/io.json" |
		grep -o '"endValue":[0-9]*' | cut -d: -f2 | diff sum -
}
check "formats have the same sum" same_sums

kind_of_file() {
	local name=$1 pattern=$2
	"$report" --global=blocked "$lines/io.json" -o "$name" && head -c 200 "$name" | LC_ALL=C grep -qaE "$pattern"
}
check "the end of a name selects HTML" kind_of_file a.html '^<!DOCTYPE html>'
check "the end of a name selects folded stacks" kind_of_file a.folded ' [0-9]+$'
check "the end of a name selects speedscope" kind_of_file a.speedscope.json 'speedscope.app'
check "the end of a name selects pprof" kind_of_file a.pb.gz $'^\x1f\x8b'
check "the end of a name selects JSON" kind_of_file a.json '^\{"type":"script"'
check "the end of a name selects text" kind_of_file a.txt '^io-latency.stp'

# ---- wrong input -----------------------------------------------------------------------------------------------------

start='{"type":"start","version":1,"time":1,"options":[],"arguments":[]}'
# A function without a symbol has the name of its object, wherever that is loaded; without an object, its address.
unnamed_frames() {
	local in_libc='"kind":"library","object":"/lib/libc.so.6","offset"'
	{
		echo "$start"
		echo '{"type":"global","time":2,"snapshot":1,"final":true,"name":"a","kind":"array","keys":["stack"],'
		echo '"values":"number","complete":true,"elements":['
		echo '[[[{"name":"f"},{'"$in_libc"':16,"address":"0x7f0010"},{"name":"main"}]],2],'
		echo '[[[{"name":"f"},{'"$in_libc"':32},{"name":"main"}]],3],[[[{"address":"0x5"}]],4]]}'
	} | tr -d '\n' | sed 's/}{/}\n{/' >unnamed.json
	"$report" --format=folded unnamed.json >folded && cat folded &&
		printf '%s\n' 'main;[libc.so.6];f 2' 'main;[libc.so.6];f 3' '0x5 4' | cmp - folded
}
check "functions without a symbol" unnamed_frames
# global KEYS VALUES ELEMENTS [MORE]: print the line of a global.
global() {
	local kind=array
	[ "$1" != "[]" ] || kind=scalar
	echo '{"type":"global","time":1,"snapshot":1,"final":true,"name":"a","kind":"'$kind'",
		"keys":'"$1"',"values":"'"$2"'","complete":true,"elements":'"$3$4}" | tr -d '\n\t'
	echo
}
# mistake NAME PATTERN LINE...: is the last of these lines refused, with its number and a message that matches, without
# a file and without any output?
mistake() {
	local name=$1 pattern=$2
	shift 2
	printf '%s\n' "$@" >wrong.json
	refused() {
		! "$report" wrong.json -o wrong.html 2>errors && cat errors && [ ! -e wrong.html ] &&
			grep -qE "^(stap-report: )?ERROR: wrong.json: line $1, column [0-9]+: $2\$" errors &&
			[ -z "$("$report" wrong.json 2>/dev/null)" ] && ! compgen -G 'wrong.html*'
	}
	check "wrong input: $name" refused $# "$pattern"
}
mistake "not JSON" 'a value is expected' "hello"
mistake "JSON that is no object" 'an object is expected' '[1]'
mistake "a line that ends early" 'the line ends within a string' "$start" '{"type":"output","time":1,"text":"ab'
mistake "a line that ends after a comma" 'the line ends within a value' "$start" '{"type":"output","time":1,'
mistake "a line that ends in a number" "the line ends where '}' is expected" '{"type":"output","time":12'
mistake "text after the value" 'text after the value' '{"type":"snapshot"} {}'
mistake "a comma too many" 'a value is expected' '{"type":"output","text":"x","a":[1,]}'
mistake "a comma too few" "'.' is expected" '{"type":"output" "text":"x"}'
mistake "an object within an object without a name" "'}' is expected" '{"type":"output","a":1{"b":2}}'
mistake "a bracket of the other kind" "'\]' is expected" '{"type":"x","a":[1}}'
mistake "single quotes" 'a value is expected' "{'type':'start'}"
mistake "comments" 'a value is expected' '/* x */ {"type":"start"}'
mistake "no type" 'the line has no type' '{"time":1}'
mistake "a type that is a number" 'a string is expected' '{"type":1}'
mistake "a later version" 'version 2 of the lines is too new' '{"type":"start","version":2}'
mistake "two scripts" 'a second script starts here: use a file for each run' "$start" "$start"
mistake "a time that is a string" 'a number is expected' '{"type":"output","time":"1","text":"x"}'
mistake "a time that is too large" "the number '1e999' is too large" '{"type":"output","time":1e999,"text":"x"}'
mistake "an integer that is too large" "the number '9223372036854775808' does not fit in 64 bits" \
	"$(global '[]' number '[[[],9223372036854775808]]')"
mistake "an integer that is too small" "the number '-9223372036854775809' does not fit in 64 bits" \
	"$(global '[]' number '[[[],-9223372036854775809]]')"
mistake "a fraction" "an integer is expected, not '1.5'" "$(global '[]' number '[[[],1.5]]')"
mistake "a leading zero" 'malformed number' "$(global '[]' number '[[[],012]]')"
mistake "not a number" 'a value is expected' "$(global '[]' number '[[[],NaN]]')"
mistake "half of a surrogate pair" 'half of a surrogate pair is missing' '{"type":"output","text":"\ud800"}'
mistake "an unknown escape" 'unknown escape sequence' '{"type":"output","text":"\x41"}'
mistake "a control character" 'control character in a string' $'{"type":"output","text":"\x01"}'
mistake "a string that is not UTF-8" 'string is not UTF-8' $'{"type":"output","text":"\xff"}'
mistake "overlong UTF-8" 'string is not UTF-8' $'{"type":"output","text":"\xc0\xbc"}'
mistake "malformed base64" 'malformed base64' '{"type":"output","text":{"base64":"a*=="}}'
mistake "deep nesting" 'values are nested too deeply' "$(printf '{"type":"x","a":'; printf '[%.0s' {1..100000})"
mistake "output without a text" 'output without a text' '{"type":"output","time":1}'
mistake "a message without a text" 'message without a text' '{"type":"message","time":1}'
mistake "a global without a name" 'global without a name' '{"type":"global","kind":"scalar"}'
mistake "a global of an unknown kind" 'the kind of a global must be scalar or array' \
	'{"type":"global","name":"a","kind":"map"}'
mistake "unknown values" 'the values of a global must be number, string or statistics' "$(global '[]' stack '[[[],1]]')"
mistake "unknown keys" 'a key of a global must be number, string or stack' "$(global '["float"]' number '[]')"
mistake "a key of another kind" 'a key is a string; number is declared' "$(global '["number"]' number '[[["x"],1]]')"
mistake "a value of another kind" 'a value is a string; number is declared' "$(global '[]' number '[[[],"x"]]')"
mistake "statistics as a key" 'statistics cannot be a key' "$(global '["number"]' number '[[[{"count":1}],1]]')"
mistake "keys that are too few" 'elements have 1 keys; 2 are declared' \
	"$(global '["number","number"]' number '[[[1],1]]')"
mistake "keys of different numbers" 'elements with different numbers of keys' \
	"$(global '["number"]' number '[[[1],1],[[1,2],1]]')"
mistake "an element without a value" 'an element consists of its keys and its value' \
	"$(global '["number"]' number '[[[1]]]')"
mistake "a scalar with two elements" 'a scalar has one element' "$(global '[]' number '[[[],1],[[],2]]')"
mistake "statistics without a count" 'statistics without a count' "$(global '[]' statistics '[[[],{"sum":1}]]')"
mistake "a bucket of two numbers" 'a bucket has a lower bound, an upper bound and a count' \
	"$(global '[]' statistics '[[[],{"count":1,"sum":1,"histogram":{"kind":"log","buckets":[[1,2]]}}]]')"
mistake "a bucket whose bounds are exchanged" 'impossible bucket' \
	"$(global '[]' statistics '[[[],{"count":1,"sum":1,"histogram":{"kind":"log","buckets":[[2,1,1]]}}]]')"
mistake "a frame without a name" 'frame without a name and an address' "$(global '["stack"]' number '[[[[{}]],1]]')"
mistake "a stack that is too deep" 'stack of more than 4096 frames' "$(global '["stack"]' number \
	"[[[[$(printf '{"name":"f"},%.0s' {1..4096}){\"name\":\"f\"}]],1]]")"
mistake "a global that changes its kind" 'the global was declared differently before' \
	"$(global '[]' number '[[[],1]]')" "$(global '["number"]' number '[]')"
mistake "a host with a negative number" 'the number of a remote host is negative' \
	'{"type":"output","remote":-1,"text":"x"}'
mistake "a second start" 'a second script starts here: use a file for each run' "$start" "$start"
mistake "a second start of a host" 'a second script starts here: use a file for each run' \
	'{"type":"start","time":1,"remote":{"number":1}}' '{"type":"start","time":1,"remote":{"number":2}}' \
	'{"type":"start","time":1,"remote":{"number":1}}'
mistake "a second script" 'a second script starts here: use a file for each run' '{"type":"script","name":"a"}' \
	'{"type":"script","name":"a"}'
mistake "a script of a later version" 'version 2 of the lines is too new' '{"type":"script","version":2}'

tolerated() {
	printf '\n%s\n\n{"type":"later","x":{"y":[1e999,null,true]}}\n%s' "$start" \
		"$(global '[]' number '[[[],7]]' ',"z":0')" | "$report" | grep -qE '^a +7$'
}
check "unknown types and members, blank lines, and no last line break are tolerated" tolerated

# Follow a script that prints many snapshots. The report must show the newest values and the whole time, with at most
# 2000 samples.
long_run() {
	awk -v start="$start" 'BEGIN {
		print start
		for (i = 1; i <= 9000; i++) {
			head = "{\"type\":\"global\",\"time\":" i ",\"snapshot\":" i ",\"kind\":\"scalar\",\"keys\":[],"
			print head "\"name\":\"n\",\"values\":\"number\",\"elements\":[[[]," i "]]}"
			print head "\"name\":\"s\",\"values\":\"statistics\",\"elements\":[[[],{\"count\":" i \
				",\"sum\":" i ",\"histogram\":{\"kind\":\"log\",\"buckets\":[[1,2," i "]]}}]]}"
		}
	}' >long.json && "$report" long.json >long.txt && grep -E '^n  *9,000  ' long.txt &&
		grep 'count 9,000' long.txt && "$report" long.json -o long.html || return
	grep -oE '"step":[0-9]+' long.html | sort | uniq -c | tee steps
	grep -qE '^ *2 "step":8$' steps && [ "$(wc -l <steps)" -eq 1 ] || return
	# The first time, and the increases of all columns of the heat map: together they are the count.
	grep -q '"times":\[1,' long.html && grep -o '"increases":.*' long.html | grep -oE '\[1,2,[0-9]+\]' |
		awk -F'[],]' '{ sum += $3 } END { print NR, sum; exit !(NR > 1000 && NR <= 2000 && sum == 9000) }'
}
check "a script that runs long" long_run
# A histogram that the script has reset counts from zero.
reset_histogram() {
	local counts=(5 9 2 2 7) i
	for i in "${!counts[@]}"; do
		echo '{"type":"global","time":'"$((i + 1))"',"snapshot":'"$i"',"name":"s","kind":"scalar","keys":[],
			"values":"statistics","elements":[[[],{"count":'"${counts[i]}"',"sum":0,"histogram":{"kind":
			"linear","buckets":[[0,10,'"${counts[i]}"']]}}]]}' | tr -d '\n\t'
		echo
	done >reset.json
	"$report" reset.json -o reset.html && grep -o '"increases":.*' reset.html | grep -oE '\[0,10,[0-9]+\]|\[\]' |
		head -n 5 | xargs | tee increases
	[ "$(cat increases)" = "[0,10,5] [0,10,4] [0,10,2] [] [0,10,5]" ]
}
check "a histogram that the script has reset" reset_histogram

# fails NAME PATTERN COMMAND...: does the command fail, with a message that matches?
fails() {
	local name=$1 pattern=$2
	shift 2
	failing() {
		! "$@" >got 2>errors && cat errors && grep -qE "$pattern" errors && [ ! -s got ]
	}
	check "$name" failing "$@"
}
fails "an empty file" '^hint: make the file with' "$report" /dev/null
fails "a file that does not exist" 'cannot read nowhere.json: No such file' "$report" nowhere.json
fails "a directory" 'cannot read /: Is a directory' "$report" /
fails "three files" 'compares 2 files, not 3' "$report" a b c
fails "standard input twice" 'standard input is only one' "$report" - -
fails "an unknown option" "Try 'stap-report --help'" "$report" --nothing
fails "an unknown format" "unknown format 'xml'" "$report" --format=xml "$lines/io.json"
fails "an unknown end of a name" 'name the format with --format' "$report" "$lines/io.json" -o report.xml
fails "an unknown color" "not 'blue'" "$report" --color=blue "$lines/io.json"
fails "an unknown global" "no global has the name 'nope'" "$report" --global=nope "$lines/io.json"
fails "several arrays with stacks" 'several arrays have stacks: blocked, allocations' \
	"$report" --format=folded "$lines/io.json"
fails "no array with a stack" 'no array with a stack' "$report" --format=pprof --global=hits "$lines/io.json"
fails "a format that does not compare" 'the format json supports only one file' \
	"$report" --format=json "$lines/io.json" "$lines/io-after.json"

# ---- output ----------------------------------------------------------------------------------------------------------

# A failure leaves the old file, and nothing else.
full_disk() {
	local status
	mkdir full && mount -t tmpfs -o size=64k none full 2>/dev/null || return 77
	echo old >full/page.html
	! "$report" "$lines/io.json" -o full/page.html 2>errors && cat errors && ls -l full &&
		grep -q 'cannot write full/page.html: No space left' errors && [ "$(cat full/page.html)" = old ] &&
		[ "$(ls full)" = page.html ]
	status=$?
	umount full
	return $status
}
if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2>/dev/null; then
	skip "a full disk" "takes root"
else
	check "a full disk leaves the old file" full_disk
fi
full_output() {
	! "$report" "$lines/io.json" >/dev/full 2>errors && cat errors &&
		grep -q 'cannot write the output: No space' errors
}
check "standard output on a full disk" full_output
closed_output() {
	"$report" "$lines/io.json" >&- 2>errors
	[ $? -eq 1 ] && cat errors && grep -q 'cannot write the output' errors
}
check "standard output is closed" closed_output
# The output is more than a pipe holds, and its reader ends before.
closed_pipe() {
	global '["number"]' number "[$(seq 10000 19999 | sed 's/.*/[[&],&]/' | paste -sd,)]" >keys.json
	{ "$report" --format=json keys.json; echo $? >status; } | head -c 1 >/dev/null
	cat status && [ "$(cat status)" -eq 141 ]
}
check "a closed pipe" closed_pipe
no_directory() {
	! "$report" "$lines/io.json" -o nowhere/page.html 2>errors &&
		grep -q 'cannot write nowhere/page.html: No such' errors
}
check "a directory that does not exist" no_directory
# A reader that has the old file open keeps it; mode and links stay.
replaced() {
	echo old >target.html && chmod 640 target.html && ln -s target.html link.html && exec 9<target.html &&
		"$report" "$lines/io.json" -o link.html && [ "$(cat <&9)" = old ] && exec 9<&- && [ -L link.html ] &&
		[ "$(stat -c %a target.html)" = 640 ] && grep -q '^<!DOCTYPE' target.html && ! compgen -G '*.html.*'
}
check "a file is replaced" replaced
# While a script runs, its page shows the last whole snapshot. Ctrl-C is for the script.
live() {
	local program
	mkfifo lines && { "$report" --every=1 -o live.html <lines & } && program=$! && exec 8>lines || return
	sed '/"snapshot":2/,$d' "$lines/io.json" >&8
	for _ in {1..200}; do
		grep -q '"name":"hits"' live.html 2>/dev/null && break
		kill -INT $program && echo '{"type":"later"}' >&8 || return
		nap 0.1
	done
	cp live.html between.html && grep -q '"name":"hits"' between.html || return
	sed -n '/"snapshot":2/,$p' "$lines/io.json" >&8
	exec 8>&-
	wait $program && grep -q '"state":"running"' between.html && ! grep -q '"status":0' between.html &&
		"$report" "$lines/io.json" -o whole.html &&
		sed 's/"name":"standard input"/"name":"io.json"/' live.html | cmp - whole.html
}
check "a page of a script that runs" live
# on_terminal COMMANDS [ROWS COLUMNS]: run a report of the pipe "lines" in a terminal; commands may use $program, and
# its output goes to the file screen. It ends when descriptor 8 is closed.
on_terminal() {
	rm -f lines pid screen && mkfifo lines
	cat >in-terminal <<-END
		stty rows ${2:-10} cols ${3:-40}
		set -m
		env --default-signal=INT,QUIT '$report' <lines &
		program=\$!
		set +m
		echo \$program >pid.new && mv pid.new pid
		# A stop would end "wait", and with it the loop.
		while grep -q '^State:	[^Z]' /proc/\$program/status; do sleep 0.05; done
		wait \$program
		echo \$? >status
	END
	LC_ALL=C.UTF-8 TERM=xterm-256color script -qefc "bash in-terminal" screen </dev/null >/dev/null &
	exec 8>lines
	for _ in {1..400}; do
		[ ! -e pid ] || break
		nap 0.05
	done
	program=$(cat pid) && $1
	local status=$?
	exec 8>&-
	wait
	return $status
}
# seen_times COUNT TEXT: wait until the screen has got a text so many times.
seen_times() {
	for _ in {1..400}; do
		[ "$(grep -oaF "$2" screen | wc -l)" -lt "$1" ] || return 0
		nap 0.05
	done
	od -c screen | tail
	return 1
}
enter=$'\033[?1049h' leave=$'\033[?1049l'
# The second screen is used, each picture fits, and after it the first screen has the whole report.
draws() {
	sed '/"snapshot":4/,$d' "$lines/io.json" >&8
	seen_times 1 $'\033[J' || return
	sed -n '/"snapshot":4/,$p' "$lines/io.json" | sed '/"type":"end"/,$d' >&8
	seen_times 2 $'\033[J'
}
fits() {
	on_terminal draws && seen_times 1 "$leave" || return
	sed "1d; s/.*\x1b\[?1049h//; s/\r//g; s/\x1b\[?1049l/\n&/" screen | sed '/\x1b\[?1049l/,$d' |
		sed 's/\x1b\[J/&\n=\n/g; s/\x1b\[[?0-9;]*[a-zA-Z]//g' >drawn
	cat drawn
	# Wide characters are not in this data.
	awk '/^=$/ { rows = 0; next } { if (length($0) > 40 || ++rows > 10) bad = 1 } END { exit bad }' drawn &&
		sed -n '/\x1b\[?1049l/,$p' screen | grep -q 'per_second' && grep -q '^hits ' drawn
}
ends() {
	sed '/"type":"end"/,$d' "$lines/io.json" >&8
	seen_times 1 "$enter" && kill "-$1" "$program" && seen_times 1 "$leave"
}
ended() {
	on_terminal "ends TERM" && [ "$(cat status)" -eq 143 ] && on_terminal "ends HUP" && [ "$(cat status)" -eq 129 ]
}
# SIGINT is for the script: the report goes on until its input ends.
interrupted() {
	sed '/"type":"end"/,$d' "$lines/io.json" >&8
	seen_times 1 "$enter" && kill -INT "$program" && tail -n 1 "$lines/io.json" >&8 && seen_times 2 $'\033[J'
}
not_ended() {
	on_terminal interrupted && seen_times 1 "$leave" && [ "$(cat status)" -eq 0 ] && grep -q 'completed' screen
}
stops() {
	sed '/"type":"end"/,$d' "$lines/io.json" >&8
	seen_times 1 "$enter" && kill -TSTP "$program" && seen_times 1 "$leave" || return
	for _ in {1..400}; do
		! grep -q '^State:	T' "/proc/$program/status" || break
		nap 0.05
	done
	kill -CONT "$program" && seen_times 2 "$enter" && seen_times 2 $'\033[J'
}
stopped() {
	on_terminal stops && seen_times 2 "$leave" && [ "$(cat status)" -eq 0 ]
}
if command -v script >/dev/null; then
	check "a terminal is drawn in place, and fits" fits
	check "signals that end it restore the terminal" ended
	check "SIGINT does not end it" not_ended
	check "a stop restores the terminal" stopped
else
	skip "a terminal" "script is not installed"
fi
# Also without --every, Ctrl-C is for the script at the other end of a pipe.
reads_to_the_end() {
	local program
	rm -f lines && mkfifo lines && { env --default-signal=INT,HUP "$report" <lines >out 2>err & } && program=$! &&
		exec 8>lines && sed '/"snapshot":2/,$d' "$lines/io.json" >&8 || return
	for _ in {1..400}; do
		! grep -q '^SigIgn:	0*[0-9a-f]*[37bf]$' "/proc/$program/status" || break
		nap 0.05
	done
	kill -INT $program && kill -HUP $program && sed -n '/"snapshot":2/,$p' "$lines/io.json" >&8
	exec 8>&-
	wait $program && grep -q 'completed' out
}
check "Ctrl-C does not end the reader of a pipe" reads_to_the_end
only_at_the_end() {
	"$report" --every=1 <"$lines/io.json" >once.txt && sed 's/^Output: .*/Output/' once.txt | cmp - "$lines/io.txt"
}
check "other standard output is only written at the end" only_at_the_end

# ---- passing what the script says ------------------------------------------------------------------------------------

# Output goes to standard output as it is, messages to standard error, and the file has the report.
passes() {
	(cd "$lines" && cat io.json) | "$report" --pass -o passed.html >out 2>err && cat err &&
		printf 'probing\ndone\n' | cmp - out && grep -qx "WARNING: local variable 'n' is never assigned" err &&
		grep -qx '        at: io-latency.stp:3:7' err &&
		grep -qx '    3 | { reads <<< gettimeofday_ns() - @entry(gettimeofday_ns()) }' err &&
		grep -qx '      |       ^' err && grep -qx 'hint: remove it' err &&
		grep -qx 'note: in the handler of this probe' err && "$report" "$lines/io.json" -o whole.html &&
		sed 's/"name":"standard input"/"name":"io.json"/' passed.html | cmp - whole.html
}
check "output is passed" passes
# Messages look as those of stap: kinds, sources of the script, macros.
passes_kinds() {
	"$report" --pass -o passed.html "$lines/messages.json" 2>err && diff "$lines/messages.err" err
}
check "messages are printed as stap prints them" passes_kinds
# Bytes that are not UTF-8 and NULs are passed; messages do not control the terminal.
passes_bytes() {
	"$report" --pass -o passed.html <"$lines/hostile.json" >out 2>err
	printf 'a\0b\033]0;owned\a\033[31m\n</script><script>document.title=%sowned%s</script><!--<script>%b' \
		"'" "'" '\0377\0376abc' | cmp - out && LC_ALL=C tr -d '\n\40-\176\200-\377' <err | od -c &&
		[ -s err ] &&
		[ "$(LC_ALL=C tr -d '\n\40-\176\200-\377' <err | wc -c)" -eq 0 ]
}
check "any bytes are passed" passes_bytes
# Each line is passed at once, and signals are for the script.
passes_at_once() {
	local program line
	rm -f lines answers && mkfifo lines answers &&
		{ "$report" --pass -o passed.html <lines >answers 2>err & } && program=$! &&
		exec 8>lines 9<answers || return
	echo "$start" >&8
	for line in one two; do
		echo '{"type":"output","time":2,"text":"'$line'\n"}' >&8
		read -r -t 20 got <&9 && [ "$got" = "$line" ] || return
		kill -INT $program && kill -TERM $program && kill -HUP $program || return
	done
	echo '{"type":"output","time":3,"text":"no line break"}' >&8
	exec 8>&-
	wait $program && read -r -t 20 got <&9
	[ "$got" = "no line break" ] && exec 9<&- && grep -q '"state":"interrupted"' passed.html
}
check "lines are passed at once, and signals do not end it" passes_at_once
# The reader of the output is gone: the script must end. Without its process, it ends because its input does.
unread() {
	rm -f lines && mkfifo lines
	{ "$report" --pass -o passed.html <lines 2>err; echo $? >status; } | head -n 1 >first &
	exec 8>lines && echo "$start" >&8
	for _ in {1..400}; do
		echo '{"type":"output","time":2,"text":"x\n"}' 2>/dev/null >&8 || break
		nap 0.05
	done
	exec 8>&-
	wait
	cat err status && [ ! -s err ] && [ "$(cat status first)" = "$(printf '141\nx')" ] && grep -q '"x' passed.html
}
(trap '' PIPE; check "the reader of passed output is gone" unread)
# With its process, the script is interrupted, and its last lines are in the report.
interrupts() {
	rm -f lines interrupted && mkfifo lines
	{
		trap 'touch interrupted' INT
		exec 8>lines
		echo "$start" >&8
		for _ in {1..400}; do
			[ ! -e interrupted ] || break
			echo '{"type":"output","time":2,"text":"x\n"}' >&8
			nap 0.05
		done
		cat "$lines/io.json" | sed -n '/"final":true/,$p' >&8
	} &
	{ "$report" --pass --interrupt=$! -o passed.html <lines 2>err; echo $? >status; } | head -n 1 >first
	wait
	cat err && [ -e interrupted ] && [ ! -s err ] && [ "$(cat status)" -eq 141 ] &&
		grep -q '"state":"completed"' passed.html && grep -q '"bytes_by_process"' passed.html
}
check "the script is interrupted, and its end is read" interrupts
# If the file cannot be written, that is an error, but the output is still passed.
passes_without_file() {
	! "$report" --pass --every=1 -o nowhere/page.html <"$lines/io.json" >out 2>err && cat err &&
		printf 'probing\ndone\n' | cmp - out && grep -q 'ERROR: cannot write nowhere/page.html: No such' err &&
		grep -q 'WARNING: cannot write nowhere/page.html: No such' err &&
		[ "$(grep -c 'nowhere/page' err)" -eq 2 ]
}
check "a directory that does not exist does not stop the output" passes_without_file
vanishing() {
	local program
	rm -f lines && mkfifo lines && mkdir vanishing &&
		{ "$report" --pass --every=1 -o vanishing/page.html <lines >out 2>err & } && program=$! &&
		exec 8>lines || return
	echo "$start" >&8
	for _ in {1..200}; do
		[ ! -e vanishing/page.html ] || break
		nap 0.05
	done
	rm -r vanishing && echo '{"type":"output","time":2,"text":"last\n"}' >&8
	exec 8>&-
	! wait $program && cat err && [ "$(cat out)" = last ] && grep -q 'ERROR: cannot write vanishing/page.html' err
}
check "a vanished directory does not stop the output" vanishing
# A line that is malformed is an error, but the others count.
passes_mistakes() {
	{ echo "$start"; echo '{"type":"output","text":"one\n"}'; echo nonsense; echo '{"type":"output","text":"two\n"}'
		printf '{"type":"output","te'; } >torn.json
	! "$report" --pass -o passed.html <torn.json >out 2>err && cat err && printf 'one\ntwo\n' | cmp - out &&
		grep -q 'ERROR: standard input: line 3, ' err &&
		grep -q 'WARNING: standard input: line 5 is cut off' err &&
		grep -q '"two' passed.html
}
check "malformed lines do not stop the output" passes_mistakes
too_long() {
	{ echo "$start"; printf '{"type":"output","text":"'; head -c 270000000 /dev/zero | tr '\0' a
		echo; echo '{"type":"output","text":"two\n"}'; } | "$report" --pass -o passed.html >out 2>err
	cat err && [ "$(cat out)" = two ] && grep -q 'ERROR: standard input: line 2, longer than 268435456 bytes' err
}
[ -z "$SPILE_FULL" ] || check "a line without an end" too_long
cut_off() {
	head -c -50 "$lines/io.json" >cut.json && "$report" cut.json 2>err >out && cat err &&
		grep -q 'WARNING: cut.json: line [0-9]* is cut off and left out' err &&
		grep -q 'no end was recorded' out
}
check "a recording that is cut off" cut_off
full_pass() {
	! "$report" --pass -o passed.html <"$lines/io.json" >/dev/full 2>err && cat err &&
		grep -q 'ERROR: cannot write the output: No space' err && grep -q '"state":"completed"' passed.html
}
check "passed output on a full disk" full_pass
# Stap refuses a script whose arrays do not suit the format, but a compile server's stap does not know the format.
kept_beside() {
	! "$report" --pass -o passed.folded <"$lines/io.json" >out 2>err && cat err && [ ! -e passed.folded ] &&
		grep -q "^hint: all of the recording is in passed.folded.json, for " err &&
		"$report" --global=blocked passed.folded.json -o passed.folded && cmp passed.folded "$lines/io.folded"
}
check "--pass: what does not suit the format is not lost" kept_beside
fails "--pass without a file" '^hint: name a file with -o' "$report" --pass "$lines/io.json"
fails "--interrupt without --pass" 'interrupt requires --pass' "$report" --interrupt=1 "$lines/io.json"
fails "--interrupt with no process" "from 1 to [0-9]*, not '0'" \
	"$report" --pass -o x.html --interrupt=0 "$lines/io.json"
# A script that prints much: only the last part is kept for the report.
much_output() {
	seq -f '%.0f 0123456789012345678901234567890123456789' 1 100000 >much
	{ echo "$start"; sed 's/.*/{"type":"output","time":2,"text":"&\\n"}/' much; } |
		"$report" --pass -o much.html | cmp - much &&
		[ "$(stat -c %s much.html)" -lt 3000000 ] && grep -q '"100000 0123' much.html &&
		! grep -q '"1000 0123' much.html && grep -oE '"outputLeftOut":[0-9]+' much.html | grep -qv ':0$'
}
check "much output" much_output

# ---- output in a terminal, and small things --------------------------------------------------------------------------

fails "an interval that is no number" "from 1 to 86400, not 'x'" "$report" --every=x "$lines/io.json"
fails "an interval of a comparison" 'every and --pass support only one file' \
	"$report" --every=1 "$lines/io.json" "$lines/io.json"
small_page() {
	echo "$start" | "$report" --format=html >empty.html && [ "$(stat -c %s empty.html)" -lt 1000000 ]
}
check "a page without data is small" small_page

# No text in the data ends its element or the page: the page has two scripts, as any page.
marks() {
	grep -oiE '</?(script|style|html)|<!--' "$1" | sort | uniq -c
}
no_escape() {
	"$report" "$lines/hostile.json" -o hostile.html && marks empty.html >one && marks hostile.html >two &&
		diff one two
}
check "hostile data end no element of the page" no_escape

# The script makes no markup of data, and loads nothing.
no_markup() {
	local markup='innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function'
	local loads='fetch\(|XMLHttpRequest|import\('
	! grep -nE "$markup|$loads" "$SPILE_SRCDIR"/report/*.js && ! grep -nE '(src|href)="?(https?:)?//' empty.html
}
check "the page makes no markup of data and loads nothing" no_markup

# ---- pprof itself ----------------------------------------------------------------------------------------------------

go=$(command -v go || ls /usr/lib/go-*/bin/go 2>/dev/null | tail -n 1)
# pprof prints a line per function, and the sum of all stacks in the head.
pprof_reads() {
	local nanoseconds

	"$report" --global=blocked "$lines/io.json" -o io.pb.gz && "$report" --global=stacks "$lines/hostile.json" \
		-o hostile.pb.gz 2>/dev/null && HOME=$work "$go" tool pprof -raw hostile.pb.gz >/dev/null &&
		HOME=$work "$go" tool pprof -top -unit=ns io.pb.gz >top || return
	cat top
	nanoseconds=$("$report" --format=folded --global=blocked "$lines/io.json" |
		awk '{ sum += $NF } END { print sum }')
	grep -q "accounting for ${nanoseconds}ns, 100% of" top && grep -q ' ext4_file_open$' top
}
if [ -z "$SPILE_FULL" ]; then
	:
elif [ -z "$go" ]; then
	skip "pprof reads its format" "Go, which has pprof, is not installed"
else
	check "pprof reads its format" pprof_reads
fi

# ---- the page in a browser -------------------------------------------------------------------------------------------

# browse PAGE: print the page's elements after its scripts have run; what they report goes to the file console.
browse() {
	timeout 120 chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--enable-logging=stderr --window-size=1400,1000 --virtual-time-budget=5000 --dump-dom "file://$PWD/$1" \
		2>log >dom
	grep 'CONSOLE' log >console
	cat console dom | cut -c 1-300 | head -n 20
}
title() {
	grep -ao '<title>[^<]*' dom | head -n 1
}
opens() {
	browse "$1" && [ ! -s console ] && grep -q 'data-ready="yes"' dom && title && title | grep -qE "$2"
}
# with_script PAGE SCRIPT...: append a script to a page, whose policy would not run it.
with_script() {
	sed "s/script-src [^;]*;/script-src 'unsafe-inline';/" "$1"
	echo '<script>'
	cat "${@:2}"
	echo '</script>'
}
interacts() {
	with_script "$@" >checked.html && browse checked.html && [ ! -s console ] &&
		[ "$(title)" = '<title>passed' ]
}
policy() {
	cp io.html other.html && echo '<script>document.title = "owned"</script>' >>other.html && browse other.html &&
		grep -q 'Content Security Policy' console && ! title | grep -q owned
}
if [ -z "$SPILE_FULL" ]; then
	: # a browser takes half a minute
elif ! command -v chromium >/dev/null; then
	skip "the page in a browser" "chromium is not installed"
else
	"$report" "$lines/io.json" -o io.html
	"$report" "$lines/io.json" "$lines/io-after.json" -o diff.html
	check "the page opens" opens io.html 'io-latency.stp'
	check "the page that compares opens" opens diff.html 'Comparison: io-latency.stp'
	check "the page of hostile data opens, and runs none of them" opens hostile.html 'img src=x'
	check "the page without data opens" opens empty.html 'report'
	"$report" "$lines/hosts.json" -o hosts.html
	"$report" "$lines/views.json" -o views.html
	check "the page of each view opens" opens views.html 'views.stp'
	check "clicks, keys and searches work" interacts io.html "$lines/checks.js" "$lines/page-check.js"
	for name in hostile hosts views diff; do
		check "everything on the page $name works" interacts $name.html "$lines/drive-check.js"
	done
	check "the choice of hosts works" interacts hosts.html "$lines/checks.js" "$lines/hosts-check.js"
	check "the page runs no other script" policy
fi
