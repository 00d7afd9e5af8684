/* A fix that asks where it is works there and nowhere else. */
#include "verify/guard/code.h"

#define PLACES \
	" __file__ getcwd getcwdb cwd __dirname __filename gethostname hostname getlogin getuser " \
	"Getwd Hostname current_dir current_exe program_invocation_name os_hostname "
#define ENVIRONMENTS " environ env getenv Getenv "
#define EXPANSIONS " $PWD ${PWD} $OLDPWD $HOSTNAME ${HOSTNAME} $USER ${USER} $LOGNAME "
#define VARIABLES " PWD OLDPWD HOSTNAME USER LOGNAME "

/* A text of at least three letters: the name of a place, not a separator or a suffix. */
static bool depends_on_place_is_name(const struct code *code, uint32_t i)
{
	const char *text;
	size_t n;
	return code_string(code, i, &text, &n) && n > 3 && text[0] != '.' &&
		!code_string_in(code, i, VARIABLES);
}

static bool depends_on_place_is_condition(const struct code *code, uint32_t i)
{
	if (!code_around_in(code, i,
			" if elif while unless ? && || assert case switch and or return not [ [[ test "))
		return false;
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	return shell ? code_around_in(code, i, " = == != =~ case ")
				 : code_around_in(code, i,
					   " == != === !== in includes startsWith startswith endsWith endswith "
					   "HasPrefix HasSuffix Contains "
					   "contains strcmp strncmp strstr equals starts_with ends_with ");
}

static bool depends_on_place_asks_environment(const struct code *code, uint32_t i)
{
	uint32_t first, end;
	code_around(code, i, &first, &end);
	for (; first < end && code_in(code, i, ENVIRONMENTS); first++)
		if (code_in(code, first, VARIABLES) || code_string_in(code, first, VARIABLES))
			return true;
	return false;
}

static bool depends_on_place_occurs(const struct code *code, uint32_t i)
{
	bool shell = code->language->traits & LANGUAGE_SIGILS;
	bool named = !shell && code->tokens.tokens[i].kind == TOKEN_NAME &&
		(code_in(code, i, PLACES) || depends_on_place_asks_environment(code, i));
	if ((!named && !code_expands(code, i, VARIABLES)) || !depends_on_place_is_condition(code, i))
		return false;
	uint32_t first, end;
	code_around(code, i, &first, &end);
	for (; first < end; first++)
		if (first != i && depends_on_place_is_name(code, first))
			return true;
	return false;
}

const struct guard_rule depends_on_place_rule = {
	.name = "depends-on-place",
	.summary = "a condition on the directory, the host or the user holds here and not elsewhere",
	.occurs = depends_on_place_occurs,
	.occurs_at = PLACES ENVIRONMENTS EXPANSIONS,
};
