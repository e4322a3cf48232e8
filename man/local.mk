# Manual pages; included by the top Makefile.am. The pages of the library are generated from the comments in tapset/.
# Their names contain colons, which make rules do not allow, so stapfuncs.3stap stands for all of them.

dist_man_MANS = man/stap.1 man/stap-bundle.1 man/stap-interactive.1 man/stap-language-server.1 man/stap-mcp.1 \
	man/stap-merge.1 man/stap-prep.1 man/stap-profile-annotate.1 man/stap-report.1 man/stap-vm.1 \
	man/spile-dtrace.1 man/stap-json.5 \
	man/stap-exporter.8 man/stap-server.8 man/stap-service.8 man/staprun.8 \
	man/stapprobes.3stap \
	man/staplang.3stap
if HAVE_KDUMPFILE
dist_man_MANS += man/staplog.8
endif
# Pages of errors and warnings: error-NAME.7stap is installed as error::NAME.7stap.
error_pages = man/errors/error-contextvars.7stap man/errors/error-dwarf.7stap man/errors/error-fault.7stap \
	man/errors/error-inode-uprobes.7stap man/errors/error-pass1.7stap man/errors/error-pass2.7stap \
	man/errors/error-pass3.7stap man/errors/error-pass4.7stap man/errors/error-pass5.7stap \
	man/errors/error-process-tracking.7stap man/errors/error-reporting.7stap man/errors/error-sdt.7stap \
	man/errors/warning-buildid.7stap man/errors/warning-debuginfo.7stap man/errors/warning-pass5.7stap \
	man/errors/warning-symbols.7stap
EXTRA_DIST += $(error_pages)
EXTRA_DIST += man/tapset-pages.awk man/syscall-page.awk man/syscall-rows.in

library_pages = man/library/stapfuncs.3stap
syscall_tables = runtime/abi/syscall_table.h runtime/abi/syscall_rows.h runtime/abi/syscall_sets.h \
	runtime/abi/syscall_numbers.h
man/syscall.stp: man/syscall-page.awk man/syscall-rows.in $(syscall_tables)
	$(AM_V_GEN)$(MKDIR_P) man && \
		$(CC) -E -P -x c -I$(top_srcdir) $(top_srcdir)/man/syscall-rows.in | \
		LC_ALL=C $(AWK) -f $(top_srcdir)/man/syscall-page.awk >$@.new && mv $@.new $@

$(library_pages): man/tapset-pages.awk man/syscall.stp $(dist_tapset_DATA)
	$(AM_V_GEN)rm -rf man/library && $(MKDIR_P) man/library && \
		LC_ALL=C $(AWK) -f $(top_srcdir)/man/tapset-pages.awk -v directory=man/library \
			$(top_srcdir)/tapset/*.stp man/syscall.stp $(top_srcdir)/tapset/*.stpm
all-local: $(library_pages)

.PHONY: install-library-pages uninstall-library-pages
install-library-pages: $(library_pages)
	$(MKDIR_P) "$(DESTDIR)$(mandir)/man3"
	$(INSTALL_DATA) man/library/* "$(DESTDIR)$(mandir)/man3"
uninstall-library-pages:
	rm -f "$(DESTDIR)$(mandir)/man3/stapfuncs.3stap" "$(DESTDIR)$(mandir)"/man3/tapset::*.3stap

.PHONY: install-error-pages uninstall-error-pages
install-error-pages: $(error_pages)
	$(MKDIR_P) "$(DESTDIR)$(mandir)/man7"
	for page in $(error_pages); do \
		name=`basename $$page | sed s/-/::/`; \
		$(INSTALL_DATA) "$(top_srcdir)/$$page" "$(DESTDIR)$(mandir)/man7/$$name" || exit; \
	done
uninstall-error-pages:
	rm -f "$(DESTDIR)$(mandir)"/man7/error::*.7stap "$(DESTDIR)$(mandir)"/man7/warning::*.7stap

CLEANFILES += man/library/* man/syscall.stp compile_commands.json
