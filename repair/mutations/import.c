/*
 * A name that nothing brings in: the import or include that was forgotten. Where it comes from is
 * known of a few libraries' most used names, and of the project's own definitions.
 */
#include <ctype.h>
#include <string.h>

#include "base/memory.h"
#include "repair/search.h"

struct home {
	const char *languages, *names, *line; /* a '%' in the line stands for the name */
};

static const struct home homes[] = {
	{" python ",
		" math os re sys json random time datetime string itertools functools collections "
		"operator copy heapq bisect statistics decimal fractions textwrap logging shutil "
		"subprocess tempfile typing enum dataclasses pathlib csv io ",
		"import %"},
	{" python ", " defaultdict Counter deque OrderedDict namedtuple ChainMap ",
		"from collections import %"},
	{" python ", " lru_cache reduce partial wraps cmp_to_key total_ordering ",
		"from functools import %"},
	{" python ",
		" chain product permutations combinations accumulate groupby count cycle islice "
		"zip_longest ",
		"from itertools import %"},
	{" python ", " timedelta date ", "from datetime import %"},
	{" python ", " sqrt ceil floor pi gcd log isclose ", "from math import %"},
	{" python ", " dataclass field ", "from dataclasses import %"},
	{" python ", " Path ", "from pathlib import %"},
	{" python ", " Decimal ", "from decimal import %"},
	{" python ", " Fraction ", "from fractions import %"},
	{" python ", " Enum ", "from enum import %"},
	{" python ", " List Dict Optional Tuple Set Any Union ", "from typing import %"},
	{" python ", " heappush heappop heapify ", "from heapq import %"},
	{" python ", " bisect_left bisect_right insort ", "from bisect import %"},
	{" python ", " deepcopy ", "from copy import %"},
	{" python ", " contextmanager ", "from contextlib import %"},
	{" javascript ", " fs path os util assert crypto events url ", "const % = require('%');"},
	{" c ",
		" strlen strcmp strncmp strcpy strncpy strcat strchr strrchr strstr memcpy memmove "
		"memset memcmp strdup ",
		"#include <string.h>"},
	{" c ", " malloc calloc realloc free abs atoi strtol qsort exit getenv abort NULL ",
		"#include <stdlib.h>"},
	{" c ", " printf fprintf snprintf puts fopen fclose fgets FILE stderr stdout ",
		"#include <stdio.h>"},
	{" c ", " isdigit isalpha isalnum isspace isupper islower toupper tolower ispunct isxdigit ",
		"#include <ctype.h>"},
	{" c ", " INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN CHAR_BIT ", "#include <limits.h>"},
	{" c ", " bool true false ", "#include <stdbool.h>"},
	{" c ", " uint8_t uint16_t uint32_t uint64_t int32_t int64_t SIZE_MAX ", "#include <stdint.h>"},
	{" c ", " sqrt pow fabs floor ceil log sin cos ", "#include <math.h>"},
	{" c ", " assert ", "#include <assert.h>"},
	{" go ", " fmt strings errors math sort strconv os unicode bytes time ", "import \"%\""},
	{" java ",
		" List ArrayList Map HashMap Set HashSet Arrays Collections LinkedList Deque "
		"ArrayDeque Optional Objects Iterator ",
		"import java.util.%;"},
};

static const char *import_fill_in(struct arena *arena, const char *line, const char *name)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	for (; *line; line++) {
		if (*line == '%')
			strbuf_adds(&sb, name);
		else
			strbuf_addc(&sb, *line);
	}
	return arena_strndup(arena, sb.text, sb.length);
}

/* After what must come first: a first comment, a docstring, "package", and before the first
 * import or code. */
static size_t place_for_import(const struct source *source)
{
	uint32_t i = 0;
	while (i < source->n &&
		(source->tokens[i].kind == TOKEN_STRING || token_is(source, i, "package") ||
			(i && token_is(source, i - 1, "package")) || token_is(source, i, "__future__") ||
			token_is(source, i, "#pragma")))
		i++;
	if (i < source->n && token_is(source, i, "from") && token_is(source, i + 1, "__future__"))
		while (i + 1 < source->n && !source->tokens[++i].first)
			;
	if (i >= source->n)
		return source->file->n;
	return line_start(source, i);
}

static void import_put_line(struct site *site, double cost, const char *line)
{
	size_t n = strlen(line);
	if (memmem(site->source->file->text, site->source->file->n, line, n))
		return;
	proposal_insertf(site, proposef(site, cost, "add '%s'", line), place_for_import(site->source),
		"%s%s", line, site->source->line_end);
}

/* "from module import name", where another file of the project defines it at its top. */
static void import_own(struct site *site, const struct term *term)
{
	const struct source *source = site->source;
	bool python = is_python(source);
	for (size_t d = 0; python && d < term->n_definitions && d < 4; d++) {
		const struct definition *definition =
			&site->source->definitions->items[term->definitions[d]];
		if (definition->source == source || definition->parent != NO_TOKEN ||
			!definition->source->file->editable)
			continue;
		const char *path = definition->source->file->path,
				   *slash = strrchr(source->file->path, '/');
		size_t dir = slash ? (size_t)(slash + 1 - source->file->path) : 0;
		bool beside = strncmp(path, source->file->path, dir) == 0 && !strchr(path + dir, '/');
		char *whole = arena_strdup(site->arena, path);
		char *suffix = strrchr(whole, '.');
		*suffix = '\0';
		for (char *at = whole; (at = strchr(at, '/'));)
			*at = '.';
		const char *name = term->word.text;
		import_put_line(site, 2.1, arena_printf(site->arena, "from %s import %s", whole, name));
		if (beside) {
			import_put_line(
				site, 2.2, arena_printf(site->arena, "from .%s import %s", whole + dir, name));
			import_put_line(
				site, 2.3, arena_printf(site->arena, "from %s import %s", whole + dir, name));
		}
	}
}

/* What other languages call nothing and the truths. */
static void import_literal(struct site *site)
{
	const struct language *language = site->source->language;
	const struct span span = {site->at, site->at};
	if (language->word_true && token_in(site->source, site->at, " true True TRUE "))
		propose_text(site, 2.1, span, language->word_true);
	if (language->word_false && token_in(site->source, site->at, " false False FALSE "))
		propose_text(site, 2.1, span, language->word_false);
	if (language->word_null &&
		token_in(site->source, site->at, " null None nil NULL undefined nullptr "))
		propose_text(site, 2.1, span, language->word_null);
}

static void import_propose(struct site *site)
{
	const struct source *source = site->source;
	const struct token *token = &source->tokens[site->at];
	if (!token->word || (token->kind != TOKEN_NAME && token->kind != TOKEN_KEYWORD) ||
		!source->traced[token->line])
		return;
	const struct term *term = term_of(token->word);
	if (!term->blamed)
		return;
	import_literal(site);
	for (size_t i = 0; i < ARRAY_SIZE(homes); i++)
		if (language_in(source->language, homes[i].languages) &&
			words_hold(homes[i].names, token->word->text, token->word->n))
			import_put_line(site, 2, import_fill_in(site->arena, homes[i].line, token->word->text));
	import_own(site, term);
}

MUTATION(import, .least = 2, .rank = CANDIDATE_STRUCTURE, .printed = true, .once = true);
