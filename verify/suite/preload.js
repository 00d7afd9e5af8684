/*
 * Node loads this before anything else (NODE_OPTIONS) in each process of a test command. It asks
 * jest, vitest, mocha or uvu for a report file, through any script or package manager; what they
 * print does not change. Ava and tap are asked for TAP. Each further runner of the command writes a
 * further file. RONDO_TESTS, a JSON array of ids, asks for these tests alone.
 *
 * The files are REPORT/1000, REPORT/1001 ...; this one is REPORT.cjs. Until its runner has ended, a
 * file says only who began it.
 */
"use strict";
const fs = require("fs");
const path = require("path");
const reports = __filename.slice(0, -".cjs".length);
const only = JSON.parse(process.env.RONDO_TESTS || "[]");

/* "src/a.test.js > sum > adds (2)" names a file and, by a pattern, a test in it. A title may hold
 * " > " itself, a space may have been a line end, and the number may be rondo's. */
function wanted() {
	const ids = only.map((id) => id.split(" > "));
	const names = ids.map(([, ...titles]) => titles.join(" > ")
		.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/ > /g, "( > | )")
		.replace(/ (?![>|])/g, "\\s").replace(/\ufffd/g, ".")
		.replace(/\\s\\\(\d+\\\)$/, "($&)?"));
	const files = [...new Set(ids.map(([file]) => file))];
	return { files, pattern: `(^|\\s)(${names.join("|")})$` };
}

