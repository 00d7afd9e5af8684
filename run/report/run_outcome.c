/* The one table of outcomes: words and exit codes; and the words of verdicts. */
#include "base/memory.h"
#include "run/run.h"

static const struct {
	const char *word;
	int exit_code;
} outcomes[RUN_OUTCOMES] = {
	[RUN_VERIFIED] = {"verified", 0},
	[RUN_VERIFIED_IN_PART] = {"verified_in_part", 1},
	[RUN_NOTHING_FAILS] = {"nothing_fails", 0},
	[RUN_TESTS_FAIL] = {"tests_fail", 1},
	[RUN_DRY_RUN] = {"dry_run", 0},
	[RUN_NOT_FIXED] = {"not_fixed", 1},
	[RUN_NOT_VERIFIED] = {"not_verified", 1},
	[RUN_REFUSED] = {"refused", 1},
	[RUN_ENVIRONMENT_BROKEN] = {"environment_broken", 3},
	[RUN_SUITE_BROKEN] = {"suite_broken", 3},
	[RUN_ONLY_FLAKY] = {"only_flaky", 3},
	[RUN_DONE] = {"done", 0},
	[RUN_STOPPED] = {"stopped", 1},
	[RUN_ASSERT_FAILED] = {"assert_failed", 1},
};

const char *run_outcome_word(enum run_outcome outcome)
{
	return outcomes[outcome].word;
}

int run_outcome_exit_code(enum run_outcome outcome)
{
	return outcomes[outcome].exit_code;
}

bool run_outcome_is_verified(enum run_outcome outcome)
{
	return outcome == RUN_VERIFIED || outcome == RUN_VERIFIED_IN_PART;
}

int run_error_exit_code(const struct rondo_error *err, const struct cancel *cancel)
{
	static const int codes[] = {
		[RONDO_ERROR_NONE] = 0,
		[RONDO_ERROR_USAGE] = 2,
		[RONDO_ERROR_CANNOT_JUDGE] = 3,
		[RONDO_ERROR_INTERNAL] = 3,
		[RONDO_ERROR_TRANSIENT] = 75,
	};
	int reason = cancel_reason(cancel);
	if (err->code == RONDO_ERROR_CANCELLED)
		return reason ? 128 + reason : 1;
	return (size_t)err->code < ARRAY_SIZE(codes) ? codes[err->code] : 3;
}
