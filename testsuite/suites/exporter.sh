# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap-exporter with a replacement for stap (testsuite/exporter/fake-stap), which prints what a test wants and dies,
# hangs or floods as it wants. The formats are compared with golden files, and judged by promtool; in `make check-full`,
# Prometheus itself scrapes. Clients are slow, never read, or are too many. unit/test-exporter.c tests the single parts.

. "$(dirname "$0")/../lib.sh"

exporter=$SPILE_BUILDDIR/stap-exporter
cd "$work" || exit 1
umask 022
mkdir -p scripts proc/systemtap && cp "$tests/exporter/fake-stap" . && : >proc/modules
for program in curl jq; do
	command -v $program >/dev/null || { echo "install $program" | fail "$program is installed"; exit 0; }
done

# add_script NAME: write a script, whose text is standard input.
add_script() {
	cat >"scripts/$1.stp"
}
# configure [LINE...]: write the configuration with these lines in the group [exporter], and others from standard input.
configure() {
	{
		printf '%s\n' '[exporter]' 'port = 0' "scripts = $work/scripts" "stap = $work/fake-stap" \
			"proc = $work/proc" 'stop = 1' 'wait = 60' "$@"
		cat
	} >exporter.conf
}

pid=
cleanup() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null
}
# launch: start the exporter; set $pid and $address.
launch() {
	# Empty it first, since the background process may be late to do so.
	: >log
	"$exporter" --config=exporter.conf >log 2>&1 &
	pid=$!
	if ! within 30 grep -q 'listening on' log >/dev/null; then
		fail "the exporter starts" log
		exit 0
	fi
	address=$(sed -n 's/^listening on //p' log)
}
# finish: end it with SIGTERM, and return its status.
finish() {
	local status
	kill -TERM "$pid"
	wait "$pid"
	status=$?
	pid=
	[ $status -eq 0 ] || { echo "status $status"; tail -n 50 log; }
	return $status
}
# get PATH [OPTION...]: print the body of a response, and fail unless its status is 200.
get() {
	curl -sS --fail --max-time 100 "${@:2}" "http://$address$1"
}
# status PATH [OPTION...]: print the status of the response.
status() {
	curl -sS -o body -w '%{http_code}' --max-time 100 "${@:2}" "http://$address$1"
}
# own NAME: print the value of a metric of the exporter, with its labels.
own() {
	get /metrics >own && awk -v name="${1//\"/\\\"} " 'index($0, name) == 1 { print $NF }' own
}
# is_own NAME VALUE
is_own() {
	[ "$(own "$1")" = "$2" ]
}
openmetrics=(-H 'Accept: application/openmetrics-text;version=1.0.0')

open_clients=()
# open_client TEXT: open a connection and send the text.
open_client() {
	local fd
	exec {fd}<>"/dev/tcp/${address%:*}/${address##*:}" && (printf "$1" >&"$fd") && open_clients+=("$fd")
}

# judge NAME FILE: a text in the classic format, by promtool. In `make check-full`, promtool must be installed.
judge() {
	if command -v promtool >/dev/null; then
		check "$1: promtool check metrics" promtool check metrics <"$2"
	elif [ -n "$SPILE_FULL" ]; then
		echo "install prometheus" | fail "$1: promtool check metrics"
	else
		skip "$1: promtool check metrics" "prometheus is not installed"
	fi
}

# ---- what is refused -------------------------------------------------------------------------------------------------

refuses_address() {
	configure "listen = $1" "${@:2}" </dev/null
	refuses "ERROR: refused to listen on $1" "$exporter" --config=exporter.conf
}
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out certificate.pem 2>/dev/null
chmod 600 key.pem
printf 'ann:secret\n' >users && printf 'abcdef\n' >tokens && chmod 600 users tokens
tls=("certificate = $work/certificate.pem" "key = $work/key.pem")
check "other addresses than loopback" refuses_address 0.0.0.0
check "other addresses with authentication, but without TLS" refuses_address 0.0.0.0 "users = $work/users"
check "other addresses with TLS, but without authentication" refuses_address :: "${tls[@]}"
refuses_setting() {
	configure "$2" </dev/null
	refuses "$1" "$exporter" --config=exporter.conf
}
check "an unknown key" refuses_setting "exporter.conf: \[exporter\]: unknown key 'prot'" "prot = 1"
check "a directory of scripts that does not exist" refuses_setting "cannot read /nowhere" "scripts = /nowhere"
chmod 644 users
check "secrets that others can read" refuses_setting "users: other users can read it" "users = $work/users"
chmod 600 users

