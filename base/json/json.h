/*
 * JSON, strict at the border: trailing text, NUL escapes, duplicate keys, invalid UTF-8 and
 * nesting beyond 64 are errors. A tree belongs to whoever parsed or made it; what getters
 * give is borrowed from it. Getters accept NULL and answer with the fallback.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

struct json;
struct strbuf;

/* Read n bytes. NULL with err set, which names line and column of the fault. */
struct json *json_parse(const char *text, size_t n, struct rondo_error *err);

/* The JSON in a file of at most so many bytes, the caller's to free; NULL where there is none that
 * can be read. Callers for whom an unreadable file is as good as none need no error. */
struct json *json_read(const char *path, size_t most);

/* Where an object's member stands in its text, and how long it is there: for who must give it back
 * as it was written. NULL: there is none; a key that is written with escapes is not found. What
 * is found in a text that json_parse refuses may be anything. */
const char *json_member_text(const char *text, size_t n, const char *key, size_t *ret_n);

struct json *json_object(void);
struct json *json_array(void);
void json_free(struct json *json);

static inline void json_auto_free(struct json **json)
{
	json_free(*json);
}
#define AUTO_JSON __attribute__((cleanup(json_auto_free))) struct json

/* Members of an object; a member of another type counts as absent. */
const char *json_string(const struct json *object, const char *key, const char *fallback);
int64_t json_int(const struct json *object, const char *key, int64_t fallback);
double json_number(const struct json *object, const char *key, double fallback);
bool json_bool(const struct json *object, const char *key, bool fallback);
const struct json *json_get(const struct json *object, const char *key);

/* The items of an array, or members of an object, one after the other; NULL after the last. */
const struct json *json_first(const struct json *array);
const struct json *json_next(const struct json *item);
size_t json_count(const struct json *array);

/* What an item is, and its key where it is an object's member. */
const char *json_key(const struct json *item);
const char *json_text(const struct json *item, const char *fallback);
int64_t json_integer(const struct json *item, int64_t fallback);
double json_real(const struct json *item, double fallback);
bool json_is_number(const struct json *item);
bool json_is_null(const struct json *item);
bool json_is_object(const struct json *item);
bool json_is_array(const struct json *item);

/* Append to an object; where it is an array, `key` is NULL. Text is scrubbed to valid UTF-8. NULL
 * text adds nothing. */
void json_add_string(struct json *to, const char *key, const char *text);
void json_add_int(struct json *to, const char *key, int64_t value);
void json_add_number(struct json *to, const char *key, double value);
void json_add_bool(struct json *to, const char *key, bool value);
/* The tree `value` now belongs to `to`. NULL adds nothing. */
void json_add(struct json *to, const char *key, struct json *value);
/* A new object or array within `to`; borrowed. */
struct json *json_add_object(struct json *to, const char *key);
struct json *json_add_array(struct json *to, const char *key);
/* A new array of n strings. */
void json_add_strings(struct json *to, const char *key, const char *const *texts, size_t n);
/* JSON text as it is, trusted to be valid; not checked. NULL adds nothing. */
void json_add_raw(struct json *to, const char *key, const char *text);

/* A tree of its own, the caller's; NULL of NULL. */
struct json *json_copy(const struct json *json);

/* On one line, NULL of NULL; or indented with a newline at the end. The caller's to free(). */
char *json_print(const struct json *json);
char *json_print_pretty(const struct json *json);

/* As json_print, in the arena. */
const char *json_print_in(const struct json *json, struct arena *arena);

/* Print an object without its end, and the begin of one more member: its name needs no escape, and
 * its items, which the caller adds, are followed by "]}". */
void json_print_open(const struct json *object, const char *last, struct strbuf *sb);

/* cJSON's version, as it runs; static. */
const char *json_library_version(void);
