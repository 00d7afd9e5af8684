/*
 * Assertions of tape, by the tape that the repository has, which stays loaded; what programs get of
 * it is a harness of its own for each candidate. Each assertion is a test, as in the TAP that it
 * prints.
 */
import Module from "node:module";
import path from "node:path";
import { Writable } from "node:stream";
import urls from "node:url";
import { runFile } from "./node-loader.mjs";
import { loadPackages, sortRequired } from "./node-require.mjs";

let tapeFiles, tapeMain, tapeRequired, tape;
let failRun; /* what an error that nobody catches leads to */

/* In tape's own order, which is that of its glob. */
function readTapeWords(root, words) {
	const isRequire = (word) => word === "-r" || word === "--require";
	const names = words.filter((word, i) => isRequire(words[i - 1]));
	const files = words.filter((word, i) => !isRequire(word) && !isRequire(words[i - 1]));
	const option = files.find((word) => word.startsWith("-"));
	if (option)
		throw new Error(`'${option}' is an option of tape's that is not known here`);
	tapeRequired = sortRequired(root, names);
	const glob = Module.createRequire(tapeMain)("glob");
	const hasMagic = glob.hasMagic ?? (() => true); /* old ones take any word for a pattern */
	const found = files.flatMap((word) =>
		hasMagic(word) ? (glob.sync ?? glob.globSync)(word) : [word]);
	const { resolve } = Module.createRequire(tapeMain);
	tapeFiles = found.map((file) => resolve(path.resolve(root, file)));
	if (tapeFiles.length === 0)
		throw new Error("tape is to run no file");
}

/* Numbers things that have the same name. */
class Counted {
	#seen = new Map();

	give(name) {
		const n = (this.#seen.get(name) ?? 0) + 1;
		this.#seen.set(name, n);
		return `${name}#${n}`;
	}
}

/* What became of each assertion; stop() when enough have failed. Its key begins with that of its
 * outermost test, and that with the file. */
class Assertions {
	results = [];
	keys = new Map(); /* by outermost test */
	file = ""; /* that is being loaded */
	#job;
	#failures = 0;
	#tests = new Counted();
	#numbers = new Counted();
	#stop;

	constructor(job, stop) {
		this.#job = job;
		this.#stop = stop;
	}

	#add(outermost, { name, ok, todo, skip, error, file }) {
		const title = String(name).replace(/\s+/g, " ");
		const key = this.#numbers.give(`${outermost} > ${title}`);
		this.results.push({ path: title, key, ok: ok || Boolean(todo), skipped: Boolean(skip),
			isGroup: false, error,
			file: file?.startsWith("file:") ? urls.fileURLToPath(file) : file, ms: 0 });
		this.#job.cover?.ended(key);
		this.#failures += !ok && !todo && (!this.#job.watch || this.#job.watch.includes(key));
		if (this.#failures >= (this.#job.stop ?? Infinity))
			this.#stop();
	}

	/* Of a test, and of those within. */
	watch(test, outermost = this.#tests.give(`${this.file} > ${test.name}`)) {
		this.keys.set(test, outermost);
		test.on("result", (result) => typeof result === "object" && this.#add(outermost, result));
		test.on("test", (within) => this.watch(within, outermost));
	}
}

/* No outermost test that has nothing which is asked for. */
function keepAskedFor(run, keys, select) {
	const wanted = select && new Set(select.map((key) => key.slice(0, key.lastIndexOf(" > "))));
	run.tests = run.tests.filter((test) => !wanted || wanted.has(keys.get(test)));
}

const holdsTape = (select, file) =>
	!select || select.some((key) => key.startsWith(`${file} > `));

const nowhere = () => new Writable({ write: (text, encoding, written) => written() });

/* What require("tape") gives. */
function facadeOf(harness) {
	const facade = (...words) => harness(...words);
	const nothing = () => {};
	return Object.assign(facade, tape, { test: facade, only: harness.only, skip: tape.Test.skip,
		wait: nothing, run: nothing, getHarness: () => harness, createStream: harness.createStream,
		onFinish: harness.onFinish, onFailure: harness.onFailure });
}

/* To the end of all tests; those that wait for what never comes say so when nothing else is left to
 * wait for. */
function runTape(harness) {
	return new Promise((resolve) => {
		harness._results.once("done", resolve);
		process.once("beforeExit", () => {
			harness._tests.forEach((test) => test._exit());
			resolve();
		});
		harness.createStream().pipe(nowhere());
	});
}

async function loadAndRun(job) {
	const harness = tape.createHarness({ autoclose: false });
	const dropRest = () => {
		harness._results.tests.length = 0;
	};
	const assertions = new Assertions(job, dropRest);
	harness._results.on("_push", (test) => assertions.watch(test));
	Module._cache[tapeMain].exports = facadeOf(harness);
	const wholly = async () => {
		for (const file of tapeRequired.files)
			await runFile(file);
		for (const file of tapeFiles.filter((one) => holdsTape(job.select, one))) {
			assertions.file = file;
			await runFile(file);
		}
		job.cover?.loaded();
		keepAskedFor(harness._results, assertions.keys, job.select);
		await runTape(harness);
		return null;
	};
	const failed = new Promise((resolve) => {
		failRun = resolve;
	});
	const error = await Promise.race([wholly().catch((thrown) => thrown), failed]);
	dropRest();
	return { results: assertions.results, error };
}

export const tapeTests = {
	endsWithLoop: true,

	async start(start) {
		const load = Module.createRequire(path.join(start.root, "package.json"));
		tapeMain = load.resolve("tape");
		tape = load("tape");
		readTapeWords(start.root, start.arguments);
		await loadPackages(start.root, tapeRequired.packages);
		process.on("uncaughtException",
			(error) => failRun(error ?? new Error("nothing was thrown")));
		return tapeRequired.compiler ?? start.typescript;
	},

	standIns: () => new Map(),

	run: (job) => loadAndRun(job),
};
