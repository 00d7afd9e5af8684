/* Babel, as the repository has it, in place of its hook: the runner makes JavaScript of each text
 * once, for all engines. */
import Module from "node:module";
import path from "node:path";

/* The first that is there, of version 7 and later or of 6; null: none is. */
function loadBabel(root) {
	const load = Module.createRequire(path.join(root, "package.json"));
	for (const name of ["@babel/core", "babel-core"])
		try {
			return load(name);
		} catch {
			/* It is not there. */
		}
	return null;
}

export class Babel {
	#root;
	#babel;

	constructor(root) {
		this.#root = root;
	}

	/* As Compiler.compile. */
	compile({ file, text }) {
		this.#babel ??= loadBabel(this.#root);
		if (!this.#babel)
			return { why: "Babel is not here" };
		const { transformSync, transform, version } = this.#babel;
		const caller = version.startsWith("6.") ? {} :
			{ caller: { name: "@babel/register" }, cwd: this.#root, root: this.#root };
		try {
			const made = (transformSync ?? transform)(text,
				{ filename: file, sourceMaps: true, ast: false, ...caller });
			return made ? { code: made.code, map: JSON.stringify(made.map) } :
				{ why: `Babel ignores ${file}` };
		} catch (error) {
			return { error: String(error.message) };
		}
	}
}