echo 'start stap_good; number 1; await_signal' | add_script good
cp scripts/good.stp scripts/writable.stp && chmod g+w scripts/writable.stp
cp scripts/good.stp 'scripts/a b.stp' && cp scripts/good.stp scripts/metrics.stp
cp scripts/good.stp scripts/plain.bundle && cp scripts/good.stp scripts/good.bundle && chmod +x scripts/good.bundle
mkdir scripts/directory.stp && : >scripts/no-script
configure </dev/null
check "--check counts scripts that are refused" refuses "ERROR: 6 scripts are refused" \
	"$exporter" --config=exporter.conf --check
launch
names_reason() {
	[ "$(status /writable)" = 403 ] && grep 'its group or other users can write to it' body &&
		grep "refused writable.stp: .*can write to it" log && grep "hint: run 'chmod go-w " log
}
check "a script that others can write: a clear error" names_reason
list() {
	[ "$(get / | xargs)" = "/metrics /good" ] && get /good.stp && is_own stap_exporter_refused_scripts 6
}
check "the others are served" list
bundle_refused() {
	[ "$(status /plain)" = 403 ] && grep 'it is not executable' body && grep "hint: run 'chmod u+x " log &&
		[ "$(status /good.bundle)" = 403 ] && grep '/good is the path of the script good\.stp' body
}
check "a bundle that is not executable, or has a script's name" bundle_refused

# ---- requests --------------------------------------------------------------------------------------------------------

printf 'secret\n' >outside.stp
no_traversal() {
	local path
	for path in /../outside /..%2foutside.stp /%2e%2e/outside.stp /scripts/good //good /good/ /good%00x/../y \
		/etc/passwd /%2fetc%2fpasswd /no-script /good.stp.stp /.; do
		[ "$(status "$path" --path-as-is)" = 404 ] || { echo "$path"; cat body; return 1; }
	done
}
check "no path but the names of scripts" no_traversal
methods() {
	[ "$(status /good -X POST -d x)" = 405 ] && [ "$(status /good -X DELETE)" = 405 ] &&
		[ "$(status /good -T "$exporter")" = 405 ] && [ "$(status /good --head)" = 200 ]
}
check "only GET and HEAD" methods
garbage() {
	local text
	for text in '\r\n\r\n' 'GET' 'GET / HTTP/9.9\r\n\r\n' '\x16\x03\x01\x00' \
		"GET /$(printf 'x%.0s' {1..40000}) HTTP/1.1\r\n\r\n"; do
		# The exporter may close its end early.
		(printf "$text" >"/dev/tcp/${address%:*}/${address##*:}") 2>/dev/null
	done
	get /good
}
check "requests that are not HTTP" garbage
check "the exporter ends" finish

# ---- formats ---------------------------------------------------------------------------------------------------------

