# Bundles: one file with modules for several kernels; included by the top Makefile.am.

# The reader of the format, for stap, unit tests and fuzzers.
noinst_LIBRARIES += libspilebundle.a
libspilebundle_a_SOURCES = bundle/format.h bundle/reader.c bundle/reader.h
libspilebundle_a_CFLAGS = $(AM_CFLAGS) $(DEBUGINFO_CFLAGS)

# The program in each bundle.
bundle_sources = bundle/main.c bundle/host.c bundle/host.h bundle/show.c bundle/show.h
# All of it; also for other architectures (vm/local.mk).
bundle_program_sources = $(bundle_sources) $(libspilebundle_a_SOURCES) $(libspilemonitor_a_SOURCES) \
	$(libspilestaprun_a_SOURCES) $(libspilebase_a_SOURCES)
EXTRA_DIST += bundle/program.mk $(bundle_sources)
if HAVE_MUSL
pkglibexec_SCRIPTS = spile-bundle
endif
.PHONY: bundle-program
bundle-program:
	@$(MAKE) --no-print-directory -f $(top_srcdir)/bundle/program.mk program=spile-bundle directory=bundle/objects \
		source=$(top_srcdir) \
		compiler="$(MUSL_CC)" headers="/usr/include /usr/include/$$($(CC) -print-multiarch)" \
		zstd="$$($(CC) -print-file-name=libzstd.a)" common_flags="$(PLAIN_CFLAGS)" \
		sources="$(bundle_program_sources)"
spile-bundle: bundle-program
clean-local: clean-bundle
clean-bundle:
	rm -rf spile-bundle bundle/objects
