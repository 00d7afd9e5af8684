/* Errors of providers: they agree on {"error": {"message", "type", "code", "param"}}, about. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "models/model_answer.h"

/* What words in types and codes stand for, the first that fits. */
static const struct {
	const char *word;
	int status;
} kinds[] = {
	{"quota", 402},
	{"billing", 402},
	{"rate_limit", 429},
	{"overloaded", 529},
	{"timeout", 408},
	{"unavailable", 503},
	{"server_error", 500},
	{"api_error", 500},
	{"authentication", 401},
	{"api_key", 401},
	{"permission", 403},
	{"not_found", 404},
	{"too_large", 413},
	{"context", 413},
	{"invalid", 400},
	{"unsupported", 400},
	{"filter", 400},
};

/* 0: none. */
static int complaint_status_of(const char *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strstr(kind, kinds[i].word))
			return kinds[i].status;
	return 0;
}

void complaint_quote(char *field, size_t size, const char *text, const struct secrets *secrets)
{
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	/* Before it is cut: half a key is one, too. */
	secrets_redact(secrets, &plain, text, strlen(text));
	for (char *at = plain.text; *at; at++) {
		bool is_space = isspace((unsigned char)*at);
		if (!is_space || (line.length && line.text[line.length - 1] != ' '))
			strbuf_addc(&line, is_space ? ' ' : *at);
	}
	strbuf_rtrim(&line);
	utf8_show(&shown, line.text);
	utf8_format(field, size, "%s", shown.text);
}

/* A type or code, which may be a number. */
static void complaint_add_kind(struct strbuf *kind, const struct json *error, const char *key)
{
	const char *word = json_string(error, key, NULL), *space = kind->length ? " " : "";
	int64_t number = json_int(error, key, 0);
	if (word && strcmp(word, kind->text) != 0)
		strbuf_addf(kind, "%s%s", space, word);
	else if (number)
		strbuf_addf(kind, "%s%" PRId64, space, number);
}

/* A member that says what is wrong, wherever this provider puts it. */
static const char *complaint_find_message(const struct json *json, const struct json *error)
{
	static const char *const keys[] = {"message", "error", "detail", "msg"};
	const char *message = json_string(error, "message", NULL);
	for (size_t i = 0; !message && i < ARRAY_SIZE(keys); i++)
		message = json_string(json, keys[i], NULL);
	return message;
}

static void complaint_read_error(
	struct complaint *complaint, const struct json *json, const struct secrets *secrets)
{
	const struct json *member = json_get(json, "error");
	const struct json *error = json_is_object(member) ? member : json;
	const char *message = complaint_find_message(json, error);
	AUTO_STRBUF kind = STRBUF_INIT(STRBUF_LINE);
	complaint_add_kind(&kind, error, "type");
	complaint_add_kind(&kind, error, "code");
	complaint_quote(complaint->kind, sizeof complaint->kind, kind.text, secrets);
	complaint_quote(
		complaint->field, sizeof complaint->field, json_string(error, "param", ""), secrets);
	AUTO_FREE char *whole = message ? NULL : json_print(json);
	complaint_quote(
		complaint->message, sizeof complaint->message, message ? message : whole, secrets);
}

/* A page's title says more than its first bytes. */
static void complaint_read_page(
	struct complaint *complaint, const char *page, const struct secrets *secrets)
{
	const char *title = strcasestr(page, "<title>");
	const char *end = title ? strcasestr(title, "</title>") : NULL;
	if (title && end) {
		title += strlen("<title>");
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		strbuf_add(&text, title, (size_t)(end - title));
		complaint_quote(complaint->message, sizeof complaint->message, text.text, secrets);
	} else {
		complaint_quote(complaint->message, 200, page, secrets);
	}
}

/* Some say so in words alone. */
static bool complaint_is_overflow(const char *message)
{
	static const char *const words[] = {
		"prompt is too long", "maximum context length", "available context size", "context window"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strstr(message, words[i]))
			return true;
	return false;
}

void complaint_read_body(
	struct complaint *complaint, int status, const char *body, const struct secrets *secrets)
{
	struct rondo_error err;
	struct answer answer = ANSWER_INIT;
	AUTO_JSON *json = answer_parse(&answer, body, strlen(body), &err);
	*complaint = (struct complaint){.status = status};
	if (json_is_object(json))
		complaint_read_error(complaint, json, secrets);
	else
		complaint_read_page(complaint, body, secrets);
	int meant = complaint_status_of(complaint->kind);
	if (meant == 402 || meant == 413)
		complaint->status = meant;
	if (status == 400 && complaint_is_overflow(complaint->message))
		complaint->status = 413;
	answer_release(&answer);
}

int64_t complaint_context(const struct complaint *complaint)
{
	static const char *const before[] = {
		"context length is ", "context length of ", "context size (", "context window of ", " > "};
	for (size_t i = 0; complaint->status == 413 && i < ARRAY_SIZE(before); i++) {
		const char *at = strstr(complaint->message, before[i]);
		long tokens = at ? strtol(at + strlen(before[i]), NULL, 10) : 0;
		if (tokens > 0)
			return tokens;
	}
	return 0;
}

bool complaint_is_event(const char *name)
{
	return strcmp(name, "error") == 0;
}

bool complaint_read_object(struct complaint *complaint, const char *event, const struct json *json,
	const struct secrets *secrets)
{
	const struct json *response = json_get(json, "response");
	json = json_is_object(json_get(response, "error")) ? response : json;
	const struct json *error = json_get(json, "error");
	bool is_error = json_is_object(error) || json_text(error, NULL) || complaint_is_event(event) ||
		strcmp(json_string(json, "object", ""), "error") == 0 ||
		strcmp(json_string(json, "type", ""), "error") == 0;
	if (!is_error)
		return false;
	*complaint = (struct complaint){0};
	complaint_read_error(complaint, json, secrets);
	int64_t code = json_int(json_is_object(error) ? error : json, "code", 0);
	complaint->status =
		code >= 400 && code < 600 ? (int)code : complaint_status_of(complaint->kind);
	if (!complaint->status)
		complaint->status = 500; /* for a reason that nobody named: it may pass */
	return true;
}
