# SPDX-License-Identifier: GPL-2.0-or-later
# The functions that suites share: reporting results, kernels, guests, fuzzers. All of testsuite/suites/*.sh source this
# file; testsuite/run starts them with the variables below set.
#
# A result is one line, "ok - suite: name", "FAIL - suite: name" or "skip - suite: name: reason". The explanation of a
# failure follows it, indented, so that no line of it can be mistaken for a result.

: "${SPILE_SRCDIR:?start suites through testsuite/run}" "${SPILE_BUILDDIR:?}" "${STAP:?}" "${STAP_VM:?}" "${STAPRUN:?}"
tests=$SPILE_SRCDIR/testsuite
suite=$(basename "$0" .sh)
. "$tests/kernels"
. "$tests/parts.sh"

# The suite's work directory, removed at its end. Temporary files of the tested programs go there too, where tests look
# for leftovers.
work=$(mktemp -d "${SPILE_RUN_DIRECTORY:?}/XXXXXX") || exit 1
mkdir "$work/tmp"
export TMPDIR=$work/tmp
# Signals need no trap: the shell would delay it until its command ends, and testsuite/run kills what still runs.
cleanup() { :; }
trap 'cleanup; rm -rf "$work"' EXIT

ok() {
	echo "ok - $suite: $1"
}

# fail NAME [FILE...]: report a failure. The files, or else standard input, explain it.
fail() {
	echo "FAIL - $suite: $1"
	shift
	head -n 60 -- "${@:--}" 2>&1 | cut -c 1-300 | sed 's/^/    /'
}

skip() {
	echo "skip - $suite: $1: $2"
}

# written_files: print the ends of the small files that a check has just written to the work directory, except programs.
# Checks keep the output of commands there.
written_files() {
	local file
	find "$work" -maxdepth 1 -type f -newer "$work/check.begin" ! -name 'check.*' -size -64k | sort |
		while read -r file; do
			[ "$(head -c 4 "$file" | tr -d '\0')" != $'\177ELF' ] || continue
			echo "-- ${file##*/}:"
			tail -n 8 "$file" | tr -d '\0'
		done
}

# check NAME COMMAND...: report ok if the command succeeds, else a failure that its output and its files explain.
check() {
	local name=$1
	shift
	: >"$work/check.begin"
	if "$@" >"$work/check.log" 2>&1; then
		ok "$name"
	else
		written_files >"$work/check.files"
		fail "$name" "$work/check.log" "$work/check.files"
	fi
}

# check_some N NAME COMMAND...: check, but in a part only one in N of such tests. Use it for expensive tests on which no
# other test depends.
check_some() {
	! is_part "$suite/$2" "$1" || check "${@:2}"
}

