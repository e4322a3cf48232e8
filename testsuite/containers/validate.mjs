// SPDX-License-Identifier: GPL-2.0-or-later
//
// Check documents in YAML by the schemas of Kubernetes, which the package kubernetes-models contains as code:
// node validate.mjs FILE, where the packages are installed beside it.
import * as apps from "kubernetes-models/apps/v1";
import * as core from "kubernetes-models/v1";
import { readFileSync } from "node:fs";
import { parseAllDocuments } from "yaml";

const kinds = { "v1": core, "apps/v1": apps };

let failed = false;
for (const document of parseAllDocuments(readFileSync(process.argv[2], "utf8"))) {
	const object = document.toJS();
	const Kind = (kinds[object.apiVersion] || {})[object.kind];

	try {
		if (!Kind)
			throw new Error(`unknown kind ${object.apiVersion} ${object.kind}`);
		new Kind(object).validate();
	} catch (error) {
		console.log(`${object.kind}: ${error.message}`);
		failed = true;
	}
}
process.exit(failed ? 1 : 0);
