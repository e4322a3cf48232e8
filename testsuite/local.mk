# Tests; included by the top Makefile.am. testsuite/run is the one that counts.

check_PROGRAMS += testsuite/unit/test-lang testsuite/unit/test-debuginfo testsuite/unit/test-regex \
	testsuite/unit/test-staprun
unit_test_libraries = libspile.a libspileutil.a $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS)
testsuite_unit_test_lang_SOURCES = testsuite/unit/test-lang.c
testsuite_unit_test_lang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_lang_LDADD = $(unit_test_libraries)
testsuite_unit_test_debuginfo_SOURCES = testsuite/unit/test-debuginfo.c
testsuite_unit_test_debuginfo_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_debuginfo_LDADD = $(unit_test_libraries)
testsuite_unit_test_regex_SOURCES = testsuite/unit/test-regex.c
testsuite_unit_test_regex_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_regex_LDADD = $(unit_test_libraries)
# All of staprun but its main program.
testsuite_unit_test_staprun_SOURCES = testsuite/unit/test-staprun.c \
	staprun/check.c staprun/control.c staprun/info.c staprun/merge.c staprun/messages.c staprun/module.c \
	staprun/output.c staprun/privilege.c
testsuite_unit_test_staprun_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBELF_CFLAGS)
testsuite_unit_test_staprun_LDADD = libspileutil.a $(GLIB_LIBS) $(LIBELF_LIBS) $(CAPNG_LIBS)

# Scripts and expected results; the C files of testsuite/unit come from the lists above.
EXTRA_DIST += testsuite/run testsuite/lib.sh testsuite/suites testsuite/diagnostics \
	testsuite/fixtures testsuite/guest testsuite/parse testsuite/programs testsuite/staprun

# make check SUITES="style unit", and the same for make distcheck; without it, what testsuite/run runs by itself
SUITES =

.PHONY: check-programs check-suites
check-programs: $(check_PROGRAMS)
check-suites: all check-programs
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run $(SUITES)
check-local: check-suites

# On a kernel that checks itself; builds it first if need be (ten minutes), and is not part of `make check`.
.PHONY: check-debug-kernel
check-debug-kernel: all
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run debug-kernel

# The long one; `SPILE_TESTS` and `SPILE_TEST_KERNELS` choose. The suite itself is a cut of a few minutes.
.PHONY: torture
torture: all
	SPILE_TORTURE=20 SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run torture
