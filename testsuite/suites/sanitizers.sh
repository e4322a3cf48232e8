# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run the suites unit, diagnostics and passes, and in full also cli, exporter, interactive, json and report, with
# everything built under AddressSanitizer and UndefinedBehaviorSanitizer, in a copy of the source tree. A part runs a
# share of the scripts.
# Then run the fuzzers of testsuite/fuzz with a fixed seed, or with new seeds for SPILE_FUZZ_SECONDS.

. "$(dirname "$0")/../lib.sh"

if ! build_sanitized >"$work/build.log" 2>&1; then
	tail -n 40 "$work/build.log" | fail "the build"
	exit 0
fi
again=(unit diagnostics passes)
[ -n "$SPILE_PART" ] && export SPILE_SHARE=48 || again+=(cli exporter interactive json report)
# A part has no stap-vm with sanitizers, and uses the other one.
env -u STAP -u STAPRUN $([ -n "$SPILE_PART" ] || echo -u STAP_VM) SPILE_BUILDDIR="$sanitized" SPILE_LANES="$(nproc)" \
	"$sanitized/testsuite/run" "${again[@]}" >"$work/log" 2>&1 &
# Run the fuzzers at the same time, because this suite is the longest of a part.
run_fuzzers
wait
sed -n -E "s/^(ok|FAIL|skip) - /\1 - $suite: /p; /^    /p" "$work/log"
[ -z "$SPILE_FULL" ] || check "fuzz: damaged debuginfo" make -s -C "$SPILE_BUILDDIR" fuzz-debuginfo
