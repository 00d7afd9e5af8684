/*
 * A turn of an external agent: the tree is read, it is asked, the tree is read again. What it says
 * is only told; whether it is right the tester finds out. Who changes nothing twice in a row has
 * given up. A turn that fails, or is stopped from outside, leaves the tree as it was.
 */
#include <inttypes.h>
#include <string.h>

#include "agents/briefing.h"
#include "agents/external/external.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"

enum {
	UNCHANGED_MOST = 2, /* turns in a row */
	PATHS_SHOWN = 5,
	DIFF_SHOWN = 16 << 10, /* bytes in the message's text */
	DIFF_KEPT = 256 << 10, /* in its data */
};

/* --- What it hears --- */

static void turn_hear(struct external_memory *memory, struct message_span news)
{
	for (size_t i = 0; i < news.n; i++) {
		const struct rondo_message *message = news.messages[i];
		bool is_task = strcmp(message->source, "user") == 0 && message->type == RONDO_MESSAGE_TEXT;
		if (is_task && (!memory->task || message->content))
			memory->task = message;
		if ((is_task || message->type == RONDO_MESSAGE_TEST_REPORT) && message_data(message)) {
			memory->report = message;
			memory->passes_tests = !is_task && json_bool(message_data(message), "ok", false);
		}
		memory->heard = message->id;
	}
}

/* --- What it says --- */

static void turn_count_lines(const struct diff *diff, size_t *ret_added, size_t *ret_removed)
{
	for (size_t i = 0; i < diff->n; i++) {
		*ret_added += diff->changes[i].added;
		*ret_removed += diff->changes[i].removed;
	}
}

