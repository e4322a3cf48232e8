// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Histograms of one value of statistics, or of two to compare: columns for the buckets, marks for the quantiles, and
 * the exact figures. Quantiles are estimates, because the positions of values within a bucket are unknown.
 */

function bucketText(bucket, unit) {
	const [lower, upper] = bucket.map((bound) => (bound === null ? null : exact(bound)));
	if (lower === null) return upper === null ? "all values" : "below " + short(upper, unit);
	if (upper === null) return short(lower, unit) + " and more";
	return subtract(upper, lower) === 1 ? short(lower, unit) : short(lower, unit) + " to " + short(upper, unit);
}

function quantileName(share) {
	return "p" + Number((share * 100).toFixed(4));
}

function makeFigure(name, text, title) {
	return make("div", { title: title || null }, make("dt", {}, name), make("dd", {}, text));
}

/* Make the list of figures of statistics. */
function makeFigures(statistics, unit) {
	const list = make("dl", { class: "figures" }),
		value = (i) => exact(statistics[i]);
	list.append(
		makeFigure("count", full(value(COUNT))),
		makeFigure("sum", short(value(SUM), unit), full(value(SUM), unit)),
	);
	for (const [name, i] of [
		["min", MIN],
		["mean", AVG],
		["max", MAX],
	])
		if (statistics[i] !== null) list.append(makeFigure(name, short(value(i), unit), full(value(i), unit)));
	if (statistics[VARIANCE] !== null)
		list.append(
			makeFigure(
				"std. deviation",
				short(Math.sqrt(Number(value(VARIANCE))), unit),
				"variance " + full(value(VARIANCE)),
			),
		);
	for (const [i, share] of data.quantiles.entries())
		if (statistics[QUANTILES] && statistics[QUANTILES][i] !== null)
			list.append(
				makeFigure(
					quantileName(share) + " (estimate)",
					"\u2248 " + short(statistics[QUANTILES][i], unit),
					"estimated from the buckets",
				),
			);
	return list;
}

/* Return the bounds of all buckets of several histograms, in order: [lower, upper, counts]. */
function joinBuckets(histograms) {
	const joined = new Map();
	histograms.forEach((buckets, at) => {
		for (const [lower, upper, count] of buckets) {
			const key = JSON.stringify([lower, upper]);
			if (!joined.has(key)) joined.set(key, [lower, upper, histograms.map(() => 0)]);
			joined.get(key)[2][at] = exact(count);
		}
	});
	const low = (bucket) => (bucket[0] === null ? -Infinity : Number(exact(bucket[0])));
	return [...joined.values()].sort((a, b) => low(a) - low(b));
}

const HISTOGRAM_HEIGHT = 220;

/* Return the position of a value on the axis: the place in the bucket that contains it. */
function bucketPosition(buckets, value) {
	for (const [i, [lower, upper]] of buckets.entries()) {
		const from = lower === null ? -Infinity : Number(exact(lower)),
			to = upper === null ? Infinity : Number(exact(upper));
		if (value >= from && value < to)
			return i + (Number.isFinite(from) && Number.isFinite(to) ? (value - from) / (to - from) : 0.5);
	}
	return null;
}

/* Draw columns. `statistics` are one value, or those before and after. */
function drawHistogram(box, statistics, unit, width) {
	const buckets = joinBuckets(statistics.map((value) => value[BUCKETS] || []));
	const left = 64,
		right = 12,
		top = 26,
		bottom = 40,
		height = HISTOGRAM_HEIGHT;
	const most = Math.max(1, ...buckets.flatMap((bucket) => bucket[2].map(Number)));
	const x = scale(0, buckets.length, left, width - right),
		y = scale(0, most, height - bottom, top);
	const svg = makeSvg("svg", {
		width,
		height,
		viewBox: `0 0 ${width} ${height}`,
		role: "img",
		"aria-label": `histogram with ${buckets.length} buckets`,
	});
	for (const tick of ticks(0, most, 4).filter(Number.isInteger))
		svg.append(
			makeSvg("line", {
				x1: left,
				x2: width - right,
				y1: y(tick),
				y2: y(tick),
				stroke: color("line"),
			}),
			makeSvg("text", { x: left - 8, y: y(tick) + 4, "text-anchor": "end" }, short(tick)),
		);
	buckets.forEach((bucket, i) =>
		drawColumn(svg, bucket, i, { x, y, top, base: height - bottom, unit, statistics }),
	);
	drawBounds(svg, buckets, x, height - bottom, unit, width - left - right);
	drawQuantiles(svg, buckets, statistics[statistics.length - 1], x, top, height - bottom);
	clear(box).append(svg);
}

