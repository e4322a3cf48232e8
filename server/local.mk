# The compile server and its client; included by the top Makefile.am. Without OpenSSL neither is built, and stap reports
# that when they are needed.

noinst_LIBRARIES += libspileserver.a
libspileserver_a_SOURCES = \
	server/log.c server/log.h \
	server/network.c server/network.h \
	server/system_calls.c server/system_calls.h \
	server/usage.c server/usage.h
# Hardened, because they are exposed to the network.
libspileserver_a_CFLAGS = $(AM_CFLAGS) $(HARDENING_CFLAGS) $(GLIB_CFLAGS) $(OPENSSL_CFLAGS)
if HAVE_OPENSSL
libspileserver_a_SOURCES += \
	server/identity.c server/identity.h \
	server/trust.c server/trust.h \
	server/tunnel.c server/tunnel.h
bin_PROGRAMS += stap-server
# Run only by stap, which itself is not linked with OpenSSL.
pkglibexec_PROGRAMS += stap-client
endif
stap_client_SOURCES = \
	server/discovery.c server/discovery.h \
	server/stap_client.c
stap_client_CFLAGS = $(AM_CFLAGS) $(GLIB_CFLAGS) $(OPENSSL_CFLAGS) $(AVAHI_CFLAGS)
stap_client_LDADD = libspileserver.a libspilewire.a libspilecommon.a libspilebase.a \
	$(GLIB_LIBS) $(OPENSSL_LIBS) $(AVAHI_LIBS) $(LIBINTL)

stap_server_SOURCES = \
	server/gate.c server/gate.h \
	server/handler.c server/handler.h \
	server/main.c \
	server/sandbox.c server/sandbox.h \
	server/service.c server/service.h \
	server/settings.h
stap_server_CFLAGS = $(libspileserver_a_CFLAGS)
stap_server_LDFLAGS = $(AM_LDFLAGS) $(HARDENING_LDFLAGS)
stap_server_LDADD = libspileserver.a libspilewire.a libspilecommon.a libspilebase.a \
	$(GLIB_LIBS) $(OPENSSL_LIBS) $(LIBINTL)

# Its unit is installed in the same directory as the others (services/local.mk). systemd-sysusers(8) makes its user, and
# systemd-tmpfiles(8) its directories.
EXTRA_DIST += server/stap-server.service.in server/avahi.service server/sysusers.conf server/tmpfiles.conf
CLEANFILES += server/stap-server.service
server/stap-server.service: server/stap-server.service.in server/local.mk Makefile
	$(AM_V_GEN)$(MKDIR_P) server && sed -e 's|[@]sysconfdir@|$(sysconfdir)|g; s|[@]bindir@|$(bindir)|g' \
		$(srcdir)/$@.in >$@.new && mv $@.new $@
.PHONY: install-server uninstall-server
server_units =
if HAVE_OPENSSL
server_units += server/stap-server.service
endif
all-local: $(server_units)
install-server: $(server_units)
if HAVE_OPENSSL
	$(INSTALL) -D -m 0644 server/stap-server.service "$(DESTDIR)$(unitdir)/stap-server.service"
	$(INSTALL) -D -m 0644 $(srcdir)/server/sysusers.conf "$(DESTDIR)$(sysusersdir)/spile-server.conf"
	$(INSTALL) -D -m 0644 $(srcdir)/server/tmpfiles.conf "$(DESTDIR)$(tmpfilesdir)/spile-server.conf"
endif
uninstall-server:
	rm -f "$(DESTDIR)$(unitdir)/stap-server.service" "$(DESTDIR)$(sysusersdir)/spile-server.conf" \
		"$(DESTDIR)$(tmpfilesdir)/spile-server.conf"
