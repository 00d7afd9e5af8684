/*
 * What a coder is shown before it begins: which tests fail and how, and the files that repair/
 * suspects by the runner's output and by the names in the failing tests. What cannot be shown whole
 * is shown around the suspected line. And what runs the code that it writes.
 */
#include "agents/briefing.h"

#include <stdlib.h>
#include <string.h>

#include "agents/sources.h"
#include "base/clock.h"
#include "base/file.h"
#include "executors/functions.h"

enum {
	FAILURES_MOST = 20,
	SUSPECTS_MOST = 100, /* lines, of which many are in the same files */
	PROGRAMS_MOST = 5,
	TESTS_MOST = 2,
	PATHS_MOST = 200,
	LEAST_PIECE = 512, /* bytes of a file that are worth showing */
};

/* A file to be shown, and the line that it is shown for. */
struct exhibit {
	const char *path;
	int line;
};

struct exhibits {
	struct exhibit items[PROGRAMS_MOST + TESTS_MOST];
	size_t n;
};

void brief_failures(struct strbuf *sb, const struct test_report *report)
{
	size_t shown = 0, red = test_report_red(report);
	for (size_t i = 0; i < report->n && shown < FAILURES_MOST; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		strbuf_addf(sb, "- %s", result->id);
		if (result->message)
			strbuf_addf(sb, ": %s", result->message);
		if (result->file)
			strbuf_addf(sb, " (%s:%d)", result->file, result->line);
		strbuf_addc(sb, '\n');
		shown++;
	}
	if (red > shown)
		strbuf_addf(sb, "- and %zu more\n", red - shown);
}

static void brief_add_exhibit(struct exhibits *exhibits, const char *path, int line, size_t most)
{
	for (size_t i = 0; i < exhibits->n; i++)
		if (strcmp(exhibits->items[i].path, path) == 0)
			return;
	if (exhibits->n < most)
		exhibits->items[exhibits->n++] = (struct exhibit){path, line};
}

static bool brief_is_protected(const struct agent_services *services, const char *path)
{
	return services->protection && protection_rule(services->protection, path);
}

/* The files that failing tests are said to fail in: of the program, or the tests' own. */
static void brief_add_places(struct exhibits *exhibits, const struct agent_services *services,
	const struct test_report *report, bool tests, size_t most)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (test_status_is_red(result->status) && result->file &&
			brief_is_protected(services, result->file) == tests)
			brief_add_exhibit(exhibits, result->file, result->line, most);
	}
}

/* "a.py:3" as a path, in the arena, and a line. */
static void brief_add_suspect(struct exhibits *exhibits, const char *place, struct arena *arena)
{
	const char *colon = strrchr(place, ':');
	const char *path = arena_strndup(arena, place, (size_t)(colon - place));
	brief_add_exhibit(exhibits, path, (int)strtol(colon + 1, NULL, 10), PROGRAMS_MOST);
}

static int brief_find_exhibits(struct exhibits *exhibits, const struct agent_services *services,
	const struct test_report *report, struct arena *arena, struct rondo_error *err)
{
	struct repair_file *files;
	const char *places[SUSPECTS_MOST];
	size_t n;
	brief_add_places(exhibits, services, report, false, PROGRAMS_MOST);
	if (services->suite && services->repository) {
		if (sources_load(services, arena, &files, &n, err) < 0)
			return -1;
		struct repair *repair = repair_new(arena, files, n, report);
		n = repair_suspects(repair, places, SUSPECTS_MOST);
		for (size_t i = 0; i < n; i++)
			brief_add_suspect(exhibits, places[i], arena);
	}
	brief_add_places(exhibits, services, report, true, exhibits->n + TESTS_MOST);
	return 0;
}

/* Whole lines around a line, `limit` bytes at most. */
static void brief_add_piece(
	struct strbuf *sb, const char *path, const char *text, int line, size_t limit)
{
	const char *at = text, *end = text + strlen(text), *newline;
	for (int i = 1; i < line && (newline = strchr(at, '\n')); i++)
		at = newline + 1;
	const char *start = (size_t)(at - text) > limit / 2 ? at - limit / 2 : text;
	while (start > text && start < end && start[-1] != '\n')
		start++;
	const char *stop = (size_t)(end - start) > limit ? start + limit : end;
	while (stop > start && stop < end && stop[-1] != '\n')
		stop--;
	if (stop == start)
		return;
	strbuf_addf(sb, "\n%s (lines %zu to %zu only)\n", path,
		text_count_lines(text, (size_t)(start - text)) + 1,
		text_count_lines(text, (size_t)(stop - text)) + (stop[-1] != '\n'));
	add_fenced(sb, file_suffix(path), start, (size_t)(stop - start));
}

