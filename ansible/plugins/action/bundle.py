# SPDX-License-Identifier: GPL-2.0-or-later
#
# spile.fleet.bundle: copy a bundle to a host, run it, and write what it prints to a file here. plugins/modules/bundle.py
# describes the parameters.
#
# Everything runs on the controller. Scripts for the host's shell are sent through standard input, so no terminal mixes
# standard output and standard error there, and no quoting of arguments depends on the shell of the user.

import json
import os
import shlex

from ansible.errors import AnsibleActionFail, AnsibleActionSkip
from ansible.plugins.action import ActionBase
from ansible.utils.hashing import checksum as sha1_of

# Run "$@" in the background, so that the time limit and a lost connection can end it: SIGTERM ends a script like Ctrl-C.
# A second process watches the time, and must not keep the streams of this one open.
RUN = r"""
seconds=$1
shift
"$@" </dev/null &
tool=$!
trap 'kill -TERM $tool 2>/dev/null' HUP INT TERM
clock=
if [ -n "$seconds" ]; then
	(sleep "$seconds"; kill -TERM $tool) >/dev/null 2>&1 </dev/null &
	clock=$!
fi
wait $tool
status=$?
[ -z "$clock" ] || kill $clock 2>/dev/null
exit $status
"""

# Print the checksum of $1, and whether it is executable. A host that lacks sha1sum gets the file each time.
CHECKSUM = r"""sha1sum <"$1" 2>/dev/null | cut -d " " -f 1; test -x "$1" && echo executable; :"""

# Move $1 to $2 with the permissions of a program. The new file replaces the old one, which may be running.
INSTALL = r"""
case $2 in
*/*) ;;
*) set -- "$1" "./$2" ;;
esac
cp "$1" "$2.new.$$" && chmod 0755 "$2.new.$$" && mv -f "$2.new.$$" "$2" && exit
status=$?
rm -f "$2.new.$$"
exit $status
"""

PARAMETERS = {"src", "dest", "state", "arguments", "seconds", "lines", "interval"}
STATES = ("run", "facts", "present", "absent")


def number(value, name, least):
    """Return an argument as a number."""
    try:
        found = int(value)
    except (TypeError, ValueError):
        found = least - 1
    if found < least:
        raise AnsibleActionFail("%s must be a number of at least %d, not %r" % (name, least, value))
    return found


