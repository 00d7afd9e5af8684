#include "agents/repair/looked.h"

#include <stdlib.h>

#include "base/utf8.h"

enum { MOST_PLACES = 40, MOST_TEXT = 160 };

void looked_count(struct search *search, const struct candidate *candidate)
{
	const struct edit *edit = &candidate->edit;
	const struct repair_file *file =
		edit->n ? repair_file_of(search->files, search->n_files, edit->files[0].path) : NULL;
	if (!file || !edit->files[0].n || edit->files[0].splices[0].offset > file->n)
		return;
	size_t line = 1 + text_count_lines(file->text, edit->files[0].splices[0].offset);
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&key, "%s:%zu", file->path, line);
	size_t *n = map_get(&search->looked, key.text);
	if (!n) {
		n = arena_alloc(&search->arena, sizeof *n);
		map_put(&search->looked, &search->arena, arena_strdup(&search->arena, key.text), n);
	}
	++*n;
}

/* A line without the spaces around it, cut. */
static const char *looked_text(const struct repair_file *file, size_t line, struct arena *arena)
{
	const char *at = text_line(file->text, file->n, line - 1), *end = file->text + file->n;
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	char cut[MOST_TEXT];
	utf8_scrub(&text, at, (size_t)((newline ? newline : end) - at));
	strbuf_rtrim(&text);
	utf8_format(cut, sizeof cut, "%s", text.text + strspn(text.text, " \t"));
	return arena_strdup(arena, cut);
}

static void looked_add(
	const struct search *search, const char *place, struct json *places, struct json *files)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const char *colon = strrchr(place, ':');
	const char *path = colon ? arena_strndup(&scratch, place, (size_t)(colon - place)) : place;
	const struct repair_file *file = repair_file_of(search->files, search->n_files, path);
	long line = colon ? strtol(colon + 1, NULL, 10) : 0;
	const size_t *tried = map_get(&search->looked, place);
	if (!file || line < 1)
		return;
	struct json *at = json_add_object(places, NULL);
	json_add_string(at, "path", path);
	json_add_int(at, "line", line);
	json_add_string(at, "text", looked_text(file, (size_t)line, &scratch));
	json_add_int(at, "tried", tried ? (int64_t)*tried : 0);
	bool ends_open = file->n && file->text[file->n - 1] != '\n';
	if (!json_get(files, path))
		json_add_int(files, path, (int64_t)text_count_lines(file->text, file->n) + ends_open);
}

void looked_describe(const struct search *search, struct json *to)
{
	const char *places[MOST_PLACES];
	size_t n = search->repair ? repair_suspects(search->repair, places, MOST_PLACES) : 0;
	if (!n)
		return;
	struct json *list = json_add_array(to, "places"), *files = json_add_object(to, "files");
	for (size_t i = 0; i < n; i++)
		looked_add(search, places[i], list, files);
}
