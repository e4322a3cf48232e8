// SPDX-License-Identifier: GPL-2.0-or-later
// Use stap-mcp with the official client of the Model Context Protocol, whose schemas check each message.
//
// Usage: node client.mjs DIRECTORY-OF-NODE-MODULES STAP-MCP KERNEL
import { createRequire } from 'node:module';
import assert from 'node:assert/strict';

const [directory, command, kernel] = process.argv.slice(2);
const require = createRequire(`${directory}/`);
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const client = new Client({ name: 'spile-test', version: '1' });
await client.connect(new StdioClientTransport({ command, env: process.env }));
const call = (name, args) => client.callTool({ name, arguments: args });

const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name),
	['list_probes', 'describe', 'check', 'run_in_guest', 'examples', 'report']);
await client.ping();

const probes = await call('list_probes', { pattern: 'kernel.function("vfs_read")', kernel });
assert.match(probes.content[0].text, /^kernel\.function\("vfs_read@fs\/read_write\.c:\d+"\)\n$/);
const problem = await call('check', { script: 'probe begin { println(nothing) }', kernel });
assert.equal(problem.isError, false);
assert.match(problem.structuredContent.output, /"errors":1/);
const run = await call('run_in_guest', { script: 'probe begin { println("hello") exit() }', kernel });
assert.equal(run.structuredContent.output, 'hello\n');
await assert.rejects(client.callTool({ name: 'run_on_host', arguments: {} }), /no such tool/);

// A call that is cancelled has no answer, and the next one works.
const abort = new AbortController();
const endless = client.callTool({ name: 'run_in_guest', arguments: { script: 'probe begin {}', kernel, seconds: 600 } },
	undefined, { signal: abort.signal });
setTimeout(() => abort.abort('enough'), 2000);
await assert.rejects(endless, /enough/);
assert.match((await call('describe', { name: 'execname', kernel })).content[0].text, /function execname:string/);
await client.close();
