/* Whose a thing is that lives elsewhere: gone only where that is known. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "executors/owner.h"

static void owners_are_gone_where_this_is_known(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	char self[OWNER_SIZE], boot[64], space[64];
	long pid;
	unsigned long long start;
	owner_self(self);
	assert_int_equal(sscanf(self, "%63[^/]/%63[^/]/%ld/%llu", boot, space, &pid, &start), 4);
	assert_int_equal(pid, getpid());
	for (int here = 0; here < 2; here++) {
		assert_false(owner_is_gone(self, here));
		assert_true(owner_is_gone(
			arena_printf(&arena, "%s/%s/%ld/%llu", boot, space, pid, start + 1), here));
		assert_false(owner_is_gone(arena_printf(&arena, "%s/1/1/1", boot), here));
		assert_false(owner_is_gone(arena_printf(&arena, "%s/%s/x/y", boot, space), here));
		assert_false(owner_is_gone("kept", here));
		assert_false(owner_is_gone("", here));
		assert_int_equal(
			owner_is_gone(arena_printf(&arena, "other/%s/%ld/%llu", space, pid, start), here),
			here);
	}
}

UNIT(owner)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(owners_are_gone_where_this_is_known)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
