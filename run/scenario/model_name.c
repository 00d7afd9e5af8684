/* A model by the name that the user gave: PROVIDER/MODEL, or one of the configuration. */
#include <string.h>

#include "models/model.h"
#include "run/scenario/scenario.h"

/* Whether a provider's models need nothing beside their name. */
static bool model_name_suffices(const struct option_type *type)
{
	const struct option *bare = type->options ? option_main(type->options) : NULL;
	return bare && bare->kind == OPTION_STRING;
}

static bool model_name_is_known(const struct scenario *scenario, const char *name)
{
	struct rondo_error ignored;
	const char *slash = strchr(name, '/');
	if (scenario_find(&scenario->models, name))
		return true;
	if (!slash || !slash[1])
		return false;
	struct option_type type = option_type_find(
		&model_family, arena_strndup(scenario->arena, name, (size_t)(slash - name)), &ignored);
	return model_name_suffices(&type);
}

static int model_name_refuse(
	const struct scenario *scenario, const char *name, struct rondo_error *err)
{
	const struct option_specs *models = &scenario->models;
	const char **names = NULL, *slash = strchr(name, '/');
	size_t n = 0;
	AUTO_STRBUF providers = STRBUF_INIT(STRBUF_LINE), declared = STRBUF_INIT(STRBUF_LINE);
	struct option_type type;
	for (size_t i = 0; i < models->n; i++)
		ARENA_PUSH(scenario->arena, names, n, models->items[i].name);
	strbuf_add_list(&declared, names, n);
	for (size_t i = 0; (type = model_family.type(i)).name; i++) {
		if (!model_name_suffices(&type))
			continue;
		strbuf_addf(&providers, "%s%s", providers.length ? ", " : "", type.name);
		if (slash && slash[1])
			ARENA_PUSH(
				scenario->arena, names, n, arena_printf(scenario->arena, "%s%s", type.name, slash));
	}
	error_unknown(err, "unknown model", name, names, n);
	return error_help(err,
		"name a model as PROVIDER/MODEL (providers: %s), or one under 'models' in the "
		"configuration (%s)",
		providers.text, models->n ? declared.text : "there is none");
}

int scenario_check_model(const struct scenario *scenario, const char *name, struct rondo_error *err)
{
	return model_name_is_known(scenario, name) ? 0 : model_name_refuse(scenario, name, err);
}
