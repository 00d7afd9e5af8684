/*
 * What a suite's command comes to: a runner and its words, behind assignments, programs that only
 * start others, and the scripts of package.json. What is more than one simple command is left to
 * cold runs.
 */
import fs from "node:fs";
import path from "node:path";

const deepest = 5; /* scripts that run scripts */

/* The words of a simple command of sh; throws where it is more than that. */
function splitWords(line) {
	const pieces =
		[...line.matchAll(/'([^']*)'|"([^"$`\\]*)"|([^\s'"$`\\;&|<>()#!~]+)|(\s+)|([^])/g)];
	const words = [];
	let isOpen = false;
	for (const [, single, double, bare, blank, other] of pieces) {
		if (other !== undefined)
			throw new Error(`'${line}' is no simple command`);
		if (blank === undefined)
			words.push((isOpen ? words.pop() : "") + (single ?? double ?? bare));
		isOpen = blank === undefined;
	}
	return words;
}

const isOption = (word) => word?.startsWith("-") && word !== "--";

/* The n words that do nothing but start the next one; 0 where there are none. */
function launcherLength(words) {
	const name = path.basename(words[0] ?? "");
	if (/^(npx|env|cross-env|exec|c8|nyc)$/.test(name)) {
		const n = words.slice(1).findIndex((word) => !isOption(word) && word !== "--");
		return n < 0 ? 0 : n + 1;
	}
	return /^(pnpm|yarn)$/.test(name) && words[1] === "exec" ? 2 : 0;
}

const harmlessOfManagers = /^(-s|--silent|--if-present|--quiet)$/;

/* {name, rest, isProgram} of the script that a package manager is to run, and whether a program may
 * be meant where there is no such script; null: the words start no manager. */
function scriptOfManager(words) {
	const manager = path.basename(words[0]);
	if (!/^(npm|pnpm|yarn)$/.test(manager))
		return null;
	const end = words.indexOf("--");
	const before = words.slice(1, end < 0 ? undefined : end);
	const own = before.filter((word) => !harmlessOfManagers.test(word));
	const named = /^run(-script)?$/.test(own[0]) ? own.slice(1) : own;
	const name = named[0] === "t" ? "test" : named[0];
	if (!name || own.length === named.length && manager === "npm" && name !== "test")
		throw new Error(`${words.join(" ")} runs no script that is known here`);
	const isProgram = manager !== "npm" && own.length === named.length;
	return { name, rest: [...named.slice(1), ...end < 0 ? [] : words.slice(end + 1)], isProgram };
}

function wordsOfScript(root, { name, rest, isProgram }) {
	const text = fs.readFileSync(path.join(root, "package.json"), "utf8");
	const scripts = JSON.parse(text).scripts ?? {};
	if (scripts[`pre${name}`])
		throw new Error(`the script 'pre${name}' has to run before the tests`);
	if (typeof scripts[name] !== "string" && isProgram)
		return [name, ...rest];
	if (typeof scripts[name] !== "string")
		throw new Error(`package.json has no script '${name}'`);
	return [...splitWords(scripts[name]), ...rest];
}

/* By the program that runs at last. */
const runners = [
	{ names: /^_?mocha(\.js)?$/, kind: "mocha" },
	{ names: /^ts-mocha$/, kind: "mocha", compiles: true },
	{ names: /^jest(\.js)?$/, kind: "jest" },
	{ names: /^tape$/, kind: "tape" },
	{ names: /^vitest(\.mjs)?$/, kind: "vitest" },
	{ names: /^tsx$/, kind: "node", compiles: true },
];

function runnerOf(words) {
	const isNode = path.basename(words[0]) === "node";
	if (isNode && words.includes("--test"))
		return { kind: "node", words: words.slice(1) };
	const [program, ...rest] = isNode ? words.slice(1) : words;
	const runner = runners.find(({ names }) => names.test(path.basename(program ?? "")));
	if (!runner || (runner.kind === "node" && !rest.includes("--test")))
		throw new Error(`'${words.join(" ")}' is no runner that is known here`);
	return { kind: runner.kind, words: rest, compiles: runner.compiles };
}

/*
 * {kind, words, compiles, environment}: the runner's kind and words, whether it brings a compiler
 * of TypeScript, and what is assigned before it; throws where that is not known.
 */
export function resolveCommand(root, line) {
	const environment = { PATH: `${path.join(root, "node_modules/.bin")}:${process.env.PATH}` };
	let words = splitWords(line);
	for (let depth = 0; depth < deepest;) {
		const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(words[0] ?? "") ?? [];
		const n = name ? 1 : launcherLength(words);
		if (name)
			environment[name] = value;
		words = words.slice(n);
		if (words.length === 0)
			throw new Error(`'${line}' starts nothing`);
		const script = n > 0 ? null : scriptOfManager(words);
		if (n === 0 && !script)
			return { ...runnerOf(words), environment };
		words = script ? wordsOfScript(root, script) : words;
		depth += script ? 1 : 0;
	}
	throw new Error(`'${line}' runs scripts that run scripts`);
}
