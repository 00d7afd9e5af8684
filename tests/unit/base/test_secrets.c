/* Keys: where they come from, which files are refused, and that none gets out. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/secrets.h"

static char path[] = "/tmp/rondo-test-secrets-XXXXXX";

static int make_file(void **state)
{
	(void)state;
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static void write_file(const char *text, mode_t mode)
{
	FILE *file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	chmod(path, mode);
}

static void the_environment_comes_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct secrets secrets = {0};
	struct rondo_error err;
	setenv("ONE_API_KEY", "from the environment", 1);
	setenv("ONE_PASSWORD", "not a key of a model", 1);
	secrets_from_environment(&secrets, &arena);
	write_file("ONE_API_KEY=from the file\n# a comment\n\nexport TWO_API_KEY = 'quoted # text'\r\n"
			   "THREE_API_KEY=plain # said\nPASSWORD=x\nEMPTY_API_KEY=\nFOUR_API_KEY=\"last\"",
		0600);
	assert_int_equal(secrets_from_file(&secrets, path, &arena, &err), 0);
	assert_string_equal(secrets_get(&secrets, "ONE_API_KEY"), "from the environment");
	assert_string_equal(secrets_get(&secrets, "TWO_API_KEY"), "quoted # text");
	assert_string_equal(secrets_get(&secrets, "THREE_API_KEY"), "plain");
	assert_string_equal(secrets_get(&secrets, "FOUR_API_KEY"), "last");
	assert_null(secrets_get(&secrets, "ONE_PASSWORD"));
	assert_null(secrets_get(&secrets, "PASSWORD"));
	assert_null(secrets_get(&secrets, "EMPTY_API_KEY"));
	assert_null(secrets_get(NULL, "ONE_API_KEY"));
}

static void programs_get_the_rest_of_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	bool has_path = false;
	setenv("FIVE_API_KEY", "a key", 1);
	for (const char *const *entry = secrets_free_environment(&arena); *entry; entry++) {
		assert_false(text_starts_with(*entry, "FIVE_API_KEY="));
		has_path |= text_starts_with(*entry, "PATH=");
	}
	assert_true(has_path);
}

static void a_file_that_others_may_read_is_warned_of(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct secrets secrets = {0};
	struct rondo_error err;
	char expected[200];
	write_file("A_API_KEY=x\n", 0640);
	assert_int_equal(secrets_from_file(&secrets, path, &arena, &err), 0);
	snprintf(expected, sizeof expected,
		"'%s' holds keys, and others may read it (mode 640): chmod 600 %s", path, path);
	assert_string_equal(secrets.warning, expected);
	if (geteuid() != 0)
		return;
	secrets = (struct secrets){0};
	assert_int_equal(chown(path, 12345, 12345), 0);
	assert_int_equal(secrets_from_file(&secrets, path, &arena, &err), -1);
	snprintf(expected, sizeof expected, "'%s' holds keys, and others may read it (mode 640)", path);
	assert_string_equal(err.message, expected);
	snprintf(expected, sizeof expected, "chmod 600 %s", path);
	assert_string_equal(err.help, expected);
	assert_int_equal(secrets.n, 0);
	assert_int_equal(chown(path, 0, 0), 0);
}

/* Who writes the file must not learn the keys of the environment. */
static void a_file_says_where_its_own_keys_go(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct secrets secrets = {0};
	struct rondo_error err;
	setenv("OPENAI_API_KEY", "the user's", 1);
	unsetenv("DAYTONA_API_KEY");
	setenv("OPENAI_BASE_URL", "https://env", 1);
	setenv("DAYTONA_API_URL", "https://env", 1);
	unsetenv("DAYTONA_TARGET");
	secrets_from_environment(&secrets, &arena);
	write_file("OPENAI_API_KEY=file\nOPENAI_BASE_URL=https://file\nDAYTONA_API_KEY=file\n"
			   "DAYTONA_API_URL='https://file'\nDAYTONA_TARGET=eu\nPATH=/file\n",
		0600);
	assert_int_equal(secrets_from_file(&secrets, path, &arena, &err), 0);
	assert_null(secrets.warning);
	assert_string_equal(
		secrets_setting(&secrets, "OPENAI_BASE_URL", "OPENAI_API_KEY"), "https://env");
	unsetenv("OPENAI_BASE_URL");
	assert_null(secrets_setting(&secrets, "OPENAI_BASE_URL", "OPENAI_API_KEY"));
	assert_string_equal(secrets_setting(&secrets, "OPENAI_BASE_URL", "NO_API_KEY"), "https://file");
	assert_string_equal(
		secrets_setting(&secrets, "DAYTONA_API_URL", "DAYTONA_API_KEY"), "https://file");
	assert_string_equal(secrets_setting(&secrets, "DAYTONA_TARGET", "DAYTONA_API_KEY"), "eu");
	assert_null(secrets_setting(NULL, "DAYTONA_TARGET", "DAYTONA_API_KEY"));
	assert_int_equal(secrets.n_settings, 3);
	unsetenv("OPENAI_API_KEY");
	unsetenv("DAYTONA_API_URL");
}

static void a_wrong_line_is_named_and_not_shown(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct secrets secrets = {0};
	struct rondo_error err;
	char expected[200];
	write_file("A_API_KEY=x\nsk-1234567890\n", 0600);
	assert_int_equal(secrets_from_file(&secrets, path, &arena, &err), -1);
	snprintf(expected, sizeof expected, "%s:2: a line must be NAME=VALUE", path);
	assert_string_equal(err.message, expected);
}

static void keys_do_not_get_out(void **state)
{
	(void)state;
	static const char *names[] = {"A_API_KEY", "B_API_KEY", "C_API_KEY"};
	static const char *values[] = {"sk-1234567890", "short", "sk-1234567890-longer"};
	struct secrets secrets = {.names = names, .values = values, .n = 3};
	static const char *const cases[][2] = {
		{"Bearer sk-1234567890, and sk-1234567890.", "Bearer [A_API_KEY], and [A_API_KEY]."},
		{"sk-1234567890-longer", "[C_API_KEY]"},
		{"a short text", "a short text"},
		{"sk-123456789", "sk-123456789"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AUTO_STRBUF sb = STRBUF_INIT(1000);
		secrets_redact(&secrets, &sb, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(sb.text, cases[i][1]);
	}
	AUTO_STRBUF same = STRBUF_INIT(1000);
	secrets_redact(NULL, &same, "sk-1234567890", 13);
	assert_string_equal(same.text, "sk-1234567890");
}

UNIT(secrets)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_comes_first),
		cmocka_unit_test(programs_get_the_rest_of_the_environment),
		cmocka_unit_test(a_file_that_others_may_read_is_warned_of),
		cmocka_unit_test(a_file_says_where_its_own_keys_go),
		cmocka_unit_test(a_wrong_line_is_named_and_not_shown),
		cmocka_unit_test(keys_do_not_get_out),
	};
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
