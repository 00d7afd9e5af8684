/* What repair is given to search: what tests a file is not its to change. */
#include "tests/unit/run_fixture.h"

#include "agents/sources.h"

static const char rust[] = "pub fn add(a: i32) -> i32 {\n\ta - 1\n}\n\n#[cfg(test)]\nmod tests {\n"
						   "\t#[test]\n\tfn adds() {\n\t\tassert_eq!(super::add(1), 2);\n\t}\n}\n";

static void put_base(void)
{
	put("shop/tests/first.py", "raise SystemExit(1)\n");
	put("shop/Makefile", "check:\n\t@python3 -S tests/first.py\n");
	put("shop/lib.rs", rust);
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

static void tests_beside_the_program_are_frozen(void **state)
{
	(void)state;
	struct opened f;
	struct rondo_error err;
	struct repair_file *files, *found = NULL;
	size_t n;
	open_at_base(&f, "shop", NULL);
	assert_int_equal(sources_load(&f.run.services, &f.arena, &files, &n, &err), 0);
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, "lib.rs") == 0)
			found = &files[i];
		else
			assert_int_equal(files[i].n_frozen, 0);
	assert_true(found && found->editable && found->n_frozen == 2);
	if (!found)
		return;
	assert_int_equal(found->frozen_starts[0], strstr(rust, "#[cfg") - rust);
	assert_int_equal(found->frozen_starts[1], strstr(rust, "#[test]") - rust);
	assert_int_equal(found->frozen_ends[1], strlen(rust) - 3);
	close_opened(&f);
}

/* Not that there is nothing to mend. */
static void a_file_that_cannot_be_read_now_is_an_error(void **state)
{
	(void)state;
	struct opened f;
	struct rondo_error err;
	struct repair_file *files = NULL;
	size_t n = 0;
	open_at_base(&f, "shop", NULL);
	assert_int_equal(sources_load(&f.run.services, &f.arena, &files, &n, &err), 0);
	struct rlimit usual = no_descriptors();
	int status = sources_load(&f.run.services, &f.arena, &files, &n, &err);
	setrlimit(RLIMIT_NOFILE, &usual);
	assert_int_equal(status, -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_non_null(strstr(err.message, "cannot reach '"));
	close_opened(&f);
}

UNIT(sources)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_beside_the_program_are_frozen),
		cmocka_unit_test(a_file_that_cannot_be_read_now_is_an_error),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
