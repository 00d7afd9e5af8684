/*
 * Tests of node:test. They are run by node's own, each candidate as one test of a root that never
 * ends; what a program gets of node:test are its functions with a look at who registers what, so
 * that some tests can be run alone and a run be cut short. What became of each is read of the
 * reporter's events, as TAP's reporter would name it.
 */
import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import Module from "node:module";
import { interruptible, wasInterrupted } from "./node-interrupt.mjs";
import { runMain } from "./node-loader.mjs";

const around = new AsyncLocalStorage(); /* the registered test or group that runs */
let own; /* node:test itself */
let current = null; /* the run that is going on */
let onOutermost = () => {};

class StoppedError extends Error {}

/* --- Events --- */

function addResult(run, data, ok) {
	const titles = run.titles.slice(1, data.nesting).concat(data.name);
	const error = data.details?.error;
	run.results.push({ path: titles.join(" > "), ok: ok || data.todo !== undefined,
		skipped: data.skip !== undefined, isGroup: data.details?.type === "suite",
		error: error?.cause ?? error, ms: data.details?.duration_ms ?? 0 });
}

/* An event of the reporter; those at the outermost level are of the run itself. */
export function onTestEvent({ type, data }) {
	if (!current)
		return;
	if (type === "test:start")
		current.titles[data.nesting] = data.name;
	else if ((type === "test:pass" || type === "test:fail") && data.nesting > 0)
		addResult(current, data, type === "test:pass");
	else if ((type === "test:pass" || type === "test:fail") && data.name === current.name)
		onOutermost();
}

/* --- What programs get of node:test --- */

/* The arguments of test() and its like: all are optional. */
function parseArguments(name, options, fn) {
	if (typeof name === "function")
		[name, options, fn] = [undefined, undefined, name];
	else if (name !== null && typeof name === "object")
		[name, options, fn] = [undefined, name, options];
	else if (typeof options === "function")
		[options, fn] = [undefined, options];
	return { name, options, fn };
}

function titleOf({ name, options, fn }) {
	const title = name ?? options?.name;
	return String(title || fn?.name || "<anonymous>");
}

/* Which of those with the same path it is belongs to a key: the second "adds" is "adds#2". */
function register(run, title) {
	const parent = around.getStore();
	const path = parent?.run === run ? `${parent.path} > ${title}` : title;
	const n = (run.repeats.get(path) ?? 0) + 1;
	const key = `${path}#${n}`;
	run.repeats.set(path, n);
	const isWhole = !run.select || (parent?.run === run && parent.isWhole) || run.select.has(key);
	return { run, path, key, isWhole, isWanted: isWhole || run.pathsAbove.has(path) };
}

/* The callback looks the same from outside: node:test asks how many arguments it takes. */
export function disguise(wrapped, fn) {
	Object.defineProperty(wrapped, "length", { value: fn.length });
	return Object.defineProperty(wrapped, "name", { value: fn.name });
}

function wrapGroup(fn, node) {
	return disguise(function (...words) {
		return around.run(node, () => Reflect.apply(fn, this, words));
	}, fn);
}

function wrapTest(fn, node) {
	const { run } = node;
	const failed = (error) => {
		run.failures += wasInterrupted(error) ? Infinity : !run.watch || run.watch.has(node.key);
		throw error;
	};
	const ended = () => run.cover?.ended(node.key);
	const call = (that, words) => {
		let result;
		try {
			const apply = () => Reflect.apply(fn, that, words);
			result = run.select ? interruptible(apply) : apply();
			if (typeof result?.then === "function")
				return Promise.resolve(result).catch(failed).finally(ended);
		} catch (error) {
			ended();
			return failed(error);
		}
		ended();
		return result;
	};
	return disguise(function (...words) {
		if (run.failures >= run.stop)
			throw new StoppedError("not run: enough have failed");
		return around.run(node, () => call(this, words));
	}, fn);
}

/* The n-th result with a path is the n-th that was run with it, which need not be the n-th that
 * there is. */
function admit(run, node) {
	if (!run.admitted.has(node.path))
		run.admitted.set(node.path, []);
	run.admitted.get(node.path).push(node.key);
}

