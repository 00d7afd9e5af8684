/* What is given out: the edit, what it is called, and how much it is to be believed. */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "repair/search.h"

enum { WHAT_MOST = 120 }; /* bytes that say what an edit does */

/* What an edit does, on one line and no longer than one reads; code in it may be neither. */
static void candidate_add_short(struct strbuf *sb, const char *what)
{
	size_t n = strlen(what), start = n > WHAT_MOST ? n - WHAT_MOST / 2 : 0;
	for (size_t i = 0; i < n; i++) {
		bool cut = start && i >= WHAT_MOST / 2 && i < start;
		if (cut && i == WHAT_MOST / 2)
			strbuf_adds(sb, " ... ");
		else if (!cut && (!isspace((unsigned char)what[i]) || !isspace((unsigned char)what[i + 1])))
			strbuf_addc(sb, isspace((unsigned char)what[i]) ? ' ' : what[i]);
	}
}

static const char *candidate_describe(
	struct repair *repair, const struct source *source, uint32_t line, const char *what)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF scrubbed = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&sb, source->file->path);
	if (line)
		strbuf_addf(&sb, ":%u", line);
	strbuf_adds(&sb, "  ");
	candidate_add_short(&sb, what);
	utf8_scrub(&scrubbed, sb.text, sb.length); /* a cut may have gone through a character */
	return arena_strndup(repair->arena, scrubbed.text, scrubbed.length);
}

static const char *candidate_hash_of(struct repair *repair, struct source *source)
{
	if (!source->hash) {
		char hex[HASH_SIZE];
		hash_bytes(source->file->text, source->file->n, hex);
		source->hash = arena_strdup(repair->arena, hex);
	}
	return source->hash;
}

/* Numbers that are everywhere, and say nothing of a test where they are a part of a value. */
#define PLAIN_LITERALS " 0 1 2 -1 0.0 1.0 "

/* Whether a function fails tests: it throws what assertions throw. */
static bool candidate_asserts(const struct source *source, const struct definition *definition)
{
	for (uint32_t i = definition->first; i <= definition->last; i++)
		if (token_is(source, i, "AssertionError"))
			return true;
	return false;
}

static bool candidate_compares(const struct source *source, const struct definition *definition)
{
	static const char names[] =
		" __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __bool__ equals Equals Equal isEqual "
		"is_equal eql eq ne cmp partial_cmp compareTo hashCode Less ";
	uint32_t open = definition->open;
	if (definition->name && words_hold(names, definition->name->text, definition->name->n))
		return true;
	return open != NO_TOKEN && open > 1 &&
		token_in(source, open - 1, " == != < > <= >= <=> bool ") &&
		token_in(source, open - 2, " operator def ");
}

/* Whether an edit is in a function that tests call to judge: it says what equals what, or throws
 * where something is not as it should be. Whatever makes it say "yes" more often also makes failing
 * tests pass, right or not. */
static bool candidate_is_in_judge(
	const struct repair *repair, const struct source *source, const struct proposal *proposal)
{
	uint32_t i = source_token_at(source, proposal->splices[0].offset);
	uint32_t owner = i < source->n ? source->owner[i] : NO_TOKEN;
	for (; owner != NO_TOKEN; owner = repair->definitions.items[owner].parent) {
		const struct definition *definition = &repair->definitions.items[owner];
		if (definition->kind == DEFINITION_FUNCTION &&
			(candidate_compares(source, definition) || candidate_asserts(source, definition)))
			return true;
	}
	return false;
}

static enum candidate_rank candidate_rank_of(const struct repair *repair,
	const struct source *source, uint32_t mutation, const struct proposal *proposal)
{
	enum candidate_rank rank = mutations[mutation]->rank;
	if (rank < CANDIDATE_EQUALITY && candidate_is_in_judge(repair, source, proposal))
		rank = CANDIDATE_EQUALITY;
	const char *literal = proposal->literal;
	if (!literal || (!proposal->is_whole && words_hold(PLAIN_LITERALS, literal, strlen(literal))))
		return rank;
	size_t quoted = strchr("\"'`", literal[0]) ? 1 : 0, n = strlen(literal);
	size_t skipped = literal[0] == '-' ? 1 : quoted; /* a sign is a token of its own */
	const struct term *term = n > skipped + quoted
		? term_of(words_find(&repair->words, literal + skipped, n - skipped - quoted))
		: NULL;
	return term && term->failing && rank < CANDIDATE_SPECIAL ? CANDIDATE_SPECIAL : rank;
}

static struct file_edit candidate_file_edit(
	struct repair *repair, uint32_t index, const struct proposal *proposal)
{
	struct source *source = &repair->sources[index];
	return (struct file_edit){.path = source->file->path,
		.base_hash = candidate_hash_of(repair, source),
		.splices = proposal->splices,
		.n = proposal->n};
}

void repair_fill(struct repair *repair, const struct task *task, struct candidate *ret_candidate)
{
	struct file_edit *file = arena_alloc(repair->arena, sizeof *file);
	*file = candidate_file_edit(repair, task->source, task->proposal);
	*ret_candidate = (struct candidate){.id = ++repair->produced,
		.kind = mutations[task->mutation]->name,
		.rank = candidate_rank_of(
			repair, &repair->sources[task->source], task->mutation, task->proposal),
		.cost = task->cost,
		.edit = {.description = candidate_describe(repair, &repair->sources[task->source],
					 task->proposal->n_places ? 0 : task->line, task->proposal->what),
			.files = file,
			.n = 1}};
}

void repair_fill_pair(
	struct repair *repair, const struct pair *pair, struct candidate *ret_candidate)
{
	struct file_edit *files = arena_alloc(repair->arena, 2 * sizeof *files);
	enum candidate_rank rank = CANDIDATE_STRUCTURE;
	for (size_t i = 0; i < 2; i++) {
		const struct source *source = &repair->sources[pair->sources[pair->n == 2 ? i : 0]];
		enum candidate_rank own =
			candidate_rank_of(repair, source, pair->mutations[i], pair->proposals[i]);
		rank = own > rank ? own : rank;
	}
	for (size_t i = 0; i < pair->n; i++)
		files[i] = candidate_file_edit(repair, pair->sources[i], &pair->joined[i]);
	const char *what = pair->joined[0].what;
	if (pair->n == 2)
		what = arena_printf(
			repair->arena, "%s, and %s: %s", what, files[1].path, pair->joined[1].what);
	*ret_candidate = (struct candidate){.id = ++repair->produced,
		.kind = "pair",
		.rank = rank,
		.cost = pair->cost,
		.edit = {
			.description = candidate_describe(repair, &repair->sources[pair->sources[0]], 0, what),
			.files = files,
			.n = pair->n}};
}
