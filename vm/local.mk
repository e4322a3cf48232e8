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
	vm/guest_root.c vm/guest_root.h \
	vm/hub.c vm/hub.h vm/hub_state.h vm/hub_trouble.c \
	vm/initramfs.c vm/initramfs.h \
	vm/kernel_packages.c vm/kernel_packages.h \
	vm/kernel_root.c vm/kernel_root.h \
	vm/link.c vm/link.h \
	vm/machine.c vm/machine.h \
	vm/modules.c vm/modules.h \
	vm/package_root.c vm/package_root.h \
	vm/qemu.c vm/qemu.h \
	vm/qmp.c vm/qmp.h \
	vm/rpm_fetch.c vm/rpm_fetch.h \
	vm/snapshot.c vm/snapshot.h \
	vm/snapshot_file.c vm/snapshot_file.h \
	vm/tool.c vm/tool.h \
	vm/download.c vm/download.h vm/upload.c vm/upload.h
libspilevm_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)

bin_PROGRAMS += stap-vm
stap_vm_SOURCES = vm/main.c
stap_vm_CFLAGS = $(libspilevm_a_CFLAGS)
stap_vm_LDADD = libspilevm.a $(common_libraries) $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS) $(ZSTD_LIBS) $(LIBINTL)

# Process 1 of a guest, which has no shared libraries.
pkglibexec_PROGRAMS += spile-agent
spile_agent_SOURCES = vm/agent/main.c vm/agent/unpack.c vm/agent/unpack.h vm/link.c vm/link.h
spile_agent_CFLAGS = $(PLAIN_CFLAGS)
spile_agent_LDFLAGS = -static
spile_agent_LDADD =

vmdatadir = $(pkgdatadir)/vm
dist_vmdata_DATA = vm/debug-kernel.config

# Our programs for guests of another architecture: make guest-programs, if need be with GUEST=arm64 or GUEST=amd64.
# Needs its cross compiler (gcc-aarch64-linux-gnu or gcc-x86-64-linux-gnu). GUEST_BINARIES chooses programs; guests need
# only spile-agent and staprun if no script prints stacks of programs.
EXTRA_DIST += vm/guest.mk
GUEST_BINARIES = spile-agent staprun stap-json stap-monitor stap-tables
GUEST = $$(test $$(uname -m) = x86_64 && echo arm64 || echo amd64)
.PHONY: guest-programs install-guest-programs uninstall-guest-programs
guest-programs: stap-vm
	@guest=$(GUEST); root=$$(./stap-vm guest-root $$guest) && \
		$(MAKE) --no-print-directory -f $(top_srcdir)/vm/guest.mk guest=$$guest \
		programs="$(GUEST_BINARIES)" root="$$root" source=$(top_srcdir) common_flags="$(PLAIN_CFLAGS)" \
		agent="$(spile_agent_SOURCES)" \
		bundle="$(bundle_program_sources)" \
		staprun="$(staprun_staprun_SOURCES) $(libspilestaprun_a_SOURCES) $(libspilebase_a_SOURCES)" \
		stap_json="$(stap_json_SOURCES) $(libspilemonitor_a_SOURCES) $(libspilestaprun_a_SOURCES) \
			$(libspilebase_a_SOURCES)" \
		stap_monitor="$(stap_monitor_SOURCES) $(libspilemonitor_a_SOURCES) $(libspilestaprun_a_SOURCES) \
			$(libspilebase_a_SOURCES)" \
		stap_tables="$(stap_tables_SOURCES) $(abi_sources) $(debuginfo_sources) $(libspileelf_a_SOURCES) \
			$(libspilestaprun_a_SOURCES) $(libspilecommon_a_SOURCES) $(libspilebase_a_SOURCES)"

# Install only programs that were built.
guest_programs = $(GUEST_BINARIES) spile-bundle
install-guest-programs:
	for guest in amd64 arm64; do \
		test -e $$guest/staprun || continue; \
		$(MKDIR_P) "$(DESTDIR)$(pkglibexecdir)/$$guest" || exit; \
		for program in $(guest_programs); do \
			test ! -e $$guest/$$program || \
				$(INSTALL_PROGRAM) $$guest/$$program "$(DESTDIR)$(pkglibexecdir)/$$guest" || exit; \
		done; \
	done
uninstall-guest-programs:
	for guest in amd64 arm64; do \
		for program in $(guest_programs); do rm -f "$(DESTDIR)$(pkglibexecdir)/$$guest/$$program"; done; \
		rmdir "$(DESTDIR)$(pkglibexecdir)/$$guest" 2>/dev/null || true; \
	done
