# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-mcp, the server for agents: its messages, the arguments of its tools, and what the tools run. Scripts run in
# guests only. With SPILE_FULL=1, npm's official client uses it, too.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
command -v jq >/dev/null || { echo "install jq" | fail "jq is installed"; exit 0; }
server=$SPILE_BUILDDIR/stap-mcp
export SYSTEMTAP_DIR=$work/home
mkdir -p "$work/home" "$work/project/inside" && cd "$work/project" || exit 1
# The cache of the user, although SYSTEMTAP_DIR is another directory.
export SPILE_CACHE=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}

# ask LINE...: send messages; write the answers to $work/answers, ordered by their ids.
ask() {
	printf '%s\n' "$@" | timeout 600 "$server" >"$work/lines" 2>"$work/err" || return
	jq -cs 'sort_by(.id)[]' "$work/lines" >"$work/answers"
}
# call TOOL ARGUMENTS: print a message that calls a tool, with the next id.
call() {
	id=$((id + 1))
	printf '{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' $id "$1" "$2"
}
# answers FILTER WANTED: is this the result of the filter of jq for the answers?
answers() {
	printf '%s\n' "$2" >"$work/wanted"
	jq -r "$1" "$work/answers" | diff -u --label wanted --label got "$work/wanted" -
}
# one FILTER WANTED TOOL ARGUMENTS: the same for one call.
one() {
	id=0
	ask "$(call "${@:3}")" && answers "$1" "$2"
}
text='.result.content[0].text | rtrimstr("\n")'
kernel="\"kernel\":\"$old_kernel\""

# ---- messages --------------------------------------------------------------------------------------------------------

greets() {
	ask '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}' \
		'{"jsonrpc":"2.0","method":"notifications/initialized"}' \
		'{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}' \
		'{"jsonrpc":"2.0","id":3,"method":"ping"}' &&
		answers '.result | .protocolVersion // tostring' '2025-03-26
2025-06-18
{}'
}
check "the version of the protocol is the client's, or the newest" greets
wrong_messages() {
	ask junk '[]' '"text"' '{"jsonrpc":"2.0"}' "$(printf '[%.0s' {1..100000})" '{"id":1,"method":"nothing"}' \
		'{"id":{},"method":"ping"}' '{"jsonrpc":"2.0","id":2,"result":{}}' '{"id":3,"method":"tools/call"}' &&
		jq -r '[.id // "null", .error.code] | join(" ")' "$work/answers" | sort | uniq -c |
		tr -s ' ' >"$work/got"
	printf '%s\n' ' 1 1 -32601' ' 1 3 -32602' ' 2 null -32700' ' 3 null -32600' | sort |
		diff - <(sort "$work/got")
}
check "messages that are none are answered, and do no harm" wrong_messages
too_long() {
	! head -c 20000000 /dev/zero | tr '\0' x | "$server" >"$work/lines" 2>"$work/err" &&
		grep -q 'a message is too long' "$work/err"
}
check "a message without an end is refused" too_long
lists_tools() {
	ask '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' &&
		answers '.result.tools[] | [.name,
			(.inputSchema | .type, (.required | join("+")), .additionalProperties),
			.annotations.readOnlyHint] | map(tostring) | join(" ")' \
		'list_probes object pattern false true
describe object name false true
check object script false true
run_in_guest object script false true
examples object  false true
report object script false false'
}
check "each tool has a schema" lists_tools
gone_reader() {
	{ printf '{"id":1,"method":"ping"}\n%.0s' {1..20000}; sleep 60; } 2>/dev/null |
		timeout 50 "$server" | head -n 1 >/dev/null
	[ "${PIPESTATUS[1]}" -ne 124 ]
}
check "it ends if nobody reads its answers" gone_reader

# ---- arguments -------------------------------------------------------------------------------------------------------

# refused ARGUMENTS TEXT [TOOL]
refused() {
	one "[.result.isError, ($text)] | map(tostring) | join(\" \")" "true $2" "${3:-run_in_guest}" "$1"
}
check "a missing argument" refused '{}' "run_in_guest requires the argument 'script'"
check "an unknown argument" refused '{"script":"","host":"x"}' "run_in_guest has no argument 'host'"
check "an argument of another type" refused '{"script":["x"]}' "'script' has not the type string"
check "a number out of range" refused '{"script":"","seconds":601}' "'seconds' is a number from 1 to 600"
check "a number that is a text" refused '{"script":"","seconds":"5"}' "'seconds' is a number from 1 to 600"
check "an array with other items" refused '{"script":"","arguments":[1]}' "'arguments' has not the type array"
check "a file elsewhere" refused '{"script":"","files":["/etc/passwd"]}' \
	"'/etc/passwd' is not below the server's current directory, $PWD"
check "a file above" refused '{"script":"","files":["inside/../../x"]}' \
	"'inside/../../x' is not below the server's current directory, $PWD"
ln -s /etc/passwd inside/link
check "a link to a file elsewhere" refused '{"script":"","files":["inside/link"]}' \
	"'inside/link' is not below the server's current directory, $PWD"
