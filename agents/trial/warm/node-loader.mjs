/*
 * Modules, loaded again for each candidate. Those of CommonJS by node's own loader, whose cache is
 * emptied and whose compilation is done here; ES modules by node:vm, since node's own loader gives
 * each of them only once. What has not changed is read and, as far as it can be, compiled once.
 */
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";
import urls from "node:url";
import vm from "node:vm";
import { interruptible } from "./node-interrupt.mjs";
import { Sources } from "./node-sources.mjs";
import { compileText, isTyped, typedSpellings } from "./node-typescript.mjs";
import { isBuiltin, noteBuiltin } from "./node-world.mjs";

const texts = new Map(); /* as on disk */
const scripts = new Map(); /* of CommonJS, compiled */
const exportNames = new Map(); /* of CommonJS that an ES module imports */
const moduleTypes = new Map(); /* by directory */
const loadOwn = Module._load;
const resolveOwn = Module._resolveFilename;
const runOwn = Module._extensions[".js"];
const exportsWhole = Number.parseInt(process.versions.node, 10) >= 23; /* under a name of its own */
let resident = new Set();
let replaced = new Map(); /* the candidate's texts, by path */
let stands = new Map(); /* modules that stand for node's own */
let modules = new Map(); /* ES modules, by URL */
let linked = Promise.resolve();
/* who makes what node runs of it: node, "esbuild", "bundle": esbuild, and all modules are CommonJS,
 * "esm": the same of the tree's own files, "made": as other programs made it, or "babel" */
let typescript = "node";
let sources = null; /* where other programs make files; else null */

/* What became of loading, beyond what was thrown. */
export const loading = { syntax: false, cold: null };

class ColdError extends Error {}

/* Where a program cannot be loaded here as node would: the candidate has to be tried cold. */
function refuse(why) {
	loading.cold ??= why;
	throw new ColdError(why);
}

/* As if no other program had made it. */
function refuseMade(file) {
	if (sources?.isMade(file))
		throw Object.assign(new Error(`Cannot find module '${file}'`),
			{ code: "MODULE_NOT_FOUND" });
}

export const sourceFor = (file) => sources?.of(file) ?? file;

function textOf(file) {
	refuseMade(file);
	if (replaced.has(file))
		return replaced.get(file);
	if (!texts.has(file))
		texts.set(file, fs.readFileSync(file, "utf8"));
	return texts.get(file);
}

/* A candidate whose text cannot be compiled is told from one whose tests throw such an error. */
function compiling(file, compile) {
	try {
		return compile();
	} catch (error) {
		loading.syntax ||= replaced.has(file) && error instanceof SyntaxError;
		throw error;
	}
}

const isOwn = (file) => !file.includes("/node_modules/");
const hasImports = (file) => /^\s*(import|export)\b/m.test(textOf(file));

function isCompiled(file) {
	if (typescript === "babel")
		return isOwn(file) && /\.(jsx?|mjs|cjs|es6?)$/.test(file);
	if (typescript === "esm" && isOwn(file) && /\.m?js$/.test(file))
		return hasImports(file);
	if (isTyped(file))
		return typescript !== "node";
	return typescript === "bundle" ? ownFormatOf(file) === "module" :
		sources?.formatOf(file) !== undefined && isMadeOther(file);
}

/* Whether a source is not what was made of it: Babel knows more than JavaScript. */
const isMadeOther = (file) => /\.[cm]?jsx?$/.test(file) &&
	(sources.isBabel || (hasImports(file) && sources.formatOf(file) === "commonjs"));

const compilerOf = () => typescript === "made" && sources.isBabel ? "babel" : typescript;

/* The text of a module as it is run. */
function scriptOf(file) {
	const text = textOf(file).replace(/^\ufeff/, "");
	if (isCompiled(file))
		return compiling(file, () => compileText(file, text, formatOf(file), compilerOf(), refuse));
	if (!isTyped(file))
		return text;
	if (!process.features.typescript)
		refuse(`${file} is TypeScript, which this node does not run`);
	return compiling(file, () => Module.stripTypeScriptTypes(text));
}

/* "module", "commonjs" or "": what the next package.json says. */
function moduleType(directory) {
	if (!moduleTypes.has(directory)) {
		const file = path.join(directory, "package.json");
		const parent = path.dirname(directory);
		const isRoot = parent === directory || path.basename(directory) === "node_modules";
		const typeAbove = () => isRoot ? "" : moduleType(parent);
		const type = fs.existsSync(file) ?
			JSON.parse(fs.readFileSync(file, "utf8")).type ?? "" : typeAbove();
		moduleTypes.set(directory, type);
	}
	return moduleTypes.get(directory);
}

