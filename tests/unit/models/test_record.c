/* record: what it keeps, what it refuses, what it counts. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/file.h"
#include "base/memory.h"
#include "models/model.h"

#define KEY "sk-test-0123456789abcdef"

static const struct model_message hello = {MODEL_USER, "hello"};
static const struct model_request request = {&hello, 1};
static const struct price price = {.input = 2, .output = 3, .known = true};
static const char *key_names[] = {"TEST_API_KEY"}, *key_values[] = {KEY};
static struct secrets secrets = {key_names, key_values, 1};

static int say(struct model *model, const struct model_request *asked, struct arena *arena, struct model_reply *reply,
	const struct context *ctx, struct rondo_error *err)
{
	(void)asked, (void)arena, (void)ctx;
	if (strcmp(model->name, "broken") == 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "nobody answers");
	*reply = (struct model_reply){"the key is " KEY "\n\xf0\x9f\x98\x80", MODEL_FINISH_LENGTH, {10, 20}, true};
	return 0;
}

static const struct model_type source_type = {.name = "source", .complete = say};

struct desk {
	char dir[TOP_SIZE];
	struct arena arena;
	struct budget budget;
	struct model_kit kit;
	struct model *source;
	struct rondo_error err;
};

static void desk_init(struct desk *desk, const char *source)
{
	memset(desk, 0, sizeof *desk);
	assert_non_null(make_top(desk->dir));
	budget_init(&desk->budget, 0, 0);
	desk->kit = (struct model_kit){.dir = desk->dir, .budget = &desk->budget, .secrets = &secrets};
	desk->source = model_new(&source_type, source, NULL, &price, &desk->kit, &desk->err);
}

static void desk_release(struct desk *desk)
{
	model_free(desk->source);
	budget_release(&desk->budget);
	file_remove_tree(desk->dir, &desk->err);
	arena_release(&desk->arena);
}

static void *set(struct desk *desk, const struct model_type *type, const char *key, const char *value, void *options)
{
	if (!options) {
		options = arena_alloc(&desk->arena, type->state_size);
		option_defaults(type->options, options, &desk->arena);
	}
	const struct option *option = option_find(type->options, key, "key", &desk->err);
	assert_int_equal(option_set(option, options, &desk->arena, value, &desk->err), 0);
	return options;
}

static struct model *open_record(struct desk *desk, const char *file)
{
	static const struct price none;
	void *options = set(desk, &record_model, "file", file, NULL);
	const struct option *ref = option_find(record_model.options, "model", "key", &desk->err);
	*(struct option_ref *)((char *)options + ref->offset) = (struct option_ref){.name = "source", .object = desk->source};
	return model_new(&record_model, "tape", options, &none, &desk->kit, &desk->err);
}

static void what_is_recorded_replay_gives_back(void **state)
{
	(void)state;
	static const struct price none;
	struct desk desk;
	struct context ctx = {0};
	struct model_reply reply;
	desk_init(&desk, "source");
	struct model *record = open_record(&desk, "tape.jsonl");
	assert_non_null(record);
	assert_int_equal(model_complete(record, &request, &desk.arena, &reply, &ctx, &desk.err), 0);
	assert_string_equal(reply.text, "the key is [TEST_API_KEY]\n\xf0\x9f\x98\x80");
	model_free(record);
	struct model *replay = model_new(&replay_model, "replay", set(&desk, &replay_model, "file", "tape.jsonl", NULL), &none,
		&desk.kit, &desk.err);
	assert_non_null(replay);
	assert_int_equal(model_complete(replay, &request, &desk.arena, &reply, &ctx, &desk.err), 0);
	assert_string_equal(reply.text, "the key is [TEST_API_KEY]\n\xf0\x9f\x98\x80");
	assert_int_equal(reply.finish, MODEL_FINISH_LENGTH);
	assert_true(reply.usage_known);
	assert_int_equal(reply.usage.completion_tokens, 20);
	model_free(replay);
	desk_release(&desk);
}

static void a_call_is_counted_once_at_the_sources_price(void **state)
{
	(void)state;
	struct desk desk;
	struct context ctx = {0};
	struct model_reply reply;
	desk_init(&desk, "source");
	struct model *record = open_record(&desk, "tape.jsonl");
	assert_int_equal(model_complete(record, &request, &desk.arena, &reply, &ctx, &desk.err), 0);
	assert_int_equal(desk.budget.calls, 1);
	assert_int_equal(desk.budget.usage.prompt_tokens, 10);
	assert_int_equal(desk.budget.usd * 1e6 + 0.5, 10 * 2 + 20 * 3);
	model_free(record);
	desk_release(&desk);
}

static void a_failure_is_not_kept(void **state)
{
	(void)state;
	struct desk desk;
	struct context ctx = {0};
	struct model_reply reply;
	desk_init(&desk, "broken");
	struct model *record = open_record(&desk, "tape.jsonl");
	assert_int_equal(model_complete(record, &request, &desk.arena, &reply, &ctx, &desk.err), -1);
	assert_string_equal(desk.err.message, "model tape: broken: nobody answers");
	assert_int_equal(desk.err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(file_tree_size(desk.dir), 0);
	model_free(record);
	desk_release(&desk);
}

static void a_tape_is_never_recorded_over(void **state)
{
	(void)state;
	struct desk desk;
	char expected[256];
	desk_init(&desk, "source");
	const char *path = arena_printf(&desk.arena, "%s/tape.jsonl", desk.dir);
	assert_int_equal(file_write(path, "{\"text\":\"x\"}\n", 13, 0600, &desk.err), 0);
	assert_null(open_record(&desk, "tape.jsonl"));
	snprintf(expected, sizeof expected, "model tape: '%s' holds a recording already", path);
	assert_string_equal(desk.err.message, expected);
	snprintf(expected, sizeof expected, "name another file, or remove it: rm %s", path);
	assert_string_equal(desk.err.help, expected);
	assert_int_equal(file_tree_size(desk.dir), 13);
	assert_int_equal(file_write(path, "", 0, 0600, &desk.err), 0);
	struct model *record = open_record(&desk, "tape.jsonl");
	assert_non_null(record);
	model_free(record);
	desk_release(&desk);
}

static void a_tape_that_cannot_be_written_is_found_before_the_first_call(void **state)
{
	(void)state;
	struct desk desk;
	desk_init(&desk, "source");
	assert_null(open_record(&desk, "no/such/tape.jsonl"));
	assert_non_null(strstr(desk.err.message, "no/such/tape.jsonl': No such file or directory"));
	assert_null(open_record(&desk, "/dev/null"));
	assert_int_equal(desk.err.code, RONDO_ERROR_USAGE);
	model_free(desk.source);
	desk.source = NULL;
	assert_null(open_record(&desk, "tape.jsonl"));
	assert_string_equal(desk.err.message, "model tape: 'model' and 'file' must say what is recorded, and where");
	desk_release(&desk);
}

UNIT(record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_recorded_replay_gives_back),
		cmocka_unit_test(a_call_is_counted_once_at_the_sources_price),
		cmocka_unit_test(a_failure_is_not_kept),
		cmocka_unit_test(a_tape_is_never_recorded_over),
		cmocka_unit_test(a_tape_that_cannot_be_written_is_found_before_the_first_call),
	};
	return RUN_TESTS(tests);
}
