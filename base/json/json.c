#include "base/json/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"

#define DEEPEST 64
#define FEW_KEYS 16
#define LARGEST_INT 0x1p53 /* beyond it a double is no longer exact */

static cJSON *tree(const struct json *json)
{
	return (cJSON *)(uintptr_t)json;
}

static struct json *wrapped(cJSON *item)
{
	return (struct json *)item;
}

/* A new one. The library's own allocator is left as it is: it belongs to the host program, too. */
static struct json *made(cJSON *item)
{
	return memory_must(item);
}

static int fault_at(const char *text, size_t offset, const char *what, struct rondo_error *err)
{
	int line = 1, column = 1;
	for (size_t i = 0; i < offset; i++) {
		column = text[i] == '\n' ? 1 : column + 1;
		line += text[i] == '\n';
	}
	return error_set(err, RONDO_ERROR_USAGE, "%d:%d: %s", line, column, what);
}

/* Where what is no ordinary character of a string comes next. */
static size_t string_part(const char *text, size_t i, size_t n)
{
	const char *quote = memchr(text + i, '"', n - i);
	size_t end = quote ? (size_t)(quote - text) : n;
	const char *escape = memchr(text + i, '\\', end - i);
	return escape ? (size_t)(escape - text) : end;
}

/* What cJSON lets pass: NUL by escape, and depth that its recursion would follow to 1,000. */
static int check_text(const char *text, size_t n, struct rondo_error *err)
{
	size_t bad = utf8_valid_length(text, n);
	if (bad < n)
		return fault_at(text, bad, "invalid UTF-8", err);
	int depth = 0;
	bool in_string = false;
	for (size_t i = 0; i < n; i++) {
		i = in_string ? string_part(text, i, n) : i;
		char c = i < n ? text[i] : '"';
		if (in_string && c == '\\') {
			if (n - i > 5 && memcmp(text + i, "\\u0000", 6) == 0)
				return fault_at(text, i, "NUL in a string", err);
			i++;
		} else if (c == '"') {
			in_string = !in_string;
		} else if (!in_string && (c == '{' || c == '[') && ++depth > DEEPEST) {
			return fault_at(text, i, "nested deeper than 64", err);
		} else if (!in_string && (c == '}' || c == ']')) {
			depth--;
		}
	}
	return 0;
}

static bool stands_before(const cJSON *first, const cJSON *item)
{
	while (first != item && !(first->string && strcmp(first->string, item->string) == 0))
		first = first->next;
	return first != item;
}

/* Few keys are compared with each other; where there are many, that would take too long. */
static const char *repeated_key(const cJSON *item, struct arena *arena)
{
	struct map seen = {0};
	size_t n = 0;
	for (const cJSON *child = item->child; child; child = child->next, n++) {
		const char *inner = repeated_key(child, arena);
		if (inner)
			return inner;
		if (!child->string)
			continue;
		if (n < FEW_KEYS ? stands_before(item->child, child)
						 : map_get(&seen, child->string) != NULL)
			return child->string;
		if (n >= FEW_KEYS - 1)
			for (const cJSON *key = n == FEW_KEYS - 1 ? item->child : child; key != child->next;
				 key = key->next)
				map_put(&seen, arena, key->string, key->string);
	}
	return NULL;
}

struct json *json_parse(const char *text, size_t n, struct rondo_error *err)
{
	if (check_text(text, n, err) < 0)
		return NULL;
	AUTO_FREE char *copy = memory_alloc(n + 1);
	memcpy(copy, text, n);
	const char *end = NULL;
	errno = 0;
	cJSON *item = cJSON_ParseWithLengthOpts(copy, n + 1, &end, 1);
	if (!item && errno == ENOMEM)
		abort();
	if (!item) {
		fault_at(copy, end ? (size_t)(end - copy) : 0, "not JSON", err);
		return NULL;
	}
	AUTO_ARENA arena = ARENA_INIT;
	const char *twice = repeated_key(item, &arena);
	if (twice) {
		error_set(err, RONDO_ERROR_USAGE, "key '%s' stands twice", twice);
		cJSON_Delete(item);
		return NULL;
	}
	return wrapped(item);
}

struct json *json_read(const char *path, size_t most)
{
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(most);
	if (file_read(path, most, &text, &ignored) < 0)
		return NULL;
	return json_parse(text.text, text.length, &ignored);
}

struct json *json_object(void)
{
	return made(cJSON_CreateObject());
}

struct json *json_array(void)
{
	return made(cJSON_CreateArray());
}

