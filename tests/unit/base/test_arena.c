#include "tests/unit/unit.h"

#include "base/arena.h"
#include "base/map.h"

static void gives_zeroed_memory_that_never_moves(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	char *first = arena_strdup(&arena, "first");
	for (size_t i = 1; i < 3000; i++) {
		unsigned char *bytes = arena_alloc(&arena, i);
		assert_int_equal((uintptr_t)bytes % _Alignof(max_align_t), 0);
		assert_int_equal(bytes[0] | bytes[i - 1], 0);
		memset(bytes, 0xff, i);
	}
	assert_string_equal(first, "first");
}

static void takes_pieces_larger_than_a_block(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	char *large = arena_alloc(&arena, 5 << 20);
	large[(5 << 20) - 1] = 'x';
	assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
	assert_null(arena_strdup(&arena, NULL));
}

static void grows_arrays(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	int *list = NULL;
	size_t n = 0;
	for (int i = 0; i < 1000; i++)
		ARENA_PUSH(&arena, list, n, i);
	assert_int_equal(n, 1000);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(list[i], i);
}

static void note_call(void *owner)
{
	char **end = owner;
	*(*end)++ = 'x';
}

static void deferred_calls_are_made_once_before_the_memory_goes(void **state)
{
	(void)state;
	struct arena arena = ARENA_INIT;
	char calls[8] = "", *end = calls;
	arena_defer(&arena, note_call, &end);
	for (int i = 0; i < 100; i++)
		arena_alloc(&arena, 1000);
	arena_defer(&arena, note_call, &end);
	assert_string_equal(calls, "");
	arena_release(&arena);
	assert_string_equal(calls, "xx");
	arena_release(&arena);
	assert_string_equal(calls, "xx");
}

static void maps_find_what_was_put(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct map map = {0};
	int values[2000];
	assert_null(map_get(&map, "absent"));
	for (int i = 0; i < 2000; i++)
		map_put(&map, &arena, arena_printf(&arena, "key %d", i), &values[i]);
	map_put(&map, &arena, "key 7", &values[0]);
	assert_int_equal(map.n, 2000);
	assert_ptr_equal(map_get(&map, "key 1999"), &values[1999]);
	assert_ptr_equal(map_get(&map, "key 7"), &values[0]);
	assert_null(map_get(&map, "key 2000"));
}

UNIT(arena)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_zeroed_memory_that_never_moves),
		cmocka_unit_test(takes_pieces_larger_than_a_block),
		cmocka_unit_test(grows_arrays),
		cmocka_unit_test(deferred_calls_are_made_once_before_the_memory_goes),
		cmocka_unit_test(maps_find_what_was_put),
	};
	return RUN_TESTS(tests);
}
