# SPDX-License-Identifier: GPL-2.0-or-later
#
# Cross-build our programs for guests of another architecture. The top Makefile runs this with:
#
#   guest               the architecture, as Debian calls it; also the directory of the programs
#   source              the source directory
#   root                the guest root (vm/guest_root.c), with the libraries and their headers
#   programs            what to build, besides the program in bundles
#   agent, staprun ...  the sources of each program; bundle: of the program in bundles
#   common_flags        flags for the compiler
#
# The configuration (config.h) is that of this machine, so the libraries must be of the same release.

triplet_arm64 = aarch64-linux-gnu
triplet_amd64 = x86_64-linux-gnu
triplet = $(triplet_$(guest))
compiler = $(triplet)-gcc
pkg_config = PKG_CONFIG_LIBDIR=$(root)/usr/lib/$(triplet)/pkgconfig:$(root)/usr/share/pkgconfig \
	PKG_CONFIG_SYSROOT_DIR=$(root) pkg-config
packages = glib-2.0 libdw libelf libbpf libzstd liblz4 liblzma libdebuginfod libxxhash ncursesw
library_flags := $(shell $(pkg_config) --cflags $(packages))
table_libraries := $(shell $(pkg_config) --libs glib-2.0 libdw libelf libbpf libzstd liblz4 liblzma) -liberty
objects = $(patsubst %.c,$(guest)/objects/%.o,$(filter %.c,$(1)))

all: $(addprefix $(guest)/,$(programs))

# The program in bundles, unless the guest root is of a version of Spile that did not have musl in it.
musl_triplet_arm64 = aarch64-linux-musl
musl_triplet_amd64 = x86_64-linux-musl
musl = $(root)/usr/lib/$(musl_triplet_$(guest))
ifneq ($(wildcard $(musl)/libc.a),)
all: $(guest)/spile-bundle
endif

$(guest)/objects/%.o: $(source)/%.c
	@mkdir -p $(@D)
	@echo "  CC       $@"
	@$(compiler) --sysroot=$(root) -include config.h -I. -I$(source) -I$(source)/include $(common_flags) \
		$(library_flags) -g -O2 -MMD -MP -c -o $@ $<

link = @echo "  CCLD     $@"; $(compiler) --sysroot=$(root) -Wl,-rpath-link,$(root)/usr/lib/$(triplet) -o $@ $^

$(guest)/spile-agent: $(call objects,$(agent))
	$(link) -static
$(guest)/staprun: $(call objects,$(staprun))
	$(link) -lpthread
$(guest)/stap-json: $(call objects,$(stap_json))
	$(link)
$(guest)/stap-monitor: $(call objects,$(stap_monitor))
	$(link) $(shell $(pkg_config) --libs ncursesw)
$(guest)/stap-tables: $(call objects,$(stap_tables))
	$(link) $(table_libraries)

# musl's own description for gcc, with the paths of the guest root.
$(guest)/musl.specs: $(musl)/musl-gcc.specs
	@mkdir -p $(@D)
	@sed 's|\([ L:]\)/usr/|\1$(root)/usr/|g' $< >$@

.PHONY: bundle-program
bundle-program: $(guest)/musl.specs
	@$(MAKE) --no-print-directory -f $(source)/bundle/program.mk program=$(guest)/spile-bundle \
		directory=$(guest)/bundle-objects source=$(source) sources="$(bundle)" common_flags="$(common_flags)" \
		compiler="$(compiler) -specs $(guest)/musl.specs" NM=$(triplet)-nm \
		headers="$(root)/usr/include $(root)/usr/include/$(triplet)" zstd=$(root)/usr/lib/$(triplet)/libzstd.a
$(guest)/spile-bundle: bundle-program

-include $(patsubst %.o,%.d,$(call objects,$(sort $(agent) $(staprun) $(stap_json) $(stap_monitor) $(stap_tables))))
