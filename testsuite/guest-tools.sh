# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the guest's side of suites staprun and attack share; they are given this file beside their own, as tools.sh.

# The modules that the tests have loaded.
modules() {
	sed -n 's/^\(stap_t_[^ ]*\) .*/\1/p' /proc/modules
}

# wait_for SECONDS COMMAND...: until it succeeds.
wait_for() {
	local tenths=$(($1 * 60)) # a busy host takes several times as long
	shift
	while ! "$@"; do
		[ $tenths -gt 0 ] || return 1
		tenths=$((tenths - 1))
		sleep 0.1
	done
}
