/*
 * The engines of a runner: one that works, and one that stands ready for when the first has to be
 * ended. Each is a process group of its own; its processor time and memory are looked at from here,
 * since one that loops cannot look itself.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import { asciiLine, engineChannel } from "./node-wire.mjs";

const pageSize = 4096;
const mostMemory = 2 ** 30; /* more than when it began to wait */
const longestWait = 50; /* ms between two looks */
const graceTime = 30; /* ms until one that was interrupted has answered; */
const longGraceTime = 300; /* that runs a runner with things of its own to do */
const startTime = { cpuMs: 20000, wallMs: 60000 };
const flags = ["--no-warnings", "--max-old-space-size=1024"];
/* where no runner loads modules */
const loaderFlags = ["--experimental-vm-modules", "--experimental-import-meta-resolve"];
/* no core; files of 50 MiB, counted in halves of a KiB */
const limits = 'ulimit -c 0; ulimit -f 102400; exec "$@"';

function readNumber(file, place) {
	try {
		return Number(fs.readFileSync(file, "latin1").split(" ")[place]);
	} catch {
		return Number.NaN;
	}
}

/* Of its main thread, where programs run. */
const processorMs = (pid) => readNumber(`/proc/${pid}/schedstat`, 0) / 1e6;
const memoryOf = (pid) => readNumber(`/proc/${pid}/statm`, 1) * pageSize;

/* What of the user's options an engine has of its own. */
function environment() {
	const options = (process.env.NODE_OPTIONS ?? "")
		.replace(/(^|\s)--test-reporter(-destination)?(=|\s+)\S+/g, "");
	return { ...process.env, NODE_OPTIONS: options.trim() };
}

const living = new Set();

/* However the runner ends, nothing that it started is left. */
process.on("exit", () => living.forEach((engine) => engine.kill()));

class Engine {
	#child;
	#channel;
	#compiler;
	#input = "";
	#settle = null; /* of who waits for the next line */
	#jobs = 0;
	#isLate = false;
	#graceTime;

	constructor(options, compiler) {
		const self = process.argv[1];
		const stdio = Array(engineChannel).fill("ignore").concat("pipe");
		const words = [process.execPath, ...flags, ...options.isLent ? [] : loaderFlags,
			`--test-reporter=${self}`, self, "engine"];
		this.#child = childProcess.spawn("/bin/sh", ["-c", limits, "sh", ...words],
			{ stdio, detached: true, env: environment(), cwd: options.root });
		this.#compiler = compiler;
		this.#graceTime = options.isLent ? longGraceTime : graceTime;
		this.#channel = this.#child.stdio[engineChannel];
		this.#channel.setEncoding("latin1");
		this.#channel.on("data", (text) => this.#read(text));
		this.#channel.on("error", () => {});
		this.#child.on("error", () => this.#end("died"));
		this.#child.on("exit", () => this.#end("died"));
		living.add(this);
		this.started = this.#ask(options, startTime);
	}

	#read(text) {
		this.#input += text;
		for (let at; (at = this.#input.indexOf("\n")) >= 0;) {
			const line = this.#input.slice(0, at);
			this.#input = this.#input.slice(at + 1);
			this.#hear(line).catch(() => this.kill());
		}
	}

	/* An answer, or a text that it wants compiled. */
	async #hear(line) {
		const message = JSON.parse(line);
		if (message.question)
			this.#channel.write(asciiLine(
				{ answer: await this.#compiler.compile(message.question), n: message.n }));
		else
			this.#settle?.({ end: "told", ...message });
	}

	#end(why) {
		this.isOver = true;
		living.delete(this);
		this.#settle?.({ end: why });
	}

	/* The whole group; what it waited for is answered. */
	kill(why = "died") {
		try {
			process.kill(-this.#child.pid, "SIGKILL");
		} catch {
			/* It is gone. */
		}
		this.#channel.destroy();
		this.#end(why);
	}

	/* What runs is broken off, where it can be; else all. */
	#interrupt() {
		this.#isLate = true;
		try {
			process.kill(this.#child.pid, "SIGINT");
		} catch {
			/* It is gone. */
		}
		return setTimeout(() => this.kill("timeout"), this.#graceTime);
	}

	#watch({ cpuMs, wallMs }) {
		const { pid } = this.#child;
		const began = performance.now(), cpuBefore = processorMs(pid), memory = memoryOf(pid);
		const used = () =>
			({ cpuMs: processorMs(pid) - cpuBefore || 0, wallMs: performance.now() - began });
		let timer;
		const look = () => {
			const spent = used();
			const left = Math.min(cpuMs - spent.cpuMs, wallMs - spent.wallMs);
			if (left <= 0)
				timer = this.#interrupt();
			else if (memoryOf(pid) - memory > mostMemory)
				this.kill("died");
			else
				timer = setTimeout(look, Math.max(1, Math.min(left, longestWait)));
		};
		timer = setTimeout(look, Math.min(cpuMs, wallMs, longestWait));
		return { stop: () => clearTimeout(timer), used };
	}

	/* Ask for one line behind another; {end: "told" | "timeout" | "died", ...what it says, cpuMs
	 * and wallMs that went by}. */
	async #ask(message, time) {
		if (this.isOver)
			return { end: "died", cpuMs: 0, wallMs: 0 };
		const watch = this.#watch(time);
		const answer = await new Promise((resolve) => {
			this.#settle = resolve;
			this.#channel.write(asciiLine(message));
		});
		this.#settle = null;
		watch.stop();
		return { ...answer, ...watch.used() };
	}

	async run(job, time) {
		this.#isLate = false;
		const answer = await this.#ask({ ...job, id: ++this.#jobs }, time);
		const isAnswer = answer.end === "told" && answer.id === this.#jobs;
		/* a signal on its way would end the next candidate */
		const isHarmless = !this.#isLate || answer.isInterrupted;
		if (!isAnswer || !answer.isClean || !isHarmless)
			this.kill();
		if (this.#isLate)
			return { ...answer, end: "timeout" };
		return answer.end === "told" && !isAnswer ? { ...answer, end: "died" } : answer;
	}
}

