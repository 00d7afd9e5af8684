/*
 * Which files have to do with failing tests. Paths are cheap. What a file says is read only of
 * those that are next, level by level: what the report names; what is called by a word in these;
 * and so on. Of one level the nearest in the tree come first.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "agents/sources.h"
#include "base/file.h"
#include "base/lexer/source.h"
#include "base/memory.h"

enum {
	FILES_MOST = 1000,
	BYTES_MOST = 4 << 20,
	REST_FILES_MOST = 200, /* among these: what only its place in the tree speaks for */
	REST_BYTES_MOST = 1 << 20,
	LEVELS = 4, /* whose files say what comes next */
	LEVEL_REST = 9,
	RED_MOST = 100,        /* failing tests that are looked at */
	OUTPUT_MOST = 1 << 20, /* bytes of what they printed */
	ANCHORS_MOST = 8,
};

struct near_file {
	const char *path;
	int level, distance;
	bool is_read, is_loaded;
	struct repair_file file;
};

/* The files that a word can mean. */
struct near_word {
	struct near_file **files;
	size_t n;
	int level; /* at which it was said */
};

struct near {
	const struct agent_services *services;
	struct arena *arena, *scratch;
	struct near_file *items;
	size_t n;
	struct map paths, names, stems; /* of whole paths, of file names, of these without suffixes */
	const char *anchors[ANCHORS_MOST]; /* paths of the first level */
	size_t n_anchors, n_loaded, n_bytes;
};

static bool near_is_protected(const struct near *near, const char *path)
{
	return near->services->protection && protection_rule(near->services->protection, path);
}

static void near_reach(struct near *near, struct near_file *item, int level)
{
	if (level == 0 && item->level && near->n_anchors < ANCHORS_MOST)
		near->anchors[near->n_anchors++] = item->path;
	item->level = level < item->level ? level : item->level;
}

/* --- By name --- */

static void near_add_word(
	struct near *near, struct map *words, const char *text, size_t n, struct near_file *item)
{
	struct near_word *word = n ? map_get_bytes(words, text, n) : NULL;
	if (!n)
		return;
	if (!word) {
		word = arena_alloc(near->scratch, sizeof *word);
		word->level = LEVEL_REST;
		map_put_bytes(words, near->scratch, text, n, word);
	}
	ARENA_PUSH(near->scratch, word->files, word->n, item);
}

/* "cart.py" is called cart; "cart/index.js" is, too, and each file of a package of Go. */
static void near_add_names(struct near *near, struct near_file *item)
{
	static const char generic[] = " index __init__ mod lib main ";
	const char *name = file_name(item->path);
	size_t n = strcspn(name, ".");
	near_add_word(near, &near->names, name, strlen(name), item);
	near_add_word(near, &near->stems, name, n, item);
	if (name == item->path || !(words_hold(generic, name, n) || text_ends_with(name, ".go")))
		return;
	const char *end = name - 1, *dir = end;
	while (dir > item->path && dir[-1] != '/')
		dir--;
	near_add_word(near, &near->stems, dir, (size_t)(end - dir), item);
}

/* Somebody of the level before said a word. */
static void near_say(struct near *near, const char *text, size_t n, int level)
{
	struct near_word *word = map_get_bytes(&near->stems, text, n);
	if (!word || word->level <= level)
		return;
	word->level = level;
	for (size_t i = 0; i < word->n; i++)
		near_reach(near, word->files[i], level);
}

static size_t near_word_length(const char *at, const char *end, const char *also)
{
	size_t n = 0;
	while (at + n < end &&
		(isalnum((unsigned char)at[n]) || at[n] == '_' || (unsigned char)at[n] >= 0x80 ||
			(at[n] && strchr(also, at[n]))))
		n++;
	return n;
}

/* All words of a text; "my-cart" is one, and two. */
static void near_say_all(struct near *near, const char *text, size_t n, int level)
{
	const char *end = text + n;
	for (const char *at = text; at < end;) {
		size_t part = near_word_length(at, end, ""), whole = near_word_length(at, end, "-");
		if (part)
			near_say(near, at, part, level);
		if (whole > part)
			near_say(near, at, whole, level);
		at += part ? part : 1;
	}
}

