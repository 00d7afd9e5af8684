#include "run/report/tally.h"

#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "chat/event.h"

/* The row of that name, which is made where there is none. Until the next one is made. */
static struct run_spending *find_row(struct arena *arena, struct run_spending **rows, size_t *n, const char *name)
{
	size_t i = 0;
	while (i < *n && strcmp((*rows)[i].name, name) != 0)
		i++;
	if (i == *n)
		ARENA_PUSH(arena, *rows, *n, (struct run_spending){.name = arena_strdup(arena, name), .cost_usd = -1});
	return &(*rows)[i];
}

/* A call that never came back may have been charged all the same. */
static void add(struct run_spending *spending, bool is_reply, const struct json *data)
{
	spending->calls += !is_reply;
	spending->unknown_calls += !is_reply;
	if (!is_reply || !json_get(data, "prompt_tokens"))
		return;
	spending->unknown_calls--;
	spending->usage.prompt_tokens += json_int(data, "prompt_tokens", 0);
	spending->usage.completion_tokens += json_int(data, "completion_tokens", 0);
}

static void add_call(struct tally *tally, bool is_reply, const char *name, const struct json *data)
{
	struct run_spending *model = find_row(tally->arena, &tally->models, &tally->n_models, name);
	tally->last_model = model->name;
	add(model, is_reply, data);
	if (*tally->speaker)
		add(find_row(tally->arena, &tally->agents, &tally->n_agents, tally->speaker), is_reply, data);
}

static bool is_call(enum rondo_event_type type)
{
	return type == RONDO_EVENT_MODEL_REQUEST || type == RONDO_EVENT_MODEL_REPLY;
}

/* What an event says; `data` is that of a call. */
static void take(struct tally *tally, enum rondo_event_type type, const char *source, const struct json *data)
{
	if (type == RONDO_EVENT_TURN_START)
		utf8_format(tally->speaker, sizeof tally->speaker, "%s", source);
	else if (type == RONDO_EVENT_TURN_END || type == RONDO_EVENT_STOP)
		*tally->speaker = '\0';
	else if (is_call(type))
		add_call(tally, type == RONDO_EVENT_MODEL_REPLY, source, data);
}

void tally_event(struct tally *tally, const struct rondo_event *event)
{
	struct rondo_error err;
	AUTO_JSON *data = is_call(event->type) ? json_parse(event->data, strlen(event->data), &err) : NULL;
	take(tally, event->type, event->source, data);
}

void tally_record(struct tally *tally, const struct json *record)
{
	enum rondo_event_type type;
	if (event_type_find(json_string(record, "type", ""), &type))
		take(tally, type, json_string(record, "source", ""), json_get(record, "data"));
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

void run_spending_describe(const struct run_spending *spending, bool with_cost, struct strbuf *sb)
{
	const struct rondo_usage *usage = &spending->usage;
	strbuf_addf(sb, "%" PRId64 " call%s, %s%" PRId64 " tokens in, %" PRId64 " out", spending->calls,
		spending->calls == 1 ? "" : "s", spending->unknown_calls ? "at least " : "", usage->prompt_tokens,
		usage->completion_tokens);
	if (with_cost && spending->cost_usd < 0)
		strbuf_adds(sb, ", cost unknown");
	else if (with_cost)
		strbuf_addf(sb, ", %.4g USD", spending->cost_usd);
}
