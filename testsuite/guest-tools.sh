# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the guest's sides of the suites staprun, attack and containers share; this file is copied into the guest as
# tools.sh.

# modules: print the modules that the tests have loaded.
modules() {
	sed -n 's/^\(stap_t_[^ ]*\) .*/\1/p' /proc/modules
}

# wait_for SECONDS COMMAND...: repeat the command until it succeeds.
wait_for() {
	local tenths=$(($1 * 60)) # allow six times as long for a busy host
	shift
	while ! "$@"; do
		[ $tenths -gt 0 ] || return 1
		tenths=$((tenths - 1))
		sleep 0.1
	done
}
