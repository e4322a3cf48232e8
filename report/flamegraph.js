// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flame graphs. Nodes of a tree are in preorder, so sums are one loop from the end, drawing is one loop from the
 * start, and a frame narrower than a third of a pixel is skipped together with its callees. So 50,000 stacks are drawn
 * in some milliseconds.
 *
 * weights: for each run, a function that returns the weight of an element.
 */

const ROW = 19;
const MOST_ROWS = 800; // browsers limit the height of a canvas
const LEAST_WIDTH = 0.35;
const MOST_CHOICES = 500; // of a selector

/* ---- sums -------------------------------------------------------------------------------------------------------- */

class StackTree {
	constructor(view) {
		this.view = view;
		this.count = view.parent.length;
		this.end = new Int32Array(this.count); // after the last node that is called from this one
		this.depth = new Int32Array(this.count);
		for (let node = this.count - 1; node >= 0; node--) {
			this.end[node] = Math.max(this.end[node], node + 1);
			if (node) this.end[view.parent[node]] = Math.max(this.end[view.parent[node]], this.end[node]);
		}
		for (let node = 1; node < this.count; node++) this.depth[node] = this.depth[view.parent[node]] + 1;
	}

	/* Return the sum of each node and its callees; `own` gets the nodes' own weights. */
	sums(weight, isChosen) {
		const sums = new Float64Array(this.count),
			leaf = this.view.leaf;
		let negative = 0;
		for (let i = 0; i < leaf.length; i++) {
			if (!isChosen(i)) continue;
			const value = weight(i);
			if (value < 0) negative++;
			else sums[leaf[i]] += value;
		}
		const own = sums.slice();
		for (let node = this.count - 1; node > 0; node--) sums[this.view.parent[node]] += sums[node];
		return { sums, own, negative };
	}

	/* Return a node's function, or null for the root. */
	functionOf(node) {
		return node ? data.functions[this.view.function[node - 1]] : null;
	}

	nameOf(node) {
		return node ? this.functionOf(node)[NAME] : "all";
	}

	place(node) {
		const called = this.functionOf(node),
			line = node ? this.view.line[node - 1] : 0;
		return called && called[FILE] ? called[FILE] + (line > 0 ? ":" + line : "") : null;
	}

	kindOf(node) {
		const called = this.functionOf(node);
		return called ? data.kinds[called[KIND]] + (called[INLINED] ? ", inlined" : "") : "";
	}
}

/* Mix two colors of the form #rrggbb. */
function mixColors(one, two, share) {
	const part = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
	return (
		"rgb(" +
		[0, 1, 2].map((i) => Math.round(part(one, i) * share + part(two, i) * (1 - share))).join(",") +
		")"
	);
}

/* ---- the graph --------------------------------------------------------------------------------------------------- */

class FlameGraph {
	constructor(global) {
		this.global = global;
		this.trees = new Map();
		this.viewNumber = 0;
		this.measure = global.values === "statistics" ? SUM : null;
		this.choices = global.keys.map(() => null);
		this.isIcicle = false;
		this.isByShare = false;
		this.pattern = null;
		this.zoomed = 0;
		this.focus = null;
		this.makeElements();
		this.update();
		this.again = keepDrawn(this.box, () => this.draw());
	}

	get tree() {
		const view = this.global.views[this.viewNumber];
		if (!this.trees.has(view)) this.trees.set(view, new StackTree(view));
		return this.trees.get(view);
	}

	get unit() {
		return this.measure === COUNT ? "count" : this.global.unit;
	}

	/* ---- elements and controls ---- */

