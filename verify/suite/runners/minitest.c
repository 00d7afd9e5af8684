/* Ruby's Minitest, by the test task of a Rakefile or by itself, verbose: a line for each test. */
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/ruby.h"

#define OPTIONS "TESTOPTS="

static bool minitest_is_rake(const char *path)
{
	return strcmp(path, "Rakefile") == 0 || strcmp(path, "rakefile") == 0 ||
		strcmp(path, "Rakefile.rb") == 0 ||
		(text_starts_with(path, "rakelib/") && text_ends_with(path, ".rake"));
}

/* The file that has the task "test". */
static const char *minitest_find_task(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const signs[] = {"TestTask", "task :test", "task \"test\"", "task 'test'"};
	for (size_t i = 0; i < n; i++) {
		const char *text = minitest_is_rake(paths[i]) ? listing_read(dir, paths[i], arena) : NULL;
		for (size_t k = 0; text && k < ARRAY_SIZE(signs); k++)
			if (strstr(text, signs[k]))
				return paths[i];
	}
	return NULL;
}

static bool minitest_is_test(const char *path)
{
	const char *name = file_name(path);
	return text_starts_with(path, "test/") && text_ends_with(name, ".rb") &&
		(text_starts_with(name, "test_") || text_ends_with(name, "_test.rb"));
}

static const char *minitest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	const char *task = minitest_find_task(dir, paths, n, arena);
	suite->command = ruby_command("rake test", paths, n, arena);
	if (task)
		return task;
	suite->command = ruby_command("ruby -Ilib -Itest -e "
		"'Dir[\"./test/**/{test_*,*_test}.rb\"].sort.each { |file| require file }' -- -v", paths, n,
		arena);
	suite->shown = ruby_command("ruby -Ilib -Itest test/**/*.rb", paths, n, arena);
	for (size_t i = 0; i < n; i++)
		if (minitest_is_test(paths[i]))
			return paths[i];
	return NULL;
}

static bool minitest_runs(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "rake") && strcmp(words[1], "test") == 0;
}

/* By class and method, through rake, which passes its options to a shell. */
static const char *minitest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT), line = STRBUF_INIT(STRBUF_TEXT);
	if (!suite->format || strcmp(suite->format, minitest_format.name) != 0 ||
		!command_line_any(suite->command, minitest_runs) || !command_line_is_plain(suite->command))
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (!strchr(ids[i], '#'))
			return NULL;
		strbuf_adds(&names, i ? "|" : "");
		strbuf_add_escaped(&names, ids[i], strlen(ids[i]), "^$.[]()*+?|\\/{}");
	}
	const char *name =
		command_quote(arena_printf(arena, "--name=/^(%s)$/", names.text), arena);
	strbuf_addf(&line, OPTIONS "%s %s", command_quote(arena_printf(arena, "-v %s", name), arena),
		suite->command);
	return command_bounded(&line, arena);
}

static bool minitest_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite;
	const char *name = file_name(beside);
	bool is_first = text_starts_with(name, "test_");
	if (!minitest_is_test(beside) || !strstr(text, "Minitest::Test"))
		return false;
	sentinel->path = arena_printf(arena, "%.*s%s%s%s.rb", (int)(name - beside), beside,
		is_first ? "test_" : "", sentinel->passing, is_first ? "" : "_test");
	sentinel->text = arena_printf(arena,
		"require 'minitest/autorun'\n\nclass RondoTest < Minitest::Test\n"
		"  def test_%s\n    assert_equal 2, 'ab'.length\n  end\n\n"
		"  def test_%s\n    assert_equal 3, 'ab'.length\n  end\nend\n",
		sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type minitest_suite = {
	.name = "minitest",
	.summary = "rake test, and Minitest's files in test/",
	.formats = (const struct format *const[]){&minitest_format, &exit_format, NULL},
	.detect = minitest_detect,
	.runs = minitest_runs,
	.env = (const char *const[]){OPTIONS "-v", NULL},
	.targeted = minitest_targeted,
	.sentinel = minitest_sentinel,
	.tools = (const char *const[]){"rake", "ruby", "bundle", "sh", NULL},
	.tests = (const char *const[]){"test/", NULL},
	.configuration = (const char *const[]){
		"Rakefile", "rakefile", "Rakefile.rb", "rakelib/", "Gemfile*", "*.gemspec", NULL},
};
