/* A fix that compares the clock with a date that is written down works until then. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "verify/guard/code.h"

#define CLOCKS " now utcnow today Now time_ns currentTimeMillis UnixNano Unix getTime time "
#define EPOCH_CLOCKS \
	CLOCKS " UnixMilli Date date clock_gettime gettimeofday SystemTime UNIX_EPOCH EPOCHSECONDS " \
		   "$EPOCHSECONDS "
#define YEARS " year getFullYear getUTCFullYear Year getYear tm_year "

/* Since 1970, in any unit down to nanoseconds. */
static bool depends_on_time_lies_between(double value, double first, double last)
{
	static const double units[] = {1, 1e3, 1e6, 1e9};
	for (size_t i = 0; i < ARRAY_SIZE(units); i++)
		if (value >= first * units[i] && value < last * units[i])
			return true;
	return false;
}

/* A time in the years from 2020 to 2040, or with a clock beside it to 2200. What a number of 31 or
 * 32 bits ends with is none. */
static bool depends_on_time_is_epoch(const struct code *code, uint32_t i, bool beside_clock)
{
	static const double bounds[] = {2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0};
	char digits[32];
	size_t n = 0;
	const struct token *token = &code->tokens.tokens[i];
	if (token->kind != TOKEN_NUMBER || token->length >= sizeof digits)
		return false;
	for (uint32_t at = 0; at < token->length; at++)
		if (code->text[token->start + at] != '_')
			digits[n++] = code->text[token->start + at];
	digits[n] = '\0';
	double value = strtod(digits, NULL);
	for (size_t b = 0; b < ARRAY_SIZE(bounds); b++)
		if (value >= bounds[b] && value <= bounds[b])
			return false;
	return depends_on_time_lies_between(
		value, 1577836800.0, beside_clock ? 7258118400.0 : 2208988800.0);
}

/* now().year < 2030 */
static bool depends_on_time_is_year(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	bool four = token->kind == TOKEN_NUMBER && token->length == 4;
	return four && memcmp(code->text + token->start, "20", 2) == 0 &&
		code_around_in(code, i, YEARS);
}

/* datetime(2026, ...), date(2026, ...), "2026-11-21" */
static bool depends_on_time_is_date(const struct code *code, uint32_t i)
{
	const char *text;
	size_t n;
	if (code_is(code, i + 1, "(") && i + 2 < code->tokens.n &&
		code_in(code, i, " datetime date Date of ")) {
		const struct token *year = &code->tokens.tokens[i + 2];
		return year->kind == TOKEN_NUMBER && year->length == 4 &&
			memcmp(code->text + year->start, "20", 2) == 0;
	}
	return code_string(code, i, &text, &n) && n >= 7 && memcmp(text, "20", 2) == 0 &&
		text[4] == '-';
}

#define COMPARISONS " < > <= >= == === -lt -gt -le -ge "
#define SHELL_COMPARISONS " lt gt le ge "

static bool depends_on_time_occurs(const struct code *code, uint32_t i)
{
	const struct token *token = &code->tokens.tokens[i];
	if (token->kind == TOKEN_NUMBER ? token->length < 4 : !depends_on_time_is_date(code, i))
		return false;
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	if (!code_around_in(code, i, COMPARISONS) &&
		!(shell && code_around_in(code, i, SHELL_COMPARISONS)))
		return false;
	bool beside_clock = code_around_in(code, i, EPOCH_CLOCKS);
	if (depends_on_time_is_epoch(code, i, beside_clock))
		return beside_clock || code->says_time;
	return (depends_on_time_is_year(code, i) || depends_on_time_is_date(code, i)) &&
		code_around_in(code, i, CLOCKS);
}

const struct guard_rule depends_on_time_rule = {
	.name = "depends-on-time",
	.summary = "a condition on today's date holds today",
	.occurs = depends_on_time_occurs,
};
