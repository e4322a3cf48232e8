# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guide: every command in doc/guide prints what the guide shows. In a chapter,
#
#     ```stp NAME.stp     begins the text of a file, of any kind and name
#     ```console          begins commands, lines "$ COMMAND" that end with "\" if they continue, and their output
#
# The commands of a chapter run in one directory, in their order. Its name is removed from their output. --remote=vm: is
# a guest that all of them share. Numbers and the width of spaces are not compared. A line "..." stands for any lines.
# SPILE_UPDATE=1 records the output of commands whose output differs. SPILE_TESTS selects chapters.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
chapters=$SPILE_SRCDIR/doc/guide
most_lines=14

# split_chapter CHAPTER DIRECTORY: write commands (N.command) and their output (N.expected) to the directory, and files
# to its parent.
split_chapter() {
	awk -v directory="$2" '
		/^```/ {
			file = NF == 2 ? directory "/../" $2 : ""
			if (file && $2 ~ "/")
				system("mkdir -p " substr(file, 1, match(file, "/[^/]*$")))
			console = /^```console$/
			next
		}
		file { print >file; next }
		!console { next }
		/^\$ / { name = sprintf("%s/%02d", directory, ++count); printf "" >(name ".expected") }
		/^\$ / || continued {
			print (continued ? $0 : substr($0, 3)) >(name ".command")
			continued = /\\$/
			next
		}
		{ print >(name ".expected") }' "$1"
}

# run_command FILE: run a command of the guide; its standard output and messages go to standard output.
run_command() {
	stap() { "$STAP" "${@/#--remote=vm:/--remote=unix:$work/$old_kernel}"; }
	(PATH=$SPILE_BUILDDIR:$SPILE_BUILDDIR/staprun:$PATH && eval "$(cat "$1")") 2>&1 </dev/null | sed "s|$PWD/||g"
}

normalised() {
	sed -E 's/0x[0-9a-f]+/N/g; s/stap_[0-9a-f]+_/stap_N_/g; s/[0-9]+/N/g; s/[[:space:]]+/ /g; s/ $//' "$1"
}

# matches EXPECTED RECEIVED: compare normalised files, where "..." stands for any lines.
matches() {
	awk '
		FILENAME == ARGV[1] { wanted[++count] = $0; next }
		{ got[++lines] = $0 }
		function fits(w, g) {
			if (w > count)
				return g > lines
			if (wanted[w] == "...")
				return fits(w + 1, g) || (g <= lines && fits(w, g + 1))
			return g <= lines && wanted[w] == got[g] && fits(w + 1, g + 1)
		}
		END { exit !fits(1, 1) }' "$1" "$2"
}

# record CHAPTER NUMBER RECEIVED: replace the output of a command in the chapter.
record() {
	sed -n "1,${most_lines}p" "$3" | expand | cut -c 1-118 | sed 's/ *$//' >"$work/recorded"
	[ "$(wc -l <"$3")" -le $most_lines ] || echo ... >>"$work/recorded"
	awk -v number="$2" -v recorded="$work/recorded" '
		/^```/ { console = /^```console$/; within = 0 }
		console && /^\$ / { within = ++count == number; continued = 1 }
		console && continued {
			print
			continued = /\\$/
			while (within && !continued && (getline line <recorded) > 0)
				print line
			next
		}
		console && within { next }
		{ print }' "$1" >"$work/chapter" && cp "$work/chapter" "$1"
}

run_chapter() {
	local chapter=$1 directory=$work/$(basename "$1" .md) command number title
	mkdir -p "$directory/steps" && split_chapter "$chapter" "$directory/steps" && cd "$directory" || return
	for command in steps/*.command; do
		number=$(basename "$command" .command)
		title="$(basename "$chapter" .md): $(head -n 1 "$command")"
		run_command "$command" >"$work/received"
		normalised "${command%.command}.expected" >"$work/wanted"
		normalised "$work/received" >"$work/got"
		if matches "$work/wanted" "$work/got"; then
			ok "$title"
			continue
		fi
		diff "$work/wanted" "$work/got" | fail "$title"
		[ -z "$SPILE_UPDATE" ] || record "$chapter" $((10#$number)) "$work/received"
	done
}

# The last column of a table, if it is a whole script, is translated.
translate_tables() {
	local script count=0 wrong=0
	while IFS= read -r script; do
		count=$((count + 1))
		"$STAP" -p2 -r $old_kernel -e "$script" >/dev/null 2>"$work/err" || {
			echo "$script" && cat "$work/err"
			wrong=1
		}
	done < <(sed -nE 's/.*\| `((global [a-z]+ )?probe [^`]*\})` \|$/\1/p' "$1")
	[ $count -ge 3 ] && [ $wrong -eq 0 ]
}
check "scripts for users of bpftrace" translate_tables "$chapters/for-bpftrace-users.md"

# All files are in the index, and links lead to files.
linked() {
	local file target missing=0
	for file in "$chapters"/*.md; do
		[ "${file##*/}" = README.md ] || grep -qF "(${file##*/})" "$chapters/README.md" ||
			{ echo "${file##*/} is not in README.md"; missing=1; }
		for target in $(grep -oE '\]\([^)#:]*\)' "$file" | sed 's/^](//; s/)$//'); do
			[ -e "$chapters/$target" ] || { echo "${file##*/}: $target does not exist"; missing=1; }
		done
	done
	return $missing
}
check "links of the guide lead to files" linked

# In a part, run one chapter.
files=("$chapters"/[0-9]*.md)
[ -z "$SPILE_PART" ] || [ -n "$SPILE_TESTS" ] || files=("${files[turn % ${#files[@]}]}")

start_guest $old_kernel || exit 0
for chapter in "${files[@]}"; do
	name=$(basename "$chapter" .md)
	# shellcheck disable=SC2053
	[[ $name != ${SPILE_TESTS:-*} ]] || (run_chapter "$chapter")
done
stop_guest $old_kernel
