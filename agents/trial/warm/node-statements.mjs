/*
 * How candidates are judged by a program that is its own test. Its tests are its assertions: where
 * each stands is known by its text; those of console's that failed by their lines; that which
 * threw, and all behind it, by the stack of what was thrown.
 */
import fs from "node:fs";
import path from "node:path";
import { endOf } from "./node-judge.mjs";

const longest = 160; /* bytes of an id: what is cut extends to the next statement */

/* The n-th statement of the text that begins with these words, whatever blanks stand between
 * them. */
function nth(text, id, n) {
	const words = id.trim().split(" ").map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
	const found = [...text.matchAll(new RegExp(`(?<![\\w$.])${words.join("\\s+")}`, "g"))][n - 1];
	return found ? { start: found.index, end: found.index + found[0].length } : null;
}

/* "adds(1) (2)" is the second statement with this text, or the only one with a longer. */
function place(text, id) {
	const match = / \((\d+)\)$/.exec(id);
	const numbered = match && nth(text, id.slice(0, match.index), Number(match[1]));
	const found = numbered || nth(text, id, 1);
	return found && { id, isCut: Buffer.byteLength(id) >= longest, ...found };
}

const lineAt = (text, offset) => text.slice(0, offset).split("\n").length;

/* In the order of the program; null where one is not found. */
function findStatements(text, ids) {
	const places = ids.map((id) => place(text, id));
	if (places.includes(null))
		return null;
	places.sort((a, b) => a.start - b.start);
	return places.map((one, i) =>
		one.isCut ? { ...one, end: (places[i + 1]?.start ?? text.length) - 1 } : one);
}

/* Which of the statements a run has failed. */
function failedStatements(text, statements, answer) {
	const lines = statements.map(({ start, end }) => [lineAt(text, start), lineAt(text, end)]);
	const at = (line) => lines.findIndex(([first, last]) => first <= line && line <= last);
	const failed = new Set(answer.failedLines.map(at));
	const isRed = answer.error !== null || answer.exitCode !== 0;
	const thrown = (answer.thrownLines ?? []).map(at).filter((i) => i >= 0).pop() ?? 0;
	return statements.filter((_, i) => failed.has(i) || (isRed && i >= thrown));
}

export class ProgramJudge {
	#pool;
	#file;
	#name;
	#goal;
	#ids;

	constructor(pool, root, name) {
		this.#pool = pool;
		this.#name = name;
		this.#file = path.join(root, name);
	}

	async #failuresOf(text, files, time) {
		const statements = findStatements(text, this.#ids);
		if (!statements)
			return { end: "cold" };
		const answer = await this.#pool.run({ unit: this.#file, files }, time);
		const end = endOf(answer);
		return { answer, end, failed: end ? [] : failedStatements(text, statements, answer), text };
	}

	async load(goalIds, otherIds) {
		this.#goal = new Set(goalIds);
		this.#ids = [...goalIds, ...otherIds];
		const text = fs.readFileSync(this.#file, "utf8");
		const time = { cpuMs: 60000, wallMs: 120000 };
		const { failed, end, answer } = await this.#failuresOf(text, {}, time);
		const ids = new Set((failed ?? []).map(({ id }) => id));
		if (end === "cold")
			throw new Error(answer?.cold ??
				"an assertion of the program was not found in its text");
		if (!end && this.#ids.some((id) => ids.has(id) !== this.#goal.has(id)))
			throw new Error("other assertions fail here");
		this.warming = { unit: this.#file, files: {} };
		return { goal: goalIds.length, others: otherIds.length };
	}

	/* Its statements are not told apart while it runs. */
	async cover() {
		return { lines: null, n_goal: 0, n_others: 0 };
	}

	async judge(files, time) {
		const text = files[this.#file] ?? fs.readFileSync(this.#file, "utf8");
		const { answer, end, failed } = await this.#failuresOf(text, files, time);
		if (end)
			return { end, fixed: 0, at: null, broken: null };
		const failedGoal = failed.filter(({ id }) => this.#goal.has(id));
		const found = { end: "passed", fixed: this.#goal.size - failedGoal.length, at: null,
			broken: null };
		if (failedGoal.length > 0)
			found.at = `${this.#name}:${lineAt(text, failedGoal[0].start)}`;
		if (failedGoal.length > 0 || answer.error !== null || answer.exitCode !== 0)
			return { ...found, end: answer.hasStarted ? "cold" : "failed" };
		return failed.length > 0 ? { ...found, end: "broken", broken: failed[0].id } : found;
	}
}
