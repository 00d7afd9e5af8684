/* Sorts tables, filters rows and folds; the page says the same without it. */
(function () {
	"use strict";
	function all(what, within) {
		return Array.from((within || document).querySelectorAll(what));
	}
	function value(row, i) {
		var cell = row.cells[i];
		return cell.dataset.n === undefined ? cell.textContent : Number(cell.dataset.n);
	}
	function compare(a, b) {
		if (typeof a === "number")
			return a - b;
		return a.localeCompare(b, "en", { numeric: true });
	}
	function sort(table, head, i) {
		var down = head.getAttribute("aria-sort") === "ascending";
		var body = table.tBodies[0], rows = Array.from(body.rows);
		all("th", table.tHead).forEach(function (th) { th.removeAttribute("aria-sort"); });
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		rows.sort(function (a, b) {
			return (down ? -1 : 1) * compare(value(a, i), value(b, i));
		});
		rows.forEach(function (row) { body.appendChild(row); });
	}
	all("table.sortable").forEach(function (table) {
		Array.from(table.tHead.rows[0].cells).forEach(function (head, i) {
			var button = document.createElement("button");
			button.type = "button";
			button.textContent = head.textContent;
			head.textContent = "";
			head.appendChild(button);
			button.addEventListener("click", function () { sort(table, head, i); });
		});
	});

	all(".js").forEach(function (element) { element.hidden = false; });
	var filter = document.getElementById("filter"), found = document.getElementById("filtered");
	function show() {
		var sought = filter.value.toLowerCase(), n = 0;
		all("table.tests tbody tr, table.index tbody tr").forEach(function (row) {
			row.hidden = !row.textContent.toLowerCase().includes(sought);
			n += row.hidden ? 0 : 1;
		});
		all("details.group").forEach(function (group) {
			var any = all("tbody tr", group).some(function (row) { return !row.hidden; });
			group.hidden = !any;
			if (sought)
				group.open = any;
		});
		found.textContent = sought ? n + " shown" : "";
	}
	if (filter)
		filter.addEventListener("input", show);

	all("section").forEach(function (section) {
		var folds = all("details", section), title = section.querySelector("h2");
		if (2 > folds.length)
			return;
		var button = document.createElement("button");
		button.type = "button";
		button.className = "all";
		button.textContent = "open or fold all";
		button.addEventListener("click", function () {
			var open = folds.some(function (fold) { return !fold.open; });
			folds.forEach(function (fold) { fold.open = open; });
		});
		title.after(button);
	});
	window.addEventListener("beforeprint", function () {
		all("details.file, details.group").forEach(function (fold) { fold.open = true; });
	});
}());
