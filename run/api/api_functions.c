/* The caller's own functions: called with the caller's locale, and believed in nothing. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/usage.h"
#include "run/api/team.h"

static const char *clean(const char *text, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_RECORD);
	if (!text)
		return NULL;
	utf8_scrub(&sb, text, strlen(text));
	return arena_strndup(arena, sb.text, sb.length);
}

/* --- What is filled in --- */

void rondo_reply_text(struct rondo_reply *reply, const char *text)
{
	reply->is_given = true;
	reply->message = (struct rondo_message){
		.type = RONDO_MESSAGE_TEXT, .content = clean(text ? text : "", reply->arena)};
}

/* What others read out of the data and not of the content. */
static bool needs_data(enum rondo_message_type type)
{
	return type == RONDO_MESSAGE_EDIT || type == RONDO_MESSAGE_TEST_REPORT ||
		type == RONDO_MESSAGE_HANDOFF;
}

int rondo_reply_message(
	struct rondo_reply *reply, const struct rondo_message *message, struct rondo_error *err)
{
	if ((unsigned)message->type > RONDO_MESSAGE_STOP)
		return error_set(
			err, RONDO_ERROR_USAGE, "there is no message of type %d", (int)message->type);
	if (!message->data && needs_data(message->type))
		return error_set(
			err, RONDO_ERROR_USAGE, "a message of type %d needs data", (int)message->type);
	AUTO_JSON *json = message->data ? json_parse(message->data, strlen(message->data), err) : NULL;
	if (message->data && !json)
		return error_prefix(err, "the message's data");
	if (!usage_is_sane(&message->models_usage))
		return error_set(
			err, RONDO_ERROR_USAGE, "nobody can have counted the message's models_usage");
	rondo_reply_text(reply, message->content);
	reply->message.type = message->type;
	reply->message.data = arena_strdup(reply->arena, message->data);
	reply->message.models_usage = message->models_usage;
	return 0;
}

bool rondo_reply_is_cancelled(const struct rondo_reply *reply)
{
	return cancel_reason(reply->cancel) != 0;
}

int rondo_error_set(struct rondo_error *err, enum rondo_error_code code, const char *message)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	utf8_scrub(&text, message, strlen(message));
	return error_set(err, code, "%s", text.text);
}

/* --- Calling out --- */

static void step_out(const struct rondo_team *team)
{
	uselocale(team->callers);
}

static void step_in(const struct rondo_team *team)
{
	uselocale(team->locale);
}

static struct rondo_error silence(void)
{
	return (struct rondo_error){
		.code = RONDO_ERROR_INTERNAL, .message = "it failed, and did not say why"};
}

/* What the caller's function said, cut and clean. */
static int take_error(struct rondo_error *err, struct rondo_error *said)
{
	said->message[sizeof said->message - 1] = said->help[sizeof said->help - 1] = '\0';
	rondo_error_set(
		err, said->code == RONDO_ERROR_NONE ? RONDO_ERROR_INTERNAL : said->code, said->message);
	return error_help(err, "%s", said->help);
}

/* --- Agents --- */

static int speak(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	const struct own_agent *own = *(const struct own_agent *const *)agent->state;
	struct rondo_reply reply = {.arena = arena, .cancel = ctx->cancel};
	struct rondo_error said = silence();
	step_out(own->team);
	int status =
		own->functions.on_messages(own->functions.owner, unseen.messages, unseen.n, &reply, &said);
	step_in(own->team);
	if (status < 0)
		return cancel_reason(ctx->cancel) ? cancel_error(ctx->cancel, err) : take_error(err, &said);
	response->pass = !reply.is_given;
	response->message = reply.message;
	return 0;
}

static void forget(struct agent *agent)
{
	const struct own_agent *own = *(const struct own_agent *const *)agent->state;
	if (!own->functions.on_reset)
		return;
	step_out(own->team);
	own->functions.on_reset(own->functions.owner);
	step_in(own->team);
}