	makeElements() {
		this.canvas = make("canvas", {
			tabindex: "0",
			role: "img",
			class: "flame",
			"aria-label": "flame graph; the arrow keys move over its frames, Enter zooms, Escape zooms out",
			click: (event) => this.click(event),
			pointermove: (event) => this.point(event),
			pointerleave: () => this.leave(),
			keydown: (event) => this.key(event),
		});
		this.box = make("div", { class: "flame-scroll chart" }, this.canvas);
		this.status = make("p", { class: "status flame-status", "aria-live": "polite" });
		this.note = make("p", { class: "warn" });
		this.matched = make("span", { class: "flame-matched", "aria-live": "polite" });
		this.search = make("input", {
			type: "search",
			class: "flame-search",
			placeholder: "Search functions ( / )",
			"aria-label": "Search functions, by a regular expression",
			input: () => this.find(this.search.value),
		});
		this.reset = make(
			"button",
			{ type: "button", class: "flame-reset", click: () => this.zoom(0) },
			"Reset zoom",
		);
		this.icicle = makeToggle("Icicle", this.isIcicle, (now) => {
			this.isIcicle = now;
			this.draw();
			this.scrollToRoot();
		});
		this.element = make(
			"div",
			{},
			this.makeChoices(),
			make(
				"div",
				{ class: "controls" },
				this.search,
				this.matched,
				make("span", { class: "spacer" }),
				this.icicle,
				this.reset,
			),
			this.box,
			this.status,
			this.note,
			this.makeLegend(),
		);
	}

	/* Make the selectors of the view, of the measure, and of the other keys. */
	makeChoices() {
		const box = make("div", { class: "controls flame-choices" }),
			{ global } = this;
		if (global.views.length > 1)
			box.append(
				makeSelect(
					"Stacks",
					global.views.map((view, i) => [
						i,
						view.key < 0 ? "all together" : keyLabel(global, view.key),
					]),
					0,
					(value) => {
						this.viewNumber = Number(value);
						this.restart();
					},
				),
			);
		if (global.values === "statistics")
			box.append(
				makeSelect(
					"Width",
					[
						[SUM, "sum"],
						[COUNT, "count"],
					],
					SUM,
					(value) => {
						this.measure = Number(value);
						this.restart();
					},
				),
			);
		global.keys.forEach((kind, key) => {
			const choice = kind === "stack" ? null : this.makeKeyChoice(key);
			if (choice) box.append(choice);
		});
		if (isComparison)
			box.append(
				makeToggle("Compare shares of the totals", false, (now) => {
					this.isByShare = now;
					this.restart();
				}),
			);
		return box.childNodes.length ? box : null;
	}

	/* Make the selector of a key; null if all elements have the same. */
	makeKeyChoice(key) {
		const column = this.global.columns[key],
			weights = new Map(),
			weight = this.weight(lastRun);
		column.forEach((value, i) => {
			const text = String(exact(value));
			weights.set(text, (weights.get(text) || 0) + weight(i));
		});
		if (weights.size < 2) return null;
		const texts = [...weights]
			.sort((a, b) => b[1] - a[1])
			.slice(0, MOST_CHOICES)
			.map(([text]) => text);
		return makeSelect(
			keyLabel(this.global, key),
			[[-1, `all ${full(weights.size)}`]].concat(texts.map((text, i) => [i, text || "(empty)"])),
			-1,
			(i) => {
				this.choices[key] = i < 0 ? null : texts[i];
				this.restart();
			},
		);
	}

	makeLegend() {
		if (isComparison)
			return makeLegend([
				["grew", "grew"],
				["unknown", "unchanged"],
				["shrank", "shrank"],
			]);
		const kinds = new Set(),
			view = this.global.views[0];
		for (const number of new Set(view.function)) {
			kinds.add(data.kinds[data.functions[number][KIND]]);
			if (data.functions[number][INLINED]) this.hasInlined = true;
		}
		const legend = makeLegend(data.kinds.filter((kind) => kinds.has(kind)).map((kind) => [kind, kind]));
		if (this.hasInlined)
			legend.append(make("span", {}, "inlined frames are striped, and their names are in italics"));
		return legend;
	}

	/* ---- sums ---- */

	weight(run) {
		const elements = this.global.elements[run],
			measure = this.measure;
		return (i) =>
			elements[i] === null ? 0 : Number(exact(measure === null ? elements[i] : elements[i][measure]));
	}

