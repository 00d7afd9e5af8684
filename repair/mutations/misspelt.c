/*
 * A name that the runner does not find: of a module, of what is imported, exported or linked. It is
 * misspelt where it is said, or where it is defined. Imports and declarations are looked at, too.
 */
#include <string.h>

#include "base/file.h"
#include "repair/search.h"

enum { NEAR_MOST = 6 }; /* spellings that are proposed for one */

struct misspelt {
	struct site *site;
	size_t start, n; /* the name in the text */
	size_t given;
};

static void misspelt_put(struct misspelt *name, double cost, const char *text, size_t n)
{
	struct site *site = name->site;
	const char *old = site->source->file->text + name->start;
	if (name->given == NEAR_MOST || (n == name->n && memcmp(old, text, n) == 0))
		return;
	name->given++;
	const char *to = arena_strndup(site->arena, text, n);
	const char *what = arena_printf(site->arena, "'%.*s' to '%s'", (int)name->n, old, to);
	proposal_splice(site, propose(site, cost, what), name->start, name->n, to);
}

static void misspelt_put_near(struct misspelt *name, double cost, const char *text, size_t n)
{
	if (spelling_is_near(name->site->source->file->text + name->start, name->n, text, n))
		misspelt_put(name, cost, text, n);
}

/* Modules are named like files and folders. */
static void misspelt_put_paths(struct misspelt *name, double cost)
{
	const struct repair *repair = name->site->repair;
	for (size_t s = 0; s < repair->n; s++)
		for (const char *at = repair->sources[s].file->path; *at;) {
			size_t n = strcspn(at, "/.");
			misspelt_put_near(name, cost, at, n);
			at += n + (at[n] != '\0');
		}
}

/* It is what the runner does not find: other names of the file, of the project, of its files. */
static void misspelt_put_others(struct misspelt *name)
{
	const struct repair *repair = name->site->repair;
	const struct source *source = name->site->source;
	for (size_t i = 0; i < repair->n_suggested; i++)
		misspelt_put(name, 0.9, repair->suggested[i], strlen(repair->suggested[i]));
	misspelt_put_paths(name, 1);
	for (uint32_t i = 0; i < source->n; i++)
		if (source->tokens[i].kind == TOKEN_NAME)
			misspelt_put_near(name, 1.1, source->file->text + source->tokens[i].start,
				source->tokens[i].length);
	for (size_t d = 0; d < repair->definitions.n; d++)
		misspelt_put_near(name, 1.2, repair->definitions.items[d].name->text,
			repair->definitions.items[d].name->n);
}

static void misspelt_look_at(struct site *site, size_t start, size_t n)
{
	const struct repair *repair = site->repair;
	const char *text = site->source->file->text + start;
	struct misspelt name = {.site = site, .start = start, .n = n};
	for (size_t i = 0; i < repair->n_unknown; i++) {
		const char *unknown = repair->unknown[i];
		if (strlen(unknown) == n && memcmp(unknown, text, n) == 0)
			misspelt_put_others(&name);
		else
			misspelt_put_near(&name, 1.4, unknown, strlen(unknown));
	}
}

/* Names, and those in strings, which may be paths of modules. */
static void misspelt_propose(struct site *site)
{
	const struct source *source = site->source;
	const char *text = source->file->text;
	uint32_t end = source->line_first[source->tokens[site->at].line + 1];
	for (uint32_t i = site->at; i < end; i++) {
		const struct token *token = &source->tokens[i];
		size_t stop = token->start + token->length, n;
		if (token->kind != TOKEN_NAME && token->kind != TOKEN_STRING)
			continue;
		for (size_t at = token->start; at < stop; at += n + !n) {
			n = name_length(text + at, stop - at);
			if (n)
				misspelt_look_at(site, at, n);
		}
	}
}

MUTATION(misspelt, .least = 0.9, .rank = CANDIDATE_OPERATOR, .named = true,
	.by_line = true);
