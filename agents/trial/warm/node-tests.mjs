/*
 * The tests of a suite by the ids that rondo knows them by: which file ("unit": what is run in one
 * process) and key each has, and what their results say of a candidate.
 */
import path from "node:path";

const isLeafRed = (result) => !result.isGroup && !(result.ok && !result.skipped);
const plain = (id) => id.replace(/\p{Cc}/gu, " ").trim();

/* A name that comes again gets a number, "adds (2)", as in rondo's reports. */
class Numbers {
	#seen = new Map();

	give(name) {
		let id = name;
		for (let n = this.#seen.get(name); n && this.#seen.has(id); id = `${name} (${n})`)
			this.#seen.set(name, ++n);
		this.#seen.set(id, 1);
		return id;
	}
}

/* What a file is as a test of its own: where it cannot be run, or has no tests. */
const fileKey = "";

function fileResult(answer, name) {
	const isGreen = answer.results.every((result) => !isLeafRed(result) || result.skipped);
	const isOk = answer.error === null && !answer.isUncaught && isGreen;
	return { path: name, key: fileKey, ok: isOk, skipped: false, isGroup: true, ms: 0, line: null };
}

export class Tests {
	#byId = new Map();
	#numbers = new Numbers();
	#root;

	constructor(root) {
		this.#root = root;
	}

	/* Learn a unit's tests from what became of them at the base. */
	add(unit, answer, isFile) {
		const name = path.relative(this.#root, unit);
		const results = isFile && !answer.results.some(isLeafRed) &&
			(answer.error !== null || answer.results.length === 0) ?
			[...answer.results, fileResult(answer, name)] : answer.results;
		for (const result of results) {
			const id = this.#numbers.give(result.path);
			this.#byId.set(plain(id), { id, unit, key: result.key, result });
		}
	}

	find(id) {
		return this.#byId.get(plain(id));
	}
}

/* The tests of these ids that are in a unit; of groups only those of which no test is among
 * them. */
export function selectionOf(tests) {
	const keys = tests.map((test) => test.key);
	if (keys.includes(fileKey))
		return null;
	const isAround = (key) =>
		keys.some((other) => other.startsWith(`${key.replace(/#\d+$/, "")} > `));
	return keys.filter((key) => !isAround(key));
}

/* What an answer says of a test; not run is not passed. */
export function resultOf(answer, test) {
	const result = test.key === fileKey ? fileResult(answer, test.id) :
		answer.results.find((one) => one.key === test.key);
	return result ?? { key: test.key, ok: false, skipped: false, isGroup: false, ms: 0,
		line: null };
}

export const hasPassed = (answer, test) => {
	const result = resultOf(answer, test);
	return result.ok && !result.skipped;
};
