# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Ansible collection spile.fleet (ansible/): parameters and files on this machine, then playbooks on three guests of
# different kernels, which have no Python and are reached with ssh.

. "$(dirname "$0")/../lib.sh"

if ! command -v ansible-playbook >/dev/null; then
	skip "the collection for Ansible" "ansible-core is not installed"
	exit 0
fi
third_kernel=6.12-rt
for kernel in $old_kernel $new_kernel $third_kernel; do
	"$STAP_VM" path $kernel >"$work/kernel.path" 2>&1 || {
		echo "fetch it with: $STAP_VM fetch --no-debuginfo $kernel" | fail "kernel $kernel"
		exit 0
	}
done
cd "$work" || exit 1
mkdir -p collections/ansible_collections/spile &&
	cp -r "$SPILE_SRCDIR/ansible" collections/ansible_collections/spile/fleet || exit 1
export ANSIBLE_COLLECTIONS_PATH=$work/collections ANSIBLE_HOME=$work/home ANSIBLE_LOCALHOST_WARNING=false \
	ANSIBLE_INVENTORY_UNPARSED_WARNING=false ANSIBLE_NOCOLOR=1 ANSIBLE_RETRY_FILES_ENABLED=false \
	ANSIBLE_SSH_TRANSFER_METHOD=piped ANSIBLE_SSH_CONTROL_PATH_DIR=$work/cp PATH=$SPILE_BUILDDIR:$PATH
# The parser of inventories takes localhost's Python from here.
here=(-i localhost, -c local)
"$STAP" --bundle=tool -r $old_kernel -r $new_kernel -r $third_kernel "$tests/bundles/hello.stp" >log 2>&1 ||
	fail "the bundle is made" log

# ---- this machine ----------------------------------------------------------------------------------------------------

# try NAME FUNCTION: check; a failure shows what Ansible said last.
try() {
	check "$1" eval "$2 || { tail -n 40 out; false; }"
}
# task MEMBERS [OPTION...]: run the module here; the result is in out.
task() {
	ansible localhost "${here[@]}" -m spile.fleet.bundle -a "$1" "${@:2}" >out 2>&1
}
# changes WHETHER MEMBERS [OPTION...]: does the module succeed, and report whether it has changed anything?
changes() {
	task "${@:2}" && grep -q "\"changed\": $1" out
}
described() {
	ansible-doc spile.fleet.bundle >out 2>&1 && grep -q 'needs a POSIX shell' out
}
try "ansible-doc describes the module" described
installed() {
	local place="$work/a place" it="$work/a place/it" put take
	put="{\"src\":\"tool\",\"dest\":\"$it\",\"state\":\"present\"}"
	take="{\"dest\":\"$it\",\"state\":\"absent\"}"
	mkdir -p "$place" && changes true "$put" --check && [ ! -e "$it" ] && changes true "$put" && cmp tool "$it" &&
		[ "$(stat -c %a "$it")" = 755 ] && [ "$(ls "$place")" = it ] && changes false "$put" &&
		chmod 600 "$it" && changes true "$put" && [ "$(stat -c %a "$it")" = 755 ] &&
		changes true "$take" --check && [ -e "$it" ] && changes true "$take" && [ ! -e "$it" ] &&
		changes false "$take"
}
try "a bundle is installed once, and removed once" installed
knows_facts() {
	task '{"src":"tool","state":"facts"}' && grep -q "\"release\": \"$(uname -r)\"" out &&
		grep -q '"module": null' out
}
try "facts of a host" knows_facts
# refused MESSAGE MEMBERS: does the module fail with this message?
refused() {
	! task "$2" && grep -q -- "$1" out
}
refusals() {
	refused 'unknown parameters: sorce; there are arguments, dest, ' '{"sorce":"tool"}' &&
		refused 'state must be one of run, facts, present, absent, not ' '{"src":"tool","state":"there"}' &&
		refused 'state=present requires dest' '{"src":"tool","state":"present"}' &&
		refused 'state=run requires src' '{"seconds":1}' &&
		refused 'seconds must be a number of at least 1' '{"src":"tool","seconds":0}' &&
		refused 'arguments must be a list' '{"src":"tool","arguments":"--top=5"}' &&
		refused 'lines is only for state=run' '{"src":"tool","state":"facts","lines":"x"}' &&
		refused 'gone' '{"src":"gone"}' &&
		refused 'cannot install /proc/nowhere/x' '{"src":"tool","dest":"/proc/nowhere/x","state":"present"}'
}
try "wrong parameters are refused" refusals
failing_run() {
	task '{"src":"tool"}' --check && grep -q SKIPPED out && ! task '{"src":"tool"}' &&
		grep -q "$tool_failure" out && grep -q '"rc": 1' out && ! grep -q Traceback out
}
# Here, the bundle has no module for the kernel.
tool_failure='has no module for'
try "a bundle that fails is a failure with its message" failing_run

