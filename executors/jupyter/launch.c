#include "executors/jupyter/jupyter.h"

#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"

#define FIND_MS 30000
#define ANSWER_LIMIT ((size_t)64 << 10)
#define NOT_FOUND 9
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static const char find_line[] =
	"IFS=:\n"
	"look='import sys; sys.path[:] = [p for p in sys.path if p]; import importlib.util as u\n"
	"if u.find_spec(\"ipykernel_launcher\") is None: sys.exit(1)\n"
	"from importlib.metadata import version; "
	"print(\"python\", version(\"ipykernel\"), sys.executable)'\n"
	"places=$JUPYTER_PATH:$HOME/.local/share/jupyter\n"
	"for dir in $PATH; do\n"
	"	[ \"$KERNEL\" = python3 ] && [ -x \"$dir/python3\" ] && "
	"\"$dir/python3\" -c \"$look\" 2>/dev/null && exit 0\n"
	"	places=$places:${dir%/*}/share/jupyter\n"
	"done\n"
	"places=$places:/usr/local/share/jupyter:/usr/share/jupyter\n"
	"for place in $places; do\n"
	"	file=$place/kernels/$KERNEL/kernel.json\n"
	"	[ -f \"$file\" ] && echo \"spec $place/kernels/$KERNEL\" && cat \"$file\" && exit 0\n"
	"done\n"
	"for place in $places; do for file in \"$place\"/kernels/*/kernel.json; do\n"
	"	[ -f \"$file\" ] && file=${file%/*} && echo \"${file##*/}\"\n"
	"done; done | sort -u\n"
	"exit 9\n";

static int launch_not_installed(const char *kernel, struct strbuf *others, struct rondo_error *err)
{
	strbuf_rtrim(others);
	for (size_t i = 0; i < others->length; i++)
		if (others->text[i] == '\n')
			others->text[i] = ' ';
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "Kernel %s is not installed. %s%s", kernel,
		others->length ? "There is: " : "There is none.", others->text);
	return error_help(err, "apt-get install python3-ipykernel, or pip install ipykernel");
}

/* "python VERSION PATH" */
static int launch_read_python(const char *answer, struct jupyter_launch *launch,
	struct arena *arena, struct rondo_error *err)
{
	const char *version = answer + strlen("python ");
	size_t n = strcspn(version, " \n");
	const char *path = version + n + (version[n] == ' ');
	if (*path != '/')
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "python3 does not say where it is: %s",
			answer);
	launch->version = arena_strndup(arena, version, n);
	launch->python = arena_strndup(arena, path, strcspn(path, "\n"));
	return 0;
}

static bool launch_is_ipykernel(const struct jupyter_launch *launch)
{
	bool is = launch->python;
	for (size_t i = 0; i < launch->n_words && !is; i++)
		is = strstr(launch->words[i], "ipykernel") != NULL;
	return is;
}

/* Read "spec DIR" and the kernel.json that follows. */
static int launch_read_spec(const char *answer, struct jupyter_launch *launch, struct arena *arena,
	struct rondo_error *err)
{
	const char *dir = arena_strndup(arena, answer + strlen("spec "),
		strcspn(answer, "\n") - strlen("spec "));
	const char *text = strchr(answer, '\n');
	AUTO_JSON *spec = json_parse(text ? text : "", text ? strlen(text) : 0, err);
	if (!spec)
		return error_prefix(err, "%s/kernel.json", dir);
	const struct json *words = json_get(spec, "argv"), *env = json_get(spec, "env");
	for (const struct json *word = json_is_array(words) ? json_first(words) : NULL; word;
		word = json_next(word)) {
		const char *given = json_text(word, "");
		const char *resource = strcmp(given, "{resource_dir}") == 0 ? dir : given;
		ARENA_PUSH(arena, launch->words, launch->n_words, arena_strdup(arena, resource));
	}
	for (const struct json *item = json_is_object(env) ? json_first(env) : NULL; item;
		item = json_next(item))
		ARENA_PUSH(arena, launch->env, launch->n_env, arena_printf(arena, "%s=%s", json_key(item),
			json_text(item, "")));
	if (launch->n_words)
		return 0;
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%s/kernel.json has no argv", dir);
}

int jupyter_launch_find(struct executor *executor, const char *kernel, struct arena *arena,
	struct jupyter_launch *ret_launch, const struct context *ctx, struct rondo_error *err)
{
	AUTO_STRBUF answer = STRBUF_INIT(ANSWER_LIMIT);
	struct jupyter_launch launch = {.kernel = kernel};
	struct process_result result;
	const char *const env[] = {arena_printf(arena, "KERNEL=%s", kernel), NULL};
	struct command command = {.line = find_line, .env = env, .timeout_ms = FIND_MS,
		.output = &answer};
	if (!*kernel || kernel[strspn(kernel, LETTERS)])
		return error_set(err, RONDO_ERROR_USAGE, "Kernel %s is not installed: no name of a kernel",
			kernel);
	if (executor_run(executor, &command, &result, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (result.exit_code == NOT_FOUND)
		return launch_not_installed(kernel, &answer, err);
	bool is_python = text_starts_with(answer.text, "python ");
	if (result.exit_code != 0 || (!is_python && !text_starts_with(answer.text, "spec ")))
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "kernels cannot be looked up: %s",
			answer.text);
	if ((is_python ? launch_read_python : launch_read_spec)(answer.text, &launch, arena, err) < 0)
		return -1;
	*ret_launch = launch;
	return 0;
}

static void launch_add_word(struct strbuf *line, const char *word)
{
	strbuf_addc(line, ' ');
	strbuf_add_word(line, word);
}

/* Output outside of messages comes through the pipe only; history is not saved. */
static void launch_add_settings(struct strbuf *line)
{
	static const char *const settings[] = {"--IPKernelApp.capture_fd_output=False",
		"--HistoryManager.enabled=False",
		"--InteractiveShell.colors=NoColor"};
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		launch_add_word(line, settings[i]);
}

/* Python's directory comes first on PATH, so that `!pip` and `!python` are the kernel's. */
static void launch_add_python(struct strbuf *line, const char *python, const char *connection_file,
	struct arena *arena)
{
	const char *dir = arena_strndup(arena, python, (size_t)(strrchr(python, '/') - python));
	strbuf_adds(line, "set --");
	launch_add_word(line, dir);
	strbuf_adds(line, "\nPATH=$1:$PATH\nexec");
	launch_add_word(line, python);
	strbuf_adds(line, " -m ipykernel_launcher -f");
	launch_add_word(line, connection_file);
}

const char *jupyter_launch_line(const struct jupyter_launch *launch, const char *connection_file,
	struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&line, "exec 3<&0 </dev/null\n"
			   "((while read -r word <&3; do kill -INT $$; done) >/dev/null 2>&1 &)\n"
			   "exec 3<&-\n");
	if (launch->python)
		launch_add_python(&line, launch->python, connection_file, arena);
	else
		strbuf_adds(&line, "exec");
	for (size_t i = 0; i < launch->n_words; i++)
		launch_add_word(&line, strcmp(launch->words[i], "{connection_file}") == 0 ? connection_file
			: launch->words[i]);
	if (launch_is_ipykernel(launch))
		launch_add_settings(&line);
	return arena_strdup(arena, line.text);
}