	isChosen(i) {
		return this.choices.every(
			(choice, key) => choice === null || String(exact(this.global.columns[key][i])) === choice,
		);
	}

	update() {
		const chosen = this.choices.some((choice) => choice !== null) ? (i) => this.isChosen(i) : () => true;
		this.runs = data.runs.map((_, run) => this.tree.sums(this.weight(run), chosen));
		this.widths = isComparison ? this.joinWidths() : this.runs[0].sums;
		this.zoomed = 0;
		this.focus = null;
		this.find(this.search.value);
	}

	/* A frame is as wide as the larger of its two sums; its children are never wider than it is. */
	joinWidths() {
		const [before, after] = this.runs,
			widths = new Float64Array(this.tree.count);
		const factor = this.factor();
		for (let node = this.tree.count - 1; node >= 0; node--) {
			widths[node] = Math.max(widths[node], before.sums[node] * factor, after.sums[node]);
			if (node) widths[this.tree.view.parent[node]] += widths[node];
		}
		return widths;
	}

	/* Return the factor that makes the sums of the first run comparable with those of the second. */
	factor() {
		const [before, after] = this.runs;
		return this.isByShare && before.sums[0] ? after.sums[0] / before.sums[0] : 1;
	}

	restart() {
		this.update();
		this.draw();
		this.scrollToRoot();
	}

	/* ---- drawing ---- */

	/* Return the rectangles of the visible frames: [node, x, width, level]. */
	layOut(width) {
		const { tree, widths, zoomed } = this,
			visibleFrames = [],
			factor = widths[zoomed] ? width / widths[zoomed] : 0;
		const above = [];
		for (let node = zoomed; node; node = tree.view.parent[node]) above.unshift(node);
		above.unshift(0);
		above.forEach((node, level) => visibleFrames.push([node, 0, width, level]));
		const next = new Float64Array(above.length + MOST_ROWS + 1),
			base = tree.depth[zoomed];
		for (let node = zoomed + 1; node < tree.end[zoomed];) {
			const level = tree.depth[node] - base,
				size = widths[node] * factor;
			const x = next[level];
			next[level] += size;
			if (size < LEAST_WIDTH || level >= MOST_ROWS) {
				node = tree.end[node];
				continue;
			}
			next[level + 1] = x;
			visibleFrames.push([node, x, size, above.length - 1 + level]);
			node++;
		}
		return visibleFrames;
	}

	draw() {
		const width = this.box.clientWidth;
		if (!width) return;
		this.frames = this.layOut(width);
		this.levels = 1 + this.frames.reduce((most, frame) => Math.max(most, frame[3]), 0);
		const context = sizeCanvas(this.canvas, width, Math.max(3, this.levels) * ROW + 2);
		context.font = '12px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';
		this.letter = context.measureText("mmmmmmmmmm").width / 10;
		this.colors = {};
		for (const name of [
			"frame-text",
			"match",
			"match-text",
			"grew",
			"shrank",
			"text",
			"surface",
			"raised",
			"dim",
		].concat(data.kinds))
			this.colors[name] = color(name);
		for (const frame of this.frames) this.drawFrame(context, frame);
		if (this.focus !== null) this.drawFocus(context);
		this.reset.disabled = this.zoomed === 0;
		this.note.textContent = this.negativeNote();
		this.status.textContent = this.describe(this.focus === null ? this.zoomed : this.focus)
			.map(inLine)
			.join("   ");
	}

	negativeNote() {
		const negative = this.runs.reduce((sum, run) => sum + run.negative, 0);
		return negative ? `${full(negative)} stacks with negative values are left out.` : "";
	}

	y(level) {
		return (this.isIcicle ? level : Math.max(3, this.levels) - 1 - level) * ROW + 1;
	}

	background(node) {
		if (!node) return this.colors.raised;
		return isComparison
			? this.differenceColor(node)
			: this.colors[data.kinds[this.tree.functionOf(node)[KIND]]];
	}

