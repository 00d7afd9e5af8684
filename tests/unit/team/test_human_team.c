/* Humans in a team: who ends the chat, when nobody is asked, and what is on record. */
#include "tests/unit/human_fixture.h"

#include "team/team.h"

static const char *const *lines;

static int follow(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)agent, (void)unseen, (void)arena, (void)ctx, (void)err;
	response->pass = !*lines;
	response->message.content = *lines ? *lines++ : NULL;
	return 0;
}

static const struct agent_type scripted = {.name = "scripted", .on_messages = follow};

/* What was recorded, to go on from. */
static struct recorded {
	struct arena arena;
	struct rondo_event events[64];
	size_t n;
} recorded;

static int keep(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	(void)owner, (void)err;
	struct arena *arena = &recorded.arena;
	struct rondo_event copy = *event;
	copy.source = arena_strdup(arena, event->source);
	copy.text = arena_strdup(arena, event->text);
	copy.data = arena_strdup(arena, event->data);
	if (event->message) {
		struct rondo_message *message = arena_memdup(arena, event->message, sizeof *message);
		message->source = arena_strdup(arena, message->source);
		message->content = arena_strdup(arena, message->content);
		message->data = arena_strdup(arena, message->data);
		copy.message = message;
	}
	recorded.events[recorded.n++] = copy;
	return 0;
}

/* A coder, a critic and the scene's agent, which may be within another one. */
struct company {
	struct scene scene;
	struct agent *agents[3];
	struct team *team, *inner;
	struct rondo_task_result result;
};

static void company_close(struct company *company)
{
	team_free(company->team);
	agent_free(company->agents[0]);
	agent_free(company->agents[1]);
	if (company->agents[2] != company->scene.agent)
		agent_free(company->agents[2]);
	team_free(company->inner);
	scene_close(&company->scene);
	arena_release(&recorded.arena);
}
#define AUTO_COMPANY __attribute__((cleanup(company_close))) struct company

/* An agent that stands for the scene's: a sequence of it alone, or a team of it alone. */
static struct agent *wrap(struct company *company, const struct agent_type *type)
{
	struct scene *scene = &company->scene;
	char *options = arena_alloc(&scene->arena, type->state_size);
	option_defaults(type->options, options, &scene->arena);
	void *member = options + type->options[0].offset;
	if (type == &team_agent) {
		const struct team_rules rules = {.max_turns = 1};
		int status =
			team_new(&round_robin_team, &scene->agent, 1, &rules, &company->inner, &scene->err);
		assert_int_equal(status, 0);
		((struct option_spec *)member)->object = company->inner;
	} else {
		struct option_specs *agents = member;
		struct option_spec spec = {.object = scene->agent};
		ARENA_PUSH(&scene->arena, agents->items, agents->n, spec);
	}
	return agent_new(type, "outer", options, NULL);
}

/* `within`: the type of the agent that stands for the scene's; NULL: none does. */
static void open_company_within(struct company *company, const struct agent_type *type,
	const struct agent_type *within, const char *mode, const char *const *said)
{
	struct scene *scene = &company->scene;
	lines = said;
	recorded = (struct recorded){.n = 0};
	company->inner = NULL;
	open_scene(scene, type);
	set(scene, "human_input_mode", mode);
	scene->ctx.record.call = keep;
	company->agents[0] = agent_new(&scripted, "coder", NULL, NULL);
	company->agents[1] = agent_new(&scripted, "critic", NULL, NULL);
	company->agents[2] = within ? wrap(company, within) : scene->agent;
	struct team_rules rules = {.max_turns = 9,
		.termination = termination_new(&scene->arena, &text_mention_termination, NULL, NULL, NULL)};
	assert_int_equal(
		team_new(&round_robin_team, company->agents, 3, &rules, &company->team, &scene->err), 0);
}

static void open_company(struct company *company, const struct agent_type *type, const char *mode,
	const char *const *said)
{
	open_company_within(company, type, NULL, mode, said);
}

static void talk(struct company *company)
{
	struct scene *scene = &company->scene;
	const struct rondo_message *task = &(struct rondo_message){.source = "user", .content = "task"};
	assert_int_equal(team_run(company->team, (struct message_span){&task, 1}, &company->result,
						 &scene->ctx, &scene->err),
		0);
}

