# SPDX-License-Identifier: GPL-2.0-or-later
"""Jupyter kernel for scripts of stap.

A cell is a script, which is run. Lines at its head that begin with "%" or "?" are commands of stap -i(1): "%set -r 6.1",
"%run ARGUMENT", "?$file". Settings last until the kernel ends. A cell of commands only is about the last script.

Everything is done by other programs. Each cell gets its own "stap -i", which is told the settings of earlier cells
again, so nothing of a failed or interrupted run remains. Completion and documentation come from one
"stap --language-server". SPILE_STAP is the stap to use, otherwise the one of PATH.
"""

import codecs
import html
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from ipykernel.kernelapp import IPKernelApp
from ipykernel.kernelbase import Kernel

STAP = os.environ.get('SPILE_STAP') or shutil.which('stap') or 'stap'
# Larger reports are not embedded in the notebook.
MOST_REPORT = 16 << 20

# The settings that matter for the language server, and their options.
SERVER_OPTIONS = {'kernel': '-r', 'guru-mode': '-g', 'limit': '-D', 'global': '-G', 'tapset': '-I', 'module': '-d'}
# What separates the values of a setting that may have several.
SEVERAL = {'limit': ', ', 'global': r', (?=\w+=)', 'tapset': ', ', 'module': ', '}
# Commands that change the script.
CHANGES = re.compile(r'(add|delete|load|sample|undo)\b')
# Targets other than guests must be confirmed.
CONFIRMED = re.compile(r'set\s+tar[a-z]*\s+(?!vm:|unix:|off\b)')


def split_cell(code):
    """Return the commands at the head of a cell, and the script after them, on its own lines."""
    commands = []
    lines = code.split('\n')
    for number, line in enumerate(lines):
        if re.match(r'%[a-z]', line):
            commands.append(line[1:].strip())
        elif line.startswith('?'):
            commands.append(line.strip())
        elif line.strip():
            return commands, '\n' * number + '\n'.join(lines[number:])
    return commands, ''


