/*
 * Tests of mocha, by the mocha that the repository has: its own options, files, interfaces and
 * runner; a new instance for each candidate, told what became of each test by its runner's events.
 */
import Module from "node:module";
import path from "node:path";
import { runFile } from "./node-loader.mjs";
import { loadPackages, sortRequired } from "./node-require.mjs";

let Mocha, mochaOptions, mochaFiles, mochaRoot, mochaRequired, mochaSkips;

/* Words of the command, .mocharc and package.json, as mocha's own program puts them together. */
function readOptions(load, lib, words) {
	mochaOptions = load(path.join(lib, "cli/options.js")).loadOptions(words);
	const nodeOptions = [mochaOptions["node-option"] ?? []].flat();
	const ofNode = nodeOptions.flatMap((option) =>
		/^(?:import|loader|require|r)=(.*)/.exec(option)?.[1] ?? []);
	const loaded = ["require", "import", "loader"].flatMap((name) => mochaOptions[name] ?? [])
		.concat(ofNode);
	mochaRequired = sortRequired(mochaRoot, loaded);
	if (mochaOptions.parallel || mochaOptions.watch || mochaOptions.delay)
		throw new Error("mocha is to run in parallel, to watch or to be told when to begin");
	const spec = [mochaOptions.spec, mochaOptions._, ["./test"]].find((files) => files?.length > 0);
	const collect = load(path.join(lib, "cli/collect-files.js"));
	const defaults = { ignore: [], extension: ["js", "cjs", "mjs"], file: [], recursive: false,
		sort: false };
	const found = collect({ ...defaults, ...mochaOptions, spec });
	mochaFiles = Array.isArray(found) ? found : found.files;
}

function nameOf(test) {
	const file = path.relative(mochaRoot, test.file ?? "");
	return [file, test.parent.fullTitle(), test.title].filter((title) => title !== "").join(" > ")
		.replace(/\p{Cc}/gu, " ");
}

/* The test that a hook was for, whose title is '"before each" hook for "adds"'. */
function nameOfHook(hook) {
	const match = / for "(.*)"$/s.exec(hook.title);
	return nameOf({ file: hook.file ?? hook.ctx?.currentTest?.file, parent: hook.parent,
		title: match ? match[1] : hook.title });
}

function eachSuite(suite, visit) {
	visit(suite);
	suite.suites.forEach((one) => eachSuite(one, visit));
}

/* Keys by test, and no test that is not asked for. */
function keepSelected(mocha, select) {
	const keys = new Map();
	const seen = new Map();
	eachSuite(mocha.suite, (suite) => {
		for (const test of suite.tests) {
			const n = (seen.get(nameOf(test)) ?? 0) + 1;
			seen.set(nameOf(test), n);
			keys.set(test, `${nameOf(test)}#${n}`);
		}
		suite.tests = suite.tests.filter((test) => !select || select.includes(keys.get(test)));
	});
	return keys;
}

/* Those that hold tests that are asked for, and what is named to be loaded before all. */
function filesFor(select) {
	const named = [mochaOptions.file ?? []].flat().map((file) => path.resolve(mochaRoot, file));
	const holds = (file) =>
		select.some((key) => key.startsWith(`${path.relative(mochaRoot, file)} > `));
	return select ? mochaFiles.filter((file) => named.includes(file) || holds(file)) : mochaFiles;
}

/* A file that needs what another program makes has no tests here. */
async function loadFile(mocha, file) {
	mocha.suite.emit("pre-require", globalThis, file, mocha);
	try {
		const exports = await runFile(file);
		mocha.suite.emit("require", exports, file, mocha);
	} catch (error) {
		if (!mochaSkips || !/MODULE_NOT_FOUND$/.test(error?.code))
			throw error;
	}
	mocha.suite.emit("post-require", globalThis, file, mocha);
}

async function loadFiles(mocha, select) {
	for (const file of mochaRequired.files) {
		const exports = await runFile(file);
		if (exports?.mochaHooks)
			mocha.rootHooks(typeof exports.mochaHooks === "function" ?
				await exports.mochaHooks() : exports.mochaHooks);
	}
	for (const file of filesFor(select))
		await loadFile(mocha, file);
}

function runTests(mocha, keys, job) {
	const results = [];
	let failures = 0;
	const watch = job.watch ? new Set(job.watch) : null;
	const add = (test, ok, error) => {
		const isHook = test.type === "hook";
		const path_ = isHook ? nameOfHook(test) : nameOf(test);
		const key = keys.get(isHook ? test.ctx?.currentTest : test) ?? `${path_}#1`;
		const result = { path: path_, key, ok, skipped: false, isGroup: false, error,
			file: test.file, ms: test.duration ?? 0 };
		const earlier = results.findIndex((one) => one.key === key);
		results.splice(earlier < 0 ? results.length : earlier, earlier < 0 ? 0 : 1, result);
	};
	return new Promise((resolve) => {
		const runner = mocha.run(() => resolve({ results, error: null }));
		runner.on("test end", (test) => job.cover?.ended(keys.get(test)));
		runner.on("pass", (test) => add(test, true));
		runner.on("fail", (test, error) => {
			add(test, false, error ?? new Error("failed"));
			failures += !watch || watch.has(keys.get(test));
			if (failures >= (job.stop ?? Infinity))
				runner.abort();
		});
	});
}

function Silent() {}

export const mochaTests = {
	async start(start) {
		mochaRoot = start.root;
		const load = Module.createRequire(path.join(mochaRoot, "package.json"));
		const lib = path.join(path.dirname(load.resolve("mocha/package.json")), "lib");
		Mocha = load(path.join(lib, "mocha.js"));
		readOptions(load, lib, start.arguments);
		mochaSkips = Boolean(start.made);
		await loadPackages(mochaRoot, mochaRequired.packages);
		return mochaRequired.compiler ?? start.typescript;
	},

	standIns: () => new Map(),

	async run(job) {
		const mocha = new Mocha({ ...mochaOptions, reporter: Silent, require: undefined,
			fullTrace: true });
		try {
			await loadFiles(mocha, job.select);
		} catch (error) {
			return { results: [], error };
		}
		job.cover?.loaded();
		const keys = keepSelected(mocha, job.select);
		return runTests(mocha, keys, job);
	},
};
