/*
 * Labels belong to a whole function, so a function with several bodies would have each of them
 * several times: they are declared as those of one body, which compilers for C know as an
 * extension.
 */
#include <string.h>

#include "base/strbuf.h"
#include "repair/blend/blend.h"

static bool is_target(const struct source *source, uint32_t i)
{
	return i && source->tokens[i].kind == TOKEN_NAME && token_is(source, i - 1, "goto");
}

static bool is_label(const struct source *source, uint32_t i)
{
	return i && source->tokens[i].kind == TOKEN_NAME && token_is(source, i + 1, ":") &&
		   token_in(source, i - 1, " ; { } : ) ");
}

static void add_name(struct strbuf *names, const char *name)
{
	if (text_has_word(names->text, name))
		return;
	strbuf_adds(names, names->length ? ", " : "");
	strbuf_adds(names, name);
}

static void add_targets(struct strbuf *names, struct arena *arena, const struct source *source,
	uint32_t first, uint32_t last)
{
	for (uint32_t i = first; i <= last; i++)
		if (is_target(source, i))
			add_name(names, tokens_text(source, arena, i, i));
}

const char *blend_labels(struct blender *blender, const struct blended_file *file,
	const struct host *host, const struct source *body, uint32_t first, uint32_t last)
{
	AUTO_STRBUF targets = STRBUF_INIT(STRBUF_LINE), labels = STRBUF_INIT(STRBUF_LINE);
	struct arena *arena = blender->arena;
	add_targets(&targets, arena, &file->source, host->open, host->close);
	add_targets(&targets, arena, body, first, last);
	for (uint32_t i = first; targets.length && i <= last; i++) {
		const char *name = is_label(body, i) ? tokens_text(body, arena, i, i) : NULL;
		if (name && text_has_word(targets.text, name))
			add_name(&labels, name);
	}
	return labels.length ? arena_strdup(arena, labels.text) : NULL;
}
