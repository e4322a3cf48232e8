# SPDX-License-Identifier: GPL-2.0-or-later
#
# Behaviour in a guest: each testsuite/guest/NAME.stp is run by stap in a guest that stays up, on both kernels, and must
# print exactly NAME.out and, on standard error, NAME.err (nothing, without such a file). NAME.6.12.out and .err are
# preferred, for what differs between kernels, and NAME.gcc-14.out, for what differs between their compilers. Where
# output cannot be known beforehand, NAME.check instead of NAME.out is a shell script that reads it and says what is
# wrong; $KERNEL is the kernel. Comments at the head of a script:
#
#     # kernel: 6.12        only on this kernel
#     # not on 5.10: why    on all but this one
#     # not by gcc-14: why  on none that this compiler has built
#     # options: -g         further options of stap
#     # arguments: a b      arguments of the script; $FIXTURE is the module of testsuite/fixtures, which is loaded;
#                           $VARIABLES and $VARIABLES-pie are programs/variables.c, in the guest /tmp/variables; so are
#                           $NAMES-gcc, $NAMES-clang and $NAMES-rust programs/names.*; $STACKS is programs/stacks.c,
#                           with $STACKS-static, …-32, …-stripped, …-debug-frame, …-frame-pointers, …-musl and
#                           …-musl-static; $LIBC: the C library; $MUSL: that of musl;
#                           $PROGRAMS/traced is programs/traced.c with its library, in the guest at the same place;
#                           $PROGRAMS/narrow-O0 and -O2 are programs/narrow.c
#                           $PROGRAMS/made-code is programs/made-code.c
#                           $PROGRAMS/calls-32 and -64 are programs/system-calls.c
#     # command: sleep 1    the -c command; $PROGRAMS as above
#     # input: a\nb         standard input, with escape sequences as in printf (default: none)
#     # status: 1           the exit status of stap (default 0)
#     # sources: dwarf btf  is run once with each of these sources of debuginfo alone
#     # sources on 5.10: dwarf   on this kernel with these
#     # options on 7.3: -w       and these options, too
#
# SPILE_STAP_OPTIONS has further options for all scripts: with -u, which turns the optimiser off, all is to be the same.
#
# In a whole run of all suites, scripts take turns between the kernels. SPILE_SCRIPTS is another folder of scripts.
#
# The kernel's log is read after every tenth script: a warning, an oops or a taint is a failure of its own.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

# What follows is about the kernel that was chosen with choose_release.

# expected NAME out|err: into $file, the one that says so.
expected() {
	for file in "$PWD/$1.$series.$2" "$PWD/$1.$compiler.$2" "$PWD/$1.$2"; do
		[ ! -e "$file" ] || return 0
	done
	if [ -n "$SPILE_UPDATE" ] && [ -s "$work/$2" ]; then
		file=$PWD/$1.$2
	else
		file=/dev/null
	fi
}

