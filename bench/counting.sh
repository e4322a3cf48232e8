# SPDX-License-Identifier: GPL-2.0-or-later
# Read by bench/hit and bench/sample: guests whose clock counts instructions.

# count_instructions FOLDER: guests that stap-vm boots from here on take 2 ns for each instruction, and none to wait.
count_instructions() {
	mkdir "$1"
	printf '#!/bin/sh\nexec %s "$@" -icount shift=1,sleep=off\n' "$(command -v qemu-system-x86_64)" \
		>"$1/qemu-system-x86_64"
	chmod +x "$1/qemu-system-x86_64"
	export PATH=$1:$PATH SPILE_ACCEL=tcg
}
