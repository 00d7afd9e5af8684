/* reads: journals of runs */
/* Journals as they come: read to the end or refused with words; what was read can be gone on
 * with. */
#include "run/journal/history.h"
#include "run/scenario/reader.h"
#include "tests/fuzz/fuzz.h"

static const char text[] =
	"task: go\n"
	"models: {said: {replay: {replies: [one, two, three]}}}\n"
	"agents: {a: {type: coder, model: said}, b: {type: coder, model: said}}\n"
	"team: {participants: [a, b], termination: [text_mention, {max_messages: 4}], max_turns: 3}\n";

static void read_scenario(struct scenario *scenario, struct arena *arena)
{
	struct problems problems = {.arena = arena};
	struct reader reader = {.arena = arena, .problems = &problems};
	scenario_init(scenario, arena);
	reader_read(&reader, scenario_keys, scenario,
		yaml_read(text, strlen(text), "fuzz", arena, &problems), NULL);
	assert(!problems.n);
}

/* What is left of the run: it may fail, where the journal has used up the replies. */
static void go_on(struct components *components)
{
	struct rondo_task_result result;
	struct rondo_error err;
	const struct context ctx = {0};
	if (team_resume(components->team, &result, &ctx, &err) == 0)
		assert_text(result.stop_reason);
	else
		assert_text(err.message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	struct components components;
	struct rondo_error err;
	struct history history = {.dir = "fuzz", .text = STRBUF_INIT(size + 1)};
	struct tally tally = {.arena = &arena};
	struct states states = {.arena = &arena};
	static const struct agent_services services;
	read_scenario(&scenario, &arena);
	assert(components_make(&components, &scenario, &services, NULL, &history.replies, &err) == 0);
	strbuf_add(&history.text, (const char *)data, size);
	if (history_parse(&history, &err) < 0 ||
		history_recall(&history, &components, &tally, &states, &err) < 0)
		assert_text(err.message);
	else
		go_on(&components);
	components_release(&components);
	history_release(&history);
	return 0;
}
