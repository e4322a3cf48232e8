// SPDX-License-Identifier: GPL-2.0-or-later
// The extension: it starts the language server, and has the commands of the server's lenses, which run a script in a
// guest. The server knows the options of a script (from its first lines and .spile.json), and passes them in the lenses.
import { mkdtemp, readFile, rm, unwatchFile, watchFile } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { CodeLensRequest, LanguageClient } from 'vscode-languageclient/node';
import { Report, Run, Settings } from './guest';

let client: LanguageClient | undefined;
let output: vscode.OutputChannel;
let current: Run | undefined;

function settings(): Settings & { options: string[]; reportSeconds: number } {
	const values = vscode.workspace.getConfiguration('spile');

	return {
		path: values.get('path', 'stap'),
		options: values.get('options', []),
		runOptions: values.get('runOptions', ['--remote=vm:']),
		reportSeconds: values.get('reportSeconds', 5),
	};
}

// ---- the server -----------------------------------------------------------------------------------------------------

function makeClient(): LanguageClient {
	const { path, options } = settings();

	return new LanguageClient('spile', 'Spile', { command: path, args: ['--language-server'] }, {
		documentSelector: [{ language: 'systemtap' }],
		initializationOptions: { options, codeLens: true },
		synchronize: {
			configurationSection: 'spile',
			fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.stp,*.stpm,.spile.json}'),
		},
	});
}

// ---- reports --------------------------------------------------------------------------------------------------------

async function show(panel: vscode.WebviewPanel, file: string): Promise<void> {
	panel.webview.html = await promisify(readFile)(file, 'utf8').catch(() => panel.webview.html);
}

/** Show a report in a panel while it is written. Return a function that shows it for the last time. */
function follow(report: Report, title: string): () => Promise<void> {
	const panel = vscode.window.createWebviewPanel('spile.report', title, vscode.ViewColumn.Beside,
		{ enableScripts: true });

	watchFile(report.file, { interval: 500 }, () => void show(panel, report.file));
	return async () => {
		unwatchFile(report.file);
		await show(panel, report.file);
	};
}

// ---- runs -----------------------------------------------------------------------------------------------------------

/** Return the options of a script: the second argument of its lenses. */
async function optionsOf(document: vscode.TextDocument): Promise<string[]> {
	const lenses = await client?.sendRequest(CodeLensRequest.type, { textDocument: { uri: document.uri.toString() } });

	return lenses?.[0]?.command?.arguments?.[1] ?? [];
}

/** Return the script of a command: that of a lens, or the one in the active editor. It is saved. */
async function scriptOf(uri?: string): Promise<vscode.TextDocument | undefined> {
	const document = uri ? await vscode.workspace.openTextDocument(vscode.Uri.parse(uri))
		: vscode.window.activeTextEditor?.document;

	return document && !document.isUntitled && (!document.isDirty || await document.save()) ? document : undefined;
}

/** Run a script, print what it prints, and let the user stop it. Return when it has ended. */
async function runScript(path: string, options: string[], report?: Report): Promise<void> {
	const run = current = new Run(settings(), options, path, (text) => output.append(text), report);

	await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title: `stap: ${path}`, cancellable: true },
		async (_progress, token) => {
			token.onCancellationRequested(() => run.stop());
			const status = await run.ended;

			output.appendLine(status === null ? 'stap was killed' : `stap ended with status ${status}`);
		});
}

async function runWithReport(path: string, options: string[]): Promise<void> {
	const directory = await promisify(mkdtemp)(join(tmpdir(), 'spile-'));
	const report = { file: join(directory, 'report.html'), seconds: settings().reportSeconds };
	const finish = follow(report, `Report: ${path}`);

	try {
		await runScript(path, options, report);
	} finally {
		await finish();
		await promisify(rm)(directory, { recursive: true });
	}
}

type Runner = (path: string, options: string[]) => Promise<void>;

async function command(run: Runner, uri?: string, options?: string[]): Promise<void> {
	const document = await scriptOf(uri);

	if (!document) {
		void vscode.window.showErrorMessage('Save the script first: stap runs files.');
		return;
	}
	if (current) {
		void vscode.window.showErrorMessage('A script is running already. Stop it first.');
		return;
	}
	output.clear();
	output.show(true);
	try {
		await run(document.uri.fsPath, options ?? await optionsOf(document));
	} catch (error) {
		void vscode.window.showErrorMessage(`Cannot run ${settings().path}: ${(error as Error).message}`);
	} finally {
		current = undefined;
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

export async function activate(context: vscode.ExtensionContext): Promise<void> {
	const register = (name: string, run: (...given: any[]) => unknown) =>
		context.subscriptions.push(vscode.commands.registerCommand(name, run));

	output = vscode.window.createOutputChannel('Spile');
	context.subscriptions.push(output);
	register('spile.runInGuest', (uri, options) => command(runScript, uri, options));
	register('spile.showReport', (uri, options) => command(runWithReport, uri, options));
	register('spile.stop', () => current?.stop());
	client = makeClient();
	await client.start();
}

export async function deactivate(): Promise<void> {
	current?.stop();
	await client?.stop();
}
