#include "chat/edit.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

int edit_check_path(const char *path, struct rondo_error *err)
{
	if (!*path || *path == '/')
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is not a path below the tree", path);
	for (const char *part = path; part;) {
		size_t n = strcspn(part, "/");
		if (n == 0 || (n == 1 && part[0] == '.') || (n == 2 && memcmp(part, "..", 2) == 0) ||
			(n == 4 && strncasecmp(part, ".git", 4) == 0))
			return error_set(err, RONDO_ERROR_USAGE, "'%s' leaves the tree", path);
		part = part[n] ? part + n + 1 : NULL;
	}
	return 0;
}

static int edit_add(const struct file_edit *edit, const char *text, struct strbuf *ret_text,
	struct rondo_error *err)
{
	size_t n = strlen(text);
	if (!edit->is_latin1)
		strbuf_add(ret_text, text, n);
	else if (utf8_to_latin1(ret_text, text, n) < n)
		return error_set(err, RONDO_ERROR_USAGE,
			"%s is in Latin-1, and the edit has characters that are not", edit->path);
	return 0;
}

int edit_apply(const struct file_edit *edit, const char *old, size_t n, struct strbuf *ret_text,
	struct rondo_error *err)
{
	if (edit->base_hash) {
		char hash[HASH_SIZE];
		hash_bytes(old, n, hash);
		if (strcmp(hash, edit->base_hash) != 0)
			return error_set(
				err, RONDO_ERROR_USAGE, "%s has changed since the edit was made", edit->path);
	}
	if (edit->content) {
		strbuf_adds(ret_text, edit->content);
		return 0;
	}
	size_t at = 0;
	for (size_t i = 0; i < edit->n; i++) {
		const struct splice *splice = &edit->splices[i];
		if (splice->offset < at || splice->offset > n || splice->length > n - splice->offset)
			return error_set(err, RONDO_ERROR_USAGE,
				"%s: place %zu of the edit, byte %zu, does not fit", edit->path, i + 1,
				splice->offset);
		strbuf_add(ret_text, old + at, splice->offset - at);
		if (edit_add(edit, splice->text, ret_text, err) < 0)
			return -1;
		at = splice->offset + splice->length;
	}
	strbuf_add(ret_text, old + at, n - at);
	return 0;
}

struct file_edit edit_invert(const struct file_edit *edit, const char *old, struct arena *arena)
{
	struct file_edit inverse = {.path = arena_strdup(arena, edit->path)};
	size_t added = 0, taken = 0;
	for (size_t i = 0; i < edit->n; i++) {
		const struct splice *splice = &edit->splices[i];
		ARENA_PUSH(arena, inverse.splices, inverse.n,
			(struct splice){.offset = splice->offset + added - taken,
				.length = strlen(splice->text),
				.text = arena_strndup(arena, old + splice->offset, splice->length)});
		added += strlen(splice->text);
		taken += splice->length;
	}
	return inverse;
}

static bool edit_holds(const struct edit *edit, const char *path, const struct splice *splice)
{
	for (size_t i = 0; i < edit->n; i++)
		for (size_t k = 0; k < edit->files[i].n && strcmp(edit->files[i].path, path) == 0; k++) {
			const struct splice *own = &edit->files[i].splices[k];
			if (own->offset == splice->offset && own->length == splice->length &&
				strcmp(own->text, splice->text) == 0)
				return true;
		}
	return false;
}

bool edit_is_within(const struct edit *part, const struct edit *whole)
{
	for (size_t i = 0; i < part->n; i++)
		for (size_t k = 0; k < part->files[i].n; k++)
			if (!edit_holds(whole, part->files[i].path, &part->files[i].splices[k]))
				return false;
	return true;
}

static void edit_file_to_json(const struct file_edit *file, struct json *to)
{
	json_add_string(to, "path", file->path);
	json_add_string(to, "base_hash", file->base_hash);
	json_add_string(to, "content", file->content);
	if (file->remove)
		json_add_bool(to, "remove", true);
	if (file->is_latin1)
		json_add_bool(to, "is_latin1", true);
	if (!file->n)
		return;
	struct json *splices = json_add_array(to, "splices");
	for (size_t i = 0; i < file->n; i++) {
		struct json *splice = json_add_object(splices, NULL);
		json_add_int(splice, "offset", (int64_t)file->splices[i].offset);
		json_add_int(splice, "length", (int64_t)file->splices[i].length);
		json_add_string(splice, "text", file->splices[i].text);
	}
}

struct json *edit_to_json(const struct edit *edit)
{
	struct json *json = json_object();
	json_add_string(json, "description", edit->description);
	struct json *files = json_add_array(json, "files");
	for (size_t i = 0; i < edit->n; i++)
		edit_file_to_json(&edit->files[i], json_add_object(files, NULL));
	return json;
}

static int edit_file_from_json(
	const struct json *json, struct arena *arena, struct file_edit *file, struct rondo_error *err)
{
	*file = (struct file_edit){
		.path = arena_strdup(arena, json_string(json, "path", "")),
		.base_hash = arena_strdup(arena, json_string(json, "base_hash", NULL)),
		.content = arena_strdup(arena, json_string(json, "content", NULL)),
		.remove = json_bool(json, "remove", false),
		.is_latin1 = json_bool(json, "is_latin1", false),
	};
	const struct json *item = json_first(json_get(json, "splices"));
	for (; item; item = json_next(item)) {
		int64_t offset = json_int(item, "offset", -1), length = json_int(item, "length", -1);
		if (offset < 0 || length < 0)
			return error_set(
				err, RONDO_ERROR_USAGE, "%s: a place without offset or length", file->path);
		ARENA_PUSH(arena, file->splices, file->n,
			(struct splice){(size_t)offset, (size_t)length,
				arena_strdup(arena, json_string(item, "text", ""))});
	}
	return edit_check_path(file->path, err);
}

int edit_from_json(
	const struct json *json, struct arena *arena, struct edit *ret_edit, struct rondo_error *err)
{
	struct edit edit = {.description = arena_strdup(arena, json_string(json, "description", ""))};
	const struct json *item = json_first(json_get(json, "files"));
	for (; item; item = json_next(item)) {
		struct file_edit file;
		if (edit_file_from_json(item, arena, &file, err) < 0)
			return -1;
		ARENA_PUSH(arena, edit.files, edit.n, file);
	}
	*ret_edit = edit;
	return 0;
}
