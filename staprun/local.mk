# staprun and its helper programs; included by the top Makefile.am.

# Everything but main(), so that stap-monitor, unit tests and fuzzers can link it. Not linked with GLib
# (common/base/memory.h).
noinst_LIBRARIES += libspilestaprun.a
libspilestaprun_a_SOURCES = \
	staprun/bulk.c staprun/bulk.h \
	staprun/cgroup.c staprun/cgroup.h \
	staprun/check.c staprun/check.h \
	staprun/child.c staprun/child.h \
	staprun/command.c staprun/command.h \
	staprun/command_main.c staprun/command_main.h \
	staprun/control.c staprun/control.h \
	staprun/describe.c staprun/describe.h \
	staprun/info.c staprun/info.h \
	staprun/list.c staprun/list.h \
	staprun/lock.c staprun/lock.h \
	staprun/merge.c staprun/merge.h \
	staprun/messages.c staprun/messages.h \
	staprun/module.c staprun/module.h \
	staprun/monitor.c staprun/monitor.h \
	staprun/options.c staprun/options.h \
	staprun/output.c staprun/output.h \
	staprun/privilege.c staprun/privilege.h \
	staprun/reader.c staprun/reader.h \
	staprun/run.c staprun/run.h \
	staprun/run_lines.c staprun/run_lines.h \
	staprun/runner.c staprun/runner.h \
	staprun/script_options.c staprun/script_options.h \
	staprun/session.c staprun/session.h \
	staprun/signature.c staprun/signature.h \
	staprun/status.c staprun/status.h \
	staprun/step.c staprun/step.h \
	staprun/tables.c staprun/tables.h \
	staprun/text_queue.c staprun/text_queue.h
libspilestaprun_a_CFLAGS = $(AM_CFLAGS) $(HARDENING_CFLAGS)

bin_PROGRAMS += staprun/staprun
staprun_staprun_SOURCES = staprun/main.c
staprun_staprun_CFLAGS = $(libspilestaprun_a_CFLAGS)
staprun_staprun_LDFLAGS = $(AM_LDFLAGS) $(HARDENING_LDFLAGS)
staprun_staprun_LDADD = libspilestaprun.a libspilebase.a $(LIBINTL) -lpthread

bin_PROGRAMS += stap-merge
stap_merge_SOURCES = staprun/stap_merge.c
stap_merge_CFLAGS = $(AM_CFLAGS)
stap_merge_LDADD = libspilestaprun.a libspilebase.a $(LIBINTL)

if HAVE_KDUMPFILE
bin_PROGRAMS += staplog
staplog_SOURCES = staprun/staplog.c staprun/crash_dump.c staprun/crash_dump.h
staplog_CFLAGS = $(AM_CFLAGS) $(KDUMPFILE_CFLAGS)
staplog_LDADD = libspilestaprun.a libspilebase.a $(KDUMPFILE_LIBS) $(LIBINTL)
endif

# The directory for certificates of signers whose modules staprun trusts, which is empty at first, and the groups of
# staprun(8). `make install` does not make staprun set-uid; the administrator or a package does.
EXTRA_DIST += staprun/sysusers.conf
.PHONY: install-staprun-data uninstall-staprun-data
install-staprun-data:
	$(INSTALL) -d "$(DESTDIR)$(sysconfdir)/spile/keys"
	$(INSTALL) -D -m 0644 $(srcdir)/staprun/sysusers.conf "$(DESTDIR)$(sysusersdir)/spile-runtime.conf"
uninstall-staprun-data:
	rm -f "$(DESTDIR)$(sysusersdir)/spile-runtime.conf"
	-rmdir "$(DESTDIR)$(sysconfdir)/spile/keys" "$(DESTDIR)$(sysconfdir)/spile"
