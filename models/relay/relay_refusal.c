/* What the relay answers itself, in the words of the dialect, so that agents show why. */
#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "models/relay/relay_parts.h"

static const struct {
	int status;
	const char *phrase, *anthropic, *google;
} kinds[] = {
	{400, "Bad Request", "invalid_request_error", "INVALID_ARGUMENT"},
	{403, "Forbidden", "permission_error", "PERMISSION_DENIED"},
	{404, "Not Found", "not_found_error", "NOT_FOUND"},
	{405, "Method Not Allowed", "invalid_request_error", "INVALID_ARGUMENT"},
	{408, "Request Timeout", "timeout_error", "DEADLINE_EXCEEDED"},
	{413, "Content Too Large", "request_too_large", "INVALID_ARGUMENT"},
	{414, "URI Too Long", "invalid_request_error", "INVALID_ARGUMENT"},
	{415, "Unsupported Media Type", "invalid_request_error", "INVALID_ARGUMENT"},
	{417, "Expectation Failed", "invalid_request_error", "INVALID_ARGUMENT"},
	{431, "Request Header Fields Too Large", "request_too_large", "INVALID_ARGUMENT"},
	{502, "Bad Gateway", "api_error", "UNAVAILABLE"},
	{503, "Service Unavailable", "overloaded_error", "UNAVAILABLE"},
	{505, "HTTP Version Not Supported", "invalid_request_error", "INVALID_ARGUMENT"},
};

static size_t relay_refusal_kind(int status)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].status == status)
			return i;
	return 0;
}

const char *relay_refusal_phrase(int status)
{
	size_t i = relay_refusal_kind(status);
	return status < 400 ? "OK" : kinds[i].status == status ? kinds[i].phrase : "Error";
}

char *relay_refusal_body(enum relay_dialect dialect, int status, const char *why)
{
	AUTO_JSON *body = json_object();
	AUTO_STRBUF message = STRBUF_INIT(STRBUF_LINE);
	size_t kind = relay_refusal_kind(status);
	strbuf_addf(&message, "rondo: %s", why);
	if (dialect == RELAY_MESSAGES)
		json_add_string(body, "type", "error");
	struct json *error = json_add_object(body, "error");
	json_add_string(error, "message", message.text);
	if (dialect == RELAY_GEMINI) {
		json_add_int(error, "code", status);
		json_add_string(error, "status", kinds[kind].google);
	} else {
		json_add_string(error, "type", kinds[kind].anthropic);
	}
	if (dialect == RELAY_CHAT || dialect == RELAY_RESPONSES)
		json_add_string(error, "code", "rondo_relay");
	return json_print(body);
}
