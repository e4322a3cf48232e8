#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's side of testsuite/suites/endurance.sh: run a script that counts and prints for a long time in the
# background, with output files that are rotated by size, and measure its memory use and the kernel's.
#
# Usage: long.sh SECONDS MODULE CALLS   Each of two CPUs makes CALLS system calls in a row, which are counted. The
# output is lines "memory: ...", a line "events: ..." and a line "ok" or "FAIL: why".

seconds=$1
module=$2
calls=$3
status=/sys/kernel/debug/spile/$module/status
cd "$(dirname "$0")" || exit 1

die() {
	echo "FAIL: $*"
	staprun -d $module 2>/dev/null
	exit 1
}

field() {
	awk -v "name=$2" '$1 == name || $1 == name ":" { print $2 }' "$1"
}

of_processes() {
	local pid sum=0
	for pid in $(pidof staprun); do
		sum=$((sum + $(field /proc/$pid/status VmRSS)))
	done
	echo $sum
}

# Print kilobytes: of staprun's processes, of the kernel's slabs and vmalloc memory, and those that the module reports.
memory() {
	echo "$(of_processes) $(field /proc/meminfo Slab) $(field /proc/meminfo VmallocUsed)" \
		"$(awk '/^memory_/ { sum += $2 } END { print sum / 1024 }' $status)"
}

rounds=0
work_until() {
	while [ "$(cut -d. -f1 /proc/uptime)" -lt $1 ]; do
		./hits 2 $calls || die "hits failed"
		rounds=$((rounds + 1))
	done
}

rm -f lines.*
daemon=$(staprun -D -S 1,3 -o lines $module.ko) || die "staprun -D"
begun=$(cut -d. -f1 /proc/uptime)
# Wait a quarter of the time, until all memory was used once and the first files were rotated.
work_until $((begun + seconds / 4))
before=$(memory)
echo "memory: $before"
for part in 2 3 4; do
	work_until $((begun + seconds * part / 4))
	after=$(memory)
	echo "memory: $after"
done
spent=$(($(cut -d. -f1 /proc/uptime) - begun))
lost=$(awk '/^(lost|skipped_|missed_|errors|overwritten)/ { sum += $2 } END { print sum + 0 }' $status)
hits=$(field $status hits)
kill -INT $daemon
while [ -d /sys/module/$module ]; do sleep 0.2; done

wanted=$((rounds * 2 * calls))
echo "events: $wanted calls and $hits hits in $spent seconds, $((hits / spent)) a second"
newest=$(ls lines.* | sort -t. -k2n | tail -n 1)
total=$(tail -n 1 "$newest")
last=${total##* }
# The first number counts all calls, because shells call getppid(), too. The following ones count only the program's.
echo "$total" | awk -v "wanted=$wanted" '
	$1 != "total" || $2 < wanted { bad++ }
	{ for (i = 3; i < NF; i++) bad += $i != wanted }
	END { exit bad }' || die "counted '$total' of $wanted"
[ "$lost" = 0 ] || die "lost or skipped: $lost"
[ "$(ls lines.* | wc -l)" -le 3 ] || die "too many files: $(echo lines.*)"
cat $(ls lines.* | sort -t. -k2n) | awk -F : -v "last=$last" '
	/^total/ || /^begin/ { next }
	before && $1 != before + 1 { bad++ }
	{ before = $1 }
	END { exit bad || before != last }' || die "lines are missing"
# The module's own memory must not change at all; the others may vary with other activity on the machine.
set -- $before $after
[ "$4" = "$8" ] || die "the module's memory grew from $4 to $8 KB"
[ $5 -le $(($1 + 512)) ] || die "staprun's memory grew from $1 to $5 KB"
[ $6 -le $(($2 + 4096)) ] || die "the kernel's slabs grew from $2 to $6 KB"
[ $7 -le $(($3 + 1024)) ] || die "what the kernel maps grew from $3 to $7 KB"
echo ok
