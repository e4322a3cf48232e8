# Tests; included by the top Makefile.am.
check_PROGRAMS += test-lang test-debuginfo
test_lang_SOURCES = testsuite/unit/test-lang.c
test_lang_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS)
test_lang_LDADD = libspile.a libspileutil.a $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS)
test_debuginfo_SOURCES = testsuite/unit/test-debuginfo.c
test_debuginfo_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
test_debuginfo_LDADD = libspile.a libspileutil.a $(GLIB_LIBS) $(LIBDW_LIBS) $(LIBELF_LIBS)

EXTRA_DIST += testsuite/run-unit
.PHONY: check-unit
check-unit: $(check_PROGRAMS)
	SPILE_SRCDIR=$(abs_top_srcdir) $(top_srcdir)/testsuite/run-unit $(check_PROGRAMS)
check-local: check-unit
