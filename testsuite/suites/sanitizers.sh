# SPDX-License-Identifier: GPL-2.0-or-later
#
# The suite unit once more, and one in four of the scripts of diagnostics and passes (with SPILE_FULL all, and cli),
# with everything built under AddressSanitizer and UndefinedBehaviorSanitizer, in a copy of the source tree; then the
# fuzzers of testsuite/fuzz with a seed that is written down, or with new ones for as long as SPILE_FUZZ_SECONDS says.

. "$(dirname "$0")/../lib.sh"

if ! build_sanitized "$work/source" >"$work/build.log" 2>&1; then
	tail -n 40 "$work/build.log" | fail "the build"
	exit 0
fi
again=(unit diagnostics passes ${SPILE_FULL:+cli})
[ -n "$SPILE_FULL" ] || export SPILE_SHARE=4
env -u STAP -u STAP_VM -u STAPRUN SPILE_BUILDDIR="$work/source" SPILE_LANES="$(nproc)" \
	"$work/source/testsuite/run" "${again[@]}" >"$work/log" 2>&1
sed -n -E "s/^(ok|FAIL|skip) - /\1 - $suite: /p; /^    /p" "$work/log"
run_fuzzers "$work/source"