const mostJobs = 500; /* node:test forgets nothing that it ran */

/* Engines, one after the other. A new one is warmed by a job, whose answer nobody reads. */
export class Pool {
	#options;
	#compiler;
	#working = null;
	#spare = null;
	#warming = null;
	#hasBegun = false;
	#jobs = 0;

	/* `compiler` makes JavaScript of TypeScript where the options say that node does not. */
	constructor(options, compiler) {
		this.#options = options;
		this.#compiler = compiler;
	}

	/* From here on each engine begins with this job. */
	warmBy(job) {
		this.#warming = job;
		this.#hasBegun = true;
		this.#spare ??= this.#start();
	}

	async #start() {
		const engine = new Engine(this.#options, this.#compiler);
		const answer = await engine.started;
		if (answer.end !== "told" || !answer.isReady)
			return { engine: null, why: answer.why ?? "node did not start" };
		if (!this.#warming)
			return { engine };
		await engine.run(this.#warming, startTime);
		if (!engine.isOver)
			return { engine };
		this.#warming = null; /* it leaves something behind: each engine is good for one run */
		return this.#start();
	}

	async #take() {
		if (this.#working && !this.#working.isOver && this.#jobs++ < mostJobs)
			return { engine: this.#working };
		this.#working?.kill();
		for (let tries = 0; tries < 3; tries++) {
			const { engine, why } = await (this.#spare ?? this.#start());
			this.#spare = this.#hasBegun ? this.#start() : null;
			this.#jobs = 0;
			this.#working = engine;
			if (!engine || !engine.isOver)
				return { engine, why };
		}
		return { engine: this.#working };
	}

	/* {end: ...} as an engine says, or {end: "none", why} where there is none. */
	async run(job, time) {
		const { engine, why } = await this.#take();
		return engine ? engine.run(job, time) : { end: "none", why, cpuMs: 0, wallMs: 0 };
	}

	async close() {
		this.#working?.kill();
		(await this.#spare)?.engine?.kill();
		this.#compiler.close();
	}
}
