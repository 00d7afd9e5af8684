/* A shop at its baseline, and candidates that come out as a test wants. */
#pragma once
#include "tests/unit/run_fixture.h"

#include "agents/trial/trial.h"
#include "agents/trial/trial_engine.h"

#define CALC(add, mul) "def add(a, b): return " add "\ndef mul(a, b): return " mul "\n"
#define TESTS \
	"import sys\nfrom calc import add, mul\n" \
	"results = [add(2, 3) == 5, mul(2, 3) == 6, add(0, 0) == 0]\n" \
	"for i, name in enumerate(['adds', 'multiplies', 'adds nothing']):\n" \
	"    print('ok' if results[i] else 'not ok', i + 1, '-', name)\n" \
	"print('1..3')\nsys.exit(not all(results))\n"

static void put_shop(const char *calc)
{
	put("shop/calc.py", calc);
	put("shop/tests/run.py", TESTS);
	put("shop/Makefile", "check:\n\t@PYTHONPATH=. python3 tests/run.py\n");
}

/* What the made-up engine says of candidates, by their ids; 0: of none. */
static struct {
	int64_t passes;
	int64_t fixes_one;
} made_up;

static int made_up_start(struct trial_worker *worker, void **ret_state, const struct context *ctx,
	struct rondo_error *err)
{
	(void)ctx, (void)err;
	*ret_state = worker;
	return 0;
}

static int made_up_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	(void)useful, (void)err;
	int64_t id = worker->trial->candidates->items[first].id;
	*n = 1;
	*results = (struct trial_result){.end = id == made_up.passes ? TRIAL_PASSED : TRIAL_FAILED,
		.fixed = id == made_up.fixes_one};
	return 0;
}

static const struct trial_engine made_up_engine = {
	.name = "made up", .start = made_up_start, .try = made_up_try};

/* Try candidates of this run by these engines from here on. */
static void try_by(struct opened *opened, const struct trial_engine *const *engines)
{
	struct run *run = &opened->run;
	trials_free(run->trials);
	run->trials = run->services.trials = trials_new(&run->services, engines);
}
