/* Which files `node --test` runs: those that its words name, else those that look like tests. */
import fs from "node:fs";
import path from "node:path";

let isScript = process.features.typescript ? /\.[cm]?[jt]s$/ : /\.[cm]?js$/;
const isTestName = /^(test|test-.+|.+[.\-_]test)$/;

/* Options that change nothing of what a test does; some have a value, which may be the next
 * word. */
const harmless = /^--(test|no-warnings|enable-source-maps|test-force-exit|trace-\S+)$/;
const valued =
	/^(--test-(reporter|reporter-destination|concurrency|timeout)|--disable-warning)(=.*)?$/;
const stripping = /^--experimental-(strip|transform)-types$/;
const loader = /^(-r|--require|--import|--loader|--experimental-loader)(=(.*))?$/;
const takesNext = (word) => (valued.test(word) || loader.test(word)) && !word.includes("=");

/* Modules that are loaded for no more than that TypeScript is run. */
const compilers = [/^tsx(\/(cjs|esm))?$/, /^ts-node\/register(\/(files|transpile-only))?$/,
	/^ts-node\/esm(\/transpile-only)?$/, /^esbuild-register$/,
	/^@swc-node\/register(\/esm-register)?$/, /^@esbuild-kit\//];

export const isCompiler = (name) => compilers.some((one) => one.test(name));

function walk(directory, isWithinTest, visit) {
	const within = isWithinTest || path.basename(directory) === "test";
	for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
		const file = path.join(directory, entry.name);
		if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
			walk(file, within, visit);
		else if (entry.isFile())
			visit(file, within);
	}
}

function testsBelow(directory) {
	const found = [];
	walk(directory, false, (file, within) => {
		const name = path.basename(file).replace(isScript, "");
		if (isScript.test(file) && !file.endsWith(".d.ts") && (within || isTestName.test(name)))
			found.push(file);
	});
	return found;
}

/* As a shell's pattern that knows two stars and braces, for a path below the root. */
function patternOf(glob) {
	const pieces = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:", "}": ")",
		",": "|" };
	let depth = 0;
	const translate = (piece) => {
		depth += piece === "{" ? 1 : piece === "}" ? -1 : 0;
		return piece === "," && depth === 0 ? "," : pieces[piece] ?? `\\${piece}`;
	};
	const special = /\*\*\/|\*\*|[*?{},]|[\\^$.+()[\]|]/g;
	const text = glob.replace(/^\.\//, "").replace(special, translate);
	return new RegExp(`^${text}$`);
}

function filesOf(root, word) {
	const file = path.resolve(root, word);
	if (fs.existsSync(file))
		return fs.statSync(file).isDirectory() ? testsBelow(file) : [file];
	const pattern = patternOf(word);
	const found = [];
	walk(root, false, (one) => pattern.test(path.relative(root, one)) && found.push(one));
	return found;
}

/* {files, typescript}: the files, sorted as node runs them, and who makes JavaScript of them;
 * throws where an option could change what tests do. */
export function testFiles(root, words, compiles) {
	const patterns = words.filter((word, i) =>
		!word.startsWith("-") && !takesNext(words[i - 1] ?? ""));
	const loaded = words.map((word, i) =>
		loader.test(word) ? loader.exec(word)[3] ?? words[i + 1] ?? "" : null);
	const isKnown = (word, i) => harmless.test(word) || valued.test(word) ||
		stripping.test(word) || isCompiler(loaded[i] ?? "");
	const option = words.find((word, i) => word.startsWith("-") && !isKnown(word, i));
	if (option)
		throw new Error(`'${option}' is an option of node's that is not known here`);
	const isStripped = process.features.typescript &&
		words.every((word) => !/transform-types/.test(word));
	const wantsStripping = words.some((word) => stripping.test(word)) && !isStripped;
	const isCompiled = compiles || wantsStripping || loaded.some((name) => name !== null);
	isScript = compiles ? /\.[cm]?[jt]sx?$/ : isScript;
	const files = patterns.length > 0 ?
		patterns.flatMap((word) => filesOf(root, word)) : testsBelow(root);
	return { files: [...new Set(files)].sort(), typescript: isCompiled ? "esbuild" : "node" };
}
