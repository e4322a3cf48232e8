# SPDX-License-Identifier: GPL-2.0-or-later
# Convert the compiler's messages about facts.c to definitions:
# awk -f facts.awk facts.c - Module.symvers <MESSAGES >facts.h
# An error counts against the function that contains its line. An error in a header counts against the function that the
# compiler named before ("In function 'fact_NAME'").

BEGIN {
	print "/* Made by facts.awk of facts.c. */"
}

FNR == 1 {
	file++
}

# Functions that may not be exported. Without Module.symvers, the linker reports those that are missing.
file == 1 && match($0, /^EXPORTED\([a-z0-9_]+\)/) {
	exports[substr($0, 10, RLENGTH - 10)] = 1
}

file == 3 && ($2 in exports) {
	print "#define EXPORTS_" toupper($2)
	next
}

# Note the facts and the lines that belong to each.
file == 1 {
	if (match($0, /[ *]fact_[a-z0-9_]+\(/)) {
		last = substr($0, RSTART + 6, RLENGTH - 7)
		facts[++count] = last
	}
	at[FNR] = last
	next
}

file == 2 && match($0, /In function .fact_[a-z0-9_]+/) {
	current = substr($0, RSTART, RLENGTH)
	sub(/.*fact_/, "", current)
}

file == 2 && /error: / {
	name = current
	if (match($0, /compat\/facts\.c:[0-9]+/)) {
		line = substr($0, RSTART, RLENGTH)
		sub(/.*:/, "", line)
		if (at[line + 0] != "")
			name = at[line + 0]
	}
	if (name != "")
		wrong[name] = 1
	else
		print "#error \"" plain($0) "\""
}

END {
	for (i = 1; i <= count; i++)
		if (!wrong[facts[i]])
			print "#define HAS_" toupper(facts[i])
}

function plain(text) {
	gsub(/["\\]/, "'", text)
	return text
}
