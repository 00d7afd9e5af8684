/*
 * Drives a warm runner: node warm.mjs RUNNER KIND [WORD...] in the root of a project. Standard
 * input has lines of
 *
 *	goal ID, other ID         the tests
 *	prepared                  other commands run before the tests
 *	limits CPU WALL           of the candidates that follow, in ms
 *	try FILE: OLD ==> NEW     a candidate: the first OLD in the file replaced; "\n" ends a line
 *	cover
 *
 * Standard output has the answers of the runner, such as "ready 1 5", "failed 0 test/a.test.js:4",
 * "broken 1 sum > adds".
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import readline from "node:readline";

const [runner, kind, ...words] = process.argv.slice(2);
const lines = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const named = (word) =>
	lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

const child = spawn(process.execPath, [runner], { stdio: ["pipe", "pipe", "inherit"] });
const answers = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();

async function ask(message) {
	child.stdin.write(JSON.stringify(message) + "\n");
	const { value, done } = await answers.next();
	return done ? { end: "no answer" } : JSON.parse(value);
}

const originals = new Map(); /* candidates may delete them */

function candidate(text, id, cpu, wall) {
	const [, path, old, fresh] = /^(\S+): (.*?) ==> (.*)$/.exec(text);
	if (!originals.has(path))
		originals.set(path, fs.readFileSync(path));
	const bytes = originals.get(path);
	const offset = bytes.indexOf(old);
	if (offset < 0)
		throw new Error(`'${old}' is not in ${path}`);
	const splice = { offset, length: Buffer.byteLength(old), text: fresh.replaceAll("\\n", "\n") };
	return { id, files: [{ path, splices: [splice] }], cpu_ms: cpu, wall_ms: wall };
}

const say = (...parts) =>
	console.log(parts.filter((part) => part !== null && part !== undefined).join(" "));
const first = await ask({ kind, arguments: words, goal: named("goal"), others: named("other"),
	also: [], prepared: lines.includes("prepared") });
say(first.ready ? "ready" : "not ready:", first.goal, first.others, first.why);
let limits = [4000, 8000], id = 0;
for (const line of first.ready ? lines : []) {
	if (line.startsWith("limits "))
		limits = line.split(" ").slice(1).map(Number);
	if (line === "cover")
		say(JSON.stringify(await ask({ cover: true, cpu_ms: 20000, wall_ms: 20000 })));
	if (!line.startsWith("try "))
		continue;
	const answer = await ask(candidate(line.slice(4), ++id, ...limits));
	say(answer.id === id ? answer.end : `an answer to ${answer.id}`, answer.fixed, answer.at,
		answer.broken);
}
child.stdin.end();
await new Promise((resolve) => child.on("close", resolve));
