#include "agents/trial/behaviour.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/utf8.h"

enum {
	/* bytes of a message that repeat the test's text: fewer may do so by chance */
	QUOTED_LEAST = 6,
	QUOTED_WITHIN = 500, /* the message's first bytes, which are searched for them */
};

static bool behaviour_is_word_byte(char c)
{
	return isalnum((unsigned char)c) || strchr("_.'\"", c);
}

/* What a message's next bytes stand for, and how many they are: Python's truths equal numbers, and
 * whole numbers are equal with and without a fraction. */
static size_t behaviour_message_step(const char *message, const char *at, const char **ret_meant)
{
	static const char *const rows[][2] = {{"True", "1"}, {"False", "0"}};
	bool begins = at == message || !behaviour_is_word_byte(at[-1]);
	for (size_t i = 0; begins && i < sizeof rows / sizeof *rows; i++) {
		size_t n = strlen(rows[i][0]);
		if (strncmp(at, rows[i][0], n) == 0 && (!at[n] || !behaviour_is_word_byte(at[n]))) {
			*ret_meant = rows[i][1];
			return n;
		}
	}
	*ret_meant = "";
	if (at > message && isdigit((unsigned char)at[-1]) && strncmp(at, ".0", 2) == 0 &&
		!(at[2] && behaviour_is_word_byte(at[2])))
		return 2;
	return 0;
}

static void behaviour_add_message(struct strbuf *sb, const char *message)
{
	for (const char *at = message; *at;) {
		const char *meant;
		size_t n = behaviour_message_step(message, at, &meant);
		if (n)
			strbuf_adds(sb, meant);
		else
			strbuf_addc(sb, *at);
		at += n ? n : 1;
	}
}

/* How many of a message's next bytes are in the texts of the tests. */
static size_t behaviour_quoted_length(const struct edit *inputs, const char *message)
{
	size_t n = 0;
	for (size_t i = 0; i < inputs->n; i++)
		for (size_t k = 0; k < inputs->files[i].n; k++) {
			const char *text = inputs->files[i].splices[k].text;
			while (message[n] && memmem(text, strlen(text), message, n + 1))
				n++;
		}
	return n >= QUOTED_LEAST ? n : 0;
}

static void behaviour_add_bare_message(
	struct strbuf *sb, const struct edit *inputs, const char *message)
{
	const char *start = message;
	for (size_t n; *message; message += n ? n : 1) {
		n = message - start < QUOTED_WITHIN ? behaviour_quoted_length(inputs, message) : 0;
		if (!n)
			strbuf_addc(sb, *message);
	}
}

/* "ValueError: ...", "shop.NoPriceError", but not "AssertionError: ...". */
static bool behaviour_names_error(const char *message)
{
	size_t n = 0;
	while (isalnum((unsigned char)message[n]) || message[n] == '_' || message[n] == '.')
		n++;
	bool error = (n >= 5 && memcmp(message + n - 5, "Error", 5) == 0) ||
		(n >= 9 && memcmp(message + n - 9, "Exception", 9) == 0);
	return error && !memmem(message, n, "Assert", 6);
}

static enum outcome_kind behaviour_outcome_kind(const struct test_result *result)
{
	if (result->status == TEST_PASSED)
		return OUTCOME_PASSED;
	if (result->status == TEST_ERROR || (result->message && behaviour_names_error(result->message)))
		return OUTCOME_ERROR;
	return result->status == TEST_FAILED ? OUTCOME_FAILED : OUTCOME_NONE;
}

/* A result is that of a test, or one for each of its parameters. */
static bool behaviour_is_of(const struct test_result *result, const char *id)
{
	size_t n = strlen(id);
	return strncmp(result->id, id, n) == 0 && (!result->id[n] || result->id[n] == '[');
}

/* "AssertionError: 14 != 13" is said as "14 != 13". */
static void behaviour_set_text(struct outcome *outcome, const char *message)
{
	static const char prefix[] = "AssertionError: ";
	if (outcome->kind == OUTCOME_PASSED)
		message = "passes";
	if (strncmp(message, prefix, sizeof prefix - 1) == 0)
		message += sizeof prefix - 1;
	utf8_format(outcome->text, sizeof outcome->text, "%.*s", (int)strcspn(message, "\n"), message);
}

/* With several parameters those that fail say most. */
static void behaviour_outcome_sum_up(const struct candidates *asked, size_t input,
	const struct test_report *report, struct outcome *ret_outcome)
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF bare = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF message = STRBUF_INIT(STRBUF_TEXT);
	enum outcome_kind most = OUTCOME_NONE;
	const char *text = "";
	for (size_t i = 0; report->complete && i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!behaviour_is_of(result, asked->input_ids[input]))
			continue;
		enum outcome_kind kind = behaviour_outcome_kind(result);
		if (kind >= most && result->message)
			text = result->message;
		most = kind > most ? kind : most;
		strbuf_reset(&plain);
		strbuf_reset(&message);
		strbuf_add_without_addresses(&plain, result->message ? result->message : "");
		behaviour_add_message(&message, plain.text);
		strbuf_addf(&said, "%d %s\n", (int)kind, message.text);
		strbuf_addf(&bare, "%d ", (int)kind);
		behaviour_add_bare_message(&bare, &asked->inputs, message.text);
		strbuf_addc(&bare, '\n');
	}
	ret_outcome->kind = most;
	behaviour_set_text(ret_outcome, text);
	hash_bytes(said.text, said.length, ret_outcome->said);
	hash_bytes(bare.text, bare.length, ret_outcome->bare);
}

