/* The rows of tests/unit/data/models/faults.rows, which says what is in them; and what comes of a
 * call, in the words of its column `want`. */
#pragma once
#include "tests/unit/model_fixture.h"

#define FAULTS "tests/unit/data/models/faults.rows"

struct fault {
	const char *number, *title, *want, *only, *at, *proxy;
	const char *settings[4]; /* NULL ends them */
	const char *script;
	int calls;
	bool is_cancelled;
};

struct faults {
	struct fault *items;
	size_t n;
};

/* The value of a line that begins with a word and a space, or NULL. */
static inline const char *fault_value(const char *line, const char *word)
{
	size_t n = strlen(word);
	return strncmp(line, word, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

static inline void fault_begin(struct faults *faults, const char *value, struct arena *arena)
{
	size_t n = strcspn(value, " ");
	ARENA_PUSH(arena, faults->items, faults->n,
		((struct fault){.number = arena_strndup(arena, value, n),
			.title = arena_strdup(arena, value + n + 1),
			.calls = 1}));
}

/* Whether a line says something of the row; else it is of its script. */
static inline bool fault_take(struct fault *fault, const char *line, struct arena *arena)
{
	const char *value;
	const struct {
		const char *word, **field;
	} fields[] = {{"want", &fault->want}, {"only", &fault->only}, {"at", &fault->at},
		{"proxy", &fault->proxy}, {"with", &fault->settings[fault->settings[0] != NULL]}};
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		if ((value = fault_value(line, fields[i].word))) {
			*fields[i].field = arena_strdup(arena, value);
			return true;
		}
	if ((value = fault_value(line, "calls")))
		fault->calls = atoi(value);
	else if (strcmp(line, "cancel") == 0)
		fault->is_cancelled = true;
	else
		return false;
	return true;
}

/* The lines of a file, those that a backslash ends joined with the next. */
static inline const char *fault_next_line(char **at, struct strbuf *line)
{
	strbuf_reset(line);
	while (**at) {
		size_t n = strcspn(*at, "\n");
		strbuf_add(line, *at, n);
		*at += n + ((*at)[n] == '\n');
		if (!n || line->text[line->length - 1] != '\\')
			return line->text;
		strbuf_truncate(line, line->length - 1);
	}
	return NULL;
}

static inline struct faults faults_read(struct arena *arena)
{
	struct faults faults = {0};
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	assert_int_equal(file_read(FAULTS, STRBUF_RECORD, &text, &err), 0);
	const char *value;
	for (char *at = text.text; fault_next_line(&at, &line);) {
		struct fault *last = faults.n ? &faults.items[faults.n - 1] : NULL;
		if ((value = fault_value(line.text, "case")))
			fault_begin(&faults, value, arena);
		else if (*line.text != '#' && last && !fault_take(last, line.text, arena))
			last->script =
				arena_printf(arena, "%s%s\n", last->script ? last->script : "", line.text);
	}
	return faults;
}

/* --- What came of it --- */

struct outcome {
	int status; /* of the last call */
	struct model_reply reply;
	const struct rondo_error *err;
	const char *url, *model, *scene;
	int port, requests;
	bool may_repeat; /* on a slow machine, more often than it should */
	const char *notice;
};

#define LONG_TEXT 60

static inline void outcome_add_reply(struct strbuf *sb, const struct outcome *outcome)
{
	static const char *const words[] = {[MODEL_FINISH_STOP] = "reply",
		[MODEL_FINISH_LENGTH] = "cut off",
		[MODEL_FINISH_REFUSED] = "refused"};
	const struct model_reply *reply = &outcome->reply;
	size_t n = strlen(reply->text);
	int64_t tokens =
		reply->usage.prompt_tokens + reply->usage.completion_tokens - reply->usage.lost_tokens;
	if (n > LONG_TEXT)
		strbuf_addf(sb, "%s of %zu bytes", words[reply->finish], n);
	else
		strbuf_addf(sb, "%s \"%s\"", words[reply->finish], reply->text);
	if (reply->usage_known)
		strbuf_addf(sb, ", %d tokens", (int)tokens);
	if (reply->usage.lost_tokens)
		strbuf_adds(sb, " and those lost");
}

/* A message without what differs from run to run and from dialect to dialect. */
static inline void outcome_add_message(
	struct strbuf *sb, const struct outcome *outcome, const char *message)
{
	char port[16];
	snprintf(port, sizeof port, ":%d", outcome->port);
	const char *names[] = {outcome->url, outcome->model, outcome->scene, port};
	const char *const to[] = {"URL", "", "SCENE", ":PORT"};
	for (const char *at = message; *at;) {
		size_t i = 0;
		while (i < ARRAY_SIZE(names) && !text_starts_with(at, names[i]))
			i++;
		if (i == ARRAY_SIZE(names))
			strbuf_addc(sb, *at++);
		else
			strbuf_adds(sb, to[i]), at += strlen(names[i]);
	}
}

static inline void outcome_add_error(struct strbuf *sb, const struct outcome *outcome)
{
	static const char *const words[] = {[RONDO_ERROR_USAGE] = "final: ",
		[RONDO_ERROR_TRANSIENT] = "may pass: ",
		[RONDO_ERROR_CANCELLED] = "cancelled: "};
	strbuf_adds(sb, words[outcome->err->code]);
	outcome_add_message(sb, outcome, outcome->err->message);
	if (*outcome->err->help)
		strbuf_adds(sb, "; ");
	outcome_add_message(sb, outcome, outcome->err->help);
}

static inline void outcome_describe(struct strbuf *sb, const struct outcome *outcome)
{
	if (outcome->status == 0)
		outcome_add_reply(sb, outcome);
	else
		outcome_add_error(sb, outcome);
	if (outcome->requests > 1 && outcome->may_repeat)
		strbuf_adds(sb, ", asked again");
	else if (outcome->requests > 1)
		strbuf_addf(sb, ", asked %d times", outcome->requests);
	if (outcome->notice)
		strbuf_addf(sb, "; told: %s", outcome->notice);
}

/* Whether an outcome is as wanted. */
static inline bool outcome_fits(const char *want, const char *seen)
{
	const char *gap = strstr(want, "...");
	if (!gap)
		return strcmp(want, seen) == 0;
	const char *rest = gap + strlen("...");
	if (strncmp(want, seen, (size_t)(gap - want)) != 0)
		return false;
	for (seen += gap - want; *seen; seen++)
		if (outcome_fits(rest, seen))
			return true;
	return false;
}
