# Manual pages; included by the top Makefile.am. Those of the library are made of the comments in tapset/, and their
# names have colons, which make cannot have in its rules: stapfuncs.3stap stands for all of them.

dist_man_MANS = man/stap.1 man/stap-merge.1 man/stap-prep.1 man/stap-vm.1 man/staprun.8 man/stapprobes.3stap \
	man/staplang.3stap
EXTRA_DIST += man/tapset-pages.awk

library_pages = man/library/stapfuncs.3stap
$(library_pages): man/tapset-pages.awk $(dist_tapset_DATA)
	$(AM_V_GEN)rm -rf man/library && $(MKDIR_P) man/library && \
		LC_ALL=C $(AWK) -f $(top_srcdir)/man/tapset-pages.awk -v folder=man/library \
			$(top_srcdir)/tapset/*.stp $(top_srcdir)/tapset/*.stpm
all-local: $(library_pages)

.PHONY: install-library-pages uninstall-library-pages
install-library-pages: $(library_pages)
	$(MKDIR_P) "$(DESTDIR)$(mandir)/man3"
	$(INSTALL_DATA) man/library/* "$(DESTDIR)$(mandir)/man3"
uninstall-library-pages:
	cd "$(DESTDIR)$(mandir)/man3" && rm -f stapfuncs.3stap tapset::*.3stap

CLEANFILES = man/library/*
