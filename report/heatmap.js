// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Heat maps: time (or a number) is the horizontal axis, values are the vertical axis, colors show counts. Columns are
 * [{from, to, cells: Map from the number of a row to a count}]; rows are [lower, upper], from the lowest. Colors are on
 * a logarithmic scale, because a few cells have most of the counts. They go from dark to bright, so that color-blind
 * readers can tell them apart.
 */

const HEAT = [
	[0, 32, 76],
	[0, 66, 107],
	[66, 78, 108],
	[107, 109, 112],
	[142, 138, 114],
	[183, 169, 99],
	[225, 203, 65],
	[255, 233, 69],
];

/* Return the color of a share from 0 to 1. */
function heatColor(share) {
	const at = Math.max(0, Math.min(1, share)) * (HEAT.length - 1),
		low = Math.min(HEAT.length - 2, Math.floor(at));
	return (
		"rgb(" +
		HEAT[low].map((from, i) => Math.round(from + (HEAT[low + 1][i] - from) * (at - low))).join(",") +
		")"
	);
}

class HeatMap {
	/* options: {unit, isTime, across: text of a column, countUnit} */
	constructor(columns, rows, options) {
		this.columns = columns;
		this.rows = rows;
		this.options = options;
		this.most = 1;
		for (const column of columns)
			for (const count of column.cells.values()) this.most = Math.max(this.most, Number(count));
		this.cell = null;
		this.canvas = make("canvas", {
			tabindex: "0",
			role: "img",
			"aria-label": "heat map; the arrow keys move over its cells",
			pointermove: (event) => this.point(event),
			pointerleave: () => this.choose(null),
			keydown: (event) => this.key(event),
			blur: () => this.choose(null),
		});
		this.chart = make("div", { class: "chart" }, this.canvas);
		this.status = make("p", { class: "status dim", "aria-live": "polite" });
		this.legend = make("div", { class: "legend" });
		this.element = make("div", {}, this.chart, this.legend, this.status);
		this.again = keepDrawn(this.chart, (width) => this.draw(width));
		this.makeLegend();
	}

	share(count) {
		return this.most > 1 ? Math.log1p(count) / Math.log1p(this.most) : count;
	}

	makeLegend() {
		const counts = [...new Set([1, Math.round(Math.sqrt(this.most)), this.most])];
		this.legend.append(
			make("span", {}, "count in a cell (logarithmic):"),
			...counts.map((count) => {
				const mark = make("i");
				mark.style.background = heatColor(this.share(count));
				return make("span", {}, mark, short(count, this.options.countUnit));
			}),
		);
	}

	draw(width) {
		const rowHeight = Math.max(6, Math.min(22, Math.floor(360 / this.rows.length)));
		const left = 96,
			right = 48,
			top = 6,
			bottom = 28,
			height = top + bottom + rowHeight * this.rows.length;
		const context = sizeCanvas(this.canvas, width, height);
		const first = this.columns[0].from,
			last = this.columns[this.columns.length - 1].to;
		this.x = scale(first, last, left, width - right);
		this.y = (row) => top + rowHeight * (this.rows.length - 1 - row);
		this.rowHeight = rowHeight;
		context.fillStyle = color("raised");
		context.fillRect(left, top, width - left - right, rowHeight * this.rows.length);
		for (const column of this.columns) {
			const from = this.x(column.from),
				to = Math.max(this.x(column.to), from + 1);
			const gap = to - from > 5 ? 1 : 0;
			for (const [row, count] of column.cells) {
				context.fillStyle = heatColor(this.share(Number(count)));
				context.fillRect(
					from,
					this.y(row),
					to - from - gap,
					rowHeight - (rowHeight > 7 ? 1 : 0),
				);
			}
		}
		this.drawAxes(context, left, height - bottom, width - left - right, first, last);
		this.drawCursor(context);
	}