/* "test_cart.py", "cart_test.go", "CartTest.java" and "cart-spec.js" are about cart. */
static void near_say_tested(struct near *near, const char *path, int level)
{
	static const char *const prefixes[] = {"test_", "test-", "Test", "spec_"};
	static const char *const suffixes[] = {
		"_test", "-test", "_tests", "Tests", "Test", "_spec", "-spec", "_unittest"};
	const char *name = file_name(path);
	size_t n = strcspn(name, ".");
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (text_starts_with(name, prefixes[i]) && n > strlen(prefixes[i]))
			near_say(near, name + strlen(prefixes[i]), n - strlen(prefixes[i]), level);
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		size_t length = strlen(suffixes[i]);
		if (n > length && memcmp(name + n - length, suffixes[i], length) == 0)
			near_say(near, name, n - length, level);
	}
}

/* --- By path, as runners print it --- */

/* Absolute, relative to the root, or only the end of a path. */
static void near_name_path(struct near *near, const char *text, size_t n)
{
	const char *end = text + n;
	for (const char *at = text; at < end;) {
		struct near_file *item = map_get_bytes(&near->paths, at, (size_t)(end - at));
		if (item) {
			near_reach(near, item, 0);
			return;
		}
		const char *slash = memchr(at, '/', (size_t)(end - at));
		at = slash ? slash + 1 : end;
	}
	const char *slash = memrchr(text, '/', n), *name = slash ? slash + 1 : text;
	const struct near_word *word = map_get_bytes(&near->names, name, (size_t)(end - name));
	if (word && word->n == 1)
		near_reach(near, word->files[0], 0);
}

static void near_name_paths(struct near *near, const char *text)
{
	if (!text)
		return;
	for (const char *at = text, *end = text + strnlen(text, OUTPUT_MOST); at < end;) {
		size_t length = near_word_length(at, end, "./-+@~%");
		if (length && memchr(at, '.', length))
			near_name_path(near, at, length);
		at += length ? length : 1;
	}
}

static void near_read_report(struct near *near, const struct test_report *report)
{
	size_t red = 0;
	for (size_t i = 0; i < report->n && red < RED_MOST; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		red++;
		near_name_paths(near, result->file);
		near_name_paths(near, result->id);
		near_name_paths(near, result->message);
		near_say_all(near, result->id, strlen(result->id), 1);
	}
	near_name_paths(near, report->output);
}

/* A module's name in an id, or no name at all. */
static void near_find_tests(struct near *near)
{
	bool is_known = near->n_anchors;
	for (size_t i = 0; i < near->n; i++)
		if ((!is_known || near->items[i].level == 1) &&
			near_is_protected(near, near->items[i].path))
			near_reach(near, &near->items[i], is_known ? 0 : 1);
}

/* --- Levels --- */

/* How many folders are between two files. */
static int near_between(const char *a, const char *b)
{
	size_t common = 0;
	int n = 0;
	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		common = a[i] == '/' ? i + 1 : common;
	for (const char *at = a + common; (at = strchr(at, '/')); at++)
		n++;
	for (const char *at = b + common; (at = strchr(at, '/')); at++)
		n++;
	return n;
}

static int compare_near(const void *a, const void *b)
{
	const struct near_file *x = *(struct near_file *const *)a, *y = *(struct near_file *const *)b;
	if (x->level != y->level)
		return x->level - y->level;
	return x->distance != y->distance ? x->distance - y->distance : strcmp(x->path, y->path);
}

static bool near_load(struct near *near, struct near_file *item)
{
	if (item->is_read)
		return item->is_loaded;
	struct rondo_error ignored; /* what cannot be read is not shown */
	item->is_read = true;
	if (near->services->suite)
		source_load(
			near->services, item->path, near->arena, &item->file, &item->is_loaded, &ignored);
	near->n_loaded += item->is_loaded;
	near->n_bytes += item->is_loaded ? item->file.n : 0;
	return item->is_loaded;
}

