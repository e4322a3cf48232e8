# SPDX-License-Identifier: GPL-2.0-or-later
#
# Differential tests of values. Random programs (testsuite/values/make-program.c, make-rust-program.c), compiled in many
# ways, print the values of their parameters, results and locals. A script prints the same from probes. It may print "?"
# for what the compiler has not described, but never another value. Random scripts (make-script.c) print expressions,
# formats and statistics whose results are known, with and without the optimizer. Random programs in D (make-dlang.c)
# print the same as those programs in C. Seeds are fixed; `make check-full` tries new ones, too. To repeat a failure,
# take the arguments from the test's name:
#
#     testsuite/values/make-program C 7 program.c script.stp
#     gcc -g -O2 -w -Itestsuite/values -nostdlib -static -ffreestanding -fno-stack-protector -o program program.c
#     stap --remote=vm: -w script.stp ./program -c './program >/dev/null'
#
#     testsuite/values/make-dlang 7 program.d program.c
#     gcc -w -fwrapv -Itestsuite/values -o program program.c
#     spile-dtrace --remote=vm: -q -s program.d

. "$(dirname "$0")/../lib.sh"
. "$tests/batch.sh"

need_kernel $old_kernel && need_kernel $new_kernel || exit 0

# Language, compiler and options; the seed is the number of the line.
variants=(
	"C gcc -g -O0"
	"C gcc -g -O1"
	"C gcc -g -O2"
	"C gcc -g -O3"
	"C gcc -g -Og"
	"C gcc -g -Os"
	"C gcc -g -O2 -flto"
	"C gcc -g -O2 -gsplit-dwarf"
	"C gcc -gdwarf-4 -O2"
	"C gcc -gdwarf-4 -O0"
	"C gcc -g -gdwarf64 -O1"
	"C gcc -g -O2 -fno-omit-frame-pointer"
	"C gcc -g -O2 -fPIE -static-pie"
	"C gcc -g -O2 -mno-red-zone -fcf-protection=none"
	"C gcc -g -O0 -m32"
	"C gcc -g -O2 -m32"
	"C clang -g -O0"
	"C clang -g -O1"
	"C clang -g -O2"
	"C clang -g -O3 -fno-omit-frame-pointer"
	"C clang -g -gdwarf-4 -O2"
	"C clang -g -O2 -m32"
	"C++ g++ -g -O0"
	"C++ g++ -g -O2"
	"C++ g++ -g -O3"
	"C++ g++ -g -O0 -m32"
	"C++ clang++ -g -O0"
	"C++ clang++ -g -O2"
	"Rust rustc -g -C opt-level=0"
	"Rust rustc -g -C opt-level=2"
)

# make_source LANGUAGE SEED COMPILER OPTION...: make program.c, .cpp or .rs in this directory, and the script.
make_source() {
	local makers=$SPILE_BUILDDIR/testsuite/values
	case $1 in
	C) "$makers/make-program" C "$2" program.c script.stp ;;
	C++) "$makers/make-program" C++ "$2" program.cpp script.stp ;;
	Rust) "$makers/make-rust-program" "$2" program.rs script.stp ;;
	esac
}

# compile LANGUAGE SEED COMPILER OPTION...
compile() {
	case $1 in
	Rust) "${@:3}" -C target-feature=+crt-static -o program program.rs ;;
	*) "${@:3}" -w -I"$tests/values" -nostdlib -static -ffreestanding -fno-stack-protector -Wl,--build-id \
		-o program program.c* ;;
	esac
}

# make_program JOB LANGUAGE SEED COMPILER OPTION...: make $work/JOB/program with its script, and what it prints.
make_program() {
	mkdir "$work/$1" && cd "$work/$1" && make_source "${@:2}" && compile "${@:2}" && ./program >values
}

# prepare JOB LANGUAGE SEED COMPILER OPTION...: make the program and translate its script, in a process of its own.
prepare() {
	local job=$1
	make_program "$@" >"$work/$job.log" 2>&1 || return
	batch_translate "$job" -r "$release" -w script.stp "$work/$job/program" -c "$work/$job/program >/dev/null" \
		</dev/null
}

