// SPDX-License-Identifier: GPL-2.0-or-later
/* What page-check.js and hosts-check.js share. The suite report puts this before them. */

const failures = [];

function expect(name, condition) {
	if (!condition) failures.push(name);
}

function sectionOf(name) {
	return [...document.querySelectorAll("section")].find(
		(section) => section.querySelector("h2")?.textContent === name,
	);
}

/* Choose a tab of a section, and return the text that is shown then. */
function chooseTab(section, name) {
	[...section.querySelectorAll("[role=tab]")].find((tab) => tab.textContent === name).click();
	return section.textContent;
}
