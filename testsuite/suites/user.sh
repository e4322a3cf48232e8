# SPDX-License-Identifier: GPL-2.0-or-later
#
# Programs under probes: the scripts of testsuite/user are run as those of testsuite/guest (guest.sh tells how).

SPILE_SCRIPTS=$(cd "$(dirname "$0")/../user" && pwd)
. "$(dirname "$0")/guest.sh"
