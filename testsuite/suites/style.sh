# SPDX-License-Identifier: GPL-2.0-or-later
#
# Formatting and other habits of the source that a program can check.

. "$(dirname "$0")/../lib.sh"

cd "$SPILE_SRCDIR" || exit 1

sources() {
	find translator runtime staprun vm testsuite -name '*.[ch]' -not -path '*/.*' | sort
}

formatted() {
	sources | xargs "${CLANG_FORMAT:-clang-format}" --dry-run -Werror
}
if command -v "${CLANG_FORMAT:-clang-format}" >/dev/null; then
	check "clang-format has nothing to change" formatted
else
	echo "install clang-format" | fail "clang-format has nothing to change"
fi

licence() {
	! sources | xargs grep -L SPDX-License-Identifier | grep .
}
check "every C file names its licence" licence

# runtime/compat is the only place that knows kernel versions (doc/architecture.md).
versions() {
	! grep -rn LINUX_VERSION_CODE runtime translator staprun --include='*.[ch]' | grep -v '^runtime/compat/' |
		grep -v 'No #if LINUX_VERSION_CODE'
}
check "kernel versions are tested in runtime/compat only" versions

# Only debuginfo/ includes headers of elfutils.
elfutils() {
	! grep -rnE '#include <(libelf|gelf|dwarf|elfutils/.*|bpf/.*)\.h>' translator | grep -v '^translator/debuginfo/'
}
check "only translator/debuginfo uses elfutils" elfutils

shell_syntax() {
	local file
	for file in testsuite/run testsuite/kernels testsuite/*.sh testsuite/suites/*.sh .ci/run bench/start bench/hit; do
		[ -f "$file" ] || continue
		bash -n "$file" || return
	done
	sh -n bootstrap
}
check "shell scripts parse" shell_syntax

# runtime/runtime.c includes all files of the runtime, and C makes two variables of one name and type one.
variables() {
	! grep -hE '^static [a-zA-Z_].*;|^static .* = |^static DEFINE' runtime/*.c | grep -v '(.*)' |
		sed -E 's/ = .*|;.*|\[.*//; s/.*[ *]//' | sort | uniq -d | grep .
}
check "no two files of the runtime have a variable of one name" variables
