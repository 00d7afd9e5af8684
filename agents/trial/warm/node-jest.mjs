/*
 * Tests of jest, by the jest that the repository has: its configuration is read and its map of
 * files made once; each candidate is given to its runner of tests, which has a fresh registry of
 * modules and a fresh environment for each test file. What was made of files that have not changed,
 * jest itself keeps.
 */
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";
import vm from "node:vm";
import { interruptible, interruption } from "./node-interrupt.mjs";
import { layOver, overlay } from "./node-overlay.mjs";
import { disguise } from "./node-suite.mjs";
import { isBuiltin, noteBuiltin } from "./node-world.mjs";

let TestRunner, globalConfig, context, jestRoot;

/* What changes nothing of what a test does; jest is told no other options, but where its
 * configuration is. */
const flagsOfJest = new Set(["-i", "--runInBand", "--verbose", "--silent", "--ci", "--coverage",
	"--no-coverage", "--color", "--colors", "--no-color", "--forceExit", "--detectOpenHandles",
	"--passWithNoTests", "--bail", "--no-cache", "--watchAll=false"]);
const valuesOfJest = /^(--(maxWorkers|bail|reporters|coverage\w+)=|-w=?\d)/;

function configOf(words) {
	const argv = { _: [], $0: "jest", ci: true, runInBand: true, watchman: false };
	words.forEach((word, i) => {
		const [, isConfig, value] = /^(-c|--config)(?:=(.*))?$/.exec(word) ?? [];
		if (isConfig)
			argv.config = value ?? words[i + 1];
		else if (word.startsWith("-") && !flagsOfJest.has(word) && !valuesOfJest.test(word))
			throw new Error(`'${word}' is an option of jest's that is not known here`);
	});
	return argv;
}

/* Jest's own modules are found from each other. */
async function loadJest(words) {
	const from = (file) => Module.createRequire(file);
	const load = from(path.join(jestRoot, "package.json"));
	const core = from(from(load.resolve("jest")).resolve("@jest/core"));
	const read = await core("jest-config").readConfigs(configOf(words), [jestRoot]);
	const [config, ...more] = read.configs;
	const { globalSetup, globalTeardown } = config;
	if (more.length > 0 || globalSetup || globalTeardown)
		throw new Error("jest has several projects, or something to set up for all tests");
	globalConfig = read.globalConfig;
	context = await core("jest-runtime").default.createContext(config,
		{ console, maxWorkers: 1, watch: false, watchman: false });
	TestRunner = core(config.runner).default;
	guardTests(core(config.testEnvironment));
}

/* A test that takes too long can be broken off, and those behind it are not begun. */
function guard(test) {
	const { fn } = test;
	if (typeof fn !== "function" || fn.constructor.name === "GeneratorFunction")
		return;
	test.fn = disguise(function (...words) {
		if (interruption.came)
			throw new Error("not run: another took too long");
		return interruptible(() => Reflect.apply(fn, this, words));
	}, fn);
}

/* The environment is told of each test before it begins. */
function guardTests(module) {
	const { prototype } = module.default ?? module.TestEnvironment ?? module;
	const ownHandler = prototype.handleTestEvent;
	prototype.handleTestEvent = function (event, state) {
		if (event.name === "test_fn_start")
			guard(event.test);
		return ownHandler?.call(this, event, state);
	};
}

/* The names of tests as jest puts them together, where " > " may also be part of a title. */
function namePattern(keys) {
	const names = keys.map((key) => key.replace(/#\d+$/, "").split(" > ").slice(1).join(" > ")
		.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/ > /g, "( > | )"));
	return `^(${names.join("|")})$`;
}

function resultsOf(unit, tests) {
	const seen = new Map();
	return tests.map(({ ancestorTitles, title, status, failureMessages, duration }) => {
		const name = [path.relative(jestRoot, unit), ...ancestorTitles, title].join(" > ")
			.replace(/\p{Cc}/gu, " ");
		const n = (seen.get(name) ?? 0) + 1;
		seen.set(name, n);
		const error = status === "failed" ? { stack: failureMessages.join("\n") } : undefined;
		const skipped = status === "pending" || status === "todo";
		const ok = status === "passed";
		return { path: name, key: `${name}#${n}`, ok, skipped, isGroup: false, error, file: unit,
			ms: duration ?? 0 };
	});
}

/* {results, error} of one test file; an error is what kept it from being run. */
async function runTestFile(unit, select) {
	const config = select ?
		{ ...globalConfig, testNamePattern: namePattern(select) } : globalConfig;
	const runner = new TestRunner(config, {});
	let outcome = { results: [], error: new Error("jest did not run it") };
	const told = ({ testResults, testExecError }) => {
		outcome = { results: resultsOf(unit, testResults), error: testExecError?.message ?? null };
	};
	const failed = (error) => {
		outcome = { results: [], error: error?.message ?? "jest did not run it" };
	};
	runner.on("test-file-success", ([, result]) => told(result));
	runner.on("test-file-failure", ([, error]) => failed(error));
	const watcher = { isInterrupted: () => false, on() {}, off() {} };
	await runner.runTests([{ context, path: unit }], watcher, { serial: true });
	return outcome;
}

/* Node's own modules are the same for all test files: each is noted when one of them first gets
 * it. */
function noteBuiltins() {
	const load = Module._load;
	noteBuiltin(fs);
	Module._load = function (request, ...rest) {
		const exports = load.call(this, request, ...rest);
		if (isBuiltin(request))
			noteBuiltin(exports);
		return exports;
	};
}

/* What jest loads and patches when it first runs a file, and when it first makes something of one,
 * stays for good. */
async function settle(unit) {
	await runTestFile(unit, []);
	/* in none of its caches */
	overlay({ [unit]: `${fs.readFileSync(unit, "utf8")}\n// ${process.pid} ${Date.now()}\n` });
	await runTestFile(unit, []);
	overlay({});
}

/* Each test file has all of jest's own modules and the project's compiled for it: what is the same
 * is taken again, but for code that imports, which does so for the one it was compiled for. */
function compileOnce() {
	const scripts = new Map(); /* by path */
	vm.Script = new Proxy(vm.Script, {
		construct(Script, [code, options], target) {
			const known = scripts.get(options?.filename);
			if (known?.code === code)
				return known.script;
			const script = Reflect.construct(Script, [code, options], target);
			if (options?.filename && !/\bimport\s*\(/.test(code))
				scripts.set(options.filename, { code, script });
			return script;
		},
	});
}

export const jestTests = {
	isLent: true,
	begin: overlay,

	async start(options) {
		jestRoot = options.root;
		process.env.NODE_ENV ??= "test";
		layOver();
		compileOnce();
		await loadJest(options.arguments);
		await settle(options.first);
		noteBuiltins();
	},

	run: (job) => runTestFile(job.unit, job.select),
};
