/*
 * Whether a file that the test command names is a program with tests of its own, and not a test of
 * something else. It is if its tests call a function that it defines itself, and nothing that
 * another file of the tree defines. In doubt it is a test.
 */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/program/program_evidence.h"

#define LONGEST_PATH 200
#define DYNAMIC " import_module __import__ run_path run_module spec_from_file_location "

const char *evidence_word(const struct program_text *program, uint32_t i)
{
	const struct token *token = &program->list.tokens[i];
	return arena_strndup(program->arena, program->text + token->start, token->length);
}

bool evidence_is_name(const struct program_text *program, uint32_t i)
{
	return i < program->list.n && program->list.tokens[i].kind == TOKEN_NAME;
}

void evidence_put(struct map *map, const struct program_text *program, uint32_t i)
{
	map_put(map, program->arena, evidence_word(program, i), map);
}

/* --- What is defined --- */

static bool evidence_is_in_test(const struct program_text *program, uint32_t i)
{
	size_t at = program->list.tokens[i].start;
	for (size_t p = 0; p < program->n_parts && program->parts[p].start <= at; p++)
		if (program->parts[p].kind == PART_TEST && at < program->parts[p].end)
			return true;
	return false;
}

/* "def area", "class Cart", "const area = (", and in JavaScript "area(...) {". */
static bool evidence_is_defined_at(const struct program_text *program, uint32_t i)
{
	const struct token *tokens = program->list.tokens;
	if (!evidence_is_name(program, i))
		return false;
	if (i && program_in(program, i - 1, " def class function "))
		return true;
	if (program->language == PROGRAM_PYTHON)
		return false;
	if (i && program_in(program, i - 1, " const let var "))
		return program_is(program, i + 1, "=") &&
			(program_in(program, i + 2, " function class async ( ") ||
				program_is(program, i + 3, "=>"));
	return program_is(program, i + 1, "(") && tokens[i + 1].match != NO_TOKEN &&
		program_is(program, tokens[i + 1].match + 1, "{");
}

void evidence_note_definitions(const struct program_text *program, struct map *map)
{
	for (uint32_t i = 0; i < program->list.n; i++)
		if (evidence_is_defined_at(program, i) && !evidence_is_in_test(program, i))
			evidence_put(map, program, i);
}

/* --- What the tests call --- */

/* The first name of a chain that ends at token `i`. */
static uint32_t evidence_chain_root(const struct program_text *program, uint32_t i)
{
	while (i > 1 && program_in(program, i - 1, " . ?. ") && evidence_is_name(program, i - 2))
		i -= 2;
	return i;
}

/* The call whose last name is token `i`. */
static void evidence_look_at_call(struct evidence *evidence, uint32_t i)
{
	const struct program_text *program = &evidence->program;
	const char *name = evidence_word(program, i),
			   *root = evidence_word(program, evidence_chain_root(program, i));
	bool defined = map_get(&evidence->defined, name);
	if (map_get(&evidence->imported, root) || (!defined && map_get(&evidence->defined_there, name)))
		evidence->foreign = true;
	evidence->own = evidence->own || defined || map_get(&evidence->defined, root);
}

/* If an assertion asks for a name, look at the calls that gave it its value: "total =
 * cart.total(...)". */
static void evidence_look_at_values(struct evidence *evidence, uint32_t name)
{
	const struct program_text *program = &evidence->program;
	const struct token *tokens = program->list.tokens;
	for (uint32_t i = 0; i + 1 < program->list.n; i++) {
		if (tokens[i].word != tokens[name].word || !program_is(program, i + 1, "="))
			continue;
		for (uint32_t k = i + 2; k + 1 < program->list.n && tokens[k].line == tokens[i].line; k++)
			if (evidence_is_name(program, k) && program_is(program, k + 1, "("))
				evidence_look_at_call(evidence, k);
	}
}