rm -rf scripts/*
cp "$tests/exporter/golden.lines" .
echo 'start stap_golden; cat "$(dirname "$0")/golden.lines"; await_signal' | add_script golden
# The escapes of text_str(), a bad line, and a last line that is cut.
add_script probe <<'END'
[[ $given == *--format=json\ * ]] || exit 1
mkdir "$proc/systemtap/stap_probe"
printf '%s\n' '# HELP reads_total number of reads' '# TYPE reads_total counter' \
	'reads_total{name="a\"\\b\033\u00fc"} 5' 'x{y} 1' 'seen 7' >"$proc/systemtap/stap_probe/__prometheus"
printf 'cut 12' >>"$proc/systemtap/stap_probe/__prometheus"
start stap_probe
await_signal
END
configure </dev/null <<'END'
[probe.stp]
source = prometheus
END
launch
has_new() {
	get /golden | grep -q stap_golden_opens
}
within 30 has_new
get /golden >golden.prom
get /golden "${openmetrics[@]}" >golden.om
compare "globals in the classic format" "$tests/exporter/golden.prom" golden.prom
compare "globals in OpenMetrics" "$tests/exporter/golden.om" golden.om
judge "globals" golden.prom
get /probe >probe.prom
get /probe "${openmetrics[@]}" >probe.om
compare "a prometheus probe in the classic format" "$tests/exporter/probe.prom" probe.prom
compare "a prometheus probe in OpenMetrics" "$tests/exporter/probe.om" probe.om
judge "a prometheus probe" probe.prom
types() {
	curl -s -D - -o /dev/null "http://$address/golden" | grep -i '^content-type: text/plain; version=0.0.4' &&
		curl -s -D - -o /dev/null "${openmetrics[@]}" "http://$address/golden" |
		grep -i '^content-type: application/openmetrics-text; version=1.0.0'
}
check "the types of responses" types
counts() {
	is_own 'stap_exporter_dropped_series_total{script="probe",reason="syntax"}' 4 &&
		is_own 'stap_exporter_script_warnings_total{script="golden"}' 1 &&
		is_own 'stap_exporter_script_snapshots_total{script="golden"}' 2 &&
		is_own 'stap_exporter_script_up{script="golden"}' 1 &&
		is_own 'stap_exporter_script_up{script="probe"}' 1
}
check "metrics of the exporter" counts
judge "metrics of the exporter" own
check "the exporter ends" finish

# ---- scripts that fail -----------------------------------------------------------------------------------------------

rm -rf scripts/* proc/systemtap/*
echo 'start stap_good; number 1; await_signal' | add_script good
echo 'echo "{\"type\":\"message\",\"level\":\"error\",\"text\":\"parse error: \\u001b[31m\"}"; exit 1' | add_script bad
echo 'echo "cannot even start" >&2; exit 1' | add_script mute
echo 'start stap_dies; number $$; unload; kill -KILL $$' | add_script dies
add_script flood <<'END'
start stap_flood
number 1
text='{"type":"output","text":"'$(printf 'x%.0s' {1..8000})'"}'
text+=$'\n'$text$'\nnot JSON\n'
while :; do printf %s "$text$text$text$text$text$text$text$text"; done
END
# A line without end, much longer than the limit.
echo 'start stap_line; number 1; head -c 20000000 /dev/zero | tr "\0" x; echo; number 2; await_signal' | add_script line
add_script stubborn <<'END'
trap '' TERM
echo '{"type":"start","module":"stap_stubborn"}'
number 1
# Start no process: when this one is killed, a child that has not called exec() yet would still have its name.
exec {never}<> <(:)
read -u "$never"
END
echo 'start stap_wide; printf "{\"type\":\"global\",\"name\":\"a\",\"elements\":["; for i in {1..50}; do \
	printf "[[%s,\"%0300d\"],1]," $i $i; done; echo "[[0,\"\"],1]]}"; number 1; await_signal' | add_script wide
echo 'start stap_tool; number 7; await_signal' >tool.stp
printf '#!/bin/bash\ncd %s && printf "%%s\\n" "$@" >given-to-bundle && exec ./fake-stap ./tool.stp\n' "$work" \
	>scripts/tool.bundle && chmod +x scripts/tool.bundle
configure <<'END'
[tool.bundle]
options = --top=3
arguments = n=1
interval = 2
[boot.stp]
start = boot
arguments = one 'two words'
options = -v
[short.stp]
keepalive = 1
[slow.stp]
keepalive = 1
[flood.stp]
output_rate = 65536
[wide.stp]
series = 20
label_length = 100
END
echo 'start stap_boot; printf "%s\n" "$@" >"$(dirname "$0")/given"; number 1; await_signal' | add_script boot
echo 'start stap_short; number $$; await_signal' | add_script short
echo 'start stap_slow; sleep 4; number 1; await_signal' | add_script slow
launch
started() {
	is_own 'stap_exporter_script_up{script="boot"}' 1 && is_own 'stap_exporter_script_starts_total{script="good"}' 0
}
check "a script that starts at boot; the others wait for a scrape" within 30 started
given() {
	[ "$(sed -e "s|$work/||" given | tr '\n' '|')" = '--format=json,5|-v|scripts/boot.stp|one|two words|' ]
}
check "the command line of stap" given
bundle() {
	get /tool | grep '^stap_tool_n 7$' && get /tool.bundle | grep '^stap_tool_n 7$' &&
		[ "$(tr '\n' '|' <given-to-bundle)" = '-J2|--top=3|n=1|' ]
}
check "a bundle" bundle
bad() {
	[ "$(status /bad)" = 503 ] && grep 'bad.stp does not run: parse error' body && ! grep -q $'\033' body log &&
		grep '^bad.stp: parse error' log && grep '^bad.stp: stap ended with status 1' log &&
		[ "$(own 'stap_exporter_script_errors_total{script="bad"}')" -ge 1 ] &&
		is_own 'stap_exporter_script_up{script="bad"}' 0
}
check "a script that does not compile: a message for the client, one in the log, and a metric" bad
mute() {
	[ "$(status /mute)" = 503 ] && grep 'mute.stp does not run: cannot even start' body
}
check "a script whose stap does not start" mute
again() {
	[ "$(own 'stap_exporter_script_restarts_total{script="bad"}')" -ge 2 ]
}
check "it is started again" within 30 again
dies() {
	status /dies >/dev/null
	[ "$(own 'stap_exporter_script_starts_total{script="dies"}')" -ge 2 ] &&
		grep -q '^dies.stp: stap was killed by signal 9' log
}
check "a script that dies is started again" within 30 dies
floods() {
	get /flood && get /good && [ "$(own 'stap_exporter_script_throttles_total{script="flood"}')" -ge 1 ] &&
		[ "$(own 'stap_exporter_script_invalid_lines_total{script="flood"}')" -ge 1 ]
}
check "a script that floods its output" within 60 floods
long_line() {
	get /line | grep -q 'stap_line_n 2' && is_own 'stap_exporter_script_long_lines_total{script="line"}' 1 &&
		[ "$(grep -c '^line.stp: lines of more than 8388608 bytes are left out' log)" -eq 1 ]
}
check "a line that is too long" within 60 long_line
limits() {
	get /wide >wide && [ "$(grep -c '^stap_wide_a{' wide)" -eq 20 ] && ! grep -qE '"[^"]{101}' wide &&
		[ "$(own 'stap_exporter_dropped_series_total{script="wide",reason="limit"}')" -eq 32 ] &&
		[ "$(own 'stap_exporter_shortened_labels_total{script="wide"}')" -eq 50 ]
}
check "limits of series and labels" limits
get /short >first
ends() {
	! grep -q '^stap_short ' proc/modules
}
check "a script ends some time after the last scrape" within 30 ends
comes_back() {
	get /short >second && ! cmp -s first second
}
check "it is started again by the next scrape" within 30 comes_back
check "a script that starts more slowly than it is kept" get /slow
get /stubborn >/dev/null

# ---- reading the configuration again ---------------------------------------------------------------------------------

reload() {
	local before=$(grep -c 'configuration' log)
	kill -HUP "$pid"
	within 30 eval '[ $(grep -c configuration log) -gt '"$before"' ]'
}
echo 'start stap_good; number 2; await_signal' >scripts/good.stp
echo 'start stap_new; number 3; await_signal' | add_script new
rm scripts/line.stp
port=${address##*:}
# A connection that is open when the server is replaced, and at the end.
open_client ''
changes() {
	reload && get /good | grep -q 'stap_good_n 2' && get /new | grep -q 'stap_new_n 3' &&
		[ "$(status /line)" = 404 ] && [ "${address##*:}" = "$port" ]
}
check "SIGHUP: scripts that changed, that are new, and that are gone" changes
gone() {
	! grep -q '^stap_line ' proc/modules
}
check "a script that is gone is ended" within 30 gone
echo 'bad = 1' >>exporter.conf
keeps() {
	reload && grep "the configuration is not changed: .*unknown key 'bad'" log && get /good
}
check "SIGHUP: an error changes nothing" keeps
open_client ''
ends_all() {
	finish && ! pgrep -f "$work/fake-stap" && [ ! -s proc/modules ] || { cat log proc/modules; return 1; }
}
check "SIGTERM ends all scripts" ends_all
check "a script that does not end is killed" grep -q '^stubborn.stp: stap did not end in time and is killed' log

# ---- scripts that change, and hosts ----------------------------------------------------------------------------------

# Each type of a value in turn, for the same global. A scrape must never get a value of the previous script.
rm -rf scripts/*
value() {
	echo "start stap_typed; printf '%s\n' '{\"type\":\"global\",\"name\":\"n\",\"elements\":[[[$2],$1]]}' \
		'{\"type\":\"snapshot\"}'; await_signal" >scripts/typed.stp
}
value 1
cat >scripts/hosts.stp <<'END'
for number in 0 1; do
	start stap_host$number | sed "s/}$/,\"remote\":{\"number\":$number,\"uri\":\"direct:\"}}/"
	printf '{"type":"global","remote":%d,"name":"n","elements":[[[],%d]]}\n{"type":"snapshot","remote":%d}\n' \
		$number $((number + 5)) $number
done
start 'stap_far' | sed 's/}$/,"remote":{"number":2,"uri":"ssh:x"}}/'
trap 'module=stap_host0; unload; : >one-ended; sleep 1; module=stap_host1; unload; exit' TERM
await_signal
END
configure </dev/null
launch
# is_typed TYPE SAMPLE: is this the only type and sample of the script's metrics?
is_typed() {
	get /typed >typed && grep '^# TYPE' typed && [ "$(grep -c "^# TYPE .* $1$" typed)" -ge 1 ] &&
		grep -qxF "$2" typed && [ "$(grep -c "${3:-^stap}" typed)" -eq "${4:-1}" ]
}
check "a number" is_typed gauge 'stap_typed_n 1'
# changes_to VALUE KEY TYPE SAMPLE [PATTERN COUNT]
changes_to() {
	value "$1" "$2"
	reload && is_typed "${@:3}"
}
check "an edited script: text" changes_to '"x"' '' gauge 'stap_typed_n_info{value="x"} 1'
statistics='{"count":1,"sum":2,"min":2,"max":2,"histogram":{"kind":"log","buckets":[[2,4,1]]}}'
check "an edited script: a histogram" changes_to "$statistics" '' histogram 'stap_typed_n_bucket{le="3"} 1' _bucket 2
check "an edited script: other buckets" changes_to "${statistics/\[2,4,1\]/[5,9,1]}" '' histogram \
	'stap_typed_n_bucket{le="8"} 1' _bucket 2
check "an edited script: statistics" changes_to '{"count":1,"sum":2,"min":2,"max":2}' '' summary 'stap_typed_n_sum 2' \
	^stap 4
check "an edited script: an array" changes_to 4 '"key"' gauge 'stap_typed_n{key1="key"} 4'
judge "an edited script" typed
# A script that is edited between a failure and its restart needs no SIGHUP.
restarts() {
	echo 'exit 1' >scripts/typed.stp
	reload && [ "$(status /typed)" = 503 ] && value 9 && within 30 is_typed gauge 'stap_typed_n 9'
}
check "an edited script: one that failed is read again at its restart" restarts
hosts() {
	get /hosts >hosts && grep -qxF 'stap_hosts_n{remote_id="0",remote_uri="direct:"} 5' hosts &&
		grep -qxF 'stap_hosts_n{remote_id="1",remote_uri="direct:"} 6' hosts &&
		grep -q '^stap_far ' proc/modules
}
check "hosts of --remote" within 30 hosts
judge "hosts of --remote" hosts
waits_for_all() {
	kill -TERM "$pid"
	within 30 test -e one-ended && wait "$pid" && pid= && ! grep -E 'stap_(host|typed)' proc/modules
}
check "the modules of all local hosts are awaited" waits_for_all

# ---- modules ---------------------------------------------------------------------------------------------------------

rm -rf scripts/*
echo 'trap ": >ended; exit" TERM; start stap_slow; number 1; while :; do sleep 0.1; done' | add_script slow
configure </dev/null
launch
get /slow >/dev/null
waits_for_module() {
	kill -TERM "$pid"
	within 30 test -e ended || return
	# The exporter would be gone by now if it did not wait: it has no other reason to live.
	for _ in {1..5}; do kill -0 "$pid" && sleep 0.1 || return; done
	: >proc/modules
	wait "$pid" || return
	pid=
}
check "SIGTERM: the exporter lives until the modules are unloaded" waits_for_module

# ---- clients ---------------------------------------------------------------------------------------------------------

rm -f scripts/*
add_script large <<'END'
start stap_large
printf '{"type":"global","name":"a","elements":['
seq -f '[[%.0f,"a label of some length, so that the response does not fit into buffers of sockets"],1],' 1 30000 |
	tr -d '\n'
echo '[[0,""],1]]}'
number 1
await_signal
END
echo 'start stap_good; number 1; await_signal' | add_script good
large=("series = 100000" "response_size = 20000000")
configure "${large[@]}" </dev/null
launch
get /large >large
check "a large response is complete" test "$(grep -c '^stap_large_a{' large)" -eq 30001
finish
configure "timeout = 2" "connections = 20" "${large[@]}" </dev/null
launch
get /good -o /dev/null
for _ in 1 2 3 4 5; do
	open_client 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n' # never reads
	open_client 'GET /large HTTP/1.1\r\nHo' # never ends its request
	open_client ''
done
check "clients that never read or never ask do not delay others" get /good -o /dev/null
# A client that reads, and one that writes, some bytes at a time: each byte starts an idle timeout anew.
drip() {
	exec {drip}<>"/dev/tcp/${address%:*}/${address##*:}" && printf 'GET /%s HTTP/1.1\r\n' "$1" >&"$drip" || return
	[ "$1" = good ] || printf '\r\n' >&"$drip"
	while sleep 0.3; do
		if [ "$1" = good ]; then
			printf 'X: y\r\n' >&"$drip" || return
		else
			head -c 100 <&"$drip" | grep -q . || return
		fi
	done
}
drip good 2>/dev/null &
drip large 2>/dev/null &
are_closed() {
	[ "$(own stap_exporter_http_timeouts_total)" -ge 12 ] && is_own stap_exporter_http_connections 1
}
check "late clients are closed, however they trickle" within 60 are_closed
for fd in "${open_clients[@]}"; do exec {fd}>&-; done
open_clients=()
for _ in {1..40}; do open_client ''; done 2>/dev/null
answers() {
	get /good -o /dev/null --max-time 5
}
check "more connections than the limit" within 60 answers
for fd in "${open_clients[@]}"; do exec {fd}>&-; done
many() {
	curl -sS --fail "http://$address/good?[1-1000]" >many && [ "$(grep -c '^stap_good_n 1' many)" -eq 1000 ]
}
check "1000 scrapes" many
finish
# Prometheus gives up a scrape after its interval at the latest, so the intervals are long enough for a busy machine.
prometheus_scrapes() {
	cat >prometheus.yml <<-END
		global:
		  scrape_interval: 20s
		  scrape_timeout: 20s
		scrape_configs:
		  - {job_name: good, metrics_path: /good, static_configs: [{targets: ['$address']}]}
		  - job_name: large
		    metrics_path: /large
		    scrape_interval: 90s
		    scrape_timeout: 90s
		    static_configs: [{targets: ['$address']}]
		  - {job_name: own, static_configs: [{targets: ['$address']}]}
	END
	prometheus --config.file=prometheus.yml --storage.tsdb.path="$work/tsdb" --web.listen-address=127.0.0.1:0 \
		>prometheus.log 2>&1 &
	local prometheus=$! port
	within 30 grep -q 'Listening on' prometheus.log || { cat prometheus.log; kill $prometheus; return 1; }
	port=$(sed -n 's/.*Listening on.*address=.*:\([0-9]*\).*/\1/p' prometheus.log | head -n 1)
	all_up() {
		curl -s "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" |
			jq -e --arg value "$2" '.data.result | length > 0 and all(.[]; .value[1] == $value)' >/dev/null
	}
	within 300 all_up 'count(up == 1)' 3 && within 300 all_up 'stap_good_n' 1 &&
		within 300 all_up 'count_over_time(up{job="good"}[1h]) >= bool 3' 1 &&
		all_up 'min_over_time(up[1h])' 1 && all_up 'count(stap_large_a)' 30001
	local result=$?
	curl -s "http://127.0.0.1:$port/api/v1/targets" | jq -r '.data.activeTargets[].lastError'
	kill $prometheus
	wait $prometheus
	return $result
}
# Without the short timeout, because a large response may take longer.
configure "${large[@]}" </dev/null
launch
if command -v prometheus >/dev/null; then
	[ -z "$SPILE_FULL" ] || check "Prometheus scrapes" prometheus_scrapes
