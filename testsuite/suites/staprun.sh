# SPDX-License-Identifier: GPL-2.0-or-later
#
# staprun in a guest: everything that its manual page promises. The scripts testsuite/staprun/*.stp are compiled here to
# modules stap_t_NAME.ko. testsuite/staprun/guest.sh runs them in the guest, with all checks for a kernel in one boot.
# Then the kernel's log is searched for complaints. The kernels' guests run in parallel.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

build_id() {
	readelf -n "$1" | sed -n 's/ *Build ID: //p'
}

# used_words: print the words of guest.sh's checks that are not left out, and of the functions that they call.
used_words() {
	awk 'function visit(text, words, i) {
			for (i = split(text, words, /[^A-Za-z0-9_]+/); i > 0; i--)
				if (!(words[i] in seen)) {
					seen[words[i]]
					visit(bodies[words[i]])
				}
		}
		FILENAME == ARGV[1] { left_out[$0]; next }
		/^[a-z_0-9]+\(\)/ { name = $1; sub(/\(.*/, "", name) }
		/^check "/ { checked = $0; gsub(/^check "|" [a-z_0-9]+$/, "", checked) }
		/^check "/ && checked in left_out { next }
		{ bodies[name] = bodies[name] " " $0 }
		/^}/ { name = "" }
		END { visit(bodies[""]); for (word in seen) print word }' "$work/left-out" "$tests/staprun/guest.sh"
}

# make_module NAME OPTION...: compile it for the kernel $release, unless no check of this part uses it.
make_module() {
	! grep -qx "$1" "$work/used-words" || "$STAP" -p4 -r "$release" -m "$@"
}

# make_modules RELEASE SCRIPT...: compile the modules of these scripts into $work/modules/RELEASE.
make_modules() {
	local release=$1 script
	mkdir -p "$work/modules/$1" && cd "$work/modules/$1" || return
	for script in "${@:2}"; do
		make_module "stap_t_$(basename "$script" .stp)" $no_overload -DMAXACTION_INTERRUPTIBLE=1000000 \
			"$script" || return
	done
}

# make_special_modules RELEASE: compile those that are made in other ways, and sign some.
make_special_modules() {
	local release=$1 module
	# Their paths must not exist in the guest, to which other tests bring staprun at its own.
	mkdir -p "$work/builds" && cp "$STAPRUN" "$SPILE_BUILDDIR/stap-monitor" "$work/builds" &&
		cd "$work/modules/$1" || return
	PATH=$work/builds:$PATH make_module stap_t_builds -e '
		probe process(@1).function("output_record") { println("found ", ppfunc()) exit() }
		probe process(@2).function("main") {}
		probe timer.ms(100) { println("output") }' \
		"$(build_id "$STAPRUN")" "$(build_id "$SPILE_BUILDDIR/stap-monitor")" &&
		make_module stap_t_reopen -g -e '
			function reopen (name:string) %{ stp_reopen_output(CONTEXT, STAP_ARG_name); %}
			probe begin { println("begin") reopen("own") println("own") reopen("../file3") exit() }' &&
		make_module stap_t_for_stapusr --privilege=stapusr "$tests/staprun/hello.stp" &&
		make_module stap_t_for_stapsys --privilege=stapsys "$tests/staprun/hello.stp" &&
		make_module taken --privilege=stapusr "$tests/staprun/wait.stp" &&
		make_module stap_t_many_00 "$tests/staprun/wait.stp" &&
		make_module printk "$tests/staprun/hello.stp" &&
		objcopy --remove-section=.spile.info stap_t_hello.ko plain.ko || return
	for module in stap_t_hello stap_t_for_stap{usr,sys} taken; do
		[ ! -e $module.ko ] ||
			openssl dgst -sha256 -sign "$work/signer.pem" -out $module.ko.sgn $module.ko || return
	done
}

