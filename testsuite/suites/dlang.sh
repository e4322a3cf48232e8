# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs in D: testsuite/dlang/NAME.d prints exactly NAME.out and, on standard error, NAME.err. All programs of a
# kernel run in one guest (batch.sh). Comments at the head of a program, one on a line:
#
#     /* options: -q */       options of dtrace
#     /* arguments: 1 "b" */  macro arguments
#     /* command: true */     the command of -c; TARGET, NETWORK, CONSTRUCTOR and WITHOUT_MAIN are the programs of
#                              dlang/target.c and so on
#     /* status: 3 */         the exit status (default 0)
# testsuite/ARCHITECTURE-differences lists the programs that give other results on an architecture (differences.sh).
#
# An error of the program is in NAME.err, too; such a program does not run. A part runs one in four programs.
# Errors are also tested without a guest: dtrace -e must print exactly dlang-errors/NAME.err for each program there.

. "$(dirname "$0")/../lib.sh"
. "$tests/batch.sh"
. "$tests/differences.sh"
. "$tests/programs.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
cd "$tests/dlang" || exit
shopt -s extglob # of $SPILE_TESTS

# head_of NAME KEY: print the value of a comment at the head of a program.
head_of() { sed -n "s|^/\* $2: \(.*\) \*/\$|\1|p" "$1.d"; }

