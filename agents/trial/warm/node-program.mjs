/*
 * A program that is its own test: which of its lines failed an assertion of console's, and which
 * ones stand in the stack of what ended it. Which statements these are is known to whoever asks.
 */
import { runMain } from "./node-loader.mjs";
import { linesIn } from "./node-wire.mjs";
import { isQuiet } from "./node-world.mjs";

let failedLines = [];
let file;
let fail; /* what an error that nobody catches leads to */

function watchAssertions() {
	console.assert = function (condition) {
		if (condition)
			return;
		const here = {};
		Error.captureStackTrace(here);
		failedLines.push(linesIn(here, file)[0] ?? 0);
	};
}

function outcomeOf(error) {
	const thrownLines = error === undefined ? null : linesIn(error, file);
	return { results: [], error: error ?? null, failedLines, thrownLines,
		exitCode: process.exitCode ?? 0 };
}

export const programTests = {
	async start() {
		process.on("uncaughtException", (error) => fail(error));
	},

	standIns: () => new Map(),

	/* To the end of the event loop, or to the first error. */
	async run(job) {
		failedLines = [];
		file = job.unit;
		watchAssertions();
		const failed = new Promise((resolve, reject) => {
			fail = reject;
		});
		failed.catch(() => {});
		const wholly = async () => {
			await runMain(file);
			await new Promise((resolve) => setImmediate(resolve));
			if (!isQuiet())
				await new Promise((resolve) => process.once("beforeExit", resolve));
		};
		try {
			await Promise.race([wholly(), failed]);
			return outcomeOf();
		} catch (error) {
			return outcomeOf(error ?? new Error("nothing was thrown"));
		}
	},

	/* A program that ends itself. */
	atExit: () => ({ ...outcomeOf(), hasExited: true }),
};
