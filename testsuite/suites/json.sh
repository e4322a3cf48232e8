# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap --format=json. No expected line is written by hand: jq turns the lines back into the text that stap prints
# without the option, and the two must be equal. So a list or a message cannot say less, or something else, as JSON. All
# lines are checked against the schema, the list in common/base/json_schema.h, which a unit test compares with
# stap-json(5).

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
command -v jq >/dev/null || { echo "install jq" | fail "jq is installed"; exit 0; }

. "$SPILE_SRCDIR/testsuite/json.sh"

# The check itself finds what it should.
printf '%s\n' '{"type":"probe","point":"x"}' \
	'{"type":"message","notes":[{"text":"x","place":{"file":{"base64":"eA=="}}}]}' \
	'{"type":"probe","point":1}' '{"type":"probe","pint":"x"}' '{"type":"prob"}' '{"type":"probe"' '[]' \
	'{"type":"message","place":{"line":"x"}}' '{"type":"message","alternatives":["a",1]}' >"$work/lines"
check "lines that do not fit are found" test "$(check_lines "$work/lines" | wc -l)" -eq 7

# ---- messages --------------------------------------------------------------------------------------------------------

# Print what stap prints as text, without the source below places and the lines that count errors.
messages_as_text='
	def text: if type == "object" then .base64 | @base64d else . end;
	def place($relation): "        " + $relation + ": " + (.file | text) + ":\(.line):\(.column)";
	def places: (.place // empty | place("at")), (.expanded_from[]? | place("in expansion of"));
	def prefix: if .kind == null then .level | if . == "note" then . else ascii_upcase end
		elif .kind != "warning" then .kind
		elif .level == "error" then "WARNING (an error with -W)"
		else "WARNING" end;
	select(.type == "message") |
		prefix + ": " + (.text | text), places, (.notes[]? | "note: " + (.text | text), places),
		(.hint // empty | "hint: " + text)'

# Each alternative is in the hint, unless that is cut, and a hint that suggests names has them as data.
bad_alternatives='
	select(.type == "message") | . as $message | select(
		(.hint // "" | test("did you mean|^alternatives:|^say which") and
			(($message.alternatives // []) == [])) or
		any(.alternatives[]?; . as $name | $message.hint |
			(contains($name) or contains("...") or contains("…")) | not))'

# without_source: drop also the changing part of temporary directories.
without_source() {
	sed -E -e 's#/stap[A-Za-z0-9]{6}([]:/]|$)#/stapXXXXXX\1#g' -e '/^ *([0-9]+|LINE)? \| /d; /^ +\|/d' \
		-e '/^Pass [0-9]: failed with/d'
}

# The lengths of all places, in the order of the text.
lengths='select(.type == "message") | ., .notes[]? | (.place // empty), .expanded_from[]? | [.length, 1] | max'

# All three, for view(), because a start of jq takes longer than its work here.
views="def text_lines: $messages_as_text; def unfit: $bad_alternatives; def place_lengths: $lengths;
	(text_lines | split(\"\\n\")[] | \"text \" + .), (unfit | \"unfit \" + tojson),
	(place_lengths | \"length \\(.)\")"

# view NAME: print the lines of one of the views.
view() {
	sed -n "s/^$1 //p" "$work/views"
}

# carets: print the length of the marks below each place, or "-" if the text does not show it: without an excerpt, in
# one that is cut or not ASCII, where a character may be wider than its byte, and at the end of a line.
carets() {
	LC_ALL=C awk '
	function place() { if (pending) print "-"; pending = 1 }
	/^        (at|in expansion of): / { place(); next }
	pending && /^ +[0-9]+ \| / { excerpt = $0; next }
	pending && /^ +\| / {
		marks = $0
		gsub(/[^\^~]/, "", marks)
		cut = excerpt ~ /\.\.\./ || excerpt ~ /[^ -~]/ || length($0) >= length(excerpt)
		print cut ? "-" : length(marks)
		pending = 0
	}
	END { if (pending) print "-" }'
}

judge() {
	local name="$1: the same as text" text_status=$2
	cp "$work/messages" "$work/as-text"
	SPILE_DEBUGINFO_SOURCES=${head[sources]} timeout 900 "$STAP" "-p${head[pass]:-2}" --format=json \
		-r "${head[kernel]:-$old_kernel}" "${options[@]}" "$1.stp" "${arguments[@]}" \
		>"$work/lines" 2>"$work/err"
	[ $? -eq "$text_status" ] || { echo "the exit status differs" | fail "$name"; return; }
	[ ! -s "$work/err" ] || { fail "$1: nothing on standard error" "$work/err"; return; }
	lines "$1" "$work/lines" || return
	jq -r "$views" "$work/lines" >"$work/views" 2>&1 || { fail "$1: views of the lines" "$work/views"; return; }
	view unfit >"$work/unfit"
	[ ! -s "$work/unfit" ] || { fail "$1: alternatives" "$work/unfit"; return; }
	paste <(carets <"$work/as-text") <(view length) |
		awk '$1 != $2 && $1 != "-" { print "place " NR ": " $0 }' >"$work/unfit"
	[ ! -s "$work/unfit" ] || { fail "$1: lengths of places" "$work/unfit" "$work/as-text"; return; }
	view text >"$work/from-json"
	without_source <"$work/as-text" | diff -u - "$work/from-json" >"$work/difference" && ok "$name" ||
		fail "$name" "$work/difference"
}

# In a part, one in six scripts; both formats are produced for each.
cd "$tests/diagnostics" || exit 1
SPILE_SHARE=6 translate_scripts judge

# Errors that are not about a place in the script: text and JSON agree, with the same exit status.
# agree NAME ARGUMENT...
agree() {
	local name=$1 status
	shift
	"$STAP" "$@" >"$work/text.out" 2>"$work/as-text" </dev/null
	status=$?
	"$STAP" --format=json "$@" >"$work/lines" 2>"$work/err" </dev/null
	[ $? -eq $status ] || { echo "the exit status differs" | fail "$name"; return; }
	lines "$name" "$work/lines" || return
	[ ! -s "$work/err" ] || { fail "$name: nothing on standard error" "$work/err"; return; }
	jq -r "$messages_as_text" "$work/lines" | sed "s/^hint: \(Try 'stap --help'.\)/\1/" | without_source \
		>"$work/from-json"
	without_source <"$work/as-text" >"$work/wanted"
	[ -s "$work/wanted" ] || { echo "no message" | fail "$name"; return; }
	check "$name" diff -u "$work/wanted" "$work/from-json"
}

agree "an unknown kernel" -r 1.2.3 -p2 -e 'probe begin {}'
agree "an unknown option" -p2 --bogus -e 'probe begin {}'
agree "an option before --format is wrong" -p9 -e 'probe begin {}'
agree "no script" -p2
agree "an unreadable script" -p2 /nonexistent/x.stp
agree "an unknown example" -p1 --example slab-aby
agree "a warning of the command line" -p1 -q -D MAXACTON=5 -e 'probe begin {}'
agree "no examples match" --list-examples zzzzzzzzzz
agree "nothing matches a list" -r $old_kernel -l 'kernel.function("vfs_raed")'
! is_part "$suite/kbuild" 6 ||
	agree "C that does not compile" -r $old_kernel -g -p4 -e 'probe begin { %{ nonsense(); %} }'

# ---- lists -----------------------------------------------------------------------------------------------------------

# same_list NAME FILTER ARGUMENT...: are the JSON lines of a list, turned into text by the jq filter, the text list?
# With $slurped set to -s, the filter gets an array of all lines.
slurped=
same_list() {
	local name=$1 filter=$2
	shift 2
	"$STAP" -r $old_kernel "$@" >"$work/text" 2>"$work/text.err"
	"$STAP" -r $old_kernel --format=json "$@" >"$work/lines" 2>"$work/err"
	[ -s "$work/text" ] || { fail "$name" "$work/text.err"; return; }
	lines "$name" "$work/lines" || return
	jq $slurped -r "$filter" "$work/lines" >"$work/from-json" 2>&1
	check "$name" diff -u "$work/text" "$work/from-json"
}

variables='(.variables | map(" " + .name + ":" + .type) | add // "")'
parameters='(.parameters | map(.name + ":" + .type) | join(", "))'
same_list "-l: functions" .point -l 'kernel.function("vfs_r*")'
same_list "-l: aliases and wildcards" .point -l 'vm.*'
same_list "-l: inlined instances" .point -l 'kernel.function("*@fs/read_write.c")'
same_list "-L: functions" ".point + $variables" -L 'kernel.function("vfs_r*")'
same_list "-L: returns" ".point + $variables" -L 'kernel.function("vfs_r*").return'
same_list "-L: tracepoints" ".point + $variables" -L 'kernel.trace("sched:sched_sw*")'
same_list "-L: aliases" ".point + $variables" -L 'vm.*'
same_list "-L: system calls" ".point + $variables" -L 'syscall.openat*'
same_list "-L: statements" ".point + $variables" -L 'kernel.statement("vfs_read@fs/read_write.c:*")'
same_list "--list-vars" '[.point, .at, .name, .c_type, .place] | join("\t")' --list-vars 'kernel.function("vfs_r*")'
same_list "--dump-functions" ".name + \":\" + .returns + \" (\" + $parameters + \")\"" --dump-functions
same_list "--dump-probe-aliases" '.name + " = " + (.points | join(", "))' --dump-probe-aliases
same_list "--dump-probe-types" .point --dump-probe-types
slurped=-s
same_list "--list-examples" 'reduce .[] as $e ({topic: null, text: []};
		.text += (if .topic == $e.topic then [] else (if .topic then [""] else [] end) + [$e.topic] end) +
			["  " + $e.name + ((" " * (20 - ($e.name | length))) // "") + "  " + $e.title +
			if $e.needs == "dwarf" then " (needs debug symbols)" else "" end] |
		.topic = $e.topic) | .text[]' --list-examples
lines_as_text='reduce (.[] | select(.type == "line")) as $l ({heading: null, text: []};
		.text += (if .heading == $l.heading then [] else
			(if .heading then [""] else [] end) + [$l.heading | text] end) +
			[(if $l.probeable then "*" else " " end) + " " +
			(" " * (5 - ($l.line | tostring | length)) // "") + ($l.line | tostring) +
			($l.text // "" | text | if . == "" then "" else "  " + . end)] |
		.heading = $l.heading) | .text[]'
text='def text: if type == "object" then .base64 | @base64d else . end;'
same_list "--list-lines" "$text $lines_as_text" --list-lines 'kernel.function("vfs_re*")'
same_list "--list-lines: a file" "$text $lines_as_text" --list-lines fs/read_write.c:440-480
slurped=

# ---- hostile names ---------------------------------------------------------------------------------------------------

# Names and source with bytes that are not UTF-8, quotes, and what terminals act on.
hostile=$work/$'d\0337\377"'
mkdir "$hostile"
{
	printf 'int victim(int n)\n{\n\treturn n + 1; /* \377 "\033[2J */ /* \302\233 */\n}\n'
	printf 'int main(void) { return victim(1); }\n'
} >"$hostile/"$'s\377.c'
(cd "$hostile" && gcc -g -O0 -o program $'s\377.c') || echo gcc | fail "the program is built"
printf 'probe begin { print("\377\033\302\233") }\nprobe end { \n' >"$hostile/"$'\377.stp'
point="process(\"$(sed 's/["\\]/\\&/g' <<<"$hostile")/program\").function(\"victim\")"

# member FILTER: print the bytes of a string.
member() {
	local value
	value=$(jq -c "$1" "$work/lines")
	case $value in
	'{"base64":'*) jq -r ".base64" <<<"$value" | base64 -d ;;
	*) jq -j . <<<"$value" ;;
	esac
}

# hostile NAME FILTER EXPECTED ARGUMENT...: the lines are of the schema, a terminal does not act on them, and the first
# string that the filter finds is EXPECTED, byte for byte.
hostile() {
	local name=$1 filter=$2 expected=$3
	shift 3
	"$STAP" --format=json -r $old_kernel "$@" >"$work/lines" 2>"$work/err"
	lines "$name" "$work/lines" || return
	if LC_ALL=C grep -q $'[\001-\011\013-\037\177]\|\302[\200-\237]' "$work/lines" ||
		! iconv -f UTF-8 -t UTF-8 "$work/lines" >/dev/null; then
		fail "$name: no byte is raw" "$work/lines"
		return
	fi
	member "first(inputs, . | $filter)" >"$work/got" 2>"$work/err"
	printf %s "$expected" >"$work/wanted"
	cmp "$work/wanted" "$work/got" >"$work/difference" 2>&1 && ok "$name" ||
		fail "$name" "$work/difference" "$work/lines"
}

hostile "hostile: -l" .point "$("$STAP" -r $old_kernel -l "$point")" -l "$point"
hostile "hostile: -L" .object "$hostile/program" -L "$point"
hostile "hostile: --list-vars" .name '$n' --list-vars "$point"
hostile "hostile: --list-lines" 'select(.line == 3).text' \
	"$(sed -n 3p "$hostile/"$'s\377.c')" --list-lines "$point"
hostile "hostile: an error at a place" .place.file "$hostile/"$'\377.stp' -p2 "$hostile/"$'\377.stp'
hostile "hostile: an error without a place" .text "cannot read $hostile/absent: No such file or directory" \
	-p2 "$hostile/absent"
hostile "hostile: the name of an option" .text $'unknown option --\377\033x' $'--\377\033x'
hostile "hostile: a script's strings" 'select(.type == "source").text | test("\\\\033")' true \
	-p1 -e $'probe begin { print("\033\302\233\377") }'

# ---- the option --format ---------------------------------------------------------------------------------------------

check "--format=xml: the formats are listed" \
	refuses "^ERROR: --format requires text, json, or json,SECONDS, not 'xml'" \
	"$STAP" --format=xml -p1 -e 'probe begin {}'
check "--format=text is the default" \
	diff <("$STAP" --format=text -p1 -e 'probe begin {}') <("$STAP" -p1 -e 'probe begin {}')
check "the last --format counts" \
	diff <("$STAP" --format=json --format=text -p1 -e 'probe begin {}') <("$STAP" -p1 -e 'probe begin {}')
for options in "--list-servers" "--prepare" "--use-server=x -p4 -e x" "--trust-servers" \
	"--use-server-on-error -p2 -e x"; do
	check "--format=json ${options%% *} is refused" refuses '"text":"--format=json does not support ' \
		"$STAP" --format=json $options
done
for options in -b -F --monitor "-S 1 -o x" "--remote-prefix --remote=vm:"; do
	check "--format=json ${options%% *} is refused for a run" \
		refuses '"text":"--format=json and .* exclude each other: ' \
		"$STAP" --format=json $options -e 'probe begin {}'
done
for interval in 0 x 5m -1 "" 86401; do
	check "--format=json,$interval is refused" refuses '"--format=json requires a number of seconds ' \
		"$STAP" --format=json,$interval -e 'probe begin {}'
done

# ---- results of passes -----------------------------------------------------------------------------------------------

script='global a, b[3]
probe kernel.function("vfs_read") { a <<< $count; b[1, execname()] = "x" }
probe end { println(b[1, "y"], @sum(a)) }'
for pass in 1 2 3; do
	same_list "-p$pass" 'select(.type == "source") | .text | rtrimstr("\n")' -p$pass -m json_pass -e "$script"
done
"$STAP" -r $old_kernel --format=json -p2 -e "$script" >"$work/lines"
lines "-p2" "$work/lines"
check "-p2: types of globals" test "$(jq -rc 'select(.type == "global") | [.name, .kind, .keys, .values]' \
	"$work/lines" | sort)" = '["a","scalar",[],"statistics"]
["b","array",["number","string"],"string"]'
(cd "$work" && "$STAP" -r $old_kernel --format=json -p4 -m json_module -e "$script" >"$work/lines")
check "-p4: the module's path" test "$(jq -r .path "$work/lines")" = json_module.ko
