// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prepare a page for a picture: show one global in one view, alone, and count what is drawn. `wanted` is set before:
 * {global, tab, choices: {label: option}, finds: [functions], says: pattern}, and colors.js precedes this file. The
 * title becomes "shown HEIGHT: FACTS", or what is missing.
 */

const wrongs = new Set();
addEventListener("error", (event) => wrongs.add(event.message));

/* Return the number of colors in all canvases below an element. */
function countColors(element) {
	const colors = new Set();
	for (const canvas of element.querySelectorAll("canvas")) addColors(canvas, colors);
	return colors.size;
}

/* Search a flame graph, and return what it says of the share that matches. */
function findFunction(section, name) {
	const search = section.querySelector(".flame-search");
	search.value = name;
	search.dispatchEvent(new Event("input", { bubbles: true }));
	const said = section.querySelector(".flame-matched").textContent.match(/([0-9.]+)\s*%/);
	search.value = "";
	search.dispatchEvent(new Event("input", { bubbles: true }));
	if (!said || !(Number(said[1]) > 0)) wrongs.add("no function " + name);
}

function choose(section) {
	const heading = [...section.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === wanted.tab);
	if (wanted.tab && heading) heading.click();
	else if (wanted.tab) wrongs.add("no tab " + wanted.tab);
	for (const [label, option] of Object.entries(wanted.choices || {})) {
		const select = [...section.querySelectorAll("label")]
			.find((candidate) => candidate.firstChild.textContent === label)
			?.querySelector("select");
		const chosen = select && [...select.options].find((candidate) => candidate.textContent === option);
		if (!chosen) {
			wrongs.add(`no choice ${label}: ${option}`);
			continue;
		}
		select.value = chosen.value;
		select.dispatchEvent(new Event("change"));
	}
}

/* Hide everything but the section and the title. */
function alone(section) {
	for (const other of document.querySelectorAll("#main > *")) if (other !== section) other.hidden = true;
	document.getElementById("contents").hidden = true;
	for (const element of document.querySelectorAll("#theme, #head .facts")) element.style.display = "none";
	document.getElementById("columns").style.gridTemplateColumns = "minmax(0, 1fr)";
	for (const element of [document.getElementById("main"), section]) {
		element.style.margin = "0";
		element.style.border = "0";
		element.style.borderRadius = "0";
	}
	document.getElementById("main").style.padding = "0";
	for (const scroll of section.querySelectorAll(".flame-scroll, .scroll")) scroll.style.maxHeight = "none";
	document.documentElement.style.overflow = "hidden";
	drawNow(document.body);
}

function prepare() {
	const section = [...document.querySelectorAll("#main > section")].find(
		(candidate) => candidate.querySelector("h2")?.textContent === wanted.global,
	);
	if (!section) {
		wrongs.add(`no global ${wanted.global}`);
		return 0;
	}
	choose(section);
	alone(section);
	for (const name of wanted.finds || []) findFunction(section, name);
	const colors = countColors(section),
		marks = section.querySelectorAll("svg path, svg rect, .bar, tbody tr").length;
	if (colors < 8 && marks < 1) wrongs.add(`only ${colors} colors and ${marks} marks`);
	if (wanted.says && !new RegExp(wanted.says).test(section.textContent)) wrongs.add(`not said: ${wanted.says}`);
	if (/NaN|Infinity|undefined|\[object/.test(section.textContent)) wrongs.add("an impossible number");
	return `${Math.ceil(section.getBoundingClientRect().bottom)}: ${colors} colors, ${marks} marks`;
}

if (document.documentElement.dataset.ready !== "yes") wrongs.add("the page is not ready");
const shown = prepare();
document.title = wrongs.size ? [...wrongs].join("; ") : "shown " + shown;
