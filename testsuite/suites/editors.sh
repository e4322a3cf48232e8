# SPDX-License-Identifier: GPL-2.0-or-later
#
# Editors: the language server, formatting, --check, and the syntax files.
#
# testsuite/editors/NAME.stp is a script with a query: the result must be exactly NAME.out. The character U+2038 (a
# caret) marks the cursor and is removed. Comments at the head of a script, which are a part of it:
#
#     # query: completion     the request textDocument/completion, and so on
#     # with: {...}           further parameters of the request, as JSON
#     # show: FILTER          the jq filter for the result; the default depends on the query
#
# All scripts are documents of one server. Then hostile clients, what the server forgets, and real clients: Neovim and
# the Node library of the protocol (with SPILE_FULL=1, since they are large).

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
command -v jq >/dev/null || { echo "install jq" | fail "jq is installed"; exit 0; }
server=$SPILE_BUILDDIR/stap-language-server

# Without an index, answers about the kernel would be incomplete.
"$STAP" -r $old_kernel -l 'kernel.function("vfs_read")' >"$work/index" 2>&1 ||
	fail "the kernel has an index" "$work/index"

# ---- a plain client --------------------------------------------------------------------------------------------------

# frame TEXT: print a message with its header.
frame() {
	local LC_ALL=C
	printf 'Content-Length: %d\r\n\r\n%s' ${#1} "$1"
}

# notify METHOD PARAMS, request ID METHOD PARAMS: print a message.
notify() { frame "{\"jsonrpc\":\"2.0\",\"method\":\"$1\",\"params\":$2}"; }
request() { frame "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"$2\",\"params\":${3:-null}}"; }

# messages: print the messages of the input, one per line. Those of the server contain no line ends.
messages() { tr -d '\r' | sed -E 's/Content-Length: [0-9]+$//' | grep .; }

# lengths_fit FILE: does each header tell the length of its message?
lengths_fit() {
	LC_ALL=C awk 'BEGIN { RS = "Content-Length: " }
		NR > 1 {
			length_told = $0 + 0
			at = index($0, "\r\n\r\n")
			if (!at || length($0) - at - 3 != length_told) { print NR ": " $0; exit 1 }
		}' "$1"
}

capabilities='{"textDocument":{"completion":{"completionItem":{"snippetSupport":true}},"diagnostic":{}}}'

# begin [MEMBERS]: print the messages with which a connection begins; end: those with which it ends.
begin() {
	request 0 initialize "{\"processId\":null,\"rootUri\":null,\"capabilities\":$capabilities${1:+,$1}}"
	notify initialized '{}'
}
end() { request 999999 shutdown; notify exit null; }

# open URI: print a message that opens the text of standard input as a document.
open_document() {
	notify textDocument/didOpen "$(jq -Rsc --arg uri "$1" \
		'{textDocument: {uri: $uri, languageId: "systemtap", version: 1, text: .}}')"
}

# ---- queries ---------------------------------------------------------------------------------------------------------

caret=$'\u2038'

# Two messages of a script, whose text is the input: one opens it, the other asks at the caret. Positions are in
# UTF-16.
query_messages='
	split($caret) as $parts | ($parts[0] | split("\n")) as $before |
	{line: ($before | length - 1),
		character: ($before[-1] | explode | map(if . > 65535 then 2 else 1 end) | add // 0)} as $position |
	{method: "textDocument/didOpen", params: {textDocument:
		{uri: $uri, languageId: "systemtap", version: 1, text: ($parts | join(""))}}},
	{id: $id, method: "textDocument/\($query)",
		params: ({textDocument: {uri: $uri}, position: $position} + $more)} |
	{jsonrpc: "2.0"} + .'

# How results are shown.
declare -A shown=(
	[completion]='(.items[] | [.label, .detail // "", .textEdit.newText] | join(" | ")),
		(if .isIncomplete then "and more" else empty end)'
	[hover]='if . then .contents.value else "nothing" end'
	[signatureHelp]='if . then "\(.activeParameter): \(.signatures[0].label)", .signatures[0].documentation.value
		else "nothing" end'
	[definition]='.[] | "\(.uri | sub(".*/"; ""))", .range'
	[references]='.[].range' [documentHighlight]='.[].range'
	[rename]='.' [prepareRename]='.'
	[documentSymbol]='.[] | "\(.kind) \(.name) \(.detail // "")", .range'
	[foldingRange]='.[]' [inlayHint]='.[] | "\(.position.line):\(.position.character) \(.label)"'
	[formatting]='.[].newText'
	[codeAction]='.[] | .title, (.edit.changes[][] | .range, .newText)'
	[diagnostic]='.items[] | "\(.severity) \(.message)", .range,
		(.relatedInformation[]? | "  \(.message)", .location.range)'
	# The first options are those of the client.
	[codeLens]='.[] | .range, (.command | .title, .command, .arguments[1][2:])'
	[semanticTokens/full]='[.data | _nwise(5) | map(tostring) | join(",")] | join(" ")'
)

# queries: print the messages for all scripts.
queries() {
	local script number=0 message
	begin "\"initializationOptions\":{\"options\":[\"-r\",\"$old_kernel\"]}"
	for script in "${scripts[@]}"; do
		read_head "$script"
		number=$((number + 1))
		jq -Rsc --arg caret "$caret" --arg uri "file://$PWD/$script" --argjson id $number \
			--arg query "${head[query]}" --argjson more "${head[with]:-"{}"}" "$query_messages" "$script" |
			while IFS= read -r message; do frame "$message"; done
	done
	end
}

# Leave out what differs between versions of the kernel's package.
steady() {
	sed -E -e 's/([A-Za-z0-9_.-]+\.[chS]):[0-9]+/\1:LINE/g' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+[-+][A-Za-z0-9.+-]*-amd64/RELEASE/g'
}

judge_queries() {
	local script number=0 filter
	for script in "${scripts[@]}"; do
		read_head "$script"
		filter=${head[show]:-${shown[${head[query]}]}}
		number=$((number + 1))
		jq -rc "if .error then \"error: \" + .error.message else .result | $filter end" \
			"$work/answer.$number" >"$work/got" 2>&1
		compare "${script%.stp}" "$tests/editors/${script%.stp}.out" "$work/got"
	done
}

cd "$tests/editors" || exit 1
SPILE_SHARE=${SPILE_SHARE:-4} choose_scripts
queries >"$work/input"
"$server" <"$work/input" >"$work/output" 2>"$work/errors"
status=$?
check "the server ends as it was told" test $status -eq 0
check "the server prints nothing else" test ! -s "$work/errors"
check "headers tell the lengths of messages" lengths_fit "$work/output"
messages <"$work/output" | steady >"$work/answers"
check "each message is JSON" jq -e .jsonrpc "$work/answers"
awk -v prefix="$work/answer." -F '"id":' 'NF > 1 { print >(prefix int($2)) }' "$work/answers"
judge_queries
cd "$work" || exit 1

# ---- connections -----------------------------------------------------------------------------------------------------

# answers: send standard input to a server, and print its answers, one per line. Its exit status is in the file
# `status`.
answers() {
	"$server" "$@" >"$work/output" 2>"$work/errors"
	echo $? >"$work/status"
	lengths_fit "$work/output" && messages <"$work/output"
}

# codes: print "ID CODE" of the errors among answers.
codes() { jq -r 'select(.error) | "\(.id) \(.error.code)"'; }

request 1 textDocument/hover '{}' | answers | codes >got
check "a request before initialize is refused" test "$(cat got)" = "1 -32002"

{ begin; request 5 no/such '{}'; notify no/such '{}'; notify '$/x' '{}'; end; } | answers | codes >got
check "an unknown method is refused, an unknown notification ignored" test "$(cat got)" = "5 -32601"

{ begin; frame 'nonsense'; frame '{"a":'; frame '[]'; frame '""'; frame "$(printf '\xff')"; request 6 shutdown
	notify exit null; } | answers | codes >got
check "what is not JSON is refused, and the next message answered" \
	test "$(sort got | tr '\n' ' ')" = "null -32600 null -32600 null -32700 null -32700 null -32700 "

{ begin; frame "$(printf '[%.0s' $(seq 100000))"; end; } | answers | codes >got
check "a message of brackets is refused" test "$(cat got)" = "null -32700"

{ begin; frame '{"jsonrpc":"2.0","id":{},"method":"shutdown"}'; frame '{"jsonrpc":"2.0","id":1}'; end; } |
	answers | codes >got
check "an id of a wrong type is refused" test "$(tr '\n' ' ' <got)" = "null -32600 null -32600 "

{ begin; request 1 shutdown; request 2 textDocument/hover '{}'; notify exit null; } | answers | codes >got
check "a request after shutdown is refused" test "$(cat got)" = "2 -32600"

{ begin; request 1 textDocument/hover '{"textDocument":{"uri":"file:///none"}}'; request 2 textDocument/hover 7
	request 3 textDocument/hover '[]'; request 4 textDocument/hover '{"textDocument":{"uri":5}}'; end; } | answers |
	codes >got
check "a document that is not open is refused" test "$(sort -u got | wc -l)" -eq 4 -a "$(grep -c -- -32602 got)" -eq 4

# What comes after the cancellation of a waiting request is answered.
{ begin; echo 'probe begin {}' | open_document file:///a.stp
	request 1 textDocument/documentSymbol '{"textDocument":{"uri":"file:///a.stp"}}'
	request 2 textDocument/documentSymbol '{"textDocument":{"uri":"file:///a.stp"}}'
	notify '$/cancelRequest' '{"id":2}'; notify '$/cancelRequest' '{"id":77}'; notify '$/cancelRequest' '{}'
	end; } | answers >all
check "a request that waits can be cancelled" test "$(codes <all)" = "2 -32800"
check "other requests are answered" test "$(jq -r 'select(.id == 1) | .result[0].name' all)" = begin

# bad_header TEXT: does a header end the connection with an error?
bad_header() {
	{ begin; printf '%b' "$1"; end; } | answers >all
	[ "$(cat status)" -eq 1 ] && grep -q header errors
}
check "a length that is no number ends the connection" bad_header 'Content-Length: x\r\n\r\n{}'
check "a negative length ends the connection" bad_header 'Content-Length: -5\r\n\r\n{}'
check "a huge length ends the connection" bad_header 'Content-Length: 99999999999999999999\r\n\r\n{}'
check "a header without a length ends the connection" bad_header 'Content-Type: x\r\n\r\n{}'
check "a line that is no field ends the connection" bad_header 'hello\r\n\r\n{}'
check "an endless header ends the connection" bad_header "$(printf 'x%.0s' $(seq 5000))"

begin | answers >all
check "a connection that just ends is an error" test "$(cat status)" -eq 1
{ begin; printf 'Content-Length: 100\r\n\r\n{"jsonrpc"'; } | answers >all
check "a message that is cut off is an error" test "$(cat status)" -eq 1

# The client closes its end of the answers.
{ begin; for i in $(seq 1000); do request $i no/such; done; } >input
check "a client that closes its end ends the server" \
	bash -c '"$0" <input 2>errors | head -c 100 >/dev/null; [ ${PIPESTATUS[0]} -eq 1 ] && [ ! -s errors ]' "$server"

# ---- documents -------------------------------------------------------------------------------------------------------

# change JSON: print a message that changes file:///a.stp.
change() {
	notify textDocument/didChange \
		"{\"textDocument\":{\"uri\":\"file:///a.stp\",\"version\":2},\"contentChanges\":[$1]}"
}
# at LINE CHARACTER LINE CHARACTER: print a member with a range.
at() { echo "\"range\":{\"start\":{\"line\":$1,\"character\":$2},\"end\":{\"line\":$3,\"character\":$4}}"; }
names() { jq -r 'select(.id == 9) | [.result[].name] | join(" ")'; }
ask_names() { request 9 textDocument/documentSymbol '{"textDocument":{"uri":"file:///a.stp"}}'; }

# Characters of one, two, three and four bytes are one, one, one and two units of UTF-16.
{ begin; printf '# a\u00e4\u20ac\U0001f600\nglobal one, two\n' | open_document file:///a.stp
	change "{$(at 0 7 1 7),\"text\":\"\\nglobal zero, \"},{$(at 1 13 1 16),\"text\":\"uno\"}"; ask_names; end; } |
	answers | names >got
check "incremental changes count in UTF-16" test "$(cat got)" = "zero uno two"

utf8='"capabilities":{"general":{"positionEncodings":["utf-16","utf-8"]}}'
{ request 0 initialize "{$utf8}"; printf '# a\u00e4\u20ac\U0001f600\nglobal one, two\n' | open_document file:///a.stp
	change "{$(at 0 12 1 7),\"text\":\"\\nglobal zero, \"}"; ask_names; end; } | answers >all
check "incremental changes count in UTF-8 if the client can" test "$(names <all)" = "zero one two"
check "the encoding is told" test "$(jq -r 'select(.id == 0) | .result.capabilities.positionEncoding' all)" = utf-8

{ begin; echo 'global one' | open_document file:///a.stp
	change "{$(at 5 5 99999999 99),\"text\":\"global two\\n\"},{$(at 3 0 0 0),\"text\":\"#\\n\"}"
	change '{"text":7}'; change '5'; change "{\"range\":5,\"text\":\"global three\"}"; ask_names; end; } |
	answers | names >got
check "positions outside of the text are its end, and wrong changes ignored" test "$(cat got)" = "three"

# Diagnostics that are sent.
printf 'probe begin { x = 1 +\n' >broken.stp
publishes() {
	: >output
	{ request 0 initialize '{}'; open_document file:///a.stp <broken.stp
		within 100 grep -q publishDiagnostics output >&2; end; } | "$server" >output
	messages <output | jq -se 'map(select(.method == "textDocument/publishDiagnostics"))[0].params |
		.uri == "file:///a.stp" and .version == 1 and .diagnostics[0].severity == 1'
}
check "problems are sent to clients that do not ask for them" publishes

# ---- settings --------------------------------------------------------------------------------------------------------

mkdir -p directory
echo '%{ int x; %}' >embedded.stp
# problems OPTIONS FILE [SETTINGS]: print the messages of the problems of a script in `directory`.
problems() {
	local uri=file://$work/directory/a.stp
	{ begin "\"initializationOptions\":{\"options\":$1}"; open_document "$uri" <"$2"
		[ -z "$3" ] || notify workspace/didChangeConfiguration "{\"settings\":$3}"
		request 9 textDocument/diagnostic "{\"textDocument\":{\"uri\":\"$uri\"}}"; end; } |
		answers | jq -r 'select(.id == 9) | .result.items[].message'
}
says() { grep -q -- "$1" || { cat; return 1; }; }
check "embedded C needs guru mode" eval 'problems "[]" embedded.stp | says "guru mode"'
check "options of the client are used" test -z "$(problems '["-g"]' embedded.stp)"
check "settings without options change none" test -z "$(problems '["-g"]' embedded.stp '{"spile":null}')"
check "settings replace the options of the client" \
	eval 'problems "[\"-g\"]" embedded.stp "{\"spile\":{\"options\":[]}}" | says "guru mode"'
check "settings may be without a section" test -z "$(problems '[]' embedded.stp '{"options":["-g"]}')"
(echo '# stap: -g'; cat embedded.stp) >head.stp
check "options at the head of a script are used" test -z "$(problems '[]' head.stp)"
echo '{"other":1,"options":["-g"]}' >directory/.spile.json
check "options of .spile.json are used" test -z "$(problems '[]' embedded.stp)"
echo '{"options":["-g"' >directory/.spile.json
check "a broken .spile.json is a problem" eval 'problems "[]" embedded.stp | says ".spile.json"'
rm directory/.spile.json
echo 'probe begin {}' >good.stp
check "an unknown option is a problem" eval 'problems "[\"--nonsense\"]" good.stp | says "unknown option --nonsense"'
check "an option with an effect outside of passes 1 and 2 is a problem" \
	eval 'problems "[\"-m\",\"x\"]" good.stp | says "has no effect"'
check "an unknown kernel is a problem" eval 'problems "[\"-r\",\"9.9\"]" good.stp | says "9.9"'

# ---- several files ---------------------------------------------------------------------------------------------------

# A tapset that two scripts use; b.stp is not open at first.
mkdir -p many/tapset
printf 'global shared\nfunction twice(x) { shared++; return 2 * x }\nprivate function mine() { return twice(1) }\n' \
	>many/tapset/one.stp
printf 'probe two.alias = begin { value = twice(3) + shared }\n' >many/tapset/two.stp
printf '@define both(a) %%( (@a + @a) %%)\n' >many/tapset/three.stpm
printf 'probe begin { println(twice(1), @both(1)) }\nfunction own() { return shared }\n' >many/a.stp
printf 'function twice(x) { return x }\nprobe begin { println(twice(2)) }\n' >many/own.stp
printf 'probe end { println(twice(4), @both(2), shared) }\n' >many/b.stp

# ask METHOD LINE CHARACTER MEMBERS: print a request about many/a.stp.
id=0
ask() {
	request $((++id)) "textDocument/$1" "{\"textDocument\":{\"uri\":\"file://$work/many/a.stp\"},
		\"position\":{\"line\":$2,\"character\":$3},$4}"
}
declaring='"context":{"includeDeclaration":true}'
{ begin '"initializationOptions":{"options":["-I","tapset"]}'
	for script in a own b; do open_document "file://$work/many/$script.stp" <"many/$script.stp"; done
	ask references 0 23 "$declaring"
	ask references 1 25 "$declaring"
	ask references 0 34 "$declaring"
	ask references 1 9 "$declaring"
	ask rename 0 23 '"newName":"double"'
	ask rename 0 23 '"newName":"mine"'
	ask rename 1 9 '"newName":"other"'
	end; } | answers >all
# places ID: print FILE:LINE:CHARACTER,... of the places or edits in an answer, or its error.
places() {
	jq -r --argjson id "$1" 'def at(range): range.start | "\(.line):\(.character)"; select(.id == $id) |
		if .error then .error.message
		elif .result | type == "array" then .result[] | "\(.uri | sub(".*/"; "")):\(at(.range))"
		else .result.changes | to_entries[] |
			"\(.key | sub(".*/"; "")):\(.value | map(at(.range)) | join(","))" end' all
}
# places_are ID PLACE...: are these the places?
places_are() { places "$1" | diff - <(printf '%s\n' "${@:2}"); }
check "references to a function of a tapset, in all open scripts and tapsets" \
	places_are 1 a.stp:0:22 b.stp:0:20 one.stp:1:9 one.stp:2:33 two.stp:0:34
check "references to a global of a tapset" places_are 2 a.stp:1:24 b.stp:0:40 one.stp:0:7 one.stp:1:20 two.stp:0:45
check "references to a macro of a tapset" places_are 3 a.stp:0:33 b.stp:0:31 three.stpm:0:8
check "references to what a script declares are in the script" places_are 4 a.stp:1:9
check "a function of a tapset is renamed everywhere" places_are 5 a.stp:0:22 b.stp:0:20 one.stp:1:9,2:33 two.stp:0:34
check "a name that another file has is refused" \
	eval 'places 6 | says "in .*one.stp: the new name means something else"'
check "a function of the script is renamed in the script" places_are 7 a.stp:1:9

# A tapset of one's own has a mistake while it is written.
mkdir -p many/damaged
echo 'probe damaged = begin { x = }' >many/damaged/one.stp
echo 'probe begin { println(strl' >many/c.stp
{ begin '"initializationOptions":{"options":["-I","damaged"]}'
	open_document "file://$work/many/c.stp" <many/c.stp
	request 1 textDocument/completion \
		"{\"textDocument\":{\"uri\":\"file://$work/many/c.stp\"},\"position\":{\"line\":0,\"character\":26}}"
	end; } | answers >all
check "completion with a tapset that has a mistake" \
	test "$(jq -r 'select(.id == 1) | [.result.items[].label] | index("strlen") != null' all)" = true

# ---- formatting ------------------------------------------------------------------------------------------------------

# Formatting opens no kernel, so it needs the whole name of the release for the conditions in scripts.
release=$(basename "$("$STAP_VM" path $old_kernel)")

# The same tokens, comments and translation; a second time, nothing changes.
formats() {
	"$STAP" -r "$release" --format-script "$1" >formatted.${1##*.} 2>messages || { cat messages; return 1; }
	"$STAP" -r "$release" --format-script formatted.${1##*.} >again || return
	cmp formatted.${1##*.} again || return
	diff <(tr -d ' \t\n' <"$1") <(tr -d ' \t\n' <formatted.${1##*.})
}
printed() { "$STAP" -r $old_kernel -p1 -g "$1" ${2:+"${@:2}"} 2>&1 | sed "s#$1#SCRIPT#g"; }
same_tree() {
	[ "${1##*.}" = stpm ] || diff <(printed "$1" 1 2 3) <(printed "$work/formatted.stp" 1 2 3)
}
for file in "$SPILE_SRCDIR"/tapset/*.stp* "$SPILE_SRCDIR"/examples/*/*.stp "$tests"/parse/ok/*.stp; do
	is_part "format/${file##*/}" 32 || continue
	formats "$file" >difference 2>&1 && same_tree "$file" >>difference 2>&1 ||
		fail "formatting ${file##*/}" difference
done
ok "formatting changes neither tokens nor trees"
for file in "$SPILE_SRCDIR"/tapset/*.stp* "$SPILE_SRCDIR"/examples/*/*.stp; do
	is_part "format/${file##*/}" 32 || continue
	"$STAP" --format-script "$file" 2>&1 | diff "$file" - >difference || fail "${file##*/} is formatted" difference
done
ok "the library and the examples are formatted"
check "a script with errors is not formatted" refuses 'parse error' "$STAP" --format-script broken.stp
check "a script on the command line is formatted" \
	test "$("$STAP" --format-script -e 'probe begin{exit( )}')" = 'probe begin { exit() }'

# ---- --check ---------------------------------------------------------------------------------------------------------

# checks STATUS SCRIPT [OPTION...]: does stap --check exit with this status?
checks() {
	local wanted=$1
	"$STAP" --check -r $old_kernel "${@:3}" -e "$2" >out 2>messages
	[ $? -eq "$wanted" ] || { cat out messages; return 1; }
}
check "--check: nothing to report" checks 0 'probe begin { exit() }'
check "--check: an error" checks 1 'probe begin { strlne("x") }'
check "--check: a warning" checks 2 'global unused probe begin { exit() }'
check "--check: a warning that is an error" checks 1 'global unused probe begin { exit() }' -W
check "--check: prints no result" eval "checks 0 'probe begin { exit() }' && [ ! -s out ]"
check "--check --format=json: the last line counts" eval "checks 1 'probe begin { strlne(1) }' --format=json;
	[ \"\$(tail -n 1 out)\" = '{\"type\":\"check\",\"errors\":1,\"warnings\":0}' ]"
check "--check excludes -p" refuses 'exclude' "$STAP" --check -p3 -e 'probe begin {}'

# ---- syntax files ----------------------------------------------------------------------------------------------------

# Each file has all words of the parser, and no placeholder is left.
for file in vim/syntax/systemtap.vim emacs/systemtap-mode.el kate/systemtap.xml nano/systemtap.nanorc \
	bat/systemtap.sublime-syntax tree-sitter/queries/highlights.scm vscode/syntaxes/systemtap.tmLanguage.json; do
	filled=$SPILE_BUILDDIR/editors/$file
	check "the syntax file $file has the words of the language" \
		eval 'grep -qw foreach "$filled" && grep -qw sprintdln "$filled" && ! grep -E "@[A-Z_]+@" "$filled"'
done

# ---- the grammar for tree-sitter -------------------------------------------------------------------------------------

# The parser is made in a copy. tree-sitter gets a home of its own, where it keeps the compiled parser.
tree_sitter() {
	(cd "$work/grammar" && SPILE_CACHE=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile} \
		HOME=$work/grammar-home XDG_CONFIG_HOME=$work/grammar-home XDG_CACHE_HOME=$work/grammar-home \
		"$tests/tree-sitter" "$@")
}

# Scripts that are accepted but have text that is not a script, in a branch that is not selected.
no_grammar="language/cond-nested.stp parse/ok/condition-config.stp"

list_grammar_scripts() {
	local set script
	printf '%s\n' "$SPILE_SRCDIR"/tapset/*.stp "$SPILE_SRCDIR"/tapset/*.stpm "$SPILE_SRCDIR"/examples/*/*.stp
	for set in guest language parse/ok passes user; do
		for script in "$tests/$set"/*.stp; do
			[[ " $no_grammar " = *" ${script#"$tests/"} "* || $script = */reject-*.stp ]] || echo "$script"
		done
	done
}
# No script may have a node ERROR or MISSING; these are the lines that it prints.
parses_all() {
	list_grammar_scripts >grammar-scripts
	tree_sitter parse --quiet --paths "$work/grammar-scripts" >grammar-errors 2>&1 &&
		! grep -E '\((ERROR|MISSING)' grammar-errors || { cat grammar-errors; return 1; }
}
refuses_broken() {
	printf 'probe begin { if ( }\n' >broken-grammar.stp
	tree_sitter parse --quiet "$work/broken-grammar.stp" >out 2>&1
	[ $? -eq 1 ] && grep -E '\((ERROR|MISSING)' out
}
# captures QUERY: print the captures of a query in captures.stp, one per line: number of the line, name, text.
captures() {
	local capture='capture: [0-9]+ - ([a-z._]+), start: \(([0-9]+), .*text: `(.*)`'

	tree_sitter query --captures "queries/$1.scm" "$tests/editors/tree-sitter/captures.stp" 2>/dev/null |
		sed -nE "s/^ *(pattern: *[0-9]+, )?$capture/\\3 \\2 \\4/p"
}

mkdir -p grammar/test/corpus grammar-home
cp -r "$SPILE_SRCDIR"/editors/tree-sitter/. grammar
cp "$SPILE_BUILDDIR"/editors/tree-sitter/queries/highlights.scm grammar/queries
cp "$tests"/editors/tree-sitter/*.txt grammar/test/corpus
if ! tree_sitter --version >/dev/null 2>&1; then
	skip "the grammar for tree-sitter" "install tree-sitter-cli, or run testsuite/tree-sitter --fetch"
elif ! command -v node >/dev/null; then
	skip "the grammar for tree-sitter" "install nodejs"
else
	check "tree-sitter makes a parser" tree_sitter generate
	check "trees of tree-sitter are as expected" tree_sitter test
	check "tree-sitter parses the library, the examples and the tests" parses_all
	check "tree-sitter finds errors" refuses_broken
	for query in highlights locals injections; do
		captures $query >got
		compare "tree-sitter: $query" "$tests/editors/tree-sitter/$query.out" got
	done
fi

# ---- real clients ----------------------------------------------------------------------------------------------------

# In `make check-full` only: one starts an editor, the other downloads a library.
printf 'global total # \u00e9\U0001f600\nprobe kernel.function("vfs_read") {\n%s\n%s\n}\n' \
	$'\ttotal += strlne("\u00e9\U0001f600")' $'\tprintln($file->f_pos)' >client.stp

neovim() {
	mkdir -p bin && ln -sf "$STAP" bin/stap &&
		PATH=$PWD/bin:$PATH SPILE_SCRIPT=$PWD/client.stp XDG_STATE_HOME=$PWD/state \
		timeout 300 nvim --headless --clean \
			--cmd "set runtimepath+=$SPILE_BUILDDIR/editors/vim" \
			--cmd "set runtimepath+=$SPILE_SRCDIR/editors/vim,$SPILE_SRCDIR/editors/nvim" \
			--cmd "let g:spile_options = ['-r', '$old_kernel']" \
			--cmd 'filetype plugin on' --cmd 'syntax on' -S "$tests/editors/neovim.lua" </dev/null
}
node_client() {
	timeout 300 node "$tests/editors/client.mjs" "$work/npm" "$server" -r $old_kernel
}

if [ -z "$SPILE_FULL" ]; then
	exit 0
fi
if command -v nvim >/dev/null; then
	check "Neovim is a client" neovim
else
	skip "Neovim is a client" "install neovim"
fi

# The grammar in Neovim finds what tree-sitter finds, in another order.
neovim_grammar() {
	local query
	mkdir -p grammar-runtime/parser grammar-runtime/queries &&
		${CC:-cc} -shared -fPIC -O1 -I grammar/src -o grammar-runtime/parser/systemtap.so grammar/src/*.c &&
		cp -r grammar/queries grammar-runtime/queries/systemtap || return
	for query in highlights locals injections; do
		SPILE_QUERY=$query SPILE_SCRIPT=$tests/editors/tree-sitter/captures.stp timeout 60 \
			nvim --headless --clean --cmd "set runtimepath+=$work/grammar-runtime" \
			-S "$tests/editors/captures.lua" </dev/null >got &&
			diff -u <(sort "$tests/editors/tree-sitter/$query.out") <(sort got) || return
	done
}
if [ ! -e grammar/src/parser.c ]; then
	skip "the grammar for tree-sitter in Neovim" "tree-sitter made no parser"
elif command -v nvim >/dev/null; then
	check "the grammar for tree-sitter in Neovim" neovim_grammar
else
	skip "the grammar for tree-sitter in Neovim" "install neovim"
fi

no_npm=
command -v npm >/dev/null || no_npm="install npm"
# downloads DIRECTORY [PACKAGE...]: install packages of npm, by default those of the directory's package.json.
downloads() {
	[ -z "$no_npm" ] && (cd "$1" && npm install --silent --no-package-lock "${@:2}") >npm.log 2>&1
}

mkdir -p npm
if downloads npm vscode-languageserver-protocol@3.17.5; then
	check "the library vscode-languageserver-protocol is a client" node_client
else
	skip "the library vscode-languageserver-protocol is a client" "${no_npm:-npm cannot download it}"
fi

# The extension for VS Code, built and packed as its README says. It runs a script in a guest.
mkdir -p vscode && cp -r "$SPILE_SRCDIR"/editors/vscode/. vscode &&
	cp "$SPILE_BUILDDIR"/editors/vscode/syntaxes/*.json vscode/syntaxes
scripts=$(printf '%s\n' "$SPILE_SRCDIR"/tapset/*.stp* "$SPILE_SRCDIR"/examples/*/*.stp)
vscode() {
	(cd vscode && SPILE_STAP=$STAP SPILE_RELEASE=$old_kernel SPILE_REMOTE=unix:$work/$old_kernel \
		SPILE_SCRIPTS=$scripts timeout 500 npm run --silent "$1")
}
packs() { vscode package && unzip -l vscode/spile.vsix | grep extension/out/extension.js; }
if downloads vscode; then
	check "the extension for VS Code is compiled" vscode compile
	start_guest $old_kernel && check "the extension for VS Code runs" vscode test
	stop_guest $old_kernel
	check "the extension for VS Code is packed" packs
else
	skip "the extension for VS Code" "${no_npm:-npm cannot download what it needs}"
fi
