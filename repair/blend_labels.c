/*
 * Labels belong to a whole function, so a function with several bodies would have each of them several times: they are declared
 * as those of one body, which compilers for C know as an extension.
 */
#include <string.h>

#include "base/strbuf.h"
#include "repair/blend.h"

static bool is_target(const struct source *source, uint32_t i)
{
	return i && source->tokens[i].kind == TOKEN_NAME && token_is(source, i - 1, "goto");
}

/* Append a name where it is not there yet. */
static void add_label(struct strbuf *labels, const char *name, size_t n)
{
	const char *at = labels->text;
	while ((at = memmem(at, strlen(at), name, n)))
		if ((at == labels->text || at[-1] == ' ') && (at[n] == ',' || at[n] == '\0'))
			return;
		else
			at++;
	strbuf_adds(labels, labels->length ? ", " : "");
	strbuf_add(labels, name, n);
}

const char *blend_labels(struct blender *blender, const struct blended_file *file, const struct host *host,
	const struct source *body)
{
	AUTO_STRBUF targets = STRBUF_INIT(STRBUF_LINE), labels = STRBUF_INIT(STRBUF_LINE);
	const struct source *source = &file->source;
	for (uint32_t i = host->open; i < host->close; i++)
		if (is_target(source, i))
			add_label(&targets, source->file->text + source->tokens[i].start, source->tokens[i].length);
	for (uint32_t i = 0; i < body->n; i++)
		if (is_target(body, i))
			add_label(&targets, body->file->text + body->tokens[i].start, body->tokens[i].length);
	for (uint32_t i = 1; targets.length && i + 1 < body->n; i++) {
		const char *name = tokens_text(body, blender->arena, i, i);
		bool label = body->tokens[i].kind == TOKEN_NAME && token_is(body, i + 1, ":") && token_in(body, i - 1, " ; { } : ) ");
		if (label && text_has_word(targets.text, name))
			add_label(&labels, name, strlen(name));
	}
	return labels.length ? arena_strdup(blender->arena, labels.text) : NULL;
}
