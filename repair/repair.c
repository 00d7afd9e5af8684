/*
 * The search. Everything that may be tried is in one queue: lines by their suspicion with the next
 * mutation that they wait for, and what mutations proposed. A line is opened only when nothing
 * cheaper is left, so that the order is the one of all candidates although few of them are ever
 * made.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "repair/search.h"

enum {
	FILE_MOST = 1 << 20,     /* bytes */
	LINE_MOST = 5000,        /* a longer line is not written by people */
	WHOLE_FILE_MOST = 20000, /* tokens of a file that is searched for equal places */
	WHAT_MOST = 120,         /* bytes that say what an edit does */
};

static bool is_readable(const struct repair_file *file)
{
	if (!language_of(file->path) || file->n > FILE_MOST ||
		utf8_valid_length(file->text, file->n) < file->n)
		return false;
	for (const char *at = file->text, *end = file->text + file->n; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		if ((newline ? newline : end) - at > LINE_MOST)
			return false;
		at = newline ? newline + 1 : end;
	}
	return true;
}

bool repair_knows(const char *path)
{
	return language_of(path);
}

static void name_definitions(struct repair *repair)
{
	for (uint32_t i = 0; i < repair->definitions.n; i++) {
		const struct definition *definition = &repair->definitions.items[i];
		struct word *word =
			words_intern(&repair->words, definition->name->text, definition->name->n);
		ARENA_PUSH(repair->arena, word->definitions, word->n_definitions, i);
	}
}

static void read_sources(struct repair *repair, const struct repair_file *files, size_t n)
{
	repair->sources = arena_alloc(repair->arena, n * sizeof *repair->sources);
	for (size_t i = 0; i < n; i++) {
		if (!is_readable(&files[i]))
			continue;
		struct source *source = &repair->sources[repair->n];
		*source = (struct source){.file = &files[i],
			.language = language_of(files[i].path),
			.words = &repair->words,
			.index = (uint32_t)repair->n};
		repair->n++;
		source_lex(source, repair->arena);
		source_find_structure(source, repair->arena, &repair->definitions);
		source->traced = arena_alloc(repair->arena, (source->n_lines + 2) * sizeof *source->traced);
		source->cost = arena_alloc(repair->arena, (source->n_lines + 2) * sizeof *source->cost);
	}
	name_definitions(repair);
}

static bool is_live(const struct source *source, uint32_t line)
{
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++)
		if (source->tokens[i].role != ROLE_DEAD)
			return true;
	return false;
}

static void push_lines(struct repair *repair, const struct source *source)
{
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		if (!is_live(source, line))
			continue;
		queue_push(&repair->queue, repair->arena,
			&(struct task){.kind = TASK_LINE,
				.cost = (double)source->cost[line] + mutations[0]->least,
				.source = source->index,
				.line = line,
				.offset = source->tokens[source->line_first[line]].start});
	}
}

struct repair *repair_new(struct arena *arena, const struct repair_file *files, size_t n,
	const struct test_report *report)
{
	struct repair *repair = arena_alloc(arena, sizeof *repair);
	*repair = (struct repair){.arena = arena, .words = {.arena = arena}};
	read_sources(repair, files, n);
	repair_localise(repair, report);
	for (size_t i = 0; i < repair->n; i++)
		if (repair->sources[i].file->editable)
			push_lines(repair, &repair->sources[i]);
	return repair;
}

/* Let one mutation propose, and put the line back for the next, which costs more. */
static void open_line(struct repair *repair, const struct task *task)
{
	const struct source *source = &repair->sources[task->source];
	double line_cost = (double)source->cost[task->line];
	struct proposal **proposals;
	size_t n = mutation_propose(
		mutations[task->mutation], repair, source, task->line, repair->arena, &proposals);
	for (size_t i = 0; i < n; i++) {
		struct task new = *task;
		new.kind = TASK_PROPOSAL;
		new.proposal = proposals[i];
		new.offset = (uint32_t)proposals[i]->splices[0].offset;
		new.cost = line_cost + proposals[i]->cost;
		queue_push(&repair->queue, repair->arena, &new);
	}
	if (task->mutation + 1 == mutations_n)
		return;
	struct task rest = *task;
	rest.mutation++;
	rest.cost = line_cost + mutations[rest.mutation]->least;
	queue_push(&repair->queue, repair->arena, &rest);
}

/* The function or value around a line's first token; of functions within functions the innermost.
 */
