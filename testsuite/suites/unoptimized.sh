# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest suite once more, translated with -u: without the optimiser, all results are the same. Of the language's
# scripts (guest/either-kernel), each on the kernel where it is not run optimised; of the others, one in eight on each
# kernel. `make check-full` runs all.

. "$(dirname "$0")/../lib.sh"

SPILE_STAP_OPTIONS=-u SPILE_UPDATE='' "$tests/run" guest >"$work/log" 2>&1
sed -n -E "s/^(ok|FAIL|skip) - /\1 - $suite: /p; /^    /p" "$work/log"
