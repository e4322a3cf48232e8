# Tests; included by the top Makefile.am. testsuite/run is the one that counts.

check_PROGRAMS += testsuite/unit/test-lang testsuite/unit/test-debuginfo
unit_test_libraries = libspile.a libspileutil.a $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS)
testsuite_unit_test_lang_SOURCES = testsuite/unit/test-lang.c
testsuite_unit_test_lang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
testsuite_unit_test_lang_LDADD = $(unit_test_libraries)
testsuite_unit_test_debuginfo_SOURCES = testsuite/unit/test-debuginfo.c
testsuite_unit_test_debuginfo_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
testsuite_unit_test_debuginfo_LDADD = $(unit_test_libraries)

.PHONY: check-suites
check-suites: all $(check_PROGRAMS)
	SPILE_BUILDDIR=$(abs_top_builddir) $(top_srcdir)/testsuite/run style unit diagnostics i18n
check-local: check-suites
