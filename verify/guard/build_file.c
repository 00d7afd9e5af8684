/* Build files of CMake, Meson, automake and make, read for their programs alone. */
#include "verify/guard/build_file.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"

static struct built_program *built_program(struct built_programs *built, const char *name)
{
	for (size_t i = 0; i < built->n; i++)
		if (strcmp(built->items[i].name, name) == 0)
			return &built->items[i];
	ARENA_PUSH(built->arena, built->items, built->n, (struct built_program){.name = name});
	return &built->items[built->n - 1];
}

static void built_add_source(
	struct built_programs *built, struct built_program *program, const char *source)
{
	ARENA_PUSH(built->arena, program->sources, program->n, source);
}

/* --- Words --- */

/* The next word of a text, which white space, commas, brackets and quotes end, in the arena; NULL:
 * there is none. */
static const char *built_word(const char **at, const char *end, struct arena *arena)
{
	static const char apart[] = " \t\r\n,()[]'\";";
	while (*at < end && strchr(apart, **at))
		++*at;
	const char *start = *at;
	while (*at < end && !strchr(apart, **at))
		++*at;
	return *at > start ? arena_strndup(arena, start, (size_t)(*at - start)) : NULL;
}

static void built_add_command(struct built_programs *built, const char *command)
{
	ARENA_PUSH(built->arena, built->commands, built->n_commands, command);
}

