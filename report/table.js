// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A table that sorts and filters, shows the first rows, and sums the others.
 *
 * columns: [{label, isNumber, value(row), text(row), sums, bar(row) from 0 to 1, tone(row)}]; rows are numbers from 0.
 */

const TOPS = [10, 25, 100, 1000];

class Table {
	constructor(columns, count, options) {
		this.columns = columns;
		this.rows = Array.from({ length: count }, (_, i) => i);
		this.options = options || {};
		this.sorted = this.options.sorted === undefined ? columns.length - 1 : this.options.sorted;
		this.descending = columns[this.sorted].isNumber === true && !this.options.ascending;
		this.top = this.options.top || 25;
		this.filter = "";
		this.chosen = null;
		this.count = make("span", { class: "dim", "aria-live": "polite" });
		this.body = make("tbody");
		this.head = make("tr");
		this.element = make(
			"div",
			{},
			count > 10 ? this.makeControls(count) : null,
			make(
				"div",
				{ class: "scroll", tabindex: "0" },
				make("table", {}, make("thead", {}, this.head), this.body),
			),
		);
		this.headings = columns.map((column, i) => this.makeHeading(column, i));
		this.draw();
	}

	makeControls(count) {
		const search = make("input", {
			type: "search",
			placeholder: "Filter",
			"aria-label": "Filter the rows",
			input: () => {
				this.filter = search.value.toLowerCase();
				this.draw();
			},
		});
		const tops = TOPS.filter((top) => top < count)
			.concat(count)
			.map((top) => [top, top === count ? "all" : top]);
		return make(
			"div",
			{ class: "controls" },
			search,
			makeSelect("Top", tops, Math.min(this.top, count), (value) => {
				this.top = Number(value);
				this.draw();
			}),
			this.count,
		);
	}

	makeHeading(column, i) {
		const heading = make(
			"th",
			{ class: column.isNumber ? "number" : null, scope: "col" },
			make(
				"button",
				{ type: "button", title: column.title || null, click: () => this.sortBy(i) },
				inLine(column.label),
			),
		);
		this.head.append(heading);
		return heading;
	}

	sortBy(i) {
		this.descending = this.sorted === i ? !this.descending : this.columns[i].isNumber === true;
		this.sorted = i;
		this.draw();
	}

	compare(a, b) {
		const column = this.columns[this.sorted];
		const one = column.value(a),
			two = column.value(b);
		// Missing values are last in both directions.
		if (one === null || two === null) return one === two ? a - b : one === null ? 1 : -1;
		const order = one < two ? -1 : one > two ? 1 : 0;
		return (this.descending ? -order : order) || a - b;
	}

	matches(row) {
		return this.columns.some((column) => String(column.text(row)).toLowerCase().includes(this.filter));
	}

	/* Return the rows that are shown, and those that are summed. */
	split() {
		const found = this.filter ? this.rows.filter((row) => this.matches(row)) : this.rows.slice();
		found.sort((a, b) => this.compare(a, b));
		return [found.slice(0, this.top), found.slice(this.top), found.length];
	}

	draw() {
		const [shown, rest, found] = this.split();
		this.headings.forEach((heading, i) =>
			heading.setAttribute(
				"aria-sort",
				i !== this.sorted ? "none" : this.descending ? "descending" : "ascending",
			),
		);
		this.count.textContent = this.filter
			? `${full(found)} of ${full(this.rows.length)} rows match`
			: `${full(found)} rows`;
		clear(this.body).append(...shown.map((row) => this.makeRow(row)));
		if (rest.length) this.body.append(this.makeRest(rest));
		if (!found)
			this.body.append(
				make("tr", { class: "rest" }, make("td", { colspan: this.columns.length }, "no rows")),
			);
	}

	makeRow(row) {
		const choose = this.options.choose;
		const element = make(
			"tr",
			choose
				? {
						class: "choice",
						tabindex: "0",
						"aria-selected": String(this.chosen === row),
						click: () => this.choose(row),
						keydown: (event) => {
							if (event.key === "Enter" || event.key === " ") {
								event.preventDefault();
								this.choose(row);
							}
						},
					}
				: {},
			this.columns.map((column) => this.makeCell(column, row)),
		);
		element.row = row;
		return element;
	}

	makeCell(column, row) {
		const text = column.text(row) === "" ? "(empty)" : column.text(row),
			tone = column.tone ? column.tone(row) : null;
		if (column.bar) {
			const bar = make("i");
			bar.style.backgroundSize = 100 * Math.max(0, Math.min(1, column.bar(row))) + "% 100%";
			return make(
				"td",
				{ class: "share number" },
				make(
					"div",
					{},
					bar,
					make(
						"span",
						{ title: column.title_of ? column.title_of(row) : null },
						inLine(text),
					),
				),
			);
		}
		return make(
			"td",
			{
				class: (column.isNumber ? "number" : "text") + (tone ? " " + tone : ""),
				title: column.title_of ? column.title_of(row) : null,
			},
			inLine(text),
		);
	}

	makeRest(rest) {
		return make(
			"tr",
			{ class: "rest" },
			this.columns.map((column, i) => {
				const sum = column.sums ? column.sums(rest) : null;
				const text =
					(i ? "" : `${full(rest.length)} more`) +
					(sum === null ? "" : (i ? "" : ": ") + sum);
				return make("td", { class: column.isNumber ? "number" : null }, text);
			}),
		);
	}

	choose(row) {
		this.chosen = row;
		for (const element of this.body.children)
			element.setAttribute("aria-selected", String(element.row === row));
		this.options.choose(row);
	}
}
