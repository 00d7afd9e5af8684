/*
 * Which lines of the product ran, and by which tests: V8's own precise coverage, taken when the
 * files are loaded and behind each test. Lines are those of the files as they were written.
 */
import inspector from "node:inspector";
import urls from "node:url";
import { sourceOf } from "./node-loader.mjs";
import { writtenLine } from "./node-typescript.mjs";

let session;

const post = (method, params) => {
	let found;
	session.post(method, params, (error, result) => {
		found = result;
	});
	return found;
};

/* Offsets at which lines begin. */
function lineStarts(text) {
	const starts = [0];
	for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
		starts.push(at + 1);
	return starts;
}

/* Ranges come from the outside in, each with how often it ran: the last that holds a place tells.
 * Lines on which nothing but blanks and brackets ran are left out. */
function linesThatRan(file, functions) {
	const { text, shift } = sourceOf(file);
	const ran = new Uint8Array(text.length);
	for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges))
		ran.fill(count > 0 ? 1 : 0, Math.max(0, startOffset - shift),
			Math.max(0, endOffset - shift));
	const starts = lineStarts(text);
	const lineOf = (start, i) => {
		for (let at = start; at < (starts[i + 1] ?? text.length); at++)
			if (ran[at] && /[\w$"'`]/.test(text[at]))
				return writtenLine(file, i + 1, at - start + 1);
		return 0;
	};
	return [...new Set(starts.map(lineOf))].filter((line) => line > 0);
}

function fileOf(url) {
	return url.startsWith("file://") ? urls.fileURLToPath(url) : url;
}

/* {path: lines} of what ran since the last time, below the root. */
function take(root) {
	const lines = {};
	for (const { url, functions } of post("Profiler.takePreciseCoverage").result) {
		const file = fileOf(url);
		if (file.startsWith(`${root}/`) && !file.includes("/node_modules/"))
			lines[file] = linesThatRan(file, functions);
	}
	return lines;
}

/* Where tests tell when they are loaded and when one of them has ended. */
export class Cover {
	#root;

	constructor(root) {
		this.#root = root;
		session = new inspector.Session();
		session.connect();
		post("Profiler.enable");
		post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
		this.tests = {};
		this.all = {};
	}

	/* What ran up to here ran for all tests. */
	loaded() {
		for (const [file, lines] of Object.entries(take(this.#root)))
			this.all[file] = [...new Set([...this.all[file] ?? [], ...lines])];
	}

	ended(key) {
		this.tests[key] = take(this.#root);
	}

	end() {
		session.disconnect();
		return { all: this.all, tests: this.tests };
	}
}
