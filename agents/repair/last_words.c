#include "agents/repair/last_words.h"

#include "base/clock.h"
#include "base/memory.h"

enum {
	SUSPECTS = 2,
	LAST_SUSPECTS = 5,
	PARTS = 15,
	SKIPPED = 2,
};

static void words_add_suspects(struct strbuf *text, const struct repair *repair, const char *before)
{
	const char *places[SUSPECTS];
	size_t n = repair_suspects(repair, places, SUSPECTS);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(text, "%s%s", i ? ", " : before, places[i]);
}

/* --- What was tried --- */

void search_count(struct search_figures *figures, const struct candidate_results *results)
{
	figures->n_tried += results->tried;
	figures->ms += results->ms;
	figures->warm = results->is_fast;
	for (size_t i = 0; i < results->n; i++) {
		const struct candidate_result *result = &results->progress[i];
		figures->n_passed += result->wins;
		if (result->fixed > figures->most_fixed)
			figures->most_fixed = result->fixed;
	}
	if (figures->n_passed && !figures->passed_ms)
		figures->passed_ms = figures->ms;
	figures->n_lines += results->coverage.n;
}

const char *search_describe(const struct search *search, const struct search_figures *figures,
	const char *cause, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	size_t goal = search->n_goal;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	const char *tests = goal == 1 ? "the test" : goal == 2 ? "both tests" : "all tests";
	clock_format_duration(figures->ms, time);
	if (cause)
		strbuf_addf(&text, "%s: ", cause);
	strbuf_addf(&text, "tried %zu candidate%s in %s, ", figures->n_tried,
		text_plural(figures->n_tried), time);
	if (figures->n_passed)
		strbuf_addf(
			&text, "%zu %s %s", figures->n_passed, figures->n_passed == 1 ? "fixes" : "fix", tests);
	else
		strbuf_addf(&text, "best: %zu of %zu fixed", figures->most_fixed, goal);
	if (figures->n_inputs)
		strbuf_addf(&text, ", compared by %zu test%s with other values%s", figures->n_inputs,
			text_plural(figures->n_inputs), figures->inputs_say_nothing ? " that say nothing" : "");
	words_add_suspects(&text, search->repair, "; likeliest first: ");
	return arena_strdup(arena, text.text);
}

void search_add_figures(const struct search_figures *figures, struct json *to)
{
	json_add_int(to, "tried", (int64_t)figures->n_tried);
	json_add_int(to, "ms", figures->ms);
	json_add_bool(to, "warm", figures->warm);
	json_add_int(to, "fixed", (int64_t)figures->most_fixed);
	if (figures->n_lines)
		json_add_int(to, "lines", (int64_t)figures->n_lines);
	if (figures->n_passed)
		json_add_int(to, "passed_ms", figures->passed_ms);
}

/* --- Why it gives up --- */

static void words_add_why(const struct last_words *words, struct strbuf *text)
{
	size_t n = words->n_tried;
	if (!n) {
		strbuf_adds(text,
			words->why == END_EXHAUSTED ? "gave up: it found no edit to try"
										: "gave up before it tried an edit: its time is over");
		return;
	}
	switch (words->why) {
	case END_EXHAUSTED:
		if (n == 1)
			strbuf_adds(text, "gave up: the only candidate was tried");
		else
			strbuf_addf(text, "gave up: all %zu candidates were tried", n);
		break;
	case END_OUT_OF_TIME:
		strbuf_addf(text, "gave up after %zu candidate%s: its time is over", n, text_plural(n));
		break;
	case END_FEWER:
		if (words->n_choices == 1)
			strbuf_adds(text, "gave up: all edits that pass behave alike");
		else
			strbuf_addf(text, "gave up: the edits that pass behave in %zu ways", words->n_choices);
		break;
	case END_HOPELESS:
		strbuf_addf(text, "gave up after %zu candidates: %s", n, words->search->hopeless);
		break;
	case END_SPENT:
		strbuf_addf(
			text, "gave up after %zu candidate%s, as many as it may try", n, text_plural(n));
		break;
	}
}

static void words_add_skipped(const struct repair *repair, struct strbuf *text)
{
	const char *path, *why;
	size_t n = 0;
	while (repair_skipped(repair, n, &why))
		n++;
	for (size_t i = 0; i < n && i < SKIPPED && (path = repair_skipped(repair, i, &why)); i++)
		strbuf_addf(text, "%s%s (%s)", i ? ", " : "; not searched: ", path, why);
	if (n > SKIPPED)
		strbuf_addf(text, " and %zu more", n - SKIPPED);
}

/* The first failing test that has a place; NULL: none. */
static const struct test_result *words_failed_at(const struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		if (test_status_is_red(report->results[i]->status) && report->results[i]->file &&
			report->results[i]->line)
			return report->results[i];
	return NULL;
}

/* No candidate fixed anything: the test itself may be wrong, and nobody here may change it. */
static void words_add_doubt(const struct search *search, struct strbuf *text)
{
	const struct test_result *failed = words_failed_at(search->report);
	if (!failed)
		return;
	const struct repair_file *file = repair_file_of(search->files, search->n_files, failed->file);
	strbuf_addf(text, "; no small edit %s %s:%d",
		file && file->editable ? "mends what fails at" : "brings it nearer: is the test right?",
		failed->file, failed->line);
}

const char *last_words_text(const struct last_words *words, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	words_add_why(words, &text);
	if (words->why == END_HOPELESS)
		return arena_strdup(arena, text.text);
	if (words->why != END_FEWER)
		words_add_suspects(&text, words->search->repair, ", likeliest first: ");
	words_add_skipped(words->search->repair, &text);
	if (words->search->n_refused)
		strbuf_addf(&text, "; refused though all its tests pass: %s", words->search->refused);
	if (words->partials->n) {
		const struct partial *furthest = &words->partials->items[words->partials->n - 1];
		strbuf_addf(&text, "; furthest: %s (%zu of %zu fixed)", furthest->description,
			furthest->fixed, furthest->of);
	} else if (words->why == END_EXHAUSTED) {
		words_add_doubt(words->search, &text);
	}
	return arena_strndup(arena, text.text, text.length);
}

void last_words_describe(const struct last_words *words, struct json *to)
{
	static const char *const ends[] = {[END_EXHAUSTED] = "exhausted",
		[END_OUT_OF_TIME] = "time",
		[END_SPENT] = "candidates",
		[END_HOPELESS] = "hopeless",
		[END_FEWER] = "choices"};
	const char *places[LAST_SUSPECTS], *parts[PARTS];
	size_t n = repair_suspects(words->search->repair, places, LAST_SUSPECTS);
	size_t n_parts = repair_suspect_parts(words->search->repair, parts, PARTS);
	json_add_string(to, "end", ends[words->why]);
	json_add_strings(to, "suspects", places, n);
	json_add_strings(to, "parts", parts, n_parts);
	partials_describe(words->partials, json_add_array(to, "partial"));
}
