#include "run/scenario/assertion.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/pattern.h"

#define LARGEST_FILE ((size_t)16 << 20)

/* What must hold. Each type fills some of it. */
struct assertion {
	const char *text, *path;
	struct option_strings sources;
	int64_t exit_code;
	bool pass;
};

#define AT(member) offsetof(struct assertion, member)

/* --- Something that was said --- */

static const struct option said_options[] = {
	OPTION("value", STRING, AT(text), "the text", .required = true, .main = true),
	OPTION("sources", STRINGS, AT(sources), "only what these said; else all but the task's"),
	OPTION_END,
};

static bool assertion_counts(const struct assertion *assertion, const struct rondo_message *message)
{
	if (!assertion->sources.n)
		return strcmp(message->source, "user") != 0;
	return option_strings_have(&assertion->sources, message->source);
}

/* The first message that holds the text, or where there is a regular expression matches it; NULL:
 * none does. */
static const struct rondo_message *assertion_find(
	const struct assertion *assertion, const struct assertion_facts *facts, const regex_t *regex)
{
	for (size_t i = 0; i < facts->messages.n; i++) {
		const struct rondo_message *message = facts->messages.messages[i];
		if (assertion_counts(assertion, message) &&
			(regex ? regexec(regex, message->content, 0, NULL, 0) == 0
				   : strstr(message->content, assertion->text) != NULL))
			return message;
	}
	return NULL;
}

static bool assertion_contains(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	if (assertion_find(assertion, facts, NULL))
		return true;
	strbuf_addf(why, "nobody said '%s'", assertion->text);
	return false;
}

static bool assertion_lacks(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	const struct rondo_message *message = assertion_find(assertion, facts, NULL);
	if (message)
		strbuf_addf(why, "%s said '%s'", message->source, assertion->text);
	return !message;
}

static bool assertion_matches(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	struct rondo_error err;
	regex_t regex;
	if (pattern_compile(assertion->text, &regex, &err) < 0) {
		strbuf_adds(why, err.message);
		return false;
	}
	bool found = assertion_find(assertion, facts, &regex);
	regfree(&regex);
	if (!found)
		strbuf_addf(why, "nothing that was said matches '%s'", assertion->text);
	return found;
}

/* --- What came of the run --- */

static const struct option exit_code_options[] = {
	OPTION("value", INT, AT(exit_code), "the exit code of the last code that ran", .most = 255,
		.required = true, .main = true),
	OPTION_END,
};

static bool assertion_exited(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	if (facts->last_exit_code == assertion->exit_code)
		return true;
	if (facts->last_exit_code < 0)
		strbuf_adds(why, "no code ran");
	else
		strbuf_addf(why, "the last code that ran exited with %d, not %d", facts->last_exit_code,
			(int)assertion->exit_code);
	return false;
}

static const struct option file_equals_options[] = {
	OPTION("path", STRING, AT(path), "a file of the workspace", .required = true),
	OPTION("value", STRING, AT(text), "its whole text", .required = true, .from_file = true),
	OPTION_END,
};

static bool assertion_file_equals(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	struct rondo_error err;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_FILE);
	const char *dir = facts->files ? facts->files : ".", *wanted = assertion->text;
	const char *path = arena_printf(&arena, "%s/%s", dir, assertion->path);
	if (file_read(path, LARGEST_FILE, &text, &err) < 0)
		strbuf_addf(why, "there is no file '%s'", assertion->path);
	else if (text.length != strlen(wanted) || memcmp(text.text, wanted, text.length) != 0)
		strbuf_addf(why, "file '%s' has another text", assertion->path);
	else
		return true;
	return false;
}

static const struct option tests_pass_options[] = {
	OPTION("value", BOOL, AT(pass), "false: they must not", .fallback = "true", .main = true),
	OPTION_END,
};

static bool assertion_tests_pass(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	if (facts->tests_pass == assertion->pass)
		return true;
	strbuf_adds(why, assertion->pass ? "the tests do not pass" : "the tests pass");
	return false;
}

static const struct option stop_reason_options[] = {
	OPTION("value", STRING, AT(text), "a part of why the chat stopped", .required = true,
		.main = true),
	OPTION_END,
};

static bool assertion_stopped(
	const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why)
{
	const char *reason = facts->stop_reason ? facts->stop_reason : "";
	if (strstr(reason, assertion->text))
		return true;
	strbuf_addf(why, "it stopped because '%s', not '%s'", reason, assertion->text);
	return false;
}

/* --- All of them --- */

static const struct assertion_type {
	const char *name, *summary;
	const struct option *options;
	/* Whether it holds; else why not is appended. */
	bool (*holds)(
		const struct assertion *assertion, const struct assertion_facts *facts, struct strbuf *why);
} types[] = {
	{"contains", "somebody said this text", said_options, assertion_contains},
	{"not_contains", "nobody said this text", said_options, assertion_lacks},
	{"regex", "something that was said matches this extended regular expression", said_options,
		assertion_matches},
	{"exit_code", "the last code that ran exited with this code", exit_code_options,
		assertion_exited},
	{"file_equals", "a file of the workspace has this text at the end", file_equals_options,
		assertion_file_equals},
	{"tests_pass", "the goal's tests pass at the end", tests_pass_options, assertion_tests_pass},
	{"stop_reason", "the chat stopped for this reason", stop_reason_options, assertion_stopped},
};

static struct option_type assertion_type_at(size_t i)
{
	if (i >= ARRAY_SIZE(types))
		return (struct option_type){0};
	return (struct option_type){
		types[i].name, types[i].summary, types[i].options, sizeof(struct assertion), &types[i]};
}

const struct option_family assertion_family = {
	.noun = "assertion", .type_key = "type", .type = assertion_type_at};

size_t assertions_check(
	const struct option_specs *specs, const struct assertion_facts *facts, struct strbuf *why)
{
	for (size_t i = 0; i < specs->n; i++) {
		const struct option_spec *spec = &specs->items[i];
		const struct assertion_type *type = spec->type.self;
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		if (!type->holds(spec->state, facts, &text))
			strbuf_addf(why, "%s: %s\n", spec->type.name, text.text);
	}
	return specs->n;
}

int assertion_check(const struct option_spec *spec, struct rondo_error *err)
{
	const struct assertion_type *type = spec->type.self;
	const char *text = ((const struct assertion *)spec->state)->text;
	bool is_pattern = type->holds == assertion_matches && text; /* else a problem already */
	return is_pattern ? pattern_check(text, err) : 0;
}
