# SPDX-License-Identifier: GPL-2.0-or-later
#
# Build the program that bundles contain, statically, with musl: it runs on any machine of its architecture, and is a
# third of the size that it has with glibc. The top Makefile runs this with:
#
#   program         the file to make
#   directory       for the objects
#   source          the source directory
#   sources         the sources of the program, which include those of staprun and stap-json
#   compiler        gcc for musl (musl-gcc)
#   headers         directories of headers that musl does not have: those of the kernel, and zstd.h
#   zstd            libzstd.a, of which decompression needs nothing but memory of a C library
#   common_flags    flags for the compiler

objects = $(patsubst %.c,$(directory)/%.o,$(filter %.c,$(sources)))
flags = -include config.h -I. -I$(source) -I$(source)/include $(common_flags) $(addprefix -idirafter ,$(headers)) \
	-Os -fPIE -ffunction-sections -fdata-sections -fstack-protector-strong

# zstd's decompression of its own older formats would add a third. bundle/reader.c refuses these formats.
legacy = $(shell $(NM) -u $(zstd) 2>/dev/null | \
	sed -n 's/^ *U \(\(ZSTD\|ZBUFF\)v0[0-9]_[A-Za-z_0-9]*\)$$/-Wl,--defsym,\1=bundle_no_legacy/p' | sort -u)
NM = nm
# The directory of musl's libraries. musl-gcc does not know -static-pie, so the link below names its parts.
hash := \#
musl = $(patsubst %/Scrt1.o,%,$(shell $(compiler) -$(hash)$(hash)$(hash) -x c /dev/null -o /dev/null 2>&1 | \
	grep -o '[^ "]*/Scrt1\.o'))

$(program): $(objects)
	@echo "  CCLD     $@"
	@$(compiler) -static -nostartfiles -s -Wl,-pie,--no-dynamic-linker,-z,text,-z,relro,-z,now,--gc-sections \
		-Wl,--build-id=none -o $@ $(musl)/rcrt1.o $(musl)/crti.o $^ $(legacy) $(zstd) $(musl)/crtn.o

$(directory)/%.o: $(source)/%.c
	@mkdir -p $(@D)
	@echo "  CC       $@"
	@$(compiler) $(flags) -MMD -MP -c -o $@ $<

-include $(objects:.o=.d)
