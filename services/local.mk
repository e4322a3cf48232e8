# Scripts that run from boot: a command, systemd units, hooks for kernel packages and the initramfs (stap-service(8)).

unitdir = $(prefix)/lib/systemd/system
sysusersdir = $(prefix)/lib/sysusers.d
tmpfilesdir = $(prefix)/lib/tmpfiles.d
kernel_installdir = $(prefix)/lib/kernel/install.d
generatordir = $(prefix)/lib/systemd/system-generators
kernel_postinstdir = $(sysconfdir)/kernel/postinst.d
kernel_headersdir = $(sysconfdir)/kernel/header_postinst.d
kernel_postrmdir = $(sysconfdir)/kernel/postrm.d
initramfs = $(datadir)/initramfs-tools
dracut_module = $(prefix)/lib/dracut/modules.d/50spile

made_services = services/stap-service services/spile@.service services/spile-generator services/kernel-postinst \
	services/kernel-postrm services/kernel-install services/initramfs-hook services/dracut-module
EXTRA_DIST += $(made_services:=.in) services/initramfs-script services/dracut-hook.sh
CLEANFILES += $(made_services)
all-local: $(made_services)

$(made_services): services/local.mk Makefile
$(made_services): %: %.in
	$(AM_V_GEN)$(MKDIR_P) services && \
		sed -e 's|[@]sysconfdir@|$(sysconfdir)|g; s|[@]localstatedir@|$(localstatedir)|g' \
			-e 's|[@]bindir@|$(bindir)|g; s|[@]libexecdir@|$(libexecdir)|g; s|[@]unitdir@|$(unitdir)|g' \
			$(srcdir)/$@.in >$@.new && chmod +x $@.new && mv $@.new $@

# The names order the hooks: modules must be compiled before the initramfs is made.
.PHONY: install-services uninstall-services
install-services: $(made_services)
	$(INSTALL) -D services/stap-service "$(DESTDIR)$(bindir)/stap-service"
	$(INSTALL) -D -m 0644 services/spile@.service "$(DESTDIR)$(unitdir)/spile@.service"
	$(INSTALL) -D services/spile-generator "$(DESTDIR)$(generatordir)/spile-generator"
	$(INSTALL) -D services/kernel-postinst "$(DESTDIR)$(kernel_postinstdir)/00-spile"
	$(INSTALL) -D services/kernel-postinst "$(DESTDIR)$(kernel_headersdir)/spile"
	$(INSTALL) -D services/kernel-postrm "$(DESTDIR)$(kernel_postrmdir)/spile"
	$(INSTALL) -D services/kernel-install "$(DESTDIR)$(kernel_installdir)/40-spile.install"
	$(INSTALL) -D services/initramfs-hook "$(DESTDIR)$(initramfs)/hooks/spile"
	$(INSTALL) -D $(srcdir)/services/initramfs-script "$(DESTDIR)$(initramfs)/scripts/init-premount/spile"
	$(INSTALL) -D services/dracut-module "$(DESTDIR)$(dracut_module)/module-setup.sh"
	$(INSTALL) -D -m 0644 $(srcdir)/services/dracut-hook.sh "$(DESTDIR)$(dracut_module)/hook.sh"
	$(INSTALL) -D $(srcdir)/services/initramfs-script "$(DESTDIR)$(dracut_module)/start"
	$(INSTALL) -d "$(DESTDIR)$(sysconfdir)/spile/services"
uninstall-services:
	rm -f "$(DESTDIR)$(bindir)/stap-service" "$(DESTDIR)$(unitdir)/spile@.service" \
		"$(DESTDIR)$(generatordir)/spile-generator" "$(DESTDIR)$(kernel_postinstdir)/00-spile" \
		"$(DESTDIR)$(kernel_headersdir)/spile" "$(DESTDIR)$(kernel_postrmdir)/spile" \
		"$(DESTDIR)$(kernel_installdir)/40-spile.install" \
		"$(DESTDIR)$(initramfs)/hooks/spile" "$(DESTDIR)$(initramfs)/scripts/init-premount/spile"
	rm -rf "$(DESTDIR)$(dracut_module)"
	-rmdir "$(DESTDIR)$(sysconfdir)/spile/services" "$(DESTDIR)$(sysconfdir)/spile"
