#include "agents/sources.h"

#include <string.h>

#include "base/utf8.h"

#define LARGEST_FILE ((size_t)8 << 20)
#define LARGEST_TEXT ((size_t)1 << 20) /* for a model */
#define LARGEST_TOTAL ((size_t)32 << 20)

/* NULL in *ret_text where there is none. */
static int source_read(const struct agent_services *services, const char *path, size_t most,
	struct arena *arena, const char **ret_text, size_t *ret_n, struct rondo_error *err)
{
	const char *text = NULL;
	if (worktree_file(services->main_checkout->worktree, path, arena, &text, ret_n, err) < 0)
		return -1;
	if (text && *ret_n > most)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is larger than %zu bytes", path, most);
	*ret_text = text;
	return 0;
}

static const char *source_bytes(const struct agent_services *services, const char *path,
	size_t most, struct arena *arena, size_t *ret_n, const char **ret_why)
{
	const char *text = NULL;
	struct rondo_error err;
	*ret_why = NULL;
	if (source_read(services, path, most, arena, &text, ret_n, &err) < 0)
		*ret_why = arena_strdup(arena, err.message);
	return text;
}

const char *source_decode(const char *bytes, size_t n, struct arena *arena)
{
	if (utf8_valid_length(bytes, n) == n)
		return bytes;
	AUTO_STRBUF text = STRBUF_INIT(2 * n + 1);
	utf8_from_latin1(&text, bytes, n);
	return arena_strndup(arena, text.text, text.length);
}

const char *source_text(const struct agent_services *services, const char *path,
	struct arena *arena, const char **ret_why)
{
	size_t n;
	const char *text = source_bytes(services, path, LARGEST_TEXT, arena, &n, ret_why);
	if (text && memchr(text, 0, n))
		*ret_why = arena_printf(arena, "'%s' is not text", path);
	return *ret_why || !text ? NULL : source_decode(text, n, arena);
}

/* The splices of the text as those of the file, whose bytes are its characters. */
static const char *source_encode_file(
	struct file_edit *file, const char *bytes, size_t n, struct arena *arena)
{
	char hash[HASH_SIZE];
	const char *text = source_decode(bytes, n, arena);
	for (size_t i = 0; i < file->n; i++) {
		struct splice *splice = &file->splices[i];
		size_t size = strlen(splice->text);
		AUTO_STRBUF encoded = STRBUF_INIT(size + 1);
		if (utf8_to_latin1(&encoded, splice->text, size) < size)
			return arena_printf(arena,
				"- %s: the file is in Latin-1, and what is to be written has characters that "
				"are not",
				file->path);
		splice->length = utf8_characters(text + splice->offset, splice->length);
		splice->offset = utf8_characters(text, splice->offset);
	}
	hash_bytes(bytes, n, hash);
	file->base_hash = arena_strdup(arena, hash);
	file->is_latin1 = true;
	return NULL;
}

const char *source_encode(
	const struct agent_services *services, struct edit *edit, struct arena *arena)
{
	const char *problem = NULL;
	for (size_t i = 0; i < edit->n && !problem; i++) {
		struct file_edit *file = &edit->files[i];
		size_t n;
		const char *why, *bytes = NULL;
		if (file->n)
			bytes = source_bytes(services, file->path, LARGEST_TEXT, arena, &n, &why);
		if (bytes && utf8_valid_length(bytes, n) < n)
			problem = source_encode_file(file, bytes, n, arena);
	}
	return problem;
}

