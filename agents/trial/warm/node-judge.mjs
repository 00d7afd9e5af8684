/* How candidates are judged by tests in files: those of the goal first and alone, then all, file by
 * file as a cold run would. */
import path from "node:path";
import { hasPassed, resultOf, selectionOf, Tests } from "./node-tests.mjs";

const baseTime = { cpuMs: 60000, wallMs: 120000 };
const slower = 2; /* than at the base a runner may be, beside tests */
export const onBusyMachine = 4; /* times the processor time, */
const onVeryBusyMachine = 10; /* and where most of it is no test's */
const mostFailures = 3; /* from then on a candidate is not looked at further */

/* An end that tells more than the tests' results do; null: there is none. */
export function endOf(answer) {
	if (answer.end !== "told")
		return answer.end === "timeout" ? "timeout" : "died";
	return answer.cold ? "cold" : answer.syntax ? "syntax" : answer.hasExited ? "died" : null;
}

function byUnit(tests) {
	const units = new Map();
	for (const test of tests)
		units.set(test.unit, [...units.get(test.unit) ?? [], test]);
	return units;
}

const sumOf = (tests) => tests.reduce((sum, test) => sum + test.result.ms, 0);
const isLeaf = (answer, test) => !resultOf(answer, test).isGroup;

/* A test that was seen to fail says more than a group around it, and that more than one that was
 * not run. */
function firstFailed(answer, tests) {
	const failed = tests.filter((test) => !hasPassed(answer, test));
	const hasRun = (test) => answer.results.some(({ key }) => key === test.key);
	const rank = (test) => hasRun(test) ? Number(resultOf(answer, test).isGroup) : 2;
	return failed.sort((a, b) => rank(a) - rank(b))[0];
}

const isTestPath = /(^|\/)(tests?|__tests__)\//;

/* A line counts once for a test, whether it ran with it or when its file was loaded. */
function addLines(counts, covers, place) {
	for (const file of new Set(covers.flatMap((cover) => Object.keys(cover)))) {
		if (!counts.has(file))
			counts.set(file, new Map());
		const lines = counts.get(file);
		for (const line of new Set(covers.flatMap((cover) => cover[file] ?? []))) {
			const n = lines.get(line) ?? [0, 0, 0];
			n[place]++;
			lines.set(line, n);
		}
	}
}

const inOrder = (lines) => [...lines].sort(([a], [b]) => a - b).map(([line, n]) => [line, ...n]);

export class Judge {
	#pool;
	#root;
	#isByFile;
	#isLent;
	#costs = new Map(); /* ms, by unit, of what its runner does beside tests: no test's time */
	#also = new Set(); /* tests that fail and are not of the goal */
	#goal = []; /* {unit, tests, select} */
	#whole = []; /* {unit, tests, goal, drains} */

	/* `isByFile`: each unit is a file, whose name stands for it as a test where it cannot be run.
	 * `isLent`: its runner has a cost of its own. */
	constructor(pool, root, { isByFile = false, isLent = false } = {}) {
		this.#isLent = isLent;
		this.#pool = pool;
		this.#root = root;
		this.#isByFile = isByFile;
	}

	/* Run all at the base; throws where tests of the goal are not those that rondo knows. What
	 * cannot be run here of the others is left to the judge of what passes. */
	async load(goalIds, otherIds, alsoIds, units) {
		const tests = new Tests(this.#root);
		const answers = new Map();
		let why = null;
		for (const unit of units) {
			const answer = await this.#pool.run({ unit, files: {}, drain: true }, baseTime);
			if (answer.end === "none")
				throw new Error(answer.why);
			why ??= answer.cold;
			const isTold = answer.end === "told" && !answer.cold;
			answers.set(unit, isTold ? answer : null);
			this.#costs.set(unit, this.#isLent ? slower * answer.cpuMs : 0);
			if (isTold)
				tests.add(unit, answer, this.#isByFile);
		}
		const goal = goalIds.map((id) => tests.find(id));
		const missing = goalIds.find((id, i) => !goal[i]);
		if (missing !== undefined)
			throw new Error(why ?? `the test '${missing}' was not found`);
		const tooGood = goal.find((test) => hasPassed(answers.get(test.unit), test));
		if (tooGood)
			throw new Error(`the test '${tooGood.id}' passes here`);
		const others = otherIds.map((id) => tests.find(id))
			.filter((test) => test && hasPassed(answers.get(test.unit), test));
		this.#also = new Set(alsoIds.map((id) => tests.find(id)).filter(Boolean));
		await this.#plan(goal, others, answers);
		return { goal: goal.length, others: others.length };
	}

	async #plan(goal, others, answers) {
		const goals = byUnit(goal);
		for (const [unit, tests] of [...goals].sort(([, a], [, b]) => sumOf(a) - sumOf(b)))
			this.#goal.push({ unit, tests,
				select: await this.#selectionThatTells(unit, tests, answers.get(unit)) });
		for (const [unit, tests] of byUnit([...goal, ...others]))
			this.#whole.push({ unit, tests, isUncaught: answers.get(unit).isUncaught });
		this.warming = { unit: this.#goal[0].unit, files: {}, select: this.#goal[0].select };
	}

	/* The tests alone, where they fail alone as they fail among the others; else all of the
	 * file. */
	async #selectionThatTells(unit, tests, whole) {
		const select = selectionOf(tests);
		if (!select)
			return null;
		const alone = await this.#pool.run({ unit, files: {}, select }, baseTime);
		if (alone.hasStarted && endOf(alone) === null)
			throw new Error(`the tests in ${path.relative(this.#root, unit)} start programs, ` +
				"which read files from disk");
		const isSame = endOf(alone) === null && tests.every((test) => !hasPassed(alone, test) &&
			resultOf(alone, test).line === resultOf(whole, test).line);
		return isSame ? select : null;
	}

	#place(answer, test) {
		const { line, file } = resultOf(answer, test);
		return line ? `${path.relative(this.#root, file ?? test.unit)}:${line}` : null;
	}

