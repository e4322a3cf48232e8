// SPDX-License-Identifier: GPL-2.0-or-later
// The compiled extension, with the library vscode-languageclient and the real server, in a VS Code that test/vscode.js
// stands for. The environment has SPILE_STAP (the program), SPILE_RELEASE (a kernel), and SPILE_REMOTE (a guest that
// runs). The grammar is tested by the library with which VS Code reads it.
'use strict';
const assert = require('node:assert/strict');
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { after, before, test } = require('node:test');

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...more) =>
	name === 'vscode' ? join(__dirname, 'vscode.js') : resolve(name, ...more);
const vscode = require('vscode');
const { registered, fire, printed, panels, errors, settings, TextDocument } = vscode.test;
const extension = require('../out/extension.js');

const directory = mkdtempSync(join(tmpdir(), 'spile-vscode-'));
const text = `# stap: -r ${process.env.SPILE_RELEASE}\nglobal count\n` +
	'probe begin { count["runs"]++; println("in a guest") exit() }\n' +
	'probe kernel.function("vfs_read") { println($file->f_pos) }\n';
const { token } = new vscode.CancellationTokenSource();
let document;

// Return what a provider of a kind returns.
const ask = (kind, method, ...given) =>
	registered[`register${kind}Provider`][0].find((one) => one?.[method])[method](...given);

before(async () => {
	settings['spile.path'] = process.env.SPILE_STAP;
	settings['spile.options'] = ['-w'];
	settings['spile.runOptions'] = [`--remote=${process.env.SPILE_REMOTE}`];
	document = new TextDocument(join(directory, 'script.stp'), text);
	writeFileSync(document.fileName, text);
	await extension.activate({ subscriptions: [] });
	vscode.workspace.textDocuments.push(document);
	await fire('onDidOpenTextDocument', document);
});

after(() => extension.deactivate());

test('completion', async () => {
	const list = await ask('CompletionItem', 'provideCompletionItems', document,
		new vscode.Position(3, text.split('\n')[3].indexOf('f_pos') + 2), token, { triggerKind: 0 });

	assert.ok(list.items.some((item) => item.label === 'f_pos'));
});

test('hover', async () => {
	const hover = await ask('Hover', 'provideHover', document,
		new vscode.Position(3, text.split('\n')[3].indexOf('f_pos') + 2), token);

	assert.match(JSON.stringify(hover), /loff_t/);
});

test('a run in a guest, from a lens', async () => {
	const lenses = await ask('CodeLens', 'provideCodeLenses', document, token);
	const { command } = lenses[0];

	assert.deepEqual(lenses.map((lens) => lens.command.command), ['spile.runInGuest', 'spile.showReport']);
	assert.deepEqual(command.arguments[1], ['-w', '-r', process.env.SPILE_RELEASE]);
	await vscode.commands.executeCommand(command.command, ...command.arguments);
	assert.deepEqual(errors, []);
	assert.match(printed.join(''), /in a guest\n[^]*stap ended with status 0\n/);
});

test('a report, from the command palette', async () => {
	vscode.window.activeTextEditor = { document };
	printed.length = 0;
	await vscode.commands.executeCommand('spile.showReport');
	assert.deepEqual(errors, []);
	assert.match(printed.join(''), /stap ended with status 0\n/);
	assert.equal(panels.length, 1);
	assert.match(panels[0].webview.html, /<html[^]*"runs"/);
});

test('a script that is not saved is not run', async () => {
	vscode.window.activeTextEditor = { document: { ...document, isUntitled: true } };
	await vscode.commands.executeCommand('spile.runInGuest');
	assert.match(errors.pop(), /Save the script/);
});

test('the problem matcher', () => {
	const [matcher] = require('../package.json').contributes.problemMatchers;
	const lines = ["semantic error: no function 'strlne' with 1 argument", '        at: /tmp/a b.stp:1:15'];
	const [[, severity, message], [, file, line, column]] =
		matcher.pattern.map(({ regexp }, i) => new RegExp(regexp).exec(lines[i]));

	assert.deepEqual([severity, message, file, line, column],
		['error', "no function 'strlne' with 1 argument", '/tmp/a b.stp', '1', '15']);
});

const scopeOf = {
	foreach: 'keyword.control',
	sprintdln: 'support.function',
	'@hist_log': 'keyword.operator.word',
	$file: 'variable.other',
	'@mine': 'entity.name.function.preprocessor',
	'0x1F': 'constant.numeric',
};

// Each word of the language has the scope of its list, and a file ends outside of strings, comments and embedded C.
test('the grammar', async () => {
	const oniguruma = require('vscode-oniguruma');
	const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');
	const file = join(__dirname, '../syntaxes/systemtap.tmLanguage.json');

	await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
	const registry = new Registry({
		onigLib: Promise.resolve({
			createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
			createOnigString: (one) => new oniguruma.OnigString(one),
		}),
		loadGrammar: async (scope) =>
			scope === 'source.systemtap' ? parseRawGrammar(readFileSync(file, 'utf8'), file) : null,
	});
	const grammar = await registry.loadGrammar('source.systemtap');
	const scopes = (line) => grammar.tokenizeLine(line, INITIAL).tokens.map((one) => one.scopes.at(-1));

	for (const [word, scope] of Object.entries(scopeOf))
		assert.deepEqual(scopes(word), [`${scope}.systemtap`], word);
	for (const script of process.env.SPILE_SCRIPTS.split('\n')) {
		let state = INITIAL;

		for (const line of readFileSync(script, 'utf8').split('\n'))
			state = grammar.tokenizeLine(line, state).ruleStack;
		assert.equal(state.depth, 1, script);
	}
});
