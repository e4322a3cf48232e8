# stap-report, which turns JSON lines into pages and pictures; included by the top Makefile.am.

# The page's own script, in the order in which it is joined. See report/data.js for the data that it shows.
report_scripts = report/data.js report/dom.js report/numbers.js report/table.js report/histogram.js report/axes.js \
	report/series.js report/heatmap.js report/flamegraph.js report/globals.js report/hosts.js report/page.js

# Everything but main(), so that fuzzers can link it.
noinst_LIBRARIES += libspilereport.a
libspilereport_a_SOURCES = \
	report/analysis.c report/analysis.h \
	report/folded.c report/formats.h \
	report/recording_lines.c \
	report/lines.c report/source.h \
	report/output_file.c report/output_file.h \
	report/page.c report/page_parts.h \
	report/page_data.c report/page_data.h \
	report/pass.c report/pass.h \
	report/pool.c report/pool.h \
	report/pprof.c \
	report/read_global.c \
	report/recording.c report/recording.h \
	report/screen.c report/screen.h \
	report/speedscope.c \
	report/stack_samples.c report/stack_samples.h \
	report/subjects.c \
	report/text.c \
	report/text_draw.c report/text_draw.h \
	report/text_stacks.c report/text_table.c \
	report/text_values.c report/text_views.h \
	report/texts.c report/texts.h \
	report/tree.c
nodist_libspilereport_a_SOURCES = report/page_parts.c
libspilereport_a_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(GIO_CFLAGS)

bin_PROGRAMS += stap-report
stap_report_SOURCES = report/stap_report.c
stap_report_CFLAGS = $(libspilereport_a_CFLAGS)
stap_report_LDADD = libspilereport.a libspilecommon.a libspilebase.a $(GLIB_LIBS) $(GIO_LIBS) $(LIBINTL) -lm

EXTRA_DIST += report/embed.awk report/page.html report/page.css $(report_scripts)
CLEANFILES += report/page_parts.c
report/page_parts.c: report/embed.awk report/page.html report/page.css $(report_scripts)
	$(AM_V_GEN)$(MKDIR_P) report && cd $(srcdir) && LC_ALL=C $(AWK) -f report/embed.awk page_html=report/page.html \
		page_css=report/page.css $(report_scripts:%=page_script=%) >$(abs_builddir)/$@.new && \
		mv $(abs_builddir)/$@.new $(abs_builddir)/$@
