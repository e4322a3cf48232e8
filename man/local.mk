# Manual pages; included by the top Makefile.am. The pages of the library are generated from the comments in tapset/.
# Their names contain colons, which make rules do not allow, so stapfuncs.3stap stands for all of them.

dist_man_MANS = man/stap.1 man/stap-bundle.1 man/stap-interactive.1 man/stap-language-server.1 man/stap-mcp.1 \
	man/stap-merge.1 man/stap-prep.1 man/stap-report.1 man/stap-vm.1 man/spile-dtrace.1 man/stap-json.5 \
	man/stap-exporter.8 man/stap-server.8 \
	man/stap-service.8 man/staprun.8 \
	man/stapprobes.3stap \
	man/staplang.3stap
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

CLEANFILES += man/library/* man/syscall.stp compile_commands.json
