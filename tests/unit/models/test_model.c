/* Models: what a call gives, what the budget and the keys have to do with it; the replay type and
 * its tapes. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "models/tape.h"

static const struct model_message hello = {.role = MODEL_USER, .content = "12345678"};
static const struct model_request request = {.messages = &hello, .n = 1};
static const struct price no_price;

static int complain(struct model *model, const struct model_request *asked, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	(void)model, (void)asked, (void)arena, (void)reply, (void)ctx;
	return error_set(err, RONDO_ERROR_TRANSIENT, "HTTP 401: wrong key sk-1234567890");
}

static const struct model_type failing_model = {.name = "failing", .complete = complain};

static struct model *replay(const struct model_services *services, const char **texts, size_t n,
	const char *file, struct arena *arena)
{
	struct rondo_error err;
	struct model *model = model_new(&replay_model, "replay", NULL, &no_price, services, &err);
	assert_null(model);
	void *options = arena_alloc(arena, replay_model.state_size);
	option_defaults(replay_model.options, options, arena);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(option_set(&replay_model.options[0], options, arena, texts[i], &err), 0);
	if (file)
		assert_int_equal(option_set(&replay_model.options[1], options, arena, file, &err), 0);
	model = model_new(&replay_model, "replay", options, &no_price, services, &err);
	if (!model)
		print_message("%s\n", err.message);
	return model;
}

static void replay_says_its_replies_and_no_more(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct model_services services = {0};
	struct context ctx = {0};
	struct model_reply reply;
	struct rondo_error err;
	const char *texts[] = {"one", "two"};
	struct model *model = replay(&services, texts, 2, NULL, &arena);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
		assert_string_equal(reply.text, texts[i]);
		assert_int_equal(reply.finish, MODEL_FINISH_STOP);
		assert_true(reply.usage_known);
		assert_int_equal(reply.usage.prompt_tokens, 0);
	}
	assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), -1);
	assert_string_equal(err.message, "model replay: it has 2 replies, and one more is asked for");
	model_free(model);
}

static void assert_usage(const struct option_strings *usage, const char *message)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct model_services services = {0};
	struct rondo_error err;
	const char *texts[] = {"one", "two"};
	void *options = arena_alloc(&arena, replay_model.state_size);
	const struct option *replies = option_find(replay_model.options, "replies", "key", &err);
	const struct option *counts = option_find(replay_model.options, "usage", "key", &err);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(option_set(replies, options, &arena, texts[i], &err), 0);
	for (size_t i = 0; i < usage->n; i++)
		assert_int_equal(option_set(counts, options, &arena, usage->items[i], &err), 0);
	struct model *model = model_new(&replay_model, "replay", options, &no_price, &services, &err);
	struct model_reply reply;
	struct context ctx = {0};
	assert_true(!model == (message != NULL));
	if (message)
		assert_string_equal(err.message, message);
	else
		assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
	if (!message) {
		assert_int_equal(reply.usage.prompt_tokens, 120);
		assert_int_equal(reply.usage.completion_tokens, 30);
	}
	model_free(model);
}

static void replies_count_what_they_are_told_to(void **state)
{
	(void)state;
	assert_usage(&(struct option_strings){(const char *[]){"120+30", "0+0"}, 2}, NULL);
	assert_usage(&(struct option_strings){(const char *[]){"120+30"}, 1},
		"model replay: 'usage' must have as many items as 'replies': 2, found 1");
	static const char *const wrong[] = {
		"120", "1+", "+1", "1+2x", "-1+2", "1+2+3", "9999999999+1", ""};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		char message[128];
		snprintf(message, sizeof message,
			"model replay: 'usage' must be such as 120+30 for each reply, found '%s'", wrong[i]);
		assert_usage(&(struct option_strings){(const char *[]){wrong[i], "0+0"}, 2}, message);
	}
}

static void a_tape_gives_back_what_was_recorded(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	char dir[TOP_SIZE];
	assert_non_null(make_top(dir));
	struct model_services services = {.dir = dir};
	struct context ctx = {0};
	struct rondo_error err;
	struct model_reply reply;
	static const struct model_reply replies[] = {
		{.text = "a\n"
				 "b \xf0\x9f\x98\x80",
			.usage = {.prompt_tokens = 10, .completion_tokens = 2},
			.usage_known = true},
		{.text = "half", .finish = MODEL_FINISH_LENGTH}};
	const char *path = arena_printf(&arena, "%s/tape.jsonl", dir);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			tape_append(path, &(struct tape_call){.reply = replies[i]}, NULL, NULL, &err), 0);
	struct model *model = replay(&services, NULL, 0, "tape.jsonl", &arena);
	assert_non_null(model);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
		assert_string_equal(reply.text, replies[i].text);
		assert_int_equal(reply.finish, replies[i].finish);
		assert_int_equal(reply.usage_known, replies[i].usage_known);
		assert_int_equal(reply.usage.prompt_tokens, replies[i].usage.prompt_tokens);
	}
	model_free(model);
	file_remove_tree(dir, &err);
}

static void a_wrong_tape_is_refused_by_its_line(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"{\"text\":\"x\"}\n\n{\"txt\":1}\n", "tape:3: a reply needs \"text\""},
		{"{\"text\":\"x\",\"finish\":\"done\"}",
			"tape:1: finish must be one of stop, length, refused, found 'done'"},
		{"{\"text\":\"x\"}\n{\"text\"", "tape:2: "},
	};
	char dir[TOP_SIZE];
	struct rondo_error err;
	struct tape_call *replies;
	size_t n;
	assert_non_null(make_top(dir));
	assert_int_equal(chdir(dir), 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_int_equal(file_write("tape", cases[i][0], strlen(cases[i][0]), 0600, &err), 0);
		assert_int_equal(tape_read("tape", &arena, &replies, &n, &err), -1);
		assert_memory_equal(err.message, cases[i][1], strlen(cases[i][1]));
	}
	assert_int_equal(chdir("/"), 0);
	file_remove_tree(dir, &err);
}

static void the_budget_is_asked_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct budget budget;
	budget_init(&budget, 1, 0);
	struct model_services services = {.budget = &budget};
	struct context ctx = {0};
	struct model_reply reply;
	struct rondo_error err;
	const char *texts[] = {"never said"};
	struct model *model = replay(&services, texts, 1, NULL, &arena);
	assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
	assert_null(reply.text);
	assert_int_equal(budget.calls, 0);
	model_free(model);
	budget_release(&budget);
}

static int boast(struct model *model, const struct model_request *asked, struct arena *arena,
	struct model_reply *reply, const struct context *ctx, struct rondo_error *err)
{
	(void)asked, (void)arena, (void)ctx, (void)err;
	*reply = (struct model_reply){
		.text = "x", .usage = *(const struct rondo_usage *)model->state, .usage_known = true};
	return 0;
}

static const struct model_type boasting_model = {
	.name = "boasting", .state_size = sizeof(struct rondo_usage), .complete = boast};

/* A limit would never be reached, or at once. */
static void what_nobody_can_have_counted_counts_nothing(void **state)
{
	(void)state;
	static const struct rondo_usage counts[] = {{.prompt_tokens = -1000},
		{.prompt_tokens = 10, .completion_tokens = -1000},
		{.prompt_tokens = 10, .cached_tokens = 11}, {.prompt_tokens = INT64_C(1) << 50}};
	AUTO_ARENA arena = ARENA_INIT;
	struct budget budget;
	budget_init(&budget, 1000, 0);
	const struct model_services services = {.budget = &budget};
	struct context ctx = {0};
	struct rondo_error err;
	for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
		struct model_reply reply;
		struct model *model =
			model_new(&boasting_model, "x/y", &counts[i], &no_price, &services, &err);
		assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
		assert_string_equal(reply.text, "x");
		assert_false(reply.usage_known);
		assert_int_equal(reply.usage.prompt_tokens + reply.usage.completion_tokens, 0);
		assert_int_equal(budget.calls_of_unknown_usage, i + 1);
		model_free(model);
	}
	assert_int_equal(budget.usage.prompt_tokens + budget.usage.completion_tokens, 0);
	budget_release(&budget);
}

