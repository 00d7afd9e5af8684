/* record: what it keeps, what it refuses, what it counts. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/memory.h"
#include "models/model.h"

#define KEY "sk-test-0123456789abcdef"

static const struct model_message hello = {.role = MODEL_USER, .content = "hello"};
static const struct model_request request = {.messages = &hello, .n = 1};
static const struct price price = {.input = 2, .output = 3, .known = true};
static const char *key_names[] = {"TEST_API_KEY"}, *key_values[] = {KEY};
static struct secrets secrets = {.names = key_names, .values = key_values, .n = 1};

static int say(struct model *model, const struct model_request *asked, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	(void)asked, (void)arena, (void)ctx;
	if (strcmp(model->name, "broken") == 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "nobody answers");
	*reply = (struct model_reply){.text = "the key is " KEY "\n\xf0\x9f\x98\x80",
		.finish = MODEL_FINISH_LENGTH,
		.usage = {.prompt_tokens = 10, .completion_tokens = 20},
		.usage_known = true};
	return 0;
}

static const struct model_type source_type = {.name = "source", .complete = say};

struct fixture {
	char dir[TOP_SIZE];
	struct arena arena;
	struct budget budget;
	struct model_services services;
	struct model *source;
	struct rondo_error err;
};

static void fixture_init(struct fixture *fixture, const char *source)
{
	memset(fixture, 0, sizeof *fixture);
	assert_non_null(make_top(fixture->dir));
	budget_init(&fixture->budget, 0, 0);
	fixture->services = (struct model_services){
		.dir = fixture->dir, .budget = &fixture->budget, .secrets = &secrets};
	fixture->source =
		model_new(&source_type, source, NULL, &price, &fixture->services, &fixture->err);
}

static void fixture_release(struct fixture *fixture)
{
	model_free(fixture->source);
	budget_release(&fixture->budget);
	file_remove_tree(fixture->dir, &fixture->err);
	arena_release(&fixture->arena);
}

static void *set(struct fixture *fixture, const struct model_type *type, const char *key,
	const char *value, void *options)
{
	if (!options) {
		options = arena_alloc(&fixture->arena, type->state_size);
		option_defaults(type->options, options, &fixture->arena);
	}
	const struct option *option = option_find(type->options, key, "key", &fixture->err);
	assert_int_equal(option_set(option, options, &fixture->arena, value, &fixture->err), 0);
	return options;
}

static struct model *open_record(struct fixture *fixture, const char *file)
{
	static const struct price none;
	void *options = set(fixture, &record_model, "file", file, NULL);
	const struct option *ref = option_find(record_model.options, "model", "key", &fixture->err);
	*(struct option_ref *)((char *)options + ref->offset) =
		(struct option_ref){.name = "source", .object = fixture->source};
	return model_new(&record_model, "tape", options, &none, &fixture->services, &fixture->err);
}

static void what_is_recorded_replay_gives_back(void **state)
{
	(void)state;
	static const struct price none;
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	fixture_init(&fixture, "source");
	struct model *record = open_record(&fixture, "tape.jsonl");
	assert_non_null(record);
	assert_int_equal(
		model_complete(record, &request, &fixture.arena, &reply, &ctx, &fixture.err), 0);
	assert_string_equal(reply.text, "the key is [TEST_API_KEY]\n\xf0\x9f\x98\x80");
	model_free(record);
	struct model *replay =
		model_new(&replay_model, "replay", set(&fixture, &replay_model, "file", "tape.jsonl", NULL),
			&none, &fixture.services, &fixture.err);
	assert_non_null(replay);
	assert_int_equal(
		model_complete(replay, &request, &fixture.arena, &reply, &ctx, &fixture.err), 0);
	assert_string_equal(reply.text, "the key is [TEST_API_KEY]\n\xf0\x9f\x98\x80");
	assert_int_equal(reply.finish, MODEL_FINISH_LENGTH);
	assert_true(reply.usage_known);
	assert_int_equal(reply.usage.completion_tokens, 20);
	model_free(replay);
	fixture_release(&fixture);
}

/* The tape knows the chat: where it departs from it, replay says at which call and how. */
static void a_tape_that_does_not_match_says_where(void **state)
{
	(void)state;
	static const struct price none;
	static const struct model_message turns[] = {{.role = MODEL_SYSTEM,
													 .content = "Be brief. " KEY},
		{.role = MODEL_USER, .content = "one"}, {.role = MODEL_ASSISTANT, .content = "two"},
		{.role = MODEL_USER, .content = "took 0.02 s"}},
									  others[] = {{.role = MODEL_SYSTEM,
													  .content = "Be brief. [TEST_API_KEY]"},
										  {.role = MODEL_USER, .content = "one"},
										  {.role = MODEL_ASSISTANT, .content = "two"},
										  {.role = MODEL_USER, .content = "took 0.03 s"}};
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	fixture_init(&fixture, "source");
	struct model *record = open_record(&fixture, "tape.jsonl");
	for (size_t n = 2; n <= 4; n += 2)
		assert_int_equal(
			model_complete(record, &(struct model_request){.messages = turns, .n = n},
				&fixture.arena, &reply, &ctx, &fixture.err),
			0);
	model_free(record);
	void *options = set(&fixture, &replay_model, "file", "tape.jsonl", NULL);
	set(&fixture, &replay_model, "match", "strict", options);
	struct model *replay =
		model_new(&replay_model, "replay", options, &none, &fixture.services, &fixture.err);
	assert_int_equal(model_complete(replay, &(struct model_request){.messages = others, .n = 2},
						 &fixture.arena, &reply, &ctx, &fixture.err),
		0);
	assert_int_equal(model_complete(replay, &(struct model_request){.messages = others, .n = 4},
						 &fixture.arena, &reply, &ctx, &fixture.err),
		-1);
	assert_string_equal(fixture.err.message,
		"model replay: call 2 is not asked what was recorded: message 4 differs at byte 8: "
		"'2 s' was recorded, '3 s' is asked");
	model_free(replay);
	fixture_release(&fixture);
}