# ---- guests ----------------------------------------------------------------------------------------------------------

. "$tests/ssh-hosts.sh"
host third $third_kernel
cleanup() {
	for kernel in $old_kernel $new_kernel $third_kernel; do
		"$STAP_VM" stop --socket "$work/$kernel" 2>/dev/null
	done
}
for kernel in $old_kernel $new_kernel $third_kernel; do
	start_host $kernel || exit 0
done
printf '%s ansible_user=root\n' old new third >inventory

# play NAME OPTION...: run a playbook of the collection.
play() {
	ansible-playbook -i inventory "spile.fleet.$1" "${@:2}" >out 2>&1
}
is_clean() {
	[ -z "$("$STAP_VM" exec --socket "$work/$1" -- sh -c 'grep ^stap_ /proc/modules
		ls -d /root/.ansible/tmp/* /tmp/ansible*' 2>/dev/null)" ]
}
nothing_left() {
	for kernel in $old_kernel $new_kernel $third_kernel; do
		within 20 is_clean $kernel || return
	done
}

gathers_facts() {
	play facts -e bundle=tool -e facts="$work/facts" && [ "$(wc -l <facts)" -eq 3 ] &&
		[ "$(jq -r 'select(.module == .release) | .release' facts | sort -u | wc -l)" -eq 3 ] &&
		"$STAP" --bundle=built --bundle-from facts -G text=built "$tests/bundles/hello.stp" &&
		[ "$(./built --list | grep -c '^  [0-9]')" -eq 3 ]
}
try "a bundle is built for the kernels of an inventory" gathers_facts

reports() {
	play report -e bundle=built -e report="$work/x.json" -e '{"arguments": ["--word= it", "text=given"]}' &&
		[ "$(jq -r 'select(.type == "start") | .kernel' x.json | sort -u | wc -l)" -eq 3 ] &&
		[ "$(jq -rj 'select(.type == "output") | .text' x.json)" = "$(printf 'given it 0\n%.0s' 1 2 3)" ] &&
		[ "$(ls x.json.d)" = "$(printf '%s.json\n' new old third)" ] && nothing_left
}
try "one report of three hosts" reports
# It never ends by itself; the time limit does what Ctrl-C does.
limited() {
	"$STAP" --bundle=endless -r $old_kernel -r $new_kernel -r $third_kernel \
		-e 'probe timer.ms(100) {} probe end { println("end") }' &&
		play report -e bundle=endless -e seconds=5 -e report="$work/limited.html" &&
		grep -q '<html' limited.html &&
		[ "$(jq -rj 'select(.type == "output") | .text' limited.html.d/{old,new,third}.json)" = \
			"$(printf 'end\n%.0s' 1 2 3)" ] && nothing_left
}
try "a time limit ends the script" limited
# A host that fails, and one that cannot be reached, do not cost the others' results.
without_one() {
	"$STAP" --bundle=two -r $old_kernel -r $new_kernel -e 'probe begin { println("here") exit() }' &&
		echo 'nowhere ansible_user=root' | cat inventory - >with-nowhere &&
		! ansible-playbook -i with-nowhere spile.fleet.report -e bundle=two \
			-e report="$work/two.json" >out 2>&1 &&
		[ "$(jq -r 'select(.type == "start") | .kernel' two.json | sort -u | wc -l)" -eq 2 ] &&
		grep -q "has no module for" out && grep -q 'nowhere .*unreachable=1' out && nothing_left
}
try "a host that fails is left out of the report" without_one
runs_installed() {
	ansible old -i inventory -m spile.fleet.bundle \
		-a '{"src":"built","dest":"/usr/bin/it","arguments":["text=x"]}' >out 2>&1 &&
		grep -q '"stdout": "x 0' out &&
		"$STAP_VM" exec --socket "$work/$old_kernel" -- cat /usr/bin/it | cmp - built && nothing_left
}
try "an installed bundle runs" runs_installed
for kernel in $old_kernel $new_kernel $third_kernel; do
	stop_guest $kernel
done
