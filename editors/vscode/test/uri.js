// SPDX-License-Identifier: GPL-2.0-or-later
// VS Code's class Uri, for files.
'use strict';
const { fileURLToPath, pathToFileURL } = require('node:url');

class URI {
	constructor(text) {
		this.text = text;
	}
	static parse(text) {
		return new URI(text);
	}
	static file(path) {
		return new URI(pathToFileURL(path).href);
	}
	get scheme() {
		return this.text.slice(0, this.text.indexOf(':'));
	}
	get fsPath() {
		return fileURLToPath(this.text);
	}
	get path() {
		return this.fsPath;
	}
	toString() {
		return this.text;
	}
}

module.exports = { URI };
