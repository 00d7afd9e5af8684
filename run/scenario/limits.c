#include "run/scenario/limits.h"

#define AT(member) offsetof(struct limits, member)

static const char *const turns_aliases[] = {"max_turns", NULL};
static const char *const time_aliases[] = {"timeout", NULL};
static const char *const block_aliases[] = {"command_timeout", NULL};
static const char *const tokens_aliases[] = {"max_tokens", NULL};
static const char *const cost_aliases[] = {"max_cost_usd", NULL};

const struct option limits_options[] = {
	{.name = "turns",
		.kind = OPTION_INT,
		.offset = AT(turns),
		.least = 1,
		.most = 1000000,
		.fallback = "40",
		.aliases = turns_aliases,
		.help = "turns of the chat"},
	{.name = "time",
		.kind = OPTION_DURATION,
		.offset = AT(time_ms),
		.least = 1,
		.fallback = "30m",
		.aliases = time_aliases,
		.help = "the whole run"},
	{.name = "block",
		.kind = OPTION_DURATION,
		.offset = AT(block_ms),
		.least = 1,
		.fallback = "120s",
		.aliases = block_aliases,
		.help = "one code block"},
	{.name = "suite",
		.kind = OPTION_DURATION,
		.offset = AT(suite_ms),
		.least = 1,
		.help = "one run of the suite; else five times the baseline, at least 60s"},
	{.name = "repair",
		.kind = OPTION_DURATION,
		.offset = AT(repair_ms),
		.least = 1,
		.help = "the search of the coder without a model; else 60s, and 10s where rondo fix has a "
				"model behind it"},
	{.name = "candidates",
		.kind = OPTION_INT,
		.offset = AT(candidates),
		.least = 1,
		.help = "edits that the coder without a model tries; else as many as there is time for"},
	{.name = "tokens",
		.kind = OPTION_INT,
		.offset = AT(tokens),
		.least = 1,
		.aliases = tokens_aliases,
		.help = "tokens of all models; else no limit"},
	{.name = "cost",
		.kind = OPTION_MONEY,
		.offset = AT(cost_usd),
		.fallback = "3",
		.aliases = cost_aliases,
		.help = "USD for all models"},
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
