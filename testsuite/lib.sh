# SPDX-License-Identifier: GPL-2.0-or-later
# What every suite starts with: where things are, and how a result is reported. Sourced by testsuite/suites/*.sh, which
# testsuite/run starts with the variables below set.
#
# A result is one line, "ok - suite: name", "FAIL - suite: name" or "skip - suite: name: reason"; what explains a
# failure follows it, indented, so that nothing in it can be taken for a result.

: "${SPILE_SRCDIR:?start suites through testsuite/run}" "${SPILE_BUILDDIR:?}" "${STAP:?}" "${STAP_VM:?}" "${STAPRUN:?}"
tests=$SPILE_SRCDIR/testsuite
suite=$(basename "$0" .sh)
old_kernel=6.1
new_kernel=6.12

# A folder for this suite, gone at its end; temporary files of what is tested go there too, where leftovers are seen.
work=$(mktemp -d /tmp/spile-test-XXXXXX) || exit 1
mkdir "$work/tmp"
export TMPDIR=$work/tmp
cleanup() { :; }
trap 'cleanup; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

ok() {
	echo "ok - $suite: $1"
}

# fail NAME [FILE...]: the files, or standard input without any, say why.
fail() {
	echo "FAIL - $suite: $1"
	shift
	head -n 60 -- "${@:--}" 2>&1 | cut -c 1-300 | sed 's/^/    /'
}

skip() {
	echo "skip - $suite: $1: $2"
}

# check NAME COMMAND...: ok if the command succeeds; what it printed explains a failure.
check() {
	local name=$1
	shift
	if "$@" >"$work/check.log" 2>&1; then
		ok "$name"
	else
		fail "$name" "$work/check.log"
	fi
}

# compare NAME EXPECTED GOT: the same content? SPILE_UPDATE=1 writes EXPECTED anew instead (read the difference!).
compare() {
	if [ -n "$SPILE_UPDATE" ]; then
		cp "$3" "$2"
	fi
	if diff -u --label "expected ($2)" --label got "$2" "$3" >"$work/diff.log" 2>&1; then
		ok "$1"
	else
		fail "$1" "$work/diff.log"
	fi
}

# header FILE KEY: the value of a "# key: value" line among the leading comments of a script.
header() {
	sed -n -e '/^#/!q' -e "s/^# $2: //p" "$1"
}

# A cache of this suite's own that knows the same kernels.
private_cache() {
	mkdir -p "$1"
	ln -s "${SPILE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/spile}/kernels" "$1/kernels"
	export SPILE_CACHE=$1
}

# Is the kernel of a release there? A missing one is a failure that says what to do: these tests are not optional.
need_kernel() {
	"$STAP_VM" path "$1" >"$work/kernel.path" 2>&1 && return
	echo "kernel $1 is not in the cache; fetch it with: $STAP_VM fetch $1" | fail "kernel $1"
	return 1
}
