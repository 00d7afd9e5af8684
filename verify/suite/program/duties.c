/* What a sealed fix has to print. What ran at the base must run and pass; once a failed part
 * passes, so must those below it in its block. */
#include <string.h>

#include "verify/suite/program/parts.h"

struct duties {
	struct program_text program;
	const char *output, *token;
	struct program_duty *items;
	size_t n;
};

static const char *duty_mark(const struct duties *duties, size_t part, char letter)
{
	return arena_printf(duties->program.arena, ".%zu%c", part, letter);
}

static const char *duty_find(const struct duties *duties, const char *mark)
{
	return strstr(duties->output, arena_printf(duties->program.arena, "%s%s", duties->token, mark));
}

static void duty_add(struct duties *duties, size_t part, char letter)
{
	struct program_duty duty = {
		duty_mark(duties, part, letter), program_part_line(&duties->program, part)};
	ARENA_PUSH(duties->program.arena, duties->items, duties->n, duty);
}

/* Whether two parts are statements of one block that catches no throw. */
static bool duty_shares_block(const struct program_part *a, const struct program_part *b)
{
	static const char guarded[] = " try with while for else except catch finally => switch ";
	const char *head = a->context + (*a->context == ' ');
	size_t n = strcspn(head, " ");
	return b->kind == PART_ASSERTION && a->block == b->block &&
		strcmp(a->context, b->context) == 0 && !(n && words_hold(guarded, head, n));
}

/* Whether the statement of `b` runs wherever that of `a` has passed: nothing between them leaves
 * the block, and no condition precedes it. */
static bool duty_follows(
	const struct program_text *program, const struct program_part *a, const struct program_part *b)
{
	static const char leaving[] = " return break continue raise throw yield exit quit ";
	uint32_t end = program_token_at(program, b->start);
	for (uint32_t k = program_token_at(program, a->end); k < end; k++)
		if (program_in(program, k, leaving))
			return false;
	return program->language == PROGRAM_PYTHON || (end && program_in(program, end - 1, " ; { } "));
}

/* The assertion that was reached last: the one that ended the program. */
static size_t duty_last(const struct duties *duties)
{
	size_t found = duties->program.n_parts;
	const char *last = NULL;
	for (size_t i = 0; i < duties->program.n_parts; i++) {
		const char *at = duties->program.parts[i].kind == PART_ASSERTION
			? duty_find(duties, duty_mark(duties, i, 'r'))
			: NULL;
		if (at && at > last) {
			last = at;
			found = i;
		}
	}
	return found;
}

/* Parts that were not reached, after one that must pass. */
static void duty_add_following(struct duties *duties, size_t i, bool *owed)
{
	const struct program_part *parts = duties->program.parts;
	for (size_t other = i + 1; other < duties->program.n_parts; other++) {
		if (!duty_shares_block(&parts[i], &parts[other]))
			continue;
		if (!duty_follows(&duties->program, &parts[i], &parts[other]))
			return;
		i = other;
		if (!owed[other])
			duty_add(duties, other, 'p');
		owed[other] = true;
	}
}

size_t program_duties(const char *path, const char *old, const char *output, const char *token,
	struct arena *arena, struct program_duty **ret_duties)
{
	struct duties duties = {.output = output, .token = token};
	program_read(&duties.program, path, old, arena);
	size_t n = duties.program.n_parts, last = duty_last(&duties);
	bool *owed = arena_alloc(arena, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (owed[i] || !duty_find(&duties, duty_mark(&duties, i, 'r')))
			continue;
		bool passes = i == last || duty_find(&duties, duty_mark(&duties, i, 'p'));
		owed[i] = true;
		duty_add(&duties, i, passes ? 'p' : 'r');
		if (passes)
			duty_add_following(&duties, i, owed);
	}
	*ret_duties = duties.items;
	return duties.n;
}
