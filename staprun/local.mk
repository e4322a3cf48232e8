# staprun: the loader and relay reader; included by the top Makefile.am.

bin_PROGRAMS += staprun/staprun
staprun_staprun_SOURCES = \
	staprun/bulk.c staprun/bulk.h \
	staprun/check.c staprun/check.h \
	staprun/child.c staprun/child.h \
	staprun/command.c staprun/command.h \
	staprun/control.c staprun/control.h \
	staprun/info.c staprun/info.h \
	staprun/lock.c staprun/lock.h \
	staprun/main.c \
	staprun/merge.c staprun/merge.h \
	staprun/messages.c staprun/messages.h \
	staprun/module.c staprun/module.h \
	staprun/output.c staprun/output.h \
	staprun/privilege.c staprun/privilege.h \
	staprun/reader.c staprun/reader.h \
	staprun/runner.c staprun/runner.h \
	staprun/session.c staprun/session.h \
	staprun/tables.c staprun/tables.h \
	staprun/text_queue.c staprun/text_queue.h
# Nothing of GLib in it (translator/util/memory.h).
staprun_staprun_CFLAGS = $(AM_CFLAGS) $(HARDENING_CFLAGS) $(LIBELF_CFLAGS)
staprun_staprun_LDFLAGS = $(AM_LDFLAGS) $(HARDENING_LDFLAGS)
staprun_staprun_LDADD = libspileutil.a $(LIBELF_LIBS) $(CAPNG_LIBS) $(LIBINTL) -lpthread

bin_PROGRAMS += stap-merge
stap_merge_SOURCES = staprun/stap_merge.c staprun/merge.c staprun/merge.h
stap_merge_CFLAGS = $(AM_CFLAGS)
stap_merge_LDADD = libspileutil.a $(LIBINTL)

# What reads programs for stacks: no user calls it, and staprun does not hold what it is linked with.
pkglibexec_PROGRAMS += stap-tables
stap_tables_SOURCES = staprun/stap_tables.c staprun/child.c staprun/child.h
stap_tables_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
stap_tables_LDADD = libspile.a libspileutil.a $(GLIB_LIBS) $(DEBUGINFO_LIBS)
