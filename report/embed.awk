# SPDX-License-Identifier: GPL-2.0-or-later
#
# Write files as strings of C, so that stap-report is one file: awk -f embed.awk NAME=FILE... prints
# "const char NAME[]" with the contents of all files of this name, in the order of the arguments.

# Escape backslashes and quotes, and separate question marks, which could be a trigraph. Versions of awk differ in how
# they read backslashes in the replacement of gsub().
function escaped(line, parts, count, i, text) {
	gsub(/\\/, "&&", line)
	count = split(line, parts, "\"")
	text = parts[1]
	for (i = 2; i <= count; i++)
		text = text "\\\"" parts[i]
	gsub(/\?\?/, "?\"\"?", text)
	return text
}

BEGIN {
	print "/* Made by report/embed.awk. */"
	print "#include \"report/page_parts.h\""
	for (i = 1; i < ARGC; i++) {
		name = file = ARGV[i]
		sub(/=.*/, "", name)
		sub(/^[^=]*=/, "", file)
		if (name != last)
			printf("%s\nconst char %s[] =\n", last == "" ? "" : "\t\"\";", name)
		last = name
		while ((status = (getline line <file)) > 0) {
			printf("\t\"%s\\n\"\n", escaped(line))
		}
		if (status < 0) {
			print "cannot read " file >"/dev/stderr"
			exit 1
		}
	}
	print "\t\"\";"
}
