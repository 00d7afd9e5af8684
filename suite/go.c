/* `go test`, by its exit code. No module is fetched. */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/outcome.h"

static bool go_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	(void)dir, (void)arena;
	if (!listing_has(paths, n, "go.mod"))
		return false;
	suite->command = "go test ./...";
	suite->origin = "go.mod";
	return true;
}

static bool is_go_test(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "go") && strcmp(words[1], "test") == 0;
}

static bool go_runs(const char *command)
{
	return command_line_any(command, is_go_test);
}

const struct suite_type go_suite = {
	.name = "go",
	.summary = "go test: the exit code",
	.state_size = sizeof(struct outcome),
	.detect = go_detect,
	.runs = go_runs,
	.env = (const char *const[]){"GOPROXY=off", "GOTOOLCHAIN=local", NULL},
	.read_line = outcome_read_line,
	.finish = outcome_read_end,
	.tools = (const char *const[]){"go", "gofmt", "cc", "gcc", NULL},
	.tests = (const char *const[]){"*_test.go", "testdata/", NULL},
	.configuration = (const char *const[]){"go.mod", "go.sum", "go.work", "go.work.sum", NULL},
};
