// SPDX-License-Identifier: GPL-2.0-or-later
// Runs of scripts in a guest, by stap. Nothing here depends on the editor.
import { ChildProcess, spawn } from 'node:child_process';
import { basename, dirname } from 'node:path';

export interface Settings {
	path: string; // the program stap
	runOptions: string[]; // which guest
}

export interface Report {
	file: string;
	seconds: number; // until it is written again
}

/** Return the options of stap that run a script, which is in the current directory, with the options of the script. */
export function runOptions(settings: Settings, options: string[], script: string, report?: Report): string[] {
	const reportOptions = report ? [`--report=${report.file},${report.seconds}`] : [];

	return [...options, ...settings.runOptions, ...reportOptions, basename(script)];
}

/** A script that runs. Its output is passed on as it comes. */
export class Run {
	private readonly child: ChildProcess;
	/** The exit status; null after a signal. Rejected if stap cannot be started. */
	readonly ended: Promise<number | null>;

	constructor(settings: Settings, options: string[], script: string, print: (text: string) => void, report?: Report) {
		/* Options such as -I are relative to the script. */
		this.child = spawn(settings.path, runOptions(settings, options, script, report),
			{ cwd: dirname(script), stdio: ['ignore', 'pipe', 'pipe'] });
		for (const stream of [this.child.stdout, this.child.stderr])
			stream?.setEncoding('utf8').on('data', print);
		this.ended = new Promise((resolve, reject) => {
			this.child.on('error', reject);
			this.child.on('close', resolve);
		});
	}

	/** Let the script run its end probes and write its report. The second time, kill it. */
	stop(): void {
		this.child.kill(this.child.killed ? 'SIGKILL' : 'SIGINT');
	}
}