# update EXPECTED GOT: rewrite an expected file. If two tests of a run want different contents (for two kernels, or two
# sources of debuginfo), restore the file and fail.
update() (
	stamp=$SPILE_RUN_DIRECTORY/updated/${1//\//%}
	mkdir -p "$SPILE_RUN_DIRECTORY/updated" && flock 8 || return
	if [ ! -e "$stamp" ]; then
		cp "$1" "$stamp.before" 2>/dev/null
		cp "$2" "$stamp" && cp "$2" "$1"
		return
	fi
	cmp -s "$2" "$stamp" && return
	[ -e "$stamp.before" ] && cp "$stamp.before" "$1" || rm -f "$1"
	return 1
) 8>>"$SPILE_RUN_DIRECTORY/lock"

# fail_difference NAME EXPECTED GOT DIFFERENCE: report that the files differ. With SPILE_UPDATE=1, also rewrite
# EXPECTED; that is still a failure (read the difference!).
fail_difference() {
	if [ -z "$SPILE_UPDATE" ]; then
		fail "$1" "$4"
	elif update "$2" "$3"; then
		fail "$1: updated $2" "$4"
	else
		fail "$1: not updated, because two tests expect different contents of $2" "$4"
	fi
}

# compare NAME EXPECTED GOT: report whether the files are equal.
compare() {
	if diff -u --label "expected ($2)" --label got "$2" "$3" >"$work/diff.log" 2>&1; then
		ok "$1"
	else
		fail_difference "$1" "$2" "$3" "$work/diff.log"
	fi
}

# read_head SCRIPT: read its comments "# key: value" into the array `head`, one line per value of a key. Start no
# process: with hundreds of scripts in a run, that would take as long as the scripts.
declare -A head
read_head() {
	local line key
	head=()
	while IFS= read -r line && [[ $line == \#* ]]; do
		[[ $line == "# "*": "* ]] || continue
		line=${line#\# }
		key=${line%%: *}
		head[$key]+=${head[$key]:+$'\n'}${line#*: }
	done <"$1"
}

# read_words: set the arrays `options` and `arguments` from the head that was read.
read_words() {
	eval "options=(${head[options]})"
	eval "arguments=(${head[arguments]})"
}

# choose_release RELEASE: set $release, $series (its first two numbers: 6.12 of 6.12-rt and 6.12.118+deb13-cloud-amd64)
# and $compiler (the one that built the kernel: gcc-14). Heads of scripts refer to these.
choose_release() {
	local root version
	release=$1
	[[ $1 =~ [0-9]+\.[0-9]+ ]]
	series=${BASH_REMATCH[0]}
	root=$("$STAP_VM" path "$1")
	version=$(sed -n 's/^CONFIG_GCC_VERSION=\([0-9]*\)[0-9]\{4\}$/\1/p' "$root"/usr/src/linux-headers-*/.config \
		"$root/.config" 2>/dev/null)
	compiler=gcc-$version
}

# is_rt: does the chosen kernel have PREEMPT_RT?
is_rt() { [[ $release == *-rt || $release == *-rt-* ]]; }

# is_left_out NAME: does the head that was read exclude the chosen kernel? Report the skip with the reason.
is_left_out() {
	local reason=${head["not on $series"]}${head["not by $compiler"]}
	[ -n "$reason" ] && skip "$release: $1" "$reason"
}

# choose_scripts: set the array `scripts` to the scripts of this directory that match the shell pattern $SPILE_TESTS, in
# a part one in $SPILE_SHARE, or in three. Having no match is a failure, because a mistyped name would pass otherwise.
choose_scripts() {
	local pattern=${SPILE_TESTS:-*} number
	shopt -s extglob
	scripts=($pattern.stp)
	if [ -e "${scripts[0]}" ]; then
		for number in "${!scripts[@]}"; do
			is_part "${scripts[number]}" "${SPILE_SHARE:-3}" || unset "scripts[number]"
		done
		return
	fi
	scripts=()
	echo "no script in $PWD matches '$pattern.stp'" | fail "SPILE_TESTS chooses a test"
}

# choose_parts PART...: fail and exit if $SPILE_TESTS matches none of the parts of a suite.
choose_parts() {
	local part
	for part in "$@"; do
		[[ $part != ${SPILE_TESTS:-*} ]] || return 0
	done
	echo "no part matches '$SPILE_TESTS'; there are: $*" | fail "SPILE_TESTS chooses a part"
	exit 0
}

# refuses PATTERN COMMAND...: does the command fail with status 1 and a message that matches?
refuses() {
	local pattern=$1 status
	shift
	"$@" >"$work/out" 2>&1
	status=$?
	[ $status -eq 1 ] && grep -qE -- "$pattern" "$work/out" || { cat "$work/out"; echo "status $status"; return 1; }
}

# translate_scripts JUDGE: translate each chosen script of this directory as its head says, and call JUDGE NAME STATUS.
# The output is in $work/printed, the messages are in $work/messages.
translate_scripts() {
	local script status options arguments
	choose_scripts
	for script in "${scripts[@]}"; do
		read_head "$script"
		read_words
		SPILE_DEBUGINFO_SOURCES=${head[sources]} timeout 900 "$STAP" "-p${head[pass]:-2}" \
			-r "${head[kernel]:-$old_kernel}" "${options[@]}" "$script" "${arguments[@]}" \
			>"$work/printed" 2>"$work/messages"
		status=$?
		"$1" "${script%.stp}" $status
	done
}

# An option for scripts in guests whose clock is the host's: on a busy host, any handler may take long.
no_overload=-DSTP_NO_OVERLOAD

# private_cache DIRECTORY: use a cache of this suite's own, with the same kernels and guests.
private_cache() {
	local users=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile} entry
	mkdir -p "$1" "$users/guests"
	for entry in kernels guests; do
		ln -s "$users/$entry" "$1/$entry"
	done
	export SPILE_CACHE=$1
}

# copied_cache DIRECTORY: the same with what `run` has prepared: the runtime and the kernels' indexes, but no modules.
# Use private_cache in a suite that tests what happens without them.
copied_cache() {
	local users=${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}
	private_cache "$1"
	tar -c -C "$users" --exclude='module-*' --exclude='script-*' kbuild \
		$(cd "$users" && ls -d runtime-* index-*) | tar -x -C "$1"
}

# need_kernel RELEASE: fail, with a hint, if the kernel is not in the cache. Tests that need it are not optional.
need_kernel() {
	"$STAP_VM" path "$1" >"$work/kernel.path" 2>&1 && return
	echo "kernel $1 is not in the cache; fetch it with: $STAP_VM fetch $1" | fail "kernel $1"
	return 1
}

# architecture_of RELEASE: print Debian's name of a kernel's architecture.
architecture_of() {
	case $1 in
	*arm64*) echo arm64 ;;
	*amd64*) echo amd64 ;;
	*) dpkg --print-architecture ;;
	esac
}

# is_foreign RELEASE: is the kernel for another architecture than this machine's?
is_foreign() { [ "$(architecture_of "$1")" != "$(dpkg --print-architecture)" ]; }

# guest_program RELEASE NAME: print the path of a program of ours for guests of a kernel.
guest_program() {
	if is_foreign "$1"; then
		echo "$SPILE_BUILDDIR/$(architecture_of "$1")/$2"
	elif [ "$2" = staprun ]; then
		echo "$STAPRUN"
	else
		echo "$SPILE_BUILDDIR/$2"
	fi
}

# gnu_machine ARCHITECTURE: print the GNU tools' name of an architecture.
gnu_machine() {
	case $1 in
	arm64) echo aarch64 ;;
	amd64) echo x86_64 ;;
	esac
}