static bool built_is_one_of(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

/* The program that a word runs: "./t", "$<TARGET_FILE:t>", "bin/t". */
static const char *built_program_name(const char *word, struct arena *arena)
{
	static const char target[] = "$<TARGET_FILE:";
	if (text_starts_with(word, target)) {
		word += sizeof target - 1;
		return arena_strndup(arena, word, strcspn(word, ">"));
	}
	return file_name(word);
}

/* The next opening bracket in a text whose comments begin with '#'; NULL: there is none. */
static const char *built_next_open(const char *at)
{
	for (; *at && *at != '('; at++)
		while (*at == '#') {
			at += strcspn(at, "\n");
			if (!*at)
				return NULL;
		}
	return *at ? at : NULL;
}

/* The bracket that closes one; the end where none does. */
static const char *built_close(const char *open)
{
	int depth = 0;
	const char *at = open;
	do
		depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
	while (depth && *++at);
	return at;
}

/* The word before a bracket, in lower case. */
static const char *built_call_name(const char *begin, const char *open, struct arena *arena)
{
	const char *end = open;
	while (end > begin && strchr(" \t", end[-1]))
		end--;
	const char *name = end;
	while (name > begin && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
		name--;
	char *lower = arena_strndup(arena, name, (size_t)(end - name));
	for (char *letter = lower; *letter; letter++)
		*letter = (char)tolower((unsigned char)*letter);
	return lower;
}

/* The inside of the next call "name(...)", the name in lower case. False: there is none. */
static bool built_next_call(const char **at, struct arena *arena, const char **ret_name,
	const char **ret_args, const char **ret_end)
{
	const char *open = built_next_open(*at);
	if (!open)
		return false;
	*ret_name = built_call_name(*at, open, arena);
	*ret_args = open + 1;
	*ret_end = built_close(open);
	*at = open + 1;
	return true;
}

/* --- Build files --- */

/* The inside of add_test() behind its first word, which is a name, or NAME. */
static void built_read_add_test(
	struct built_programs *built, const char *first, const char *args, const char *end)
{
	static const char *const ends[] = {
		"WORKING_DIRECTORY", "CONFIGURATIONS", "COMMAND_EXPAND_LISTS", NULL};
	bool is_named = strcmp(first, "NAME") == 0;
	const char *word = built_word(&args, end, built->arena);
	while (is_named && word && strcmp(word, "COMMAND") != 0)
		word = built_word(&args, end, built->arena);
	if (is_named)
		word = built_word(&args, end, built->arena);
	const char *command = word, *more;
	if (!word)
		return;
	while ((more = built_word(&args, end, built->arena)) && !built_is_one_of(more, ends))
		command = arena_printf(built->arena, "%s %s", command, more);
	built_add_command(built, command);
	if (command == word)
		built_program(built, built_program_name(word, built->arena))->is_run = true;
}

/* add_executable(t t.c), add_test(NAME t COMMAND t), add_test(t t), gtest_discover_tests(t). */
static void built_read_cmake(struct built_programs *built, const char *text)
{
	const char *name, *args, *end;
	while (built_next_call(&text, built->arena, &name, &args, &end)) {
		bool makes = strcmp(name, "add_executable") == 0, tests = strcmp(name, "add_test") == 0;
		const char *first = built_word(&args, end, built->arena), *word;
		if (!first || !(makes || tests || text_ends_with(name, "_discover_tests")))
			continue;
		if (!tests) {
			struct built_program *program = built_program(built, first);
			while (makes && (word = built_word(&args, end, built->arena)))
				built_add_source(built, program, word);
			program->is_run |= !makes;
			continue;
		}
		built_read_add_test(built, first, args, end);
	}
}

/* What test() runs in the end: `find_program('x.sh')`, `python, args: files('x.py')`. */
static const char *built_last_word(
	const char *args, const char *end, const char *word, struct arena *arena)
{
	for (const char *next = word; next; next = built_word(&args, end, arena))
		if (!text_ends_with(next, ":"))
			word = next;
		else if (strcmp(next, "args:") != 0)
			break;
	return word;
}

/* t = executable('t', 't.c'), test('name', t); programs are known by their variables. */
static void built_read_meson(struct built_programs *built, const char *text)
{
	const char *name, *args, *end;
	for (const char *from = text; built_next_call(&from, built->arena, &name, &args, &end);) {
		const char *before = args - 1, *word;
		if (strcmp(name, "test") == 0) {
			bool has_args = memmem(args, (size_t)(end - args), "args", 4);
			built_word(&args, end, built->arena);
			word = built_word(&args, end, built->arena);
			if (word && !has_args)
				built_program(built, word)->is_run = true;
			word = built_last_word(args, end, word, built->arena);
			if (word)
				built_add_command(built, word);
		}
		if (strcmp(name, "executable") != 0)
			continue;
		while (before > text && before[-1] != '\n')
			before--;
		const char *variable = built_word(&before, args, built->arena);
		struct built_program *program = built_program(built, variable);
		built_word(&args, end, built->arena);
		while ((word = built_word(&args, end, built->arena)))
			built_add_source(built, program, word);
	}
}

const char *build_file_line_end(const char *line)
{
	const char *end = line + strcspn(line, "\n");
	while (*end && end > line && end[-1] == '\\')
		end += 1 + strcspn(end + 1, "\n");
	return end;
}

/* "check_PROGRAMS = a b", "TESTS = a", "a_SOURCES = a.c". */
static void built_read_automake(struct built_programs *built, const char *text)
{
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		end = build_file_line_end(line);
		const char *at = line, *word, *left = built_word(&at, end, built->arena);
		if (!left || *line == '\t')
			continue;
		size_t n = strlen(left);
		bool tests = strcmp(left, "check_PROGRAMS") == 0 || strcmp(left, "TESTS") == 0;
		bool sources = text_ends_with(left, "_SOURCES");
		struct built_program *program =
			sources ? built_program(built, arena_strndup(built->arena, left, n - 8)) : NULL;
		while ((tests || sources) && (word = built_word(&at, end, built->arena)))
			if (tests) {
				built_program(built, word)->is_run = true;
				built_add_command(built, word);
			} else {
				built_add_source(built, program, word);
			}
	}
}

/* Commands of recipes that are "./NAME" alone. */
static void built_read_make(struct built_programs *built, const char *text)
{
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		end = build_file_line_end(line);
		for (const char *at = line; *line == '\t' && at < end;) {
			at += strspn(at, "\t\n @&;|-");
			if (at >= end)
				break;
			size_t n = strcspn(at, "\n&;|"), words = n;
			while (words && strchr(" \t\\", at[words - 1]))
				words--;
			if (words > 2 && text_starts_with(at, "./") && !memchr(at, ' ', words))
				built_program(built, arena_strndup(built->arena, at + 2, words - 2))->is_run = true;
			at += n;
		}
	}
}

static const struct build_file {
	const char *name;
	void (*read)(struct built_programs *built, const char *text);
} build_files[] = {{"CMakeLists.txt", built_read_cmake}, {"meson.build", built_read_meson},
	{"Makefile.am", built_read_automake}, {"Makefile", built_read_make},
	{"makefile", built_read_make}, {"GNUmakefile", built_read_make}};

static const struct build_file *build_file_of(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(build_files); i++)
		if (strcmp(file_name(path), build_files[i].name) == 0)
			return &build_files[i];
	return NULL;
}

bool build_file_is(const char *path)
{
	return build_file_of(path);
}

void build_file_read(const char *path, const char *text, struct built_programs *ret_programs)
{
	const struct build_file *file = build_file_of(path);
	if (file)
		file->read(ret_programs, text);
}