void json_free(struct json *json)
{
	cJSON_Delete(tree(json));
}

const struct json *json_get(const struct json *object, const char *key)
{
	return wrapped(cJSON_GetObjectItemCaseSensitive(tree(object), key));
}

const char *json_text(const struct json *item, const char *fallback)
{
	const char *text = cJSON_GetStringValue(tree(item));
	return text ? text : fallback;
}

const char *json_string(const struct json *object, const char *key, const char *fallback)
{
	return json_text(json_get(object, key), fallback);
}

static double number_of(const cJSON *item, double fallback)
{
	char *end;
	if (!cJSON_IsRaw(item))
		return cJSON_IsNumber(item) ? item->valuedouble : fallback;
	double value = strtod(item->valuestring, &end); /* what json_add_int added */
	return *end || end == item->valuestring ? fallback : value;
}

double json_real(const struct json *item, double fallback)
{
	return number_of(tree(item), fallback);
}

bool json_is_number(const struct json *item)
{
	return !isnan(number_of(tree(item), NAN));
}

double json_number(const struct json *object, const char *key, double fallback)
{
	return json_real(json_get(object, key), fallback);
}

int64_t json_integer(const struct json *item, int64_t fallback)
{
	double value = number_of(tree(item), NAN);
	return fabs(value) < LARGEST_INT ? (int64_t)value : fallback; /* NAN is not below either */
}

int64_t json_int(const struct json *object, const char *key, int64_t fallback)
{
	return json_integer(json_get(object, key), fallback);
}

bool json_bool(const struct json *object, const char *key, bool fallback)
{
	const cJSON *item = tree(json_get(object, key));
	return cJSON_IsBool(item) ? cJSON_IsTrue(item) : fallback;
}

const struct json *json_first(const struct json *array)
{
	return array ? wrapped(tree(array)->child) : NULL;
}

const struct json *json_next(const struct json *item)
{
	return wrapped(tree(item)->next);
}

size_t json_count(const struct json *array)
{
	return array ? (size_t)cJSON_GetArraySize(tree(array)) : 0;
}

const char *json_key(const struct json *item)
{
	return tree(item)->string;
}

bool json_is_null(const struct json *item)
{
	return cJSON_IsNull(tree(item));
}

bool json_is_object(const struct json *item)
{
	return cJSON_IsObject(tree(item));
}

bool json_is_array(const struct json *item)
{
	return cJSON_IsArray(tree(item));
}

void json_add(struct json *to, const char *key, struct json *value)
{
	if (!value)
		return;
	bool has_memory = key ? cJSON_AddItemToObject(tree(to), key, tree(value))
						  : cJSON_AddItemToArray(tree(to), tree(value));
	if (!has_memory)
		abort();
}

void json_add_string(struct json *to, const char *key, const char *text)
{
	if (!text)
		return;
	size_t n = strlen(text);
	if (utf8_valid_length(text, n) == n) {
		json_add(to, key, made(cJSON_CreateString(text)));
		return;
	}
	AUTO_STRBUF clean = STRBUF_INIT(3 * n);
	utf8_scrub(&clean, text, n);
	json_add(to, key, made(cJSON_CreateString(clean.text)));
}

void json_add_raw(struct json *to, const char *key, const char *text)
{
	if (text)
		json_add(to, key, made(cJSON_CreateRaw(text)));
}

void json_add_int(struct json *to, const char *key, int64_t value)
{
	char text[24];
	snprintf(text, sizeof text, "%" PRId64, value);
	json_add_raw(to, key, text);
}

void json_add_number(struct json *to, const char *key, double value)
{
	json_add(to, key, made(cJSON_CreateNumber(value)));
}

void json_add_bool(struct json *to, const char *key, bool value)
{
	json_add(to, key, made(cJSON_CreateBool(value)));
}

struct json *json_add_object(struct json *to, const char *key)
{
	struct json *object = json_object();
	json_add(to, key, object);
	return object;
}

struct json *json_add_array(struct json *to, const char *key)
{
	struct json *array = json_array();
	json_add(to, key, array);
	return array;
}

void json_add_strings(struct json *to, const char *key, const char *const *texts, size_t n)
{
	struct json *array = json_add_array(to, key);
	for (size_t i = 0; i < n; i++)
		json_add_string(array, NULL, texts[i]);
}

struct json *json_copy(const struct json *json)
{
	return json ? made(cJSON_Duplicate((const cJSON *)(const void *)json, true)) : NULL;
}

const char *json_library_version(void)
{
	return cJSON_Version();
}