# guest_files RELEASE OTHER-RELEASE MODULES: print options of stap-vm that copy everything to /t in the guest.
guest_files() {
	local file
	for file in "$3/$1"/*.ko "$3/$1"/*.ko.sgn "$work"/*.x509; do
		echo "--file=$file:/t/$(basename "$file")"
	done
	echo "--file=$3/$2/stap_t_hello.ko:/t/stap_t_foreign.ko"
	echo "--file=$work/left-out:/t/left-out"
	echo "--file=$tests/staprun/guest.sh:/t/guest.sh"
	echo "--file=$tests/guest-tools.sh:/t/tools.sh"
	echo "--file=$STAPRUN:/bin/staprun"
	echo "--file=$(command -v flock):/bin/flock"
	echo "--file=$SPILE_BUILDDIR/stap-monitor:/bin/stap-monitor"
	echo "--file=$SPILE_BUILDDIR/stap-json:/bin/stap-json"
	echo "--file=$work/terminal:/t/terminal"
	echo "--file=$(terminal_description):/lib/terminfo/v/vt100"
}

# make_key NAME OPTION...: make the key $work/NAME.pem and its certificate NAME.x509.
make_key() {
	openssl req -x509 -newkey "${@:2}" -noenc -subj "/CN=$1" -days 1 -keyout "$work/$1.pem" -outform DER \
		-out "$work/$1.x509"
}

make_keys() {
	make_key signer rsa:2048 && make_key other rsa:2048 && make_key kind ec -pkeyopt ec_paramgen_curve:P-256
}

# Check the screen of the terminal testsuite/programs/terminal.c.
terminal_description() {
	find /lib/terminfo /usr/share/terminfo -name vt100 2>/dev/null | head -n 1
}

full_release() {
	basename "$("$STAP_VM" path "$1")"
}

# through_stap RELEASE OPTION...: run staprun through stap, which must pass on options and signals. Write the streams to
# $work/out and $work/err.
through_stap() {
	timeout 900 "$STAP" $no_overload --remote="unix:$work/$1" -r "$@" >"$work/out" 2>"$work/err"
}

options_of_stap() {
	through_stap "$1" -o "$work/file" -c 'echo command' "$tests/staprun/target.stp" &&
		[ "$(sed 's/[0-9]*$//' "$work/file" | sort)" = "command
end
target " ] && [ ! -s "$work/out" ] && through_stap "$1" -w "$tests/staprun/messages.stp" &&
		[ ! -s "$work/err" ] && [ "$(cat "$work/out")" = "output
a log line" ] && through_stap "$1" -vv "$tests/staprun/mechanisms.stp" && grep -q '^staprun: armed: ' "$work/err"
}

# A hook of the script that fails, in any form that SystemTap accepts, fails the load.
failing_hook() {
	local definition
	for definition in 'STAP_MODULE_INIT_HOOK refuse' 'STAP_MODULE_INIT_HOOK() refuse()' \
		'STAP_MODULE_INIT_HOOK refuse()'; do
		! through_stap "$1" -g -e "%{ static int refuse(void) { return -ENODEV; }
				#define $definition
				%} probe begin, end { println(1) exit() }" &&
			grep -q 'cannot load module .*: No such device' "$work/err" && [ ! -s "$work/out" ] || return 1
	done
}

error_in_stap() {
	! through_stap "$1" "$tests/staprun/error.stp" && grep -q 'division by 0' "$work/err" &&
		grep -qx 'error probe' "$work/out"
}

# Probe the marks of stap and staprun in the guest while stap translates a script to C and staprun loads a module.
own_programs() {
	cat >"$work/own.stp" <<-'END'
		probe stap.pass*, stap.pass*.end { printf("%s %d\n", pn(), session != 0) }
		probe staprun.insert_module { println(pn(), " ", path) }
		probe staprun.remove_module { println(pn(), " ", name) }
		probe staprun.send_control_message { println(pn(), " ", type, " ", user_string_n(data, len)) }
	END
	cat >"$work/own.sh" <<-END
		mkdir -p /tmp/empty
		SYSTEMTAP_TAPSET=/tmp/empty $STAP -p3 -e 'probe begin {}' >/dev/null
		$STAPRUN /t/stap_t_hello.ko >/dev/null
	END
	"$STAP_VM" exec --socket "$work/$1" --file "$STAP" --file "$STAPRUN" --file "$work/own.sh:/t/own.sh" \
		--file "$2/$1/stap_t_hello.ko:/t/stap_t_hello.ko" -- true &&
		through_stap "$1" -c "sh /t/own.sh" "$work/own.stp" &&
		sed 's/timezone .*/timezone/' "$work/out" | sort -u | cmp - "$tests/staprun/own-programs.out"
}

