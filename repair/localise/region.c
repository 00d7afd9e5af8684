/*
 * Tests are known by their ids (a function's name, a title in quotes), by lines of theirs that the
 * runner printed, and, where a program is its own test, by its assertions.
 */
#include "repair/localise/region.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"

enum {
	PASSING_MOST = 400, /* tests that are looked at: enough to tell suspects apart */
	FAILING_MOST = 100,
	REGIONS_MOST = 1000,
	NAMESAKES_MOST = 100, /* functions that an id can mean */
};

static void add_region(struct regions *regions, const struct source *source, struct span span,
	bool failing, bool exact, const char *id)
{
	if (regions->n == REGIONS_MOST)
		return;
	for (size_t i = 0; i < regions->n; i++) {
		struct region *old = &regions->items[i];
		if (old->source == source && old->span.first == span.first && old->span.last == span.last) {
			old->failing |= failing;
			old->exact |= exact;
			old->id = old->id ? old->id : id;
			return;
		}
	}
	ARENA_PUSH(regions->arena, regions->items, regions->n,
		(struct region){source, span, failing, exact, id});
}

static bool region_is_test(const struct source *source)
{
	return !source->file->editable || source->file->n_frozen;
}

/* How surely an id means a function: one in the file that it names, and of these one that no edit
 * may touch, since a test may have the name of what it tests. */
static int region_likeness(const struct definition *definition, const char *id)
{
	const struct source *source = definition->source;
	bool is_here = strstr(id, source->file->path);
	bool is_fixed = !source->file->editable || source->tokens[definition->first].role == ROLE_DEAD;
	return 2 * is_here + is_fixed;
}

/* The test function that an id names last, in the file that it names, if it names one. */
static const struct definition *region_test_function(const struct regions *regions, const char *id)
{
	const struct definition *found = NULL;
	for (const char *at = id; *at;) {
		size_t n = 0;
		while (isalnum((unsigned char)at[n]) || at[n] == '_' || (unsigned char)at[n] >= 0x80)
			n++;
		const struct term *word = n ? term_of(words_find(&regions->repair->words, at, n)) : NULL;
		for (size_t d = 0; word && d < word->n_definitions && d < NAMESAKES_MOST; d++) {
			const struct definition *definition =
				&regions->repair->definitions.items[word->definitions[d]];
			bool function =
				definition->kind == DEFINITION_FUNCTION && region_is_test(definition->source);
			if (function &&
				(!found || region_likeness(definition, id) >= region_likeness(found, id)))
				found = definition;
		}
		if (at[n] == '[') /* what follows are a test's parameters */
			break;
		at += n ? n : 1;
	}
	return found;
}

/* Where a test file says an id, or its last part, in quotes: "test('adds', () => ...)". */
static const struct term *region_test_title(const struct regions *regions, const char *id)
{
	static const char *const separators[] = {" > ", " \xe2\x80\xba ", "::", "/", ": ", " - "};
	const struct term *word = term_of(words_find(&regions->repair->words, id, strlen(id)));
	for (size_t i = 0; i < sizeof separators / sizeof *separators; i++) {
		const char *part = id;
		for (const char *at; (!word || !word->said_in) && (at = strstr(part, separators[i]));) {
			part = at + strlen(separators[i]);
			word = term_of(words_find(&regions->repair->words, part, strlen(part)));
		}
	}
	return word && word->said_in ? word : NULL;
}

/* The test file that an id is the name of: a program that is one test to its runner. NULL also
 * where it is the only one, of which nothing is told so. */
static const struct source *region_test_file(const struct regions *regions, const char *id)
{
	const struct source *found = NULL;
	size_t n = strlen(id), others = 0;
	for (size_t s = 0; s < regions->repair->n; s++) {
		const struct source *source = &regions->repair->sources[s];
		const char *path = source->file->path, *name = file_name(path);
		bool is_named = strcmp(path, id) == 0 || strcmp(name, id) == 0 ||
			(n && strncmp(name, id, n) == 0 && strchr(name, '.') == name + n);
		if (source->file->editable || !source->n)
			continue;
		if (is_named && !found)
			found = source;
		else
			others++;
	}
	return others ? found : NULL;
}

static bool region_is_traced(const struct source *source)
{
	for (uint32_t line = 1; line <= source->n_lines; line++)
		if (source->traced[line])
			return true;
	return false;
}

static bool region_add_result(struct regions *regions, const struct test_result *result)
{
	bool failing = test_status_is_red(result->status);
	const struct source *file = region_test_file(regions, result->id);
	const struct definition *function = region_test_function(regions, result->id);
	if (function && (!file || function->source == file)) {
		add_region(regions, function->source, span_of(function->first, function->last), failing,
			false, result->id);
		return true;
	}
	const struct term *title = region_test_title(regions, result->id);
	uint32_t open = title ? title->said_in->tokens[title->said_at].around : NO_TOKEN;
	if (file && !title && !(failing && region_is_traced(file)))
		add_region(regions, file, span_of(0, (uint32_t)file->n - 1), failing, false, result->id);
	if (open == NO_TOKEN || title->said_in->tokens[open].match == NO_TOKEN)
		return file;
	add_region(regions, title->said_in, span_of(open, title->said_in->tokens[open].match), failing,
		false, result->id);
	return true;
}

