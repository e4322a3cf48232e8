// SPDX-License-Identifier: GPL-2.0-or-later
"use strict";
/*
 * The data of the page, as page_data.c writes them:
 *
 *	runs: [RUN] or [BEFORE, AFTER], data of each recording about its script and its hosts; with two, the page is a
 *		comparison. The member host of messages and of output is an index of the run's hosts, or -1
 *	hosts: names of the hosts of all runs; one, which may be empty, if no run has several
 *	kinds: names of the kinds of frames; quantiles: the shares that are estimated
 *	functions: [[name, kind, inlined, object, file]]
 *	globals: [{name, array, keys: ["number" | "string" | "stack"], names: of the keys, or null; values, unit,
 *		show, states, timeKey,
 *		columns: the values of each key, null for stacks; elements: for each run, the values, null if absent;
 *		hosts: the host of each element, null if there is only one;
 *		views: trees of stacks; series: for each run, earlier samples of each host that has them}]
 *
 * A value is an integer, {n: "digits"} if it needs more than 53 bits, a string, or statistics: [count, sum, min, max,
 * avg, variance, is_log, [[lower, upper, count]], quantiles], where the last three exist only for histograms.
 *
 * A tree has nodes in preorder: parent[node], function[node - 1] and line[node - 1] (0: unknown, -1: several). Node 0
 * is the root. leaf[i] is the node of element i.
 */

const COUNT = 0,
	SUM = 1,
	MIN = 2,
	MAX = 3,
	AVG = 4,
	VARIANCE = 5,
	IS_LOG = 6,
	BUCKETS = 7,
	QUANTILES = 8;
const NAME = 0,
	KIND = 1,
	INLINED = 2,
	OBJECT = 3,
	FILE = 4;

const data = JSON.parse(document.getElementById("data").textContent);
const isComparison = data.runs.length > 1;
const lastRun = data.runs.length - 1;
