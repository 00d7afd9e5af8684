/*
 * Further inputs: copies of failing tests beside them, each with another value in one place. What they expect is then wrong as a
 * rule, so whether they pass tells nothing; but edits of the product under which all of them say the same behave alike there.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "repair/region.h"

enum {
	TESTS_MOST = 2,
	COPIES_MOST = 4, /* of a test */
	LITERALS_MOST = 24,
	TEXT_MOST = 4000, /* bytes of a test that is copied */
};

struct original {
	const struct source *source;
	struct span span;
	const char *id;
	uint32_t name; /* the token that it is known by: a function's name, or a title in quotes */
	uint32_t literals[LITERALS_MOST];
	size_t n;
};

static bool is_plain_string(const struct source *source, const struct token *token)
{
	const char *text = source->file->text + token->start;
	if (token->kind != TOKEN_STRING || token->length < 2 || !strchr("\"'", text[0]) || text[token->length - 1] != text[0])
		return false;
	for (size_t i = 1; i + 1 < token->length; i++)
		if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~' || strchr("\\\"'%{}", text[i]))
			return false;
	return true;
}

static bool is_plain_number(const struct source *source, const struct token *token)
{
	bool plain = token->kind == TOKEN_NUMBER && token->length <= 9;
	for (size_t i = 0; plain && i < token->length; i++)
		plain = isdigit((unsigned char)source->file->text[token->start + i]);
	return plain;
}

/* A test that begins and ends lines of its own. */
static bool find_original(const struct region *region, struct original *ret_original)
{
	const struct source *source = region->source;
	struct original original = {.source = source, .span = region->span, .id = region->id, .name = NO_TOKEN};
	bool call = source->tokens[region->span.first].kind == TOKEN_OPEN;
	if (source->file->editable || !region->id || !region->failing)
		return false;
	for (uint32_t i = region->span.first; i <= region->span.last && i < source->n; i++) {
		const struct token *token = &source->tokens[i];
		if (original.name == NO_TOKEN &&
			(call ? is_plain_string(source, token) : token->role == ROLE_DECLARED && token->kind == TOKEN_NAME))
			original.name = i;
		else if (original.name != NO_TOKEN && original.n < LITERALS_MOST &&
			 (is_plain_number(source, token) || is_plain_string(source, token)))
			original.literals[original.n++] = i;
	}
	*ret_original = original;
	return original.name != NO_TOKEN && original.n &&
	       line_stop(source, original.span.last) - line_start(source, original.span.first) <= TEXT_MOST;
}

static void add_other_number(struct strbuf *sb, long number, size_t way)
{
	const long others[] = {number + 1, 0, number * 2 + 3, number - 1};
	strbuf_addf(sb, "%ld", others[way % ARRAY_SIZE(others)]);
}

/* Longer, empty, backwards, or in capitals. */
static void add_other_text(struct strbuf *sb, const char *text, size_t n, size_t way)
{
	if (way % 4 == 0)
		strbuf_addf(sb, "%.*sx", (int)n, text);
	for (size_t i = 0; i < n && way % 4 == 2; i++)
		strbuf_addc(sb, text[n - 1 - i]);
	for (size_t i = 0; i < n && way % 4 == 3; i++)
		strbuf_addc(sb, (char)toupper((unsigned char)text[i]));
}

/* Another value of the same kind, a different one for each way. */
static void add_other(struct strbuf *sb, const struct source *source, const struct token *token, size_t way)
{
	const char *text = source->file->text + token->start;
	if (token->kind == TOKEN_NUMBER) {
		add_other_number(sb, strtol(text, NULL, 10), way);
		return;
	}
	strbuf_addc(sb, text[0]);
	add_other_text(sb, text + 1, token->length - 2, way);
	strbuf_addc(sb, text[0]);
}

/* What a copy has behind its name. */
static const char *suffix(struct repair *repair, const struct original *original, size_t way)
{
	bool quoted = original->source->tokens[original->name].kind == TOKEN_STRING;
	return arena_printf(repair->arena, quoted ? " rondo %zu" : "_rondo_%zu", way + 1);
}

/* The test's lines, under another name and with another value in one place. */
static void add_copy(struct strbuf *sb, const struct original *original, const char *behind_name, size_t way)
{
	const struct source *source = original->source;
	const char *text = source->file->text;
	const struct token *name = &source->tokens[original->name];
	const struct token *changed = &source->tokens[original->literals[way % original->n]];
	bool quoted = name->kind == TOKEN_STRING;
	size_t at = line_start(source, original->span.first), name_end = name->start + name->length - quoted;
	strbuf_addf(sb, "%s%s", source->line_end, source->line_end);
	strbuf_add(sb, text + at, name_end - at);
	strbuf_adds(sb, behind_name);
	strbuf_add(sb, text + name_end, changed->start - name_end);
	add_other(sb, source, changed, way / original->n + way % original->n);
	at = changed->start + changed->length;
	strbuf_add(sb, text + at, line_stop(source, original->span.last) - at);
}

/* Without what stands behind a test's own name: its parameters. */
static size_t id_length(const struct original *original)
{
	bool quoted = original->source->tokens[original->name].kind == TOKEN_STRING;
	return quoted ? strlen(original->id) : strcspn(original->id, "[");
}

struct inputs {
	struct edit edit;
	const char **ids;
	size_t n_ids;
};

static void put_copies(struct repair *repair, const struct original *original, struct inputs *inputs)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const struct source *source = original->source;
	for (size_t way = 0; way < COPIES_MOST; way++) {
		const char *behind_name = suffix(repair, original, way);
		add_copy(&sb, original, behind_name, way);
		ARENA_PUSH(repair->arena, inputs->ids, inputs->n_ids,
			arena_printf(repair->arena, "%.*s%s", (int)id_length(original), original->id, behind_name));
	}
	struct splice *splice = arena_alloc(repair->arena, sizeof *splice);
	*splice = (struct splice){
		.offset = line_stop(source, original->span.last), .text = arena_strndup(repair->arena, sb.text, sb.length)};
	ARENA_PUSH(repair->arena, inputs->edit.files, inputs->edit.n,
		(struct file_edit){.path = source->file->path, .splices = splice, .n = 1});
}

static bool has_file(const struct edit *edit, const char *path)
{
	for (size_t i = 0; i < edit->n; i++)
		if (strcmp(edit->files[i].path, path) == 0)
			return true;
	return false;
}

bool repair_inputs(struct repair *repair, const struct test_report *report, struct edit *ret_edit, const char ***ret_ids,
	size_t *ret_n_ids)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct regions regions = {.arena = &arena};
	struct inputs inputs = {.edit.description = "further inputs"};
	regions_find(&regions, repair, report);
	for (size_t i = 0; i < regions.n && inputs.edit.n < TESTS_MOST; i++) {
		struct original original;
		if (find_original(&regions.items[i], &original) && !has_file(&inputs.edit, original.source->file->path))
			put_copies(repair, &original, &inputs);
	}
	*ret_edit = inputs.edit;
	*ret_ids = inputs.ids;
	*ret_n_ids = inputs.n_ids;
	return inputs.edit.n;
}
