// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame of the page: head, contents, messages, output and script, theme and keys; and its start. */

/* ---- the theme --------------------------------------------------------------------------------------------------- */

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = "auto";

function setTheme(theme) {
	const isDark = theme === "dark" || (theme === "auto" && prefersDark.matches);
	document.documentElement.dataset.theme = isDark ? "dark" : "light";
	drawNow(document.body);
}

function makeThemeChoice() {
	const choice = makeSelect(
		"Theme",
		[
			["auto", "automatic"],
			["light", "light"],
			["dark", "dark"],
		],
		"auto",
		(value) => {
			chosenTheme = value;
			setTheme(value);
		},
	);
	choice.id = "theme";
	choice.classList.add("dim");
	return choice;
}

prefersDark.addEventListener("change", () => setTheme(chosenTheme));
window.addEventListener("beforeprint", () => setTheme("light"));
window.addEventListener("afterprint", () => setTheme(chosenTheme));

/* ---- reloading the page of a running script ---------------------------------------------------------------------- */

/* Keep the choice across a reload, if the browser allows pages of files to store something. */
function storedReload(value) {
	try {
		if (value !== undefined) sessionStorage.setItem("reload", value);
		return Number(sessionStorage.getItem("reload")) || 0;
	} catch (error) {
		return 0;
	}
}

function makeReloadChoice() {
	let timer = 0;
	const choose = (seconds) => {
		clearTimeout(timer);
		if (seconds > 0) timer = setTimeout(() => location.reload(), seconds * 1000);
	};
	const choices = [0, 2, 5, 10, 60].map((seconds) => [seconds, seconds ? `every ${seconds} s` : "off"]);
	const choice = makeSelect("Reload", choices, storedReload(), (value) => {
		storedReload(value);
		choose(Number(value));
	});
	choice.classList.add("dim", "no-print");
	choose(storedReload());
	return choice;
}

/* ---- the head ---------------------------------------------------------------------------------------------------- */

/* How a run ended: [class, text]. */
const STATES = {
	completed: ["good", "completed"],
	lost: ["warn", "output was lost"],
	failed: ["bad", "ended with an error"],
	running: ["warn", "running"],
	interrupted: ["warn", "no end was recorded"],
};

function makeFacts(run, host, label) {
	const { start, end } = host,
		facts = make("div", { class: "facts" });
	const fact = (name, value) => value && facts.append(make("span", {}, name + " ", make("b", {}, inLine(value))));
	fact("", label);
	if (start) {
		fact("host", [start.host, host.uri ? `(${host.uri})` : null].filter((text) => text).join(" "));
		fact("kernel", start.kernel);
		fact("started", dateAndTime(start.time));
		fact("duration", duration(Math.max(0, (end || { time: run.last }).time - start.time)));
	}
	if (end) fact("probe hits", full(exact(end.hits)));
	return facts;
}

function runName(run) {
	return run.script.name || run.name;
}

/* Make the choice of hosts; `changed` is given what globalsOf() takes. */
function makeHostChoice(changed) {
	const choices = [
		[HOSTS_SUMMED, "all, summed"],
		[HOSTS_EACH, "each"],
	];
	if (data.hosts.length < 2) return null;
	const choice = makeSelect(
		"Hosts",
		choices.concat(data.hosts.map((name, i) => [i, name])),
		HOSTS_SUMMED,
		changed,
	);
	choice.id = "hosts";
	choice.classList.add("dim");
	return choice;
}

function makeHead() {
	const names = [...new Set(data.runs.map(runName))],
		[tone, state] = STATES[data.runs[lastRun].state];
	const title = (isComparison ? "Comparison: " : "") + names.join(" \u2192 ");
	document.title = inLine(title) + " \u2013 stap report";
	fill(document.getElementById("head"), {}, [
		make(
			"div",
			{ class: "title" },
			make(
				"h1",
				{},
				inLine(title),
				isComparison ? null : make("span", { class: "chip " + tone }, state),
			),
			data.runs.map((run, i) =>
				run.hosts.map((host) =>
					makeFacts(
						run,
						host,
						isComparison ? ["before: ", "after: "][i] + run.name : null,
					),
				),
			),
		),
		makeHostChoice(showGlobals),
		data.runs.some((run) => run.state === "running") ? makeReloadChoice() : null,
		makeThemeChoice(),
	]);
}

