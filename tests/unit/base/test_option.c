#include "tests/unit/unit.h"

#include "base/option.h"

struct settings {
	bool fast;
	int64_t turns, timeout_ms, size, version, idle_ms;
	double ratio, cost;
	const char *mode, *name, *when;
	struct option_strings files;
};

static const char *const modes[] = {"word", "line", NULL},
						 *const times[] = {"ALWAYS", "NEVER", NULL};

#define AT(member) offsetof(struct settings, member)
static const struct option table[] = {
	{.name = "fast", .kind = OPTION_BOOL, .offset = AT(fast), .letter = 'f', .help = "be quick"},
	{.name = "turns",
		.kind = OPTION_INT,
		.offset = AT(turns),
		.fallback = "40",
		.least = 1,
		.most = 100,
		.argument = "N",
		.help = "how many turns"},
	{.name = "timeout",
		.kind = OPTION_DURATION,
		.offset = AT(timeout_ms),
		.fallback = "2m",
		.help = "how long"},
	{.name = "size", .kind = OPTION_BYTES, .offset = AT(size), .help = "how large"},
	{.name = "ratio", .kind = OPTION_NUMBER, .offset = AT(ratio), .help = "how many to one"},
	{.name = "cost", .kind = OPTION_MONEY, .offset = AT(cost), .fallback = "3", .help = "how dear"},
	{.name = "mode",
		.kind = OPTION_ENUM,
		.offset = AT(mode),
		.values = modes,
		.fallback = "word",
		.help = "which"},
	{.name = "when",
		.kind = OPTION_ENUM,
		.offset = AT(when),
		.values = times,
		.any_case = true,
		.help = "when"},
	{.name = "name", .kind = OPTION_STRING, .offset = AT(name), .help = "whose"},
	{.name = "file", .kind = OPTION_STRINGS, .offset = AT(files), .help = "what"},
	{.name = "version",
		.kind = OPTION_INT,
		.offset = AT(version),
		.least = 1,
		.most = 1,
		.help = "which one"},
	{.name = "idle",
		.kind = OPTION_DURATION,
		.offset = AT(idle_ms),
		.least = 250,
		.most = 5400000,
		.help = "how idle"},
	OPTION_END,
};

static const char *set(struct settings *settings, const char *name, const char *text)
{
	static struct rondo_error err;
	static struct arena arena;
	const struct option *option = option_find(table, name, "key", &err);
	err.message[0] = '\0';
	if (option)
		option_set(option, settings, &arena, text, &err);
	arena_release(&arena);
	return err.message;
}

static void fills_in_defaults(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct settings settings = {0};
	option_defaults(table, &settings, &arena);
	assert_int_equal(settings.turns, 40);
	assert_int_equal(settings.timeout_ms, 120000);
	assert_true(settings.cost == 3);
	assert_string_equal(settings.mode, "word");
}

static void reads_units(void **state)
{
	(void)state;
	struct settings settings = {0};
	static const struct {
		const char *text;
		int64_t ms;
	} durations[] = {
		{"90", 90000}, {"90s", 90000}, {"5m", 300000}, {"1.5h", 5400000}, {"250ms", 250}};
	for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
		assert_string_equal(set(&settings, "timeout", durations[i].text), "");
		assert_int_equal(settings.timeout_ms, durations[i].ms);
	}
	assert_string_equal(set(&settings, "size", "64K"), "");
	assert_int_equal(settings.size, 65536);
	assert_string_equal(set(&settings, "cost", "0.50"), "");
	assert_true(settings.cost == 0.5);
}

