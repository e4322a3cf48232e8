# SPDX-License-Identifier: GPL-2.0-or-later
#
# The compile server, on this machine. Modules and messages are equal, byte by byte, to those of a local translation.
# Trust works in both directions. The right modules are signed. Strangers cannot harm the server; for these tests, a
# program of ours replaces the server's stap and does what a hostile script could make stap do.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
release=$(basename "$("$STAP_VM" path $old_kernel)")
users=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}
server=$SPILE_BUILDDIR/stap-server
client=$SPILE_BUILDDIR/stap-client
export SPILE_CONFIG=$work/config SOURCE_DATE_EPOCH=1700000000
if [ ! -x "$server" ]; then
	echo "install libssl-dev and build again" | fail "stap-server is built"
	exit 0
fi
cd "$work" || exit 1
servers=()
cleanup() {
	[ ${#servers[@]} -eq 0 ] || kill "${servers[@]}" 2>/dev/null
}

# start NAME PROGRAM [OPTION...]: start a server with its own state directory; set $address.
start() {
	local name=$1 program=$2 port
	shift 2
	"$program" --state="$work/$name.state" --address=127.0.0.1 --port=0 "$@" run >"$name.log" 2>&1 &
	servers+=($!)
	for _ in {1..100}; do
		port=$(sed -n 's/^listening at port //p' "$name.log" 2>/dev/null)
		[ -z "$port" ] || break
		nap 0.1
	done
	address=127.0.0.1:$port
	[ -n "$port" ] && return
	fail "the server $name starts" "$name.log"
	return 1
}
# The server runs as root, because the kernels of these tests may be in root's directory.
settings="--user=root"
# By default, a sandbox allows no namespaces; a kernel with its own compiler needs one.
[ ! -e "$("$STAP_VM" path "$release")/build-root" ] || settings+=" --allow-build-roots"
start real "$server" $settings --cache="$users" || exit 0
real=$address
remote() {
	"$STAP" --use-server="$real" -r "$release" "$@"
}
state="--state=$work/real.state"

# ---- trust -----------------------------------------------------------------------------------------------------------

echo "probe begin { println(\"hello $$\") exit() }" >plain.stp
fingerprint=$("$server" $settings "$state" fingerprint)
check "a server that was not accepted" refuses "is not trusted; its fingerprint is $fingerprint" remote -p4 plain.stp
accepts_other() {
	refuses "the server $real has the fingerprint $fingerprint" \
		"$STAP" --use-server="$real" --trust-servers="sha256:$(printf '0%.0s' {1..64})"
}
check "another fingerprint than the one expected is not accepted" accepts_other
accepts() {
	"$STAP" --use-server="$real" --trust-servers="$fingerprint"
}
check "it is accepted by its fingerprint" accepts
check "a client that was not accepted" refuses "stap-server accept $("$client" fingerprint) NAME" remote -p4 plain.stp
check "it is accepted by its certificate" "$server" $settings "$state" accept config/client.pem tests
check "--list-servers" test "$("$STAP" --use-server="$real" --list-servers)" = "$real: trusted"
check "only the owner can read the keys" test "$(stat -c %a config/client.key real.state/server.key | sort -u)" = 600

# ---- the same results as locally -------------------------------------------------------------------------------------

# The first request for a kernel waits until it is prepared.
check "a kernel is prepared" "$server" $settings --cache="$users" prepare "$release"
# same_module [WORD...]: are module, output and messages of -p4 equal to local ones?
same_module() {
	local here there
	"$STAP" --use-server="$real" -r "$release" -p4 -m same "$@" >there.out 2>there.err <plain.stp
	there=$?
	mv same.ko there.ko 2>/dev/null
	"$STAP" -r "$release" -p4 -m same "$@" >here.out 2>here.err <plain.stp
	here=$?
	[ $there -eq $here ] && diff here.out there.out && diff here.err there.err || return
	[ $here -ne 0 ] || cmp same.ko there.ko
}
mkdir -p tapset/6.1 elsewhere
echo "function mine:string() { return \"of our own $$\" }" >tapset/mine.stp
echo '@define ours %( 42 %)' >tapset/6.1/ours.stpm
echo 'probe begin { println(mine(), @ours, @1, $2) exit() }' >uses.stp
printf 'probe begin {\n\tprintln(1 + "a")\n}\n' >wrong.stp
echo 'global unused; probe kernel.function("vfs_read") { println($file) exit() }' >warns.stp
check "a script by its path" same_module plain.stp
check "a script by standard input" same_module -
check "a script by -e, with options" same_module -D MAXACTION=50 -u -t -e "probe begin { println($$) }"
check "a directory, and arguments" same_module -I tapset uses.stp 'some "text"' 7
check "paths through other directories" same_module -I "$work/tapset" elsewhere/../uses.stp x 8
check "a mistake" same_module wrong.stp
check "warnings" same_module warns.stp
check "a missing script" same_module nothing.stp
check "a missing directory" refuses 'cannot read nowhere' remote -I nowhere -p4 plain.stp
# same_text WORD...: are output and messages equal to local ones?
same_text() {
	remote "$@" >there.out 2>there.err
	"$STAP" -r "$release" "$@" >here.out 2>here.err
	[ -s here.out ] && diff here.out there.out && diff here.err there.err
}
echo 'global n = @option_number("n", 1, 0, 9, "n")
	probe timer.ms(@option_number("m", 10, 1, 99, "m")) { println(n, @1) }' >options.stp
check "options of a script" same_module options.stp --n=3 --m=20 word
check "options that the script does not have" refuses 'no option --x' remote -p4 --script-option=x=1 plain.stp
for pass in 1 2 3; do
	check "-p$pass" same_text -p$pass plain.stp -m pass
done
check "-l" same_text -l 'kernel.function("vfs_re*")'
check "-L" same_text -L 'kernel.function("vfs_read")'
named() {
	local there here
	there=$(remote -p4 plain.stp) && here=$("$STAP" -r "$release" -p4 plain.stp) && [ "$there" = "$here" ]
}
check "a module without a name" named
in_system_directory() {
	remote -p4 -m inside "$SPILE_SRCDIR/examples/process/forks.stp" &&
		grep -aq 'spile_script=/client/' inside.ko
}
check "a script where the server has its own files" in_system_directory

# ---- signatures ------------------------------------------------------------------------------------------------------

signed() {
	remote --privilege="$1" -p4 -m stap_signed plain.stp && "$server" $settings "$state" certificate key.x509 &&
		openssl x509 -inform DER -in key.x509 -pubkey -noout >key.pub &&
		openssl dgst -sha256 -verify key.pub -signature stap_signed.ko.sgn stap_signed.ko
}
# A signed module cannot take the name of one of the kernel's.
forced_name() {
	[ "$(remote --privilege=stapusr -p4 -m kvm plain.stp)" = stap_kvm.ko ] && [ -e stap_kvm.ko.sgn ] &&
		[ ! -e kvm.ko ] && [ "$(modinfo -F name ./stap_kvm.ko)" = stap_kvm ]
}
check "a module for stapusr is signed" signed stapusr
check "a module for stapsys is signed" signed stapsys
check "the name of a signed module gets a prefix" forced_name
unsigned() {
	remote -p4 -m stap_signed plain.stp && [ ! -e stap_signed.ko.sgn ] &&
		remote --unprivileged --privilege=stapdev -p4 -m stap_signed plain.stp && [ ! -e stap_signed.ko.sgn ]
}
check "another module is not signed, and the old signature is removed" unsigned
check "a module that stapusr may not run is not signed" refuses 'stapusr' remote --unprivileged -p4 -m bad \
	-e 'probe kernel.function("vfs_read") {}'

# ---- refused requests ------------------------------------------------------------------------------------------------

check "guru mode" refuses 'this server does not accept guru mode' remote -g -p4 plain.stp
check "settings of make" refuses '-B and a compile server exclude' remote -B CC=sh -p4 plain.stp
check "another runtime" refuses '-R and a compile server exclude' remote -R /tmp -p4 plain.stp
check "-k" refuses '-k and a compile server exclude' remote -k -p4 plain.stp
check "a missing kernel" refuses 'hint: on the compile server: .*stap-vm fetch 9.9' \
	"$STAP" --use-server="$real" -r 9.9 -p4 plain.stp
other_build() {
	refuses "on this machine \\(expected 00\\)" "$STAP" -r "$release" --kernel-build-id=00 -p4 plain.stp
}
check "a kernel of another build" other_build
check "a missing server" refuses 'server 127.0.0.1:1: Connection refused' "$STAP" --use-server=127.0.0.1:1 plain.stp
check "no server known" refuses 'no compile server is known' "$STAP" --use-server plain.stp
listed() {
	printf '# the first does not answer\n127.0.0.1:1\n%s\n' "$real" >config/servers
	"$STAP" --use-server -r "$release" -p4 -m listed plain.stp && "$STAP" --use-server-on-error -r "$release" \
		-p4 -m listed plain.stp 2>err && [ ! -s err ] && rm config/servers
}
check "servers from a list" listed
instead() {
	echo "$real" >config/servers
	SPILE_CACHE=$work/empty "$STAP" --use-server-on-error -r "$release" -p4 -m instead plain.stp &&
		[ -e instead.ko ] && rm config/servers
}
check "--use-server-on-error with a kernel that the server lacks" instead

# raw ADDRESS: send standard input through TLS unchanged.
raw() {
	timeout 60 openssl s_client -quiet -connect "$1" -cert config/client.pem -key config/client.key 2>/dev/null
}
# frame KIND DATA: print a frame of the protocol.
frame() {
	printf '%b' "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' 0 0 $((${#2} / 256)) $((${#2} % 256)))"
	printf '%s%s' "$1" "$2"
}
check "another protocol version" grep -aq "the client uses protocol 'spile 0'" <(frame V 'spile 0' | raw "$real")
check "an HTTP request" grep -aq 'frame of an unknown kind' <(printf 'GET / HTTP/1.1\r\n\r\n' | raw "$real")
forged() {
	{
		frame V 'spile 1'
		frame L /
		printf '\0\0\0\004K6.1\0'
		frame P 4
		printf '\0\0\0\006OB\0CC=x'
		frame . ''
	} | raw "$real" | grep -aq -- '-B and a compile server exclude'
}
check "a forged option" forged
# Each text of a client is one line of the log, without characters that a terminal interprets.
logged() {
	{
		frame V 'spile 1'
		frame L /
		printf '\0\0\0\004K6.1\0'
		frame P 4
		frame O $'-x\nforged line\e[2J'
		frame . ''
	} | raw "$real" >answer
	grep -q 'x?forged line?\[2J' real.log && ! grep -q '^forged line' real.log && ! grep -q $'\e' real.log
}
check "a client forges a line of the log" logged
# forged_limit FRAME: is the request refused of a client that does not check limits and wants a signed module?
forged_limit() {
	{
		frame V 'spile 1'
		frame L /
		printf '\0\0\0\004K6.1\0'
		frame P 4
		printf "$1"
		frame O unprivileged
		frame . ''
	} | raw "$real" | grep -aq -- "with --privilege=stapusr"
}
check "a forged limit of statements" forged_limit '\0\0\0\026OD\0MAXACTION=2147483647'
check "a forged limit of overload" forged_limit '\0\0\0\054OD\0STP_OVERLOAD_THRESHOLD=9223372036854775807'
check "a forged suppression" forged_limit '\0\0\0\021OD\0STP_NO_OVERLOAD'
check "a forged size of buffers" forged_limit '\0\0\0\004Os\00017'
too_large() {
	{
		frame V 'spile 1'
		frame I f/x
		for _ in {1..25}; do
			printf '\0\100\0\0F\0'
			head -c $(((1 << 22) - 1)) /dev/zero
			frame I f/x
		done
	} | raw "$real" | grep -aq "limit of 8392704 bytes"
}
check "a request of 100 megabytes" too_large

# ---- a hostile stap in the sandbox -----------------------------------------------------------------------------------

mkdir -m 755 hostile
cp "$server" hostile/
cat >hostile/stap <<'END'
#!/bin/sh
for word; do
	[ "$previous" != -e ] || what=$word
	previous=$word
done
case $what in
sleep) sleep 1000 ;;
loop) while :; do :; done ;;
# A shell that cannot fork exits with status 2, so this one does so only once, before the limit is reached.
fork) bomb() { bomb | bomb & }; bomb 2>/dev/null & exec sleep 1000 ;;
memory) exec awk 'BEGIN { x = "x"; while (1) x = x x }' ;;
shares)
	for _ in 1 2 3 4; do
		setsid awk 'BEGIN { x = "x"; while (length(x) < 5e7) x = x x; while (1) ; }' &
	done
	sleep 1000 ;;