static size_t near_sort(struct near *near, int level, struct near_file **ret_items)
{
	size_t n = 0;
	for (size_t i = 0; i < near->n; i++)
		if (near->items[i].level == level)
			ret_items[n++] = &near->items[i];
	qsort(ret_items, n, sizeof(struct near_file *), compare_near);
	return n;
}

static void near_find_distances(struct near *near)
{
	for (size_t i = 0; i < near->n; i++) {
		struct near_file *item = &near->items[i];
		item->distance = near->n_anchors ? near_between(item->path, near->anchors[0]) : 0;
		for (size_t j = 1; j < near->n_anchors; j++) {
			int distance = near_between(item->path, near->anchors[j]);
			item->distance = distance < item->distance ? distance : item->distance;
		}
	}
}

/* Sort each level once it is known, read it, and let it say what the next one is. */
static void near_go(struct near *near, struct near_file **sorted)
{
	size_t at = 0;
	for (int level = 0; level <= LEVEL_REST; level++) {
		size_t n = near_sort(near, level, sorted + at), files = near->n_loaded;
		size_t bytes = near->n_bytes;
		bool is_rest = level == LEVEL_REST;
		for (size_t i = at; i < at + n; i++) {
			struct near_file *item = sorted[i];
			bool is_full = near->n_loaded >= FILES_MOST || near->n_bytes >= BYTES_MOST ||
				(is_rest &&
					(near->n_loaded - files >= REST_FILES_MOST ||
						near->n_bytes - bytes >= REST_BYTES_MOST));
			if (is_full || !near_load(near, item) || level >= LEVELS)
				continue;
			near_say_all(near, item->file.text, item->file.n, level + 1);
			if (near_is_protected(near, item->path))
				near_say_tested(near, item->path, level + 1);
		}
		at += n;
	}
}

static void near_add_paths(struct near *near, const char **paths, size_t n)
{
	const struct suite *suite = near->services->suite;
	const char *alone = suite && suite->is_alone ? suite->program : NULL;
	near->items = arena_alloc(near->scratch, n * sizeof *near->items);
	for (size_t i = 0; i < n; i++) {
		if (!repair_knows(paths[i]) || (alone && strcmp(alone, paths[i]) != 0))
			continue;
		struct near_file *item = &near->items[near->n++];
		*item = (struct near_file){.path = paths[i], .level = LEVEL_REST};
		map_put(&near->paths, near->scratch, item->path, item);
		near_add_names(near, item);
	}
}

static void near_give(struct near *near, struct near_file *const *sorted, const char **paths,
	size_t n, struct nearby *ret_nearby)
{
	*ret_nearby = (struct nearby){.n = n};
	ret_nearby->paths = arena_alloc(near->arena, n * sizeof *ret_nearby->paths);
	ret_nearby->files = arena_alloc(near->arena, near->n_loaded * sizeof *ret_nearby->files);
	size_t at = 0;
	for (; at < near->n; at++) {
		ret_nearby->paths[at] = sorted[at]->path;
		if (sorted[at]->is_loaded)
			ret_nearby->files[ret_nearby->n_files++] = sorted[at]->file;
	}
	for (size_t i = 0; i < n; i++)
		if (!map_get(&near->paths, paths[i]))
			ret_nearby->paths[at++] = paths[i];
}

int nearby_find(const struct agent_services *services, const struct test_report *report,
	const char *const *places, size_t n_places, struct arena *arena, struct nearby *ret_nearby,
	struct rondo_error *err)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct near near = {.services = services, .arena = arena, .scratch = &scratch};
	const char **paths;
	size_t n;
	if (sources_paths(services, arena, &paths, &n, err) < 0)
		return -1;
	near_add_paths(&near, paths, n);
	for (size_t i = 0; i < n_places; i++)
		near_name_paths(&near, places[i]);
	near_read_report(&near, report);
	near_find_tests(&near);
	near_find_distances(&near);
	struct near_file **sorted = arena_alloc(&scratch, near.n * sizeof *sorted);
	near_go(&near, sorted);
	near_give(&near, sorted, paths, n, ret_nearby);
	return 0;
}
