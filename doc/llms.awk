# SPDX-License-Identifier: GPL-2.0-or-later
#
# Convert a manual page to the Markdown of doc/llms.txt: the sections that the variable "sections" names, separated by
# "|", or all. Used by doc/update-llms.

# Replace the escapes of roff.
function plain(text) {
	gsub(/\\f[BIRP]|\\f\([A-Z]+/, "", text)
	gsub(/\\&|\\\|/, "", text)
	gsub(/\\-/, "-", text)
	gsub(/\\\(dq/, "\"", text)
	gsub(/\\\(aq/, "'", text)
	gsub(/\\\(ha/, "^", text)
	gsub(/\\\(ti/, "~", text)
	gsub(/\\\(ga/, "`", text)
	gsub(/\\\(mi/, "-", text)
	gsub(/\\ /, " ", text)
	gsub(/\\\(rs|\\e/, "\\", text)
	return text
}

# Split the arguments of a macro, which may be quoted, and join them; alternating fonts are joined without spaces.
function arguments(line, separator,    out, word) {
	sub(/^\.[A-Z]+ +/, "", line)
	out = ""
	while (line != "") {
		if (match(line, /^"([^"]|"")*"/)) {
			word = substr(line, 2, RLENGTH - 2)
			line = substr(line, RLENGTH + 1)
		} else {
			match(line, /^(\\ |[^ ])+/)
			word = substr(line, 1, RLENGTH)
			line = substr(line, RLENGTH + 1)
		}
		sub(/^ +/, "", line)
		out = out (out == "" ? "" : separator) word
	}
	return plain(out)
}

function flush() {
	if (paragraph != "")
		print lead paragraph
	if (paragraph != "")
		lead = ""
	paragraph = ""
}

function add(text) {
	if (tag) {
		lead = "- " text ": "
		tag = 0
		return
	}
	paragraph = paragraph (paragraph == "" ? "" : " ") text
}

function blank() {
	flush()
	print ""
}

BEGIN { count = split(sections, names, "|") }

/^\.\\"/ { next }
/^\.TH/ { next }
/^\.S[HS]/ {
	flush()
	title = arguments($0, " ")
	if (/^\.SH/)
		section = title
	wanted = count == 0
	for (i = 1; i <= count; i++)
		if (names[i] == section || names[i] == title)
			wanted = 1
	if (wanted)
		print "\n" (/^\.SH/ ? "## " : "### ") title "\n"
	next
}
!wanted { next }
/^\.(nf|EX)/ { flush(); print "```"; verbatim = 1; next }
/^\.(fi|EE)/ { print "```"; verbatim = 0; next }
/^\.(PP|P|LP|RS|RE|br|sp)/ { if (!verbatim) flush(); if (/^\.PP/ && !verbatim && !tagged) print ""; next }
/^\.TP/ { flush(); tag = 1; next }
/^\.IP/ { flush(); lead = "- "; next }
{ text = /^\.[A-Z]+ / ? arguments($0, /^\.[BI] / ? " " : "") : plain($0) }
verbatim { print text; next }
{ add(text) }
END { flush() }
