/*
 * The prompt only grows at its end, so that a provider's cache of it holds. What others observed
 * (outputs, reports) costs most of it and is soon old: all but the last few are cut down to their
 * first line, several at a time, since each time the cache is lost.
 */
#include "agents/coder/dialogue.h"

#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"

#define BRIEF_MOST 256 /* bytes of an old output's first line */

static void dialogue_add_entry(
	struct dialogue *dialogue, enum model_role role, const char *text, const char *brief)
{
	struct arena *arena = dialogue->arena;
	ARENA_PUSH(arena, dialogue->entries, dialogue->n,
		(struct dialogue_entry){.role = role, .text = arena_strdup(arena, text), .brief = brief});
	dialogue->observations += brief != NULL;
}

void dialogue_add(struct dialogue *dialogue, enum model_role role, const char *text)
{
	dialogue_add_entry(dialogue, role, text, NULL);
	dialogue->entries[dialogue->n - 1].is_own = role != MODEL_ASSISTANT;
}

/* What repair found before it gave up. */
static void dialogue_add_findings(struct strbuf *sb, const struct json *data)
{
	const struct json *item = json_first(json_get(data, "suspects"));
	for (size_t i = 0; item; item = json_next(item), i++)
		strbuf_addf(
			sb, "%s%s", i ? ", " : "\nLines it suspects, likeliest first: ", json_text(item, ""));
	for (item = json_first(json_get(data, "partial")); item; item = json_next(item))
		strbuf_addf(sb, "\n%s fixes %d of %d failing tests.", json_string(item, "description", ""),
			(int)json_int(item, "fixed", 0), (int)json_int(item, "of", 0));
}

/* A report on an edit: its first paragraph, then those failures that are new. */
static int dialogue_add_report(struct dialogue *dialogue, struct strbuf *sb, const char *content,
	const struct json *data, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	if (test_report_from_json(data, &arena, &report, err) < 0)
		return -1;
	const char *end = strstr(content, "\n\n");
	condense(sb, end ? arena_strndup(&arena, content, (size_t)(end - content)) : content);
	dialogue->passes_tests = json_bool(data, "ok", false);
	if (dialogue->passes_tests)
		return 0;
	strbuf_addc(sb, '\n');
	brief_output(sb, &report, &dialogue->known);
	const char *log = json_string(data, "log_at", NULL);
	if (log)
		strbuf_addf(sb, "\nfull log: %s\n", log);
	return 0;
}

/* The first line, which says what came of it. */
static const char *dialogue_brief_of(struct arena *arena, const struct rondo_message *message)
{
	char line[BRIEF_MOST];
	utf8_format(line, sizeof line, "%.*s", (int)strcspn(message->content, "\n"), message->content);
	return arena_printf(arena, "%s: %s\n[an old output, left out]", message->source, line);
}

int dialogue_hear(
	struct dialogue *dialogue, const struct rondo_message *message, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	bool is_report = message->type == RONDO_MESSAGE_TEST_REPORT;
	bool is_observation = is_report || message->type == RONDO_MESSAGE_CODE_EXECUTION;
	const struct json *data = message_data(message);
	strbuf_addf(&text, "%s: ", message->source);
	if (is_report && data) {
		if (dialogue_add_report(dialogue, &text, message->content, data, err) < 0)
			return -1;
	} else if (is_observation) {
		condense(&text, message->content);
	} else {
		strbuf_adds(&text, message->content);
	}
	dialogue_add_findings(&text, is_report ? NULL : data);
	strbuf_rtrim(&text);
	dialogue_add_entry(dialogue, MODEL_USER, text.text,
		is_observation ? dialogue_brief_of(dialogue->arena, message) : NULL);
	return 0;
}

void dialogue_age(struct dialogue *dialogue)
{
	for (size_t i = 0; i < dialogue->n; i++)
		if (dialogue->entries[i].brief)
			dialogue->entries[i].text = dialogue->entries[i].brief;
	dialogue->known = (struct known_failures){.n = 0};
}

static const char *const roles[] = {
	[MODEL_SYSTEM] = "system", [MODEL_USER] = "user", [MODEL_ASSISTANT] = "assistant"};

void dialogue_save(const struct dialogue *dialogue, size_t first, struct json *to)
{
	struct json *entries = json_add_array(to, "entries");
	for (size_t i = first; i < dialogue->n; i++) {
		const struct dialogue_entry *entry = &dialogue->entries[i];
		struct json *item = json_add_object(entries, NULL);
		json_add_string(item, "role", roles[entry->role]);
		json_add_string(item, "text", entry->text);
		json_add_string(item, "brief", entry->brief);
	}
	known_save(&dialogue->known, json_add_array(to, "told"));
	json_add_bool(to, "passes_tests", dialogue->passes_tests);
}

int dialogue_load(struct dialogue *dialogue, const struct json *from, struct rondo_error *err)
{
	for (const struct json *item = json_first(json_get(from, "entries")); item;
		 item = json_next(item)) {
		const char *name = json_string(item, "role", ""), *text = json_string(item, "text", NULL);
		size_t role = 0;
		while (role < ARRAY_SIZE(roles) && strcmp(roles[role], name) != 0)
			role++;
		if (role == ARRAY_SIZE(roles) || !text)
			return error_set(
				err, RONDO_ERROR_USAGE, "an entry of a dialogue needs a role and a text");
		dialogue_add_entry(dialogue, (enum model_role)role, text,
			arena_strdup(dialogue->arena, json_string(item, "brief", NULL)));
	}
	known_load(&dialogue->known, json_get(from, "told"));
	dialogue->passes_tests = json_bool(from, "passes_tests", false);
	dialogue->n_sent = dialogue->n;
	return 0;
}

/* How many observations, from the first on, are cut down. The number moves in steps. */
static size_t dialogue_masked(const struct dialogue *dialogue, size_t kept)
{
	size_t step = kept / 2 ? kept / 2 : 1;
	return dialogue->observations > kept ? (dialogue->observations - kept) / step * step : 0;
}

/* Messages of one role in a row are one message, as most providers want it. */
struct model_request dialogue_request(
	const struct dialogue *dialogue, size_t kept, struct arena *arena)
{
	struct model_message *messages = NULL;
	size_t n = 0, old = dialogue_masked(dialogue, kept);
	for (size_t i = 0; i < dialogue->n; i++) {
		const struct dialogue_entry *entry = &dialogue->entries[i];
		const char *text = entry->brief && old ? entry->brief : entry->text;
		old -= entry->brief && old;
		if (n && messages[n - 1].role == entry->role)
			messages[n - 1].content =
				arena_printf(arena, "%s\n\n%s", messages[n - 1].content, text);
		else
			ARENA_PUSH(arena, messages, n, (struct model_message){entry->role, text});
	}
	const char **own = NULL;
	size_t n_own = 0;
	for (size_t i = dialogue->n_sent; i < dialogue->n; i++)
		if (dialogue->entries[i].is_own)
			ARENA_PUSH(arena, own, n_own, dialogue->entries[i].text);
	return (struct model_request){.messages = messages, .n = n, .own = own, .n_own = n_own};
}
