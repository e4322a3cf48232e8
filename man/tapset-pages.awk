# SPDX-License-Identifier: GPL-2.0-or-later
#
# Generate the manual pages of the tapset library from the comments in tapset/: one page per topic (file), and one page
# that lists all topics.
#
# Usage: awk -f tapset-pages.awk -v directory=DIRECTORY FILE.stp... FILE.stpm...
#
# The comment at the top of a file (after its license line, if any) describes the topic; its first sentence becomes the
# NAME line. A comment of the following form documents the item after it. Private items and items called __NAME are
# omitted:
#
#     /**
#      * name - summary
#      *
#      * @parameter, @another: description
#      *
#      * Further paragraphs. Lines indented by four more columns are printed verbatim.
#      */

# Escape text for roff.
function plain(text) {
	gsub(/\342\200\246/, "...", text)
	gsub(/\\/, "\\(rs", text)
	gsub(/-/, "\\-", text)
	gsub(/'/, "\\(aq", text)
	gsub(/"/, "\\(dq", text)
	gsub(/`/, "\\(ga", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	if (substr(text, 1, 1) == ".")
		text = "\\&" text
	return text
}

# Convert the lines of a comment, without its summary, to roff.
function body(lines, count,    i, line, out, state) {
	state = "blank"
	for (i = 1; i <= count; i++) {
		line = lines[i]
		if (line ~ /^    /) {
			if (state != "shown")
				out = out ".PP\n.nf\n"
			state = "shown"
			out = out plain(substr(line, 5)) "\n"
			continue
		}
		if (state == "shown") {
			out = out ".fi\n"
			state = "blank"
		}
		if (line == "") {
			state = "blank"
			continue
		}
		if (line ~ /^@[A-Za-z0-9_]+(, @[A-Za-z0-9_]+)*,$/) {
			lines[i + 1] = line " " lines[i + 1]
			continue
		}
		if (match(line, /^@[A-Za-z0-9_]+(, @[A-Za-z0-9_]+)*: /)) {
			out = out ".TP\n.I " names(substr(line, 1, RLENGTH - 2)) "\n"
			out = out plain(substr(line, RLENGTH + 1)) "\n"
			state = "parameter"
			continue
		}
		if (state == "blank")
			out = out ".PP\n"
		if (state != "parameter")
			state = "text"
		out = out plain(line) "\n"
	}
	if (state == "shown")
		out = out ".fi\n"
	return out
}

# Convert "@a, @b" to "a, b".
function names(text) {
	gsub(/@/, "", text)
	return plain(text)
}

# Set kind and signature from the declaration after a comment. Return 0 for a declaration that is not documented.
function heading(line) {
	kind = ""
	signature = line
	if (line ~ /^function /) {
		kind = "FUNCTIONS"
		sub(/^function /, "", signature)
		sub(/ *(%?\{.*)?$/, "", signature)
	} else if (line ~ /^@define /) {
		kind = "MACROS"
		sub(/^@define /, "@", signature)
		sub(/ *%\(.*$/, "", signature)
	} else if (line ~ /^probe /) {
		kind = "PROBES"
		sub(/^probe /, "", signature)
		sub(/ *\+?=.*$/, "", signature)
	} else if (line ~ /^global /) {
		kind = "VARIABLES"
		sub(/^global /, "", signature)
		sub(/ *=.*$/, "", signature)
	}
	return kind != "" && signature !~ /^@?__/
}

function add(line,    name, i, dash, summary, rest, count) {
	dash = index(comment[1], " - ")
	if (!dash || !heading(line))
		return
	summary = substr(comment[1], dash + 3)
	for (i = 2; i <= comments && comment[i] != "" && comment[i] !~ /^@/; i++)
		summary = summary " " comment[i]
	for (count = 0; i <= comments; i++)
		rest[++count] = comment[i]
	sections[topic, kind] = sections[topic, kind] ".TP\n.B " plain(signature) "\n" plain(summary) "\n" \
		(count ? ".RS\n" body(rest, count) ".RE\n" : "")
	if (kind == "PROBES")
		signature = "probe " signature
	if (kind == "VARIABLES")
		signature = "global " signature
	index_of[topic] = index_of[topic] ".TP\n.B " plain(signature) "\n" plain(summary) "\n"
}

FNR == 1 {
	topic = FILENAME
	sub(/.*\//, "", topic)
	sub(/\.stpm?$/, "", topic)
	if (!(topic in known)) {
		known[topic] = 1
		topics[++topic_count] = topic
	}
	inside = ""
	head_at = /^\/\/ SPDX-/ ? 2 : 1
}

inside == "" && /^\/\*/ {
	comments = 0
	inside = /^\/\*\*$/ ? "item" : FNR == head_at ? "head" : "other"
	if (inside == "head" && $0 != "/*") {
		line = $0
		sub(/^\/\* */, "", line)
		sub(/ *\*\/$/, "", line)
		comment[++comments] = line
	}
	if (/\*\/ *$/) {
		finish()
	}
	next
}

inside == "" && after_item {
	add($0)
	after_item = 0
}

inside == "" { next }

/^ \*\/ *$/ {
	finish()
	next
}

{
	line = $0
	sub(/^ \* ?/, "", line)
	comment[++comments] = line
}

# Handle the end of a comment. If two files share a topic, the first one describes it.
function finish(    i) {
	if (inside == "head" && !(topic in description)) {
		first = ""
		for (i = 1; i <= comments; i++) {
			description[topic] = description[topic] (comment[i] == "" ? ".PP" : plain(comment[i])) "\n"
			first = first (first == "" ? "" : " ") comment[i]
		}
		sub(/\.( .*)?$/, "", first)
		if (match(first, /\. /))
			first = substr(first, 1, RSTART - 1)
		summaries[topic] = plain(first)
	}
	after_item = inside == "item"
	inside = ""
}

function write_page(topic,    file, i, kinds, count) {
	file = directory "/tapset::" topic ".3stap"
	printf(".\\\" Generated from tapset/%s.stp by man/tapset-pages.awk.\n", topic) >file
	printf(".TH \"TAPSET::%s\" 3stap 2026-11-22 Spile \"Tapset Library\"\n", toupper(topic)) >file
	printf(".SH NAME\ntapset::%s \\- %s\n", plain(topic), summaries[topic]) >file
	printf(".SH DESCRIPTION\n%s", description[topic]) >file
	count = split("FUNCTIONS PROBES MACROS VARIABLES", kinds, " ")
	for (i = 1; i <= count; i++)
		if ((topic, kinds[i]) in sections)
			printf(".SH %s\n%s", kinds[i], sections[topic, kinds[i]]) >file
	print ".SH SEE ALSO\n.BR stap (1),\n.BR stapfuncs (3stap),\n.BR stapprobes (3stap),\n.BR staplang (3stap)" >file
	close(file)
}

END {
	list = directory "/stapfuncs.3stap"
	print ".\\\" Generated from the comments in tapset/ by man/tapset-pages.awk." >list
	print ".TH STAPFUNCS 3stap 2026-11-22 Spile \"Tapset Library\"" >list
	print ".SH NAME\nstapfuncs \\- functions, probe aliases and macros of the tapset library" >list
	print ".SH DESCRIPTION\nEach topic has its own page with more details." >list
	print "A module contains only the functions and probes that its script uses." >list
	for (i = 1; i <= topic_count; i++) {
		if (!(topics[i] in index_of))
			continue
		write_page(topics[i])
		printf(".SH \"TAPSET::%s\"\n%s.\n.br\nSee\n.BR tapset::%s (3stap).\n%s", toupper(topics[i]),
			summaries[topics[i]], plain(topics[i]), index_of[topics[i]]) >list
	}
	print ".SH SEE ALSO\n.BR stap (1),\n.BR stapprobes (3stap),\n.BR staplang (3stap)" >list
	close(list)
}
