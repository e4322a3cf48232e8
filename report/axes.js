// SPDX-License-Identifier: GPL-2.0-or-later
/* Scales, ticks and grids that the charts share. */

/* Return about `count` round numbers from `from` to `to`. */
function ticks(from, to, count) {
	const rough = (to - from) / Math.max(1, count) || 1;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
	const result = [];
	for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9 && result.length < 50; i++)
		result.push(i * step + 0); // not -0
	return result;
}

const TIME_STEPS = [
	0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
	7200, 10800, 21600, 43200, 86400, 172800, 604800,
];

/* Return round times of the reader's time zone. */
function timeTicks(from, to, count) {
	const step = TIME_STEPS.find((candidate) => (to - from) / candidate <= count) || (to - from) / count || 1;
	const zone = new Date(from * 1000).getTimezoneOffset() * 60;
	const result = [];
	for (let i = Math.ceil((from - zone) / step - 1e-6); i * step + zone <= to && result.length < 50; i++)
		result.push(i * step + zone);
	return { step, times: result };
}

function timeLabel(time, step) {
	const label = clock(time, step < 1);
	return step >= 86400 ? dateAndTime(time).slice(0, 10) : step >= 60 ? label.slice(0, 5) : label;
}

/* Make a function that maps an interval to another. */
function scale(from, to, first, last) {
	const factor = to > from ? (last - first) / (to - from) : 0;
	return (value) => first + (value - from) * factor;
}

/* Draw the time axis of an SVG chart below `y`. */
function drawTimeAxis(svg, from, to, x, top, bottom, width, label) {
	const { step, times } = timeTicks(from, to, Math.max(2, width / 110));
	for (const time of times) {
		svg.append(
			makeSvg("line", { x1: x(time), x2: x(time), y1: top, y2: bottom, stroke: color("line") }),
			makeSvg("text", { x: x(time), y: bottom + 16, "text-anchor": "middle" }, label(time, step)),
		);
	}
}

/* Return the time in a key's unit as seconds. */
function keySeconds(value, perSecond) {
	return Number(value) / perSecond;
}
