# stap-vm and the agent that runs in its guests. Included by the top Makefile.am, which initializes bin_PROGRAMS,
# pkglibexec_PROGRAMS and EXTRA_DIST.

# Everything but main(), so that fuzzers can link it.
noinst_LIBRARIES += libspilevm.a
libspilevm_a_SOURCES = \
	vm/archive.c vm/archive.h \
	vm/build_root.c vm/build_root.h \
	vm/cache.c vm/cache.h \
	vm/client.c vm/client.h \
	vm/console.c vm/console.h \
	vm/cpio.c vm/cpio.h \
	vm/debug_kernel.c vm/debug_kernel.h \
	vm/fetch.c vm/fetch.h \
	vm/hub.c vm/hub.h vm/hub_state.h vm/hub_trouble.c \
	vm/initramfs.c vm/initramfs.h \
	vm/link.c vm/link.h \
	vm/modules.c vm/modules.h \
	vm/qemu.c vm/qemu.h \
	vm/qmp.c vm/qmp.h \
	vm/snapshot.c vm/snapshot.h \
	vm/snapshot_file.c vm/snapshot_file.h \
	vm/tool.c vm/tool.h \
	vm/download.c vm/download.h vm/upload.c vm/upload.h
libspilevm_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)

bin_PROGRAMS += stap-vm
stap_vm_SOURCES = vm/main.c
stap_vm_CFLAGS = $(libspilevm_a_CFLAGS)
stap_vm_LDADD = libspilevm.a $(common_libraries) $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS) $(LIBINTL)

# Process 1 of a guest, which has no shared libraries.
pkglibexec_PROGRAMS += spile-agent
spile_agent_SOURCES = vm/agent/main.c vm/agent/unpack.c vm/agent/unpack.h vm/link.c vm/link.h
spile_agent_CFLAGS = $(PLAIN_CFLAGS)
spile_agent_LDFLAGS = -static
spile_agent_LDADD =

vmdatadir = $(pkgdatadir)/vm
dist_vmdata_DATA = vm/debug-kernel.config
