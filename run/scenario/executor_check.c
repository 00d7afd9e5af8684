/* What no table can say of the executor, and of what agents have it do. */
#include <ctype.h>
#include <string.h>

#include "chat/edit.h"
#include "executors/functions.h"
#include "run/scenario/scenario_check.h"

/* Where an option of the executor's stands; else where the executor does. */
static struct option_place place_of(const struct check *check, const char *option)
{
	struct option_place place = check_place(check, "executor", option);
	const struct option_place *executor = &check->scenario->executor.place;
	return place.line || !executor->origin ? place : *executor;
}

static const struct executor_settings *settings_of(const struct check *check)
{
	const struct executor_settings *settings = check->scenario->executor.common;
	return settings ? settings : &executor_defaults;
}

static void check_languages(const struct check *check, const struct option_place *place,
	const char *what, const char *const *names, size_t n)
{
	struct rondo_error err;
	for (size_t i = 0; i < n; i++)
		if (executor_check_language(settings_of(check), names[i], &err) < 0)
			problems_add(check->problems, *place, "%s: %s", what, err.message);
}

static void check_policies(const struct check *check, const struct option_texts *policies)
{
	struct option_place place = place_of(check, "policies");
	check_languages(check, &place, "executor.policies", policies->names, policies->n);
	for (size_t i = 0; i < policies->n; i++) {
		const char *word = policies->items[i];
		if (strcmp(word, "run") != 0 && strcmp(word, "save") != 0 && strcmp(word, "ignore") != 0)
			problems_add(check->problems, place,
				"executor.policies: '%s' of %s is none of run, save, ignore", word,
				policies->names[i]);
	}
}

static bool is_variable(const char *name)
{
	size_t n = 0;
	while (isalnum((unsigned char)name[n]) || name[n] == '_')
		n++;
	return n && !name[n] && !isdigit((unsigned char)*name);
}

static void check_env(const struct check *check, const struct option_texts *env)
{
	struct option_place place = place_of(check, "env");
	for (size_t i = 0; i < env->n; i++)
		if (!is_variable(env->names[i]))
			problems_add(check->problems, place,
				"executor.env: '%s' cannot name a variable: letters, digits and _", env->names[i]);
		else if (text_ends_with(env->names[i], "_API_KEY"))
			problems_add(
				check->problems, place, "executor.env must not hold keys: '%s'", env->names[i]);
}

/* What the type itself says. */
static void check_type(const struct check *check)
{
	const struct option_spec *spec = &check->scenario->executor;
	struct executor_plan plan = {
		.type = spec->type.self, .settings = settings_of(check), .options = spec->state};
	const char *option;
	struct rondo_error err;
	if (!spec->type.name || !spec->state || spec->lacks_value ||
		executor_check(&plan, &option, &err) == 0)
		return;
	struct option_place place = place_of(check, option);
	problems_add(check->problems, place, "executor.%s: %s", option, err.message);
}

void check_executor(const struct check *check)
{
	const struct executor_settings *settings = settings_of(check);
	struct option_place work_dir = place_of(check, "work_dir"), allow = place_of(check, "allow");
	struct rondo_error err;
	const char *beside = executor_dir_beside(settings->work_dir);
	const char *dir = beside ? beside : settings->work_dir;
	if (dir && edit_check_path(dir, &err) < 0)
		problems_add(check->problems, work_dir, "executor.work_dir: %s", err.message);
	check_languages(
		check, &allow, "executor.allow", settings->rules.allow.items, settings->rules.allow.n);
	check_policies(check, &settings->policies);
	check_env(check, &settings->env);
	check_type(check);
}

static void check_functions(
	const struct check *check, const struct option_spec *agent, const struct option_strings *files)
{
	struct functions functions = {
		.files = files->items, .n = files->n, .dir = check->scenario->dir};
	struct rondo_error err;
	if (functions_check(&functions, &err) < 0)
		problems_add(check->problems, agent->place, "agent '%s': %s", agent->name, err.message);
}

void check_execution(const struct check *check, const struct option_spec *agent)
{
	const struct option_strings *allow = scenario_member(agent, OPTION_STRINGS, "allow");
	const struct option_strings *functions = scenario_member(agent, OPTION_STRINGS, "functions");
	if (allow)
		check_languages(check, &agent->place,
			arena_printf(check->scenario->arena, "agent '%s': allow", agent->name), allow->items,
			allow->n);
	if (functions)
		check_functions(check, agent, functions);
}