messages) exec yes >&2 ;;
disk) dd if=/dev/zero of="$TMPDIR/x" bs=1M 2>&1 | tail -n 1 >&2; exit 1 ;;
write) touch /x /usr/x "$SPILE_CACHE/x" /dev/x "$(dirname "$0")/x" ;;
see)
	exec >&2
	ls -d /root /home /etc/passwd /etc/shadow /var
	ls -A "$SPILE_CACHE"
	grep -c : /proc/net/dev
	unshare -Ur true && echo "a namespace"
	ls /proc | grep -c '^[0-9]'
	ls -l /proc/self/fd | grep -c socket
	exit 1 ;;
calls) exec "$(dirname "$0")/refused-calls" ;;
esac
exit 3
END
gcc -O2 -Wall -static -o hostile/refused-calls "$tests/programs/refused-calls.c" || exit 1
chmod 755 hostile/stap
mkdir hostile.cache hostile.state greedy.state hostile.tmp
hostile_user=
if [ "$(id -u)" -eq 0 ]; then
	# Run as another user, because process limits do not apply to root.
	hostile_user=--user=nobody
	chown nobody hostile.cache hostile.state greedy.state hostile.tmp
	chmod 711 "$work" "$SPILE_RUN_DIRECTORY"
fi
# start_hostile NAME SECONDS: start a server with a hostile stap; set $address.
start_hostile() {
	TMPDIR=$work/hostile.tmp start "$1" "$PWD/hostile/stap-server" $hostile_user --accept-everybody \
		--cache="$work/hostile.cache" --seconds="$2" --memory=256 --running=2 --waiting=1 || return
	"$STAP" --use-server="$address" --trust-servers=no-prompt >out 2>&1 || fail "the server $1 is accepted" out
}
# Tests that must end, or reach the memory limit, on a busy machine, too, get a longer time limit.
start_hostile greedy 60 && greedy=$address
start_hostile hostile 2 && hostile=$address
# asks WHAT [SERVER]: send a request that makes the hostile stap do WHAT.
asks() {
	timeout 900 "$STAP" --use-server="${2:-$hostile}" -r 6.1 -p4 -e "$1"
}
limit='limit of 2 seconds'
check "a stap that waits" refuses "$limit" asks sleep
check "a stap that computes" refuses "$limit" asks loop
check "a stap that forks" refuses "$limit" asks fork
# awk exits when an allocation fails.
memory() {
	! asks memory "$greedy" >out 2>&1 && grep -qE 'megabytes of memory|out of memory|killed' out
}
check "a stap that allocates memory" memory
check "several processes that allocate memory" refuses 'limit of 256 megabytes of memory' asks shares "$greedy"
check "a stap that prints messages" refuses "messages: larger than the server's limit of 16 megabytes" asks messages
check "a stap that fills the disk" refuses 'No space left|File too large|67108864' asks disk
writes() {
	asks write "$greedy" >out 2>&1
	[ "$(grep -c 'Read-only file system\|Permission denied' out)" -eq 5 ] || { cat out; return 1; }
}
check "a stap that writes files" writes
sees() {
	asks see "$greedy" >out 2>&1
	grep -v 'cannot access' out | tr '\n' ' ' | grep -qE '^modules prepared 1 (unshare: [^0-9]* )?[0-9] 0 $' || {
		cat out
		return 1
	}
}
check "a stap that reads files" sees
# A server that allows build roots allows namespaces, so only these may be made there.
calls() {
	asks calls "$greedy" >out 2>&1
	[ "$(cat out)" = "all calls were tried" ] || { cat out; return 1; }
}
check "a stap that makes system calls" calls
# Wait until no sleeping process of that server is left.
asleep() {
	pgrep -f "sleep 1000" -u nobody || pgrep -f "sleep 1000" -P "$(pgrep -d, bwrap)"
}
vanishes() {
	timeout 1 "$STAP" --use-server="$hostile" -r 6.1 -p4 -e sleep
	within 60 eval '! asleep'
}
check "a request ends when its client disappears" vanishes
# If many requests arrive at once, the first ones run or wait, and the others are refused.
queue() {
	local clients=() i
	rm -f queue*.out
	for i in {1..10}; do
		asks sleep >queue$i.out 2>&1 &
		clients+=($!)
	done
	wait "${clients[@]}"
	i=$(grep -l 'the server is overloaded' queue*.out | wc -l)
	echo "$i requests were refused"
	[ "$i" -gt 0 ] && [ "$i" -lt 10 ]
}
check "more requests than the queue holds" queue
silent() {
	raw "$hostile" < <(exec sleep 60) | grep -aq "did not arrive within 2 seconds"
}
check "a silent client" silent
timeout 900 bash -c "exec 3<>/dev/tcp/${hostile/:/\/}; cat <&3 >/dev/null; echo ended" >speechless &
speechless=$!
alive() {
	for _ in {1..50}; do
		exec 4<>"/dev/tcp/${hostile/:/\/}"
	done
	asks write 2>&1 | grep -q 'Read-only'
}
check "the server still works" alive
speechless() {
	wait $speechless && grep -q ended speechless
}
check "a client without TLS" speechless
# Silent connections do not use up the places of others, not even those of their own network.
crowded() {
	local fds=() fd
	start crowded "$server" $settings --cache="$users" --accept-everybody --connections=4 || return
	"$STAP" --use-server="$address" --trust-servers=no-prompt >out 2>&1
	for _ in {1..40}; do
		exec {fd}<>"/dev/tcp/${address/:/\/}" && fds+=("$fd")
	done
	timeout 60 "$STAP" --use-server="$address" -r "$release" -p2 -e 'probe begin {}' | grep -q '^begin'
	local status=$?
	for fd in "${fds[@]}"; do
		exec {fd}>&-
	done
	return $status
}
check "silent connections do not lock others out" crowded

