/*
 * A program that prints which of its assertions it reaches: they count only if they have run. Each
 * mark is on its assertion's own line and is printed once. In Python it is an assertion, too, which
 * an interpreter without assertions leaves out as well.
 */
#include <string.h>

#include "base/map.h"
#include "base/strbuf.h"
#include "verify/suite/program/parts.h"

#define EXITS " exit _exit quit SystemExit "

/* Something to be put into the text. */
struct insertion {
	size_t at;
	const char *text;
};

struct seal {
	struct program_text program;
	const char *token;
	struct insertion *items;
	size_t n;
};

static void seal_insert(struct seal *seal, size_t at, const char *text)
{
	struct insertion item = {at, text};
	ARENA_PUSH(seal->program.arena, seal->items, seal->n, item);
	for (size_t i = seal->n - 1; i && seal->items[i - 1].at > at; i--) {
		seal->items[i] = seal->items[i - 1];
		seal->items[i - 1] = item;
	}
}

/* An expression that prints a mark when it is first reached. The token is in two pieces, so that a
 * program that prints its own text does not print the mark. */
static const char *seal_mark(const struct seal *seal, const char *name)
{
	const char *head = seal->token, *tail = seal->token + strlen(seal->token) / 2;
	int n = (int)(tail - head);
	if (seal->program.language == PROGRAM_SCRIPT)
		return arena_printf(seal->program.arena,
			"(globalThis[\"%.*s%s\"]||(globalThis[\"%.*s%s\"]=1,console.log(\"%.*s\"+\"%s%s\")))",
			n, head, name, n, head, name, n, head, tail, name);
	return arena_printf(seal->program.arena,
		"['%.*s%s'in __import__('sys').__dict__ or __import__('sys').__dict__.update({'%.*s%s':"
		"__import__('os').write(1,b'%.*s'b'%s%s'+bytes([10]))})]",
		n, head, name, n, head, name, n, head, tail, name);
}

static const char *seal_numbered(const struct seal *seal, size_t number, char letter)
{
	return seal_mark(seal, arena_printf(seal->program.arena, ".%zu%c", number, letter));
}

/* The end of a call, without its semicolon. */
static size_t seal_call_end(const struct program_text *program, const struct program_part *part)
{
	return part->end - (program->text[part->end - 1] == ';');
}

/* Whether the value of a call is used. */
static bool seal_is_used(const struct program_text *program, const struct program_part *part)
{
	uint32_t first = program_token_at(program, part->start);
	uint32_t next = program_token_at(program, seal_call_end(program, part));
	return (first && program_in(program, first - 1, " await return yield => new ")) ||
		program_in(program, next, " . ?. : { ");
}

static void seal_call(struct seal *seal, const struct program_part *part, size_t number)
{
	const struct program_text *program = &seal->program;
	struct arena *arena = program->arena;
	size_t end = seal_call_end(program, part);
	if (seal_is_used(program, part))
		return;
	seal_insert(
		seal, part->start, arena_printf(arena, "void(%s,", seal_numbered(seal, number, 'r')));
	seal_insert(seal, end, arena_printf(arena, ",%s)", seal_numbered(seal, number, 'p')));
}

static void seal_statement(struct seal *seal, const struct program_part *part, size_t number)
{
	struct arena *arena = seal->program.arena;
	seal_insert(
		seal, part->start, arena_printf(arena, "assert%s;", seal_numbered(seal, number, 'r')));
	seal_insert(
		seal, part->end, arena_printf(arena, ";assert%s", seal_numbered(seal, number, 'p')));
}

/* Before a simple statement only: what opens a block must begin its line. */
static void seal_example(struct seal *seal, const struct program_part *part, size_t number)
{
	static const char heads[] = " if for while with try def class async @ match ";
	const char *text = seal->program.text + part->start, *at = text + 3;
	at += strspn(at, " ");
	size_t n = *at == '@' ? 1 : strcspn(at, " (:\r\n");
	if (!n || words_hold(heads, at, n))
		return;
	seal_insert(seal, part->start + (size_t)(at - text),
		arena_printf(seal->program.arena, "%s and None;", seal_numbered(seal, number, 'r')));
}

/* Tests within a class of Python's are a runner's, which reports each. */
static void seal_parts(struct seal *seal, const struct program_pair *pair)
{
	for (size_t i = 0; i < pair->old.n_parts; i++) {
		const struct program_part *part = &seal->program.parts[pair->at[i]];
		if (part->kind == PART_EXAMPLE)
			seal_example(seal, part, i);
		else if (part->kind == PART_ASSERTION && seal->program.language == PROGRAM_SCRIPT)
			seal_call(seal, part, i);
		else if (part->kind == PART_ASSERTION && !strstr(part->context, " class "))
			seal_statement(seal, part, i);
	}
}

/* Whether a call at token `i` ends the program, with one value at most. */
static bool seal_is_exit(const struct program_text *program, uint32_t i)
{
	const struct token *tokens = program->list.tokens;
	if (!program_in(program, i, EXITS) || !program_is(program, i + 1, "(") ||
		tokens[i + 1].match == NO_TOKEN || (i && program_in(program, i - 1, " def function ")))
		return false;
	if (i > 1 && program_is(program, i - 1, ".") && !program_in(program, i - 2, " sys os process "))
		return false;
	for (uint32_t k = i + 2; k < tokens[i + 1].match; k++)
		if (tokens[k].around == i + 1 && program_in(program, k, " , = * ** ... "))
			return false;
	return true;
}

