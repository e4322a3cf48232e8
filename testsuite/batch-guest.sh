# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of batch.sh: run the commands in /batch/jobs/NAME/command, for each NAME among the arguments.
# Standard output is a sequence of tar archives, one for each job, with its output and status, and with what it left
# behind: lines of the kernel's log, modules and taint. Standard error has the name of each job when it begins, so the
# host knows which one a guest died of.

limit=120 # seconds of the guest's clock
dmesg -c >/dev/null
for job; do
	echo "$job" >&2
	cd "/batch/jobs/$job" || exit
	files=
	if [ -d root ]; then
		files=$(cd root && find . -type f)
		cp -r root/. /
		rm -r root
	fi
	timeout $limit sh command <input >out 2>err
	echo $? >status
	dmesg -c >log
	grep '^stap_' /proc/modules >modules
	cat /proc/sys/kernel/tainted >taint
	tar c -C /batch/jobs "$job/out" "$job/err" "$job/status" "$job/log" "$job/modules" "$job/taint"
	for file in $files; do
		rm -f "/$file"
	done
	rm -r "/batch/jobs/$job"
done
