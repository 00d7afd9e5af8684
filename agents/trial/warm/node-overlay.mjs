/*
 * A candidate's texts in place of files, for runners that read the files they load by themselves:
 * whoever reads one of them gets the candidate's text, and a time of change that no other candidate
 * had, by which caches of what was made of it are told.
 */
import fs from "node:fs";

let overlaid = new Map(); /* texts by path */
let generation = 0;

export function overlay(files) {
	overlaid = new Map(Object.entries(files));
	generation++;
}

/* Before any program gets hold of node's own functions. */
export function layOver() {
	const { readFileSync, statSync } = fs;
	fs.readFileSync = function (file, options) {
		const text = overlaid.get(file);
		if (text === undefined)
			return Reflect.apply(readFileSync, fs, [file, options]);
		return typeof options === "string" || options?.encoding ? text : Buffer.from(text);
	};
	fs.statSync = function (file, options) {
		const stats = Reflect.apply(statSync, fs, [file, options]);
		return overlaid.has(file) ?
			Object.defineProperty(stats, "mtime", { value: new Date(generation) }) : stats;
	};
}
