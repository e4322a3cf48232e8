# SPDX-License-Identifier: GPL-2.0-or-later
#
# Behaviour in a guest: each testsuite/guest/NAME.stp is run by stap in a guest that stays up, on both kernels, and must
# print exactly NAME.out and, on standard error, NAME.err (nothing, without such a file). NAME.RELEASE.out and .err are
# preferred, for what differs between kernels. Where the output cannot be known beforehand, NAME.check instead of
# NAME.out is a shell script that reads the output and says what is wrong with it; $KERNEL is the kernel. Comments at
# the head of a script:
#
#     # kernel: 6.12        only on this kernel
#     # not on 5.10: why    on all but this one
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
# Scripts that either-kernel lists take turns between the kernels, if not told otherwise (SPILE_FULL, SPILE_TESTS).
# SPILE_SCRIPTS is another folder of scripts.
#
# The kernel's log is read after each test: a warning, an oops or a taint is a failure of its own.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

# expected NAME RELEASE out|err: the file that says so.
expected() {
	local file
	for file in "$PWD/$1.${2%%-*}.$3" "$PWD/$1.$3"; do
		[ -e "$file" ] && echo "$file" && return
	done
	if [ -n "$SPILE_UPDATE" ] && [ -s "$work/$3" ]; then
		echo "$PWD/$1.$3"
	else
		echo /dev/null
	fi
}

# has_expectation NAME RELEASE: a script that prints nothing as it should has an empty NAME.out, or would pass if it did
# nothing at all.
has_expectation() {
	local file
	for file in "$1.${2%%-*}.out" "$1.out" "$1.${2%%-*}.err" "$1.err" "$1.check"; do
		[ ! -e "$file" ] || return 0
	done
	return 1
}

# Folders are different in each run. The limit of the cache may have taken the runtime that testsuite/run prepared.
normalise() {
	sed -E -e '/^Compiling the runtime .*, once\.$/d' \
		-e "s#$SPILE_SRCDIR/##g" -e "s#$PROGRAMS/#programs/#g" -e 's#(/[^ ]*/)?(testsuite|tapset)/#\2/#g'
}

# On PREEMPT_RT, what the runtime calls is in functions of RCU and of locks, which scripts probe: hits are skipped.
without_skips() {
	sed -E '/^WARNING: (Number of errors: 0, skipped probes|Skipped due to reentrancy): /d'
}

# run_script SCRIPT RELEASE SOURCE: an empty source is all of them.
run_script() {
	local script=$1 release=$2 options arguments command status wanted stream
	export SPILE_DEBUGINFO_SOURCES=$3
	eval "options=($(header "$script" options) $(header "$script" "options on ${release%%-*}"))"
	# A busy host takes the processor from a guest in the middle of a handler.
	grep -q OVERLOAD "$script" || options+=(-D STP_NO_OVERLOAD)
	eval "arguments=($(header "$script" arguments))"
	command=$(header "$script" command)
	[ -z "$command" ] || options+=(-c "${command//\$PROGRAMS/$PROGRAMS}")
	printf "$(header "$script" input)" |
		timeout 300 "$STAP" "--remote=unix:$work/$release" -r "$release" "${options[@]}" \
		$SPILE_STAP_OPTIONS "$script" "${arguments[@]}" \
		>"$work/out" 2>"$work/err"
	status=${PIPESTATUS[1]}
	wanted=$(header "$script" status)
	[ $status -eq "${wanted:-0}" ] || echo "exit status $status" >>"$work/err"
	if [[ $release = *-rt ]]; then
		without_skips <"$work/err" >"$work/normalised" && mv "$work/normalised" "$work/err"
	fi
	for stream in out err; do
		normalise <"$work/$stream" >"$work/normalised" && mv "$work/normalised" "$work/$stream"
	done
}

