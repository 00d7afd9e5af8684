/*
 * Agents that speak as one, one after the other: the first until it has nothing more to say, then
 * the next, which is shown everything that was said, and so on. An agent that stops ends the chat
 * only where it is the last.
 */
#include <string.h>

#include "agents/agent.h"
#include "base/memory.h"
#include "chat/message.h"

/* Something that was said. What one of the sequence itself said is on the thread under the
 * sequence's name, and perhaps in other words. */
struct line {
	const struct rondo_message *message; /* where it lies; of its own: a copy */
	size_t by;                           /* whose it is, from 1; 0: another's */
};

struct sequence {
	struct option_specs agents; /* each one's object is a struct agent */

	struct line *said;
	size_t n, saved;
	size_t speaker;
	size_t shown;  /* to the speaker */
	int64_t heard; /* the id of the last message, be it another's or its own */
	bool begun, finished;
};

static const struct option options[] = {
	OPTION("agents", CHILDREN, offsetof(struct sequence, agents), "who speaks, one after the other",
		.required = true, .main = true, .family = &agent_family),
	OPTION_END,
};

static struct agent *agent_at(const struct sequence *sequence, size_t i)
{
	return sequence->agents.items[i].object;
}

/* Its agents are reset when it first speaks: they may be gone before it is. */
static int sequence_begin(struct sequence *sequence, struct rondo_error *err)
{
	if (!sequence->agents.n)
		return error_set(err, RONDO_ERROR_USAGE,
			"it has nobody who speaks: the key 'agents' must list one at least");
	for (size_t i = 0; i < sequence->agents.n; i++) {
		agent_reset(agent_at(sequence, i));
		agent_at(sequence, i)->has_successor = i + 1 < sequence->agents.n;
	}
	sequence->begun = true;
	return 0;
}

static void sequence_keep(struct agent *agent, const struct rondo_message *message, size_t by)
{
	struct sequence *sequence = agent->state;
	ARENA_PUSH(&agent->arena, sequence->said, sequence->n, (struct line){message, by});
}

static void sequence_hear(struct agent *agent, struct message_span unseen)
{
	struct sequence *sequence = agent->state;
	struct message_span news = message_span_after(unseen, sequence->heard);
	for (size_t i = 0; i < news.n; i++)
		sequence_keep(agent, news.messages[i], 0);
	if (news.n)
		sequence->heard = news.messages[news.n - 1]->id;
}

static bool sequence_is_last(const struct sequence *sequence)
{
	return sequence->speaker + 1 == sequence->agents.n;
}

/* Keep what was said by itself and within, for those that speak later. The thread has it after what
 * was heard. */
static void sequence_remember(struct agent *agent, const struct response *response)
{
	struct sequence *sequence = agent->state;
	for (size_t i = 0; i <= response->n_within; i++) {
		bool is_within = i < response->n_within;
		sequence->heard++;
		if (sequence_is_last(sequence))
			continue;
		struct rondo_message *copy =
			message_copy(&agent->arena, is_within ? response->within[i] : &response->message);
		copy->id = sequence->heard;
		sequence_keep(agent, copy, is_within ? 0 : sequence->speaker + 1);
	}
}

/* Nobody comes after the last one who would have to be shown what it has seen. */
static void sequence_forget_seen(struct sequence *sequence)
{
	if (sequence_is_last(sequence) && sequence->shown == sequence->n)
		sequence->n = sequence->shown = sequence->saved = 0;
}

static void sequence_hand_over(struct sequence *sequence)
{
	sequence->speaker++;
	sequence->shown = 0;
}

/* When one that is not the last stops, its stop becomes a text. */
static void sequence_take_over(
	struct sequence *sequence, struct arena *arena, struct rondo_message *message)
{
	const char *name = agent_at(sequence, sequence->speaker)->name;
	sequence_hand_over(sequence);
	message->type = RONDO_MESSAGE_TEXT;
	message->content = arena_printf(arena, "%s %s; %s continues", name, message->content,
		agent_at(sequence, sequence->speaker)->name);
}

/* Let the speaker speak, or carry something out: it is shown what it has not seen. */
static int sequence_speak(struct sequence *sequence, __typeof__(agent_on_messages) *how,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	size_t n = sequence->n - sequence->shown;
	const struct rondo_message **unseen = arena_alloc(arena, n * sizeof *unseen);
	for (size_t i = 0; i < n; i++)
		unseen[i] = sequence->said[sequence->shown + i].message;
	struct agent *speaker = agent_at(sequence, sequence->speaker);
	if (how(speaker, (struct message_span){unseen, n}, arena, response, ctx, err) < 0)
		return -1;
	if (!response->is_cut)
		sequence->shown = sequence->n;
	return 0;
}

/* A turn came to this; one that was cut short is taken again. */
static void sequence_end_turn(struct agent *agent, struct arena *arena, struct response *response)
{
	struct sequence *sequence = agent->state;
	if (response->is_cut)
		return;
	if (!response->pass) {
		sequence_remember(agent, response);
		sequence->shown = sequence->n;
	}
	sequence_forget_seen(sequence);
	if (response->pass || response->message.type != RONDO_MESSAGE_STOP)
		return;
	if (sequence_is_last(sequence))
		sequence->finished = true;
	else
		sequence_take_over(sequence, arena, &response->message);
}

