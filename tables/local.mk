# stap-tables, which reads programs for stacks; included by the top Makefile.am. Run only by staprun, which must not be
# linked with its libraries.

pkglibexec_PROGRAMS += stap-tables
stap_tables_SOURCES = tables/stap_tables.c
stap_tables_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
stap_tables_LDADD = libspile.a libspilestaprun.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS)
