# SPDX-License-Identifier: GPL-2.0-or-later
#
# Comments of the aliases of system calls, in the form of those in tapset/, for man/tapset-pages.awk: the aliases are
# made of a table.
#
# Usage: cpp -P -I runtime man/syscall-rows.in | awk -f man/syscall-page.awk

# A name that the preprocessor left in pieces: "path" "_str".
function joined(text) {
	gsub(/" *"/, "", text)
	gsub(/[" ]/, "", text)
	return text == "NULL" ? "" : text
}

function note(alias, name) {
	if (name == "" || (alias, name) in known)
		return
	known[alias, name] = 1
	variables[alias] = variables[alias] (variables[alias] == "" ? "" : ", ") "@" name
}

/^row / {
	alias = $2
	if (!(alias in names)) {
		aliases[++count] = alias
		names[alias] = ""
	}
	if ($3 != alias && index(" " names[alias] " ", " " $3 " ") == 0)
		names[alias] = names[alias] (names[alias] == "" ? "" : " ") $3
	only_32[alias] = (alias in only_32 ? only_32[alias] : 1) && $4 == "none"
	line = $0
	while (match(line, /\[[^]]*\]/)) {
		item = substr(line, RSTART + 1, RLENGTH - 2)
		line = substr(line, RSTART + RLENGTH)
		sub(/^ *[A-Z_0-9]+ /, "", item)
		split(item, parts, ":")
		for (i = 1; i <= 3; i++)
			note(alias, joined(parts[i]))
	}
}

END {
	print "/*"
	print " * System calls by name. syscall.NAME and syscall.NAME.return stand on the tracepoints of"
	print " * raw_syscalls and need no debuginfo."
	print " *"
	print " * Each has the variables that are listed with it, and besides: name, the name of the call;"
	print " * argstr, all arguments as text; in probes of the return retval, what the call returns, and"
	print " * retstr, the same as text with the name of an error."
	print " *"
	print " * Variables that end in _uaddr are addresses in the program. Those that end in _str, and"
	print " * strings, are text as in argstr; those that end in _unquoted are strings as they are. At"
	print " * the return, too, arguments are those of the entry, and memory is as it is then; texts of"
	print " * execve are not there, since its program is gone. @entry() gives what was at the entry."
	print " *"
	print " * Strings are in double quotes, with escape sequences. What cannot be read, because it is"
	print " * not in memory or is none of the program's, is shown by its address: handlers cannot wait"
	print " * for it."
	print " *"
	print " * $NAME is an argument as a number, $arg1 to $arg6 are the registers, and $return is the"
	print " * result."
	print " *"
	print " * nd_syscall, dw_syscall and tp_syscall are the same as syscall. Calls of programs of 32"
	print " * bits are seen under the same names; compat_NAME is such calls alone, and no wildcard means"
	print " * these names."
	print " */"
	for (i = 1; i <= count; i++) {
		alias = aliases[i]
		for (is_return = 0; is_return < 2; is_return++) {
			full = "syscall." alias (is_return ? ".return" : "")
			print "/**"
			print " * " full " - " (is_return ? "the return of " : "the call of ") \
				(names[alias] == "" ? alias : names[alias]) \
				(only_32[alias] ? ", of programs of 32 bits" : "")
			if (variables[alias] != "" && !is_return)
				print " *\n * " variables[alias] ": its arguments"
			print " */"
			print "probe " full " = table\n{\n}\n"
		}
	}
}