# gnu_tool RELEASE NAME: print the name of the GNU tool for a kernel's architecture.
gnu_tool() {
	! is_foreign "$1" || printf '%s-linux-gnu-' "$(gnu_machine "$(architecture_of "$1")")"
	echo "$2"
}

# as_modules RELEASE NAME...: print "--modules=NAME,NAME" for those that are modules of the kernel and not built in.
as_modules() {
	local all name found=
	all=$(find "$("$STAP_VM" path "$1")" -name '*.ko*' -printf '%f\n')
	for name in "${@:2}"; do
		! grep -q "^$name\.ko" <<<"$all" || found+=,$name
	done
	[ -z "$found" ] || echo "--modules=${found#,}"
}

# nap SECONDS: sleep without starting a process, which costs more than most conditions that a test waits for. Nothing is
# ever written to this pipe, whose two ends are the same descriptor.
exec {never}<> <(:)
nap() {
	read -rt "$1" -u "$never" || return 0
}

# within SECONDS COMMAND...: repeat the command until it succeeds; fail after this time.
within() {
	local - end=$((SECONDS + $1))
	shift
	set +x
	until "$@"; do
		[ $SECONDS -lt $end ] || { echo "not within the time: $*"; return 1; }
		nap 0.1
	done
}

# start_guest RELEASE [OPTION...]: start a guest for --remote=unix:$work/RELEASE; stop_guest ends it.
start_guest() {
	local release=$1
	shift
	if ! "$STAP_VM" start -r "$release" --socket "$work/$release" "$@" >"$work/start.log" 2>&1; then
		fail "$release: the guest starts" "$work/start.log"
		return 1
	fi
	# Ignore the kernel's messages before the first script, for example of a host that stalls while the guest boots.
	"$STAP_VM" dmesg --socket "$work/$release" >"$work/boot.$release" 2>&1
	cp "$work/boot.$release" "$work/dmesg.$release"
}

# machine NAME PROGRAM ARGUMENT...: make a script that starts QEMU's PROGRAM with these arguments, for use in PATH:
# PATH=$work/NAME:$PATH start_guest RELEASE --no-snapshot. The arguments are shell text, in which "$@" is stap-vm's own.
machine() {
	mkdir "$work/$1" && cat >"$work/$1/$2" <<-END && chmod +x "$work/$1/$2"
		#!/bin/bash
		exec "$(command -v "$2")" ${@:3}
	END
}