elif [ -n "$SPILE_FULL" ]; then
	echo "install prometheus" | fail "Prometheus scrapes"
fi
check "the exporter ends" finish

# ---- TLS and authentication ------------------------------------------------------------------------------------------

configure "listen = 0.0.0.0" "${tls[@]}" "users = $work/users" "tokens = $work/tokens" </dev/null
launch
port=${address##*:}
secure() {
	curl -s -o body -w '%{http_code}' --cacert certificate.pem --max-time 100 "$@" "https://localhost:$port/good"
}
authenticates() {
	[ "$(secure)" = 401 ] && [ "$(secure -u ann:secret)" = 200 ] && [ "$(secure -u ann:secre)" = 401 ] &&
		[ "$(secure -H 'Authorization: Bearer abcdef')" = 200 ] &&
		[ "$(secure -H 'Authorization: Bearer abcdeF')" = 401 ] &&
		[ "$(secure --tls-max 1.1 -u ann:secret)" = 000 ] &&
		! curl -s --max-time 10 "http://localhost:$port/good" -u ann:secret
}
check "TLS and authentication" authenticates
printf 'bob:other\n' >users
reads_again() {
	reload && [ "$(secure -u bob:other)" = 200 ] && [ "$(secure -u ann:secret)" = 401 ]
}
check "SIGHUP: users are read again" reads_again
check "the exporter ends" finish
