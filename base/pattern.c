#include "base/pattern.h"

int pattern_compile(const char *text, regex_t *ret_pattern, struct rondo_error *err)
{
	char why[128];
	regex_t pattern;
	int status = regcomp(&pattern, text, REG_EXTENDED | REG_NOSUB | REG_NEWLINE);
	if (status == 0) {
		*ret_pattern = pattern;
		return 0;
	}
	regerror(status, &pattern, why, sizeof why);
	return error_set(
		err, RONDO_ERROR_USAGE, "'%s' is no extended regular expression: %s", text, why);
}

int pattern_check(const char *text, struct rondo_error *err)
{
	regex_t pattern;
	if (pattern_compile(text, &pattern, err) < 0)
		return -1;
	regfree(&pattern);
	return 0;
}
