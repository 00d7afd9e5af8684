/* What a program leaves shows its next run, or its next call, that it is not the first: a
 * path outside the tree, or one that the fix both asks for and makes. */
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/guard/code.h"

#define ASKS \
	" exists isfile is_file lexists access stat lstat existsSync accessSync statSync lstatSync " \
	"Stat Lstat try_exists "
#define MAKES \
	" touch mknod write_text write_bytes writeFileSync appendFileSync writeFile appendFile " \
	"creat create Create WriteFile createFile createNewFile writeString write symlink " \
	"symlinkSync "
#define OPENS " open fopen OpenFile openSync "
#define REACHES \
	ASKS MAKES OPENS " mkdir Path readFileSync mkdirSync ReadFile MkdirAll Mkdir File create_dir " \
					 "makedirs rename "

enum { ARGUMENTS_MOST = 32, FINDINGS_MOST = 8 };

/* --- Outside of the tree --- */

static bool depends_on_count_is_outside(const struct code *code, uint32_t i)
{
	static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/shm/"};
	const char *text;
	size_t n;
	if (!code_string(code, i, &text, &n) || n < 3 || *text != '/')
		return false;
	for (size_t p = 0; p < ARRAY_SIZE(places); p++)
		if (text_n_starts_with(text, n, places[p]))
			return true;
	return false;
}

static bool depends_on_count_occurs(const struct code *code, uint32_t i)
{
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	/* In a shell a path needs no quotes: [ -e /tmp/seen ]. */
	if (shell && code_in(code, i, " e f d s ") && code_is(code, i - (i > 0), "-"))
		return code_is(code, i + 1, "/") && code_in(code, i + 2, " tmp dev ");
	if (code->for_tests || !depends_on_count_is_outside(code, i))
		return false;
	return code_around_in(code, i, shell ? " -e -f touch [ test > >> " : REACHES);
}

/* --- Both asked for and made --- */

enum { ASKED = 1, MADE = 2 };

struct paths {
	struct map uses;  /* by path: one of these or both */
	struct map bound; /* names that stand for a path */
	struct arena *arena;
};

static void depends_on_count_bind_names(struct paths *paths, const struct code *code)
{
	for (uint32_t i = 0; i + 2 < code->tokens.n; i++) {
		const struct token *token = &code->tokens.tokens[i];
		const char *text;
		size_t n;
		if (token->kind != TOKEN_NAME || !code_in(code, i + 1, " = := "))
			continue;
		for (uint32_t at = i + 2;
			 at < i + 12 && at < code->tokens.n && code->tokens.tokens[at].line == token->line;
			 at++)
			if (code_path(code, at, &text, &n) && n) {
				map_put(&paths->bound, paths->arena, token->word->text,
					arena_strndup(paths->arena, text, n));
				break;
			}
	}
}

/* One path, however it is written. Returns all that has been done with it so far. */
static unsigned depends_on_count_add_use(
	struct paths *paths, const char *text, size_t n, unsigned use)
{
	for (; n && (*text == '/' || *text == '.') && n > 1 && (text[1] == '/' || *text == '/'); text++)
		n--;
	const char *path = arena_strndup(paths->arena, text, n);
	unsigned *uses = map_get(&paths->uses, path);
	if (!n)
		return 0;
	if (!uses)
		map_put(&paths->uses, paths->arena, path, uses = arena_alloc(paths->arena, sizeof *uses));
	*uses |= use;
	return *uses;
}

static unsigned depends_on_count_add_token(
	struct paths *paths, const struct code *code, uint32_t i, unsigned use)
{
	const char *text;
	size_t n;
	if (code_path(code, i, &text, &n))
		return depends_on_count_add_use(paths, text, n, use);
	const struct token *token = &code->tokens.tokens[i];
	const char *bound =
		token->kind == TOKEN_NAME ? map_get(&paths->bound, token->word->text) : NULL;
	return bound ? depends_on_count_add_use(paths, bound, strlen(bound), use) : 0;
}