	async #run(job, time) {
		const cost = this.#costs.get(job.unit);
		const answer = await this.#pool.run(job,
			{ cpuMs: time.cpuMs + cost, wallMs: time.wallMs + onVeryBusyMachine * cost });
		time.spend(Math.max(0, answer.cpuMs - cost),
			Math.max(0, answer.wallMs - onVeryBusyMachine * cost));
		return answer;
	}

	/* {end, fixed, at}; end is null where all of the goal passed. */
	async #tryGoal(files, time) {
		const found = { end: null, fixed: 0, at: null };
		let failures = 0;
		for (const { unit, tests, select } of this.#goal) {
			const watch = tests.map((test) => test.key);
			const job = { unit, files, select, watch, stop: mostFailures - failures };
			const answer = await this.#run(job, time);
			found.end = endOf(answer);
			if (found.end)
				return found;
			const failed = tests.filter((test) => !hasPassed(answer, test));
			found.fixed += tests.length - failed.length;
			const leaf = failed.find((test) => isLeaf(answer, test));
			found.at ??= leaf ? this.#place(answer, leaf) : null;
			failures += failed.filter((test) => isLeaf(answer, test)).length;
			if (failed.length > 0 && answer.hasStarted)
				return { ...found, end: "cold" };
			if (failures >= mostFailures)
				break;
		}
		const n = this.#goal.reduce((sum, { tests }) => sum + tests.length, 0);
		return found.fixed === n ? found : { ...found, end: "failed" };
	}

	async #tryAll(files, time, found) {
		time.extend();
		const goal = new Set(this.#goal.flatMap(({ tests }) => tests));
		for (const { unit, tests, isUncaught } of this.#whole) {
			const watch = tests.map((test) => test.key);
			const answer = await this.#run({ unit, files, watch, stop: 1, drain: true }, time);
			const end = endOf(answer);
			if (end)
				return { ...found, end };
			const failed = firstFailed(answer, tests);
			if (failed && goal.has(failed))
				return { ...found, end: "failed", fixed: found.fixed - 1,
					at: this.#place(answer, failed) };
			if (failed)
				return { ...found, end: "broken", broken: failed.id };
			if (answer.isUncaught && !isUncaught)
				return { ...found, end: "broken", broken: path.relative(this.#root, unit) };
		}
		return { ...found, end: "passed" };
	}

	/* {lines, n_goal, n_others, n_also}: by how many tests each line of the product ran; lines are
	 * null where time is not enough. */
	async cover(time) {
		const goal = new Set(this.#goal.flatMap(({ tests }) => tests));
		const found = { lines: {}, n_goal: 0, n_others: 0, n_also: 0 };
		const kindOf = (test) => goal.has(test) ? 0 : this.#also.has(test) ? 2 : 1;
		const counts = new Map(); /* by path: a map of lines */
		for (const { unit, tests } of this.#whole) {
			const answer = await this.#run({ unit, files: {}, cover: true }, time);
			if (endOf(answer) || !answer.cover)
				return { ...found, lines: null, n_goal: 0 };
			const failing = [...this.#also].filter((test) => test.unit === unit);
			for (const test of [...tests, ...failing]) {
				if (!answer.cover.tests[test.key])
					continue;
				found[["n_goal", "n_others", "n_also"][kindOf(test)]]++;
				addLines(counts, [answer.cover.all, answer.cover.tests[test.key]], kindOf(test));
			}
		}
		for (const [file, lines] of counts)
			if (!this.#whole.some(({ unit }) => unit === file) &&
				!isTestPath.test(path.relative(this.#root, file)))
				found.lines[path.relative(this.#root, file)] = inOrder(lines);
		return found;
	}

	/* {end, fixed, at, broken} of changed texts by path. */
	async judge(files, time) {
		const found = { ...await this.#tryGoal(files, time), broken: null };
		return found.end ? found : this.#tryAll(files, time, found);
	}
}
