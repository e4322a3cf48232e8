// SPDX-License-Identifier: GPL-2.0-or-later
// A client made of npm's vscode-languageserver-protocol, as VS Code has it. It checks what our plain client cannot: that
// the library understands every answer. Usage: node client.mjs DIRECTORY_OF_NODE_MODULES SERVER [OPTION...]
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const [modules, server, ...options] = process.argv.slice(2);
const lsp = createRequire(`${modules}/`)('vscode-languageserver-protocol/node');

const child = spawn(server, options, { stdio: ['pipe', 'pipe', 'inherit'] });
const exited = new Promise((resolve) => child.on('exit', resolve));
const connection = lsp.createProtocolConnection(
	new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));
const published = [];
let onPublished;
connection.onNotification(lsp.PublishDiagnosticsNotification.type, (params) => {
	published.push(params);
	onPublished?.();
});
connection.onError((error) => { throw error[0]; });
connection.listen();

// Return the next problems of a version of a document.
async function problems(version) {
	for (;;) {
		const found = published.find((params) => params.version === version);
		if (found)
			return found.diagnostics;
		await new Promise((resolve) => { onPublished = resolve; });
	}
}

const uri = 'file:///tmp/spile-client.stp';
const textDocument = { uri };
const text = 'global total # é😀\nprobe kernel.function("vfs_read") {\n' +
	'\ttotal += strlne("é😀")\n\tprintln($file->f_pos)\n}\n';

const initialized = await connection.sendRequest(lsp.InitializeRequest.type, {
	processId: process.pid, rootUri: null,
	capabilities: { textDocument: { completion: { completionItem: { snippetSupport: true } } } },
});
assert.equal(initialized.capabilities.positionEncoding, 'utf-16');
await connection.sendNotification(lsp.InitializedNotification.type, {});
await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, {
	textDocument: { uri, languageId: 'systemtap', version: 1, text },
});
const first = await problems(1);
assert.equal(first.length, 1);
assert.match(first[0].message, /strlne/);
assert.deepEqual(first[0].range, { start: { line: 2, character: 10 }, end: { line: 2, character: 16 } });

const actions = await connection.sendRequest(lsp.CodeActionRequest.type, {
	textDocument, range: first[0].range, context: { diagnostics: first },
});
assert.equal(actions[0].edit.changes[uri][0].newText, 'strlen');
await connection.sendNotification(lsp.DidChangeTextDocumentNotification.type, {
	textDocument: { uri, version: 2 },
	contentChanges: [{ range: actions[0].edit.changes[uri][0].range, text: 'strlen' }],
});
assert.deepEqual(await problems(2), []);

// Everything that is asked at once is answered in order.
const position = { line: 3, character: 17 };
const [hover, completion, symbols, folds, tokens, inlays, references, definition, signature, edits, rename] =
	await Promise.all([
		connection.sendRequest(lsp.HoverRequest.type, { textDocument, position }),
		connection.sendRequest(lsp.CompletionRequest.type, { textDocument, position }),
		connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument }),
		connection.sendRequest(lsp.FoldingRangeRequest.type, { textDocument }),
		connection.sendRequest(lsp.SemanticTokensRequest.type, { textDocument }),
		connection.sendRequest(lsp.InlayHintRequest.type, {
			textDocument, range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } },
		}),
		connection.sendRequest(lsp.ReferencesRequest.type, {
			textDocument, position: { line: 0, character: 8 }, context: { includeDeclaration: true },
		}),
		connection.sendRequest(lsp.DefinitionRequest.type, {
			textDocument, position: { line: 2, character: 3 },
		}),
		connection.sendRequest(lsp.SignatureHelpRequest.type, {
			textDocument, position: { line: 2, character: 17 },
		}),
		connection.sendRequest(lsp.DocumentFormattingRequest.type, {
			textDocument, options: { tabSize: 8, insertSpaces: false },
		}),
		connection.sendRequest(lsp.RenameRequest.type, {
			textDocument, position: { line: 0, character: 8 }, newName: 'sum',
		}),
	]);
assert.match(hover.contents.value, /loff_t/);
assert.ok(completion.items.some((item) => item.label === 'f_pos'));
assert.deepEqual(symbols.map((symbol) => symbol.name), ['total', 'kernel.function("vfs_read")']);
assert.ok(folds.length > 0 && tokens.data.length % 5 === 0 && tokens.data.length > 0 && inlays.length > 0);
assert.equal(references.length, 2);
assert.equal(definition[0].range.start.line, 0);
assert.match(signature.signatures[0].label, /^strlen/);
assert.deepEqual(edits, []);
assert.equal(rename.changes[uri].length, 2);

// The library cancels by its own token.
const source = new lsp.CancellationTokenSource();
const cancelled = connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument }, source.token);
source.cancel();
await cancelled.catch((error) => assert.equal(error.code, lsp.LSPErrorCodes.RequestCancelled));

await connection.sendRequest(lsp.ShutdownRequest.type);
await connection.sendNotification(lsp.ExitNotification.type);
assert.equal(await exited, 0);
