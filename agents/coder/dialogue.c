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

#define LEFT_OUT_STEP 8  /* entries that are left out together */
#define LAST_KEPT 4      /* entries that are always sent */
#define LEAST_SHOWN 1000 /* bytes of a text whose rest is left out */
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

void dialogue_add_reply(struct dialogue *dialogue, const struct model_reply *reply)
{
	dialogue_add(dialogue, MODEL_ASSISTANT, reply->text);
	dialogue->entries[dialogue->n - 1].provider_data =
		arena_strdup(dialogue->arena, reply->provider_data);
}

bool dialogue_repeats(const struct dialogue *dialogue)
{
	const char *last = NULL;
	for (size_t i = dialogue->n; i-- > 0;) {
		const struct dialogue_entry *entry = &dialogue->entries[i];
		if (entry->role != MODEL_ASSISTANT)
			continue;
		if (last)
			return strcmp(last, entry->text) == 0;
		last = entry->text;
	}
	return false;
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

void dialogue_save(const struct dialogue *dialogue, size_t first, struct json *to)
{
	struct json *entries = json_add_array(to, "entries");
	for (size_t i = first; i < dialogue->n; i++) {
		const struct dialogue_entry *entry = &dialogue->entries[i];
		struct json *item = json_add_object(entries, NULL);
		json_add_string(item, "role", model_roles[entry->role]);
		json_add_string(item, "text", entry->text);
		json_add_string(item, "brief", entry->brief);
		json_add_string(item, "provider_data", entry->provider_data);
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
		while (role < ARRAY_SIZE(model_roles) && strcmp(model_roles[role], name) != 0)
			role++;
		if (role == ARRAY_SIZE(model_roles) || !text)
			return error_set(
				err, RONDO_ERROR_USAGE, "an entry of a dialogue needs a role and a text");
		dialogue_add_entry(dialogue, (enum model_role)role, text,
			arena_strdup(dialogue->arena, json_string(item, "brief", NULL)));
		dialogue->entries[dialogue->n - 1].provider_data =
			arena_strdup(dialogue->arena, json_string(item, "provider_data", NULL));
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

/* What of a dialogue is not sent. */
struct cut {
	size_t masked;        /* observations, from the first on, that are cut down to a line */
	size_t first, end;    /* entries that are left out */
	const char *notice;   /* in place of them */
	size_t longest, most; /* an entry, and how many bytes of it stay; 0: all */
};

static const char *dialogue_text(
	const struct dialogue *dialogue, const struct cut *cut, size_t i, size_t *masked)
{
	const struct dialogue_entry *entry = &dialogue->entries[i];
	bool is_masked = entry->brief && *masked < cut->masked;
	*masked += is_masked;
	if (i >= cut->first && i < cut->end)
		return i == cut->first ? cut->notice : NULL;
	return is_masked ? entry->brief : entry->text;
}

static size_t dialogue_size(const struct dialogue *dialogue, const struct cut *cut)
{
	size_t size = 0, masked = 0;
	for (size_t i = 0; i < dialogue->n; i++) {
		const char *text = dialogue_text(dialogue, cut, i, &masked);
		size_t n = text ? strlen(text) + strlen("\n\n") : 0;
		size += cut->most && i == cut->longest && n > cut->most ? cut->most : n;
	}
	return size;
}

/* What was said first tells the task, and what was said last is what it is about now. */
static void dialogue_leave_out(
	const struct dialogue *dialogue, struct cut *cut, size_t most, struct arena *arena)
{
	size_t first = 0, last = dialogue->n > LAST_KEPT ? dialogue->n - LAST_KEPT : 0;
	while (first < dialogue->n && dialogue->entries[first].role != MODEL_ASSISTANT)
		first++;
	cut->first = cut->end = first;
	while (cut->end < last && dialogue_size(dialogue, cut) > most) {
		cut->end = cut->end + LEFT_OUT_STEP < last ? cut->end + LEFT_OUT_STEP : last;
		cut->notice = arena_printf(arena,
			"[%zu earlier messages are left out here: together they are longer than you can read]",
			cut->end - first);
	}
}

/* The end of the longest text: of files that is what is suspected least, of logs it is repeated. */
static void dialogue_shorten(const struct dialogue *dialogue, struct cut *cut, size_t most)
{
	size_t masked = 0, longest = 0, size = dialogue_size(dialogue, cut);
	for (size_t i = 0; i < dialogue->n; i++) {
		const char *text = dialogue_text(dialogue, cut, i, &masked);
		size_t n = text && dialogue->entries[i].role == MODEL_USER ? strlen(text) : 0;
		cut->longest = n > longest ? i : cut->longest;
		longest = n > longest ? n : longest;
	}
	size_t over = size > most ? size - most : 0;
	cut->most = !over ? 0 : longest > over + LEAST_SHOWN ? longest - over : LEAST_SHOWN;
}

/* What goes first so that it fits: old outputs, all but the newest; then old messages; then the end
 * of the longest. In steps, so that the provider's cache of the beginning holds for some turns. */
static struct cut dialogue_fit(
	const struct dialogue *dialogue, size_t kept, size_t most, struct arena *arena)
{
	struct cut cut = {.masked = dialogue_masked(dialogue, kept)};
	if (!most)
		return cut;
	while (dialogue_size(dialogue, &cut) > most && kept > 1)
		cut.masked = dialogue_masked(dialogue, kept /= 2);
	if (dialogue_size(dialogue, &cut) > most)
		dialogue_leave_out(dialogue, &cut, most, arena);
	if (dialogue_size(dialogue, &cut) > most)
		dialogue_shorten(dialogue, &cut, most);
	return cut;
}

/* Messages of one role in a row are one message, as most providers want it. */
struct model_request dialogue_request(
	const struct dialogue *dialogue, size_t kept, size_t most, struct arena *arena)
{
	struct model_message *messages = NULL;
	size_t n = 0, masked = 0, n_own = 0;
	const char **own = NULL;
	struct cut cut = dialogue_fit(dialogue, kept, most, arena);
	for (size_t i = 0; i < dialogue->n; i++) {
		const char *text = dialogue_text(dialogue, &cut, i, &masked);
		enum model_role role = text == cut.notice ? MODEL_USER : dialogue->entries[i].role;
		if (!text)
			continue;
		if (cut.most && i == cut.longest && strlen(text) > cut.most)
			text =
				arena_printf(arena, "%.*s\n[the rest is left out: it is longer than you can read]",
					(int)utf8_valid_length(text, cut.most), text);
		if (n && messages[n - 1].role == role)
			messages[n - 1].content =
				arena_printf(arena, "%s\n\n%s", messages[n - 1].content, text);
		else
			ARENA_PUSH(arena, messages, n,
				(struct model_message){
					role, text, text == cut.notice ? NULL : dialogue->entries[i].provider_data});
	}
	if (cut.notice)
		ARENA_PUSH(arena, own, n_own, cut.notice);
	for (size_t i = dialogue->n_sent; i < dialogue->n; i++)
		if (dialogue->entries[i].is_own)
			ARENA_PUSH(arena, own, n_own, dialogue->entries[i].text);
	return (struct model_request){.messages = messages, .n = n, .own = own, .n_own = n_own};
}
