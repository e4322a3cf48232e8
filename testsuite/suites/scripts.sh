# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compare the output of scripts. The suites guest, language, user, unoptimized and examples are one set each of this
# one. All scripts of a kernel are translated first and then run in one guest (batch.sh).
#
#     guest          testsuite/guest/NAME.stp prints exactly NAME.out and, on standard error, NAME.err
#     language       the same for testsuite/language, whose standard output was recorded with SystemTap
#     user           the same for testsuite/user: probes of programs
#     unoptimized    the scripts of guest with -u: the results are the same without the optimizer
#     examples       the scripts of examples/ print what their heads expect
#
# A part runs a share of each set (part_of), each script on one of the two kernels, selected by the hash of its name.
# All examples are translated, for both kernels or, in a part, for one. SPILE_SCRIPT_SETS selects sets.
#
# testsuite/ARCHITECTURE-differences lists the scripts that give other results on an architecture (differences.sh).

. "$(dirname "$0")/../lib.sh"
. "$tests/batch.sh"
. "$tests/differences.sh"
. "$tests/programs.sh"
. "$tests/script-heads.sh"
. "$tests/script-examples.sh"

for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	need_kernel "$kernel" || exit 0
done
sets=${SPILE_SCRIPT_SETS:-guest language user unoptimized examples}

# For each set: the directory of its scripts, options for all of them, and the function that judges one.
declare -A directory_of=([guest]=${SPILE_SCRIPTS:-$tests/guest} [language]=$tests/language [user]=$tests/user
	[unoptimized]=$tests/guest [examples]=$SPILE_SRCDIR/examples)
declare -A options_of=([unoptimized]=-u)
declare -A judge_of=([examples]=judge_example)
# In a part, one in this many scripts of a set is run.
declare -A part_of=([guest]=72 [language]=72 [user]=40 [unoptimized]=200 [examples]=80)

# is_run_here SET NAME: is the script run on the chosen kernel? In a part, scripts run unoptimized on the kernel on
# which they do not run optimized.
is_run_here() {
	is_part "$1/$2" "${part_of[$1]}" || return
	[ -n "$SPILE_PART" ] || return 0
	if [ "$1" = unoptimized ]; then
		! is_kernels_part "$release" "$2"
	else
		is_kernels_part "$release" "$2"
	fi
}

# translate_job JOB NAME SOURCE [OPTION...]: translate a script of the set $set, in the set's directory, after
# read_head.
translate_job() {
	if [ "$set" = examples ]; then
		translate_example "$1" "$2.stp" "${@:4}"
	else
		translate_script "$1" "$2.stp" "$3" ${options_of[$set]} "${@:4}"
	fi
}

