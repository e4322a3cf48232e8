# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by bench/arm, bench/bundle and bench/sample.

# median FILE COLUMN: print the median; of an even number of lines, the lower of the two in the middle.
median() {
	awk -v column="$2" '{ print $column }' "$1" | sort -n |
		awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'
}