	drawAxes(context, left, base, width, first, last) {
		context.font = '11px system-ui, "DejaVu Sans", sans-serif';
		context.fillStyle = color("dim");
		context.textAlign = "right";
		const every = Math.max(1, Math.ceil(16 / this.rowHeight));
		this.rows.forEach(([lower], row) => {
			if (row % every === 0)
				context.fillText(
					lower === null ? "lower" : short(exact(lower), this.options.unit),
					left - 8,
					this.y(row) + this.rowHeight / 2 + 4,
				);
		});
		context.textAlign = "center";
		const { step, times } = this.options.isTime
			? timeTicks(first, last, width / 110)
			: { step: 0, times: ticks(first, last, width / 90) };
		for (const time of times)
			context.fillText(
				this.options.isTime ? timeLabel(time, step) : short(time),
				this.x(time),
				base + 18,
			);
	}

	drawCursor(context) {
		if (!this.cell) return;
		const column = this.columns[this.cell[0]],
			from = this.x(column.from),
			to = Math.max(this.x(column.to), from + 1);
		context.strokeStyle = color("text");
		context.lineWidth = 2;
		context.strokeRect(from - 1, this.y(this.cell[1]) - 1, to - from + 1, this.rowHeight + 1);
	}

	describe([at, row]) {
		const column = this.columns[at];
		const count = column.cells.get(row) || 0;
		return [
			bucketText(this.rows[row], this.options.unit),
			"count: " + full(count, this.options.countUnit),
			this.options.isTime
				? clock(column.from, column.to - column.from < 1) +
					" to " +
					clock(column.to, column.to - column.from < 1)
				: "at " + full(column.key),
		];
	}

	choose(cell) {
		if (!cell) hideTip();
		this.cell = cell;
		this.status.textContent = cell ? inLine(this.describe(cell).join("   ")) : "";
		this.again();
	}

	point(event) {
		const box = this.canvas.getBoundingClientRect(),
			x = event.clientX - box.left,
			y = event.clientY - box.top;
		const at = this.columns.findIndex(
			(column) =>
				x >= this.x(column.from) && x < Math.max(this.x(column.to), this.x(column.from) + 1),
		);
		const row = this.rows.findIndex((_, i) => y >= this.y(i) && y < this.y(i) + this.rowHeight);
		if (at < 0 || row < 0) {
			this.choose(null);
			return;
		}
		this.choose([at, row]);
		showTip(event.clientX, event.clientY, this.describe(this.cell));
	}

	key(event) {
		const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
		if (!move) return;
		event.preventDefault();
		const [at, row] = this.cell || [-move[0], 0];
		this.choose([
			Math.max(0, Math.min(this.columns.length - 1, at + move[0])),
			Math.max(0, Math.min(this.rows.length - 1, row + move[1])),
		]);
	}
}

/* Make the rows and columns of a heat map from histograms: [{from, to, key, buckets}]. */
function heatMapOf(histograms, options) {
	const rows = joinBuckets(histograms.map((histogram) => histogram.buckets)).map(([lower, upper]) => [
		lower,
		upper,
	]);
	const numbers = new Map(rows.map((row, i) => [JSON.stringify(row), i]));
	const columns = histograms.map(({ from, to, key, buckets }) => ({
		from,
		to,
		key,
		cells: new Map(
			buckets
				.filter((bucket) => bucket[2] !== 0)
				.map(([lower, upper, count]) => [
					numbers.get(JSON.stringify([lower, upper])),
					exact(count),
				]),
		),
	}));
	return rows.length && columns.length ? new HeatMap(columns, fillGaps(rows, columns), options) : null;
}

/* Add the rows that are empty everywhere between others, so that the axis has no jumps; change the columns' rows. */
function fillGaps(rows, columns) {
	const filled = [],
		places = [];
	for (const row of rows) {
		const last = filled[filled.length - 1];
		if (last && last[1] !== null && row[0] !== null) {
			let from = Number(exact(last[1]));
			const to = Number(exact(row[0])),
				width = from - Number(exact(last[0]));
			const isLog = Number(exact(row[1] ?? 0)) - to !== width;
			for (let n = 0; from < to && n < 256; n++) {
				const next = isLog
					? from > 0
						? from * 2
						: from < -1
							? from / 2
							: from + 1
					: from + width;
				if (!(next > from) || next > to) break;
				filled.push([from, next]);
				from = next;
			}
		}
		places.push(filled.length);
		filled.push(row);
	}
	for (const column of columns)
		column.cells = new Map([...column.cells].map(([row, count]) => [places[row], count]));
	return filled;
}