	/* Mix the color of growth or shrinking with gray, by the share of the frame that changed. */
	differenceColor(node) {
		const before = this.runs[0].sums[node] * this.factor(),
			after = this.runs[1].sums[node];
		const share = (after - before) / (Math.max(before, after) || 1),
			strength = Math.min(1, Math.abs(share) ** 0.7);
		return mixColors(this.colors[share > 0 ? "grew" : "shrank"], this.colors.unknown, strength);
	}

	drawFrame(context, [node, x, width, level]) {
		const y = this.y(level),
			isMatch = this.pattern && node && this.matches[node];
		const isFaint = (this.pattern && !isMatch) || level < this.tree.depth[this.zoomed];
		const called = this.tree.functionOf(node);
		context.globalAlpha = isFaint ? 0.45 : 1;
		context.fillStyle = isMatch ? this.colors.match : this.background(node);
		context.fillRect(x, y, Math.max(0.5, width - (width > 3 ? 1 : 0)), ROW - 1);
		if (called && called[INLINED] && width > 5) this.drawStripes(context, x, y, width);
		context.globalAlpha = isFaint ? 0.75 : 1;
		if (width > 3 * this.letter + 6) {
			context.fillStyle =
				this.colors[isMatch ? "match-text" : node && !isFaint ? "frame-text" : "text"];
			context.font = context.font.replace(/^italic /, "");
			if (called && called[INLINED]) context.font = "italic " + context.font;
			context.fillText(this.label(node, width), x + 4, y + 13);
		}
		context.globalAlpha = 1;
	}

	drawStripes(context, x, y, width) {
		context.save();
		context.beginPath();
		context.rect(x, y, width - 1, ROW - 1);
		context.clip();
		context.strokeStyle = this.colors["frame-text"];
		context.globalAlpha *= 0.16;
		for (let at = x - ROW; at < x + width; at += 8) {
			context.beginPath();
			context.moveTo(at, y + ROW);
			context.lineTo(at + ROW, y);
			context.stroke();
		}
		context.restore();
	}

	label(node, width) {
		const text = inLine(this.tree.nameOf(node)),
			space = Math.floor((width - 6) / this.letter);
		return text.length <= space ? text : text.slice(0, Math.max(1, space - 1)) + "\u2026";
	}

	drawFocus(context) {
		const frame = this.frames.find((candidate) => candidate[0] === this.focus);
		if (!frame) return;
		context.strokeStyle = this.colors.text;
		context.lineWidth = 2;
		context.strokeRect(frame[1] + 1, this.y(frame[3]), Math.max(2, frame[2] - 3), ROW - 1);
	}

	scrollToRoot() {
		this.box.scrollTop = this.isIcicle ? 0 : this.box.scrollHeight;
	}

	/* ---- details of a frame ---- */

	describe(node) {
		const { tree } = this,
			called = tree.functionOf(node);
		const sizes = isComparison ? this.describeDifference(node) : [this.describeSize(node)];
		const lines = [tree.nameOf(node), ...sizes];
		if (called) {
			lines.push(tree.kindOf(node) + (called[OBJECT] ? ": " + called[OBJECT] : ""));
			if (tree.place(node)) lines.push(tree.place(node));
		}
		return lines;
	}

	describeSize(node) {
		const { sums, own } = this.runs[0],
			shares = [percent(sums[node], sums[0]) + " of all"];
		if (this.zoomed) shares.push(percent(sums[node], sums[this.zoomed]) + " of what is shown");
		return `${short(sums[node], this.unit)} (${shares.join(", ")}), itself ${short(own[node], this.unit)}`;
	}

	describeDifference(node) {
		const [before, after] = this.runs,
			{ unit } = this;
		return [
			"before " +
				short(before.sums[node], unit) +
				" (" +
				percent(before.sums[node], before.sums[0]) +
				")",
			"after " +
				short(after.sums[node], unit) +
				" (" +
				percent(after.sums[node], after.sums[0]) +
				")",
			"change " +
				change(before.sums[node], after.sums[node], unit) +
				" " +
				changeShare(before.sums[node], after.sums[node]),
		];
	}