static void region_add_results(struct regions *regions, const struct test_report *report)
{
	size_t count[2] = {0}, most[2] = {PASSING_MOST, FAILING_MOST};
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		bool failing = test_status_is_red(result->status);
		if ((failing || result->status == TEST_PASSED) && count[failing] < most[failing])
			count[failing] += region_add_result(regions, result);
	}
}

/* Lines of tests that the runner printed: what failed, and the test around it. */
static void region_add_traced_tests(struct regions *regions)
{
	for (size_t s = 0; s < regions->repair->n; s++) {
		const struct source *source = &regions->repair->sources[s];
		for (uint32_t line = 1; region_is_test(source) && line <= source->n_lines; line++) {
			uint32_t first = source->line_first[line];
			if (!source->traced[line] || first >= source->n)
				continue;
			bool asserts = !source->file->editable || source->tokens[first].role == ROLE_DEAD;
			if (asserts)
				add_region(regions, source, line_span(source, line), true, true, NULL);
			uint32_t owner = source->owner[first];
			if (!source->file->editable && owner != NO_TOKEN)
				add_region(regions, source,
					(struct span){regions->repair->definitions.items[owner].first,
						regions->repair->definitions.items[owner].last},
					true, false, NULL);
		}
	}
}

/* Whether the output repeats what an assertion says in quotes: the message of one that failed. */
static bool region_is_printed(const struct source *source, struct span span, const char *output)
{
	enum { LEAST = 4, MOST = 200 };
	for (uint32_t i = span.first; i <= span.last; i++) {
		const struct token *token = &source->tokens[i];
		const char *text = source->file->text + token->start;
		bool string =
			token->kind == TOKEN_STRING || (token->kind == TOKEN_OPEN && token->length > 1);
		size_t skip = 0, n = token->length;
		while (skip < n && text[skip] && strchr("fFrRbBuU\"'`", text[skip]))
			skip++;
		if (!string || skip == n)
			continue;
		n -= skip + (n > skip + 1 && strchr("\"'`", text[n - 1]) ? 1 : 0);
		if (n >= LEAST && n <= MOST && memmem(output, strlen(output), text + skip, n))
			return true;
	}
	return false;
}

static struct span region_frozen_span(const struct source *source, size_t range)
{
	uint32_t first = source_token_at(source, source->file->frozen_starts[range]), last = first;
	while (
		last + 1 < source->n && source->tokens[last + 1].start < source->file->frozen_ends[range])
		last++;
	return span_of(first, last);
}

/* Where a program is its own test, each of its assertions is one. One that failed without an
 * exception is known by its message. */
static void region_add_assertions(struct regions *regions, const char *output)
{
	for (size_t s = 0; s < regions->repair->n; s++) {
		const struct source *source = &regions->repair->sources[s];
		bool traced = region_is_traced(source);
		for (size_t r = 0; source->file->editable && r < source->file->n_frozen; r++) {
			struct span span = region_frozen_span(source, r);
			bool printed =
				span.first < source->n && !traced && region_is_printed(source, span, output);
			if (span.first < source->n)
				add_region(regions, source, span, printed, printed, NULL);
		}
	}
}

static bool region_overlaps(const struct region *a, const struct region *b)
{
	return a->source == b->source && a->span.first <= b->span.last && b->span.first <= a->span.last;
}

/* An assertion that contains a failed line has failed. */
static void region_spread_failures(struct regions *regions)
{
	for (size_t i = 0; i < regions->n; i++)
		for (size_t j = 0; regions->items[i].source->file->editable && j < regions->n; j++)
			if (regions->items[j].exact && region_overlaps(&regions->items[i], &regions->items[j]))
				regions->items[i].failing = regions->items[i].exact = true;
	for (size_t i = 0; i < regions->n; i++)
		regions->n_failing += regions->items[i].failing;
	regions->n_known = regions->n_failing;
	if (regions->n_failing)
		return;
	/* Nothing says which test failed: all did. */
	for (size_t s = 0; !regions->n && s < regions->repair->n; s++) {
		const struct source *source = &regions->repair->sources[s];
		if (region_is_test(source) && source->n)
			add_region(regions, source, span_of(0, (uint32_t)source->n - 1), true, false, NULL);
	}
	for (size_t i = 0; i < regions->n; i++)
		regions->items[i].failing = true;
	regions->n_failing = regions->n;
}

static void region_note_titles(struct repair *repair)
{
	for (size_t s = 0; s < repair->n; s++) {
		const struct source *source = &repair->sources[s];
		for (uint32_t i = 0; region_is_test(source) && i < source->n; i++) {
			struct term *word = term_of(source->tokens[i].word);
			if (source->tokens[i].kind != TOKEN_STRING || !word || word->said_in)
				continue;
			word->said_in = source;
			word->said_at = i;
		}
	}
}

void regions_find(struct regions *regions, struct repair *repair, const struct test_report *report)
{
	regions->repair = repair;
	region_note_titles(repair);
	region_add_assertions(regions, report->output ? report->output : "");
	region_add_results(regions, report);
	region_add_traced_tests(regions);
	region_spread_failures(regions);
}
