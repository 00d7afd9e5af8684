/*
 * Assertions of tape, by the tape that the repository has: loaded anew for each candidate with all else, and told to wait until
 * all files are there. Each assertion is a test, as in the TAP that it prints.
 */
import Module from "node:module";
import path from "node:path";
import { Writable } from "node:stream";
import { filesOf } from "./node-files.mjs";
import { runFile } from "./node-loader.mjs";

let tapeFiles, tapeMain;
let failRun; /* what an error that nobody catches leads to */

function readTapeWords(root, words) {
	const option = words.find((word) => word.startsWith("-"));
	if (option)
		throw new Error(`'${option}' is an option of tape's that is not known here`);
	tapeFiles = words.flatMap((word) => filesOf(root, word).sort());
	if (tapeFiles.length === 0)
		throw new Error("tape is to run no file");
}

/* What became of each assertion; stop() when enough have failed. */
class Assertions {
	results = [];
	#job;
	#failures = 0;
	#seen = new Map();
	#stop;

	constructor(job, stop) {
		this.#job = job;
		this.#stop = stop;
	}

	#keyOf(name) {
		const n = (this.#seen.get(name) ?? 0) + 1;
		this.#seen.set(name, n);
		return `${name}#${n}`;
	}

	add({ name, ok, todo, skip, error, file }) {
		const title = String(name).replace(/\s+/g, " ");
		const key = this.#keyOf(title);
		this.results.push({ path: title, key, ok: ok || Boolean(todo), skipped: Boolean(skip), isGroup: false, error, file, ms: 0 });
		this.#job.cover?.ended(key);
		this.#failures += !ok && !todo && (!this.#job.watch || this.#job.watch.includes(key));
		if (this.#failures >= (this.#job.stop ?? Infinity))
			this.#stop();
	}

	/* A test's, and those of the tests within. */
	watch(test) {
		test.on("result", (result) => typeof result === "object" && this.add(result));
		test.on("test", (within) => this.watch(within));
	}
}

const nowhere = () => new Writable({ write: (text, encoding, written) => written() });

/* To the end of all tests; those that wait for what never comes say so when nothing else is left to wait for. */
function runTape(tape, harness) {
	return new Promise((resolve) => {
		harness._results.once("done", resolve);
		process.once("beforeExit", () => {
			harness._tests.forEach((test) => test._exit());
			resolve();
		});
		tape.run();
	});
}

async function loadAndRun(job) {
	const tape = await runFile(tapeMain);
	tape.wait();
	const harness = tape.getHarness({ stream: nowhere(), exit: false });
	const dropRest = () => {
		harness._results.tests.length = 0;
	};
	const assertions = new Assertions(job, dropRest);
	harness._results.on("_push", (test) => assertions.watch(test));
	const wholly = async () => {
		for (const file of tapeFiles)
			await runFile(file);
		job.cover?.loaded();
		await runTape(tape, harness);
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
		tapeMain = Module.createRequire(path.join(start.root, "package.json")).resolve("tape");
		readTapeWords(start.root, start.arguments);
		process.on("uncaughtException", (error) => failRun(error ?? new Error("nothing was thrown")));
	},

	standIns: () => new Map(),

	run: (job) => loadAndRun(job),
};
