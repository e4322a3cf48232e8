# SPDX-License-Identifier: GPL-2.0-or-later
# One set of the suite scripts, whose head describes it.

SPILE_SCRIPT_SETS=language
. "$(dirname "$0")/scripts.sh"
