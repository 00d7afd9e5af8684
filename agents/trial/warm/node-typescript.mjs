/*
 * TypeScript and the like in an engine: the runner, who has compilers for all engines, makes of it
 * what node runs; here is kept what it made, and where each line of that comes from.
 */
import Module from "node:module";
import { askRunner } from "./node-channel.mjs";

const compiled = new Map(); /* by path */

export const isTyped = (file) => /\.([cm]?ts|tsx)$/.test(file);

/* A text as JavaScript, "commonjs" or "module", made by Babel or by esbuild; throws a SyntaxError,
 * or `refuse`s where nobody could compile it. */
export function compileText(file, text, format, by, refuse) {
	const known = compiled.get(file);
	if (known?.text === text && known.format === format)
		return known.code;
	const { code, map, error, why } = askRunner({ file, text, format, by });
	if (why)
		refuse(why);
	if (error)
		throw new SyntaxError(error);
	compiled.set(file, { text, format, code, map });
	return code;
}

/* The line of a file as it was written that a place of what was run comes from; 0: of none. */
export function writtenLine(file, line, column) {
	const known = compiled.get(file);
	if (!known)
		return line;
	known.places ??= new Module.SourceMap(JSON.parse(known.map));
	return (known.places.findEntry(line - 1, column - 1).originalLine ?? -1) + 1;
}

/* What a name without a suffix, or with that of the JavaScript that a file becomes, may mean. */
export function typedSpellings(name) {
	const [, stem, kind] = /^(.*)\.([cm]?)jsx?$/.exec(name) ?? [null, name, ""];
	const suffixes = stem === name ?
		[".ts", ".tsx", ".js", "/index.ts", "/index.tsx", "/index.js"] : [`.${kind}ts`, ".tsx"];
	return suffixes.map((suffix) => stem + suffix);
}
