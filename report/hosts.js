// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Select one of several hosts, their sums, or all of them with the host as the first key. Each choice makes new globals
 * in the form of data.js from those of the page, so the views need not handle hosts.
 */

const HOSTS_SUMMED = "summed",
	HOSTS_EACH = "each";

/* Return the global with these rows only; `columns`, `elements` and `leaf` may be other values than those. */
function withRows(global, rows, elements) {
	const pick = (list) => rows.map((row) => list[row]);
	return {
		...global,
		columns: global.columns.map((column) => column && pick(column)),
		elements: elements || global.elements.map(pick),
		views: global.views.map((view) => ({ ...view, leaf: pick(view.leaf) })),
		hosts: pick(global.hosts),
	};
}

function ofHost(global, host) {
	const rows = global.hosts.map((_, row) => row).filter((row) => global.hosts[row] === host);
	const series = global.series.map((list) => list.filter((series) => series.host === host));
	return { ...withRows(global, rows), series };
}

/* Return the global with the host as its first key. */
function withHostKey(global) {
	const withHost = (series) => ({
		...series,
		rows: series.rows.map((row) => ({ ...row, keys: [data.hosts[series.host], ...row.keys] })),
	});
	return {
		...global,
		array: true,
		hasHostKey: true,
		keys: ["string", ...global.keys],
		names: ["host", ...global.names],
		columns: [global.hosts.map((host) => data.hosts[host]), ...global.columns],
		views: global.views.map((view) => ({ ...view, key: view.key < 0 ? view.key : view.key + 1 })),
		series: global.series.map((list) => list.map(withHost)),
		timeKey: global.timeKey && [global.timeKey[0] + 1, global.timeKey[1]],
	};
}

/* ---- sums -------------------------------------------------------------------------------------------------------- */

/* Estimate a quantile as statistics_quantile() in analysis.c does. Return null if it is not known. */
function estimateQuantile(buckets, least, most, share) {
	const total = buckets.reduce((sum, bucket) => sum + Number(exact(bucket[2])), 0);
	let before = 0;
	for (const [lower, upper, number] of buckets) {
		const count = Number(exact(number));
		if (!count || before + count < share * total) {
			before += count;
			continue;
		}
		if (lower === null || upper === null) return null;
		const from = Math.max(Number(exact(lower)), least ?? -Infinity),
			to = Math.min(Number(exact(upper)) - 1, most ?? Infinity);
		return from + (Math.max(to, from) - from) * ((share * total - before) / count);
	}
	return null;
}

/* Divide as the runtime does: towards zero. */
function quotient(sum, count) {
	if (!count) return null;
	const result = BigInt(sum) / BigInt(count);
	return Number.isSafeInteger(Number(result)) ? Number(result) : result;
}

/* Sum statistics of several hosts. The variance is not known; quantiles are estimated again. */
function sumStatistics(list) {
	const all = (member) => list.map((value) => exact(value[member])).filter((value) => value !== null);
	const count = all(COUNT).reduce(add, 0),
		sum = all(SUM).reduce(add, 0);
	const least = all(MIN).reduce((a, b) => (a === null || b < a ? b : a), null),
		most = all(MAX).reduce((a, b) => (a === null || b > a ? b : a), null);
	const result = [count, sum, least, most, least === null ? null : quotient(sum, count), null];
	const histograms = list.filter((value) => value.length > BUCKETS);
	if (!histograms.length) return result;
	const buckets = joinBuckets(histograms.map((value) => value[BUCKETS])).map(([lower, upper, counts]) => [
		lower,
		upper,
		counts.reduce(add, 0),
	]);
	const estimates = data.quantiles.map((share) =>
		estimateQuantile(
			buckets,
			least === null ? null : Number(least),
			most === null ? null : Number(most),
			share,
		),
	);
	return [...result, histograms[0][IS_LOG], buckets, estimates];
}

function sumValues(global, values) {
	const present = values.filter((value) => value !== null);
	if (present.length < 2) return present.length ? present[0] : null;
	return global.values === "statistics" ? sumStatistics(present) : present.map(exact).reduce(add);
}

/* Return the global with the elements of all hosts that have the same keys summed. Strings have no sum. */
function summed(global) {
	const groups = new Map();
	global.hosts.forEach((_, row) => {
		const keys = global.columns.map((column) => column && column[row]);
		const leaves = global.views.map((view) => view.leaf[row]);
		const name = JSON.stringify([keys, leaves]);
		if (!groups.has(name)) groups.set(name, []);
		groups.get(name).push(row);
	});
	const rows = [...groups.values()];
	const elements = global.elements.map((values) =>
		rows.map((group) =>
			sumValues(
				global,
				group.map((row) => values[row]),
			),
		),
	);
	const result = withRows(
		global,
		rows.map((group) => group[0]),
		elements,
	);
	return { ...result, series: withHostKey(global).series };
}

/* Return the globals of a choice: a number of data.hosts, HOSTS_SUMMED or HOSTS_EACH. */
function globalsOf(choice) {
	if (data.hosts.length < 2) return data.globals;
	return data.globals
		.map((global) => {
			if (choice !== HOSTS_SUMMED && choice !== HOSTS_EACH) return ofHost(global, Number(choice));
			return choice === HOSTS_EACH || global.values === "string"
				? withHostKey(global)
				: summed(global);
		})
		.filter((global) => global.array || global.elements.some((values) => values.length));
}
