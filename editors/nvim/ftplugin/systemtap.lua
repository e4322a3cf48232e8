-- SPDX-License-Identifier: GPL-2.0-or-later
-- Start the language server for scripts of stap, once for each Neovim. vim.g.spile_options are options of stap, such as
-- { '-r', '6.1' }; vim.g.spile_no_server prevents the start.
if vim.g.spile_no_server or vim.fn.executable('stap') == 0 then
  return
end

local config = {
  name = 'spile',
  cmd = { 'stap', '--language-server' },
  root_dir = vim.fn.getcwd(),
  init_options = { options = vim.g.spile_options or {} },
}

if vim.lsp.start then
  vim.lsp.start(config)
else
  -- Before Neovim 0.8.
  vim.g.spile_client = vim.g.spile_client or vim.lsp.start_client(config)
  vim.lsp.buf_attach_client(0, vim.g.spile_client)
end
