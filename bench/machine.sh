#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The load of bench/sample: programs that compute, copy, search files, start and end. It does the same work each time.

perl.perl -e 'sub fib { my $n = shift; return $n < 2 ? $n : fib($n - 1) + fib($n - 2) } fib(22)'
perl.perl -e 'for my $i (1 .. 60000) { $h{$i % 997} .= chr(65 + $i % 26) } print join(",", sort values %h)' |
	xz.xz -c | md5sum.md5sum >/dev/null
find /sys -type f 2>/dev/null | sort.sort | md5sum.md5sum >/dev/null
find /proc/sys /sys -type f 2>/dev/null | sort.sort -r | xz.xz -c >/dev/null
i=0
while [ $i -lt 150 ]; do
	i=$((i + 1))
	md5sum.md5sum /bin/busybox >/dev/null
done