/* ---- messages, counts, output, script ---------------------------------------------------------------------------- */

function placeText(place) {
	if (!place) return null;
	const [file, line, column] = [place[0], ...place.slice(1).map(exact)];
	return file + ":" + line + (column ? ":" + column : "");
}

/* Name the host of a message or of output, if there are several. */
function hostLabel(run, host) {
	return host < 0 || run.hosts.length < 2 ? "" : data.hosts[run.hosts[host].number];
}

function makeMessage(run, message) {
	const host = hostLabel(run, message.host);
	const tone = message.level === "error" ? "bad" : message.level === "warning" ? "warn" : "dim";
	const lines = [
		message.hint ? "hint: " + message.hint : null,
		message.alternatives.length ? "alternatives: " + message.alternatives.join(", ") : null,
		...message.notes.map(
			(note) => "note: " + note.text + (note.place ? " (" + placeText(note.place) + ")" : ""),
		),
	];
	return make(
		"div",
		{ class: "message " + tone },
		make(
			"p",
			{},
			host ? inLine(host) + ": " : null,
			make("b", { class: tone }, message.level || "message"),
			": " + message.text,
			message.place ? make("span", { class: "dim" }, " " + placeText(message.place)) : null,
		),
		lines.filter((line) => line).map((line) => make("p", { class: "dim" }, line)),
	);
}

const REASONS = {
	reentrant: "in a handler of the same CPU",
	lock: "a lock was not free in time",
	missed_return: "too many calls at once",
	missed_deep_return: "calls nested too deeply",
	stack: "the stack was too small",
};

/* List the lost records and skipped hits of a host, which show whether the data are complete. */
function makeCounts(run, host) {
	const { end } = host,
		list = make("dl", { class: "figures" });
	if (!end) return null;
	for (const [name, value] of [
		["probe hits", end.hits],
		["errors", end.errors],
		["lost output", end.lost],
		["exit status", end.status],
	])
		list.append(makeFigure(name, full(exact(value))));
	for (const [reason, value] of Object.entries(end.skipped))
		if (exact(value) !== 0)
			list.append(makeFigure("skipped: " + (REASONS[reason] || reason), full(exact(value))));
	return [run.hosts.length > 1 ? make("h3", {}, inLine(data.hosts[host.number])) : null, list];
}

/* Show the output that belongs to no host, then that of each host. */
function makeOutput(run) {
	const note = `The first ${full(run.outputLeftOut)} bytes are left out.`;
	const texts = [-1, ...run.hosts.keys()].map((number) => [
		hostLabel(run, number),
		run.output
			.filter(([host]) => host === number)
			.map(([, text]) => text)
			.join(""),
	]);
	const shown = texts.filter(([, text]) => text);
	if (!shown.length) return null;
	return [
		run.outputLeftOut ? make("p", { class: "dim" }, note) : null,
		shown.map(([host, text]) => [
			make("h3", {}, inLine("Output" + (host ? " of " + host : ""))),
			make("pre", { tabindex: "0" }, text),
		]),
	];
}

function makeRunSection(run, i) {
	const { script } = run,
		modules = [...new Set(run.hosts.map((host) => host.start && host.start.module))];
	const commands = [
		["options", script.options],
		["arguments", script.arguments],
	].filter(([, list]) => list.length);
	return make(
		"section",
		{ id: "run-" + i },
		make(
			"div",
			{ class: "section-head" },
			make("h2", {}, isComparison ? ["Before", "After"][i] : "Run"),
			make(
				"span",
				{ class: "signature" },
				[run.name, ...modules, script.stap && "stap " + script.stap]
					.filter((text) => text)
					.map(inLine)
					.join(" \u00b7 "),
			),
		),
		run.state === "interrupted"
			? make(
					"p",
					{ class: "warn" },
					"The recording has no end: the script or its recording was interrupted, ",
					"and later data are missing.",
				)
			: null,
		run.hosts.map((host) => makeCounts(run, host)),
		run.messages.map((message) => makeMessage(run, message)),
		commands.map(([name, list]) =>
			make(
				"p",
				{},
				name + ": ",
				list.flatMap((text) => [make("code", {}, inLine(text)), " "]),
			),
		),
		makeOutput(run),
		script.text
			? make(
					"details",
					{},
					make("summary", {}, "Script"),
					make("pre", { tabindex: "0" }, script.text),
				)
			: null,
	);
}

