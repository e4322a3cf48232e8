# Syntax files and settings for editors; included by the top Makefile.am. Those with the ending .in are filled with the
# words of the language from the parser.

word_lists = $(top_srcdir)/translator/lang/lexer.c $(top_srcdir)/translator/lang/parse_print.c \
	$(top_srcdir)/translator/lang/parse_expression.c
fill_words = LC_ALL=C $(AWK) -f $(top_srcdir)/editors/fill.awk

syntax_files = editors/vim/syntax/systemtap.vim editors/emacs/systemtap-mode.el editors/kate/systemtap.xml \
	editors/nano/systemtap.nanorc editors/bat/systemtap.sublime-syntax \
	editors/tree-sitter/queries/highlights.scm editors/vscode/syntaxes/systemtap.tmLanguage.json
EXTRA_DIST += editors/fill.awk $(syntax_files:=.in)
CLEANFILES += $(syntax_files)
all-local: $(syntax_files)

# The separator between words differs: the others are regular expressions.
editors/vim/syntax/systemtap.vim: separator = ' '
editors/emacs/systemtap-mode.el editors/tree-sitter/queries/highlights.scm: separator = '" "'
editors/kate/systemtap.xml editors/nano/systemtap.nanorc editors/bat/systemtap.sublime-syntax \
	editors/vscode/syntaxes/systemtap.tmLanguage.json: separator = '|'
$(syntax_files): editors/fill.awk $(syntax_files:=.in) $(word_lists)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
		$(fill_words) -v separator=$(separator) $(word_lists) $(top_srcdir)/$@.in >$@.new && mv $@.new $@

vimdir = $(datadir)/vim/vimfiles
vimsyntaxdir = $(vimdir)/syntax
nodist_vimsyntax_DATA = editors/vim/syntax/systemtap.vim
vimdetectdir = $(vimdir)/ftdetect
dist_vimdetect_DATA = editors/vim/ftdetect/systemtap.vim
vimplugindir = $(vimdir)/ftplugin
dist_vimplugin_DATA = editors/vim/ftplugin/systemtap.vim
# Neovim does not read Vim's directory.
nvimsyntaxdir = $(datadir)/nvim/site/syntax
nodist_nvimsyntax_DATA = editors/vim/syntax/systemtap.vim
nvimdetectdir = $(datadir)/nvim/site/ftdetect
dist_nvimdetect_DATA = editors/vim/ftdetect/systemtap.vim
nvimplugindir = $(datadir)/nvim/site/ftplugin
dist_nvimplugin_DATA = editors/vim/ftplugin/systemtap.vim editors/nvim/ftplugin/systemtap.lua
emacsdir = $(datadir)/emacs/site-lisp
nodist_emacs_DATA = editors/emacs/systemtap-mode.el
katedir = $(datadir)/org.kde.syntax-highlighting/syntax
nodist_kate_DATA = editors/kate/systemtap.xml
nanodir = $(datadir)/nano
nodist_nano_DATA = editors/nano/systemtap.nanorc
# bat has no directory for all users.
batdir = $(pkgdatadir)/editors/bat
nodist_bat_DATA = editors/bat/systemtap.sublime-syntax

# The parser is made from the grammar where it is used: tree-sitter's versions differ in what they read.
treesitterdir = $(pkgdatadir)/editors/tree-sitter
dist_treesitter_DATA = editors/tree-sitter/grammar.js editors/tree-sitter/tree-sitter.json
treesittersrcdir = $(treesitterdir)/src
dist_treesittersrc_DATA = editors/tree-sitter/src/scanner.c
treesitterqueriesdir = $(treesitterdir)/queries
dist_treesitterqueries_DATA = editors/tree-sitter/queries/injections.scm editors/tree-sitter/queries/locals.scm
nodist_treesitterqueries_DATA = editors/tree-sitter/queries/highlights.scm

# The kernel for Jupyter finds its program beside its description.
jupyterdir = $(datadir)/jupyter/kernels/spile
dist_jupyter_DATA = editors/jupyter/kernel.json editors/jupyter/spile_kernel.py

# The extension for VS Code is built by npm (editors/vscode/README.md), and not installed.
EXTRA_DIST += editors/vscode/.vscodeignore editors/vscode/README.md editors/vscode/language-configuration.json \
	editors/vscode/package.json editors/vscode/src editors/vscode/test editors/vscode/tsconfig.json
