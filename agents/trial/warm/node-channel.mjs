/*
 * An engine's end of its channel: jobs come, answers go, and what only the runner can do is asked
 * for. It is read without an event loop, so that nothing else happens meanwhile.
 */
import fs from "node:fs";
import { asciiLine, engineChannel } from "./node-wire.mjs";

const { readSync, writeSync } = fs; /* tests may replace them */
let input = "";
let questions = 0;

function hear() {
	const bytes = Buffer.alloc(65536);
	while (!input.includes("\n")) {
		const n = readSync(engineChannel, bytes);
		if (n === 0)
			process.reallyExit(0);
		input += bytes.latin1Slice(0, n);
	}
	const end = input.indexOf("\n");
	const line = input.slice(0, end);
	input = input.slice(end + 1);
	return JSON.parse(line);
}

export function reply(answer) {
	const bytes = Buffer.from(asciiLine(answer));
	for (let at = 0; at < bytes.length;)
		at += writeSync(engineChannel, bytes, at);
}

/* Answers to a question that was broken off may still come. */
export function readJob() {
	for (;;) {
		const message = hear();
		if (!message.answer)
			return message;
	}
}

export function askRunner(question) {
	const n = ++questions;
	reply({ question, n });
	for (;;) {
		const message = hear();
		if (message.n === n)
			return message.answer;
	}
}
