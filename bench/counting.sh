# SPDX-License-Identifier: GPL-2.0-or-later
# Guests whose clock counts instructions; sourced by bench/hit and bench/sample.

# count_instructions DIRECTORY: let guests that stap-vm boots from now on take 2 ns per instruction, and none for
# waiting.
count_instructions() {
	mkdir "$1"
	printf '#!/bin/sh\nexec %s "$@" -icount shift=1,sleep=off\n' "$(command -v qemu-system-x86_64)" \
		>"$1/qemu-system-x86_64"
	chmod +x "$1/qemu-system-x86_64"
	export PATH=$1:$PATH SPILE_ACCEL=tcg
}
