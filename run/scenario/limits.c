#include "run/scenario/limits.h"

#define AT(member) offsetof(struct limits, member)

static const char *const turns_aliases[] = {"max_turns", NULL};
static const char *const time_aliases[] = {"timeout", NULL};
static const char *const block_aliases[] = {"command_timeout", NULL};
static const char *const tokens_aliases[] = {"max_tokens", NULL};
static const char *const cost_aliases[] = {"max_cost_usd", NULL};

const struct option limits_options[] = {
	OPTION("turns", INT, AT(turns), "turns of the chat", .least = 1, .most = 1000000,
		.fallback = "40", .aliases = turns_aliases),
	OPTION("time", DURATION, AT(time_ms), "the whole run", .least = 1, .fallback = "30m",
		.aliases = time_aliases),
	OPTION("block", DURATION, AT(block_ms), "one code block", .least = 1, .fallback = "120s",
		.aliases = block_aliases),
	OPTION("suite", DURATION, AT(suite_ms),
		"one run of the suite; else five times the baseline, at least 60s", .least = 1),
	OPTION("repair", DURATION, AT(repair_ms),
		"the search of the coder without a model; else 60s, and 10s where a model follows in "
		"rondo fix",
		.least = 1),
	OPTION("candidates", INT, AT(candidates),
		"edits that the coder without a model tries; else as many as there is time for",
		.least = 1),
	OPTION("tokens", INT, AT(tokens), "tokens of all models; else no limit", .least = 1,
		.aliases = tokens_aliases),
	OPTION("cost", MONEY, AT(cost_usd), "USD for all models", .fallback = "3",
		.aliases = cost_aliases),
	OPTION_END,
};

const char *limits_describe(const struct limits *limits, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (const struct option *option = limits_options; option->name; option++) {
		AUTO_STRBUF value = STRBUF_INIT(STRBUF_LINE);
		option_print(option, limits, &value);
		bool unset = !option->fallback && value.text[0] == '0';
		if (!unset)
			strbuf_addf(&text, "%s%s %s", text.length ? ", " : "", option->name, value.text);
	}
	return arena_strdup(arena, text.text);
}
