/*
 * esbuild as a service: one process makes JavaScript of TypeScript for all engines, in less than a
 * millisecond a file, where a process of its own for each candidate would take longer than most
 * tests. It is spoken to as its package for node does: packets of a length, a number and a value.
 * The one request that is made here is the same from 0.14 to 0.25.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Babel } from "./node-babel.mjs";

/* --- Packets: numbers are of four bytes, strings begin with their length, values with a byte that
 * tells their kind --- */

function numberBytes(n) {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(n);
	return bytes;
}

function stringBytes(text) {
	const bytes = Buffer.from(text);
	return Buffer.concat([numberBytes(bytes.length), bytes]);
}

/* Of what requests are made of. */
function valueBytes(value) {
	const kinded = (kind, ...parts) => Buffer.concat([Buffer.of(kind), ...parts]);
	if (typeof value === "boolean")
		return kinded(1, Buffer.of(Number(value)));
	if (typeof value === "string")
		return kinded(3, stringBytes(value));
	if (Buffer.isBuffer(value))
		return kinded(4, numberBytes(value.length), value);
	if (Array.isArray(value))
		return kinded(5, numberBytes(value.length), ...value.map(valueBytes));
	const entries = Object.entries(value);
	return kinded(6, numberBytes(entries.length),
		...entries.flatMap(([key, one]) => [stringBytes(key), valueBytes(one)]));
}

function readValue(bytes) {
	let at = 0;
	const number = () => bytes.readUInt32LE((at += 4) - 4);
	const slice = () => {
		const n = number();
		return bytes.subarray(at, at += n);
	};
	const many = (read) => Array.from({ length: number() }, read);
	const kinds = [() => null, () => bytes[at++] !== 0, () => number() | 0,
		() => slice().toString(), slice, () => many(value),
		() => Object.fromEntries(many(() => [slice().toString(), value()]))];
	const value = () => kinds[bytes[at++]]();
	return value();
}

function packet(n, value) {
	const body = Buffer.concat([numberBytes(n << 1), valueBytes(value)]);
	return Buffer.concat([numberBytes(body.length), body]);
}

/* --- The process --- */

class Service {
	#child;
	#input = Buffer.alloc(0);
	#waiting = new Map(); /* by the number of the request */
	#requests = 0;
	#hasBegun = false;

	constructor(program) {
		const version = childProcess.execFileSync(program, ["--version"],
			{ encoding: "latin1", stdio: ["ignore", "pipe", "ignore"] });
		this.#child = childProcess.spawn(program, [`--service=${version.trim()}`],
			{ stdio: ["pipe", "pipe", "ignore"] });
		this.#child.on("error", () => this.#end());
		this.#child.on("exit", () => this.#end());
		this.#child.stdin.on("error", () => this.#end());
		this.#child.stdout.on("data", (bytes) => this.#read(bytes));
		this.#child.unref();
	}

	#end() {
		this.isOver = true;
		this.#waiting.forEach((settle) => settle(null));
		this.#waiting.clear();
	}

	#read(bytes) {
		this.#input = Buffer.concat([this.#input, bytes]);
		while (this.#input.length >= 4 && this.#input.length >= 4 + this.#input.readUInt32LE(0)) {
			const end = 4 + this.#input.readUInt32LE(0);
			this.#hear(this.#input.subarray(4, end));
			this.#input = this.#input.subarray(end);
		}
	}

	#hear(body) {
		if (!this.#hasBegun) {
			this.#hasBegun = true; /* its first word is its version */
			return;
		}
		const n = body.readUInt32LE(0) >>> 1;
		this.#waiting.get(n)?.(readValue(body.subarray(4)));
		this.#waiting.delete(n);
	}

	/* What it answers; null: it is gone. */
	ask(request) {
		const n = ++this.#requests;
		return new Promise((resolve) => {
			if (this.isOver) {
				resolve(null);
				return;
			}
			this.#waiting.set(n, resolve);
			this.#child.stdin.write(packet(n, request));
		});
	}

	close() {
		this.#child.kill("SIGKILL");
	}
}

/* The first of these programs that is there; null: none is. */
function startService(programs) {
	for (const program of programs)
		try {
			return new Service(program);
		} catch {
			/* It is not there, or no esbuild. */
		}
	return null;
}

/* --- Files --- */

const loaders = { ".tsx": "tsx", ".js": "jsx", ".jsx": "jsx", ".cjs": "js", ".mjs": "js" };

function flagsFor(file, format, options) {
	const flags = [`--loader=${loaders[path.extname(file)] ?? "ts"}`,
		`--format=${format === "module" ? "esm" : "cjs"}`, `--sourcefile=${file}`,
		"--sourcemap=external", "--log-level=silent"];
	return options ? [...flags, `--tsconfig-raw=${options}`] : flags;
}

export class Compiler {
	#service;
	#babel;
	#programs;
	#root;
	#options = new Map(); /* tsconfig.json's texts, by directory */
	#firsts = new Map(); /* what was made of each file first: each engine wants it once */

	/* The first of the programs that is there is started when it is needed. */
	constructor(root, programs) {
		this.#root = root;
		this.#programs = programs;
		this.#babel = new Babel(root);
	}

	/* The text of the next tsconfig.json, "" where there is none. */
	#optionsIn(directory) {
		if (!this.#options.has(directory)) {
			const file = path.join(directory, "tsconfig.json");
			const isTop = directory === this.#root || directory === path.dirname(directory);
			const above = () => isTop ? "" : this.#optionsIn(path.dirname(directory));
			const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : above();
			this.#options.set(directory, text);
		}
		return this.#options.get(directory);
	}

	/* {code, map}, {error} of a text that cannot be compiled, or {why} nobody could try. */
	async compile(question) {
		const { file, text, format } = question;
		const first = this.#firsts.get(file);
		if (first?.text === text && first.format === format)
			return first.made;
		const made = question.by === "babel" ? this.#babel.compile(question) :
			await this.#transform(question);
		if (!first && !made.why)
			this.#firsts.set(file, { text, format, made });
		return made;
	}

	async #transform({ file, text, format }) {
		if (this.#service === undefined)
			this.#service = startService(this.#programs);
		if (!this.#service)
			return { why: `${file} is TypeScript, and no esbuild is here` };
		const flags = flagsFor(file, format, this.#optionsIn(path.dirname(file)));
		const input = Buffer.from(text);
		const answer =
			await this.#service.ask({ command: "transform", flags, inputFS: false, input });
		if (!answer || answer.error)
			return { why: answer?.error ?? "esbuild has ended" };
		const [error] = answer.errors;
		return error ? { error: String(error.text) } : { code: answer.code, map: answer.map };
	}

	close() {
		this.#service?.close();
	}
}
