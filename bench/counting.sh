# SPDX-License-Identifier: GPL-2.0-or-later
# Guests whose clock counts instructions; sourced by bench/hit and bench/sample.

# count_instructions DIRECTORY: let guests that stap-vm boots from now on take 2 ns per instruction, and none for
# waiting.
count_instructions() {
	local program
	mkdir "$1"
	for program in qemu-system-x86_64 qemu-system-aarch64; do
		printf '#!/bin/sh\nexec %s "$@" -icount shift=1,sleep=off\n' "$(command -v $program)" >"$1/$program"
		chmod +x "$1/$program"
	done
	export PATH=$1:$PATH SPILE_ACCEL=tcg
}
