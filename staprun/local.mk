# staprun and its helper programs; included by the top Makefile.am.

bin_PROGRAMS += staprun/staprun
staprun_staprun_SOURCES = \
	staprun/bulk.c staprun/bulk.h \
	staprun/check.c staprun/check.h \
	staprun/child.c staprun/child.h \
	staprun/command.c staprun/command.h \
	staprun/control.c staprun/control.h \
	staprun/describe.c staprun/describe.h \
	staprun/info.c staprun/info.h \
	staprun/list.c staprun/list.h \
	staprun/lock.c staprun/lock.h \
	staprun/main.c \
	staprun/merge.c staprun/merge.h \
	staprun/messages.c staprun/messages.h \
	staprun/module.c staprun/module.h \
	staprun/monitor.c staprun/monitor.h \
	staprun/output.c staprun/output.h \
	staprun/privilege.c staprun/privilege.h \
	staprun/reader.c staprun/reader.h \
	staprun/runner.c staprun/runner.h \
	staprun/session.c staprun/session.h \
	staprun/signature.c staprun/signature.h \
	staprun/status.c staprun/status.h \
	staprun/tables.c staprun/tables.h \
	staprun/text_queue.c staprun/text_queue.h
# Not linked with GLib (common/base/memory.h).
staprun_staprun_CFLAGS = $(AM_CFLAGS) $(HARDENING_CFLAGS) $(LIBELF_CFLAGS)
staprun_staprun_LDFLAGS = $(AM_LDFLAGS) $(HARDENING_LDFLAGS)
staprun_staprun_LDADD = libspilebase.a $(LIBELF_LIBS) $(CAPNG_LIBS) $(LIBINTL) -lpthread

bin_PROGRAMS += stap-merge
stap_merge_SOURCES = staprun/stap_merge.c staprun/merge.c staprun/merge.h
stap_merge_CFLAGS = $(AM_CFLAGS)
stap_merge_LDADD = libspilebase.a $(LIBINTL)

# Reads programs for stacks. Run only by staprun, which must not be linked with its libraries.
pkglibexec_PROGRAMS += stap-tables
stap_tables_SOURCES = staprun/stap_tables.c staprun/child.c staprun/child.h
stap_tables_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(LIBDW_CFLAGS)
stap_tables_LDADD = libspile.a $(common_libraries) $(GLIB_LIBS) $(DEBUGINFO_LIBS)

# Shows a running script. Run only by staprun. Without ncurses it supports only JSON lines.
pkglibexec_PROGRAMS += stap-monitor
stap_monitor_SOURCES = \
	staprun/child.c staprun/child.h \
	staprun/monitor.h \
	staprun/monitor_lines.c \
	staprun/monitor_snapshot.c staprun/monitor_snapshot.h \
	staprun/monitor_view.h \
	staprun/stap_monitor.c \
	staprun/status.c staprun/status.h
if HAVE_NCURSES
stap_monitor_SOURCES += staprun/monitor_screen.c
endif
stap_monitor_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
stap_monitor_LDADD = libspilebase.a $(NCURSES_LIBS) $(LIBINTL)

# The directory for certificates of signers whose modules staprun trusts; initially empty.
.PHONY: install-keys uninstall-keys
install-keys:
	$(INSTALL) -d "$(DESTDIR)$(sysconfdir)/spile/keys"
uninstall-keys:
	-rmdir "$(DESTDIR)$(sysconfdir)/spile/keys" "$(DESTDIR)$(sysconfdir)/spile"
