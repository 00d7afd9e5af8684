#include "agents/last_words.h"

#include <string.h>

#include "base/memory.h"

enum {
	SUSPECTS = 2,
	LAST_SUSPECTS = 5,
	SKIPPED = 2,
};

const char *suspects_text(const struct repair *repair, struct arena *arena)
{
	const char *places[SUSPECTS];
	size_t n = repair_suspects(repair, places, SUSPECTS);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : ", likeliest first: ", places[i]);
	return arena_strdup(arena, text.text);
}

static void add_why(const struct last_words *words, struct strbuf *text)
{
	size_t n = words->search->n_tried;
	switch (words->why) {
	case END_EXHAUSTED:
		strbuf_addf(text, "gave up: all %zu candidates were tried", n);
		break;
	case END_OUT_OF_TIME:
		strbuf_addf(text, "gave up after %zu candidates: its time is over", n);
		break;
	case END_SPENT:
		strbuf_addf(text, "gave up after %zu candidates, as many as it may try", n);
		break;
	}
}

static void add_skipped(const struct repair *repair, struct strbuf *text)
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

/* Where the first failing test says so; NULL: it does not. */
static const struct test_result *failed_at(const struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		if (test_status_is_red(report->results[i]->status) && report->results[i]->file && report->results[i]->line)
			return report->results[i];
	return NULL;
}

/* Nothing came nearer: then what is wrong may be the test, which no one here changes. */
static void add_doubt(const struct search *search, struct strbuf *text)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	struct test_report report;
	AUTO_JSON *json = json_parse(search->report->data, strlen(search->report->data), &ignored);
	if (!json || test_report_from_json(json, &arena, &report, &ignored) < 0)
		return;
	const struct test_result *failed = failed_at(&report);
	if (failed)
		strbuf_addf(text, "; no small edit brings it nearer: is the test right? %s:%d", failed->file, failed->line);
}

const char *last_words_text(const struct last_words *words, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	add_why(words, &text);
	strbuf_adds(&text, suspects_text(words->search->repair, arena));
	add_skipped(words->search->repair, &text);
	if (words->parts->n) {
		const struct part *furthest = &words->parts->items[words->parts->n - 1];
		strbuf_addf(&text, "; furthest: %s (%zu of %zu fixed)", furthest->description, furthest->fixed, words->goal);
	} else if (words->why == END_EXHAUSTED) {
		add_doubt(words->search, &text);
	}
	return arena_strndup(arena, text.text, text.length);
}

const char *last_words_data(const struct last_words *words, struct arena *arena)
{
	static const char *const ends[] = {[END_EXHAUSTED] = "exhausted",
		[END_OUT_OF_TIME] = "time",
		[END_SPENT] = "candidates"};
	const char *places[LAST_SUSPECTS];
	size_t n = repair_suspects(words->search->repair, places, LAST_SUSPECTS);
	AUTO_JSON *json = json_object();
	json_add_string(json, "end", ends[words->why]);
	json_add_strings(json, "suspects", places, n);
	parts_tell(words->parts, words->goal, json_add_array(json, "partial"));
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(arena, text);
}
