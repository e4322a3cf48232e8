// SPDX-License-Identifier: GPL-2.0-or-later
// The part of VS Code's module "vscode" that the extension and the library vscode-languageclient use, so that tests run
// in Node alone. Providers that the library registers are in `registered`, and `fire` sends an event to its listeners.
'use strict';
const { URI } = require('./uri.js');

const registered = {}, listeners = {}, commands = {}, printed = [], panels = [], errors = [];
class Disposable {
	constructor(dispose) {
		this.dispose = dispose ?? (() => {});
	}
	static from(...all) {
		return new Disposable(() => all.forEach((one) => one.dispose()));
	}
}

const disposable = () => new Disposable();
const event = (name) => (listener, self) => {
	(listeners[name] ??= []).push(listener.bind(self));
	return disposable();
};
const fire = (name, value) => Promise.all((listeners[name] ?? []).map((listener) => listener(value)));

// Return a class whose constructor keeps its parameters as members with these names.
const record = (...names) => class {
	constructor(...given) {
		names.forEach((name, i) => this[name] = given[i]);
	}
};

const Position = record('line', 'character');
const Diagnostic = record('range', 'message', 'severity');
const CompletionItem = record('label');
const CompletionList = record('items', 'isIncomplete');
const CodeLens = record('range', 'command');
const Hover = record('contents', 'range');
const MarkdownString = record('value');

class Range {
	constructor(start, end, endLine, endCharacter) {
		const isNumbers = typeof start === 'number';

		this.start = isNumbers ? new Position(start, end) : start;
		this.end = isNumbers ? new Position(endLine, endCharacter) : end;
	}
}

class CodeActionKind {
	constructor(value) {
		this.value = value;
	}
	append(part) {
		return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
	}
}
CodeActionKind.Empty = new CodeActionKind('');

class EventEmitter {
	constructor() {
		this.found = [];
		this.event = (listener, self) => {
			this.found.push(listener.bind(self));
			return disposable();
		};
	}
	fire(value) {
		this.found.forEach((listener) => listener(value));
	}
	dispose() {}
}

class CancellationTokenSource {
	constructor() {
		const emitter = new EventEmitter();

		this.token = { isCancellationRequested: false, onCancellationRequested: emitter.event };
		this.cancel = () => {
			this.token.isCancellationRequested = true;
			emitter.fire();
		};
	}
	dispose() {}
}

class TextDocument {
	constructor(file, text) {
		Object.assign(this, { uri: URI.file(file), fileName: file, languageId: 'systemtap', version: 1, text,
			isDirty: false, isUntitled: false, isClosed: false });
	}
	getText() {
		return this.text;
	}
	get lineCount() {
		return this.text.split('\n').length;
	}
}

// Anything else is a class without members, which is enough for what is only derived from or compared.
const others = (known) => new Proxy(known, {
	get: (target, name) => target[name] ??= typeof name === 'string' && /^[A-Z]/.test(name) ? class {} : undefined,
	has: () => true,
});

// A namespace: what registers something keeps it, and what begins with "on" is an event.
const namespace = (known) => new Proxy(known, {
	get(target, name) {
		if (name in target || typeof name !== 'string')
			return target[name];
		if (name.startsWith('on'))
			return event(name);
		return (...given) => {
			(registered[name] ??= []).push(given);
			return disposable();
		};
	},
});

const collection = new Map();
const settings = {};

// The settings of a section. The library gets a whole section as a member of all settings.
const configuration = (section) => ({
	get: (name, otherwise) => (section ? settings[`${section}.${name}`] : ownSettings(name)) ?? otherwise,
});

const workspace = namespace({
	textDocuments: [],
	workspaceFolders: undefined,
	isTrusted: true,
	getConfiguration: configuration,
	createFileSystemWatcher: () => ({ onDidCreate: event('create'), onDidChange: event('change'),
		onDidDelete: event('delete'), dispose() {} }),
	openTextDocument: async (uri) => workspace.textDocuments.find((one) => one.uri.toString() === uri.toString()),
	getWorkspaceFolder: () => undefined,
});

function ownSettings(section) {
	return Object.fromEntries(Object.entries(settings).filter(([name]) => name.startsWith(`${section}.`))
		.map(([name, value]) => [name.slice(section.length + 1), value]));
}

const channel = () => ({ append: (text) => printed.push(text), appendLine: (text) => printed.push(`${text}\n`),
	clear() {}, show() {}, dispose() {} });

const window = namespace({
	activeTextEditor: undefined,
	visibleTextEditors: [],
	tabGroups: { all: [], onDidChangeTabs: event('tabs'), onDidChangeTabGroups: event('groups') },
	createOutputChannel: channel,
	createWebviewPanel: (type, title) => {
		const panel = { title, webview: { html: '' }, onDidDispose: event('dispose'), dispose() {} };

		panels.push(panel);
		return panel;
	},
	showErrorMessage: async (text) => void errors.push(text),
	withProgress: (options, run) => run({ report() {} }, new CancellationTokenSource().token),
});

const languages = namespace({
	match: (selector, document) => document.languageId === 'systemtap' ? 10 : 0,
	createDiagnosticCollection: () => ({
		set: (uri, found) => collection.set(uri.toString(), found ?? []),
		delete: (uri) => collection.delete(uri.toString()),
		get: (uri) => collection.get(uri.toString()),
		clear: () => collection.clear(),
		dispose() {},
	}),
});

module.exports = others({
	Disposable, Position, Range, Diagnostic, CompletionItem, CompletionList, CodeLens, CodeActionKind, Hover,
	MarkdownString, EventEmitter, CancellationTokenSource,
	Uri: URI,
	version: '1.82.0',
	env: { language: 'en', appName: 'test' },
	workspace, window, languages,
	commands: {
		registerCommand: (name, run) => {
			commands[name] = run;
			return disposable();
		},
		executeCommand: (name, ...given) => commands[name](...given),
	},
	extensions: { getExtension: () => undefined },
	DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
	ViewColumn: { Beside: -2 },
	ProgressLocation: { Notification: 15 },
	// For tests.
	test: { registered, fire, printed, panels, errors, settings, TextDocument },
});
