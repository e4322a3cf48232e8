; SPDX-License-Identifier: GPL-2.0-or-later
; Names and where they are visible: those of a probe or function in it, globals, functions and macros everywhere. What
; is assigned in a probe or function is a local variable, unless it is the name of a global.

(script) @local.scope
(probe) @local.scope
(alias) @local.scope
(function) @local.scope
(macro) @local.scope

((function name: (identifier) @local.definition.function)
  (#set! definition.function.scope "parent"))
((macro name: (identifier) @local.definition.macro)
  (#set! definition.macro.scope "parent"))
(global name: (identifier) @local.definition.var)
(parameter name: (identifier) @local.definition.parameter)
(macro parameter: (identifier) @local.definition.parameter)
(foreach_statement value: (identifier) @local.definition.var)
(foreach_statement key: (identifier) @local.definition.var)
(try_statement message: (identifier) @local.definition.var)
(assignment_expression left: (identifier) @local.definition.var)

(identifier) @local.reference
