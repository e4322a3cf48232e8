// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers: exact sums of 64-bit integers, units, and short forms. */

/* Return a value's integer as a number, or as a BigInt if it needs more than 53 bits. */
function exact(value) {
	return value !== null && typeof value === "object" && "n" in value ? BigInt(value.n) : value;
}

function add(a, b) {
	if (typeof a === "number" && typeof b === "number" && Number.isSafeInteger(a + b)) return a + b;
	if ([a, b].some((value) => typeof value === "number" && !Number.isInteger(value))) return Number(a) + Number(b);
	return BigInt(a) + BigInt(b);
}

function subtract(a, b) {
	return add(a, typeof b === "bigint" ? -b : -b || 0);
}

const UNITS = new Map(
	Object.entries({
		ns: {
			steps: [
				[1, "ns"],
				[1e3, "\u00b5s"],
				[1e6, "ms"],
				[1e9, "s"],
			],
		},
		us: {
			steps: [
				[1, "\u00b5s"],
				[1e3, "ms"],
				[1e6, "s"],
			],
		},
		ms: {
			steps: [
				[1, "ms"],
				[1e3, "s"],
			],
		},
		s: { steps: [[1, "s"]] },
		bytes: {
			steps: [
				[1, "B"],
				[1024, "KiB"],
				[1024 ** 2, "MiB"],
				[1024 ** 3, "GiB"],
				[1024 ** 4, "TiB"],
			],
		},
	}),
);
const COUNTS = [
	[1, ""],
	[1e3, "k"],
	[1e6, "M"],
	[1e9, "G"],
	[1e12, "T"],
	[1e15, "P"],
	[1e18, "E"],
];

/* Return three significant digits. */
function digits(value) {
	const size = Math.abs(value);
	if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString("en-US");
	return size >= 10 ? value.toFixed(1) : size >= 1 ? value.toFixed(2) : String(Number(value.toPrecision(2)));
}

/* Return a short form with its unit: 12.3 ms. */
function short(value, unit) {
	if (value === null || value === undefined) return "\u2013";
	const number = Number(value);
	const known = UNITS.get(unit);
	const steps = known ? known.steps : COUNTS;
	let step = steps[0];
	for (const candidate of steps) if (Math.abs(number) >= candidate[0]) step = candidate;
	const scaled = number / step[0];
	const suffix = known || !unit || unit === "count" ? step[1] : step[1] + " " + unit;
	if (!known && Number.isInteger(number) && Math.abs(number) < 10000)
		return number.toLocaleString("en-US") + (unit && unit !== "count" ? " " + unit : "");
	return digits(scaled) + (suffix ? (suffix.length > 1 ? " " : "\u2009") + suffix.trim() : "");
}

/* Return all digits of an integer, with its unit. */
function full(value, unit) {
	if (value === null || value === undefined) return "\u2013";
	return value.toLocaleString("en-US") + (unit && unit !== "count" ? " " + unit : "");
}

function percent(part, whole) {
	if (!whole) return "\u2013";
	const share = (100 * part) / whole;
	return (share !== 0 && Math.abs(share) < 0.1 ? share.toPrecision(1) : share.toFixed(1)) + "\u2009%";
}

/* Return a change with its sign. */
function change(before, after, unit) {
	if (before === null || after === null) return before === null ? "new" : "gone";
	const difference = subtract(after, before);
	return (difference > 0 ? "+" : "") + short(difference, unit);
}

function changeShare(before, after) {
	if (!before || after === null || before === null) return "";
	const share = (100 * Number(subtract(after, before))) / Math.abs(Number(before));
	return (share > 0 ? "+" : "") + (Math.abs(share) >= 1000 ? digits(share) : share.toFixed(1)) + "\u2009%";
}

/* ---- times ------------------------------------------------------------------------------------------------------- */

function twoDigits(number) {
	return String(number).padStart(2, "0");
}

/* Return the time of day, in the reader's time zone. */
function clock(seconds, withFraction) {
	const date = new Date(seconds * 1000);
	const text = [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
	return withFraction ? text + "." + String(date.getMilliseconds()).padStart(3, "0") : text;
}

function dateAndTime(seconds) {
	const date = new Date(seconds * 1000);
	if (!Number.isFinite(date.getTime())) return String(seconds);
	return (
		[date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join("-") +
		" " +
		clock(seconds)
	);
}

function duration(seconds) {
	if (seconds < 60) return digits(seconds) + " s";
	const hours = Math.floor(seconds / 3600),
		minutes = Math.floor(seconds / 60) % 60;
	return (hours ? hours + " h " : "") + minutes + " min " + Math.round(seconds % 60) + " s";
}
