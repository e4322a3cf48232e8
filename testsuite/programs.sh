# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build the programs that scripts probe, once per run, into $SPILE_RUN_DIRECTORY/programs.

PROGRAMS=$SPILE_RUN_DIRECTORY/programs
VARIABLES=$PROGRAMS/variables NAMES=$PROGRAMS/names STACKS=$PROGRAMS/stacks
LIBC=$(gcc -print-file-name=libc.so.6)
MUSL=/usr/lib/x86_64-linux-musl/libc.so

build_traced() {
	gcc -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$PROGRAMS/libtraced.so" \
		"$tests/programs/traced-library.c" &&
		gcc -g -O2 -pthread -o "$PROGRAMS/traced" "$tests/programs/traced.c" -L"$PROGRAMS" -ltraced \
			-Wl,-rpath,"$PROGRAMS" &&
		gcc -g -O2 -pthread -o "$PROGRAMS/processes" "$tests/programs/processes.c" &&
		gcc -g -O1 -o "$PROGRAMS/lists" "$tests/programs/lists.c" &&
		gcc -g -O2 -pthread -o "$PROGRAMS/workload" "$tests/programs/workload.c"
}

build_for_kernel_probes() {
	gcc -O2 -static -pthread -o "$PROGRAMS/faults" "$tests/programs/faults.c" &&
		gcc -O2 -static -o "$PROGRAMS/sockets" "$tests/programs/sockets.c" &&
		gcc -O2 -static -o "$PROGRAMS/kernel-events" "$tests/programs/kernel-events.c" &&
		gcc -O2 -static -o "$PROGRAMS/remote-calls" "$tests/programs/remote-calls.c" &&
		gcc -g -O2 -static -o "$PROGRAMS/null-pointer" "$tests/programs/null-pointer.c" &&
		gcc -O2 -static-pie -o "$PROGRAMS/memory" "$tests/programs/memory.c" &&
		gcc -O2 -o "$PROGRAMS/maps" "$tests/programs/maps.c" &&
		gcc -O2 -fomit-frame-pointer -static -o "$PROGRAMS/made-code" "$tests/programs/made-code.c"
}

# 32-bit and 64-bit programs, symbols as each compiler names them, and variables of all kinds.
build_variants() {
	local level bits compiler
	for level in 0 2; do
		gcc -m32 -g -O$level -nostdlib -ffreestanding -fno-stack-protector -fno-pie -no-pie -Wl,--build-id \
			-o "$PROGRAMS/narrow-O$level" "$tests/programs/narrow.c" || return
	done
	for bits in 32 64; do
		gcc -m$bits -O2 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie -fno-pie \
			-fcf-protection=none -o "$PROGRAMS/calls-$bits" "$tests/programs/system-calls.c" || return
	done
	for compiler in gcc clang rust; do
		# Use as few pages as possible, so that all of them are in memory.
		gcc -nostdlib -static -no-pie -Wl,--build-id,-z,noseparate-code,-z,norelro -o "$NAMES-$compiler" \
			"$tests/programs/names-$compiler.s" || return
	done
	gcc -g -O2 -static -pthread -o "$VARIABLES" "$tests/programs/variables.c" &&
		gcc -g -O2 -static-pie -pthread -o "$VARIABLES-pie" "$tests/programs/variables.c"
}

# build_stacks VARIANT OPTION...
build_stacks() {
	gcc -O2 -fomit-frame-pointer -pthread -o "$STACKS$1" "${@:2}" "$tests/programs/stacks.c"
}

build_all_stacks() {
	local variant
	build_stacks "" && as --32 -o "$STACKS-32.o" "$tests/programs/stacks-32.s" &&
		ld -m elf_i386 --build-id -o "$STACKS-32" "$STACKS-32.o" && build_stacks -lines -g &&
		build_stacks -static -static && strip -o "$STACKS-stripped" "$STACKS-static" &&
		build_stacks -debug-frame -g -gz -fno-asynchronous-unwind-tables -fno-unwind-tables &&
		build_stacks -frame-pointers -fno-omit-frame-pointer -fno-asynchronous-unwind-tables \
			-fno-unwind-tables || return
	for variant in "" -static; do
		musl-gcc -g -O2 -fomit-frame-pointer $variant -o "$STACKS-musl$variant" "$tests/programs/stacks.c" ||
			return
	done
}

build_programs() {
	mkdir -p "$PROGRAMS" && flock 8 || return
	[ ! -e "$PROGRAMS/complete" ] || return 0
	build_traced && build_for_kernel_probes && build_variants && build_all_stacks && touch "$PROGRAMS/complete"
} 8>>"$SPILE_RUN_DIRECTORY/programs.lock"