/* What a file says outside of tests belongs to the run, however it came there: node:test looks for
 * who began it. */
function within(run, call) {
	return around.getStore()?.run === run ? call() : run.scope.runInAsyncScope(call);
}

const wrapHook = (ownHook) => (...words) => current && within(current, () => ownHook(...words));

function wrapRegistration(register_, wrapCallback) {
	return function (...words) {
		const run = current;
		const call = parseArguments(...words);
		if (!run)
			return Promise.resolve();
		const node = register(run, titleOf(call));
		if (!node.isWanted)
			return Promise.resolve();
		admit(run, node);
		if (!around.getStore())
			run.cover?.loaded();
		const fn = typeof call.fn === "function" ? wrapCallback(call.fn, node) : call.fn;
		const done = within(run, () => register_(titleOf(call), call.options ?? {}, fn));
		run.pending.push(done);
		return done;
	};
}

function withVariants(ownFunction, wrapCallback) {
	const wrapped = wrapRegistration(ownFunction, wrapCallback);
	for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(ownFunction)))
		if (["skip", "todo", "only", "expectFailure"].includes(name))
			wrapped[name] = wrapRegistration(ownFunction[name], wrapCallback);
		else if (descriptor.configurable && name !== "length" && name !== "name" &&
			name !== "prototype")
			Object.defineProperty(wrapped, name, descriptor);
	return wrapped;
}

/* node:test as programs see it, new for each candidate. */
function standIn() {
	const facade = withVariants(own, wrapTest);
	const isTest = own.it !== own.suite;
	Object.assign(facade, { test: facade, it: withVariants(own.it, isTest ? wrapTest : wrapGroup),
		describe: withVariants(own.describe, wrapGroup) });
	for (const name of ["before", "after", "beforeEach", "afterEach"])
		facade[name] = wrapHook(own[name]);
	if (own.suite)
		facade.suite = withVariants(own.suite, wrapGroup);
	Object.defineProperty(facade, "default", { value: facade, configurable: true, writable: true });
	return facade;
}

/* --- Running --- */

/* "a" and "a > b" for "a > b > c#1". */
function pathsAbove(keys) {
	const paths = new Set();
	for (const key of keys)
		for (let at = key.lastIndexOf(" > "); at > 0; at = key.lastIndexOf(" > ", at - 1))
			paths.add(key.slice(0, at));
	return paths;
}

function newRun(job) {
	const setOf = (keys) => keys ? new Set(keys) : null;
	const { select, watch, cover, stop = Infinity } = job;
	return { name: `run ${job.id}`, titles: [], results: [], repeats: new Map(),
		admitted: new Map(), pending: [], failures: 0, error: null, cover, stop,
		select: setOf(select), watch: setOf(watch), pathsAbove: pathsAbove(select ?? []) };
}

async function loadAndWait(run, file) {
	run.scope = new AsyncResource("run");
	try {
		await runMain(file);
	} catch (error) {
		run.error = error;
	}
	run.cover?.loaded();
	while (run.pending.length > 0)
		await Promise.allSettled(run.pending.splice(0));
}

function withKeys(run) {
	const seen = new Map();
	return run.results.map((result) => {
		const n = seen.get(result.path) ?? 0;
		seen.set(result.path, n + 1);
		return { ...result, key: run.admitted.get(result.path)?.[n] ?? `${result.path}#${n + 1}` };
	});
}

export const nodeTests = {
	endsWithLoop: true, /* its root ends when nothing is left to wait for */

	async start() {
		own = Module.createRequire(import.meta.url)("node:test");
		await own("the root begins", () => {});
	},

	/* Replaces node:test for the programs of the next run. */
	standIns: () => new Map([["node:test", standIn()]]),

	async run(job) {
		const run = current = newRun(job);
		const ended = new Promise((resolve) => {
			onOutermost = resolve;
		});
		own(run.name, () => loadAndWait(run, job.unit));
		await ended;
		current = null;
		try {
			own.mock?.reset();
		} catch {
			/* A mock of something that is gone. */
		}
		const results = withKeys(run).filter((result) => !(result.error instanceof StoppedError));
		return { results, error: run.error };
	},
};
