// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checks of the page of two hosts in a browser, appended to the page of hosts.json by the suite report. The result is
 * the title: "passed", or what failed.
 */

function chooseHost(value) {
	const select = document.querySelector("#hosts select");
	select.value = value;
	select.dispatchEvent(new Event("change"));
}

function rowsOf(section) {
	return [...section.querySelectorAll("tbody tr")].map((row) =>
		[...row.cells].map((cell) => cell.textContent).join(" "),
	);
}

function frames(section) {
	return section.querySelector(".flame-status").textContent;
}

function check(name, calls, stacks, count, cats) {
	expect(name + ": a scalar", document.querySelector(".card .value").textContent === calls);
	expect(name + ": stacks", frames(sectionOf("kstacks")).startsWith("all   " + stacks + " (100.0"));
	const histogram = chooseTab(sectionOf("latency"), "Histogram");
	expect(name + ": statistics", histogram.includes("count" + count + "sum"));
	expect(name + ": quantiles", histogram.includes("p90 (estimate)\u2248 1"));
	chooseTab(sectionOf("by_process"), "Table");
	expect(name + ": an array", rowsOf(sectionOf("by_process"))[0] === "cat " + cats);
}

check("summed", "522", "28", "23", "50");
expect("summed strings have hosts", rowsOf(sectionOf("version")).join() === "web-1 6.1.0-56-amd64,db-1 6.12.90-amd64");
chooseHost("0");
check("web", "300", "12", "12", "30");
expect("one host has its string", sectionOf("version") === undefined);
chooseHost("1");
check("db", "222", "16", "11", "20");
chooseHost("each");
expect("each: a scalar", rowsOf(sectionOf("calls")).join() === "web-1 300,db-1 222");
chooseTab(sectionOf("by_process"), "Table");
expect(
	"each: an array",
	rowsOf(sectionOf("by_process")).join() === "web-1 cat 30,db-1 cat 20,web-1 web 3,db-1 mysqld 2",
);
expect("each: stacks", frames(sectionOf("kstacks")).startsWith("all   28 (100.0"));
expect("the output has its host", document.body.textContent.includes("Output of db-1hello from db"));
chooseHost("summed");
check("summed again", "522", "28", "23", "50");
document.title = failures.length ? failures.join("; ") : "passed";
