# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build the programs that scripts probe, once per run and architecture, into $SPILE_RUN_DIRECTORY/programs.ARCHITECTURE.
# For another architecture, the cross compiler takes headers and libraries from the guest root of `make guest-programs`.

# choose_architecture ARCHITECTURE: set the variables that heads of scripts refer to, and the compilers.
choose_architecture() {
	local root
	architecture=$1
	PROGRAMS=$SPILE_RUN_DIRECTORY/programs.$1
	VARIABLES=$PROGRAMS/variables NAMES=$PROGRAMS/names STACKS=$PROGRAMS/stacks
	if [ "$1" = "$(dpkg --print-architecture)" ]; then
		compile=(gcc)
		compile_musl=(musl-gcc)
		MUSL=/usr/lib/$(gnu_machine "$1")-linux-musl/libc.so
	else
		root=$("$STAP_VM" guest-root "$1") || return
		compile=("$(gnu_machine "$1")-linux-gnu-gcc" "--sysroot=$root")
		compile_musl=("${compile[0]}" -specs "$SPILE_BUILDDIR/$1/musl.specs")
		MUSL=$root/usr/lib/$(gnu_machine "$1")-linux-musl/libc.so
	fi
	LIBC=$("${compile[@]}" -print-file-name=libc.so.6)
}

build_traced() {
	"${compile[@]}" -g -O2 -fPIC -shared -Wl,-soname,libtraced.so -o "$PROGRAMS/libtraced.so" \
		"$tests/programs/traced-library.c" &&
		"${compile[@]}" -g -O2 -pthread -o "$PROGRAMS/traced" "$tests/programs/traced.c" \
			-L"$PROGRAMS" -ltraced -Wl,-rpath,"$PROGRAMS" &&
		"${compile[@]}" -g -O2 -pthread -o "$PROGRAMS/processes" "$tests/programs/processes.c" &&
		"${compile[@]}" -g -O1 -o "$PROGRAMS/lists" "$tests/programs/lists.c" &&
		"${compile[@]}" -O2 -Wall -Werror -I"$SPILE_SRCDIR/include" -o "$PROGRAMS/static-probes" \
			"$tests/programs/static-probes.c" &&
		"${compile[@]}" -g -O2 -pthread -o "$PROGRAMS/workload" "$tests/programs/workload.c"
}

# A library with TLS descriptors, which gcc for arm64 uses by default.
build_described() {
	local dialect=
	[ "$architecture" != amd64 ] || dialect=-mtls-dialect=gnu2
	"${compile[@]}" -g -O2 -fPIC -shared $dialect -Wl,-soname,libdescribed.so -o "$PROGRAMS/libdescribed.so" \
		"$tests/programs/described-library.c" &&
		"${compile[@]}" -O2 -pthread -o "$PROGRAMS/described" "$tests/programs/described.c"
}

build_for_kernel_probes() {
	"${compile[@]}" -O2 -static -pthread -o "$PROGRAMS/faults" "$tests/programs/faults.c" &&
		"${compile[@]}" -O2 -static -o "$PROGRAMS/sockets" "$tests/programs/sockets.c" &&
		"${compile[@]}" -O2 -static -o "$PROGRAMS/kernel-events" "$tests/programs/kernel-events.c" &&
		"${compile[@]}" -O2 -static -o "$PROGRAMS/remote-calls" "$tests/programs/remote-calls.c" &&
		"${compile[@]}" -g -O2 -static -o "$PROGRAMS/null-pointer" "$tests/programs/null-pointer.c" &&
		"${compile[@]}" -O2 -static-pie -o "$PROGRAMS/memory" "$tests/programs/memory.c" &&
		"${compile[@]}" -O2 -o "$PROGRAMS/maps" "$tests/programs/maps.c" &&
		"${compile[@]}" -O2 -fomit-frame-pointer -static -o "$PROGRAMS/made-code" "$tests/programs/made-code.c"
}

# Programs of 32 bits, and symbols as each compiler names them. They contain instructions of x86.
build_for_x86() {
	local level compiler
	for level in 0 2; do
		gcc -m32 -g -O$level -nostdlib -ffreestanding -fno-stack-protector -fno-pie -no-pie -Wl,--build-id \
			-o "$PROGRAMS/narrow-O$level" "$tests/programs/narrow.c" || return
	done
	for compiler in gcc clang rust; do
		# Use as few pages as possible, so that all of them are in memory.
		gcc -nostdlib -static -no-pie -Wl,--build-id,-z,noseparate-code,-z,norelro -o "$NAMES-$compiler" \
			"$tests/programs/names-$compiler.s" || return
	done
	build_calls 32 -m32 && as --32 -o "$STACKS-32.o" "$tests/programs/stacks-32.s" &&
		ld -m elf_i386 --build-id -o "$STACKS-32" "$STACKS-32.o"
}

# build_calls BITS OPTION...
build_calls() {
	"${compile[@]}" -O2 -nostdlib -static -ffreestanding -fno-stack-protector -no-pie -fno-pie \
		-fcf-protection=none "${@:2}" -o "$PROGRAMS/calls-$1" "$tests/programs/system-calls.c"
}

# Variables of all kinds.
build_variables() {
	"${compile[@]}" -g -O2 -static -pthread -o "$VARIABLES" "$tests/programs/variables.c" &&
		"${compile[@]}" -g -O2 -static-pie -pthread -o "$VARIABLES-pie" "$tests/programs/variables.c"
}

# build_stacks VARIANT OPTION...
build_stacks() {
	"${compile[@]}" -O2 -fomit-frame-pointer -pthread -o "$STACKS$1" "${@:2}" "$tests/programs/stacks.c"
}

build_all_stacks() {
	local variant
	build_stacks "" && build_stacks -lines -g && build_stacks -static -static &&
		build_stacks -stripped -static -s &&
		build_stacks -debug-frame -g -gz -fno-asynchronous-unwind-tables -fno-unwind-tables &&
		build_stacks -frame-pointers -fno-omit-frame-pointer -fno-asynchronous-unwind-tables \
			-fno-unwind-tables || return
	for variant in "" -static; do
		"${compile_musl[@]}" -g -O2 -fomit-frame-pointer $variant -o "$STACKS-musl$variant" \
			"$tests/programs/stacks.c" || return
	done
}

# build_programs ARCHITECTURE
build_programs() {
	choose_architecture "$1" || return
	mkdir -p "$PROGRAMS" && flock 8 || return
	[ ! -e "$PROGRAMS/complete" ] || return 0
	build_traced && build_described && build_for_kernel_probes && build_variables && build_calls 64 &&
		build_all_stacks && { [ "$architecture" != amd64 ] || build_for_x86; } && touch "$PROGRAMS/complete"
} 8>>"$SPILE_RUN_DIRECTORY/programs.lock"
