/* What a runner and its engines say to each other, and how: a line of JSON each. */
import urls from "node:url";
import { writtenLine } from "./node-typescript.mjs";

export const engineChannel = 100; /* a descriptor that tests do not meet by accident */

/* JSON on one line, of ASCII alone. */
export function asciiLine(value) {
	return JSON.stringify(value).replace(/[\u0080-\uffff]/g,
		(c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`) + "\n";
}

const frame = /^\s*at .*?\(?((?:file:\/\/)?\/[^()]*?):(\d+)(?::(\d+))?\)?$/;

/* The lines of a file in the stack of an error, the innermost first. */
export function linesIn(error, file) {
	let stack = "";
	try {
		stack = String(error?.stack ?? "");
	} catch {
		/* A getter of the candidate's that throws. */
	}
	const frames = stack.split("\n").map((line) => frame.exec(line))
		.filter((match) => match !== null);
	const pathOf = (name) => name.startsWith("file://") ? urls.fileURLToPath(name) : name;
	const within = frames.filter((match) => pathOf(match[1]) === file);
	return within.map(([, , line, column = 1]) => writtenLine(file, Number(line), Number(column)));
}
