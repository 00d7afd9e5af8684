#include <string.h>

#include "models/hosted.h"
#include "models/provider.h"
#include "models/relay/relay.h"

/* Its base URL, with what one without a path lacks. */
static const char *relay_upstream_base(struct model *model)
{
	const struct hosted *hosted = model->state;
	const char *base = hosted->base_url, *query = base + strcspn(base, "?#");
	size_t n;
	const char *lacks = hosted_lacks(hosted, &n);
	return *lacks ? arena_printf(&model->arena, "%.*s%s%s", (int)n, base, lacks, query) : base;
}

int relay_upstream_of(
	struct model *model, struct relay_upstream *ret_upstream, struct rondo_error *err)
{
	const struct hosted *hosted = model->state;
	if (!model->type->provider) {
		error_set(err, RONDO_ERROR_USAGE,
			"model %s is of the type %s, which asks no server that an agent could ask", model->name,
			model->type->name);
		return error_help(err, "rondo list models");
	}
	*ret_upstream = (struct relay_upstream){.base_url = relay_upstream_base(model),
		.key = hosted->key,
		.key_name = hosted->key_name,
		.key_header = hosted->provider->key_header,
		.model = hosted->model,
		.price = model->price};
	return 0;
}
