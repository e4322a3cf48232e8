#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# For testsuite/guest/user-tables-kept.stp: a program for which no table can exist yet, on a machine where stap has
# never run, and another file with the same content.

cache=/root/.cache
rm -rf $cache
cp /tmp/stacks /tmp/kept
date +%s%N >>/tmp/kept
cp /tmp/kept /tmp/kept-copy
table="$cache/spile/object-*-$(printf %x "$(stat -c %s /tmp/kept)")-*"

# until_true COMMAND...: repeat the command until it succeeds; fail after half a minute.
until_true() {
	for try in $(seq 300); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}

/tmp/kept 100
until_true [ -e $table ] && echo "kept"
stat -c "%a %n" $cache $cache/spile
touch -d 2020-01-01 $table
touch -d 2021-01-01 /tmp/between
/tmp/kept-copy 100
until_true [ $table -nt /tmp/between ] && echo "read"
