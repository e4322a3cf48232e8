# SPDX-License-Identifier: GPL-2.0-or-later
#
# Do the programs that draw pictures accept what scripts print for them?
#
# Traces (tapset/trace.stp) of a guest with two CPUs: are their events as they must be (trace.jq), and does speedscope,
# which is taken from npm and never committed, open them in Chromium without a complaint, also if they have no end?
# Graphviz draws the graph of lock-graph, and lcov the lines of line-coverage.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
for program in chromium dot genhtml jq npm; do
	command -v $program >/dev/null || { echo "install $program" | fail "$program is installed"; exit 0; }
done
gcc -O2 -pthread -o "$work/workload" "$tests/programs/workload.c" || exit 1
mkdir "$work/npm" && check "speedscope is installed" npm install --silent --prefix "$work/npm" speedscope@1.25.0
viewer=$work/npm/node_modules/speedscope/dist/release/index.html
[ -e "$viewer" ] || exit 0

# opens FILE: does speedscope open it? On the console, it reports what it does, and what is wrong with the file.
opens() {
	printf "speedscope.loadFileFromBase64('%s', '%s')" "$(basename "$1")" "$(base64 -w0 "$1")" >"$work/load.js"
	HOME=$work timeout 60 chromium --headless --no-sandbox --enable-logging=stderr --allow-file-access-from-files \
		--user-data-dir="$work/profile" --virtual-time-budget=20000 --dump-dom \
		"file://$viewer#localProfilePath=$work/load.js" >"$work/page" 2>"$work/console"
	grep CONSOLE "$work/console" | cut -c 1-400
	grep -q 'CONSOLE.*"import: ' "$work/console" && grep -q "<title>.*$(basename "$1")" "$work/page" &&
		! grep -qE 'CONSOLE.*(Tried to end|still open|Failed|Error)' "$work/console"
}

nests() {
	jq -rf "$tests/trace.jq" "$1" >"$work/wrong"
	cat "$work/wrong"
	[ -s "$1" ] && [ ! -s "$work/wrong" ]
}

# has_much FILE: are there slices of the workload on several tracks?
has_much() {
	jq -e '[.[] | select(.ph == "B" and (.name // "" | startswith("workload"))) | [.pid, .tid]] |
		unique | length > 1' "$1" >/dev/null
}

cat >"$work/hostile.stp" <<'E2'
probe begin {
	hostile = "\"'\\\n\t\001 \303\244 \377 <b>&amp;</script> \360\237\230\200 \000 %d"
	trace_begin(hostile, hostile)
	trace_begin(hostile, "inner")
	trace_counter(hostile, hostile, -1)
	trace_flow(hostile, hostile, 1, "begin")
	trace_end(hostile)
	trace_begin(trace_track(hostile, hostile), hostile)
	trace_flow(trace_track(hostile, hostile), hostile, 1, "end")
	trace_instant("a track", "an instant")
	trace_end("a track")
}
probe timer.ms(100) { exit() }
E2

draws_graph() {
	dot -Tsvg "$1" >"$work/graph.svg" && [ "$(grep -c '<g id="edge[0-9]*"' "$work/graph.svg")" -ge 2 ]
}

# The lines that ran are all that the file lists.
draws_lines() {
	mkdir -p "$work/source/fs" && seq 3000 >"$work/source/fs/read_write.c" &&
		genhtml "$1" -o "$work/coverage" >"$work/genhtml" 2>&1 &&
		grep -qE 'lines\.*: 100\.0% \([1-9][0-9]* of [1-9][0-9]* lines\)' "$work/genhtml" &&
		grep -q "lineNum" "$work/coverage/fs/read_write.c.gcov.html" || { cat "$work/genhtml"; return 1; }
}

for release in $old_kernel $new_kernel; do
	start_guest "$release" --file "$work/workload:/bin/workload" \
		--file "$tests/programs/workload.sh:/bin/workload.sh" || continue
	timeline=$work/timeline-$release.json hostile=$work/hostile-$release.json
	check "$release: a timeline of the scheduler" timeout 300 "$STAP" --remote="unix:$work/$release" $no_overload \
		--example timeline -o "$timeline" \
		-c 'workload spin 300 & workload spin 300 & workload contend; wait'
	check "$release: a trace of hostile texts" timeout 300 "$STAP" $no_overload --remote="unix:$work/$release" \
		"$work/hostile.stp" -o "$hostile"
	graph=$work/locks-$release.dot lines=$work/lines-$release.info
	check "$release: a graph of locks" timeout 300 "$STAP" $no_overload --remote="unix:$work/$release" \
		--example lock-graph -o "$graph" -c 'workload.sh kernel_mutex'
	check "$release: the lines of a function" timeout 300 "$STAP" --remote="unix:$work/$release" $no_overload \
		--example line-coverage --source="$work/source" -o "$lines" -c 'cat /proc/version >/dev/null'
	stop_guest "$release"
	check "$release: Graphviz draws the graph of locks" draws_graph "$graph"
	check "$release: lcov draws the lines" draws_lines "$lines"
	check "$release: the timeline is well-formed" nests "$timeline"
	check "$release: the timeline shows the workload" has_much "$timeline"
	check "$release: the hostile trace is well-formed" nests "$hostile"
	check "$release: speedscope opens the timeline" opens "$timeline"
	check "$release: speedscope opens the hostile trace" opens "$hostile"
done
# As after kill -9.
head -n -2 "$hostile" >"$work/killed.json"
check "speedscope opens a trace without an end" opens "$work/killed.json"
