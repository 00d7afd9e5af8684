/*
 * The warm runner of node: tries candidates with the tests of `node --test`, mocha, tape, uvu, jest
 * or one program, in processes that have node and the tests' texts loaded (node-engine.mjs). A line
 * of JSON in for each candidate, a line out. What it says is never believed: whatever passes here
 * is judged by the suite's own command. So it may be wrong, but should not be often.
 *
 * It is started as `node THIS`, a file; engines are the same file, which is their reporter of
 * tests, too.
 */
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { Compiler } from "./node-esbuild.mjs";
import { runEngine } from "./node-engine.mjs";
import { testFiles } from "./node-files.mjs";
import { Judge, onBusyMachine } from "./node-judge.mjs";
import { findMade } from "./node-made.mjs";
import { Pool } from "./node-pool.mjs";
import { ProgramJudge } from "./node-statements.mjs";
import { onTestEvent } from "./node-suite.mjs";
import { asciiLine } from "./node-wire.mjs";

const root = process.cwd();
/* what the engines' loader reads, so that a changed text reaches the program */
const readable = /\.([cm]?[jt]s|tsx|json)$/;

export default async function* (events) {
	for await (const event of events)
		onTestEvent(event);
}

/* --- Candidates' texts --- */

const originals = new Map();

function originalOf(file) {
	if (!originals.has(file))
		originals.set(file, fs.readFileSync(file));
	return originals.get(file);
}

function splice(bytes, splices) {
	const parts = [];
	let at = 0;
	for (const { offset, length, text } of splices) {
		parts.push(bytes.subarray(at, offset), Buffer.from(text));
		at = offset + length;
	}
	return Buffer.concat([...parts, bytes.subarray(at)]).toString();
}

/* The changed texts by absolute path; null where a program may read one of them past the loader. */
function textsOf(candidate) {
	const texts = {};
	for (const { path: name, content, splices } of candidate.files) {
		const file = path.join(root, name);
		if (!readable.test(name))
			return null;
		texts[file] = content ?? splice(originalOf(file), splices);
	}
	return texts;
}

/* --- What is left of a candidate's time --- */

class Time {
	#othersMs;

	constructor({ cpu_ms: cpuMs, wall_ms: wallMs, others_ms: othersMs }) {
		Object.assign(this, { cpuMs: cpuMs ?? Infinity, wallMs: wallMs ?? Infinity });
		this.#othersMs = othersMs ?? 0;
	}

	/* The goal's tests have passed: what all others may take comes on top. */
	extend() {
		this.cpuMs += this.#othersMs;
		this.wallMs += onBusyMachine * this.#othersMs;
	}

	spend(cpuMs, wallMs) {
		this.cpuMs -= cpuMs;
		this.wallMs -= wallMs;
	}
}

/* --- Lines --- */

let pool, judge;

const esbuild = [path.join(root, "node_modules/.bin/esbuild"), "esbuild"];

/* What a kind needs: its words, how TypeScript becomes JavaScript, the judge of candidates and what
 * that is to load. */
const plans = {
	program: (words) => ({ words, typescript: "node",
		judge: () => new ProgramJudge(pool, root, words[0]), units: [] }),

	/* One program that esbuild makes one file of, with all that it imports. */
	bundle: (words) => ({ ...plans.program(words), kind: "program", typescript: "bundle" }),

	node(words, ids, compiles) {
		const { files, typescript } = testFiles(root, words, compiles);
		return { words, typescript, judge: () => new Judge(pool, root, { isByFile: true }),
			units: files };
	},

	mocha(words, ids, compiles) {
		return { words, typescript: compiles ? "esbuild" : "node",
			judge: () => new Judge(pool, root), units: [root] };
	},

	tape: (words) => ({ words, typescript: "node", judge: () => new Judge(pool, root),
		units: [root] }),

	uvu: (words) => ({ words, typescript: "node", judge: () => new Judge(pool, root),
		units: [root] }),

	/* Test files are those that tests are known of. */
	jest(words, ids) {
		const names = ids.map((id) => path.join(root, id.split(" > ")[0]));
		const units = [...new Set(names)];
		return { words, isLent: true, first: units[0],
			judge: () => new Judge(pool, root, { isByFile: true, isLent: true }), units };
	},

	/* The same with a compiler of TypeScript. */
	tsx: (words, ids) => ({ ...plans.node(words, ids, true), kind: "node" }),
	"ts-mocha": (words, ids) => ({ ...plans.mocha(words, ids, true), kind: "mocha" }),
};

function planOf(kind, words, ids) {
	if (!Object.hasOwn(plans, kind))
		throw new Error(`there is no warm runner of '${kind}'`);
	return { kind, ...plans[kind](words, ids) };
}

async function load({ kind, arguments: words, goal, others, also, prepared }) {
	if (goal.length === 0)
		throw new Error("no test is to be fixed");
	const plan = planOf(kind, words, [...goal, ...others]);
	const { judge: makeJudge, units, words: ownWords, ...options } = plan;
	if (prepared && options.isLent)
		throw new Error("other programs run before the tests");
	const made = prepared ? findMade(root) : null;
	pool = new Pool({ root, arguments: ownWords, made, ...options },
		new Compiler(root, esbuild));
	judge = makeJudge();
	return judge.load(goal, others, also, units);
}

async function begin(message) {
	try {
		const found = await load(message);
		pool.warmBy(judge.warming);
		return { ready: true, ...found };
	} catch (error) {
		await pool?.close();
		return { ready: false, why: error.message };
	}
}

async function tryCandidate(candidate) {
	const began = performance.now();
	let found = { end: "cold", fixed: 0, at: null, broken: null };
	try {
		const texts = textsOf(candidate);
		found = texts ? await judge.judge(texts, new Time(candidate)) : found;
	} catch {
		/* A file that is not there, or splices that do not fit. */
	}
	return { id: candidate.id, ...found, ms: Math.round((performance.now() - began) * 10) / 10 };
}

async function runWarm() {
	let isReady = false;
	process.stdout.on("error", () => process.exit(1)); /* nobody listens any more */
	for await (const line of readline.createInterface({ input: process.stdin })) {
		const message = JSON.parse(line);
		const answer = !isReady ? await begin(message) :
			message.cover ? await judge.cover(new Time(message)) : await tryCandidate(message);
		isReady ||= answer.ready;
		process.stdout.write(asciiLine(answer));
	}
	await pool?.close();
}

/* Not awaited: the reporter is this very module, which would wait for itself. */
if (process.argv[2] === "engine")
	runEngine();
else
	runWarm();
