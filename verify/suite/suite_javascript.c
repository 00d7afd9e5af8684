#include "verify/suite/suite_javascript.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/suite/ids.h"

enum { ERROR_LINES = 200 };

/* --- Ids --- */

bool is_script_path(const char *path, size_t n)
{
	static const char *const suffixes[] = {
		".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".vue", ".svelte"};
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t length = strlen(suffixes[i]);
		if (n > length && memcmp(path + n - length, suffixes[i], length) == 0)
			return true;
	}
	return false;
}

void js_id_begin(struct strbuf *id, const char *dir, const char *path)
{
	size_t n = strlen(path);
	path = location_relative(dir, path, &n);
	strbuf_reset(id);
	strbuf_add(id, path, n);
}

void js_id_add(struct strbuf *id, const char *title)
{
	if (id->length)
		strbuf_adds(id, " > ");
	for (; *title; title++)
		strbuf_addc(id, iscntrl((unsigned char)*title) ? ' ' : *title);
}

/* --- Why a test failed --- */

/* "   > 12 | code", "     |  ^": the source that a runner shows around a failure. */
static bool js_is_source(const char *line)
{
	line += strspn(line, " >");
	line += strspn(line, "0123456789");
	line += strspn(line, " ");
	return *line == '|';
}

/* Lines that do not explain anything: headings, and jest's page of advice. */
static bool js_is_advice(const char *line)
{
	static const char *const starts[] = {"● *", "Jest encountered*", "Jest failed to parse*",
		"Out of the box*", "By default \"node_modules*", "Here's what*", "• *", "You'll find more*",
		"https://jestjs.io*", "For information about*", "Details:*", NULL};
	return line_matches_any(line, starts);
}

/* "at Context.<anonymous> (test/odd name.js:6:12)": a path in brackets may have spaces. */
static void js_find_place(struct js_block *block, const char *dir, const char *text)
{
	const char *start = strrchr(text, '('), *colon = start ? strrchr(start, ':') : NULL;
	while (colon && colon > start && isdigit((unsigned char)colon[-1]))
		colon--;
	bool found = colon && colon > start + 1 && colon[-1] == ':' && text_ends_with(text, ")") &&
		location_set(
			&block->location, dir, start + 1, (size_t)(colon - start - 2), strtol(colon, NULL, 10));
	if (!found)
		location_find(&block->location, dir, text);
}

/* One line of an error: a part of its message, or a place in its stack. */
static void js_read_error_line(struct js_block *block, const char *dir, const char *line)
{
	const char *text = line + strspn(line, " \t");
	bool is_place = text_starts_with(text, "at ") || text_starts_with(text, "❯ ");
	block->in_stack = block->in_stack || is_place;
	if (!*block->location.file &&
		(is_place || strstr(text, "Error: /") || text_starts_with(text, "File: ")))
		js_find_place(block, dir, text);
	if (*text == '>' && js_is_source(text) && !block->source_line)
		block->source_line = strtol(text + strspn(text, "> "), NULL, 10);
	if (!*text || block->in_stack || js_is_advice(text) || js_is_source(text))
		return;
	if (text_starts_with(text, "Error: ") && !*block->message)
		text += strlen("Error: ");
	text_append(block->message, sizeof block->message, " ", text);
}

void js_explain_error(struct js_block *block, const char *dir, const char *error)
{
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_LINE);
	for (size_t lines = 0; *error && lines < ERROR_LINES; lines++) {
		size_t n = strcspn(error, "\n");
		js_read_error_line(block, dir, lines_clean(&clean, error, n));
		error += n + (error[n] == '\n');
	}
}

/* --- Lines --- */

void js_explain(struct suite_reading *reading, struct test_result *result)
{
	struct js_reading *state = reading->state;
	struct js_block *block = &state->block;
	if (block->result && !block->result->message && *block->message)
		block->result->message = arena_strdup(reading->arena, block->message);
	if (block->result && !block->result->file && *block->location.file) {
		block->result->file = arena_strdup(reading->arena, block->location.file);
		block->result->line = block->location.line;
	}
	*block =
		(struct js_block){.result = result && test_status_is_red(result->status) ? result : NULL};
}

void js_explain_line(struct suite_reading *reading, const char *line)
{
	struct js_reading *state = reading->state;
	if (state->block.result)
		js_read_error_line(&state->block, reading->dir, line);
}

struct test_result *js_find_line(struct suite_reading *reading, const char *id)
{
	struct js_reading *state = reading->state;
	return map_get(&state->lines.by_id, id);
}

struct test_result *js_add_line(
	struct suite_reading *reading, const char *id, enum test_status status, int64_t duration_ms)
{
	struct js_reading *state = reading->state;
	const char *unique = id_numbered(&state->line_ids, id, reading->arena);
	test_report_add(&state->lines, reading->arena,
		&(struct test_result){.id = unique, .status = status, .duration_ms = duration_ms});
	return map_get(&state->lines.by_id, unique);
}

struct test_result *js_name_file(struct suite_reading *reading)
{
	struct js_reading *state = reading->state;
	if (!*state->file || state->named)
		return NULL;
	state->named = true;
	return js_add_line(reading, state->file, state->file_status, 0);
}

void js_begin_file(struct suite_reading *reading, const char *path, enum test_status status)
{
	struct js_reading *state = reading->state;
	js_explain(reading, NULL);
	js_name_file(reading);
	text_copy(state->file, sizeof state->file, path);
	state->file_status = status;
	state->named = false;
	state->depth = 0;
}