void outcomes_read(
	const struct candidates *asked, const struct test_report *report, struct outcome *outcomes)
{
	for (size_t i = 0; i < asked->n_input_ids; i++)
		behaviour_outcome_sum_up(asked, i, report, &outcomes[i]);
}

struct asking {
	const struct agent_services *services;
	struct checkout *checkout;
	const struct candidates *asked;
	struct judge_options options;
	const struct context *ctx;
};

static int behaviour_run(
	const struct asking *asking, struct outcome *outcomes, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report = {0};
	if (judge(asking->checkout, asking->services->suite, &asking->options, &arena, &report,
			asking->ctx, err) < 0)
		return -1;
	outcomes_read(asking->asked, &report, outcomes);
	return 0;
}

/* With an edit in the tree, and then one more. */
static int behaviour_run_with(const struct asking *asking, const struct edit *edit,
	const struct edit *further, struct outcome *outcomes, struct rondo_error *err)
{
	struct worktree *worktree = asking->checkout->worktree;
	struct rondo_error later;
	if (worktree_apply(worktree, edit, &later) < 0)
		return 0; /* made for another text */
	int status = further ? behaviour_run_with(asking, further, NULL, outcomes, err)
						 : behaviour_run(asking, outcomes, err);
	return worktree_revert(worktree, edit, status < 0 ? &later : err) < 0 ? -1 : status;
}

int behaviour_ask(const struct agent_services *services, struct checkout *checkout,
	const struct candidates *asked, size_t place, int64_t timeout_ms, struct outcome *outcomes,
	const struct context *ctx, struct rondo_error *err)
{
	struct asking asking = {.services = services,
		.checkout = checkout,
		.asked = asked,
		.ctx = ctx,
		.options = {
			.timeout_ms = timeout_ms, .ids = asked->input_ids, .n_ids = asked->n_input_ids}};
	return behaviour_run_with(&asking, &asked->items[place].edit, &asked->inputs, outcomes, err);
}

/* --- what several said --- */

struct outcomes {
	const struct candidates *asked;
	const struct outcome *items;
};

static const struct outcome *behaviour_outcome_of(
	const struct outcomes *all, size_t candidate, size_t input)
{
	return &all->items[candidate * all->asked->n_input_ids + input];
}

static bool behaviour_ends_in_errors(const struct outcomes *all, size_t input)
{
	for (size_t i = 0; i < all->asked->n; i++)
		if (behaviour_outcome_of(all, i, input)->kind > OUTCOME_ERROR)
			return false;
	return true;
}

/* Their ids differ in the number at the end alone. */
static bool behaviour_are_copies_of_one(const char *a, const char *b)
{
	size_t n = strlen(a);
	return n == strlen(b) && memcmp(a, b, n - 1) == 0;
}

/* Whether a test says anything but what another copy of the same test says with any candidate. */
static bool behaviour_has_answered(const struct outcomes *all, size_t input)
{
	const char *const *ids = all->asked->input_ids;
	const struct outcome *first = NULL;
	for (size_t k = 0; k < all->asked->n_input_ids; k++) {
		if (!behaviour_are_copies_of_one(ids[input], ids[k]) || behaviour_ends_in_errors(all, k))
			continue;
		for (size_t i = 0; i < all->asked->n; i++) {
			const struct outcome *outcome = behaviour_outcome_of(all, i, k);
			if (outcome->kind == OUTCOME_NONE)
				continue;
			first = first ? first : outcome;
			if (strcmp(first->bare, outcome->bare) != 0)
				return true;
		}
	}
	return false;
}

void behaviours_judge(const struct candidates *asked, const struct outcome *outcomes,
	struct arena *arena, struct candidate_result *results)
{
	struct outcomes all = {asked, outcomes};
	bool *counts = arena_alloc(arena, asked->n_input_ids * sizeof *counts);
	for (size_t k = 0; k < asked->n_input_ids; k++)
		counts[k] = !behaviour_ends_in_errors(&all, k) && behaviour_has_answered(&all, k);
	for (size_t i = 0; i < asked->n; i++) {
		AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
		char behaviour[HASH_SIZE];
		bool ran = false;
		results[i].said = arena_alloc(arena, asked->n_input_ids * sizeof *results[i].said);
		for (size_t k = 0; k < asked->n_input_ids; k++) {
			ran |= behaviour_outcome_of(&all, i, k)->kind != OUTCOME_NONE;
			if (!counts[k])
				continue;
			strbuf_addf(&said, "%zu %s\n", k, behaviour_outcome_of(&all, i, k)->said);
			results[i].said[k] = arena_strdup(arena, behaviour_outcome_of(&all, i, k)->text);
		}
		hash_bytes(said.text, said.length, behaviour);
		results[i].behaviour = ran && said.length ? arena_strdup(arena, behaviour) : NULL;
	}
}
