/* RSpec, asked for a JSON file beside its dots. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/ruby.h"

const char *ruby_command(
	const char *command, const char *const *paths, size_t n, struct arena *arena)
{
	return text_in_sorted(paths, n, "Gemfile.lock") ? arena_printf(arena, "bundle exec %s", command)
													: command;
}

static const char *rspec_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	(void)dir;
	for (size_t i = 0; i < n; i++) {
		if (!text_starts_with(paths[i], "spec/") || !text_ends_with(paths[i], "_spec.rb"))
			continue;
		suite->command = ruby_command("rspec", paths, n, arena);
		return text_in_sorted(paths, n, ".rspec") ? ".rspec" : paths[i];
	}
	return NULL;
}

static bool rspec_runs(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "rspec");
}

static const char *rspec_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	if (!report || command_line_has(suite->command, "--out"))
		return suite->command;
	return command_line_with(suite->command, "rspec", NULL,
		arena_printf(arena, "--no-color --format progress --format json --out %s",
			command_quote(report, arena)), arena);
}

/* "spec/shapes_spec.rb[1:2] shapes has an area" is told by what stands before its name. */
static const char *rspec_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command))
		return NULL;
	strbuf_adds(&line, suite->command);
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], "] ");
		const char *word =
			end ? arena_strndup(arena, ids[i], (size_t)(end + 1 - ids[i])) : ids[i];
		strbuf_addf(&line, " %s", command_quote(word, arena));
	}
	return command_bounded(&line, arena);
}

static bool rspec_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite, (void)text;
	const char *slash = strrchr(beside, '/');
	if (!slash || !text_ends_with(beside, "_spec.rb"))
		return false;
	sentinel->path = arena_printf(
		arena, "%.*s/%s_spec.rb", (int)(slash - beside), beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"RSpec.describe 'length' do\n  it('%s') { expect('ab'.length).to eq 2 }\n"
		"  it('%s') { expect('ab'.length).to eq 3 }\nend\n",
		sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type rspec_suite = {
	.name = "rspec",
	.summary = "rspec",
	.formats = (const struct format *const[]){&rspec_format, &exit_format, NULL},
	.detect = rspec_detect,
	.runs = rspec_runs,
	.structured = rspec_structured,
	.targeted = rspec_targeted,
	.sentinel = rspec_sentinel,
	.tools = (const char *const[]){"rspec", "ruby", "bundle", NULL},
	.tests = (const char *const[]){"spec/", NULL},
	.configuration = (const char *const[]){".rspec", "Gemfile*", "*.gemspec", "Rakefile", NULL},
};