static void says_what_was_found_and_what_was_meant(void **state)
{
	(void)state;
	struct settings settings = {.turns = 7, .mode = "line"};
	assert_string_equal(set(&settings, "timeout", "5 minutes"),
		"timeout must be a duration such as 90s or 5m, found '5 minutes'");
	assert_string_equal(set(&settings, "turns", "0"), "turns must be between 1 and 100, found '0'");
	assert_string_equal(
		set(&settings, "turns", "1.5"), "turns must be a whole number, found '1.5'");
	assert_string_equal(
		set(&settings, "turns", "0x10"), "turns must be a whole number, found '0x10'");
	assert_string_equal(set(&settings, "turns", ""), "turns must be a whole number, found ''");
	assert_string_equal(set(&settings, "ratio", "nan"), "ratio must be a number, found 'nan'");
	assert_string_equal(set(&settings, "size", "-1"), "size must be at least 0, found '-1'");
	assert_string_equal(set(&settings, "fast", "yes"), "fast must be true or false, found 'yes'");
	assert_string_equal(set(&settings, "mode", "lines"),
		"mode must be one of word, line, found 'lines', did you mean 'line'?");
	assert_string_equal(set(&settings, "version", "2"), "version must be 1, found '2'");
	assert_string_equal(
		set(&settings, "idle", "0"), "idle must be between 250ms and 90m, found '0'");
	assert_int_equal(settings.turns, 7);
	assert_string_equal(settings.mode, "line");
}

static void some_values_may_be_written_in_either_case(void **state)
{
	(void)state;
	struct settings settings = {0};
	assert_string_equal(set(&settings, "when", "never"), "");
	assert_string_equal(settings.when, "NEVER");
	assert_string_equal(set(&settings, "when", "Always"), "");
	assert_string_equal(settings.when, "ALWAYS");
	assert_string_equal(
		set(&settings, "when", "often"), "when must be one of ALWAYS, NEVER, found 'often'");
	assert_string_equal(set(&settings, "mode", "Word"),
		"mode must be one of word, line, found 'Word', did you mean 'word'?");
}

static void reads_a_command_line(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct settings settings = {0};
	struct option_strings operands = {0};
	static const char *const words[] = {
		"one", "--turns", "5", "-f", "--file=a", "--file", "b", "--", "--two"};
	const struct option_group groups[] = {{table, &settings}, {0}};
	assert_int_equal(option_read_arguments(groups, &arena, words, 9, &operands, &err), 0);
	assert_int_equal(settings.turns, 5);
	assert_true(settings.fast);
	assert_int_equal(settings.files.n, 2);
	assert_string_equal(settings.files.items[1], "b");
	assert_int_equal(operands.n, 2);
	assert_string_equal(operands.items[1], "--two");
}

static void fills_the_state_of_each_table(void **state)
{
	(void)state;
	static const struct option none[] = {OPTION_END};
	static const struct option common[] = {
		{.name = "fast", .kind = OPTION_STRING, .offset = 0}, /* the first table has it, too */
		{.name = "log", .kind = OPTION_STRING, .offset = 0, .letter = 'l'},
		OPTION_END,
	};
	static const char *const words[] = {"-lx", "--fast", "--turns=5", "--turns"};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct settings settings = {0};
	const char *log = NULL;
	struct option_strings operands = {0};
	const struct option_group groups[] = {{none, NULL}, {table, &settings}, {common, &log}, {0}};
	assert_int_equal(option_read_arguments(groups, &arena, words, 3, &operands, &err), 0);
	assert_string_equal(log, "x");
	assert_true(settings.fast);
	assert_int_equal(settings.turns, 5);
	assert_int_equal(option_read_arguments(groups, &arena, &words[3], 1, &operands, &err), -1);
	const char *const wrong[] = {"--lof=x"};
	assert_int_equal(option_read_arguments(groups, &arena, wrong, 1, &operands, &err), -1);
	assert_string_equal(err.message, "unknown option '--lof', did you mean '--log'?");
}

static void refuses_a_wrong_command_line(void **state)
{
	(void)state;
	static const struct {
		const char *words[2];
		size_t n;
		const char *message;
	} cases[] = {
		{{"--turn", "5"}, 2, "unknown option '--turn', did you mean '--turns'?"},
		{{"-x"}, 1, "unknown option '-x'"},
		{{"--turns"}, 1, "option '--turns' needs a value: N"},
		{{"--turns", "many"}, 2, "option '--turns': turns must be a whole number, found 'many'"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct rondo_error err;
		struct settings settings = {0};
		struct option_strings operands = {0};
		const struct option_group groups[] = {{table, &settings}, {0}};
		const char *const *words = cases[i].words;
		size_t n = cases[i].n;
		assert_int_equal(option_read_arguments(groups, &arena, words, n, &operands, &err), -1);
		assert_string_equal(err.message, cases[i].message);
	}
}

static void prints_what_it_would_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct settings settings = {.size = 3 << 20, .version = 1, .idle_ms = 250}, again = {0};
	option_defaults(table, &settings, &arena);
	for (const struct option *option = table; option->name; option++) {
		struct rondo_error err;
		AUTO_STRBUF text = STRBUF_INIT(100);
		option_print(option, &settings, &text);
		if (text.length)
			assert_int_equal(option_set(option, &again, &arena, text.text, &err), 0);
	}
	assert_int_equal(again.timeout_ms, 120000);
	assert_int_equal(again.size, 3 << 20);
	assert_int_equal(again.turns, 40);
}

