# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run and check the scripts of testsuite/guest, language and user; part of suites/scripts.sh. NAME.6.12.out and .err
# override NAME.out and .err where kernels differ; NAME.gcc-14.out overrides them where the kernels' compilers differ.
# If the output is not known in advance, NAME.check instead of NAME.out is a shell script that reads the output and
# prints what is wrong; $KERNEL is the kernel. Comments at the head of a script:
#
#     # kernel: 6.12        run it only on this kernel
#     # not on 5.10: why    skip it on this kernel
#     # not by gcc-14: why  skip it on kernels that this compiler has built
#     # options: -g         further options of stap
#     # arguments: a b      arguments of the script; $FIXTURE is the module of testsuite/fixtures, which is loaded;
#                           $VARIABLES and $VARIABLES-pie are programs/variables.c, in the guest /tmp/variables; so are
#                           $NAMES-gcc, $NAMES-clang and $NAMES-rust programs/names.*; $STACKS is programs/stacks.c,
#                           with $STACKS-static, …-32, …-stripped, …-debug-frame, …-frame-pointers, …-musl and
#                           …-musl-static; $LIBC: the C library; $MUSL: that of musl;
#                           $PROGRAMS/traced is programs/traced.c with its library, in the guest at the same place;
#                           $PROGRAMS/narrow-O0 and -O2 are programs/narrow.c
#                           $PROGRAMS/made-code is programs/made-code.c
#                           $PROGRAMS/lists is programs/lists.c
#                           $PROGRAMS/static-probes is programs/static-probes.c
#                           $PROGRAMS/calls-32 and -64 are programs/system-calls.c
#     # command: sleep 1    the -c command; $PROGRAMS as above
#     # input: a\nb         standard input, with escape sequences as in printf (default: none)
#     # status: 1           the exit status of stap (default 0)
#     # sources: dwarf btf  run it once with each of these sources of debuginfo, without the others
#     # sources on 5.10: dwarf   the same for this kernel
#     # options on 7.3: -w       add these options on this kernel
#     # processors: 2       run it in a guest with two CPUs and real time
#     # live: why           translate it while the guest is up, because its head queries the guest

# expected NAME out|err RECEIVED: set $file to the expected file that applies to the chosen kernel.
expected() {
	for file in "$1.$series.$2" "$1.$compiler.$2" "$1.$2"; do
		[ ! -e "$file" ] || return 0
	done
	if [ -n "$SPILE_UPDATE" ] && [ -s "$3" ]; then
		file=$1.$2
	else
		file=/dev/null
	fi
}

# has_expectation NAME: does the script have an expected file? One that prints nothing must have an empty NAME.out,
# because it would pass without running otherwise.
has_expectation() {
	local file
	for file in "$1.$series.out" "$1.$compiler.out" "$1.out" "$1.$series.err" "$1.err" "$1.check"; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# normalise FILE...: replace directories, which differ in each run. Remove the message about compiling the runtime,
# which the cache may have dropped after testsuite/run prepared it.
normalise() {
	sed -s -i -E -e '/^Compiling the runtime .*, once\.$/d' \
		-e "s#$SPILE_SRCDIR/##g" -e "s#$PROGRAMS/#programs/#g" -e 's#(/[^ ]*/)?(testsuite|tapset)/#\2/#g' "$@"
}

# without_skips: remove the counts of skipped probes. On PREEMPT_RT the runtime calls functions of RCU and locks that
# scripts probe, and such hits are skipped.
without_skips() {
	sed -E '/^WARNING: (Number of errors: 0, skipped probes|Skipped due to reentrancy): /d'
}

# translate_script JOB SCRIPT SOURCE [OPTION...]: translate the script whose head was read, with one source of
# debuginfo, or with all if it is empty. $translate is batch_translate or batch_live.
translate_script() {
	local job=$1 script=$2 command=${head[command]} options arguments
	local -x SPILE_DEBUGINFO_SOURCES=$3
	shift 3
	read_words
	eval "options+=(${head["options on $series"]})"
	# Disable the overload check, because a busy host stops a guest in the middle of a handler.
	grep -q OVERLOAD "$script" || options+=(-D STP_NO_OVERLOAD)
	[ -z "$command" ] || options+=(-c "${command//\$PROGRAMS/$PROGRAMS}")
	printf "${head[input]}" |
		"$translate" "$job" -r "$release" "${options[@]}" "$@" "$script" "${arguments[@]}"
}

# show_difference FILE RECEIVED: write the difference to $work/diff; false if they are equal.
show_difference() {
	[ -s "$1" ] || [ -s "$2" ] || return
	! diff -u --label "expected ($1)" --label "got" "$1" "$2" >"$work/diff" 2>&1
}

# collect JOB STATUS: write the streams that a user would have seen to $work/out and $work/err. Add the status if it is
# not STATUS.
collect() {
	local job=$batch/$1 status
	cat "$job/stap.out" "$job/out" >"$work/out" 2>/dev/null
	cat "$job/stap.err" "$job/err" >"$work/err" 2>/dev/null
	status=$(cat "$job/stap.status")
	# stap itself exits with 0 or 1.
	[ "$status" -ne 0 ] || [ ! -e "$job/status" ] || [ "$(cat "$job/status")" -eq 0 ] || status=1
	[ "$status" -eq "$2" ] || echo "exit status $status" >>"$work/err"
}

# judge_script SET JOB SCRIPT TITLE: report one result for both streams, with the difference of the first that differs.
judge_script() {
	local job=$2 name=$PWD/${3%.stp} title=$4 stream file
	collect "$job" "${head[status]:-0}"
	! is_rt || { without_skips <"$work/err" >"$work/normalised" && mv "$work/normalised" "$work/err"; }
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || normalise "$work/out" "$work/err"
	if [ -e "$name.check" ] && [ ! -s "$work/err" ]; then
		KERNEL=$release ADDR2LINE=$(gnu_tool "$release" addr2line) check "$title" bash "$name.check" "$work/out"
		return
	fi
	if ! has_expectation "$name"; then
		echo "missing ${3%.stp}.out, .err or .check" | fail "$title"
		[ -n "$SPILE_UPDATE" ] || return
		[ -s "$work/err" ] && stream=err || stream=out
		update "$name.$stream" "$work/$stream" && echo "    $name.$stream is written"
		return
	fi
	for stream in err out; do
		expected "$name" $stream "$work/$stream"
		if [ $stream = err ] && is_rt; then
			without_skips <"$file" >"$work/expected"
			file=$work/expected
		fi
		if show_difference "$file" "$work/$stream"; then
			[ $stream = out ] || cat "$work/out" >>"$work/diff"
			fail_difference "$title" "$file" "$work/$stream" "$work/diff"
			return
		fi
	done
	ok "$title"
}
