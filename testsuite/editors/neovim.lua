-- SPDX-License-Identifier: GPL-2.0-or-later
-- Neovim as a client: the file type plugin starts the server, whose answers Neovim must understand. The environment has
-- SPILE_SCRIPT, a script whose third line calls strlne().
local function wait(what, condition)
  if not vim.wait(60000, condition, 50) then
    print('timeout: ' .. what)
    vim.cmd('cquit 1')
  end
end

local function check(what, condition)
  if not condition then
    print('failed: ' .. what)
    vim.cmd('cquit 1')
  end
end

local function ask(method, line, character, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = line, character = character },
  }, more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  local _, answer = next(answers or {})
  return answer and answer.result
end

vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.SPILE_SCRIPT))
check('the file type', vim.bo.filetype == 'systemtap')
check('the syntax', vim.b.current_syntax == 'systemtap')
wait('the client', function() return next(vim.lsp.buf_get_clients(0)) ~= nil end)
wait('the problem', function() return #vim.diagnostic.get(0) == 1 end)
check('its place', vim.diagnostic.get(0)[1].lnum == 2)

vim.api.nvim_buf_set_lines(0, 2, 3, false, { '\ttotal += strlen("é😀") + strlen("x")' })
wait('no problem', function() return #vim.diagnostic.get(0) == 0 end)
check('completion', #(ask('textDocument/completion', 3, 17).items) > 0)
check('hover', ask('textDocument/hover', 3, 17).contents.value:find('loff_t'))
check('definition', ask('textDocument/definition', 2, 2)[1].range.start.line == 0)
check('references', #ask('textDocument/references', 2, 2, { context = { includeDeclaration = true } }) == 2)
check('symbols', #ask('textDocument/documentSymbol', 0, 0) == 2)

vim.lsp.buf.rename('sum')
print('ok')
vim.cmd('qall!')
