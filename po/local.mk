# SPDX-License-Identifier: GPL-2.0-or-later
# Message catalogues; included by the top Makefile.am. po/README says how to add a language.
#
#   make update-po   extract spile.pot anew and merge it into the languages
#   make check-po    fail if spile.pot is stale (writes to the build directory only)

# Languages that are installed: those whose po/LANGUAGE.po is complete, for example: de fr
LINGUAS = de es fr ja pt_BR zh_CN

EXTRA_DIST += po/README po/glossary po/spile.pot $(LINGUAS:%=po/%.po)

MSGMERGE = msgmerge

# The source files that hold messages.
message_directories = common translator staprun monitor tables report profile vm server exporter
message_files = find $(message_directories) -name '*.c' | LC_ALL=C sort | \
	xargs grep -lE '(^|[^A-Za-z0-9_])(N?_|ngettext) ?\('

# Only file names in the references: line numbers would make every change of a source file one of spile.pot. For the
# same reason the date of extraction is left out.
extract_messages = cd $(top_srcdir) && $(message_files) | $(XGETTEXT) --files-from=- --language=C --from-code=UTF-8 \
	--keyword --keyword=_ --keyword=N_ --keyword=ngettext:1,2 \
	--flag=_:1:pass-c-format --flag=N_:1:pass-c-format \
	--flag=ngettext:1:pass-c-format --flag=ngettext:2:pass-c-format \
	--flag=diagnose:4:c-format --flag=diagnose_note:3:c-format --flag=diagnose_hint:2:c-format \
	--flag=error_new:2:c-format --flag=error_errno:1:c-format --flag=error_with_hint:2:c-format \
	--flag=error_prefix:2:c-format --flag=usage_error:1:c-format --flag=arena_printf:2:c-format \
	--add-comments=TRANSLATORS: --add-location=file \
	--package-name=spile --copyright-holder='the authors of Spile' --output=- | \
	sed -e '/^"POT-Creation-Date:/d' -e '1s/^\(.\).*/\1 Messages of Spile./'

.PHONY: update-po check-po po-catalogues install-catalogues uninstall-catalogues

# Through a variable of the shell, so that a failure of xgettext leaves the old file.
update-po:
	@text=`$(extract_messages)` && test -n "$$text" && printf '%s\n' "$$text" >$(top_srcdir)/po/spile.pot
	@for language in $(LINGUAS); do \
		$(MSGMERGE) --update --backup=none --add-location=file \
			$(top_srcdir)/po/$$language.po $(top_srcdir)/po/spile.pot || exit; \
	done

check-po:
	@text=`$(extract_messages)` && printf '%s\n' "$$text" | cmp -s - $(top_srcdir)/po/spile.pot || \
		{ echo "po/spile.pot is stale: make update-po"; exit 1; }
	@for language in $(LINGUAS); do \
		$(MSGFMT) --check --output-file=/dev/null $(top_srcdir)/po/$$language.po || exit; \
	done

po-catalogues:
	@$(MKDIR_P) po
	@for language in $(LINGUAS); do \
		$(MSGFMT) --check --output-file=po/$$language.mo $(top_srcdir)/po/$$language.po || exit; \
	done

install-catalogues: po-catalogues
	@for language in $(LINGUAS); do \
		directory="$(DESTDIR)$(localedir)/$$language/LC_MESSAGES"; \
		$(MKDIR_P) "$$directory" && $(INSTALL_DATA) po/$$language.mo "$$directory/spile.mo" || exit; \
	done

uninstall-catalogues:
	@for language in $(LINGUAS); do \
		rm -f "$(DESTDIR)$(localedir)/$$language/LC_MESSAGES/spile.mo"; \
	done

MOSTLYCLEANFILES = $(LINGUAS:%=po/%.mo)