# has_expectation NAME: a script that prints nothing as it should has an empty NAME.out, or would pass if it did
# nothing at all.
has_expectation() {
	local file
	for file in "$1.$series.out" "$1.$compiler.out" "$1.out" "$1.$series.err" "$1.err" "$1.check"; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# normalise FILE...: folders are different in each run. The limit of the cache may have taken the runtime that
# testsuite/run prepared.
normalise() {
	sed -s -i -E -e '/^Compiling the runtime .*, once\.$/d' \
		-e "s#$SPILE_SRCDIR/##g" -e "s#$PROGRAMS/#programs/#g" -e 's#(/[^ ]*/)?(testsuite|tapset)/#\2/#g' "$@"
}

# On PREEMPT_RT, what the runtime calls is in functions of RCU and of locks, which scripts probe: hits are skipped.
without_skips() {
	sed -E '/^WARNING: (Number of errors: 0, skipped probes|Skipped due to reentrancy): /d'
}

# run_script SCRIPT SOURCE: the one whose head was read; an empty source is all of them.
run_script() {
	local script=$1 options arguments command=${head[command]} status
	export SPILE_DEBUGINFO_SOURCES=$2
	eval "options=(${head[options]} ${head["options on $series"]})"
	# A busy host takes the processor from a guest in the middle of a handler.
	[ -n "$has_overload" ] || options+=(-D STP_NO_OVERLOAD)
	eval "arguments=(${head[arguments]})"
	[ -z "$command" ] || options+=(-c "${command//\$PROGRAMS/$PROGRAMS}")
	printf "${head[input]}" >"$work/input"
	timeout 300 "$STAP" "--remote=unix:$work/$release" -r "$release" "${options[@]}" \
		$SPILE_STAP_OPTIONS "$script" "${arguments[@]}" <"$work/input" >"$work/out" 2>"$work/err"
	status=$?
	[ $status -eq "${head[status]:-0}" ] || echo "exit status $status" >>"$work/err"
	if is_rt; then
		without_skips <"$work/err" >"$work/normalised" && mv "$work/normalised" "$work/err"
	fi
	[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || normalise "$work/out" "$work/err"
}

# show_difference FILE GOT: true if there is one.
show_difference() {
	[ -s "$1" ] || [ -s "$2" ] || return
	! diff -u --label "expected ($1)" --label "got" "$1" "$2" >"$work/diff" 2>&1
}

# judge NAME SOURCE: one result for both streams: the difference of the first that differs.
judge() {
	local name=$1 title="$1${2:+ ($2)}" stream file
	if [ -e "$name.check" ] && [ ! -s "$work/err" ]; then
		KERNEL=$release check "$release: $title" bash "$name.check" "$work/out"
		return
	fi
	if ! has_expectation "$name"; then
		echo "there is neither $name.out nor $name.err nor $name.check" | fail "$release: $title"
		[ -n "$SPILE_UPDATE" ] || return
		[ -s "$work/err" ] && stream=err || stream=out
		update "$PWD/$name.$stream" "$work/$stream" && echo "    $name.$stream is written"
		return
	fi
	for stream in err out; do
		expected "$name" $stream
		if [ $stream = err ] && is_rt; then
			without_skips <"$file" >"$work/expected"
			file=$work/expected
		fi
		if show_difference "$file" "$work/$stream"; then
			[ $stream = out ] || cat "$work/out" >>"$work/diff"
			if [ -z "$SPILE_UPDATE" ]; then
				fail "$release: $title" "$work/diff"
			elif update "$file" "$work/$stream"; then
				fail "$release: $title: updated $file" "$work/diff"
			else
				fail "$release: $title: not updated, for two contents are wanted of $file" "$work/diff"
			fi
			return
		fi
	done
	ok "$release: $title"
}

# wants_script NUMBER RELEASE: is the script, one of so many, to be run on this kernel? With -u it is one in eight, each
# on the kernel where it is not run optimised.
wants_script() {
	if [ "$SPILE_STAP_OPTIONS" = -u ]; then
		is_kernels_turn "$2" $(($1 + 1)) 8 5
	else
		is_kernels_turn "$2" "$1"
	fi
}

# wanted_scripts RELEASE: the array `wanted`, of those that are run on this kernel.
wanted_scripts() {
	local script number=0
	wanted=()
	for script in "${scripts[@]}"; do
		! wants_script $((number++)) "$1" || wanted+=("$script")
	done
}

cd "${SPILE_SCRIPTS:-$tests/guest}" || exit 1
choose_scripts
[ ${#scripts[@]} -gt 0 ] || exit 0

# The programs, which the suites that are run by this script share.
PROGRAMS=$SPILE_RUN_FOLDER/programs
VARIABLES=$PROGRAMS/variables NAMES=$PROGRAMS/names STACKS=$PROGRAMS/stacks
LIBC=$(gcc -print-file-name=libc.so.6)
MUSL=/usr/lib/x86_64-linux-musl/libc.so

build_traced() {
	gcc -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$PROGRAMS/libtraced.so" \
		"$tests/programs/traced-library.c" &&
		gcc -g -O2 -pthread -o "$PROGRAMS/traced" "$tests/programs/traced.c" -L"$PROGRAMS" -ltraced \
			-Wl,-rpath,"$PROGRAMS" &&
		gcc -g -O2 -pthread -o "$PROGRAMS/processes" "$tests/programs/processes.c"
}

build_for_kernel_probes() {
	gcc -O2 -static -pthread -o "$PROGRAMS/faults" "$tests/programs/faults.c" &&
		gcc -O2 -static -o "$PROGRAMS/sockets" "$tests/programs/sockets.c" &&
		gcc -O2 -static -o "$PROGRAMS/kernel-events" "$tests/programs/kernel-events.c" &&
		gcc -O2 -static -o "$PROGRAMS/remote-calls" "$tests/programs/remote-calls.c" &&
		gcc -g -O2 -static -o "$PROGRAMS/null-pointer" "$tests/programs/null-pointer.c" &&
		gcc -O2 -static-pie -o "$PROGRAMS/memory" "$tests/programs/memory.c" &&
		gcc -O2 -o "$PROGRAMS/maps" "$tests/programs/maps.c" &&
		gcc -O2 -fomit-frame-pointer -static -o "$PROGRAMS/made-code" "$tests/programs/made-code.c"
}

# Programs of 32 and of 64 bits, as each compiler names things, and with variables of all kinds.
build_variants() {
	local level bits compiler
	for level in 0 2; do
		gcc -m32 -g -O$level -nostdlib -ffreestanding -fno-stack-protector -fno-pie -no-pie -Wl,--build-id \
			-o "$PROGRAMS/narrow-O$level" "$tests/programs/narrow.c" || return
	done
	for bits in 32 64; do
		gcc -m$bits -O2 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie -fno-pie \
			-fcf-protection=none -o "$PROGRAMS/calls-$bits" "$tests/programs/system-calls.c" || return
	done
	for compiler in gcc clang rust; do
		# As few pages as can be, so that all of them are in memory.
		gcc -nostdlib -static -no-pie -Wl,--build-id,-z,noseparate-code,-z,norelro -o "$NAMES-$compiler" \
			"$tests/programs/names-$compiler.s" || return
	done
	gcc -g -O2 -static -pthread -o "$VARIABLES" "$tests/programs/variables.c" &&
		gcc -g -O2 -static-pie -pthread -o "$VARIABLES-pie" "$tests/programs/variables.c"
}

# build_stacks VARIANT OPTION...
build_stacks() {
	gcc -O2 -fomit-frame-pointer -pthread -o "$STACKS$1" "${@:2}" "$tests/programs/stacks.c"
}

build_all_stacks() {
	local variant
	build_stacks "" && as --32 -o "$STACKS-32.o" "$tests/programs/stacks-32.s" &&
		ld -m elf_i386 --build-id -o "$STACKS-32" "$STACKS-32.o" && build_stacks -lines -g &&
		build_stacks -static -static && strip -o "$STACKS-stripped" "$STACKS-static" &&
		build_stacks -debug-frame -g -gz -fno-asynchronous-unwind-tables -fno-unwind-tables &&
		build_stacks -frame-pointers -fno-omit-frame-pointer -fno-asynchronous-unwind-tables \
			-fno-unwind-tables || return
	for variant in "" -static; do
		musl-gcc -g -O2 -fomit-frame-pointer $variant -o "$STACKS-musl$variant" "$tests/programs/stacks.c" ||
			return
	done
}

build_programs() {
	mkdir -p "$PROGRAMS" && flock 8 || return
	[ ! -e "$PROGRAMS/complete" ] || return 0
	build_traced && build_for_kernel_probes && build_variants && build_all_stacks && touch "$PROGRAMS/complete"
} 8>>"$SPILE_RUN_FOLDER/programs.lock"

build_programs || exit 1
for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	FIXTURE=$SPILE_RUN_FOLDER/fixture.$release/spile_fixture.ko
	check "$release: the fixture is built" shared_fixture "$release"
	[ -e "$FIXTURE" ] || continue
	modules=$(as_modules "$release" veth bridge loop nfsd nfsv3 nfsv4 sd_mod scsi_debug mq-deadline)
	start_guest "$release" $modules \
		--file "$FIXTURE:/tmp/spile_fixture.ko" --file "$tests/programs/scsi.sh:/tmp/scsi.sh" \
		--file "$tests/programs/partition.sh:/tmp/partition.sh" \
		--file "$tests/programs/bridge.sh:/tmp/bridge.sh" --file "$tests/programs/nfs.sh:/tmp/nfs.sh" \
		--file "$PROGRAMS/remote-calls:/tmp/remote-calls" --file "$PROGRAMS/faults:/tmp/faults" \
		--file "$PROGRAMS/faults:/tmp/faults-other" --file "$PROGRAMS/sockets:/tmp/sockets" \
		--file "$PROGRAMS/memory:/tmp/memory" --file "$PROGRAMS/kernel-events:/tmp/kernel-events" \
		--file "$VARIABLES:/tmp/variables" --file "$VARIABLES-pie:/tmp/variables-pie" \
		--file "$NAMES-gcc:/tmp/names-gcc" --file "$NAMES-clang:/tmp/names-clang" \
		--file "$NAMES-rust:/tmp/names-rust" \
		--file "$STACKS" --file "$STACKS-32:/tmp/stacks-32" \
		--file "$STACKS:/tmp/stacks" --file "$STACKS-static:/tmp/stacks-static" \
		--file "$STACKS-musl" --file "$STACKS-musl-static" \
		--file "$STACKS-stripped:/tmp/stacks-stripped" --file "$STACKS-lines:/tmp/stacks-lines" \
		--file "$STACKS-debug-frame:/tmp/stacks-debug-frame" \
		--file "$STACKS-frame-pointers:/tmp/stacks-frame-pointers" --file "$PROGRAMS/maps:/tmp/maps" \
		--file "$PROGRAMS/traced" --file "$PROGRAMS/libtraced.so" --file "$PROGRAMS/processes" \
		--file "$tests/programs/kept-tables.sh:/tmp/kept-tables.sh" \
		--file "$PROGRAMS/null-pointer" \
		--file "$PROGRAMS/made-code" --file "$tests/programs/made-code.sh:/tmp/made-code.sh" \
		--file "$PROGRAMS/narrow-O0" --file "$PROGRAMS/narrow-O2" \
		--file "$PROGRAMS/calls-32" --file "$PROGRAMS/calls-64" ||
		continue
	check "$release: the fixture is loaded" "$STAP_VM" exec --socket "$work/$release" \
		-- insmod /tmp/spile_fixture.ko
	# For perf-program.stp.
	"$STAP_VM" exec --socket "$work/$release" \
		-- sh -c '/tmp/faults name=running fork wait=/tmp/faults-go pages=1500 threads=2:1500 \
		name=fin make=/tmp/faults-done >/dev/null 2>&1 </dev/null &'
	wanted_scripts "$release"
	number=0
	for script in "${wanted[@]}"; do
		read_head "$script"
		only=${head[kernel]}
		[ -z "$only" ] || [ "$only" = "$series" ] || continue
		! is_left_out "${script%.stp}" || continue
		! grep -q OVERLOAD "$script" && has_overload= || has_overload=1
		sources=${head["sources on $series"]:-${head[sources]}}
		for source in ${sources:-""}; do
			run_script "$script" "$source"
			judge "${script%.stp}" "$source"
		done
		[ $((++number % 10)) -ne 0 ] || check_guest_log "$release" "after ${script%.stp} or those before it"
	done
	check_guest_log "$release" "after ${script%.stp} or those before it"
	stop_guest "$release"
done
