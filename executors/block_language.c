#include "executors/block_language.h"

#include <pthread.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

/* A shell function, because the file's name is appended to the command. */
#define BUILT(compiler) \
	"run() { " compiler " -o \"$XDG_CACHE_HOME/block\" \"$1\" && \"$XDG_CACHE_HOME/block\"; }; run"

static const struct language languages[] = {
	{" python py python3 ", "py", "python3", NULL, LANGUAGE_RUN, " # "},
	{" sh shell ", "sh", "sh", NULL, LANGUAGE_RUN, " # "},
	{" bash ", "sh", "bash", NULL, LANGUAGE_RUN, " # "},
	{" javascript js node ", "js", "node", NULL, LANGUAGE_RUN, " // /* "},
	{" typescript ts ", "ts", NULL, NULL, LANGUAGE_RUN, " // /* "},
	{" c ", "c", "cc", BUILT("cc -I."), LANGUAGE_RUN, " // /* "},
	{" cpp c++ cxx ", "cpp", "c++", BUILT("c++ -I."), LANGUAGE_RUN, " // /* "},
	{" go golang ", "go", "go",
		"run() { cp \"$1\" \"$XDG_CACHE_HOME/block.go\" && "
		"go run \"$XDG_CACHE_HOME/block.go\"; }; run",
		LANGUAGE_RUN, " // /* "},
	{" ruby rb ", "rb", "ruby", NULL, LANGUAGE_RUN, " # "},
	{" perl pl ", "pl", "perl", NULL, LANGUAGE_RUN, " # "},
	{" php ", "php", "php", NULL, LANGUAGE_RUN, " // # /* <!-- "},
	{" lua ", "lua", "lua", NULL, LANGUAGE_RUN, " -- "},
	{" java ", "java", "java", NULL, LANGUAGE_RUN, " // /* "},
	{" rust rs ", "rs", "rustc", BUILT("rustc --crate-name block --edition 2021"), LANGUAGE_RUN,
		" // /* "},
	{" powershell pwsh ps1 ", "ps1", "pwsh", "pwsh -File", LANGUAGE_RUN, " # "},
	{" html ", "html", NULL, NULL, LANGUAGE_SAVE, " <!-- "},
	{" css ", "css", NULL, NULL, LANGUAGE_SAVE, " /* "},
	{" json jsonc ", "json", NULL, NULL, LANGUAGE_SAVE, ""},
	{" yaml yml ", "yaml", NULL, NULL, LANGUAGE_SAVE, " # "},
	{" toml ", "toml", NULL, NULL, LANGUAGE_SAVE, " # "},
	{" ini cfg ", "ini", NULL, NULL, LANGUAGE_SAVE, " # ; "},
	{" xml svg ", "xml", NULL, NULL, LANGUAGE_SAVE, " <!-- "},
	{" csv tsv ", "csv", NULL, NULL, LANGUAGE_SAVE, ""},
	{" sql ", "sql", NULL, NULL, LANGUAGE_SAVE, " -- /* "},
	{" markdown md ", "md", NULL, NULL, LANGUAGE_SAVE, " <!-- "},
	{" text txt plaintext output console log ", "txt", NULL, NULL, LANGUAGE_SAVE, ""},
	{" diff patch ", "diff", NULL, NULL, LANGUAGE_IGNORE, ""},
};

static bool language_has_name(const struct language *language, const char *tag, struct arena *arena)
{
	return *tag && strstr(language->names, arena_printf(arena, " %s ", tag));
}

#define BY_ESBUILD \
	"esbuild \"$1\" --bundle --platform=node --format=cjs --sourcemap=inline --log-level=warning " \
	"--outfile=\"$XDG_CACHE_HOME/block.cjs\" && " \
	"node --enable-source-maps \"$XDG_CACHE_HOME/block.cjs\"; "

/* The command for TypeScript here; with esbuild, node runs its output. */
static const char *language_typescript_command(void)
{
	const char *runner = world_typescript(NULL);
	if (runner && strcmp(runner, "esbuild") != 0)
		return runner;
	return "run() { " BY_ESBUILD "}; run";
}

/* The same on another system, whose programs are unknown here. */
static const char typescript_anywhere[] =
	"run() { if command -v ts-node >/dev/null; then ts-node --transpile-only --skipProject "
	"--compilerOptions '{\"module\":\"commonjs\",\"moduleResolution\":\"node\"}' \"$1\"; "
	"elif command -v esbuild >/dev/null; then " BY_ESBUILD
	"elif command -v tsx >/dev/null; then tsx \"$1\"; "
	"else node --experimental-strip-types \"$1\"; fi; }; run";