# guest_log RELEASE: print the kernel's log. A suite that expects certain warnings overrides this function.
guest_log() {
	"$STAP_VM" dmesg --socket "$work/$1"
}

# check_guest_log RELEASE NAME: report a failure if the kernel has complained since the last call. stop_guest reports
# the result if it never has.
kernel_complaints='WARNING:|BUG:|Oops|Call Trace|KASAN|possible circular locking|possible recursive locking'
kernel_complaints+='|inconsistent lock state|suspicious RCU|scheduling while atomic|sleeping function called'
kernel_complaints+='|soft lockup|hard LOCKUP|hung_task|blocked for more than|rcu.*stall|general protection'
kernel_complaints+='|unable to handle|page allocation failure|trying to register non-static key|unchecked MSR'
check_guest_log() {
	guest_log "$1" >"$work/dmesg.new" 2>&1 || {
		fail "$1: the guest is alive $2" "$work/dmesg.new"
		return
	}
	if diff "$work/dmesg.$1" "$work/dmesg.new" | grep -E "^> .*($kernel_complaints)" >/dev/null; then
		diff "$work/dmesg.$1" "$work/dmesg.new" | fail "$1: the kernel's log $2"
	fi
	mv "$work/dmesg.new" "$work/dmesg.$1"
}

# stop_guest RELEASE: stop it, and check that the kernel has not complained, that no module of a script is left, and
# that there is no taint but "out of tree" and "unsigned".
stop_guest() {
	local taint
	check "$1: no module is left loaded" \
		test -z "$("$STAP_VM" exec --socket "$work/$1" -- grep '^stap_' /proc/modules)"
	taint=$("$STAP_VM" exec --socket "$work/$1" -- cat /proc/sys/kernel/tainted)
	# Bits 12 and 13 of Documentation/admin-guide/tainted-kernels.rst.
	check "$1: the kernel has no taint of an error ($taint)" test $((taint & ~0x3000)) -eq 0
	diff "$work/boot.$1" "$work/dmesg.$1" | sed -n 's/^> //p' >"$work/since.$1"
	if grep -qE "$kernel_complaints" "$work/since.$1"; then
		grep -E -A 20 "$kernel_complaints" "$work/since.$1" | fail "$1: the kernel's log is clean"
	else
		ok "$1: the kernel's log is clean"
	fi
	"$STAP_VM" stop --socket "$work/$1"
}

# has_own_compiler RELEASE NAME: does the kernel's build root have its own compiler? Then skip the test NAME, which is
# about the host's compilers.
has_own_compiler() {
	local kernel
	kernel=$("$STAP_VM" path "$1") && [ -e "$kernel/build-root" ] &&
		skip "$2" "the host has not the compiler of kernel $1"
}

# build_tree RELEASE|PATH: print the directory that builds modules for a kernel: Debian's headers, or its build tree.
build_tree() {
	local root config
	root=$("$STAP_VM" path "$1") || return
	for config in "$root"/usr/src/linux-headers-*/.config "$root/.config"; do
		[ -e "$config" ] && dirname "$config" && return
	done
	return 1
}