# judge NAME RELEASE SOURCE: one result for both streams: the difference of the first that differs.
judge() {
	local name=$1 release=$2 title="$1${3:+ ($3)}" stream file
	if [ -e "$name.check" ] && [ ! -s "$work/err" ]; then
		KERNEL=$release check "$release: $title" bash "$name.check" "$work/out"
		return
	fi
	if ! has_expectation "$name" "$release"; then
		echo "there is neither $name.out nor $name.err nor $name.check" | fail "$release: $title"
		[ -n "$SPILE_UPDATE" ] || return
		[ -s "$work/err" ] && stream=err || stream=out
		update "$PWD/$name.$stream" "$work/$stream" && echo "    $name.$stream is written"
		return
	fi
	for stream in err out; do
		file=$(expected "$name" "$release" $stream)
		if [ $stream = err ] && [[ $release = *-rt ]]; then
			without_skips <"$file" >"$work/expected"
			file=$work/expected
		fi
		if ! diff -u --label "expected ($file)" --label "got" "$file" "$work/$stream" >"$work/diff" 2>&1; then
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

# wants_script NAME NUMBER RELEASE: is the script, one of so many, to be run on this kernel? With -u it is the other
# one's turn of a script of the language, and one in eight of the others'.
wants_script() {
	local kernel place
	kernel=$(kernel_number "$3")
	[ -n "$kernel" ] || return 0
	place=${language[$1]}
	if [ -n "$place" ]; then
		is_turn $((place + kernel + is_unoptimized)) 2
	elif [ $is_unoptimized -eq 1 ]; then
		is_turn $(($2 + 4 * kernel)) 8
	fi
}

[ "$SPILE_STAP_OPTIONS" = -u ] && is_unoptimized=1 || is_unoptimized=0

# The scripts of either-kernel, with their places.
declare -A language
read_language() {
	local name place=0
	[ -e either-kernel ] || return 0
	while read -r name; do
		[ -e "$name.stp" ] || echo "there is no $name.stp" | fail "either-kernel lists scripts"
		language[$name]=$((place++))
	done < <(grep -v '^#' either-kernel)
}

cd "${SPILE_SCRIPTS:-$tests/guest}" || exit 1
choose_scripts
[ ${#scripts[@]} -gt 0 ] || exit 0
read_language
gcc -O2 -static -pthread -o "$work/faults" "$tests/programs/faults.c" &&
	gcc -O2 -static -o "$work/sockets" "$tests/programs/sockets.c" &&
	gcc -O2 -static -o "$work/kernel-events" "$tests/programs/kernel-events.c" &&
	gcc -O2 -static -o "$work/remote-calls" "$tests/programs/remote-calls.c" &&
	gcc -O2 -static-pie -o "$work/memory" "$tests/programs/memory.c" || exit 1
VARIABLES=$work/variables
gcc -g -O2 -static -pthread -o "$VARIABLES" "$tests/programs/variables.c" &&
	gcc -g -O2 -static-pie -pthread -o "$VARIABLES-pie" "$tests/programs/variables.c" || exit 1
PROGRAMS=$work/programs
mkdir -p "$PROGRAMS"
gcc -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$PROGRAMS/libtraced.so" "$tests/programs/traced-library.c" &&
	gcc -g -O2 -pthread -o "$PROGRAMS/traced" "$tests/programs/traced.c" -L"$PROGRAMS" -ltraced \
		-Wl,-rpath,"$PROGRAMS" &&
	gcc -g -O2 -pthread -o "$PROGRAMS/processes" "$tests/programs/processes.c" &&
	gcc -O2 -fomit-frame-pointer -static -o "$PROGRAMS/made-code" "$tests/programs/made-code.c" || exit 1
for level in 0 2; do
	gcc -m32 -g -O$level -nostdlib -ffreestanding -fno-stack-protector -fno-pie -no-pie -Wl,--build-id \
		-o "$PROGRAMS/narrow-O$level" "$tests/programs/narrow.c" || exit 1
done
for bits in 32 64; do
	gcc -m$bits -O2 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie -fno-pie -fcf-protection=none \
		-o "$PROGRAMS/calls-$bits" "$tests/programs/system-calls.c" || exit 1
done
NAMES=$work/names
for compiler in gcc clang rust; do
	# As few pages as can be, so that all of them are in memory.
	gcc -nostdlib -static -no-pie -Wl,--build-id,-z,noseparate-code,-z,norelro -o "$NAMES-$compiler" \
		"$tests/programs/names-$compiler.s" || exit 1
done
STACKS=$PROGRAMS/stacks
LIBC=$(gcc -print-file-name=libc.so.6)
# build_stacks VARIANT OPTION...
build_stacks() {
	gcc -O2 -fomit-frame-pointer -pthread -o "$STACKS$1" "${@:2}" "$tests/programs/stacks.c" || exit 1
}
build_stacks ""
as --32 -o "$STACKS-32.o" "$tests/programs/stacks-32.s" &&
	ld -m elf_i386 --build-id -o "$STACKS-32" "$STACKS-32.o" || exit 1
build_stacks -lines -g
build_stacks -static -static
build_stacks -debug-frame -g -gz -fno-asynchronous-unwind-tables -fno-unwind-tables
build_stacks -frame-pointers -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables
MUSL=/usr/lib/x86_64-linux-musl/libc.so
for variant in "" -static; do
	musl-gcc -g -O2 -fomit-frame-pointer $variant -o "$STACKS-musl$variant" "$tests/programs/stacks.c" || exit 1
done
strip -o "$STACKS-stripped" "$STACKS-static" && gcc -O2 -o "$work/maps" "$tests/programs/maps.c" || exit 1
for release in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	build_fixture "$release" "$work/fixture.$release" || {
		fail "$release: the fixture is built" "$work/fixture.$release/log"
		continue
	}
	FIXTURE=$work/fixture.$release/spile_fixture.ko
	start_guest "$release" --modules veth,bridge,loop,nfsd,nfsv3,nfsv4,sd_mod,scsi_debug \
		--file "$FIXTURE:/tmp/spile_fixture.ko" --file "$tests/programs/scsi.sh:/tmp/scsi.sh" \
		--file "$tests/programs/partition.sh:/tmp/partition.sh" \
		--file "$tests/programs/bridge.sh:/tmp/bridge.sh" --file "$tests/programs/nfs.sh:/tmp/nfs.sh" \
		--file "$work/remote-calls:/tmp/remote-calls" --file "$work/faults:/tmp/faults" \
		--file "$work/faults:/tmp/faults-other" --file "$work/sockets:/tmp/sockets" \
		--file "$work/memory:/tmp/memory" --file "$work/kernel-events:/tmp/kernel-events" \
		--file "$VARIABLES:/tmp/variables" --file "$VARIABLES-pie:/tmp/variables-pie" \
		--file "$NAMES-gcc:/tmp/names-gcc" --file "$NAMES-clang:/tmp/names-clang" \
		--file "$NAMES-rust:/tmp/names-rust" \
		--file "$STACKS" --file "$STACKS-32:/tmp/stacks-32" \
		--file "$STACKS:/tmp/stacks" --file "$STACKS-static:/tmp/stacks-static" \
		--file "$STACKS-musl" --file "$STACKS-musl-static" \
		--file "$STACKS-stripped:/tmp/stacks-stripped" --file "$STACKS-lines:/tmp/stacks-lines" \
		--file "$STACKS-debug-frame:/tmp/stacks-debug-frame" \
		--file "$STACKS-frame-pointers:/tmp/stacks-frame-pointers" --file "$work/maps:/tmp/maps" \
		--file "$PROGRAMS/traced" --file "$PROGRAMS/libtraced.so" --file "$PROGRAMS/processes" \
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
	number=0
	for script in "${scripts[@]}"; do
		wants_script "${script%.stp}" $((number++)) "$release" || continue
		only=$(header "$script" kernel)
		[ -z "$only" ] || [ "$only" = "${release%%-*}" ] || continue
		! is_left_out "$script" "$release" "${script%.stp}" || continue
		sources=$(header "$script" "sources on ${release%%-*}")
		sources=${sources:-$(header "$script" sources)}
		for source in ${sources:-""}; do
			run_script "$script" "$release" "$source"
			judge "${script%.stp}" "$release" "$source"
		done
		check_guest_log "$release" "after ${script%.stp}"
	done
	stop_guest "$release"
done
