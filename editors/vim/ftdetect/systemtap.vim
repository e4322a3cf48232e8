" SPDX-License-Identifier: GPL-2.0-or-later
" Vim takes *.stp for stored procedures of a database.
autocmd BufNewFile,BufRead *.stp,*.stpm set filetype=systemtap
