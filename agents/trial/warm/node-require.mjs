/*
 * What a runner is told to load before the tests: compilers, whose work is done here by another
 * program; files of the tree, which are loaded again for each candidate; and packages, which are
 * loaded once and stay.
 */
import fs from "node:fs";
import Module from "node:module";
import path from "node:path";
import urls from "node:url";
import { isCompiler } from "./node-files.mjs";

/* By whom modules of JavaScript are made what node runs. */
const makers = [
	{ name: /^(@babel\/register|babel-register|babel-core\/register)$/, by: "babel" },
	{ name: /^esm$/, by: "esm" },
];

const makerOf = (name) => isCompiler(name) ? "esbuild" :
	makers.find((maker) => maker.name.test(name))?.by;

/* As mocha finds it: a path from the root, with or without its suffix. */
function requiredFile(root, name) {
	const file = path.resolve(root, name);
	return [file, `${file}.js`].find((one) => fs.existsSync(one));
}

/* {compiler, files, packages}: compiler is null where node runs all as it is. */
export function sortRequired(root, names) {
	const found = { compiler: null, files: [], packages: [] };
	for (const name of names) {
		const maker = makerOf(name);
		const file = maker ? undefined : requiredFile(root, name);
		if (maker && found.compiler && found.compiler !== maker)
			throw new Error(`${names.join(", ")} are compilers of two kinds`);
		if (maker)
			found.compiler = maker;
		else if (file)
			found.files.push(file);
		else
			found.packages.push(name);
	}
	return found;
}

/* Before any program is watched: they stay for all candidates. */
export async function loadPackages(root, names) {
	const { resolve } = Module.createRequire(path.join(root, "package.json"));
	for (const name of names)
		await import(urls.pathToFileURL(resolve(name)).href);
}