	/* ---- search ---- */

	find(text) {
		const { tree } = this;
		this.pattern = null;
		this.search.setCustomValidity("");
		if (text) {
			try {
				this.pattern = new RegExp(text, "i");
			} catch (error) {
				this.pattern = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i");
			}
			const isMatch = data.functions.map((called) => this.pattern.test(called[NAME]));
			this.matches = new Uint8Array(tree.count);
			for (let node = 1; node < tree.count; node++)
				this.matches[node] = isMatch[tree.view.function[node - 1]] ? 1 : 0;
		}
		this.showMatched();
		if (this.again) this.draw();
	}

	/* Sum the outermost matches, so that nothing counts twice. */
	showMatched() {
		if (!this.pattern) {
			this.matched.textContent = "";
			return;
		}
		const texts = this.runs.map(({ sums }) => {
			let sum = 0;
			for (let node = 1; node < this.tree.count;) {
				if (this.matches[node]) sum += sums[node];
				node = this.matches[node] ? this.tree.end[node] : node + 1;
			}
			return percent(sum, sums[0]) + " (" + short(sum, this.unit) + ")";
		});
		this.matched.textContent = "matched: " + texts.join(" \u2192 ");
	}

	/* ---- pointer and keys ---- */

	frameAt(event) {
		const box = this.canvas.getBoundingClientRect(),
			x = event.clientX - box.left,
			y = event.clientY - box.top;
		const found = this.frames.filter((frame) => {
			const top = this.y(frame[3]);
			return y >= top && y < top + ROW && x >= frame[1] && x < frame[1] + Math.max(1, frame[2]);
		});
		return found.length ? found[0][0] : null;
	}

	point(event) {
		const node = this.frameAt(event);
		if (node === null) {
			this.leave();
			return;
		}
		if (node !== this.focus) {
			this.focus = node;
			this.draw();
		}
		showTip(event.clientX, event.clientY, this.describe(node));
	}

	leave() {
		hideTip();
		this.focus = null;
		this.draw();
	}

	click(event) {
		const node = this.frameAt(event);
		if (node !== null) this.zoom(node);
	}

	zoom(node) {
		hideTip();
		this.zoomed = node;
		this.focus = null;
		this.draw();
		if (this.zoomed === 0) this.scrollToRoot();
	}

	/* Return the frame next to the focused one: its caller, its widest callee, or another callee of its caller. */
	neighbor(key) {
		const now = this.focus === null ? this.zoomed : this.focus,
			{ parent } = this.tree.view;
		const up = this.isIcicle ? "ArrowDown" : "ArrowUp",
			down = this.isIcicle ? "ArrowUp" : "ArrowDown";
		const widest = (list) => list.reduce((a, b) => (a === null || b[2] > a[2] ? b : a), null);
		if (key === down) return now ? parent[now] : 0;
		if (key === up) {
			const callee = widest(
				this.frames.filter((frame) => frame[0] && frame[0] !== now && parent[frame[0]] === now),
			);
			return callee ? callee[0] : now;
		}
		const level = (this.frames.find((frame) => frame[0] === now) || [0, 0, 0, 0])[3];
		const row = this.frames.filter((frame) => frame[3] === level);
		const at = row.findIndex((frame) => frame[0] === now) + (key === "ArrowRight" ? 1 : -1);
		return row[Math.max(0, Math.min(row.length - 1, at))][0];
	}

	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		if (event.key.startsWith("Arrow")) {
			this.focus = this.neighbor(event.key);
			this.draw();
		} else if (event.key === "Enter" && this.focus !== null) {
			this.zoom(this.focus);
		} else if (event.key === "Escape" || event.key === "Backspace") {
			this.zoom(this.zoomed ? this.tree.view.parent[this.zoomed] : 0);
		} else if (event.key === "Home") {
			this.zoom(0);
		} else if (event.key === "i") {
			this.icicle.click();
		} else {
			return;
		}
		event.preventDefault();
	}
}