static void a_call_is_counted_once_at_the_sources_price(void **state)
{
	(void)state;
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	fixture_init(&fixture, "source");
	struct model *record = open_record(&fixture, "tape.jsonl");
	assert_int_equal(
		model_complete(record, &request, &fixture.arena, &reply, &ctx, &fixture.err), 0);
	assert_int_equal(fixture.budget.calls, 1);
	assert_int_equal(fixture.budget.usage.prompt_tokens, 10);
	assert_int_equal(fixture.budget.usd * 1e6 + 0.5, 10 * 2 + 20 * 3);
	model_free(record);
	fixture_release(&fixture);
}

static void a_failure_is_not_kept(void **state)
{
	(void)state;
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	fixture_init(&fixture, "broken");
	struct model *record = open_record(&fixture, "tape.jsonl");
	assert_int_equal(
		model_complete(record, &request, &fixture.arena, &reply, &ctx, &fixture.err), -1);
	assert_string_equal(fixture.err.message, "model tape: broken: nobody answers");
	assert_int_equal(fixture.err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(file_tree_size(fixture.dir), 0);
	model_free(record);
	fixture_release(&fixture);
}

/* The disk is full for a while: what is kept stays whole. */
static void a_tape_has_no_part_of_a_line(void **state)
{
	(void)state;
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	struct rlimit before, little;
	fixture_init(&fixture, "source");
	struct model *record = open_record(&fixture, "tape.jsonl");
	assert_int_equal(
		model_complete(record, &request, &fixture.arena, &reply, &ctx, &fixture.err), 0);
	uint64_t size = file_tree_size(fixture.dir);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = (struct rlimit){size + 10, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	int status = model_complete(record, &request, &fixture.arena, &reply, &ctx, &fixture.err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(status, -1);
	assert_int_equal(file_tree_size(fixture.dir), size);
	model_free(record);
	fixture_release(&fixture);
}

static void a_tape_is_never_recorded_over(void **state)
{
	(void)state;
	struct fixture fixture;
	char expected[256];
	fixture_init(&fixture, "source");
	const char *path = arena_printf(&fixture.arena, "%s/tape.jsonl", fixture.dir);
	assert_int_equal(file_write(path, "{\"text\":\"x\"}\n", 13, 0600, &fixture.err), 0);
	assert_null(open_record(&fixture, "tape.jsonl"));
	snprintf(expected, sizeof expected, "model tape: '%s' holds a recording already", path);
	assert_string_equal(fixture.err.message, expected);
	snprintf(expected, sizeof expected, "name another file, or remove it: rm %s", path);
	assert_string_equal(fixture.err.help, expected);
	assert_int_equal(file_tree_size(fixture.dir), 13);
	assert_int_equal(file_write(path, "", 0, 0600, &fixture.err), 0);
	struct model *record = open_record(&fixture, "tape.jsonl");
	assert_non_null(record);
	model_free(record);
	fixture_release(&fixture);
}

/* The first half of it was paid for, and replay needs all of it. */
static void a_run_that_is_resumed_goes_on_with_its_tape(void **state)
{
	(void)state;
	static const struct model_message turns[] = {{.role = MODEL_USER, .content = "one"},
		{.role = MODEL_ASSISTANT, .content = "two"}, {.role = MODEL_USER, .content = "three"}};
	struct recorded_replies none = {0};
	struct fixture fixture;
	struct context ctx = {0};
	struct model_reply reply;
	AUTO_STRBUF tape = STRBUF_INIT(STRBUF_TEXT);
	fixture_init(&fixture, "source");
	for (size_t n = 1; n <= 3; n += 2) {
		struct model *record = open_record(&fixture, "tape.jsonl");
		assert_non_null(record);
		assert_int_equal(model_complete(record, &(struct model_request){.messages = turns, .n = n},
							 &fixture.arena, &reply, &ctx, &fixture.err),
			0);
		model_free(record);
		fixture.services.recorded = &none;
	}
	const char *path = arena_printf(&fixture.arena, "%s/tape.jsonl", fixture.dir);
	assert_int_equal(file_read(path, STRBUF_TEXT, &tape, &fixture.err), 0);
	assert_non_null(strstr(tape.text, "\"as_before\":1,\"then\":[{\"role\":\"assistant\""));
	assert_ptr_equal(strrchr(strchr(tape.text, '\n') + 1, '\n'), tape.text + tape.length - 1);
	assert_int_equal(file_write(path, "no tape\n", 8, 0600, &fixture.err), 0);
	assert_null(open_record(&fixture, "tape.jsonl"));
	assert_non_null(strstr(fixture.err.message, "tape.jsonl:1: "));
	fixture_release(&fixture);
}

static void a_tape_that_cannot_be_written_is_found_before_the_first_call(void **state)
{
	(void)state;
	struct fixture fixture;
	fixture_init(&fixture, "source");
	assert_null(open_record(&fixture, "no/such/tape.jsonl"));
	assert_non_null(strstr(fixture.err.message, "no/such/tape.jsonl': No such file or directory"));
	assert_null(open_record(&fixture, "/dev/null"));
	assert_int_equal(fixture.err.code, RONDO_ERROR_USAGE);
	model_free(fixture.source);
	fixture.source = NULL;
	assert_null(open_record(&fixture, "tape.jsonl"));
	assert_string_equal(
		fixture.err.message, "model tape: 'model' and 'file' must say what is recorded, and where");
	fixture_release(&fixture);
}

UNIT(record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_recorded_replay_gives_back),
		cmocka_unit_test(a_tape_that_does_not_match_says_where),
		cmocka_unit_test(a_call_is_counted_once_at_the_sources_price),
		cmocka_unit_test(a_failure_is_not_kept),
		cmocka_unit_test(a_tape_has_no_part_of_a_line),
		cmocka_unit_test(a_tape_is_never_recorded_over),
		cmocka_unit_test(a_run_that_is_resumed_goes_on_with_its_tape),
		cmocka_unit_test(a_tape_that_cannot_be_written_is_found_before_the_first_call),
	};
	return RUN_TESTS(tests);
}
