// SPDX-License-Identifier: GPL-2.0-or-later
/* The section of each global: select the views that are possible for its type and its keys, and make their data. */

/* Name a stack by the kinds of its functions: kernel, user, or both. */
function stackLabel(global, key) {
	const view = global.views.find((candidate) => candidate.key === key);
	const kinds = new Set(view.function.map((number) => data.kinds[data.functions[number][KIND]]));
	const isKernel = kinds.has("kernel") || kinds.has("module");
	const isUser = kinds.has("program") || kinds.has("library") || kinds.has("jit");
	return isKernel === isUser ? "stack" : isKernel ? "kernel stack" : "user stack";
}

/* Name a key by its kind, with a number if several have the same name. */
function keyLabel(global, key) {
	if (global.hasHostKey && key === 0) return "host";
	const names = global.keys.map((kind, i) =>
		kind === "stack" ? stackLabel(global, i) : global.names[i] || kind,
	);
	if (global.hasHostKey) names[0] = "host";
	const same = names.map((name, i) => (name === names[key] ? i : -1)).filter((i) => i >= 0);
	return same.length > 1 ? `${names[key]} ${same.indexOf(key) + 1}` : names[key];
}

function signature(global) {
	const names = global.keys.map((kind, i) => global.names[i] || kind);
	const keys = names.length ? "[" + names.join(", ") + "]" : "";
	return global.name + keys + " : " + global.values + (global.unit ? " (" + global.unit + ")" : "");
}

/* Return the text of an element's key; for a stack, its innermost frames. */
function keyText(global, key, row) {
	if (global.keys[key] !== "stack")
		return typeof global.columns[key][row] === "string"
			? global.columns[key][row]
			: String(exact(global.columns[key][row]));
	return stackNames(global, key, row, 6).join(" \u2190 ");
}

function stackNames(global, key, row, most) {
	const view = global.views.find((candidate) => candidate.key === key),
		names = [];
	for (let node = view.leaf[row]; node && names.length < most; node = view.parent[node])
		names.push(data.functions[view.function[node - 1]][NAME]);
	return names.length ? names : ["(empty)"];
}

