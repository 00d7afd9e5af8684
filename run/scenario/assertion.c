#include "run/scenario/assertion.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/pattern.h"

#define LARGEST_FILE ((size_t)16 << 20)

/* --- contains, regex: something that was said --- */

struct said {
	const char *text;
	struct option_strings sources;
};

static const struct option said_options[] = {
	OPTION(
		"value", STRING, offsetof(struct said, text), "the text", .required = true, .main = true),
	OPTION("sources", STRINGS, offsetof(struct said, sources),
		"only what these said; else all but the task's"),
	OPTION_END,
};

static bool counts(const struct said *said, const struct rondo_message *message)
{
	for (size_t i = 0; i < said->sources.n; i++)
		if (strcmp(said->sources.items[i], message->source) == 0)
			return true;
	return said->sources.n == 0 && strcmp(message->source, "user") != 0;
}

static bool contains(const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	const struct said *said = state;
	for (size_t i = 0; i < facts->messages.n; i++)
		if (counts(said, facts->messages.messages[i]) &&
			strstr(facts->messages.messages[i]->content, said->text))
			return true;
	strbuf_addf(why, "nobody said '%s'", said->text);
	return false;
}

const struct assertion_type contains_assertion = {.name = "contains",
	.summary = "somebody said this text",
	.state_size = sizeof(struct said),
	.options = said_options,
	.holds = contains};

static bool lacks(const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	const struct said *said = state;
	for (size_t i = 0; i < facts->messages.n; i++) {
		const struct rondo_message *message = facts->messages.messages[i];
		if (!counts(said, message) || !strstr(message->content, said->text))
			continue;
		strbuf_addf(why, "%s said '%s'", message->source, said->text);
		return false;
	}
	return true;
}

const struct assertion_type not_contains_assertion = {.name = "not_contains",
	.summary = "nobody said this text",
	.state_size = sizeof(struct said),
	.options = said_options,
	.holds = lacks};

static int check_regex(const void *state, struct rondo_error *err)
{
	const char *text = ((const struct said *)state)->text;
	return text ? pattern_check(text, err) : 0; /* that it is missing was told */
}

static bool matches(const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	const struct said *said = state;
	struct rondo_error err;
	regex_t regex;
	bool found = false;
	if (pattern_compile(said->text, &regex, &err) < 0) {
		strbuf_adds(why, err.message);
		return false;
	}
	for (size_t i = 0; !found && i < facts->messages.n; i++)
		found = counts(said, facts->messages.messages[i]) &&
			regexec(&regex, facts->messages.messages[i]->content, 0, NULL, 0) == 0;
	regfree(&regex);
	if (!found)
		strbuf_addf(why, "nothing that was said matches '%s'", said->text);
	return found;
}

const struct assertion_type regex_assertion = {.name = "regex",
	.summary = "something that was said matches this extended regular expression",
	.state_size = sizeof(struct said),
	.options = said_options,
	.holds = matches,
	.check = check_regex};

/* --- exit_code: of the last code that ran --- */

struct exit_code {
	int64_t value;
};

static const struct option exit_code_options[] = {
	OPTION("value", INT, offsetof(struct exit_code, value),
		"the exit code of the last code that ran", .most = 255, .required = true, .main = true),
	OPTION_END,
};

static bool exited_with(const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	int64_t wanted = ((const struct exit_code *)state)->value;
	if (facts->last_exit_code == wanted)
		return true;
	if (facts->last_exit_code < 0)
		strbuf_adds(why, "no code ran");
	else
		strbuf_addf(why, "the last code that ran exited with %d, not %d", facts->last_exit_code,
			(int)wanted);
	return false;
}

const struct assertion_type exit_code_assertion = {.name = "exit_code",
	.summary = "the last code that ran exited with this code",
	.state_size = sizeof(struct exit_code),
	.options = exit_code_options,
	.holds = exited_with};

/* --- file_equals --- */

struct file_equals {
	const char *path, *text;
};

