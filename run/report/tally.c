#include "run/report/tally.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/message.h"
#include "chat/usage.h"

/* The row of that name, which is made where there is none. Until the next one is made. */
static struct run_spending *tally_row(
	struct arena *arena, struct run_spending **rows, size_t *n, const char *name)
{
	size_t i = 0;
	while (i < *n && strcmp((*rows)[i].name, name) != 0)
		i++;
	if (i == *n)
		ARENA_PUSH(arena, *rows, *n,
			(struct run_spending){.name = arena_strdup(arena, name), .cost_usd = -1});
	return &(*rows)[i];
}

/* A call that never came back may have been charged all the same. `reply` NULL: the call begins. */
static void tally_add(struct run_spending *spending, const struct model_reply *reply)
{
	spending->calls += !reply;
	spending->unknown_calls += !reply;
	if (!reply || !reply->usage_known)
		return;
	spending->unknown_calls--;
	usage_add(&spending->usage, &reply->usage);
}

static void tally_add_call(struct tally *tally, const char *name, const struct model_reply *reply)
{
	struct run_spending *model = tally_row(tally->arena, &tally->models, &tally->n_models, name);
	tally->last_model = model->name;
	tally_add(model, reply);
	if (*tally->speaker)
		tally_add(tally_row(tally->arena, &tally->agents, &tally->n_agents, tally->speaker), reply);
}

void tally_event(struct tally *tally, const struct rondo_event *event)
{
	const char *source = event->source ? event->source : "";
	if (event->type == RONDO_EVENT_TURN_START)
		utf8_format(tally->speaker, sizeof tally->speaker, "%s", source);
	else if (event->type == RONDO_EVENT_TURN_END || event->type == RONDO_EVENT_STOP)
		*tally->speaker = '\0';
	else if (event->type == RONDO_EVENT_MODEL_REQUEST)
		tally_add_call(tally, source, NULL);
	else if (event->type == RONDO_EVENT_MODEL_REPLY && event->value)
		tally_add_call(tally, source, event->value);
}

void tally_price(struct tally *tally, struct model *const *models, size_t n)
{
	for (size_t i = 0; i < tally->n_models; i++) {
		struct run_spending *spending = &tally->models[i];
		spending->cost_usd = -1;
		for (size_t j = 0; j < n && !spending->unknown_calls; j++)
			if (strcmp(models[j]->name, spending->name) == 0 && models[j]->price.known)
				spending->cost_usd = price_of(&models[j]->price, &spending->usage);
	}
}

static void tally_add_row(struct run_spending *to, const struct run_spending *from)
{
	bool is_new = !to->calls;
	bool is_known = from->cost_usd >= 0 && (is_new || to->cost_usd >= 0);
	double before = is_new ? 0 : to->cost_usd;
	to->cost_usd = is_known ? before + from->cost_usd : -1;
	to->calls += from->calls;
	to->unknown_calls += from->unknown_calls;
	usage_add(&to->usage, &from->usage);
}

void tally_add_all(struct tally *tally, const struct tally *other)
{
	for (size_t i = 0; i < other->n_agents; i++)
		tally_add_row(
			tally_row(tally->arena, &tally->agents, &tally->n_agents, other->agents[i].name),
			&other->agents[i]);
	for (size_t i = 0; i < other->n_models; i++)
		tally_add_row(
			tally_row(tally->arena, &tally->models, &tally->n_models, other->models[i].name),
			&other->models[i]);
}

struct run_spending run_spending_read(const struct json *row)
{
	return (struct run_spending){.calls = json_int(row, "calls", 0),
		.unknown_calls = json_int(row, "calls_of_unknown_usage", 0),
		.usage = usage_from_json(row),
		.cost_usd = json_number(row, "cost", -1)};
}

const char *run_cost_text(double usd, struct arena *arena)
{
	char money[MONEY_SIZE];
	return usd < 0 ? "unknown" : arena_strdup(arena, money_text(usd, money));
}

/* " (900 cached)"; nothing where there is none. */
static void add_part(struct strbuf *sb, int64_t tokens, const char *what)
{
	if (tokens)
		strbuf_addf(sb, " (%" PRId64 " %s)", tokens, what);
}

void run_spending_describe(const struct run_spending *spending, bool with_cost, struct strbuf *sb)
{
	const struct rondo_usage *usage = &spending->usage;
	char money[MONEY_SIZE];
	strbuf_addf(sb, "%" PRId64 " call%s, %s%" PRId64 " tokens in", spending->calls,
		spending->calls == 1 ? "" : "s", spending->unknown_calls ? "at least " : "",
		usage->prompt_tokens);
	add_part(sb, usage->cached_tokens, "from the cache");
	strbuf_addf(sb, ", %" PRId64 " out", usage->completion_tokens);
	add_part(sb, usage->reasoning_tokens, "thought");
	if (usage->lost_tokens)
		strbuf_addf(sb, ", %" PRId64 " of these lost", usage->lost_tokens);
	if (with_cost && spending->cost_usd < 0)
		strbuf_adds(sb, ", cost unknown");
	else if (with_cost)
		strbuf_addf(sb, ", %s USD", money_text(spending->cost_usd, money));
}
