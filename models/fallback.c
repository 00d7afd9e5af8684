/* Models that are asked in order: each where those before it failed. */
#include "models/model.h"

struct fallback {
	struct option_refs models;
};

static const struct option options[] = {
	OPTION("models", REFS, offsetof(struct fallback, models),
		"the models, the one to be asked first at the beginning", .main = true,
		.family = &model_family, .required = true, .argument = "NAMES"),
	OPTION_END,
};

static struct model *fallback_part(const struct model *model, size_t i)
{
	const struct fallback *fallback = model->state;
	return i < fallback->models.n ? fallback->models.items[i].object : NULL;
}

static int fallback_open(struct model *model, struct rondo_error *err)
{
	return fallback_part(model, 0)
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "'models' must say who is asked");
}

const struct model_type fallback_model = {
	.name = "fallback",
	.summary = "asks several models in order, until one answers",
	.state_size = sizeof(struct fallback),
	.options = options,
	.is_free = true, /* what it costs is theirs */
	.open = fallback_open,
	.part = fallback_part,
};