static const struct option file_equals_options[] = {
	OPTION("path", STRING, offsetof(struct file_equals, path), "a file of the workspace",
		.required = true),
	OPTION("value", STRING, offsetof(struct file_equals, text), "its whole text", .required = true,
		.from_file = true),
	OPTION_END,
};

static bool file_has_text(
	const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	const struct file_equals *file = state;
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_FILE);
	const char *path = arena_printf(&arena, "%s/%s", facts->files ? facts->files : ".", file->path);
	if (file_read(path, LARGEST_FILE, &text, &err) < 0)
		strbuf_addf(why, "there is no file '%s'", file->path);
	else if (text.length != strlen(file->text) || memcmp(text.text, file->text, text.length) != 0)
		strbuf_addf(why, "file '%s' has another text", file->path);
	else
		return true;
	return false;
}

const struct assertion_type file_equals_assertion = {.name = "file_equals",
	.summary = "a file of the workspace has this text at the end",
	.state_size = sizeof(struct file_equals),
	.options = file_equals_options,
	.holds = file_has_text};

/* --- tests_pass --- */

struct tests_pass {
	bool value;
};

static const struct option tests_pass_options[] = {
	OPTION("value", BOOL, offsetof(struct tests_pass, value), "false: they must not",
		.fallback = "true", .main = true),
	OPTION_END,
};

static bool tests_do(const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	bool wanted = ((const struct tests_pass *)state)->value;
	if (facts->tests_pass == wanted)
		return true;
	strbuf_adds(why, wanted ? "the tests do not pass" : "the tests pass");
	return false;
}

const struct assertion_type tests_pass_assertion = {.name = "tests_pass",
	.summary = "the goal's tests pass at the end",
	.state_size = sizeof(struct tests_pass),
	.options = tests_pass_options,
	.holds = tests_do};

/* --- stop_reason --- */

struct stop_reason {
	const char *text;
};

static const struct option stop_reason_options[] = {
	OPTION("value", STRING, offsetof(struct stop_reason, text), "a part of why the chat stopped",
		.required = true, .main = true),
	OPTION_END,
};

static bool stopped_because(
	const void *state, const struct assertion_facts *facts, struct strbuf *why)
{
	const char *wanted = ((const struct stop_reason *)state)->text;
	const char *reason = facts->stop_reason ? facts->stop_reason : "";
	if (strstr(reason, wanted))
		return true;
	strbuf_addf(why, "it stopped because '%s', not '%s'", reason, wanted);
	return false;
}

const struct assertion_type stop_reason_assertion = {.name = "stop_reason",
	.summary = "the chat stopped for this reason",
	.state_size = sizeof(struct stop_reason),
	.options = stop_reason_options,
	.holds = stopped_because};

/* --- All of them --- */

#define ROW(name) &name##_assertion,
static const struct assertion_type *const assertion_types[] = {ASSERTION_TYPES(ROW)};

static struct option_type type_at(size_t i)
{
	if (i >= ARRAY_SIZE(assertion_types))
		return (struct option_type){0};
	const struct assertion_type *type = assertion_types[i];
	return (struct option_type){type->name, type->summary, type->options, type->state_size, type};
}

const struct option_family assertion_family = {
	.noun = "assertion", .type_key = "type", .type = type_at};

size_t assertions_check(
	const struct option_specs *specs, const struct assertion_facts *facts, struct strbuf *why)
{
	for (size_t i = 0; i < specs->n; i++) {
		const struct option_spec *spec = &specs->items[i];
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		const struct assertion_type *type = spec->type.self;
		if (!type->holds(spec->state, facts, &text))
			strbuf_addf(why, "%s: %s\n", spec->type.name, text.text);
	}
	return specs->n;
}

int assertion_check(const struct option_spec *spec, struct rondo_error *err)
{
	const struct assertion_type *type = spec->type.self;
	return type->check ? type->check(spec->state, err) : 0;
}
