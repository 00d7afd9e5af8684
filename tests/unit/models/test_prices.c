/* What models cost by rondo's own table, and how money is written (20, missing 2). */
#include "tests/unit/unit.h"

#include "models/prices.h"

static void models_are_found_at_their_hosts(void **state)
{
	(void)state;
	struct price price = {.known = false};
	assert_true(price_find("api.openai.com", "gpt-5-mini", &price));
	assert_true(price.known && price.input > price.cached && price.output > price.input);
	struct price dated;
	assert_true(price_find("api.openai.com", "gpt-5-mini-2025-08-07", &dated));
	assert_float_equal(dated.output, price.output, 0);
	assert_true(price_find("api.anthropic.com", "claude-sonnet-4-5-20250929", &dated));
	assert_true(price_find("api.mistral.ai", "codestral-latest", &dated));
	assert_false(price_find("api.openai.com", "gpt-5-mini-2", &dated));
	assert_false(price_find("api.openai.com", "-2025-08-07", &dated));
	assert_false(price_find("127.0.0.1", "gpt-5-mini", &dated));
}

static void what_a_cache_has_costs_less(void **state)
{
	(void)state;
	const struct price price = {.input = 2, .output = 10, .cached = 0.2, .known = true};
	const struct rondo_usage usage = {
		.prompt_tokens = 1000000, .completion_tokens = 100000, .cached_tokens = 500000};
	assert_float_equal(price_of(&price, &usage), 1 + 0.1 + 1, 1e-9);
	const struct price written = {.input = 2, .written = 2.5, .known = true};
	const struct rondo_usage first = {
		.prompt_tokens = 1000000, .cached_tokens = 0, .cache_written_tokens = 400000};
	assert_float_equal(price_of(&written, &first), 1.2 + 1, 1e-9);
	const struct price plain = {.input = 2, .output = 10, .known = true};
	assert_float_equal(price_of(&plain, &usage), 3, 1e-9);
}

static void money_is_written_as_money(void **state)
{
	(void)state;
	char text[MONEY_SIZE];
	assert_string_equal(money_text(0, text), "0");
	assert_string_equal(money_text(0.0004, text), "0.0004");
	assert_string_equal(money_text(0.000412, text), "0.000412");
	assert_string_equal(money_text(0.00000123, text), "0.00000123");
	assert_string_equal(money_text(0.05, text), "0.05");
	assert_string_equal(money_text(12.5, text), "12.5");
	assert_string_equal(money_text(1234567, text), "1234567");
}

UNIT(prices)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models_are_found_at_their_hosts),
		cmocka_unit_test(what_a_cache_has_costs_less),
		cmocka_unit_test(money_is_written_as_money),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