int sources_paths(const struct agent_services *services, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err)
{
	const char **paths = NULL;
	size_t n = 0, kept = 0;
	if (services->repository &&
		repository_list(services->repository, &services->base->tree, arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (utf8_valid_length(paths[i], strlen(paths[i])) == strlen(paths[i]))
			paths[kept++] = paths[i];
	*ret_paths = paths;
	*ret_n = kept;
	return 0;
}

static bool sources_is_own_test(const struct agent_services *services, const char *path)
{
	for (const char *const *own = services->suite->own_tests; own && *own; own++)
		if (strcmp(*own, path) == 0)
			return true;
	return false;
}

/* What of a file tests it: the assertions of a program that is its own test, and tests that stand
 * beside what they test. */
static size_t sources_find_tests(const struct agent_services *services,
	const struct repair_file *file, struct arena *arena, struct text_range **ret_ranges)
{
	struct program_part *parts;
	struct text_range *ranges = NULL;
	size_t n = 0;
	if (!sources_is_own_test(services, file->path))
		return guard_inline_tests(file->path, file->text, file->n, arena, ret_ranges);
	size_t n_parts = program_parts(file->path, file->text, arena, &parts);
	for (size_t i = 0; i < n_parts; i++)
		ARENA_PUSH(arena, ranges, n,
			((struct text_range){parts[i].frozen_start, parts[i].frozen_end}));
	*ret_ranges = ranges;
	return n;
}

/* A part that lies in another one is frozen with it. */
static void sources_freeze(
	const struct agent_services *services, struct repair_file *file, struct arena *arena)
{
	struct text_range *ranges;
	size_t n = sources_find_tests(services, file, arena, &ranges), end = 0;
	size_t *starts = arena_alloc(arena, (n + 1) * sizeof *starts);
	size_t *ends = arena_alloc(arena, (n + 1) * sizeof *ends);
	for (size_t i = 0; i < n; i++) {
		if (ranges[i].end <= end)
			continue;
		starts[file->n_frozen] = ranges[i].start;
		ends[file->n_frozen++] = end = ranges[i].end;
	}
	file->frozen_starts = starts;
	file->frozen_ends = ends;
}

struct sources_reading {
	const struct agent_services *services;
	struct arena *arena;
};

static bool sources_read_past(void *owner, const char *path, struct past_text *text)
{
	const struct sources_reading *reading = owner;
	const struct agent_services *services = reading->services;
	const char *why, *alone = services->suite->is_alone ? services->suite->program : NULL;
	if ((services->protection && protection_rule(services->protection, path)) ||
		(alone && strcmp(alone, path) != 0) ||
		utf8_valid_length(path, strlen(path)) < strlen(path))
		return false;
	text->text = source_bytes(services, path, LARGEST_FILE, reading->arena, &text->n, &why);
	return text->text;
}

struct past *sources_past(const struct agent_services *services, const struct object *since,
	size_t most, struct arena *arena)
{
	struct past *past = arena_alloc(arena, sizeof *past);
	struct sources_reading reading = {services, arena};
	if (services->repository)
		repository_past(services->repository, services->base, since, most, sources_read_past,
			&reading, arena, past);
	return past;
}

int source_load(const struct agent_services *services, const char *path, struct arena *arena,
	struct repair_file *file, bool *ret_loaded, struct rondo_error *err)
{
	size_t n;
	const char *text = NULL;
	struct rondo_error why = {0};
	*ret_loaded = false;
	if (source_read(services, path, LARGEST_FILE, arena, &text, &n, &why) < 0 &&
		why.code == RONDO_ERROR_TRANSIENT) {
		*err = why;
		return -1;
	}
	if (!text)
		return 0;
	*file = (struct repair_file){.path = path,
		.n = n,
		.text = text,
		.editable = !services->protection || !protection_rule(services->protection, path)};
	sources_freeze(services, file, arena);
	*ret_loaded = true;
	return 0;
}

int sources_load(const struct agent_services *services, struct arena *arena,
	struct repair_file **ret_files, size_t *ret_n, struct rondo_error *err)
{
	const char *alone = services->suite->is_alone ? services->suite->program : NULL, **paths;
	struct repair_file *files = NULL;
	size_t n, loaded = 0, total = 0;
	if (sources_paths(services, arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && total < LARGEST_TOTAL; i++) {
		struct repair_file file;
		bool is_loaded;
		if (!repair_knows(paths[i]) || (alone && strcmp(alone, paths[i]) != 0))
			continue;
		if (source_load(services, paths[i], arena, &file, &is_loaded, err) < 0)
			return -1;
		if (!is_loaded)
			continue;
		total += file.n;
		ARENA_PUSH(arena, files, loaded, file);
	}
	*ret_files = files;
	*ret_n = loaded;
	return 0;
}
