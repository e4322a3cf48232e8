#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Regenerate names-gcc.s, names-clang.s and names-rust.s from names.cc and names.rs, and likewise functions-*.s. This
# needs g++, clang++ and rustc, which the tests do not need.

cd "$(dirname "$0")" || exit 1
for name in names functions; do
	g++ -S -g -O2 -fno-rtti -fno-exceptions -fno-asynchronous-unwind-tables -fno-pie -fcf-protection=none \
		-fdebug-prefix-map="$PWD"=. -o $name-gcc.s $name.cc &&
		clang++ -S -g -O2 -fno-rtti -fno-exceptions -fno-pie -fno-addrsig -fno-verbose-asm \
			-fdebug-compilation-dir=. -o $name-clang.s $name.cc &&
		rustc -g -O -C panic=abort -C relocation-model=static --remap-path-prefix "$PWD"=. --edition 2021 \
			--emit asm --crate-type bin --crate-name $name -o $name-rust.s $name.rs &&
		# The GNU assembler expects the directory and the file as one name.
		sed -i -E 's|^(\s*\.file\s+[0-9]+) "([^"]*)" "([^"]*)".*|\1 "\2/\3"|' $name-rust.s || exit 1
done