/* "calc.py, util.py: 3 lines added, 1 removed" */
static void turn_describe(struct strbuf *sb, const struct diff *diff)
{
	size_t added = 0, removed = 0;
	turn_count_lines(diff, &added, &removed);
	for (size_t i = 0; i < diff->n && i < PATHS_SHOWN; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", diff->changes[i].path);
	if (diff->n > PATHS_SHOWN)
		strbuf_addf(sb, " and %zu more", diff->n - PATHS_SHOWN);
	strbuf_addf(sb, ": %zu line%s added, %zu removed", added, text_plural(added), removed);
}

static void turn_add_list(struct strbuf *sb, const char *label, const char *const *paths, size_t n)
{
	if (!n)
		return;
	strbuf_addf(sb, "%s%s: ", sb->length ? "\n" : "", label);
	strbuf_add_list(sb, paths, n < PATHS_SHOWN ? n : PATHS_SHOWN);
	if (n > PATHS_SHOWN)
		strbuf_addf(sb, " and %zu more", n - PATHS_SHOWN);
}

/* What has to be told of it, to everybody and to itself. */
static const char *turn_note(const struct agent *agent, const struct external_answer *answer,
	const struct external_change *change, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (answer->problem)
		strbuf_adds(&text, answer->problem);
	turn_add_list(&text,
		external_is_reader(agent) ? "Put back, since it only reads"
								  : "Put back, since it is protected",
		change->put_back, change->n_put_back);
	turn_add_list(&text, "Not kept", change->refused, change->n_refused);
	return text.length ? arena_strdup(arena, text.text) : NULL;
}

static void turn_add_diff(struct strbuf *sb, const struct diff *diff)
{
	AUTO_STRBUF shown = STRBUF_INIT(DIFF_SHOWN);
	if (!diff->n)
		return;
	utf8_scrub(&shown, diff->patch, diff->patch_length);
	strbuf_mark_cut(&shown);
	strbuf_adds(sb, "\n\n");
	add_fenced(sb, "diff", shown.text, shown.length);
}

static const char *turn_content(const struct external_answer *answer,
	const struct external_change *change, const char *note, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (change->diff.n)
		turn_describe(&text, &change->diff);
	if (*answer->text)
		strbuf_addf(&text, "%s%s", text.length ? "\n\n" : "", answer->text);
	if (note)
		strbuf_addf(&text, "%s%s", text.length ? "\n\n" : "", note);
	turn_add_diff(&text, &change->diff);
	strbuf_rtrim(&text);
	return text.length ? arena_strdup(arena, text.text) : "It said nothing and changed nothing.";
}

static const char *turn_data(
	const struct external_answer *answer, const struct external_change *change, struct arena *arena)
{
	AUTO_JSON *json = json_object();
	AUTO_STRBUF patch = STRBUF_INIT(DIFF_KEPT);
	json_add_bool(json, "done", true);
	json_add_int(json, "exit_code", answer->exit_code);
	if (answer->problem)
		json_add_string(json, "problem", answer->problem);
	if (change->diff.n) {
		struct json *files = json_add_array(json, "files");
		for (size_t i = 0; i < change->diff.n; i++)
			json_add_string(files, NULL, change->diff.changes[i].path);
		utf8_scrub(&patch, change->diff.patch, change->diff.patch_length);
		json_add_bool(json, "patch_is_whole", !patch.cut);
		strbuf_mark_cut(&patch);
		json_add_string(json, "patch", patch.text);
		json_add_string(json, "tree", change->after.hex);
	}
	if (change->n_put_back)
		json_add_strings(json, "put_back", change->put_back, change->n_put_back);
	if (change->n_refused)
		json_add_strings(json, "not_kept", change->refused, change->n_refused);
	return json_print_in(json, arena);
}

/* It gives up where nothing comes of what it does. */
static void turn_count(struct agent *agent, struct external_memory *memory,
	const struct external_answer *answer, const struct external_change *change, struct arena *arena,
	struct rondo_message *message)
{
	memory->unchanged = change->diff.n ? 0 : memory->unchanged + 1;
	if (external_is_reader(agent) || memory->unchanged < UNCHANGED_MOST || !agent->services->suite)
		return;
	const char *said = answer->problem ? answer->problem : answer->text;
	memory->finished = true;
	message->type = RONDO_MESSAGE_STOP;
	message->content =
		arena_printf(arena, "gave up: it changed nothing in %d turns; the last %s%.*s",
			memory->unchanged, *said ? "said: " : "was silent", (int)strcspn(said, "\n"), said);
}

/* --- The turn --- */

static int turn_settle(struct agent *agent, struct external_memory *memory,
	const struct external_tree *tree, const struct external_answer *answer, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct external_change change = {.n_put_back = 0};
	response->is_cut = answer->is_cut;
	if (answer->is_cut ? external_tree_undo(agent, tree, err) < 0
					   : external_tree_end(agent, tree, arena, &change, err) < 0)
		return -1;
	const char *note = turn_note(agent, answer, &change, arena);
	response->message =
		(struct rondo_message){.type = change.diff.n ? RONDO_MESSAGE_EDIT : RONDO_MESSAGE_TEXT,
			.content = turn_content(answer, &change, note, arena),
			.data = turn_data(answer, &change, arena),
			.models_usage = answer->usage};
	memory->note = change.n_put_back || change.n_refused || answer->problem
		? arena_printf(&agent->arena, "Of your last turn: %s", note)
		: NULL;
	if (!answer->is_cut)
		turn_count(agent, memory, answer, &change, arena, &response->message);
	return 0;
}

static int turn_take(struct agent *agent, struct external_memory *memory, struct message_span news,
	external_ask *ask, struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	struct external_tree tree;
	struct external_answer answer = {.text = ""};
	struct rondo_error ignored;
	if (external_tree_begin(agent, arena, &tree, err) < 0)
		return -1;
	const struct external_box *box = ((const struct external *)agent->state)->box;
	struct external_verdicts *verdicts = box ? box->verdicts : NULL;
	struct context inner = external_verdicts_begin(verdicts, &tree, ctx);
	int status = ask(agent, memory, news, arena, &answer, &inner, err);
	external_verdicts_end(verdicts);
	if (status == 0 && turn_settle(agent, memory, &tree, &answer, arena, response, err) == 0)
		return 0;
	external_tree_undo(agent, &tree, &ignored);
	return -1;
}

/* Who reads speaks where there is news; who writes, as long as tests fail. */
static bool turn_is_pass(
	const struct agent *agent, const struct external_memory *memory, struct message_span news)
{
	if (external_is_reader(agent))
		return !news.n;
	return memory->finished || memory->passes_tests;
}

int external_turn(struct agent *agent, struct message_span unseen, external_ask *ask,
	struct arena *arena, struct response *response, const struct context *ctx,
	struct rondo_error *err)
{
	struct external_memory *memory = &((struct external *)agent->state)->memory;
	struct external_memory before = *memory;
	struct message_span news = message_span_after(unseen, memory->heard);
	turn_hear(memory, news);
	response->pass = turn_is_pass(agent, memory, news);
	if (response->pass || turn_take(agent, memory, news, ask, arena, response, ctx, err) == 0) {
		if (!response->is_cut)
			return 0;
		*memory = before;
		return 0;
	}
	*memory = before;
	return -1;
}

/* --- Its state --- */

void external_memory_save(const struct external_memory *memory, struct json *to)
{
	if (!memory->heard)
		return;
	if (memory->task)
		json_add_int(to, "task", memory->task->id);
	if (memory->report)
		json_add_int(to, "report", memory->report->id);
	json_add_bool(to, "passes_tests", memory->passes_tests);
	json_add_bool(to, "finished", memory->finished);
	json_add_int(to, "heard", memory->heard);
	json_add_int(to, "unchanged", memory->unchanged);
	json_add_string(to, "note", memory->note);
}

static int memory_find(const struct json *from, const char *key,
	const struct message_thread *thread, const struct rondo_message **ret_message,
	struct rondo_error *err)
{
	int64_t id = json_int(from, key, 0);
	if (id < 0 || (size_t)id > thread->n)
		return error_set(err, RONDO_ERROR_USAGE, "message %" PRId64 " is not on the thread", id);
	*ret_message = id ? thread->messages[id - 1] : NULL;
	return 0;
}

int external_memory_load(struct external_memory *memory, struct arena *arena,
	const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	if (memory_find(from, "task", thread, &memory->task, err) < 0 ||
		memory_find(from, "report", thread, &memory->report, err) < 0)
		return -1;
	memory->passes_tests = json_bool(from, "passes_tests", false);
	memory->finished = json_bool(from, "finished", false);
	memory->heard = json_int(from, "heard", 0);
	memory->unchanged = (int)json_int(from, "unchanged", 0);
	memory->note = arena_strdup(arena, json_string(from, "note", NULL));
	return 0;
}