# add_job SET NAME SOURCE [OPTION...]: translate a script in the background, and record how to judge it. A script with
# options is only translated and not run.
add_job() {
	local set=$1 name=$2 source=$3 title="$release: $2${3:+ ($3)}"
	local job=$set.${name//\//-}${source:+.$source}
	shift 3
	[ "$set" != examples ] || title="$release: $name.stp${1:+ is translated}"
	jobs+=("$job")
	job_set[$job]=$set job_name[$job]=$name job_title[$job]=$title
	[ $# -gt 0 ] || job_is_run[$job]=1
	[ "${head[processors]:-1}" -eq 1 ] && single+=("$job") || several+=("$job")
	if [ -n "${head[live]}" ] && [ $# -eq 0 ]; then
		live+=("$job")
	else
		translate=batch_translate batch_queue translate_job "$job" "$name" "$source" "$@"
	fi
}

# add_script SET NAME: add the jobs of one script.
add_script() {
	local set=$1 name=$2 sources source
	read_head "$name.stp"
	[ -z "${head[kernel]}" ] || [ "${head[kernel]}" = "$series" ] || return
	! suite=$set is_left_out "$name" || return
	if ! is_run_here "$set" "$name"; then
		[ "$set" != examples ] || ! is_kernels_part "$release" "$name" || add_job "$set" "$name" "" -p2
		return
	fi
	sources=${head["sources on $series"]:-${head[sources]}}
	for source in ${sources:-""}; do
		add_job "$set" "$name" "$source"
	done
}

# add_set SET: add the jobs of all scripts of a set.
add_set() {
	local script depth=
	cd "${directory_of[$1]}" || return
	[ "$1" != examples ] || depth=*/
	shopt -s extglob
	for script in $depth${SPILE_TESTS:-*}.stp; do
		[ ! -e "$script" ] || add_script "$1" "${script%.stp}"
	done
}

batch_prepare() {
	"$STAP_VM" exec --socket "$work/$1" -- sh -c '
		insmod /tmp/spile_fixture.ko || exit
		[ ! -e /bin/workload.sh ] || workload.sh prepare || exit
		# For perf-program.stp.
		/tmp/faults name=running fork wait=/tmp/faults-go pages=1500 threads=2:1500 name=fin \
			make=/tmp/faults-done >/dev/null 2>&1 </dev/null &' >"$work/prepare.log" 2>&1 ||
		fail "$1: the guest is prepared" "$work/prepare.log"
	[ ${#live[@]} -eq 0 ] || run_live
}

# run_live: run the scripts that must be translated while the guest is up.
run_live() {
	local job set
	for job in "${live[@]}"; do
		set=${job_set[$job]}
		cd "${directory_of[$set]}" || return
		read_head "${job_name[$job]}.stp"
		translate=batch_live translate_job "$job" "${job_name[$job]}" "" </dev/null
	done
	live=()
}

# add_programs DIRECTORY NAME...: add programs that scripts probe to $batch_options, in a directory of the guest or, if
# it is empty, at the same place. Some exist for one architecture only.
add_programs() {
	local name
	for name in "${@:2}"; do
		[ ! -e "$PROGRAMS/$name" ] || batch_options+=(--file "$PROGRAMS/$name${1:+:$1/$name}")
	done
}

guest_files() {
	local name
	batch_options=(--file "$FIXTURE:/tmp/spile_fixture.ko"
		$(as_modules "$release" veth bridge loop nfsd nfsv3 nfsv4 sd_mod scsi_debug mq-deadline dummy overlay))
	for name in scsi.sh partition.sh bridge.sh nfs.sh kept-tables.sh made-code.sh; do
		batch_options+=(--file "$tests/programs/$name:/tmp/$name")
	done
	add_programs /tmp remote-calls faults sockets memory kernel-events maps variables{,-pie} \
		names-{gcc,clang,rust} stacks{,-32,-static,-stripped,-lines,-debug-frame,-frame-pointers}
	add_programs "" stacks{,-musl,-musl-static} traced libtraced.so described libdescribed.so processes lists \
		null-pointer made-code narrow-O{0,2} calls-{32,64} static-probes
	add_programs /bin workload
	batch_options+=(--file "$PROGRAMS/faults:/tmp/faults-other"
		--file "$tests/programs/workload.sh:/bin/workload.sh")
}

# complaints FILE: print the kernel's complaints, except OOM kills that an example causes.
complaints() {
	awk '/invoked oom-killer/ { within = 1 }
		!within
		/Killed process/ { within = 0 }' "$1" | grep -E -A 20 "$kernel_complaints"
}

# judge_guest JOB TITLE: report how the guest differs from before the job. Bits 12 and 13 of the taint are "out of tree"
# and "unsigned" (Documentation/admin-guide/tainted-kernels.rst).
judge_guest() {
	local job=$batch/$1 taint
	if [ -e "$job/died" ]; then
		fail "$2: the guest is alive" "$job/died"
	elif [ -e "$job/status" ]; then
		! complaints "$job/log" >"$work/complaints" || fail "$2: the kernel's log is clean" "$work/complaints"
		[ ! -s "$job/modules" ] || fail "$2: no module is left loaded" "$job/modules"
		taint=$(($(cat "$job/taint") & ~0x3000))
		[ $taint -eq "$last_taint" ] || echo "$taint" | fail "$2: the kernel has no taint of an error"
		last_taint=$taint
	fi
}

judge_job() {
	local job=$1 set=${job_set[$1]} name=${job_name[$1]} row
	cd "${directory_of[$set]}" || return
	read_head "$name.stp"
	suite=$set
	judge_guest "$job" "${job_title[$job]}"
	row=$set/$name
	[ -z "${differences[${job/./\/}]}" ] || row=${job/./\/}
	[ -e "$batch/$job/died" ] || ${differences[$row]:+judge_difference "$row" "${job_title[$job]}"} \
		"${judge_of[$set]:-judge_script}" "$set" "$job" "$name.stp" "${job_title[$job]}"
}

# run_kernel KERNEL: run all sets on one kernel.
run_kernel() {
	local set job last_taint=0
	declare -A job_set job_name job_title job_is_run differences
	jobs=() single=() several=() live=()
	choose_release "$1"
	check "$release: the programs are built" build_programs "$(architecture_of "$release")"
	[ -e "$PROGRAMS/complete" ] || return
	read_differences
	FIXTURE=$SPILE_RUN_DIRECTORY/fixture.$release/spile_fixture.ko
	check "$release: the fixture is built" shared_fixture "$release"
	[ -e "$FIXTURE" ] && batch_begin || return
	for set in $sets; do
		add_set "$set"
	done
	batch_wait
	guest_files
	batch_run "$release" "${single[@]}"
	[ ${#several[@]} -eq 0 ] || batch_clock= batch_run "$release" "${several[@]}"
	for job in "${jobs[@]}"; do
		judge_job "$job"
	done
	suite=scripts
	[ ${#jobs[@]} -gt 0 ] || echo "no script matches '$SPILE_TESTS.stp'" | fail "SPILE_TESTS chooses a test"
}

for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	run_kernel "$kernel"
done
[[ " $sets " != *" examples "* ]] || check_example_heads
