# SPDX-License-Identifier: GPL-2.0-or-later
#
# Cross-build our programs for guests of another architecture. The top Makefile runs this with:
#
#   guest               the architecture, as Debian calls it; also the directory of the programs
#   source              the source directory
#   root                the guest root (vm/guest_root.c), with the libraries and their headers
#   agent, staprun ...  the sources of each program
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

all: $(addprefix $(guest)/,spile-agent staprun stap-json stap-monitor stap-tables)

$(guest)/objects/%.o: $(source)/%.c
	@mkdir -p $(@D)
	@echo "  CC       $@"
	@$(compiler) --sysroot=$(root) -include config.h -I. -I$(source) $(common_flags) $(library_flags) -g -O2 -MMD \
		-MP -c -o $@ $<

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

-include $(patsubst %.o,%.d,$(call objects,$(sort $(agent) $(staprun) $(stap_json) $(stap_monitor) $(stap_tables))))