static void prints_small_and_refuses_huge_numbers(void **state)
{
	(void)state;
	struct settings settings = {0};
	AUTO_STRBUF text = STRBUF_INIT(100);
	assert_string_equal(set(&settings, "cost", "0.00001"), "");
	option_print(&table[5], &settings, &text);
	assert_string_equal(text.text, "0.00001");
	assert_string_equal(set(&settings, "timeout", "999999999999999999h"),
		"timeout must be a duration such as 90s or 5m, found '999999999999999999h'");
}

static void an_option_may_set_a_key_of_the_configuration(void **state)
{
	(void)state;
	static const struct option keys[] = {
		{.name = "goal", .kind = OPTION_SETTING, .key = "test.goal", .argument = "PATTERN"},
		{.name = "apply", .kind = OPTION_SETTING, .key = "output.apply", .letter = 'a'},
		{.name = "head", .kind = OPTION_SETTING, .key = "workspace.on_dirty=head"}, OPTION_END};
	static const struct option_setting expected[] = {{"goal", "test.goal", "x=y"},
		{"apply", "output.apply", "true"}, {"head", "workspace.on_dirty", "head"},
		{"apply", "output.apply", "false"}};
	const char *words[] = {
		"--goal", "x=y", "-a", "--head", "file", "--apply=false", "--head=false"};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct option_settings settings = {0};
	struct option_strings operands = {0};
	const struct option_group groups[] = {{keys, &settings}, {0}};
	assert_int_equal(option_read_arguments(groups, &arena, words, 7, &operands, &err), 0);
	assert_int_equal(settings.n, 4);
	assert_int_equal(operands.n, 1);
	for (size_t i = 0; i < settings.n; i++) {
		assert_string_equal(settings.items[i].option, expected[i].option);
		assert_string_equal(settings.items[i].key, expected[i].key);
		assert_string_equal(settings.items[i].value, expected[i].value);
	}
	words[0] = "--head=later";
	assert_int_equal(option_read_arguments(groups, &arena, words, 1, &operands, &err), -1);
	assert_string_equal(err.message, "option '--head': head must be true or false, found 'later'");
}

static int check_capital(const char *text, struct rondo_error *err)
{
	return *text >= 'A' && *text <= 'Z'
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "a name begins with a capital letter");
}

static void a_text_may_have_a_check_of_its_own(void **state)
{
	(void)state;
	const struct option option = {.name = "names", .kind = OPTION_STRINGS, .check = check_capital};
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct option_strings names = {0};
	assert_int_equal(option_set(&option, &names, &arena, "Ann", &err), 0);
	assert_int_equal(option_set(&option, &names, &arena, "bob", &err), -1);
	assert_string_equal(err.message, "a name begins with a capital letter");
	assert_int_equal(names.n, 1);
}

UNIT(option)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills_in_defaults),
		cmocka_unit_test(reads_units),
		cmocka_unit_test(says_what_was_found_and_what_was_meant),
		cmocka_unit_test(some_values_may_be_written_in_either_case),
		cmocka_unit_test(reads_a_command_line),
		cmocka_unit_test(fills_the_state_of_each_table),
		cmocka_unit_test(refuses_a_wrong_command_line),
		cmocka_unit_test(prints_what_it_would_read),
		cmocka_unit_test(prints_small_and_refuses_huge_numbers),
		cmocka_unit_test(an_option_may_set_a_key_of_the_configuration),
		cmocka_unit_test(a_text_may_have_a_check_of_its_own),
	};
	return RUN_TESTS(tests);
}