/* Whether a call opens a file to write into it, by its arguments. */
static bool depends_on_count_opens_to_write(const struct code *code, uint32_t open, uint32_t end)
{
	for (uint32_t i = open + 1; i < end; i++)
		if (code_string_in(code, i, " w a x w+ a+ x+ wb ab xb wx ax wt at ") ||
			code_in(code, i, " O_CREAT O_CREATE "))
			return true;
	return false;
}

/* The use that a call makes of its arguments, and of what it is a method of. */
static unsigned depends_on_count_add_call(struct paths *paths, const struct code *code, uint32_t i)
{
	const struct token *tokens = code->tokens.tokens;
	uint32_t open = i + 1, end = open < code->tokens.n ? tokens[open].match : NO_TOKEN,
			 first = open;
	if (!code_is(code, open, "(") || end == NO_TOKEN || end <= open)
		return 0;
	end = end - open > ARGUMENTS_MOST ? open + ARGUMENTS_MOST : end;
	unsigned use = code_in(code, i, ASKS) ? ASKED : code_in(code, i, MAKES) ? MADE : 0, all = 0;
	if (code_in(code, i, OPENS) && depends_on_count_opens_to_write(code, open, end))
		use = MADE;
	if (i > 1 && code_is(code, i - 1, ".")) {
		bool called = code_is(code, i - 2, ")") && tokens[i - 2].match != NO_TOKEN;
		first = called && i - tokens[i - 2].match < ARGUMENTS_MOST ? tokens[i - 2].match : i - 2;
	}
	for (; use && first < end; first++)
		all |= depends_on_count_add_token(paths, code, first, use);
	return all;
}

/* [ -e .asked ], touch .asked, >.asked; what depends on variables does not count. */
static unsigned depends_on_count_add_command(
	struct paths *paths, const struct code *code, uint32_t i)
{
	const char *text;
	size_t n;
	bool asks = code_in(code, i, " e f s r ") && i && code_is(code, i - 1, "-");
	if ((!asks && !code_in(code, i, " touch > >> ")) || !code_path(code, i + 1, &text, &n) ||
		n < 2 || *text == '&' || (memchr(text, '$', n) && strncmp(text, "$HOME/", 6) != 0))
		return 0;
	return depends_on_count_add_use(paths, text, n, asks ? ASKED : MADE);
}

static unsigned depends_on_count_use_at(struct paths *paths, const struct code *code, uint32_t i)
{
	if (code->language->traits & LANGUAGE_SIGILS)
		return depends_on_count_add_command(paths, code, i);
	return code->tokens.tokens[i].kind <= TOKEN_KEYWORD && code_in(code, i, REACHES)
		? depends_on_count_add_call(paths, code, i)
		: 0;
}

/* How many paths are both, at the base or in the fix; where the rule is given, each is found. */
static size_t depends_on_count_count_both(
	struct inspection *inspection, const struct code *code, const struct guard_rule *rule)
{
	struct paths paths = {.arena = inspection->arena};
	size_t n = 0;
	for (size_t i = 0; i < inspection->n; i++)
		if (code[i].language && !code[i].for_tests)
			depends_on_count_bind_names(&paths, &code[i]);
	for (size_t i = 0; i < inspection->n; i++)
		for (uint32_t t = 0; code[i].language && !code[i].for_tests && t < code[i].tokens.n; t++)
			if ((depends_on_count_use_at(&paths, &code[i], t) & (ASKED | MADE)) == (ASKED | MADE) &&
				++n && rule && n < FINDINGS_MOST)
				guard_find_code(inspection, rule, &code[i], t);
	return n;
}

static void depends_on_count_inspect(struct inspection *inspection, const struct guard_rule *rule)
{
	if (depends_on_count_count_both(inspection, inspection->after, NULL) >
		depends_on_count_count_both(inspection, inspection->before, NULL))
		depends_on_count_count_both(inspection, inspection->after, rule);
}

const struct guard_rule depends_on_count_rule = {
	.name = "depends-on-count",
	.summary = "a file that it asks for and leaves tells a later run that it is not the first",
	.occurs = depends_on_count_occurs,
	.inspect = depends_on_count_inspect,
};
