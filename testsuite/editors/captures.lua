-- SPDX-License-Identifier: GPL-2.0-or-later
-- Run by Neovim, with the grammar for tree-sitter in its runtime path: print the captures of the query SPILE_QUERY in
-- SPILE_SCRIPT, one per line: number of the line, name, text.

local function print_captures()
  vim.cmd('edit ' .. vim.env.SPILE_SCRIPT)
  local treesitter = vim.treesitter
  local get_query = treesitter.query.get or treesitter.query.get_query
  local get_text = treesitter.get_node_text or treesitter.query.get_node_text
  local root = treesitter.get_parser(0, 'systemtap'):parse()[1]:root()
  local query = get_query('systemtap', vim.env.SPILE_QUERY)
  for id, node in query:iter_captures(root, 0, 0, -1) do
    local text = get_text(node, 0)
    if not text:find('\n') then
      io.stdout:write(node:range() .. ' ' .. query.captures[id] .. ' ' .. text .. '\n')
    end
  end
end

local ok, message = pcall(print_captures)
if not ok then
  io.stderr:write(message, '\n')
  vim.cmd('cquit')
end
vim.cmd('quit!')