static void errors_do_not_show_keys(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *names[] = {"X_API_KEY"}, *values[] = {"sk-1234567890"};
	struct secrets secrets = {.names = names, .values = values, .n = 1};
	struct model_services services = {.secrets = &secrets};
	struct context ctx = {0};
	struct model_reply reply;
	struct rondo_error err;
	struct model *model = model_new(&failing_model, "x/y", NULL, &no_price, &services, &err);
	assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), -1);
	assert_string_equal(err.message, "model x/y: HTTP 401: wrong key [X_API_KEY]");
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	model_free(model);
}

static void replies_do_not_show_keys(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *names[] = {"TEST_API_KEY"}, *values[] = {"sk-1234567890"},
			   *texts[] = {"use sk-1234567890 here"};
	struct secrets secrets = {.names = names, .values = values, .n = 1};
	struct model_services services = {.secrets = &secrets};
	struct context ctx = {0};
	struct model_reply reply;
	struct rondo_error err;
	struct model *model = replay(&services, texts, 1, NULL, &arena);
	assert_int_equal(model_complete(model, &request, &arena, &reply, &ctx, &err), 0);
	assert_string_equal(reply.text, "use [TEST_API_KEY] here");
	model_free(model);
}

static void every_type_conforms(void **state)
{
	(void)state;
	for (size_t i = 0; i < model_types_n; i++) {
		assert_non_null(model_types[i]->name);
		assert_non_null(model_types[i]->summary);
		assert_true(!model_types[i]->complete == (model_types[i]->part != NULL));
		assert_string_equal(model_family.type(i).name, model_types[i]->name);
	}
	assert_null(model_family.type(model_types_n).name);
}

UNIT(model)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replay_says_its_replies_and_no_more),
		cmocka_unit_test(replies_count_what_they_are_told_to),
		cmocka_unit_test(a_tape_gives_back_what_was_recorded),
		cmocka_unit_test(a_wrong_tape_is_refused_by_its_line),
		cmocka_unit_test(the_budget_is_asked_first),
		cmocka_unit_test(what_nobody_can_have_counted_counts_nothing),
		cmocka_unit_test(errors_do_not_show_keys),
		cmocka_unit_test(replies_do_not_show_keys),
		cmocka_unit_test(every_type_conforms),
	};
	return RUN_TESTS(tests);
}
