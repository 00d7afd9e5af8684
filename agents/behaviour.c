#include "agents/behaviour.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"

/* What differs from run to run: addresses of objects. */
static void add_message(struct strbuf *sb, const char *message)
{
	for (const char *at = message; *at; at++) {
		strbuf_addc(sb, *at);
		bool address = *at == 'x' && at > message && at[-1] == '0';
		while (address && isxdigit((unsigned char)at[1]))
			at++;
	}
}

static void sum_up(const struct baseline *baseline, const struct test_report *report, char ret_behaviour[HASH_SIZE])
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (test_report_find(baseline->first, result->id))
			continue;
		strbuf_addf(&said, "%s\n%d\n", result->id, (int)result->status);
		add_message(&said, result->message ? result->message : "");
		strbuf_addc(&said, '\n');
	}
	if (report->complete && said.length)
		hash_bytes(said.text, said.length, ret_behaviour);
}

struct asking {
	const struct agent_kit *kit;
	struct workplace *workplace;
	struct judge_options options;
	const struct context *ctx;
};

static int run(const struct asking *asking, char ret_behaviour[HASH_SIZE], struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report = {0};
	if (judge(asking->workplace, asking->kit->suite, &asking->options, &arena, &report, asking->ctx, err) < 0)
		return -1;
	sum_up(asking->kit->baseline, &report, ret_behaviour);
	return 0;
}

/* With an edit in the tree, and then one more. */
static int run_with(const struct asking *asking, const struct edit *edit, const struct edit *further,
	char ret_behaviour[HASH_SIZE], struct rondo_error *err)
{
	struct worktree *worktree = asking->workplace->worktree;
	struct rondo_error later;
	if (worktree_apply(worktree, edit, &later) < 0)
		return 0; /* made for another text */
	int status = further ? run_with(asking, further, NULL, ret_behaviour, err) : run(asking, ret_behaviour, err);
	return worktree_revert(worktree, edit, status < 0 ? &later : err) < 0 ? -1 : status;
}

int behaviour_ask(const struct agent_kit *kit, struct workplace *workplace, const struct candidates *asked, size_t place,
	int64_t timeout_ms, char ret_behaviour[HASH_SIZE], const struct context *ctx, struct rondo_error *err)
{
	struct asking asking = {.kit = kit, .workplace = workplace, .ctx = ctx,
		.options = {.timeout_ms = timeout_ms, .ids = asked->input_ids, .n_ids = asked->n_input_ids}};
	*ret_behaviour = '\0';
	return run_with(&asking, &asked->items[place].edit, &asked->inputs, ret_behaviour, err);
}
