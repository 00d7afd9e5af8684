/* What a scenario asserts of its own end. */
#include "run/scenario/assertion.h"
#include "run/stages.h"

static bool asserts_tests_pass(const struct run *run)
{
	const struct ending *ending = run->verdict ? &run->verdict->ending
		: run->baseline                        ? &run->baseline->ending
											   : NULL;
	return ending && (ending->outcome == RUN_VERIFIED || ending->outcome == RUN_NOTHING_FAILS);
}

void run_check_asserts(struct run *run)
{
	AUTO_STRBUF why = STRBUF_INIT(STRBUF_TEXT);
	const struct team *team = run->components.team; /* each of several attempts has its own */
	struct assertion_facts facts = {.tests_pass = asserts_tests_pass(run),
		.messages = team ? message_thread_since(&team->thread, 0) : (struct message_span){.n = 0},
		.stop_reason = run->talk ? run->talk->facts.stop_reason : NULL,
		.last_exit_code = run->talk ? run->talk->facts.last_exit_code : -1,
		.files = run->order.has_site ? worktree_dir(run->site->main.worktree) : NULL};
	run->asserts.n = assertions_check(&run->order.scenario->asserts, &facts, &why);
	strbuf_rtrim(&why);
	run->asserts.failed = why.length ? arena_strdup(run->env.arena, why.text) : NULL;
}