# host_cache RELEASE: set $recorded to the cache directory with the kernel's runtime and kbuild's recorded commands.
host_cache() {
	local host=$work/host
	mkdir -p "$host" && ln -sfn "$("$STAP_VM" path "$1" | xargs dirname)" "$host/kernels" &&
		SPILE_CACHE=$host "$STAP" -p4 -r "$1" -e 'probe begin {}' >/dev/null || return
	recorded=$(echo "$host"/kbuild/*)
}

# compiler_files RELEASE: print options of stap-vm that copy everything needed to compile a script except the cache:
# programs, one for the checksums of cache entries, and the kernel's headers.
compiler_files() {
	local kernel=$("$STAP_VM" path "$1") compiler file common
	common=$(echo "$kernel"/usr/src/linux-headers-*-common)
	compiler=$(sed -n 's/^script\.o=\([^ ]*\) .*/\1/p' "$recorded/recipe")
	for file in "$compiler" "$("$compiler" -print-prog-name=cc1)" as ld strip xxhsum; do
		echo "--file=$(command -v "$file")"
	done
	for file in "$kernel"/usr/lib/linux-kbuild-* "$kernel"/boot/config-* \
		"$kernel/usr/src/linux-headers-${kernel##*/}" "$common/arch/x86/include" "$common/include"; do
		echo "--file=$file:${file#"$kernel"}"
	done
}

# Probe the marks of stap while it compiles and runs a script, finds it in its cache by its text and by its C, and
# shrinks a cache that is too big. The programs are those that make the module.
own_translation() {
	local files recorded script=/t/own-translation.sh
	cat >"$work/own.stp" <<-'END'
		function last (path:string) {
			while ((slash = strpos(path, "/")) >= 0)
				path = substr(path, slash + 1, strlen(path))
			return path
		}
		function kind (path:string) {
			return strpos(path, "/t/cache/") ? path : substr(last(path), 0, 7)
		}
		probe stap.pass4, stap.pass4.end, stap.pass5, stap.pass5.end { println(pn(), " ", session != 0) }
		probe stap.cache_add_mod { println(pn(), " ", last(source_path), " ", kind(dest_path)) }
		probe stap.cache_add_src { println(pn(), " \"", source_path, "\" ", kind(dest_path)) }
		probe stap.cache_get {
			source = source_path == "" ? "" : kind(source_path)
			println(pn(), " \"", source, "\" ", kind(module_path))
		}
		probe stap.cache_clean { println(pn(), " ", kind(path)) }
		probe stap.system { println(pn(), " ", last(tokenize(command, " "))) }
		probe stap.system.spawn { println(pn(), " ", ret, " ", pid > 1) }
		probe stap.system.return { println(pn(), " ", ret) }
	END
	host_cache "$1" && mapfile -t files < <(compiler_files "$1") &&
		"$STAP_VM" exec --socket "$work/$1" "${files[@]}" --file "$SPILE_SRCDIR/runtime" --file "$STAP" \
			--file "$recorded:/t/kbuild" --file "$tests/staprun/own-translation.sh:$script" \
			-- sh $script "$STAP" "$("$STAP_VM" path "$1")" prepare &&
		through_stap "$1" -c "sh $script $STAP" "$work/own.stp" &&
		sort -u "$work/out" | diff "$tests/staprun/own-translation.out" -
}

interrupted_stap() {
	local pid tenths=3000
	: >"$work/out"
	"$STAP" --remote="unix:$work/$1" -r "$1" "$tests/staprun/wait.stp" >"$work/out" 2>"$work/err" &
	pid=$!
	until grep -q begin "$work/out"; do
		[ $((tenths -= 1)) -gt 0 ] || return 1
		nap 0.1
	done
	kill -INT $pid
	wait $pid && [ "$(cat "$work/out" "$work/err")" = "begin
end" ]
}

# When its reader closes the pipe, stap ends without a message, with the status of a program killed by SIGPIPE.
unread_stap() {
	timeout 900 "$STAP" --remote="unix:$work/$1" -r "$1" "$tests/staprun/endless.stp" 2>"$work/err" |
		head -n 2 >"$work/out"
	[ "${PIPESTATUS[0]}" -eq 141 ] && [ "$(cat "$work/out" "$work/err")" = "line 0
line 1" ]
}

left_by_stap() {
	local guest=("$STAP_VM" exec --socket "$work/$1" --)
	through_stap "$1" -F -m left_alone "$tests/staprun/wait.stp" && grep -q 'staprun -A left_alone' "$work/err" &&
		"${guest[@]}" grep -qx 'left 1' /sys/kernel/debug/spile/left_alone/status &&
		"${guest[@]}" /bin/staprun -d left_alone && ! "${guest[@]}" test -e /sys/module/left_alone
}

run_guest() {
	local release=$1 other=$2 modules=$3 files
	mapfile -t files < <(guest_files "$release" "$other" "$modules")
	start_guest "$release" --modules loop,algif_hash || return
	check_some 3 "$release: -c, -o and -w through stap" options_of_stap "$release"
	check_some 3 "$release: the exit status through stap" error_in_stap "$release"
	check_some 3 "$release: a hook that fails" failing_hook "$release"
	check "$release: Ctrl-C through stap runs the end probes; status 0" interrupted_stap "$release"
	check_some 3 "$release: a closed pipe ends the script through stap" unread_stap "$release"
	check_some 3 "$release: -F through stap leaves the script in the guest" left_by_stap "$release"
	check_some 3 "$release: stap and staprun are probed by their marks" own_programs "$release" "$modules"
	[ "$release" != $old_kernel ] ||
		check_some 4 "$release: stap is probed while it compiles" own_translation "$release"
	timeout 2000 "$STAP_VM" exec --socket "$work/$release" "${files[@]}" -- \
		sh /t/guest.sh "$release" "$(full_release "$other")" "$keys" "${SPILE_TESTS:-*}" >"$work/results" 2>&1
	grep -vx "the checks are over" "$work/results"
	# The last line shows that no check was missed.
	check "$release: the guest's checks run to their end" grep -qx "the checks are over" "$work/results"
	check_guest_log "$release" "after all checks"
	stop_guest "$release"
}

# Use a work directory per kernel, so that two can run at once.
side_by_side() {
	local top=$work
	work=$work/$1
	mkdir -p "$work" && cp "$top/terminal" "$top/left-out" "$top"/*.x509 "$work"
	run_guest "$1" "$2" "$top/modules" >"$work/output" 2>&1
}

# A program that may be set-uid must link only these libraries, because others may run code before the environment is
# cleaned, and must bind all symbols at start.
hardened() {
	readelf -Wdl "$STAPRUN" >"$work/headers" &&
		[ "$(sed -n 's/.*(NEEDED).*\[\(.*\)\.so.*/\1/p' "$work/headers" | sort | tr '\n' ' ')" = \
			"libc " ] &&
		grep -q 'GNU_RELRO' "$work/headers" && grep -q 'FLAGS_1.*NOW.*PIE' "$work/headers" &&
		readelf -Ws --dyn-syms "$STAPRUN" | grep -q __stack_chk_fail
}
check "staprun is linked with few libraries, and hardened" hardened

check "the test terminal is built" \
	gcc -Wall -Wextra -Werror -O1 -o "$work/terminal" "$tests/programs/terminal.c" -lutil
check "keys are made" make_keys
# The directory of the keys that this staprun trusts.
keys=$(grep -aoE '/[[:print:]]*/spile/keys' "$STAPRUN" | head -n 1)
wanted=${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}
left_out_checks "$tests/staprun/guest.sh" 36 >"$work/left-out"
used_words >"$work/used-words"
# A guest of a kernel also tries a module for another one.
for release in $old_kernel $new_kernel; do
	if [[ " $wanted " == *" $release "* ]]; then
		make_modules $release "$tests"/staprun/*.stp && make_special_modules $release
	else
		make_modules $release "$tests/staprun/hello.stp"
	fi >"$work/$release.log" 2>&1 &
done
check "the modules are made" eval "wait -n && wait -n || { cat $work/*.log; false; }"
for release in $wanted; do
	[ "$release" = $old_kernel ] && other=$new_kernel || other=$old_kernel
	side_by_side "$release" $other &
done
# Stop the guests, which would outlive the suite otherwise.
cleanup() {
	for release in $wanted; do
		"$STAP_VM" stop --socket "$work/$release/$release" 2>/dev/null
	done
}
wait
for release in $wanted; do
	cat "$work/$release/output"
done
