/* `mvn test`, by its exit code, offline. */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/outcome.h"

static bool maven_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	(void)dir, (void)arena;
	if (!listing_has(paths, n, "pom.xml"))
		return false;
	suite->command = "mvn -q -o test";
	suite->origin = "pom.xml";
	return true;
}

static bool is_maven_test(const char *const *words, size_t n)
{
	if (!command_is(words[0], "mvn") && !command_is(words[0], "mvnw"))
		return false;
	for (size_t i = 1; i < n; i++)
		if (strcmp(words[i], "test") == 0 || strcmp(words[i], "verify") == 0)
			return true;
	return false;
}

static bool maven_runs(const char *command)
{
	return command_line_any(command, is_maven_test);
}

const struct suite_type maven_suite = {
	.name = "maven",
	.summary = "mvn test: the exit code",
	.state_size = sizeof(struct outcome),
	.detect = maven_detect,
	.runs = maven_runs,
	.read_line = outcome_read_line,
	.finish = outcome_read_end,
	.tools = (const char *const[]){"mvn", "java", "javac", "sh", NULL},
	.tests = (const char *const[]){"src/test/", NULL},
	.configuration = (const char *const[]){"pom.xml", ".mvn/", "mvnw", NULL},
};
