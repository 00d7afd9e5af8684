/* What the tests of AutoGen's files share: dumps of AutoGen 0.7.5 (tests/slow/t5020/dump.py makes
 * them), read as team.json. */
#pragma once
#include "tests/unit/scenario_fixture.h"

#define DUMPS "tests/unit/data/autogen"

/* What was read of team.json, and all that is said of it. */
struct dump {
	struct arena arena;
	struct scenario scenario;
	struct problems problems;
	struct strbuf said;
};

static inline void dump_release(struct dump *dump)
{
	strbuf_release(&dump->said);
	arena_release(&dump->arena);
}
#define AUTO_DUMP __attribute__((cleanup(dump_release))) struct dump

static const struct scenario_settings with_task = {.task = "x"};

static inline void read_text(
	struct dump *dump, const char *text, const struct scenario_settings *settings)
{
	*dump = (struct dump){.said = STRBUF_INIT(STRBUF_TEXT)};
	dump->problems.arena = &dump->arena;
	put_file("team.json", text, strlen(text));
	scenario_init(&dump->scenario, &dump->arena);
	scenario_read(&dump->scenario, "team.json", settings, &dump->problems);
	problems_print(&dump->problems, &dump->said);
}

static inline const char *dump_text(const char *name, struct arena *arena)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *path = arena_printf(arena, "%s/" DUMPS "/%s.json", scenario_source, name);
	assert_int_equal(file_read(path, STRBUF_TEXT, &text, &err), 0);
	return arena_strdup(arena, text.text);
}

/* The dump with one text of it replaced by another. */
static inline void read_changed(struct dump *dump, const char *name, const char *from,
	const char *to, const struct scenario_settings *settings)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = dump_text(name, &arena), *at = strstr(text, from);
	assert_non_null(at);
	read_text(dump, arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)),
		settings);
}
