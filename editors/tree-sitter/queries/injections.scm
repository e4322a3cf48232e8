; SPDX-License-Identifier: GPL-2.0-or-later
; Embedded code is C.

((c_code) @injection.content
  (#set! injection.language "c"))
((comment) @injection.content
  (#set! injection.language "comment"))