void js_add_groups(const struct js_reading *state, struct strbuf *id, int level)
{
	for (int i = 0; i < level && i < state->depth; i++)
		js_id_add(id, state->titles[i]);
}

struct test_result *js_add_test(
	struct suite_reading *reading, int level, const char *title, enum test_status status)
{
	struct js_reading *state = reading->state;
	char name[JS_NAME];
	text_copy(name, sizeof name, title);
	int64_t ms = js_cut_duration(name);
	AUTO_STRBUF id = STRBUF_INIT(STRBUF_LINE);
	js_id_begin(&id, reading->dir, state->file);
	js_add_groups(state, &id, level);
	js_id_add(&id, name);
	return js_add_line(reading, id.text, status, ms);
}

void js_open_group(struct js_reading *state, int level, const char *title)
{
	if (level < 0 || level >= JS_DEPTH || level > state->depth)
		return;
	text_copy(state->titles[level], sizeof state->titles[level], title);
	state->depth = level + 1;
}

void js_read_summary(struct js_reading *state, const char *line)
{
	size_t n;
	state->printed.summaries++;
	state->printed.passed += line_match(line, "*# passed*", &n) ? n : 0;
	state->printed.failed += line_match(line, "*# failed*", &n) ? n : 0;
}

/* "12ms", "1.2 s", "2m": a number and its unit; -1: it is none. */
static int64_t js_duration_of(const char *text)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}};
	char *end = NULL;
	double value = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
	if (!end || value < 0 || value > 1e9)
		return -1;
	end += *end == ' ';
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (strcmp(end, units[i].unit) == 0)
			return (int64_t)(value * units[i].ms);
	return -1;
}

int64_t js_cut_duration(char *text)
{
	size_t n = strlen(text);
	bool closed = n && text[n - 1] == ')';
	char *start = closed ? strrchr(text, '(') : strrchr(text, ' ');
	if (!start || (closed && (start == text || start[-1] != ' ')))
		return 0;
	char value[32];
	text_copy(value, sizeof value, start + 1);
	if (closed && *value)
		value[strcspn(value, "),")] = '\0';
	int64_t ms = js_duration_of(value);
	if (ms < 0)
		return 0;
	start[closed ? -1 : 0] = '\0';
	return ms;
}

/* --- The end --- */

/* Lines may explain a failure that the file does not. */
static void js_complete_failures(struct suite_reading *reading)
{
	for (size_t i = 0; i < reading->report->n; i++) {
		struct test_result *result = reading->report->results[i];
		const struct test_result *line =
			test_status_is_red(result->status) ? js_find_line(reading, result->id) : NULL;
		if (line && !result->message)
			result->message = line->message;
		if (line && !result->file) {
			result->file = line->file;
			result->line = line->line;
		}
	}
}

/* How the lines contradict the files; NULL: they agree. */
static const char *js_disagreement(
	const struct js_reading *state, const struct test_report *report, struct arena *arena)
{
	const struct js_counts *printed = &state->printed, *counted = &state->counted;
	if (printed->summaries == state->files &&
		(printed->passed != counted->passed || printed->failed != counted->failed))
		return arena_printf(arena,
			"the runner's two reports disagree: "
			"%zu passed and %zu failed as it prints, %zu and %zu in its file",
			printed->passed, printed->failed, counted->passed, counted->failed);
	for (size_t i = 0; i < state->lines.n; i++) {
		const struct test_result *line = state->lines.results[i],
								 *result = test_report_find(report, line->id);
		if (result && (line->status == TEST_PASSED) != (result->status == TEST_PASSED))
			return arena_printf(arena,
				"the runner's two reports disagree: '%s' is %s as it prints, %s in its file",
				line->id, test_status_name(line->status), test_status_name(result->status));
	}
	return NULL;
}

static const char *js_problem_of(struct suite_reading *reading, const struct process_result *result)
{
	const struct js_reading *state = reading->state;
	const char *runner = reading->format->name;
	char described[64];
	process_describe(result, described, sizeof described);
	if (*state->problem)
		return state->problem;
	if ((state->nothing || state->files) && !reading->report->n)
		return "no tests were run";
	if (state->begun || result->end == PROCESS_SIGNALLED)
		return arena_printf(
			reading->arena, "%s ended before it had written its report (%s)", runner, described);
	if (state->files)
		return js_disagreement(state, reading->report, reading->arena);
	if (!state->printed.summaries)
		return arena_printf(
			reading->arena, "the output of %s ends before its summary (%s)", runner, described);
	return reading->report->n ? NULL : "no tests were run";
}

const char *js_finish(struct suite_reading *reading, const struct process_result *result)
{
	struct js_reading *state = reading->state;
	js_explain(reading, NULL);
	js_name_file(reading);
	bool silent = !state->files && !state->lines.n && !state->printed.summaries &&
		!state->nothing && !*state->problem;
	if (silent && result->end == PROCESS_EXITED && result->exit_code != 0)
		return outcome_finish(&state->outcome, reading, suite_shown(reading->suite), result);
	for (size_t i = 0; i < state->lines.n && !state->files; i++)
		test_report_add(reading->report, reading->arena, state->lines.results[i]);
	if (state->files)
		js_complete_failures(reading);
	return js_problem_of(reading, result);
}
