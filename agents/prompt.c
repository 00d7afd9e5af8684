/* Prompts. The table is made from the files in agents/prompts/ when rondo is built. */
#include <string.h>

#include "agents/agent.h"

static const struct prompt *prompt_find(const char *name)
{
	for (size_t i = 0; i < prompts_n; i++)
		if (strcmp(prompts[i].name, name) == 0)
			return &prompts[i];
	return NULL;
}

const char *prompt_text(const char *name, const struct option_texts *overrides)
{
	const struct prompt *prompt = prompt_find(name);
	for (size_t i = 0; overrides && i < overrides->n; i++)
		if (strcmp(overrides->names[i], name) == 0)
			return overrides->items[i];
	return prompt ? prompt->text : NULL;
}

int prompt_check(const struct option_texts *overrides, struct rondo_error *err)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < prompts_n; i++)
		strbuf_addf(&names, "%s%s", i ? ", " : "", prompts[i].name);
	for (size_t i = 0; i < overrides->n; i++)
		if (!prompt_find(overrides->names[i]))
			return error_set(err, RONDO_ERROR_USAGE, "there is no prompt '%s' to override, only %s",
				overrides->names[i], names.text);
	return 0;
}
