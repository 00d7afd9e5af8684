#include "executors/functions.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/tree_file.h"

#define MODULE "functions"
#define LARGEST_FILE ((size_t)1 << 20)
#define LOAD_MS 60000
#define SAID ((size_t)4 << 10)

static const char *functions_path_of(const struct functions *functions, size_t i,
	struct arena *arena)
{
	const char *file = functions->files[i];
	return *file == '/' || !functions->dir ? file : arena_printf(arena, "%s/%s", functions->dir,
		file);
}

/* "tools/geo.py" -> "geo". */
static int functions_name_of(const char *file, struct arena *arena, const char **ret_name,
	struct rondo_error *err)
{
	const char *last = file_name(file);
	size_t n = strlen(last);
	bool is_name = n > 3 && strcmp(last + n - 3, ".py") == 0 && !isdigit((unsigned char)*last);
	for (size_t i = 0; is_name && i < n - 3; i++)
		is_name = isalnum((unsigned char)last[i]) || last[i] == '_';
	is_name = is_name && strcmp(last, "__init__.py") != 0;
	if (!is_name)
		return error_set(err, RONDO_ERROR_USAGE,
			"functions: '%s' is no Python module's file: letters, digits, '_', then .py", file);
	*ret_name = arena_strndup(arena, last, n - 3);
	return 0;
}

static int functions_read_file(const struct functions *functions, size_t i, struct arena *arena,
	const char **ret_text, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_FILE);
	if (file_read(functions_path_of(functions, i, arena), LARGEST_FILE, &text, err) < 0)
		return error_prefix(err, "functions");
	*ret_text = arena_strndup(arena, text.text, text.length);
	return 0;
}

int functions_check(const struct functions *functions, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char **names = arena_alloc(&arena, (functions->n + 1) * sizeof *names), *text;
	for (size_t i = 0; i < functions->n; i++) {
		if (functions_name_of(functions->files[i], &arena, &names[i], err) < 0 ||
			functions_read_file(functions, i, &arena, &text, err) < 0)
			return -1;
		for (size_t j = 0; j < i; j++)
			if (strcmp(names[j], names[i]) == 0)
				return error_set(err, RONDO_ERROR_USAGE,
					"functions: '%s' and '%s' would be one module",
					functions->files[j], functions->files[i]);
	}
	return 0;
}

static int functions_lay(struct executor *executor, const struct functions *functions,
	struct arena *arena, struct rondo_error *err)
{
	AUTO_STRBUF init = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < functions->n; i++) {
		const char *name, *text = NULL;
		if (functions_name_of(functions->files[i], arena, &name, err) < 0 ||
			functions_read_file(functions, i, arena, &text, err) < 0)
			return -1;
		const char *at = arena_printf(arena, "%s/" MODULE "/%s.py", functions->folder, name);
		if (tree_file_write(executor, executor->cache_dir, at, text, err) < 0)
			return -1;
		strbuf_addf(&init, "from .%s import *\n", name);
	}
	const char *at = arena_printf(arena, "%s/" MODULE "/__init__.py", functions->folder);
	return tree_file_write(executor, executor->cache_dir, at, init.text, err);
}

/* The last line of Python's output names the fault. */
static const char *functions_last_line(struct strbuf *said)
{
	strbuf_rtrim(said);
	const char *newline = strrchr(said->text, '\n');
	return newline ? newline + 1 : said->text;
}

int functions_install(struct executor *executor, const struct functions *functions,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF said = STRBUF_INIT(SAID);
	struct process_result end;
	if (functions_check(functions, err) < 0 || functions_lay(executor, functions, &arena, err) < 0)
		return -1;
	struct command command = {.line = "python3 -c 'import " MODULE "'", .timeout_ms = LOAD_MS,
		.output = &said, .env = functions_env(executor, functions, &arena)};
	if (executor_run(executor, &command, &end, ctx, err) < 0)
		return -1;
	if (end.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (end.exit_code)
		return error_set(err, RONDO_ERROR_USAGE, "functions failed to load: %s",
			functions_last_line(&said));
	return 0;
}

const char *const *functions_env(const struct executor *executor, const struct functions *functions,
	struct arena *arena)
{
	if (!functions->n)
		return NULL;
	const char **env = arena_alloc(arena, 2 * sizeof *env);
	env[0] = arena_printf(arena, "PYTHONPATH=%s", executor_cache_at(executor, functions->folder,
		arena));
	return env;
}

/* --- What there is, for a model --- */

/* The text after the colon that ends the head of a definition. */
static const char *functions_head_end(const char *at)
{
	int depth = 0;
	for (; *at; at++) {
		if (*at == '\'' || *at == '"') {
			const char *close = strchr(at + 1, *at);
			at = close ? close : at;
		}
		depth += (*at && strchr("([{", *at)) - (*at && strchr(")]}", *at));
		if (*at == ':' && depth == 0)
			return at + 1;
	}
	return at;
}

/* The length of the string literal at `at` with its quotes, or 0. */
static size_t functions_string_length(const char *at)
{
	static const char *const quotes[] = {"\"\"\"", "'''", "\"", "'"};
	for (size_t i = 0; i < ARRAY_SIZE(quotes); i++) {
		size_t n = strlen(quotes[i]);
		const char *close = text_starts_with(at, quotes[i]) ? strstr(at + n, quotes[i]) : NULL;
		if (close)
			return (size_t)(close - at) + n;
	}
	return 0;
}

static void functions_describe_function(const char *at, struct strbuf *text)
{
	const char *end = functions_head_end(at), *body = end + strspn(end, " \t\r\n");
	size_t n = functions_string_length(body);
	strbuf_add(text, at, (size_t)(end - at));
	strbuf_adds(text, "\n    ");
	strbuf_add(text, body, n);
	strbuf_adds(text, n ? "\n    ...\n\n" : "...\n\n");
}

int functions_describe(const struct functions *functions, struct arena *arena,
	const char **ret_text, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < functions->n; i++) {
		const char *name, *source = NULL;
		if (functions_name_of(functions->files[i], arena, &name, err) < 0 ||
			functions_read_file(functions, i, arena, &source, err) < 0)
			return -1;
		for (const char *line = source; line; line = strchr(line, '\n'), line = line ? line + 1
			: NULL)
			if ((text_starts_with(line, "def ") && line[4] != '_') ||
				text_starts_with(line, "async def "))
				functions_describe_function(line, &text);
	}
	strbuf_rtrim(&text);
	*ret_text = arena_strndup(arena, text.text, text.length);
	return 0;
}
