/* What the tests of terminations share: conditions of settings, and messages that are shown to
 * them. */
#pragma once
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "chat/message.h"
#include "termination/termination.h"

static struct arena arena;

/* With settings "name=value"; a list takes several. */
static inline struct termination *new_condition_of(const struct termination_type *type,
	const struct termination_services *services, const char *const *settings)
{
	struct rondo_error err;
	void *options = arena_alloc(&arena, type->state_size);
	if (type->options)
		option_defaults(type->options, options, &arena);
	for (; settings && *settings; settings++) {
		const char *equals = strchr(*settings, '=');
		const char *name = arena_strndup(&arena, *settings, (size_t)(equals - *settings));
		const struct option *option = option_find(type->options, name, "key", &err);
		assert_non_null(option);
		assert_int_equal(option_set(option, options, &arena, equals + 1, &err), 0);
	}
	return termination_new(&arena, type, options, NULL, services);
}

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NEW(type, ...) new_condition_of(&type##_termination, NULL, SETTINGS(__VA_ARGS__))
#define NEW_PLAIN(type) new_condition_of(&type##_termination, NULL, NULL)

/* `or` or `and` of two; what they are made of is their first option. */
static inline struct termination *new_combination(const struct termination_type *type,
	struct termination *one, struct termination *other, const char *stop_kind)
{
	char *options = arena_alloc(&arena, type->state_size);
	struct option_specs *conditions = (void *)(options + type->options[0].offset);
	ARENA_PUSH(&arena, conditions->items, conditions->n, (struct option_spec){.object = one});
	ARENA_PUSH(&arena, conditions->items, conditions->n, (struct option_spec){.object = other});
	return termination_new(&arena, type, options, &(struct termination_common){stop_kind}, NULL);
}

/* The condition is shown copies, as a thread has them. */
static inline int check_span(struct termination *condition,
	const struct rondo_message *const *messages, size_t n, struct termination_reason *reason,
	struct rondo_error *err)
{
	struct context ctx = {0};
	const struct rondo_message **copies = arena_alloc(&arena, n * sizeof *copies);
	for (size_t i = 0; i < n; i++)
		copies[i] = message_copy(&arena, messages[i]);
	int status = termination_check(condition, (struct message_span){copies, n}, reason, &ctx, err);
	for (size_t i = 0; status > 0 && i < n; i++)
		if (reason->message == copies[i])
			reason->message = messages[i];
	return status;
}

static inline bool check_one(struct termination *condition, const struct rondo_message *message,
	struct termination_reason *reason)
{
	struct rondo_error err;
	int status = check_span(condition, &message, 1, reason, &err);
	assert_true(status >= 0);
	return status;
}

static inline bool check_nothing(struct termination *condition)
{
	struct termination_reason reason;
	struct rondo_error err;
	int status = check_span(condition, NULL, 0, &reason, &err);
	assert_true(status >= 0);
	return status;
}

/* Whether it fires on one message; it is as new again then. */
static inline bool fires_on(struct termination *condition, const struct rondo_message *message)
{
	struct termination_reason reason;
	bool fired = check_one(condition, message, &reason);
	if (fired)
		assert_ptr_equal(reason.message, message);
	termination_reset(condition);
	return fired;
}

static inline bool says(struct termination *condition, const char *source, const char *content)
{
	return fires_on(condition, &(struct rondo_message){.source = source, .content = content});
}

/* Fires, for this reason and none other. */
static inline void assert_fires(struct termination *condition, const struct rondo_message *message,
	enum rondo_stop_kind stop_kind, const char *text)
{
	struct termination_reason reason;
	assert_true(check_one(condition, message, &reason));
	assert_string_equal(reason.text, text);
	assert_string_equal(reason.condition, condition->type->name);
	assert_int_equal(reason.stop_kind, stop_kind);
}

/* What check_options says of settings; "": nothing is wrong. */
static inline void assert_options(
	const struct termination_type *type, const char *const *settings, const char *said)
{
	struct rondo_error err = {.message = ""};
	struct termination *condition = new_condition_of(type, NULL, settings);
	struct option_spec spec = {.type = {.self = type}, .state = condition->state};
	assert_int_equal(termination_check_options(&spec, &err), *said ? -1 : 0);
	assert_string_equal(err.message, said);
}

static inline int release_arena(void **state)
{
	(void)state;
	arena_release(&arena);
	return 0;
}

#define RUN_TERMINATION_TESTS(tests) cmocka_run_group_tests(tests, NULL, release_arena)
