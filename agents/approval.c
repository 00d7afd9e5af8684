/*
 * Approval by a command of the user's own: it runs on the host, outside of any sandbox, with the
 * user's environment but for keys. It reads what is to be carried out as JSON and answers in JSON;
 * whatever else it does ends the run, since what nobody judged must not be carried out.
 */
#include "agents/approval.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/secrets.h"
#include "base/utf8.h"
#include "chat/message.h"

#define MESSAGES_SHOWN 5
#define LARGEST_ANSWER ((size_t)1 << 20)
#define SHOWN 200 /* bytes of what a broken command printed */

static void add_blocks(struct json *to, const struct work *work)
{
	struct json *blocks = json_add_array(to, "blocks");
	for (size_t i = 0; i < work->n; i++) {
		struct json *block = json_add_object(blocks, NULL);
		json_add_string(block, "language", work->blocks[i].language);
		json_add_string(block, "code", work->blocks[i].code);
		json_add_string(block, "filename", work->blocks[i].filename);
	}
}

/* What is judged, and what it is known again by. */
static struct json *describe_work(const struct work *work)
{
	struct json *json = json_object();
	add_blocks(json, work);
	if (work->is_edit)
		json_add_raw(json, "edit", work->message->data);
	return json;
}

static char *question_of(const struct agent *agent, const struct work *work, struct message_span unseen)
{
	AUTO_JSON *json = describe_work(work);
	json_add_string(json, "agent", agent->name);
	struct json *messages = json_add_array(json, "messages");
	for (size_t i = unseen.n > MESSAGES_SHOWN ? unseen.n - MESSAGES_SHOWN : 0; i < unseen.n; i++)
		json_add(messages, NULL, message_to_json(unseen.messages[i]));
	return json_print(json);
}

/* In the new process: what it says of its own troubles is no part of the answer. */
static int part_errors(void *payload, const char **what)
{
	*what = "set up the errors' file of an approval command";
	return dup2(*(const int *)payload, STDERR_FILENO) < 0 ? -1 : 0;
}

/* The first line of what it printed, to tell what is the matter. */
static const char *read_errors(int fd, struct arena *arena)
{
	char bytes[SHOWN];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	ssize_t n = pread(fd, bytes, sizeof bytes, 0);
	utf8_scrub(&text, bytes, n > 0 ? (size_t)n : 0);
	return arena_strndup(arena, text.text, strcspn(text.text, "\n"));
}

static int broken(const struct process_result *result, const char *said, struct rondo_error *err)
{
	char how[64];
	enum rondo_error_code code = result->end == PROCESS_TIMEOUT ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE;
	return error_set(err, code, "it did not judge: %s%s%s", process_describe(result, how, sizeof how), *said ? ": " : "", said);
}

static int run(const struct agent *agent, const struct approval *approval, const char *question, struct arena *arena,
	struct strbuf *answer, const struct context *ctx, struct rondo_error *err)
{
	struct process_result result;
	const char *argv[] = {"/bin/sh", "-c", approval->command, NULL};
	AUTO_CLOSE errors = memfd_create("errors", MFD_CLOEXEC);
	if (errors < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make a file in memory");
	struct process_options options = {.argv = argv, .env = secrets_free_environment(arena),
		.cwd = agent->kit ? agent->kit->dir : NULL, .input = question, .output = answer,
		.output_limit = LARGEST_ANSWER, .prepare = part_errors, .payload = &errors, .keep_fds = &errors,
		.n_keep_fds = 1, .timeout_ms = agent->type->human(agent)->timeout_ms, .cancel = ctx->cancel};
	if (process_run(&options, &result, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	return result.exit_code ? broken(&result, read_errors(errors, arena), err) : 0;
}

/* {"approved": true}, or false and why. */
static int read_answer(const struct strbuf *answer, struct arena *arena, const char **ret_refusal, struct rondo_error *err)
{
	struct rondo_error fault;
	AUTO_JSON *json = json_parse(answer->text, answer->length, &fault);
	bool approved = json_bool(json, "approved", false);
	if (!json || approved != json_bool(json, "approved", true))
		return error_set(err, RONDO_ERROR_USAGE,
			"it must answer {\"approved\": true} or {\"approved\": false, \"reason\": \"...\"}, and said '%.*s'",
			(int)strnlen(answer->text, SHOWN), answer->text);
	*ret_refusal = approved ? NULL : arena_strdup(arena, json_string(json, "reason", "none was given"));
	return 0;
}

static int judge_work(struct agent *agent, const struct approval *approval, const struct work *work,
	struct message_span unseen, struct arena *arena, const char **ret_refusal, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_STRBUF answer = STRBUF_INIT(LARGEST_ANSWER);
	AUTO_FREE char *question = question_of(agent, work, unseen);
	context_progress(ctx, agent->name, "waiting for approval");
	if (run(agent, approval, question, arena, &answer, ctx, err) < 0)
		return -1;
	return read_answer(&answer, arena, ret_refusal, err);
}

static const char *key_of(const struct work *work, struct arena *arena)
{
	char hash[HASH_SIZE];
	AUTO_JSON *json = describe_work(work);
	AUTO_FREE char *text = json_print(json);
	hash_bytes(text, strlen(text), hash);
	return arena_strdup(arena, hash);
}

int approval_ask(struct agent *agent, struct approval *approval, const struct work *work, struct message_span unseen,
	struct arena *arena, const char **ret_refusal, const struct context *ctx, struct rondo_error *err)
{
	const char *refusal = NULL, *key = approval->remember ? key_of(work, arena) : NULL;
	bool is_known = !approval->command || (key && map_get(&approval->remembered, key));
	if (!is_known && judge_work(agent, approval, work, unseen, arena, &refusal, ctx, err) < 0)
		return err->code == RONDO_ERROR_CANCELLED ? -1 : error_prefix(err, "approval '%s'", approval->command);
	if (key && !is_known && !refusal)
		map_put(&approval->remembered, &agent->arena, arena_strdup(&agent->arena, key), approval);
	*ret_refusal = refusal;
	return 0;
}
