# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of batch.sh: run the commands in /batch/jobs/NAME/command, for each NAME among the arguments.
# Standard output is a sequence of tar archives, one for each job, with its output and status, and with what it left
# behind: lines of the kernel's log, modules and taint. The name of each job goes to standard error when it begins, so
# that the host knows which one killed the guest.

limit=120 # seconds of the guest's clock
many=16 # jobs whose results are sent together, because starting tar takes longer than a script
count=0
results=

send() {
	[ -z "$results" ] || tar c -C /batch/jobs $results
	results= count=0
}

dmesg -c >/dev/null
for job; do
	echo "$job" >&2
	cd "/batch/jobs/$job" || exit
	# Append: busybox's cat copies to a file with sendfile(2), which overwrites what staprun writes at that time.
	timeout $limit sh ./command <input >>out 2>>err
	echo $? >status
	dmesg -c >log
	while read -r name rest; do
		case $name in stap_*) echo "$name" ;; esac
	done </proc/modules >modules
	cat /proc/sys/kernel/tainted >taint
	for file in out err status log modules taint; do
		results="$results $job/$file"
	done
	count=$((count + 1))
	[ $count -lt $many ] || send
done
send
