#include "verify/counter/counter.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/utf8.h"

REGISTRY_DEFINE(struct counter_type, counter_types, COUNTER_TYPES(&COUNTER_SYMBOL));

enum { SHOWN_MOST = 160 };

bool counter_type_reads(const struct counter_type *type, const char *formats)
{
	for (const char *at = formats; at && *at;) {
		size_t n = strcspn(at, "+,");
		if (words_hold(type->formats, at, n))
			return true;
		at += n + (at[n] != '\0');
	}
	return false;
}

void counter_plan_init(
	struct counter_plan *plan, const char *word, const char *said, struct arena *arena)
{
	*plan = (struct counter_plan){.arena = arena,
		.word = arena_strdup(arena, word),
		.said = arena_strdup(arena, said),
		.words = {.arena = arena}};
}

static size_t counter_open(struct counter_plan *plan, const struct counter_type *type,
	const char *path, const char *text, size_t n, bool is_changed)
{
	for (size_t i = 0; i < plan->n_files; i++)
		if (strcmp(plan->files[i]->path, path) == 0)
			return i;
	struct counter_file *file = arena_alloc(plan->arena, sizeof *file);
	*file = (struct counter_file){.type = type,
		.path = arena_strdup(plan->arena, path),
		.text = arena_strndup(plan->arena, text, n),
		.n = n,
		.is_changed = is_changed,
		.language = language_of(path)};
	tokens_read(file->language, file->text, n, &plan->words, plan->arena, &file->tokens);
	ARENA_PUSH(plan->arena, plan->files, plan->n_files, file);
	return plan->n_files - 1;
}

const char *counter_add(struct counter_plan *plan, const struct counter_type *type,
	const char *path, const char *text, size_t n, const struct counter_test *test,
	bool *ret_has_test)
{
	const struct language *language = language_of(path);
	*ret_has_test = false;
	if (!language || !language_in(language, type->languages) || memchr(text, '\0', n))
		return "its file is of another language";
	plan->most = plan->n + test->most;
	return type->copy(
		plan, counter_open(plan, type, path, text, n, test->only_end), test, ret_has_test);
}

/* --- Texts --- */

static void counter_sort_splices(struct splice *splices, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j && splices[j].offset < splices[j - 1].offset; j--) {
			struct splice other = splices[j];
			splices[j] = splices[j - 1];
			splices[j - 1] = other;
		}
}

/* Append a stretch of a text with splices, which are in order. */
static void counter_add_spliced(struct strbuf *sb, const char *text, size_t start, size_t end,
	const struct splice *splices, size_t n)
{
	size_t at = start;
	for (size_t i = 0; i < n; i++) {
		if (splices[i].offset < at || splices[i].offset + splices[i].length > end)
			continue;
		strbuf_add(sb, text + at, splices[i].offset - at);
		strbuf_adds(sb, splices[i].text);
		at = splices[i].offset + splices[i].length;
	}
	strbuf_add(sb, text + at, end - at);
}

const char *counter_text(
	const struct counter_plan *plan, const struct counter_file *file, size_t round)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	struct splice *splices = NULL;
	size_t n = 0;
	for (size_t i = 0; i < file->n_splices; i++)
		if (file->splices[i].round == round)
			ARENA_PUSH(plan->arena, splices, n, file->splices[i].splice);
	if (!n)
		return NULL;
	const char *helpers =
		!round && file->type->helpers ? file->type->helpers(plan, file->language) : NULL;
	counter_sort_splices(splices, n);
	counter_add_spliced(&sb, file->text, 0, file->n, splices, n);
	if (helpers)
		strbuf_addf(&sb, "%s%s", sb.length && sb.text[sb.length - 1] != '\n' ? "\n" : "", helpers);
	return arena_strndup(plan->arena, sb.text, sb.length);
}

static const struct counter_word *counter_word_at(
	const char *at, const struct counter_word *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_starts_with(at, words[i].mark))
			return &words[i];
	return NULL;
}

const char *counter_expand(
	const struct counter_plan *plan, const char *text, const struct counter_word *words, size_t n)
{
	const struct counter_word own[] = {{"@W@", plan->word}, {"@S@", plan->said}};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (const char *at = text; *at;) {
		const struct counter_word *word = counter_word_at(at, own, ARRAY_SIZE(own));
		word = word ? word : counter_word_at(at, words, n);
		if (word)
			strbuf_adds(&sb, word->is);
		else
			strbuf_addc(&sb, *at);
		at += word ? strlen(word->mark) : 1;
	}
	return arena_strndup(plan->arena, sb.text, sb.length);
}

const char *counter_mark(const struct counter_plan *plan)
{
	return arena_printf(plan->arena, "%sn%zun", plan->word, plan->n);
}