static int sequence_on_messages(struct agent *agent, struct message_span unseen,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	struct sequence *sequence = agent->state;
	if (!sequence->begun && sequence_begin(sequence, err) < 0)
		return -1;
	sequence_hear(agent, unseen);
	for (response->pass = true; response->pass && !sequence->finished;) {
		if (sequence_speak(sequence, agent_on_messages, arena, response, ctx, err) < 0)
			return -1;
		if (response->pass && sequence_is_last(sequence))
			break;
		if (response->pass)
			sequence_hand_over(sequence);
	}
	sequence_end_turn(agent, arena, response);
	return 0;
}

/* By the speaker alone: where the chat is over, nobody takes over. */
static int sequence_execute(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct sequence *sequence = agent->state;
	if (!sequence->begun && sequence_begin(sequence, err) < 0)
		return -1;
	sequence_hear(agent, unseen);
	if (sequence_speak(sequence, agent_execute, arena, response, ctx, err) < 0)
		return -1;
	sequence_end_turn(agent, arena, response);
	return 0;
}

static bool sequence_executes(struct agent *agent, struct message_span unseen)
{
	const struct sequence *sequence = agent->state;
	return !sequence->finished && sequence->agents.n &&
		agent_executes(agent_at(sequence, sequence->speaker), unseen);
}

/* --- its state --- */

/* By its id on the thread; of its own, what the thread does not hold. */
static void sequence_save_line(struct json *to, const struct line *line)
{
	struct json *item = json_add_object(to, NULL);
	json_add_int(item, "id", line->message->id);
	if (line->by)
		json_add_int(item, "by", (int64_t)line->by - 1);
	if (line->by && line->message->type == RONDO_MESSAGE_STOP)
		json_add_string(item, "stop", line->message->content);
}

static int sequence_load_line(struct agent *agent, const struct json *item,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct sequence *sequence = agent->state;
	int64_t id = json_int(item, "id", 0), by = json_int(item, "by", -1);
	const char *stop = json_string(item, "stop", NULL);
	if (id < 1 || (size_t)id > thread->n || by >= (int64_t)sequence->agents.n)
		return error_set(err, RONDO_ERROR_USAGE, "message %lld is not on the thread, or nobody's",
			(long long)id);
	const struct rondo_message *message = thread->messages[id - 1];
	if (by < 0) {
		sequence_keep(agent, message, 0);
		return 0;
	}
	struct rondo_message *own = arena_memdup(&agent->arena, message, sizeof *message);
	own->source = arena_strdup(&agent->arena, agent_at(sequence, (size_t)by)->name);
	if (stop) {
		own->type = RONDO_MESSAGE_STOP;
		own->content = arena_strdup(&agent->arena, stop);
	}
	sequence_keep(agent, own, (size_t)by + 1);
	return 0;
}

static void sequence_save(struct agent *agent, bool all, struct json *to)
{
	struct sequence *sequence = agent->state;
	if (!sequence->begun)
		return;
	json_add_int(to, "speaker", (int64_t)sequence->speaker);
	json_add_int(to, "not_shown", (int64_t)(sequence->n - sequence->shown));
	json_add_int(to, "heard", sequence->heard);
	json_add_bool(to, "finished", sequence->finished);
	struct json *said = json_add_array(to, "said"), *states = json_add_array(to, "agents");
	for (size_t i = all ? 0 : sequence->saved; i < sequence->n; i++)
		sequence_save_line(said, &sequence->said[i]);
	for (size_t i = 0; i < sequence->agents.n; i++) {
		struct json *state = agent_save(agent_at(sequence, i), all);
		json_add(states, NULL, state ? state : json_object());
	}
	if (!all)
		sequence->saved = sequence->n;
}

static int sequence_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct sequence *sequence = agent->state;
	int64_t speaker = json_int(from, "speaker", -1), not_shown = json_int(from, "not_shown", 0);
	if (!sequence->begun && sequence_begin(sequence, err) < 0)
		return -1;
	if (speaker < 0 || (size_t)speaker >= sequence->agents.n)
		return error_set(
			err, RONDO_ERROR_USAGE, "there is no agent number %lld", (long long)speaker + 1);
	for (const struct json *item = json_first(json_get(from, "said")); item; item = json_next(item))
		if (sequence_load_line(agent, item, thread, err) < 0)
			return -1;
	sequence->speaker = (size_t)speaker;
	sequence->shown =
		not_shown < 0 || (size_t)not_shown > sequence->n ? 0 : sequence->n - (size_t)not_shown;
	sequence->heard = json_int(from, "heard", 0);
	sequence->finished = json_bool(from, "finished", false);
	sequence->saved = sequence->n;
	sequence_forget_seen(sequence);
	const struct json *state = json_first(json_get(from, "agents"));
	for (size_t i = 0; i < sequence->agents.n && state; i++, state = json_next(state))
		if (json_count(state) && agent_load(agent_at(sequence, i), state, thread, err) < 0)
			return -1;
	return 0;
}

const struct agent_type sequence_agent = {
	.name = "sequence",
	.summary = "several agents as one: the first until it gives up, then the next",
	.state_size = sizeof(struct sequence),
	.options = options,
	.on_messages = sequence_on_messages,
	.executes = sequence_executes,
	.execute = sequence_execute,
	.save = sequence_save,
	.load = sequence_load,
};
