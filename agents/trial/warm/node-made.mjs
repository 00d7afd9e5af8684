/*
 * What other programs make before the tests, such as a compiler's lib/ of src/: which of the tree's
 * own files each of these is made of, going by where they lie. That is loaded in its place, since a
 * candidate changes nothing else. A bundle is made of the file with its name and what that loads.
 */
import childProcess from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const script = /(?<!\.d)\.([cm]?[jt]s|[jt]sx)$/;
export const isTest = (name) => /(^|\/)(tests?|__tests__)\/|[._-](test|spec)\./.test(name);

/* Of a path without its suffix. */
const partsOf = (name) => name.replace(script, "").split("/");

function listFiles(root, ...words) {
	const names = childProcess.execFileSync("git", ["ls-files", "-z", ...words],
		{ cwd: root, encoding: "utf8", maxBuffer: Infinity }).split("\0").slice(0, -1);
	return names.map((name) => ({ name, parts: script.test(name) ? partsOf(name) : null }));
}

/* For "lib/a/b.js" and "src/a/b.ts": "lib" and "src", "lib/a" and "src/a". */
function directoriesOf(made, source) {
	const pairs = [];
	for (let n = 1; made.at(-n) !== undefined && made.at(-n) === source.at(-n); n++)
		pairs.push([made.slice(0, -n).join("/"), source.slice(0, -n).join("/")]);
	return pairs;
}

/* {[made]: source} for pairs of files; directories that explain more of them decide. */
function choose(pairs) {
	const votes = new Map();
	const keysOf = ({ made, source }) => directoriesOf(made.parts, source.parts).map(String);
	for (const key of pairs.flatMap(keysOf))
		votes.set(key, (votes.get(key) ?? 0) + 1);
	const found = {};
	for (const pair of pairs) {
		const n = Math.max(...keysOf(pair).map((key) => votes.get(key)));
		const { made: { name }, source } = pair;
		if (!found[name] || n > found[name].n)
			found[name] = { n, source: source.name };
	}
	return Object.fromEntries(Object.entries(found).map(([name, { source }]) => [name, source]));
}

/* {tracked, made, isBabel}: the tree's own files, {[made]: source}, and whether Babel makes them
 * rather than a compiler of TypeScript. */
export function findMade(root) {
	const own = listFiles(root);
	const others = listFiles(root, "-o", "-x", "node_modules");
	const byName = new Map();
	for (const source of own.filter(({ parts }) => parts))
		byName.set(source.parts.at(-1), [...byName.get(source.parts.at(-1)) ?? [], source]);
	const pairs = others.filter(({ parts }) => parts).flatMap((made) =>
		(byName.get(made.parts.at(-1)) ?? []).map((source) => ({ made, source })))
		.filter(({ made, source }) => isTest(made.name) === isTest(source.name));
	const names = own.map(({ name }) => name);
	const isBabel = names.some((name) => /^(\.babelrc|babel\.config)(\.\w+)?$/.test(name)) ||
		/"babel"\s*:\s*\{/.test(fs.readFileSync(path.join(root, "package.json"), "utf8"));
	return { tracked: names, made: choose(pairs), isBabel };
}
