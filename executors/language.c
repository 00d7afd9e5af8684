#include "executors/language.h"

#include <string.h>

#include "base/memory.h"
#include "executors/world.h"

static const struct language languages[] = {
	{" python py python3 ", "py", "python3"},
	{" sh shell ", "sh", "sh"},
	{" bash ", "sh", "bash"},
	{" javascript js node ", "js", "node"},
	{" typescript ts ", "ts", NULL},
};

static bool has_name(const struct language *language, const char *tag, struct arena *arena)
{
	return *tag && strstr(language->names, arena_printf(arena, " %s ", tag));
}

/* As a function of sh, since its file comes last and what esbuild makes of it is run by node. */
static const char *typescript_command(void)
{
	const char *runner = world_typescript(NULL);
	if (runner && strcmp(runner, "esbuild") != 0)
		return runner;
	return "run() { esbuild \"$1\" --bundle --platform=node --format=cjs --sourcemap=inline "
	       "--log-level=warning --outfile=\"$XDG_CACHE_HOME/block.cjs\" && "
	       "node --enable-source-maps \"$XDG_CACHE_HOME/block.cjs\"; }; run";
}

static const char *command_of(const struct executor_settings *settings, const char *tag)
{
	for (size_t i = 0; i < settings->languages.n; i++)
		if (strcmp(settings->languages.names[i], tag) == 0)
			return settings->languages.items[i];
	return NULL;
}

/* The executor's own languages come first. */
static bool look_up(const struct executor *executor, const char *tag, struct arena *arena,
	struct language *ret_language)
{
	const char *command = command_of(executor->settings, tag);
	if (command) {
		*ret_language = (struct language){arena_printf(arena, " %s ", tag), tag, command};
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		if (!has_name(&languages[i], tag, arena))
			continue;
		*ret_language = languages[i];
		if (!ret_language->command)
			ret_language->command = typescript_command();
		return true;
	}
	return false;
}

/* What may run: "allowed: python", or all that is known. */
static void list_choices(const struct executor *executor, struct strbuf *list)
{
	const struct option_strings *allow = &executor->settings->allow;
	for (size_t i = 0; i < allow->n; i++)
		strbuf_addf(list, "%s%s", i ? ", " : "allowed: ", allow->items[i]);
	if (allow->n)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(languages); i++) {
		const char *name = languages[i].names + 1;
		strbuf_addf(list, "%s%.*s", i ? ", " : "known: ", (int)strcspn(name, " "), name);
	}
	const struct option_texts *more = &executor->settings->languages;
	for (size_t i = 0; i < more->n; i++)
		strbuf_addf(list, ", %s", more->names[i]);
}

static bool is_allowed(const struct executor_settings *settings, const struct language *language,
	struct arena *arena)
{
	for (size_t i = 0; i < settings->allow.n; i++)
		if (has_name(language, settings->allow.items[i], arena))
			return true;
	return settings->allow.n == 0;
}

int language_find(const struct executor *executor, const char *tag, struct arena *arena,
	struct language *ret_language, struct rondo_error *err)
{
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	struct language language;
	bool known = look_up(executor, tag, arena, &language);
	if (known && is_allowed(executor->settings, &language, arena)) {
		*ret_language = language;
		return 0;
	}
	list_choices(executor, &list);
	if (!*tag)
		return error_set(err, RONDO_ERROR_USAGE, "the block names no language; %s", list.text);
	if (!known)
		return error_set(err, RONDO_ERROR_USAGE, "unknown language '%s'; %s", tag, list.text);
	return error_set(err, RONDO_ERROR_USAGE, "language '%s' may not run here; %s", tag, list.text);
}
