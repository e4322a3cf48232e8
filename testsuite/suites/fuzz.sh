# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run the fuzzers of testsuite/fuzz for SPILE_FUZZ_SECONDS, with new seeds, under sanitizers: `make fuzz SECONDS=600`.
# `make check` tries a fixed number of scripts with a fixed seed, in the suite sanitizers.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel || exit 0
if ! build_sanitized >"$work/build.log" 2>&1; then
	tail -n 40 "$work/build.log" | fail "the build"
	exit 0
fi
export SPILE_FUZZ_SECONDS=${SPILE_FUZZ_SECONDS:-60}
run_fuzzers
