/*
 * Which texts were tried. The new text itself is never made: an edit is brought to one form, the
 * longest common beginning with the old text and then the longest common end, and that is hashed.
 */
#include <string.h>

#include "base/strbuf.h"
#include "repair/localise/trace.h"
#include "repair/search.h"

static uint64_t seen_mix(uint64_t hash, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		/* it is filled: NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211U;
	return hash;
}

bool seen_add_number(struct map *seen, struct arena *arena, uint64_t number)
{
	if (map_get_bytes(seen, (const char *)&number, sizeof number))
		return false;
	map_put_bytes(seen, arena, arena_memdup(arena, &number, sizeof number), sizeof number, seen);
	return true;
}

/* The new text between the first changed byte and the last. */
static void seen_build(struct strbuf *sb, const char *text, const struct proposal *proposal)
{
	size_t at = proposal->splices[0].offset;
	for (size_t i = 0; i < proposal->n; i++) {
		const struct splice *splice = &proposal->splices[i];
		strbuf_add(sb, text + at, splice->offset - at);
		strbuf_adds(sb, splice->text);
		at = splice->offset + splice->length;
	}
}

bool seen_add(struct map *seen, struct arena *arena, const struct source *source,
	const struct proposal *proposal)
{
	const char *text = source->file->text;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	seen_build(&sb, text, proposal);
	const struct splice *last = &proposal->splices[proposal->n - 1];
	size_t start = proposal->splices[0].offset, end = last->offset + last->length;
	/* The text that follows is part of both, since a common beginning may extend into it. */
	size_t old_end = end, more = sb.length + 64;
	more = more < source->file->n - end ? more : source->file->n - end;
	strbuf_add(&sb, text + end, more);
	old_end += more;
	size_t old_n = old_end - start, new_n = sb.length, common = 0;
	while (common < old_n && common < new_n && text[start + common] == sb.text[common])
		common++;
	if (common == old_n && common == new_n)
		return false;
	while (old_n > common && new_n > common && text[start + old_n - 1] == sb.text[new_n - 1]) {
		old_n--;
		new_n--;
	}
	size_t form[] = {source->index, start + common, old_n - common};
	uint64_t hash = seen_mix(14695981039346656037U, form, sizeof form);
	return seen_add_number(seen, arena, seen_mix(hash, sb.text + common, new_n - common));
}

void repair_exclude(struct repair *repair, const struct edit *edit)
{
	struct source *source = edit->n == 1
		? repair_source(repair, edit->files[0].path, strlen(edit->files[0].path))
		: NULL;
	const struct proposal proposal = {.splices = edit->files[0].splices, .n = edit->files[0].n};
	if (source && proposal.n)
		seen_add(&repair->texts, repair->arena, source, &proposal);
}
