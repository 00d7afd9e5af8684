#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/map.h"

static void keeps_the_last_value_of_each_key(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct map map = {0};
	static int values[1000];
	assert_null(map_get(&map, "0"));
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 1000; i++)
			map_put(&map, &arena, arena_printf(&arena, "%d", i), &values[(i + round) % 1000]);
	assert_int_equal(map.n, 1000);
	for (int i = 0; i < 1000; i++) {
		char key[16];
		snprintf(key, sizeof key, "%d", i);
		assert_ptr_equal(map_get(&map, key), &values[(i + 1) % 1000]);
	}
	assert_null(map_get(&map, "1000"));
	assert_null(map_get(&map, ""));
}

static void a_reserved_map_stays_where_it_is(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct map map = {0};
	int values[1000];
	map_reserve(&map, &arena, 0);
	assert_null(map.slots);
	map_reserve(&map, &arena, 1000);
	const void *slots = map.slots;
	for (int i = 0; i < 1000; i++)
		map_put(&map, &arena, arena_printf(&arena, "%d", i), &values[i]);
	assert_ptr_equal(map.slots, slots);
	assert_int_equal(map.n, 1000);
	assert_ptr_equal(map_get(&map, "999"), &values[999]);
}

static void keys_may_be_any_bytes(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct map map = {0};
	int a, ab, with_nul, empty;
	map_put_bytes(&map, &arena, "abc", 1, &a);
	map_put_bytes(&map, &arena, "abc", 2, &ab);
	map_put_bytes(&map, &arena, "a\0b", 3, &with_nul);
	map_put_bytes(&map, &arena, "", 0, &empty);
	assert_ptr_equal(map_get(&map, "a"), &a);
	assert_ptr_equal(map_get_bytes(&map, "abx", 2), &ab);
	assert_ptr_equal(map_get_bytes(&map, "a\0b", 3), &with_nul);
	assert_ptr_equal(map_get(&map, ""), &empty);
	assert_null(map_get(&map, "abc"));
	assert_null(map_get_bytes(&map, "a\0c", 3));
}

UNIT(map)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_last_value_of_each_key),
		cmocka_unit_test(a_reserved_map_stays_where_it_is),
		cmocka_unit_test(keys_may_be_any_bytes),
	};
	return RUN_TESTS(tests);
}
