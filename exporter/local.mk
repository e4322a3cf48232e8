# stap-exporter; included by the top Makefile.am.

# Everything but main(), so that unit tests and fuzzers can link it.
noinst_LIBRARIES += libspileexporter.a
libspileexporter_a_SOURCES = \
	exporter/address.c exporter/address.h \
	exporter/authentication.c exporter/authentication.h \
	exporter/configuration.c exporter/configuration.h \
	exporter/decimal.c exporter/decimal.h \
	exporter/globals.c exporter/globals.h \
	exporter/http.c exporter/http.h \
	exporter/json_line.c exporter/json_line.h \
	exporter/labels.c exporter/labels.h \
	exporter/limits.h \
	exporter/lines.c exporter/lines.h \
	exporter/metrics.c exporter/metrics.h \
	exporter/own_metrics.c exporter/own_metrics.h \
	exporter/registry.c exporter/registry.h \
	exporter/script.c exporter/script.h \
	exporter/stream.c exporter/stream.h \
	exporter/text_output.c exporter/text_output.h \
	exporter/text_reader.c exporter/text_reader.h \
	exporter/trusted_file.c exporter/trusted_file.h \
	exporter/units.c exporter/units.h
# Hardened, because it is exposed to the network.
libspileexporter_a_CFLAGS = $(AM_CFLAGS) $(HARDENING_CFLAGS) $(GLIB_CFLAGS) $(JSON_GLIB_CFLAGS) $(MICROHTTPD_CFLAGS)
exporter_libraries = libspileexporter.a libspileserver.a libspilecommon.a libspilebase.a \
	$(GLIB_LIBS) $(JSON_GLIB_LIBS) $(MICROHTTPD_LIBS)

bin_PROGRAMS += stap-exporter
stap_exporter_SOURCES = exporter/main.c
stap_exporter_CFLAGS = $(libspileexporter_a_CFLAGS)
stap_exporter_LDFLAGS = $(AM_LDFLAGS) $(HARDENING_LDFLAGS)
stap_exporter_LDADD = $(exporter_libraries) $(LIBINTL)

# Its unit is installed in the same directory as the others (services/local.mk). systemd-sysusers(8) makes its user.
EXTRA_DIST += exporter/stap-exporter.service.in exporter/exporter.conf exporter/kubernetes.yaml exporter/sysusers.conf
CLEANFILES += exporter/stap-exporter.service
exporter/stap-exporter.service: exporter/stap-exporter.service.in exporter/local.mk Makefile
	$(AM_V_GEN)$(MKDIR_P) exporter && sed -e 's|[@]sysconfdir@|$(sysconfdir)|g; s|[@]bindir@|$(bindir)|g' \
		$(srcdir)/$@.in >$@.new && mv $@.new $@
.PHONY: install-exporter uninstall-exporter
all-local: exporter/stap-exporter.service
install-exporter: exporter/stap-exporter.service
	$(INSTALL) -D -m 0644 exporter/stap-exporter.service "$(DESTDIR)$(unitdir)/stap-exporter.service"
	$(INSTALL) -D -m 0644 $(srcdir)/exporter/sysusers.conf "$(DESTDIR)$(sysusersdir)/spile-exporter.conf"
	$(INSTALL) -d "$(DESTDIR)$(sysconfdir)/spile/exporter"
uninstall-exporter:
	rm -f "$(DESTDIR)$(unitdir)/stap-exporter.service" "$(DESTDIR)$(sysusersdir)/spile-exporter.conf"
	-rmdir "$(DESTDIR)$(sysconfdir)/spile/exporter"
