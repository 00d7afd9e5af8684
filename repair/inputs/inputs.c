/*
 * Further inputs: copies of failing tests beside them, each with another value that the program is
 * given. What they expect is then usually wrong, so their passing means nothing. But edits of the
 * product under which all copies report the same behave alike there.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "repair/inputs/reach.h"
#include "repair/localise/region.h"

enum {
	TESTS_MOST = 2,
	COPIES_MOST = 4, /* of a test; their numbers have one digit */
	WAYS_MOST = 16,  /* that are looked at for so many copies */
	INPUTS_MOST = 24,
	TEXT_MOST = 4000, /* bytes of a test that is copied */
};

/* A value that the program is given, or a column of them, which change together. */
struct input {
	uint32_t *tokens;
	size_t n;
	uint32_t column;
};

struct original {
	const struct source *source;
	struct span span; /* with its decorators */
	const char *id;
	uint32_t name; /* the token that it is known by: a function's name, or a title in quotes */
	struct input inputs[INPUTS_MOST];
	size_t n;
};

static bool input_is_plain_string(const struct source *source, const struct token *token)
{
	const char *text = source->file->text + token->start;
	if (token->kind != TOKEN_STRING || token->length < 2 || !strchr("\"'", text[0]) ||
		text[token->length - 1] != text[0])
		return false;
	for (size_t i = 1; i + 1 < token->length; i++)
		if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~' ||
			strchr("\\\"'%{}", text[i]))
			return false;
	return true;
}

static bool input_is_plain_number(const struct source *source, const struct token *token)
{
	bool plain = token->kind == TOKEN_NUMBER && token->length <= 9;
	for (size_t i = 0; plain && i < token->length; i++)
		plain = isdigit((unsigned char)source->file->text[token->start + i]);
	return plain;
}

static uint32_t input_statement_first(const struct source *source, uint32_t i)
{
	while (i && !source->tokens[i].first) {
		bool closes = source->tokens[i].kind == TOKEN_CLOSE && source->tokens[i].match < i;
		i = closes ? source->tokens[i].match : i - 1;
	}
	return i;
}

/* A test's decorators belong to it. */
static uint32_t input_original_first(const struct source *source, uint32_t i)
{
	uint32_t first = input_statement_first(source, i), before;
	for (; first && token_is(source, before = input_statement_first(source, first - 1), "@");
		 first = before)
		;
	return first;
}

static uint32_t input_original_name(const struct region *region)
{
	const struct source *source = region->source;
	bool call = source->tokens[region->span.first].kind == TOKEN_OPEN;
	for (uint32_t i = region->span.first; i <= region->span.last && i < source->n; i++) {
		const struct token *token = &source->tokens[i];
		if (call ? input_is_plain_string(source, token)
				 : token->role == ROLE_DECLARED && token->kind == TOKEN_NAME)
			return i;
	}
	return NO_TOKEN;
}

static void add_input(
	struct original *original, struct arena *arena, const struct reaching *reaching)
{
	struct input *input = NULL;
	for (size_t i = 0; i < original->n; i++)
		if (reaching->column && original->inputs[i].column == reaching->column)
			input = &original->inputs[i];
	if (!input && original->n == INPUTS_MOST)
		return;
	if (!input) {
		input = &original->inputs[original->n++];
		*input = (struct input){.column = reaching->column};
	}
	ARENA_PUSH(arena, input->tokens, input->n, reaching->token);
}

/* Find what can be copied of a test: one on lines of its own that gives the program a value. */
static bool input_find_original(
	struct repair *repair, const struct region *region, struct original *ret_original)
{
	const struct source *source = region->source;
	struct reaching *reaching;
	if (source->file->editable || !region->id || !region->failing)
		return false;
	struct original original = {.source = source,
		.id = region->id,
		.name = input_original_name(region),
		.span = {input_original_first(source, region->span.first), region->span.last}};
	size_t n = test_reach(repair, source, original.span, repair->arena, &reaching);
	for (size_t i = 0; i < n; i++) {
		const struct token *token = &source->tokens[reaching[i].token];
		if (input_is_plain_number(source, token) || input_is_plain_string(source, token))
			add_input(&original, repair->arena, &reaching[i]);
	}
	*ret_original = original;
	return original.name != NO_TOKEN && original.n &&
		line_stop(source, original.span.last) - line_start(source, original.span.first) <=
		TEXT_MOST;
}

static void input_add_other_number(struct strbuf *sb, long number, size_t way)
{
	const long others[] = {number + 1, 0, number * 2 + 3, number > 1 ? number - 1 : number + 10};
	strbuf_addf(sb, "%ld", others[way % ARRAY_SIZE(others)]);
}

/* Longer, empty, backwards, or in capitals. */
static void input_add_other_text(struct strbuf *sb, const char *text, size_t n, size_t way)
{
	if (way % 4 == 0)
		strbuf_addf(sb, "%.*sx", (int)n, text);
	for (size_t i = 0; i < n && way % 4 == 2; i++)
		strbuf_addc(sb, text[n - 1 - i]);
	for (size_t i = 0; i < n && way % 4 == 3; i++)
		strbuf_addc(sb, (char)toupper((unsigned char)text[i]));
}