static void save(struct agent *agent, bool all, struct json *to)
{
	const struct own_agent *own = *(const struct own_agent *const *)agent->state;
	(void)all;
	if (!own->functions.save)
		return;
	step_out(own->team);
	AUTO_FREE char *text = own->functions.save(own->functions.owner);
	step_in(own->team);
	json_add_string(to, "text", text);
}

static int load(struct agent *agent, const struct json *from, const struct message_thread *thread,
	struct rondo_error *err)
{
	const struct own_agent *own = *(const struct own_agent *const *)agent->state;
	const char *text = json_string(from, "text", NULL);
	struct rondo_error said = silence();
	(void)thread;
	if (!own->functions.load || !text)
		return 0;
	step_out(own->team);
	int status = own->functions.load(own->functions.owner, text, &said);
	step_in(own->team);
	return status < 0 ? take_error(err, &said) : 0;
}

const struct agent_type own_agent_type = {
	.name = "own",
	.summary = "the functions of the program that calls the library",
	.state_size = sizeof(struct own_agent *),
	.on_messages = speak,
	.on_reset = forget,
	.save = save,
	.load = load,
};

/* --- Conditions --- */

static int check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct own_condition *own = *(const struct own_condition *const *)termination->state;
	struct rondo_reply why = {.arena = &arena, .cancel = ctx->cancel};
	struct rondo_error said = silence();
	step_out(own->team);
	int status = own->functions.check(own->functions.owner, delta.messages, delta.n, &why, &said);
	step_in(own->team);
	if (status < 0)
		return take_error(err, &said);
	utf8_format(reason->text, sizeof reason->text, "%s",
		why.is_given ? why.message.content : "Functional termination condition met");
	return status > 0;
}

static void reset(struct termination *termination)
{
	const struct own_condition *own = *(const struct own_condition *const *)termination->state;
	if (!own->functions.on_reset)
		return;
	step_out(own->team);
	own->functions.on_reset(own->functions.owner);
	step_in(own->team);
}

void own_condition_init(struct own_condition *own, const char *name)
{
	own->type = (struct termination_type){
		.name = name,
		.summary = "a function of the program that calls the library",
		.stop_kind = own->functions.stop_kind,
		.state_size = sizeof(struct own_condition *),
		.check = check,
		.reset = reset,
	};
}

static int check_stop(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	const struct rondo_team *team = *(const struct rondo_team *const *)termination->state;
	(void)delta, (void)ctx, (void)err;
	utf8_format(reason->text, sizeof reason->text, "External termination requested");
	return atomic_load(&team->stop_requested);
}

/* What every team of the API has, so that rondo_team_stop stops it; each run takes the request
 * back. A condition that was declared external is not told of it: it listens to its file. */
const struct termination_type stop_requested_type = {
	.name = "external",
	.summary = "the caller asked for it",
	.stop_kind = RONDO_STOP_STOPPED,
	.state_size = sizeof(struct rondo_team *),
	.check = check_stop,
};

/* --- Members of a context --- */

void own_observe(void *owner, const struct rondo_event *event)
{
	const struct rondo_team *team = owner;
	if (!team->observer.call)
		return;
	step_out(team);
	team->observer.call(team->observer.owner, event);
	step_in(team);
}

const char *own_answer(void *owner, const char *question, int64_t deadline_ms, struct arena *arena,
	struct rondo_error *err)
{
	const struct rondo_team *team = owner;
	struct rondo_reply reply = {.arena = arena, .cancel = team->run.env.ctx.cancel};
	struct rondo_error said = silence();
	int64_t left_ms = deadline_ms ? deadline_ms - clock_now_ms() : 0;
	if (deadline_ms && left_ms < 1)
		left_ms = 1;
	step_out(team);
	int status = team->answerer.call(team->answerer.owner, question, left_ms, &reply, &said);
	step_in(team);
	if (status < 0)
		take_error(err, &said);
	else if (!reply.is_given)
		error_set(err,
			deadline_ms && clock_now_ms() >= deadline_ms ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_NONE,
			"nobody answers '%s'", question);
	return status < 0 || !reply.is_given ? NULL : reply.message.content;
}
