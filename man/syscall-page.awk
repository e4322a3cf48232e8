# SPDX-License-Identifier: GPL-2.0-or-later
#
# Generate comments for the syscall aliases, which come from a table, in the format of the comments in tapset/. The
# output is input of man/tapset-pages.awk.
#
# Usage: cpp -P -I runtime man/syscall-rows.in | awk -f man/syscall-page.awk

# Join a name that the preprocessor left as adjacent literals: "path" "_str".
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
	print " * System calls by name. syscall.NAME and syscall.NAME.return use the tracepoints of"
	print " * raw_syscalls and need no debuginfo."
	print " *"
	print " * Each probe has the variables that are listed with it. In addition, each has name, the name of"
	print " * the call, and argstr, all arguments as text. Return probes have retval, the return value, and"
	print " * retstr, the return value as text with the name of the error."
	print " *"
	print " * Variables that end in _uaddr are addresses in the program. Variables that end in _str, and"
	print " * strings, are text as shown in argstr. Variables that end in _unquoted are strings without quotes"
	print " * and escape sequences. In return probes, arguments have their values at the entry, but the"
	print " * memory that they point to is read at the return. After execve, the texts of its arguments are"
	print " * not available because the calling program has been replaced. Use @entry() to get values from"
	print " * the entry."
	print " *"
	print " * Strings are in double quotes, with escape sequences. A string that cannot be read is shown"
	print " * as its address: its page is not in memory, or the address is invalid. Handlers cannot wait"
	print " * for a page."
	print " *"
	print " * $NAME is an argument as a number, $arg1 to $arg6 are the registers, and $return is the"
	print " * result."
	print " *"
	print " * nd_syscall, dw_syscall and tp_syscall are other names for syscall. Calls of 32-bit programs"
	print " * fire the same aliases; compat_NAME matches only such calls. Wildcards do not match the"
	print " * compat_ names."
	print " */"
	for (i = 1; i <= count; i++) {
		alias = aliases[i]
		for (is_return = 0; is_return < 2; is_return++) {
			full = "syscall." alias (is_return ? ".return" : "")
			print "/**"
			print " * " full " - " (is_return ? "return of " : "call of ") \
				(names[alias] == "" ? alias : names[alias]) \
				(only_32[alias] ? ", for 32-bit programs only" : "")
			if (variables[alias] != "" && !is_return)
				print " *\n * " variables[alias] ": arguments of the call"
			print " */"
			print "probe " full " = table\n{\n}\n"
		}
	}
}