# translate NAME: translate a program as the job NAME.
translate() {
	local options arguments command program
	eval "options=($(head_of "$1" options)) arguments=($(head_of "$1" arguments))"
	command=$(head_of "$1" command)
	for program in "${programs[@]}"; do
		command=${command//${program^^}/$work/$program}
	done
	[ -z "$command" ] || options+=(-c "$command")
	batch_program=dtrace batch_translate "$1" -r "$release" "${options[@]}" -s "$1.d" "${arguments[@]}" </dev/null
}

# result NAME STREAM: print what the program wrote, before and while it ran.
result() {
	cat "$batch/$1/stap.$2"
	[ ! -e "$batch/$1/$2" ] || cat "$batch/$1/$2"
}

# judge NAME: compare the output and the status of a program.
judge() {
	local stream wanted status=$batch/$1/status
	[ -e "$status" ] || status=$batch/$1/stap.status
	for stream in out err; do
		result "$1" "$stream" | sed '/^Compiling the runtime .*, once\.$/d
			s/^dtrace: pid [0-9]* /dtrace: pid PID /; s/^ *0x[0-9a-f]\{12\}$/ADDRESS/' >"$work/$stream"
		compare "$release: $1.$stream" "$1.$stream" "$work/$stream"
	done
	wanted=$(head_of "$1" status)
	[ "$(cat "$status")" = "${wanted:-0}" ] && ok "$release: $1: the exit status" ||
		cat "$status" | fail "$release: $1: the exit status is ${wanted:-0}"
	[ ! -e "$batch/$1/log" ] || ! grep -E "$kernel_complaints" "$batch/$1/log" >"$work/complaints" ||
		fail "$release: $1: the kernel's log is clean" "$work/complaints"
}

# compile OPTION...: compile a program without running it.
compile() {
	SPILE_DATADIR=${SPILE_DATADIR:-$SPILE_SRCDIR} SPILE_LIBEXEC=${SPILE_LIBEXEC:-$SPILE_BUILDDIR} \
		"$work/recorder/dtrace" -r "$release" -e "$@" </dev/null
}

# check_error NAME: compile the program dlang-errors/NAME.d, which has an error.
check_error() {
	(cd "$tests/dlang-errors" && compile -s "$1.d") >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && [ ! -s "$work/out" ] || fail "dlang-errors/$1: it fails and prints nothing" "$work/out"
	compare "dlang-errors/$1" "$tests/dlang-errors/$1.err" "$work/err"
}

# check_tags: compile the programs of dlang-errors/tags; each fails with its tag. A line has the tag, options and the
# program, in which \n is a newline, separated by tabs. A part compiles one program in six.
check_tags() {
	local tag options program number=0
	: >"$work/tags.log"
	while IFS=$'\t' read -r tag options program; do
		is_part "dlang/tags/$((++number))" 6 || continue
		printf '%b\n' "$program" >"$work/tag.d"
		compile -x errtags $options -s "$work/tag.d" >"$work/out" 2>&1
		[ $? -eq 1 ] && grep -qF "[$tag] " "$work/out" ||
			{ echo "$tag: $program"; head -n 2 "$work/out"; } >>"$work/tags.log"
	done <"$tests/dlang-errors/tags"
	[ -s "$work/tags.log" ] && fail "errors have their tags" "$work/tags.log" || ok "errors have their tags"
}

# A breakpoint inside an instruction would change the program. The function's first instruction has ten bytes.
offsets() {
	printf '%s\n' '.globl main' '.type main, @function' 'main: movabs $0, %rax' ret '.size main, . - main' \
		'.section .note.GNU-stack' >"$work/main.s" && gcc -o "$work/main" "$work/main.s" || return
	compile -n 'pid$target:a.out:main:a { }' -c "$work/main" &&
		refuses 'offset 0x1 in .* is not aligned on an instruction' \
			compile -n 'pid$target:a.out:main:1 { }' -c "$work/main" &&
		refuses 'offset 0x40 is outside of function' compile -n 'pid$target:a.out:main:40 { }' -c "$work/main"
}

# list OPTION...: list probes.
list() {
	SPILE_DATADIR=${SPILE_DATADIR:-$SPILE_SRCDIR} "$work/recorder/dtrace" -r "$release" -l "$@" </dev/null
}

# A list without probes has its head, and the description that matches nothing.
empty_list() {
	refuses '^dtrace: failed to match nosuch:::: No probe matches description$' list -P nosuch &&
		grep -qx ' *ID *PROVIDER *MODULE *FUNCTION NAME' "$work/out" &&
		list -n BEGIN | grep -qx ' *1 *dtrace *BEGIN'
}

# -lv shows the stability of each probe, and the types of args[].
verbose_list() {
	list -v -n BEGIN -n syscall::read:entry -n syscall::read:return -n proc:::signal-send >"$work/listed" &&
		sed 1d "$work/listed" | diff - "$tests/dlang-errors/verbose-list" &&
		list -v -n sdt:sched::sched_switch | grep -qx '		args\[[0-9]\]: struct task_struct \*' &&
		list -v -n fbt::vfs_read:return | grep -qx '		args\[1\]: ssize_t' &&
		refuses 'index 3 is out of range for syscall:vmlinux:read:entry args' \
			compile -n 'syscall::read:entry { trace(args[3]); }'
}

# -v prints the lowest stability of what each program uses, except for the names that inlines use.
stability_of_programs() {
	compile -v -n 'BEGIN { trace(curpsinfo->pr_pid); }' -n 'fbt::vfs_read:entry /arg0/ { trace(pid); }' \
		-n 'dtrace:::END { trace(curthread->pid); }' -n 'END { trace(`jiffies); }' >"$work/stable" &&
		diff "$work/stable" "$tests/dlang-errors/verbose-programs" &&
		compile -x amin=Stable/Private/Common -n 'BEGIN { trace(curthread->pid); }' &&
		compile -x amin=evolving/evolving/common -n 'BEGIN { trace(curpsinfo->pr_pid); }' &&
		refuses 'invalid value' compile -x amin=Stable/Stable -n BEGIN
}

# System calls have the names of the kernel's functions; those of the numbers and of SystemTap's aliases find them, too.
names_of_calls() {
	local names
	for names in getdents64 getdents mmap/mmap2 newfstatat/fstatat newuname/uname pread64/pread umount/umount2 \
		sendfile64/sendfile; do
		[ "$(list -n "syscall::${names%/*}:entry" | awk 'NR > 1 { print $4 }')" = "${names%/*}" ] &&
			list -n "syscall::${names#*/}:entry" | grep -q " ${names%/*} entry\$" ||
			{ echo "$names"; return 1; }
	done
	compile -n 'syscall::mmap:entry { trace(args[5]); }' -c true
}

# Several functions take a lock, but they are one probe.
probes_of_locks() {
	[ "$(list -n lockstat:::rw-acquire | wc -l)" = 2 ]
}

# The runtime itself takes spin locks, so some hits are skipped with a warning.
take_spin_locks() {
	timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q \
		-s "$tests/programs/spin-locks.d" \
		-c 'for i in 1 2 3 4 5 6 7 8; do cat /proc/self/stat >/dev/null; done' \
		>"$work/spins.out" 2>"$work/spins.err" && [ "$(cat "$work/spins.out")" = "1 1 1 1 1" ] &&
		! grep -vE 'Skipped due to reentrancy|errors: 0, skipped' "$work/spins.err" && return
	cat "$work"/spins.*
	return 1
}

# A command that does not exist is an error, and nothing runs. A command without read permission runs.
absent_commands() {
	local path
	for path in /no/such/program no-such-program /etc/passwd /proc; do
		refuses "ERROR: failed to execute $path -x: " timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" \
			"--remote=unix:$work/$1" -q -n 'BEGIN { trace("runs"); }' -c "$path -x" || return
	done
	"$STAP_VM" exec --socket "$work/$1" -- \
		sh -c 'cp /bin/busybox /tmp/true && chmod 111 /tmp/true && chown 1000 /tmp/true' &&
		timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q \
			-n 'END { trace("ends"); }' -c /tmp/true | grep -q ends
}

# A module of before is not used for a file that has changed, nor with other options in the environment.
changed_programs() {
	local number
	for number in 1 2; do
		echo "BEGIN { trace($number); exit(0); }" >"$work/changed.d"
		[ "$(timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q \
			-s "$work/changed.d")" = $number ] || return
	done
	for number in 2 4; do
		[ "$(DTRACE_OPT_STRSIZE=$number timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" \
			"--remote=unix:$work/$1" -q -n 'BEGIN { x = "abcdef"; printf("%d", strlen(x)); exit(0); }')" = \
			$((number - 1)) ] || return
	done
}

# Elements that do not fit are dropped and counted: the clause continues.
dropped_elements() {
	timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q -x aggsize=8k \
		-x dynvarsize=8k -n 'int n;
		syscall::write:entry /execname == "dd" && arg0 == 1/ {
			a[++n] = 1; sum += a[n]; @sum = sum(a[n]); @c[n] = count();
		}
		END { printa("%@d", @c); printf(" hits %d of %d\n", sum, n); printa("sum %@d\n", @sum); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=1 count=3000' >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	awk '$1 == "dtrace:" && $3 == "aggregation" { elements += $2 }
		$1 == "dtrace:" && $3 == "dynamic" && NF == 5 { variables = $2 }
		$2 == "hits" { kept = length($1); sum = $3; hits = $5 }
		$1 == "sum" { same = $2 == sum }
		END {
			exit !(same && hits == 3000 && kept && sum && elements + kept == hits &&
				variables + sum == hits)
		}' \
		"$work/out" "$work/err"
}

# The stack of a packet on the loopback device has more than 20 frames: stack() shows 20, stack(64) as many as there
# are.
deep_stacks() {
	timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q -w -n '
		fbt::tcp_v4_rcv:entry /stackdepth > 20/ {
			printf("depth %d\n", stackdepth); stack(64); stack(); @[stack(64)] = count(); exit(0);
		}' -c 'sh -c "ip link set lo up; nc -l -p 99 >/dev/null &
			until echo | nc 127.0.0.1 99; do sleep 0.1; done"' \
		>"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	awk '$1 == "depth" { depth = $2 }
		/`/ { frames++ }
		END { exit !(depth && frames == 2 * depth + 20) }' "$work/out"
}

# The same with structures, which have blocks besides.
dropped_structures() {
	timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -q -x dynvarsize=8k \
		-n 'struct pair { int one; int two; } many[int]; int n;
		syscall::write:entry /execname == "dd" && arg0 == 1/ {
			many[++n].one = 1; many[n].two = 2; ones += many[n].one; twos += many[n].two;
		}
		END { printf("%d %d %d %d\n", n, ones, twos, many[1].two); }' \
		-c 'dd if=/dev/zero of=/dev/null bs=1 count=3000' >"$work/out" 2>"$work/err"
	cat "$work/out" "$work/err"
	awk '{ exit !($1 == 3000 && $2 && $2 < 1000 && $3 == 2 * $2 && $4 == 2) }' "$work/out" &&
		grep -q '^dtrace: [0-9]* dynamic variable drops$' "$work/err" && ! grep -q 'error on' "$work/err"
}

# Test what a program of the batch cannot do. With -p, dtrace ends when the process does.
batch_prepare() {
	local pid
	check "$1: commands that do not exist" absent_commands "$1"
	check "$1: programs that have changed" changed_programs "$1"
	check "$1: elements that do not fit" dropped_elements "$1"
	check "$1: structures that do not fit" dropped_structures "$1"
	check "$1: stacks with more than 20 frames" deep_stacks "$1"
	if [ "$(architecture_of "$1")" = arm64 ]; then
		skip "$1: probes of spin locks" "kernels for arm64 have no functions that take spin locks"
	else
		check "$1: probes of spin locks" take_spin_locks "$1"
	fi
	pid=$("$STAP_VM" exec --socket "$work/$1" -- \
		sh -c 'mkfifo /tmp/wait && cat /tmp/wait >/dev/null 2>&1 & echo $!') || return
	timeout 300 "$(dirname "$STAP")/spile-dtrace" -r "$1" "--remote=unix:$work/$1" -p "$pid" -w \
		-n 'tick-1s { system("kill %d", $target); } proc:::exit /pid == $target/ { trace("exits"); }' \
		>"$work/ended.out" 2>"$work/ended.err"
	[ $? -eq 0 ] && grep -q 'exits' "$work/ended.out" && grep -qx "dtrace: pid $pid has exited" "$work/ended.err" &&
		ok "$1: -p ends with the process" ||
		fail "$1: -p ends with the process" "$work/ended.out" "$work/ended.err"
}

# make_probes OPTION...: make a file from the declaration of a provider, without a kernel.
make_probes() {
	SPILE_DATADIR=${SPILE_DATADIR:-$SPILE_SRCDIR} "$(dirname "$STAP")/spile-dtrace" "$@" </dev/null
}

# Options in the environment; those of the command line take precedence.
options_of_environment() (
	export DTRACE_OPT_ZDEFS=
	compile -n 'fbt::no_such_function:entry' && refuses 'no_such_function' compile -x zdefs=no \
		-n 'fbt::no_such_function:entry' && export DTRACE_OPT_EVALTIME=preinit &&
		refuses 'evaltime=preinit' compile -n BEGIN
)

# Messages of the preprocessor are no part of the program. Standard input is preprocessed, too.
with_preprocessor() {
	printf '%s\n' '#warning a warning' '#include "included.h"' 'BEGIN { trace(INCLUDED); }' >"$work/warns.d" &&
		echo '#define INCLUDED 1' >"$work/included.h" &&
		compile -C -H -s "$work/warns.d" 2>"$work/said" && grep -q '#warning a warning' "$work/said" &&
		grep -q '^\. .*included\.h$' "$work/said" && refuses '#warning' compile -s "$work/warns.d" &&
		echo '#error an error' >"$work/fails.d" && refuses '#error an error' compile -C -s "$work/fails.d" &&
		refuses "'false' failed with status 1" compile -C -x cpppath=false -s "$work/warns.d" &&
		refuses "'no-such-cpp' is not installed" compile -C -x cpppath=no-such-cpp -s "$work/warns.d" &&
		printf '%s\n' '#ifdef __STDC__' '#error it is defined' '#endif' 'BEGIN { }' >"$work/standard.d" &&
		refuses 'it is defined' compile -C -X a -s "$work/standard.d" &&
		compile -C -X s -s "$work/standard.d" && refuses 'stdc=q' compile -C -X q -s "$work/standard.d" &&
		SPILE_DATADIR=${SPILE_DATADIR:-$SPILE_SRCDIR} "$work/recorder/dtrace" -r "$release" -e -C -X s -s - \
			<"$work/standard.d"
}

# -e only checks a program, and says nothing.
only_checked() {
	[ -z "$(compile -n BEGIN 2>&1)" ] && compile -64 -n BEGIN &&
		[ "$(compile -63 -n BEGIN 2>&1)" = "dtrace: invalid option -6" ]
}

# No stack has more frames than maxframes.
fewer_frames() {
	compile -S -x maxframes=3 -n 'BEGIN { stack(9); ustack(2); @[stack()] = count(); }' 2>"$work/code" &&
		[ "$(grep -o '__dtrace[a-z_]*stack([0-9]*)' "$work/code" | sed 's/.*(//' | tr '\n' ' ')" = '3) 2) 3) ' ]
}

# The header works alone, and with the object file, in C and in C++. Names of files are those of the script.
provider_files() {
	local gcc=(gcc -Wall -Werror -I "$work" -o "$work/program" "$tests/dlang/target.c") status
	"${gcc[@]}" && make_probes -G -s "$work/provider.d" && "${gcc[@]}" "$work/provider.o" || return
	"$work/program"
	status=$?
	[ $status -eq 8 ] && g++ -Wall -Werror -x c++ -I "$work" -c -o /dev/null "$tests/dlang/target.c" &&
		make_probes -C -h -s "$work/provider.d" -o "$work/other.h" &&
		diff <(sed 's/_OTHER_H/_PROVIDER_H/' "$work/other.h") "$work/provider.h" &&
		echo 'provider my_NAME { probe x_PROVIDER(int); };' >"$work/names.d" &&
		make_probes -h -s "$work/names.d" -o "$work/names.h" &&
		grep -qF '.8byte my_NAME_x_PROVIDER_semaphore\n' "$work/names.h" &&
		grep -qF '.asciz \"my_NAME\"' "$work/names.h" && grep -qF '.asciz \"x_PROVIDER\"' "$work/names.h" &&
		echo 'provider p { probe x(int); probe x(); };' >"$work/twice.d" &&
		refuses "'x' is declared twice" make_probes -h -s "$work/twice.d" &&
		refuses 'not a regular file' make_probes -h -s /dev/null &&
		refuses 'not a regular file' make_probes -G -s /dev/fd/0 &&
		make_probes -h -s /dev/null -o "$work/none.h" &&
		! make_probes -h 2>/dev/null && ! make_probes -h -n BEGIN 2>/dev/null &&
		refuses 'cannot open .*missing.o' make_probes -G -s "$work/provider.d" "$work/missing.o"
}

cp "$tests/dlang/provider.in" "$work/provider.d" && make_probes -h -s "$work/provider.d" || exit
programs=(target network constructor without_main) batch_options=()
for program in "${programs[@]}"; do
	batch_options+=(--file "$work/$program:$work/$program")
done

# Build what the programs trace on the kernel $release.
build_traced_programs() {
	choose_architecture "$(architecture_of "$release")" &&
		"${compile[@]}" -g -O0 -I "$work" -o "$work/target" "$tests/dlang/target.c" &&
		"${compile[@]}" -o "$work/network" "$tests/dlang/network.c" &&
		"${compile[@]}" -o "$work/constructor" "$tests/dlang/constructor.c" &&
		"${compile[@]}" -static -nostartfiles -o "$work/without_main" "$tests/dlang/without_main.c"
}

# Some messages name lines of the kernel, so they are compared for one.
choose_release $old_kernel
batch_begin || exit
if [[ " ${SPILE_TEST_KERNELS:-$old_kernel} " == *" $old_kernel "* ]]; then
	for program in "$tests/dlang-errors/"${SPILE_TESTS:-*}.d; do
		[ ! -e "$program" ] || check_error "$(basename "$program" .d)"
	done
	check_tags
	check "a list of nothing" empty_list
	check "a list with types" verbose_list
	check "a probe of several functions is listed once" probes_of_locks
	check "system calls have the names of the kernel" names_of_calls
	check "the stability of programs" stability_of_programs
	check "options of the environment" options_of_environment
	check "the preprocessor of -C" with_preprocessor
	check "-e only checks a program" only_checked
	check "the most frames of a stack" fewer_frames
	check "-h and -G make files for static probes" provider_files
	check "offsets in functions are those of instructions" offsets
	check "a variable that is not used is no error" compile -n 'int x; BEGIN { trace(1); }'
fi

declare -A differences
for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	build_traced_programs && batch_begin || exit
	read_differences
	names=()
	for program in ${SPILE_TESTS:-*}.d; do
		name=${program%.d}
		is_part "dlang/$name" 6 && { [ -z "$SPILE_PART" ] || is_kernels_part "$release" "$name"; } || continue
		names+=("$name")
		batch_queue translate "$name"
	done
	batch_wait
	batch_run "$release" "${names[@]}"
	for name in "${names[@]}"; do
		row=dlang/$name
		${differences[$row]:+judge_difference "$row" "$release: $name"} judge "$name"
	done
done
