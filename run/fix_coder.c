/* rondo fix --coder: one that is no part of rondo, by its name or its command. */
#include "run/fix_coder.h"

#include <ctype.h>
#include <string.h>

#include "agents/external/external.h"

#define ACP "acp:"
#define EXTERNAL_TEAM \
	"agents: {coder: %s, tester: {type: tester}}\n" \
	"team: {participants: [coder, tester], termination: [tests_pass, external, {no_progress: " \
	"{repeats: 4}}]}\n"

bool fix_coder_is_own(const struct scenario *scenario)
{
	static const char *const own[] = {"auto", "repair", "model"};
	return text_in(own, sizeof own / sizeof *own, scenario->coder_choice) &&
		!scenario_find(&scenario->coders, scenario->coder_choice);
}

static bool coder_is_word(const char *text)
{
	while (isalnum((unsigned char)*text) || *text == '_' || *text == '-')
		text++;
	return !*text;
}

/* In the words of a scenario file, with {{coder}} for the name or command. NULL with err set: there
 * is none of that name. */
static const char *coder_words(const char *choice, const struct known_coder **ret_known,
	const char **ret_said, struct rondo_error *err)
{
	bool is_acp = text_starts_with(choice, ACP);
	const char *said = is_acp ? choice + strlen(ACP) : choice;
	*ret_known = NULL;
	*ret_said = said;
	if (!*said) {
		error_set(err, RONDO_ERROR_USAGE, "the coder '%s' names no command", choice);
		error_help(err, "--coder acp:'CMD'");
		return NULL;
	}
	if (coder_is_word(said) && !(*ret_known = known_coder_find(said, err)))
		return NULL;
	return *ret_known ? "coder: '{{coder}}'" : "command: '{{coder}}'";
}

/* A model of the provider that the coder asks by itself. */
static void coder_choose_model(struct scenario *scenario, const struct known_coder *known)
{
	if (!scenario->model && known && known->provider)
		scenario->model = arena_printf(scenario->arena, "%s/*", known->provider);
}

static int coder_take_known(struct scenario *scenario, struct rondo_error *err)
{
	struct arena *arena = scenario->arena;
	const char *choice = scenario->coder_choice, *said;
	const struct known_coder *known;
	const char *words = coder_words(choice, &known, &said, err);
	if (!words)
		return -1;
	coder_choose_model(scenario, known);
	const char *type = text_starts_with(choice, ACP) ? "acp" : "command";
	const char *coder = arena_printf(
		arena, "{type: %s, %s%s}", type, words, scenario->model ? ", model: '{{model}}'" : "");
	scenario->coder_said = said;
	order_read_team(scenario, arena_printf(arena, EXTERNAL_TEAM, coder));
	scenario->coder = known ? known->name : said;
	return 0;
}

/* One that the user's configuration describes. */
static int coder_take_declared(
	struct scenario *scenario, struct option_spec *declared, struct rondo_error *err)
{
	const char *type = declared->type.name;
	if (strcmp(type, "command") != 0 && strcmp(type, "acp") != 0)
		return error_set(err, RONDO_ERROR_USAGE,
			"coders.%s must be of type command or acp, found '%s'", declared->name, type);
	order_read_team(
		scenario, arena_printf(scenario->arena, EXTERNAL_TEAM, "{type: command, command: 'true'}"));
	struct option_spec *coder = scenario_find(&scenario->agents, "coder");
	struct external_settings *settings = declared->state;
	coder->type = declared->type;
	coder->state = declared->state;
	coder->common = declared->common;
	if (!settings->model.name && scenario->model)
		settings->model.name = scenario->model;
	scenario->coder = declared->name;
	return 0;
}

int fix_coder_take(struct scenario *scenario, struct rondo_error *err)
{
	struct option_spec *declared = scenario_find(&scenario->coders, scenario->coder_choice);
	return declared ? coder_take_declared(scenario, declared, err)
					: coder_take_known(scenario, err);
}
