/*
 * Compares a warm runner with cold runs: node warm_agree.mjs RUNNER N SEED FILE OLD NEW [WORD...]
 * in the root of a project. Its suite is `node --test`, or node with these words, or `npx jest` if
 * they begin with jest. Tries N random edits of src/*: an operator, a number or a name is replaced,
 * or a line removed. Edits of other files than FILE come with the fix of the suite, NEW for OLD.
 */
import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

const [runner, count, seed, fixed, old, fresh, ...words] = process.argv.slice(2);
const isJest = words[0] === "jest";
const suite = isJest ? ["npx", ...words] : ["node", ...words.length > 0 ? words : ["--test"]];
const wall = 20000;
let state = Number(seed);
const random = (n) => (state = (Math.imul(state, 1103515245) + 12345) >>> 0, (state >>> 8) % n);
const pick = (list) => list[random(list.length)];

/* The ids in TAP, as rondo reads them, without the file's name. */
function readTap(text) {
	const titles = [], found = new Map();
	for (const line of text.split("\n")) {
		const [, indent, start] = /^( *)# Subtest: (.*)$/.exec(line) ?? [];
		if (start !== undefined)
			titles.splice(indent.length / 4, titles.length, start);
		const [, inner, not, title, directive] =
			/^( *)(not )?ok \d+ - (.*?)( # .*)?$/.exec(line) ?? [];
		if (title !== undefined && !directive)
			found.set([...titles.slice(0, inner.length / 4), title].join(" > "), not === undefined);
	}
	return found;
}

function readJest(text, directory) {
	const root = fs.realpathSync(directory);
	const found = new Map();
	for (const { name, assertionResults } of JSON.parse(text).testResults)
		for (const { ancestorTitles, title, status } of assertionResults) {
			const names = [path.relative(root, name), ...ancestorTitles, title];
			found.set(names.join(" > "), status === "passed");
		}
	return found;
}

function runCold(directory) {
	const env = { ...process.env };
	delete env.NODE_OPTIONS;
	const [program, ...rest] = suite;
	const asked = isJest ? [...rest, "--json"] : ["--test-reporter=tap", ...rest];
	const read = isJest ? readJest : readTap;
	const options = { cwd: directory, env, timeout: wall, killSignal: "SIGKILL" };
	return new Promise((resolve) => execFile(program, asked, options,
		(error, stdout) => resolve(error?.killed ? null : read(stdout, directory))));
}

function edits(files) {
	const operators = ["+", "-", "*", "<", "<=", ">", ">=", "===", "!==", "&&", "||"];
	return Array.from({ length: Number(count) }, () => {
		const file = pick(files);
		const text = fs.readFileSync(file, "utf8");
		const kinds = / (\+|-|\*|[<>]=?|[!=]==|&&|\|\|) |\b\d+\b|\b[a-z]\w+\b|\t.*;\n/g;
		const tokens = [...text.matchAll(kinds)];
		const token = pick(tokens), was = token[0];
		const becomes = token[1] ? ` ${pick(operators)} `
			: /^\d/.test(was) ? String(random(4))
			: was.startsWith("\t") ? "" : pick(text.match(/\b[a-z]\w+\b/g));
		const offset = Buffer.byteLength(text.slice(0, token.index));
		return { path: file, splices: [{ offset, length: Buffer.byteLength(was), text: becomes }] };
	});
}

function changed({ path: file, splices: [{ offset, length, text }] }) {
	const bytes = fs.readFileSync(file);
	const rest = bytes.subarray(offset + length);
	return Buffer.concat([bytes.subarray(0, offset), Buffer.from(text), rest]);
}

/* The answers that agree with a cold run. A group is red if a test in it is: only tests count. */
function wanted(cold, goal, others) {
	if (!cold)
		return ["timeout"];
	if (!goal.every((id) => cold.get(id)))
		return ["failed", "syntax", "died"];
	return others.every((id) => cold.get(id)) ? ["passed"] : ["broken", "syntax", "died"];
}

async function coldOf(files, copy) {
	fs.cpSync(".", copy, { recursive: true, verbatimSymlinks: true });
	for (const file of files)
		fs.writeFileSync(path.join(copy, file.path), changed(file));
	const found = await runCold(copy);
	fs.rmSync(copy, { recursive: true });
	return found;
}

const base = await runCold(".");
const ids = [...base.keys()];
const goal = ids.filter((id) => !base.get(id)), others = ids.filter((id) => base.get(id));
const leaves = (list) => list.filter((id) => !ids.some((other) => other.startsWith(`${id} > `)));
const child = spawn(process.execPath, [runner], { stdio: ["pipe", "pipe", "inherit"] });
const answers = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const ask = async (message) => {
	child.stdin.write(JSON.stringify(message) + "\n");
	return JSON.parse((await answers.next()).value);
};
const order = { kind: isJest ? "jest" : "node",
	arguments: suite.slice(isJest ? 2 : 1), goal, others, also: [] };
console.log(JSON.stringify(await ask(order)));
const offset = fs.readFileSync(fixed).indexOf(old);
const fix = { path: fixed, splices: [{ offset, length: Buffer.byteLength(old), text: fresh }] };
const counts = {};
let id = 0;
for (const edit of edits(fs.readdirSync("src").sort().map((name) => `src/${name}`))) {
	const files = edit.path === fixed ? [edit] : [edit, fix];
	const warm = await ask({ id: ++id, files, cpu_ms: 2000, wall_ms: 5000 });
	const cold = await coldOf(files, path.join("..", `cold-${process.pid}`));
	counts[warm.end] = (counts[warm.end] ?? 0) + 1;
	const ends = wanted(cold, leaves(goal), leaves(others));
	if (!ends.includes(warm.end))
		console.log(`edit ${id}, ${JSON.stringify(edit)}, is ${warm.end}, not ${ends}`);
}
child.stdin.end();
console.log(JSON.stringify(counts));
