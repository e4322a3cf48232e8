# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run many scripts in one guest. All scripts are translated first, one per CPU at a time. Then a guest runs all of them
# in one loop (batch-guest.sh), and the host reads the results. The guest has one CPU and virtual time (stap-vm start
# --virtual-time): a script that sleeps costs nothing, and its clock does not depend on the host's load. Such a guest
# must not wait for the host, because its clock jumps ahead whenever it is idle.
#
# A job is a directory $batch/NAME. stap runs as with --remote=unix:..., but record-vm replaces stap-vm. Afterwards the
# directory contains
#
#     stap.out stap.err stap.status        the results of stap before pass 5
#     out err status log modules taint     the results of the command in the guest (absent if it did not run)
#     died                                 exists if the guest ended during this job

batch=$work/batch

# batch_begin: prepare a directory with a copy of stap whose stap-vm is record-vm.
batch_begin() {
	rm -rf "$batch" "$work/recorder"
	mkdir -p "$batch" "$work/recorder" && cp "$STAP" "$work/recorder/stap" &&
		ln -s "$tests/record-vm" "$work/recorder/stap-vm" && ln -s "$STAPRUN" "$work/recorder/staprun" &&
		ln -s stap "$work/recorder/dtrace"
}

# batch_translate JOB ARGUMENT...: translate a script. Standard input becomes the input of its run.
batch_translate() {
	local job=$batch/$1
	shift
	mkdir -p "$job/guest"
	cat >"$job/guest/input"
	SPILE_RECORD=$job/guest SPILE_DATADIR=${SPILE_DATADIR:-$SPILE_SRCDIR} \
		SPILE_LIBEXEC=${SPILE_LIBEXEC:-$SPILE_BUILDDIR} timeout 300 \
		"$work/recorder/${batch_program:-stap}" --remote=unix:unix "$@" \
		>"$job/stap.out" 2>"$job/stap.err" </dev/null
	echo $? >"$job/stap.status"
}

# batch_live JOB ARGUMENT...: translate a script and run it at once in the running guest, for use in batch_prepare.
batch_live() {
	local job=$batch/$1
	shift
	mkdir -p "$job"
	timeout 300 "$STAP" "--remote=unix:$work/$release" "$@" >"$job/stap.out" 2>"$job/stap.err"
	echo $? >"$job/stap.status"
}

# batch_queue COMMAND...: run it in the background as soon as a CPU is free; batch_wait waits for all.
batch_queue() {
	while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
		wait -n
	done
	"$@" &
}
batch_wait() { wait; }

# batch_pending JOB...: print the jobs that have a command and no result yet.
batch_pending() {
	local job
	for job; do
		[ ! -e "$batch/$job/guest/command" ] || [ -e "$batch/$job/status" ] || [ -e "$batch/$job/died" ] ||
			echo "$job"
	done
}

# batch_upload JOB...: fill $work/jobs and $work/modules, which become /batch/jobs and /tmp in the guest.
batch_upload() {
	local job
	rm -rf "$work/jobs" "$work/modules"
	mkdir "$work/jobs" "$work/modules" && chmod 1777 "$work/modules" || return
	for job; do
		mkdir "$work/jobs/$job" && ln "$batch/$job/guest"/{command,input} "$work/jobs/$job" &&
			ln "$batch/$job/guest"/*.ko "$work/modules" || return
	done
}

# batch_guest RELEASE JOB...: run jobs in a new guest until they or the guest end. $batch_options are options of
# `stap-vm start`. The function batch_prepare, if defined, prepares the guest at $work/RELEASE.
batch_guest() {
	local release=$1 died
	shift
	batch_upload "$@"
	"$STAP_VM" start -r "$release" --socket "$work/$release" ${batch_clock---virtual-time} \
		--console "$work/console" \
		--file "$(guest_program "$release" staprun):/bin/staprun" \
		--file "$(guest_program "$release" stap-tables):/bin/stap-tables" \
		--file "$(guest_program "$release" stap-monitor):/bin/stap-monitor" \
		--file "$tests/batch-guest.sh:/batch/loop" --file "$work/jobs:/batch/jobs" \
		--file "$work/modules:/tmp" \
		"${batch_options[@]}" >"$work/start.log" 2>&1 || {
		fail "$release: the guest starts" "$work/start.log"
		return 1
	}
	rm -rf "$work/jobs" "$work/modules"
	! declare -f batch_prepare >/dev/null || batch_prepare "$release" || return
	"$STAP_VM" exec --socket "$work/$release" -- sh /batch/loop "$@" 2>"$work/begun" |
		tar x -i -C "$batch" 2>"$work/tar.log"
	# The file may also have messages of the guest's shell and of stap-vm.
	died=$(printf '%s\n' "$@" | awk 'NR == FNR { jobs[$0]; next } $0 in jobs { last = $0 } END { print last }' \
		- "$work/begun")
	"$STAP_VM" stop --socket "$work/$release" >/dev/null 2>&1
	[ -z "$(batch_pending "$@")" ] || {
		{ tail -n 10 "$work/begun"; tail -n 40 "$work/console"; } >"$batch/${died:-$1}/died"
	}
}

# batch_run RELEASE JOB...: run all jobs, a limited number in each guest, whose memory holds all of its modules. If a
# job kills its guest, the others run in a new one, as do earlier jobs whose results had not been sent yet.
batch_run() {
	local release=$1 jobs
	shift
	while jobs=($(batch_pending "$@" | head -n 250)) && [ ${#jobs[@]} -gt 0 ]; do
		batch_guest "$release" "${jobs[@]}" || return
	done
}