const runners = [
	{
		name: "jest",
		main: /[\\/](jest(-cli)?[\\/]bin[\\/]jest|react-scripts[\\/]scripts[\\/]test)\.js$/,
		/* A jest that stops at the first failure writes no file. */
		drops: /^(--watch(All)?|-b|--bail)(=|$)/,
		words: (report) =>
			["--json", "--outputFile=" + report, "--testLocationInResults", "--bail=0"],
		only: ({ files, pattern }) =>
			["--runTestsByPath", ...files, "--testNamePattern=" + pattern, "--passWithNoTests",
				"--coverage=false"],
	},
	{
		name: "vitest",
		main: /[\\/]vitest[\\/]vitest\.mjs$/,
		drops: /^(-w|--watch(=.*)?|watch|dev)$/,
		words: (report) => [
			...(process.argv.some((word) => word.startsWith("--reporter"))
				? [] : ["--reporter=default"]),
			"--run", "--reporter=json", "--outputFile.json=" + report],
		only: ({ files, pattern }) => [...files, "--testNamePattern=" + pattern,
			"--passWithNoTests", "--coverage.enabled=false"],
	},
	{
		name: "mocha",
		main: /[\\/]mocha[\\/]bin[\\/]_?mocha(\.js)?$/,
		drops: /^(-w|--watch(=.*)?)$/,
		words: () => ["--reporter=" + __filename],
		only: ({ pattern }) => ["--grep=" + pattern],
	},
	{
		name: "ava",
		main: /[\\/]ava[\\/](entrypoints[\\/]cli\.mjs|cli\.js)$/,
		drops: /^(-w|--watch|--fail-fast|-t|--tap)$/,
		tap: ["--tap"],
	},
	{
		name: "tap",
		main: /[\\/]tap[\\/](bin[\\/]run\.js|dist[\\/]esm[\\/]run\.mjs)$/,
		drops: /^(-w|--watch|-b|--bail)$/,
		tap: ["--reporter=tap"],
		/* Files of the user's are replaced: options of tap's have no values of their own. */
		only: ({ files }, main) => [...files, ...(main.endsWith(".mjs") ?
			["--disable-coverage", "--allow-incomplete-coverage"] : ["--no-coverage"])],
		isFile: (word) => !word.startsWith("-") && (/[*?{]/.test(word) || fs.existsSync(word)),
	},
];

/* Words that ask for something other than tests, or for a report of the user's own. */
const others =
	/^(-h|-V|--help|--version|--init|--listTests|--showConfig|--clearCache|--outputFile.*)$/;
const otherCommands = /^(list|bench|init)$/;
/* What takes long, and says nothing of some tests. */
const coverage = /^--(coverage|collectCoverage|coverage\.enabled)(=.*)?$/;

function begin(name) {
	for (let n = 1000; ; n++) {
		const report = path.join(reports, String(n));
		try {
			fs.writeFileSync(report, `begun: ${name}\n`, { flag: "wx" });
			return report;
		} catch (error) {
			if (error.code !== "EEXIST")
				return null;
		}
	}
}

/* Mocha has one reporter: its own for people, and a file in the layout of its "json". */
function mochaReporter(root, report) {
	return function (runner, options) {
		const tests = [], pending = [], failures = [];
		const resultOf = (test) => {
			const { title, file, duration, err } = test;
			return { title, fullTitle: test.fullTitle(), file, duration,
				err: err ? { message: String(err.message), stack: String(err.stack) } : {} };
		};
		runner.on("test end", (test) => tests.push(test));
		runner.on("pending", (test) => pending.push(test));
		runner.on("fail", (test) => failures.push(test));
		runner.once("end", () => fs.writeFileSync(report, JSON.stringify({ stats: runner.stats,
			tests: tests.map(resultOf), pending: pending.map(resultOf),
			failures: failures.map(resultOf) })));
		return new (require(root).reporters.Spec)(runner, options);
	};
}

/* `at`: where the main file stands among the words. */
function ask(runner, main, at) {
	/* A number may follow, as in "--bail 3". */
	const drops = (word) => word !== undefined && runner.drops.test(word);
	const isLeftOut = (word) =>
		only.length > 0 && (coverage.test(word) || (runner.isFile && runner.isFile(word)));
	const words = process.argv.slice(at + 1).filter((word, i, all) =>
		!drops(word) && !(drops(all[i - 1]) && /^\d+$/.test(word)) && !isLeftOut(word));
	const other = words.some((word) => others.test(word)) ||
		(runner.name === "vitest" && otherCommands.test(words[0]));
	/* Older versions of mocha, and those that give node options, run themselves in a process of
	 * their own, which loads this file as its reporter. */
	const begun = runner.name === "mocha" && process.env.RONDO_MOCHA;
	const report = other || runner.tap ? null : begun || begin(runner.name);
	if (other || !(report || runner.tap))
		return;
	process.argv.splice(at + 1, process.argv.length, ...words);
	const end = words.indexOf("--");
	const more = [...(runner.tap || runner.words(report)),
		...(only.length && runner.only ? runner.only(wanted(), main) : [])];
	process.argv.splice(end < 0 ? process.argv.length : at + 1 + end, 0, ...more);
	module.exports = mochaReporter(path.join(path.dirname(main), ".."), report);
	if (runner.name === "mocha")
		process.env.RONDO_MOCHA = report;
	/* Not for what a runner starts: workers, and programs under test. */
	process.env.NODE_OPTIONS =
		(process.env.NODE_OPTIONS || "").replace(` --require="${__filename}"`, "");
}

/* --- uvu, which names no test that passes --- */

const withPaths = (stack) =>
	stack.replace(/file:\/\/(\/[^():]+)/g, (url, name) => decodeURI(name));

/* The first file in a stack that is neither this one nor uvu's. */
function callerFile() {
	const frames = withPaths(new Error().stack).split("\n").map((line) =>
		/(\/[^():]+):\d+:\d+\)?$/.exec(line));
	const file = frames.find((frame) =>
		frame && frame[1] !== __filename && !/[\\/]uvu[\\/](dist|run)[\\/]/.test(frame[1]));
	return file ? file[1] : "";
}

const uvu = { report: null, open: 0, files: new Map() };

