export default function shorten(text, most) {
	if (text.length <= most)
		return text;
	return text.slice(0, most - 1) + "~";
}

export async function later(text, times) {
	let found = "";
	for (let i = 0; i < times; i++) {
		await null;
		found = found + text;
	}
	return found;
}