/* Newer nodes look into a file that nothing else tells of, and that no compiler has changed. */
function looksLikeModule(file) {
	const isMade = ["esm", "babel", "made"].includes(typescript) ? isOwn(file) :
		typescript !== "node" && isTyped(file);
	if (!process.features.require_module || moduleType(path.dirname(file)) || isMade)
		return false;
	try {
		scriptFor(file);
		return false;
	} catch (error) {
		return error instanceof SyntaxError &&
			/\bimport\b|\bexport\b|\bawait\b/.test(error.message);
	}
}

function ownFormatOf(file) {
	const suffix = path.extname(file);
	if (suffix === ".json" || suffix === ".node" || suffix === ".wasm")
		return suffix.slice(1);
	if (/^\.m[jt]s$/.test(suffix))
		return "module";
	if (/^\.c[jt]s$/.test(suffix))
		return "commonjs";
	const isModule = moduleType(path.dirname(file)) === "module" || looksLikeModule(file);
	return isModule ? "module" : "commonjs";
}

function formatOf(file) {
	const format = sources?.formatOf(file) ?? ownFormatOf(file);
	const isMade = typescript === "bundle" || (typescript === "esm" && isOwn(file));
	return format === "module" && isMade ? "commonjs" : format;
}

/* --- CommonJS --- */

