/* What a program takes from other files of its tree. */
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/program/program_evidence.h"

static void import_file(struct evidence *evidence, const char *path)
{
	struct program_text other;
	struct rondo_error ignored;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (file_read(arena_printf(evidence->arena, "%s/%s", evidence->dir, path), LARGEST_PROGRAM,
			&text, &ignored) < 0)
		return;
	program_read(&other, path, arena_strdup(evidence->arena, text.text), evidence->arena);
	evidence_note_definitions(&other, &evidence->defined_there);
}

/* Whether a path ends so, below any folder. */
static bool import_ends_so(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);
	return text_ends_with(path, end) && (n == m || path[n - m - 1] == '/');
}

/* Read the files of the tree whose paths end so; whether there is one. */
static bool import_files(struct evidence *evidence, const char *stem, const char *const *endings)
{
	bool found = false;
	for (; *endings; endings++) {
		const char *end = arena_printf(evidence->arena, "%s%s", stem, *endings);
		for (size_t i = 0; i < evidence->n; i++)
			if (import_ends_so(evidence->paths[i], end) &&
				strcmp(evidence->paths[i], evidence->path) != 0) {
				found = true;
				import_file(evidence, evidence->paths[i]);
			}
	}
	return found;
}

static bool import_module(struct evidence *evidence, const char *name)
{
	static const char *const endings[] = {".py", "/__init__.py", NULL};
	char *stem = arena_strdup(evidence->arena, name);
	for (char *at = stem; *at; at++)
		*at = *at == '.' ? '/' : *at;
	return *stem && import_files(evidence, stem, endings);
}

/* The dotted name that begins at token `i`; ret_end: the token after it. */
static const char *import_dotted_name(
	const struct program_text *program, uint32_t i, uint32_t *ret_end)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	while (evidence_is_name(program, i)) {
		strbuf_addf(&sb, "%s%s", sb.length ? "." : "", evidence_word(program, i));
		i += 1 + (program_is(program, i + 1, ".") && evidence_is_name(program, i + 2));
	}
	*ret_end = i;
	return arena_strdup(program->arena, sb.text);
}

/* "import a.b as c, d". */
static void import_names(struct evidence *evidence, uint32_t i, uint32_t end)
{
	const struct program_text *program = &evidence->program;
	while (i < end) {
		uint32_t after, root = i;
		if (!evidence_is_name(program, i)) {
			i++;
			continue;
		}
		const char *name = import_dotted_name(program, i, &after);
		if (program_is(program, after, "as"))
			root = after + 1;
		if (import_module(evidence, name) && evidence_is_name(program, root))
			evidence_put(&evidence->imported, program, root);
		i = root > i ? root + 1 : after;
	}
}

/* "from .a import b as c, d": a module of the tree, or a folder whose modules are named. */
static void import_from(struct evidence *evidence, uint32_t i, uint32_t end)
{
	const struct program_text *program = &evidence->program;
	uint32_t after;
	while (program_in(program, i, " . ... "))
		i++;
	bool found = import_module(evidence, import_dotted_name(program, i, &after));
	for (i = after; i < end; i++)
		if (evidence_is_name(program, i) &&
			(found || import_module(evidence, evidence_word(program, i))))
			evidence_put(&evidence->imported, program, i);
}

static void import_all_of_python(struct evidence *evidence)
{
	const struct program_text *program = &evidence->program;
	for (uint32_t i = 0; i < program->list.n; i++) {
		if (!program_begins_line(program, i) && !program_is(program, i - 1, ";"))
			continue;
		if (program_is(program, i, "from"))
			import_from(evidence, i + 1, program_line_end(program, i));
		else if (program_is(program, i, "import"))
			import_names(evidence, i + 1, program_line_end(program, i));
	}
}

/* "cart.js" of "./cart.js"; NULL: the string is no relative path. */
static const char *import_relative_stem(const struct program_text *program, uint32_t i)
{
	const struct token *token = &program->list.tokens[i];
	const char *text = program->text + token->start + 1;
	if (token->kind != TOKEN_STRING || token->length < 4 || *text != '.')
		return NULL;
	size_t lead = strspn(text, "./");
	return lead + 2 < token->length
		? arena_strndup(program->arena, text + lead, token->length - 2 - lead)
		: NULL;
}

static void import_all_of_script(struct evidence *evidence)
{
	static const char *const endings[] = {
		"", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", "/index.js", "/index.ts", NULL};
	const struct program_text *program = &evidence->program;
	uint32_t start = 0;
	for (uint32_t i = 0; i < program->list.n; i++) {
		if (program_in(program, i, " const let var import "))
			start = i;
		const char *stem = import_relative_stem(program, i);
		if (!stem || !import_files(evidence, stem, endings))
			continue;
		for (uint32_t k = start; k < i; k++)
			if (evidence_is_name(program, k) && !program_is(program, k, "require"))
				evidence_put(&evidence->imported, program, k);
	}
}

void evidence_note_imports(struct evidence *evidence)
{
	if (evidence->program.language == PROGRAM_PYTHON)
		import_all_of_python(evidence);
	else
		import_all_of_script(evidence);
}
