# SPDX-License-Identifier: GPL-2.0-or-later
#
# The description of the module. Its code is the action plugin of the same name, which runs on the controller, because
# the hosts may lack Python.

DOCUMENTATION = r"""
---
module: bundle
short_description: Install or run a bundle of Spile
description:
  - Copies a bundle, the file that C(stap --bundle) makes, to a host, and runs it there.
  - The host needs a POSIX shell and programs such as cp and chmod, but no Python.
  - Only root can run a bundle; see C(become).
options:
  src:
    description: The bundle's file on the controller. Required unless I(state=absent).
    type: path
  dest:
    description:
      - The path on the host.
      - Without it, I(state=run) and I(state=facts) use a temporary file, which is removed.
      - With it, they install the bundle first, as I(state=present) does.
      - Required for I(state=present) and I(state=absent).
    type: str
  state:
    description:
      - C(run) runs the script until it ends, or for I(seconds).
      - C(facts) returns what C(TOOL --facts) prints.
      - C(present) only copies the file, if the host has none or another one.
      - C(absent) removes the file.
    choices: [run, facts, present, absent]
    default: run
    type: str
  arguments:
    description: Options of the bundle and of its script, and NAME=VALUE for globals.
    type: list
    elements: str
    default: []
  seconds:
    description: End the script after this time, as Ctrl-C does.
    type: int
  lines:
    description:
      - A file on the controller for the lines of JSON that C(TOOL -J) prints.
      - Without it, the result contains the text that the script prints.
    type: path
  interval:
    description: Seconds between snapshots of the globals in I(lines); 0 is only at the end.
    type: int
    default: 0
notes:
  - In check mode, I(state=run) is skipped. I(state=facts) works, except with a I(dest) that lacks this bundle.
author: The developers of Spile
"""

EXAMPLES = r"""
- name: Trace for a minute
  spile.fleet.bundle:
    src: opens
    seconds: 60
    arguments: [--top=20]
    lines: "results/{{ inventory_hostname }}.json"
  become: true

- name: Know the kernel
  spile.fleet.bundle:
    src: opens
    state: facts
  register: kernel
"""

RETURN = r"""
rc:
  description: The exit status of the bundle.
  returned: when it ran
  type: int
stdout:
  description: What the script printed, without I(lines).
  returned: when it ran
  type: str
stderr:
  description: Warnings and errors.
  returned: when it ran
  type: str
lines:
  description: The file with the lines of JSON.
  returned: with I(lines)
  type: str
facts:
  description: The members of C(TOOL --facts), among them C(module), which is null if the bundle has none for the kernel.
  returned: with I(state=facts)
  type: dict
"""
