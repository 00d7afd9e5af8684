/* Which language a changed file is in: by its suffix, by its first line, or by who loads it. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/guard/code.h"

bool code_has_text(const char *text, size_t n, const char *what)
{
	return text && memmem(text, n, what, strlen(what));
}

/* Of a script without a suffix: by its first line. */
static const struct language *code_language_of_script(const char *text, size_t n)
{
	static const char *const interpreters[][2] = {{"python", "a.py"}, {"node", "a.js"},
		{"deno", "a.js"}, {"bun", "a.js"}, {"ruby", "a.rb"}, {"lua", "a.lua"}, {"php", "a.php"},
		{"perl", "a.pl"}, {"sh", "a.sh"}};
	const char *newline = n > 2 && memcmp(text, "#!", 2) == 0 ? memchr(text, '\n', n) : NULL;
	size_t length = newline ? (size_t)(newline - text) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(interpreters); i++)
		if (code_has_text(text, length, interpreters[i][0]))
			return language_of(interpreters[i][1]);
	return NULL;
}

/* Of what other code includes, by the usual suffixes; "inc" is C's and PHP's. */
static const struct language *code_language_of_part(const char *path, const char *text, size_t n)
{
	static const char c[] = " inc def x ", cc[] = " inl ipp tpp tcc txx ixx cppm C H c++ h++ ";
	const char *suffix = file_suffix(path);
	if (!*suffix)
		return NULL;
	if (strcmp(suffix, "inc") == 0 && code_has_text(text, n, "<?"))
		return language_of("a.php");
	return words_hold(c, suffix, strlen(suffix)) ? language_of("a.c")
		: words_hold(cc, suffix, strlen(suffix)) ? language_of("a.cc")
												 : NULL;
}

bool code_is_text(unsigned mode, const char *text, size_t n)
{
	return text && (mode & 0170000) != 0120000 && n <= CODE_MOST;
}

const struct language *code_language(
	const struct changed_file *file, unsigned mode, const char *text, size_t n)
{
	if (!code_is_text(mode, text, n))
		return NULL;
	const struct language *language = language_of(file->path);
	language = language ? language : code_language_of_part(file->path, text, n);
	return language ? language : code_language_of_script(text, n);
}

/* What loads a file of any name and runs it. Python loads none. */
static const struct loader {
	const char *languages, *word, *but; /* `but`: suffixes that it reads as data, or others' do */
} loaders[] = {
	{NATIVE, "include", ""},
	{SCRIPT, "require", " json "},
	{PHP, "include", ""},
	{PHP, "require", ""},
	{SHELL, "source ", ""},
	{SHELL, ". ", ""},
	{LUA, "dofile", ""},
	{LUA, "loadfile", ""},
	{PERL, "do ", ""},
	{PERL, "require ", ""},
	{" ruby ", "load", " json yml yaml csv txt "},
};

/* Whether a line of code loads the file whose name stands at a place in it. */
static bool code_loads_at(
	const struct code *code, const struct loader *loader, const char *at, size_t n)
{
	const char *start = at, *end = code->text + code->n_text;
	bool is_whole = at > code->text && strchr("/\"'`< \t", at[-1]) && at + n < end &&
		strchr("\"'`>) \t\r\n;", at[n]);
	while (start > code->text && start[-1] != '\n')
		start--;
	return is_whole && code_has_text(start, (size_t)(at - start), loader->word);
}

static bool code_loads_by(const struct code *code, const struct loader *loader, const char *name)
{
	const char *suffix = file_suffix(name), *at = code->text, *end = at + code->n_text;
	size_t n = strlen(name);
	if (!words_hold(loader->languages, code->language->name, strlen(code->language->name)) ||
		(*suffix && words_hold(loader->but, suffix, strlen(suffix))))
		return false;
	for (; (at = memmem(at, (size_t)(end - at), name, n)); at++)
		if (code_loads_at(code, loader, at, n))
			return true;
	return false;
}

bool code_loads(const struct code *code, const char *path)
{
	for (size_t i = 0; code->language && i < ARRAY_SIZE(loaders); i++)
		if (code_loads_by(code, &loaders[i], file_name(path)))
			return true;
	return false;
}
