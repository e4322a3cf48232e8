// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks of a page in a browser, appended to the page of io.json by the suite report. The result is the title:
 * "passed", or what failed.
 */

/* Press and release the button at a place of the canvas. */
function clickAt(canvas, x, y) {
	const box = canvas.getBoundingClientRect(),
		place = { clientX: box.left + x, clientY: box.top + y, bubbles: true };
	canvas.dispatchEvent(new PointerEvent("pointermove", place));
	canvas.dispatchEvent(new MouseEvent("click", place));
}

function press(element, key) {
	element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

function type(input, text) {
	input.value = text;
	input.dispatchEvent(new Event("input"));
}

function isPainted(canvas) {
	const { data: pixels } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
	return pixels.some((value) => value !== 0);
}

function checkFlameGraph() {
	const section = sectionOf("blocked"),
		canvas = section.querySelector("canvas.flame"),
		status = section.querySelector(".flame-status"),
		matched = section.querySelector(".flame-matched"),
		search = section.querySelector(".flame-search"),
		reset = section.querySelector(".flame-reset");
	const row = (number) => canvas.clientHeight - 2 - 19 * number + 9; // from the root, which is 1
	expect("the flame graph is drawn", canvas.width > 300 && canvas.height > 200 && isPainted(canvas));
	expect("the root is everything", status.textContent.startsWith("all") && status.textContent.includes("100.0"));
	expect("there is nothing to reset", reset.disabled);
	clickAt(canvas, 20, row(2));
	expect("a click zooms", status.textContent.startsWith("_start") && !reset.disabled);
	expect("the share is that of all stacks", !status.textContent.includes("(100.0"));
	press(canvas, "ArrowUp");
	expect("an arrow moves the focus", status.textContent.startsWith("__libc_start_main"));
	press(canvas, "Enter");
	press(canvas, "Escape");
	expect("Escape goes to the caller", status.textContent.startsWith("_start"));
	reset.click();
	expect("reset shows all", status.textContent.startsWith("all") && reset.disabled);
	type(search, "ext4_.*read");
	expect("a search shows its share", /^matched: \d+\.\d\u2009% \(\d/.test(matched.textContent));
	const share = parseFloat(matched.textContent.slice(9));
	type(search, "_start");
	expect("all stacks have an outermost frame", matched.textContent.startsWith("matched: 100.0"));
	expect("some stacks read", share > 0 && share < 100);
	type(search, "(");
	expect("a pattern that is wrong is a text", matched.textContent.startsWith("matched: 0.0"));
	type(search, "");
	expect("an empty search ends", matched.textContent === "");
	const before = status.textContent,
		process = [...section.querySelectorAll("select")].pop();
	process.value = "0";
	process.dispatchEvent(new Event("change"));
	expect("a selector leaves out stacks", status.textContent !== before && status.textContent.includes("100.0"));
	press(canvas, "i");
	expect("i turns the graph", section.querySelector("button[aria-pressed=true]")?.textContent === "Icicle");
	clickAt(canvas, 20, 2 + 19 + 9);
	expect("a click zooms an icicle", status.textContent.startsWith("_start"));
}

function checkTable() {
	const section = sectionOf("bytes_by_process"),
		rows = () => [...section.querySelectorAll("tbody tr")],
		headings = [...section.querySelectorAll("th button")];
	expect("the table has its top and a remainder", rows().length === 26 && rows()[25].className === "rest");
	expect("the remainder is summed", /^5 more/.test(rows()[25].textContent) && /iB/.test(rows()[25].textContent));
	headings[0].click();
	expect("a heading sorts", rows()[0].textContent.startsWith("bash"));
	headings[0].click();
	expect("a second click reverses", rows()[0].textContent.startsWith("postgres"));
	type(section.querySelector("input"), "mysqld");
	expect(
		"the filter leaves rows",
		rows().length === 5 && rows().every((row) => row.textContent.startsWith("mysqld")),
	);
}

function checkCharts() {
	const reads = sectionOf("reads"),
		status = reads.querySelector(".status"),
		map = reads.querySelector("canvas");
	expect("the heat map is drawn", isPainted(map));
	press(map, "ArrowRight");
	expect("an arrow moves over cells", /count: \d/.test(status.textContent));
	chooseTab(reads, "Histogram");
	expect("quantiles are marked as estimates", /p99 \(estimate\)\u2248/.test(reads.textContent));
	chooseTab(reads, "Over time");
	const chart = reads.querySelector(".chart[tabindex]");
	expect("the series is drawn", chart.querySelectorAll("path").length === 1);
	press(chart, "ArrowRight");
	expect("an arrow moves over points", reads.querySelector(".status").textContent !== "");
}

function checkPage() {
	expect("the page is ready", document.documentElement.dataset.ready === "yes");
	expect("the warning is shown", document.body.textContent.includes("local variable 'n' is never assigned"));
	expect("the output is shown", document.body.textContent.includes("probing\ndone\n"));
	expect(
		"no value is missing",
		!/NaN|undefined|Infinity|\[object/.test(document.getElementById("main").innerText),
	);
	document.querySelectorAll("details").forEach((details) => (details.open = true));
	expect("nothing that is hidden is missing", !/undefined|\[object/.test(document.body.innerText));
	press(document.body, "/");
	expect("/ goes to the search", document.activeElement.className === "flame-search");
	document.activeElement.blur();
	const theme = document.documentElement.dataset.theme;
	press(document.body, "t");
	expect("t changes the theme", document.documentElement.dataset.theme !== theme);
}

try {
	checkFlameGraph();
	checkTable();
	checkPage();
	checkCharts();
} catch (error) {
	failures.push(String(error.stack));
}
document.title = failures.length ? "failed: " + failures.join("; ") : "passed";
