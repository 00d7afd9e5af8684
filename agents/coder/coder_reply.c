/* What a coder's model replies: an edit, or text. What cannot be applied goes back to it. */
#include <string.h>

#include "agents/coder/coder.h"
#include "agents/sources.h"
#include "chat/edit_text.h"
#include "chat/usage.h"

enum {
	FAILURES_MOST = 5, /* replies in a row that cannot be applied */
	WHOLE_FROM = 2,    /* from this failure on whole files are asked for */
	CUTS_MOST = 3,     /* replies in a row that were cut off */
};

void coder_say(struct response *response, enum rondo_message_type type, const char *content)
{
	response->message.type = type;
	response->message.content = content;
}

const char *coder_first_line(const char *text, struct arena *arena)
{
	return arena_strndup(arena, text, strcspn(text, "\n"));
}

static void coder_give_up(struct agent *agent, struct response *response, const char *content)
{
	struct coder *coder = agent->state;
	coder->finished = true;
	coder_say(response, RONDO_MESSAGE_STOP, content);
}

static void coder_propose(
	const struct edit *edit, const char *reply, struct arena *arena, struct response *response)
{
	AUTO_JSON *json = edit_to_json(edit);
	coder_say(
		response, RONDO_MESSAGE_EDIT, arena_printf(arena, "%s\n\n%s", edit->description, reply));
	response->message.data = json_print_in(json, arena);
}

static const char *coder_file_text(
	void *owner, const char *path, struct arena *arena, const char **ret_why)
{
	return source_text(owner, path, arena, ret_why);
}

/* Send the model what is wrong with its edits. False: that was done often enough. */
static bool coder_correct(struct agent *agent, const char *problem)
{
	struct coder *coder = agent->state;
	bool whole = ++coder->failures >= WHOLE_FROM;
	if (coder->failures >= FAILURES_MOST)
		return false;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "Nothing of your last reply was applied:\n%s\n%s%s\n%s", problem,
		dialogue_repeats(&coder->dialogue) ? coder_prompt(coder, "again") : "",
		coder_prompt(coder, whole ? "retry_whole" : "retry"),
		whole ? "" : coder_format_prompt(agent));
	strbuf_rtrim(&text);
	dialogue_add(&coder->dialogue, MODEL_USER, text.text);
	return true;
}

/* Make of a whole reply what there is to say. 1: there is nothing yet, the model has to be asked
 * again. */
static int coder_read_reply(struct agent *agent, const char *reply, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	const char **paths;
	size_t n;
	if (!coder_reads_edits(agent)) {
		coder_say(response, RONDO_MESSAGE_TEXT, reply);
		return 0;
	}
	if (sources_paths(agent->services, arena, &paths, &n, err) < 0)
		return -1;
	struct edit_files files = {.text = coder_file_text,
		.owner = (void *)(uintptr_t)agent->services,
		.paths = paths,
		.n = n,
		.only = agent->services->suite ? agent->services->suite->program : NULL};
	struct edit_reading reading = edit_text_read(reply, &files, arena);
	if (!reading.problem)
		reading.problem = source_encode(agent->services, &reading.edit, arena);
	if (reading.problem && coder_correct(agent, reading.problem))
		return 1;
	if (reading.problem) {
		coder_give_up(agent, response,
			arena_printf(arena,
				"gave up: %d replies in a row could not be applied; of the last: %s", FAILURES_MOST,
				coder_first_line(reading.problem + strspn(reading.problem, "- "), arena)));
		return 0;
	}
	coder->failures = 0;
	coder->has_proposed = reading.edit.n;
	if (reading.edit.n)
		coder_propose(&reading.edit, reply, arena, response);
	else
		coder_say(response, RONDO_MESSAGE_TEXT, reply);
	return 0;
}

/* Once more where it has told how much it can read. */
static int coder_ask(struct agent *agent, struct arena *arena, struct model_reply *reply,
	const struct context *ctx, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	struct model *model = coder->model.object;
	for (bool again = false;; again = true) {
		size_t room = coder_room(model);
		struct model_request request =
			dialogue_request(&coder->dialogue, (size_t)coder->history, room, arena);
		context_progress(ctx, agent->name, "asking %s", model->name);
		if (model_complete(model, &request, arena, reply, ctx, err) == 0)
			return 0;
		if (again || coder_room(model) == room)
			return -1;
	}
}

/* Make of a reply, whole or not, what there is to say; else 1. */
static int coder_take_reply(struct agent *agent, struct model_reply *reply, int *cuts,
	struct arena *arena, struct response *response, struct rondo_error *err)
{
	struct coder *coder = agent->state;
	reply->text = reply_without_thoughts(reply->text);
	coder->dialogue.n_sent = coder->dialogue.n;
	usage_add(&response->message.models_usage, &reply->usage);
	if (*reply->text) /* some providers refuse a message of nothing */
		dialogue_add_reply(&coder->dialogue, reply);
	if (reply->finish == MODEL_FINISH_REFUSED) {
		coder_say(response, RONDO_MESSAGE_TEXT,
			arena_printf(arena, "the model refused: %s", reply->text));
		return 0;
	}
	if (reply->finish != MODEL_FINISH_LENGTH) {
		*cuts = 0;
		return coder_read_reply(agent, reply->text, arena, response, err);
	}
	if (++*cuts == CUTS_MOST) {
		coder_give_up(agent, response,
			arena_printf(
				arena, "gave up: the limit of tokens cut off %d replies in a row", CUTS_MOST));
		return 0;
	}
	dialogue_add(&coder->dialogue, MODEL_USER, coder_prompt(coder, "cut_off"));
	return 1;
}

int coder_speak(struct agent *agent, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err)
{
	int cuts = 0, status = 1;
	for (bool first = true; status > 0; first = false) {
		struct model_reply reply;
		if (coder_ask(agent, arena, &reply, ctx, err) < 0)
			return -1;
		if (!reply.text && !first)
			coder_say(response, RONDO_MESSAGE_TEXT,
				"the budget was used up before the edit could be corrected");
		response->pass = !reply.text && first;
		status = reply.text ? coder_take_reply(agent, &reply, &cuts, arena, response, err) : 0;
	}
	return status;
}
