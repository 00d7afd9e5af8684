/* Questions to a human, as they reach the caller of the public API and come back to who asked. */
#include "tests/unit/api_fixture.h"

#include "base/clock.h"
#include "run/api/team.h"

struct person {
	const char *answer; /* NULL: none */
	int status;
	char asked[64];
	int64_t timeout_ms;
};

static int answer(void *owner, const char *question, int64_t timeout_ms, struct rondo_reply *reply,
	struct rondo_error *error)
{
	struct person *person = owner;
	snprintf(person->asked, sizeof person->asked, "%s", question);
	person->timeout_ms = timeout_ms;
	assert_false(rondo_reply_is_cancelled(reply));
	if (person->answer)
		rondo_reply_text(reply, person->answer);
	if (person->status < 0) {
		rondo_error_set(error, RONDO_ERROR_USAGE, "I am not \xff here");
		snprintf(error->help, sizeof error->help, "ask \xff later");
	}
	return person->status;
}

static const char *ask(struct person *person, int64_t deadline_ms, struct arena *arena)
{
	struct rondo_team *team = new_team();
	assert_ok(rondo_team_answer(team, answer, person, &err));
	const char *said = team->ctx.ask.call(team->ctx.ask.owner, "Run it?", deadline_ms, arena, &err);
	rondo_team_free(team);
	return said;
}

static void an_answer_is_given_to_who_asked(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct person person = {.answer = "yes"};
	assert_string_equal(ask(&person, 0, &arena), "yes");
	assert_string_equal(person.asked, "Run it?");
	assert_int_equal(person.timeout_ms, 0);
	person.answer = "";
	assert_string_equal(ask(&person, clock_now_ms() + 60000, &arena), "");
	assert_in_range(person.timeout_ms, 30000, 60000);
}

static void who_does_not_answer_says_nothing_or_is_late(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct person person = {0};
	assert_null(ask(&person, 0, &arena));
	assert_int_equal(err.code, RONDO_ERROR_NONE);
	assert_null(ask(&person, clock_now_ms() - 1, &arena));
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_string_equal(err.message, "nobody answers 'Run it?'");
	assert_int_equal(person.timeout_ms, 1);
}

static void an_error_is_the_callers(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct person person = {.answer = "yes", .status = -1};
	assert_null(ask(&person, 0, &arena));
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	assert_string_equal(err.message, "I am not \xef\xbf\xbd here");
	assert_string_equal(err.help, "ask \xef\xbf\xbd later");
}

static void without_anybody_nobody_is_asked(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	assert_ok(rondo_team_answer(team, answer, NULL, &err));
	assert_ok(rondo_team_answer(team, NULL, NULL, &err));
	assert_null(team->ctx.ask.call);
	rondo_team_free(team);
}

UNIT(api_answer)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_given_to_who_asked),
		cmocka_unit_test(who_does_not_answer_says_nothing_or_is_late),
		cmocka_unit_test(an_error_is_the_callers),
		cmocka_unit_test(without_anybody_nobody_is_asked),
	};
	return RUN_API_TESTS(tests);
}
