/*
 * An engine: a process of node in which one candidate after the other is tried. It takes a job from
 * its channel, loads the tests again, runs them, says what became of each, and puts the world back.
 * While it waits it reads without an event loop: nothing that a candidate left behind can run then;
 * and while tests run the loop ends when nothing is left to wait for, as it does in a process of
 * their own. Whoever started it watches its time, and takes another one where it ends.
 */
import childProcess from "node:child_process";
import workerThreads from "node:worker_threads";
import { readJob, reply } from "./node-channel.mjs";
import { Cover } from "./node-cover.mjs";
import { interruption } from "./node-interrupt.mjs";
import { beginLoading, loading, sourceFor, takeOver } from "./node-loader.mjs";
import { jestTests } from "./node-jest.mjs";
import { mochaTests } from "./node-mocha.mjs";
import { programTests } from "./node-program.mjs";
import { nodeTests } from "./node-suite.mjs";
import { tapeTests } from "./node-tape.mjs";
import { uvuTests } from "./node-uvu.mjs";
import { linesIn } from "./node-wire.mjs";
import { isQuiet, noteBuiltin, noteWorld, restoreWorld } from "./node-world.mjs";

/* One that `isLent` to a runner leaves it to that to load modules, again for each job. */
const kinds = { node: nodeTests, mocha: mochaTests, program: programTests, jest: jestTests,
	tape: tapeTests, uvu: uvuTests };
let kind;
let job = null;
let uncaught = null;
let hasStarted = false; /* another program or thread, which reads files from disk */
let isSpent = false; /* the event loop has come to its end */

function told(result) {
	const { error, ...rest } = result;
	const file = sourceFor(result.file ?? job.unit);
	const lines = error === undefined ? [] : linesIn(error, file);
	return { ...rest, file, line: lines[0] ?? null };
}

/* --- Jobs --- */

const loopEnd = () => new Promise((resolve) => process.once("beforeExit", resolve));
const tick = () => new Promise((resolve) => setImmediate(resolve));
const mostTicks = 50;

/* What a run that was cut short still has to do at once; a new engine would cost far more. */
async function endAtOnce() {
	for (let i = 0; i < mostTicks && !isSpent && !isQuiet(); i++)
		await tick();
}

async function perform() {
	uncaught = null;
	hasStarted = false;
	interruption.came = false;
	if (kind.isLent)
		kind.begin(job.files);
	else
		beginLoading(job.files, kind.standIns());
	const cover = job.cover ? new Cover(process.cwd()) : null;
	const outcome = await kind.run({ ...job, cover });
	if (job.drain && !kind.isLent && !isSpent && !isQuiet())
		await loopEnd();
	if (!kind.isLent)
		await endAtOnce();
	const error = outcome.error ? String(outcome.error) : null;
	return { ...outcome, results: outcome.results.map(told), error, cover: cover?.end() };
}

function end(outcome) {
	const { cold, syntax } = loading;
	const isUncaught = uncaught !== null;
	const isClean = restoreWorld() && !isSpent;
	reply({ ...outcome, id: job.id, cold, syntax, isUncaught, hasStarted, isClean,
		isInterrupted: interruption.came });
	job = null;
}

async function serve() {
	for (;;) {
		job = readJob();
		end(await perform());
		await tick();
	}
}

/* Whoever starts programs or threads may try something else than the candidate, whose text is only
 * here. */
function watchStarts() {
	const noting = { apply: (...call) => (hasStarted = true, Reflect.apply(...call)),
		construct: (...call) => (hasStarted = true, Reflect.construct(...call)) };
	for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync",
		"fork"])
		childProcess[name] = new Proxy(childProcess[name], noting);
	workerThreads.Worker = new Proxy(workerThreads.Worker, noting);
	noteBuiltin(childProcess);
	noteBuiltin(workerThreads);
}

/* A process that ends in the middle says what it knows. */
function watchEnd() {
	process.on("uncaughtExceptionMonitor", (error) => {
		uncaught ??= error;
	});
	process.on("beforeExit", () => {
		isSpent = kind.endsWithLoop;
	});
	process.on("exit", () => {
		if (job && kind.atExit)
			reply({ ...kind.atExit(), id: job.id, ...loading, isUncaught: uncaught !== null,
				hasStarted, isClean: false });
	});
}

export async function runEngine() {
	const options = readJob();
	process.execArgv.length = 0;
	kind = kinds[options.kind];
	watchEnd();
	try {
		const typescript = await kind.start(options) ?? options.typescript;
		void [process.stdout, process.stderr];
		await tick(); /* node is still at its own start */
		watchStarts();
		if (!kind.isLent)
			takeOver(typescript, options.made);
		noteWorld(kind.isLent);
	} catch (error) {
		reply({ isReady: false, why: String(error?.message ?? error) });
		return;
	}
	reply({ isReady: true });
	await serve();
}
