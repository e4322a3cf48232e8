# SPDX-License-Identifier: GPL-2.0-or-later
#
# The language to the letter: the scripts of testsuite/language print what SystemTap prints for them, and are run as
# those of testsuite/guest (guest.sh tells how). Their standard output is what was recorded there; standard error is
# ours. Where ours differs on purpose, doc/differences.md has the reason.

SPILE_SCRIPTS=$(cd "$(dirname "$0")/../language" && pwd)
. "$(dirname "$0")/guest.sh"