# build_fixture RELEASE DIRECTORY: build DIRECTORY/spile_fixture.ko from testsuite/fixtures for a kernel.
build_fixture() {
	mkdir -p "$2" && cp "$tests"/fixtures/* "$2" && make_fixture "$1" "$2"
}

# cross_arguments ARCHITECTURE: print kbuild's arguments for a kernel of another architecture.
cross_arguments() {
	case $1 in
	arm64) echo ARCH=arm64 ;;
	amd64) echo ARCH=x86 ;;
	esac
	echo "CROSS_COMPILE=$(gnu_machine "$1")-linux-gnu-"
}

# make_fixture RELEASE DIRECTORY: build the module from the sources in DIRECTORY.
make_fixture() {
	local tree cross=
	! is_foreign "$1" || cross=$(cross_arguments "$(architecture_of "$1")")
	tree=$(build_tree "$1") && "$STAP_VM" tools -r "$1" -- make -s -C "$2" KERNEL="$tree" $cross >"$2/log" 2>&1
}

# shared_fixture RELEASE: build it once for all suites of a run, in $SPILE_RUN_DIRECTORY/fixture.RELEASE.
shared_fixture() {
	flock 8
	[ -e "$SPILE_RUN_DIRECTORY/fixture.$1/spile_fixture.ko" ] ||
		build_fixture "$1" "$SPILE_RUN_DIRECTORY/fixture.$1" || {
		cat "$SPILE_RUN_DIRECTORY/fixture.$1/log"
		return 1
	}
} 8>>"$SPILE_RUN_DIRECTORY/fixture.lock"

# module_contents FILE OTHER: print all contents of a module except its build-id, and compare the rest with OTHER.
module_contents() {
	objcopy --remove-section .note.gnu.build-id "$1" "$1.bare" && {
		modinfo "$1" | grep -v '^filename'
		readelf -SW --relocs --syms "$1.bare" | grep -v '^File:'
		readelf -n "$1" | grep -c 'Build ID'
		cmp "$1.bare" "$2.bare" 2>&1 || [ ! -e "$2.bare" ]
	}
}

# same_module FILE FILE: are two modules equal, except for their build-ids?
same_module() {
	module_contents "$1" "$1" >"$1.text" && module_contents "$2" "$1" >"$2.text" && diff "$1.text" "$2.text"
}

# fuzzes_inputs: are the readers of others' data fuzzed? Their fuzzer takes long to build.
fuzzes_inputs() {
	is_part fuzz/inputs 2
}

# test_programs_of_part: print the programs of tests that a part runs with sanitizers.
test_programs_of_part() {
	unit_programs
	echo testsuite/fuzz/fuzz-translator testsuite/fuzz/fuzz-editor
	! fuzzes_inputs || echo testsuite/fuzz/fuzz-inputs
}

# build_sanitized: update $sanitized, a build of the tree, with uncommitted changes, under AddressSanitizer and
# UndefinedBehaviorSanitizer. It is kept between runs. A part builds only what it runs.
sanitized=$SPILE_BUILDDIR/sanitized
build_sanitized() {
	mkdir -p "$sanitized" && cd "$SPILE_SRCDIR" && flock 8 || return
	# Copy the files that git does not ignore; a release tarball has no others.
	{ git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -type f -print0; } |
		xargs -0 cp -pu --parents -t "$sanitized" 2>/dev/null
	cd "$sanitized" || return
	[ -x configure ] || cp -pr "$SPILE_SRCDIR"/{configure,aclocal.m4,config.h.in,Makefile.in,build-aux} . ||
		autoreconf -fi || return
	[ -e Makefile ] || ./configure -q --enable-sanitizers CFLAGS="-g1 -O0" || return
	# One after the other: automake's "all" runs another make, and two of them would write the same files. Other
	# suites use the CPUs as well, and this build is the longest job of a part.
	make -s config.h.gch && make -s -j$((2 * $(nproc))) ${SPILE_PART:+stap} &&
		make -s -j$((2 * $(nproc))) $([ -n "$SPILE_PART" ] && test_programs_of_part || echo check-programs)
} 8>>"$SPILE_BUILDDIR/sanitized.lock"
# Leaks do not matter, because memory is freed at exit.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1

# run_fuzzer NAME COMMAND...: run a fuzzer of scripts. Keep a script that fails in the build directory.
run_fuzzer() {
	local name=$1
	shift
	if "$@" --input "$work/fuzz.stp" >"$work/fuzz.log" 2>&1; then
		ok "fuzz: $name ($(tail -n 1 "$work/fuzz.log"))"
	else
		tr -d '\0' <"$work/fuzz.stp" >"$SPILE_BUILDDIR/fuzz-failure.stp"
		echo "the script is $SPILE_BUILDDIR/fuzz-failure.stp" | cat "$work/fuzz.log" - | fail "fuzz: $name"
	fi
}

# fuzz_length ROUNDS: print options for ROUNDS scripts of a fixed seed, so that each run and each machine tries the
# same; with SPILE_FUZZ_SECONDS, for new scripts for a tenth of that time. Add inputs that fail to testsuite/fuzz/found.
fuzz_length() {
	if [ -n "$SPILE_FUZZ_SECONDS" ]; then
		echo "--seconds $((SPILE_FUZZ_SECONDS / 10))"
	else
		echo "--rounds $(($1 / (SPILE_PART ? 120 : 1))) --seed 14"
	fi
}

# run_input_fuzzer NAME KINDS ROUNDS: fuzz the programs that read data of others (testsuite/fuzz/inputs.h). Keep an
# input that fails in the build directory.
run_input_fuzzer() {
	check "fuzz: $1" "$input_fuzzer" "$2" $(fuzz_length "$3") --input "$SPILE_BUILDDIR/fuzz-failure"
}

# run_fuzzers: run the fuzzers of $sanitized, then cut scripts, then what fuzzers have found. Most scripts run without
# the library, which takes much longer to parse than they do.
run_fuzzers() {
	local fuzzer=$sanitized/testsuite/fuzz/fuzz-translator kernel seeds cut=() seed
	local -x SPILE_DATADIR=$sanitized
	kernel=$("$STAP_VM" path $old_kernel)
	seeds=("$tests"/{parse/ok,parse/bad,diagnostics,passes,guest}/*.stp "$tests"/programs/*.stp
		"$SPILE_SRCDIR"/examples/memory/slab-any.stp)
	for seed in "${seeds[@]}"; do
		! is_part "${seed##*/}" 32 || cut+=("$seed")
	done
	run_fuzzer "scripts from the grammar" "$fuzzer" grammar --no-library $(fuzz_length 800)
	run_fuzzer "scripts from the grammar, with a kernel" \
		"$fuzzer" grammar --no-library $(fuzz_length 700) --kernel "$kernel"
	run_fuzzer "scripts from the grammar, with a kernel and the library" \
		"$fuzzer" grammar $(fuzz_length 50) --kernel "$kernel"
	run_fuzzer "damaged scripts" "$fuzzer" bytes --no-library $(fuzz_length 10000) "${seeds[@]}"
	run_fuzzer "damaged scripts, with a kernel" \
		"$fuzzer" bytes --no-library $(fuzz_length 2000) --kernel "$kernel" "${seeds[@]}"
	run_fuzzer "damaged scripts, with a kernel and the library" \
		"$fuzzer" bytes $(fuzz_length 50) --kernel "$kernel" "${seeds[@]}"
	run_fuzzer "damaged programs in D, with a kernel and the library" \
		"$fuzzer" bytes --dlang $(fuzz_length 800) --kernel "$kernel" "$tests"/dlang{,-errors}/*.d
	run_fuzzer "scripts cut at every token" "$fuzzer" cut --no-library "${cut[@]}"
	# The first script has no time limit, because it may have to make the kernel's indexes, which the cache can
	# drop.
	echo 'probe kernel.function("vfs_read").callees(2), kernel.function("vfs_read") {}' >"$work/first.stp"
	run_fuzzer "scripts that were found" \
		"$fuzzer" try --seed 14 --kernel "$kernel" "$work/first.stp" "$tests"/fuzz/found/*.stp
	local editor=$sanitized/testsuite/fuzz/fuzz-editor
	# What an edit leaves behind would grow without limit.
	local -x ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=0/detect_leaks=1}
	run_fuzzer "edited scripts" "$editor" $(fuzz_length 4000) "${seeds[@]}"
	run_fuzzer "edited scripts, with a kernel" "$editor" $(fuzz_length 500) --kernel $old_kernel "${seeds[@]}"
	ASAN_OPTIONS=${ASAN_OPTIONS/detect_leaks=1/detect_leaks=0}
	fuzzes_inputs || return
	local input_fuzzer=$sanitized/testsuite/fuzz/fuzz-inputs
	run_input_fuzzer "files of modules" module 8000
	run_input_fuzzer "records of modules" records,reader,monitor,globals 2000
	run_input_fuzzer "messages of guests, their users and QEMU" client,hub,archive,answers 3000
	run_input_fuzzer "the cache" entry,directory,snapshot 2000
	run_input_fuzzer "requests to a compile server, and its answers" request,answer 5000
	run_input_fuzzer "recordings for stap-report" recording 1000
	run_input_fuzzer "scripts and clients of stap-exporter" lines,prometheus,header 3000
	check "fuzz: inputs that were found" "$input_fuzzer" try "$tests"/fuzz/found/inputs/*
}
