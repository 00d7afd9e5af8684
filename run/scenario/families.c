/* What there is to name in a scenario: registries of types, keys, prompts. */
#include "agents/agent.h"
#include "agents/external/external.h"
#include "base/secrets.h"
#include "models/model.h"
#include "models/provider.h"
#include "run/run.h"
#include "run/scenario/assertion.h"
#include "run/scenario/scenario.h"
#include "team/team.h"
#include "verify/guard/guard.h"
#include "verify/suite/format.h"

OPTION_TYPES_BARE(suite_types)
OPTION_TYPES_BARE(suite_formats)

static const struct option_family runner_family = {
	.noun = "runner", .type = suite_types_at, .only_named = true};
static const struct option_family format_family = {
	.noun = "format", .type = suite_formats_at, .only_named = true};

static struct option_type known_coder_at(size_t i)
{
	if (i >= known_coders_n)
		return (struct option_type){0};
	return (struct option_type){.name = known_coders[i].name, .summary = known_coders[i].install};
}

static const struct option_family coder_family = {
	.noun = "known coder", .type = known_coder_at, .only_named = true};

const struct run_family run_families[] = {
	{"agents", "who speaks", &agent_family},
	{"models", "what is behind an agent of type coder", &model_family},
	{"executors", "where code runs", &executor_family},
	{"terminations", "when a chat stops", &termination_family},
	{"teams", "who speaks when", &team_family},
	{"assertions", "what must hold at the end", &assertion_family},
	{"parameters", "what {{name}} stands for", &parameter_family},
	{"runners", "what runs a suite, in the order in which they are looked for", &runner_family},
	{"formats", "how a suite's output is read", &format_family},
	{"coders", "coding agents of others that rondo knows: rondo fix --coder NAME", &coder_family},
	{NULL, NULL, NULL},
};

const char *const run_executor_types[] = {EXECUTOR_TYPES(REGISTRY_NAME), NULL};

const struct option *const run_scenario_keys = scenario_keys;

bool run_prompt(size_t i, const char **ret_name, const char **ret_text)
{
	if (i >= prompts_n)
		return false;
	*ret_name = prompts[i].name;
	*ret_text = prompts[i].text;
	return true;
}

static void add_provider(
	struct strbuf *text, const struct model_type *type, const struct secrets *secrets)
{
	const struct provider *provider = type->provider;
	const char *key = provider->key_name, *url = provider->url_name;
	const char *set = url ? secrets_setting(secrets, url, key) : NULL;
	const char *is_set = secrets_get(secrets, key) ? "set" : "not set";
	strbuf_addf(text, "%-17s %-21s %-11s ", type->name, key,
		provider->needs_key || *is_set == 's' ? is_set : "not needed");
	if (set || provider->base_url)
		strbuf_addf(text, "%s\n", set ? set : provider->base_url);
	else
		strbuf_addf(text, "as %s says\n", url);
}

void run_models(struct arena *arena, struct strbuf *text)
{
	struct secrets secrets = {0};
	secrets_from_environment(&secrets, arena);
	for (const struct model_type *const *type = model_types; *type; type++)
		if ((*type)->provider)
			add_provider(text, *type, &secrets);
		else
			strbuf_addf(text, "%-17s %s\n", (*type)->name, (*type)->summary);
}

bool run_rule(size_t i, const char **ret_name, const char **ret_summary, bool *ret_marks)
{
	if (i >= guard_rules_n)
		return false;
	*ret_name = guard_rules[i]->name;
	*ret_summary = guard_rules[i]->summary;
	*ret_marks = guard_rules[i]->marks;
	return true;
}
