/* rondo fix: a scenario made of its options. */
#include <string.h>

#include "models/model.h"
#include "run/report/commit_message.h"
#include "run/scenario/config.h"
#include "run/scenario/reader.h"
#include "run/stages.h"

#define REPAIR_BEFORE_MODEL_MS 10000 /* what it fixes then costs nothing */

/* The team, in the words of a scenario file. */
#define TEAM(coder, further) \
	"agents: {coder: " coder ", executor: {type: executor}, tester: {type: tester}}\n" \
	"team: {participants: [coder, executor, tester], termination: [tests_pass, external" further "]}\n"
/* A coder gives up by itself after three replies that come to nothing, and says why. */
#define WITH_MODEL(coder) TEAM(coder, ", {no_progress: {repeats: 4}}")

/* repair alone; or, with a model named, first repair and then the model; or the model alone. */
static void choose_team(struct scenario *scenario, int64_t seed)
{
	bool repair = !scenario->model || strcmp(scenario->coder_choice, "repair") == 0;
	bool model = !repair && strcmp(scenario->coder_choice, "model") == 0;
	const char *team = repair ? TEAM("{type: repair, seed: '{{seed}}'}", "")
			   : model ? WITH_MODEL("{type: coder, model: '{{model}}'}")
				   : WITH_MODEL("{type: sequence, agents: [{type: repair, seed: '{{seed}}'}, {type: coder, model: '{{model}}'}]}");
	struct parameter given[] = {{"seed", arena_printf(scenario->arena, "%lld", (long long)seed)}, {"model", scenario->model}};
	struct parameters parameters = {given, scenario->model ? 2 : 1};
	struct problems problems = {.arena = scenario->arena};
	struct reader reader = {.arena = scenario->arena, .problems = &problems, .parameters = &parameters};
	struct yaml_node *root = yaml_read(team, strlen(team), "rondo fix", scenario->arena, &problems);
	reader_read(&reader, scenario_keys, scenario, root, NULL);
	scenario->coder = repair ? "repair (no model)"
			  : model ? scenario->model
				  : arena_printf(scenario->arena, "repair, then %s", scenario->model);
	if (!repair && !model && !scenario->limits.repair_ms)
		scenario->limits.repair_ms = REPAIR_BEFORE_MODEL_MS;
}

/* --- The model that the user named, by option or configuration --- */

/* Whether a provider's models need nothing beside their name. */
static bool takes_names(const struct option_type *type)
{
	const struct option *bare = type->options ? option_main(type->options) : NULL;
	return bare && bare->kind == OPTION_STRING;
}

static bool is_model(const struct scenario *scenario, const char *name)
{
	struct rondo_error ignored;
	const char *slash = strchr(name, '/');
	for (size_t i = 0; i < scenario->models.n; i++)
		if (strcmp(scenario->models.items[i].name, name) == 0)
			return true;
	if (!slash || !slash[1])
		return false;
	struct option_type type = option_type_find(
		&model_family, arena_strndup(scenario->arena, name, (size_t)(slash - name)), &ignored);
	return takes_names(&type);
}

static int refuse_model(const struct scenario *scenario, struct rondo_error *err)
{
	const struct option_specs *models = &scenario->models;
	AUTO_STRBUF providers = STRBUF_INIT(STRBUF_LINE), declared = STRBUF_INIT(STRBUF_LINE);
	const char **names = arena_alloc(scenario->arena, (models->n + 1) * sizeof *names);
	struct option_type type;
	for (size_t i = 0; (type = model_family.type(i)).name; i++)
		if (takes_names(&type))
			strbuf_addf(&providers, "%s%s", providers.length ? ", " : "", type.name);
	for (size_t i = 0; i < models->n; i++)
		names[i] = models->items[i].name;
	strbuf_add_list(&declared, names, models->n);
	const char *near = text_nearest(scenario->model, names, models->n);
	error_set(err, RONDO_ERROR_USAGE, "unknown model '%s'%s%s%s", scenario->model,
		TEXT_HINT(near));
	return error_help(err, "name a model as PROVIDER/MODEL (providers: %s), or one under 'models' in the configuration (%s)",
		providers.text, models->n ? declared.text : "there is none");
}