/* Its line and its context. */
static const char *seal_exit_place(const struct program_text *program, uint32_t i)
{
	uint32_t block;
	const char *line = program->text + program->list.tokens[i].start - program_column(program, i);
	return arena_printf(program->arena, "%.*s\n%s", (int)strcspn(line, "\n"), line,
		program_context(program, i, &block));
}

/* A call of unittest.main ends a program: the runner reports its tests. */
static void seal_runner(struct seal *seal, uint32_t i, const char *end)
{
	const struct program_text *program = &seal->program;
	if (!program_is(program, i, "unittest") || !program_is(program, i + 1, ".") ||
		!program_is(program, i + 2, "main") || !program_is(program, i + 3, "("))
		return;
	bool empty = program_is(program, i + 4, ")");
	seal_insert(seal, program->list.tokens[i + 3].start + 1,
		arena_printf(program->arena, "*%s[1:]%s", end, empty ? "" : ","));
}

/* A program may end by a call that the base has. A new one does not count. */
static void seal_exits(struct seal *seal, const struct program_text *old)
{
	struct program_text *program = &seal->program;
	const struct token *tokens = program->list.tokens;
	struct map known = {0};
	const char *end = seal_mark(seal, ".end");
	bool python = program->language == PROGRAM_PYTHON;
	for (uint32_t i = 0; i < old->list.n; i++)
		if (seal_is_exit(old, i))
			map_put(&known, program->arena, seal_exit_place(old, i), seal);
	for (uint32_t i = 0; i < program->list.n; i++) {
		seal_runner(seal, i, end);
		if (!seal_is_exit(program, i) || !map_get(&known, seal_exit_place(program, i)))
			continue;
		bool empty = tokens[i + 1].match == i + 2;
		seal_insert(seal, tokens[i + 1].start + 1, "[");
		seal_insert(seal, tokens[tokens[i + 1].match].start,
			arena_printf(
				program->arena, empty ? python ? "None,%s][0]" : "%s][1]" : ",%s][0]", end));
	}
}

static const char *seal_build(const struct seal *seal)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const struct program_text *program = &seal->program;
	size_t from = 0;
	for (size_t i = 0; i < seal->n; from = seal->items[i++].at) {
		strbuf_add(&sb, program->text + from, seal->items[i].at - from);
		strbuf_adds(&sb, seal->items[i].text);
	}
	strbuf_adds(&sb, program->text + from);
	return sb.cut ? NULL : arena_strndup(program->arena, sb.text, sb.length);
}

const char *program_seal_text(const char *path, const char *old, const char *fixed,
	const char *token, bool marks, struct arena *arena)
{
	struct program_pair pair;
	size_t kept = program_pair_read(&pair, path, old, fixed, arena);
	if (pair.old.language == PROGRAM_OTHER || kept < pair.old.n_parts)
		return NULL;
	struct seal seal = {.program = pair.fixed, .token = token};
	if (marks)
		seal_parts(&seal, &pair);
	seal_exits(&seal, &pair.old);
	seal_insert(&seal, strlen(fixed),
		arena_printf(arena, pair.old.language == PROGRAM_PYTHON ? "\n%s\n" : "\n;%s;\n",
			seal_mark(&seal, ".end")));
	return seal_build(&seal);
}

/* --- A test that must fail --- */

/* As an assertion of the same kind. */
static const char *counter_call(
	const struct program_text *program, const struct program_part *part, const char *word)
{
	const char *text = program->text + part->start;
	uint32_t first = program_token_at(program, part->start);
	bool begins = !first || program_in(program, first - 1, " ; { } ");
	if (!begins || seal_is_used(program, part))
		return NULL;
	return arena_printf(program->arena, ";%s\"%s\");",
		text_starts_with(text, "console")       ? "console.assert(false, "
			: text_starts_with(text, "assert.") ? "assert.fail("
												: "assert(false, ",
		word);
}

static const char *counter_example(
	const struct program_text *program, const struct program_part *part, const char *word)
{
	size_t line = part->start;
	while (line && program->text[line - 1] != '\n')
		line--;
	int n = (int)strspn(program->text + line, " \t");
	const char *indentation = program->text + line;
	if (line + (size_t)n != part->start)
		return NULL;
	return arena_printf(
		program->arena, "\n%.*s>>> '%s'\n%.*s0", n, indentation, word, n, indentation);
}

const char *program_counter_text(const char *path, const char *old, const char *fixed, size_t part,
	const char *word, struct arena *arena)
{
	struct program_pair pair;
	if (program_pair_read(&pair, path, old, fixed, arena) <= part)
		return NULL;
	struct seal seal = {.program = pair.fixed, .token = word};
	const struct program_part *after = &pair.fixed.parts[pair.at[part]];
	const char *text;
	if (after->kind == PART_EXAMPLE)
		text = counter_example(&pair.fixed, after, word);
	else if (pair.fixed.language == PROGRAM_SCRIPT)
		text = counter_call(&pair.fixed, after, word);
	else
		text = arena_printf(arena, ";assert 0,'%s'", word);
	if (text)
		seal_insert(&seal, after->end, text);
	return text ? seal_build(&seal) : NULL;
}
