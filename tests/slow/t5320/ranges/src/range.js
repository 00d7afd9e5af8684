"use strict";
const { clamp } = require("./clamp");

let made = 0;

class Range {
	constructor(low, high) {
		this.low = low;
		this.high = high;
		made = made + 1;
	}

	get size() {
		return this.high - this.low + 1;
	}

	contains(value) {
		return value >= this.low && value < this.high;
	}

	items() {
		const found = [];
		for (let i = this.low; i <= this.high; i++)
			found.push(i);
		return found;
	}

	nearest(value) {
		return clamp(value, this.low, this.high);
	}
}

module.exports = { Range, count: () => made };
