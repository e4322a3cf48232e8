// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values over time, as lines. A line is {name, points: [[seconds, value or null]]}; the kinds of points to choose from
 * are made in globals.js. Lines differ in color and in dashes.
 */

const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 5", "12 4", "2 6", "1 2"];
const SERIES_HEIGHT = 200;

/* Draw small lines without axes. */
function makeSparkline(points) {
	const svg = makeSvg("svg", { viewBox: "0 0 200 34", preserveAspectRatio: "none", "aria-hidden": "true" });
	const known = points.filter((point) => point[1] !== null);
	const values = known.map((point) => Number(point[1]));
	const x = scale(known[0][0], known[known.length - 1][0], 1, 199);
	const y = scale(Math.min(...values), Math.max(...values) || 1, 31, 3);
	svg.append(
		makeSvg("path", {
			d: "M" + known.map((point, i) => `${x(point[0])} ${y(values[i])}`).join("L"),
			fill: "none",
			stroke: "currentColor",
			"stroke-width": 1.5,
			"vector-effect": "non-scaling-stroke",
			class: "good",
		}),
	);
	return svg;
}

class Series {
	/* choices: [[name, unit, lines]], of which one is shown. */
	constructor(choices, note) {
		this.choices = choices;
		this.chosen = 0;
		this.cursor = null;
		this.chart = make("div", {
			class: "chart",
			tabindex: "0",
			role: "group",
			"aria-label": "time series; left and right move the cursor",
			keydown: (event) => this.key(event),
			pointermove: (event) => this.point(event),
			pointerleave: () => this.leave(),
		});
		this.status = make("p", { class: "status dim", "aria-live": "polite" });
		this.legend = make("div", { class: "legend" });
		const controls = make(
			"div",
			{ class: "controls" },
			choices.length > 1
				? makeSelect(
						"Show",
						choices.map((choice, i) => [i, choice[0]]),
						0,
						(value) => {
							this.chosen = Number(value);
							this.again();
						},
					)
				: null,
		);
		this.element = make(
			"div",
			{},
			controls,
			this.chart,
			this.legend,
			this.status,
			note ? make("p", { class: "dim" }, note) : null,
		);
		this.again = keepDrawn(this.chart, (width) => this.draw(width));
	}

	get lines() {
		return this.choices[this.chosen][2];
	}

	get unit() {
		return this.choices[this.chosen][1];
	}

	draw(width) {
		const left = 76,
			right = 48,
			top = 10,
			bottom = 28,
			height = SERIES_HEIGHT;
		const points = this.lines.flatMap((line) => line.points).filter((point) => point[1] !== null);
		const values = points.map((point) => Number(point[1])),
			times = points.map((point) => point[0]);
		const extreme = (list, pick, none) => (list.length ? list.reduce((a, b) => pick(a, b)) : none);
		const from = extreme(times, Math.min, 0),
			to = extreme(times, Math.max, 1);
		const least = Math.min(0, extreme(values, Math.min, 0)),
			most = Math.max(extreme(values, Math.max, 1), least + 1e-9);
		const svg = makeSvg("svg", {
			width,
			height,
			viewBox: `0 0 ${width} ${height}`,
			role: "img",
			"aria-label": "line chart",
		});
		this.x = scale(from, to, left, width - right);
		this.y = scale(least, most, height - bottom, top);
		for (const tick of ticks(least, most, 5))
			svg.append(
				makeSvg("line", {
					x1: left,
					x2: width - right,
					y1: this.y(tick),
					y2: this.y(tick),
					stroke: color("line"),
				}),
				makeSvg(
					"text",
					{ x: left - 8, y: this.y(tick) + 4, "text-anchor": "end" },
					short(tick, this.unit),
				),
			);
		drawTimeAxis(
			svg,
			from,
			to,
			this.x,
			top,
			height - bottom,
			width - left - right,
			isComparison ? (time) => duration(time) : timeLabel,
		);
		this.lines.forEach((line, i) => this.drawLine(svg, line, i));
		this.mark = makeSvg("line", {
			y1: top,
			y2: height - bottom,
			stroke: color("text"),
			visibility: "hidden",
		});
		svg.append(this.mark);
		clear(this.chart).append(svg);
		this.drawLegend();
	}

	drawLine(svg, line, i) {
		let path = "",
			isDrawing = false;
		for (const [time, value] of line.points) {
			if (value !== null)
				path +=
					(isDrawing ? "L" : "M") +
					this.x(time).toFixed(1) +
					" " +
					this.y(Number(value)).toFixed(1);
			isDrawing = value !== null;
		}
		svg.append(
			makeSvg("path", {
				d: path || "M0 0",
				fill: "none",
				stroke: color("series-" + (i % 8)),
				"stroke-width": 1.8,
				"stroke-dasharray": DASHES[i % 8],
				"stroke-linejoin": "round",
			}),
		);
		if (line.points.length <= 60)
			for (const [time, value] of line.points)
				if (value !== null)
					svg.append(
						makeSvg("circle", {
							cx: this.x(time),
							cy: this.y(Number(value)),
							r: 2,
							fill: color("series-" + (i % 8)),
						}),
					);
	}

	drawLegend() {
		clear(this.legend);
		if (this.lines.length > 1)
			this.legend.append(
				...this.lines.map((line, i) =>
					make(
						"span",
						{},
						makeSvg(
							"svg",
							{ width: 28, height: 10 },
							makeSvg("line", {
								x1: 0,
								x2: 28,
								y1: 5,
								y2: 5,
								"stroke-width": 2.5,
								stroke: color("series-" + (i % 8)),
								"stroke-dasharray": DASHES[i % 8],
							}),
						),
						inLine(line.name),
					),
				),
			);
	}

	times() {
		return [...new Set(this.lines.flatMap((line) => line.points.map((point) => point[0])))].sort(
			(a, b) => a - b,
		);
	}

	/* Move the cursor to a time, and show the values of the lines there. */
	moveTo(time) {
		this.cursor = time;
		this.mark.setAttribute("x1", this.x(time));
		this.mark.setAttribute("x2", this.x(time));
		this.mark.setAttribute("visibility", "visible");
		const lines = [isComparison ? "after " + duration(time) : dateAndTime(time)];
		for (const line of this.lines) {
			const found = line.points.find((point) => point[0] === time);
			if (found && found[1] !== null)
				lines.push(
					(this.lines.length > 1 ? line.name + ": " : "") + short(found[1], this.unit),
				);
		}
		this.status.textContent = inLine(lines.join("   "));
		return lines;
	}

	point(event) {
		const box = this.chart.getBoundingClientRect(),
			at = event.clientX - box.left;
		let nearest = null;
		for (const time of this.times())
			if (nearest === null || Math.abs(this.x(time) - at) < Math.abs(this.x(nearest) - at))
				nearest = time;
		if (nearest !== null) showTip(event.clientX, event.clientY, this.moveTo(nearest));
	}

	leave() {
		hideTip();
		this.mark.setAttribute("visibility", "hidden");
	}

	key(event) {
		const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key],
			times = this.times();
		if (!step || !times.length) return;
		event.preventDefault();
		const at = this.cursor === null ? (step > 0 ? -1 : times.length) : times.indexOf(this.cursor);
		this.moveTo(times[Math.max(0, Math.min(times.length - 1, at + step))]);
	}
}
