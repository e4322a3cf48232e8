# SPDX-License-Identifier: GPL-2.0-or-later
#
# stap under a generated pseudo-locale (testsuite/pseudo-locale.sh, which prints TAP).

. "$(dirname "$0")/../lib.sh"

script=$tests/pseudo-locale.sh
if [ ! -f "$script" ]; then
	echo "testsuite/pseudo-locale.sh is missing" | fail "pseudo-locale"
	exit 0
fi
timeout 300 bash "$script" "$STAP" >"$work/tap" 2>"$work/err"
status=$?
while IFS= read -r line; do
	name=$(echo "$line" | sed -E 's/^(not )?ok [0-9]+ (- )?//; s/ # SKIP.*//I')
	case $line in
	"not ok "*) { grep '^#' "$work/tap"; cat "$work/err"; } | fail "$name" ;;
	"ok "*"# SKIP"*) skip "$name" "${line##*# SKIP }" ;;
	"ok "*) ok "$name" ;;
	"1..0 # SKIP"*) skip "pseudo-locale" "${line#*# SKIP }" ;;
	esac
done <"$work/tap"
if [ $status -gt 1 ] || ! grep -qE '^1\.\.' "$work/tap"; then
	{ echo "status $status"; cat "$work/tap" "$work/err"; } | fail "pseudo-locale.sh runs to its end"
fi