# Keys are not where requests can read them.
visible_state() {
	local directory
	mkdir own.cache && ln -s "$work/own.cache" link
	for directory in own.cache own.cache/keys link/keys; do
		refuses 'the directory of keys, .*, is below .*, which requests can read' \
			"$server" $settings --cache="$work/own.cache" --state="$directory" fingerprint || return
	done
	refuses 'the directory of keys, .*, is below' "$server" $settings --cache="$work/own.cache" \
		--show="$work/shown" --state="$work/shown/keys" fingerprint && [ -z "$(ls own.cache)" ] &&
		[ ! -e shown ]
}
check "keys below a directory that requests can read are refused" visible_state

# ---- without a sandbox -----------------------------------------------------------------------------------------------

mkdir programs
for program in sh env make gcc ld true; do
	ln -s "$(command -v $program)" programs/
done
check "a server without bubblewrap does not start" refuses 'cannot create a sandbox: bwrap: No such file' \
	env PATH="$work/programs" "$server" $settings --state="$work/bare.state" --cache="$users" --port=0 run
if start bare "$server" $settings --cache="$users" --no-sandbox; then
	bare=$address
	"$STAP" --use-server="$bare" --trust-servers=no-prompt >out 2>&1
	"$server" $settings --state="$work/bare.state" accept config/client.pem tests
	check "a server without bubblewrap starts if the option allows it" \
		"$STAP" --use-server="$bare" -r "$release" -I tapset -p4 -m bare uses.stp x 8
	mv real.state/server.pem real.state/server.key .
	changed() {
		start changed "$server" $settings --cache="$users" || return
		echo "$address ${fingerprint}" >config/trusted-servers
		refuses "has changed: its fingerprint is" "$STAP" --use-server="$address" -p4 plain.stp
	}
	check "a server with another certificate" changed
	mv server.pem server.key real.state/
	echo "$real $fingerprint" >config/trusted-servers
fi

# ---- many at once ----------------------------------------------------------------------------------------------------

many() {
	local clients=() i failed=0
	for i in {1..50}; do
		echo "probe begin { println(\"client $i of $$\") exit() }" >many$i.stp
		remote -p4 -m many$i many$i.stp >many$i.out 2>&1 &
		clients+=($!)
	done
	wait "${clients[@]}"
	for i in {1..50}; do
		[ "$(cat many$i.out)" = many$i.ko ] && grep -aq "client $i of $$" many$i.ko &&
			grep -aq "spile_script=many$i.stp" many$i.ko && continue
		echo "client $i:"
		cat many$i.out
		failed=1
	done
	return $failed
}
check_some 3 "50 clients at once" many
check "no temporary files are left" test -z "$(find "$TMPDIR" hostile.tmp -mindepth 1)"
crashed() {
	grep -hE 'Sanitizer|runtime error|killed' real.log bare.log
}
check "no server has failed" test -z "$(crashed)"

# ---- running the module ----------------------------------------------------------------------------------------------

check "a guest runs the module" \
	grep -q "^hello $$\$" <("$STAP" --use-server="$real" -r "$release" --remote=vm: plain.stp)
