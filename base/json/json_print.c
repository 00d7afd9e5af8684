/* JSON as text, and an object whose last member is too large to be a tree. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"

typedef char *printer(const cJSON *json);

/* As a text that free() takes: the library's allocator belongs to the host program, too. */
static char *json_print_by(printer *print, const struct json *json)
{
	char *text = memory_must(print((const cJSON *)(const void *)json));
	char *copy = memory_strdup(text);
	cJSON_free(text);
	return copy;
}

char *json_print(const struct json *json)
{
	return json ? json_print_by(cJSON_PrintUnformatted, json) : NULL;
}

const char *json_print_in(const struct json *json, struct arena *arena)
{
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(arena, text);
}

char *json_print_pretty(const struct json *json)
{
	AUTO_FREE char *text = json_print_by(cJSON_Print, json);
	struct strbuf sb = STRBUF_INIT(strlen(text) + 1);
	strbuf_adds(&sb, text);
	strbuf_addc(&sb, '\n');
	return strbuf_detach(&sb);
}

void json_print_open(const struct json *object, const char *last, struct strbuf *sb)
{
	AUTO_FREE char *text = json_print(object);
	strbuf_add(sb, text, strlen(text) - strlen("}"));
	strbuf_addf(sb, "%s\"%s\":[", json_first(object) ? "," : "", last);
}
