/*
 * Node loads this before anything else (NODE_OPTIONS) in each process of a test command. It asks
 * jest, vitest or mocha for a report file, through any script or package manager; what they print
 * does not change. Each further runner of the command writes a further file. RONDO_TESTS, a JSON
 * array of ids, asks for these tests alone.
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

function ask(runner, main) {
	/* A number may follow, as in "--bail 3". */
	const drops = (word) => word !== undefined && runner.drops.test(word);
	const words = process.argv.slice(2).filter((word, i, all) =>
		!drops(word) && !(drops(all[i - 1]) && /^\d+$/.test(word)) &&
		!(only.length && coverage.test(word)));
	const other = words.some((word) => others.test(word)) ||
		(runner.name === "vitest" && otherCommands.test(words[0]));
	const report = other ? null : begin(runner.name);
	if (!report)
		return;
	process.argv.splice(2, process.argv.length, ...words);
	const end = words.indexOf("--");
	const more = [...runner.words(report), ...(only.length ? runner.only(wanted()) : [])];
	process.argv.splice(end < 0 ? process.argv.length : 2 + end, 0, ...more);
	module.exports = mochaReporter(path.join(path.dirname(main), ".."), report);
	/* Not for what a runner starts: workers, and programs under test. */
	process.env.NODE_OPTIONS =
		(process.env.NODE_OPTIONS || "").replace(` --require="${__filename}"`, "");
}

if (require("worker_threads").isMainThread && process.argv[1]) {
	let main = path.resolve(process.argv[1]);
	try {
		main = fs.realpathSync(main);
	} catch (error) {
		/* A package manager's virtual file: its name says what it is. */
	}
	const runner = runners.find((one) => one.main.test(main));
	if (runner)
		ask(runner, main);
}