class Run:
    """One stap -i, with its output as it comes."""

    def __init__(self, lines):
        # Ctrl-C is passed on by interrupt(), only once.
        self.process = subprocess.Popen([STAP, '-i'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, start_new_session=True)
        self.parts = queue.Queue()
        self.open_streams = 2
        self.interrupts = 0
        for name in ('stdout', 'stderr'):
            threading.Thread(target=self._read, args=(name,), daemon=True).start()
        threading.Thread(target=self._write, args=(lines,), daemon=True).start()

    def _write(self, lines):
        try:
            self.process.stdin.write(''.join(line + '\n' for line in lines).encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    def _read(self, name):
        decoder = codecs.getincrementaldecoder('utf-8')('replace')
        pipe = getattr(self.process, name)
        while block := os.read(pipe.fileno(), 65536):
            self.parts.put((name, decoder.decode(block)))
        self.parts.put((name, decoder.decode(b'', True)))
        self.parts.put((name, None))

    def interrupt(self):
        """The first Ctrl-C ends the script, which prints its results. Further ones end stap."""
        self.interrupts += 1
        number = signal.SIGINT if self.interrupts == 1 else signal.SIGTERM
        try:
            self.process.send_signal(number)
        except ProcessLookupError:
            pass

    def outputs(self):
        """Yield (stream, text) until both streams end."""
        while self.open_streams:
            name, text = self.parts.get()
            if text is None:
                self.open_streams -= 1
            elif text:
                yield name, text

    def status(self):
        return self.process.wait()


class LanguageServer:
    """A client of stap --language-server, which has one document: the cell that is being edited."""

    def __init__(self, options):
        self.process = subprocess.Popen([STAP, '--language-server'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        self.last_id = 0
        self.version = 0
        self.uri = (Path.cwd() / 'cell.stp').as_uri()
        self.request('initialize', {'processId': os.getpid(), 'rootUri': None, 'capabilities': {},
                                    'initializationOptions': {'options': options}})
        self._send({'method': 'initialized', 'params': {}})

    def _send(self, message):
        body = json.dumps({'jsonrpc': '2.0', **message}).encode()
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n' % len(body) + body)
        self.process.stdin.flush()

    def _receive(self):
        length = 0
        while (line := self.process.stdout.readline()) != b'\r\n':
            if not line:
                raise EOFError('the language server ended')
            name, _, value = line.partition(b':')
            if name.lower() == b'content-length':
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.last_id += 1
        self._send({'id': self.last_id, 'method': method, 'params': params})
        while (message := self._receive()).get('id') != self.last_id or 'method' in message:
            pass
        return message.get('result')

    def ask(self, method, text, offset):
        """Ask about the place at an offset of a text."""
        document = {'uri': self.uri}
        self.version += 1
        if self.version == 1:
            self._send({'method': 'textDocument/didOpen', 'params': {
                'textDocument': {**document, 'languageId': 'systemtap', 'version': 1, 'text': text}}})
        else:
            self._send({'method': 'textDocument/didChange', 'params': {
                'textDocument': {**document, 'version': self.version}, 'contentChanges': [{'text': text}]}})
        before = text[:offset]
        position = {'line': before.count('\n'), 'character': utf16_length(before.rpartition('\n')[2])}
        return self.request(method, {'textDocument': document, 'position': position})

    def close(self):
        self.process.kill()
        self.process.wait()


def utf16_length(text):
    return len(text.encode('utf-16-le', 'surrogatepass')) // 2


def offset_of(text, position):
    """Return the offset of a position of the protocol."""
    lines = text.split('\n')
    line = lines[position['line']]
    offset = 0
    units = position['character']
    while offset < len(line) and units > 0:
        units -= utf16_length(line[offset])
        offset += 1
    return sum(len(before) + 1 for before in lines[:position['line']]) + offset


def blank_commands(code):
    """Replace the commands at the head of a cell by spaces, so that only the script remains, at its place."""
    _, script = split_cell(code)
    head = code[:len(code) - len(script.lstrip('\n'))]
    return re.sub(r'[^\n]', ' ', head) + code[len(head):]


class SpileKernel(Kernel):
    implementation = 'spile'
    implementation_version = '0.1'
    banner = 'Spile: a cell is a SystemTap script, which runs in a guest. %help lists commands.'
    language = 'systemtap'
    language_info = {'name': 'systemtap', 'mimetype': 'text/x-systemtap', 'file_extension': '.stp',
                     'pygments_lexer': 'c', 'codemirror_mode': 'clike'}
    help_links = []

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.settings = []  # lines for stap -i: "set ..." and confirmations
        self.values = {}  # of the settings
        self.script = ''
        self.server = None
        self.directory = tempfile.TemporaryDirectory(prefix='spile-jupyter-')

    # ---- cells ----

    def stream(self, name, text):
        self.send_response(self.iopub_socket, 'stream', {'name': name, 'text': text})

    def run_lines(self, lines, is_shown=True):
        """Run commands. Return the exit status, standard output and whether Ctrl-C was pressed."""
        run = Run(lines)
        kept = []
        outputs = run.outputs()
        while True:
            try:
                for name, text in outputs:
                    if name == 'stdout':
                        kept.append(text)
                    if is_shown or name == 'stderr':
                        self.stream(name, text)
                break
            except KeyboardInterrupt:
                run.interrupt()
                # The exception ended the generator; what it had not yielded is still in the queue.
                outputs = run.outputs()
        return run.status(), ''.join(kept), run.interrupts > 0

    def confirmation(self, command, can_ask):
        """The line after a command: an answer if it asks for one, otherwise an empty line."""
        if can_ask and CONFIRMED.match(command):
            return self.raw_input(f'{command}: scripts will run outside of a guest. Enter "yes" to confirm: ')
        return ''

    def change_settings(self, commands, can_ask):
        """Try new settings, and keep them if they are accepted."""
        lines = list(self.settings)
        for command in commands:
            lines += [command, self.confirmation(command, can_ask)]
        status, shown, _ = self.run_lines(lines + ['show'], is_shown=False)
        if status:
            return False
        self.settings = lines
        self.values = dict(re.findall(r'^  (\S+) +(.*?)  ', shown, re.MULTILINE))
        self.close_server()
        return True

    def loading(self):
        """The command that loads the script: after the settings, because it is checked when it is loaded."""
        if not self.script.strip():
            return []
        path = Path(self.directory.name) / 'cell.stp'
        path.write_text(self.script)
        return [f'load {path}']

    def take_script(self, path):
        """Commands have changed the script."""
        if path.exists():
            self.script = path.read_text(errors='replace')
            path.unlink()

    def show_report(self):
        name = self.values.get('report', 'auto')
        if not name.endswith('.html') or not os.path.exists(name) or os.path.getsize(name) > MOST_REPORT:
            return
        page = html.escape(Path(name).read_text(errors='replace'), quote=True)
        frame = f'<iframe sandbox="allow-scripts" style="width:100%;height:40em;border:0" srcdoc="{page}"></iframe>'
        self.send_response(self.iopub_socket, 'display_data', {
            'data': {'text/html': frame, 'text/plain': f'report: {name}'}, 'metadata': {}})

    def obey(self, code, can_ask):
        """Do what a cell says. Return the exit status."""
        commands, script = split_cell(code)
        settings = [command for command in commands if re.match(r'set\b', command)]
        others = [command for command in commands if command not in settings]
        if settings and not self.change_settings(settings, can_ask):
            return 1
        if script:
            self.script = script
        is_run = any(re.match(r'run\b', command) for command in others)
        if script and not is_run:
            others.append('run')
            is_run = True
        if not others:
            return 0
        saved = Path(self.directory.name) / 'script.stp'
        if any(CHANGES.match(command) for command in others):
            others.append(f'save {saved}')
        status, _, _ = self.run_lines(self.settings + self.loading() + others)
        self.take_script(saved)
        if is_run:
            self.show_report()
        return status

    def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **kwargs):
        name, value = '', ''
        self._allow_stdin = allow_stdin  # for raw_input()
        try:
            status = self.obey(code, allow_stdin)
            if status:
                name, value = 'Failed', f'stap -i ended with status {status}'
        except OSError as error:
            name, value = 'OSError', f'cannot run {STAP}: {error.strerror}'
            self.stream('stderr', value + '\n')
        reply = {'status': 'error' if name else 'ok', 'execution_count': self.execution_count}
        if not name:
            return {**reply, 'payload': [], 'user_expressions': {}}
        return {**reply, 'ename': name, 'evalue': value, 'traceback': []}

    # ---- completion and documentation ----

    def server_options(self):
        words = []
        for name, option in SERVER_OPTIONS.items():
            value = self.values.get(name, 'off')
            if value == 'on':
                words.append(option)
            elif value != 'off':
                for one in re.split(SEVERAL.get(name, '(?!)'), value):
                    words += [option, one]
        return words

    def close_server(self):
        if self.server:
            self.server.close()
            self.server = None

    def ask(self, method, code, offset):
        """Ask the language server. It is started again if it has ended."""
        text = blank_commands(code)
        for _ in range(2):
            try:
                self.server = self.server or LanguageServer(self.server_options())
                return self.server.ask(method, text, offset)
            except (OSError, EOFError, ValueError):
                self.close_server()
        return None

    def do_complete(self, code, cursor_pos):
        found = self.ask('textDocument/completion', code, cursor_pos) or {'items': []}
        matches = []
        start = cursor_pos
        for item in found['items']:
            edit = item.get('textEdit')
            if edit and not matches:
                start = offset_of(code, edit['range']['start'])
            matches.append(edit['newText'] if edit else item['label'])
        return {'status': 'ok', 'matches': matches, 'cursor_start': start, 'cursor_end': cursor_pos, 'metadata': {}}

    def do_inspect(self, code, cursor_pos, detail_level=0, omit_sections=()):
        # Right after a name, the name is meant.
        for offset in (cursor_pos, cursor_pos - 1):
            found = self.ask('textDocument/hover', code, offset) if offset >= 0 else None
            if found:
                text = found['contents']['value']
                return {'status': 'ok', 'found': True, 'metadata': {},
                        'data': {'text/plain': text, 'text/markdown': text}}
        return {'status': 'ok', 'found': False, 'data': {}, 'metadata': {}}

    def do_shutdown(self, restart):
        self.close_server()
        self.directory.cleanup()
        return {'status': 'ok', 'restart': restart}


if __name__ == '__main__':
    IPKernelApp.launch_instance(kernel_class=SpileKernel)