static const char *language_text_of(const struct option_texts *texts, const char *name)
{
	for (size_t i = 0; i < texts->n; i++)
		if (strcmp(texts->names[i], name) == 0)
			return texts->items[i];
	return NULL;
}

/* The program of a command that begins with a plain word; otherwise NULL. */
static const char *language_program_of(const char *command, struct arena *arena)
{
	size_t n = strcspn(command, " \t");
	return strcspn(command, "=(){}$'\"`;&|<>\\") < n ? NULL : arena_strndup(arena, command, n);
}

/* --- Untagged blocks --- */

static bool language_begins_with_word(const char *text, const char *const *words, size_t n)
{
	size_t length = strcspn(text, " \t\n(");
	for (size_t i = 0; i < n; i++)
		if (strlen(words[i]) == length && memcmp(text, words[i], length) == 0)
			return true;
	return false;
}

static const char *language_of_shebang(const char *code)
{
	static const char *const names[][2] = {
		{"python", "python"}, {"bash", "bash"}, {"node", "javascript"}, {"ruby", "ruby"},
			{"perl", "perl"}, {"sh", "sh"}};
	size_t n = strcspn(code, "\n");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (memmem(code, n, names[i][0], strlen(names[i][0])))
			return names[i][1];
	return "";
}

static const char *language_first_name(const struct language *language, struct arena *arena)
{
	return arena_strndup(arena, language->names + 1, strcspn(language->names + 1, " "));
}

void executor_list_languages(bool run, struct strbuf *sb)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *before = "";
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		if (languages[i].policy != (run ? LANGUAGE_RUN : LANGUAGE_SAVE))
			continue;
		char *name = arena_strdup(&arena, languages[i].names + 1), *other;
		strbuf_addf(sb, "%s%s", before, strsep(&name, " "));
		for (before = " ("; *(other = strsep(&name, " ")); before = ", ")
			strbuf_addf(sb, "%s%s", before, other);
		strbuf_adds(sb, *before == ',' ? ")" : "");
		before = ", ";
	}
}

static const char *language_of_suffix(const char *filename, struct arena *arena)
{
	const char *dot = strrchr(file_name(filename), '.');
	for (size_t i = 0; dot && i < ARRAY_SIZE(languages); i++)
		if (strcmp(languages[i].suffix, dot + 1) == 0)
			return language_first_name(&languages[i], arena);
	return "";
}

const char *language_text_for(
	const struct language *language, const struct code_block *block, struct arena *arena)
{
	if (!block->naming || !language->comments)
		return block->code;
	size_t n = strcspn(block->naming, " \tf");
	const char *opening = arena_printf(arena, " %.*s ", (int)n, block->naming);
	return strstr(language->comments, opening) ? block->code : code_block_unnamed(block, arena);
}

/* Whether a line can only be Python. */
static bool language_looks_like_python(const char *line)
{
	static const char *const openings[] = {"def", "class", "async", "for", "while", "with", "if",
		"try:"};
	size_t n = strcspn(line, "\n");
	while (n && strchr(" \t\r", line[n - 1]))
		n--;
	if (text_starts_with(line, "import ") || text_starts_with(line, "print("))
		return true;
	if (text_starts_with(line, "from "))
		return memmem(line, n, " import ", strlen(" import "));
	return n && line[n - 1] == ':' && language_begins_with_word(line, openings,
		ARRAY_SIZE(openings));
}

