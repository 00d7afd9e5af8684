/* What models copy into a block that is not in the file: the numbers of a listing's lines, and the
 * entities of XML. */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "chat/edit_lines.h"

static const char *const entities[][2] = {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""},
	{"&apos;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}};

static const char *variant_without_entities(struct arena *arena, const char *text)
{
	AUTO_STRBUF sb = STRBUF_INIT(strlen(text) + 1);
	while (*text) {
		size_t i = 0;
		while (i < ARRAY_SIZE(entities) && !text_starts_with(text, entities[i][0]))
			i++;
		bool is_entity = i < ARRAY_SIZE(entities);
		strbuf_addc(&sb, is_entity ? *entities[i][1] : *text);
		text += is_entity ? strlen(entities[i][0]) : 1;
	}
	return arena_strndup(arena, sb.text, sb.length);
}

/* What stands behind "12 | " or "12: " or "12<tab>"; NULL: there is no such number. */
static const char *variant_behind_number(const char *line, size_t n)
{
	size_t at = 0;
	while (at < n && line[at] == ' ')
		at++;
	size_t digits = at;
	while (at < n && isdigit((unsigned char)line[at]))
		at++;
	if (at == digits)
		return NULL;
	if (at < n && line[at] == '\t')
		return line + at + 1;
	while (at < n && line[at] == ' ')
		at++;
	if (at == n || !strchr("|:", line[at]))
		return NULL;
	at++;
	return line + at + (at < n && line[at] == ' ');
}

/* NULL where a line that is not blank has no number. */
static const char *variant_without_numbers(struct arena *arena, const char *text)
{
	AUTO_STRBUF sb = STRBUF_INIT(strlen(text) + 1);
	size_t n;
	for (const char *line; (line = edit_next_line(&text, &n));) {
		const char *behind = variant_behind_number(line, n);
		if (!behind && n)
			return NULL;
		if (behind)
			strbuf_add(&sb, behind, n - (size_t)(behind - line));
		strbuf_addc(&sb, '\n');
	}
	return arena_strndup(arena, sb.text, sb.length);
}

bool edit_variant(
	struct arena *arena, const struct edit_step *step, size_t i, struct edit_step *ret_step)
{
	*ret_step = *step;
	if (i == 0) {
		const char *text = variant_without_numbers(arena, step->text);
		ret_step->old = variant_without_numbers(arena, step->old);
		ret_step->text = text ? text : step->text;
		return ret_step->old;
	}
	ret_step->old = variant_without_entities(arena, step->old);
	ret_step->text = variant_without_entities(arena, step->text);
	return strcmp(ret_step->old, step->old) != 0;
}
