/* A default that all calls share: "def f(xs=[])" gets a new list at each call. */
#include <string.h>

#include "repair/pool/gap.h"
#include "repair/pool/phrase.h"

/* The first statement of a function's body, which may be its docstring. */
static uint32_t default_body_of(const struct source *source, const struct definition *definition)
{
	uint32_t i = source->tokens[definition->open].match + 1;
	while (i <= definition->last && !source->tokens[i].first)
		i++;
	return i;
}

static void default_propose(struct site *site)
{
	const struct source *source = site->source;
	uint32_t at = site->at, owner = source->owner[at];
	bool python = is_python(source);
	bool empty = python && token_in(source, at, " [ { ") && source->tokens[at].match == at + 1 &&
		at > 1 && token_is(source, at - 1, "=") && is_name(source, at - 2) && owner != NO_TOKEN;
	const struct definition *definition = empty ? &site->source->definitions->items[owner] : NULL;
	if (!definition || definition->open == NO_TOKEN ||
		source->tokens[at].around != definition->open)
		return;
	uint32_t body = default_body_of(source, definition);
	if (body > definition->last || source->line_first[source->tokens[body].line] != body)
		return;
	const char *name = site_text(site, at - 2, at - 2),
			   *indent = line_indent(source, site->arena, body);
	struct proposal *proposal = proposef(site, 3.4, "begin with a new '%s' at each call", name);
	proposal_replace(site, proposal, span_of(at, at + 1), "None");
	const char *begin =
		phrase_if(source, site->arena, indent, arena_printf(site->arena, "%s is None", name),
			arena_printf(site->arena, "%s = %s", name, site_text(site, at, at + 1)));
	if (source->tokens[body].kind == TOKEN_STRING)
		proposal_insertf(
			site, proposal, line_stop(source, body), "%s%s%s", source->line_end, indent, begin);
	else
		proposal_insertf(
			site, proposal, source->tokens[body].start, "%s%s%s", begin, source->line_end, indent);
}

MUTATION(default, .least = 3.4, .rank = CANDIDATE_STRUCTURE, .once = true);