function drawColumn(svg, bucket, i, place) {
	const { x, y, top, base, unit, statistics } = place;
	const gap = x(1) - x(0) > 4 ? 1 : 0,
		several = bucket[2].length > 1;
	bucket[2].forEach((count, at) => {
		const part = (x(1) - x(0) - gap) / bucket[2].length,
			from = x(i) + at * part;
		svg.append(
			makeSvg("rect", {
				x: from,
				y: y(Number(count)),
				width: Math.max(0.5, part - (several ? 0.5 : 0)),
				height: base - y(Number(count)),
				fill: color(several && !at ? "bar-before" : "series-0"),
			}),
		);
	});
	const lines = [bucketText(bucket, unit)].concat(
		bucket[2].map((count, at) => {
			const total = Number(exact(statistics[at][COUNT]));
			return (
				(several ? ["before: ", "after: "][at] : "") +
				`${full(count)} (${percent(Number(count), total)})`
			);
		}),
	);
	svg.append(
		makeSvg("rect", {
			x: x(i),
			y: top,
			width: x(1) - x(0),
			height: base - top,
			fill: "transparent",
			pointermove: (event) => showTip(event.clientX, event.clientY, lines),
			pointerleave: hideTip,
		}),
	);
}

/* Write the lower bounds of as many buckets as there is space for. */
function drawBounds(svg, buckets, x, base, unit, space) {
	const every = Math.max(1, Math.ceil(buckets.length / Math.max(1, space / 68)));
	buckets.forEach(([lower], i) => {
		if (i % every === 0 && lower !== null)
			svg.append(
				makeSvg(
					"text",
					{ x: x(i), y: base + 16, "text-anchor": "middle" },
					short(exact(lower), unit),
				),
				makeSvg("line", { x1: x(i), x2: x(i), y1: base, y2: base + 4, stroke: color("dim") }),
			);
	});
	svg.append(makeSvg("line", { x1: x(0), x2: x(buckets.length), y1: base, y2: base, stroke: color("dim") }));
}

function drawQuantiles(svg, buckets, statistics, x, top, base) {
	let last = -Infinity;
	for (const [i, share] of data.quantiles.entries()) {
		const value = statistics[QUANTILES] ? statistics[QUANTILES][i] : null;
		const position = value === null ? null : bucketPosition(buckets, value);
		if (position === null) continue;
		const at = x(position);
		svg.append(
			makeSvg("line", {
				x1: at,
				x2: at,
				y1: top - 6,
				y2: base,
				stroke: color("series-1"),
				"stroke-dasharray": "3 3",
			}),
		);
		if (at - last > 44) {
			svg.append(
				makeSvg(
					"text",
					{ x: at, y: top - 10, "text-anchor": "middle" },
					"\u2248" + quantileName(share),
				),
			);
			last = at;
		}
	}
}

/* Make the figures and the histogram of one value of statistics; `values` has null for a run without it. */
function makeHistogram(values, unit) {
	const box = make("div", {}),
		present = values.filter((value) => value !== null);
	values.forEach((value, run) => {
		if (value && isComparison) box.append(make("h3", {}, run ? "After" : "Before"));
		if (value) box.append(makeFigures(value, unit));
	});
	if (present.length && present.every((value) => value.length > BUCKETS && value[BUCKETS].length)) {
		const chart = make("div", { class: "chart" });
		box.append(chart);
		keepDrawn(chart, (width) => drawHistogram(chart, present, unit, width));
		if (present.length > 1)
			box.append(
				makeLegend([
					["bar-before", "before"],
					["series-0", "after"],
				]),
			);
	}
	return box;
}

/* Make a legend of [color, text]. */
function makeLegend(entries) {
	return make(
		"div",
		{ class: "legend" },
		entries.map(([name, text]) => {
			const mark = make("i");
			mark.style.background = `var(--${name})`;
			return make("span", {}, mark, text);
		}),
	);
}