static void assert_stopped_by_user(const struct company *company)
{
	assert_string_equal(company->result.stop_condition, "user");
	assert_string_equal(company->result.stop_reason, "User requested to end the conversation");
	assert_int_equal(company->result.stop_kind, RONDO_STOP_STOPPED);
	assert_string_equal(company->result.stop_message->source, "me");
}

static void exit_stops_the_team(void **state)
{
	(void)state;
	AUTO_COMPANY company;
	open_company(&company, &executor_agent, "ALWAYS", ANSWERS(CODE, PLAIN));
	will_answer(ANSWERS("exit"));
	talk(&company);
	assert_stopped_by_user(&company);
	assert_int_equal(runs, 0);
}

/* What the message means is in the record: a run that died behind it goes on to the same end. */
static void exit_stops_a_team_that_is_resumed(void **state)
{
	(void)state;
	AUTO_COMPANY company;
	open_company(&company, &user_agent, "ALWAYS", ANSWERS(PLAIN, PLAIN));
	will_answer(ANSWERS("exit"));
	talk(&company);
	struct scene *scene = &company.scene;
	size_t n = recorded.n;
	while (recorded.events[n - 1].type != RONDO_EVENT_MESSAGE)
		n--;
	assert_int_equal(recorded.events[n - 1].message->type, RONDO_MESSAGE_STOP);
	team_reset(company.team);
	team_begin(company.team);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(team_recall(company.team, &recorded.events[i], &scene->err), 0);
	scene->ctx.record.call = NULL;
	assert_int_equal(team_resume(company.team, &company.result, &scene->ctx, &scene->err), 0);
	assert_stopped_by_user(&company);
	assert_int_equal(asked.n, 1);
}

static void an_end_that_a_human_agrees_to_is_a_success(void **state)
{
	(void)state;
	AUTO_COMPANY company;
	open_company(
		&company, &user_agent, "TERMINATE", ANSWERS("All done?", "It is DONE", "Yes", "DONE"));
	set(&company.scene, "terminate_on", "DONE");
	will_answer(ANSWERS("no", ""));
	talk(&company);
	assert_string_equal(company.result.stop_condition, "user");
	assert_string_equal(
		company.result.stop_reason, "'critic' said DONE, and the user had nothing to add");
	assert_int_equal(company.result.stop_kind, RONDO_STOP_SUCCESS);
	assert_int_equal(asked.n, 2);
}

/* Section 9, 11. */
static void a_chat_that_is_over_asks_nobody(void **state)
{
	(void)state;
	static const struct {
		const char *mode;
		size_t runs;
	} rows[] = {{"ALWAYS", 0}, {"TERMINATE", 1}, {"NEVER", 1}};
	static const struct agent_type *const within[] = {NULL, &sequence_agent, &team_agent};
	for (size_t i = 0; i < ARRAY_SIZE(rows) * ARRAY_SIZE(within); i++) {
		size_t row = i % ARRAY_SIZE(rows);
		AUTO_COMPANY company;
		open_company_within(&company, &executor_agent, within[i / ARRAY_SIZE(rows)], rows[row].mode,
			ANSWERS(CODE, END));
		talk(&company);
		assert_string_equal(company.result.stop_reason, "Text 'TERMINATE' mentioned");
		assert_int_equal(asked.n, 0);
		assert_int_equal(runs, rows[row].runs);
		assert_int_equal(company.result.left_unexecuted, !rows[row].runs);
	}
}

static void questions_are_on_record(void **state)
{
	(void)state;
	AUTO_COMPANY company;
	open_company(&company, &executor_agent, "ALWAYS", ANSWERS(CODE, PLAIN, END));
	will_answer(ANSWERS(""));
	talk(&company);
	size_t i = 0;
	while (recorded.events[i].type != RONDO_EVENT_QUESTION)
		i++;
	assert_string_equal(recorded.events[i].source, "me");
	assert_string_equal(recorded.events[i].text, asked.question);
	assert_int_equal(recorded.events[i + 1].message->type, RONDO_MESSAGE_CODE_EXECUTION);
}

UNIT(human_team)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exit_stops_the_team),
		cmocka_unit_test(exit_stops_a_team_that_is_resumed),
		cmocka_unit_test(an_end_that_a_human_agrees_to_is_a_success),
		cmocka_unit_test(a_chat_that_is_over_asks_nobody),
		cmocka_unit_test(questions_are_on_record),
	};
	return RUN_HUMAN_TESTS(tests);
}