/* Another value of the same kind, a different one for each way. */
static void input_add_other(
	struct strbuf *sb, const struct source *source, const struct token *token, size_t way)
{
	const char *text = source->file->text + token->start;
	if (token->kind == TOKEN_NUMBER) {
		input_add_other_number(sb, strtol(text, NULL, 10), way);
		return;
	}
	strbuf_addc(sb, text[0]);
	input_add_other_text(sb, text + 1, token->length - 2, way);
	strbuf_addc(sb, text[0]);
}

static bool input_is_of(const struct input *input, uint32_t token)
{
	for (size_t i = 0; i < input->n; i++)
		if (input->tokens[i] == token)
			return true;
	return false;
}

/* The test's lines, under another name and with another value in one place, or in one column.
 * `note`: what is other. False where the value stays the same. */
static bool input_add_copy(struct strbuf *sb, const struct original *original, const char *suffix,
	size_t way, struct strbuf *note)
{
	const struct source *source = original->source;
	const char *text = source->file->text;
	const struct input *input = &original->inputs[way % original->n];
	bool quoted = source->tokens[original->name].kind == TOKEN_STRING, differs = false;
	size_t at = line_start(source, original->span.first);
	for (uint32_t i = original->span.first; i <= original->span.last; i++) {
		const struct token *token = &source->tokens[i];
		size_t end = token->start + token->length;
		bool changes = input_is_of(input, i);
		if (i != original->name && !changes)
			continue;
		size_t kept = changes ? token->start : end - quoted;
		strbuf_add(sb, text + at, kept - at);
		size_t added = sb->length;
		if (changes)
			input_add_other(sb, source, token, way / original->n + way % original->n);
		else
			strbuf_adds(sb, suffix);
		at = changes ? end : kept;
		bool is_same = sb->length - added == token->length &&
			memcmp(sb->text + added, text + token->start, token->length) == 0;
		if (changes && !is_same && !differs)
			strbuf_addf(note, " with %s for %.*s", sb->text + added, (int)token->length,
				text + token->start);
		differs |= changes && !is_same;
	}
	strbuf_add(sb, text + at, line_stop(source, original->span.last) - at);
	return differs;
}

/* Without the parameters after a test's name. */
static size_t input_id_length(const struct original *original)
{
	bool quoted = original->source->tokens[original->name].kind == TOKEN_STRING;
	return quoted ? strlen(original->id) : strcspn(original->id, "[");
}

static struct file_edit *input_file_edit_of(
	struct edit *edit, struct arena *arena, const char *path)
{
	for (size_t i = 0; i < edit->n; i++)
		if (strcmp(edit->files[i].path, path) == 0)
			return &edit->files[i];
	ARENA_PUSH(arena, edit->files, edit->n, (struct file_edit){.path = path});
	return &edit->files[edit->n - 1];
}

/* In the order of their places. False where one is there already: a test within a test. */
static bool input_put_splice(struct file_edit *file, struct arena *arena, struct splice splice)
{
	size_t at = 0;
	while (at < file->n && file->splices[at].offset < splice.offset)
		at++;
	if (at < file->n && file->splices[at].offset == splice.offset)
		return false;
	ARENA_PUSH(arena, file->splices, file->n, splice);
	memmove(file->splices + at + 1, file->splices + at, (file->n - 1 - at) * sizeof splice);
	file->splices[at] = splice;
	return true;
}

static bool input_put_copies(
	struct repair *repair, const struct original *original, struct candidates *asked)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const struct source *source = original->source;
	const char *ids[COPIES_MOST], *notes[COPIES_MOST], *ends = source->line_end;
	bool quoted = source->tokens[original->name].kind == TOKEN_STRING;
	size_t n = 0;
	for (size_t way = 0; way < WAYS_MOST && n < COPIES_MOST; way++) {
		AUTO_STRBUF copy = STRBUF_INIT(STRBUF_TEXT);
		AUTO_STRBUF note = STRBUF_INIT(STRBUF_LINE);
		const char *suffix =
			arena_printf(repair->arena, quoted ? " rondo %zu" : "_rondo_%zu", n + 1);
		strbuf_adds(&note, tokens_text(source, repair->arena, original->name, original->name));
		if (!input_add_copy(&copy, original, suffix, way, &note))
			continue;
		strbuf_addf(&sb, "%s%s", ends, ends);
		strbuf_add(&sb, copy.text, copy.length);
		notes[n] = arena_strdup(repair->arena, note.text);
		ids[n++] = arena_printf(
			repair->arena, "%.*s%s", (int)input_id_length(original), original->id, suffix);
	}
	struct splice splice = {.offset = line_stop(source, original->span.last),
		.text = arena_strndup(repair->arena, sb.text, sb.length)};
	if (!n ||
		!input_put_splice(input_file_edit_of(&asked->inputs, repair->arena, source->file->path),
			repair->arena, splice))
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t n_notes = asked->n_input_ids;
		ARENA_PUSH(repair->arena, asked->input_notes, n_notes, notes[i]);
		ARENA_PUSH(repair->arena, asked->input_ids, asked->n_input_ids, ids[i]);
	}
	return true;
}

bool repair_inputs(
	struct repair *repair, const struct test_report *report, struct candidates *asked)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct regions regions = {.arena = &arena};
	asked->inputs = (struct edit){.description = "further inputs"};
	regions_find(&regions, repair, report);
	for (size_t i = 0, n = 0; i < regions.n && n < TESTS_MOST; i++) {
		struct original original;
		n += input_find_original(repair, &regions.items[i], &original) &&
			input_put_copies(repair, &original, asked);
	}
	return asked->inputs.n;
}
