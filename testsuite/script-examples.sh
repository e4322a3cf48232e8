# SPDX-License-Identifier: GPL-2.0-or-later
#
# Run and check the scripts of examples/; part of suites/scripts.sh. Each is translated with only the debuginfo that its
# head declares. Lines at the head of an example:
#
#     # title: ...          what it shows, for --list-examples
#     # question: ...       the question that it answers
#     # usage: stap ...     how to run it
#     # topic: block        the directory it is in
#     # needs: btf          debuginfo of the kernel: nothing, btf or dwarf; program: debuginfo of programs, if any
#     # not on 5.10: why    skip it on this kernel
#     # test: ARGUMENTS     its arguments and options in this test, as shell words: -c with a workload to observe (see
#                           programs/workload.sh and workload.c); $PROGRAMS/traced is programs/traced.c
#     # expect: REGEX       a line of the output, which must be impossible without hits; may be repeated
#     # output:             an example of its output; SPILE_UPDATE=1 rewrites it
#     # processors: 2       as in script-heads.sh
#     # live: why           as in script-heads.sh
#
# Standard error must be empty.

# example_sources NEEDS: print the best source of debuginfo that the head allows.
example_sources() {
	case $1 in
	nothing) echo symbols ;;
	btf) echo btf ;;
	dwarf) echo dwarf ;;
	esac
}

# head_is_whole SCRIPT: print what is missing or wrong in its head. Start no process, as read_head does not.
head_is_whole() {
	local key name=${1##*/} text
	read_head "$1"
	for key in title question usage topic needs test expect; do
		[ -n "${head[$key]}" ] || echo "no '# $key:'"
	done
	[ "${head[topic]}" = "${1%/*}" ] || echo "its topic is not the name of its directory"
	[[ ${head[needs]} =~ ^(nothing|btf|dwarf|program)$ ]] || echo "it needs an unknown kind of debuginfo"
	[[ ${head[usage]} = "stap --example ${name%.stp}"* ]] || echo "the usage names another script"
	text=$(<"$1")
	[[ $text == *$'\n# output:\n#   '* ]] || echo "no lines after '# output:'"
}
whole_heads() {
	local script
	for script in */*.stp; do
		head_is_whole "$script" >"$work/head"
		[ ! -s "$work/head" ] || sed "s#^#$script: #" "$work/head"
	done | tee "$work/heads"
	[ ! -s "$work/heads" ]
}

one_place_each() {
	! basename -a */*.stp | sort | uniq -d | grep .
}

check_example_heads() {
	cd "$SPILE_SRCDIR/examples" || return
	check "the heads of examples are complete" whole_heads
	check "names of examples are unique" one_place_each
}

# record_example SCRIPT: write its output into its head, in lines of at most 120 columns.
record_example() {
	expand "$work/out" | sed -n '1,24p' | cut -c 1-114 | sed 's/^/#   /; s/ *$//' >"$work/recorded"
	[ $(wc -l <"$work/out") -le 24 ] || echo "#   ..." >>"$work/recorded"
	awk -v recorded="$work/recorded" '
		/^# output:$/ && !seen {
			print
			while ((getline line <recorded) > 0)
				print line
			seen = within = 1
			next
		}
		within && /^#   |^#$/ { next }
		{ within = 0; print }' "$1" >"$work/script" && cp "$work/script" "$1"
}

# translate_example JOB SCRIPT [OPTION...]: translate it; with the option -p2, it will not be run.
translate_example() {
	local job=$1 script=$2 words
	local -x SPILE_DEBUGINFO_SOURCES
	shift 2
	SPILE_DEBUGINFO_SOURCES=$(example_sources "${head[needs]}")
	eval "words=(${head[test]})"
	"$translate" "$job" -r "$release" -D STP_NO_OVERLOAD "$@" "$script" "${words[@]}" </dev/null
}

# what_is_wrong: print what is wrong with the output of the script whose head was read.
what_is_wrong() {
	local expression
	cat "$work/err"
	while IFS= read -r expression; do
		grep -qE -- "$expression" "$work/out" || echo "no line of the output matches: $expression"
	done <<<"${head[expect]}"
}

# judge_example SET JOB SCRIPT TITLE: report its result.
judge_example() {
	local script=$3 title=$4
	collect "$2" 0
	# Some were only translated.
	[ -n "${job_is_run[$2]}" ] && what_is_wrong >"$work/verdict" || cp "$work/err" "$work/verdict"
	if [ -s "$work/verdict" ]; then
		{ cat "$work/verdict"; head -n 40 "$work/out"; } | fail "$title"
	else
		ok "$title"
		[ -z "$SPILE_UPDATE" ] || [ -z "${job_is_run[$2]}" ] || record_example "$script"
	fi
}
