# SPDX-License-Identifier: GPL-2.0-or-later
#
# The scripts of examples/: each is translated for both kernels, with no better debuginfo than its head says that it
# needs, and run in a guest: in a whole run on one of the two. Lines at the head of an example:
#
#     # title: ...          what it shows; --list-examples prints it
#     # question: ...       what somebody asks whom it helps
#     # usage: stap ...     how it is run
#     # topic: block        the folder it is in
#     # needs: btf          debuginfo of the kernel: nothing, btf, dwarf; program: that of programs, where they have any
#     # not on 5.10: why    on all kernels but this one
#     # test: ARGUMENTS     its arguments and options here, in shell words: with -c, something to look at (see
#                           programs/workload.sh and workload.c); $PROGRAMS/traced is programs/traced.c
#     # expect: REGEX       a line of the output, which cannot be there if it saw nothing; several of these
#     # output:             what it printed once; SPILE_UPDATE=1 writes it anew
#
# Nothing may come on standard error, no warning in the kernel's log.

. "$(dirname "$0")/../lib.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0
cd "$SPILE_SRCDIR/examples" || exit 1

# What the OOM killer says of what it did, which an example asks for, is no complaint.
guest_log() {
	"$STAP_VM" dmesg --socket "$work/$1" | awk '
		/invoked oom-killer/ { within = 1 }
		!within
		/Killed process/ { within = 0 }'
}

# sources NEEDS: of debuginfo, of which none is better.
sources() {
	case $1 in
	nothing) echo symbols ;;
	btf) echo btf ;;
	dwarf) echo dwarf ;;
	esac
}

# head_is_whole SCRIPT
head_is_whole() {
	local key
	read_head "$1"
	for key in title question usage topic needs test expect; do
		[ -n "${head[$key]}" ] || echo "no '# $key:'"
	done
	[ "${head[topic]}" = "${1%/*}" ] || echo "its topic is not its folder's name"
	[[ ${head[needs]} =~ ^(nothing|btf|dwarf|program)$ ]] || echo "it needs an unknown kind of debuginfo"
	[[ ${head[usage]} = "stap --example $(basename "$1" .stp)"* ]] || echo "the usage names another script"
	sed -n '/^# output:$/,/^[^#]/p' "$1" | sed -n 2p | grep -q '^#   ' || echo "there is no output"
}
whole_heads() {
	local script
	for script in */*.stp; do
		head_is_whole "$script" | sed "s#^#$script: #"
	done | tee "$work/heads"
	[ ! -s "$work/heads" ]
}

one_place_each() {
	! basename -a */*.stp | sort | uniq -d | grep .
}

# record SCRIPT: its output into its head, where lines are as wide as elsewhere.
record() {
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

# judge STATUS: what is wrong with what the script whose head was read printed?
judge() {
	local expression
	[ "$1" -eq 0 ] || echo "exit status $1"
	cat "$work/err"
	while IFS= read -r expression; do
		grep -qE -- "$expression" "$work/out" || echo "no line of the output is like: $expression"
	done <<<"${head[expect]}"
}

# run_example SCRIPT RELEASE
run_example() {
	local script=$1 release=$2 words
	local -x SPILE_DEBUGINFO_SOURCES
	SPILE_DEBUGINFO_SOURCES=$(sources "${head[needs]}")
	eval "words=(${head[test]})"
	timeout 120 "$STAP" "--remote=unix:$work/$release" -r "$release" -D STP_NO_OVERLOAD "$script" "${words[@]}" \
		>"$work/out" 2>"$work/err" </dev/null
	judge $? >"$work/verdict"
	if [ -s "$work/verdict" ]; then
		{ cat "$work/verdict"; head -n 40 "$work/out"; } | fail "$release: $script"
	else
		ok "$release: $script"
		[ -z "$SPILE_UPDATE" ] || record "$script"
	fi
	check_guest_log "$release" "after $script"
}

# translate_example SCRIPT RELEASE
translate_example() {
	local script=$1 release=$2 words
	local -x SPILE_DEBUGINFO_SOURCES
	SPILE_DEBUGINFO_SOURCES=$(sources "${head[needs]}")
	eval "words=(${head[test]})"
	"$STAP" -p2 -r "$release" "$script" "${words[@]}" >/dev/null 2>"$work/err" && [ ! -s "$work/err" ] || {
		fail "$release: $script is translated" "$work/err"
		return
	}
	ok "$release: $script is translated"
}

PROGRAMS=$work/programs
mkdir -p "$PROGRAMS"
gcc -g -O2 -pthread -o "$work/workload" "$tests/programs/workload.c" &&
	gcc -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$PROGRAMS/libtraced.so" \
		"$tests/programs/traced-library.c" &&
	gcc -g -O2 -pthread -o "$PROGRAMS/traced" "$tests/programs/traced.c" -L"$PROGRAMS" -ltraced \
		-Wl,-rpath,"$PROGRAMS" || exit 1
shopt -s extglob
chosen=(*/${SPILE_TESTS:-*}.stp)
if [ ! -e "${chosen[0]}" ]; then
	echo "no script in $PWD matches '*/$SPILE_TESTS.stp'" | fail "SPILE_TESTS chooses a test"
	exit
fi
for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	start_guest "$release" --modules loop,dummy,overlay --file "$work/workload:/bin/workload" \
		--file "$tests/programs/workload.sh:/bin/workload.sh" --file "$PROGRAMS/traced" \
		--file "$PROGRAMS/libtraced.so" || continue
	check "$release: what the examples look at is prepared" \
		"$STAP_VM" exec --socket "$work/$release" -- workload.sh prepare
	for script in "${chosen[@]}"; do
		read_head "$script"
		! is_left_out "$script" || continue
		if is_kernels_turn "$release" $((count++)); then
			run_example "$script" "$release"
		else
			translate_example "$script" "$release"
		fi
	done
	stop_guest "$release"
	count=0
done
check "the heads of examples are whole" whole_heads
check "an example's name is given once" one_place_each
