// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Elements of the page. Data become text nodes and values of attributes, never markup. Characters that a reader cannot
 * see, or that change the direction of text, are shown as symbols.
 */

const HIDDEN = new RegExp(
	"[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b-\\u200f\\u2028-\\u202e" +
		"\\u2060-\\u2069\\ufeff]",
	"g",
);

function visible(text) {
	return String(text).replace(HIDDEN, (character) => {
		const code = character.charCodeAt(0);
		if (code < 0x20) return String.fromCharCode(0x2400 + code);
		return code === 0x7f ? "\u2421" : "\\u" + code.toString(16).padStart(4, "0");
	});
}

/* The same for one line. */
function inLine(text) {
	return visible(text).replace(/\n/g, "\u240a").replace(/\t/g, "\u2409");
}

function fill(element, attributes, children) {
	for (const [name, value] of Object.entries(attributes || {})) {
		if (value === null || value === undefined || value === false) continue;
		if (typeof value === "function") element.addEventListener(name, value);
		else element.setAttribute(name, value === true ? "" : visible(value));
	}
	for (const child of children.flat(Infinity)) {
		if (child === null || child === undefined) continue;
		element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
	}
	return element;
}

/* Make an element. Attributes that are functions are listeners; false and null are left out. */
function make(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes, ...children) {
	return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function clear(element) {
	element.replaceChildren();
	return element;
}

function color(name) {
	return getComputedStyle(document.documentElement)
		.getPropertyValue("--" + name)
		.trim();
}

/* Make a labelled choice: options are [value, text]. */
function makeSelect(label, options, value, changed) {
	const select = make(
		"select",
		{ change: () => changed(select.value) },
		options.map(([option, text]) => make("option", { value: option }, inLine(text))),
	);
	select.value = value;
	return make("label", {}, label, select);
}

function makeToggle(label, pressed, changed) {
	const button = make(
		"button",
		{
			type: "button",
			"aria-pressed": String(pressed),
			click: () => {
				const now = button.getAttribute("aria-pressed") !== "true";
				button.setAttribute("aria-pressed", String(now));
				changed(now);
			},
		},
		label,
	);
	return button;
}

/* ---- the tip at the pointer -------------------------------------------------------------------------------------- */

/* Show lines at a place of the window; the first is bold. */
function showTip(x, y, lines) {
	const tip = document.getElementById("tip");
	clear(tip).append(...lines.map((line, i) => make(i ? "div" : "b", {}, inLine(line))));
	tip.hidden = false;
	const width = tip.offsetWidth,
		height = tip.offsetHeight;
	tip.style.left = Math.max(4, Math.min(x + 14, window.innerWidth - width - 8)) + "px";
	tip.style.top = (y + height + 24 > window.innerHeight ? Math.max(4, y - height - 12) : y + 18) + "px";
}

function hideTip() {
	document.getElementById("tip").hidden = true;
}

/* ---- drawing again ----------------------------------------------------------------------------------------------- */

/* Draw into a box whenever its width changes, and in drawNow(). Return the function that draws. */
function keepDrawn(box, draw) {
	let width = 0;
	const again = () => {
		if (!box.clientWidth) return; // not shown
		width = box.clientWidth;
		draw(width);
	};
	const drawIfChanged = () => {
		if (Math.abs(box.clientWidth - width) > 1) again();
	};
	// Draw after the observer has returned: drawing changes sizes, which an observer must not do.
	new ResizeObserver(() => requestAnimationFrame(drawIfChanged)).observe(box);
	box.classList.add("drawn");
	box.drawAgain = again;
	return again;
}

/* Draw everything in an element that was just put into the page, or whose theme has changed. */
function drawNow(element) {
	for (const box of element.querySelectorAll(".drawn")) box.drawAgain();
}

/* Size a canvas for the pixels of the screen, and return its context, scaled so that units are CSS pixels. */
function sizeCanvas(canvas, width, height) {
	const ratio = Math.min(window.devicePixelRatio || 1, 16000 / Math.max(width, height));
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = width + "px";
	canvas.style.height = height + "px";
	const context = canvas.getContext("2d");
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	return context;
}
