# SPDX-License-Identifier: GPL-2.0-or-later
#
# Output of passes for valid scripts: testsuite/passes/NAME.stp must make `stap -p2` print exactly NAME.out and no
# message. Comments at the head of a script:
#
#     # pass: 3             print the output of this pass instead
#     # only: REGEX         compare only the lines that match (for the C of pass 3)
#     # kernel: 6.12        translate for this kernel (default 6.1)
#     # options: -g         further options of stap
#     # arguments: a b      arguments of the script
#
# testsuite/ARCHITECTURE-differences lists the scripts that give other results on an architecture (differences.sh).
# Addresses, offsets of members, and line numbers of the kernel's source are not compared.

. "$(dirname "$0")/../lib.sh"
. "$tests/differences.sh"

need_kernel $old_kernel || exit 0
release=$old_kernel
declare -A differences
read_differences

normalise() {
	sed -E \
		-e 's/([A-Za-z0-9_.-]+\.[ch]):[0-9]+/\1:LINE/g' \
		-e 's/pc=([._a-z]*\+?)0x[0-9a-f]+/pc=\1ADDRESS/' \
		-e '/@kderef|@address/{s/ \+ [0-9]+/ + OFFSET/g;s/(@address\()0x[0-9a-f]+/\1ADDRESS/g}' \
		-e 's/(\.(address|fentry) = )0x[0-9a-f]+/\1ADDRESS/g' \
		-e 's/(\.anchor = )"[^"]*"(, \.anchor_offset = )0x[0-9a-f]+UL/\1SYMBOL\2ADDRESS/' \
		-e 's/"[0-9a-f]{40}"/BUILD-ID/; s/(target-build-id=)[0-9a-f]{40}/\1BUILD-ID/' \
		-e 's/[0-9]+\.[0-9]+\.[0-9]+[-+][A-Za-z0-9.+-]*-(amd64|arm64)/RELEASE/g' \
		-e "s#$SPILE_SRCDIR/##g"
}

# The script's head is in the module, too ("purpose="), and would match itself.
judge() {
	grep -v '"purpose=' "$work/printed" | grep -E -e "${head[only]}" | normalise >"$work/out"
	if [ "$2" -ne 0 ] || [ -s "$work/messages" ]; then
		{ echo "exit status $2"; cat "$work/messages"; } | fail "$1"
	else
		compare "$1" "$tests/passes/$1.out" "$work/out"
	fi
}

judge_here() { ${differences[passes/$1]:+judge_difference "passes/$1" "$1"} judge "$@"; }

cd "$tests/passes" || exit 1
translate_scripts judge_here

# Each alias of the library, with its variables, can be translated on each kernel. Exceptions are listed in
# absent-aliases.RELEASE, because the kernel lacks their functions. Aliases of system calls come from a table and are
# tested in guests.
translate_aliases() {
	"$STAP" --dump-probe-aliases -r "$1" |
		sed -nE '/^([a-z]+_)?syscall/!s/^([^ ]+) .*/probe \1 {}/p' >"$work/aliases.stp"
	"$STAP" -p2 -r "$1" "$work/aliases.stp" >/dev/null 2>"$work/err"
	sed -nE "s/^semantic error: kernel .* has none of the probe points of '(.*)'$/\1/p" "$work/err" |
		sort >"$work/absent"
	grep '^[a-z ]*error' "$work/err" | grep -v "has none of the probe points of '.*'" >"$work/errors"
	[ "$(wc -l <"$work/aliases.stp")" -gt 400 ] && cat "$work/errors" && [ ! -s "$work/errors" ]
}