function scriptFor(file) {
	const text = scriptOf(file);
	const known = scripts.get(file);
	if (known && known.text === text)
		return known.script;
	const importModuleDynamically = (specifier) =>
		importFrom(specifier, urls.pathToFileURL(file).href);
	const script = new vm.Script(Module.wrap(text.replace(/^#!/, "//")),
		{ filename: file, importModuleDynamically });
	if (!replaced.has(file))
		scripts.set(file, { text, script });
	return script;
}

function requireOf(module) {
	const require = (id) => module.require(id);
	require.resolve = (request, options) =>
		Module._resolveFilename(request, module, false, options);
	require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
	require.main = process.mainModule;
	require.extensions = Module._extensions;
	require.cache = Module._cache;
	return require;
}

/* A required ES module is left to node, which keeps it; so it must be one that no candidate
 * changes. */
function requireModule(module, file) {
	if (!process.features.require_module || !file.includes("/node_modules/"))
		refuse(`${file} is an ES module, and required`);
	runOwn(module, file);
}

function runScript(module, file) {
	if (formatOf(file) === "module") {
		requireModule(module, file);
		return;
	}
	const run = compiling(file, () => scriptFor(file)).runInThisContext();
	Reflect.apply(run, module.exports,
		[module.exports, requireOf(module), module, file, path.dirname(file)]);
}

function runJson(module, file) {
	module.exports = JSON.parse(textOf(file).replace(/^\ufeff/, ""));
}

const builtinName = (request) => isBuiltin(request) ?
	`node:${request.replace(/^node:/, "")}` : null;

function loadBuiltin(name) {
	const exports = stands.get(name) ?? loadOwn(name, null, false);
	noteBuiltin(exports);
	return exports;
}

/* A name as node understands it, or else as a compiler would. */
function resolveName(request, ...rest) {
	for (const name of [request, ...typedSpellings(request)])
		try {
			return sourceFor(resolveOwn.call(this, name, ...rest));
		} catch (error) {
			if (error.code !== "MODULE_NOT_FOUND")
				throw error;
		}
	return resolveOwn.call(this, request, ...rest);
}

/* Take node's own loader over; what it has loaded stays. */
export function takeOver(compiler, made) {
	sources = made ? new Sources(process.cwd(), made, ownFormatOf) : null;
	typescript = compiler === "node" && sources?.isEmpty === false ? "made" : compiler;
	if (typescript !== "node")
		Module._resolveFilename = resolveName;
	resident = new Set(Object.keys(Module._cache));
	Module._load = function (request, parent, isMain) {
		const name = builtinName(request);
		return name ? loadBuiltin(name) : loadOwn.call(this, request, parent, isMain);
	};
	for (const suffix of [".js", ".mjs", ".ts", ".mts", ".cts", ".tsx"])
		Module._extensions[suffix] = runScript;
	Module._extensions[".json"] = runJson;
}

/* --- ES modules --- */

const sourceUrl = (url) => sources && url.startsWith("file:") ?
	urls.pathToFileURL(sourceFor(urls.fileURLToPath(url))).href : url;

/* The URL that a name means; with a compiler, that of a file that is there. */
async function cleanImport(specifier, parent) {
	const url = sourceUrl(await import.meta.resolve(specifier, parent));
	if (typescript === "node" || !url.startsWith("file:") ||
		fs.statSync(new URL(url), { throwIfNoEntry: false })?.isFile())
		return url;
	return typedSpellings(url).find((name) => fs.existsSync(new URL(name))) ?? url;
}

function synthetic(url, names, evaluate) {
	return new vm.SyntheticModule(names, evaluate, { identifier: url });
}

function moduleOfValues(url, values) {
	return synthetic(url, Object.keys(values), function () {
		for (const [name, value] of Object.entries(values))
			this.setExport(name, value);
	});
}

function namedExports(exports) {
	const own = exports !== null && (typeof exports === "object" || typeof exports === "function") ?
		Object.keys(exports) : [];
	return [...new Set(["default", ...(exportsWhole ? ["module.exports"] : []), ...own])];
}

/* Its names have to be known before it runs: the first time, and where it has changed, it runs
 * early. */
function moduleOfCommon(url, file) {
	const names = (!replaced.has(file) && exportNames.get(file)) || namedExports(loadCommon(file));
	if (!replaced.has(file))
		exportNames.set(file, names);
	return synthetic(url, names, function () {
		const exports = loadCommon(file);
		for (const name of names)
			this.setExport(name,
				name === "default" || name === "module.exports" ? exports : exports?.[name]);
	});
}

function moduleOfSource(url, file) {
	return compiling(file, () => new vm.SourceTextModule(scriptOf(file), {
		identifier: url,
		importModuleDynamically: (specifier) => importFrom(specifier, url),
		initializeImportMeta: (meta) => {
			Object.assign(meta,
				{ url, resolve: (specifier) => import.meta.resolve(specifier, url) });
			if ("filename" in import.meta)
				Object.assign(meta, { filename: file, dirname: path.dirname(file) });
		},
	}));
}

function loadModule(url) {
	if (url.startsWith("node:")) {
		const exports = loadBuiltin(url);
		return moduleOfValues(url, { ...exports, default: exports });
	}
	const file = urls.fileURLToPath(url);
	const format = formatOf(file);
	if (format === "module")
		return moduleOfSource(url, file);
	if (format === "commonjs")
		return moduleOfCommon(url, file);
	if (format === "json")
		return moduleOfValues(url, { default: JSON.parse(textOf(file)) });
	return refuse(`${file} is imported, and no JavaScript`);
}

async function moduleFor(specifier, parent) {
	const url = builtinName(specifier) ?? await cleanImport(specifier, parent);
	if (!/^(node|file):/.test(url))
		refuse(`'${specifier}' is no file`);
	if (!modules.has(url))
		modules.set(url, loadModule(url));
	return modules.get(url);
}

/* One after the other: two that link the same module at once do not wait for each other. */
async function evaluate(module) {
	const link = () => module.status === "unlinked" &&
		module.link((specifier, from) => moduleFor(specifier, from.identifier));
	linked = linked.then(link, link);
	await linked;
	await module.evaluate({ breakOnSigint: true });
	return module;
}

async function importFrom(specifier, parent) {
	return evaluate(await moduleFor(specifier, parent));
}

/* --- Files --- */

/* The text of a module as it was run, and how much stands before it in what was compiled. */
export function sourceOf(file) {
	const shift = formatOf(file) === "module" ? 0 : Module.wrapper[0].length;
	return { text: scriptOf(file), shift };
}

function loadCommon(file) {
	return Module._load(file, null, false);
}

/* The texts of the next candidate, by path, and modules in place of node's own; nothing of the last
 * candidate is left. */
export function beginLoading(files, standIns) {
	replaced = new Map(Object.entries(files));
	stands = standIns;
	modules = new Map();
	linked = Promise.resolve();
	Object.assign(loading, { syntax: false, cold: null });
	for (const file of Object.keys(Module._cache))
		if (!resident.has(file))
			delete Module._cache[file];
	for (const file of replaced.keys())
		moduleTypes.delete(path.dirname(file));
	process.mainModule = undefined;
}

/* Run a file as the program that node was started with. */
export async function runMain(named) {
	const file = sourceFor(named);
	process.argv.splice(0, process.argv.length, process.execPath, named);
	if (formatOf(file) === "module") {
		await importFrom(urls.pathToFileURL(file).href, urls.pathToFileURL(file).href);
		return;
	}
	const main = new Module(file, undefined);
	Object.assign(main,
		{ id: ".", filename: file, paths: Module._nodeModulePaths(path.dirname(file)) });
	process.mainModule = main;
	Module._cache[file] = main;
	interruptible(() => runScript(main, file));
	main.loaded = true;
}

/* Run a file among others, as mocha does; gives what it exports. */
export async function runFile(named) {
	const file = sourceFor(named);
	const url = urls.pathToFileURL(file).href;
	return formatOf(file) === "module" ? (await importFrom(url, url)).namespace : loadCommon(file);
}
