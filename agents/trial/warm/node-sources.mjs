/*
 * In an engine: what other programs make before the tests is not loaded, but what they made it of
 * (node-made.mjs), in the format in which it was made.
 */
import path from "node:path";
import { isTest } from "./node-made.mjs";

export class Sources {
	#root;
	#tracked;
	#sources; /* of what was made, by path */
	#formats = new Map(); /* of what was made of a source */
	#formatOf;

	/* `formatOf` tells that of a file as it is. */
	constructor(root, { tracked, made, isBabel }, formatOf) {
		const absolute = (name) => path.join(root, name);
		this.#root = root;
		this.#tracked = new Set(tracked.map(absolute));
		this.#sources = new Map(Object.entries(made).map((pair) => pair.map(absolute)));
		this.#formatOf = formatOf;
		this.isBabel = isBabel;
	}

	get isEmpty() {
		return this.#sources.size === 0;
	}

	#isOwn(file) {
		return file.startsWith(this.#root + path.sep) && !file.includes("/node_modules/");
	}

	/* Whether a file was made, and nobody knows of what: that may have changed. */
	isMade(file) {
		return this.#isOwn(file) && !this.#tracked.has(file);
	}

	/* What a file was made of, or the file itself. */
	of(file) {
		const source = this.#sources.get(file);
		if (source && !this.#formats.has(source))
			this.#formats.set(source, this.#formatOf(file));
		return source ?? file;
	}

	/* What a source became, or one that was made one file with it; undefined: it is none. */
	formatOf(file) {
		const own = this.#formats.get(file);
		if (own || !this.#isOwn(file) || isTest(path.relative(this.#root, file)) ||
			/\.[cm][jt]s$/.test(file))
			return own;
		const isBelow = ([source]) => file.startsWith(path.dirname(source) + path.sep);
		return [...this.#formats].find(isBelow)?.[1];
	}
}
