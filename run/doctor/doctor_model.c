/* What works with a model, found out by one cheap question. */
#include <string.h>

#include "base/clock.h"
#include "run/components.h"
#include "run/run.h"
#include "run/scenario/config.h"

/* What is seen of the answer while it comes. */
struct coming {
	int64_t asked_at_ms, first_ms;
	size_t pieces;
};

static void coming_take(void *owner, const struct rondo_event *event)
{
	struct coming *coming = owner;
	if (event->type != RONDO_EVENT_CHUNK)
		return;
	if (!coming->pieces++)
		coming->first_ms = clock_now_ms() - coming->asked_at_ms;
}

struct findings {
	struct arena *arena;
	struct doctor_line *lines;
	size_t n;
};

/* `why` NULL: it works. */
static void findings_add(
	struct findings *findings, const char *name, const char *found, const char *why)
{
	struct doctor_line line = {.name = name, .found = found, .why = why, .works = !why};
	ARENA_PUSH(findings->arena, findings->lines, findings->n, line);
}

static const char *duration_words(int64_t duration_ms, struct arena *arena)
{
	char text[CLOCK_DATE_SIZE];
	clock_format_duration(duration_ms, text);
	return arena_strdup(arena, text);
}

static void add_streaming(struct findings *findings, const struct coming *coming)
{
	const char *found =
		arena_printf(findings->arena, "the first words came after %s, in %zu piece%s",
			duration_words(coming->first_ms, findings->arena), coming->pieces,
			text_plural(coming->pieces));
	if (coming->pieces)
		findings_add(findings, "streaming", found, NULL);
	else
		findings_add(findings, "streaming", "", "the reply came as a whole");
}

static void add_usage(
	struct findings *findings, const struct model *model, const struct model_reply *reply)
{
	struct arena *arena = findings->arena;
	char money[MONEY_SIZE];
	if (!reply->usage_known) {
		findings_add(findings, "usage", "",
			"the server does not count tokens: what is spent is estimated by length");
		return;
	}
	const char *cost = model->price.known
		? arena_printf(arena, "%s USD", money_text(price_of(&model->price, &reply->usage), money))
		: "its price is not known: say it by 'price'";
	findings_add(findings, "usage",
		arena_printf(arena, "%lld tokens in, %lld out: %s", (long long)reply->usage.prompt_tokens,
			(long long)reply->usage.completion_tokens, cost),
		NULL);
	if (reply->counts_cached)
		findings_add(findings, "cache", "the server says how much of the prompt it had", NULL);
	else
		findings_add(findings, "cache", "", "whether the server has a cache it does not say");
}

static void add_context(struct findings *findings, const struct model *model)
{
	const char *found =
		arena_printf(findings->arena, "it reads %lld tokens at most", (long long)model->context);
	findings_add(findings, "context", model->context ? found : "",
		model->context ? NULL : "how many tokens it can read is not known: say it by 'context'");
}

static void ask_model(struct findings *findings, struct model *model, const struct context *ctx,
	struct rondo_error *err)
{
	static const struct model_message question = {
		.role = MODEL_USER, .content = "Reply with the one word yes."};
	const struct model_request request = {.messages = &question, .n = 1};
	struct arena *arena = findings->arena;
	struct coming coming = {.asked_at_ms = clock_now_ms()};
	const struct context watched = {.emit = {coming_take, &coming}, .cancel = ctx->cancel};
	struct model_reply reply;
	if (model_complete(model, &request, arena, &reply, &watched, err) < 0) {
		findings_add(findings, "model", "", arena_strdup(arena, err->message));
		findings->lines[0].help = arena_strdup(arena, err->help);
		findings->lines[0].needed = true;
		return;
	}
	int64_t took_ms = clock_now_ms() - coming.asked_at_ms;
	findings_add(findings, "model",
		arena_printf(arena, "%s answered in %s: %.*s", model->name, duration_words(took_ms, arena),
			(int)strcspn(reply.text, "\n"), reply.text),
		NULL);
	add_streaming(findings, &coming);
	add_usage(findings, model, &reply);
	model_ask_context(model, ctx->cancel);
	add_context(findings, model);
}

int run_doctor_model(const char *name, const char *env_file, const struct context *ctx,
	struct arena *arena, struct doctor_line **ret_lines, size_t *ret_n, struct rondo_error *err)
{
	struct scenario scenario;
	struct components components;
	struct secrets secrets = {0};
	struct problems problems = {.arena = arena};
	struct findings findings = {.arena = arena};
	scenario_init(&scenario, arena);
	config_read(&scenario, ".", NULL, &problems);
	if (problems_error(&problems, err) < 0 ||
		scenario_secrets(&scenario, env_file, &secrets, err) < 0 ||
		scenario_check_model(&scenario, name, err) < 0)
		return -1;
	components_begin(&components, &scenario, &secrets);
	struct model *model = components_find_model(&components, name, err);
	if (model)
		ask_model(&findings, model, ctx, err);
	components_release(&components);
	*ret_lines = findings.lines;
	*ret_n = findings.n;
	return model ? 0 : -1;
}