# The names of testsuite/library-names, and what aliases give: each variable is read as the type that it has.
# absent-aliases.ARCHITECTURE lists those of system calls that an architecture does not have.
use_names() {
	local of_kernel=$tests/passes/absent-aliases.$series
	local of_architecture=$tests/passes/absent-aliases.$(architecture_of "$1")

	[ -e "$of_architecture" ] || of_architecture=/dev/null
	awk 'FNR == NR { absent[$1]; next }
		$1 == "alias" && !($2 in absent) {
			printf("probe %s {", $2)
			for (i = 3; i <= NF; i++)
				printf(sub(/:string$/, "", $i) ? " __text = %s . \"\"" : " __number = %s + 0", $i)
			print " }"
		}' <(cat "$of_kernel" "$of_architecture") "$tests/library-names" >"$work/names.stp"
	[ "$(cat "$work/names.stp" "$of_architecture" | wc -l)" -gt 1400 ] &&
		"$STAP" -p2 -u -r "$1" "$work/names.stp" 2>"$work/err" >"$work/typed" && [ ! -s "$work/err" ] && return
	grep -v '^   ' "$work/err"
	return 1
}
# Check the output of use_names(): variables that aliases set are documented, or are helpers, whose names begin with
# "__". scope.c lists the documented variables with such names.
hide_helpers() {
	local name

	for name in $(grep -hE '^ \* @' "$SPILE_SRCDIR"/tapset/*.stp | grep -oE '@__\w+' | sort -u); do
		grep -q "^static const char \*const documented\[\] = {.*\"${name#@}\"" \
			"$SPILE_SRCDIR/translator/sema/scope.c" || { echo "$name is not visible" && return 1; }
	done
	{
		sed -n 's/^alias [^ ]*//p' "$tests/library-names" | tr ' ' '\n' | sed 's/:.*//'
		grep -ohE '^ \* (@\w+,? ?)+' "$SPILE_SRCDIR"/tapset/*.stp | grep -oE '\w+'
	} | sort -u >"$work/documented"
	# The library's own probes do not have the locals of use_names().
	awk '/^  # locals$/ { count = ours = 0 }
		/^  [A-Za-z_0-9]+:/ {
			split($1, part, ":")
			names[++count] = part[1]
			ours += part[1] ~ /^__(text|number)$/
		}
		/^\t{$/ { for (i = 1; ours && i <= count; i++) print names[i]; count = 0 }' "$work/typed" |
		grep -v '^__' | sort -u >"$work/set"
	[ "$(wc -l <"$work/set")" -gt 200 ] && comm -13 "$work/documented" "$work/set" | tee "$work/leaked"
	[ ! -s "$work/leaked" ]
}

# The definitions of a script do not change the meaning of the library. The script defines every word of the library and
# every variable of its aliases as an array and as a scalar, and every function of the library with the other type. All
# aliases and functions must be translated to the same code as without it.
library_words() {
	awk 'BEGIN { RS = "\001" } { gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " "); print }' \
		"$SPILE_SRCDIR"/tapset/*.stp "$SPILE_SRCDIR"/tapset/*.stpm
}
write_users() {
	mkdir -p "$work/users"
	{
		echo 'probe every_function = begin {'
		"$STAP" --dump-functions -r "$1" | sed -nE 's/^([A-Za-z_0-9]+):[a-z]+ \((.*)\)$/\t\1(\2)/p' |
			sed -E 's/[A-Za-z_0-9]+:string/"a"/g; s/[A-Za-z_0-9]+:(long|unknown)/1/g'
		echo '}'
		printf 'probe every_call = syscall.{openat,execve,clone,futex,ioctl,connect} '
		echo '{ println(name, argstr) }'
	} >"$work/users/users.stp"
	{
		"$STAP" --dump-probe-aliases -r "$1" |
			sed -nE '/^([a-z]+_)?syscall/!s/^([^ ]+) .*/probe \1 ? {}/p'
		echo 'probe every_function, every_call {}'
	} >"$work/users.stp"
}
write_definitions() {
	local keywords='probe|global|function|private|if|else|while|for|foreach|in|break|continue|return|next|delete'

	library_words >"$work/code"
	{
		grep -oE '[A-Za-z_][A-Za-z0-9_]*' "$work/code"
		sed -n 's/^alias [^ ]*//p' "$tests/library-names" | tr ' ' '\n' | sed 's/:.*//;/^$/d'
	} | grep -vxE "$keywords|try|catch|limit" | sort -u >"$work/words"
	# Functions as "name type:parameters", except the hooks of scope.c, which a script may define.
	sed -nE 's/^(private )?function ([A-Za-z_0-9]+)[: ]*([a-z]*) *\(([^)]*)\).*/\2 \3:\4/p' "$work/code" |
		grep -vE '^(__indent_timestamp|[a-z]+_filter_key) ' | awk '{
			split($0, head, /[ :]/)
			count = split(substr($0, index($0, ":") + 1), given, ",")
			parameters = ""
			for (i = 1; i <= count; i++)
				parameters = parameters (i > 1 ? ", " : "") "a" i
			is_text = head[2] == "string"
			printf("function %s:%s (%s) { return %s }\n", head[1], is_text ? "long" : "string", parameters,
				is_text ? "1" : "\"\"")
		}' | sort -u >"$work/functions.stp"
	sed 's/.*/global &[10]/' "$work/words" >"$work/arrays.stp"
	sed 's/.*/global & = 7/' "$work/words" >"$work/scalars.stp"
	[ "$(wc -l <"$work/words")" -gt 2000 ] && [ "$(wc -l <"$work/functions.stp")" -gt 700 ]
}
keep_own_names() {
	local kind

	write_users "$1" && write_definitions || return
	cp "$work/users.stp" "$work/script.stp"
	"$STAP" -p2 -g -w -r "$1" -I "$work/users" "$work/script.stp" >"$work/alone" 2>&1 &&
		[ "$(sed -n '/^# functions/,/^# probes/p' "$work/alone" | wc -l)" -gt 400 ] ||
		{ tail "$work/alone" && return 1; }
	for kind in arrays scalars; do
		cat "$work/users.stp" "$work/$kind.stp" "$work/functions.stp" >"$work/script.stp"
		"$STAP" -p2 -g -w -r "$1" -I "$work/users" "$work/script.stp" >"$work/beside" 2>&1
		diff "$work/alone" "$work/beside" || return
	done
}
keep_names() {
	sed -n "s/^$1 //p" "$tests/library-names" | sort >"$work/wanted"
	[ -s "$work/wanted" ] && sort | comm -13 - "$work/wanted" | tee "$work/lost"
	[ ! -s "$work/lost" ]
}
keep_functions() { "$STAP" --dump-functions -r $old_kernel | sed 's/[:( ].*//' | keep_names function; }
keep_macros() { sed -n 's/^@define \([A-Za-z_0-9]*\).*/@\1/p' "$SPILE_SRCDIR"/tapset/*.stpm | keep_names macro; }
# Each name in the documentation that is missing here is refused with a reason. accepted-aliases.ARCHITECTURE lists the
# system calls that an architecture has.
refuse_names() {
	local accepted kind name text wrong=0

	accepted=" $(cat "$tests/passes/accepted-aliases.$(architecture_of $old_kernel)" 2>/dev/null | tr '\n' ' ')"
	while read -r kind name; do
		[[ $accepted != *" $name "* ]] || continue
		text="probe $name {}"
		[ "$kind" = refused-function ] && text="probe begin { $name() }"
		"$STAP" -p2 -r $old_kernel -e "$text" >/dev/null 2>"$work/err" ||
			! grep -q "is not supported\( yet\)\?: " "$work/err" || continue
		echo "$name:" && cat "$work/err"
		wrong=1
	done < <(grep '^refused' "$tests/library-names")
	return $wrong
}

# Each script in doc/llms.txt is translated without a warning.
translate_recipes() {
	local script wrong=0
	rm -rf "$work/recipes"
	mkdir "$work/recipes" && awk -v directory="$work/recipes" '
		/^```/ { file = /^```stp$/ ? sprintf("%s/%02d.stp", directory, ++count) : ""; next }
		file { print >file }' "$SPILE_SRCDIR/doc/llms.txt"
	for script in "$work"/recipes/*.stp; do
		"$STAP" -p2 -r "$1" "$script" >"$work/out" 2>"$work/err" &&
			[ -s "$work/out" ] && [ ! -s "$work/err" ] && continue
		cat "$script" "$work/err"
		wrong=1
	done
	[ "$(ls "$work/recipes" | wc -l)" -ge 10 ] && [ $wrong -eq 0 ]
}

if [ -z "$SPILE_TESTS$SPILE_SHARE" ]; then
	check "the library has the functions that are documented" keep_functions
	check "the library has the macros that are documented" keep_macros
	check "what is refused of the library says why" refuse_names
	for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
		is_kernels_part "$kernel" passes/library || continue
		choose_release "$kernel"
		check "$release: every script in llms.txt is translated" translate_recipes "$release"
		check "$release: every alias of the library is translated" translate_aliases "$release"
		compare "$release: aliases that stand for nothing there" "$tests/passes/absent-aliases.$series" \
			"$work/absent"
		check "$release: aliases give the variables that are documented" use_names "$release"
		check "$release: aliases give no other variables" hide_helpers
		check "$release: the library's names are its own" keep_own_names "$release"
	done
fi
