/*
 * Tests of uvu, by the uvu that the repository has: its own choice of files and its own runner,
 * whose queue is taken over. uvu notes the name of each test in the suite's state before it runs
 * it: that tells which one fails.
 */
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";
import { runFile } from "./node-loader.mjs";
import { loadPackages, sortRequired } from "./node-require.mjs";

let uvuFiles, uvuRequired, uvuRoot;
let uvuRun = null; /* {job, file, results, failures, keys}: the one that is going on */

/* {dir, pattern, required}; throws where an option could change what tests do. */
function readUvuWords(words) {
	const found = { names: [], required: [], ignored: [] };
	for (let i = 0; i < words.length; i++)
		if (/^(-r|--require)$/.test(words[i]))
			found.required.push(words[++i]);
		else if (/^(-i|--ignore)$/.test(words[i]))
			found.ignored.push(words[++i]);
		else if (/^(-b|--bail|-c|--color)$/.test(words[i]))
			continue;
		else if (words[i].startsWith("-"))
			throw new Error(`'${words[i]}' is an option of uvu's that is not known here`);
		else
			found.names.push(words[i]);
	return found;
}

/* A suite's tests, as uvu is about to bind them to its runner. */
function watchUvuSuite(context, suite, file) {
	const titles = [path.relative(uvuRoot, file), suite].filter((title) => title);
	const pathOf = (name) => [...titles, String(name)].join(" > ").replace(/\p{Cc}/gu, " ");
	const keyOf = (name) => {
		const n = (uvuRun.keys.get(pathOf(name)) ?? 0) + 1;
		uvuRun.keys.set(pathOf(name), n);
		return `${pathOf(name)}#${n}`;
	};
	const { job, results } = uvuRun;
	const all = (context.only.length ? context.only : context.tests)
		.map((test) => ({ ...test, key: keyOf(test.name) }));
	const tests = all.filter(({ key }) => !job.select || job.select.includes(key));
	const note = (test, ok, error) => {
		const isCounted = !job.watch || job.watch.includes(test.key);
		const earlier = results.find((result) => result.key === test.key);
		uvuRun.failures += !ok && isCounted && earlier?.ok !== false;
		if (earlier)
			Object.assign(earlier, earlier.ok ? { ok, error } : {});
		else
			results.push({ path: pathOf(test.name), key: test.key, ok, skipped: false,
				isGroup: false, error, file, ms: Math.round(performance.now() - test.began) });
	};
	let current = null;
	const watch = (fn) => async (...words) => {
		try {
			return await fn(...words);
		} catch (error) {
			if (current)
				note(current, false, error ?? new Error("failed"));
			throw error;
		}
	};
	const handlerOf = (test) => async (...words) => {
		if (uvuRun.failures >= (job.stop ?? Infinity))
			return;
		current = test;
		test.began = performance.now();
		try {
			await watch(test.handler)(...words);
			note(test, true);
		} finally {
			job.cover?.ended(test.key);
		}
	};
	Object.assign(context, { only: [], bEach: context.bEach.map((fn) => watch(fn)),
		aEach: context.aEach.map((fn) => watch(fn)),
		tests: tests.map((test) => ({ name: test.name, handler: handlerOf(test) })) });
}

/* uvu binds its runner to a suite's tests, and puts that into its queue. */
function takeOverUvu() {
	const { bind } = Function.prototype;
	Function.prototype.bind = function (...words) {
		const [, context, suite] = words;
		if (this.name === "runner" && context?.bEach && context.tests && uvuRun)
			watchUvuSuite(context, suite, uvuRun.file);
		return Reflect.apply(bind, this, words);
	};
}

const holdsUvu = (select, file) => !select ||
	select.some((key) => key.startsWith(`${path.relative(uvuRoot, file)} > `));

async function runUvuFiles(job) {
	for (const file of uvuRequired.files)
		await runFile(file);
	for (const file of uvuFiles.filter((one) => holdsUvu(job.select, one))) {
		globalThis.UVU_QUEUE = [[null]];
		globalThis.UVU_INDEX = 0;
		uvuRun.file = file;
		await runFile(file);
		job.cover?.loaded();
		for (const run of globalThis.UVU_QUEUE[0].slice(1))
			await run();
	}
}

export const uvuTests = {
	async start(start) {
		uvuRoot = start.root;
		const load = Module.createRequire(path.join(uvuRoot, "package.json"));
		const { names, required, ignored } = readUvuWords(start.arguments);
		const { suites } = await load("uvu/parse").parse(names[0], names[1], { ignore: ignored });
		uvuFiles = suites.map(({ file }) => fs.realpathSync(file));
		uvuRequired = sortRequired(uvuRoot, required);
		globalThis.UVU_DEFER = 1;
		globalThis.UVU_QUEUE = [[null]];
		load("uvu");
		takeOverUvu();
		await loadPackages(uvuRoot, uvuRequired.packages);
		return uvuRequired.compiler ?? start.typescript;
	},

	standIns: () => new Map(),

	async run(job) {
		const { results } = uvuRun = { job, file: "", results: [], failures: 0, keys: new Map() };
		const { write } = process.stdout;
		process.stdout.write = () => true;
		try {
			await runUvuFiles(job);
			return { results, error: null };
		} catch (error) {
			return { results, error };
		} finally {
			process.stdout.write = write;
			uvuRun = null;
		}
	},
};
