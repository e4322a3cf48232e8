# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fill in the words of the language in a template of a syntax file. The lists are those of the parser:
#
#     @KEYWORDS@   reserved words (translator/lang/lexer.c)
#     @PRINTS@     the print family (translator/lang/parse_print.c)
#     @OPERATORS@  names after "@" (translator/lang/parse_expression.c), and "define"
#
# A line with a placeholder is repeated for each word if it contains @EACH_KEYWORDS@ and so on. Otherwise the words are
# joined with the separator in -v separator.
#
# Usage: awk -f fill.awk [-v separator=TEXT] lexer.c parse_print.c parse_expression.c TEMPLATE

function add(list, word) {
	words[list, ++count[list]] = word
}

# Add all words in quotes of a line.
function add_quoted(list, line) {
	while (match(line, /"[a-z_]+"/)) {
		add(list, substr(line, RSTART + 1, RLENGTH - 2))
		line = substr(line, RSTART + RLENGTH)
	}
}

function joined(list,    i, text) {
	for (i = 1; i <= count[list]; i++)
		text = text (i > 1 ? separator : "") words[list, i]
	return text
}

BEGIN {
	if (separator == "")
		separator = " "
	split("KEYWORDS PRINTS OPERATORS", lists, " ")
	add("OPERATORS", "define")
}

FNR == 1 { file++; inside = "" }

file == 1 && /^static const char \*const keywords\[\]/ { inside = "KEYWORDS"; next }
file == 2 && /^static const struct print_function print_functions\[\]/ { inside = "PRINTS"; next }
file == 3 && /^static const struct at_operator at_operators\[\]/ { inside = "OPERATORS"; next }
file < 4 && /^};/ { inside = "" }
file < 4 && inside == "KEYWORDS" { add_quoted(inside, $0); next }
file < 4 && inside != "" && match($0, /"[a-z_]+"/) { add(inside, substr($0, RSTART + 1, RLENGTH - 2)); next }
file < 4 { next }

{
	for (l = 1; l in lists; l++) {
		if (!count[lists[l]]) {
			print "fill.awk: no words for " lists[l] >"/dev/stderr"
			exit 1
		}
		if (index($0, "@EACH_" lists[l] "@")) {
			for (i = 1; i <= count[lists[l]]; i++) {
				line = $0
				sub("@EACH_" lists[l] "@", words[lists[l], i], line)
				print line
			}
			next
		}
		gsub("@" lists[l] "@", joined(lists[l]))
	}
	print
}
