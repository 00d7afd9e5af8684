/* Work on several items at once. */
#include "tests/unit/unit.h"

#include <stdatomic.h>

#include "base/memory.h"
#include "base/thread.h"

struct item {
	atomic_int n_done;
	pthread_t thread;
};

static void *work(void *owner)
{
	struct item *item = owner;
	item->thread = pthread_self();
	atomic_fetch_add(&item->n_done, 1);
	return NULL;
}

static void *count(void *owner)
{
	atomic_fetch_add((atomic_int *)owner, 1);
	return NULL;
}

static void each_item_is_done_once(void **state)
{
	(void)state;
	struct item items[8] = {0}, none = {0};
	thread_each(work, items, ARRAY_SIZE(items), sizeof *items);
	for (size_t i = 0; i < ARRAY_SIZE(items); i++)
		assert_int_equal(items[i].n_done, 1);
	assert_true(pthread_equal(items[0].thread, pthread_self()));
	thread_each(work, &none, 0, sizeof none);
	assert_int_equal(none.n_done, 0);
}

static void load_is_known(void **state)
{
	(void)state;
	assert_true(thread_load() >= 0);
	assert_true(thread_load() < 10000);
}

static void workers_can_share_an_item(void **state)
{
	(void)state;
	atomic_int n = 0;
	thread_each(count, &n, 5, 0);
	assert_int_equal(n, 5);
}

UNIT(thread)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_item_is_done_once),
		cmocka_unit_test(workers_can_share_an_item),
		cmocka_unit_test(load_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
