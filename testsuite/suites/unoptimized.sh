# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest suite once more on the newer kernel, translated with -u: without the optimiser, all results are the same.

. "$(dirname "$0")/../lib.sh"

SPILE_STAP_OPTIONS=-u SPILE_TEST_KERNELS=$new_kernel SPILE_UPDATE='' "$tests/run" guest >"$work/log" 2>&1
sed -n -E "s/^(ok|FAIL|skip) - /\1 - $suite: /p; /^    /p" "$work/log"