/* Code that begins like a command line is sh. */
static const char *language_of_words(const char *code)
{
	static const char *const commands[] = {"pip", "pip3", "python", "python3", "npm", "npx", "node",
		"pytest", "apt", "apt-get",
		"sh", "bash", "cd", "ls", "cat", "mkdir", "echo", "export", "git", "make", "curl", "wget"};
	code += strspn(code, "\n");
	if (language_begins_with_word(code, commands, ARRAY_SIZE(commands)))
		return "sh";
	for (const char *line = code; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
		if (language_looks_like_python(line))
			return "python";
	return "";
}

const char *language_guess(const struct code_block *block, struct arena *arena)
{
	const char *tag = text_starts_with(block->code, "#!") ? language_of_shebang(block->code) : "";
	if (!*tag && block->filename)
		tag = language_of_suffix(block->filename, arena);
	return *tag ? tag : language_of_words(block->code);
}

/* --- What a tag means --- */

/* The executor's own languages come first. */
static bool language_look_up(const struct executor_settings *settings, const char *tag,
	struct arena *arena, struct language *ret_language)
{
	const char *command = language_text_of(&settings->languages, tag);
	if (command) {
		*ret_language = (struct language){arena_printf(arena, " %s ", tag), tag,
			language_program_of(command, arena), command, LANGUAGE_RUN, NULL};
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (language_has_name(&languages[i], tag, arena)) {
			*ret_language = languages[i];
			return true;
		}
	return false;
}

static enum language_policy language_policy_of(const char *word)
{
	return strcmp(word, "save") == 0 ? LANGUAGE_SAVE : strcmp(word, "ignore") == 0 ? LANGUAGE_IGNORE
		: LANGUAGE_RUN;
}

/* The policy may be set under any of its names. */
static void language_set_policy(const struct executor_settings *settings, struct arena *arena,
	struct language *language)
{
	for (size_t i = 0; i < settings->policies.n; i++)
		if (language_has_name(language, settings->policies.names[i], arena))
			language->policy = language_policy_of(settings->policies.items[i]);
}

bool language_find(const struct executor *executor, const struct code_block *block,
	struct arena *arena, struct language *ret_language)
{
	const char *tag = *block->language ? block->language : language_guess(block, arena);
	if (!*tag || !language_look_up(executor->settings, tag, arena, ret_language))
		return false;
	language_set_policy(executor->settings, arena, ret_language);
	if (strstr(ret_language->names, " typescript ") && !ret_language->command)
		ret_language->command = executor_sees(executor) == EXECUTOR_SEES_ITSELF
			? typescript_anywhere : language_typescript_command();
	if (!ret_language->command)
		ret_language->command = ret_language->program;
	return true;
}

const char *executor_language(
	const struct executor *executor, const struct code_block *block, struct arena *arena)
{
	struct language language;
	return language_find(executor, block, arena, &language) ? language_first_name(&language, arena)
															: block->language;
}

bool language_is_python(
	const struct executor *executor, const struct code_block *block, struct arena *arena)
{
	struct language language;
	return language_find(executor, block, arena, &language) &&
	       strstr(language.names, " python3 ") && strcmp(language.command, "python3") == 0;
}

bool executor_keeps_variables(const struct executor *executor)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const struct code_block block = {.language = "python", .code = ""};
	return executor->type->keeps_variables && language_is_python(executor, &block, &arena);
}

bool language_is_among(const struct language *language, const struct option_strings *names,
	struct arena *arena)
{
	for (size_t i = 0; i < names->n; i++)
		if (language_has_name(language, names->items[i], arena))
			return true;
	return names->n == 0;
}

/* --- Why not --- */

static const char *language_nearest(
	const struct executor_settings *settings, const char *tag, struct arena *arena)
{
	const char **names = NULL;
	size_t n = 0;
	for (size_t i = 0; i < settings->languages.n; i++)
		ARENA_PUSH(arena, names, n, settings->languages.names[i]);
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		for (const char *at = languages[i].names + 1; *at; at += strcspn(at, " ") + 1)
			ARENA_PUSH(arena, names, n, arena_strndup(arena, at, strcspn(at, " ")));
	return text_nearest(tag, names, n);
}

int executor_check_language(
	const struct executor_settings *settings, const char *name, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct language language;
	if (language_look_up(settings, name, &arena, &language))
		return 0;
	const char *near = language_nearest(settings, name, &arena);
	if (near)
		return error_set(err, RONDO_ERROR_USAGE, "unknown language '%s'%s%s%s", name,
			TEXT_HINT(near));
	return error_set(err, RONDO_ERROR_USAGE,
		"unknown language '%s'; what runs it is said in executor.languages", name);
}

static const char *language_names_in(const struct option_strings *names, struct arena *arena)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_list(&list, names->items, names->n);
	return arena_strdup(arena, list.text);
}

const char *language_unknown(const struct executor *executor, const struct code_block *block,
	struct arena *arena)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	const struct option_strings *allowed = &executor->settings->rules.allow;
	if (allowed->n)
		return arena_printf(arena, "unknown language '%s'; allowed: %s", block->language,
			language_names_in(allowed, arena));
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (languages[i].policy == LANGUAGE_RUN)
			strbuf_addf(&list, "%s%s", i ? ", " : "", language_first_name(&languages[i], arena));
	const struct option_texts *more = &executor->settings->languages;
	for (size_t i = 0; i < more->n; i++)
		strbuf_addf(&list, ", %s", more->names[i]);
	return arena_printf(arena, "unknown language '%s'; known: %s", block->language, list.text);
}

const char *language_refused(const struct language *language, const struct option_strings *allowed,
	struct arena *arena)
{
	return arena_printf(arena, "language '%s' may not run here; allowed: %s",
		language_first_name(language, arena), language_names_in(allowed, arena));
}

/* --- What a world has to show --- */

static const char *programs[ARRAY_SIZE(languages) + 3];

static void language_list_programs(void)
{
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++)
		if (languages[i].program)
			programs[n++] = languages[i].program;
	programs[n++] = "esbuild";
}

const char *const *executor_programs(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, language_list_programs);
	return programs;
}
