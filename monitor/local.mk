# stap-monitor, which shows a running script, and stap-json, which writes what it says as lines of JSON; included by the
# top Makefile.am. Run only by staprun. Without ncurses, stap-monitor supports only JSON lines.

# The snapshots and the view that need no terminal, so that unit tests and fuzzers can link them.
noinst_LIBRARIES += libspilemonitor.a
libspilemonitor_a_SOURCES = \
	monitor/frame_text.c monitor/frame_text.h \
	monitor/global_lines.c monitor/global_lines.h \
	monitor/json_relay.c monitor/json_relay.h \
	monitor/monitor_lines.c \
	monitor/monitor_snapshot.c monitor/monitor_snapshot.h \
	monitor/monitor_view.h
libspilemonitor_a_CFLAGS = $(AM_CFLAGS)

pkglibexec_PROGRAMS += stap-json
stap_json_SOURCES = monitor/stap_json.c
stap_json_LDADD = libspilemonitor.a libspilestaprun.a libspilebase.a $(LIBINTL)

pkglibexec_PROGRAMS += stap-monitor
stap_monitor_SOURCES = monitor/stap_monitor.c
if HAVE_NCURSES
stap_monitor_SOURCES += monitor/monitor_screen.c
endif
stap_monitor_CFLAGS = $(AM_CFLAGS) $(NCURSES_CFLAGS)
stap_monitor_LDADD = libspilemonitor.a libspilestaprun.a libspilebase.a $(NCURSES_LIBS) $(LIBINTL)
