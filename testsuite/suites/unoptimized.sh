# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest suite once more, translated with -u: without the optimiser, all results are the same. In a whole run, one in
# eight scripts on each kernel, and where it is not run optimised.

SPILE_STAP_OPTIONS=-u SPILE_UPDATE=
. "$(dirname "$0")/guest.sh"