class ActionModule(ActionBase):
    TRANSFERS_FILES = True
    _supports_check_mode = True

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        self.read_parameters()
        try:
            getattr(self, "make_" + self.state)(result)
        finally:
            self._remove_tmp_path(self._connection._shell.tmpdir)
        return result

    # ---- parameters

    def read_parameters(self):
        given = self._task.args
        unknown = set(given) - PARAMETERS
        if unknown:
            raise AnsibleActionFail("unknown parameters: %s; there are %s" % (
                ", ".join(sorted(unknown)), ", ".join(sorted(PARAMETERS))))
        self.state = given.get("state", "run")
        if self.state not in STATES:
            raise AnsibleActionFail("state must be one of %s, not %r" % (", ".join(STATES), self.state))
        self.dest = given.get("dest")
        if not self.dest and self.state in ("present", "absent"):
            raise AnsibleActionFail("state=%s requires dest" % self.state)
        self.src = None
        if self.state != "absent":
            if not given.get("src"):
                raise AnsibleActionFail("state=%s requires src, the file that 'stap --bundle' has made" % self.state)
            self.src = self._find_needle("files", given["src"])
        self.read_run(given)

    def read_run(self, given):
        for name in ("arguments", "seconds", "lines", "interval"):
            if name in given and self.state != "run":
                raise AnsibleActionFail("%s is only for state=run" % name)
        arguments = given.get("arguments", [])
        if isinstance(arguments, str):
            raise AnsibleActionFail("arguments must be a list, such as [--top=5], not the text %r" % arguments)
        self.arguments = [str(argument) for argument in arguments]
        self.seconds = number(given["seconds"], "seconds", 1) if given.get("seconds") not in (None, "") else None
        self.lines = os.path.expanduser(given["lines"]) if given.get("lines") else None
        self.interval = number(given.get("interval", 0), "interval", 0)

    # ---- the host

    def shell(self, script, *words):
        """Run a script in the host's shell with these positional parameters."""
        command = "/bin/sh -s -- " + " ".join(shlex.quote(word) for word in words)
        # The shell reads commands from standard input, and what they run must not read the rest of them.
        return self._low_level_execute_command(command, sudoable=True, in_data=("{\n%s\n}\n" % script.strip()).encode())

    def must(self, what, script, *words):
        result = self.shell(script, *words)
        if result["rc"]:
            raise AnsibleActionFail("%s: %s" % (what, result["stderr"].strip() or "exit status %d" % result["rc"]))
        return result

    def upload(self):
        """Copy the bundle to a temporary file on the host. Return its path."""
        directory = self._connection._shell.tmpdir or self._make_tmp_path()
        path = self._connection._shell.join_path(directory, "bundle")
        self._transfer_file(self.src, path)
        self._fixup_perms2((directory, path))
        self.must("cannot make the bundle executable", 'chmod u+x "$1"', path)
        return path

    def is_current(self):
        found = self.shell(CHECKSUM, self.dest)["stdout"].split()
        return found == [sha1_of(self.src), "executable"]

    def install(self):
        """Install the bundle if it is missing or another one. Return whether anything has changed."""
        if self.is_current():
            return False
        if not self._task.check_mode:
            self.must("cannot install %s" % self.dest, INSTALL, self.upload(), self.dest)
        return True

    # ---- states

    def make_present(self, result):
        result["changed"] = self.install()

    def make_absent(self, result):
        result["changed"] = self.shell('test -e "$1" || test -L "$1"', self.dest)["rc"] == 0
        if result["changed"] and not self._task.check_mode:
            self.must("cannot remove %s" % self.dest, 'rm -f -- "$1"', self.dest)

    def place(self, result):
        """Return the path of the bundle on the host."""
        if not self.dest:
            return self.upload()
        result["changed"] = self.install()
        if result["changed"] and self._task.check_mode:
            raise AnsibleActionSkip("the bundle would be installed first")
        # A path without a directory would be looked up in PATH.
        return self.dest if "/" in self.dest else "./" + self.dest

    def make_facts(self, result):
        found = self.shell('"$1" --facts </dev/null', self.place(result))
        self.take_status(result, found)
        if result.get("failed"):
            return
        result["facts"] = json.loads(found["stdout"])

    def make_run(self, result):
        if self._task.check_mode:
            raise AnsibleActionSkip("scripts do not run in check mode")
        words = [self.place(result)] + (["-J", str(self.interval)] if self.lines else []) + self.arguments
        result["changed"] = True
        found = self.shell(RUN, str(self.seconds or ""), *words)
        self.take_status(result, found)
        if not self.lines:
            result["stdout"] = found["stdout"]
            result["stdout_lines"] = found["stdout"].splitlines()
        elif found["stdout"]:
            self.write_lines(found["stdout"])
            result["lines"] = self.lines

    def take_status(self, result, found):
        result["rc"] = found["rc"]
        result["stderr"] = found["stderr"]
        if found["rc"]:
            result["failed"] = True
            result["msg"] = found["stderr"].strip() or "the bundle has ended with status %d" % found["rc"]

    def write_lines(self, text):
        """Write the lines; a reader sees either the old or the new file."""
        new = "%s.new.%d" % (self.lines, os.getpid())
        try:
            with open(new, "w", encoding="utf-8", errors="surrogateescape") as out:
                out.write(text)
            os.replace(new, self.lines)
        except OSError as error:
            if os.path.exists(new):
                os.unlink(new)
            raise AnsibleActionFail("cannot write %s: %s" % (self.lines, error.strerror))
