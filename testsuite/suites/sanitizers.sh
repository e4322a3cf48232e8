# SPDX-License-Identifier: GPL-2.0-or-later
#
# The unit, diagnostics and cli suites once more, with everything built under AddressSanitizer and
# UndefinedBehaviorSanitizer, in a copy of the source tree.

. "$(dirname "$0")/../lib.sh"

build() {
	mkdir "$work/source" && cd "$SPILE_SRCDIR" || return
	# What git knows and what it does not ignore; a tarball holds nothing else anyway.
	{ git ls-files -z --cached --others --exclude-standard 2>/dev/null || find . -type f -print0; } |
		tar c --null --ignore-failed-read -T - 2>/dev/null | tar x -C "$work/source" || return
	cd "$work/source" || return
	[ -x configure ] || autoreconf -fi || return
	./configure -q --enable-sanitizers && make -s -j"$(nproc)" && make -s -j"$(nproc)" check-programs
}

if ! build >"$work/build.log" 2>&1; then
	tail -n 40 "$work/build.log" | fail "the build"
	exit 0
fi
# Memory is freed at exit or not at all; what is looked for is its wrong use.
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1
unset STAP STAP_VM STAPRUN
SPILE_BUILDDIR=$work/source "$work/source/testsuite/run" unit diagnostics cli >"$work/log" 2>&1
sed -n -E "s/^(ok|FAIL|skip) - /\1 - $suite: /p; /^    /p" "$work/log"