/* In the layout of jest's, once all tests have ended. */
function writeUvu() {
	const testResults = [...uvu.files].map(([name, assertionResults]) =>
		({ name, assertionResults }));
	if (uvu.report && uvu.open === 0)
		fs.writeFileSync(uvu.report, JSON.stringify({ runner: "uvu", testResults }));
}

function isWantedUvu(file, titles) {
	const ids = new Set(only.flatMap((id) => [id, id.replace(/ \(\d+\)$/, "")]));
	const id = [path.relative(process.cwd(), file), ...titles].join(" > ");
	return only.length === 0 || ids.has(id.replace(/[\0-\x1f\x7f]/g, " "));
}

/* A suite's tests, each of which is told by uvu's own note of its name; gives how they are run. */
function watchUvu(context, suite, run) {
	const file = callerFile();
	const ancestorTitles = suite ? [String(suite)] : [];
	const tests = (context.only.length ? context.only : context.tests).filter(({ name }) =>
		isWantedUvu(file, [...ancestorTitles, String(name)]));
	const results = [];
	const start = (name) =>
		results.push({ ancestorTitles, title: String(name), status: "passed", began: Date.now() });
	const fail = (error) => {
		const current = results[results.length - 1];
		if (current)
			Object.assign(current, { status: "failed",
				failureMessages: [withPaths(String((error && error.stack) || error))] });
	};
	const watch = (fn) => async (...words) => {
		try {
			return await fn(...words);
		} catch (error) {
			fail(error);
			throw error;
		}
	};
	const { bEach, aEach } = context;
	Object.assign(context, { only: [], bEach: bEach.map(watch), aEach: aEach.map(watch),
		tests: tests.map(({ name, handler }) => ({ name, handler: watch(handler) })) });
	uvu.report = uvu.report || begin("uvu");
	uvu.open++;
	return async () => {
		let name = "";
		Object.defineProperty(context.state, "__test__", { configurable: true, enumerable: true,
			get: () => name, set: (next) => (name = next) && start(next) });
		const answer = await run();
		for (const result of results)
			result.duration = Date.now() - result.began;
		/* A hook before or after them failed. */
		tests.slice(results.length).forEach((test) => (start(test.name), fail("was not run")));
		uvu.files.set(file, [...(uvu.files.get(file) || []), ...results]);
		uvu.open--;
		writeUvu();
		return answer;
	};
}

/* The first that uvu does is to ask for its queue. */
Object.defineProperty(globalThis, "UVU_QUEUE", { configurable: true, get() {
	const { bind } = Function.prototype;
	Object.defineProperty(Function.prototype, "bind", { configurable: true, writable: true,
		value(...words) {
			const run = Reflect.apply(bind, this, words);
			const [, context, suite] = words;
			return this.name === "runner" && context && context.bEach && context.tests ?
				watchUvu(context, suite, run) : run;
		} });
	return undefined;
}, set(value) {
	Object.defineProperty(globalThis, "UVU_QUEUE",
		{ value, configurable: true, writable: true, enumerable: true });
} });

/* --- The process --- */

/* nyc may have node start a file of its own, which runs the next. */
const mainAt = /[\\/]\.node-spawn-wrap-[^\\/]+[\\/]/.test(process.argv[1]) ? 2 : 1;

if (require("worker_threads").isMainThread && process.argv[mainAt]) {
	let main = path.resolve(process.argv[mainAt]);
	try {
		main = fs.realpathSync(main);
	} catch (error) {
		/* A package manager's virtual file: its name says what it is. */
	}
	const runner = runners.find((one) => one.main.test(main));
	/* The package "esm" loads this file again, as the reporter of a mocha that runs already. */
	const mocha = /^(.*[\\/]mocha)[\\/]lib[\\/]cli[\\/]cli\.js$/.exec(main);
	if (runner)
		ask(runner, main, mainAt);
	else if (mocha && process.env.RONDO_MOCHA)
		module.exports = mochaReporter(mocha[1], process.env.RONDO_MOCHA);
}