/* Return the number that orders elements: the value itself, or a member of statistics. */
function measureOf(global, run, row, member) {
	const value = global.elements[run][row];
	if (value === null || value === undefined) return null;
	return exact(global.values === "statistics" ? value[member] : value);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

function keyColumns(global) {
	return global.keys.map((kind, key) => ({
		label: keyLabel(global, key),
		isNumber: kind === "number",
		value: (row) => (kind === "stack" ? keyText(global, key, row) : exact(global.columns[key][row])),
		text: (row) => keyText(global, key, row),
		title_of: kind === "stack" ? (row) => inLine(stackNames(global, key, row, 200).join(" \u2190 ")) : null,
	}));
}

/* Make a column of numbers of a run. */
function numberColumn(global, run, label, member, sums, withBar) {
	const unit = member === COUNT ? "count" : global.unit;
	const value = (row) => measureOf(global, run, row, member);
	let most = 0;
	for (let row = 0; withBar && row < global.elements[run].length; row++)
		most = Math.max(most, Math.abs(Number(value(row) || 0)));
	return {
		label,
		isNumber: true,
		value,
		text: (row) => (value(row) === null ? "\u2013" : short(value(row), unit)),
		title_of: (row) => full(value(row), unit),
		sums: sums
			? (rows) =>
					short(
						rows.map(value).reduce((a, b) => (b === null ? a : add(a, b)), 0),
						unit,
					)
			: null,
		bar: withBar && most ? (row) => Math.abs(Number(value(row) || 0)) / most : null,
	};
}

function quantileColumn(global, run, i) {
	const value = (row) => {
		const element = global.elements[run][row];
		return element && element.length > QUANTILES ? element[QUANTILES][i] : null;
	};
	return {
		label: "\u2248" + quantileName(data.quantiles[i]),
		isNumber: true,
		value,
		title: "estimated from the buckets",
		text: (row) => (value(row) === null ? "\u2013" : short(value(row), global.unit)),
	};
}

function stringColumn(global, run, label) {
	const value = (row) => global.elements[run][row];
	return { label, value, text: (row) => (value(row) === null ? "\u2013" : value(row)) };
}

/* Make the columns that compare a number in two runs. Means are not summed. */
function comparedColumns(global, member, prefix) {
	const [before, after] = [0, 1].map((run) => (row) => measureOf(global, run, row, member));
	const isIn = (run, row) => global.elements[run][row] !== null;
	const difference = (row) => subtract(after(row) ?? 0, before(row) ?? 0);
	const tone = (row) => (difference(row) > 0 ? "grew" : difference(row) < 0 ? "shrank" : null);
	const text = (row) => {
		if (!isIn(0, row) || !isIn(1, row)) return isIn(0, row) ? "gone" : "new";
		return before(row) === null || after(row) === null
			? "\u2013"
			: change(before(row), after(row), global.unit);
	};
	const sums = (rows) => short(rows.map(difference).reduce(add, 0), global.unit);
	return [
		numberColumn(global, 0, prefix + "before", member, member === null),
		numberColumn(global, 1, prefix + "after", member, member === null),
		{
			label: "change in %",
			isNumber: true,
			value: (row) => (before(row) ? Number(difference(row)) / Math.abs(Number(before(row))) : null),
			text: (row) => changeShare(before(row), after(row)),
			tone,
		},
		{
			label: "change",
			isNumber: true,
			value: (row) => absolute(difference(row)),
			tone,
			text,
			sums: member === null ? sums : null,
		},
	];
}

function absolute(value) {
	return value < 0 ? -value : value;
}

function valueColumns(global) {
	if (global.values === "string")
		return data.runs.map((_, run) =>
			stringColumn(global, run, isComparison ? ["before", "after"][run] : "value"),
		);
	if (isComparison && global.values === "statistics")
		return [
			numberColumn(global, 0, "count before", COUNT, true),
			numberColumn(global, 1, "count after", COUNT, true),
			...comparedColumns(global, AVG, "mean "),
		];
	if (isComparison) return comparedColumns(global, null, "");
	if (global.values === "number") return [numberColumn(global, 0, "value", null, true, true)];
	const hasHistograms = global.elements[0].some((value) => value && value.length > QUANTILES);
	return [
		numberColumn(global, 0, "min", MIN),
		numberColumn(global, 0, "mean", AVG),
		numberColumn(global, 0, "max", MAX),
		...(hasHistograms ? [0, 1, 2].map((i) => quantileColumn(global, 0, i)) : []),
		numberColumn(global, 0, "sum", SUM, true),
		numberColumn(global, 0, "count", COUNT, true, true),
	];
}

/* Make the table of an array. For statistics, a chosen row shows its histogram. */
function makeTableView(global) {
	const columns = keyColumns(global).concat(valueColumns(global)),
		count = global.elements[lastRun].length;
	if (global.values !== "statistics") return new Table(columns, count).element;
	const detail = make("div", {});
	const show = (row) => {
		const values = global.elements.map((run) => run[row]);
		clear(detail).append(
			make("h3", {}, global.keys.map((_, key) => keyText(global, key, row)).join(", ")),
			makeHistogram(values, global.unit),
		);
		drawNow(detail);
	};
	const table = new Table(columns, count, { choose: show });
	if (count) {
		const [first] = table.split()[0];
		table.choose(first);
	}
	return make("div", {}, table.element, detail);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

/* Return the increase per second between successive points; a counter that fell was reset. */
function perSecond(points) {
	return points
		.map(([time, value], i) => {
			const [before, last] = i ? points[i - 1] : [0, null];
			if (value === null || last === null || time <= before) return [time, null];
			const increase = Number(value) >= Number(last) ? Number(subtract(value, last)) : Number(value);
			return [time, increase / (time - before)];
		})
		.slice(1);
}

/* Return the mean of the values between successive samples of statistics. */
function meansBetween(times, values) {
	return times.map((time, i) => {
		const now = values[i],
			before = i ? values[i - 1] : null;
		if (!now) return [time, null];
		const wasReset = !before || Number(exact(now[COUNT])) < Number(exact(before[COUNT]));
		const count = Number(exact(now[COUNT])) - (wasReset ? 0 : Number(exact(before[COUNT])));
		const sum = Number(wasReset ? exact(now[SUM]) : subtract(exact(now[SUM]), exact(before[SUM])));
		return [time, count > 0 ? sum / count : null];
	});
}

function seriesName(global, row, run) {
	const keys = row.keys.map((key) => (typeof key === "string" ? key : String(exact(key)))).join(", ");
	return [keys || global.name, isComparison ? ["before", "after"][run] : ""].filter((part) => part).join(", ");
}

/* Return [name, unit, lines] for each way to show samples. In a comparison, times count from each start. */
function seriesChoices(global) {
	const rows = global.series.flatMap((list, run) =>
		list.flatMap((series) => series.rows.map((row) => ({ row, run, series }))),
	);
	const lines = (points) =>
		rows.map(({ row, run, series }) => ({
			name: seriesName(global, row, run),
			points: points(
				series.times.map((time) => time - (isComparison ? series.times[0] : 0)),
				row.values,
			),
		}));
	const member = (i) => (times, values) =>
		times.map((time, at) => [
			time,
			values[at] === null ? null : exact(i === null ? values[at] : values[at][i]),
		]);
	const rate = (i) => (times, values) => perSecond(member(i)(times, values));
	if (global.values === "number")
		return [
			["value", global.unit, lines(member(null))],
			["change per second", global.unit, lines(rate(null))],
		];
	return [
		["mean of each interval", global.unit, lines(meansBetween)],
		["count per second", "count", lines(rate(COUNT))],
		["sum per second", global.unit, lines(rate(SUM))],
		["count", "count", lines(member(COUNT))],
	];
}

function seriesNote(global) {
	const all = global.series.flat(),
		notes = new Set();
	for (const series of all) {
		const name = all.length > data.runs.length ? data.hosts[series.host] + ": " : "";
		if (series.step > 1) notes.add(`${name}one sample in ${series.step} is shown`);
		if (series.total > series.rows.length)
			notes.add(
				`${name}the ${series.rows.length} largest of ${full(series.total)} elements are shown`,
			);
	}
	return inLine([...notes].join("; "));
}

/* ---- arrays whose keys are times --------------------------------------------------------------------------------- */

/* Group the elements by their keys without the time: [{name, points: [[seconds, row]]}], the largest first. */
function groupByTime(global, timeKey, perUnit) {
	const groups = new Map();
	for (let row = 0; row < global.elements[lastRun].length; row++) {
		if (global.elements[lastRun][row] === null) continue;
		const name = global.keys
			.map((_, key) => (key === timeKey ? null : keyText(global, key, row)))
			.filter((text) => text !== null)
			.join(", ");
		if (!groups.has(name)) groups.set(name, []);
		groups.get(name).push([keySeconds(exact(global.columns[timeKey][row]), perUnit), row]);
	}
	for (const points of groups.values()) points.sort((a, b) => a[0] - b[0]);
	return [...groups]
		.map(([name, points]) => ({ name, points }))
		.sort((a, b) => b.points.length - a.points.length);
}

/* Return the time key of an array: [key, units in a second]; null if no key is a time. */
function timeKeyOf(global) {
	return global.timeKey && global.values !== "string" && !global.keys.includes("stack") ? global.timeKey : null;
}

function timedSeries(global) {
	const [key, perUnit] = timeKeyOf(global),
		groups = groupByTime(global, key, perUnit).slice(0, 8);
	const lines = (member) =>
		groups.map(({ name, points }) => ({
			name: name || global.name,
			points: points.map(([time, row]) => [time, measureOf(global, lastRun, row, member)]),
		}));
	const choices =
		global.values === "number"
			? [["value", global.unit, lines(null)]]
			: [
					["mean", global.unit, lines(AVG)],
					["count", "count", lines(COUNT)],
					["max", global.unit, lines(MAX)],
				];
	return new Series(choices).element;
}

/* Return the width of a column: the most frequent distance of successive ones. */
function usualStep(times) {
	const steps = new Map();
	for (let i = 1; i < times.length; i++)
		steps.set(times[i] - times[i - 1], (steps.get(times[i] - times[i - 1]) || 0) + 1);
	return [...steps].filter(([step]) => step > 0).sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] || 1;
}

/* ---- heat maps --------------------------------------------------------------------------------------------------- */

/* Heat maps of samples: one for each of the largest elements, to choose from. */
function sampledHeatMaps(global) {
	const maps = [];
	const all = global.series.flatMap((list, run) =>
		list.flatMap((series) => series.rows.map((row) => ({ row, run, series }))),
	);
	for (const { row, run, series } of all) {
		const histograms = (row.increases || []).map((buckets, i) => ({
			from: i ? series.times[i - 1] : startOf(series, run),
			to: series.times[i],
			buckets: buckets || [],
		}));
		const map = heatMapOf(histograms, { unit: global.unit, isTime: true, countUnit: "count" });
		if (map) maps.push([seriesName(global, row, run), map]);
	}
	return maps;
}

/* The first sample counts from the start of the script, or as long as the next one. */
function startOf(series, run) {
	const host = data.runs[run].hosts.find((candidate) => candidate.number === series.host),
		[first, second] = series.times;
	const start = host && host.start;
	return start && start.time < first ? start.time : first - (second - first);
}

/* Heat maps of an array with times as keys and histograms as values. */
function timedHeatMaps(global) {
	const [key, perUnit] = timeKeyOf(global),
		maps = [];
	const elements = global.elements[lastRun];
	for (const { name, points } of groupByTime(global, key, perUnit).slice(0, 8)) {
		const step = usualStep(points.map((point) => point[0]));
		const histograms = points
			.filter(([, row]) => elements[row].length > BUCKETS)
			.map(([time, row]) => ({ from: time, to: time + step, buckets: elements[row][BUCKETS] }));
		const map = heatMapOf(histograms, { unit: global.unit, isTime: true, countUnit: "count" });
		if (map) maps.push([name || global.name, map]);
	}
	return maps;
}

/* A heat map of numbers with two numbers as keys: the first is the horizontal axis, the second the vertical one. */
function keyHeatMaps(global) {
	const columns = new Map(),
		values = new Set(),
		isTime = global.timeKey && global.timeKey[0] === 0;
	const perUnit = isTime ? global.timeKey[1] : 1;
	global.elements[lastRun].forEach((value, row) => {
		const count = value === null ? 0 : Number(exact(global.values === "statistics" ? value[COUNT] : value));
		if (!(count > 0)) return;
		const across = exact(global.columns[0][row]),
			up = exact(global.columns[1][row]);
		values.add(up);
		if (!columns.has(across)) columns.set(across, []);
		columns.get(across).push([up, exact(global.values === "statistics" ? value[COUNT] : value)]);
	});
	if (!columns.size || values.size > 1000) return [];
	const rows = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
	const numbers = new Map(rows.map((value, i) => [value, i]));
	const sorted = [...columns].sort((a, b) => (a[0] < b[0] ? -1 : 1));
	const step = usualStep(sorted.map(([across]) => keySeconds(across, perUnit)));
	const list = sorted.map(([across, cells]) => ({
		from: keySeconds(across, perUnit),
		to: keySeconds(across, perUnit) + step,
		key: across,
		cells: new Map(cells.map(([up, count]) => [numbers.get(up), count])),
	}));
	const asBound = (value) => (typeof value === "bigint" ? { n: String(value) } : value);
	const bounds = rows.map((value) => [asBound(value), asBound(add(value, 1))]);
	return [[global.name, new HeatMap(list, bounds, { isTime, countUnit: global.unit || "count" })]];
}

/* Up to this many heat maps are drawn below each other, for comparison; of more, the user selects one. */
const MOST_MAPS = 4;

function makeMaps(global, maps) {
	if (!maps.length) return make("p", { class: "dim" }, "no values");
	if (maps.length > 1 && maps.length <= MOST_MAPS)
		return make(
			"div",
			{},
			maps.map(([name, map]) => [
				make("h3", {}, inLine(isComparison ? name : `${global.name}[${name}]`)),
				map.element,
			]),
		);
	const box = make("div", {}, maps[0][1].element);
	if (maps.length === 1) return box;
	return make(
		"div",
		{},
		make(
			"div",
			{ class: "controls" },
			makeSelect(
				"Of",
				maps.map(([name], i) => [i, name]),
				0,
				(i) => {
					clear(box).append(maps[i][1].element);
					drawNow(box);
				},
			),
		),
		box,
	);
}

/* ---- bars -------------------------------------------------------------------------------------------------------- */

/* A bar chart of the largest elements of an array; in a comparison, each has two bars. */
class Bars {
	constructor(global) {
		this.global = global;
		this.member = global.values === "statistics" ? COUNT : null;
		this.top = 20;
		this.box = make("div", { class: "bars", role: "list" });
		this.note = make("p", { class: "dim" });
		const tops = [20, 50, 200].map((top) => [top, top]);
		this.element = make(
			"div",
			{},
			make("div", { class: "controls" }, this.makeMeasure(), this.makeTop(tops)),
			this.box,
			this.note,
			isComparison
				? makeLegend([
						["bar-before", "before"],
						["series-0", "after"],
					])
				: null,
		);
		this.draw();
	}

	makeMeasure() {
		if (this.member === null) return null;
		const measures = [
			[COUNT, "count"],
			[SUM, "sum"],
			[AVG, "mean"],
			[MAX, "max"],
		];
		return makeSelect("Length", measures, this.member, (value) => {
			this.member = Number(value);
			this.draw();
		});
	}

	makeTop(tops) {
		return makeSelect("Top", tops, this.top, (value) => {
			this.top = Number(value);
			this.draw();
		});
	}

	size(row) {
		const sizes = data.runs.map((_, run) =>
			Math.abs(Number(measureOf(this.global, run, row, this.member) || 0)),
		);
		return Math.max(...sizes);
	}

	draw() {
		const { global } = this,
			unit = this.member === COUNT ? "count" : global.unit;
		const rows = global.elements[lastRun].map((_, row) => row);
		const sizes = rows.map((row) => this.size(row)),
			most = sizes.reduce((a, b) => Math.max(a, b), 0);
		rows.sort((a, b) => sizes[b] - sizes[a] || a - b);
		clear(this.box).append(...rows.slice(0, this.top).flatMap((row) => this.makeBar(row, most, unit)));
		this.note.textContent = rows.length > this.top ? `${full(rows.length - this.top)} more` : "";
	}

	makeBar(row, most, unit) {
		const { global } = this;
		const name = global.keys.map((_, key) => inLine(keyText(global, key, row))).join(", ");
		const bars = data.runs.map((_, run) => {
			const value = measureOf(global, run, row, this.member),
				bar = make("i");
			bar.style.width = (most ? (100 * Math.abs(Number(value || 0))) / most : 0) + "%";
			bar.style.background = `var(--${isComparison && !run ? "bar-before" : "series-0"})`;
			const text = make("span", { title: full(value, unit) }, inLine(short(value, unit)));
			return make("div", {}, bar, text);
		});
		return make(
			"div",
			{ class: "bar", role: "listitem" },
			make("span", { title: name }, name),
			make("div", {}, bars),
		);
	}
}

/* ---- the views --------------------------------------------------------------------------------------- */

function hasBuckets(global) {
	return (
		global.values === "statistics" &&
		global.elements[lastRun].some((value) => value && value.length > BUCKETS)
	);
}

/*
 * Views in the order in which they are preferred: [name, words of "show", is it possible?, how it is made]. A
 * possible view may still have nothing to show; then it is omitted.
 */
const VIEWS = [
	[
		"Flame graph",
		["flamegraph"],
		(global) => global.views.length > 0 && global.values !== "string",
		(global) => new FlameGraph(global).element,
	],
	[
		"Heat map",
		["heatmap"],
		(global) => hasBuckets(global) && (timeKeyOf(global) || global.series[lastRun].length > 0),
		(global) => makeMaps(global, timeKeyOf(global) ? timedHeatMaps(global) : sampledHeatMaps(global)),
	],
	[
		"Heat map",
		["heatmap"],
		(global) =>
			global.show === "heatmap" &&
			global.keys.join() === "number,number" &&
			!hasBuckets(global) &&
			global.values !== "string",
		(global) => makeMaps(global, keyHeatMaps(global)),
	],
	["Over time", ["series"], (global) => timeKeyOf(global), timedSeries],
	[
		"Histogram",
		["histogram"],
		(global) => global.values === "statistics" && !global.array,
		(global) =>
			makeHistogram(
				global.elements.map((values) => values[0] ?? null),
				global.unit,
			),
	],
	["Table", ["table", "histogram"], (global) => global.array, makeTableView],
	[
		"Bars",
		["bars"],
		(global) => global.array && global.values !== "string",
		(global) => new Bars(global).element,
	],
	[
		"Over time",
		["series"],
		(global) => global.series.some((list) => list.length) && !timeKeyOf(global),
		(global) => new Series(seriesChoices(global), seriesNote(global)).element,
	],
];

/* Make the tabs of views. A view is made when it is first shown. */
function makeTabs(views, chosen) {
	const panel = make("div", { role: "tabpanel" }),
		made = new Map();
	const tabs = views.map(([name], i) =>
		make(
			"button",
			{
				type: "button",
				role: "tab",
				click: () => show(i),
				keydown: (event) => {
					const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
					if (!step) return;
					event.preventDefault();
					const next = (i + step + views.length) % views.length;
					show(next);
					tabs[next].focus();
				},
			},
			name,
		),
	);
	const show = (number) => {
		tabs.forEach((tab, i) => {
			tab.setAttribute("aria-selected", String(i === number));
			tab.tabIndex = i === number ? 0 : -1;
		});
		if (!made.has(number)) made.set(number, views[number][1]());
		clear(panel).append(made.get(number));
		drawNow(panel);
	};
	show(chosen);
	return make(
		"div",
		{},
		views.length > 1 ? make("div", { class: "tabs" }, make("div", { role: "tablist" }, tabs)) : null,
		panel,
	);
}

function makeGlobalSection(global, number) {
	const views = VIEWS.filter(([, , fits]) => fits(global));
	const wanted = views.findIndex(([name, words]) =>
		global.show ? words.includes(global.show) : isComparison && name === "Histogram",
	);
	const states = global.states.filter((state) => state);
	const notes = [];
	if (states.some((state) => !state.complete))
		notes.push("Incomplete: it was too large, or it changed while it was read.");
	if (isComparison && states.length < 2)
		notes.push(`Only the recording ${global.states[0] ? "before" : "after"} has this global.`);
	const tabs = views.map(([name, , , build]) => [name, () => build(global)]);
	return make(
		"section",
		{ id: "global-" + number },
		make(
			"div",
			{ class: "section-head" },
			make("h2", {}, inLine(global.name)),
			make("span", { class: "signature" }, inLine(signature(global))),
			global.array
				? make("span", { class: "dim" }, full(global.elements[lastRun].length) + " elements")
				: null,
		),
		notes.map((note) => make("p", { class: "warn" }, note)),
		tabs.length ? makeTabs(tabs, Math.max(0, wanted)) : make("p", { class: "dim" }, "no data"),
	);
}

/* ---- scalars ----------------------------------------------------------------------------------------------------- */

function isPlain(global) {
	return !global.array && global.values !== "statistics";
}

function makeCard(global) {
	const value = (run) => measureOf(global, run, 0, null);
	const card = make("div", { class: "card" }, make("div", { class: "name" }, inLine(global.name)));
	if (global.values === "string") {
		data.runs.forEach((_, run) => {
			const text = value(run) === null ? "\u2013" : value(run) === "" ? "(empty)" : value(run);
			if (isComparison) card.append(make("div", { class: "exact" }, run ? "after" : "before"));
			card.append(make("div", { class: "value string" }, text));
		});
		return card;
	}
	card.append(make("div", { class: "value" }, short(value(lastRun), global.unit)));
	if (isComparison)
		card.append(
			make(
				"div",
				{ class: "exact" },
				`before ${short(value(0), global.unit)}, change ` +
					`${change(value(0), value(1), global.unit)} ${changeShare(value(0), value(1))}`,
			),
		);
	else if (short(value(0), global.unit) !== full(value(0), global.unit))
		card.append(make("div", { class: "exact" }, full(value(0), global.unit)));
	return card;
}

/* Make the section of numbers and strings, with their series. */
function makeScalarsSection(globals) {
	const cards = make("div", { class: "cards" }),
		details = make("div", {});
	for (const global of globals) {
		const card = makeCard(global),
			[series] = global.series[lastRun];
		cards.append(card);
		if (!series) continue;
		const points = series.times.map((time, i) => [
			time,
			series.rows[0].values[i] === null ? null : Number(exact(series.rows[0].values[i])),
		]);
		if (global.series[lastRun].length === 1) card.append(makeSparkline(points));
		details.append(
			make("h3", {}, inLine(global.name) + " over time"),
			new Series(seriesChoices(global), seriesNote(global)).element,
		);
	}
	return make(
		"section",
		{ id: "scalars" },
		make("div", { class: "section-head" }, make("h2", {}, "Scalars")),
		cards,
		details,
	);
}
