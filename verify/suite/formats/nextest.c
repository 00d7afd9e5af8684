/* `cargo nextest run`: its JUnit file, and lines that name what could not be built. It needs no
 * sign, since only its own runner asks for it. */
#include <string.h>

#include "base/memory.h"
#include "verify/suite/formats/cargo.h"
#include "verify/suite/formats/junit.h"

struct nextest {
	struct map ids;
	bool has_file;
	const char *damage;
	struct cargo_why build; /* the first error of the compiler */
	const char **unbuilt;   /* names of packages */
	size_t n_unbuilt;
};

static void nextest_read_line(struct suite_reading *reading, const char *line)
{
	struct nextest *nextest = reading->state;
	const char *name = line_match(line, "error: could not compile `*", NULL);
	if (name)
		ARENA_PUSH(reading->arena, nextest->unbuilt, nextest->n_unbuilt,
			arena_strndup(reading->arena, name, strcspn(name, "`")));
	else
		cargo_hear(&nextest->build, reading->dir, line);
}

static void nextest_take_case(struct suite_reading *reading, const struct junit_case *test)
{
	struct nextest *nextest = reading->state;
	junit_add(reading, test, &nextest->ids);
}

static void nextest_read_report(struct suite_reading *reading, int fd)
{
	struct nextest *nextest = reading->state;
	const char *damage = junit_read(reading, fd, "nextest's report", nextest_take_case);
	nextest->has_file = true;
	nextest->damage = nextest->damage ? nextest->damage : damage;
}

static const char *nextest_finish(
	struct suite_reading *reading, const struct process_result *result)
{
	struct nextest *nextest = reading->state;
	(void)result;
	for (size_t i = 0; i < nextest->n_unbuilt; i++)
		reading_add(reading, nextest->unbuilt[i], TEST_ERROR, nextest->build.message,
			&nextest->build.location, 0);
	return nextest->has_file || nextest->n_unbuilt ? nextest->damage
												   : "cargo nextest wrote no JUnit report";
}

const struct format nextest_format = {
	.name = "nextest",
	.summary = "cargo nextest's JUnit XML, and what it could not build",
	.state_size = sizeof(struct nextest),
	.read_line = nextest_read_line,
	.read_report = nextest_read_report,
	.finish = nextest_finish,
};