static void evidence_look_at_part(struct evidence *evidence, const struct program_part *part)
{
	const struct program_text *program = &evidence->program;
	for (uint32_t i = program_token_at(program, part->start);
		 i < program->list.n && program->list.tokens[i].start < part->end; i++) {
		if (!evidence_is_name(program, i))
			continue;
		if (program_is(program, i + 1, "("))
			evidence_look_at_call(evidence, i);
		else if (part->kind == PART_ASSERTION)
			evidence_look_at_values(evidence, i);
	}
}

static void evidence_look_at_example(struct evidence *evidence, const struct program_part *part)
{
	const char *text = evidence->program.text;
	for (size_t at = part->start; at < part->end;) {
		size_t n = 0;
		while (at + n < part->end && (isalnum((unsigned char)text[at + n]) || text[at + n] == '_'))
			n++;
		if (n && map_get(&evidence->defined, arena_strndup(evidence->arena, text + at, n)))
			evidence->own_example = true;
		at += n ? n : 1;
	}
}

/* Whether a path of the tree is of code: by its suffix, or as a program without one. */
static bool evidence_is_code(const struct evidence *evidence, const char *path)
{
	if (language_of(path))
		return true;
	return !strchr(file_name(path), '.') &&
		access(arena_printf(evidence->arena, "%s/%s", evidence->dir, path), X_OK) == 0;
}

/* Whether a string is what is imported: `require("./a.js")`, `from "./a.js"`. */
static bool evidence_is_import(const struct program_text *program, uint32_t i)
{
	bool call =
		i > 1 && program_is(program, i - 1, "(") && program_in(program, i - 2, " require import ");
	return call || (i && program_in(program, i - 1, " from import "));
}

/* Whether a string names another file with code, which may be started, or a module is loaded by a
 * computed name. */
static bool evidence_reaches_elsewhere(const struct evidence *evidence)
{
	const struct program_text *program = &evidence->program;
	const char **paths =
		arena_memdup(evidence->arena, evidence->paths, evidence->n * sizeof *paths);
	struct map names = {0};
	for (size_t i = 0; i < evidence->n; i++)
		if (strcmp(evidence->paths[i], evidence->path) != 0)
			map_put(&names, evidence->arena, file_name(evidence->paths[i]), &paths[i]);
	for (uint32_t i = 0; i < program->list.n; i++) {
		const struct token *token = &program->list.tokens[i];
		if (program_in(program, i, DYNAMIC))
			return true;
		if (token->kind != TOKEN_STRING || token->length < 3 || token->length > LONGEST_PATH ||
			evidence_is_import(program, i))
			continue;
		const char *text =
			arena_strndup(program->arena, program->text + token->start + 1, token->length - 2);
		const char *const *path = map_get(&names, file_name(text));
		if (path && evidence_is_code(evidence, *path))
			return true;
	}
	return false;
}

bool program_tests_itself(
	const char *dir, const char *const *paths, size_t n, const char *path, struct arena *arena)
{
	struct evidence evidence = {.dir = dir, .paths = paths, .n = n, .path = path, .arena = arena};
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (program_language_of(path) == PROGRAM_OTHER ||
		file_read(arena_printf(arena, "%s/%s", dir, path), LARGEST_PROGRAM, &text, &ignored) < 0)
		return false;
	program_read(&evidence.program, path, arena_strndup(arena, text.text, text.length), arena);
	if (!evidence.program.n_parts)
		return false;
	evidence_note_definitions(&evidence.program, &evidence.defined);
	evidence_note_imports(&evidence);
	for (size_t i = 0; i < evidence.program.n_parts; i++)
		if (evidence.program.parts[i].kind == PART_EXAMPLE)
			evidence_look_at_example(&evidence, &evidence.program.parts[i]);
		else
			evidence_look_at_part(&evidence, &evidence.program.parts[i]);
	return !evidence.foreign &&
		(evidence.own_example || (evidence.own && !evidence_reaches_elsewhere(&evidence)));
}