static uint32_t scope_of(const struct repair *repair, const struct source *source, uint32_t line)
{
	uint32_t owner = source->owner[source->line_first[line]];
	while (owner != NO_TOKEN && repair->definitions.items[owner].kind == DEFINITION_CLASS)
		owner = repair->definitions.items[owner].parent;
	return owner;
}

/* Once a mutation had its turn at one place, several places may have theirs, somewhat later. */
static void schedule_same(struct repair *repair, const struct task *task)
{
	const struct source *source = &repair->sources[task->source];
	uint32_t scopes[] = {scope_of(repair, source, task->line), NO_TOKEN};
	for (size_t i = 0; i < 2; i++) {
		bool whole = scopes[i] == NO_TOKEN;
		uint64_t number = ((uint64_t)task->mutation << 56) | ((uint64_t)whole << 48) |
			(whole ? task->source : scopes[i]) | (uint64_t)1 << 55;
		if ((whole && source->n > WHOLE_FILE_MOST) ||
			!seen_add_number(&repair->scheduled, repair->arena, number))
			continue;
		struct task new = *task;
		new.kind = TASK_SAME;
		new.definition = scopes[i];
		new.cost = task->cost + SAME_BASE + 2 * SAME_EACH;
		queue_push(&repair->queue, repair->arena, &new);
	}
}

/* What an edit does, on one line and no longer than one reads; code in it may be neither. */
static void add_short(struct strbuf *sb, const char *what)
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

static const char *describe(
	struct repair *repair, const struct source *source, const struct task *task)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF scrubbed = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&sb, source->file->path);
	if (task->line)
		strbuf_addf(&sb, ":%u", task->line);
	strbuf_adds(&sb, "  ");
	add_short(&sb, task->proposal->what);
	utf8_scrub(&scrubbed, sb.text, sb.length); /* a cut may have gone through a character */
	return arena_strndup(repair->arena, scrubbed.text, scrubbed.length);
}

static const char *hash_of(struct repair *repair, struct source *source)
{
	if (!source->hash) {
		char hex[HASH_SIZE];
		hash_bytes(source->file->text, source->file->n, hex);
		source->hash = arena_strdup(repair->arena, hex);
	}
	return source->hash;
}

static void fill(struct repair *repair, const struct task *task, struct candidate *candidate)
{
	struct source *source = &repair->sources[task->source];
	const struct proposal *proposal = task->proposal;
	struct file_edit *file = arena_alloc(repair->arena, sizeof *file);
	*file = (struct file_edit){.path = source->file->path,
		.base_hash = hash_of(repair, source),
		.splices = proposal->splices,
		.n = proposal->n};
	*candidate = (struct candidate){.id = ++repair->produced,
		.edit = {.description = describe(repair, source, task), .files = file, .n = 1}};
}

bool repair_next(struct repair *repair, struct candidate *candidate)
{
	for (struct task task; queue_pop(&repair->queue, &task);) {
		switch (task.kind) {
		case TASK_LINE:
			open_line(repair, &task);
			break;
		case TASK_SAME:
			repair_propose_same(repair, &task);
			break;
		case TASK_PROPOSAL:
			if (task.line)
				schedule_same(repair, &task);
			if (!seen_add(
					&repair->texts, repair->arena, &repair->sources[task.source], task.proposal))
				break;
			fill(repair, &task, candidate);
			return true;
		}
	}
	return false;
}

struct suspect {
	const struct source *source;
	uint32_t line;
	float cost;
};

static int compare_suspects(const void *a, const void *b)
{
	const struct suspect *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->source != y->source)
		return x->source->index < y->source->index ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

size_t repair_suspects(const struct repair *repair, const char **places, size_t n)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct suspect *suspects = NULL;
	size_t found = 0;
	for (size_t i = 0; i < repair->n; i++) {
		const struct source *source = &repair->sources[i];
		for (uint32_t line = 1; source->file->editable && line <= source->n_lines; line++)
			if (is_live(source, line))
				ARENA_PUSH(
					&scratch, suspects, found, (struct suspect){source, line, source->cost[line]});
	}
	if (found)
		qsort(suspects, found, sizeof *suspects, compare_suspects);
	n = n < found ? n : found;
	for (size_t i = 0; i < n; i++)
		places[i] =
			arena_printf(repair->arena, "%s:%u", suspects[i].source->file->path, suspects[i].line);
	return n;
}
