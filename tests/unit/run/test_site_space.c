/* A run whose checkouts would fill the disk does not begin. */
#include "tests/unit/run_fixture.h"

static void put_base(void)
{
	put("shop/tests/first.py", "raise SystemExit(1)\n");
	put("shop/Makefile", "check:\n\t@python3 -S tests/first.py\n");
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

static void large_files_need_room_for_their_checkouts(void **state)
{
	(void)state;
	struct opened f;
	struct rondo_error err;
	open_at_base(&f, "shop", NULL);
	struct site site = *f.run.site;
	assert_in_range(site.base.n_bytes, 50, 100);
	assert_int_equal(site_check_space(&site, &f.run.env, &err), 0);
	site.base.n_bytes = (uint64_t)1 << 30;
	assert_int_equal(site_check_space(&site, &f.run.env, &err), 0);
	site.base.n_bytes = (uint64_t)1 << 60;
	assert_int_equal(site_check_space(&site, &f.run.env, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_non_null(strstr(err.message, "the files have 1152921504.6 GB, and checkouts"));
	assert_non_null(strstr(err.help, "XDG_CACHE_HOME"));
	close_opened(&f);
}

UNIT(site_space)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_files_need_room_for_their_checkouts),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
