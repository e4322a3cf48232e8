# Completions of shells. Each file is installed under the names of the programs that it serves.

EXTRA_DIST += completions/stap.bash completions/_stap completions/stap.fish

bash_completions = $(datadir)/bash-completion/completions
fish_completions = $(datadir)/fish/vendor_completions.d
zsh_completions = $(datadir)/zsh/site-functions

completed_programs = stap staprun stap-vm stap-report stap-profile-annotate stap-exporter

.PHONY: install-completions uninstall-completions
install-completions:
	$(MKDIR_P) "$(DESTDIR)$(bash_completions)" "$(DESTDIR)$(fish_completions)" "$(DESTDIR)$(zsh_completions)"
	for program in $(completed_programs); do \
		$(INSTALL_DATA) $(srcdir)/completions/stap.bash "$(DESTDIR)$(bash_completions)/$$program" && \
		$(INSTALL_DATA) $(srcdir)/completions/stap.fish "$(DESTDIR)$(fish_completions)/$$program.fish" || \
			exit 1; \
	done
	$(INSTALL_DATA) $(srcdir)/completions/_stap "$(DESTDIR)$(zsh_completions)/_stap"
uninstall-completions:
	for program in $(completed_programs); do \
		rm -f "$(DESTDIR)$(bash_completions)/$$program" "$(DESTDIR)$(fish_completions)/$$program.fish"; \
	done
	rm -f "$(DESTDIR)$(zsh_completions)/_stap"
