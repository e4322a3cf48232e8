" SPDX-License-Identifier: GPL-2.0-or-later
" Settings for scripts of stap.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=s1:/*,mb:*,ex:*/,://,:#
setlocal commentstring=#\ %s
setlocal noexpandtab shiftwidth=8 tabstop=8
setlocal formatprg=stap\ --format-script\ -
setlocal makeprg=stap\ --check\ %:S
" The place of an error follows its text.
setlocal errorformat=%E%\\w%\\+\ error:\ %m,%W%\\wARNING:\ %m,%Z%\\s%#at:\ %f:%l:%c

let b:undo_ftplugin = "setlocal comments< commentstring< expandtab< shiftwidth< tabstop< formatprg< makeprg< errorformat<"
