/*
 * What the candidates of one engine share: the global object, node's modules, process. It is noted
 * before tests see it, and put back as it was behind each candidate; what cannot be put back makes
 * the engine useless.
 */
import Module from "node:module";

const noted = new Map();
const keptGlobals = new Set(["globalThis", "global", "process"]);
const computed = Symbol("computed"); /* in place of a value */
let before, unreferenced = 0;

const isObject = (value) => (typeof value === "object" && value !== null) ||
	typeof value === "function";

/* Own properties of an object: each key's value, or its descriptor where it is computed, which is
 * not asked for. */
function note(object, skips = () => false) {
	if (noted.has(object))
		return;
	const keys = Reflect.ownKeys(object);
	const wanted = keys.map((key) => Object.getOwnPropertyDescriptor(object, key));
	const values = wanted.map((descriptor) => "value" in descriptor ? descriptor.value : computed);
	noted.set(object, { object, keys, wanted, values, skips });
}

const plainKeys = new Set(["length", "name", "prototype"]);

/* Nothing has been put on it that could be replaced. */
const isPlainFunction = (value) => typeof value === "function" &&
	Reflect.ownKeys(value).every((key) => plainKeys.has(key)) &&
	(!isObject(value.prototype) || Reflect.ownKeys(value.prototype).length <= 1);

/* An object, and what programs patch within it: classes with their prototypes, and further
 * objects. */
function noteDeeply(object, skips) {
	note(object, skips);
	for (const value of noted.get(object).values) {
		if (!isObject(value) || value === globalThis || value === process || isPlainFunction(value))
			continue;
		note(value);
		if (typeof value === "function" && isObject(value.prototype))
			note(value.prototype);
	}
}

/* A module of node's that a program is about to see. */
export function noteBuiltin(exports) {
	if (isObject(exports) && exports !== process && !noted.has(exports))
		noteDeeply(exports);
}

const isBuiltinName = new Set(Module.builtinModules);

export function isBuiltin(name) {
	return name.startsWith("node:") || isBuiltinName.has(name);
}

function countResources() {
	const counts = {};
	for (const name of process.getActiveResourcesInfo())
		counts[name] = (counts[name] ?? 0) + 1;
	return counts;
}

function listeners() {
	return new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
}

/* Prototypes that no global names. */
function hiddenPrototypes() {
	const prototype = Object.getPrototypeOf;
	const iterators = [[].values(), new Map().entries(), new Set().entries(), ""[Symbol.iterator](),
		"".matchAll(/a/g)];
	const functions = [function* () {}, async function () {}, async function* () {}];
	const made = functions.map((one) => prototype(one).prototype).filter(isObject);
	return [prototype(prototype(iterators[0])), ...iterators.map(prototype),
		...functions.map(prototype), ...made, prototype(Uint8Array),
		prototype(Uint8Array).prototype];
}

/* A timer that does not keep the process alive is in no list of what does: it is seen when it is
 * made so. */
function watchTimers() {
	const timer = setTimeout(() => {}, 0);
	clearTimeout(timer);
	for (const prototype of [Object.getPrototypeOf(timer),
		Object.getPrototypeOf(setImmediate(() => {}))]) {
		const unref = prototype.unref;
		prototype.unref = function () {
			unreferenced++;
			return unref.call(this);
		};
		note(prototype);
	}
}

/* From here on the world is to stay what it is; `isLent`: to a runner that has timers of its
 * own. */
export function noteWorld(isLent) {
	if (!isLent)
		watchTimers();
	process.mainModule = undefined;
	noteDeeply(globalThis, (key) => keptGlobals.has(key));
	hiddenPrototypes().forEach((object) => note(object));
	note(process, (key) => typeof key === "string" &&
		(key.startsWith("_") || key === "argv" || key === "mainModule"));
	[Module, Module.prototype, Module._extensions].forEach((object) => note(object));
	before = { env: { ...process.env }, cwd: process.cwd(), umask: process.umask(),
		resources: countResources(), listeners: listeners() };
}

/* Where nothing is left that could still happen: timers, servers, programs. */
export function isQuiet() {
	const now = countResources();
	return Object.keys(now).every((name) => now[name] <= (before.resources[name] ?? 0));
}

function isSame({ object, keys, wanted, values }, i) {
	if (values[i] !== computed)
		return Object.is(object[keys[i]], values[i]);
	const found = Object.getOwnPropertyDescriptor(object, keys[i]);
	return found !== undefined && found.get === wanted[i].get && found.set === wanted[i].set;
}

/* Looked at after each candidate, thousands of properties: so without a descriptor for each. */
function isAsNoted(note_) {
	const { object, keys, values } = note_;
	const now = Reflect.ownKeys(object);
	if (now.length !== keys.length)
		return false;
	for (let i = 0; i < keys.length; i++)
		if (now[i] !== keys[i] ||
			!(values[i] !== computed && Object.is(object[keys[i]], values[i]) || isSame(note_, i)))
			return false;
	return true;
}

/* What newer nodes put on the global object for good, when they first need their client of HTTP. */
const isNodesOwn = (key) => typeof key === "symbol" && key.description?.startsWith("undici.");

function restoreObject(note_) {
	const { object, keys, wanted, skips } = note_;
	const known = new Set(keys);
	for (const key of Reflect.ownKeys(object))
		if (!known.has(key) && !skips(key) && !isNodesOwn(key) &&
			!Reflect.deleteProperty(object, key))
			return false;
	return keys.every((key, i) => skips(key) || (Object.hasOwn(object, key) && isSame(note_, i)) ||
		Reflect.defineProperty(object, key, wanted[i]));
}

function restoreEnvironment() {
	for (const name of Object.keys(process.env))
		if (!(name in before.env))
			delete process.env[name];
	for (const [name, value] of Object.entries(before.env))
		if (process.env[name] !== value)
			process.env[name] = value;
}

function restoreListeners() {
	for (const name of process.eventNames())
		for (const listener of process.rawListeners(name))
			if (!before.listeners.get(name)?.includes(listener))
				process.removeListener(name, listener);
	for (const [name, wanted] of before.listeners)
		if (process.listenerCount(name) < wanted.length)
			return false;
	return true;
}

/* Put all back; false where that cannot be, and another engine has to be taken. */
export function restoreWorld() {
	let ok = unreferenced === 0 && isQuiet();
	for (const one of noted.values())
		ok = (isAsNoted(one) || restoreObject(one)) && ok;
	restoreEnvironment();
	ok = restoreListeners() && ok;
	try {
		process.chdir(before.cwd);
	} catch {
		ok = false;
	}
	process.umask(before.umask);
	process.exitCode = undefined;
	return ok;
}