/* Name the globals that have "show: none" in the script. */
function makeNotShown(globals) {
	const names = globals.filter((global) => global.show === "none").map((global) => inLine(global.name));
	return make("p", { class: "dim", id: "not-shown" }, "Not shown, as the script asks: ", names.join(", "));
}

function makeKeysSection() {
	const keys = [
		["/", "search the next flame graph"],
		["arrow keys", "move over frames, cells, points and tabs"],
		["Enter", "zoom into a frame, or choose a row"],
		["Escape", "zoom out by a frame; leave the search"],
		["Home", "show all frames"],
		["i", "turn a flame graph upside down (icicle)"],
		["t", "change the theme"],
	];
	return make(
		"section",
		{ class: "no-print" },
		make(
			"details",
			{},
			make("summary", {}, "Keys"),
			make(
				"dl",
				{ class: "keys" },
				keys.map(([key, text]) => [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)]),
			),
		),
	);
}

/* ---- contents and keys ------------------------------------------------------------------------------------------- */

function makeContents(entries) {
	clear(document.getElementById("contents")).append(
		make("h2", {}, "Contents"),
		make(
			"ul",
			{},
			entries.map(([id, name, note]) =>
				make(
					"li",
					{},
					make(
						"a",
						{ href: "#" + id },
						make("span", {}, inLine(name)),
						make("small", {}, note),
					),
				),
			),
		),
	);
}

function focusSearch() {
	const searches = [...document.querySelectorAll(".flame-search")];
	const next = searches.find((search) => search.getBoundingClientRect().bottom > 0) || searches[0];
	if (next) next.focus();
	return next;
}

document.addEventListener("keydown", (event) => {
	const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
	if (event.key === "Escape" && isTyping) event.target.blur();
	if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
	if (event.key === "/" && focusSearch()) event.preventDefault();
	if (event.key === "t") {
		chosenTheme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
		document.querySelector("#theme select").value = chosenTheme;
		setTheme(chosenTheme);
	}
});

/* ---- the start --------------------------------------------------------------------------------------------------- */

/* Show the globals of a choice; see globalsOf(). */
function showGlobals(choice) {
	const main = document.getElementById("main"),
		entries = [],
		globals = globalsOf(choice),
		shown = globals.filter((global) => global.show !== "none"),
		scalars = shown.filter(isPlain);
	clear(main);
	const add = (section, name, note) => {
		main.append(section);
		entries.push([section.id, name, note]);
	};
	data.runs.forEach((run) => {
		const errors = run.messages.filter((message) => message.level === "error");
		if (errors.length)
			main.append(
				make(
					"section",
					{ class: "errors" },
					errors.map((message) => makeMessage(run, message)),
				),
			);
	});
	if (scalars.length) add(makeScalarsSection(scalars), "Scalars", full(scalars.length));
	shown.forEach((global, i) => {
		if (!isPlain(global))
			add(
				makeGlobalSection(global, i),
				global.name,
				global.array ? full(global.elements[lastRun].length) : "",
			);
	});
	data.runs.forEach((run, i) =>
		add(makeRunSection(run, i), isComparison ? ["Before", "After"][i] : "Run", STATES[run.state][1]),
	);
	if (shown.length < globals.length) main.append(makeNotShown(globals));
	main.append(makeKeysSection());
	makeContents(entries);
	drawNow(main);
}

setTheme("auto");
makeHead();
showGlobals(HOSTS_SUMMED);
document.documentElement.dataset.ready = "yes";
