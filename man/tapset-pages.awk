# SPDX-License-Identifier: GPL-2.0-or-later
#
# Manual pages of the library, made of the comments in tapset/: a page for each topic (file), and one that lists all.
#
# Usage: awk -f tapset-pages.awk -v folder=FOLDER FILE.stp... FILE.stpm...
#
# The comment at the head of a file, below its licence if that is there, is its topic's description, up to the first
# full stop in the line below NAME. Then each thing has one of this form above it; what is not the user's (private, or
# called __NAME) is left out:
#
#     /**
#      * name - what it is
#      *
#      * @parameter, @another: what they are
#      *
#      * Anything else. Lines that are indented by four more columns are shown as they are.
#      */

# Text, so that roff takes nothing in it for something else.
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

# What a comment says, line by line, as roff. The name is not repeated.
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

# "@a, @b" -> "a, b"
function names(text) {
	gsub(/@/, "", text)
	return plain(text)
}

# The head of what the comment is about, without its body: sets kind and signature.
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

# A comment ended. Of two files of one topic, the first has its description.
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
	file = folder "/tapset::" topic ".3stap"
	printf(".\\\" Made of tapset/%s.stp by man/tapset-pages.awk.\n", topic) >file
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
	list = folder "/stapfuncs.3stap"
	print ".\\\" Made of the comments in tapset/ by man/tapset-pages.awk." >list
	print ".TH STAPFUNCS 3stap 2026-11-22 Spile \"Tapset Library\"" >list
	print ".SH NAME\nstapfuncs \\- functions, probe aliases and macros of the tapset library" >list
	print ".SH DESCRIPTION\nEach topic has a page of its own, which says more." >list
	print "Only what a script uses becomes part of its module." >list
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