check "a report elsewhere" refused '{"script":"","file":"/tmp/x.html"}' \
	"'/tmp/x.html' is not below the server's current directory, $PWD" report
echo mine >existing.txt
check "a report over a file" refused '{"script":"","file":"existing.txt"}' "'existing.txt' exists" report
check "a report without a format" refused '{"script":"","file":"x.doc"}' \
	"the ending of 'x.doc' is not that of a format" report
check "an example that does not exist" refused '{"name":"slab-an"}' "no example is called 'slab-an'" examples
elsewhere() {
	echo '--remote=host' >"$work/home/rc"
	mkdir -p "$work/other"
	! "$server" </dev/null 2>"$work/err" && grep -q 'the rc file has the option --remote=host' "$work/err"
	local status=$?
	rm "$work/home/rc"
	return $status
}
check "an rc file that names a host is refused" elsewhere

# ---- tools -----------------------------------------------------------------------------------------------------------

check "list_probes" one "$text | gsub(\":[0-9]+\"; \":N\")" 'kernel.function("vfs_read@fs/read_write.c:N")' \
	list_probes "{\"pattern\":\"kernel.function(\\\"vfs_read\\\")\",$kernel}"
check "list_probes, with nothing found" \
	one '[.result.isError, (.result.structuredContent.messages | contains("no function matches"))] |
		map(tostring) | join(" ")' "true true" \
	list_probes "{\"pattern\":\"kernel.function(\\\"vfs_rad\\\")\",$kernel}"
check "describe" one "$text | split(\"\n\")[1]" 'function execname:string ()' describe '{"name":"execname"}'
check "describe a name that does not exist" refused '{"name":"exenam"}' "nothing is known about 'exenam'" describe
check "check" one '.result | [.isError, .structuredContent.status,
	(.structuredContent.output | split("\n")[0] | fromjson | .text)] | map(tostring) | join(" ")' \
	"false 1 no function 'foo' with 0 arguments" check "{\"script\":\"probe begin { foo() }\",$kernel}"
check "examples" one "$text | test(\"slab-any +Who allocates\")" true examples '{"word":"slab"}'
check "the text of an example" one "$text | test(\"probe \")" true examples '{"name":"slab-any"}'
echo brought >inside/file
# with ID TOOL ARGUMENT...: print a call whose arguments are these members, and the kernel.
with() {
	local IFS=,
	id=$(($1 - 1)) call "$2" "{${*:3},$kernel}"
}
runs() {
	local option='global n = @option_number(\"n\", 1, 0, 9, \"a number\")'
	local probes='probe begin { println(@1, \" \", $2, n) } probe end { println(\"end\") }'
	ask "$(with 1 run_in_guest \
		"\"script\":\"$option $probes\"" \
		'"arguments":["-x","7"]' '"options":["n=8"]' '"command":"cat inside/file"' '"files":["inside"]')" \
		"$(with 2 run_in_guest '"script":"probe begin { while (1) println(1) }"' '"output_bytes":1024')" \
		"$(with 3 run_in_guest '"script":"probe timer.s(1) { println(\"tick\") }"' '"seconds":2')" \
		"$(with 4 run_in_guest '"script":"probe begin { nothing() }"')" \
		"$(with 5 report '"script":"global n probe begin { n = 42 exit() }"' '"file":"inside/report.txt"')"
}
check "scripts run in guests" runs
check "the output of a script, its command, arguments, options and files" answers \
	'select(.id == 1).result.structuredContent | [.status, (.output | split("\n") | sort[])] | join(" ")' \
	'0  -x 78 brought end'
check "a script that prints too much is ended" answers \
	'select(.id == 2).result.structuredContent | [.cut, (.output | length)] | map(tostring) | join(" ")' 'true 1024'
check "a script ends after its time" answers 'select(.id == 3).result | [.isError, .structuredContent.status] |
	map(tostring) | join(" ")' 'false 0'
check "a script with a mistake is an error" answers 'select(.id == 4).result | [.isError,
	(.structuredContent.messages | test("no function .nothing"))] | map(tostring) | join(" ")' 'true true'
check "a report is written to a file" grep -q '42' inside/report.txt
cancelled() {
	{
		with 1 run_in_guest '"script":"probe begin { println(1) }"' '"seconds":600'
		sleep 1
		echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
		id=1 call describe '{"name":"execname"}'
	} | timeout 300 "$server" >"$work/answers" && answers .id 2
}
check "a call that is cancelled ends, and has no answer" cancelled
check "nothing is left behind" test -z "$(ls "$TMPDIR")"

# ---- the official client ---------------------------------------------------------------------------------------------

npm_client() {
	mkdir -p "$work/npm" && (cd "$work/npm" && npm install --silent --no-package-lock @modelcontextprotocol/sdk@1) \
		>"$work/npm.log" 2>&1
}
uses_client() {
	timeout 500 node "$tests/agents/client.mjs" "$work/npm" "$server" $old_kernel
}
if [ -z "$SPILE_FULL" ]; then
	exit 0
elif ! command -v npm >/dev/null; then
	skip "npm's official client" "install npm"
elif npm_client; then
	check "npm's official client" uses_client
else
	skip "npm's official client" "npm cannot download it"
fi