static void brief_add_file(struct strbuf *sb, const struct agent_services *services,
	const struct exhibit *exhibit, size_t *left)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *why, *text = source_text(services, exhibit->path, &arena, &why);
	size_t n = text ? strlen(text) : 0, before = sb->length;
	bool is_whole = n <= *left - *left / 4;
	if (!n || (!is_whole && *left < LEAST_PIECE))
		return;
	if (!is_whole) {
		brief_add_piece(sb, exhibit->path, text, exhibit->line, *left / 2);
	} else {
		strbuf_addf(sb, "\n%s%s\n", exhibit->path,
			brief_is_protected(services, exhibit->path) ? " (protected)" : "");
		add_fenced(sb, file_suffix(exhibit->path), text, n);
	}
	size_t used = sb->length - before;
	*left -= used < *left ? used : *left;
}

int brief_tree(struct strbuf *sb, const struct agent_services *services, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char **paths;
	size_t n;
	if (sources_paths(services, &arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && n <= PATHS_MOST; i++)
		strbuf_addf(sb, "%s%s", i ? " " : "\nFiles of the repository: ", paths[i]);
	strbuf_adds(sb, n && n <= PATHS_MOST ? "\n" : "");
	return 0;
}

int brief_files(struct strbuf *sb, const struct agent_services *services,
	const struct test_report *report, size_t limit, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct exhibits exhibits = {.n = 0};
	if (brief_find_exhibits(&exhibits, services, report, &arena, err) < 0)
		return -1;
	for (size_t i = 0; i < exhibits.n; i++)
		brief_add_file(sb, services, &exhibits.items[i], &limit);
	return 0;
}

/* --- What there is to run code with --- */

void brief_blocks(
	struct strbuf *sb, const struct agent_services *services, const struct option_texts *overrides)
{
	if (!services || !services->runs_code)
		return;
	bool lasts = services->main_checkout && services->main_checkout->executor &&
		executor_keeps_variables(services->main_checkout->executor);
	strbuf_addf(sb, "\n%s\n%s", prompt_text("blocks", overrides),
		prompt_text(lasts ? "blocks_kernel" : "blocks_alone", overrides));
}

static void brief_packages(
	struct strbuf *sb, const char *manager, const struct option_strings *packages)
{
	if (!packages->n)
		return;
	strbuf_addf(sb, " %s has installed ", manager);
	strbuf_add_list(sb, packages->items, packages->n);
	strbuf_addc(sb, '.');
}

/* What both the executor and the agent who runs the blocks allow. */
static void brief_languages(
	struct strbuf *sb, const struct option_strings *executor, const struct option_strings *agent)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct option_strings both = agent->n ? (struct option_strings){.n = 0} : *executor;
	for (size_t i = 0; i < agent->n; i++)
		if (!executor->n || text_in(executor->items, executor->n, agent->items[i]))
			ARENA_PUSH(&arena, both.items, both.n, agent->items[i]);
	if (!both.n)
		return;
	strbuf_adds(sb, " Only these languages run: ");
	strbuf_add_list(sb, both.items, both.n);
	strbuf_addc(sb, '.');
}

void brief_world(struct strbuf *sb, const struct agent_services *services)
{
	const struct executor *executor =
		services && services->main_checkout ? services->main_checkout->executor : NULL;
	char time[CLOCK_DATE_SIZE];
	if (!executor)
		return;
	const struct executor_settings *settings = executor->settings;
	strbuf_adds(sb,
		executor_has_network(executor)
			? "\nPrograms have the network of this machine."
			: "\nPrograms have no network: nothing can be fetched or installed.");
	brief_packages(sb, "pip", &settings->pip);
	brief_packages(sb, "npm", &settings->npm);
	brief_languages(sb, &settings->rules.allow, &services->allow);
	if (services->block_timeout_ms) {
		clock_format_duration(services->block_timeout_ms, time);
		strbuf_addf(sb, " Each may take %s.", time);
	}
	strbuf_addc(sb, '\n');
}

int brief_functions(struct strbuf *sb, const struct agent_services *services,
	const struct option_strings *files, const struct option_texts *overrides,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *text;
	struct functions functions = {
		.files = files->items, .n = files->n, .dir = services ? services->dir : NULL};
	if (!files->n)
		return 0;
	if (functions_describe(&functions, &arena, &text, err) < 0)
		return -1;
	strbuf_addf(sb, "\n%s\n```python\n%s\n```\n", prompt_text("functions", overrides), text);
	return 0;
}