/* The n bytes without the words, nor what joins them to names, and with single spaces. */
const char *counter_shown(const struct counter_plan *plan, const char *text, size_t n)
{
	static const char *const joints[] = {"_", " ", ""};
	const char *words[] = {plan->word, plan->said};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (const char *end = text + n; text < end;) {
		size_t skipped = 0;
		for (size_t i = 0; i < ARRAY_SIZE(joints) * ARRAY_SIZE(words) && !skipped; i++) {
			const char *joint = joints[i / 2], *word = words[i % 2];
			size_t n_joint = strlen(joint), n_word = strlen(word);
			if ((size_t)(end - text) >= n_joint + n_word && memcmp(text, joint, n_joint) == 0 &&
				memcmp(text + n_joint, word, n_word) == 0)
				skipped = n_joint + n_word;
		}
		bool is_space = *text == ' ' || *text == '\t' || *text == '\n' || *text == '\r';
		if (!skipped && is_space && sb.length && sb.text[sb.length - 1] != ' ')
			strbuf_addc(&sb, ' ');
		else if (!skipped && !is_space)
			strbuf_addc(&sb, *text);
		text += skipped ? skipped : 1;
	}
	strbuf_rtrim(&sb);
	bool is_long = sb.length > SHOWN_MOST;
	size_t kept = is_long ? SHOWN_MOST : sb.length;
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_TEXT);
	utf8_scrub(&shown, sb.text, is_long ? kept - utf8_unfinished(sb.text, kept) : kept);
	strbuf_adds(&shown, is_long ? " ..." : "");
	return arena_strndup(plan->arena, shown.text, shown.length);
}

/* The changed line: from the start of that of `at` up to the end of that where the last splice
 * ends. */
static const char *counter_shown_line(const struct counter_plan *plan,
	const struct counter_file *file, size_t start, size_t end, const struct counter_change *change)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	const struct splice *last = &change->splices[change->n - 1];
	size_t from = change->at, to = last->offset + last->length;
	if (change->n == 1 && !last->length && last->text[0] && strchr(last->text, '\n')) {
		/* A line of its own, of which a decorator says little without what it decorates. */
		strbuf_adds(&sb, last->text);
		if (last->offset <= change->at && strchr(last->text, '@'))
			for (; to < end && file->text[to] != '\n'; to++)
				strbuf_addc(&sb, file->text[to]);
		return counter_shown(plan, sb.text, sb.length);
	}
	while (from > start && file->text[from - 1] != '\n')
		from--;
	while (to < end && file->text[to] != '\n')
		to++;
	counter_add_spliced(&sb, file->text, from, to, change->splices, change->n);
	return counter_shown(plan, sb.text, sb.length);
}

void counter_put(
	struct counter_plan *plan, const struct counter_copy *copy, size_t offset, const char *text)
{
	struct counter_file *file = plan->files[copy->file];
	bool is_same = copy->kind == COUNTER_SAME;
	if (is_same ? file->is_changed : plan->n >= plan->most)
		return;
	ARENA_PUSH(plan->arena, file->splices, file->n_splices,
		(struct counter_splice){.splice = {.offset = offset, .text = text}});
	ARENA_PUSH(plan->arena, plan->copies, plan->n, *copy);
}

void counter_put_same(struct counter_plan *plan, size_t number, const struct counter_test *test,
	const char *mark, const char *run, size_t at, size_t offset, const char *text)
{
	const struct counter_file *file = plan->files[number];
	const char *line = file->text + at;
	struct counter_copy copy = {.kind = COUNTER_SAME,
		.test = test->number,
		.mark = mark,
		.run = run,
		.shown = counter_shown(plan, line, strcspn(line, "\n")),
		.line = (int)text_count_lines(file->text, at) + 1,
		.file = number};
	counter_put(plan, &copy, offset, text);
}

/* The round after the last that has a copy of this test. */
static size_t counter_next_round(const struct counter_plan *plan, size_t test)
{
	size_t round = 1;
	for (size_t i = 0; i < plan->n; i++)
		if (plan->copies[i].test == test && plan->copies[i].round >= round)
			round = plan->copies[i].round + 1;
	return round;
}

void counter_put_in_place(struct counter_plan *plan, size_t number, const struct counter_test *test,
	const struct counter_change *change)
{
	struct counter_file *file = plan->files[number];
	struct counter_copy copy = {.kind = change->kind,
		.test = test->number,
		.round = counter_next_round(plan, test->number),
		.run = arena_strdup(plan->arena, test->id),
		.shown = counter_shown_line(plan, file, 0, file->n, change),
		.line = (int)text_count_lines(file->text, change->at) + 1,
		.file = number};
	if (plan->n >= plan->most)
		return;
	for (size_t i = 0; i < change->n; i++)
		ARENA_PUSH(plan->arena, file->splices, file->n_splices,
			(struct counter_splice){.splice = change->splices[i], .round = copy.round});
	if (copy.round > plan->n_rounds)
		plan->n_rounds = copy.round;
	ARENA_PUSH(plan->arena, plan->copies, plan->n, copy);
}

const char *counter_changed(const struct counter_plan *plan, const struct counter_file *file,
	size_t start, size_t end, size_t name_end, const struct counter_change *change,
	struct counter_copy *copy)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	struct splice splices[ARRAY_SIZE(change->splices) + 1] = {
		{.offset = name_end, .text = arena_printf(plan->arena, "_%s", copy->mark)}};
	memcpy(splices + 1, change->splices, change->n * sizeof *splices);
	counter_sort_splices(splices, change->n + 1);
	counter_add_spliced(&sb, file->text, start, end, splices, change->n + 1);
	copy->kind = change->kind;
	copy->group = change->group;
	copy->is_all = change->is_all;
	copy->shown = counter_shown_line(plan, file, start, end, change);
	copy->line = (int)text_count_lines(file->text, change->at) + 1;
	return arena_strndup(plan->arena, sb.text, sb.length);
}