# add_variant SEED VARIANT
add_variant() {
	local seed=$1 variant=$2 words=($2) job=p${#jobs[@]}
	is_kernels_part "$release" "values/$variant" && is_part "values/$variant" 5 || return
	if ! command -v "${words[1]}" >/dev/null; then
		skip "$release: $variant" "no ${words[1]}"
		return
	fi
	jobs+=("$job")
	title[$job]="$release: $variant, seed $seed"
	batch_options+=(--file "$work/$job/program")
	batch_queue prepare "$job" "${words[0]}" "$seed" "${words[@]:1}"
}

# add_script SEED [OPTION]: add a script with known results.
add_script() {
	local job=p${#jobs[@]}
	jobs+=("$job")
	title[$job]="$release: expressions, formats and statistics${2:+ with $2}, seed $1"
	mkdir "$work/$job"
	"$SPILE_BUILDDIR/testsuite/values/make-script" "$1" "$work/$job/script.stp" "$work/$job/values" &&
		batch_queue batch_translate "$job" -r "$release" -w $2 "$work/$job/script.stp" </dev/null
}

# make_dlang SEED: make program.d in this directory, and its values.
make_dlang() {
	"$SPILE_BUILDDIR/testsuite/values/make-dlang" "$1" program.d program.c &&
		gcc -w -fwrapv -I"$tests/values" -o program program.c && ./program >values
}

# prepare_dlang JOB SEED: the same for a program in D.
prepare_dlang() {
	(mkdir "$work/$1" && cd "$work/$1" && make_dlang "$2") >"$work/$1.log" 2>&1 || return
	batch_program=dtrace batch_translate "$1" -r "$release" -q -s "$work/$1/program.d" </dev/null
}

# add_dlang SEED: add a program in D.
add_dlang() {
	local job=d${#jobs[@]}
	jobs+=("$job")
	title[$job]="$release: D, seed $1"
	batch_queue prepare_dlang "$job" "$1"
}

# differences WANTED PRINTED [FUNCTIONS]: print the differences, except for "?". Fail if there is a difference, or if no
# value is right. In calls of these functions, one half of a 64-bit value may be wrong.
differences() {
	awk -v halved=" $3 " '
		# Are these two values of more than 32 bits, and is one half the same?
		function is_half_right(a, b) {
			sub(/.*=/, "", a)
			sub(/.*=/, "", b)
			return length(a) > 8 && length(a) <= 16 && length(b) > 8 && length(b) <= 16 &&
				(substr(a, length(a) - 7) == substr(b, length(b) - 7) ||
				substr(a, 1, length(a) - 8) == substr(b, 1, length(b) - 8))
		}
		function complain(text) { wrong++; if (wrong <= 20) print text }
		NR == FNR { line[NR] = $0; lines = NR; next }
		{
			count = split($0, got) > split(line[FNR], wanted) ? NF : length(wanted)
			if (got[1] != wanted[1] || got[2] != wanted[2]) {
				complain("line " FNR ": \"" $0 "\" instead of \"" line[FNR] "\"")
				exit
			}
			for (i = 3; i <= count; i++) {
				if (got[i] == wanted[i])
					right++
				else if (sub(/=\?$/, "=", got[i]) && index(wanted[i], got[i]) == 1)
					unknown++
				else if (index(halved, " " got[2] " ") && is_half_right(got[i], wanted[i]))
					unknown++
				else
					complain(got[1] " " got[2] ": " got[i] " instead of " wanted[i])
			}
		}
		END {
			if (FNR != lines && !wrong)
				complain(FNR " lines instead of " lines)
			print "values: " right + 0 " right, " unknown + 0 " not described, " wrong + 0 " wrong"
			exit wrong || !right
		}' "$1" "$2"
}

# inlined_functions SCRIPT: print the names of the inlined functions that it probes, in a line.
inlined_functions() {
	sed -nE 's/.*\.function\("(f[0-9]+)"\)\.inline .*/\1/p' "$1" | paste -s -d ' '
}

judge_variant() {
	local job=$1 halved=
	# gcc moves the store of a half behind the first instruction of the inlined function, for which it describes the
	# value in memory. gdb prints the same wrong value there.
	[[ ${title[$job]} != *"C gcc -g -O2 -m32"* ]] || halved=$(inlined_functions "$work/$job/script.stp")
	if [ ! -e "$work/$job/values" ]; then
		fail "${title[$job]}: the program is compiled" "$work/$job.log"
	elif [ "$(cat "$batch/$job/stap.status")" -ne 0 ]; then
		fail "${title[$job]}: the script is translated" "$batch/$job/stap.err"
	elif [ -e "$batch/$job/died" ]; then
		fail "${title[$job]}: the guest is alive" "$batch/$job/died"
	elif [ -s "$batch/$job/err" ]; then
		fail "${title[$job]}: no message" "$batch/$job/err"
	elif [[ $job = d* ]]; then
		compare "${title[$job]}" "$work/$job/values" "$batch/$job/out"
	else
		check "${title[$job]}" differences "$work/$job/values" "$batch/$job/out" "$halved"
	fi
}

# The seeds that have found mistakes, by the variant.
declare -A found=(["Rust rustc -g -C opt-level=0"]=27374 ["C gcc -g -O2 -m32"]=26136)

# add_seed NUMBER SEED: add the program of this number and a share of the scripts and of the programs in D.
add_seed() {
	add_variant "$2" "${variants[$1]}"
	case $1 in
	0) add_script "$2" ;;
	1) add_script "$2" -u ;;
	2 | 3) add_dlang "$2" ;;
	*) [ -z "$SPILE_FULL" ] || add_dlang "$2" ;;
	esac
}

for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	choose_release "$kernel"
	jobs=() batch_options=()
	declare -A title=()
	batch_begin || exit
	for number in "${!variants[@]}"; do
		for seed in $((number + 1)) ${found[${variants[number]}]}; do
			add_seed "$number" "$seed"
		done
		# clang 14 describes halves of 64-bit locals by frame slots that it has already reused for other values.
		[[ -z $SPILE_FULL || ${variants[number]} == "C clang -g -O2 -m32" ]] || add_seed "$number" $RANDOM
	done
	batch_wait
	batch_run "$release" "${jobs[@]}"
	for job in "${jobs[@]}"; do
		judge_variant "$job"
	done
done