static int check_model(const struct scenario *scenario, struct rondo_error *err)
{
	if (scenario->model && !is_model(scenario, scenario->model))
		return refuse_model(scenario, err);
	if (scenario->model || strcmp(scenario->coder_choice, "model") != 0)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "the coder shall be a model, and none is named");
	return error_help(err, "rondo fix --model openai/gpt-5-mini, or 'model' in the configuration");
}

/* --- From options to a scenario --- */

static void append(struct option_strings *to, const struct option_strings *more, struct arena *arena)
{
	for (size_t i = 0; i < more->n; i++)
		ARENA_PUSH(arena, to->items, to->n, more->items[i]);
}

/* What shall be left beside the branch. */
static int take_wishes(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	struct scenario_output *output = &scenario->output;
	if (options->subject && commit_check_subject(options->subject, err) < 0)
		return -1;
	for (size_t i = 0; i < options->co_authors.n; i++)
		if (commit_check_author(options->co_authors.items[i], err) < 0)
			return -1;
	append(&output->co_authors, &options->co_authors, arena);
	if (options->subject)
		output->subject = options->subject;
	if (options->junit)
		output->junit = options->junit;
	if (options->pull_request)
		output->pull_request = options->pull_request;
	return 0;
}

/* What the options say, over what the configuration does. */
static int take_options(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	if (options->test) {
		scenario->test.command = options->test;
		scenario->test_from = "--test";
	}
	if (options->goal)
		scenario->test.goal = options->goal;
	scenario->workspace.repo = options->path ? options->path : ".";
	if (options->model)
		scenario->model = options->model;
	if (options->coder)
		scenario->coder_choice = options->coder;
	if (options->head)
		scenario->workspace.on_dirty = "head";
	append(&scenario->protect, &options->protect, arena);
	append(&scenario->allow_edit, &options->allow_edit, arena);
	append(&scenario->workspace.mount, &options->mount, arena);
	append(&scenario->verify.checks, &options->checks, arena);
	if (options->branch)
		scenario->output.branch = options->branch;
	if (options->patch)
		scenario->output.patch = options->patch;
	if (options->apply)
		scenario->output.apply = true;
	if (take_wishes(scenario, options, arena, err) < 0)
		return -1;
	if (limits_read(&options->limits, arena, &scenario->limits, err) < 0)
		return -1;
	return scenario_choose_executor(scenario, options->executor, err);
}

int order_fix_scenario(struct scenario *scenario, const struct fix_options *options, struct arena *arena,
	struct rondo_error *err)
{
	struct problems problems = {.arena = arena};
	scenario_init(scenario, arena);
	config_read(scenario, options->path ? options->path : ".", NULL, &problems);
	if (options->settings)
		config_take(scenario, options->settings, &problems);
	if (options->overrides.n)
		config_override(scenario, &options->overrides, options->executor, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	if (take_options(scenario, options, arena, err) < 0 || check_model(scenario, err) < 0)
		return -1;
	choose_team(scenario, options->seed);
	scenario_check(scenario, NULL, &problems);
	return problems_error(&problems, err);
}

int run_fix(const struct fix_options *options, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct scenario scenario;
	struct secrets secrets = {0};
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	if (order_fix_scenario(&scenario, options, arena, err) < 0 ||
		scenario_secrets(&scenario, options->env_file, &secrets, err) < 0)
		return -1;
	struct order order = {.scenario = &scenario, .secrets = &secrets, .env_file = options->env_file,
		.dry_run = options->dry_run, .stop_requested = options->stop_requested};
	return run_carry_out(&order, ctx, arena, report, err);
}
