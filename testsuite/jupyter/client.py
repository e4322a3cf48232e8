# SPDX-License-Identifier: GPL-2.0-or-later
"""A notebook without a screen: run cells with the kernel of editors/jupyter, and check what it answers.

    client.py RELEASE [TARGET]

The kernel "spile" is found through JUPYTER_PATH, stap through SPILE_STAP. TARGET is a guest ("unix:SOCKET") that has the
kernel RELEASE; without it, no script is run. Prints "ok - TITLE" or "FAIL - TITLE" and what was wrong for each check.
"""

import queue
import sys
import time

from jupyter_client.manager import KernelManager

release = sys.argv[1]
target = sys.argv[2] if len(sys.argv) > 2 else None
manager = KernelManager(kernel_name='spile')
manager.start_kernel()
client = manager.client()
client.start_channels()
client.wait_for_ready(timeout=60)


def execute(code, answer=None, when_running=None):
    """Run a cell. Return its reply, streams and displayed data. when_running is called at the first output."""
    result = {'stdout': '', 'stderr': '', 'data': []}

    def take(message):
        kind, content = message['msg_type'], message['content']
        if kind == 'stream':
            result[content['name']] += content['text']
            if when_running and not result.get('called'):
                result['called'] = True
                when_running()
        elif kind == 'display_data':
            result['data'].append(content['data'])

    reply = client.execute_interactive(code, timeout=120, output_hook=take, allow_stdin=answer is not None,
                                       stop_on_error=False, stdin_hook=lambda message: client.input(answer))
    return {**result, **reply['content']}


def check(title, is_right, found):
    print(('ok' if is_right else 'FAIL') + ' - ' + title)
    if not is_right:
        print('    ' + str(found).replace('\n', '\n    '))


def wait_for(request, kind):
    identifier = request
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        try:
            message = client.get_shell_msg(timeout=5)
        except queue.Empty:
            continue
        if message['parent_header'].get('msg_id') == identifier and message['msg_type'] == kind:
            return message['content']
    return {}


r = execute('')
check('an empty cell does nothing', r['status'] == 'ok' and not r['stdout'] + r['stderr'], r)
r = execute(f'%set -r {release}\n%set target {target or "unix:/none"}\n%show target')
check('settings are kept', r['status'] == 'ok' and (target or 'unix:/none') in r['stdout'], r)
r = execute('%set no-such 1')
check('a wrong setting is an error', r['status'] == 'error' and 'no-such' in r['stderr'], r)
r = execute('%set -g no-such 1\n\nprobe begin { println("ran") exit() }')
check('a script is not run with a setting that was refused',
      r['status'] == 'error' and 'ran' not in r['stdout'], r)
r = execute('%set target here', answer='no')
check('this machine needs a confirmation', r['status'] == 'error', r)
r = execute('%set target here')
check('without a user, there is no confirmation', r['status'] == 'error', r)
r = execute('# a comment\nprobe begin {\n\tprintln(strlne("x"))\n}')
check('an error names its place in the cell', r['status'] == 'error' and '3:' in r['stderr'] and
      'strlen' in r['stderr'], r)
r = execute('?strlen')
check('a question is answered', r['status'] == 'ok' and 'length' in r['stdout'], r)
r = execute('%sample hello-world-that-is-none')
check('a command that fails is an error', r['status'] == 'error', r)
r = execute('%add global added\n%list')
check('commands change the script', 'global added' in r['stdout'], r)
r = execute('%list')
check('the changed script stays', 'global added' in r['stdout'], r)
execute('%set -g\n%delete all\n%add function f() %{ %}')
r = execute('%list')
check('a script is checked with the settings', r['status'] == 'ok' and not r['stderr'], r)
execute('%set guru-mode off')

if target:
    r = execute('probe begin { println("hello from a cell") exit() }')
    check('a script runs in the guest', r['status'] == 'ok' and r['stdout'] == 'hello from a cell\n', r)
    r = execute('%run one two\nprobe begin { printf("%s %s\\n", @1, @2) exit() }')
    check('a script has arguments', r['stdout'] == 'one two\n', r)
    r = execute('%run three four')
    check('the last script runs again', r['stdout'] == 'three four\n', r)
    r = execute('global n\nprobe begin { n["a"] = 3 n["b"] = 7 exit() }')
    check('globals are a table', r['status'] == 'ok' and 'n[' in r['stdout'] and '7' in r['stdout'], r)
    r = execute('%set report page.html\nglobal n\nprobe begin { n["a"] = 3 exit() }')
    check('a report is displayed', r['status'] == 'ok' and len(r['data']) == 1 and
          'srcdoc=' in r['data'][0]['text/html'] and '&lt;html' in r['data'][0]['text/html'], r['status'])
    execute('%set report auto')

    r = execute('probe begin { println("waits") } probe end { println("ends") }', when_running=manager.interrupt_kernel)
    check('an interrupt ends the run', r['status'] == 'ok' and r['stdout'] == 'waits\nends\n', r)
    r = execute('probe begin { println("alive") exit() }')
    check('the session is alive after it', r['stdout'] == 'alive\n', r)

execute('%set -D MAXACTION=7 -D MAXNESTING=3 -G a=1 -G b=2')
text = '%set -w\nprobe begin { x = "ä😀" . sprin'
r = wait_for(client.complete(text, len(text)), 'complete_reply')
check('names are completed', 'sprintf' in ' '.join(r['matches']) and text[r['cursor_start']:] == 'sprin', r)
text = 'probe kernel.function("vfs_rea'
r = wait_for(client.complete(text, len(text)), 'complete_reply')
check('functions of the kernel are completed', 'vfs_read' in ' '.join(r['matches']), r)
r = wait_for(client.inspect('probe begin { strlen("x") }', 18), 'inspect_reply')
check('names are explained', r['found'] and 'strlen' in r['data']['text/plain'], r)
r = wait_for(client.inspect('probe begin { }', 13), 'inspect_reply')
check('a brace is not explained', not r['found'], r)

client.stop_channels()
manager.shutdown_kernel()
