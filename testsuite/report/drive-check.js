// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Use everything on a page in a browser, whatever its data are: each tab, the last option of each selector, searches,
 * keys and the pointer, for each choice of hosts. The result is the title: "passed", or what went wrong.
 */

const failures = new Set();

function fire(element, event) {
	try {
		element.dispatchEvent(event);
	} catch (error) {
		failures.add(error.message);
	}
}

function useAll() {
	const chosen = (selector) => document.querySelectorAll(selector);
	for (const tab of chosen("[role=tab]")) tab.click();
	for (const heading of chosen("th button")) heading.click();
	for (const select of chosen("#main select")) {
		select.selectedIndex = select.options.length - 1;
		fire(select, new Event("change"));
	}
	for (const input of chosen("input[type=search]")) {
		input.value = "a(";
		fire(input, new Event("input"));
	}
	for (const chart of chosen("canvas, .chart")) {
		const box = chart.getBoundingClientRect();
		for (const key of ["ArrowRight", "ArrowUp", "Enter", "ArrowLeft", "Escape", "i", "Home"])
			fire(chart, new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
		const place = { clientX: box.left + 150, clientY: box.top + 30, bubbles: true };
		fire(chart, new PointerEvent("pointermove", place));
		fire(chart, new MouseEvent("click", place));
		fire(chart, new PointerEvent("pointerleave", place));
	}
	const wrong = document.getElementById("main").textContent.match(/NaN|Infinity|undefined|\[object/);
	if (wrong) failures.add("the page shows " + wrong[0]);
}

addEventListener("error", (event) => failures.add(event.message));
if (document.documentElement.dataset.ready !== "yes") failures.add("the page is not ready");
useAll();
const hosts = document.querySelector("#hosts select");
for (const option of hosts ? [...hosts.options] : []) {
	hosts.value = option.value;
	fire(hosts, new Event("change"));
	useAll();
}
document.title = failures.size ? [...failures].join("; ") : "passed";
